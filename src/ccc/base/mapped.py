"""Files that somebody may be writing to through a mapping (`mmap`), of which no date tells at once.

Rule: the kernel dates the first write to a page, and no further one until the page has gone to the disk. A file system
in memory has no disk, and often dates none; one that stands on another, as a container's does, has to be told to write.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
DISKLESS = frozenset({"tmpfs", "ramfs"})
OF_A_DISK = frozenset({"ext2", "ext3", "ext4", "xfs", "f2fs"})
LINGERS = 3600  # seconds: no page waits so long for the disk
# SYNC_FILE_RANGE_WAIT_BEFORE and _WRITE: begins what the kernel would do within half a minute, and waits for no disk.
BEGIN = 3


def kinds() -> Mapping[int, str]:
    """What each device is mounted as; empty where nobody can say."""
    try:
        lines = MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return {}
    return {_device(line): kind for line in lines if (kind := _kind(line))}


def may_be_behind(found: os.stat_result) -> bool:
    """Whether a page of it may have been written to since, with the date that it has."""
    return time.time() - found.st_ctime < LINGERS


def write_out(path: Path, kind: str) -> None:
    """From here on a write to the file changes its date, whoever has mapped it; on Linux only."""
    with _opened(path) as fd:
        if kind in OF_A_DISK:
            _begin_to_write(fd)
        else:
            with suppress(OSError):  # nothing that can be written
                os.fsync(fd)


def _begin_to_write(fd: int) -> None:
    import ctypes

    ctypes.CDLL(None).sync_file_range(fd, ctypes.c_int64(0), ctypes.c_int64(0), BEGIN)


def content(path: Path, size: int) -> bytes:
    """No more of it than there was."""
    with _opened(path) as fd, os.fdopen(fd, "rb", closefd=False) as file:
        return file.read(size)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Without waiting: for nobody's pipe, and for nobody who has a lease on it."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        yield fd
    finally:
        os.close(fd)


def _device(line: str) -> int:
    """Of a line like `25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw`."""
    major, minor = line.split()[2].split(":")
    return os.makedev(int(major), int(minor))


def _kind(line: str) -> str:
    return line.partition(" - ")[2].partition(" ")[0]
