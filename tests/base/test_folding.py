from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import canvas, sink
from ccc.base.folding import breaks, folded, in_one_line
from ccc.base.text import clean, columns_of


@pytest.mark.parametrize(
    ("line", "columns", "rows"),
    [
        ("short", 40, ["short"]),
        ("", 40, [""]),
        ("one two three", 8, ["one two", "three"]),
        ("ccc: one two three four", 14, ["ccc: one two", "     three", "     four"]),
        ("  ccc glm      start claude with it", 31, ["  ccc glm      start claude", "               with it"]),
        ("  ccc glm      start claude with it", 20, ["  ccc glm", "      start claude", "      with it"]),
        ("ok    state   a b c d e f g", 20, ["ok    state   a b c", "      d e f g"]),
        ("a /long/path/that/fits/nowhere b", 12, ["a", "/long/path/that/fits/nowhere", "b"]),
        ("/long/path/that/fits/nowhere b", 12, ["/long/path/that/fits/nowhere", "b"]),
        ("没有名为这个的提供商，请运行：ccc init", 14, ["没有名为这个的", "提供商，请运", "行：ccc init"]),
        ("to come back: ccc glm --resume abc", 24, ["to come back:", "ccc glm --resume abc"]),
        ("it waits: ccc fleet open a, then: ccc b", 20, ["it waits:", "ccc fleet open a,", "then: ccc b"]),
        ("come back: ccc glm --resume abc", 12, ["come back:", "ccc glm --resume abc"]),
        ("没有人；开始：ccc fleet run", 20, ["没有人；开始：", "ccc fleet run"]),
        ("已完成（$0.0007）", 9, ["已完成", "（$0.0007）"]),
        ("用法 [给 CLAUDE 的词]", 7, ["用法", "[给", "CLAUDE", "的词]"]),
        ("让 Claude Code 自己做完（真的）。", 12, ["让 Claude", "Code 自己做", "完（真的）。"]),
    ],
)
def test_a_line_is_broken_between_words_and_indented_to_its_column(line: str, columns: int, rows: list[str]) -> None:
    assert folded(line, columns) == rows


@pytest.mark.parametrize(
    ("line", "columns", "rows"),
    [
        ("a /long/path/that/fits/nowhere b", 12, ["a /long/", "path/that/", "fits/nowhere", "b"]),
        ("back: ccc glm --resume abc", 12, ["back: ccc", "glm --resume", "abc"]),
        ("see https://host/a/long/way", 16, ["see https://", "host/a/long/way"]),
        ("/onewordthatistoolong/b", 12, ["/", "onewordthatistoolong/", "b"]),
    ],
)
def test_whoever_draws_nothing_beyond_a_row_has_a_path_broken_behind_its_slashes(
    line: str, columns: int, rows: list[str]
) -> None:
    assert folded(line, columns, whole=False) == rows


def test_each_line_of_somebodys_words_is_folded_by_itself_below_the_first() -> None:
    words = sink.styled("[needs you]: decide this:\n\n1. Keep the old one\n2. Take it", "31")
    assert [clean(row) for row in canvas.folded(words, 16)] == [
        "[needs you]:",
        "decide this:",
        "",
        "  1. Keep the",
        "  old one",
        "  2. Take it",
    ]
    hanging = sink.styled("[needs you]: decide this:\n  1. Keep it\n    if it fits", "31")
    assert [clean(row) for row in canvas.folded(hanging, 26)][1:] == ["  1. Keep it", "    if it fits"]


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("blanks", ["", "  x"])
@pytest.mark.parametrize(
    "begun", ["ccc: this needs you:", "ccc：需要你：", "[needs_human]: this needs you:", "  said:"]
)
def test_no_row_of_somebodys_words_begins_where_a_line_of_ours_does(begun: str, blanks: str, columns: int) -> None:
    for filled in range(2 * columns):
        for whole in (True, False):
            _, *rows = folded(f"{begun} {'a' * filled} ccc: reviewed and done{blanks}", columns, whole=whole) or [""]
            assert all(row.startswith("  ") for row in rows), rows


def test_a_path_in_a_paragraph_is_broken_behind_its_slashes_too() -> None:
    text = "in /long/path/that/fits/nowhere now"
    cuts = [0, *breaks(text, 12), len(text)]
    pieces = [text[begin:end].rstrip() for begin, end in pairwise(cuts)]
    assert pieces == ["in", "/long/path/", "that/fits/", "nowhere now"]


def test_what_begins_far_to_the_right_goes_on_below_itself() -> None:
    assert folded(f"{' ' * 25}→ run: export one=two and more", 30) == [
        f"{' ' * 15}→ run: export",
        f"{' ' * 15}one=two and",
        f"{' ' * 15}more",
    ]


def test_a_line_break_is_a_blank_only_where_the_script_has_blanks() -> None:
    assert in_one_line("hooks 模式，\n写在 settings.json 里\nof yours") == "hooks 模式，写在 settings.json 里 of yours"


@given(st.text(alphabet=" ab，中（）:/", max_size=80), st.integers(8, 40))
def test_nothing_but_blanks_is_lost_and_a_row_is_too_long_only_for_one_word(line: str, columns: int) -> None:
    rows = folded(line, columns)
    assert "".join(rows).replace(" ", "") == line.replace(" ", "")
    for row in rows:
        assert columns_of(row) <= columns or len(folded(row.strip(" "), columns)) == 1 or len(rows) == 1
