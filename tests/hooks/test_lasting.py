"""The wait for background work under `claude -p`, with a clock of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ccc.claude.transcript import Transcript
from ccc.judging.supervisor import PATIENCE_SECONDS
from ccc.model import StopEvent, Task
from ccc_hooks.lasting import outlives

ENDED = "<task-notification>\n<task-id>{}</task-id>\n<status>completed</status>\n</task-notification>"


class Desk:
    """A transcript in which something may end while somebody sleeps."""

    def __init__(self, path: Path) -> None:
        self.path, self.time, self.ends, self.awake = path, 0.0, dict[float, str](), True
        path.write_text(json.dumps({"type": "user", "message": {"content": "do it"}}) + "\n")

    def sleep(self, seconds: float) -> bool:
        assert seconds > 0
        self.time += seconds
        for at in [at for at in self.ends if at <= self.time]:
            told = {"type": "queue-operation", "operation": "enqueue", "content": ENDED.format(self.ends.pop(at))}
            with self.path.open("a") as file:
                file.write(json.dumps(told) + "\n")
        return self.awake

    def outlives(self, seconds: float, *tasks: str) -> bool:
        stop = StopEvent("s", Path("/p"), tasks=tuple(Task(task, task) for task in tasks))
        with Transcript(self.path) as file:
            return outlives(stop, file, seconds, clock=lambda: self.time, sleep=self.sleep)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "t.jsonl")


def test_a_server_goes_on_after_the_wait(desk: Desk) -> None:
    assert desk.outlives(1000, "server")
    assert desk.time == pytest.approx(PATIENCE_SECONDS)


def test_no_longer_than_the_review_can_spare(desk: Desk) -> None:
    assert desk.outlives(20, "server")
    assert desk.time == pytest.approx(20)


def test_the_end_of_one_of_them_wakes_the_agent(desk: Desk) -> None:
    desk.ends = {30.0: "another", 60.0: "build"}
    assert not desk.outlives(1000, "server", "build")
    assert 60 <= desk.time < 70


def test_work_that_has_ended_by_now_is_not_waited_for(desk: Desk) -> None:
    desk.ends = {0.5: "build"}
    desk.sleep(1)
    assert not desk.outlives(1000, "build")
    assert desk.time == 1


def test_nobody_waits_on_for_a_client_that_is_gone(desk: Desk) -> None:
    desk.awake = False
    assert not desk.outlives(1000, "server")
    assert desk.time < 1


INTERRUPTED = """
import os, subprocess, sys
from pathlib import Path
from ccc.base.errors import CccError
from ccc.claude.transcript import Transcript
from ccc.model import StopEvent, Task
from ccc_hooks import call
from ccc_hooks.lasting import outlives

path, caller = Path(sys.argv[1]), int(sys.argv[2]) or os.getpid()
call.hold_back()
subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -TERM {os.getpid()}"])
with Transcript(path) as file:
    try:
        print(outlives(StopEvent("s", Path("/"), tasks=(Task("a", "a"),)), file, 60, caller=caller))
    except CccError as error:
        print(error.what)
"""


def test_somebody_elses_signal_is_no_interruption_of_the_wait(desk: Desk) -> None:
    said = subprocess.run([sys.executable, "-c", INTERRUPTED, desk.path, str(os.getpid())], capture_output=True)
    assert b"told to stop, and not by whoever waits" in said.stdout, said.stderr
