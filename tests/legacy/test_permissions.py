"""Permissions: the person sees all of it, a yes is a plain yes, and everything else is a no."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from ccc.claude.stream import ControlRequest
from ccc_legacy.permissions import REFUSAL, Allow, Deny, Permissions
from ccc_legacy.questions import chosen


class Somebody:
    """Answers with these lines, and keeps what was on the screen."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.shown: list[str] = []
        self.asked: list[str] = []

    async def show(self, lines: Sequence[str]) -> None:
        self.shown += lines

    async def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)


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
        ("use git rm", "use git rm"),
        ("yesterday's file, please", "yesterday's file, please"),
        ("ok", "ok"),
    ],
)
def test_everything_else_is_a_no_with_its_words_as_advice(said: str, advice: str) -> None:
    expected = f"{REFUSAL} The user says: {advice}" if advice else REFUSAL
    assert decided(request(), said) == Deny(expected)


@pytest.mark.parametrize("said", ["yes but only the first", "always run the tests", "y go", "Yes, but…"])
def test_a_yes_with_more_words_is_asked_again(said: str) -> None:
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


def test_the_person_sees_the_whole_command() -> None:
    person = Somebody("n")
    command = "echo " + "x" * 300 + "\nrm -rf /"
    asyncio.run(Permissions().decide(request(command=command, description="say x"), person))
    assert person.shown[0] == "? Bash: say x"
    assert "rm -rf /" in person.shown[-1]
    assert "x" * 300 in "".join(person.shown)


def test_what_is_too_long_to_show_says_how_much_is_missing() -> None:
    person = Somebody("n")
    asyncio.run(Permissions().decide(request(command="x" * 10_000), person))
    assert "characters cut" in person.shown[-1]


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
