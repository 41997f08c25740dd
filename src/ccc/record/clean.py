"""`ccc clean`: what old sessions left in the state folder.

Rule: a file goes only when its name is exactly one that ccc gives to a session and that session is old; the folder is
read once, as a stream of which only the names stay; each session costs the same however many there are, because the
disk is gone through in the order in which it keeps its files; and a session somebody works with at this moment stays,
as does one whose client runs, or whose pty mode. No date counts that anybody can set.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct

from ccc.base import files, languages, processes, seal
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import Phrases, foreign, msg
from ccc.base.seal import Foreign
from ccc.base.sink import Progress
from ccc.base.text import one_line
from ccc.record import starts, store
from ccc.record.session import NEVER, About, Session, valid_session_id
from ccc.record.starts import Cleaned

LISTED = 50
UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
LONGEST = timedelta(days=36_500)

# In the order in which they go: what tells the session's age goes last but for the locks that are held meanwhile.
LOCK, STOP = LOCKS = (".lock", ".stop")
ENDINGS = ("-story.jsonl", "-output.jsonl", ".json.corrupt", ".json", *LOCKS)
_OF_A_SESSION = re.compile(rf"supervisor-(.+)({'|'.join(re.escape(ending) for ending in ENDINGS)})")

Say = Callable[[str], None]
Seen = Callable[[int, int], None]  # how many sessions were looked at, of how many
Mark = tuple[int, int, int]  # changes with the content of a file

WORDS = Phrases(
    "clean",
    {
        "one": "{date}  {session}  {count} files, {size}  {project}",
        "more": "… and {} more",
        "nothing": "nothing is older than {age} in {state}",
        "would": "{sessions} sessions, {count} files, {size} would go; nothing was removed yet: "
        "ccc clean --older-than {age} --yes",
        "gone": "{sessions} sessions, {count} files, {size} removed",
        "busy": "{} is in use and stays",
        "stay": "{} sessions in use or used since then stay",
        "seen": "looked at {seen} of {all} sessions; {count} are old",
        "going": "looked at {seen} of {all} sessions; {count} removed",
    },
)


class Old(Struct, frozen=True):
    """One session that may go."""

    session_id: str
    used: datetime
    project: str
    files: Mapping[str, Mark]  # by their endings
    size: int
    known: Session | None = None  # what its state says, where ccc has written it

    @property
    def is_in_use(self) -> bool:
        """Whether the client that called its last hook still runs, or the ccc that serves it."""
        about = self.known.about if self.known else About()
        return bool(about.client and about.client_begun and processes.lives(about.client, about.client_begun))

    @property
    def cleaned(self) -> Cleaned | None:
        """What is to be remembered of it: of a state that somebody else wrote nothing is, and it speaks for no stop."""
        known = self.known
        return Cleaned(known.updated_at, known.about.answer or "", known.forks) if known else None


class Sum(Struct, frozen=True):
    sessions: int = 0
    files: int = 0
    size: int = 0

    def plus(self, old: Old) -> Sum:
        return Sum(self.sessions + 1, self.files + len(old.files), self.size + old.size)


class _Telling(Struct):
    """What the person is told meanwhile: the first of many, one line that moves, and the sums."""

    words: Mapping[str, str]
    say: Say
    progress: Progress
    moving: str
    total: Sum = Sum()
    busy: int = 0

    def seen(self, count: int, of: int) -> None:
        self.progress.tell(self.words[self.moving].format(seen=count, all=of, count=self.total.sessions))

    def goes(self, old: Old) -> None:
        self.total = self.total.plus(old)
        if self.total.sessions <= LISTED:
            self._line(self.words["one"].format(**_told(old)))

    def stays(self, old: Old) -> None:
        self.busy += 1
        if self.busy <= LISTED:
            self._line(self.words["busy"].format(old.session_id))

    def end(self, ending: str, **values: object) -> None:
        if self.total.sessions > LISTED:
            self._line(self.words["more"].format(self.total.sessions - LISTED))
        if self.busy > LISTED:
            self._line(self.words["stay"].format(self.busy))
        total = {
            "sessions": self.total.sessions,
            "count": self.total.files,
            "size": bytes_in_words(self.total.size),
        }
        self._line(self.words[ending if self.total.sessions else "nothing"].format(**total, **values))

    def _line(self, text: str) -> None:
        self.progress.clear()
        self.say(text)


def run(
    state: Path,
    *,
    older_than: str,
    yes: bool,
    now: datetime,
    env: Mapping[str, str],
    say: Say,
    progress: Progress | None = None,
) -> int:
    """List what would go; with `yes` it goes."""
    before = now - duration(older_than)
    line = progress or Progress()
    telling = _Telling(WORDS[languages.of_person(env)], say, line, "going" if yes else "seen")
    known = starts.known(state)
    heard = {each for start in known for each in start.heard}
    alive = {each for start in known if start.lives for each in start.heard}
    gone: dict[str, Cleaned] = {}
    try:
        for old in old_sessions(state, before, telling.seen):
            if old.session_id in alive or old.is_in_use or (yes and not remove(state, old, before)):
                telling.stays(old)
                continue
            telling.goes(old)
            if old.cleaned and old.session_id in heard:
                gone[old.session_id] = old.cleaned
        telling.end("gone" if yes else "would", age=older_than, state=state)
    finally:
        line.clear()
        if yes:
            starts.cleaned(state, gone)
    return 0


def duration(text: str) -> timedelta:
    """`12h`, `30d` or `8w`."""
    match = re.fullmatch(r"([0-9]{1,6})([hdw])", text.strip().lower(), re.ASCII)
    found = int(match[1]) * UNITS[match[2]] if match else timedelta()
    if timedelta() < found <= LONGEST:
        return found
    raise Misuse(msg("--older-than takes a number and h, d or w: 12h, 30d, 8w"))


def old_sessions(state: Path, before: datetime, seen: Seen = lambda *_: None) -> Iterator[Old]:
    """Sessions that were last used before that moment."""
    found, is_foreign = _sessions(state), seal.foreign_to(state)
    for number, (session_id, endings) in enumerate(found.items(), 1):
        seen(number, len(found))
        old = _old(state, session_id, endings, before, is_foreign)
        if old:
            yield old


def _sessions(state: Path) -> Mapping[str, tuple[str, ...]]:
    """The plain files of each session, by their endings; as the disk has them one behind the other."""
    found: dict[str, tuple[str, ...]] = {}
    places: dict[str, int] = {}
    try:
        with os.scandir(state) as entries:
            for entry in entries:
                session_id, ending = _parts(entry.name)
                if session_id and entry.is_file(follow_symlinks=False):
                    found[session_id] = (*found.get(session_id, ()), ending)
                    places.setdefault(session_id, entry.inode())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CccError(
            msg("cannot {doing} {path}: {reason}", doing=msg("read"), path=state, reason=foreign(error.strerror)),
            msg("check its owner and permissions"),
        ) from None
    return {session_id: found[session_id] for session_id in sorted(places, key=places.__getitem__)}


def remove(state: Path, old: Old, before: datetime) -> bool:
    """Remove the session's files, unless it is in use or was used after all; False then."""
    with ExitStack() as held:
        # The lock must be there to be held; a Stop that is being decided has made its own already.
        for ending in (LOCK, STOP) if STOP in old.files else (LOCK,):
            try:
                held.enter_context(files.locked(Path(_path(state, old.session_id, ending)), wait=0))
            except files.Busy:
                return False
        if not _is_still(state, old) and not _is_old_yet(state, old, before):
            return False
        for ending in ENDINGS:
            if ending in old.files or ending == LOCK:
                _unlink(_path(state, old.session_id, ending))
    return True


def _is_old_yet(state: Path, old: Old, before: datetime) -> bool:
    return _old(state, old.session_id, {*old.files, ".json"}, before, seal.foreign_to(state)) is not None


def _is_still(state: Path, old: Old) -> bool:
    """Whether nobody has written since it was looked at; cheaper than to look at everything again."""
    now = _there(state, old.session_id, {*old.files, ".json"})
    return {ending: _mark(found) for ending, found in now.items()} == old.files


def bytes_in_words(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _parts(name: str) -> tuple[str | None, str]:
    """The session that a file of this name belongs to, and which of its files it is."""
    match = _OF_A_SESSION.fullmatch(name)
    return (match[1], match[2]) if match and valid_session_id(match[1]) else (None, "")


def _path(state: Path, session_id: str, ending: str) -> str:
    return f"{state}/supervisor-{session_id}{ending}"


def _plain(path: str) -> os.stat_result | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _old(state: Path, session_id: str, endings: Iterable[str], before: datetime, is_foreign: Foreign) -> Old | None:
    there = _there(state, session_id, endings)
    known = store.seen(state, session_id, foreign=is_foreign) if ".json" in there else None
    own = known if known and not known.foreign else None
    used = _used(own, there)
    if not there or used >= before:
        return None
    project = one_line(known.about.project or "", 200) if known else ""
    marks = {ending: _mark(found) for ending, found in there.items()}
    return Old(session_id, used, project, marks, sum(found.st_size for found in there.values()), own)


def _there(state: Path, session_id: str, endings: Iterable[str]) -> dict[str, os.stat_result]:
    return {ending: found for ending in endings if (found := _plain(_path(state, session_id, ending)))}


def _mark(found: os.stat_result) -> Mark:
    return found.st_ino, found.st_mtime_ns, found.st_size


def _used(known: Session | None, there: Mapping[str, os.stat_result]) -> datetime:
    """What a state of ccc's own says; without one the kernel tells when any file was last changed, which nobody can
    set back."""
    told = known.updated_at if known else NEVER
    return (
        told
        if told > NEVER
        else datetime.fromtimestamp(max((found.st_ctime for found in there.values()), default=0.0), UTC)
    )


def _unlink(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108  a Path for each of a million files is most of the time
    except FileNotFoundError:
        return
    except OSError as error:
        raise CccError(
            msg("cannot {doing} {path}: {reason}", doing=msg("remove"), path=path, reason=foreign(error.strerror)),
            msg("check its owner and permissions"),
        ) from None


def _told(old: Old) -> dict[str, object]:
    return {
        "date": f"{old.used.astimezone():%Y-%m-%d}",
        "session": old.session_id,
        "count": len(old.files),
        "size": bytes_in_words(old.size),
        "project": old.project,
    }
