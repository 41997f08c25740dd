"""Who sits in front of ccc: somebody at a terminal (prompt.py), or nobody.

Rule: what the loop asks of a person, and what a person does to the loop; no library is needed for either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from ccc.base import sink
from ccc.base.folding import breaks
from ccc.base.text import clean
from ccc_legacy.terminal import Size

ENDLESS: Size = (2**31, 2**31)
ECHOED = 12  # lines of a message


class Suggestion(Struct, frozen=True):
    """What could stand in place of the last `typed` characters of the line."""

    text: str
    typed: int
    about: str = ""


class Listener(Protocol):
    """What the loop wants to hear of the person."""

    def typed(self, text: str) -> None: ...
    def steered(self, text: str) -> None: ...
    def unfolded(self) -> None: ...
    def switched(self) -> None: ...
    def interrupted(self, *, leaves_if_repeated: bool) -> None: ...
    def left(self) -> None: ...
    def resized(self, size: Size) -> None: ...


class Person(Protocol):
    """Somebody, or nobody, in front of ccc."""

    async def attend(self, listener: Listener) -> None:
        """Pass on what the person does until they leave."""

    async def show(self, lines: Sequence[str]) -> None:
        """Put whole lines on the screen; none of them when only what grows has grown."""

    async def ask(self, question: str) -> str:
        """Ask and wait for a line; empty when the person would rather interrupt, or is not there."""

    def room(self) -> Size:
        """How many rows and columns they see at once."""

    async def lend(self, borrow: Callable[[], None]) -> None:
        """Give the terminal away for as long as `borrow` runs."""


class Nobody(Struct, frozen=True):
    """No terminal: what is to be seen goes to a descriptor, or nowhere, and nobody answers."""

    fd: int = 1
    silent: bool = False
    stamp: Callable[[], str] | None = None  # the time, before each line

    async def attend(self, listener: Listener) -> None:
        return

    async def show(self, lines: Sequence[str]) -> None:
        if not self.silent:
            write_lines([*self._stamped(lines)] if self.stamp else lines, self.fd)

    def _stamped(self, lines: Sequence[str]) -> Iterator[str]:
        now = self.stamp() if self.stamp else ""
        for line in lines:
            parts = [line] if isinstance(line, sink.Styled) else line.split("\n")
            yield from (sink.joined(f"{now} ", part) for part in parts)

    async def ask(self, question: str) -> str:
        return ""

    def room(self) -> Size:
        return ENDLESS

    async def lend(self, borrow: Callable[[], None]) -> None:
        return


def echoed(text: str, columns: int) -> Iterator[str]:
    """What the person has said, as rows of so many columns (0: any number) behind the mark of their line."""
    lines = clean(text).split("\n")
    rows = [row for line in lines[:ECHOED] for row in _broken(line, columns - 2)]
    yield from (f"{'  ' if number else '> '}{row}" for number, row in enumerate(rows))
    if len(lines) > ECHOED:
        yield "  …"


def _broken(line: str, columns: int) -> Iterator[str]:
    ends = [*breaks(line, columns)] if columns > 0 else []
    yield from (line[begin:end].rstrip(" ") for begin, end in zip((0, *ends), (*ends, None), strict=True))


def write_lines(lines: Sequence[str], fd: int = 1) -> None:
    """At once; a terminal that is stopped holds us, and so the agent, until it goes on."""
    sink.put(sink.lines(*lines), fd)
