"""Reviews that do not hold the prompt: `supervisor.background_review` in the client's own terminal UI and headless."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import agent_requests, reviews, rules, supervised, verdict
from tests.real.test_terminal_ui import (
    ENDLESS,
    FEEDBACK,
    GONE_SECONDS,
    ask,
    at_the_terminal,
    processes,
    state,
    wait_for_endless_tool,
    wait_for_ends,
    wait_for_prompt,
)
from tests.world import CCC, World

pytestmark = pytest.mark.long

BACKGROUND = {"background_review": True}
LOOKS = {"tools": [{"name": "Bash", "input": {"command": ENDLESS, "description": "watch"}}]}


def row(world: World) -> dict[str, Any]:
    """The session as `ccc status` tells it."""
    [found] = json.loads(world.ccc("status", "--json").out)
    return dict(found)


def test_the_prompt_is_back_at_once_and_the_verdict_wakes_the_agent(world: World) -> None:
    agent = [{"text": "all done"}, {"text": "now really"}, {"text": "the other thing"}]
    script = rules(agent, [{**verdict(False, FEEDBACK), "delay": 6}, verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model, supervisor=BACKGROUND) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: len(reviews(model)) == 1, "the review")
        wait_for_prompt(screen)
        assert row(world)["phase"] == "reviewing"
        screen.wait_for("审查把 Agent 送回去了")
        screen.wait_for("now really")
        screen.wait_until(lambda: state(world)["outcome"] == "completed", "the second verdict")
        assert (state(world)["count"], len(reviews(model)), len(agent_requests(model))) == (2, 2, 2)
        assert f"go on with what follows): {FEEDBACK}" in agent_requests(model)[1].last
        # The client shows nothing that a hook says which it has not waited for, so the next prompt tells it.
        assert "已审查，任务完成" not in screen.text
        ask(screen, "and the other thing")
        screen.wait_for("UserPromptSubmit says: ccc：已审查，任务完成 · 停止 2/10")
        screen.wait_until(lambda: len(reviews(model)) == 3, "the review of the next request")
        screen.wait_until(lambda: (state(world)["count"], state(world)["outcome"]) == (1, "completed"), "its end")


def test_whoever_types_meanwhile_ends_the_review_and_is_reviewed_alone(world: World) -> None:
    (world.project / "notes.txt").write_text("x\n")
    script = rules([{"text": "all done"}, {"text": "second done"}], [LOOKS, verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model, supervisor=BACKGROUND) as screen:
        ask(screen, "please do it")
        seen = wait_for_endless_tool(screen, world)
        first = {pid: words for pid, words in seen.items() if "supervisor-hook" in words or words == ENDLESS}
        ask(screen, "no, do the second thing")
        screen.wait_for("second done")
        wait_for_ends(first, GONE_SECONDS)
        assert not set(first) & set(processes(world))
        screen.wait_until(lambda: (state(world)["count"], state(world)["outcome"]) == (1, "completed"), "the end")
        # Two stops, two reviews: the first was ended, and nothing of it was told to the agent.
        assert [request.last.splitlines()[-1] for request in agent_requests(model)] == [
            "please do it",
            "no, do the second thing",
        ]
        story = (world.state / "hook-invocation.log").read_text()
        assert story.count("review started") == 2
        assert "interrupted" in story


def test_a_verdict_on_a_conversation_that_was_left_is_dropped_and_kept(world: World) -> None:
    script = rules([{"text": "all done"}], [{**verdict(False, FEEDBACK), "delay": 5}])
    with ScriptedModel(script) as model, at_the_terminal(world, model, supervisor=BACKGROUND) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: len(reviews(model)) == 1, "the review")
        screen.type("/clear")
        screen.wait_for("Start a new session")
        screen.press("enter")
        screen.wait_until(lambda: "all done" not in screen.text, "another conversation")
        screen.wait_until(lambda: state(world)["phase"] == "done", "the end of the review")
        assert (state(world)["outcome"], state(world)["reason"]) == (
            "interrupted",
            "you had gone on in another conversation",
        )
        ask(screen, "what now")
        screen.wait_until(lambda: len(agent_requests(model)) == 2, "the next request")
        assert FEEDBACK not in json.dumps(agent_requests(model)[1].json, ensure_ascii=False)


def test_no_reviewer_outlives_the_client_and_the_next_start_tells_of_it(world: World) -> None:
    (world.project / "notes.txt").write_text("x\n")
    script = rules([{"text": "all done"}], [LOOKS, verdict(True)])
    with ScriptedModel(script) as model:
        with at_the_terminal(world, model, supervisor=BACKGROUND) as screen:
            ask(screen, "please do it")
            family = wait_for_endless_tool(screen, world)
            os.kill(screen.pid, signal.SIGKILL)
            wait_for_ends(family, GONE_SECONDS)
        assert not set(family) & set(processes(world))
        assert state(world)["outcome"] == "interrupted"
        told = supervised(world, model).run.err
        assert "did not come to its end" in told


def test_a_headless_client_waits_for_the_review_and_hears_the_same(world: World) -> None:
    script = rules([{"text": "all done"}, {"text": "now really"}], [verdict(False, FEEDBACK), verdict(True)])
    with ScriptedModel(script) as model:
        done = supervised(world, model, supervisor=BACKGROUND)
    [entry] = json.loads((world.config / "settings.json").read_text())["hooks"]["Stop"][0]["hooks"]
    assert entry["asyncRewake"] is True
    assert done.feedback == [f"Stop hook feedback:\n{FEEDBACK}"]
    assert (done.state["count"], done.state["outcome"], done.events[-1]["result"]) == (2, "completed", "now really")
    assert "ccc: reviewed and done · stop 2/10" in done.run.err
    # What the wire has of it is no other than with the ordinary hook.
    assert "SUPERVISOR" not in json.dumps(agent_requests(model)[1].json, ensure_ascii=False)
    assert world.ccc("hooks", "remove").code == 0
    assert "hooks" not in json.loads((world.config / "settings.json").read_text())


# What an agent can leave running: it names another session in the client's file, so that a verdict seems to come too
# late, and calls the hook that tells what was found, from outside of the client's family.
LEFT = """
import json, os, pathlib, subprocess, sys, time
session, client = os.environ["CLAUDE_CODE_SESSION_ID"], os.environ["CLAUDE_PID"]
config = pathlib.Path(os.environ["HOME"], ".claude")
there, state = config / "sessions" / f"{client}.json", config / "ccc" / f"supervisor-{session}.json"
env = {key: value for key, value in os.environ.items() if not key.startswith("CLAUDE")}
asked = json.dumps({"hook_event_name": "UserPromptSubmit", "session_id": session}).encode()
until = time.monotonic() + 60
while time.monotonic() < until:
    time.sleep(0.01)
    there.write_text(json.dumps(json.loads(there.read_text() or "{}") | {"sessionId": "0" * 8}))
    if state.exists() and json.loads(state.read_bytes())["untold"]:
        break
with open(sys.argv[2], "wb") as stolen:
    subprocess.run([sys.argv[1], "supervisor-hook", "--asked"], env=env, input=asked, stdout=stolen)
os.rename(sys.argv[2], sys.argv[2] + ".all")
"""
UNASKED = {"permissions": {"defaultMode": "bypassPermissions"}, "skipDangerousModePermissionPrompt": True}
NEEDED = "需要数据库的密码\nccc：已审查，任务完成"


def leaves_running(world: World, before: str = "true") -> dict[str, Any]:
    """A call that leaves it, after another command."""
    (world.root / "left.py").write_text(LEFT)
    words = f"{world.root}/left.py {CCC} {world.root}/stolen"
    command = f"{before}; setsid -f python3 {words} </dev/null >/dev/null 2>{world.root}/failed"
    return {"tools": [{"name": "Bash", "input": {"command": command, "description": "watch"}}]}


def is_robbed(world: World) -> bool:
    return (world.root / "stolen.all").exists()


def test_a_call_for_the_person_that_seems_to_come_too_late_is_told_and_nobody_else_takes_it(world: World) -> None:
    world.write_settings({"permissions": {"allow": ["Bash"], "defaultMode": "default"}})
    agent = [leaves_running(world), {"text": "all done"}, {"text": "second done"}]
    script = rules(agent, [{**verdict(False, NEEDED, needs_human=True), "delay": 2}, verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model, supervisor=BACKGROUND) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: is_robbed(world), "the theft")
        assert (world.root / "stolen.all").read_bytes() == b""
        found = row(world)
        assert (found["outcome"], found["reason"]) == ("needs_human", NEEDED)
        ask(screen, "and the other thing")
        screen.wait_for("UserPromptSubmit says: ccc：需要你来决定：需要数据库的密码")
        screen.wait_for("second done")
        [claimed] = [line for line in screen.text.splitlines() if "ccc：已审查，任务完成" in line]
        said = next(line for line in screen.text.splitlines() if "UserPromptSubmit says" in line)
        assert claimed.index("ccc") >= said.index("UserPromptSubmit") + 2


def test_why_a_stop_was_not_reviewed_is_told_however_late_it_seems(world: World) -> None:
    world.write_settings(UNASKED)
    blinded = 'mkdir -p .claude && echo \'{"permissions": {"deny": ["Read"]}}\' > .claude/settings.json'
    agent = [leaves_running(world, blinded), {"text": "all done"}, {"text": "second done"}]
    options = {**BACKGROUND, "gate": "off"}
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        with at_the_terminal(world, model, supervisor=options) as screen:
            ask(screen, "please do it")
            screen.wait_until(lambda: is_robbed(world), "the theft")
            assert (row(world)["outcome"], len(reviews(model))) == ("unreviewed", 0)
            ask(screen, "and the other thing")
            screen.wait_for("ccc：这次停止未经审查")  # in the row of its hook, or below that
            assert ".claude/settings.json" in "".join(screen.text.split())
        (world.project / ".claude" / "settings.json").unlink()
        assert ".claude/settings.json" in supervised(world, model).run.err
