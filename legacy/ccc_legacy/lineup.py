"""The providers of a run: who works, who is away and until when, and who is to go on.

Rule: pure values that go to the review and back; the clock comes in. A wait that the person finds short is waited for
where it is met; for a longer one whoever can be asked first goes on, the earlier named first.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude.weather import Kind, Weather
from ccc_legacy.patience import Patience

DEFAULT_SECONDS = 600.0


class Away(Struct, frozen=True):
    """A provider that has not answered."""

    kind: Kind
    since: datetime  # since when nobody has heard of it
    again: datetime | None = None  # when to ask it again; None: not in this request
    until: datetime | None = None  # when it will be back, where somebody says so


class Turn(Struct, frozen=True):
    """Who is to be asked next, and when."""

    name: str | None
    at: datetime


class Lineup(Struct, frozen=True):
    names: tuple[str, ...] = ()  # the one that was started, then its fallbacks; none: the client's own login
    patience: float = DEFAULT_SECONDS  # how long a wait may be before another one goes on
    now_at: int = 0
    away: Mapping[str, Away] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        """Of the one that works."""
        return self.names[self.now_at] if self.names else None

    @property
    def has_others(self) -> bool:
        return len(self.names) > 1

    def moved(self, name: str) -> Lineup:
        return replace(self, now_at=self.names.index(name))

    def answered(self) -> Lineup:
        """A model has: what was known of this one's absence is over."""
        return replace(self, away={name: each for name, each in self.away.items() if name != self.name})

    def without(self, weather: Weather, again: datetime | None, now: datetime) -> Lineup:
        """The one that works has failed; `again` is when it could be asked again."""
        if self.name is None:
            return self
        known = self.away.get(self.name)
        found = Away(weather.kind, known.since if known else now, again, weather.until)
        return replace(self, away={**self.away, self.name: found})

    def gives_way(self, weather: Weather) -> bool:
        """Whether another one could go on: for what passes, for an empty purse, and for whatever ails a fallback."""
        return self.has_others and (weather.passes or weather.kind is Kind.MONEY or self.now_at > 0)

    def turn(self, now: datetime) -> Turn | None:
        """After a failure; None when nobody can be asked while the person is patient."""
        here = self.away.get(self.name or "")
        if here and here.again and (here.again - here.since).total_seconds() <= self.patience:
            return Turn(self.name, here.again)
        found = [Turn(name, at) for name in self.names if (at := self._free(name, now)) is not None]
        return min(found, key=lambda each: each.at, default=None)

    def requested(self, now: datetime) -> Lineup:
        """For a new request: the earliest named that may be back."""
        back = (name for name in self.names if not ((away := self.away.get(name)) and away.until and away.until > now))
        asked = {name: replace(each, again=each.again or each.until or now) for name, each in self.away.items()}
        return replace(self, away=asked, now_at=self.names.index(next(back, self.name or ""))) if self.names else self

    def after(self, weather: Weather, patience: Patience, now: datetime, chance: float) -> tuple[Lineup, Turn | None]:
        """The one that works has failed: what is known then, and who is to be asked next, if anybody."""
        again = patience.again_at(weather, now, chance) if weather.passes else None
        known = self.without(weather, again, now)
        if known.gives_way(weather):
            return known, known.turn(now)
        return known, Turn(self.name, again) if again else None

    def _free(self, name: str, now: datetime) -> datetime | None:
        away = self.away.get(name)
        if away is None:
            return now
        return away.again and max(away.again, now)
