from __future__ import annotations

import pytest

from ccc.commands.route import Route, route
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


def test_claude_is_not_asked_when_the_answer_is_known() -> None:
    def nobody() -> set[str]:
        raise AssertionError("asked")

    assert route(["glm", "mcp"], PROVIDERS, nobody).provider == "glm"
