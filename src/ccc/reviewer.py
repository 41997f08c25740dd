"""One review: start the fork, feed its stream, keep what it says, and turn the end into an opinion.

Rule: acts on the first `result` and never waits for the process; whatever is no verdict is Unreviewed, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ccc import files, process
from ccc.model import Review, StopEvent, Unreviewed, Verdict
from ccc.process import Command, Ended, Limits, Reason
from ccc.report import Report
from ccc.stream import MAX_LINE, BadLine, Event, Finished, PermissionDenied, StreamParser, Text, ToolUse, UserText
from ccc.text import one_line
from ccc.verdict import verdict_of

BAD_LINES_LOGGED = 20
NAGGING = "You MUST call the StructuredOutput tool"


@dataclass(frozen=True, slots=True)
class Launch:
    """A reviewer ready to start, and what bounds it."""

    stop: StopEvent
    command: Command
    limits: Limits
    output: Path  # its raw stream is appended here
    hangup_fd: int | None = None  # whoever waits for our answer holds the other end
    verdict: Callable[[Finished], Verdict | None] = verdict_of  # None: no answer that could be one


def review(launch: Launch, report: Report) -> Review:
    """Run the reviewer to its verdict."""
    hearing = _Hearing(report, launch.stop, launch.output)
    try:
        ended = process.run(
            launch.command,
            on_output=hearing.hear,
            limits=launch.limits,
            hangup_fd=launch.hangup_fd,
            leave_early=True,
        )
    except process.CannotStart as error:
        return Review(Unreviewed(str(error)))
    finished = hearing.close()
    said = opinion(finished, ended, hearing.denials, launch.verdict)
    return Review(said, *_spent(finished)) if finished else Review(said)


def _spent(finished: Finished) -> tuple[float, int]:
    usage = finished.usage
    tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_creation_tokens
    return finished.cost_usd or 0.0, tokens


def opinion(
    finished: Finished | None, ended: Ended, denials: list[str], verdict_in: Callable[[Finished], Verdict | None]
) -> Verdict | Unreviewed:
    """What a review amounts to, total over everything that can happen to it."""
    if ended.reason in (Reason.HUNG_UP, Reason.INTERRUPTED):
        return Unreviewed(ended.reason.value, interrupted=True)
    if finished is None:
        return _no_result(ended)
    verdict = verdict_in(finished)
    if verdict is not None:
        return verdict
    return Unreviewed(_failure(finished) + _hindered(denials))


def _no_result(ended: Ended) -> Unreviewed:
    if ended.reason is Reason.EXITED:
        said = one_line(ended.stderr_tail.decode("utf-8", "replace").strip()[-300:], 200)
        why = f"the reviewer ended with exit code {ended.exit_code} and no result"
        return Unreviewed(f"{why}: {said}" if said else why, crashed=True)
    return Unreviewed(f"the reviewer gave no result: {ended.reason.value}")


def _failure(finished: Finished) -> str:
    told = finished.result or "; ".join(finished.errors) or finished.terminal_reason or finished.subtype
    return f"the reviewer failed: {one_line(told, 300)}"


def _hindered(denials: list[str]) -> str:
    if not denials:
        return ""
    return f" (it was denied {', '.join(dict.fromkeys(denials))}; allow it under permissions.allow in settings.json)"


@dataclass(slots=True)
class _Hearing:
    """Listens to one stream: whole lines go to the file as they came, words to the person."""

    report: Report
    stop: StopEvent
    output: Path
    parser: StreamParser = field(default_factory=StreamParser)
    finished: Finished | None = None
    denials: list[str] = field(default_factory=list)
    said: str = ""
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
            case Finished() if self.finished is None:
                self.finished = event
            case Text(text):
                self.said = text
                self.report.reviewer_said(self.stop, text)
            case UserText(text) if text.startswith(NAGGING) and self.said.startswith("API Error"):
                # 2.0.76 asks a model that cannot be reached for its structured answer, for ever.
                self.finished = self.finished or Finished(is_error=True, result=self.said)
            case ToolUse(name=name, input=given):
                self.report.note("reviewer uses", self.stop, tool=name, on=_object_of(given))
            case PermissionDenied(tool=tool, message=message):
                self.denials.append(tool)
                self.report.note("reviewer was denied", self.stop, tool=tool, why=message)
            case BadLine(reason, size):
                self._warn(reason, size)

    def _warn(self, reason: str, size: int) -> None:
        self.bad_lines += 1
        if self.bad_lines <= BAD_LINES_LOGGED:
            self.report.note("bad line", self.stop, reason=reason, size=size)

    def _keep(self, data: bytes) -> None:
        """Append whole lines, each with one write: several reviewers may share the file."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self.line += piece
            self._append(bytes(self.line) + b"\n")
            self.line.clear()
        self.line += rest
        if len(self.line) > MAX_LINE:  # nobody will read it as a message; its last byte waits for the newline
            self._append(bytes(self.line[:-1]))
            del self.line[:-1]

    def _append(self, line: bytes) -> None:
        if self.keeping and not files.append_line(self.output, line):
            self.keeping = False
            self.report.note("output file is full or cannot be written", self.stop, path=str(self.output))


def _object_of(given: object) -> str | None:
    """The one thing a tool call is about."""
    if not isinstance(given, dict):
        return None
    found = (given.get(key) for key in ("command", "file_path", "path", "pattern", "url"))
    return next((value for value in found if isinstance(value, str) and value), None)
