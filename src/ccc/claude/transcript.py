"""The client's transcript file, read from its end.

Rule: opened only when it is a plain file, read no further back than the current request and never past a bound; what
a line means is transcript_lines.py's business.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import orjson

from ccc.base import anyjson
from ccc.base.text import encodable
from ccc.claude import transcript_lines
from ccc.claude.conversation import Conversation, Said

BLOCK = 256 * 1024
TAIL_LIMIT = 8 * 1024 * 1024
WINDOW_LIMIT = 64 * 1024 * 1024
WAIT_SECONDS = 0.3
POLL_SECONDS = 0.01
STEADY_POLLS = 4


def current_request(
    path: Path | None, last_message: str | None = None, *, timeout: float = WAIT_SECONDS
) -> Conversation | None:
    """The request that the agent is about to end, with all that followed; None when the file cannot tell.

    At a Stop the file often lacks the last answer for some 70 ms. When it does not come in time, the conversation
    ends with `last_message` and is not `complete`: tool calls may be missing as well.
    """
    if path is None:
        return None
    arrived = wait_for_last_message(path, last_message, timeout=timeout)
    lines = request_window(path)
    if lines is None:
        return None
    found = transcript_lines.of_transcript(lines)
    if arrived:
        return found
    said = (Said(last_message),) if last_message else ()
    return replace(found, moments=(*found.moments, *said), complete=False)


def request_began(path: Path) -> datetime | None:
    """When the current request was made."""
    lines = request_window(path)
    stamp = lines[0].get("timestamp") if lines else None
    try:
        return datetime.fromisoformat(stamp) if isinstance(stamp, str) else None
    except ValueError:
        return None


def request_window(path: Path, limit: int = WINDOW_LIMIT) -> list[transcript_lines.Message] | None:
    """The lines from the last request on, in the order of the file; None when no request begins within `limit`."""
    lines: list[transcript_lines.Message] = []
    for line in messages_from_end(path, limit):
        begins = transcript_lines.begins_request(line)
        kept = transcript_lines.essence(line)
        if kept is not None:
            lines.append(kept)
        if begins:
            return lines[::-1]
    return None


def wait_for_last_message(
    path: Path,
    last_message: str | None,
    *,
    timeout: float = WAIT_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Whether the file ends with the agent's last message, or comes to do so in time.

    Clients before 2.1.100 do not tell what that message is: then the end must be words and stay so for a moment.
    """
    deadline = clock() + timeout
    seen, steady = None, 0
    while True:
        size = _size(path)
        if size is None:
            return False
        steady = steady + 1 if size == seen else 0
        # Only a file that has changed is worth another look, but without a message to compare time itself tells.
        rested = steady >= STEADY_POLLS or timeout <= 0
        if (size != seen or last_message is None) and _has_arrived(path, last_message, rested=rested):
            return True
        if clock() >= deadline:
            return False
        seen = size
        sleep(POLL_SECONDS)


def model_in_use(path: Path | None) -> str | None:
    """The model that the agent's last answer was asked of, when the transcript tells."""
    for line in messages_from_end(path) if path else ():
        if line.get("type") == "assistant" and line.get("isSidechain") is not True:
            model = _model(line)
            if model:
                return model
    return None


def messages_from_end(path: Path, limit: int = TAIL_LIMIT) -> Iterator[dict[str, object]]:
    """JSON objects from the last one backwards, within the last `limit` bytes; what is none is skipped."""
    for line in _lines_from_end(path, limit):
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:
            # Two glued together, half an emoji, or a part of one being written.
            yield from reversed(_damaged(line))
            continue
        if isinstance(message, dict):
            yield message


def _has_arrived(path: Path, last_message: str | None, *, rested: bool) -> bool:
    words = transcript_lines.ends_with_words(messages_from_end(path))
    if words is None:
        return False
    if last_message is None:
        return rested
    there, wanted = " ".join(words.split()), " ".join(encodable(last_message).split())
    return there == wanted or (bool(wanted) and there.endswith(wanted))


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except (OSError, ValueError):  # not there, not ours, or no path at all
        return None


def _damaged(line: bytes) -> list[dict[str, object]]:
    try:
        return anyjson.objects(line)
    except ValueError:  # longer than anybody's line
        return []


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
        rest: list[bytes] = []  # of the line that reaches into the block before, last piece first
        while position > max(0, end - limit):
            start = max(0, position - BLOCK, end - limit)
            first, *lines = os.pread(fd, position - start, start).split(b"\n")
            if lines:
                lines[-1] = b"".join((lines[-1], *reversed(rest)))
                rest = []
                yield from (line for line in reversed(lines) if line)
            rest.append(first)
            position = start
        if position == 0 and (line := b"".join(reversed(rest))):
            yield line


def _open(path: Path) -> int | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):  # not there, not ours, or no path at all
        return None
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return None
