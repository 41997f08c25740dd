"""Disks and users as they are: what ccc does where its files can be written no more, or are somebody else's."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import machine
from tests.machine import Fault
from tests.stops import Desk, answered, told
from tests.world import Run

Tell = Callable[[str, object], None]
# Whoever is about to write finds no room, or no leave.
UNWRITABLE = (
    Fault("a full disk", machine.full, "fsync,linkat,rename,mkdir:error=ENOSPC"),
    Fault("a read-only disk", machine.read_only, "linkat,rename,mkdir,unlink,fsync:error=EROFS"),
)
STATE = (*UNWRITABLE, Fault("somebody else's folder", machine.somebody_elses, "geteuid:retval=4242"))
USERS = {"model": "opus", "permissions": {"deny": ["Bash(rm *)"]}}


def begun_with(desk: Desk, prefix: tuple[str, ...], *words: str, stdin: bytes = b"", **env: str) -> Run:
    done = subprocess.run(
        [*prefix, *desk.world.command(*words)],
        env=desk.env("block", **env),
        input=stdin,
        cwd=desk.world.project,
        capture_output=True,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("fault", STATE, ids=lambda fault: fault.name)
def test_a_stop_that_cannot_be_counted_is_not_reviewed_and_told(
    desk: Desk, fault: Fault, record_property: Tell
) -> None:
    desk.begin(3)
    event = json.dumps(desk.event()).encode()
    with fault.in_folder(desk.world.state, record_property) as prefix:
        run = begun_with(desk, prefix, "supervisor-hook", stdin=event)
        assert told(run)
        assert desk.starts == []
        assert desk.state()["count"] == 3
    assert answered(desk.hook(event).out) == "block"
    assert (desk.state()["count"], len(desk.starts)) == (4, 1)


@pytest.mark.parametrize("fault", UNWRITABLE, ids=lambda fault: fault.name)
def test_a_start_that_cannot_write_the_hook_starts_nothing_and_changes_nothing(
    desk: Desk, fault: Fault, record_property: Tell
) -> None:
    desk.world.write_config({"glm": {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "t"}}})
    settings = desk.world.write_settings(USERS)
    before = whole(desk.world.config)
    with fault.in_folder(desk.world.config, record_property) as prefix:
        run = begun_with(desk, prefix, "glm", "-p", "hi", CCC_SUPERVISOR="1", CCC_LANG="en")
        assert (run.code, desk.starts) == (1, [])
        assert run.err.splitlines()[-1].startswith("ccc: ")
        assert whole(desk.world.config) == before
    assert json.loads(settings.read_bytes()) == USERS


def whole(folder: Path) -> dict[str, bytes]:
    """What is whose in it; ccc's own folder and what fills the disk are nobody's."""
    return {name: content for name, content in machine.contents(folder).items() if name != "filler"}
