"""The last stop that nobody reviewed, kept until the next start of ccc tells it.

Rule: told once; what cannot be kept is in the log all the same. It has no seal: what takes it away record.unheard finds
in the sessions.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.text import one_line

LIMIT = 65536


def remember(state: Path, session_id: str | None, why: str, now: datetime) -> None:
    told = {"at": now.isoformat(timespec="seconds"), "session_id": session_id, "why": why}
    scratch = scratch_folder(state)
    with suppress(CccError):
        files.private_directory(scratch)
        files.replace_own(_path(state), json.dumps(told).encode(), scratch=scratch)


def taken(state: Path) -> str | None:
    """What it was, told once."""
    path = state / f"unreviewed-{os.getpid()}.json"
    try:
        _path(state).rename(path)  # ours alone from here on: a hook may write the next one meanwhile
        told = json.loads(files.read_own(path, limit=LIMIT) or b"null")
    except (CccError, OSError, ValueError, RecursionError):
        return None
    finally:
        with suppress(OSError):
            path.unlink()
    return f"{told.get('at')}: {one_line(str(told.get('why')), 300)}" if isinstance(told, dict) else None


def waits(state: Path) -> bool:
    """Whether there is something to tell."""
    try:
        return isinstance(json.loads(files.read_own(_path(state), limit=LIMIT) or b"null"), dict)
    except (CccError, OSError, ValueError, RecursionError):
        return False


def _path(state: Path) -> Path:
    return state / "unreviewed.json"
