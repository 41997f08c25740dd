"""One supervised agent without a person: `ccc --supervisor --json` as a child that cannot outlive its worker.

Rule: the command is a value. The child is tied to the thread that started it, holds the lock of its task as long as it
lives, and is ended in order: it gets the time to write down where it stopped. It speaks through a socket, which unlike
a pipe nobody can open who finds its number in /proc: its agent would tell us how it was judged.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from ccc.base import files, handed, interpreter, strictjson
from ccc.base.text import heard, one_line
from ccc.fleet import tied
from ccc.fleet.feed import Feed, Seen
from ccc.fleet.task import Task
from ccc.judging import began
from ccc.model import Outcome
from ccc.providers import config

CHUNK = 65536
LOOK_SECONDS = 0.5
END_SECONDS = 5.0  # ccc itself is gone three seconds after SIGTERM
STDERR_KEPT = 4000


class Ended(Struct, frozen=True):
    code: int
    seen: Seen
    said: str = ""  # the last line on stderr

    @property
    def outcome(self) -> str:
        """As ccc told it; work is completed only where its exit code says so too."""
        told = self.seen.outcome
        return "" if told == Outcome.COMPLETED.value and self.code else told


class Busy(Exception):
    """Another process works on this task."""


# Looks whether it is to go on, with what was seen last; True ends it.
Stop = Callable[[Seen], bool]


def command(task: Task, session: str, *, resumes: bool) -> tuple[str, ...]:
    words = ["--supervisor", "--json"]
    words += ["--trust-project"] if task.trusts else []
    words += [task.provider] if task.provider else []
    words += ["--resume" if resumes else "--session-id", session]
    words += ["--permission-mode", task.permission_mode] if task.permission_mode else []
    return (*interpreter.command("ccc"), *words)


def environment(task: Task, folder: Path, env: Mapping[str, str], first: str) -> dict[str, str]:
    """What holds for the task's repository holds in its folder, and it is judged by what it began with."""
    caps = {name: value for name in config.CAPS if (value := getattr(task.caps, name)) is not None}
    checks = [{"command": each.command, "timeout": each.timeout} for each in task.checks]
    told = {"folder": str(folder), "project": str(task.repo), "checks": checks, "caps": caps, began.KEY: first}
    return {**env, config.TASK: strictjson.dumps(told).decode()}


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """The lock of a task, which its child inherits: as long as one of both lives, nobody else may work on it."""
    files.private_directory(path.parent)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise Busy from None
    try:
        yield fd
    finally:
        os.close(fd)


def run(words: Sequence[str], message: str, folder: Path, env: Mapping[str, str], lock: int, stop: Stop) -> Ended:
    """Work to the end, or until `stop` says so."""
    child = _started(words, message, folder, env, lock)
    feed, complaints = Feed(), bytearray()
    try:
        _listen(child, feed, complaints, stop)
    finally:
        _end(child)
    _rest(child, feed, complaints)
    return Ended(child.returncode, feed.seen, _last_line(complaints))


def _started(
    words: Sequence[str], message: str, folder: Path, env: Mapping[str, str], lock: int
) -> subprocess.Popen[bytes]:
    told = _told(message.encode("utf-8", "replace"), folder)
    ours, theirs = handed.talk()  # what it tells decides the outcome, and a pipe is everybody's to write into
    try:
        child = subprocess.Popen(
            (sys.executable, "-I", "-S", str(Path(tied.__file__)), str(os.getpid()), *words),
            cwd=folder,
            env=dict(env),
            stdin=told,
            stdout=theirs,
            stderr=subprocess.PIPE,
            pass_fds=(lock,),
            start_new_session=True,  # a Ctrl-C at the worker's terminal is the worker's
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(told)
        os.close(theirs)
    child.stdout = os.fdopen(ours, "rb", 0)
    return child


def _told(data: bytes, folder: Path) -> int:
    """To be read from the start, and nobody can change it any more; where there is no such memory nobody finds it."""
    told = handed.document("ccc-task", data)
    if told is None:
        told = os.open(folder, os.O_TMPFILE | os.O_RDWR)
        with os.fdopen(os.dup(told), "wb") as file:
            file.write(data)
        os.lseek(told, 0, os.SEEK_SET)
    return told


def _listen(child: subprocess.Popen[bytes], feed: Feed, complaints: bytearray, stop: Stop) -> None:
    assert child.stdout is not None
    assert child.stderr is not None
    ears: dict[int, Callable[[bytes], object]] = {
        child.stdout.fileno(): feed,
        child.stderr.fileno(): _keeper(complaints),
    }
    while ears:
        ready, _, _ = select.select(list(ears), [], [], LOOK_SECONDS)
        for fd in ready:
            data = os.read(fd, CHUNK)
            if data:
                ears[fd](data)
            else:
                del ears[fd]
        if stop(feed.seen) or (not ready and child.poll() is not None):
            return


def _keeper(kept: bytearray) -> Callable[[bytes], object]:
    def keep(data: bytes) -> None:
        kept.extend(data)
        del kept[:-STDERR_KEPT]

    return keep


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
    try:
        child.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _rest(child: subprocess.Popen[bytes], feed: Feed, complaints: bytearray) -> None:
    """What it wrote while it ended."""
    for stream, ear in ((child.stdout, feed), (child.stderr, _keeper(complaints))):
        if stream is not None:
            os.set_blocking(stream.fileno(), False)
            with suppress(OSError), stream:
                while data := os.read(stream.fileno(), CHUNK):
                    ear(data)


def _last_line(complaints: bytearray) -> str:
    lines = heard(complaints, STDERR_KEPT).strip().splitlines()
    return one_line(lines[-1].removeprefix("ccc: "), 300) if lines else ""
