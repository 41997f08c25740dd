"""Whoever reads Chinese meets no English sentence, and whoever reads English no Chinese one."""

from __future__ import annotations

import re

import pytest

from tests.commands.test_mistakes import paths
from tests.sessions import Sessions
from tests.typed import Typed
from tests.world import World

CJK = re.compile("[\u3000-\u9fff]")
# Three English words in a row make a sentence; a command, a path or a variable does not.
ENGLISH = re.compile(r"(?<![\w./-])(?!ccc )[A-Za-z]?[a-z]+(?: [a-z]{2,}){2,}(?![\w/-])")
COMMANDS = re.compile(r"`[^`]*`|(?:ccc|rm|pip|python|type|eval|export|chmod)\b[^，。；）\n]*|\"[^\"\n]*\"|\[[^\]\n]*\]")


def english(text: str) -> list[str]:
    return ENGLISH.findall(COMMANDS.sub("", text))


@pytest.mark.parametrize("path", paths(), ids=" ".join)
def test_help_is_in_one_language(typed: Typed, path: tuple[str, ...]) -> None:
    chinese = typed(*path, "--help", CCC_LANG="zh").out
    assert CJK.search(chinese)
    assert english(chinese) == []
    assert not CJK.search(typed(*path, "--help", CCC_LANG="en").out)


@pytest.mark.parametrize(
    "words",
    [
        ["off"],
        ["on"],
        ["providers"],
        ["validate", "login"],
        ["hooks", "status"],
        ["hooks", "remove"],
        ["checks", "list"],
        ["checks", "run"],
        ["doctor", "--no-self-test"],
        ["status"],
        ["logs"],
        ["evidence", "--transcript", "transcript.jsonl"],
        ["clean"],
        ["allow"],
        ["uninstall"],
        ["init"],
        ["stauts"],
        ["status", "--nope"],
        ["report", "nosuch"],
    ],
    ids=" ".join,
)
def test_what_a_command_says_is_in_one_language(world: World, typed: Typed, words: list[str]) -> None:
    world.write_config({"broken": {"env": {"ANTHROPIC_AUTH_TOKEN": "${NO}"}}, "login": {}}, current_provider="login")
    Sessions(world.state).allow("one", project=str(world.project), mode="hooks", provider="login")
    (world.project / "transcript.jsonl").write_text(
        '{"type":"user","message":{"role":"user","content":"你好"},"uuid":"u","sessionId":"s","timestamp":"2026-01-01T00:00:00Z"}\n'
    )
    run = typed(*words, CCC_LANG="zh")
    told = (run.out + run.err).replace("look at it", "")  # what the sample reviewer said is data
    assert CJK.search(told), told
    assert english(told) == [], told
    (world.project / "transcript.jsonl").write_text(
        '{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","sessionId":"s","timestamp":"2026-01-01T00:00:00Z"}\n'
    )
    run = typed(*words, CCC_LANG="en")
    assert not CJK.search(run.out + run.err)
