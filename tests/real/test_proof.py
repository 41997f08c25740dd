"""Proof before praise, with the real client: what costs nothing decides before what costs money."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import reviews, rules, supervised, verdict
from tests.world import World

FINE = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return 3 * x\n"


def write(name: str, content: str) -> dict[str, Any]:
    return {"tools": [{"name": "Write", "input": {"file_path": name, "content": content}}]}


def bash(command: str) -> dict[str, Any]:
    return {"tools": [{"name": "Bash", "input": {"command": command, "description": "x"}}]}


CASE = "class T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(double(2), 4)\n"
TEST = write("test_double.py", f"import unittest\nfrom double import double\n\n\n{CASE}")
RUN = bash("python3 -m unittest -q")


@pytest.mark.spec("P3")
def test_an_agent_that_only_asks_is_told_to_start_without_a_review(world: World) -> None:
    agent = [
        {"text": "Shall I use a loop or recursion? Should I start?"},
        write("double.py", FINE),
        bash("python3 double.py"),
        {"text": "done"},
    ]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="Write double.py with a function double(x).")
    assert "only asked" in seen.feedback[0]
    assert "Start now: look at the files concerned" in seen.feedback[0]
    assert len(seen.feedback) == 1
    assert len(reviews(model)) == 1
    assert seen.state["gates"] == ["P3"]
    assert (seen.state["count"], seen.state["outcome"]) == (2, "completed")


@pytest.mark.spec("P4")
def test_code_that_nobody_ran_is_sent_back_without_a_review(world: World) -> None:
    agent = [write("double.py", FINE), {"text": "done"}, bash("python3 double.py"), {"text": "ran it"}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="写 double.py，里面有函数 double(x)。")
    assert "double.py" in seen.feedback[0]
    assert "没有验证" in seen.feedback[0]  # in the language of the request
    assert "请运行与这些改动相应的测试或构建（以项目自己的为准，例如 `python -m pytest`）" in seen.feedback[0]
    assert len(reviews(model)) == 1
    assert seen.state["gates"] == ["P4"]


def test_a_command_of_the_projects_is_a_request_though_the_client_had_one_of_that_name(world: World) -> None:
    commands = world.project / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "todos.md").write_text("Write double.py: $ARGUMENTS\n")
    agent = [write("double.py", FINE), {"text": "done"}, bash("python3 double.py"), {"text": "ran it"}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="/todos with a function double(x)")
    [review] = reviews(model)
    assert seen.state["gates"] == ["P4"]
    assert "1. /todos with a function double(x)" in review.text.rpartition("## Facts from ccc")[2]


@pytest.mark.spec("P5")
def test_a_failed_test_that_nobody_mended_is_sent_back_without_a_review(world: World) -> None:
    agent = [
        write("double.py", WRONG),
        TEST,
        RUN,
        {"text": "The test fails, but the work is done."},
        write("double.py", FINE),
        RUN,
        {"text": "Fixed; the test passes."},
    ]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="Write double.py with a function double(x) and a test for it.")
    assert "python3 -m unittest -q" in seen.feedback[0]
    assert "Find the cause, fix it, run it again until it passes." in seen.feedback[0]
    assert len(reviews(model)) == 1
    assert (seen.state["gates"], seen.state["outcome"]) == (["P5"], "completed")


@pytest.mark.spec("P6")
def test_work_that_was_done_tested_and_told_is_allowed_to_stop_at_once(world: World) -> None:
    agent = [write("double.py", FINE), TEST, RUN, {"text": "Written and tested: OK."}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="Write double.py with a function double(x) and a test for it.")
    assert seen.feedback == []
    assert (seen.state["count"], seen.state["outcome"]) == (1, "completed")
    told = reviews(model)[0].last
    assert "python3 -m unittest -q" in told
    assert "通过" in told


def test_each_rule_speaks_once_and_then_the_reviewer_decides(world: World) -> None:
    agent = [write("double.py", FINE), {"text": "done"}, {"text": "I will not run it."}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="Write double.py with a function double(x).")
    assert len(seen.feedback) == 1
    assert len(reviews(model)) == 1


def test_with_the_gate_off_the_reviewer_decides(world: World) -> None:
    agent = [write("double.py", FINE), {"text": "done"}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="Write double.py with a function double(x).", supervisor={"gate": "off"})
    assert seen.feedback == []
    assert len(reviews(model)) == 1


def test_a_failing_check_blocks_without_a_request_and_passing_it_ends(world: World) -> None:
    check = {str(world.project): [{"command": "echo CHECKED; test -f done.txt", "timeout": 20}]}
    agent = [{"text": "done"}, bash("touch done.txt"), {"text": "now it is there"}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="what is this?", checks=check)
    assert "test -f done.txt" in seen.feedback[0]
    assert "exit code 1" in seen.feedback[0]
    assert seen.feedback[0].endswith("CHECKED")
    assert len(seen.feedback) == 1
    assert len(reviews(model)) == 1
    assert "test -f done.txt" in reviews(model)[0].last
    assert seen.state["outcome"] == "completed"


@pytest.mark.parametrize("how", ["same words", "marked unchanged", "says so"])
def test_a_reviewer_that_repeats_itself_ends_with_the_human_after_two(world: World, how: str) -> None:
    second = {
        "same words": verdict(False, "Run  the TESTS."),
        "marked unchanged": verdict(False, "The tests still have not run.", unchanged=True),
        "says so": verdict(False, "Which account?", needs_human=True),
    }[how]
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, "run the tests."), second, verdict(True)])) as model:
        seen = supervised(world, model)
    assert len(reviews(model)) == 2
    assert seen.state["outcome"] == "needs_human"
    assert any("this needs you" in json.dumps(event) for event in seen.events)


@pytest.mark.long
def test_a_repeated_finding_goes_on_while_the_agent_works_at_it(world: World) -> None:
    agent = [{"text": "done"}, bash("true"), {"text": "tried"}]
    with ScriptedModel(rules(agent, [verdict(False, "again"), verdict(False, "again"), verdict(True)])) as model:
        seen = supervised(world, model)
    assert seen.state["outcome"] == "completed"
    assert len(reviews(model)) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("cap", "reason"), [({"max_cost_usd": 0.01}, "of $0.01 spent"), ({"max_tokens": 1000}, "of 1000 tokens used")]
)
def test_a_small_budget_ends_as_limit(world: World, cap: dict[str, object], reason: str) -> None:
    usage = {"input_tokens": 400, "output_tokens": 20}
    agent = [{"text": f"done {n}", "usage": usage} for n in range(12)]
    complaints = [
        {**verdict(False, f"complaint {n}"), "usage": {"input_tokens": 500, "output_tokens": 50}} for n in range(12)
    ]
    with ScriptedModel(rules(agent, complaints)) as model:
        seen = supervised(world, model, supervisor=cap)
    assert seen.state["outcome"] == "limit"
    assert reason in seen.state["reason"]
    assert 1 <= len(reviews(model)) < 9


def test_the_time_of_a_request_is_capped(world: World) -> None:
    agent = [{"text": "done", "delay": 1.5}]
    with ScriptedModel(rules(agent, [verdict(False, "more")])) as model:
        seen = supervised(world, model, supervisor={"max_minutes": 0.01})
    assert (seen.state["outcome"], len(reviews(model))) == ("limit", 0)
    assert "minutes used" in seen.state["reason"]


@pytest.mark.long
def test_the_persons_word_holds_from_the_very_next_stop(world: World) -> None:
    agent = [bash("ccc off"), {"text": "done"}]
    from tests.world import CCC

    with ScriptedModel(rules(agent, [verdict(False, "never")])) as model:
        seen = supervised(world, model, env={"PATH": f"{CCC.parent}:/usr/bin:/bin"})
        assert (seen.state["outcome"], len(reviews(model))) == ("off", 0)
        world.ccc("on")
        again = supervised(world, model, "--resume", seen.session_id, supervisor={"max_iterations": 1})
    assert len(reviews(model)) > 0
    assert again.state["outcome"] in ("limit", "needs_human")


@pytest.mark.long
def test_each_block_tells_where_things_stand_when_that_is_wanted(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, "a"), verdict(False, "b"), verdict(True)])) as model:
        seen = supervised(world, model, supervisor={"notify": True, "max_iterations": 2})
    told = json.dumps(seen.events)
    assert "sent back, 1/2; to switch reviews off: ! ccc off" in told
    assert "sent back for the last time (2 of 2 reviews used)" in told


def test_the_outcome_reaches_the_command_of_the_person(world: World) -> None:
    out = world.root / "outcome.json"
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        seen = supervised(world, model, supervisor={"on_outcome": f"cat > {out}"})
    told = json.loads(out.read_text())
    assert (told["outcome"], told["session_id"], told["provider"]) == ("completed", seen.session_id, "glm")


def test_a_check_that_cannot_run_is_the_persons_to_mend_and_the_reviewer_still_decides(world: World) -> None:
    check = {str(world.project): [{"command": "nosuchcommand --all"}, {"command": "true"}]}
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, "Run it."), verdict(True)])) as model:
        seen = supervised(world, model, prompt="what is this?", checks=check)
    assert seen.feedback == ["Stop hook feedback:\nRun it."]
    assert "nosuchcommand --all" in reviews(model)[0].last
    told = json.dumps(seen.events)
    assert "the check `nosuchcommand --all` cannot be run here (exit code 127: " in told
    assert "ccc checks remove 'nosuchcommand --all'" in told
    assert (seen.state["count"], seen.state["outcome"]) == (2, "unreviewed")


def test_checks_run_in_the_worktree_that_the_agent_has_entered_and_in_the_project(world: World) -> None:
    repository(world)
    tree = world.project / ".claude" / "worktrees" / "tree"
    enters = {"tools": [{"name": "EnterWorktree", "input": {"name": "tree"}}]}
    agent = [enters, bash("rm good"), {"text": "done"}, bash(f"touch good; rm {world.project}/good"), {"text": "done"}]
    mends = [bash(f"touch {world.project}/good"), {"text": "done now"}]
    check = {str(world.project): [{"command": "test -e good"}]}
    with ScriptedModel(rules([*agent, *mends], [verdict(True)])) as model:
        seen = supervised(world, model, prompt="what is this?", checks=check)
    assert [line.partition(";")[0] for line in seen.feedback] == [
        f"Stop hook feedback:\nccc ran the check `test -e good` in {place}" for place in (tree, world.project)
    ]
    [review] = reviews(model)
    for place in (tree, world.project):
        assert f"ccc 自己在 {place} 里运行并通过：`test -e good`" in review.last
    assert seen.state["outcome"] == "completed"
    told = world.ccc("logs", env=world.env(CCC_LANG="en")).out
    assert all(f"passed · test -e good · {place} · " in told for place in (tree, world.project))


def repository(world: World) -> None:
    """With a file in its first commit."""
    (world.project / "good").touch()
    for words in (("init", "-q"), ("add", "good"), ("commit", "-qm", "x")):
        git = ("git", "-c", "user.name=x", "-c", "user.email=x@localhost", *words)
        subprocess.run(git, cwd=world.project, env=world.env(), check=True, capture_output=True)


def test_the_same_failure_of_a_check_with_nothing_done_about_it_ends_with_the_human(world: World) -> None:
    check = {str(world.project): [{"command": "echo it took $$ ms; false"}]}
    agent = [{"text": "done"}, bash("true"), {"text": "tried"}, {"text": "It is not my fault."}]
    with ScriptedModel(rules(agent, [verdict(True)])) as model:
        seen = supervised(world, model, prompt="what is this?", checks=check)
    assert len(seen.feedback) == 2
    assert (seen.state["count"], seen.state["outcome"]) == (3, "needs_human")
    assert any("this needs you" in json.dumps(event) for event in seen.events)
