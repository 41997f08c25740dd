"""What a running client tells of itself: which conversation it is in, and whether it waits for the person.

Rule: every fact about the client's `sessions` folder is in this file; total over any file, and a client that writes
none tells nothing (2.1.325 writes it). It takes no hook, so it is known before a session's first Stop as well.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ccc.base import anyjson, files
from ccc.base.errors import CccError
from ccc.base.text import one_line

LIMIT = 64 * 1024


class Waiting(Struct, frozen=True):
    """A client that goes on only when the person has answered; `what` is the client's word: `dialog open` and such."""

    session_id: str
    what: str


def waiting(config_directory: Path, pid: int) -> Waiting | None:
    """None when the client with this process id works, has nothing to do, or does not tell."""
    told = _told(config_directory / "sessions" / f"{pid}.json")
    if told.get("status") != "waiting" or not isinstance(told.get("sessionId"), str):
        return None
    return Waiting(str(told["sessionId"]), one_line(str(told.get("waitingFor") or ""), 60))


def conversation(config_directory: Path, pid: int) -> str | None:
    """The session that the client with this process id is in: /clear and /resume change it; None when it does not
    tell."""
    found = _told(config_directory / "sessions" / f"{pid}.json").get("sessionId")
    return found if isinstance(found, str) else None


def _told(path: Path) -> dict[str, object]:
    try:
        found = anyjson.loads(files.read_own(path, limit=LIMIT) or b"{}")
    except (CccError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
