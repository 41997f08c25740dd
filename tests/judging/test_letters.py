"""A word is read in the letters that are seen, whatever they are made of."""

# ruff: noqa: RUF001

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.judging.letters import as_seen
from ccc.judging.verdict import MARKER, marker_verdict

DISGUISED = [
    *(("n\u043et", "not"), ("\u039d\u039f\u03a4", "NOT"), ("\uff4e\uff4f\uff54", "not"), ("n\xadot", "not")),
    *(("fai\u200dl", "fail"), ("fa\u2060il", "fail"), ("n\ufe0fot", "not"), ("no\u0338t", "not")),
    *(("\U0001d427\U0001d428\U0001d42d", "not"), ("\u0274\u1d0f\u1d1b", "not"), ("未n\u043et", "未not")),
    # Latin letters in a Russian word, and a letter with its accent apart.
    *(("\u043de завершена", "\u043d\u0435 завершена"), ("termine\u0301", "terminé")),
]
PLAIN = [
    *("НЕТ ошибок, ВСЕ хорошо", "Görev tamamlandı", "任务，完成：OK！", "✔️ ok 👨‍👩‍👧", "API тесты", "Δt = 3 μs", "①②"),
    *("naïve café, Straße", "مكتملة", "すべて完了", "…"),
]


@pytest.mark.parametrize(("text", "seen"), DISGUISED)
def test_a_disguised_word_is_undone(text: str, seen: str) -> None:
    assert as_seen(text) == seen


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_written_in_one_script_stays(text: str) -> None:
    assert as_seen(text) == text


@pytest.mark.parametrize(
    "said",
    ["It is n\u043et done.", "The tests f\u0430il.", "It is n\xadot done.", "Работа нe завершена.", "ｎｏｔ done."],
)
def test_a_disguised_denial_denies(said: str) -> None:
    assert not marker_verdict(f"{said}\n\n{MARKER}").allow_stop


@given(st.text(max_size=200))
def test_every_text_is_seen_once(text: str) -> None:
    assert as_seen(as_seen(text)) == as_seen(text)


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_plain_letters_are_what_they_are(text: str) -> None:
    assert as_seen(text) == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["n\u0338" * 200_000, "a" + "\u0338" * 400_000, "n\u043e" * 200_000, "\xad" * 400_000])
def test_hostile_letters_are_read_once(text: str) -> None:
    as_seen(text)
