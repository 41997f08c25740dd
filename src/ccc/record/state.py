"""One file per session: lock, count, replace atomically.

Rule: no path is built from an id that was not checked, no folder of sessions is ever listed, and a
file that ccc could not have written is moved away instead of believed. One that ccc did not write as it is, by its
seal, is read all the same, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeGuard

import orjson

from ccc.base import files
from ccc.base.errors import CccError
from ccc.record import outside, seal
from ccc.record.outside import Kind

LOCK_WAIT = 5.0
MAX_COUNT = 1_000_000
STATE_LIMIT = 2**20

_SESSION_ID = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")
_FIELDS = frozenset({"session_id", "count", "created_at", "updated_at", "prompt_id", seal.FIELD})


class InvalidSessionId(CccError):
    """An id from which no path may be built. Its text is not repeated: it may hold anything."""

    def __init__(self) -> None:
        super().__init__("this session id is not one of Claude's; expected letters, digits, '.', '_' and '-'")


class StateCorrupt(CccError):
    """A state file that ccc could not have written."""


def valid_session_id(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and _SESSION_ID.match(text) is not None and ".." not in text


def utc_now() -> datetime:
    return datetime.now(UTC)


def story_path(state: Path, session_id: str) -> Path:
    """What happened to a session, one JSON object a line: for `ccc logs` and `ccc report`."""
    return state / f"supervisor-{session_id}-story.jsonl"


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of one session. `extra` holds fields of other versions, which survive a rewrite."""

    session_id: str
    count: int
    created_at: datetime
    updated_at: datetime
    prompt_id: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    foreign: bool = False  # somebody else than ccc has changed the file


@dataclass(frozen=True, slots=True)
class SessionStore:
    directory: Path
    now: Callable[[], datetime] = field(kw_only=True)

    @property
    def log_path(self) -> Path:
        return self.directory / "hook-invocation.log"

    def path(self, session_id: str) -> Path:
        return self._of(session_id, ".json")

    def output_path(self, session_id: str) -> Path:
        return self._of(session_id, "-output.jsonl")

    def stop_lock(self, session_id: str) -> Path:
        """Held for as long as one Stop is being decided."""
        return self._of(session_id, ".stop")

    def note(self, session_id: str, **fields: object) -> None:
        """Add fields to the session's file beside those that are there."""
        self.update(session_id, lambda old: replace(old, extra={**old.extra, **fields}))

    def load(self, session_id: str) -> Session | None:
        try:
            return self._read(session_id)
        except StateCorrupt:
            # Only under the lock is it certain that no healthy file has taken its place meanwhile.
            with self._locked(session_id):
                return self._read_or_set_aside(session_id)

    def update(self, session_id: str, change: Callable[[Session], Session]) -> Session:
        """Store what `change` makes of the session, a new one with count 0 if there was none."""
        self._prepare(session_id)
        with self._locked(session_id):
            session = self._read_or_set_aside(session_id) or self._begin(session_id)
            if session.foreign:  # kept with it, because from now on the file is ccc's again
                session = replace(session, extra=outside.doubted(session.extra, Kind.STATE, self._utc_now()))
            changed = self._stamped(session_id, change(session))
            files.replace_own(self.path(session_id), self._encoded(changed), scratch=self._scratch)
        return changed

    @property
    def _scratch(self) -> Path:
        return files.scratch_folder(self.directory)

    def _of(self, session_id: str, ending: str) -> Path:
        if not valid_session_id(session_id):
            raise InvalidSessionId
        return self.directory / f"supervisor-{session_id}{ending}"

    def _utc_now(self) -> datetime:
        return self.now().astimezone(UTC)

    def _prepare(self, session_id: str) -> None:
        self.path(session_id)  # an id that is refused must not even make the folder
        files.private_directory(self.directory)
        files.private_directory(self._scratch)

    def _encoded(self, session: Session) -> bytes:
        content = seal.sealed(_content(session), self.directory, self._scratch)
        try:
            return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        except orjson.JSONEncodeError:  # half a surrogate pair in a prompt_id is enough
            raise CccError("the state of this session cannot be written as JSON") from None

    def _decoded(self, session_id: str, data: bytes) -> Session | None:
        try:
            content = orjson.loads(data)
        except orjson.JSONDecodeError:
            return None
        match content:
            case {"session_id": str(stored), "count": int(count)} if stored == session_id and _plausible(count):
                created, updated = (_moment(content.get(key), self._utc_now()) for key in ("created_at", "updated_at"))
                foreign = seal.is_foreign(content, self.directory, self.path(session_id))
                return Session(session_id, count, created, updated, _prompt_id(content), _others(content), foreign)
            case _:
                return None

    def _locked(self, session_id: str) -> AbstractContextManager[None]:
        return files.locked(self._of(session_id, ".lock"), wait=LOCK_WAIT)

    def _begin(self, session_id: str) -> Session:
        now = self._utc_now()
        files.sweep(self._scratch, now.timestamp())
        return Session(session_id, 0, created_at=now, updated_at=now)

    def _stamped(self, session_id: str, session: Session) -> Session:
        extra = _others(session.extra)
        return replace(session, session_id=session_id, updated_at=self._utc_now(), extra=extra, foreign=False)

    def _read_or_set_aside(self, session_id: str) -> Session | None:
        try:
            return self._read(session_id)
        except StateCorrupt as error:
            aside = files.set_aside(self.path(session_id))
            raise StateCorrupt(f"{error}; it is now {aside}, and the session counts from 0") from None

    def _read(self, session_id: str) -> Session | None:
        path = self.path(session_id)
        try:
            data = files.read_own(path, limit=STATE_LIMIT)
        except files.Unfit:
            raise StateCorrupt(f"{path} is not a state file") from None
        if data is None:
            return None
        session = self._decoded(session_id, data)
        if session is None:
            raise StateCorrupt(f"{path} does not hold the state of this session")
        return session


def _content(session: Session) -> dict[str, object]:
    content: dict[str, object] = {
        "session_id": session.session_id,
        "count": session.count,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
    }
    if session.prompt_id is not None:
        content["prompt_id"] = session.prompt_id
    return content | dict(session.extra)


def _others(content: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in content.items() if name not in _FIELDS}


def _plausible(count: int) -> bool:
    return not isinstance(count, bool) and 0 <= count <= MAX_COUNT


def _prompt_id(content: Mapping[str, object]) -> str | None:
    stored = content.get("prompt_id")
    return stored if isinstance(stored, str) else None


def _moment(stored: object, now: datetime) -> datetime:
    # The count is what protects the money; it must not fall to 0 because a date is odd.
    try:
        moment = datetime.fromisoformat(stored if isinstance(stored, str) else "")
    except ValueError:
        return now
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
