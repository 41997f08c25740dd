"""No text from a model can act on a terminal, forge a log line or break an encoder."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccc.base.text import FEEDBACK_LIMIT, capped, clean, elements, encodable, feedback, hanging, one_line, spelled_out

FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
HOSTILE = st.one_of(
    st.text(st.characters()),
    st.text(st.sampled_from("\x1b\x9b\x9d\x90\x9c\x07\\[]P;?0123mJhc\r\n\t\x00\x7f\u202e\u200b\ud83d中a ")),
)


@pytest.mark.parametrize(
    ("hostile", "safe"),
    [
        ("plain, 中文 and 🎉\n\ttab", "plain, 中文 and 🎉\n\ttab"),
        ("", ""),
        ("a\x1b[2Jb", "ab"),
        ("a\x1b[?25hb", "ab"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[38:2::255:0:0mred", "red"),
        ("a\x9b2Jb", "ab"),
        ("a\x1b]52;c;cm0gLXJm\x07b", "ab"),
        ("a\x1b]0;title\x1b\\b", "ab"),
        ("a\x9d0;title\x9cb", "ab"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x1bPq#0;2;0\n#1~~\x1b\\b", "ab"),
        ("a\x1b_apc\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d", "abcd"),
        ("a\x1b]0;never ended\nnext line", "a\nnext line"),
        ("a\x1b[31", "a"),
        ("a\x1b(Bb\x1b7c\x1bcd", "abcd"),
        ("a\x1b\x00[2\x01Jb", "ab"),
        ("ends with \x1b", "ends with "),
        ("\x1b你", "你"),
        ("be\x07ll \x7fdel \x08back \x00nul", "bell del back nul"),
        ("c1 \x85\x84\x9f", "c1 "),
        ("dos\r\nmac\runix\n", "dos\nmac\nunix\n"),
        ("over\rwritten", "over\nwritten"),
        ("\ufeffbom", "bom"),
        ("a\u202eb\u2066c\u2069d\u200ee\u200ff\u061cg", "abcdefg"),
        ("zero\u200bwidth", "zerowidth"),
        ("👩\u200d💻 \u0645\u06cc\u200c\u062e", "👩\u200d💻 \u0645\u06cc\u200c\u062e"),
        ("lone \ud83d and \udc00", "lone \ufffd and \ufffd"),
        ("form\x0cfeed\x0bvt", "formfeedvt"),
    ],
)
def test_hostile_text_is_disarmed_without_debris(hostile: str, safe: str) -> None:
    assert clean(hostile) == safe


@settings(max_examples=2000, deadline=None)
@given(HOSTILE)
@example("\x1b\x1b[2J[2J")
@example("\x1b]\x1b]0;x\x07")
def test_nothing_forbidden_survives_and_cleaning_twice_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert not FORBIDDEN.search(cleaned)
    assert clean(cleaned) == cleaned
    cleaned.encode()


def test_a_hundred_thousand_random_strings_come_out_clean() -> None:
    chance = random.Random(11)
    alphabet = [chr(code) for code in (*range(0x100), 0x61C, *range(0x2000, 0x2070), 0xD83D, 0xFEFF, 0x4E2D)]
    for _ in range(100_000):
        assert not FORBIDDEN.search(clean("".join(chance.choices(alphabet, k=8))))


@settings(max_examples=500, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs"))))
def test_harmless_text_is_kept_as_it_is(text: str) -> None:
    assert clean(text) == text


@settings(max_examples=500, deadline=None)
@given(HOSTILE, st.integers(0, 60))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert not FORBIDDEN.search(line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  one\n  two\r\n\r\nthree\t!  ", "one ⏎ two ⏎ three !"),
        ("ok\n2026-01-01T00:00:00Z supervisor-hook invoked", "ok ⏎ 2026-01-01T00:00:00Z supervisor-hook invoked"),
        ("line\u2028paragraph\u2029end", "line ⏎ paragraph ⏎ end"),
        ("\x1b[2J", ""),
    ],
)
def test_a_line_break_cannot_forge_a_log_record(text: str, line: str) -> None:
    assert one_line(text) == line


def test_a_long_line_ends_with_an_ellipsis() -> None:
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abcd", 4) == "abcd"


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=300), st.integers(0, 200))
def test_capped_text_never_exceeds_its_limit(text: str, limit: int) -> None:
    cut = capped(text, limit)
    assert len(cut) <= limit
    assert cut == text or len(text) > limit


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one line", "one line"),
        ("", ""),
        ("The key\n\nccc: done\n  1. so\n", "The key\n\n  ccc: done\n    1. so"),
        ("a\rccc: b\u2028ccc: c\u2029ccc: d", "a\n  ccc: b\n  ccc: c\n  ccc: d"),
        ("a\n\x1b[2K\x1b]0;x\x07ccc: b\x0bccc: c\x85ccc: d", "a\n  ccc: bccc: cccc: d"),
    ],
)
def test_no_further_line_of_somebodys_words_begins_at_the_edge(text: str, told: str) -> None:
    assert hanging(text) == told


@given(st.text(alphabet=st.sampled_from("ac: \n\r\x0b\x0c\x1b[]E\x85\u2028\u2029\x1c")))
def test_whatever_is_cleaned_once_more_its_lines_hang(text: str) -> None:
    assert all(line.startswith("  ") or not line for line in clean(hanging(text)).splitlines()[1:])


def test_a_cut_says_how_much_is_missing() -> None:
    cut = capped("x" * 30_000)
    kept, mark = cut.split("\n")
    assert len(cut) == FEEDBACK_LIMIT
    assert mark == f"[… {30_000 - len(kept)} characters cut]"


@pytest.mark.parametrize("text", ["", " \n\t ", "\x00\x1b[0m\u202e", "\ufeff\n"])
def test_feedback_of_nothing_visible_is_empty(text: str) -> None:
    assert feedback(text) == ""


def test_feedback_is_clean_trimmed_and_capped() -> None:
    assert feedback(" \x1b[1mrun pytest\x1b[0m\r\n") == "run pytest"
    assert len(feedback("字" * 5_000_000)) == FEEDBACK_LIMIT
    assert feedback(" " * 30_000 + "words") == "words"


def test_encodable_text_becomes_utf8() -> None:
    assert encodable("a\ud83db").encode() == "a\ufffdb".encode()
    assert encodable("🎉") == "🎉"


@pytest.mark.parametrize(
    "unit", ["\x1b]", "\x9d\n", "\x1b[", "\x1b[0", "\x1b]0;a\n", " \x07", "\r", "\x1b", "\ud800a", "字\x1b[1m"]
)
def test_cleaning_is_linear_in_hostile_text(unit: str) -> None:
    one_line(unit * (1_600_000 // len(unit)))  # with anything worse this does not end


@settings(max_examples=300)
@given(st.lists(st.sampled_from(["<a>", "</a>", "<b_1>", "</b_1>", "<b_2>", "</b_2>", "x", "\n", "<", "/"])))
@example(["<a>", "<b_1>", "</a>", "</b_1>", "<a>"])
def test_elements_are_found_as_the_plain_pattern_finds_them(pieces: list[str]) -> None:
    text = "".join(pieces)
    plain = re.finditer(r"<(a|b_\w+)>(.*?)</\1>", text, re.DOTALL)
    assert list(elements(text, r"a|b_\w+")) == [(*found.span(), found[1], found[2]) for found in plain]


@pytest.mark.parametrize(
    "empty",
    [
        *("\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180b", "\u180c", "\u180d", "\u180e", "\u180f", "\u2800"),
        *("\u2d7f", "\u3164", "\ufe0f", "\uffa0", "\ufffc", "\U0001107f", "\U00011a47", "\U00011a99", "\U00013441"),
        *("\U00013442", "\U00016fe4", "\U0001d159", "\U0001d173", "\U000e0020", "\U000e0100"),
    ],
    ids=lambda empty: f"U+{ord(empty):04X}",
)
def test_what_shows_as_nothing_is_spelled_out_for_somebody_who_decides_by_it(empty: str) -> None:
    code = ord(empty)
    assert spelled_out(f"a{empty}b") == (f"a\\U{code:08x}b" if code > 0xFFFF else f"a\\u{code:04x}b")
