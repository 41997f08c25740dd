"""The person's word: supervision off and on, for a project folder or one session.

Rule: read at every Stop, so it holds from the very next one; off is never undone by anything but `ccc on`. Whoever
switches off is recorded with it, from inside a client or not, under ccc's seal; it holds all the same, and is told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from ccc.base import documents, files, processes, seal
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import msg
from ccc.record.outside import Kind
from ccc.record.store import utc_now

PROJECTS, SESSIONS = "projects", "sessions"
BY = "by"
# A client gives these to whatever it starts.
CLIENTS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT")


def is_off(state: Path, *projects: Path, session_id: str) -> bool:
    return off(state, *projects, session_id=session_id) is not None


def off(state: Path, *projects: Path, session_id: str) -> Kind | None:
    """Whether reviews are off, and who switched them; of two switches a project's counts."""
    stored = _stored(state)
    for kind, name in (*((PROJECTS, str(each)) for each in projects), (SESSIONS, session_id)):
        if name in _names(stored, kind):
            return _origin(state, stored, kind, name)
    return None


def turn(state: Path, kind: str, name: str, *, off: bool) -> bool:
    """Switch; False when it stood so already."""
    files.private_directory(state)
    files.private_directory(scratch_folder(state))
    with files.locked(state / "off.lock", wait=5):
        stored = _stored(state)
        names = _names(stored, kind)
        if (name in names) is off:
            return False
        changed = [*names, name] if off else [each for each in names if each != name]
        by = {key: value for key, value in _by(stored).items() if key != _key(kind, name)}
        if off:
            by[_key(kind, name)] = _sealed(state, kind, name)
        content = {PROJECTS: _names(stored, PROJECTS), SESSIONS: _names(stored, SESSIONS), kind: changed, BY: by}
        data = json.dumps(content, indent=1).encode()  # ASCII: a folder name may be no UTF-8
        files.replace_own(_record(state), data, scratch=scratch_folder(state))
    return True


def is_inside_a_client() -> bool:
    """Whether this process, or one above it, was started by a client; the agent and `!` look the same from here."""
    return any(_is_of_client(pid) for pid in (os.getpid(), *processes.ancestors(os.getpid())))


def _is_of_client(pid: int) -> bool:
    given = {word.partition(b"=")[0].decode("ascii", "replace") for word in processes.words(pid, "environ")}
    return not given.isdisjoint(CLIENTS)


def _sealed(state: Path, kind: str, name: str) -> dict[str, object]:
    at = utc_now().isoformat(timespec="seconds")
    told = {"from": "inside" if is_inside_a_client() else "outside", "at": at, "kind": kind, "name": ascii(name)}
    return seal.sealed(told, state, scratch_folder(state))


def _origin(state: Path, stored: Mapping[str, object], kind: str, name: str) -> Kind:
    record = _record_of(stored, kind, name)
    named = (record.get("kind"), record.get("name")) == (kind, ascii(name))
    if not named or seal.FIELD not in record or seal.is_foreign(record, state):
        return Kind.OFF_BY_HAND
    return Kind.OFF_INSIDE if record.get("from") == "inside" else Kind.OFF


def _record(state: Path) -> Path:
    return state / "off.json"


def _key(kind: str, name: str) -> str:
    return f"{kind}:{name}"


def _record_of(stored: Mapping[str, object], kind: str, name: str) -> Mapping[str, object]:
    found = _by(stored).get(_key(kind, name))
    return found if isinstance(found, dict) else {}


def _by(stored: Mapping[str, object]) -> Mapping[str, object]:
    found = stored.get(BY)
    return found if isinstance(found, dict) else {}


def _names(stored: Mapping[str, object], kind: str) -> list[str]:
    found = stored.get(kind)
    return [str(name) for name in found] if isinstance(found, list) else []


def _stored(state: Path) -> Mapping[str, object]:
    try:
        stored = json.loads(files.read_own(_record(state), limit=documents.FILE_LIMIT) or b"{}")
    except (ValueError, RecursionError):
        raise CccError(
            msg("{path} cannot be read", path=_record(state)), msg("delete it, then: ccc off or ccc on")
        ) from None
    return stored if isinstance(stored, dict) else {}
