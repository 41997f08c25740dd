"""One file per session: lock, read, replace atomically.

Rule: no path is built from an id that was not checked, no folder of sessions is ever listed, and a
file that ccc could not have written is moved away instead of believed. One that ccc did not write as it is, by its
seal, is read all the same, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import anyjson, files, seal, strictjson
from ccc.base.errors import CccError
from ccc.base.files import Own
from ccc.base.messages import msg
from ccc.base.seal import Foreign
from ccc.record import session
from ccc.record.outside import Interference, Kind
from ccc.record.session import Session, valid_session_id

LOCK_WAIT = 5.0
STATE_LIMIT = 2**20

Change = Callable[[Session], Session]


class InvalidSessionId(CccError):
    """An id from which no path may be built. Its text is not repeated: it may hold anything."""

    def __init__(self) -> None:
        super().__init__(
            msg("this session id is not one of Claude's"), msg("expected letters, digits, '.', '_' and '-'")
        )


class StateCorrupt(CccError):
    """A state file that ccc could not have written."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def state_path(state: Path, session_id: str) -> Path:
    return state / f"supervisor-{session_id}.json"


def story_path(state: Path, session_id: str) -> Path:
    """What happened to a session, one JSON object a line: for `ccc logs` and `ccc report`."""
    return state / f"supervisor-{session_id}-story.jsonl"


def output_path(state: Path, session_id: str) -> Path:
    """What the session's reviewers said, as it came."""
    return state / f"supervisor-{session_id}-output.jsonl"


def stop_lock(state: Path, session_id: str) -> Path:
    """Held for as long as one Stop is being decided."""
    return state / f"supervisor-{session_id}.stop"


def seen(state: Path, session_id: str, *, foreign: Foreign | None = None) -> Session | None:
    """The session as good as it can be read, for whoever only looks: nothing is locked, moved or mended."""
    path = state_path(state, session_id)
    try:
        own = files.read_dated(path, limit=STATE_LIMIT)
        content = anyjson.loads(own.data) if own else None
    except (CccError, ValueError):
        return None
    if own is None or not isinstance(content, dict):
        return None
    found = session.decoded(content, session.NEVER)
    if found is None or found.session_id != session_id:
        return None
    return replace(found, foreign=foreign(content, own.changed)) if foreign else found


class Memory(Struct):
    """One session in the hands of whoever decides its Stop: read once, and written when it has to be on disk."""

    store: SessionStore
    session: Session
    mark: object = None  # which file it was when it was last written
    answered: str = ""  # what the agent had said at the stop before this one, by the client's id
    kept: Callable[[], None] | None = None  # called once, when it is on disk

    def keep(self, session: Session) -> Session:
        """On disk, and then here."""
        self.session = self.store.put(session)
        self.mark = self._looks()
        if self.kept:
            self.kept()
            self.kept = None
        return self.session

    def look(self) -> None:
        """Notice a foreign hand in the file since it was written. What stands here is still ccc's own."""
        if self.mark is not None and self.mark != self._looks():
            outside = self.session.outside.noticed(Kind.STATE, self.store.now())
            self.session = replace(self.session, outside=outside)

    def _looks(self) -> object:
        try:
            found = self.store.path(self.session.session_id).lstat()
        except OSError:
            return "gone"
        return found.st_ino, found.st_ctime_ns


class SessionStore(Struct, frozen=True):
    directory: Path
    now: Callable[[], datetime]
    had: Callable[[str], bool] = lambda _: False  # whether there was a state of this session, which is none now

    @property
    def log_path(self) -> Path:
        return self.directory / "hook-invocation.log"

    def path(self, session_id: str) -> Path:
        return state_path(self.directory, _checked(session_id))

    def output_path(self, session_id: str) -> Path:
        return output_path(self.directory, _checked(session_id))

    def stop_lock(self, session_id: str) -> Path:
        return stop_lock(self.directory, _checked(session_id))

    def load(self, session_id: str) -> Session | None:
        try:
            return self._read(session_id)
        except StateCorrupt:
            # Only under the lock is it certain that no healthy file has taken its place meanwhile.
            with self._locked(session_id):
                return self._read_or_set_aside(session_id)

    def open(self, session_id: str) -> Memory:
        """For whoever holds the Stop's lock; a new session with count 0 if there was none."""
        self._prepare(session_id)
        return Memory(self, self._known(self.load(session_id), session_id))

    def put(self, found: Session) -> Session:
        """Store the session as it is in memory."""
        with self._locked(found.session_id):
            return self._written(found)

    def update(self, session_id: str, change: Change) -> Session:
        """Store what `change` makes of the session, a new one with count 0 if there was none."""
        self._prepare(session_id)
        with self._locked(session_id):
            changed = change(self._known(self._read_or_set_aside(session_id), session_id))
            return self._written(replace(changed, session_id=session_id))

    @property
    def _scratch(self) -> Path:
        return files.scratch_folder(self.directory)

    def _utc_now(self) -> datetime:
        return self.now().astimezone(UTC)

    def _prepare(self, session_id: str) -> None:
        self.path(session_id)  # an id that is refused must not even make the folder
        files.private_directory(self.directory)
        files.private_directory(self._scratch)

    def _known(self, found: Session | None, session_id: str) -> Session:
        """The session to go on with. A foreign hand is noted in it, because its next file is ccc's again."""
        if found:
            return replace(found, outside=self._doubted(found)) if found.foreign else found
        begun = self._begun(session_id)
        if not self.had(session_id):
            return begun
        return replace(begun, outside=replace(self._doubted(begun), count_lost=True))

    def _doubted(self, found: Session) -> Interference:
        return found.outside.doubted(Kind.STATE, self._utc_now())

    def _begun(self, session_id: str) -> Session:
        now = self._utc_now()
        files.sweep(self._scratch, now.timestamp())
        return Session(session_id, created_at=now, updated_at=now)

    def _written(self, found: Session) -> Session:
        stamped = replace(found, updated_at=self._utc_now(), foreign=False)
        files.replace_own(self.path(found.session_id), self._encoded(stamped), scratch=self._scratch)
        return stamped

    def _encoded(self, found: Session) -> bytes:
        content = seal.dated(session.encoded(found), self.directory, self._scratch)
        try:
            return strictjson.dumps(content, indent=2) + b"\n"
        except ValueError:  # half a surrogate pair in a prompt_id is enough
            raise CccError(msg("the state of this session cannot be written as JSON")) from None

    def _decoded(self, session_id: str, own: Own) -> Session | None:
        try:
            content = strictjson.loads(own.data)
        except ValueError:
            return None
        found = session.decoded(content, self._utc_now()) if isinstance(content, dict) else None
        if found is None or found.session_id != session_id:
            return None
        return replace(found, foreign=seal.is_foreign(content, self.directory, own.changed))

    def _locked(self, session_id: str) -> AbstractContextManager[None]:
        return files.locked(self.directory / f"supervisor-{_checked(session_id)}.lock", wait=LOCK_WAIT)

    def _read_or_set_aside(self, session_id: str) -> Session | None:
        try:
            return self._read(session_id)
        except StateCorrupt as error:
            aside = files.set_aside(self.path(session_id))
            raise StateCorrupt(error.what, msg("it is now {path}, and the session counts from 0", path=aside)) from None

    def _read(self, session_id: str) -> Session | None:
        path = self.path(session_id)
        try:
            own = files.read_dated(path, limit=STATE_LIMIT)
        except files.Unfit:
            raise StateCorrupt(msg("{path} is not a state file", path=path)) from None
        if own is None:
            return None
        found = self._decoded(session_id, own)
        if found is None:
            raise StateCorrupt(msg("{path} does not hold the state of this session", path=path))
        return found


def _checked(session_id: str) -> str:
    if not valid_session_id(session_id):
        raise InvalidSessionId
    return session_id
