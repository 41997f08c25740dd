"""Every key of ccc.json with every kind of JSON, for every command that reads it: one line, and never a surprise."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests import warm
from tests.stops import CLAUDE
from tests.world import CCC, World

VALUES = {
    "null": "null",
    "infinite": "1e400",
    "half a character": r'"\ud83d"',
    "half a character that is a byte": r'"\udc80"',
    "NUL": r'"a\u0000b"',
    "odd host": '"http://a..b:1/"',
    "list of all": r'[null, true, 1.5, 1e400, "\ud83d", {"a": []}, "\u0000"]',
    "object of all": r'{"a": null, "b": 1e400, "\ud83d": "\udc80", "": {"command": 5}}',
    "deep": "[" * 150 + "]" * 150,
}
PATHS = [
    ("settings",),
    ("settings", "env"),
    ("settings", "env", "X"),
    ("settings", "env", "ANTHROPIC_CUSTOM_HEADERS"),
    ("settings", "permissions"),
    ("settings", "permissions", "allow"),
    ("settings", "hooks"),
    ("settings", "hooks", "Stop"),
    ("settings", "apiKeyHelper"),
    ("settings", "model"),
    ("settings", "odd\ud83d"),
    ("providers",),
    ("providers", "glm"),
    ("providers", "glm", "env"),
    ("providers", "glm", "env", "ANTHROPIC_AUTH_TOKEN"),
    ("providers", "glm", "env", "ANTHROPIC_BASE_URL"),
    ("providers", "glm", "env", "ANTHROPIC_MODEL"),
    ("providers", "glm", "env", "odd\ud83d"),
    ("providers", "glm", "spinner"),
    ("current_provider",),
    ("claude_args",),
    ("claude_args", 0),
    ("supervisor",),
    *(
        ("supervisor", key)
        for key in (
            *(
                "max_iterations",
                "timeout_seconds",
                "review_idle_seconds",
                "idle_seconds",
                "max_minutes",
                "max_wait_minutes",
            ),
            *("max_cost_usd", "max_tokens", "engine", "verdict", "gate", "notify", "on_outcome", "odd"),
        )
    ),
    ("checks",),
    ("checks", "PROJECT"),
    ("checks", "PROJECT", 0),
    ("checks", "PROJECT", 0, "command"),
    ("checks", "PROJECT", 0, "timeout"),
    ("allowed",),
    ("allowed", "PROJECT"),
    ("allowed", "PROJECT", "CCC_ODD"),
    ("odd\ud83d\x1b",),
]
# Those that become claude come last: nothing is run after them.
COMMANDS = [
    ["providers"],
    ["validate", "--all"],
    ["checks", "add", "true"],
    ["checks", "remove", "true"],
    ["allow", "CCC_ODD"],
    ["allow", "--remove", "CCC_ODD"],
    ["hooks", "remove"],
    ["init", "kimi", "--name", "fresh", "--yes"],
    ["doctor", "--no-self-test", "--json"],
    ["--supervisor", "glm", "--", "task"],
]
STARTS = [
    ({"CCC_SUPERVISOR": "1"}, ["glm", "-p"]),
    ({}, ["--supervisor", "--mode", "hooks", "glm", "-p"]),
    ({}, ["glm", "--version"]),
]


def document(world: World) -> dict[str, Any]:
    env = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_AUTH_TOKEN": "sk-canary"}
    return {
        "providers": {"glm": {"env": env}},
        "claude_args": ["--verbose"],
        "checks": {str(world.project): [{"command": "true"}]},
        "allowed": {str(world.project): {"CCC_ODD": ["x"]}},
    }


def with_value(world: World, path: tuple[str | int, ...], value: str) -> str:
    """The document's text with this spelling at the path."""
    content = document(world)
    holder: Any = content
    steps = [str(world.project) if step == "PROJECT" else step for step in path]
    for step in steps[:-1]:
        holder = holder.setdefault(step, {}) if isinstance(holder, dict) else holder[step]
    holder[steps[-1]] = "@@"
    return json.dumps(content).replace('"@@"', value)


TURNS = 3  # each value of a key meets every third of the calls, and each call every third of the values


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(ascii, path)))
def test_no_kind_of_value_surprises_any_command(world: World, path: tuple[str | int, ...]) -> None:
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "settings.json").write_text(json.dumps({"env": {"CCC_ODD": "x"}}))
    env = world.env(CCC_CLAUDE=str(CLAUDE), FAKE_CLAUDE="allow", CCC_LANG="en")
    file = world.config / "ccc.json"
    for turn, (name, value) in enumerate(VALUES.items(), PATHS.index(path)):
        told, commands = "", COMMANDS[turn % TURNS :: TURNS]
        more, start = STARTS[turn % TURNS]
        for extra, calls in (({}, commands), (more, [start])):
            file.write_text(with_value(world, path, value))
            (world.config / "settings.json").unlink(missing_ok=True)
            _, out, err = warm.answer(CCC, calls, env | extra, world.project)
            told += (out + err).decode("utf-8", "replace")
        assert told.count("\n$ ") == len(commands), f"{name}: {told}"
        assert "unexpected" not in told, f"{name}: {told}"
        assert "Traceback" not in told, f"{name}: {told}"
        assert "sk-canary" not in told, name


ENV_VALUES = {
    "null": ("null", "must be a string, not null"),
    "true": ("true", "must be a string, not true or false"),
    "infinite": ("1e400", "is a number that is too large"),
    "fraction": ("1.5", "must be a string, not a number"),
    "list": ("[]", "must be a string, not a list"),
    "object": ('{"a": {}}', "must be a string, not an object"),
    "half a character": (r'"\ud83d"', "holds half a character"),
}


@pytest.mark.parametrize(("value", "problem"), ENV_VALUES.values(), ids=ENV_VALUES)
def test_a_variable_of_a_provider_that_is_no_string_is_one_clear_line(world: World, value: str, problem: str) -> None:
    path = world.config / "ccc.json"
    path.write_text(with_value(world, ("providers", "glm", "env", "X"), value))
    run = world.ccc("glm", "--version", env=world.env(CCC_CLAUDE=str(CLAUDE)))
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith(f"ccc: {path}: providers.glm.env.X {problem}")
    assert run.err.count("\n") == 1
    assert path.stat().st_uid == os.getuid()
    assert Path(path).read_text() == with_value(world, ("providers", "glm", "env", "X"), value)
