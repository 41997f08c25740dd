"""Permissions: the person sees all of it, a yes is a plain yes, a no is a no, and anything else is asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base.text import spelled_out, wrapped
from ccc.claude.stream import ControlRequest
from ccc_legacy.permissions import REFUSAL, UNSHOWABLE, Allow, Deny, Permissions, chosen
from ccc_legacy.sheet import described
from ccc_legacy.terminal import Size


class Somebody:
    """Answers with these lines, and keeps what was on the screen."""

    def __init__(self, *answers: str, rows: int = 50, columns: int = 1000) -> None:
        self.answers = list(answers)
        self.size = (rows, columns)
        self.shown: list[str] = []
        self.asked: list[str] = []

    async def show(self, lines: Sequence[str]) -> None:
        self.shown += lines

    async def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)

    def room(self) -> Size:
        return self.size


def request(tool: str = "Bash", description: str = "", **given: object) -> ControlRequest:
    return ControlRequest("r1", "can_use_tool", tool, given or {"command": "rm x"}, description)


def decided(wanted: ControlRequest, *answers: str, permissions: Permissions | None = None) -> Allow | Deny:
    return asyncio.run((permissions or Permissions()).decide(wanted, Somebody(*answers)))


@pytest.mark.parametrize("said", ["y", "Y", "yes", " yes ", "是", "好", "a", "always", "总是"])
def test_a_yes_allows_what_was_asked_and_nothing_else(said: str) -> None:
    assert decided(request(command="rm x"), said) == Allow({"command": "rm x"})


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("n", ""),
        ("", ""),
        ("no", ""),
        ("不", ""),
        ("n use git rm", "use git rm"),
        ("No, use git rm", "use git rm"),
        ("  ", ""),
    ],
)
def test_a_no_or_nothing_is_a_no_and_words_behind_it_are_advice(said: str, advice: str) -> None:
    expected = f"{REFUSAL} The user says: {advice}" if advice else REFUSAL
    assert decided(request(), said) == Deny(expected)


@pytest.mark.parametrize(
    "said",
    [
        *["yes but only the first", "always run the tests", "y go", "Yes, but…"],
        *["/help", "/status", "/nonsense", "ok", "use git rm", "yesterday's file, please", "m", "all", "ye", "nope"],
    ],
)
def test_what_is_neither_a_plain_yes_nor_a_no_is_asked_again(said: str) -> None:
    person = Somebody(said, "n use mv")
    answer = asyncio.run(Permissions().decide(request(), person))
    assert answer == Deny(f"{REFUSAL} The user says: use mv")
    assert len(person.asked) == 2


def test_always_holds_for_this_very_thing() -> None:
    permissions = Permissions()
    assert decided(request(command="make test"), "a", permissions=permissions) == Allow({"command": "make test"})
    again = request(command="make test", description="another reason")
    assert decided(again, permissions=permissions) == Allow(again.input)
    assert decided(request(command="make test; rm -rf /"), "n", permissions=permissions) == Deny(REFUSAL)
    assert decided(request("Write", command="make test"), "n", permissions=permissions) == Deny(REFUSAL)


def test_always_for_a_file_holds_for_other_changes_of_that_file() -> None:
    permissions = Permissions()
    decided(request("Edit", file_path="/a", old_string="1"), "a", permissions=permissions)
    other = {"file_path": "/a", "old_string": "2"}
    assert decided(request("Edit", **other), permissions=permissions) == Allow(other)
    assert decided(request("Edit", file_path="/ab"), "n", permissions=permissions) == Deny(REFUSAL)


def test_two_long_commands_that_begin_alike_are_two_things() -> None:
    permissions = Permissions()
    decided(request(command="echo " + "x" * 500), "a", permissions=permissions)
    assert decided(request(command="echo " + "x" * 500 + "; rm -rf /"), "n", permissions=permissions) == Deny(REFUSAL)


def test_for_a_tool_without_such_a_thing_always_means_the_same_input() -> None:
    permissions = Permissions()
    decided(request("mcp__bank__pay", amount=1), "a", permissions=permissions)
    assert decided(request("mcp__bank__pay", amount=1), permissions=permissions) == Allow({"amount": 1})
    assert decided(request("mcp__bank__pay", amount=1000), "n", permissions=permissions) == Deny(REFUSAL)


ANOTHER = (
    ("Bash", {"command": "make test"}, {"command": "make test", "dangerouslyDisableSandbox": True}),
    ("Bash", {"command": "make test"}, {"command": "make test", "run_in_background": True}),
    ("Bash", {"command": "make test", "x": 1}, {"command": "make test", "x": True}),
    ("Edit", {"file_path": "/a", "old_string": "1"}, {"file_path": "/a", "old_string": "1", "path": "/b"}),
    ("Edit", {"path": "/a", "old_string": "1"}, {"path": "/a", "old_string": "2"}),
    ("mcp__files__edit", {"command": "create", "path": "a"}, {"command": "create", "path": "/home/me/.bashrc"}),
    ("mcp__docker__exec", {"command": "python", "args": ["-V"]}, {"command": "python", "args": ["-c", "evil"]}),
    ("mcp__http__send", {"url": "https://a.example", "method": "GET"}, {"url": "https://a.example", "method": "PUT"}),
    ("bash", {"command": "ls", "description": "a"}, {"command": "ls", "description": "b"}),
)


@pytest.mark.parametrize(("tool", "shown", "other"), ANOTHER)
def test_always_is_never_about_more_than_was_shown(
    tool: str, shown: dict[str, object], other: dict[str, object]
) -> None:
    permissions = Permissions()
    ask = [ControlRequest("r1", "can_use_tool", tool, given, "") for given in (shown, other)]
    assert decided(ask[0], "a", permissions=permissions) == Allow(shown)
    assert decided(ask[0], permissions=permissions) == Allow(shown)
    assert decided(ask[1], "n", permissions=permissions) == Deny(REFUSAL)


def test_the_person_sees_the_whole_command() -> None:
    person = Somebody("n")
    command = "echo " + "x" * 300 + "\nrm -rf /"
    asyncio.run(Permissions().decide(request(command=command, description="say x"), person))
    assert person.shown[0] == "? Bash: say x"
    assert "rm -rf /" in person.shown[-1]
    assert "x" * 300 in "".join(person.shown)


LONG = "\n".join(f"line {number}" for number in range(30))


def test_what_is_longer_than_the_screen_is_shown_in_pieces_before_a_yes_counts() -> None:
    person = Somebody("m", "m", "y", rows=20, columns=80)
    assert asyncio.run(Permissions().decide(request(command=LONG), person)) == Allow({"command": LONG})
    assert [question.partition("? ")[2] for question in person.asked] == [
        "19 more lines: [m]ore, all, or [n]o",
        "6 more lines: [m]ore, all, or [n]o",
        "[y]es [n]o [a]lways (every Bash with this command, until ccc ends), or no + advice",
    ]
    assert person.shown[2:] == [f"    │ line {number}" for number in range(30)]


@pytest.mark.parametrize("early", ["y", "yes", "a", "always", "是", "ok"])
def test_a_yes_before_everything_was_shown_allows_nothing(early: str) -> None:
    person = Somebody(early, early, "n", rows=20)
    assert asyncio.run(Permissions().decide(request(command=LONG), person)) == Deny(REFUSAL)
    assert person.asked[1].startswith("There is more to see" if early != "ok" else "Neither a yes nor a no")
    assert "line 29" not in "".join(person.shown)


def test_all_of_it_can_be_had_at_once() -> None:
    person = Somebody("all", "y", rows=10)
    given = {"file_path": "/a", "content": LONG * 100}
    assert asyncio.run(Permissions().decide(request("Write", **given), person)) == Allow(given)
    assert len(person.shown) == 3 + LONG.count("\n") * 100 + 1


def test_a_long_line_is_wrapped_and_never_cut() -> None:
    person = Somebody("all", "n", columns=40)
    asyncio.run(Permissions().decide(request(command="echo " + "x" * 10_000 + "; rm -rf /"), person))
    name, first, *rest = person.shown[1:]
    assert name == "    command:"
    assert first.startswith("    │ echo x")
    assert all(row.startswith("    ┆ ") and len(row) <= 40 for row in rest)
    assert "".join(row[6:] for row in (first, *rest)) == "echo " + "x" * 10_000 + "; rm -rf /"


@pytest.mark.parametrize(
    ("command", "rows"),
    [
        ("rm -rf /\rls -la   ", ["    command: rm -rf /\\rls -la   "]),
        ("rm -rf /\x1b[2K\x1b[1Gls", ["    command: rm -rf /\\x1b[2K\\x1b[1Gls"]),
        ("ls # \u202e/ fr- mr", ["    command: ls # \\u202e/ fr- mr"]),
        ("ls\u2028rm", ["    command: ls\\u2028rm"]),
        ("l\u200bs\u00a0x\u00ad\ufe0f\U000e0041", ["    command: l\\u200bs\\xa0x\\xad\\ufe0f\\U000e0041"]),
        ("ls\n        \n\nrm -rf /", ["    command:", "    │ ls", "    │         ", "    │ ", "    │ rm -rf /"]),
        ("ls\r\nrm", ["    command:", "    │ ls\\r", "    │ rm"]),
        ("a\tb", ["    command: a   b"]),
        ("ls\n    timeout: 5", ["    command:", "    │ ls", "    │     timeout: 5"]),
        ("echo 你好 é", ["    command: echo 你好 é"]),
        ("\udc80\ud800", ["    command: \\x80\\ud800"]),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_spelled_out(command: str, rows: list[str]) -> None:
    person = Somebody("n")
    asyncio.run(Permissions().decide(request(command=command), person))
    assert person.shown[1:] == rows


@given(st.text(), st.integers(1, 120))
def test_every_row_fits_is_seen_and_nothing_is_lost(text: str, columns: int) -> None:
    rows = list(described(request("Write", content=text), columns))
    assert all(row.isprintable() for row in rows)
    assert all(len(row) <= max(columns, 20) for row in rows)
    flat = "".join(row.lstrip()[2:] if row.lstrip()[:1] in ("│", "┆") else row for row in rows[1:])
    assert "".join(map(spelled_out, text.split("\n"))) in flat


@given(st.text(), st.integers(2, 50))
def test_wrapping_only_breaks(text: str, columns: int) -> None:
    rows = wrapped(text, columns)
    assert "".join(rows) == text
    assert all(len(row) <= columns for row in rows)


@pytest.mark.parametrize(
    ("tool", "given_input", "means"),
    [
        ("Bash", {"command": "ls", "timeout": 5}, "every Bash with this command, until ccc ends"),
        ("Bash", {"command": "ls", "x": 5}, "every Bash with this command, all else as shown, until ccc ends"),
        ("Edit", {"file_path": "/a", "old_string": "1"}, "every Edit of this file, until ccc ends"),
        ("mcp__x__y", {"command": "ls"}, "every mcp__x__y with exactly this input, until ccc ends"),
        ("WebFetch", {"url": "https://a.example"}, "every WebFetch of this address, until ccc ends"),
        ("mcp__bank__pay", {"amount": 1}, "every mcp__bank__pay with exactly this input, until ccc ends"),
    ],
)
def test_always_says_what_it_allows(tool: str, given_input: dict[str, object], means: str) -> None:
    person = Somebody("n")
    asyncio.run(Permissions().decide(request(tool, **given_input), person))
    assert f"[a]lways ({means})" in person.asked[0]


def test_a_description_that_is_part_of_the_input_is_shown_with_it() -> None:
    person = Somebody("n")
    wanted = ControlRequest("r1", "can_use_tool", "mcp__shop__sell", {"description": "everything"}, "a small thing")
    asyncio.run(Permissions().decide(wanted, person))
    assert person.shown == ["? mcp__shop__sell: a small thing", "    description: everything"]


def test_what_is_nested_too_deeply_to_be_shown_is_not_allowed() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    answer = asyncio.run(Permissions().decide(request("mcp__x__y", deep=deep), Somebody()))
    assert answer == Deny(UNSHOWABLE)


@pytest.mark.parametrize(
    "given_input",
    [{"command": "a\x1b[2Jb\x07"}, {"k\x1b[2J": 1}, {"list": ["\x1b]0;t\x07"]}, {"n": None, "f": 1.5}],
)
def test_no_question_can_move_the_cursor(given_input: Mapping[str, object]) -> None:
    person = Somebody("n")
    asyncio.run(Permissions().decide(request("Ba\x1b[2Jsh", "d\x1b[2J", **given_input), person))
    assert "\x1b" not in "".join(person.shown + person.asked)


# --- the agent's own questions ---

QUESTIONS = {
    "questions": [
        {"question": "Which db?", "options": [{"label": "sqlite", "description": "small"}, {"label": "pg"}]},
        {"question": "Which checks?", "multiSelect": True, "options": [{"label": "unit"}, {"label": "e2e"}]},
    ]
}


def test_an_option_is_shown_whole_and_with_nothing_hidden() -> None:
    label = "x" * 300 + "\r\u202eevil"
    person = Somebody("1", columns=60)
    asked = {"questions": [{"question": "Which?\nReally?", "options": [{"label": label, "description": "y" * 900}]}]}
    asyncio.run(Permissions().decide(request("AskUserQuestion", **asked), person))
    assert person.shown[:2] == ["? Which?", "? Really?"]
    rows = [row.removeprefix("    ┆ ") for row in person.shown[2:]]
    assert "".join(rows) == "    1. " + "x" * 300 + "\\r\\u202eevil — " + "y" * 900


def test_the_agents_questions_are_shown_and_answered() -> None:
    person = Somebody("2", "1, 2")
    answer = asyncio.run(Permissions().decide(request("AskUserQuestion", **QUESTIONS), person))
    assert answer == Allow({**QUESTIONS, "answers": {"Which db?": "pg", "Which checks?": "unit, e2e"}})
    assert person.shown[:3] == ["? Which db?", "    1. sqlite — small", "    2. pg"]


@pytest.mark.parametrize(
    ("said", "answer"),
    [("1", "a"), ("2 1", "b, a"), ("3", "3"), ("0", "0"), ("the first", "the first"), ("", ""), ("1 and 2", "1 and 2")],
)
def test_numbers_stand_for_options_and_words_for_themselves(said: str, answer: str) -> None:
    assert chosen(said, ["a", "b"]) == answer


@pytest.mark.parametrize("questions", [None, "x", [], [1], [{}], [{"question": 5, "options": "x"}]])
def test_odd_questions_get_an_answer_too(questions: object) -> None:
    answer = asyncio.run(Permissions().decide(request("AskUserQuestion", questions=questions), Somebody(*["x"] * 3)))
    assert isinstance(answer, Allow)
