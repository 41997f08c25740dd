"""What the person sees of the agent and of a review: events in, lines out.

Rule: pure; text of a model is cleaned here, and raw JSON never gets out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ccc.stream import (
    BadLine,
    Event,
    Finished,
    Notice,
    PartialText,
    PermissionDenied,
    Retry,
    Text,
    ToolProgress,
    ToolResult,
    ToolUse,
)
from ccc.text import clean, one_line
from ccc.verdict import MARKER

COLOURS = {"dim": "2", "agent": "36", "good": "32", "bad": "31", "phase": "1;35", "person": "1"}


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours, or none."""

    colours: bool

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{COLOURS[style]}m{text}\x1b[0m" if self.colours and text else text


@dataclass(slots=True)
class Screen:
    """Turns one agent's events into whole lines; `partial` is the line that is still being written."""

    paint: Paint
    clock: Callable[[], float] = time.monotonic
    partial: str = ""
    running: dict[str, tuple[str, float]] = field(default_factory=dict)
    _streamed: bool = False

    def lines(self, event: Event) -> Iterator[str]:
        match event:
            case PartialText(text, subagent=False):
                self._streamed = True
                yield from self._stream(text)
            case Text(text, subagent=False):
                yield from self._whole(text)
            case ToolUse(call, name, given, subagent):
                yield from self._rest()
                self.running[call] = (f"{'  ↳ ' if subagent else ''}⚙ {name} {about(given)}".rstrip(), self.clock())
            case ToolResult(call, is_error):
                yield from self._result(call, is_error)
            case Retry(attempt, most, status=status, error=error):
                yield self.paint("dim", f"… the API answered {status or error}; try {attempt} of {most}")
            case PermissionDenied(tool, message):
                yield self.paint("bad", f"✗ {tool} was not permitted: {one_line(message, 160)}")
            case Notice(text=text) if text:
                yield self.paint("dim", one_line(text, 300))
            case Finished():
                yield from self._finish(event)
            case BadLine(reason):
                yield self.paint("dim", f"(a line of the stream could not be read: {reason})")
            case ToolProgress() | _:
                pass

    @property
    def at_work(self) -> str:
        """The tool call that has been running longest, for the status line."""
        return next((label for label, _ in self.running.values()), "")

    def _stream(self, text: str) -> Iterator[str]:
        *whole, self.partial = (self.partial + clean(text)).split("\n")
        yield from whole

    def _whole(self, text: str) -> Iterator[str]:
        if self._streamed:
            self._streamed = False
            yield from self._rest()
        else:
            yield from clean(text).split("\n")

    def _rest(self) -> Iterator[str]:
        rest, self.partial = self.partial, ""
        if rest:
            yield rest

    def _result(self, call: str, is_error: bool) -> Iterator[str]:
        label, begun = self.running.pop(call, ("", 0.0))
        if label:
            word = self.paint("bad", "failed") if is_error else self.paint("good", "ok")
            yield f"{self.paint('agent', label)}  {word} {self.paint('dim', f'{self.clock() - begun:.1f} s')}"

    def _finish(self, finished: Finished) -> Iterator[str]:
        yield from self._rest()
        self._streamed = False
        self.running.clear()
        if finished.is_error:
            told = finished.result or "; ".join(finished.errors) or finished.subtype
            yield self.paint("bad", f"✗ {one_line(told, 300)}")
        cost = "" if finished.cost_usd is None else f" · ${finished.cost_usd:.4f}"
        yield self.paint("dim", f"— {finished.duration_ms / 1000:.1f} s{cost}")


def about(given: Mapping[str, object]) -> str:
    """The one thing a tool call is about."""
    keys = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description")
    return one_line(str(next((given[key] for key in keys if given.get(key)), "")), 100)


def review_lines(told: Mapping[str, object], paint: Paint) -> Iterator[str]:
    """A line of a review's story."""
    match told.get("event"):
        case "supervisor-hook invoked":
            yield paint("phase", f"[review {told.get('count')}/{told.get('limit')}]")
        case "reviewer says":
            words = clean(str(told.get("text"))).split("\n")
            yield from (paint("dim", f"  {line}") for line in words if line.strip() != MARKER)
        case "reviewer uses":
            yield paint("dim", f"  ⚙ {one_line(str(told.get('tool')))} {one_line(str(told.get('on') or ''), 100)}")
        case "trouble":
            yield paint("bad", f"  {one_line(str(told.get('why')), 300)}")
