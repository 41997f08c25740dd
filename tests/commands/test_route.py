from __future__ import annotations

import pytest

from ccc.commands.route import Route, route, split
from ccc.providers.choosing import UnknownProvider

PROVIDERS = {"glm": {}, "kimi": {}}


def claude_commands() -> set[str]:
    return {"mcp", "update", "plugin"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], Route(None, ())),
        (["glm"], Route("glm", ())),
        (["glm", "-p", "x", "--output-format", "json"], Route("glm", ("-p", "x", "--output-format", "json"))),
        (["glm", "--help"], Route("glm", ("--help",))),
        (["glm", "--version"], Route("glm", ("--version",))),
        (["glm", "kimi"], Route("glm", ("kimi",))),
        (["glm", "--", "-x"], Route("glm", ("--", "-x"))),
        (["--", "doctor"], Route(None, ("doctor",))),
        (["--", "--help"], Route(None, ("--help",))),
        (["--continue"], Route(None, ("--continue",))),
        (["-p", "hello"], Route(None, ("-p", "hello"))),
        (["mcp", "list"], Route(None, ("mcp", "list"))),
        (["fix the tests"], Route(None, ("fix the tests",))),
        (["修复 测试"], Route(None, ("修复 测试",))),
        (["/path/to/project"], Route(None, ("/path/to/project",))),
        (["./x"], Route(None, ("./x",))),
        ([""], Route(None, ("",))),
    ],
)
def test_the_first_word_decides(words: list[str], expected: Route) -> None:
    assert route(words, PROVIDERS, claude_commands) == expected


@pytest.mark.parametrize("word", ["gml", "kimmi", "glm-4", "智谱"])
def test_a_word_that_looks_like_a_name_must_be_one(word: str) -> None:
    with pytest.raises(UnknownProvider, match=f"ccc -- {word}"):
        route([word], PROVIDERS, claude_commands)


@pytest.mark.parametrize(
    ("words", "own"),
    [
        (["--supervisor", "glm", "--mode", "x"], 1),
        (["--supervisor", "--mode", "hooks", "glm"], 3),
        (["--mode=hooks", "--supervisor", "--help"], 3),
        (["--supervisor", "--mode"], 2),
        (["--supervised"], 1),
        (["--help"], 0),
        (["glm", "--supervisor"], 0),
        (["--", "--supervisor"], 0),
        (["-p", "--supervisor"], 0),
        ([], 0),
    ],
)
def test_the_options_of_a_start_stand_at_its_beginning(words: list[str], own: int) -> None:
    assert split(words, {"--supervisor": False, "--mode": True}) == (words[:own], words[own:])


def test_words_behind_two_dashes_are_a_message_in_pty_mode() -> None:
    assert route(["--", "update", "it"], PROVIDERS, claude_commands, a_message=True).args == ("--", "update", "it")


@pytest.mark.parametrize(("words", "fine"), [(["--", "--supervisor"], True), (["glm", "--", "--supervisor"], True)])
def test_a_supervisor_behind_two_dashes_is_claudes(words: list[str], fine: bool) -> None:
    assert ("--supervisor" in route(words, PROVIDERS, claude_commands).args) is fine


def test_claude_is_not_asked_when_the_answer_is_known() -> None:
    def nobody() -> set[str]:
        raise AssertionError("asked")

    assert route(["glm", "mcp"], PROVIDERS, nobody).provider == "glm"
