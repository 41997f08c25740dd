"""ccc with its imports behind it: a process that forks a worker for each call, so that faults hit the work itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.stops import Desk

NOTHING: Mapping[str, str] = {}
SERVER = """
import ctypes, json, os, signal, sys
import ccc.base.catalogue, ccc_hooks.launch, ccc_hooks.placement, zoneinfo
from ccc.claude import program
from ccc.commands import cli, here, route, router, setup, start, starting, voice
from ccc.providers import choosing, launch, overview
from ccc.record import unheard
from ccc_hooks import handler

PR_SET_PTRACER, ANYBODY = 0x59616d61, ctypes.c_ulong(-1)
libc = ctypes.CDLL(None)

def work(job):
    os.dup2(os.open(job["stdin"], os.O_RDONLY), 0)
    for fd, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(job[name], os.O_CREAT | os.O_WRONLY, 0o600), fd)
    os.closerange(3, 64)
    os.chdir(job["cwd"])
    if job["traced"]:
        libc.prctl(PR_SET_PTRACER, ANYBODY, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
    os.environ.clear()
    os.environ.update(job["env"])
    if job["words"][0] == "supervisor-hook":
        code = handler.main(job["words"][1:], os.environ)
    else:
        code = cli.run(job["words"])
    os.access("/end", os.F_OK)
    os._exit(code)

for line in sys.stdin:
    job = json.loads(line)
    if isinstance(job, int):
        print(os.waitpid(job, 0)[1], flush=True)
        continue
    pid = os.fork()
    if pid == 0:
        try:
            work(job)
        finally:
            os._exit(99)
    if job["traced"]:
        os.waitpid(pid, os.WUNTRACED)
    print(pid, flush=True)
"""


@dataclass(frozen=True)
class Worker:
    """One Stop on its way."""

    pid: int
    files: Path

    @property
    def answer(self) -> bytes:
        path = Path(f"{self.files}.stdout")
        return path.read_bytes() if path.exists() else b""

    @property
    def words(self) -> str:
        return Path(f"{self.files}.stderr").read_text()


class Warm:
    def __init__(self, desk: Desk, process: subprocess.Popen[str]) -> None:
        self.desk, self.process, self.number = desk, process, 0

    def start(
        self, steps: str, *words: str, traced: bool = False, desk: Desk | None = None, env: Mapping[str, str] = NOTHING
    ) -> Worker:
        desk, self.number = desk or self.desk, self.number + 1
        files = desk.world.root / f"warm-{self.number}"
        Path(f"{files}.stdin").write_text(json.dumps(desk.event()))
        streams = {name: f"{files}.{name}" for name in ("stdin", "stdout", "stderr")}
        job = {
            "env": desk.env(steps, **env),
            "cwd": str(desk.world.project),
            "words": words or ["supervisor-hook"],
            "traced": traced,
        }
        return Worker(self._ask(job | streams), files)

    def wait(self, worker: Worker) -> int:
        """The exit code, negative for a signal."""
        return os.waitstatus_to_exitcode(self._ask(worker.pid))

    def kill(self, worker: Worker, number: int = signal.SIGKILL) -> int:
        os.kill(worker.pid, number)  # not reaped before wait(), so it is nobody else's number
        return self.wait(worker)

    def family(self) -> set[int]:
        return self.desk.living() - {self.process.pid}

    def _ask(self, job: object) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(job), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())


@contextmanager
def warm(desk: Desk) -> Iterator[Warm]:
    command = [sys.executable, "-I", "-c", SERVER]  # isolated, as every Python of ccc's
    with subprocess.Popen(command, env=desk.env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Warm(desk, process)
