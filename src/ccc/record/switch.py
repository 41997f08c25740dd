"""The person's word: supervision off and on, for a project folder or one session.

Rule: read at every Stop, so it holds from the very next one; off is never undone by anything but `ccc on`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ccc.base import documents, files
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder

PROJECTS, SESSIONS = "projects", "sessions"


def is_off(state: Path, *, project: Path, session_id: str) -> bool:
    stored = _stored(state)
    return str(project) in stored[PROJECTS] or session_id in stored[SESSIONS]


def turn(state: Path, kind: str, name: str, *, off: bool) -> bool:
    """Switch; False when it stood so already."""
    files.private_directory(state)
    files.private_directory(scratch_folder(state))
    with files.locked(state / "off.lock", wait=5):
        stored = _stored(state)
        if (name in stored[kind]) is off:
            return False
        changed = [*stored[kind], name] if off else [each for each in stored[kind] if each != name]
        data = json.dumps({**stored, kind: changed}, indent=1).encode()  # ASCII: a folder name may be no UTF-8
        files.replace_own(_record(state), data, scratch=scratch_folder(state))
    return True


def _record(state: Path) -> Path:
    return state / "off.json"


def _stored(state: Path) -> Mapping[str, list[str]]:
    try:
        stored = json.loads(files.read_own(_record(state), limit=documents.FILE_LIMIT) or b"{}")
    except ValueError:
        raise CccError(f"{_record(state)} cannot be read; delete it, then: ccc off or ccc on") from None
    found = stored if isinstance(stored, dict) else {}
    return {kind: [str(name) for name in found.get(kind) or []] for kind in (PROJECTS, SESSIONS)}
