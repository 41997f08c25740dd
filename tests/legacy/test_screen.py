"""What the person sees: words as they come, one line for each tool call, and never what could harm a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.stream import (
    BadLine,
    Event,
    Finished,
    Notice,
    PartialText,
    PermissionDenied,
    Retry,
    StreamParser,
    Text,
    ToolResult,
    ToolUse,
)
from ccc.record import events
from ccc_legacy.calls import about
from ccc_legacy.paint import Paint
from ccc_legacy.reviewing import review_lines
from ccc_legacy.screen import BAD_LINES_SHOWN, Screen

PLAIN = Paint(False)
HOSTILE = "a\x1b[2J\x1b]52;c;AAAA\x07b\x9b31mc\x00d\u202ee\x7f"
TRACES = sorted((Path(__file__).parents[1] / "data" / "traces").glob("*.jsonl"))


def shown(*events: Event, screen: Screen | None = None) -> list[str]:
    screen = screen or Screen(PLAIN, clock=lambda: 0.0)
    return [line for event in events for line in screen.lines(event)]


@pytest.mark.spec("T6")
def test_words_that_come_in_pieces_are_shown_once_and_line_by_line() -> None:
    screen = Screen(PLAIN)
    assert shown(PartialText("Hel"), PartialText("lo\nwor"), screen=screen) == ["Hello"]
    assert screen.unfinished(400) == "wor"
    assert shown(PartialText("ld\n\nend"), Text("Hello\nworld\n\nend"), screen=screen) == ["world", "", "end"]
    assert screen.unfinished(400) == ""


@pytest.mark.spec("T6")
def test_words_that_come_whole_are_shown_whole() -> None:
    assert shown(Text("one\ntwo")) == ["one", "two"]


def test_of_a_long_unfinished_line_only_the_end_is_drawn_and_nothing_is_lost() -> None:
    screen = Screen(PLAIN)
    shown(*[PartialText(f"{number:05} ") for number in range(10_000)], screen=screen)
    assert screen.unfinished(12) == "09998 09999 "
    [line] = shown(Text("whatever"), screen=screen)
    assert len(line) == 60_000


def test_subagents_words_are_not_shown_but_their_calls_are() -> None:
    calls = ToolUse("1", "Bash", {"command": "ls"}, subagent=True), ToolResult("1", False, "")
    assert shown(Text("inner", subagent=True), PartialText("in", subagent=True)) == []
    assert shown(*calls) == ["  ↳ ⚙ Bash ls  ok 0.0 s"]


@pytest.mark.parametrize(
    ("given_input", "what"),
    [
        ({"command": "make test", "description": "d"}, "make test"),
        ({"file_path": "/a/b.py", "old_string": "x"}, "/a/b.py"),
        ({"pattern": "TODO", "path": ""}, "TODO"),
        ({"url": "https://x.example"}, "https://x.example"),
        ({}, ""),
        ({"command": ["odd"]}, "['odd']"),
        ({"command": "a\nb" + "c" * 200}, "a ⏎ b" + "c" * 94 + "…"),
    ],
)
def test_a_call_is_about_one_thing(given_input: dict[str, object], what: str) -> None:
    assert about(given_input) == what


@pytest.mark.parametrize(("is_error", "word"), [(False, "ok"), (True, "failed")])
def test_a_call_is_one_line_with_its_end_and_its_time(is_error: bool, word: str) -> None:
    times = iter([10.0, 12.34])
    screen = Screen(PLAIN, clock=lambda: next(times))
    assert shown(ToolUse("1", "Bash", {"command": "ls"}), screen=screen) == []
    assert screen.at_work == "⚙ Bash ls"
    assert shown(ToolResult("1", is_error, "x"), screen=screen) == [f"⚙ Bash ls  {word} 2.3 s"]
    assert screen.at_work == ""


def test_calls_that_never_returned_are_shown_as_cut_off() -> None:
    screen = Screen(PLAIN, clock=lambda: 0.0)
    lines = shown(ToolUse("1", "Bash", {"command": "sleep"}), Finished(duration_ms=1200, cost_usd=0.5), screen=screen)
    assert lines == ["⚙ Bash sleep  cut off 0.0 s", "— 1.2 s · $0.5000"]
    assert not screen.running


def test_a_result_of_an_unknown_call_is_no_line() -> None:
    assert shown(ToolResult("never seen", True, "x")) == []


def test_a_plan_is_shown_before_it_is_asked_about() -> None:
    assert shown(ToolUse("1", "ExitPlanMode", {"plan": "1. look\n2. do"})) == ["1. look", "2. do"]


def test_a_failed_turn_says_why_and_says_it_once() -> None:
    failed = Finished(is_error=True, result="API Error: 529 Overloaded")
    assert shown(failed) == ["✗ API Error: 529 Overloaded", "— 0.0 s"]
    assert shown(Text("API Error: 529 Overloaded"), failed) == ["API Error: 529 Overloaded", "— 0.0 s"]
    assert shown(Finished(subtype="error_max_turns", is_error=True))[0] == "✗ error_max_turns"


def test_other_news_is_a_line_each() -> None:
    assert shown(Retry(1, 10, 500, 529, "overloaded")) == ["… the API answered 529; try 1 of 10"]
    assert shown(Retry(2, 10, 500, None, "timeout")) == ["… the API answered timeout; try 2 of 10"]
    assert shown(Retry(4, 3, 90_000, 429, "rate_limit")) == ["… the API answered 429; try 4 in 1 min"]
    assert shown(Retry(1, 3, 500, None, "unknown")) == ["… the connection to the API failed; try 1 of 3"]
    assert shown(PermissionDenied("Bash", "needs approval")) == ["✗ Bash was not permitted: needs approval"]
    assert shown(Notice("notification", "look"), Notice("x", "")) == ["look"]


@pytest.mark.spec("T17")
def test_bad_lines_are_told_without_their_content_and_not_for_ever() -> None:
    lines = shown(*[BadLine("not JSON", 9)] * 100)
    assert lines == ["(a line of the stream could not be read: not JSON)"] * BAD_LINES_SHOWN


@pytest.mark.parametrize(
    "event",
    [
        Text(HOSTILE),
        PartialText(HOSTILE + "\n"),
        ToolUse("1", HOSTILE, {"plan": HOSTILE, "command": HOSTILE}),
        PermissionDenied(HOSTILE, HOSTILE),
        Notice("x", HOSTILE),
        Retry(1, 2, 3, None, HOSTILE),
        Finished(is_error=True, result=HOSTILE),
    ],
)
def test_no_event_can_move_the_cursor(event: Event) -> None:
    screen = Screen(PLAIN)
    lines = [*screen.lines(event), *screen.lines(ToolResult("1", False, "")), screen.at_work, screen.unfinished(999)]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", "".join(lines))


@given(st.lists(st.text(alphabet="ab\n\x1b[2J\x07é", max_size=9), max_size=20))
def test_pieces_never_lose_or_double_a_character(pieces: list[str]) -> None:
    from ccc.base.text import clean

    screen = Screen(PLAIN)
    lines = shown(*map(PartialText, pieces), screen=screen)
    assert "\n".join([*lines, screen.unfinished(10**6)]) == "".join(map(clean, pieces))


@pytest.mark.spec("T6", "T16")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_no_recorded_stream_shows_raw_json(path: Path) -> None:
    parser = StreamParser()
    lines = shown(*parser.feed(path.read_bytes()), *parser.close())
    assert not [line for line in lines if '"type"' in line or '{"' in line]


def test_colours_are_for_terminals() -> None:
    assert PLAIN("good", "x") == "x"
    assert Paint(True)("good", "x") == "\x1b[32mx\x1b[0m"
    assert Paint(True)("good", "") == ""


@pytest.mark.parametrize(
    ("told", "lines"),
    [
        ({"event": "supervisor-hook invoked", "count": 2, "limit": 10}, ["[review 2/10]"]),
        ({"event": "reviewer says", "text": "Fine.\n[TASK_COMPLETED]"}, ["  Fine."]),
        ({"event": "reviewer says", "text": "Ask.\n[NEEDS_HUMAN]"}, ["  Ask."]),
        ({"event": "reviewer says", "text": "Not\n[TASK_COMPLETED]\nyet"}, ["  Not", "  [TASK_COMPLETED]", "  yet"]),
        ({"event": "reviewer says", "text": HOSTILE}, ["  abcde"]),
        ({"event": "reviewer uses", "tool": "Bash", "on": "make\ntest"}, ["  ⚙ Bash make ⏎ test"]),
        ({"event": "reviewer uses", "tool": "Read"}, ["  ⚙ Read "]),
        ({"event": "sent back", "by": "reviewer", "feedback": "go on"}, []),
        ({"event": "sent back", "by": "check", "feedback": "make test\nfails"}, ["  make test", "  fails"]),
        ({"event": "trouble", "why": "disk\nfull"}, ["  disk ⏎ full"]),
        ({"event": "verdict", "feedback": "x"}, []),
        ({"event": "of tomorrow"}, []),
    ],
)
def test_the_story_of_a_review(told: dict[str, object], lines: list[str]) -> None:
    event = events.decoded(told)
    assert event
    assert list(review_lines(event, PLAIN)) == lines
