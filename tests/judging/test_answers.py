"""Answers as reviewers write them, with the outcome that a reader would give them: how often the grammar errs.

In `tests/data/answers` each line is one answer: @ stands for the permission, ⏎ for a line break, ⇥ for a tab. The
tables of words are mended by `done`, `not-done`, those that are `more`, and by now those that were once held out. The
`blind` ones, and later the `unseen` ones, were written before the rules were read: they are only measured, and what
they miss stays missed. The `fresh` ones were written when the tables had been mended for their kinds (a fault that is
still there, what nobody can confirm, what a run ended in, a plan alone, one more pass; the expected output, the last
line of a tool) and are only measured, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ccc.claude.stream import Finished
from ccc.judging.verdict import MARKER, marker_verdict, verdict_of

ANSWERS = Path(__file__).parents[1] / "data" / "answers"
PARTS = ("", "-held-out", "-more", "-blind", "-unseen", "-fresh")
OBJECT = '{"allow_stop": true, "feedback": ""}'


def answers(name: str) -> list[str]:
    lines = (ANSWERS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.replace("⏎", "\n").replace("⇥", "\t") for line in lines]


def stops(answer: str) -> set[bool]:
    """What the two forms of permission make of it."""
    spoken = marker_verdict(answer.replace("@", MARKER))
    written = verdict_of(Finished(result=answer.replace("@", OBJECT)))
    assert written is not None
    return {spoken.allow_stop, written.allow_stop}


def share(name: str, outcome: bool) -> float:
    """How many of them, in a hundred, end in another way than they should."""
    all_ = answers(name)
    return 100 * sum(stops(answer) != {outcome} for answer in all_) / len(all_)


def test_there_are_hundreds_of_answers_and_none_of_them_twice() -> None:
    for kind in ("done", "not-done"):
        both = [one for part in PARTS for one in answers(f"{kind}{part}")]
        assert len(set(both)) == len(both) >= 900
        assert all(answer.count("@") == 1 for answer in both)


@pytest.mark.spec("T10", "T11", "H6")
@pytest.mark.parametrize("name", ["not-done", "not-done-held-out", "not-done-more"])
def test_work_that_is_not_done_hardly_ever_ends_as_done(name: str) -> None:
    assert share(name, False) <= 2


@pytest.mark.spec("T10", "H6")
@pytest.mark.parametrize("name", ["done", "done-held-out", "done-more"])
def test_work_that_is_done_is_seldom_sent_on(name: str) -> None:
    assert share(name, True) <= 5


@pytest.mark.spec("T10", "T11", "H6")
def test_answers_that_no_table_was_mended_by_are_read_nearly_as_well() -> None:
    assert share("not-done-blind", False) <= 5
    assert share("done-blind", True) <= 10
    assert share("not-done-unseen", False) <= 7
    assert share("done-unseen", True) <= 5
    assert share("not-done-fresh", False) <= 5
    assert share("done-fresh", True) <= 7
