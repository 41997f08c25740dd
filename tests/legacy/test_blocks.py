"""Markdown in pieces: where a block ends, and that none of it is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
