"""A reviewer that the API keeps waiting: asked again until it answers or the time of the review is up.

Rule: waits for what passes and for nothing else, never beyond the end of the review, and not at all for a moment that
lies behind it; whoever ends the review ends the wait. Each try is paid for like any other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, repeat
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import process
from ccc.base.errors import CccError
from ccc.base.messages import Message, msg
from ccc.base.process import CannotStart, Command, Limits, Reason
from ccc.claude import outage
from ccc.claude.stream import Finished
from ccc.claude.weather import Weather, held_by, status_in, weather
from ccc.judging import holding
from ccc.model import Review, Unreviewed
from ccc.record.events import HeldUp

Attempt = tuple[Review, Finished | None]
# The client itself has tried three times in 2 s before it gives up.
STEPS = (2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
LEAST_SECONDS = 2.0  # in less no reviewer comes to an answer
JITTER = 0.25


class Patience(Struct, frozen=True):
    ask: Callable[[], Attempt]
    left: Callable[[], float]  # seconds until the end of the review
    wait: Callable[[float], bool]  # False when whoever waits for the answer has gone
    tell: Callable[[Message], None]
    held: Callable[[HeldUp], None]  # hears of every wait …
    went_on: Callable[[float], None]  # … of its end, after so many seconds
    long: Callable[[HeldUp], None]  # … and once of one that is long
    now: Callable[[], datetime]  # in the zone of the person
    provider: str | None = None

    def review(self, first: Attempt) -> Review:
        review, found, waited = first[0], self._weather(first), 0.0
        for step in _steps():
            if found is None:
                return review
            line, seconds = outage.line(found, self.provider, self.now()), self._seconds(found, step)
            if seconds > self.left() - LEAST_SECONDS:
                return replace(review, opinion=Unreviewed(line))
            self.tell(msg("{line}; the reviewer is asked again in {seconds} s", line=line, seconds=round(seconds)))
            by = held_by(found.kind, found.until)
            self._hold(HeldUp(by, self._moment(seconds), found.said, self.provider), waited, seconds)
            if not self.wait(seconds):
                return replace(review, opinion=Unreviewed(Reason.HUNG_UP.told, interrupted=True))
            self.went_on(seconds)
            waited += seconds
            attempt = self.ask()
            review, found = attempt[0].after(review), self._weather(attempt)
            if _ran_out(attempt):  # that is how long it lasted, and not why
                return replace(review, opinion=Unreviewed(line))
        return review

    def _weather(self, attempt: Attempt) -> Weather | None:
        """What kept the model away, if it passes."""
        review, finished = attempt
        if not isinstance(review.opinion, Unreviewed) or finished is None or not finished.is_error:
            return None
        text = finished.trouble
        status = finished.api_error_status or status_in(text)
        found = weather(text, self.now(), status=status, resets_at=finished.resets_at)
        return found if found.passes else None

    def _hold(self, event: HeldUp, waited: float, seconds: float) -> None:
        self.held(event)
        if holding.grows_long(waited, seconds):
            self.long(event)

    def _moment(self, seconds: float) -> str:
        return (self.now().astimezone(UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")

    def _seconds(self, found: Weather, step: float) -> float:
        if found.until is None:
            return step * random.uniform(1 - JITTER, 1 + JITTER)
        return max(step, (found.until - self.now()).total_seconds() + 1)


def _ran_out(attempt: Attempt) -> bool:
    """Whether the time of the review was up before the client had said anything."""
    review, finished = attempt
    opinion = review.opinion
    return isinstance(opinion, Unreviewed) and finished is None and not (opinion.interrupted or opinion.crashed)


def sleep(seconds: float, cwd: Path, hangup_fd: int | None, caller: int | None = None) -> bool:
    """A process like a reviewer, so that whatever ends a review ends this; False when something did. An error when that
    was nobody who waits for its answer."""
    command = Command(("/bin/sh", "-c", f"exec sleep {seconds:.1f}"), {"PATH": "/usr/bin:/bin"}, cwd)
    limits = Limits(deadline_seconds=seconds + 5, idle_seconds=seconds + 5)
    try:
        ended = process.run(command, on_output=lambda _: False, limits=limits, hangup_fd=hangup_fd, caller=caller)
    except CannotStart:
        return False
    if ended.reason is Reason.BROKEN_OFF:
        raise CccError(ended.reason.told)
    return ended.reason not in (Reason.HUNG_UP, Reason.INTERRUPTED)


def _steps() -> Iterator[float]:
    return chain(STEPS, repeat(STEPS[-1]))
