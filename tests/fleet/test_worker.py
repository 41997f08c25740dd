"""A worker with the engine and the store as they are, and agents that end at once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ccc.fleet import worker
from ccc.fleet.address import Address
from ccc.fleet.steps import Steps, parking
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


class Forging(Ending):
    """An agent that writes its own end into the store, as its user can, while the worker looks at it."""

    @parking
    def work(self, id_: str) -> tuple[str, str, str]:
        with closing(sqlite3.connect(self.store.address.file)) as db, db:
            db.execute("UPDATE ccc_tasks SET state = 'ended', outcome = 'completed', owner = '' WHERE id = ?", (id_,))
        self._record(id_)
        return "failed", "nothing was tested", ""


class Setting(Ending):
    """… and one that leaves something behind which does so at every end."""

    def work(self, id_: str) -> tuple[str, str, str]:
        with closing(sqlite3.connect(self.store.address.file)) as db, db:
            db.execute(
                "CREATE TRIGGER x AFTER UPDATE OF outcome ON ccc_tasks WHEN NEW.outcome = 'failed' "
                "BEGIN UPDATE ccc_tasks SET outcome = 'completed' WHERE id = NEW.id; END"
            )
        return "failed", "nothing was tested", ""


@pytest.mark.parametrize(
    ("agent", "code", "told"),
    [
        ("Ending", 0, ("completed ($0)",)),
        ("Forging", 1, ("needs you ($0): changed outside ccc", "was called completed outside ccc")),
        ("Setting", 1, ("it has a trigger called 'x'",)),
    ],
)
def test_a_worker_ends_its_list_and_says_what_was_changed_outside(
    tmp_path: Path, agent: str, code: int, told: Sequence[str]
) -> None:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    (folder / ".git").mkdir()
    first = Task("Do the first.", folder, name="first")
    second = Task("Do the second.", folder, name="second", after=(first.id,))
    store = Store(Address(folder))
    store.add([(task.id, task) for task in (first, second)], 1.0)
    words = (sys.executable, "-m", "tests.fleet.test_worker", str(folder), agent)
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, [each for each in told if each not in done.stdout]) == (code, []), done
    with closing(sqlite3.connect(folder / "fleet.db")) as db, db:
        db.execute("DROP TRIGGER IF EXISTS x")
    states = [record.state for record in store.all()]
    assert states[1] is (State.ENDED if agent == "Ending" else State.WAITING)


def _state(store: Store, id_: str) -> State | None:
    record = store.get(id_)
    return record.state if record else None


def _until(holds: Callable[[], bool]) -> None:
    """pytest's own limit is the end of it."""
    while not holds():
        time.sleep(0.05)


def _work(folder: Path, agent: str = "") -> int:
    worker.REST_SECONDS, worker.IDLE_SECONDS = 0.1, 0.1
    conf = Config(folder / "ccc.json", {}, {}, None, (), SupervisorOptions())
    wishes, steps = Wishes(1, drain=bool(agent)), globals()[agent or "Ending"]
    run = Run(Address(folder), conf, {"HOME": str(folder)}, wishes, lambda line: print(line, flush=True), steps=steps)
    return run.run()


if __name__ == "__main__":
    os._exit(_work(*map(Path, sys.argv[1:2]), *sys.argv[2:]))
