"""The story of a review as a person reads it, and the bar below."""

from __future__ import annotations

import pytest

from ccc.base.messages import said
from ccc.base.text import columns_of
from ccc.model import Bill
from ccc.record import events
from ccc_legacy.bar import Standing, bar
from ccc_legacy.paint import Paint
from ccc_legacy.reviewing import Glance, Story
from ccc_legacy.summary import Summary, line

PLAIN = Paint(False)
HOSTILE = "a\x1b[2J\x1b]52;c;AAAA\x07b\x9b31mc\x00d\u202ee\x7f"
STOPPED = {"event": "supervisor-hook invoked", "count": 2, "limit": 10}
HEADING = "[review 2/10]"


def lines(*told: dict[str, object], lang: str = "en") -> list[str]:
    story = Story(PLAIN, lambda text: said(text, lang), lang)
    found = [events.decoded(one) for one in told]
    return [shown for event in found if event for shown in story.lines(event)]


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ({"event": "review started", "engine": "cli"}, [HEADING]),
        ({"event": "review started", "engine": "cli", "judge": "kimi"}, [HEADING, "  by kimi"]),
        ({"event": "reviewer says", "text": "Fine.\n[TASK_COMPLETED]"}, [HEADING, "  Fine."]),
        ({"event": "reviewer says", "text": "Ask.\n[NEEDS_HUMAN]"}, [HEADING, "  Ask."]),
        (
            {"event": "reviewer says", "text": "Not\n[TASK_COMPLETED]\nyet"},
            [HEADING, "  Not", "  [TASK_COMPLETED]", "  yet"],
        ),
        ({"event": "reviewer says", "text": HOSTILE}, [HEADING, "  abcde"]),
        ({"event": "reviewer uses", "tool": "Bash", "on": "make\ntest"}, [HEADING, "  ⚙ Bash make ⏎ test"]),
        ({"event": "reviewer uses", "tool": "Read"}, [HEADING, "  ⚙ Read"]),
        ({"event": "sent back", "by": "reviewer", "feedback": "go on"}, []),
        (
            {"event": "sent back", "by": "check", "feedback": "make test\nfails"},
            ["[checks 2/10]", "  make test", "  fails"],
        ),
        (
            {"event": "sent back", "by": "gate", "rule": "P4", "feedback": "try it"},
            ["[gate 2/10]", "  the gate: the change was not tried", "  try it"],
        ),
        ({"event": "check", "command": "make", "passed": True, "seconds": 1.5}, ["[checks 2/10]", "  ✓ make  1.5 s"]),
        (
            {"event": "check", "command": "make", "passed": False, "why": "exit code 2"},
            ["[checks 2/10]", "  ✗ make  exit code 2"],
        ),
        ({"event": "trouble", "why": "disk\nfull"}, ["  disk ⏎ full"]),
        ({"event": "verdict", "feedback": "x"}, []),
        ({"event": "of tomorrow"}, []),
    ],
)
def test_the_story_of_a_review(told: dict[str, object], shown: list[str]) -> None:
    assert lines(STOPPED, told) == shown


def test_a_reviewers_words_are_drawn_at_a_terminal_and_not_dimmed() -> None:
    story = Story(Paint(True), columns=lambda: 40)
    found = [
        events.decoded(one) for one in (STOPPED, {"event": "reviewer says", "text": "**Add** one:\n\n- a\n- b\n\n"})
    ]
    shown = [line for event in found if event for line in story.lines(event)]
    assert shown == ["", f"\x1b[1;35m{HEADING}\x1b[0m", "  \x1b[1mAdd\x1b[0m one:", "  ", "   • a", "   • b"]


def test_whoever_speaks_is_named_once_and_in_the_persons_language() -> None:
    check = {"event": "check", "command": "make", "passed": True}
    says = {"event": "reviewer says", "text": "x"}
    assert lines(STOPPED, check, check, says, says) == ["[checks 2/10]", *["  ✓ make"] * 2, HEADING, "  x", "  x"]
    assert lines(STOPPED, says, STOPPED, says) == [HEADING, "  x", HEADING, "  x"]
    assert lines(STOPPED, says, lang="zh")[0] == "[审查 2/10]"


def test_what_the_reviewer_is_looking_at_is_known() -> None:
    story = Story(PLAIN)
    for told, glance in (
        (STOPPED, Glance(2, 10)),
        ({"event": "review started"}, Glance(2, 10, "reads the conversation")),
        ({"event": "reviewer uses", "tool": "Bash", "on": "make"}, Glance(2, 10, "⚙ Bash make")),
        ({"event": "reviewer says", "text": "x"}, Glance(2, 10, "writes its verdict")),
        ({"event": "verdict"}, Glance(2, 10)),
    ):
        event = events.decoded(told)
        assert event
        list(story.lines(event))
        assert story.glance == glance


BUSY = Standing(
    "review", 75.0, "⚙ Bash make", 1, (2, 10), True, Bill(0, 0.5, 1.25), 45_678, "11111111-2222-4333-8444-555555555555"
)


def test_the_bar_tells_whose_turn_it_is_and_what_it_has_cost() -> None:
    told = bar(BUSY, 200, str, "en")
    assert told == (
        "⠴ review 1:15 · ⚙ Bash make · 1 queued · round 2/10 · supervised · agent $1.25, reviews $0.5000 · 45.7k tokens"
        " · 11111111-2222-4333-8444-555555555555 · /help"
    )
    assert bar(Standing("your turn"), 200, str, "en") == "your turn · supervised · no session yet · /help"
    assert bar(Standing("your turn", mode="plans only"), 40, str, "en") == "your turn · plans only · supervised"


@pytest.mark.parametrize("columns", range(12, 200, 9))
def test_the_bar_is_one_row_and_keeps_what_matters_most(columns: int) -> None:
    told = bar(BUSY, columns, str, "en")
    assert told.startswith("⠴ review 1:15")
    assert columns_of(told) <= max(columns, columns_of("⠴ review 1:15"))


def test_a_request_is_summed_up_in_one_line() -> None:
    files = [f"{name}.py" for name in "abcdefg"]
    assert line(Summary(2, 75, 1234, None, files), str, "en") == (
        "— 2 rounds · 1 min · 1,234 tokens · edited: a.py, b.py, c.py, d.py, e.py, +2"
    )
    assert (
        line(Summary(0, 3, 0, Bill(0, 0, 0.25)), str, "en") == "— 3 s · no file was edited · agent $0.2500, reviews $0"
    )
