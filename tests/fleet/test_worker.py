"""A worker with the engine and the store as they are, and agents that end at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ccc.fleet import worker
from ccc.fleet.address import Address
from ccc.fleet.steps import Steps
from ccc.fleet.store import Store
from ccc.fleet.task import State, Task
from ccc.fleet.worker import Run, Wishes
from ccc.providers.config import Config, SupervisorOptions

ALONE = 2  # threads: the one that decides, and perhaps one that is about to end


class Ending(Steps):
    def work(self, id_: str) -> tuple[str, str, str]:
        return "completed", "", ""

    def share(self, id_: str) -> str:
        return ""


def test_the_engine_rests_while_there_is_nothing_to_do_and_wakes_for_the_next_task(tmp_path: Path) -> None:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    (folder / ".git").mkdir()
    store = Store(Address(folder))
    running = subprocess.Popen((sys.executable, "-m", "tests.fleet.test_worker", str(folder)))
    try:
        for name in ("first", "second"):
            task = Task(f"Do the {name}.", folder, name=name)
            store.add([(task.id, task)], 1.0)
            _until(lambda id_=task.id: _state(store, id_) is State.ENDED)
            _until(lambda: len(list(Path(f"/proc/{running.pid}/task").iterdir())) <= ALONE)
    finally:
        running.terminate()
    assert running.wait() == 0
    assert [record.run for record in store.all()] == [1, 1]  # once each


def _state(store: Store, id_: str) -> State | None:
    record = store.get(id_)
    return record.state if record else None


def _until(holds: Callable[[], bool]) -> None:
    """pytest's own limit is the end of it."""
    while not holds():
        time.sleep(0.05)


def _work(folder: Path) -> int:
    worker.REST_SECONDS, worker.IDLE_SECONDS = 0.1, 0.1
    conf = Config(folder / "ccc.json", {}, {}, None, (), SupervisorOptions())
    run = Run(Address(folder), conf, {"HOME": str(folder)}, Wishes(1), lambda _: None, steps=Ending)
    return run.run()


if __name__ == "__main__":
    os._exit(_work(Path(sys.argv[1])))
