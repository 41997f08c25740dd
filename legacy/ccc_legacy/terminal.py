"""A child on a pty: its output and controlling terminal are the pty, its input is a socket and its stderr a pipe.

Rule: the only module that touches a pty, and nobody but the child writes there (docs/decisions/0037). Reads with
os.read and never waits; the end of the child is the end of file.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from ptyprocess import PtyProcess, PtyProcessError

from ccc.base import handed, processes
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc_legacy import orphans

CHUNK = 65536
AT_ONCE = 1024 * 1024
GRACE_SECONDS = 1.0
POLL_SECONDS = 0.005
PR_SET_PDEATHSIG = 1
TIOCGPTN = 0x80045430
DEFAULT_SIZE = (24, 80)
# What Python ignores or asyncio handles, and what a child would inherit ignored.
RESET = (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGHUP, signal.SIGTERM)

Size = tuple[int, int]


class CannotStart(CccError):
    """The child never ran."""


class Program(Struct, frozen=True):
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path


class Child:
    """One process on a pty of its own. `fd` becomes readable when it says something, `errors` when it complains;
    `pipe` takes its input."""

    def __init__(self, process: PtyProcess, pipe: int, errors: int) -> None:
        self._process = process
        self._process.delayafterclose = 0  # by then it has been waited for
        self.fd: int = process.fd
        self.pid: int = process.pid
        self.pipe = pipe
        self.errors = errors
        self._detached: frozenset[int] = frozenset()
        for fd in (self.fd, pipe, errors):
            os.set_blocking(fd, False)

    @classmethod
    def start(cls, program: Program, size: Size = DEFAULT_SIZE) -> Child:
        orphans.adopt()
        # Whoever could open its input would speak for the person, and grant what the agent asks for.
        (writer, reader), (errors, complaints) = handed.talk(), os.pipe()
        try:
            process = _spawn(program, reader, complaints, size)
        except (OSError, PtyProcessError, ValueError) as error:
            os.close(writer)
            os.close(errors)
            raise CannotStart(
                msg("cannot start {client}: {error}", client=program.argv[0], error=error),
                msg("reinstall Claude Code or set CCC_CLAUDE"),
            ) from None
        finally:
            os.close(reader)
            os.close(complaints)
        return cls(process, writer, errors)

    def read(self) -> bytes | None:
        """What has come, b"" when there is nothing yet, None when the child is gone and all was read."""
        pieces: list[bytes] = []
        size = 0
        while size < AT_ONCE:
            try:
                piece = os.read(self.fd, CHUNK)
            except BlockingIOError:
                return b"".join(pieces)
            except OSError:  # EIO is how a pty says that its child is gone
                piece = b""
            if not piece:
                return b"".join(pieces) or None
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)

    def read_errors(self) -> bytes | None:
        """What it has written to stderr, at most so much; b"" when there is nothing yet, None at the end."""
        try:
            return os.read(self.errors, CHUNK) or None
        except BlockingIOError:
            return b""

    def write(self, data: bytes | bytearray) -> int:
        """Put as much as fits into the child's input; 0 when the pipe is full."""
        try:
            return os.write(self.pipe, data)
        except BlockingIOError:
            return 0

    def resize(self, size: Size) -> None:
        try:
            self._process.setwinsize(*_sane(size))
        except OSError:  # it has just gone
            return

    def keep_detached(self) -> None:
        """What has left the child by now is meant to outlive it."""
        self._detached = orphans.adopted(self.pid)

    def end(self, grace: float = GRACE_SECONDS) -> int | None:
        """End the child, its group and what ran under it; its status as a shell tells it."""
        os.close(self.pipe)
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not self._gone(0):
                _kill_group(self.pid, number)
                self._gone(grace)
        # What is left of its group is not the child any more, but it would go on in its name.
        _kill_group(self.pid, signal.SIGKILL)
        orphans.end(self.pid, self._detached, grace)
        self._process.close(force=True)
        os.close(self.errors)
        return self.status

    @property
    def status(self) -> int | None:
        """Exit code, or 128 and the signal; None while it lives."""
        if self._process.isalive():
            return None
        number: int | None = self._process.signalstatus
        code: int | None = self._process.exitstatus
        return 128 + number if number else code

    def _gone(self, patience: float) -> bool:
        deadline = time.monotonic() + patience
        while self._process.isalive():
            if time.monotonic() >= deadline:
                return False
            self._swallow()
            time.sleep(POLL_SECONDS)
        return True

    def _swallow(self) -> None:
        """A child that still has something to say could not end before it has said it."""
        for fd in (self.fd, self.errors):
            with suppress(OSError):
                os.read(fd, CHUNK)


def _spawn(program: Program, stdin: int, stderr: int, size: Size) -> PtyProcess:
    _check(program)
    process = PtyProcess.spawn(
        list(program.argv),
        env=dict(program.env),
        echo=False,
        preexec_fn=_Preparation(stdin, stderr, program.cwd, os.getpid()),
        dimensions=_sane(size),
        pass_fds=(stdin, stderr),
    )
    other = processes.opened_by(_name(process.fd), beside=process.pid)
    if other:  # before it was the child's alone
        process.close(force=True)
        raise PtyProcessError(msg("{other} has opened its terminal", other=other.name))
    return process


def _name(master: int) -> str:
    """Of the terminal at the other end."""
    if sys.platform != "linux":
        return ""
    return f"/dev/pts/{int.from_bytes(fcntl.ioctl(master, TIOCGPTN, bytes(4)), sys.byteorder)}"


def _check(program: Program) -> None:
    """In the child ptyprocess lets a ValueError of exec pass, and there would be two of us."""
    for word in (*program.argv, *program.env, *program.env.values()):
        if b"\0" in os.fsencode(word):
            raise ValueError(msg("an argument or a variable holds a NUL"))


class _Preparation(Struct, frozen=True):
    """Runs in the child, between fork and exec; what fails here is told to the parent."""

    stdin: int
    stderr: int
    cwd: Path
    parent: int

    def __call__(self) -> None:
        os.chdir(self.cwd)
        _make_raw(1)
        _keep_to_ourselves(1)
        for fd, number in ((self.stdin, 0), (self.stderr, 2)):
            os.dup2(fd, number)
            os.close(fd)
        for number in RESET:
            signal.signal(number, signal.SIG_DFL)
        _die_with(self.parent)


def _make_raw(fd: int) -> None:
    """Nothing is echoed, folded or cut at 4096 bytes on this terminal; signals still work."""
    mode = termios.tcgetattr(fd)
    mode[0] &= ~(termios.ICRNL | termios.IXON | termios.INLCR | termios.ISTRIP)
    mode[1] &= ~termios.OPOST
    mode[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    termios.tcsetattr(fd, termios.TCSANOW, mode)


def _keep_to_ourselves(fd: int) -> None:
    """Whoever could open this terminal, by its name or as the child's /proc/PID/fd/1, would speak for the agent."""
    with suppress(OSError):  # a kernel that does not know it
        fcntl.ioctl(fd, termios.TIOCEXCL)


def _die_with(parent: int) -> None:
    """The closed pty ends a child by SIGHUP; this ends one that ignores it, where the system can."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def _sane(size: Size) -> Size:
    return (size[0] or DEFAULT_SIZE[0], size[1] or DEFAULT_SIZE[1])


def _kill_group(pid: int, number: int) -> None:
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return
