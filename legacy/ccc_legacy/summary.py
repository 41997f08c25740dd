"""What a request came to, in one line at its end: rounds, time, tokens, files, and money where nobody has told it.

Rule: pure; only what is known is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ccc.base.messages import Message, msg
from ccc.base.text import one_line
from ccc.claude.conversation import Conversation
from ccc.evidence import facts
from ccc.model import Bill
from ccc.record.words import money, span

FILES_NAMED = 5


class Summary(Struct, frozen=True):
    rounds: int
    seconds: float
    tokens: int = 0
    bill: Bill | None = None
    files: Sequence[str] = ()


def changed(conversation: Conversation | None, cwd: Path) -> tuple[str, ...]:
    """The files that were edited, as somebody who stands in this folder names them."""
    edited = facts.of(conversation).edited_files if conversation else ()
    return tuple(path.removeprefix(f"{cwd}/") for path in edited)


def line(summary: Summary, told: Callable[[str], str], lang: str) -> str:
    words = [told(part) for part in _parts(summary)]
    if summary.bill and summary.bill.total_usd:
        words.append(money(summary.bill, lang))
    return f"— {' · '.join(words)}"


def _parts(summary: Summary) -> Iterator[Message | str]:
    if summary.rounds:
        yield msg("1 round") if summary.rounds == 1 else msg("{count} rounds", count=summary.rounds)
    yield span(summary.seconds)
    if summary.tokens:
        yield msg("{count} tokens", count=f"{summary.tokens:,}")
    yield _named(summary.files)


def _named(files: Sequence[str]) -> Message:
    if not files:
        return msg("no file was edited")
    names = ", ".join(one_line(name, 60) for name in files[:FILES_NAMED])
    rest = len(files) - FILES_NAMED
    return msg("edited: {names}, +{rest}", names=names, rest=rest) if rest > 0 else msg("edited: {names}", names=names)
