"""Long ordinary days with the real client: work that never ends, compaction, other sessions, the user's own hooks."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from ccc.claude.stream import user_message
from ccc.trial.scripted import Request, ScriptedModel
from tests.real import hooks_world as hooks
from tests.real import test_pty_mode as pty
from tests.world import World, provider

pytestmark = pytest.mark.long

SERVER = pty.bash("sleep 600", run_in_background=True)
# So full a context that the client sums it up before the next answer; the fork has the summary and what came later.
FULL = {**pty.bash("true"), "usage": {"input_tokens": 185_000}}
SUMMARY = {"anywhere": "create a detailed summary", "times": None, "replies": [{"text": "<summary>so far</summary>"}]}
SMALL = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"}
FIRST = "Build the owl, and never touch the barn."
ALLOW = {"text": '{"basis": "All of it was run and passes.", "allow_stop": true, "feedback": ""}'}


def noisy_hook(world: World) -> dict[str, Any]:
    """A Stop hook of the user's that sends whoever stops once more round, and notes who called it."""
    script = world.root / "hook.sh"
    asked = '{"decision": "block", "reason": "THE HOUSE RULE: look once more"}'
    script.write_text(
        '#!/bin/sh\ntold=$(cat)\necho x >> "$1"\n'
        f"case $told in *'\"stop_hook_active\":false'*) echo '{asked}';; esac\n"
    )
    script.chmod(0o755)
    return {"hooks": [{"type": "command", "command": f"{script} {world.root / 'ran'}"}]}


def times_run(world: World) -> int:
    return len((world.root / "ran").read_text().split())


def facts(request: Request) -> str:
    return request.last.rpartition("## Facts from ccc")[2]


@pytest.mark.parametrize("guarded", [False, True], ids=["no guard", "a hook guards the tools"])
def test_a_stop_hook_of_the_users_own_never_spoils_the_verdict_and_a_guard_is_kept(world: World, guarded: bool) -> None:
    """Without hooks tools and system are byte-equal, so the cache serves; with a guard of tools they stay on."""
    guard = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]}
    stop = {"Stop": [noisy_hook(world)]}
    world.write_settings({"hooks": {**stop, **({"PreToolUse": [guard]} if guarded else {})}})
    asked = {"anywhere": "Answer format", "times": None}
    script = [
        {**asked, "last": "THE HOUSE RULE", "replies": [{"text": "I looked once more."}]},
        {**asked, "last": "Answer format", "replies": [pty.bash("true")]},
        {**asked, "replies": [ALLOW]},
        {"times": None, "replies": [{"text": "done"}, {"text": "done again"}]},
    ]
    with ScriptedModel(script) as model:
        seen = hooks.supervised(world, model, env={"CCC_LANG": "en"}, supervisor={"verdict": "text"})
    assert seen.state["outcome"] == "completed"
    assert not any("All of it was run" in text or "I looked" in text for text in seen.feedback)
    agent, review = model.messages[0], next(one for one in model.messages if "Answer format" in one.text)
    assert [json.dumps(review.json[part]) for part in ("system", "tools")] == [
        json.dumps(agent.json[part]) for part in ("system", "tools")
    ]
    assert any("PreToolUse:Bash hook error" in one.text for one in model.messages) is guarded
    # The agent's own stops run it, the reviewer's only where hooks stay on.
    stops = len([event for event in seen.events if event["type"] == "assistant"])
    assert (times_run(world) > stops) is guarded


def test_in_pty_mode_a_stop_hook_of_the_users_own_does_not_run_in_the_reviewer(world: World) -> None:
    world.write_settings({"hooks": {"Stop": [noisy_hook(world)]}})
    script = pty.rules([{"text": "done"}, {"text": "done again"}], [pty.DONE, {"text": "I looked once more."}])
    with ScriptedModel(script) as model:
        pty.prepare(world, model)
        run = pty.alone(world, "--", "do it")
    assert (run.code, len(pty.reviews(model)), times_run(world)) == (0, 1, 2), run.out


@pytest.mark.parametrize("form", ["schema", "text"])
def test_a_server_that_never_ends_does_not_end_supervision(world: World, form: str) -> None:
    """One live client, as in its UI: a stop that only waits is followed by the person's next request. The server also
    makes the fork end a turn of its own before it answers, and lives on when the person begins a new session."""
    agent = [SERVER, *({"text": f"The {number}."} for number in ("first", "second", "third", "fourth"))]
    script = [
        {**hooks.AGENT, "last": "Answer format", "times": None, "replies": [ALLOW]},
        *hooks.rules(agent, [hooks.verdict(True)]),
    ]
    with ScriptedModel(script) as model:
        world.write_config({"glm": provider(model.url)}, supervisor={"verdict": form})
        env = world.env(CCC_SUPERVISOR="1", CCC_LANG="en")
        stream = ("--output-format", "stream-json", "--input-format", "stream-json", "--verbose")
        argv = world.command("glm", "-p", *stream, "--dangerously-skip-permissions")
        ours, theirs = socket.socketpair()
        with ours, subprocess.Popen(argv, env=env, cwd=world.project, stdin=theirs, stdout=PIPE, stderr=PIPE) as client:
            theirs.close()
            assert client.stdout
            for words in ("start it", "a second thing", "a third thing", "/clear", "a fourth thing"):
                ours.sendall(user_message(words))
                next(line for line in client.stdout if b'"type":"result"' in line)
            client.terminate()  # else it would wait for the server
    second, third, fourth = [one for one in model.messages if "## Facts from ccc" in one.last]
    assert "sleep 600" in facts(second)
    assert "1. start it\n2. a second thing\n\n" in facts(second)
    assert "3. a third thing" in facts(third)
    assert "sleep 600" in facts(fourth)
    assert "start it" not in fourth.text
    assert [(state["count"], state["outcome"]) for state in states(world)] == [(1, "completed")] * 2


def test_in_pty_mode_too_and_no_notice_of_it_is_taken_for_the_agents_stop(world: World) -> None:
    """A client that resumes the session of a killed one first ends a turn that nobody asked for."""
    agent = [SERVER, *({"text": f"The {number}."} for number in ("first", "second", "third", "fourth"))]
    with ScriptedModel(pty.rules(agent, [pty.DONE, {"text": "Go on, owl."}, pty.DONE])) as model:
        pty.prepare(world, model)
        with pty.at_the_terminal(world, "--permission-mode", "bypassPermissions", "--", "start it") as terminal:
            terminal.wait_for("the agent waits for background work (sleep 600)")
            terminal.type("a second thing")
            terminal.wait_for("[completed]")
            os.kill(pty.agent_of(terminal.pid), signal.SIGKILL)
            terminal.wait_for("exit code 137")
            terminal.type("a third thing")
            terminal.wait_for("[completed]", times=2)
            pty.leave(terminal)
        second, third, _ = pty.reviews(model)
        assert "1. sleep 600" in facts(second)
        assert "1. start it\n2. a second thing\n3. a third thing" in facts(third)
        assert "The third." in third.text
        # It has ended with its client.
        assert "a command" not in facts(third)
        # Another run of ccc knows the session's words by its record, where feedback stands as a user's line.
        run = pty.alone(world, "-c", "--", "a fourth thing")
    assert run.code == 0, run.out
    [*_, last] = pty.reviews(model)
    assert "1. start it\n2. a second thing\n3. a third thing\n4. a fourth thing\n\n" in facts(last)


def test_after_a_compaction_the_reviewer_still_has_the_persons_words(world: World) -> None:
    script = [SUMMARY, *hooks.rules([FULL, {"text": "done"}], [hooks.verdict(False, "Go on."), hooks.verdict(True)])]
    with ScriptedModel(script) as model:
        env = {"CCC_LANG": "en", **SMALL}
        seen = hooks.supervised(world, model, "--model", "claude-sonnet-4-5", prompt=FIRST, env=env)
    first, last = hooks.reviews(model)
    assert seen.state["outcome"] == "completed"
    assert FIRST not in first.text.rpartition("## Facts from ccc")[0]
    for review in (first, last):
        assert f"1. {FIRST}\n" in facts(review)
        # Neither the summary nor a hook's feedback is the person's.
        assert "\n2. " not in facts(review).partition("Earlier findings")[0]
    # A fork begins where its session was summed up; it is a reviewer's all the same, and no stop that nobody reviewed.
    assert "never reported" not in world.ccc("status", env=world.env(CCC_LANG="en")).out


def test_after_a_compaction_in_pty_mode_too(world: World) -> None:
    script = [SUMMARY, *pty.rules([{"text": "one"}, FULL, {"text": "two"}])]
    with ScriptedModel(script) as model:
        pty.prepare(world, model)
        args = ("--permission-mode", "bypassPermissions", "--model", "claude-sonnet-4-5")
        with pty.at_the_terminal(world, *args, "--", FIRST, **SMALL) as terminal:
            terminal.wait_for("[completed]")
            terminal.type("and now the nest")
            terminal.wait_for("[completed]", times=2)
            pty.leave(terminal)
    [_, last] = pty.reviews(model)
    assert FIRST not in last.text.rpartition("## Facts from ccc")[0]
    assert f"1. {FIRST}\n2. and now the nest" in facts(last)


def test_after_clear_the_new_session_is_reviewed_and_has_a_record_of_its_own(world: World) -> None:
    """The server of the old one lives on, and is no more waited for than before."""
    agent = [SERVER, *({"text": text} for text in ("It serves.", "A is done", "B is done", "B, again"))]
    with ScriptedModel(pty.rules(agent, [pty.DONE, {"text": "More."}, pty.DONE])) as model:
        pty.prepare(world, model)
        with pty.at_the_terminal(world, "--permission-mode", "bypassPermissions", "--", "serve") as terminal:
            terminal.wait_for("the agent waits for background work (sleep 600)")
            terminal.type("task A")
            terminal.wait_for("[completed]")
            terminal.type("/clear")
            terminal.type("task B")
            terminal.wait_for("[completed]", times=2)
            terminal.type("/cost")
            terminal.wait_for("Total duration (API)")
            pty.leave(terminal)
        assert "[unreviewed]" not in terminal.text
    a, b, again = pty.reviews(model)
    assert "task A" in a.text
    for review in (b, again):
        assert "B is done" in review.text
        assert "task A" not in review.text
        assert "1. sleep 600" in facts(review)
    counts = {state["count"]: state["outcome"] for state in states(world)}
    assert counts == {1: "completed", 2: "completed"}


def states(world: World) -> list[dict[str, Any]]:
    found = [path for path in world.state.glob("supervisor-*.json") if is_state(path)]
    return [json.loads(path.read_text()) for path in found]


def is_state(path: Path) -> bool:
    return len(path.stem) == len("supervisor-") + 36
