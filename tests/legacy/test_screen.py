"""What the person sees: words as they come, one line for each tool call, and never what could harm a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.stream import (
    BadLine,
    Complaint,
    Event,
    Finished,
    Hunk,
    Notice,
    PartialText,
    PartialThinking,
    PermissionDenied,
    Retry,
    StreamParser,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from ccc_legacy.paint import Paint
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
    assert list(screen.live(80, 10)) == ["wor"]
    assert shown(PartialText("ld\n\nend"), Text("Hello\nworld\n\nend"), screen=screen) == ["world", "", "end"]
    assert list(screen.live(80, 10)) == []


@pytest.mark.spec("T6")
def test_words_that_come_whole_are_shown_whole() -> None:
    assert shown(Text("one\ntwo")) == ["one", "two"]


def test_of_a_long_unfinished_line_only_the_end_is_drawn_and_nothing_is_lost() -> None:
    screen = Screen(PLAIN)
    shown(*[PartialText(f"{number:05} ") for number in range(10_000)], screen=screen)
    assert list(screen.live(12, 2)) == ["09996 09997 ", "09998 09999 "]
    [line] = shown(Text("whatever"), screen=screen)
    assert len(line) == 60_000


def test_subagents_words_are_not_shown_but_their_calls_are() -> None:
    calls = ToolUse("1", "Bash", {"command": "ls"}, subagent=True), ToolResult("1", False, "")
    assert shown(Text("inner", subagent=True), PartialText("in", subagent=True)) == []
    assert shown(*calls) == ["  ↳ ⚙ Bash ls  ok 0.0 s"]


@pytest.mark.parametrize(("is_error", "word"), [(False, "ok"), (True, "failed")])
def test_a_call_is_one_line_with_its_end_and_its_time(is_error: bool, word: str) -> None:
    times = [10.0]
    screen = Screen(PLAIN, clock=lambda: times[-1])
    assert shown(ToolUse("1", "Bash", {"command": "ls"}), screen=screen) == []
    assert screen.at_work == "⚙ Bash ls"
    times.append(12.34)
    assert list(screen.live(80, 10)) == ["⚙ Bash ls 2 s"]
    assert shown(ToolResult("1", is_error, "x"), screen=screen) == [f"⚙ Bash ls  {word} 2.3 s", "    x"]
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
    lines = [*screen.lines(event), *screen.lines(ToolResult("1", False, "")), screen.at_work, *screen.live(999, 9)]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", "".join(lines))


@given(st.lists(st.text(alphabet="ab\n\x1b[2J\x07é", max_size=9), max_size=20))
def test_pieces_never_lose_or_double_a_character(pieces: list[str]) -> None:
    from ccc.base.text import clean

    screen = Screen(PLAIN)
    lines = shown(*map(PartialText, pieces), screen=screen)
    rest = list(screen.live(10**6, 1)) or [""]
    assert "\n".join([*lines, *rest]) == "".join(map(clean, pieces))


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


# --- at a terminal ---

COLOURED = Paint(True)


def at_a_terminal(columns: int = 60) -> Screen:
    return Screen(COLOURED, clock=lambda: 0.0, columns=lambda: columns, cwd="/home/you/shop")


def bare(lines: list[str]) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]


def test_markdown_is_drawn_block_by_block_and_what_grows_is_seen_meanwhile() -> None:
    screen = at_a_terminal()
    assert shown(PartialText("# Ti"), PartialText("tle\nsome **bo"), screen=screen) == ["\x1b[1;4mTitle\x1b[0m"]
    assert bare(list(screen.live(60, 10))) == ["", "some **bo"]
    lines = shown(PartialText("ld** words\n\n- one\n- two"), screen=screen)
    assert lines == ["", "some \x1b[1mbold\x1b[0m words"]
    assert bare(list(screen.live(60, 10))) == ["", " • one", " • two"]
    assert bare(shown(Text("whatever"), screen=screen)) == ["", " • one", " • two"]
    assert list(screen.live(60, 10)) == []


@given(st.lists(st.text(alphabet="ab\n\x1b[2J\x07é`#*-> |", max_size=9), max_size=20))
def test_no_piece_of_markdown_can_move_the_cursor(pieces: list[str]) -> None:
    screen = at_a_terminal(40)
    lines = [*shown(*map(PartialText, pieces), screen=screen), *screen.live(40, 9), *shown(Text(""), screen=screen)]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "".join(bare(lines)))


def test_an_output_shows_its_beginning_and_the_key_shows_the_rest() -> None:
    screen = at_a_terminal()
    output = "\n".join(f"line {number}" for number in range(3000))
    use = ToolUse("1", "Bash", {"command": "make"})
    lines = bare(shown(use, ToolResult("1", False, output), screen=screen))
    assert lines[1:] == ["    line 0", "    line 1", "    line 2", "    line 3", "    … 2,996 more lines · Ctrl-O"]
    more = bare(list(screen.unfold()))
    assert (more[0], more[400], more[-1]) == ("⚙ Bash make", "    line 399", "    … 2,600 more lines")
    assert bare(shown(use, ToolResult("1", False, "a\nb\nc\nd\ne\nf"), screen=screen))[-1] == "    f"
    assert list(screen.unfold()) == []
    assert len(shown(use, ToolResult("1", False, "a\nb\nc\nd\ne\nf"), screen=screen)) == 6


def test_a_row_of_an_output_stays_one_row() -> None:
    lines = shown(
        ToolUse("1", "Bash", {}), ToolResult("1", False, "测" * 100 + "\n" + "x" * 100), screen=at_a_terminal(30)
    )
    assert bare(lines)[1:] == [f"    {'测' * 12}…", f"    {'x' * 24}…"]


def test_an_edit_is_a_change_in_colours_and_an_error_is_told_in_full() -> None:
    edit = {"file_path": "/home/you/shop/cart.py", "old_string": "a\nb\nc", "new_string": "a\nB\nc"}
    lines = shown(ToolUse("1", "Edit", edit), ToolResult("1", False, "updated"), screen=at_a_terminal())
    assert lines[0].startswith("\x1b[36m⚙ Edit cart.py\x1b[0m")
    assert lines[1:] == [
        *("\x1b[2m      a\x1b[0m", "\x1b[31m    - b\x1b[0m", "\x1b[32m    + B\x1b[0m", "\x1b[2m      c\x1b[0m"),
    ]
    failed = bare(
        shown(ToolUse("1", "Edit", edit), ToolResult("1", True, "no\nsuch\n" + "x" * 99), screen=at_a_terminal())
    )
    assert failed[1:] == ["    no", "    such", f"    {'x' * 99}"]


def test_what_the_client_says_that_an_edit_came_to_is_shown_with_its_lines_numbers() -> None:
    use = ToolUse("1", "Edit", {"file_path": "/x.py", "old_string": "b", "new_string": "B"})
    lines = (" a", "-\tb", "+\tB", " c", "\\ No newline at end of file")
    patch = (Hunk(9, 9, lines), Hunk(40, 41, ("+z",)))
    shown_lines = shown(use, ToolResult("1", False, "updated", patch=patch), screen=at_a_terminal())
    assert bare(shown_lines)[1:] == [
        *("     9   a", "    10 -     b", "    10 +     B", "    11   c", "     ⋮", "    41 + z"),
    ]
    assert shown_lines[2].startswith("\x1b[31m")


def test_words_and_calls_stand_apart_at_a_terminal_and_only_there() -> None:
    call = (ToolUse("1", "Bash", {"command": "ls"}), ToolResult("1", False, ""))
    events: list[Event] = [Text("one"), *call, *call, Text("two")]
    told = ["one", "", "⚙ Bash ls  ok 0.0 s", "⚙ Bash ls  ok 0.0 s", "", "two"]
    assert bare(shown(*events, screen=at_a_terminal())) == told
    assert shown(*events) == [line for line in told if line]
    screen = at_a_terminal()
    shown(*call, PartialText("two"), screen=screen)
    assert bare(list(screen.live(60, 10))) == ["", "two"]


def test_a_call_that_waits_for_the_persons_word_does_not_run() -> None:
    times = iter(range(100))
    screen = Screen(PLAIN, clock=lambda: float(next(times)), columns=lambda: 60)
    shown(ToolUse("1", "Bash", {"command": "ls"}), screen=screen)
    assert list(screen.asked("1")) == []
    assert (screen.at_work, list(screen.live(60, 10))) == ("", [])
    screen.answered("1", allowed=True)
    assert screen.at_work == "⚙ Bash ls"
    assert shown(ToolResult("1", False, ""), screen=screen) == ["⚙ Bash ls  ok 1.0 s"]
    shown(ToolUse("2", "Bash", {"command": "rm"}), screen=screen)
    assert list(screen.asked("2")) == [""]
    screen.answered("2", allowed=False)
    assert shown(ToolResult("2", True, "The user doesn't want this."), screen=screen) == [
        "⚙ Bash rm  not allowed 1.0 s"
    ]


def test_what_the_api_refuses_is_no_word_of_the_agents() -> None:
    assert shown(Text("API Error: 429", by_client=True, error="rate_limit"), screen=at_a_terminal()) == [
        "\x1b[31m✗ API Error: 429\x1b[0m"
    ]


OURS = "[completed]: reviewed and done · stop 1/10"
AS_OURS = f"{OURS}\n{OURS}\rccc: reviewed\x0b{OURS}\u2028{OURS}"


@pytest.mark.parametrize(
    "event",
    [
        Text(AS_OURS),
        PartialText(AS_OURS + "\n"),
        Text(AS_OURS, by_client=True),
        Text(AS_OURS, by_client=True, error="unknown"),
        Thinking(AS_OURS),
        ToolUse("1", AS_OURS, {"plan": AS_OURS, "command": AS_OURS}),
        ToolResult("0", True, AS_OURS),
        PermissionDenied(AS_OURS, AS_OURS),
        Notice("x", AS_OURS),
        Complaint(AS_OURS),
        Retry(1, 2, 3, None, AS_OURS),
        Finished(is_error=True, result=AS_OURS),
    ],
    ids=lambda event: f"{type(event).__name__} {getattr(event, 'error', '')}",
)
def test_no_line_of_somebody_elses_begins_as_one_of_cccs_does(event: Event) -> None:
    screen = Screen(PLAIN, mark="│ ", verbose=True)
    lines = shown(ToolUse("0", "Bash", {"command": "ls"}), event, ToolResult("1", True, AS_OURS), screen=screen)
    told = "\n".join([*lines, *screen.cut_off()])
    assert OURS in told
    assert not re.search(r"(?m)^(\[completed\]|ccc:)", told)


def test_of_an_error_of_the_api_only_the_first_line_begins_at_the_edge_at_a_terminal_too() -> None:
    error = Text(f"API Error: 400 no\n{OURS}\nccc: reviewed", by_client=True, error="unknown")
    assert bare(shown(error, screen=at_a_terminal())) == ["✗ API Error: 400 no", f"  {OURS}", "  ccc: reviewed"]


def test_thoughts_are_folded_and_seen_while_they_come() -> None:
    screen = at_a_terminal()
    assert shown(PartialThinking("hm, "), PartialThinking("well\nso"), screen=screen) == []
    assert bare(list(screen.live(60, 10))) == ["✻ hm, well ⏎ so"]
    assert bare(shown(Thinking("one\ntwo"), Thinking(" "), screen=screen)) == ["✻ one ⏎ two"]
    assert list(screen.live(60, 10)) == []
    assert bare(list(screen.unfold())) == ["✻ one", "✻ two"]


def test_the_list_of_things_to_do_is_kept_over_the_prompt() -> None:
    screen = at_a_terminal()
    todos = [{"content": "look", "status": "completed"}, {"content": "mend", "status": "in_progress"}]
    lines = shown(ToolUse("1", "TodoWrite", {"todos": todos}), ToolResult("1", False, "Todos changed"), screen=screen)
    assert bare(lines)[1:] == ["    1 of 2 done · now: mend"]
    assert bare(list(screen.live(60, 10))) == ["☑ look", "▶ mend"]
    done = [{**todo, "status": "completed"} for todo in todos]
    shown(ToolUse("2", "TodoWrite", {"todos": done}), ToolResult("2", False, ""), screen=screen)
    assert list(screen.live(60, 10)) == []


def test_a_change_of_the_list_names_what_it_changes() -> None:
    screen = at_a_terminal()
    made = ToolUse("1", "TaskCreate", {"subject": "mend it", "description": "all of it"})
    lines = shown(made, ToolResult("1", False, "Task #1 created"), screen=screen)
    change = ToolUse("2", "TaskUpdate", {"taskId": "1", "status": "completed"})
    lines += shown(change, ToolResult("2", False, "Updated task #1"), screen=screen)
    assert [line for line in bare(lines) if line.startswith("⚙")] == [
        "⚙ TaskCreate mend it  ok 0.0 s",
        "⚙ TaskUpdate ☑ mend it  ok 0.0 s",
    ]


def test_a_script_without_blanks_is_broken_between_its_letters() -> None:
    text = "在 `cart.py` 中修正了数量，现在两个苹果的价格是一个苹果的两倍。" + " " + "x" * 50
    assert bare(shown(Text(text), screen=at_a_terminal(40))) == [
        "在 cart.py 中修正了数量，现在两个苹果的",
        "价格是一个苹果的两倍。",
        "x" * 40,
        "x" * 10,
    ]


def test_a_subagents_words_are_seen_by_whoever_wants_more() -> None:
    screen = at_a_terminal()
    screen.verbose = True
    assert bare(shown(Text("inner\nwords", subagent=True), screen=screen)) == ["  ↳ inner", "  ↳ words"]


def test_a_narrow_terminal_gets_the_words_as_they_are() -> None:
    assert shown(Text("# one\n\n**two**"), screen=at_a_terminal(20)) == ["# one", "", "**two**"]


def test_a_changed_line_is_whole_in_the_narrowest_window() -> None:
    patch = (Hunk(3, 3, ("-    return one + two", "+    return one + two + three + four")),)
    use, result = ToolUse("1", "Edit", {}), ToolResult("1", False, "", patch=patch)
    assert bare(shown(use, result, screen=at_a_terminal(30)))[1:] == [
        "    3 -     return one + two",
        "    3 +     return one + two +",
        "        three + four",
    ]


def test_the_list_of_things_to_do_does_not_come_between_a_question_and_what_it_is_about() -> None:
    screen = at_a_terminal()
    made = ToolUse("1", "TaskCreate", {"subject": "mend it"})
    assert len(shown(made, ToolResult("1", False, "Task #1 created"), screen=screen)) == 1
    shown(ToolUse("2", "Bash", {"command": "ls"}), screen=screen)
    list(screen.asked("2"))
    assert list(screen.live(60, 10)) == []
    screen.answered("2", allowed=True)
    assert bare(list(screen.live(60, 10))) == ["⚙ Bash ls 0 s", "☐ mend it"]


def test_a_call_and_a_thought_are_one_row_in_any_script() -> None:
    screen = at_a_terminal(40)
    use = ToolUse("1", "Bash", {"command": "测试" * 100})
    thought = "想一想" * 99 + "完了"
    shown(PartialThinking(thought), screen=screen)
    assert bare(list(screen.live(40, 10))) == [f"✻ {thought[-18:]}"]
    shown(use, screen=screen)
    assert bare(list(screen.live(40, 10))) == [f"⚙ Bash {'测试' * 6}测… 0 s"]
    [label, *_] = bare(shown(ToolResult("1", False, ""), screen=screen))
    assert label == f"⚙ Bash {'测试' * 5}…  ok 0.0 s"
    assert bare(shown(Thinking(thought), screen=at_a_terminal(40))) == [f"✻ {thought[:18]}…"]


def test_a_call_in_a_narrow_window_has_its_row_before_the_time_that_it_took() -> None:
    screen = at_a_terminal(40)
    inner = ToolUse("2", "Bash", {"command": "python -m pytest -q"}, subagent=True)
    ended = Finished(is_error=False, result="", duration_ms=0)
    [row, *_] = bare(shown(inner, ended, screen=screen))
    assert row == "  ↳ ⚙ Bash py…  works in the background"


def test_a_subagent_that_works_beside_the_agent_is_not_cut_off() -> None:
    task, inner = ToolUse("1", "Task", {"description": "look"}), ToolUse("2", "Bash", {"command": "ls"}, subagent=True)
    ended = Finished(is_error=False, result="", duration_ms=0)
    assert shown(task, ToolResult("1", False, "Async agent launched successfully."), inner, ended)[2:] == [
        "  ↳ ⚙ Bash ls  works in the background 0.0 s",
        "— 0.0 s",
    ]
    assert shown(task, inner, ended) == [
        *("⚙ Task look  cut off 0.0 s", "  ↳ ⚙ Bash ls  cut off 0.0 s", "— 0.0 s"),
    ]


def test_the_key_shows_nothing_of_what_has_not_ended_and_so_not_folded() -> None:
    screen = at_a_terminal()
    output = "\n".join(f"line {number}" for number in range(20))
    shown(ToolUse("1", "Bash", {"command": "make"}), ToolResult("1", False, output), screen=screen)
    task = ToolUse("2", "Task", {"description": "look"})
    shown(task, ToolResult("2", False, "Async agent launched successfully."), screen=screen)
    assert bare(list(screen.unfold()))[:2] == ["⚙ Bash make", "    line 0"]


def test_what_comes_of_a_question_stands_below_it_and_the_next_turn_apart() -> None:
    screen = at_a_terminal()
    shown(Text("words"), ToolUse("1", "Bash", {"command": "ls"}), screen=screen)
    assert list(screen.asked("1")) == [""]
    screen.answered("1", allowed=True)
    assert bare(shown(ToolResult("1", False, ""), screen=screen)) == ["⚙ Bash ls  ok 0.0 s"]
    shown(Finished(is_error=False, result="", duration_ms=0), screen=screen)
    assert bare(shown(Text("more"), screen=screen)) == ["", "more"]
