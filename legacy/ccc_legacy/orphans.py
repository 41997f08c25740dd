"""What a killed agent leaves running: its tools, which have sessions of their own and hear of no closed terminal.

Rule: ends only what ran under the agent when it died. What a finished tool call had detached before, a server say,
stays. Needs Linux, where ccc can be made the parent of orphans; elsewhere it finds none.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection
from contextlib import suppress

from ccc.base import processes

PR_SET_CHILD_SUBREAPER = 36
ROUNDS = 50  # an orphan's children become orphans when it is gone
POLL_SECONDS = 0.005


def adopt() -> None:
    """From now on orphans of our descendants are our children."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def adopted(agent: int) -> frozenset[int]:
    """The living orphans: children that are neither the agent nor of our own session, as all that ccc starts is."""
    return frozenset(pid for pid in processes.children(os.getpid()) if pid != agent and _is_living_stranger(pid))


def end(agent: int, detached: frozenset[int], grace: float) -> None:
    """Asked first, then killed."""
    deadline = time.monotonic() + grace
    asked: set[int] = set()
    for _ in range(ROUNDS):
        orphans = adopted(agent) - detached
        if not orphans:
            return
        _signal(orphans - asked, signal.SIGTERM)
        asked |= orphans
        while time.monotonic() < deadline and adopted(agent) & orphans:
            time.sleep(POLL_SECONDS)
        _signal(orphans, signal.SIGKILL)
        time.sleep(POLL_SECONDS)


def _is_living_stranger(pid: int) -> bool:
    try:
        if os.getsid(pid) == os.getsid(0):
            return False
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except (ProcessLookupError, ChildProcessError):  # gone meanwhile
        return False


def _signal(pids: Collection[int], number: int) -> None:
    for pid in pids:
        for send in (os.kill, os.killpg):  # with its group, if it leads one
            with suppress(ProcessLookupError, PermissionError):
                send(pid, number)
