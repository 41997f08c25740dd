"""Processes that a client starts beside itself get its --settings and not its environment: an address without a key."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc.claude import program
from ccc.trial.scripted import ScriptedModel
from tests.real import hooks_world as hooks
from tests.real.screen import Screen
from tests.stops import eventually
from tests.tmux import Tmux
from tests.world import Run, World, provider

KEY = "sk-of-the-provider-0123456789"
LOGIN = "sk-ant-oat01-of-the-login"
OTHER = "sk-of-somebody-else"
FILES = ("--supervisor", "--mode", "hooks", "glm")
BOB = "say hello from bob"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(hooks.rules([{"text": "done"}], [hooks.verdict(True)])) as model:
        yield model


def prepare(world: World, model: ScriptedModel) -> None:
    """A person with a login of their own, and a provider."""
    login = {"accessToken": LOGIN, "refreshToken": "r", "expiresAt": 2**42, "scopes": ["user:inference"]}
    (world.config / ".credentials.json").write_text(json.dumps({"claudeAiOauth": login}))
    trusted = {str(world.project): {"hasTrustDialogAccepted": True}}
    (world.home / ".claude.json").write_text(json.dumps({"hasCompletedOnboarding": True, "projects": trusted}))
    world.write_config({"glm": provider(model.url, KEY)})


def stray(world: World, settings: Path, **has: str) -> Run:
    """The client with a start's settings, and with whatever else the environment that it was found in has."""
    client = program.find(world.env(), world.project)
    words = (str(client), "--settings", str(settings), "-p", "hi")
    done = subprocess.run(words, env=world.env(**has), cwd=world.project, stdin=subprocess.DEVNULL, capture_output=True)
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def sent(model: ScriptedModel) -> str:
    return "\n".join(value for request in model.requests for value in request.headers.values())


def test_a_client_with_the_lasting_file_alone_sends_the_provider_nobodys_login_or_key(
    world: World, model: ScriptedModel
) -> None:
    prepare(world, model)
    run = world.ccc(*FILES, "-p", "do it", env=world.env(CCC_LANG="en"))
    assert run.code == 0, run.err
    assert len(hooks.agent_requests(model)) == len(hooks.reviews(model)) == 1
    assert {request.token for request in model.messages} == {KEY}
    pair = [world.config / f"settings-glm{of}.json" for of in ("", "-supervisor")]
    assert not any(KEY in path.read_text() for path in pair)
    names = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
    for has in ({}, *({name: OTHER} for name in names)):
        heard = len(model.requests)
        told = stray(world, pair[0], **has)
        assert "ccc has not started this client" in told.err
        assert len(model.requests) > heard  # it went there, with nothing
    assert LOGIN not in sent(model)
    assert OTHER not in sent(model)


def test_nor_does_one_with_the_file_of_a_start_without_memory_to_hand_over(world: World, model: ScriptedModel) -> None:
    """Older clients and other systems: the file is named after its process, and read by others while that lives."""
    prepare(world, model)
    (world.state / "clients.json").unlink(missing_ok=True)
    kept = world.root / "kept.json"
    client = program.find(world.env(), world.project)
    looks = f'case "$2" in /proc/*|/dev/fd/*) exit 1;; esac; test "$1" = --settings && cp "$2" {kept}'
    older = world.root / "bin" / "claude"
    older.parent.mkdir()
    older.write_text(f'#!/bin/sh\n{looks}\nexec {client} "$@"\n')
    older.chmod(0o755)
    run = world.ccc("glm", "-p", "do it", env=world.env(CCC_LANG="en", CCC_CLAUDE=str(older)))
    assert (run.code, {request.token for request in model.messages}) == (0, {KEY}), run.err
    assert KEY not in kept.read_text()
    stray(world, kept, ANTHROPIC_API_KEY=OTHER)
    assert LOGIN not in sent(model)
    assert OTHER not in sent(model)


def test_nor_does_the_reviewer_of_such_a_client(world: World, model: ScriptedModel) -> None:
    """Where nobody can tell how the client was started, or somebody exports what has stops reviewed."""
    prepare(world, model)
    assert world.ccc(*FILES, "-p", "do it", env=world.env(CCC_LANG="en")).code == 0
    settings = world.config / "settings-glm.json"
    given = json.loads(settings.read_text())
    entry = given["hooks"]["Stop"][0]["hooks"][0]
    entry["command"] = f"env -u CLAUDECODE -u CLAUDE_PID {entry['command']}"  # as an older client calls it
    settings.write_text(json.dumps(given))
    reviewed = len(hooks.reviews(model))
    stray(world, settings, CCC_LANG="en")
    assert len(hooks.reviews(model)) == reviewed
    assert LOGIN not in sent(model)
    assert "ccc has not started this client" in (world.state / "hook-invocation.log").read_text()


@pytest.mark.parametrize("start", [("glm",), FILES, ("--supervisor", "glm")])
@pytest.mark.parametrize("supervised", ["0", "1"])
@pytest.mark.parametrize("word", ["--bg", "--background", "--teammate-mode=tmux"])
def test_a_session_that_another_process_would_hold_is_refused_by_name(
    world: World, model: ScriptedModel, start: tuple[str, ...], supervised: str, word: str
) -> None:
    prepare(world, model)
    (world.config / "SUPERVISOR.md").write_text("Be strict.\n")
    run = world.warm(*start, word, "do it", env=world.env(CCC_LANG="en", CCC_SUPERVISOR=supervised))
    assert (run.code, run.out, model.requests) == (1, "", ())
    assert run.err.startswith(f"ccc: {word.partition('=')[0]} hands the session to a process")
    assert run.err.count("\n") == 1
    assert not list(world.config.glob("settings-*.json"))


@pytest.mark.parametrize("start", [("glm",), FILES])
def test_below_a_provider_the_client_sends_no_session_to_the_background(
    world: World, model: ScriptedModel, start: tuple[str, ...]
) -> None:
    prepare(world, model)
    with Screen(world.command(*start), env=world.env(CCC_LANG="en"), cwd=world.project) as screen:
        screen.wait_for("shift+tab to cycle")
        screen.type("/background")
        screen.press("enter")
        screen.wait_for("Unknown command: /background")


def test_teammates_that_the_person_wants_in_panes_work_in_the_client_with_its_key(world: World) -> None:
    spawn = {"description": "help", "prompt": BOB, "subagent_type": "general-purpose", "name": "bob"}
    begin = {"last": "please begin", "times": 1, "replies": [{"tools": [{"name": "Agent", "input": spawn}]}]}
    judge, agent = hooks.rules([{"text": "working on it"}], [hooks.verdict(True)])
    with ScriptedModel([judge, begin, agent]) as model:
        prepare(world, model)
        world.write_settings({"teammateMode": "tmux", "env": {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}})
        command = world.command(*FILES, "--permission-mode", "acceptEdits")
        with Tmux(world.root, command, env=world.env(CCC_LANG="en"), cwd=world.project) as tmux:
            assert eventually(lambda: "shift+tab" in tmux.text, 40), tmux.text
            tmux("send-keys", "-l", "please begin")
            assert eventually(lambda: "please begin" in tmux.text, 40), tmux.text
            tmux("send-keys", "Enter")
            assert eventually(lambda: any(BOB in each.last for each in model.messages), 60), tmux.text
            assert len(tmux("list-panes", "-a").splitlines()) == 1
        assert {request.token for request in model.messages} == {KEY}


def test_a_project_that_would_have_panes_opened_is_refused(world: World, model: ScriptedModel) -> None:
    prepare(world, model)
    path = world.project / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"teammateMode": "tmux", "env": {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}}))
    for start in (("glm",), FILES):
        run = world.warm(*start, "-p", "hi", env=world.env(CCC_LANG="en"))
        assert (run.code, model.requests) == (1, ())
        assert f"{path} sets CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS, teammateMode" in run.err
