"""What stood in a task's folder when its reviewer was asked: nothing else is sealed as completed.

Rule: taken as soon as the review is heard of, while the reviewer begins, and worth nothing once a verdict is there:
what the agent has left running may have waited for that. What ccc's checks have made by then is part of it.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from ccc.base.errors import CccError
from ccc.fleet import worktree
from ccc.fleet.feed import Seen
from ccc.fleet.worktree import Place

INDEX = "ccc-reviewed"


class Reviewed:
    def __init__(self, place: Place, title: str) -> None:
        self._place, self._title = place, title
        self._seen = Seen()
        self._commit = ""
        self._taking: threading.Thread | None = None

    def __call__(self, seen: Seen) -> None:
        before, self._seen = self._seen, seen
        if seen.asked > before.asked:
            self._ended()
            self._commit = ""
            self._taking = threading.Thread(target=self._take, daemon=True)
            self._taking.start()

    def commit(self) -> str:
        """Of the last review; "" where nobody knows."""
        self._ended()
        return self._commit

    def _take(self) -> None:
        with suppress(CccError, OSError):
            found = worktree.snapshot(self._place, self._title, INDEX)
            if self._seen.judged < self._seen.asked:
                self._commit = found

    def _ended(self) -> None:
        if self._taking:
            self._taking.join()
