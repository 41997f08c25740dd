"""A review that waits for its provider, written down while it does: in the state, in the log and in the story.

Rule: whatever cannot be written changes nothing for the review.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.judging.report import Report
from ccc.model import StopEvent
from ccc.record.events import HeldUp, WentOn
from ccc.record.session import Phase, Request
from ccc.record.store import Memory

LONG_SECONDS = 60.0  # from here on whoever is away may want to know


def grows_long(waited: float, pause: float) -> bool:
    """Whether this pause makes a long wait of a short one."""
    return waited < LONG_SECONDS <= waited + pause


class Holding(Struct, frozen=True):
    stop: StopEvent
    memory: Memory
    report: Report

    def begins(self, event: HeldUp) -> None:
        current = self.memory.session.request
        self._keep(replace(current, phase=Phase.HELD_UP, held_by=event.by, held_until=event.until))
        self.report.tell(self.stop, event)

    def ends(self, seconds: float) -> None:
        self._keep(replace(self.memory.session.request, phase=Phase.REVIEWING, held_by="", held_until=""))
        self.report.tell(self.stop, WentOn(round(seconds, 1)))

    def _keep(self, request: Request) -> None:
        with suppress(CccError):
            self.memory.keep(replace(self.memory.session, request=request))
