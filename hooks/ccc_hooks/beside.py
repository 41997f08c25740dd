"""A process of ccc's own beside the client that this one is about to become.

Rule: nobody's child, holds nothing but stderr, and whatever goes wrong in it is no affair of the client's; what it
needs is imported there, for nobody waits for it.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from ccc.base import sink
from ccc.providers.launch import Plan, Start
from ccc_hooks import headless


def look_out(plan: Plan, start: Start) -> None:
    """Leave a lookout behind. Where nobody could be told anything, or seen to end, there is none."""
    if headless.VARIABLE not in plan.env or not hasattr(os, "pidfd_open"):
        return
    client = os.getpid()
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    with suppress(BaseException):
        if os.fork() == 0:  # the client has no child then that it does not know
            _live(plan, start, client)
    os._exit(0)


def _live(plan: Plan, start: Start, client: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    ends = os.pidfd_open(client)
    _let_go_of_all_but(2, ends)
    from ccc_hooks.lookout import Lookout

    Lookout(plan, start, client, ends, plan.env[headless.VARIABLE]).watch()


def _let_go_of_all_but(*kept: int) -> None:
    """stderr stays: whoever reads it to its end has then heard the last word as well."""
    for fd in {int(each.name) for each in Path("/proc/self/fd").iterdir()} - set(kept):
        with suppress(OSError):
            os.close(fd)
    sink.fill_closed_streams()
