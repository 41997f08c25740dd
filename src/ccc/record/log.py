"""What happens, written down: in the log for people, in the story of the session, among the recent ones.

Rule: one write for each line, which no value can end or forge; what cannot be written changes no decision.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from ccc.base import files, sink
from ccc.base.patterns import pattern
from ccc.base.sink import Safe
from ccc.base.text import one_line
from ccc.record import events, recent
from ccc.record.events import Event, SentBack, StopAllowed, Stopped
from ccc.record.store import story_path

LOG_LIMIT = 16 * 1024 * 1024
_ONE_WORD = pattern(r"[\w.:/+-]+")


class Log(Struct, frozen=True):
    path: Path
    now: Callable[[], datetime]
    echo: int | None = None  # also tells the story, a JSON line each, to whoever reads this descriptor

    @property
    def state(self) -> Path:
        return self.path.parent

    def tell(self, event: Event, session_id: str | None = None) -> None:
        """One line in the log, and the whole of it in the session's story."""
        at = self.now()
        append(self.path, _line(event, session_id, at))
        if session_id is None:
            return
        data = sink.json_line(events.with_sentences(events.encoded(event, at), event))
        files.append_line(story_path(self.state, session_id), data)
        if isinstance(event, Stopped | SentBack | StopAllowed):
            append(recent.path(self.state), recent.line(session_id, at))
        if self.echo is not None:
            _write(self.echo, data)


def append(path: Path, line: Safe) -> None:
    """A full file makes room: the newest lines are those that somebody looks for."""
    if not files.append_line(path, line, limit=LOG_LIMIT) and _is_full(path):
        with suppress(OSError):  # then this line is lost, and nothing else
            path.replace(path.with_name(f"{path.name}.1"))
        files.append_line(path, line, limit=LOG_LIMIT)


def _line(event: Event, session_id: str | None, at: datetime) -> Safe:
    whose = {"session_id": session_id} if session_id else {}
    pairs = " ".join(f"{key}={_value(value)}" for key, value in (whose | events.fields_of(event)).items())
    return sink.log_line(f"{at.isoformat()} {events.name_of(event)} {pairs}")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = one_line(str(value), 1000)
    # Quotes and escapes keep a value with spaces or '=' from looking like further pairs.
    return text if _ONE_WORD.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _is_full(path: Path) -> bool:
    try:
        return path.lstat().st_size > LOG_LIMIT // 2
    except OSError:
        return False


def _write(fd: int, data: Safe) -> None:
    try:
        os.write(fd, data)
    except OSError:  # nobody reads it
        return
