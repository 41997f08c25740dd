"""The agent's words on their way to the screen: as Markdown that is drawn block by block, or line by line as they are.

Rule: pieces in, whole lines out, each once; what has not ended is shown apart and comes again when it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct, field

from ccc.base.text import clean, tail, wrapped
from ccc_legacy.blocks import Blocks

NARROW = 30  # columns, in which a picture of Markdown is no help


class Prose(Protocol):
    def feed(self, text: str) -> Iterator[str]: ...
    def close(self) -> Iterator[str]:
        """The end of one text."""

    def growing(self, columns: int, rows: int) -> Sequence[str]:
        """The last rows of what has not ended."""


class Lines(Struct):
    """As they are, a line at a time, each behind a mark that no words can leave out."""

    mark: str = ""
    _pieces: list[str] = field(default_factory=list)

    def feed(self, text: str) -> Iterator[str]:
        first, *others = clean(text).split("\n")
        self._pieces += [first] if first else []
        for other in others:
            yield self._marked()
            self._pieces = [other] if other else []

    def close(self) -> Iterator[str]:
        if self._pieces:
            yield self._marked()
        self._pieces = []

    def _marked(self) -> str:
        return f"{self.mark}{''.join(self._pieces)}".rstrip(" ") if self.mark else "".join(self._pieces)

    def growing(self, columns: int, rows: int) -> Sequence[str]:
        room = columns * rows
        end = tail("".join(self._pieces[-2 * room :]), room)  # no piece is empty
        return wrapped(end, columns)[-rows:] if end else ()


class Pictures(Struct):
    """As Markdown, at the width that the terminal has when a block ends."""

    columns: Callable[[], int]
    _blocks: Blocks = field(default_factory=Blocks)
    _begun: bool = False
    _last: tuple[str, int, Sequence[str]] = ("", 0, ())

    def feed(self, text: str) -> Iterator[str]:
        for block in self._blocks.feed(clean(text)):
            yield from self._drawn(block)

    def close(self) -> Iterator[str]:
        for block in self._blocks.close():
            yield from self._drawn(block)
        self._begun = False

    def growing(self, columns: int, rows: int) -> Sequence[str]:
        text = self._blocks.growing
        if self._last[:2] != (text, columns):
            self._last = text, columns, _rows(text, columns) if text else ()
        shown = self._last[2][-rows:]
        return ("", *shown) if shown and self._begun and len(shown) < rows else shown

    def _drawn(self, block: str) -> Iterator[str]:
        if self._begun:
            yield ""
        self._begun = True
        yield from _rows(block, self.columns())


def _rows(text: str, columns: int) -> Sequence[str]:
    if columns < NARROW:
        return text.split("\n")
    from ccc_legacy import markdown  # what takes long to load, and nobody needs without a terminal

    return markdown.rows(text, columns)
