"""Regular expressions that are compiled when they are first used.

Rule: a table of patterns costs its module nothing to import; the hook imports many and needs few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

# Not from typing: the status line would have to load it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import AnyStr


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


class _Pattern:
    """Stands for a compiled expression until the first time that somebody asks for one of its methods."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self._source, self._flags)
        # From now on each is found at once: some are asked for every line of a transcript.
        self.__dict__.update({each: getattr(compiled, each) for each in _METHODS})
        return getattr(compiled, name)


_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As re.compile, when it is first used."""
    return _Pattern(source, flags)  # type: ignore[return-value]


def any_case(*alternatives: str) -> Lazy:
    return Lazy(*alternatives, flags=re.IGNORECASE)
