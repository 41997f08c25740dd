"""Supervised starts of a client, and which sessions' hooks were heard of since.

Rule: a record for each start, made before claude takes over the process and only as long as somebody may ask; a record
that cannot be kept is no reason not to start, and none not to review. Its file is record.roll's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import processes
from ccc.base.text import one_line
from ccc.record import roll
from ccc.record.roll import KEPT_FOR, Entry
from ccc.record.session import valid_session_id

KEPT = 200


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
    # How far the conversations of its folder had come when it began, and by then; None of an earlier version's start.
    before: Mapping[str, str] | None = None
    after: Mapping[str, str] | None = None

    @property
    def key(self) -> Key:
        return self.pid, self.ticks, self.at

    @property
    def lives(self) -> bool:
        return processes.lives(self.pid, self.ticks)


def begun(state: Path, folder: Path, config_directory: Path, now: datetime, provider: str = "") -> None:
    """To be called by the process that becomes the client."""
    from ccc.record import conversations  # in here: no hook has any use for it

    pid = os.getpid()
    place, projects = Path(os.path.realpath(folder)), config_directory / "projects"
    before = conversations.marks(path for _, path in conversations.of(projects, place).conversations)
    start = Start(pid, processes.ticks(pid), now, place, projects, provider=provider, before=before)
    _change(state, lambda known: [*(each for each in known if now - each.at < KEPT_FOR or each.lives), start])
    if start in known(state):
        roll.begun(state, pid, now)


def heard(state: Path, client: int, session_id: str) -> tuple[str, ...]:
    """The hook of this client was called; written once for each session. The sessions that it had before this one."""
    ticks = processes.ticks(client)

    def with_it(each: Start) -> Start:
        is_new = (each.pid, each.ticks) == (client, ticks) and session_id not in each.heard
        return replace(each, heard=(*each.heard, session_id)) if is_new else each

    starts = known(state)
    if any(with_it(each) is not each for each in starts):
        _change(state, lambda found: list(map(with_it, found)))
    own = (each.heard for each in starts if (each.pid, each.ticks) == (client, ticks))
    return tuple(one for sessions in own for one in sessions if one != session_id)


def settled(
    state: Path, *, ended: Collection[Key], told: Collection[Key], gone: Mapping[Key, Mapping[str, str]], now: datetime
) -> None:
    """Forget the starts of which nothing more can come, and remember of which ones the person has heard, and which are
    known to be gone by now, each with how far its conversations had come."""

    def marked(each: Start) -> Start:
        heard = replace(each, told=each.told or each.key in told)
        return heard if each.until or each.key not in gone else replace(heard, until=now, after=gone[each.key])

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
    return _decoded(roll.read(state).entries)


def _change(state: Path, change: Callable[[tuple[Start, ...]], list[Start]]) -> None:
    def changed(entries: Sequence[Entry]) -> list[Entry]:
        found = change(_decoded(entries))
        # Not so that many more make one forgotten that still runs.
        kept = {each.key for each in found[-KEPT:]}
        return [_encoded(each) for each in found if each.key in kept or each.lives]

    roll.change(state, changed, datetime.now(UTC))


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
        "before": start.before,
        "after": start.after,
    }


def _decoded(entries: Sequence[Entry]) -> tuple[Start, ...]:
    return tuple(start for each in entries if (start := _start(each)))


def _start(stored: Mapping[str, object]) -> Start | None:
    """None for what ccc did not write."""
    try:
        start = Start(
            pid=int(str(stored["pid"])),
            ticks=str(stored["ticks"]),
            at=datetime.fromisoformat(str(stored["at"])),
            folder=Path(str(stored["folder"])),
            transcripts=Path(str(stored["transcripts"])),
            heard=_ids(stored.get("heard")),
            told=stored.get("told") is True,
            cleaned=_ids(stored.get("cleaned")),
            provider=one_line(str(stored.get("provider") or ""), 200),
            until=roll.moment(stored.get("until")),
            before=_marks(stored.get("before")),
            after=_marks(stored.get("after")),
        )
    except (KeyError, ValueError):
        return None
    fits = "\0" not in f"{start.folder}{start.transcripts}" and 0 < start.pid < 2**31 and start.at.tzinfo
    return start if fits else None


def _marks(stored: object) -> dict[str, str] | None:
    return {str(name): str(mark) for name, mark in stored.items()} if isinstance(stored, dict) else None


def _ids(stored: object) -> tuple[str, ...]:
    return tuple(each for each in stored if valid_session_id(each)) if isinstance(stored, list) else ()
