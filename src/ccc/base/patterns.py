"""Regular expressions that are compiled when they are first used, and as far as the text can match them.

Rule: a table of patterns costs its module nothing to import; the hook imports many and needs few. Compiling is most of
what it pays for one, so a text in ASCII, which code, logs and English are, never has what is looked for in other
letters compiled, and what was compiled once is kept (`compiled`): their words are the code's own, never a text's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ccc.base import compiled

# Not from typing: the status line would have to load it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import AnyStr


class Lazy:
    """Any of the alternatives, each a regular expression of its own."""

    __slots__ = ("_alternatives", "_compiled", "_flags", "_plain")

    def __init__(self, *alternatives: str, flags: int = 0) -> None:
        self._alternatives = alternatives
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None
        self._plain: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = self._made("whole", lambda: "|".join(self._alternatives))
        return self._compiled

    @property
    def plain(self) -> re.Pattern[str]:
        """As much of it as a text in ASCII can match."""
        if self._plain is None:
            self._plain = self._made("plain", self._in_ascii)
        return self._plain

    def _in_ascii(self) -> str:
        return "|".join(branch for each in self._alternatives for branch in plain_branches(each)) or NEVER

    def _made(self, how: str, source: Callable[[], str]) -> re.Pattern[str]:
        return compiled.of((how, int(self._flags), *self._alternatives), source, self._flags)  # type: ignore[return-value]

    def _for(self, text: str) -> re.Pattern[str]:
        return self._compiled or (self.plain if text.isascii() else self.pattern)

    def search(self, text: str) -> re.Match[str] | None:
        return self._for(text).search(text)

    def match(self, text: str) -> re.Match[str] | None:
        return self._for(text).match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._for(text).finditer(text)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self._for(text).sub(by, text)


class Letters:
    """Any letter of these ranges, each written as its first and its last. Nothing is compiled: to make a set of twenty
    thousand letters takes longer than to look at a text."""

    __slots__ = ("_ranges",)

    def __init__(self, *ranges: str) -> None:
        self._ranges = [(each[0], each[-1]) for each in ranges]

    def search(self, text: str) -> bool:
        if text.isascii():
            return False
        return any(first <= letter <= last for letter in set(text) for first, last in self._ranges)


NEVER = r"(?!)"
# Any letter but ASCII's, and but those that stand for one of them where case does not count: long s, dotless and dotted
# i, the sign of Kelvin.
_OTHER = r"[^\x00-\x7f\u017f\u0131\u0130\u212a]"
_NEEDED = rf"{_OTHER}(?![?*]|\{{[0,])"
_OTHERS_ONLY = rf"\[(?:{_OTHER}(?:-{_OTHER})?)+\]"
_ATOM = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
_GROUP = r"\(([^()]*)\)"
_HOLDS = ("?:", "?=", "?<=")  # where a match needs what is inside; named groups and flags are left in doubt
_NUMBERED = r"\\[1-9]|\((?!\?)|\(\?[a-zA-Z]+\)"  # groups that are counted, and flags for all that follows
_NEEDS, _FILLS = "\u2022", "\0"


def plain_branches(source: str) -> list[str]:
    """The branches of an expression that may match a text in ASCII; every doubt keeps one."""
    if source.isascii() or re.search(_NUMBERED, source):
        return [source]
    flat, groups = re.sub(_ATOM, lambda atom: _sign(atom, bool(re.fullmatch(_OTHERS_ONLY, atom[0]))), source), 1
    while groups:  # from the inside out, each by a sign of its length
        flat, groups = re.subn(_GROUP, lambda group: _sign(group, _needs(group[1])), flat)
    if "(" in flat or ")" in flat:
        return [source]
    kept, at = [], 0
    for branch in flat.split("|"):
        if not re.search(_NEEDED, branch):
            kept.append(source[at : at + len(branch)])
        at += len(branch) + 1
    return kept


def _needs(inside: str) -> bool:
    """Whether whatever this group matches holds another letter than ASCII's."""
    return inside.startswith(_HOLDS) and all(re.search(_NEEDED, branch) for branch in inside.split("|"))


def _sign(part: re.Match[str], needs: bool) -> str:
    return (_NEEDS if needs else _FILLS).rjust(len(part[0]), _FILLS)


class _Pattern:
    """Stands for a compiled expression until the first time that somebody asks for one of its methods."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        made = compiled.of(("whole", int(self._flags), self._source), lambda: self._source, self._flags)
        # From now on each is found at once: some are asked for every line of a transcript.
        self.__dict__.update({each: getattr(made, each) for each in _METHODS})
        return getattr(made, name)


_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As re.compile, when it is first used."""
    return _Pattern(source, flags)  # type: ignore[return-value]


def any_case(*alternatives: str) -> Lazy:
    return Lazy(*alternatives, flags=re.IGNORECASE)
