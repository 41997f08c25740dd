"""Markdown that is still being written, parted into blocks that can be drawn one by one.

Rule: pieces in, finished blocks out; what is given back is the text as it came, and the time is linear in it. A block
that grows too long is ended in the midst of it, so that none has to be drawn again and again as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from ccc.base.text import tail
from ccc.base.withheld import begun

MOST = 6_000  # characters of a block
TAIL = 3_000  # … and of what is shown of a growing one
_FENCE = re.compile(r" *(`{3,}|~{3,})")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)])(?: |$)")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")


class Blocks(Struct):
    _lines: list[str] = field(default_factory=list)  # of the growing block
    _rest: list[str] = field(default_factory=list)  # of the line that has not ended
    _size: int = 0  # of these lines
    _length: int = 0  # … and of the one that has not ended
    _fence: str = ""  # how the one that is open began
    _opened: str = ""  # … and its whole line
    _gap: int = 0  # empty lines in a list, of which nobody knows yet whether it goes on

    @property
    def growing(self) -> str:
        """The end of what is not finished, for somebody who watches it grow."""
        kept, size = [tail("".join(self._rest), TAIL), *[""] * self._gap], 0
        for line in reversed(self._lines):
            size += len(line) + 1
            if size > TAIL:
                kept.append(self._opened) if self._fence else None
                break
            kept.append(line)
        return "\n".join(reversed(kept)).strip("\n")

    def feed(self, text: str) -> Iterator[str]:
        first, *others = text.split("\n")
        self._rest.append(first)
        self._length += len(first)
        for other in others:
            line = "".join(self._rest)
            self._rest, self._length = [other], len(other)
            yield from self._line(line)
        if self._length > MOST and not self._lines and not self._fence:  # an endless line
            yield from self._words()

    def close(self) -> Iterator[str]:
        """The last block, whatever it lacks."""
        line, self._rest, self._length = "".join(self._rest), [], 0
        if line:
            yield from self._line(line)
        yield from self._taken()
        self._fence = self._opened = ""

    def _words(self) -> Iterator[str]:
        line = "".join(self._rest)
        head, blank, rest = line.rpartition(" ")
        if len(head) <= MOST // 2:  # nor a word that ends, but for a key that begins
            whole = len(line) - begun(line)
            head, blank, rest = line[:whole], "", line[whole:]
        self._rest, self._length = [rest], len(rest)
        yield head + blank

    def _line(self, line: str) -> Iterator[str]:
        if self._fence:
            yield from self._in_fence(line)
        elif fence := _FENCE.match(line):
            yield from self._begins_fence(line, fence[1])
        elif not line.strip():
            yield from self._empty()
        else:
            yield from self._words_or_list(line)

    def _in_fence(self, line: str) -> Iterator[str]:
        self._keep(line)
        stripped = line.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            alone, self._fence = bool(self._lines) and _FENCE.match(self._lines[0]), ""
            if alone:
                yield from self._taken()
        elif self._size > MOST:
            again = self._opened
            self._keep(self._fence)
            yield from self._taken()
            self._keep(again)

    def _begins_fence(self, line: str, fence: str) -> Iterator[str]:
        if self._lines and not (self._is_list and line.startswith(" ")):
            yield from self._taken()
        self._fill_gap()
        self._fence, self._opened = fence, line
        self._keep(line)

    def _empty(self) -> Iterator[str]:
        if self._is_list:
            self._gap += 1
        else:
            yield from self._taken()

    def _words_or_list(self, line: str) -> Iterator[str]:
        if self._gap and not (line.startswith(" ") or _ITEM.match(line)):
            yield from self._taken()
        self._fill_gap()
        if _HEADING.match(line):
            yield from self._taken()
            self._keep(line)
            yield from self._taken()
            return
        self._keep(line)
        if self._size > MOST:
            yield from self._taken()

    @property
    def _is_list(self) -> bool:
        return bool(self._lines) and bool(_ITEM.match(self._lines[0]))

    def _fill_gap(self) -> None:
        for _ in range(self._gap):
            self._keep("")
        self._gap = 0

    def _keep(self, line: str) -> None:
        self._lines.append(line)
        self._size += len(line) + 1

    def _taken(self) -> Iterator[str]:
        lines, self._lines, self._size, self._gap = self._lines, [], 0, 0
        if lines:
            yield "\n".join(lines)
