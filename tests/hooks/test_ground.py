"""Whose checks and switch count at a Stop, where the `.git` of the folder is another one than it was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.stops import Desk
from tests.world import Run, World

CHECK = {"command": "echo CHECKED; false", "timeout": 20}


@pytest.fixture
def desk(world: World) -> Desk:
    """A repository with a check, and a folder in it where the client was started."""
    desk = Desk(world).make()
    for name in (".git", "sub"):
        (world.project / name).mkdir()
    world.write_config({}, checks={str(world.project): [CHECK]}, supervisor={"gate": "off"})
    return desk


def stopped(desk: Desk, *, cwd: Path | None = None, **env: str) -> Run:
    return desk.stop("allow", env=env, cwd=str(cwd or desk.world.project / "sub"))


def is_checked(run: Run) -> bool:
    return "CHECKED" in (json.loads(run.out).get("reason", "") if run.out else "")


@pytest.mark.parametrize("handed", [True, False])
def test_a_repository_that_comes_changes_nothing(desk: Desk, handed: bool) -> None:
    """Handed over by the start; otherwise kept since the first Stop."""
    sub = desk.world.project / "sub"
    env = {"CLAUDE_PROJECT_DIR": str(sub)} | ({"CCC_PROJECT": str(desk.world.project)} if handed else {})
    assert handed or is_checked(stopped(desk, **env))
    (sub / ".git").mkdir()
    assert is_checked(stopped(desk, **env))
    assert ("root" in desk.state()) is not handed


def test_a_client_that_was_started_elsewhere_is_not_held_to_the_checks_of_the_one_above(desk: Desk) -> None:
    other = desk.world.root / "other"
    other.mkdir()
    env = {"CCC_PROJECT": str(desk.world.project), "CLAUDE_PROJECT_DIR": str(other)}
    assert not is_checked(stopped(desk, cwd=other, **env))
    assert desk.state()["root"] == str(other)


def test_off_that_the_person_says_in_the_folder_holds_whatever_project_that_is_by_now(desk: Desk) -> None:
    sub = desk.world.project / "sub"
    env = {"CCC_PROJECT": str(desk.world.project), "CLAUDE_PROJECT_DIR": str(sub)}
    (sub / ".git").mkdir()
    desk.world.warm("off", cwd=sub)
    assert not is_checked(stopped(desk, **env))
    assert desk.state()["outcome"] == "off"
    desk.world.warm("on", cwd=sub)
    assert is_checked(stopped(desk, **env))
    desk.world.warm("off", cwd=desk.world.project)
    assert not is_checked(stopped(desk, **env))


def test_a_project_that_was_taken_away_leaves_the_stop_unreviewed(desk: Desk) -> None:
    project, other = desk.world.project, desk.world.root / "other"
    env = {"CCC_PROJECT": str(project), "CLAUDE_PROJECT_DIR": str(project / "sub")}
    shutil.move(project, other)
    done = desk.hook(
        json.dumps(desk.event(cwd=str(other))).encode(), env=desk.env("allow", CCC_LANG="en", **env), cwd=other
    )
    assert "is gone, so its checks cannot be run" in done.out
    assert desk.state()["outcome"] == "unreviewed"


@pytest.mark.parametrize("started", [True, False])
def test_no_folder_that_the_agent_goes_to_is_where_the_checks_run(desk: Desk, started: bool) -> None:
    """One that looks like a worktree of the client's, with the folder of the start taken away."""
    sub, crafted = desk.world.project / "sub", desk.world.root / ".claude" / "worktrees" / "x"
    crafted.mkdir(parents=True)
    (crafted / "mended").touch()
    check = {"command": "echo CHECKED; test -f mended", "timeout": 20}
    desk.world.write_config({}, checks={str(desk.world.project): [check]}, supervisor={"gate": "off"})
    sub.rmdir()
    env = {"CCC_PROJECT": str(desk.world.project)} | ({"CLAUDE_PROJECT_DIR": str(sub)} if started else {})
    assert is_checked(stopped(desk, cwd=crafted, **env))
