"""The hook's own end: whatever holds it, a Stop is answered before the client would give it up in silence.

Rule: one alarm for one process, in its main thread; it breaks a call that waits for the disk, a pipe or a lock, and
what was begun is cleared up on the way out.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Within = Callable[[float], None]


class Overdue(BaseException):
    """Not to be taken for an error that somebody on the way knows how to live with."""


@contextmanager
def within(seconds: float) -> Iterator[Within]:
    """Raise Overdue in the block when the time is up; what is handed out sets it anew."""
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        _set(seconds)
        yield _set
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)


def _set(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))  # 0 would be never


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise Overdue
