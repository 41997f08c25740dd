"""What the person sees of the agent: events in, lines out.

Rule: pure; text of a model is cleaned here, and raw JSON never gets out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from ccc.base import sink
from ccc.base.messages import msg
from ccc.base.text import clean, one_line
from ccc.claude.stream import (
    BadLine,
    Complaint,
    Event,
    Finished,
    Notice,
    PartialText,
    PermissionDenied,
    Retry,
    Text,
    ToolResult,
    ToolUse,
    is_for_people,
)
from ccc.record.words import span
from ccc_legacy.calls import about
from ccc_legacy.paint import Paint

BAD_LINES_SHOWN = 20
LONG_SECONDS = 5.0  # a pause that somebody may wonder about
NO_REASON = msg("the client does not say why")


class Screen(Struct):
    """Turns one agent's events into whole lines, and holds the line that is still being written."""

    paint: Paint
    clock: Callable[[], float] = time.monotonic
    running: dict[str, tuple[str, float]] = field(default_factory=dict)
    _pieces: list[str] = field(default_factory=list)
    _streamed: bool = False
    _said: str = ""
    _bad_lines: int = 0

    @property
    def at_work(self) -> str:
        """The tool call that has been running longest, for the status line."""
        return next((label for label, _ in self.running.values()), "")

    def unfinished(self, width: int) -> str:
        """The end of the line that the agent is writing."""
        return "".join(self._pieces[-width:])[-width:]  # no piece is empty but the first

    def lines(self, event: Event) -> Iterator[str]:
        match event:
            case PartialText(text, subagent=False):
                yield from self._stream(text)
            case Text(text, subagent=False):
                yield from self._whole(text)
            case ToolUse():
                yield from self._call(event)
            case ToolResult(call, is_error):
                yield from self._result(call, "failed" if is_error else "ok")
            case Finished():
                yield from self._finish(event)
            case Retry():
                yield self.paint("dim", f"… {_asked_again(event)}")
            case PermissionDenied(tool, message):
                yield self.paint("bad", f"✗ {one_line(tool, 60)} was not permitted: {one_line(message, 160)}")
            case Notice(text=text) if text:
                yield self.paint("dim", one_line(text, 300))
            case Complaint(text) if is_for_people(text):
                yield from self._complain(f"claude: {one_line(text, 300)}")
            case BadLine(reason):
                yield from self._complain(f"(a line of the stream could not be read: {reason})")

    def cut_off(self) -> Iterator[str]:
        """What was still going on when the turn ended."""
        yield from self._rest()
        for call in list(self.running):
            yield from self._result(call, "cut off")

    def _stream(self, text: str) -> Iterator[str]:
        self._streamed = True
        first, *others = clean(text).split("\n")
        self._pieces += [first] if first else []
        for other in others:
            yield "".join(self._pieces)
            self._pieces = [other] if other else []

    def _whole(self, text: str) -> Iterator[str]:
        """A text that came in pieces before is on the screen already, but for its last line."""
        self._said = text
        if self._streamed:
            yield from self._rest()
        else:
            yield from clean(text).split("\n")

    def _rest(self) -> Iterator[str]:
        rest, self._pieces, self._streamed = "".join(self._pieces), [], False
        if rest:
            yield rest

    def _call(self, use: ToolUse) -> Iterator[str]:
        yield from self._rest()
        indent = "  ↳ " if use.subagent else ""
        self.running[use.id] = (f"{indent}⚙ {one_line(use.name, 60)} {about(use.input)}".rstrip(), self.clock())
        plan = use.input.get("plan")
        if isinstance(plan, str):
            yield from clean(plan).split("\n")

    def _result(self, call: str, word: str) -> Iterator[str]:
        label, begun = self.running.pop(call, ("", 0.0))
        if label:
            told = self.paint("good" if word == "ok" else "bad", word)
            took = self.paint("dim", f"{self.clock() - begun:.1f} s")
            yield sink.joined(self.paint("agent", label), "  ", told, " ", took)

    def _finish(self, finished: Finished) -> Iterator[str]:
        yield from self.cut_off()
        if finished.is_error and finished.result != self._said:
            yield self.paint("bad", f"✗ {one_line(finished.trouble or NO_REASON, 300)}")
        self._said = ""
        spent = finished.spending.cost_usd if finished.spending else finished.cost_usd
        cost = "" if spent is None else f" · ${spent:.4f}"
        yield self.paint("dim", f"— {finished.duration_ms / 1000:.1f} s{cost}")

    def _complain(self, line: str) -> Iterator[str]:
        self._bad_lines += 1
        if self._bad_lines <= BAD_LINES_SHOWN:
            yield self.paint("dim", line)


def _asked_again(retry: Retry) -> str:
    lost = retry.status is None and retry.error in ("", "unknown")  # all that the client tells of a connection
    answer = retry.status or one_line(retry.error, 60)
    what = "the connection to the API failed" if lost else f"the API answered {answer}"
    most = f" of {retry.max_retries}" if retry.attempt <= retry.max_retries else ""  # one with a watchdog goes on
    seconds = retry.delay_ms / 1000
    return f"{what}; try {retry.attempt}{most}{f' in {span(seconds)}' if seconds >= LONG_SECONDS else ''}"
