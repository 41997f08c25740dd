"""What a fleet costs: how well its slots are filled, what an idle worker uses, and what a long list takes to see."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ccc.fleet.address import Address
from ccc.fleet.steps import Steps
from ccc.fleet.store import Store
from ccc.fleet.task import Task
from ccc.fleet.worker import Run, Wishes
from ccc.providers.config import Config, SupervisorOptions
from tests.bench.rows import Row
from tests.world import World

TASKS, SLOTS, SECONDS = 200, 8, 0.5
IDLE_SECONDS = 20.0
MANY, FEW, TIMES = 10_000, 10, 3


def rows() -> Iterator[Row]:
    ideal = TASKS * SECONDS / SLOTS
    yield Row(f"fleet, {TASKS} tasks of {SECONDS} s on {SLOTS} slots / ideal", _worked() / ideal, 1.6, "lower")
    yield Row("fleet, an idle worker, % of a core", _idle(), 1.0, "lower")
    times = [_status(number) for number in (MANY, FEW)]
    yield Row(f"ccc fleet status, {MANY} tasks / {FEW}", times[0] / times[1], 2.0, "lower")


class Sleeping(Steps):
    """The engine, the store and the worker as they are, and an agent that takes its time."""

    def work(self, id_: str) -> tuple[str, str, str]:
        time.sleep(SECONDS)
        return "completed", "", ""


def _tasks(store: Store, number: int, repo: Path) -> None:
    made = [Task(f"Do {n}.", repo, name=f"task {n}") for n in range(number)]
    store.add([(task.id, task) for task in made], 1.0)


def _worked() -> float:
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        subprocess.run((sys.executable, "-m", "tests.bench.bench_fleet", folder), check=True)
        seconds = time.monotonic() - begun
        return seconds - float((Path(folder) / "before").read_text())


def _work(folder: Path) -> int:
    begun = time.monotonic()
    folder.chmod(0o700)
    (folder / ".git").mkdir()
    at = Address(folder)
    _tasks(Store(at), TASKS, folder)
    conf = Config(folder / "ccc.json", {}, {}, None, (), SupervisorOptions())
    run = Run(at, conf, {"HOME": str(folder)}, Wishes(SLOTS, drain=True), lambda _: None, steps=Sleeping)
    import ccc.fleet.engine  # noqa: F401  what is loaded once is no part of the tasks

    (folder / "before").write_text(str(time.monotonic() - begun))
    return run.run()


def _idle() -> float:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        pipe = subprocess.PIPE
        worker = subprocess.Popen(world.command("fleet", "run"), env=world.env(), cwd=world.project, stderr=pipe)
        try:
            assert worker.stderr is not None
            worker.stderr.readline()
            time.sleep(2.0)
            before = _used(worker.pid)
            time.sleep(IDLE_SECONDS)
            return 100 * (_used(worker.pid) - before) / IDLE_SECONDS
        finally:
            worker.terminate()
            worker.communicate()


def _used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _status(number: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        world.state.mkdir(mode=0o700)
        at = world.state / "fleet"
        at.mkdir(mode=0o700)
        _tasks(Store(Address(at)), number, world.project)
        return min(_once(world) for _ in range(TIMES))


def _once(world: World) -> float:
    """Of the processor's time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert world.ccc("fleet", "status").code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


GROUPS = {"fleet": rows}


if __name__ == "__main__":
    code = _work(Path(sys.argv[1]))
    os._exit(code)
