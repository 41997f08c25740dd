"""Sessions on disk, written by the code that writes them in earnest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from ccc.judging.report import Report, words
from ccc.judging.supervisor import Supervisor
from ccc.model import Decision, Review, StopEvent, Unreviewed, Verdict
from ccc.providers.config import SupervisorOptions
from ccc.record import events
from ccc.record.events import Event, ReviewerUsed
from ccc.record.log import Log
from ccc.record.outside import Kind
from ccc.record.session import About, Session
from ccc.record.store import SessionStore

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
# What a model may say to take over a terminal, a log or a table.
HOSTILE = "\x1b[2J\x1b]0;owned\x07<script>[bold red]\u202egnp.exe\x9b31m\r\nsecond line\x00 session_id=evil"


@dataclass
class Sessions:
    """Each step takes a second of a clock that begins at noon."""

    state: Path
    limit: int = 10
    now: datetime = NOON
    quiet: int = field(default_factory=lambda: os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC))

    def __del__(self) -> None:
        os.close(self.quiet)

    def clock(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    @property
    def store(self) -> SessionStore:
        return SessionStore(self.state, now=self.clock)

    @property
    def report(self) -> Report:
        return Report(words("en"), Log(self.store.log_path, self.clock), stderr=self.quiet)

    def event(self, session_id: str, last_message: str = "done", prompt: str = "p") -> StopEvent:
        return StopEvent(session_id, self.state, prompt_id=prompt, last_message=last_message)

    def stop(
        self,
        session_id: str,
        opinion: Verdict | Unreviewed,
        *,
        cost: float = 0.0,
        tokens: int = 0,
        says: str = "I look at it",
        last_message: str = "done",
        off: Kind | None = None,
        prompt: str = "p",
        **fields: object,
    ) -> Decision:
        """One Stop from the call of the hook to its decision; `fields` go into the state file."""
        event = self.event(session_id, last_message, prompt)

        def review(*_: object) -> Review:
            self.report.reviewing(event, engine="cli", model="claude-x")
            self.report.reviewer_said(event, says)
            self.report.tell(event, ReviewerUsed("Bash", "pytest -q"))
            return Review(opinion, cost, tokens)

        memory = self.store.open(session_id)
        options = SupervisorOptions(max_iterations=self.limit)
        decision = Supervisor(memory, review, self.report, options, off=lambda _: off).supervise(event)
        if fields:
            self.put(session_id, **fields)
        return decision

    def put(self, session_id: str, **fields: object) -> None:
        """Fields of the session or of its request, as later events would have left them."""

        def changed(old: Session) -> Session:
            about = {name: value for name, value in fields.items() if name in About.__struct_fields__}
            request = {name: value for name, value in fields.items() if name not in about}
            return replace(old, about=replace(old.about, **about), request=replace(old.request, **request))

        self.store.update(session_id, changed)

    def allow(self, session_id: str, **fields: object) -> Decision:
        return self.stop(session_id, Verdict(True, ""), **fields)  # type: ignore[arg-type]

    def block(self, session_id: str, feedback: str = "run the tests", **fields: object) -> Decision:
        return self.stop(session_id, Verdict(False, feedback), **fields)  # type: ignore[arg-type]


def happened(name: str, at: datetime | None = None, fields: Mapping[str, object] | None = None) -> Event:
    """A line of a story, as it is read back."""
    told = events.decoded({**(fields or {}), "event": name, **({"at": at.isoformat()} if at else {})})
    assert told
    return told
