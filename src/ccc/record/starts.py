"""Supervised starts of a client, and which sessions' hooks were heard of since.

Rule: a record for each start, made before claude takes over the process and only as long as somebody may ask; without
one there is no start, for nobody would be told of its stops that no hook reports. What is to be added later and cannot
be kept is no reason not to review. Its file is record.roll's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import files, processes
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.record import roll
from ccc.record.roll import KEPT_FOR, Entry
from ccc.record.session import valid_session_id

WAIT = 12.0  # with all that a start has waited before for the same lock
KEPT = 200  # of those of which nothing is to be told, and which only vouch for others


Key = tuple[int, str, datetime]


class Cleaned(Struct, frozen=True):
    """What was known of a session that `ccc clean` has taken away: nothing that came later is excused by it."""

    at: datetime | None = None  # when it was last used; None of an earlier version's, which kept its id alone
    answer: str = ""  # for which the last hook was called
    forks: tuple[str, ...] | None = None  # its reviewers


class Heard(Struct, frozen=True):
    """What was known of a client's sessions when its hook was called."""

    others: tuple[str, ...] = ()  # that it had before this one
    kept: bool = True  # whether nothing more is to be written of this one


class Start(Struct, frozen=True):
    """One client that ccc started under supervision."""

    pid: int
    ticks: str  # the kernel's own count of when it began; empty where the kernel does not tell
    at: datetime
    folder: Path
    transcripts: Path  # where that client keeps its projects' conversations
    heard: tuple[str, ...] = ()  # the sessions whose Stops reached ccc
    told: bool = False
    kept: tuple[str, ...] = ()  # … and whose state was on disk then
    cleaned: Mapping[str, Cleaned] = {}  # … and of which `ccc clean` has taken away what was known
    provider: str = ""
    until: datetime | None = None  # when it was first known to be gone: it has answered nothing since
    # How far the conversations of its folder had come when it began, and by then; None of an earlier version's start.
    before: Mapping[str, str] | None = None
    after: Mapping[str, str] | None = None
    attended: bool = True  # whether somebody could break it off and know: nobody types to `-p`
    spoken: datetime | None = None  # when the person last heard of stops that ccc had let go without a verdict

    @property
    def key(self) -> Key:
        return self.pid, self.ticks, self.at

    @property
    def lives(self) -> bool:
        return processes.lives(self.pid, self.ticks)


def begun(
    state: Path, folder: Path, config_directory: Path, now: datetime, provider: str = "", *, attended: bool = True
) -> None:
    """To be called by the process that becomes the client, which it does not where the record cannot be kept."""
    start = _of(os.getpid(), folder, config_directory, now)
    try:
        _add(state, replace(start, provider=provider, before=_before(start), attended=attended), now, WAIT)
    except CccError as error:
        raise unkept(state, error) from None


def met(
    state: Path, client: int, folder: Path, config_directory: Path, now: datetime, *, attended: bool, asked: bool
) -> None:
    """A client that ccc has not started, and none below one that is known: what the agent starts is not its own
    client. `asked`: it may have answered already, and how far its conversations had come before nobody knows."""
    family = {client, *processes.ancestors(client)}
    if any(each.pid in family and each.lives for each in known(state)):
        return
    start = replace(_of(client, folder, config_directory, now), attended=attended)
    begun = processes.begun(client) or now.timestamp()
    earlier = replace(start, at=datetime.fromtimestamp(begun, UTC))
    with suppress(CccError):  # no reason not to review
        _add(state, earlier if asked else replace(start, before=_before(start)), now)


def _of(pid: int, folder: Path, config_directory: Path, now: datetime) -> Start:
    place, projects = Path(os.path.realpath(folder)), config_directory / "projects"
    return Start(pid, processes.ticks(pid), now, place, projects)


def _before(start: Start) -> Mapping[str, str]:
    from ccc.record import conversations  # in here: no Stop has any use for it

    return conversations.marks(conversations.at_start(start.transcripts, start.folder))


def _add(state: Path, start: Start, now: datetime, wait: float = roll.WAIT) -> None:
    _kept(state, lambda known: [*(each for each in known if now - each.at < KEPT_FOR or each.lives), start], wait)
    roll.begun(state, start.pid, now)


def unkept(state: Path, error: CccError) -> CccError:
    """Why no start is begun, and what to do about it."""
    what = msg("{what}, so ccc's list of starts cannot be kept, and none is begun", what=error.what)
    command = _freeing(state, error)
    return CccError(what, msg("run: {command}", command=command) if command else error.fix)


def _freeing(state: Path, error: CccError) -> str:
    """What to type, where it is the lock that is in the way."""
    import shlex  # in here: hardly a start is refused

    lock = files.memory_lock(state)
    match error:
        case files.Busy(holder=holder) if holder and holder.argv:
            return f"kill {holder.pid}" if holder.seconds >= WAIT else ""  # a later one is only its turn
        case files.Busy():
            return shlex.join(("fuser", "-v", str(error.path)))
        case files.Unfit() if lock.is_symlink() or not lock.is_file():
            return shlex.join(("mv", str(lock), f"{lock}.away"))
    return ""


def heard(state: Path, client: int, session_id: str) -> Heard:
    """The hook of this client was called; written once for each session."""
    own = _noted(state, client, lambda each: _with(each, "heard", session_id))
    others = tuple(one for each in own for one in each.heard if one != session_id)
    return Heard(others, all(session_id in each.kept for each in own))


def kept(state: Path, client: int, session_id: str) -> None:
    """The state of this session is on disk: from here on it is missed."""
    _noted(state, client, lambda each: _with(each, "kept", session_id))


def broken_off(state: Path, key: Key) -> None:
    """The person has ended this client at the terminal."""

    def changed(found: Sequence[Start]) -> list[Start]:
        return [replace(each, attended=True) if each.key == key else each for each in found]

    _change(state, changed)


def spoken(state: Path, now: datetime) -> None:
    """The person has heard of the stops without a verdict so far."""
    if known(state):
        _change(state, lambda found: [replace(each, spoken=now) for each in found])


def had(state: Path, session_id: str) -> bool:
    """Whether ccc has kept a state of this session, and nobody has cleaned it away."""
    return any(session_id in each.kept and session_id not in each.cleaned for each in known(state))


def _noted(state: Path, client: int, change: Callable[[Start], Start]) -> list[Start]:
    """Change what is known of this client, if that changes it; the starts as they were."""
    of = client, processes.ticks(client)

    def changed(each: Start) -> Start:
        return change(each) if (each.pid, each.ticks) == of else each

    starts = known(state)
    if any(changed(each) is not each for each in starts):
        _change(state, lambda found: list(map(changed, found)))
    return [each for each in starts if (each.pid, each.ticks) == of]


def _with(start: Start, name: str, session_id: str) -> Start:
    """With the session in this list."""
    sessions: tuple[str, ...] = getattr(start, name)
    return start if session_id in sessions else replace(start, **{name: (*sessions, session_id)})


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


def cleaned(state: Path, sessions: Mapping[str, Cleaned]) -> None:
    """What ccc knew of these sessions was taken away on the person's word."""

    def with_them(each: Start) -> Start:
        gone = {one: sessions[one] for one in each.heard if one in sessions}
        return replace(each, cleaned={**each.cleaned, **gone}) if gone else each

    if any(with_them(each) is not each for each in known(state)):
        _change(state, lambda found: list(map(with_them, found)))


def known(state: Path) -> tuple[Start, ...]:
    return _decoded(roll.read(state).entries)


def _change(state: Path, change: Callable[[tuple[Start, ...]], list[Start]]) -> None:
    with suppress(CccError):  # no reason not to review
        _kept(state, change)


def _kept(state: Path, change: Callable[[tuple[Start, ...]], list[Start]], wait: float = roll.WAIT) -> None:
    def changed(entries: Sequence[Entry]) -> list[Entry]:
        found = change(_decoded(entries))
        # No number of others makes one forgotten that still runs, that nobody has looked at since, or that is told of.
        vouching = [each.key for each in found if each.until and not each.told]
        forgotten = frozenset(vouching[:-KEPT])
        return [_encoded(each) for each in found if each.key not in forgotten]

    roll.change(state, changed, datetime.now(UTC), wait=wait)


def _encoded(start: Start) -> dict[str, object]:
    return {
        "pid": start.pid,
        "ticks": start.ticks,
        "at": start.at.isoformat(),
        "folder": str(start.folder),
        "transcripts": str(start.transcripts),
        "heard": list(start.heard),
        "told": start.told,
        "kept": list(start.kept),
        "cleaned": {session_id: _gone(each) for session_id, each in start.cleaned.items()},
        "provider": start.provider,
        "until": start.until.isoformat() if start.until else None,
        "before": start.before,
        "after": start.after,
        "attended": start.attended,
        "spoken": start.spoken.isoformat() if start.spoken else None,
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
            kept=_ids(stored.get("kept")),
            cleaned=_cleaned(stored.get("cleaned")),
            provider=one_line(str(stored.get("provider") or ""), 200),
            until=roll.moment(stored.get("until")),
            before=_marks(stored.get("before")),
            after=_marks(stored.get("after")),
            attended=stored.get("attended") is not False,
            spoken=roll.moment(stored.get("spoken")),
        )
    except (KeyError, ValueError):
        return None
    fits = "\0" not in f"{start.folder}{start.transcripts}" and 0 < start.pid < 2**31 and start.at.tzinfo
    return start if fits else None


def _gone(cleaned: Cleaned) -> dict[str, object]:
    at = cleaned.at.isoformat() if cleaned.at else None
    return {"at": at, "answer": cleaned.answer, "forks": None if cleaned.forks is None else list(cleaned.forks)}


def _cleaned(stored: object) -> dict[str, Cleaned]:
    if not isinstance(stored, dict):
        return {session_id: Cleaned() for session_id in _ids(stored)}
    told = {one: each for one, each in stored.items() if valid_session_id(one) and isinstance(each, dict)}
    return {
        one: Cleaned(
            roll.moment(each.get("at")),
            str(each.get("answer") or ""),
            None if each.get("forks") is None else _ids(each.get("forks")),
        )
        for one, each in told.items()
    }


def _marks(stored: object) -> dict[str, str] | None:
    return {str(name): str(mark) for name, mark in stored.items()} if isinstance(stored, dict) else None


def _ids(stored: object) -> tuple[str, ...]:
    return tuple(each for each in stored if valid_session_id(each)) if isinstance(stored, list) else ()
