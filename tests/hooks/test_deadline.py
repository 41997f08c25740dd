"""The hook's own end, whatever holds it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ccc_hooks import deadline
from ccc_hooks.deadline import Overdue
from tests.stops import Desk, answered
from tests.world import CCC, World


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def test_a_call_that_waits_for_ever_is_broken_off(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Overdue), deadline.within(0.05):
        (tmp_path / "pipe").read_bytes()


def test_nobody_on_the_way_takes_it_for_an_error() -> None:
    assert not issubclass(Overdue, Exception)


def test_what_ends_in_time_hears_nothing_of_it() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with deadline.within(60) as ends_in:
        ends_in(30)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_a_time_that_is_over_already_is_no_time_at_all() -> None:
    with pytest.raises(Overdue), deadline.within(-5):
        signal.pause()


# A hook in which something waits for a writer that never comes, and whose times are short.
HELD = """
import os, sys
from ccc_hooks import ends, handler
handler.READING_SECONDS = handler.BEYOND_SECONDS = ends.LAST_SECONDS = 0.3
def waits(*_, **__):
    open(os.environ["PIPE"]).close()
{held}
sys.exit(handler.main([], os.environ))
"""
WHERE = {
    "its configuration": "handler.config.load = waits",
    "the transcript": "handler.Transcript.at_stop = waits",
    "every lock, so that nothing can be kept": "handler.files.locked = waits",
}


@pytest.mark.parametrize("held", WHERE.values(), ids=WHERE)
def test_whatever_holds_the_hook_the_stop_is_told_as_unreviewed(desk: Desk, held: str) -> None:
    os.mkfifo(desk.world.root / "pipe")
    desk.world.write_config({}, supervisor={"timeout_seconds": 1})
    env = desk.env("allow", PIPE=str(desk.world.root / "pipe"), CCC_LANG="en")
    done = subprocess.run(
        [sys.executable, "-c", HELD.format(held=held), str(CCC)],
        input=json.dumps(desk.event()).encode(),
        env=env,
        cwd=desk.world.project,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, answered(done.stdout)) == (0, "told")
    assert "longer than a stop may take" in json.loads(done.stdout)["systemMessage"]
    if "locked" not in held:
        assert desk.state()["outcome"] == "unreviewed"
