"""The hook's input: whatever arrives on stdin becomes a StopEvent, or the reason why it is none.

Rule: total over any bytes, bounded in size and time; no path is opened here.
"""

from __future__ import annotations

import os
import select
import stat
import time
from collections.abc import Mapping
from pathlib import Path

import orjson

from ccc.model import StopEvent, Task
from ccc.state import valid_session_id
from ccc.text import one_line

SIZE_LIMIT = 8 * 1024 * 1024
WAIT_SECONDS = 5.0
EVENTS = (None, "Stop")


class NotAStop(Exception):
    """Nothing to review; the text says why, for the log."""


def read(fd: int) -> bytes:
    """The first whole JSON object on `fd`, or what came in the time there was."""
    if os.isatty(fd):
        raise NotAStop("stdin is a terminal")
    data = bytearray()
    deadline = time.monotonic() + WAIT_SECONDS
    while len(data) <= SIZE_LIMIT:
        piece = _piece(fd, deadline - time.monotonic())
        data += piece
        # The writer may keep its end open; the closing brace of the object is the end that counts.
        if not piece or (piece.rstrip().endswith(b"}") and _is_whole(data)):
            return bytes(data)
    raise NotAStop(f"more than {SIZE_LIMIT} bytes on stdin")


def parse(data: bytes) -> StopEvent:
    given = _loaded(data)
    if not isinstance(given, dict):
        raise NotAStop("stdin holds no JSON object")
    if given.get("hook_event_name") not in EVENTS:
        raise NotAStop(f"the event is {_shown(given.get('hook_event_name'), 40)}")
    session_id = given.get("session_id")
    if not valid_session_id(session_id):
        raise NotAStop("no valid session_id")
    return StopEvent(
        session_id=session_id,
        cwd=_cwd(given),
        transcript=_path(given, "transcript_path"),
        prompt_id=_text(given, "prompt_id"),
        last_message=_text(given, "last_assistant_message"),
        permission_mode=_text(given, "permission_mode"),
        stop_hook_active=given.get("stop_hook_active") is True,
        tasks=_tasks(given.get("background_tasks")),
    )


def _piece(fd: int, seconds: float) -> bytes:
    try:
        ready, _, _ = select.select([fd], [], [], max(0.0, seconds))
        return os.read(fd, 65536) if ready and seconds > 0 else b""
    except OSError:
        raise NotAStop("stdin cannot be read") from None


def _is_whole(data: bytearray) -> bool:
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True


def _loaded(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        raise NotAStop("stdin is not valid JSON") from None


def _text(given: Mapping[str, object], key: str) -> str | None:
    value = given.get(key)
    return value if isinstance(value, str) and value else None


def _path(given: Mapping[str, object], key: str) -> Path | None:
    value = _text(given, key)
    # By way of its bytes: in a locale without UTF-8 Python knows the same file by another name.
    return Path(os.fsdecode(value.encode())) if value and "\0" not in value else None


def _cwd(given: Mapping[str, object]) -> Path:
    try:
        cwd = _path(given, "cwd") or Path.cwd()
        if stat.S_ISDIR(cwd.stat().st_mode):
            return cwd
    except OSError:  # not there, not ours to look into, or longer than any path
        pass
    raise NotAStop("the working directory is gone")


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
