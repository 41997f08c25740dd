"""What happened to a session, read back from its story while it grows.

Rule: reads and never writes, not even to mend.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from ccc.base import anyjson, files
from ccc.base.jsonlines import messages_from_end
from ccc.record import events as union
from ccc.record.events import Event
from ccc.record.store import story_path

BLOCK = 64 * 1024
STORY_TAIL = 2**20

Kind = TypeVar("Kind", bound=Event)


def load(state: Path, session_id: str) -> tuple[Event, ...]:
    """The whole story so far; () when there is none."""
    return tuple(events(state, session_id))


def events(state: Path, session_id: str) -> Iterator[Event]:
    """As `load`, one after another: a story may be longer than it is good to hold."""
    yield from Tail(story_path(state, session_id)).events()


def last(state: Path, session_id: str, kind: type[Kind]) -> Kind | None:
    """The newest event of that kind near the end of the story."""
    name = kind.__struct_config__.tag
    for told in messages_from_end(story_path(state, session_id), STORY_TAIL):
        event = union.decoded(told) if told.get("event") == name else None
        if isinstance(event, kind):
            return event
    return None


class Tail:
    """A story that grows: each call gives what has come since the last one.

    A file that was cut short or replaced is read from its beginning; of a replaced one the rest comes first.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None
        self._offset = 0
        self._line: list[bytes] = []  # in pieces: joined with each block a long line would cost its square

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
        self._fd, self._offset, self._line = None, 0, []

    def events(self) -> Iterator[Event]:
        yield from self._new()
        if not self._is_current():
            yield from self._new()  # what came between the reading and the replacing
            self.close()
            self._fd = files.to_read(self._path, follow=False)
            yield from self._new()

    def _is_current(self) -> bool:
        if self._fd is None:
            return False
        try:
            return os.path.samestat(self._path.lstat(), os.fstat(self._fd))
        except OSError:  # taken away; a new one may come
            return False

    def _new(self) -> Iterator[Event]:
        if self._fd is None:
            return
        if os.fstat(self._fd).st_size < self._offset:
            self._offset, self._line = 0, []
        while data := os.pread(self._fd, BLOCK, self._offset):
            self._offset += len(data)
            yield from (event for event in map(_parsed, self._lines(data)) if event)

    def _lines(self, data: bytes) -> list[bytes]:
        """The lines that this block ends."""
        first, *others = data.split(b"\n")
        self._line.append(first)
        if not others:
            return []
        whole, self._line = b"".join(self._line), [others.pop()]
        return [whole, *others]


def _parsed(line: bytes) -> Event | None:
    try:
        return union.decoded(anyjson.loads(line))
    except ValueError:  # half a line of a full disk, or not ours
        return None
