"""Files of a project that nobody answers on: a pipe without a writer must not hold a Stop or a start."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.stops import ID, Desk, answered

EN = {"CCC_LANG": "en"}
SECONDS = 30  # far more than a Stop takes, far less than for ever


def common(project: Path) -> None:
    (project / "g").mkdir()
    (project / ".git").write_text("gitdir: g\n")
    os.mkfifo(project / "g" / "commondir")


def linked_common(project: Path) -> None:
    (project / "g").mkdir()
    (project / ".git").write_text("gitdir: g\n")
    os.mkfifo(project / "pipe")
    (project / "g" / "commondir").symlink_to("../pipe")


def pointer(project: Path) -> None:
    os.mkfifo(project / ".git")


def criteria(project: Path) -> None:
    os.mkfifo(project / "SUPERVISOR.md")


def settings(project: Path) -> None:
    (project / ".claude").mkdir()
    os.mkfifo(project / ".claude" / "settings.json")


PIPES = [common, linked_common, pointer, criteria, settings]


def stopped(desk: Desk) -> tuple[int, bytes]:
    """The hook's exit code and answer, or a failure when it hangs."""
    hook = desk.start("allow", env=EN)
    try:
        out, _ = hook.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        hook.kill()
        raise
    return hook.returncode, out


@pytest.mark.parametrize("plant", PIPES)
def test_a_pipe_in_the_project_holds_no_stop(desk: Desk, plant: Callable[[Path], None]) -> None:
    plant(desk.world.project)
    code, out = stopped(desk)
    assert (code, answered(out)) in ((0, ""), (0, "told"))
    assert desk.state()["outcome"] in ("completed", "unreviewed")


@pytest.mark.parametrize("plant", [common, linked_common])
def test_a_stop_that_a_pipe_leaves_unreviewed_is_told_with_the_pipe(desk: Desk, plant: Callable[[Path], None]) -> None:
    plant(desk.world.project)
    _, out = stopped(desk)
    assert "commondir is not as git writes it" in json.loads(out)["systemMessage"]
    assert desk.state(ID)["outcome"] == "unreviewed"


@pytest.mark.parametrize("plant", PIPES)
@pytest.mark.parametrize("words", [(), ("--supervisor", "--mode", "hooks")], ids=["one file", "two files"])
def test_a_pipe_in_the_project_holds_no_start(desk: Desk, plant: Callable[[Path], None], words: tuple[str]) -> None:
    plant(desk.world.project)
    env = desk.env("allow", CCC_SUPERVISOR="1", **EN)
    done = subprocess.run(
        desk.world.command(*words, "-p", "hello"), env=env, cwd=desk.world.project, capture_output=True, timeout=SECONDS
    )
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr
