"""What ccc hands to another process, so that nobody else can put something else in its place.

Rule: a document is memory that is sealed once it is written: whoever of the same user opens it, as /proc/PID/fd/N say,
reads it and cannot change it. A talk is a pair of sockets, which nobody can open that way, as everybody can a pipe.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from ccc.base.errors import CccError
from ccc.base.messages import msg

# Linux's numbers: not every Python has names for them.
_ALLOW_SEALING = 2
_ADD_SEALS, _GET_SEALS, _ALL_SEALS = (
    1033,
    1034,
    0b1111,
)  # no seal is added, it does not shrink or grow, and nobody writes


def has_memory() -> bool:
    """Whether a document need not be a file."""
    return hasattr(os, "memfd_create")


def document(name: str, data: bytes) -> int | None:
    """A descriptor, read from the start, which lives through exec; None where the system has no such memory."""
    if not has_memory():
        return None
    fd = os.memfd_create(name, _ALLOW_SEALING)
    with os.fdopen(os.dup(fd), "wb") as file:
        file.write(data)
    _seal(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _seal(fd: int, data: bytes) -> None:
    """Nobody may have been quicker: what is sealed is what was written."""
    try:
        fcntl.fcntl(fd, _ADD_SEALS, _ALL_SEALS)
    except OSError:  # somebody has mapped it, to write into it later
        os.close(fd)
        raise _changed() from None
    if os.pread(fd, len(data) + 1, 0) != data:
        os.close(fd)
        raise _changed()


def _changed() -> CccError:
    return CccError(msg("another process has laid hands on what ccc hands over"), msg("see what else runs: ps -ef"))


def place(fd: int) -> str:
    """Where other processes find it, as long as this one lives."""
    return f"/proc/{os.getpid()}/fd/{fd}"


def read(path: Path, name: str) -> bytes:
    """What a document of this name holds, where another process has told that it is; nothing of anything else."""
    try:
        if str(path.readlink()) != f"/memfd:{name} (deleted)":
            return b""
        with path.open("rb") as file:
            return file.read() if fcntl.fcntl(file, _GET_SEALS) & _ALL_SEALS == _ALL_SEALS else b""
    except OSError:  # whoever had it is gone
        return b""


def talk() -> tuple[int, int]:
    """Two ends; both read and write, and neither survives exec."""
    try:
        import _socket as socket  # all that is needed of it, for a tenth of its cost
    except ImportError:  # nothing else keeps a part of Python itself from being read
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE)) from None
    ours, theirs = socket.socketpair()
    return ours.detach(), theirs.detach()
