"""The file of the supervised starts: sealed, and told of where it is not as ccc left it.

Rule: what cannot be read, has no seal of ccc's or is gone makes no start unknown in silence. A list of an earlier
version, which sealed none, and none at all are in order until the log or the record of the hooks tells of a start that
was sealed. Nor is it longer than can be read again: what goes for that is noticed as well. What was noticed is kept as
long as a start is, and told once at a start.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import files, jsonlines, seal, sink, strictjson
from ccc.base.errors import CccError
from ccc.base.files import Own, scratch_folder
from ccc.record import placed

KEPT_FOR = timedelta(days=7)
LIMIT = 16 * 2**20
WAIT = 5.0
LOGS = ("hook-invocation.log", "hook-invocation.log.1")
BEGUN = "supervised start"

Entry = Mapping[str, object]


class Origin(Enum):
    OURS = "sealed"
    EARLIER = "a list, as earlier versions wrote it"
    NONE = "no file"
    FOREIGN = "anything else"


class Roll(Struct, frozen=True):
    entries: tuple[Entry, ...] = ()
    origin: Origin = Origin.OURS
    lost: datetime | None = None  # when it was first seen not to be as ccc had left it
    told: bool = False


def path(state: Path) -> Path:
    return state / "starts.json"


def read(state: Path) -> Roll:
    try:
        return _understood(state, files.read_dated(path(state), limit=LIMIT))
    except CccError:
        return Roll(origin=Origin.FOREIGN)


def change(
    state: Path, changed: Callable[[tuple[Entry, ...]], Sequence[Entry]], now: datetime, *, wait: float = WAIT
) -> None:
    """Or an error, where the file cannot be kept."""
    _write(state, lambda roll: replace(_noticed(state, roll, now), entries=tuple(changed(roll.entries))), wait)


def lost(state: Path, now: datetime) -> Roll | None:
    """The file, if it is or was not as ccc left it; `lost` has the moment."""
    roll = _noticed(state, read(state), now)
    return roll if roll.lost else None


def told(state: Path, now: datetime) -> None:
    """The person has heard of it; from here on the file is ccc's again, with what could be read."""
    found = lost(state, now)
    if not found or found.told:
        return
    if not _is_readable(path(state)):
        with suppress(CccError):
            files.set_aside(path(state))
    with suppress(CccError):  # then it is told once more
        _write(state, lambda roll: replace(roll, lost=found.lost, told=True))


def begun(state: Path, pid: int, now: datetime) -> None:
    """A start stands in the file: written where somebody can look who does not find it there."""
    from ccc.record import log  # with all that can happen: whoever only reads the file has no use for it

    log.append(state / LOGS[0], sink.log_line(f"{now.isoformat()} {BEGUN} pid={pid}"))
    placed.counted(state)


def _is_doubtful(state: Path, roll: Roll) -> bool:
    if roll.origin in (Origin.EARLIER, Origin.NONE):
        return placed.is_counted(state) or any(_tells(state / name) for name in LOGS)
    return roll.origin is Origin.FOREIGN


def _tells(log: Path) -> bool:
    with jsonlines.opened(log) as fd:
        if fd is None or not os.fstat(fd).st_size:
            return False
        with mmap.mmap(fd, 0, prot=mmap.PROT_READ) as data:
            return data.find(f" {BEGUN} pid=".encode()) >= 0


def _is_readable(path: Path) -> bool:
    try:
        files.read_own(path, limit=LIMIT)
    except CccError:  # a folder, a link, more than ccc would write
        return False
    return True


def _noticed(state: Path, roll: Roll, now: datetime) -> Roll:
    if _is_doubtful(state, roll):
        return replace(roll, lost=now, told=False)
    return roll if roll.lost and now - roll.lost < KEPT_FOR else replace(roll, lost=None, told=False)


def _write(state: Path, changed: Callable[[Roll], Roll], wait: float = WAIT) -> None:
    def encoded(found: Own | None) -> bytes:
        return _encoded(state, changed(_understood(state, found)))

    files.update_dated(path(state), encoded, limit=LIMIT, scratch=scratch_folder(state), wait=wait)


def _encoded(state: Path, roll: Roll) -> bytes:
    noticed = {"lost": roll.lost.isoformat(), "told": roll.told} if roll.lost else {}
    content = {"starts": list(roll.entries), **noticed}
    data = json.dumps(seal.dated(content, state, scratch_folder(state))).encode()  # ASCII: any name
    return data if len(data) <= LIMIT or not roll.entries else _encoded(state, _shortened(roll))


def _shortened(roll: Roll) -> Roll:
    """Without its first entries, some more than it must be."""
    return replace(roll, entries=roll.entries[len(roll.entries) // 10 + 1 :], lost=datetime.now(UTC), told=False)


def _understood(state: Path, found: Own | None) -> Roll:
    if found is None:
        return Roll(origin=Origin.NONE)
    try:
        stored = strictjson.loads(found.data)
    except ValueError:
        return Roll(origin=Origin.FOREIGN)
    if isinstance(stored, list):
        return Roll(_entries(stored), Origin.EARLIER)
    if not isinstance(stored, dict):
        return Roll(origin=Origin.FOREIGN)
    entries = _entries(stored.get("starts"))
    if seal.FIELD not in stored or seal.is_foreign(stored, state, found.changed):
        return Roll(entries, Origin.FOREIGN)
    return Roll(entries, Origin.OURS, moment(stored.get("lost")), stored.get("told") is True)


def _entries(stored: object) -> tuple[Entry, ...]:
    return tuple(each for each in stored if isinstance(each, dict)) if isinstance(stored, list) else ()


def moment(stored: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(stored))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
