"""The translations of one language as gettext keeps them (`.mo`), looked up in place: a Stop says two dozen of some
fifteen hundred sentences, and reading all of them took longer than deciding about it.

Rule: total over any bytes; what a damaged file does not tell is English. The file is sorted by the bytes of its
sentences, as gettext's own programs have it (`tests.messages` sees to that).
"""

from __future__ import annotations

from bisect import bisect_left

MAGIC = b"\xde\x12\x04\x95"
CONTEXT = "\x04"  # stands between a sentence and the context that tells it from its like


class Catalogue:
    __slots__ = ("_count", "_data", "_sentences", "_translations")

    def __init__(self, data: bytes) -> None:
        self._data = data
        told = data.startswith(MAGIC)
        self._count, self._sentences, self._translations = (self._number(at) if told else 0 for at in (8, 12, 16))
        self._count = min(self._count, len(data) // 16)  # two descriptions of eight bytes each

    def said(self, english: str, context: str = "") -> str:
        wanted = (f"{context}{CONTEXT}{english}" if context else english).encode("utf-8", "replace")
        at = bisect_left(range(self._count), wanted, key=lambda each: self._text(self._sentences, each))
        if not wanted or at == self._count or self._text(self._sentences, at) != wanted:
            return english
        try:
            return self._text(self._translations, at).decode() or english
        except UnicodeDecodeError:
            return english

    def _text(self, table: int, index: int) -> bytes:
        """What the table describes; nothing where the file has ended before that."""
        length, begin = self._number(table + 8 * index), self._number(table + 8 * index + 4)
        found = self._data[begin : begin + length]
        return found if len(found) == length else b""

    def _number(self, at: int) -> int:
        return int.from_bytes(self._data[at : at + 4], "little")
