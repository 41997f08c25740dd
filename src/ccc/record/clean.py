"""`ccc clean`: what old sessions left in the state folder.

Rule: a file goes only when its name is exactly one that ccc gives to a session and that session is old; the folder is
read as a stream, and a session somebody works with at this moment stays.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ccc.base import files, languages
from ccc.base.errors import CccError
from ccc.base.text import one_line
from ccc.record import story
from ccc.record.state import Session, valid_session_id

LISTED = 50
UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
LONGEST = timedelta(days=36_500)

# In the order in which they go: what tells the session's age goes last but for the locks that are held meanwhile.
LOCKS = (".lock", ".stop")
ENDINGS = ("-story.jsonl", "-output.jsonl", ".json.corrupt", ".json", *LOCKS)
_OF_A_SESSION = re.compile(rf"supervisor-(.+)({'|'.join(re.escape(ending) for ending in ENDINGS)})")

Say = Callable[[str], None]

WORDS = {
    "en": {
        "one": "{date}  {session}  {count} files, {size}  {project}",
        "more": "… and {} more",
        "nothing": "nothing is older than {age} in {state}",
        "would": "{sessions} sessions, {count} files, {size} would go; nothing was removed yet: "
        "ccc clean --older-than {age} --yes",
        "gone": "{sessions} sessions, {count} files, {size} removed",
        "busy": "{} is in use and stays",
    },
    "zh": {
        "one": "{date}  {session}  {count} 个文件，{size}  {project}",
        "more": "…… 还有 {} 个",
        "nothing": "{state} 中没有比 {age} 更早的会话",
        "would": "将删除 {sessions} 个会话、{count} 个文件、{size}；尚未删除任何东西，确认请运行："
        "ccc clean --older-than {age} --yes",
        "gone": "已删除 {sessions} 个会话、{count} 个文件、{size}",
        "busy": "{} 正在使用，保留",
    },
}


@dataclass(frozen=True, slots=True)
class Old:
    """One session that may go."""

    session_id: str
    used: datetime
    project: str
    files: tuple[Path, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Sum:
    sessions: int = 0
    files: int = 0
    size: int = 0

    def plus(self, old: Old) -> Sum:
        return Sum(self.sessions + 1, self.files + len(old.files), self.size + old.size)


def run(state: Path, *, older_than: str, yes: bool, now: datetime, env: Mapping[str, str], say: Say) -> int:
    """List what would go; with `yes` it goes."""
    words = WORDS[languages.of_person(env)]
    before = now - duration(older_than)
    total = Sum()
    for old in old_sessions(state, before):
        if yes and not remove(state, old, before):
            say(words["busy"].format(old.session_id))
            continue
        total = total.plus(old)
        if total.sessions <= LISTED:
            say(words["one"].format(**_told(old)))
    if total.sessions > LISTED:
        say(words["more"].format(total.sessions - LISTED))
    ending = words["gone" if yes else "would"] if total.sessions else words["nothing"]
    say(
        ending.format(
            sessions=total.sessions, count=total.files, size=bytes_in_words(total.size), age=older_than, state=state
        )
    )
    return 0


def duration(text: str) -> timedelta:
    """`12h`, `30d` or `8w`."""
    match = re.fullmatch(r"([0-9]{1,6})([hdw])", text.strip().lower(), re.ASCII)
    found = int(match[1]) * UNITS[match[2]] if match else timedelta()
    if timedelta() < found <= LONGEST:
        return found
    raise CccError("--older-than takes a number and h, d or w: 12h, 30d, 8w")


def old_sessions(state: Path, before: datetime) -> Iterator[Old]:
    """Sessions that were last used before that moment, as the folder is read."""
    try:
        entries = os.scandir(state)
    except FileNotFoundError:
        return
    except OSError as error:
        raise CccError(f"cannot read {state}: {error.strerror}; check its owner and permissions") from None
    with entries:
        for entry in entries:
            session_id = _session_of(entry.name)
            # Each session has several files here; the first of them in our order speaks for all.
            if session_id and entry.name == _speaker(state, session_id):
                old = _old(state, session_id, before)
                if old:
                    yield old


def remove(state: Path, old: Old, before: datetime) -> bool:
    """Remove the session's files, unless it is in use or was used after all; False then."""
    with ExitStack() as held:
        for ending in LOCKS:
            try:
                held.enter_context(files.locked(_path(state, old.session_id, ending), wait=0))
            except files.Busy:
                return False
        if _used(story.session(state, old.session_id), _there(old.files)) >= before:
            return False
        for path in (*old.files, *(_path(state, old.session_id, ending) for ending in LOCKS)):
            _unlink(path)
    return True


def bytes_in_words(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _session_of(name: str) -> str | None:
    match = _OF_A_SESSION.fullmatch(name)
    return match[1] if match and valid_session_id(match[1]) else None


def _speaker(state: Path, session_id: str) -> str | None:
    paths = [_path(state, session_id, ending) for ending in (".json", *ENDINGS)]
    return next((path.name for path in paths if _plain(path)), None)


def _path(state: Path, session_id: str, ending: str) -> Path:
    return state / f"supervisor-{session_id}{ending}"


def _plain(path: Path) -> os.stat_result | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _old(state: Path, session_id: str, before: datetime) -> Old | None:
    there = _there(_path(state, session_id, ending) for ending in ENDINGS)
    known = story.session(state, session_id)
    used = _used(known, there)
    if used >= before:
        return None
    project = one_line(str(known.extra.get("project") or ""), 200) if known else ""
    return Old(session_id, used, project, tuple(there), sum(found.st_size for found in there.values()))


def _there(paths: Iterable[Path]) -> dict[Path, os.stat_result]:
    return {path: found for path in paths if (found := _plain(path))}


def _used(known: Session | None, there: Mapping[Path, os.stat_result]) -> datetime:
    """What the state says; without a date there the youngest file tells."""
    told = story.moment(known.extra.get("updated_at")) if known else None
    return told or datetime.fromtimestamp(max((found.st_mtime for found in there.values()), default=0.0), UTC)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise CccError(f"cannot remove {path}: {error.strerror}; check its owner and permissions") from None


def _told(old: Old) -> dict[str, object]:
    return {
        "date": f"{old.used.astimezone():%Y-%m-%d}",
        "session": old.session_id,
        "count": len(old.files),
        "size": bytes_in_words(old.size),
        "project": old.project,
    }
