"""What happened to a session, read back from ccc's own files while they grow.

Rule: reads and never writes, not even to mend; never lists the folder, which may hold a hundred thousand old sessions:
who was active last is read from the end of the log.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ccc.base import anyjson, files
from ccc.base.errors import CccError
from ccc.base.text import clean, one_line
from ccc.claude.transcript import messages_from_end
from ccc.record.state import STATE_LIMIT, Session, story_path, valid_session_id

BLOCK = 64 * 1024
LOGS = ("hook-invocation.log", "hook-invocation.log.1")  # and the one before it, where somebody rotates them
LOG_TAIL = 16 * 2**20  # how far back recent sessions are looked for
STORY_TAIL = 2**20
SEARCHED = 1000  # sessions that a prefix or a project is looked for among
CANDIDATES_NAMED = 5

# `note` writes the id as the first pair; before it stand only the time and the words of the event.
_ACTIVE = re.compile(rb'^\S+ [^="\n]+? session_id=([A-Za-z0-9._-]{1,128})(?=[ \r]|$)', re.MULTILINE)
_SAFELY = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a story. `at` is None when the line does not tell."""

    name: str
    at: datetime | None = None
    fields: Mapping[str, object] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """The field, safe for a terminal; "" when there is none."""
        value = self.fields.get(key)
        return "" if value is None else clean(str(value))

    def line(self, key: str, limit: int = 200) -> str:
        return one_line(self.text(key), limit)


def recent(state: Path, limit: int) -> list[str]:
    """Ids of the sessions that were active last, newest first."""
    return list(islice(active(state), limit))


def active(state: Path) -> Iterator[str]:
    """As `recent`, one after another for as long as somebody asks."""
    seen: set[str] = set()
    for block in _log_from_end(state):
        for found in reversed(_ACTIVE.findall(block)):
            session_id = found.decode("ascii")
            if session_id not in seen and valid_session_id(session_id):
                seen.add(session_id)
                yield session_id


def log_size(state: Path) -> int:
    """Changes with everything that happens to any session."""
    try:
        return (state / LOGS[0]).stat().st_size
    except OSError:
        return 0


def load(state: Path, session_id: str) -> tuple[Event, ...]:
    """The whole story so far; () when there is none."""
    return tuple(events(state, session_id))


def events(state: Path, session_id: str) -> Iterator[Event]:
    """As `load`, one after another: a story may be longer than it is good to hold."""
    yield from Tail(story_path(state, session_id)).events()


def last(state: Path, session_id: str, name: str) -> Event | None:
    """The newest event of that name near the end of the story."""
    for told in messages_from_end(story_path(state, session_id), STORY_TAIL):
        if told.get("event") == name:
            return _event(told)
    return None


def session(state: Path, session_id: str) -> Session | None:
    """The session's state, as good as it can be read; None when it cannot. Unlike a SessionStore it moves nothing."""
    try:
        content: Any = anyjson.loads(
            files.read_own(state / f"supervisor-{session_id}.json", limit=STATE_LIMIT) or b"null"
        )
    except (CccError, ValueError):
        return None
    match content:
        case {"session_id": str(stored), "count": int(count)} if stored == session_id:
            created, updated = (moment(content.get(key)) for key in ("created_at", "updated_at"))
            return Session(session_id, count, created or _LONG_AGO, updated or created or _LONG_AGO, extra=content)
        case _:
            return None


def find(state: Path, prefix: str) -> str:
    """The one session that this is the id of, or the beginning of it."""
    if not valid_session_id(prefix):
        raise CccError("that is no session id; `ccc status` shows them, and the first letters are enough")
    if _exists(state, prefix):
        return prefix
    found = [each for each in islice(active(state), SEARCHED) if each.startswith(prefix) and _exists(state, each)]
    if not found:
        raise CccError(f"no session begins with {prefix}; `ccc status` shows the recent ones")
    if len(found) > 1:
        raise CccError(f"{prefix} is the beginning of several sessions: {', '.join(found[:CANDIDATES_NAMED])}")
    return found[0]


def newest(state: Path, wanted: Callable[[Session], bool] = lambda _: True) -> Session | None:
    """The session of that kind which was active last."""
    found = (session(state, each) for each in islice(active(state), SEARCHED))
    return next((each for each in found if each and wanted(each)), None)


def of_project(project: Path) -> Callable[[Session], bool]:
    return lambda found: found.extra.get("project") == str(project)


def moment(stored: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(stored if isinstance(stored, str) else "")
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
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
            self._fd = _open(self._path)
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


_LONG_AGO = datetime.fromtimestamp(0, UTC)


def _exists(state: Path, session_id: str) -> bool:
    return any(path.is_file() for path in (state / f"supervisor-{session_id}.json", story_path(state, session_id)))


def _parsed(line: bytes) -> Event | None:
    try:
        told = anyjson.loads(line)
    except ValueError:  # half a line of a full disk, or not ours
        return None
    return _event(told) if isinstance(told, dict) else None


def _event(told: Mapping[str, object]) -> Event | None:
    name = told.get("event")
    if not isinstance(name, str):
        return None
    others = {key: value for key, value in told.items() if key not in ("at", "event")}
    return Event(name, moment(told.get("at")), others)


def _log_from_end(state: Path) -> Iterator[bytes]:
    """Whole lines of the log in blocks, the last block first; an older log follows a young one."""
    left = LOG_TAIL
    for name in LOGS:
        fd = _open(state / name)
        if fd is not None:
            try:
                for block in _blocks_from_end(fd, left):
                    left -= len(block)
                    yield block
            finally:
                os.close(fd)


def _blocks_from_end(fd: int, limit: int) -> Iterator[bytes]:
    position = end = os.fstat(fd).st_size
    rest = b""  # the end of a line that begins further ahead
    while position > max(0, end - limit):
        start = max(0, position - BLOCK)
        data = os.pread(fd, position - start, start) + rest
        rest, _, lines = data.partition(b"\n") if start else (b"", b"", data)
        yield lines
        position = start


def _open(path: Path) -> int | None:
    try:
        fd = os.open(path, _SAFELY)
    except OSError:  # not there, or not ours to read
        return None
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return None
