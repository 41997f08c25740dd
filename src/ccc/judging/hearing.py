"""What one reviewer says, while it says it: kept as it came, told to the person, and heard to its end.

Rule: loaded when the first byte arrives, while the reviewer is busy; nothing here starts or ends a process.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base import files
from ccc.base.messages import msg
from ccc.claude.stream import (
    HOOK_FEEDBACK,
    MAX_LINE,
    NAGGING,
    STRUCTURED,
    UNREACHABLE,
    BadLine,
    Event,
    Finished,
    Init,
    PermissionDenied,
    RateLimit,
    StreamParser,
    Text,
    ToolUse,
    UserText,
    answered_by,
)
from ccc.judging.report import Report
from ccc.model import StopEvent
from ccc.record import events
from ccc.record.events import NotTheAnswer, OutputLost, ReviewerDenied, ReviewerUsed

BAD_LINES_LOGGED = 20


class Hearing(Struct):
    """Listens to one stream: whole lines go to the file as they came, words to the person."""

    report: Report
    stop: StopEvent
    output: Path
    aloud: bool = True  # what it says is told to the person
    parser: StreamParser = field(default_factory=StreamParser)
    finished: Finished | None = None
    resets_at: float | None = None
    denials: list[str] = field(default_factory=list)
    said: str = ""
    given: object | None = None  # the verdict as the model itself gave it to its tool
    model: str = ""  # that has answered last
    structured: bool = False  # the verdict comes by a tool, and no hook can follow it
    bad_lines: int = 0
    keeping: bool = True
    line: bytearray = field(default_factory=bytearray)

    def hear(self, data: bytes) -> bool:
        self._keep(data)
        for event in self.parser.feed(data):
            self._take(event)
        return self.finished is not None

    def close(self) -> Finished | None:
        if self.line:
            self._keep(b"\n")
        for event in self.parser.close():
            self._take(event)
        return self.finished

    def _take(self, event: Event) -> None:
        match event:
            case RateLimit(at):
                self.resets_at = at
            case Finished(answers_the_prompt=True) if self.finished is None:
                self.finished = self._whole(event)
            case Finished(origin=origin) if self.finished is None:
                self.report.tell(self.stop, NotTheAnswer(origin or None))
            case Init(tools=tools):
                self.structured = STRUCTURED in tools
            case Text(text, subagent):
                self.said = self.said if subagent else text
                if self.aloud:
                    self.report.reviewer_said(self.stop, text)
            case UserText(text, subagent=False) if text.startswith(HOOK_FEEDBACK) and self._has_answered:
                # Another Stop hook sends the reviewer on: what it says from here answers that hook.
                self.finished = Finished(result=self.said, session_id=self.parser.session_id)
            case UserText(text) if text.startswith(NAGGING) and self.said.startswith(UNREACHABLE):
                self.finished = self.finished or Finished(is_error=True, result=self.said)
            case ToolUse(name=name, input=given, subagent=subagent):
                self.given = given if name == STRUCTURED and not subagent else self.given
                self.report.tell(self.stop, ReviewerUsed(name, _object_of(given)))
            case PermissionDenied(tool=tool, message=message):
                self.denials.append(tool)
                self.report.tell(self.stop, ReviewerDenied(tool, message))
            case BadLine(reason, size):
                self._warn(reason, size)

    def _whole(self, finished: Finished) -> Finished:
        """With what was told before it; a hook can rewrite what a tool is called with, and so a verdict."""
        told = finished.structured_output
        if told is not None and self.given is not None and told != self.given:
            why = msg("a hook has changed its verdict on the way")
            return replace(finished, subtype="error_altered", is_error=True, result=why, structured_output=None)
        return replace(finished, resets_at=self.resets_at) if finished.is_error else finished

    @property
    def _has_answered(self) -> bool:
        return self.finished is None and not self.structured and bool(self.said)

    def _warn(self, reason: str, size: int) -> None:
        self.bad_lines += 1
        if self.bad_lines <= BAD_LINES_LOGGED:
            self.report.tell(self.stop, events.BadLine(reason, size))

    def _keep(self, data: bytes) -> None:
        """Append whole lines, each with one write: several reviewers may share the file."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self.line += piece
            self.model = answered_by(self.line) or self.model
            self._append(bytes(self.line) + b"\n")
            self.line.clear()
        self.line += rest
        if len(self.line) > MAX_LINE:  # nobody will read it as a message; its last byte waits for the newline
            self._append(bytes(self.line[:-1]))
            del self.line[:-1]

    def _append(self, line: bytes) -> None:
        if self.keeping and not files.append_line(self.output, line):
            self.keeping = False
            self.report.tell(self.stop, OutputLost(str(self.output)))


def _object_of(given: object) -> str | None:
    """The one thing a tool call is about."""
    if not isinstance(given, dict):
        return None
    found = (given.get(key) for key in ("command", "file_path", "path", "pattern", "url"))
    return next((value for value in found if isinstance(value, str) and value), None)
