"""A reviewer whose provider does not answer: what passes is waited for, or another provider asked, as for the agent.

Rule: in the process of the review, and ends with whoever reads its story; the review that follows is not counted
again, for the one before it was never held. A judge with a provider of its own is waited for as well, and nobody takes
its place.
"""

from __future__ import annotations

import random
import select
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from ccc.claude.stream import Finished
from ccc.claude.weather import Weather, held_by, weather
from ccc.judging.holding import Holding, grows_long
from ccc.judging.report import Report
from ccc.judging.verdict import Reading
from ccc.model import StopEvent
from ccc.record.events import Changed, HeldUp
from ccc.record.session import About
from ccc.record.store import Memory
from ccc_legacy.lineup import Lineup, Turn
from ccc_legacy.patience import Patience
from ccc_legacy.review import Case

STEP_SECONDS = 5.0  # how long the wall clock may go unlooked at


class Outlasting(Struct):
    """The waits of one review."""

    memory: Memory
    report: Report
    case: Case  # with the provider that is asked now
    patience: Patience
    reading_of: Callable[[Finished], Reading | None]  # an answer
    announce: Callable[[HeldUp], None] = lambda _: None  # a wait that has become a long one
    now: Callable[[], datetime] = lambda: datetime.now(UTC)  # what the clock on the wall says
    _weather: Weather | None = None  # of the last one, where the API has ended it

    def read(self, finished: Finished) -> Reading | None:
        now, status, at = self.now().astimezone(), finished.api_error_status, finished.resets_at
        self._weather = weather(finished.trouble, now, status=status, resets_at=at) if finished.by_api else None
        if self._weather is None:
            self.patience = self.patience.renewed()
        return self.reading_of(finished)

    def waited(self, stop: StopEvent, judge: str | None = None) -> float | None:
        """Wait until another review can be asked for, of this `judge` or of the agent's own provider; how many seconds
        that took, None when there is no use in it."""
        found, self._weather = self._weather, None
        began, foreign = self.now(), judge not in (None, self.case.provider)
        turn = self._turn(found, began, judge if foreign else None) if found else None
        if found is None or turn is None or not self._outlasted(stop, found, turn, began):
            return None
        if not foreign and turn.name != self.case.provider:
            self._change(stop, found, str(turn.name))
        return max(0.0, (self.now() - began).total_seconds())

    def _turn(self, found: Weather, now: datetime, judge: str | None) -> Turn | None:
        if judge:
            return Lineup((judge,)).after(found, self.patience, now, random.random())[1]
        lineup, turn = self.case.lineup.after(found, self.patience, now, random.random())
        self.case = replace(self.case, lineup=lineup)
        return turn

    def _outlasted(self, stop: StopEvent, found: Weather, turn: Turn, began: datetime) -> bool:
        """Wait, if there is something to wait for; False when nobody reads us any more."""
        if turn.at <= began:
            return True
        holding = Holding(stop, self.memory, self.report)
        self._hold(holding, found, turn, began)
        if not self._passed(turn.at):
            return False
        seconds = max(0.0, (self.now() - began).total_seconds())
        self.patience = self.patience.after(min(seconds, (turn.at - began).total_seconds()))
        holding.ends(seconds)
        return True

    def _hold(self, holding: Holding, found: Weather, turn: Turn, began: datetime) -> None:
        away = self.case.lineup.away.get(turn.name or "")
        by = held_by(away.kind, away.until) if away else held_by(found.kind, found.until)
        event = HeldUp(by, turn.at.isoformat(timespec="seconds"), found.said, turn.name)
        holding.begins(event)
        if grows_long(self.patience.waited, (turn.at - began).total_seconds()):
            self.announce(event)

    def _change(self, stop: StopEvent, found: Weather, to: str) -> None:
        until = found.until.isoformat(timespec="seconds") if found.until else ""
        self.report.tell(stop, Changed(self.case.provider, to, found.kind.value, until, found.said))
        self.case = self.case.under(to)
        self.memory.keep(self.memory.session.known_as(About(provider=to)))

    def _passed(self, until: datetime) -> bool:
        """Whether the time has come; False when nobody reads us any more."""
        reader = select.poll()
        reader.register(1, 0)
        while (left := (until - self.now()).total_seconds()) > 0:
            if reader.poll(1000 * min(left, STEP_SECONDS)):
                return False
        return True
