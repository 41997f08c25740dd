"""What the kernel tells of other processes: who is above, what they were started with, who holds a lock or has a file
open, who made the other end of a socket.

Rule: asks /proc and trusts no variable to have survived; where there is no /proc it finds nothing, and nothing raises.
"""

from __future__ import annotations

import _socket
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ccc.base.text import one_line

DEPTH = 64
COMMAND_LENGTH = 80
LOCKS = Path("/proc/locks")


class Holder(Struct, frozen=True):
    """Who took a lock, as long as it lives."""

    pid: int
    argv: tuple[bytes, ...]
    seconds: float  # since it was started

    @property
    def name(self) -> str:
        """Number and command, for a message."""
        return f"process {self.pid} ({one_line(self.command, 100) or 'ended'})"

    @property
    def command(self) -> str:
        """Its command line for a message, cut: arguments may hold anything."""
        return one_line(b" ".join(self.argv).decode("utf-8", "replace"), COMMAND_LENGTH)


def ancestors(pid: int) -> Iterator[int]:
    for _ in range(DEPTH):
        pid = _parent(pid)
        if pid <= 1:
            return
        yield pid


def children(pid: int) -> list[int]:
    """None of a process that is gone, and none where there is no /proc."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def words(pid: int, file: str) -> list[bytes]:
    """`cmdline` or `environ` of a process."""
    try:
        return Path(f"/proc/{pid}/{file}").read_bytes().split(b"\0")
    except OSError:
        return []


def name(pid: int) -> bytes:
    """By which the kernel knows a process: of the file it was made of, or what it calls itself."""
    try:
        return Path(f"/proc/{pid}/comm").read_bytes().rstrip(b"\n")
    except OSError:
        return b""


def stat(pid: int) -> list[bytes]:
    """What the kernel tells of a process behind its name, which may hold anything; [] where it tells nothing."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:  # no /proc, or the process is gone
        return []


def ticks(pid: int) -> str:
    """The kernel's own count of when the process began; empty where it does not tell, or the process is gone."""
    fields = stat(pid)
    return fields[19].decode("ascii", "replace") if len(fields) > 19 and fields[0] != b"Z" else ""


def lives(pid: int, begun: str) -> bool:
    """Whether this is still the process that began then."""
    if begun:
        return ticks(pid) == begun
    with suppress(OSError):
        os.kill(pid, 0)
        return True
    return False


def holder(path: Path) -> Holder | None:
    """Who took the flock on this file; None when that cannot be told. One that has ended since, and left the lock to
    whoever has its descriptor, has no command line."""
    try:
        found, lines = path.stat(), LOCKS.read_bytes().splitlines()
    except OSError:
        return None
    pids = [pid for pid in (_locker(line.split(), found) for line in lines) if pid]
    return _known(pids[0]) if pids else None


def opened_by(place: str, *, beside: int) -> Holder | None:
    """Who has this file open and is not of the session `beside`, the first one found; None when nobody can tell."""
    with suppress(OSError):
        for pid in (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()):
            if place in _open_in(pid) and stat(pid)[3:4] != [str(beside).encode()]:
                return _known(pid)
    return None


def _open_in(pid: int) -> Iterator[str]:
    with suppress(OSError):  # it is somebody else's, or gone
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                yield str(entry.readlink())


def maker(fd: int) -> int:
    """Who made the pair of sockets that `fd` is an end of: the kernel remembers it, whoever has them by now. 0 for
    anything else: a pipe, whose ends others can open by /proc, tells nothing."""
    try:
        # Not `socket`: the hook pays for each import, and needs no more than this.
        told = _socket.socket(fileno=os.dup(fd)).getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    except OSError:  # closed, or no socket
        return 0
    return int.from_bytes(told[:4], sys.byteorder)


def _locker(fields: list[bytes], found: os.stat_result) -> int | None:
    """The process in a line like `1: FLOCK  ADVISORY  WRITE 708 08:01:131122 0 EOF`.

    Some disks (btrfs, overlays) show stat() another device than the kernel's own; the number of the file decides then.
    """
    if len(fields) < 6 or fields[1] != b"FLOCK" or not fields[4].isdigit():  # `->` is one that waits
        return None
    *_, inode = fields[5].split(b":")
    return int(fields[4]) if inode == str(found.st_ino).encode() else None


def _known(pid: int) -> Holder:
    fields = stat(pid)
    argv = tuple(word for word in words(pid, "cmdline") if word)
    return Holder(pid, argv, age(fields) if fields else 0.0)


def begun(pid: int) -> float | None:
    """When the process was started, on the clock of files; None where nobody can tell."""
    fields = stat(pid)
    return time.time() - age(fields) if fields else None


def age(fields: list[bytes]) -> float:
    """How long ago the process was started, at most: the kernel counts whole ticks."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - (int(fields[19]) + 1) / os.sysconf("SC_CLK_TCK"))


def _parent(pid: int) -> int:
    fields = stat(pid)
    return int(fields[1]) if fields else 0
