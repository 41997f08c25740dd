"""The lines of a long text that hold one of a few words: a quick look before a pattern, which looks at every letter.

Rule: text in, numbers of lines out, no I/O. Case does not count; nothing else is known of the words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import Struct


class Text(Struct, frozen=True):
    lines: tuple[str, ...]
    small: str  # the same in small letters, where a line may be longer than it was
    starts: tuple[int, ...]  # of each line, in small letters

    def holding(self, words: Iterable[str]) -> list[int]:
        """The numbers of the lines that hold one of these words, which are in small letters."""
        found: set[int] = set()
        for word in words:
            at = self.small.find(word)
            while at >= 0:
                line = bisect_right(self.starts, at)  # of the next one
                found.add(line - 1)
                at = self.small.find(word, self.starts[line]) if line < len(self.starts) else -1
        return sorted(found)


def text(lines: Sequence[str]) -> Text:
    small = [line.lower() for line in lines]
    starts = accumulate((len(line) + 1 for line in small[:-1]), initial=0)
    return Text(tuple(lines), "\n".join(small), tuple(starts))
