"""One session at a glance, for a line that the client draws again and again.

Rule: tells what store and switch tell, a test holds that, and loads none of what they need; total over any file.
"""

import json
import os
import re
from collections.abc import Mapping

from ccc.base.messages import recorded

LIMIT = 2**20

_SESSION_ID = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_SAFELY = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC

Stored = Mapping[str, object]


class Glance:
    """What the session's file says; `count` is None when there is none."""

    __slots__ = ("count", "findings", "held_until", "limit", "outcome", "phase", "reason")

    def __init__(self, stored: Stored) -> None:
        self.count = _number(stored.get("count"))
        self.limit = _number(stored.get("limit"))
        self.phase = str(stored.get("phase") or "")
        self.held_until = str(stored.get("held_until") or "")
        self.outcome = str(stored.get("outcome") or "")
        self.reason = recorded(str(stored.get("reason") or ""), stored.get("reason_as"))
        self.findings = _texts(stored.get("findings"))


def session(env: Mapping[str, str], session_id: object) -> Glance:
    known = is_valid(session_id)
    return Glance(read_object(_read(f"{state_folder(env)}/supervisor-{session_id}.json")) if known else {})


def is_off(env: Mapping[str, str], session_id: object, folder: str) -> bool:
    stored = read_object(_read(f"{state_folder(env)}/off.json"))
    return _holds(stored.get("sessions"), session_id) or _holds(stored.get("projects"), project(folder))


def is_valid(session_id: object) -> bool:
    return isinstance(session_id, str) and _SESSION_ID.fullmatch(session_id) is not None


def state_folder(env: Mapping[str, str]) -> str:
    named = env.get("CCC_WORK_DIR") or env.get("CCC_CONFIG_DIR") or env.get("CLAUDE_CONFIG_DIR")
    if not named:
        return f"{_home(env)}/.claude/ccc"
    return (_home(env) + named[1:] if named == "~" or named.startswith("~/") else named) + "/ccc"


def project(folder: str) -> str:
    place = folder.rstrip("/")
    while place and not _exists(f"{place}/.git"):
        place = place.rpartition("/")[0]
    return place or folder


def read_object(data: bytes) -> Stored:
    """{} when it is none."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = _mended(data) if data else None
    return found if isinstance(found, dict) else {}


def _mended(data: bytes) -> object:
    from ccc.base import anyjson  # in here, because what the client writes is nearly always sound

    try:
        return json.loads(anyjson.mended(data))
    except ValueError:
        return None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _holds(names: object, name: object) -> bool:
    return bool(name) and isinstance(names, list) and name in names


def _home(env: Mapping[str, str]) -> str:
    if env.get("HOME"):
        return env["HOME"]
    import pwd

    return pwd.getpwuid(os.getuid()).pw_dir


def _exists(path: str) -> bool:
    return "\0" not in path and os.access(path, os.F_OK)


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, _SAFELY)
    except (OSError, ValueError):
        return b""
    try:
        return os.pread(fd, LIMIT, 0)
    except OSError:  # a pipe or a folder
        return b""
    finally:
        os.close(fd)
