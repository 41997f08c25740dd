"""What affirms says so of the work, as a fact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.judging.affirmation import affirms, of_the_review

AFFIRMS = [
    *("All tests pass.", "Nothing is missing.", "LGTM", "It no longer hangs.", "The bug is fixed.", "No errors."),
    *("测试全部通过。", "没有问题。", "Alle Anforderungen sind erfüllt.", "Les tests passent.", "Todo está hecho."),
    *(
        "Всё готово.",
        "テストは成功しました。",
        "모든 테스트가 통과했습니다.",
        "Tutto fatto.",
        "De tests slagen.",
        "Overall: 👍",
    ),
    *("The script prints the expected output.", "Both endpoints return the specified codes.", "脚本输出了预期的结果。"),
    *("Das Skript gibt die erwartete Ausgabe aus.", "La función devuelve el valor esperado.", "Ran it: 12 passed."),
]
AFFIRMS_NOTHING = [
    *("Half of the endpoints return 500.", "Run the tests so that they pass.", "It would be fine.", "Au travail."),
    *("My review is complete.", "审查完毕。", "Thank you.", "The agent claims that it works.", "Make it work.", ""),
    *("请让测试通过。", "Testy nie przechodzą.", "العمل غير مكتمل.", "I'd like to see the tests pass."),
    *(
        "It never returns the expected value.",
        "Das Skript gibt die erwartete Ausgabe nicht aus.",
        "返回的不是预期的结果。",
    ),
    *("Ran the migration: rolled back.", "Exécuté : rien.", "Checked the server: connection refused."),
    *("Ich prüfe, ob es funktioniert.", "看看是否通过。"),
]


@pytest.mark.parametrize("sentence", AFFIRMS)
def test_what_is_good_as_a_fact_affirms(sentence: str) -> None:
    assert affirms(sentence)


@pytest.mark.parametrize("sentence", AFFIRMS_NOTHING)
def test_a_wish_a_claim_a_description_and_the_review_itself_affirm_nothing(sentence: str) -> None:
    assert not affirms(sentence)


def test_the_end_of_a_review_is_not_the_end_of_the_work() -> None:
    assert of_the_review("This concludes my review.")
    assert not of_the_review("The task is complete.")


@given(st.text(max_size=200))
def test_every_text_is_read(text: str) -> None:
    affirms(text)
