"""How long bad weather is waited for, and what the person reads when that does not help.

Rule: pure; the clock and chance come in. What passes is waited for no longer than the person allows, counted from the
last time that a model has answered; what does not pass is an end with the next thing to type.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.messages import Message, msg
from ccc.claude.weather import Kind, Weather
from ccc.record.words import clock

DEFAULT_MINUTES = 360.0
# The first and the longest pause in seconds, where nobody says when it is over; each is twice the one before.
PAUSES = {Kind.LIMIT: (30.0, 900.0), Kind.OVERLOADED: (1.0, 300.0), Kind.NETWORK: (1.0, 300.0)}
LATE_SECONDS = 0.5  # the provider's clock is not ours, and a limit that is asked too early counts as another request


class Patience(Struct, frozen=True):
    """Of one request. `tries` and `waited` count since a model answered last."""

    minutes: float = DEFAULT_MINUTES
    waited: float = 0.0  # seconds
    tries: int = 0

    def renewed(self) -> Patience:
        return Patience(self.minutes)

    def after(self, seconds: float) -> Patience:
        return replace(self, waited=self.waited + max(0.0, seconds), tries=self.tries + 1)

    def again_at(self, weather: Weather, now: datetime, chance: float) -> datetime | None:
        """When to ask again; None when that would be later than the person wants to wait. `chance` is from 0 to 1."""
        left = 60 * self.minutes - self.waited
        if weather.until is not None and weather.until > now:
            seconds = (weather.until - now).total_seconds() + LATE_SECONDS + chance
        else:
            seconds = min(left, self._pause(weather, chance))
        return now + timedelta(seconds=seconds) if 0 < seconds <= left + LATE_SECONDS + 1 else None

    def _pause(self, weather: Weather, chance: float) -> float:
        # A moment that has just passed was nearly right, so the first question comes soon.
        first, most = PAUSES[Kind.OVERLOADED if weather.until else weather.kind]
        return min(most, first * 2.0 ** min(self.tries, 20)) * (0.75 + chance / 2)


def ending(weather: Weather, provider: str | None, session_id: str | None, minutes: float) -> Message | None:
    """The line at the end of a request that the API has ended; None where there is nothing better than its words."""
    name, said = provider or "claude", weather.said
    again = f"ccc --supervisor{f' {provider}' if provider else ''} --resume {session_id or 'ID'}"
    match weather.kind:
        case Kind.KEY if provider is None:
            return msg("claude is not logged in ({said}); start claude and type /login", said=said)
        case Kind.KEY:
            return msg(
                "{provider} does not take its key ({said}); put a good one into ccc.json and try it: "
                "ccc validate {provider}",
                provider=name,
                said=said,
            )
        case Kind.MONEY:
            return msg(
                "there is no money left at {provider} ({said}); top it up, then go on with: {command}",
                provider=name,
                said=said,
                command=again,
            )
        case Kind.CONTEXT:
            return msg(
                "the conversation is longer than the model of {provider} reads ({said}); "
                "type /compact to shorten it or /clear to begin anew, here or after: {command}",
                provider=name,
                said=said,
                command=again,
            )
        case Kind.MODEL:
            return msg(
                "{provider} does not have this model ({said}); name another: {command} --model NAME",
                provider=name,
                said=said,
                command=again,
            )
        case Kind.LIMIT | Kind.OVERLOADED | Kind.NETWORK:
            return _too_late(weather, name, again, minutes)
        case Kind.OTHER:
            return None


def _too_late(weather: Weather, name: str, again: str, minutes: float) -> Message:
    if weather.until is None:
        return msg(
            "{provider} has not answered for {minutes:g} min, which is supervisor.max_wait_minutes ({said}); "
            "go on later with: {command}",
            provider=name,
            minutes=minutes,
            said=weather.said,
            command=again,
        )
    return msg(
        "{provider} does not answer before {time}, and supervisor.max_wait_minutes is {minutes:g} ({said}); "
        "go on then with: {command}",
        provider=name,
        time=clock(weather.until),
        minutes=minutes,
        said=weather.said,
        command=again,
    )
