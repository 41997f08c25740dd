"""Markdown in pieces: where a block ends, and that none of it is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import withheld
from ccc.base.text import clean, columns_of
from ccc_legacy import markdown
from ccc_legacy.blocks import MOST, TAIL, Blocks

TEXT = """# Title
words
more words

- one
- two

  of two
1. three

after

```python
a = 1

b = 2
```
| a | b |
|---|---|
| 1 | 2 |

1. item

   ```
   code

   more
   ```
2. last"""
BLOCKS = [
    "# Title",
    "words\nmore words",
    "- one\n- two\n\n  of two\n1. three",
    "after",
    "```python\na = 1\n\nb = 2\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "1. item\n\n   ```\n   code\n\n   more\n   ```\n2. last",
]


def parted(*pieces: str) -> list[str]:
    blocks = Blocks()
    return [*(block for piece in pieces for block in blocks.feed(piece)), *blocks.close()]


@pytest.mark.parametrize("size", range(1, 60, 7))
def test_blocks_end_where_they_end_however_the_pieces_come(size: int) -> None:
    assert parted(*(TEXT[at : at + size] for at in range(0, len(TEXT), size))) == BLOCKS


@given(st.text(alphabet="ab `~-1.#\n", max_size=200))
def test_no_word_is_lost_and_none_is_doubled(text: str) -> None:
    lines = [line for line in text.split("\n") if line.strip()]
    found = [line for block in parted(*text) for line in block.split("\n") if line.strip()]
    assert found == lines


def test_a_block_that_does_not_end_is_given_in_parts() -> None:
    line = parted(*["word "] * 20_000)
    assert "".join(line) == "word " * 20_000
    assert max(map(len, line)) <= MOST + 5
    code = parted("```sh\n", *[f"echo {number}\n" for number in range(5_000)], "```\n")
    assert max(map(len, code)) < MOST + 100
    assert all(block.startswith("```sh\n") and block.endswith("\n```") for block in code)
    assert sum(block.count("echo") for block in code) == 5_000


def test_words_that_grow_behind_a_list_are_not_of_the_list() -> None:
    blocks = Blocks()
    assert list(blocks.feed("- a\n- b\n\nWords")) == []
    assert blocks.growing == "- a\n- b\n\nWords"


def test_of_a_growing_block_the_end_is_shown_as_what_it_is() -> None:
    blocks = Blocks()
    list(blocks.feed("```python\n" + "x = 1\n" * 900))
    assert blocks.growing.startswith("```python\nx = 1")
    assert len(blocks.growing) <= TAIL + 20


def test_code_that_is_too_wide_is_folded_and_not_cut() -> None:
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", row) for row in markdown.rows("```python\n" + "x" * 70 + "\n```", 40)]
    assert rows == [f"  {'x' * 38}", f"  {'x' * 32}"]


def test_a_table_has_no_row_that_some_terminal_takes_for_a_longer_one() -> None:
    rows = markdown.rows("| case | before |\n|---|---|\n| one apple | 3 |\n| two apples | 6 |", 22)
    assert len(rows) == 4
    assert max(columns_of(clean(row)) for row in rows) <= 22


def test_what_markdown_would_hide_is_shown() -> None:
    rows = markdown.rows("List<String> <b>x</b>\nnext line\n\n<!-- note -->", 60)
    assert [str(row) for row in rows] == ["List<String> <b>x</b>", "next line", "", "<!-- note -->"]
    assert markdown.rows(">" * 5000 + " x", 80) == [">" * 5000 + " x"]


@given(st.text(alphabet="ab *_`[]()<>|#-\n!~1.\t", max_size=80), st.integers(1, 90))
def test_any_text_is_drawn_at_any_width(text: str, columns: int) -> None:
    markdown.rows(text, columns)


def plain(text: str, columns: int) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*m", "", row) for row in markdown.rows(text, columns)]


def test_no_cell_of_a_table_is_cut_and_no_word_in_it_broken() -> None:
    table = "| case | now |\n|---|---:|\n| 两个苹果的价格，应该如此 | 6 |\n| src/shop/cart.py | a fair amount |"
    assert plain(table, 24) == [
        " case                now",
        " -----------------------",
        " 两个苹果的            6",
        " 价格，应该",
        " 如此",
        " src/shop/        a fair",
        " cart.py          amount",
    ]


def test_a_table_that_has_no_room_is_a_list_of_its_cells() -> None:
    table = "| name | what |\n|---|---|\n| a_name_of_many_columns | the first |\n| b | **second** |"
    assert plain(table, 20) == [
        *("name:", "  a_name_of_many_col", "  umns", "what: the first"),
        *("", "name: b", "what: second"),
    ]
    assert plain("| a_long_heading | another_heading |\n|---|---|", 20) == ["a_long_heading", "another_heading"]


def test_an_image_is_its_words_and_its_address_and_an_address_stands_there_once() -> None:
    assert plain("See ![a picture](http://x/y.png) and <http://z>, then more words", 40) == [
        "See a picture (http://x/y.png) and",
        "http://z, then more words",
    ]


def test_the_items_of_a_list_keep_the_numbers_that_were_written() -> None:
    assert plain("2. two\n5. five\n   - inner\n10. ten", 40) == ["  2 two", "  5 five", "     • inner", " 10 ten"]


def test_a_change_in_a_block_of_code_has_its_colours() -> None:
    rows = markdown.rows("```diff\n-old\n+new\n```", 40)
    assert [str(row) for row in rows] == ["  \x1b[31m-old\x1b[0m", "  \x1b[32m+new\x1b[0m"]


@given(st.text(alphabet="ab |中\n-:/", max_size=60), st.integers(4, 60))
def test_a_table_loses_nothing_at_any_width(text: str, columns: int) -> None:
    cells = [cell for line in text.split("\n") for cell in line.split("|")]
    table = "| h | i |\n|---|---|\n" + "\n".join(f"| {cell} | x |" for cell in cells)
    drawn = "".join(plain(table, columns))
    assert [drawn.count(letter) for letter in "ab中"] == [text.count(letter) for letter in "ab中"]


KEY = "sk-which-nobody-else-may-see"


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("before", range(MOST - len(KEY), MOST + 1, 3))
def test_an_endless_line_is_ended_in_no_key(before: int, size: int) -> None:
    withheld.withhold([KEY])
    line = "x" * before + KEY + "y" * MOST
    blocks = parted(*(line[at : at + size] for at in range(0, len(line), size)))
    assert "".join(blocks) == line
    assert not any(KEY[:8] in clean(block) for block in blocks)


@pytest.mark.parametrize("before", range(TAIL - len(KEY), TAIL + 1))
def test_nor_is_a_piece_of_one_seen_while_a_line_grows(before: int) -> None:
    withheld.withhold([KEY])
    blocks = Blocks()
    assert [*blocks.feed(f"{KEY}{'x' * before}")] == []
    assert KEY[-8:] not in blocks.growing
