"""What another machine could go on with, should this one be gone: the work so far, on the branch of the remote.

Rule: only where the person has named a remote. The agent neither waits for a push nor sees one; what cannot be pushed
now is pushed with the next that can, and what keeps from it is told at the end of the task.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ccc.base.errors import CccError
from ccc.fleet import worktree
from ccc.fleet.worktree import Place

EVERY_SECONDS = 20.0  # … and at each stop, and at each commit


class Sharing:
    def __init__(
        self, place: Place, remote: str | None, title: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._place, self._remote, self._title, self._clock = place, remote, title, clock
        self._commits = worktree.commits(place) if remote else None
        self._seen: tuple[int, int] = (0, _size(self._commits))  # stops and commits that were shared
        self._at = clock()
        self._pushed = ""
        self._busy: threading.Thread | None = None

    def __call__(self, stops: int) -> None:
        """Share what there is, if something has happened since, or it is time to look."""
        if not self._remote or (self._busy and self._busy.is_alive()):
            return
        seen = (stops, _size(self._commits))
        if seen == self._seen and self._clock() - self._at < EVERY_SECONDS:
            return
        self._seen, self._at = seen, self._clock()
        self._busy = threading.Thread(target=self._share, daemon=True)
        self._busy.start()

    def end(self, *, last: bool) -> None:
        """Nothing is under way any more; `last`: what was done since is shared too."""
        if self._busy:
            self._busy.join()
        if self._remote and last:
            self._share()

    def _share(self) -> None:
        with suppress(CccError, OSError):  # the agent may be in the midst of something
            found = worktree.snapshot(self._place, self._title)
            if found and found != self._pushed:
                worktree.push(self._place, self._remote or "", found)
                self._pushed = found


def _size(path: Path | None) -> int:
    """git writes a line there at every commit."""
    try:
        return path.stat().st_size if path else 0
    except OSError:  # nobody has committed yet
        return 0
