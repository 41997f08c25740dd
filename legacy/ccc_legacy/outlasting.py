"""A reviewer whose provider does not answer: what passes is waited for, in the process of the review.

Rule: ends with whoever reads the story of the review; the review that follows is not counted again, for the one before
it was never held.
"""

from __future__ import annotations

import random
import select
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from ccc.claude.stream import Finished
from ccc.claude.weather import Weather, weather
from ccc.judging.report import Report
from ccc.model import StopEvent, Verdict
from ccc.record.events import HeldUp, WentOn
from ccc.record.session import Phase
from ccc.record.store import Memory
from ccc_legacy.patience import Patience

STEP_SECONDS = 5.0  # how long the wall clock may go unlooked at


class Outlasting(Struct):
    """The waits of one review."""

    memory: Memory
    report: Report
    provider: str | None
    patience: Patience
    read: Callable[[Finished], Verdict | None]  # an answer
    _weather: Weather | None = None  # of the last one, where the API has ended it

    def verdict(self, finished: Finished) -> Verdict | None:
        now, status = datetime.now().astimezone(), finished.api_error_status
        self._weather = weather(finished.trouble, now, status=status) if finished.by_api else None
        return self.read(finished)

    def waited(self, stop: StopEvent) -> float | None:
        """Wait until another review can be asked for; how many seconds that took, None when there is no use in it."""
        found, self._weather = self._weather, None
        began = datetime.now(UTC)
        until = self.patience.again_at(found, began, random.random()) if found and found.passes else None
        if found is None or until is None:
            return None
        self._hold(stop, found, until)
        if not _passed(until):
            return None
        seconds = max(0.0, (datetime.now(UTC) - began).total_seconds())
        self.patience = self.patience.after(seconds)
        self._release(stop, seconds)
        return seconds

    def _hold(self, stop: StopEvent, found: Weather, until: datetime) -> None:
        told, session = until.isoformat(timespec="seconds"), self.memory.session
        held = replace(session.request, phase=Phase.HELD_UP, held_by=found.kind.value, held_until=told)
        self.memory.keep(replace(session, request=held))
        self.report.tell(stop, HeldUp(found.kind.value, told, found.said, self.provider))

    def _release(self, stop: StopEvent, seconds: float) -> None:
        session = self.memory.session
        self.memory.keep(replace(session, request=replace(session.request, phase=Phase.REVIEWING, held_until="")))
        self.report.tell(stop, WentOn(round(seconds, 1)))


def _passed(until: datetime) -> bool:
    """Whether the time has come; False when nobody reads us any more."""
    reader = select.poll()
    reader.register(1, 0)
    while (left := (until - datetime.now(UTC)).total_seconds()) > 0:
        if reader.poll(1000 * min(left, STEP_SECONDS)):
            return False
    return True
