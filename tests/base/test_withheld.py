"""A key that a text repeats goes no further."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import sink, text, withheld

KEY = "sk-which-nobody-else-may-see"


OTHERS = st.text("xyz \n", max_size=60)
CUTS: dict[str, Callable[[str, int], str]] = {
    "one line": text.one_line,
    "capped": text.capped,
    "its head": text.head,
    "its tail": text.tail,
    "a tail of a tail": lambda said, size: text.tail(text.tail(said, size + 5), size),
    "one line of a head": lambda said, size: text.one_line(text.head(said, size + 30), size),
    "what was kept of an output": lambda said, size: text.heard(said.encode()[-size:], size),
    "… and what is shown of that": lambda said, size: text.tail(text.heard(said.encode()[-2 * size :], 2 * size), size),
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
@given(st.lists(OTHERS, min_size=2, max_size=4), st.integers(1, 160))
def test_whatever_cuts_a_text_leaves_no_piece_of_a_key(
    cut: Callable[[str, int], str], others: list[str], size: int
) -> None:
    withheld.withhold([KEY])
    left = text.clean(f"it said: {cut(KEY.join(others), size)}, and no more")
    pieces = {KEY[at : at + withheld.PIECE] for at in range(len(KEY) - withheld.PIECE + 1)}
    assert not [piece for piece in pieces if piece in left]


def test_a_text_that_nothing_has_cut_is_as_it_was() -> None:
    withheld.withhold([KEY])
    for said in (KEY[:12], KEY[-12:], f"{KEY[-9:]} and {KEY[:9]}"):
        assert (
            text.one_line(said) == text.head(said, 40) == text.tail(said, 40) == text.heard(said.encode(), 40) == said
        )


def test_no_way_out_has_a_word_that_is_withheld_and_a_short_one_stays() -> None:
    withheld.withhold([KEY, "password"])
    said = f"no such key: {KEY}, no such password\x1b[m"
    for told in (text.clean(said), text.visible(said), text.one_line(said), text.feedback(said)):
        assert told.startswith("no such key: [key], no such password")
    for data in (sink.lines(said), sink.log_line(said), sink.json_line({"why": [said], KEY: 1})):
        assert KEY.encode() not in data


def test_a_sequence_in_its_middle_does_not_hide_it() -> None:
    withheld.withhold([KEY])
    assert text.clean(f"{KEY[:9]}\x1b[0m\u200b{KEY[9:]}") == "[key]"


def test_a_word_that_json_spells_otherwise_is_found_in_a_line_of_json_too() -> None:
    word = '"password" of a proxy\\'
    withheld.withhold([word])
    for said in (word, json.dumps(word), json.dumps({"why": [f"no such key: {word}"]})):
        for told in (sink.json_text(said), text.clean(said), text.escaped(said)):
            assert "password" not in told
    assert json.loads(text.escaped(json.dumps({"why": word}))) == {"why": "[key]"}
