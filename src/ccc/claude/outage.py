"""What keeps the model away, in a person's words: whose it is, what it is, and until when.

Rule: pure; one line for each kind of weather, for every place that tells it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from ccc.base.messages import Message, msg
from ccc.base.text import one_line
from ccc.claude.weather import Kind, Weather

SAID_LENGTH = 160


def line(weather: Weather, provider: str | None, now: datetime) -> Message:
    """`now` is in the zone of whoever reads it."""
    who = provider or msg("the API")
    if weather.until:
        return _until(weather.kind, who, clock(weather.until, now))
    what = _what(weather.kind, who)
    said = one_line(weather.said, SAID_LENGTH)
    return msg("{what} ({said})", what=what, said=said) if said else what


def clock(moment: datetime, now: datetime) -> str:
    """The time of the day where the person is, with the day when it is another one."""
    at = moment.astimezone(now.tzinfo)
    # To the minute, and never before the moment itself.
    shown = at if not (at.second or at.microsecond) else at + timedelta(minutes=1)
    return f"{shown:%H:%M}" if shown.date() == now.date() else f"{shown:%Y-%m-%d %H:%M}"


def _until(kind: Kind, who: str, time: str) -> Message:
    if kind is Kind.LIMIT:
        return msg("{who}: usage limit until {time}", who=who, time=time)
    return msg("{what} until {time}", what=_what(kind, who), time=time)


def _what(kind: Kind, who: str) -> Message:
    match kind:
        case Kind.LIMIT:
            return msg("{who}: usage limit, nobody says until when", who=who)
        case Kind.OVERLOADED:
            return msg("{who}: overloaded", who=who)
        case Kind.NETWORK:
            return msg("{who}: cannot be reached", who=who)
        case Kind.KEY:
            return msg("{who}: the key is refused; set another one: ccc init", who=who)
        case Kind.MONEY:
            return msg("{who}: no money left on the account; top it up", who=who)
        case Kind.CONTEXT:
            return msg("{who}: the conversation is longer than the model reads; type /compact", who=who)
        case Kind.MODEL:
            return msg("{who}: does not know the model; name another: --model NAME", who=who)
        case Kind.OTHER:
            return msg("{who}: failed", who=who)
