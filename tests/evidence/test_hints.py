from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base.patterns import Lazy
from ccc.evidence import hints, outcomes

WORDS = ("fail", "0 ", "no ", "ok")
LETTERS = st.characters(max_codepoint=127, include_characters="✓✔✖●\u2139")
LINES = st.lists(st.text(st.sampled_from("failok n0FAİß\r ")), min_size=1, max_size=8)


@given(LINES, st.sets(st.sampled_from(WORDS)))
def test_the_lines_that_hold_a_word_are_found_in_order_and_once(lines: list[str], words: set[str]) -> None:
    expected = [n for n, line in enumerate(lines) if any(word in line.lower() for word in words)]
    assert hints.text(lines).holding(words) == expected


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (outcomes._FAILED, outcomes._FAILURE_WORDS),
        (outcomes._FAILED_WITHIN, outcomes._FAILURE_WORDS_WITHIN),
        (outcomes._PASSED, outcomes._PASS_WORDS),
        (outcomes._PASSED_WITHIN, outcomes._PASS_WORDS_WITHIN),
        (outcomes._NOTHING_RAN, outcomes._NOTHING_WORDS),
        (outcomes._ALL_SKIPPED, outcomes._NOTHING_WORDS),
        (Lazy(*(each.pattern.pattern for each in outcomes._NAMES)), outcomes._NAME_WORDS),
    ],
    ids=["failed", "failed within", "passed", "passed within", "nothing ran", "all skipped", "names"],
)
@given(data=st.data())
def test_whatever_a_table_matches_holds_one_of_the_words_that_are_looked_for_first(
    table: Lazy, words: tuple[str, ...], data: st.DataObject
) -> None:
    # One alternative at a time: of a hundred the generator would try but a few.
    alternative = data.draw(st.sampled_from(table._alternatives))
    line = data.draw(st.from_regex(Lazy(alternative, flags=table._flags).pattern, alphabet=LETTERS))
    assert any(word in line.lower() for word in words), line
