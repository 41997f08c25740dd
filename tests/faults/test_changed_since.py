"""What an agent of the fleet leaves running changes its folder while it is reviewed, or once it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.fleet_world import RAN, Fleet
from tests.real.test_pty_mode import DONE, REVIEWER, bash
from tests.world import World, provider

pytestmark = pytest.mark.timeout(90)
# Waits for the verdict in ccc's own memory of the session.
COMMIT = "git -c user.name=a -c user.email=a@b commit -qam"
LEFT = """
setsid sh -c 'exec >/dev/null 2>&1 </dev/null; for i in $(seq 1500); do
if grep -qs completed $HOME/.claude/ccc/supervisor-'$CLAUDE_CODE_SESSION_ID'.json; then {act}; exit; fi; sleep .01
done' & echo work > work; echo """


@pytest.fixture
def fleet(world: World) -> Iterator[Fleet]:
    made = Fleet(world)
    yield made
    assert made.nobody_is_left()


def rules(command: str, reviewer: list[dict[str, object]]) -> list[dict[str, object]]:
    said = {"last": RAN, "times": None, "replies": [{"text": "It is done and was run."}]}
    work = {"anywhere": "Do zebu.", "times": None, "replies": [bash(command)]}
    return [{**REVIEWER, "times": None, "replies": reviewer}, said, work]


def ended(fleet: Fleet, command: str, *reviewer: dict[str, object]) -> dict[str, str]:
    with ScriptedModel(rules(command, [*reviewer, DONE])) as model:
        fleet.make(model)
        fleet.world.write_config({"glm": provider(model.url)}, fleet={"slots": 1})
        fleet.add("zebu")
        fleet.drained()
    return fleet.tasks()["zebu"]


def names(fleet: Fleet, ref: str) -> list[str]:
    return fleet.git("ls-tree", "-r", "--name-only", ref).split()


def test_a_file_that_came_after_the_verdict_is_not_what_was_completed(fleet: Fleet) -> None:
    task = ended(fleet, LEFT.format(act="echo evil > broken") + RAN)
    kept = f"refs/ccc/astray/{task['branch']}"
    assert names(fleet, task["branch"]) == ["SUPERVISOR.md", "work"]
    assert names(fleet, kept) == ["SUPERVISOR.md", "broken", "work"]
    why = f"broken came during the review: not on {task['branch']}, but kept as {kept}"
    assert (task["outcome"], task["why"]) == ("completed", why)
    assert task["commit"] == fleet.git("rev-parse", task["branch"])
    assert "broken came during the review" in fleet.ccc("status", COLUMNS="160").out
    assert fleet.ccc("clean", "--all", "--yes").code == 0
    assert (task["commit"], "evil") == (fleet.git("rev-parse", task["branch"]), fleet.git("show", f"{kept}:broken"))


@pytest.mark.parametrize("act", ["echo evil > work", "rm work", f"echo evil > work; {COMMIT} evil"])
def test_work_that_changed_after_the_verdict_needs_a_person(fleet: Fleet, act: str) -> None:
    task = ended(fleet, LEFT.format(act=act) + RAN)
    assert task["outcome"] == "needs_human"
    assert task["why"].startswith(f"work changed during the review: {task['branch']} has what was reviewed")
    assert fleet.file(task, "work") == "work"
    assert fleet.git("rev-parse", task["branch"]) == task["commit"]


def test_a_commit_after_the_verdict_is_not_on_the_branch_though_it_was_taken_back(fleet: Fleet) -> None:
    act = f"git add work; echo evil > work; {COMMIT} evil; echo work > work; {COMMIT} back"
    task = ended(fleet, LEFT.format(act=act) + RAN)
    assert (task["outcome"], task["why"].partition(" came")[0]) == ("completed", "a commit")
    assert fleet.git("log", "--format=%s", f"main..{task['branch']}") == "Do zebu."


def test_what_a_reviewer_makes_that_git_ignores_or_that_is_new_leaves_the_work_completed(fleet: Fleet) -> None:
    tried = bash("mkdir cache; echo x > cache/x; echo x > new; echo tried")
    task = ended(fleet, f"echo cache > .gitignore; echo work > work; echo {RAN}", tried)
    assert task["outcome"] == "completed"
    assert names(fleet, task["branch"]) == [".gitignore", "SUPERVISOR.md", "work"]


@pytest.mark.parametrize("commits", [True, False])
def test_a_repository_in_the_folder_needs_a_person_and_stays_until_it_is_elsewhere(
    fleet: Fleet, *, commits: bool
) -> None:
    made = "git init -q app; (cd app; echo own > own; git add own; {commit})"
    command = made.format(commit=f"{COMMIT} own" if commits else "true")
    task = ended(fleet, command + LEFT.format(act="echo evil > app/own") + RAN)
    [app] = fleet.world.home.glob(f".local/state/ccc-fleet/{task['id']}/app")
    why = f"app in {app.parent} counts as a repository of its own, so what is in it is not on {task['branch']}"
    assert (task["outcome"], task["why"]) == ("needs_human", f"{why}: move it elsewhere")
    assert names(fleet, task["branch"]) == ["SUPERVISOR.md", "work"]
    assert f"{task['id']} stays: {why}" in fleet.ccc("clean", "--all", "--yes").out
    app.rename(fleet.world.root / "app")
    assert "1 tasks removed" in fleet.ccc("clean", "--all", "--yes").out
    assert not app.parent.exists()
