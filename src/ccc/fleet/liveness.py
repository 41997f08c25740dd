"""Who is alive: each worker holds a lock that the kernel, or Postgres, lets go of when its holder is gone.

Rule: nobody's word counts, neither a time stamp nor a process id. On the same machine the file's lock decides at once;
of another machine Postgres is asked, and a lock must have been free for a while: a connection that broke is no death.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ccc.base import files
from ccc.fleet.address import Address
from ccc.fleet.store import Worker


class Liveness:
    def __init__(self, address: Address, worker: Worker, clock: Callable[[], float] = time.monotonic) -> None:
        self._address, self._worker, self._clock = address, worker, clock
        self._folder = address.folder / "workers"
        self._fd = -1
        self._beat: Any = None  # a connection of psycopg's that holds the lock
        self._free_since: dict[str, float] = {}

    def begin(self) -> None:
        files.private_directory(self._folder)
        self._fd = os.open(self._path(self._worker), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(self._fd, fcntl.LOCK_EX)

    def hold(self) -> None:
        """Have the lock in Postgres, again where the connection broke; what keeps from it is the caller's to know."""
        if not self._address.postgres or self._holds():
            return
        import psycopg

        self._beat = psycopg.connect(
            self._address.postgres, autocommit=True, connect_timeout=10, application_name="ccc fleet worker"
        )
        self._beat.execute("SELECT pg_advisory_lock(%s)", (_key(self._worker.id),))

    def end(self) -> None:
        self._path(self._worker).unlink(missing_ok=True)
        if self._fd >= 0:
            os.close(self._fd)
        if self._beat is not None:
            self._beat.close()

    def gone(self, other: Worker, grace: float) -> bool:
        """Whether that worker is no more."""
        if not self._address.postgres or other.machine == self._worker.machine:  # a file is of one machine
            return self._freed(other)
        if not self._free_in_postgres(other):
            self._free_since.pop(other.id, None)
            return False
        since = self._free_since.setdefault(other.id, self._clock())
        return self._clock() - since >= grace

    def _freed(self, other: Worker) -> bool:
        path = self._path(other)
        if not path.exists():
            return True
        if not files.was_freed(path):
            return False
        path.unlink(missing_ok=True)
        return True

    def _free_in_postgres(self, other: Worker) -> bool:
        if not self._holds():
            return False
        [(free,)] = self._beat.execute("SELECT pg_try_advisory_lock(%s)", (_key(other.id),)).fetchall()
        if free:
            self._beat.execute("SELECT pg_advisory_unlock(%s)", (_key(other.id),))
        return bool(free)

    def _holds(self) -> bool:
        if self._beat is None or self._beat.closed:
            return False
        try:
            self._beat.execute("SELECT 1")
        except Exception:  # however it broke, it is made anew
            self._beat.close()
            return False
        return True

    def _path(self, worker: Worker) -> Path:
        return self._folder / f"{hashlib.sha256(worker.id.encode()).hexdigest()[:24]}.lock"


def _key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def alive(address: Address, worker: Worker, machine: str) -> bool:
    """For whoever only looks: of another machine nothing is known, so it is believed."""
    path = address.folder / "workers" / f"{hashlib.sha256(worker.id.encode()).hexdigest()[:24]}.lock"
    elsewhere = bool(address.postgres) and worker.machine != machine
    return elsewhere or (path.exists() and not files.was_freed(path))
