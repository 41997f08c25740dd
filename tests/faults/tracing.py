"""Faults at single system calls: strace on workers of a warm ccc."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.warm import Warm, Worker
from tests.stops import Desk, in_parallel
from tests.world import World

CALL = re.compile(r"(\w+)\((.*)")
# A kill at a call that only looks leaves what a kill at the next one leaves.
CHANGING = {"openat", "write", "fsync", "linkat", "rename", "mkdir", "chmod", "fchmod", "flock", "close", "unlink"}
PROCESS = {"clone", "pipe2", "poll", "wait4", "exit_group"}
TRACED = ",".join(CHANGING | PROCESS | {"getdents64", "access"})


@dataclass(frozen=True)
class Traced:
    desk: Desk
    worker: Worker
    code: int
    log: str

    @property
    def calls(self) -> list[tuple[str, str]]:
        before = self.log.partition('"/end"')[0].splitlines()
        return [(found[1], found[2]) for line in before if (found := CALL.match(line)) and found[1] != "access"]

    @property
    def count(self) -> int:
        return int(self.desk.state()["count"])


class Tracer:
    """Workers of one server, each at a desk of its own, with a fault at one of their calls."""

    def __init__(self, hooks: Warm, folder: Path) -> None:
        self.hooks, self.folder, self.lock = hooks, folder, threading.Lock()
        hooks.wait(hooks.start("block"))
        self.known = hooks.desk.world.state / "clients.json"

    def run(self, name: str, *options: str) -> Traced:
        desk = Desk(World(self.folder / name)).make()
        desk.begin(3)
        shutil.copy(self.known, desk.world.state)
        log = self.folder / f"{name}.strace"
        with self.lock:
            worker = self.hooks.start("block", traced=True, desk=desk)
        command = ["strace", "-y", "-o", str(log), "-e", f"trace={TRACED}", *options, "-p", str(worker.pid)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
            assert tracer.stderr is not None
            attached = tracer.stderr.readline()
            os.kill(worker.pid, signal.SIGCONT)
        assert "attached" in attached
        with self.lock:
            code = self.hooks.wait(worker)
        return Traced(desk, worker, code, log.read_text())

    def run_all(self, faults: list[str]) -> list[tuple[str, Traced]]:
        numbered = enumerate(faults)
        runs = in_parallel(lambda each: self.run(f"{each[0]:03}", "-e", f"inject={each[1]}"), numbered, 3)
        return list(zip(faults, runs, strict=True))


def places(run: Traced, wanted: set[str]) -> Iterator[tuple[str, int]]:
    """The calls of a run that met no fault, as strace counts them."""
    assert run.code == 0
    seen: Counter[str] = Counter()
    for call, _ in run.calls:
        seen[call] += 1
        if call in wanted:
            yield call, seen[call]


def changes(run: Traced, wanted: set[str]) -> Iterator[tuple[str, int]]:
    """The places for a kill: without files that are opened to be read, where it leaves what it leaves at the next."""
    seen: Counter[str] = Counter()
    reading: set[str] = set()
    for call, arguments in run.calls:
        seen[call] += 1
        fd = arguments.rpartition("= ")[2] if call == "openat" else arguments
        fd = fd.partition("<")[0]
        looks = (call == "openat" and "O_RDONLY" in arguments) or (call == "close" and fd in reading)
        reading = reading | {fd} if call == "openat" and looks else reading - {fd}
        if call in wanted and not looks:
            yield call, seen[call]
