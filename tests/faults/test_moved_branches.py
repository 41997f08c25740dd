"""Agents of the fleet that write into the repository they share: what was completed is what is gone on from."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.fleet_world import RAN, Fleet, commands_of, script
from tests.real.test_pty_mode import bash
from tests.stops import eventually
from tests.world import World

pytestmark = pytest.mark.timeout(300)
AS_SOMEBODY = "git -c user.name=a -c user.email=a@b"
# A commit on top of what stands there, or beside it, with a file that no reviewer saw.
EVIL = f"""
echo evil > evil.txt; git add evil.txt; tree=$(git write-tree); git reset -q evil.txt; rm evil.txt
evil=$({AS_SOMEBODY} commit-tree -m 'reviewed work' $tree)
"""
MOVE = f"{EVIL} for ref in $(git for-each-ref --format='%(refname)' 'refs/heads/ccc/alpha-*')"
MOVE += "; do git replace $(git rev-parse $ref) $evil; git update-ref $ref $evil; done"
ORPHAN = f"git checkout -q --orphan x; echo work > work.txt; {AS_SOMEBODY} add work.txt; {AS_SOMEBODY} commit -qm w"
PIPE = "d=$(git rev-parse --path-format=absolute --git-common-dir)/worktrees/aaa; mkdir $d; mkfifo $d/gitdir"


@pytest.fixture
def fleet(world: World) -> Iterator[Fleet]:
    made = Fleet(world)
    yield made
    assert made.nobody_is_left()


def does(name: str, command: str) -> dict[str, object]:
    return {"anywhere": f"Do {name}.", "times": None, "replies": [bash(f"{command}; echo {RAN}")]}


def rules(*work: dict[str, object]) -> list[dict[str, object]]:
    return [*script(()), *work]


def test_what_comes_after_begins_with_the_sealed_commit_and_a_branch_that_was_moved_is_told(fleet: Fleet) -> None:
    # The client shows its agent the last commits, so the words of the first task are in the conversation of the third.
    work = (does("charlie", "ls > seen"), does("bravo", MOVE), does("alpha", "echo alpha > work-alpha"))
    remote = fleet.world.root / "remote.git"
    with ScriptedModel(rules(*work)) as model:
        fleet.make(model)
        fleet.git("clone", "-q", "--bare", ".", str(remote))
        fleet.git("remote", "add", "origin", str(remote))
        fleet.add("alpha", keys={"push": True})
        fleet.add("bravo")
        fleet.add("charlie", keys={"after": "alpha", "push": True})
        worker = fleet.start("--drain", "--slots", "1")
        assert worker.wait() == 1, fleet.log
        tasks = fleet.tasks()
        alpha = tasks["alpha"]
        assert (alpha["state"], alpha["outcome"]) == ("ended", "needs_human")
        assert alpha["why"].startswith("its branch was moved since")
        assert [tasks[name]["outcome"] for name in ("bravo", "charlie")] == ["completed", "completed"]
        assert fleet.file(tasks["charlie"], "seen").split() == ["SUPERVISOR.md", "seen", "work-alpha"]
        assert fleet.git("--git-dir", str(remote), "rev-parse", alpha["branch"]) == alpha["commit"]
        back = f"git update-ref refs/heads/{alpha['branch']} {alpha['commit']}"
        assert back in fleet.log
        shown = fleet.ccc("status").out
        assert shown.splitlines()[1].split()[:3] == [alpha["id"], "needs", "you"]
        assert "completed 2" in shown
        page = fleet.world.root / "page.html"
        assert fleet.ccc("report", "-o", str(page)).code == 0
        assert "its branch was moved since" in page.read_text()
        subprocess.run(back.split(), cwd=fleet.world.project, env=fleet.env(), check=True)
        assert fleet.tasks()["alpha"]["outcome"] == "completed"


def test_work_that_is_on_another_branch_is_not_completed_and_not_lost(fleet: Fleet) -> None:
    with ScriptedModel(rules(does("charlie", "ls > seen"), does("bravo", ORPHAN))) as model:
        fleet.make(model)
        fleet.add("bravo")
        fleet.add("charlie", keys={"after": "bravo"})
        assert fleet.start("--drain", "--slots", "1").wait() == 5, fleet.log  # what is left needs a person
        tasks = fleet.tasks()
    assert (tasks["bravo"]["outcome"], tasks["charlie"]["state"]) == ("needs_human", "waiting")
    kept = f"refs/ccc/astray/{tasks['bravo']['branch']}"
    assert tasks["bravo"]["why"] == f"what was done last is not on {tasks['bravo']['branch']}, but kept as {kept}"
    assert fleet.git("show", f"{kept}:work.txt") == "work"


def test_a_branch_that_another_agent_made_for_a_task_is_not_begun_with(fleet: Fleet) -> None:
    with ScriptedModel(rules(does("charlie", "ls > seen"))) as model:
        fleet.make(model)
        [id_] = fleet.add("charlie")
        fleet.git("branch", f"ccc/{id_}", fleet.git("commit-tree", "-p", "HEAD", "-m", "x", "HEAD^{tree}"))
        fleet.drained()
        [task] = fleet.tasks().values()
        assert task["outcome"] == "needs_human"
        assert "is there already, and this task has not begun" in task["why"]
        fleet.git("branch", "-D", f"ccc/{id_}")
        assert fleet.ccc("retry", id_).code == 0
        fleet.drained()
        [task] = fleet.tasks().values()
        assert task["outcome"] == "completed"


def test_a_pipe_among_gits_worktrees_holds_no_worker(fleet: Fleet) -> None:
    with ScriptedModel(rules(does("bravo", PIPE), does("charlie", "echo x > c"))) as model:
        fleet.make(model)
        fleet.add("bravo", "charlie")
        fleet.drained("--slots", "1")
        told = {name: (task["outcome"], task["why"]) for name, task in fleet.tasks().items()}
    assert {outcome for outcome, _ in told.values()} == {"failed"}
    assert all("worktrees/aaa/gitdir is not a plain file; move it away" in why for _, why in told.values())


def test_a_git_that_waits_for_a_pipe_ends_with_its_worker(fleet: Fleet) -> None:
    """Deeper down nobody looks before git does."""
    with ScriptedModel(rules(does("bravo", "mkdir sub; mkfifo sub/.gitignore"))) as model:
        fleet.make(model)
        fleet.add("bravo")
        worker = fleet.start("--slots", "1")
        folder = fleet.world.home / ".local" / "state" / "ccc-fleet"
        assert eventually(lambda: any(folder.glob("*/sub/.gitignore")), 20), fleet.log
        assert eventually(lambda: any(" ls-files --others" in line for line in commands_of(fleet)), 20)
        worker.terminate()
        assert worker.wait() == 0
        [task] = fleet.tasks().values()
        assert task["state"] == "waiting"
