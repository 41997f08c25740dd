"""Regular expressions that are compiled when they are first used.

Rule: a table of patterns costs its module nothing to import; the hook imports many and needs few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class Lazy:
    """Any of the alternatives, each a regular expression of its own."""

    __slots__ = ("_alternatives", "_compiled", "_flags")

    def __init__(self, *alternatives: str, flags: int = 0) -> None:
        self._alternatives = alternatives
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile("|".join(self._alternatives), self._flags)
        return self._compiled

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self.pattern.sub(by, text)


def any_case(*alternatives: str) -> Lazy:
    return Lazy(*alternatives, flags=re.IGNORECASE)
