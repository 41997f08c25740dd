"""The main stories of hooks mode with the client that CCC_TEST_CLIENT names; every version has the same outcome."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ccc.claude import commandline, program
from ccc.claude.commandline import Judge
from ccc.trial.scripted import Request, ScriptedModel
from tests.machine import ORDINARY
from tests.real.hooks_world import AGENT, REVIEWER, Supervised, supervised, verdict
from tests.world import World, provider

# Read here, because every test has a clean environment.
CLIENT = Path(os.environ["CCC_TEST_CLIENT"])
NODE = Path(shutil.which("node") or "/usr/bin/node")
ENV = {"CCC_CLAUDE": str(CLIENT), "PATH": f"{NODE.parent}:{os.defpath}"}

pytestmark = pytest.mark.timeout(300)  # 2.0.76 takes seconds to start
FEEDBACK = "运行 pytest 并修复失败的测试"
REVIEWS = 1  # the rule in `script` that answers a reviewer


def script(agent: Sequence[Mapping[str, Any]], reviewer: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    # Up to 2.1.100 the client asks once more when it has the structured answer, and 2.0 warms up models without tools.
    last_words = {
        **REVIEWER,
        "last": "Structured output provided",
        "times": None,
        "replies": [{"text": "That is all."}],
    }
    return [
        last_words,
        {**REVIEWER, "times": None, "replies": list(reviewer)},
        {**AGENT, "tool": "Bash", "times": None, "replies": list(agent)},
    ]


def reviews(model: ScriptedModel) -> list[Request]:
    return [request for request in model.messages if request.rule == REVIEWS]


def run(world: World, model: ScriptedModel, *args: str, **config: Any) -> Supervised:
    return supervised(world, model, *args, env=ENV, **config)


def test_the_agent_is_sent_back_once_and_then_allowed_to_stop(world: World) -> None:
    agent = [{"text": "done"}, {"text": "now really"}]
    with ScriptedModel(script(agent, [verdict(False, FEEDBACK), verdict(True)])) as model:
        seen = run(world, model)
    assert seen.run.code == 0
    assert seen.feedback == [f"Stop hook feedback:\n{FEEDBACK}"]
    assert seen.events[-1]["result"] == "now really"
    assert len(reviews(model)) == 2
    assert (seen.state["count"], seen.state["outcome"]) == (2, "completed")


def test_an_agent_that_has_gone_to_another_folder_is_reviewed(world: World) -> None:
    gone = {"tools": [{"name": "Bash", "input": {"command": "mkdir -p sub && cd sub", "description": "go"}}]}
    with ScriptedModel(script([gone, {"text": "done"}], [verdict(True)])) as model:
        seen = run(world, model, "--dangerously-skip-permissions")
    assert (len(reviews(model)), seen.state["outcome"]) == (1, "completed"), seen.run.err
    assert "done" in reviews(model)[0].text


def test_in_pty_mode_it_is_the_same_on_a_terminal_that_opens_for_nobody_else(world: World) -> None:
    reviewer = {"system": "[TASK_COMPLETED]", "times": None}
    answers = [{"text": FEEDBACK}, {"text": "All is well.\n\n[TASK_COMPLETED]"}]
    agent = {**AGENT, "tool": "Bash", "times": None, "replies": [{"text": "done"}, {"text": "now really"}]}
    with ScriptedModel([{**reviewer, "replies": answers}, agent]) as model:
        world.write_config({"glm": provider(model.url)})
        (world.project / "SUPERVISOR.md").write_text("The work must be tested.\n")
        argv = (*ORDINARY, *world.command("--supervisor", "glm", "--", "do it"))
        told = world.env(**ENV, CCC_LANG="en")
        done = subprocess.run(argv, env=told, cwd=world.project, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert b"now really" in done.stdout
    assert b"[completed]" in done.stdout
    assert FEEDBACK in [request.last for request in model.messages if request.rule == 1][1]


def test_ccc_has_a_key_that_its_client_is_started_without(world: World) -> None:
    said, key = world.root / "said", "sk-of-kimi-0123456789"
    look = f"tr '\\0' '\\n' < /proc/$PPID/environ > {said}; echo \"told: $KIMI_API_KEY\" >> {said}"
    agent = [{"tools": [{"name": "Bash", "input": {"command": look}}]}, {"text": "done"}]
    with ScriptedModel(script(agent, [verdict(True)])) as model:
        known = {"glm": provider(model.url, "${GLM_API_KEY}"), "kimi": provider(model.url, "${KIMI_API_KEY}")}
        world.write_config(known)
        keys = {"GLM_API_KEY": "sk-of-glm-0123456789", "KIMI_API_KEY": key}
        seen = supervised(world, model, env={**ENV, **keys})
    assert (seen.state["count"], seen.state["outcome"]) == (1, "completed")
    *environ, told = said.read_text().splitlines()
    assert any(line.startswith("CCC_KEPT=") for line in environ)
    assert not any(key in line for line in environ)
    assert told == f"told: {key}"


def test_a_reviewer_that_is_never_satisfied_ends_after_ten(world: World) -> None:
    agent = [{"text": f"done {n}"} for n in range(12)]
    complaints = [verdict(False, f"complaint {n}") for n in range(1, 13)]
    with ScriptedModel(script(agent, complaints)) as model:
        seen = run(world, model)
    assert len(reviews(model)) == 10
    assert [text.split("\n")[1] for text in seen.feedback] == [f"complaint {n}" for n in range(1, 11)]
    assert (seen.state["count"], seen.state["outcome"]) == (10, "limit")


def test_an_overloaded_reviewer_leaves_the_stop_unreviewed_and_the_next_start_says_so(world: World) -> None:
    # After an API error 2.0 asks its model for the structured answer again, for ever: there the deadline ends it.
    with ScriptedModel(script([{"text": "done"}], [{"error": 529}])) as model:
        seen = run(world, model, supervisor={"timeout_seconds": 20 if "2.0." in str(CLIENT) else 120})
    assert seen.feedback == []
    assert seen.events[-1]["result"] == "done"
    assert (seen.state["count"], seen.state["outcome"]) == (1, "unreviewed")
    after = world.ccc("glm", "--version", env=world.env(CCC_SUPERVISOR="1", **ENV))
    assert "was not reviewed" in after.err
    assert "529" in seen.state["reason"] or after.out.startswith("2.0.")


def test_the_persons_own_stop_hook_runs_for_the_agent_alone_and_nobody_reviews_the_reviewer(world: World) -> None:
    stops = world.root / "stops"
    witness = f"echo ${{CCC_SUPERVISOR_HOOK:-agent}} >> {stops}"
    world.write_settings({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": witness}]}]}})
    with ScriptedModel(script([{"text": "done"}], [verdict(True)])) as model:
        seen = run(world, model)
    assert stops.read_text().split() == ["agent"]
    assert seen.log.count("supervisor-hook invoked") == 1
    assert len(reviews(model)) == 1
    assert [path.name for path in world.state.glob("supervisor-*.json")] == [seen.state_path.name]


def test_the_reviewer_sees_the_conversation_and_may_not_edit(world: World) -> None:
    planted = [
        world.project / "planted",
        world.home / "planted",
        world.project / "redirected",
        world.project / "touched",
    ]
    tries = [
        *({"name": "Write", "input": {"file_path": str(path), "content": "x"}} for path in planted[:2]),
        {"name": "Bash", "input": {"command": f"echo x > {planted[2]}; ls", "description": "x"}},
        {"name": "Bash", "input": {"command": f"touch {planted[3]}", "description": "x"}},
    ]
    reviewer = [*({"tools": [tool]} for tool in tries), verdict(True)]
    with ScriptedModel(script([{"text": "my last words"}], reviewer)) as model:
        seen = run(world, model)
    assert "my last words" in reviews(model)[0].text
    assert not any(path.exists() for path in planted)
    assert seen.state["outcome"] == "completed"


def test_a_new_request_counts_anew_where_the_client_tells_requests_apart(world: World) -> None:
    with ScriptedModel(script([{"text": "done"}], [verdict(False, "a"), verdict(True)])) as model:
        first = run(world, model)
        again = run(world, model, "--resume", first.session_id)
    assert again.session_id == first.session_id
    assert again.state["count"] == (1 if again.state.get("prompt_id") else 3)


def test_the_two_file_layout_works_and_leaves_the_users_settings_alone(world: World) -> None:
    mine = world.write_settings({"theme": "dark"})
    before = mine.read_bytes()
    agent = [{"text": "done"}, {"text": "really"}]
    with ScriptedModel(script(agent, [verdict(False, FEEDBACK), verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)})
        command = ("--supervisor", "--mode", "hooks", "glm", "-p", "hi", "--output-format", "json")
        done = world.ccc(*command, env=world.env(**ENV))
    assert json.loads(done.out)["result"] == "really"
    assert len(reviews(model)) == 2
    assert mine.read_bytes() == before
    assert "hooks" in json.loads((world.config / "settings-glm.json").read_text())
    assert "hooks" not in json.loads((world.config / "settings-glm-supervisor.json").read_text())


def test_no_flag_is_sent_that_this_client_does_not_name_in_its_help(world: World) -> None:
    known = program.abilities(CLIENT, world.root / "clients.json", world.env(**ENV)).flags
    judge = Judge("id", "judge", schema="{}", model="m", permission_mode="default", settings=str(world.root / "s.json"))
    argv = commandline.reviewer_command(CLIENT, judge, known)
    sent = [word.partition("=")[0] for word in argv[: argv.index("--")] if word.startswith("--")]
    assert set(sent) <= set(known)
    assert "--disallowedTools" in sent


def test_the_file_of_a_provider_leads_no_login_to_it(world: World) -> None:
    """A process that gets the file and not the environment, such as a teammate's in a pane of its own."""
    login = {"accessToken": "sk-ant-oat01-x", "refreshToken": "r", "expiresAt": 2**42, "scopes": ["user:inference"]}
    (world.config / ".credentials.json").write_text(json.dumps({"claudeAiOauth": login}))
    with ScriptedModel(script([{"text": "done"}], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)})
        world.ccc("--supervisor", "--mode", "hooks", "glm", "-p", "hi", env=world.env(**ENV))
        assert {request.token for request in model.messages} == {"token"}
        words = (str(CLIENT), "--settings", str(world.config / "settings-glm.json"), "-p", "hi")
        subprocess.run(words, env=world.env(**ENV), cwd=world.project, stdin=subprocess.DEVNULL, check=False)
    assert not any(login["accessToken"] in value for each in model.requests for value in each.headers.values())
