"""A worker with the engine and the store as they are, and agents that end at once."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
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

PR_GET_DUMPABLE = 3
ALONE = 3  # threads: the one that decides, the one that sees it out, and perhaps one that is about to end


class Ending(Steps):
    def work(self, id_: str) -> tuple[str, str, str]:
        return "completed", "", ""

    def share(self, id_: str, commit: str) -> str:
        return ""


class Deaf(Steps):
    """A library's call that hears of nothing."""

    def work(self, id_: str) -> tuple[str, str, str]:
        time.sleep(600)
        return "completed", "", ""


@pytest.mark.parametrize("sent", [(signal.SIGTERM,), (signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)])
def test_a_worker_whose_terminal_is_gone_leaves_in_seconds_and_its_task_can_be_had_again(
    tmp_path: Path, sent: Sequence[signal.Signals]
) -> None:
    store, task, running = _deaf(tmp_path, "speechless")
    try:
        for number in sent:
            running.send_signal(number)
            time.sleep(0.3)
        assert running.wait(5) == 0
    finally:
        running.kill()
        running.wait()
    assert _state(store, task.id) is State.WAITING


def test_a_worker_that_a_library_holds_is_gone_in_seconds_all_the_same(tmp_path: Path) -> None:
    _, _, running = _deaf(tmp_path, "held")
    try:
        running.terminate()
        assert running.wait(5) == 0
    finally:
        running.kill()
        running.wait()


def _deaf(tmp_path: Path, how: str) -> tuple[Store, Task, subprocess.Popen[bytes]]:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    (folder / ".git").mkdir()
    store, task = Store(Address(folder)), Task("Do it.", folder, name="one")
    store.add([(task.id, task)], 1.0)
    running = subprocess.Popen((sys.executable, "-m", "tests.fleet.test_worker", str(folder), how))
    _until(lambda: _state(store, task.id) is State.RUNNING)
    time.sleep(0.5)  # its thread begins
    return store, task, running


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


class Failing(Ending):
    def work(self, id_: str) -> tuple[str, str, str]:
        return "failed", "broken", ""


class Looking(Ending):
    """An agent's worker, asked whether others of its user may look into it."""

    def work(self, id_: str) -> tuple[str, str, str]:
        return "failed", f"dumpable: {ctypes.CDLL(None).prctl(PR_GET_DUMPABLE, 0, 0, 0, 0)}", ""


def test_a_worker_is_hidden_from_its_agents(tmp_path: Path) -> None:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    (folder / ".git").mkdir()
    store, task = Store(Address(folder)), Task("Do it.", folder, name="one")
    store.add([(task.id, task)], 1.0)
    subprocess.run((sys.executable, "-m", "tests.fleet.test_worker", str(folder), "Looking"), check=True, timeout=60)
    [record] = store.all()
    assert record.why == "dumpable: 0"


@pytest.mark.parametrize(
    ("agent", "code", "told"),
    [
        ("Ending", 0, ("completed ($0)",)),
        ("Forging", 1, ("needs you ($0): changed outside ccc", "was called completed outside ccc")),
        ("Setting", 1, ("it has a trigger called 'x'",)),
        ("Failing", 5, ("failed ($0)", "the rest waits for first-")),
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


def test_a_list_whose_repository_is_gone_ends_as_one_that_needs_a_person(tmp_path: Path) -> None:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    (folder / ".git").mkdir()
    there = Task("Do this.", folder, name="there")
    gone = Task("Do it.", tmp_path / "gone", name="gone")
    behind = Task("And then this.", folder, name="behind", after=(gone.id,))
    store = Store(Address(folder))
    store.add([(task.id, task) for task in (gone, behind, there)], 1.0)
    words = (sys.executable, "-m", "tests.fleet.test_worker", str(folder), "Ending")
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 5, done
    assert done.stdout.endswith(
        f"{gone.id} cannot be begun: {gone.repo} is no repository here; put it back, or: ccc fleet cancel {gone.id}\n"
    )
    assert [_state(store, task.id) for task in (gone, behind, there)] == [State.WAITING, State.WAITING, State.ENDED]


def _state(store: Store, id_: str) -> State | None:
    record = store.get(id_)
    return record.state if record else None


def _until(holds: Callable[[], bool]) -> None:
    """pytest's own limit is the end of it."""
    while not holds():
        time.sleep(0.05)


def _work(folder: Path, how: str = "") -> int:
    worker.REST_SECONDS, worker.IDLE_SECONDS = 0.1, 0.1
    worker.LEAVE_SECONDS, worker.LAST_SECONDS = 0.5, 2.0
    if how == "held":
        Store.release = lambda *_: time.sleep(600)  # type: ignore[assignment, method-assign, return-value]
    conf = Config(folder / "ccc.json", {}, {}, None, (), SupervisorOptions())
    if how in ("", "Ending", "Forging", "Setting", "Failing", "Looking"):
        steps, say, wishes = globals()[how or "Ending"], _speaking, Wishes(1, drain=bool(how))
    else:
        steps, say, wishes = Deaf, _speechless, Wishes(1)
    run = Run(Address(folder), conf, {"HOME": str(folder)}, wishes, say, steps=steps)
    return run.run()


def _speaking(line: str) -> None:
    print(line, flush=True)


def _speechless(_: str) -> None:
    raise OSError(errno.EIO, "the terminal is gone")


if __name__ == "__main__":
    os._exit(_work(Path(sys.argv[1]), *sys.argv[2:]))
