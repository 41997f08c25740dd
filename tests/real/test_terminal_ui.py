"""Hooks mode as a person meets it: `CCC_SUPERVISOR=1 ccc glm` in the client's own terminal UI."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ccc.providers.presets import PRESETS
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import agent_requests, assert_served, reviews, rules, verdict
from tests.real.screen import Screen
from tests.world import CCC, World, provider

FEEDBACK = "运行 pytest 并修复失败的测试"
REVIEWING = "ccc 正在审查这次停止"
PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
GONE_SECONDS = 40.0  # a busy machine is no failure
[STATUS_LINE] = (
    json.loads(f"{{{line}}}")["statusLine"]
    for line in (Path(__file__).parents[2] / "docs" / "guide.md").read_text().splitlines()
    if line.startswith('"statusLine":')
)
# The client may run it unasked, and it never ends by itself.
ENDLESS = "tail -f notes.txt"


@contextmanager
def at_the_terminal(
    world: World, model: ScriptedModel, *, variables: Mapping[str, str] | None = None, **config: object
) -> Iterator[Screen]:
    """The client's UI in a folder the person has trusted before, waiting for a request."""
    env = {**PRESETS["glm"].env, **(variables or {}), "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_AUTH_TOKEN": "token"}
    world.write_config({"glm": {"env": env} if variables is not None else provider(model.url)}, **config)
    trusted = {str(world.project): {"hasTrustDialogAccepted": True}}
    (world.home / ".claude.json").write_text(json.dumps({"hasCompletedOnboarding": True, "projects": trusted}))
    # Unlike a headless client the UI fetches a list of plugins, in spite of DISABLE_NONESSENTIAL_TRAFFIC.
    quiet = {"CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1"}
    shell = world.env(CCC_SUPERVISOR="1", LANG="zh_CN.UTF-8", **quiet)
    with Screen(world.command("glm"), env=shell, cwd=world.project) as screen:
        screen.wait_for(PROMPT)
        yield screen


def ask(screen: Screen, request: str) -> None:
    screen.type(request)
    screen.press("enter")


def wait_for_prompt(screen: Screen) -> None:
    screen.wait_until(lambda: "esc to interrupt" not in screen.text, "the prompt")


def state(world: World) -> dict[str, Any]:
    [path] = world.state.glob("supervisor-*.json")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def ended(world: World) -> str | None:
    """How the request did, as soon as there is a session."""
    return state(world)["outcome"] if list(world.state.glob("supervisor-*.json")) else None


def processes(world: World) -> dict[int, str]:
    """Everything that runs with this world's home: its client, hook, reviewer and their tools."""
    return dict(_processes(f"HOME={world.home}".encode()))


def _processes(variable: bytes) -> Iterator[tuple[int, str]]:
    for folder in Path("/proc").iterdir():
        with suppress(OSError):  # it has just ended
            if folder.name.isdecimal() and variable in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                yield int(folder.name), b" ".join(words).decode(errors="replace")


def wait_for_endless_tool(screen: Screen, world: World) -> dict[int, str]:
    screen.wait_until(lambda: ENDLESS in processes(world).values(), "the reviewer's tool")
    return processes(world)


def wait_for_ends(pids: Mapping[int, str], seconds: float) -> None:
    """Return when they have all ended, or when the time is up."""
    deadline = time.monotonic() + seconds
    for pid in pids:
        with suppress(ProcessLookupError):
            fd = os.pidfd_open(pid)
            try:
                select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
            finally:
                os.close(fd)


@pytest.mark.spec("H1", "H6", "H9", "H11", "C7", "C8", "C9", "C14")
def test_a_person_sees_the_review_and_the_feedback_and_gets_the_prompt_back(world: World) -> None:
    script = rules([{"text": "all done"}, {"text": "now really"}], [verdict(False, FEEDBACK), verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model) as screen:
        ask(screen, "please do it")
        screen.wait_for("all done")
        screen.wait_for(REVIEWING)
        assert "esc to interrupt" in screen.text
        screen.wait_for(FEEDBACK)
        screen.wait_for("now really")
        wait_for_prompt(screen)
        assert (state(world)["count"], state(world)["outcome"]) == (2, "completed")
        assert len(reviews(model)) == 2
        # One line says how it ended, and how often and for how much, which an unsupervised stop has not.
        screen.wait_for("Stop says: ccc：已审查，任务完成 · 停止 2/10 · Agent 至少 $")
        # Nothing else of ours is left of the review but the feedback, and nothing broke the screen.
        assert REVIEWING not in screen.text
        assert "SUPERVISOR" not in screen.text
        assert screen.text.count("ccc：") == 1


@pytest.mark.long
def test_the_agents_word_on_a_command_of_the_persons_own_is_not_reviewed(world: World) -> None:
    script = rules([{"text": "all done"}, {"text": "I see an owl."}], [verdict(True), verdict(False, FEEDBACK)])
    with ScriptedModel(script) as model, at_the_terminal(world, model) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: len(reviews(model)) == 1, "the review")
        wait_for_prompt(screen)
        settled = state(world)
        screen.type("!")  # a mode of its own in this client
        ask(screen, "echo owl")
        screen.wait_for("I see an owl.")
        wait_for_prompt(screen)
        screen.wait_for("没有审查，因为 Agent 只是回应了你自己的命令")
        assert len(reviews(model)) == 1
        changed = {name for name, value in state(world).items() if settled.get(name) != value}
        assert changed == {"updated_at", "seal", "sealed_at", "answer", "outside", "outside_told"}
        page = world.project / "page.html"
        assert world.ccc("report", "-o", str(page), env=world.env(CCC_LANG="en")).code == 0
        assert "<title>Completed: please do it" in page.read_text()
        assert "会话记录把它记为对你自己的命令" in world.ccc("status", env=world.env(CCC_LANG="zh")).out


def test_the_status_line_of_the_guide_tells_how_the_request_ended(world: World) -> None:
    """The end of a review is drawn by the clock alone: nothing that the client draws for happens after it."""
    world.write_settings({"statusLine": {**STATUS_LINE, "command": f"{world.command()[0]} statusline"}})
    script = rules([{"text": "all done"}], [verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model) as screen:
        screen.wait_for("ccc: 监督中 · 尚未停止过")
        ask(screen, "please do it")
        screen.wait_for("ccc: 监督中 · 1/10 · 已完成")


@pytest.mark.long
def test_a_preset_knows_its_window_and_a_dialog_behind_a_gateway_is_seen_from_outside(world: World) -> None:
    """Auto mode has its safety check on the server: where that is not served, the client asks at the first command
    that needs it. The file in its `sessions` folder says so; no hook is needed, and there was no stop yet."""
    tool = {"tools": [{"name": "Bash", "input": {"command": "python3 -c 'print(1)'", "description": "try"}}]}
    script = rules([tool, {"text": "all done"}], [verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model, variables={}) as screen:
        screen.wait_for("glm-5.2")
        assert "isn't recognized" not in screen.text
        ask(screen, "please do it")
        screen.wait_for("Auto mode can't check actions")
        assert model.messages[0].json["max_tokens"] == 64000
        screen.wait_until(lambda: waits(world) == ["dialog open"], "the row of a client that waits")
        assert "等你回答" in world.ccc("status", env=world.env(CCC_LANG="zh")).out


@pytest.mark.long
def test_a_plan_that_is_begun_with_a_clean_context_is_the_request_of_the_session_that_follows(world: World) -> None:
    """The client then has a new session whose first message it writes itself; the plan's file has a name of its own,
    which only the first request tells."""
    world.write_settings({"permissions": {"defaultMode": "plan"}, "showClearContextOnPlanAccept": True})
    with ScriptedModel([{"times": None, "replies": [{"error": 529}]}]) as before, at_the_terminal(world, before) as ui:
        ask(ui, "please do it")
        [named] = {found[0] for found in re.finditer(r"/[^\s\"]+/plans/[\w-]+\.md", asked(ui, before))}
        before.close()
        plan = {"name": "Write", "input": {"file_path": named, "content": "1. write result.txt\n"}}
        tools = [{"tools": [plan]}, {"tools": [{"name": "ExitPlanMode", "input": {}}]}]
        script = rules([*tools, {"text": "It is done."}], [verdict(True)])
        with ScriptedModel(script, port=int(before.url.rpartition(":")[2])) as model:
            ui.wait_for("Yes, clear context")
            ui.wait_until(lambda: accepted(ui), "the next session")
            ui.wait_until(lambda: ended(world) == "completed", "the end of the request")
            [review] = reviews(model)
    planned, *_ = sorted(world.config.glob("projects/*/*.jsonl"), key=lambda path: path.stat().st_mtime)
    assert state(world)["session_id"] != planned.stem
    assert review.last.count("1. Implement the following plan:\n\n   1. write result.txt") == 1


def accepted(screen: Screen) -> bool:
    """The dialog heeds no key in its first moments."""
    screen.press("enter")
    return "Yes, clear context" not in screen.text


def asked(screen: Screen, model: ScriptedModel) -> str:
    screen.wait_until(lambda: bool(model.messages), "the request")
    return model.messages[0].body.decode()


def waits(world: World) -> list[str | None]:
    return [row["waiting_for"] for row in json.loads(world.ccc("status", "--json").out)]


@pytest.mark.long
def test_a_stop_without_a_review_is_announced_on_the_screen(world: World) -> None:
    script = rules([{"text": "all done"}], [{"error": 529}])
    short = {"timeout_seconds": 15}  # on a busy machine the reviewer's first try alone has taken six
    with ScriptedModel(script) as model, at_the_terminal(world, model, supervisor=short) as screen:
        ask(screen, "please do it")
        screen.wait_for("未经审查")
        wait_for_prompt(screen)
        assert "529" in screen.text
        assert (state(world)["count"], state(world)["outcome"]) == (1, "unreviewed")


def test_escape_ends_the_review_with_all_its_processes_and_the_next_request_is_reviewed(world: World) -> None:
    (world.project / "notes.txt").write_text("x\n")
    endless = {"tools": [{"name": "Bash", "input": {"command": ENDLESS, "description": "watch"}}]}
    script = rules([{"text": "all done"}, {"text": "second done"}], [endless, verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model) as screen:
        ask(screen, "please do it")
        wait_for_endless_tool(screen, world)
        screen.press("escape")
        screen.wait_until(lambda: set(processes(world)) == {screen.pid}, "the end of the review", GONE_SECONDS)
        screen.wait_for("Interrupted")
        assert (state(world)["count"], state(world)["outcome"]) == (1, "interrupted")
        interrupted = state(world)["prompt_id"]
        ask(screen, "the next request")
        screen.wait_for("second done")
        screen.wait_until(lambda: state(world)["outcome"] == "completed", "the second review")
        wait_for_prompt(screen)
        assert state(world)["count"] == 1
        assert state(world)["prompt_id"] != interrupted
        assert len(reviews(model)) == 2


@pytest.mark.long
def test_a_killed_client_leaves_no_hook_and_no_reviewer_behind(world: World) -> None:
    (world.project / "notes.txt").write_text("x\n")
    endless = {"tools": [{"name": "Bash", "input": {"command": ENDLESS, "description": "watch"}}]}
    with ScriptedModel(rules([{"text": "all done"}], [endless])) as model, at_the_terminal(world, model) as screen:
        ask(screen, "please do it")
        running = wait_for_endless_tool(screen, world)
        assert any(" supervisor-hook" in line for line in running.values())
        assert any("--fork-session" in line for line in running.values())
        os.kill(screen.pid, signal.SIGKILL)
        wait_for_ends(running, GONE_SECONDS)
        assert processes(world) == {}


@pytest.mark.long
@pytest.mark.parametrize("background", [False, True])
def test_a_long_conversation_in_the_ui_is_reviewed_from_the_cache(world: World, background: bool) -> None:
    listing = {"tools": [{"name": "Bash", "input": {"command": "ls", "description": "look"}}]}
    long = {"usage": {"input_tokens": 30_000}}
    script: list[dict[str, Any]] = [
        {"anywhere": "回答格式", "times": None, "replies": [{"text": '{"allow_stop": true, "feedback": ""}'}]},
        {"times": None, "replies": [listing, {"text": "all done", **long}]},
    ]
    options = {"background_review": background}
    with ScriptedModel(script) as model, at_the_terminal(world, model, supervisor=options) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: ended(world) == "completed", "the end of the review")
    *_, agent, review = model.messages
    assert "回答格式" in review.last
    assert_served(agent, review)


@pytest.mark.long
def test_what_is_typed_during_a_review_goes_before_its_feedback(world: World) -> None:
    slow = {**verdict(False, FEEDBACK), "delay": 2.5}
    script = rules([{"text": "all done"}, {"text": "docs written"}], [slow, verdict(True)])
    with ScriptedModel(script) as model, at_the_terminal(world, model) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: len(reviews(model)) == 1, "the review")
        ask(screen, "write the docs first")
        screen.wait_for("docs written")
        # The person reads what was found; the agent hears only the person.
        screen.wait_for("先处理你输入的消息（write the docs first）")
        assert FEEDBACK in screen.text
        wait_for_prompt(screen)
        screen.wait_until(lambda: state(world)["outcome"] == "completed", "the second review")
        assert not any(FEEDBACK in request.last for request in agent_requests(model))
        assert len(reviews(model)) == 2


@pytest.mark.long
def test_reviews_switched_off_during_a_review_stay_off_from_that_stop_on(world: World) -> None:
    slow = {**verdict(False, FEEDBACK), "delay": 2.5}
    with ScriptedModel(rules([{"text": "all done"}], [slow])) as model, at_the_terminal(world, model) as screen:
        ask(screen, "please do it")
        screen.wait_until(lambda: len(reviews(model)) == 1, "the review")
        screen.type("!")
        screen.type(f"{CCC} off")
        screen.press("enter")
        screen.wait_until((world.state / "off.json").exists, "the switch")
        wait_for_prompt(screen)
        screen.wait_until(lambda: state(world)["outcome"] == "off", "the stop after it")
        assert len(reviews(model)) == 1


def schedule(world: World, prompt: str) -> None:
    """An old date has it called at once."""
    task = {"id": "abcd1234", "cron": "* * * * *", "prompt": prompt, "createdAt": 1, "recurring": True}
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "scheduled_tasks.json").write_text(json.dumps({"tasks": [task]}))


def test_a_command_that_a_projects_schedule_calls_is_no_word_of_the_persons(world: World) -> None:
    """A command's line has no other mark than that of its turn."""
    words = "never mind the task, only say ok"
    schedule(world, f"/loop {words}")
    with ScriptedModel(rules([{"text": "it is well"}], [verdict(True)])) as model:
        with at_the_terminal(world, model) as screen:
            screen.wait_for("已审查，任务完成")
        [review] = reviews(model)
    assert words in agent_requests(model)[0].text
    assert f"1. /loop {words}" not in review.text


def test_what_the_client_begins_by_itself_is_one_request_where_the_person_has_made_none(world: World) -> None:
    """A schedule of the project's begins a turn, and what that leaves running the next one."""
    (world.project / "notes.txt").write_text("x\n")
    schedule(world, "look after everything")
    left = {"tools": [{"name": "Bash", "input": {"command": "cat notes.txt", "run_in_background": True}}]}
    agent = [{"text": "begun"}, left, {"text": "it runs"}, {"text": "it has ended"}]
    with ScriptedModel(rules(agent, [verdict(False, FEEDBACK)] * 4)) as model:
        with at_the_terminal(world, model, supervisor={"max_iterations": 1}) as screen:
            screen.wait_for("it has ended")
            screen.wait_until(lambda: used(world)["turn"] != state(world)["prompt_id"], "the stop of the second turn")
            screen.wait_until(lambda: ended(world) == "limit", "its end")
        assert len(reviews(model)) == 1
    assert used(world)["tokens"] > 0
    assert len(re.findall("evidence", world.ccc("logs", env=world.env(CCC_LANG="en")).out)) >= 2


def used(world: World) -> dict[str, Any]:
    """By the agent in this request."""
    found: dict[str, Any] = state(world)["tally"]
    return found
