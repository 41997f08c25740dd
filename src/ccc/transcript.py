"""The client's transcript file, read from its end.

Rule: opened only when it is a plain file; what a line means for a verdict is evidence.py's business.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import orjson

BLOCK = 256 * 1024
TAIL_LIMIT = 8 * 1024 * 1024


def model_in_use(path: Path | None) -> str | None:
    """The model that the agent's last answer was asked of, when the transcript tells."""
    for line in messages_from_end(path) if path else ():
        if line.get("type") == "assistant" and line.get("isSidechain") is not True:
            model = _model(line)
            if model:
                return model
    return None


def messages_from_end(path: Path, limit: int = TAIL_LIMIT) -> Iterator[dict[str, object]]:
    """Whole JSON objects from the last line backwards, within the last `limit` bytes; others are skipped."""
    for line in _lines_from_end(path, limit):
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:  # half a line, or two on one
            continue
        if isinstance(message, dict):
            yield message


def _model(line: dict[str, object]) -> str | None:
    asked = line.get("requestedModel")
    if isinstance(asked, str) and asked:
        return asked
    message = line.get("message")
    named = message.get("model") if isinstance(message, dict) else None
    # What a foreign server calls itself need not be a name it can be asked for.
    return named if isinstance(named, str) and named.startswith("claude-") else None


def _lines_from_end(path: Path, limit: int) -> Iterator[bytes]:
    fd = _open(path)
    if fd is None:
        return
    with os.fdopen(fd, "rb", buffering=0):
        end = position = os.fstat(fd).st_size
        rest = b""
        while position > max(0, end - limit):
            start = max(0, position - BLOCK)
            first, *lines = (os.pread(fd, position - start, start) + rest).split(b"\n")
            yield from (line for line in reversed(lines) if line)
            rest, position = first, start
        if position == 0 and rest:
            yield rest


def _open(path: Path) -> int | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):  # not there, not ours, or no path at all
        return None
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return None
