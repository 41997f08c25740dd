"""The hook's input: whatever arrives on stdin becomes a StopEvent, or the reason why it is none.

Rule: total over any bytes, bounded in size and time; no path is opened here. What ccc cannot read is never taken for
something that is no Stop.
"""

from __future__ import annotations

import os
import select
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ccc.base import anyjson, strictjson
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.model import StopEvent, Task
from ccc.record.session import valid_session_id

SIZE_LIMIT = 8 * 1024 * 1024
DROPPED_LIMIT = 64 * 1024 * 1024  # a writer whose words are refused might fail; beyond this it is on its own
MENDED_AT_ONCE = 256 * 1024
WAIT_SECONDS = 5.0
EVENTS = (None, "Stop")
FAILURE = "StopFailure"
ASKED = "UserPromptSubmit"
BEGUN = "SessionStart"


class NotAStop(Exception):
    """Nothing to review; the text says why, for the log."""


class Failed(NotAStop):
    """The API has ended the agent's turn: `error` is the client's name for it, `said` what it told the person."""

    def __init__(self, stop: StopEvent, error: str, said: str, details: str) -> None:
        super().__init__("the API has ended the turn")
        self.stop, self.error, self.said, self.details = stop, error, said, details


class Asked(NotAStop):
    """The person has typed something, or the client has: a turn is about to begin."""

    def __init__(self, session_id: str) -> None:
        super().__init__("a turn is about to begin")
        self.session_id = session_id


class Begun(NotAStop):
    """A client has begun, or has taken up a session; nobody has asked it for anything yet."""

    def __init__(self, cwd: Path | None) -> None:
        super().__init__("a session has begun")
        self.cwd = cwd


class Unreadable(CccError):
    """A Stop, for all that is known, which cannot be reviewed; `session_id` is whose, where that can be told."""

    def __init__(self, why: str, session_id: str | None = None) -> None:
        super().__init__(why)
        self.session_id = session_id


def read(fd: int) -> bytes:
    """The first whole JSON object on `fd`, or what came in the time there was; too much is longer than SIZE_LIMIT."""
    if os.isatty(fd):
        raise Unreadable(msg("stdin is a terminal"))
    data = bytearray()
    deadline = time.monotonic() + WAIT_SECONDS
    while len(data) <= SIZE_LIMIT:
        piece = _piece(fd, deadline - time.monotonic())
        data += piece
        # The writer may keep its end open; the closing brace of the object is the end that counts.
        if not piece or (piece.rstrip().endswith(b"}") and _is_sound(data)):
            return bytes(data)
        # Damage takes its time to look at; in much of it the end of the stream, or of our patience, is waited for.
        if len(data) <= MENDED_AT_ONCE and not _has_more(fd) and _is_readable(data):
            return bytes(data)
    with suppress(Unreadable):  # what counts is here
        _drop(fd, deadline)
    return bytes(data)


def parse(data: bytes, project: str | None = None) -> StopEvent:
    """The Stop; `project` is where it is reviewed when the agent has taken away the folder it stands in."""
    given, damage = _given(data)
    if given.get("hook_event_name") == FAILURE:
        raise _failed(given, project)
    session_id = given.get("session_id")
    if given.get("hook_event_name") == ASKED and valid_session_id(session_id):
        raise Asked(session_id)
    if given.get("hook_event_name") == BEGUN:
        raise Begun(_cwd(given, project))
    _refuse_another_event(given.get("hook_event_name"))
    if not valid_session_id(session_id):
        raise Unreadable(damage or msg("no valid session_id on stdin"))
    if damage:
        raise Unreadable(damage, session_id)
    cwd = _cwd(given, project)
    if cwd is None:
        raise Unreadable(msg("the working directory is gone"), session_id)
    return StopEvent(
        session_id=session_id,
        cwd=cwd,
        transcript=_path(given, "transcript_path"),
        prompt_id=_text(given, "prompt_id"),
        last_message=_text(given, "last_assistant_message"),
        permission_mode=_text(given, "permission_mode"),
        stop_hook_active=given.get("stop_hook_active") is True,
        tasks=_tasks(given.get("background_tasks")),
    )


def _failed(given: Mapping[str, object], project: str | None) -> NotAStop:
    """What the client tells when there is nothing to review; it hears no answer, so nothing here is worth a refusal."""
    session_id = given.get("session_id")
    if not valid_session_id(session_id):
        return NotAStop(f"the event is {FAILURE}, of nobody knows whose session")
    if "agent_id" in given:
        return NotAStop(f"the event is {FAILURE}, of a subagent")
    stop = StopEvent(
        session_id=session_id,
        cwd=_cwd(given, project) or Path("/"),
        transcript=_path(given, "transcript_path"),
        prompt_id=_text(given, "prompt_id"),
    )
    error, said, details = (_text(given, key) or "" for key in ("error", "last_assistant_message", "error_details"))
    return Failed(stop, error, said, details)


def _piece(fd: int, seconds: float) -> bytes:
    try:
        ready, _, _ = select.select([fd], [], [], max(0.0, seconds))
        return os.read(fd, 65536) if ready and seconds > 0 else b""
    except OSError:
        raise Unreadable(msg("stdin cannot be read")) from None


def _drop(fd: int, deadline: float) -> None:
    dropped = 0
    while dropped < DROPPED_LIMIT and (piece := _piece(fd, deadline - time.monotonic())):
        dropped += len(piece)


def _is_sound(data: bytearray) -> bool:
    try:
        strictjson.loads(data)
    except ValueError:
        return False
    return True


def _is_readable(data: bytearray) -> bool:
    try:
        anyjson.loads(data)
    except ValueError:
        return False
    return True


def _has_more(fd: int) -> bool:
    try:
        return bool(select.select([fd], [], [], 0)[0])
    except OSError:
        return True


def _given(data: bytes) -> tuple[Mapping[str, object], str]:
    """What stdin tells, and what is wrong with it."""
    if len(data) > SIZE_LIMIT:
        # The client names the event before it repeats the agent's message, which may as well be cut.
        found = anyjson.beginning(data[:SIZE_LIMIT])
        return found, "" if "hook_event_name" in found else msg("more than {count} bytes on stdin", count=SIZE_LIMIT)
    try:
        told = anyjson.loads(data)
    except ValueError:
        return anyjson.beginning(data), msg("stdin is not valid JSON")
    return (told, "") if isinstance(told, dict) else ({}, msg("stdin holds no JSON object"))


def _refuse_another_event(name: object) -> None:
    if name in EVENTS:
        return
    if isinstance(name, str):
        raise NotAStop(f"the event is {one_line(name, 40)}")
    raise Unreadable(msg("the event on stdin has no name"))


def _text(given: Mapping[str, object], key: str) -> str | None:
    value = given.get(key)
    return value if isinstance(value, str) and value else None


def _path(given: Mapping[str, object], key: str) -> Path | None:
    value = _text(given, key)
    # By way of its bytes: in a locale without UTF-8 Python knows the same file by another name.
    return Path(os.fsdecode(value.encode())) if value and "\0" not in value else None


def _cwd(given: Mapping[str, object], project: str | None) -> Path | None:
    named = _path(given, "cwd")
    own = None if named else _own_cwd()
    return next((path for path in (named, own, Path(project) if project else None) if path and _is_folder(path)), None)


def _own_cwd() -> Path | None:
    try:
        return Path.cwd()
    except OSError:  # taken away under our feet
        return None


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):  # not there, not ours to look into, or longer than any path
        return False


def _tasks(value: object) -> tuple[Task, ...]:
    found = value if isinstance(value, list) else []
    return tuple(_task(item, number) for number, item in enumerate(found[:100]))


def _task(item: object, number: int) -> Task:
    if not isinstance(item, dict):
        return Task(_shown(item, 80) or str(number), "")
    id_ = next((item[key] for key in ("id", "task_id", "shell_id") if isinstance(item.get(key), str)), str(number))
    about = next((item[key] for key in ("command", "description", "type") if isinstance(item.get(key), str)), "")
    return Task(one_line(id_, 80), one_line(about, 200))


def _shown(value: object, limit: int) -> str:
    """A word for the log. Only text is quoted: Python cannot write out every nesting that JSON can hold."""
    return one_line(value, limit) if isinstance(value, str) else type(value).__name__
