"""The line that tells where things stand: whose turn it is, since when, which round, what it has cost.

Rule: pure; what there is no room for is left out, the least important first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from ccc.base.messages import msg
from ccc.base.text import columns_of, one_line
from ccc.model import Bill
from ccc.record.words import money, span

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
TURNS_A_SECOND = 5


class Standing(Struct, frozen=True):
    phase: str
    busy: float | None = None  # since so many seconds somebody else than the person is at work
    work: str = ""  # at what
    queued: int = 0
    round: tuple[int, int] | None = None  # of how many
    supervised: bool = True
    bill: Bill = Bill(0, 0.0, None)
    tokens: int = 0
    session: str | None = None
    mode: str = ""  # what the agent may do unasked, where that is not the usual


class _Part(Struct, frozen=True):
    text: str
    weight: int  # the heavier the longer it stays


def bar(standing: Standing, columns: int, told: Callable[[str], str], lang: str) -> str:
    parts = [part for part in _parts(standing, told, lang) if part.text]
    while len(parts) > 1 and columns_of(_joined(parts)) > columns:
        parts.remove(min(parts, key=lambda part: part.weight))
    return _joined(parts)


def _joined(parts: list[_Part]) -> str:
    return " · ".join(part.text for part in parts)


def _parts(standing: Standing, told: Callable[[str], str], lang: str) -> Iterator[_Part]:
    yield _Part(_turn(standing), 9)
    yield _Part(one_line(standing.work, 60), 6)
    if standing.queued:
        yield _Part(told(msg("{count} queued", count=standing.queued)), 7)
    if standing.round:
        count, limit = standing.round
        yield _Part(told(msg("round {count}/{limit}", count=min(count, limit), limit=limit)), 8)
    yield _Part(standing.mode, 6)
    yield _Part(told(msg("supervised") if standing.supervised else msg("reviews off")), 5)
    if standing.bill.total_usd:
        yield _Part(money(standing.bill, lang), 4)
    if standing.tokens:
        yield _Part(told(msg("{count} tokens", count=_short(standing.tokens))), 3)
    yield _Part(standing.session or told(msg("no session yet")), 1)
    yield _Part("/help", 2)


def _turn(standing: Standing) -> str:
    if standing.busy is None:
        return standing.phase
    at = int(standing.busy * TURNS_A_SECOND) % len(SPINNER)
    return f"{SPINNER[at]} {standing.phase} {_elapsed(standing.busy)}"


def _elapsed(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else span(seconds)


def _short(count: int) -> str:
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 100_000 else f"{count / 1000:,.0f}k"
