"""A request that the client asks for again and again: what the end of its transcript tells meanwhile.

Rule: every fact about the client's `api_error` lines is in this file; total over any file, and nothing is told of a
pause that is over. A client with a screen writes none (2.1.326), and says it there: `401 … retrying in 5s`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from ccc.base import jsonlines
from ccc.claude.weather import Weather, weather

LIMIT = 2**20
# Of a request that goes well nothing is written before its answer is.
GRACE = timedelta(seconds=2)


class Asking(Struct, frozen=True):
    """The model has not answered, and the client will ask again."""

    weather: Weather
    attempt: int  # so often it has failed …
    of: int  # … and after so many more tries the client gives up
    is_first: bool = False  # since the person's request no model has said a word


def asking(transcript: Path, now: datetime) -> Asking | None:
    """None when the client does nothing of the kind, or its transcript does not tell."""
    lines = _of_the_agent(jsonlines.messages_from_end(transcript, LIMIT))
    for line in lines:
        if line.get("type") in ("user", "assistant"):
            return None
        if line.get("subtype") == "api_error":
            found = _asking(line, now)
            return Asking(*found, is_first=_is_request(lines)) if found else None
    return None


def _of_the_agent(lines: Iterable[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Not of its subagents, which ask for themselves."""
    return (line for line in lines if line.get("isSidechain") is not True)


def _asking(line: Mapping[str, object], now: datetime) -> tuple[Weather, int, int] | None:
    attempt, of, pause = (_number(line.get(name)) for name in ("retryAttempt", "maxRetries", "retryInMs"))
    at = _moment(line.get("timestamp"))
    if at is None or now > at + timedelta(milliseconds=min(pause, 10**9)) + GRACE:
        return None
    error = line.get("error")
    told = error if isinstance(error, dict) else {}
    status = told.get("status")
    text = next((text for key in ("formatted", "message") if isinstance(text := told.get(key), str)), "")
    return weather(text, now, status=status if isinstance(status, int) else None), attempt, of


def _is_request(lines: Iterator[dict[str, object]]) -> bool:
    """Whether what stands before is the person's; a tool's result answers what a model has said."""
    for line in lines:
        if line.get("type") in ("user", "assistant"):
            return line.get("type") == "user" and "tool_result" not in str(line.get("message"))[:4000]
    return False


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and abs(value) < 10**12 else 0


def _moment(value: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo else None
