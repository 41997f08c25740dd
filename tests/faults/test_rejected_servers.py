"""Servers of a project to which the person has said no: the real client, and a file that goes while the agent works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ccc.claude import program
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import agent_requests, assert_served, reviews, rules, verdict
from tests.real.screen import Screen
from tests.world import CCC, World, provider

TOKEN = "t0ken-of-the-provider"
PLUGIN = Path(__file__).parents[2]
# A server as small as one can be; it tells that it was started, and by whom, and that its client knows its tools.
SERVER = """
import json, os, pathlib, sys
pathlib.Path(sys.argv[1] + f".{os.getpid()}").write_text(os.environ.get("CCC_SUPERVISOR_HOOK", ""))
for line in sys.stdin:
    asked = json.loads(line)
    known = {"name": "s", "version": "1"}
    answers = {
        "initialize": {"protocolVersion": "2025-03-26", "capabilities": {"tools": {}}, "serverInfo": known},
        "tools/list": {"tools": [{"name": "look", "description": "Looks.", "inputSchema": {"type": "object"}}]},
    }
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answers.get(asked["method"], {})}), flush=True)
    if asked["method"] == "tools/list":
        pathlib.Path(sys.argv[1].replace("started", "listed")).touch()
"""
AWAY = {"tools": [{"name": "Bash", "input": {"command": "git clean -fdxq"}}]}
DONE = {"text": "all done"}
QUESTION = "2 new MCP servers"
MAY = ("--permission-mode", "acceptEdits")


def with_servers(world: World, *, away: Mapping[str, str] | None = None) -> None:
    """A repository that brings one in `.mcp.json` and one in a plugin among its skills. `away`: on another branch."""
    script = world.root / "server.py"
    script.write_text(SERVER)
    files = {
        ".mcp.json": {"mcpServers": {"s one": command(world, script, "started")}},
        ".claude/skills/x/.claude-plugin/plugin.json": {"name": "n"},
        ".claude/skills/x/.mcp.json": {"mcpServers": {"two": command(world, script, "started-two")}},
    }
    for name, content in files.items():
        (world.project / name).parent.mkdir(parents=True, exist_ok=True)
        (world.project / name).write_text(json.dumps(content))
    git(world, "init", "-q")
    committed(world)
    if away:
        git(world, "checkout", "-qb", "away")
        for name, text in away.items():
            (world.project / name).write_text(text)
        committed(world)
        git(world, "checkout", "-q", "-")
    trusted = {str(world.project): {"hasTrustDialogAccepted": True}}
    (world.home / ".claude.json").write_text(json.dumps({"hasCompletedOnboarding": True, "projects": trusted}))
    world.write_settings({"permissions": {"allow": ["Bash(git clean:*)", "Bash(git checkout:*)"]}})


def command(world: World, script: Path, name: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": [str(script), str(world.root / name)]}


def committed(world: World) -> None:
    git(world, "add", "-Af")
    git(world, "commit", "-qm", "x")


def git(world: World, *words: str) -> None:
    name = ("-c", "user.name=x", "-c", "user.email=x@y")
    subprocess.run(["git", *name, *words], cwd=world.project, env=world.env(), check=True, capture_output=True)


def answered(world: World, **settings: object) -> None:
    (world.project / ".claude" / "settings.local.json").write_text(json.dumps(settings))


def started(world: World) -> list[str]:
    """By whom each start of a server was: "1" for a reviewer."""
    return sorted(path.read_text() for path in world.root.glob("started*"))


def at_the_terminal(world: World, model: ScriptedModel, layout: str) -> Screen:
    quiet = {"CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1"}
    env = {"CCC_LANG": "en", **quiet}
    if layout == "plugin":
        address = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_AUTH_TOKEN": TOKEN}
        given = world.env(PATH=f"{CCC.parent}:{os.defpath}", **address, **env)
        client = str(program.find(given, world.project))
        return Screen([client, "--plugin-dir", str(PLUGIN), *MAY], env=given, cwd=world.project)
    world.write_config({"glm": provider(model.url, TOKEN)}, supervisor={"gate": "off"})
    if layout == "hooks":
        return Screen(world.command("glm", *MAY), env=world.env(CCC_SUPERVISOR="1", **env), cwd=world.project)
    words = ("--supervisor", "--mode", "hooks", "glm", *MAY)
    return Screen(world.command(*words), env=world.env(**env), cwd=world.project)


def answer(screen: Screen, *keys: str) -> None:
    """To the question about the servers, which hears nothing in its first moments, nor a key too soon after another."""

    def differs(before: str) -> bool:
        return screen.text != before

    screen.wait_for(QUESTION)
    for key in keys:
        is_heard = partial(differs, screen.text)
        while not is_heard():
            screen.press(key)
            with suppress(AssertionError):
                screen.wait_until(is_heard, "an answer", seconds=2)
    screen.wait_until(lambda: QUESTION not in screen.text, "the end of the question")


def ask(screen: Screen, world: World) -> None:
    screen.wait_for("accept edits on")
    screen.type("do it now")
    screen.press("enter")
    screen.wait_until(lambda: outcome(world) == "completed", "the end of the review")


def outcome(world: World) -> str | None:
    found = [json.loads(path.read_text()) for path in world.state.glob("supervisor-*.json")]
    return found[0].get("outcome") if found else None


@pytest.mark.parametrize("layout", ["hooks", "files", "plugin"])
def test_no_reviewer_starts_a_server_that_was_rejected_in_the_ui(world: World, layout: str) -> None:
    with_servers(world)
    script = rules([AWAY, DONE], [verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model, layout) as screen:
        answer(screen, "escape")
        ask(screen, world)
    assert len(reviews(model)) == 1
    assert not (world.project / ".claude" / "settings.local.json").exists()
    assert started(world) == []


@pytest.mark.parametrize("layout", ["hooks", "plugin"])
def test_nor_one_that_a_branch_says_yes_to(world: World, layout: str) -> None:
    yes = json.dumps({"enableAllProjectMcpServers": True})
    with_servers(world, away={".claude/settings.local.json": yes})
    checkout = {"tools": [{"name": "Bash", "input": {"command": "git checkout -qf away"}}]}
    script = rules([checkout, DONE], [verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model, layout) as screen:
        answer(screen, "escape")
        ask(screen, world)
    assert len(reviews(model)) == 1
    assert (world.project / ".claude" / "settings.local.json").read_text() == yes
    assert "1" not in started(world)


@pytest.mark.parametrize("layout", ["hooks", "plugin"])
def test_one_that_was_approved_before_is_started_and_the_cache_serves_the_review(world: World, layout: str) -> None:
    with_servers(world)
    answered(world, enabledMcpjsonServers=["s one"], disabledMcpjsonServers=["plugin:n:two"])
    long = {**DONE, "usage": {"input_tokens": 30_000}}
    script: list[dict[str, Any]] = [
        {"anywhere": "allow_stop", "times": None, "replies": [{"text": '{"allow_stop": true, "feedback": ""}'}]},
        {"times": None, "replies": [long]},
    ]
    with ScriptedModel(script) as model, at_the_terminal(world, model, layout) as screen:
        # One that is started has not been asked yet what it can do, and a request does not wait for that.
        screen.wait_until((world.root / "listed").exists, "the server's tools")
        ask(screen, world)
    *_, agent, review = model.messages
    if layout == "plugin":  # there nobody has made the two alike at the start
        assert json.dumps(agent.json["tools"]) == json.dumps(review.json["tools"])
    else:
        assert_served(agent, review)
    assert (b"mcp__s_one__look" in agent.body, b"mcp__s_one__look" in review.body) == (True, True)
    assert started(world) == ["", "1"]


def test_one_that_was_approved_in_this_session_waits_for_the_next_and_that_is_told(world: World) -> None:
    with_servers(world)
    with ScriptedModel(rules([DONE], [verdict(True)])) as model, at_the_terminal(world, model, "hooks") as screen:
        answer(screen, "down", "down", "enter")
        ask(screen, world)
    assert started(world) == ["", ""]
    assert "plugin:n:two, s one: approved since the start" in (world.state / "hook-invocation.log").read_text()


@pytest.mark.parametrize("mode", ["hooks", "files", "pty"])
def test_a_no_of_an_earlier_day_holds_where_nobody_is_asked(world: World, mode: str) -> None:
    with_servers(world)
    answered(world, disabledMcpjsonServers=["s one", "plugin:n:two"])
    done = {"text": "Everything is done.\n\n[TASK_COMPLETED]"}
    by_words: list[dict[str, Any]] = [{"times": None, "replies": [AWAY, done, done]}]
    with ScriptedModel(by_words if mode == "pty" else rules([AWAY, DONE], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url, TOKEN)}, supervisor={"gate": "off"})
        (world.config / "SUPERVISOR.md").write_text("Be strict.")
        words = {
            "hooks": ("glm", "-p", "hi"),
            "files": ("--supervisor", "--mode", "hooks", "glm", "-p", "hi"),
            "pty": ("--supervisor", "glm", "--trust-project", "--", "hi"),
        }
        run = world.warm(*words[mode], env=world.env(**({"CCC_SUPERVISOR": "1"} if mode == "hooks" else {})))
    assert run.code == 0, run.err
    assert not (world.project / ".claude" / "settings.local.json").exists()
    assert len(agent_requests(model)) >= 2
    assert started(world) == []
