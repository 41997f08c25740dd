"""Signals that tell us to stop, each with who has sent it.

Rule: by the kernel's word alone, which no sender can change; where there is no signalfd nobody can tell, and nothing is
heard here.
"""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
RECORD = 128
PLAINLY = 0  # SI_USER, by kill(): whoever queues a signal instead can write any sender into it
BY_KERNEL = 128  # SI_KERNEL, as a terminal's Ctrl-C: no process can send such a one
FLAGS = os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0)  # of signalfd() they have the same values


@contextmanager
def heard(numbers: Collection[signal.Signals]) -> Iterator[int | None]:
    """A descriptor on which they arrive, those too that have come before; nobody else gets them. None without one."""
    fd = _opened(numbers)
    if fd is None:
        yield None
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield fd
    finally:
        os.close(fd)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def is_waiting() -> bool:
    """Whether one of them has come and is held back, so that nothing should be begun that takes long."""
    return not signal.sigpending().isdisjoint(STOPPING)


def of(data: bytes) -> list[int | None]:
    """Of each signal in what was read: the process that has sent it, None where it can say what it likes."""
    return [pid if code == PLAINLY else None for _, code, pid in _told(data)]


def is_pressed(fd: int) -> bool:
    """Whether one of the signals that have arrived on this descriptor is a Ctrl-C at the terminal."""
    data = b""
    with suppress(BlockingIOError):
        data = os.read(fd, 64 * RECORD)
    return any(number == signal.SIGINT and code == BY_KERNEL for number, code, _ in _told(data))


def _told(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Of each signal its number, how it was sent, and by whom."""
    import struct  # in here: whoever only holds them back has no use for it

    for at in range(0, len(data), RECORD):
        number, _, code, pid = struct.unpack_from("=IiiI", data, at)
        yield number, code, pid


def _opened(numbers: Collection[signal.Signals]) -> int | None:
    with suppress(ImportError, OSError, AttributeError):  # not Linux, or a Python without ctypes
        import ctypes

        mask = sum(1 << (number - 1) for number in numbers).to_bytes(128, "little")  # as long as any libc has it
        return _lifted(ctypes.CDLL(None).signalfd(-1, mask, FLAGS))
    return None


def _lifted(fd: int) -> int | None:
    """Out of the way of a standard stream that was closed when we came."""
    if fd < 0:
        return None
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)
    finally:
        os.close(fd)
