"""Supervised starts of a client, and which sessions' hooks were heard of since.

Rule: a record for each start, made before claude takes over the process and only as long as somebody may ask; a record
that cannot be kept is no reason not to start, and none not to review.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import documents, files, processes
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.text import one_line
from ccc.record.session import valid_session_id

KEPT = 200
KEPT_FOR = timedelta(days=7)


Key = tuple[int, str, datetime]


class Start(Struct, frozen=True):
    """One client that ccc started under supervision."""

    pid: int
    ticks: str  # the kernel's own count of when it began; empty where the kernel does not tell
    at: datetime
    folder: Path
    transcripts: Path  # where that client keeps its projects' conversations
    heard: tuple[str, ...] = ()  # the sessions whose Stops reached ccc
    told: bool = False
    cleaned: tuple[str, ...] = ()  # of which `ccc clean` has taken away what was known
    provider: str = ""
    until: datetime | None = None  # when it was first known to be gone: it has answered nothing since

    @property
    def key(self) -> Key:
        return self.pid, self.ticks, self.at

    @property
    def lives(self) -> bool:
        if self.ticks:
            return _ticks(self.pid) == self.ticks
        with suppress(OSError):
            os.kill(self.pid, 0)
            return True
        return False


def begun(state: Path, folder: Path, config_directory: Path, now: datetime, provider: str = "") -> None:
    """To be called by the process that becomes the client."""
    pid = os.getpid()
    place = Path(os.path.realpath(folder))
    start = Start(pid, _ticks(pid), now, place, config_directory / "projects", provider=provider)
    _change(state, lambda known: [*(each for each in known if now - each.at < KEPT_FOR), start])


def heard(state: Path, client: int, session_id: str) -> tuple[str, ...]:
    """The hook of this client was called; written once for each session. The sessions that it had before this one."""
    ticks = _ticks(client)

    def with_it(each: Start) -> Start:
        is_new = (each.pid, each.ticks) == (client, ticks) and session_id not in each.heard
        return replace(each, heard=(*each.heard, session_id)) if is_new else each

    starts = known(state)
    if any(with_it(each) is not each for each in starts):
        _change(state, lambda found: list(map(with_it, found)))
    own = (each.heard for each in starts if (each.pid, each.ticks) == (client, ticks))
    return tuple(one for sessions in own for one in sessions if one != session_id)


def settled(
    state: Path, *, ended: Collection[Key], told: Collection[Key], gone: Collection[Key] = (), now: datetime
) -> None:
    """Forget the starts of which nothing more can come, and remember of which ones the person has heard, and which are
    known to be gone by now."""

    def marked(each: Start) -> Start:
        until = each.until or (now if each.key in gone else None)
        return replace(each, told=each.told or each.key in told, until=until)

    def left(found: Sequence[Start]) -> list[Start]:
        return [marked(each) for each in found if each.key not in ended]

    _change(state, left)


def cleaned(state: Path, sessions: Collection[str]) -> None:
    """What ccc knew of these sessions was taken away on the person's word."""

    def with_them(each: Start) -> Start:
        gone = tuple(one for one in each.heard if one in sessions and one not in each.cleaned)
        return replace(each, cleaned=(*each.cleaned, *gone)) if gone else each

    if any(with_them(each) is not each for each in known(state)):
        _change(state, lambda found: list(map(with_them, found)))


def known(state: Path) -> tuple[Start, ...]:
    try:
        return _decoded(files.read_own(_path(state), limit=documents.FILE_LIMIT))
    except CccError:  # then nothing is known of any start
        return ()


def _change(state: Path, change: Callable[[tuple[Start, ...]], list[Start]]) -> None:
    def changed(data: bytes | None) -> bytes:
        return json.dumps([_encoded(each) for each in change(_decoded(data))[-KEPT:]], indent=1).encode()

    with suppress(CccError):
        files.update_own(_path(state), changed, limit=documents.FILE_LIMIT, scratch=scratch_folder(state))


def _path(state: Path) -> Path:
    return state / "starts.json"


def _ticks(pid: int) -> str:
    fields = processes.stat(pid)
    return fields[19].decode("ascii", "replace") if len(fields) > 19 and fields[0] != b"Z" else ""


def _encoded(start: Start) -> dict[str, object]:
    return {
        "pid": start.pid,
        "ticks": start.ticks,
        "at": start.at.isoformat(),
        "folder": str(start.folder),
        "transcripts": str(start.transcripts),
        "heard": list(start.heard),
        "told": start.told,
        "cleaned": list(start.cleaned),
        "provider": start.provider,
        "until": start.until.isoformat() if start.until else None,
    }


def _decoded(data: bytes | None) -> tuple[Start, ...]:
    try:
        stored = json.loads(data or b"[]")
    except (ValueError, RecursionError):
        return ()
    found = stored if isinstance(stored, list) else []
    return tuple(start for each in found if isinstance(each, dict) and (start := _start(each)))


def _start(stored: Mapping[str, object]) -> Start | None:
    """None for what ccc did not write."""
    try:
        until = stored.get("until")
        start = Start(
            pid=int(str(stored["pid"])),
            ticks=str(stored["ticks"]),
            at=_moment(stored["at"]),
            folder=Path(str(stored["folder"])),
            transcripts=Path(str(stored["transcripts"])),
            heard=_ids(stored.get("heard")),
            told=stored.get("told") is True,
            cleaned=_ids(stored.get("cleaned")),
            provider=one_line(str(stored.get("provider") or ""), 200),
            until=_moment(until) if until else None,
        )
    except (KeyError, ValueError):
        return None
    return start if "\0" not in f"{start.folder}{start.transcripts}" and 0 < start.pid < 2**31 else None


def _moment(stored: object) -> datetime:
    found = datetime.fromisoformat(str(stored))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _ids(stored: object) -> tuple[str, ...]:
    return tuple(each for each in stored if valid_session_id(each)) if isinstance(stored, list) else ()
