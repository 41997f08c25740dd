"""The newest of many: what a page has room for.

Rule: bounded in number and in length whatever comes in, each addition costs the same, and what had to go is counted.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

from msgspec import Struct, field

T = TypeVar("T")


class Window(Struct, Generic[T]):
    most: int
    length: int  # of all that is kept; the newest stays, however long it is
    gone: int = 0
    _kept: deque[tuple[T, int]] = field(default_factory=deque)
    _held: int = 0

    def add(self, item: T, length: int) -> list[T]:
        """What had to make room."""
        self._kept.append((item, length))
        self._held += length
        dropped = []
        while len(self._kept) > self.most or (self._held > self.length and len(self._kept) > 1):
            old, size = self._kept.popleft()
            self._held -= size
            dropped.append(old)
        self.gone += len(dropped)
        return dropped

    def values(self) -> tuple[T, ...]:
        return tuple(item for item, _ in self._kept)
