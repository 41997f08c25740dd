"""Which sessions were active last: a line for each time one was, the newest at the end.

Rule: the folder of sessions, which may hold a hundred thousand, is listed only where the lines name too few; reading
changes nothing. The lines have no seal: what somebody adds to them, or takes away, hides no session. Of sessions that
only version 0.1 knew the log tells, after all others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from ccc.base import files, sink
from ccc.base.errors import Misuse
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.base.sink import Safe
from ccc.record import store
from ccc.record.session import Session, valid_session_id
from ccc.record.store import state_path, story_path

BLOCK = 64 * 1024
TAIL = 16 * 2**20  # how far back recent sessions are looked for
SEARCHED = 1000  # sessions that a prefix or a project is looked for among
CANDIDATES_NAMED = 5
OF_01 = ("hook-invocation.log", "hook-invocation.log.1")

_ID = rb"([A-Za-z0-9._-]{1,128})"
_LINE = pattern(rb'^\{"session_id": "' + _ID + rb'", "at": "[^"\n]*"\}\r?$', re.MULTILINE)
_STATE = pattern(r"\Asupervisor-(.+)\.json\Z")
# 0.1 wrote the id as the first pair; before it stand only the time and the words of the event.
_LINE_OF_01 = pattern(rb'^\S+ [^="\n]+? session_id=' + _ID + rb"(?=[ \r]|$)", re.MULTILINE)


def path(state: Path) -> Path:
    return state / "recent.jsonl"


def line(session_id: str, at: datetime) -> Safe:
    return sink.json_line({"session_id": session_id, "at": at.isoformat(timespec="seconds")})


def size(state: Path) -> int:
    """Changes whenever a session is active."""
    try:
        return path(state).stat().st_size
    except OSError:
        return 0


def sessions(state: Path) -> Iterator[str]:
    """Ids, the last that was active first, for as long as somebody asks."""
    seen: set[str] = set()
    for found in _ids(state):
        session_id = found.decode("ascii")
        if session_id not in seen and valid_session_id(session_id):
            seen.add(session_id)
            yield session_id


def existing(state: Path) -> Iterator[str]:
    """Those of which there is a file; a made-up id has none, nor has one that was cleaned away."""
    return (each for each in sessions(state) if _exists(state, each))


def latest(state: Path, limit: int) -> list[str]:
    """The sessions with a state that were active last."""
    return looked_at(state, limit)[:limit]


def looked_at(state: Path, limit: int) -> list[str]:
    """Those and the ones before them, by what the kernel saw of each state: the order of the lines is anybody's."""
    dated = ((each, changed) for each in sessions(state) if (changed := _changed(state, each)) is not None)
    named = dict(islice(dated, max(SEARCHED, limit)))
    if len(named) < limit:
        others = (each for each in _listed(state) if each not in named)
        named |= {each: changed for each in others if (changed := _changed(state, each)) is not None}
    return sorted(named, key=named.__getitem__, reverse=True)


def newest(state: Path, wanted: Callable[[Session], bool] = lambda _: True) -> Session | None:
    """The session of that kind which was active last."""
    found = (store.seen(state, each) for each in islice(existing(state), SEARCHED))
    return next((each for each in found if each and wanted(each)), None)


def of_project(project: Path) -> Callable[[Session], bool]:
    return lambda found: found.about.project == str(project)


def find(state: Path, prefix: str) -> str:
    """The one session that this is the id of, or the beginning of it."""
    if not valid_session_id(prefix):
        raise Misuse(msg("that is no session id"), msg("`ccc status` shows them, and the first letters are enough"))
    if _exists(state, prefix):
        return prefix
    found = [each for each in islice(existing(state), SEARCHED) if each.startswith(prefix)]
    if not found:
        raise Misuse(msg("no session begins with {prefix}", prefix=prefix), msg("`ccc status` shows the recent ones"))
    if len(found) > 1:
        raise Misuse(
            msg(
                "{prefix} is the beginning of several sessions: {names}",
                prefix=prefix,
                names=", ".join(found[:CANDIDATES_NAMED]),
            )
        )
    return found[0]


def _exists(state: Path, session_id: str) -> bool:
    return any(each.is_file() for each in (state_path(state, session_id), story_path(state, session_id)))


def _changed(state: Path, session_id: str) -> int | None:
    """When the kernel last saw its state change; None when it has none."""
    try:
        return os.lstat(state_path(state, session_id)).st_ctime_ns
    except OSError:
        return None


def _listed(state: Path) -> list[str]:
    try:
        names = os.listdir(state)  # noqa: PTH208  a Path for each of a hundred thousand files is most of the time
    except OSError:
        return []
    found = (_STATE.match(name) for name in names)
    return [match[1] for match in found if match and valid_session_id(match[1])]


def _ids(state: Path) -> Iterator[bytes]:
    own = path(state).name
    for line_of, names in ((_LINE, (own, f"{own}.1")), (_LINE_OF_01, OF_01)):
        for block in _from_end(state, names):
            yield from reversed(line_of.findall(block))


def _from_end(state: Path, names: tuple[str, ...]) -> Iterator[bytes]:
    """Whole lines in blocks, the last block first; an older file follows a young one."""
    left = TAIL
    for name in names:
        fd = files.to_read(state / name, follow=False)
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
