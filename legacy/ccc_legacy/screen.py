"""What the person sees of the agent: events in, lines out, and what is still going on.

Rule: pure; text of a model is cleaned here, and raw JSON never gets out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field

from ccc.base import sink
from ccc.base.messages import Message, msg
from ccc.base.text import clean, one_line, wrapped
from ccc.claude.stream import (
    BadLine,
    Complaint,
    Event,
    Finished,
    Notice,
    PartialText,
    PartialThinking,
    PermissionDenied,
    Retry,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    is_for_people,
)
from ccc.record.words import span
from ccc_legacy import calls, todos
from ccc_legacy.calls import LONG, SHORT, Amount
from ccc_legacy.paint import Paint
from ccc_legacy.prose import Lines, Pictures, Prose
from ccc_legacy.todos import Todos

BAD_LINES_SHOWN = 20
LONG_SECONDS = 5.0  # a pause that somebody may wonder about
NO_REASON = msg("the client does not say why")
OK, FAILED, CUT_OFF = msg("ok"), msg("failed"), msg("cut off")
TODO_ROWS, RUNNING_ROWS = 6, 4
INDENT, NESTED = "    ", "  ↳ "
THOUGHT = 100  # characters of a thought that is folded


class Running(Struct, frozen=True):
    """A tool call that has not returned."""

    use: ToolUse
    label: str
    begun: float


class Screen(Struct):
    """Turns one agent's events into whole lines, and holds what is still being written."""

    paint: Paint
    clock: Callable[[], float] = time.monotonic
    columns: Callable[[], int] = lambda: 0  # 0: there is no terminal, and whoever reads has lines of any length
    told: Callable[[str], str] = str
    cwd: str = ""
    verbose: bool = False
    running: dict[str, Running] = field(default_factory=dict)
    todos: Todos = field(default_factory=Todos)
    _prose: Prose | None = None
    _streamed: bool = False
    _thought: str = ""  # the end of what the agent is thinking
    _said: str = ""
    _bad_lines: int = 0
    _folded: Callable[[], Iterator[str]] | None = None  # what was shown last and not whole

    @property
    def at_work(self) -> str:
        """The tool call that has been running longest, for the status line."""
        return next((each.label for each in self.running.values()), "")

    def live(self, columns: int, rows: int) -> Iterator[str]:
        """What is still going on, for the rows over the prompt."""
        calls = [self._at_work(each, columns) for each in list(self.running.values())[:RUNNING_ROWS]]
        listed = [self.paint("dim", one_row(row, columns)) for row in self._todo_rows(rows)]
        thought = [self.paint("dim", f"✻ {one_line(self._thought, 1000)[-columns + 3 :]}")] if self._thought else []
        room = rows - len(calls) - len(listed) - len(thought)
        yield from self._growing(columns, max(room, 2))
        yield from (*thought, *calls, *listed)

    def _growing(self, columns: int, rows: int) -> Sequence[str]:
        return self._prose.growing(columns, rows) if self._prose else ()

    def _at_work(self, each: Running, columns: int) -> str:
        took = f" {self.clock() - each.begun:.0f} s"
        return sink.joined(self.paint("agent", one_line(each.label, columns - len(took) - 1)), self.paint("dim", took))

    def _todo_rows(self, rows: int) -> list[str]:
        return list(self.todos.rows(min(TODO_ROWS, rows // 2))) if self.todos.is_open else []

    def lines(self, event: Event) -> Iterator[str]:
        match event:
            case PartialText(text, subagent=False):
                yield from self._stream(text)
            case Text(text, subagent=False):
                yield from self._whole(text)
            case Text(text, subagent=True) if self.verbose:
                yield from (self.paint("dim", f"{NESTED}{line}") for line in clean(text).split("\n"))
            case PartialThinking(text, subagent=False):
                self._thought = (self._thought + clean(text))[-1000:]
            case Thinking(text, subagent=False):
                yield from self._think(text)
            case ToolUse():
                yield from self._call(event)
            case ToolResult(call, is_error, text):
                yield from self._result(call, FAILED if is_error else OK, text)
            case Finished():
                yield from self._finish(event)
            case _:
                yield from self._news(event)

    def _news(self, event: Event) -> Iterator[str]:
        match event:
            case Retry():
                yield self.paint("dim", f"… {self.told(_asked_again(event))}")
            case PermissionDenied(tool, message):
                yield self.paint("bad", f"✗ {self.told(not_permitted(tool, message, 160))}")
            case Notice(text=text) if text:
                yield self.paint("dim", one_line(text, 300))
            case Complaint(text) if is_for_people(text):
                yield from self._complain(f"claude: {one_line(text, 300)}")
            case BadLine(reason):
                odd = msg("a line of the stream could not be read: {reason}", reason=reason)
                yield from self._complain(f"({self.told(odd)})")

    def cut_off(self) -> Iterator[str]:
        """What was still going on when the turn ended."""
        yield from self._rest()
        for call in list(self.running):
            yield from self._result(call, CUT_OFF, "")

    def unfold(self) -> Iterator[str]:
        """Show more from now on, or less again; and what was folded last, whole."""
        self.verbose = not self.verbose
        if self.verbose and self._folded:
            yield from self._folded()
        self._folded = None

    @property
    def _amount(self) -> Amount:
        return LONG if self.verbose else SHORT

    def _written(self) -> Prose:
        if self._prose is None:
            self._prose = Pictures(self.columns) if self.paint.colours and self.columns() else Lines()
        return self._prose

    def _stream(self, text: str) -> Iterator[str]:
        self._streamed, self._thought = True, ""
        yield from self._written().feed(text)

    def _whole(self, text: str) -> Iterator[str]:
        """A text that came in pieces before is on the screen already, but for its end."""
        self._said = text
        if not self._streamed:
            yield from self._written().feed(text)
        yield from self._rest()

    def _rest(self) -> Iterator[str]:
        self._streamed, self._thought = False, ""
        if self._prose:
            yield from self._prose.close()

    def _think(self, text: str) -> Iterator[str]:
        self._thought = ""
        if not text.strip():
            return
        whole = (self.paint("dim", f"✻ {line}") for line in clean(text).strip().split("\n"))
        if self.verbose:
            yield from whole
        else:
            self._folded = lambda: whole
            yield self.paint("dim", f"✻ {one_line(text, self._width(THOUGHT))}")

    def _call(self, use: ToolUse) -> Iterator[str]:
        yield from self._rest()
        indent = NESTED if use.subagent else ""
        what = calls.about(use.input, self.cwd, self._width(100) - len(use.name))
        label = f"{indent}⚙ {one_line(use.name, 60)} {what}".rstrip()
        self.running[use.id] = Running(use, label, self.clock())
        plan = use.input.get("plan")
        if isinstance(plan, str):
            yield from self._written().feed(plan)
            yield from self._rest()

    def _width(self, usual: int) -> int:
        """How long a label may be, so that it stays one row with how it ended."""
        columns = self.columns()
        return max(20, columns - 24) if columns else usual

    def _result(self, call: str, word: Message, text: str) -> Iterator[str]:
        each = self.running.pop(call, None)
        if each is None:
            return
        told = self.paint("good" if word is OK else "bad", self.told(word))
        took = self.paint("dim", f"{self.clock() - each.begun:.1f} s")
        yield sink.joined(self.paint("agent", each.label), "  ", told, " ", took)
        if each.use.name in todos.TOOLS and word is OK:
            yield from self._listed(each.use, text)
        elif word is not CUT_OFF and (not each.use.subagent or word is FAILED or self.verbose):
            yield from self._came_of(each.use, text, word is FAILED, self._amount)

    def _listed(self, use: ToolUse, text: str) -> Iterator[str]:
        self.todos.returned(use, text)
        yield self.paint("dim", f"{INDENT}{self.told(self.todos.summary)}")
        if self.verbose or not self.columns():
            yield from (self.paint("dim", f"{INDENT}{row}") for row in self.todos.rows(100))

    def _came_of(self, use: ToolUse, text: str, failed: bool, amount: Amount) -> Iterator[str]:
        rows, rest = calls.outcome(use, text, is_error=failed, amount=amount)
        indent = INDENT * 2 if use.subagent else INDENT
        room = self.columns() - len(indent) if self.columns() and amount is SHORT else 0
        for row in rows:
            shown = one_row(row.text, room) if room > 0 and not failed else row.text
            yield self.paint(row.style, f"{indent}{shown}")
        if rest:
            key = " · Ctrl-O" if rows and room else ""
            yield self.paint("dim", f"{indent}{self.told(rest)}{key}")
        if amount is SHORT and rest:
            self._folded = lambda: self._came_of(use, text, failed, LONG)

    def _finish(self, finished: Finished) -> Iterator[str]:
        yield from self.cut_off()
        if finished.is_error and finished.result != self._said:
            yield self.paint("bad", f"✗ {one_line(finished.trouble or self.told(NO_REASON), 300)}")
        self._said = ""
        spent = finished.spending.cost_usd if finished.spending else finished.cost_usd
        cost = "" if spent is None else f" · ${spent:.4f}"
        yield self.paint("dim", f"— {finished.duration_ms / 1000:.1f} s{cost}")

    def _complain(self, line: str) -> Iterator[str]:
        self._bad_lines += 1
        if self._bad_lines <= BAD_LINES_SHOWN:
            yield self.paint("dim", line)


def _asked_again(retry: Retry) -> Message:
    lost = retry.status is None and retry.error in ("", "unknown")  # all that the client tells of a connection
    answer = retry.status or one_line(retry.error, 60)
    what = msg("the connection to the API failed") if lost else msg("the API answered {answer}", answer=answer)
    # One with a watchdog goes on beyond its number.
    of = msg(" of {most}", most=retry.max_retries) if retry.attempt <= retry.max_retries else ""
    seconds = retry.delay_ms / 1000
    soon = msg(" in {span}", span=span(seconds)) if seconds >= LONG_SECONDS else ""
    return msg("{what}; try {attempt}{of}{soon}", what=what, attempt=retry.attempt, of=of, soon=soon)


def not_permitted(tool: str, message: str, limit: int) -> Message:
    return msg("{tool} was not permitted: {reason}", tool=one_line(tool, 60), reason=one_line(message, limit))


def one_row(text: str, columns: int) -> str:
    """As much of it as one row holds."""
    first, *others = wrapped(text, columns)
    return f"{wrapped(text, columns - 1)[0]}…" if others else first
