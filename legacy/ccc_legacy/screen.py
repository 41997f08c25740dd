"""What the person sees of the agent: events in, lines out, and what is still going on.

Rule: pure; text of a model is cleaned here, and raw JSON never gets out. With a `mark` no line of the
agent's begins as one of ccc's own does, where no colours tell who speaks; nor does one of an API's error anywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base import sink
from ccc.base.folding import breaks
from ccc.base.messages import Message, msg
from ccc.base.text import clean, columns_of, hanging, one_line, tail, wrapped
from ccc.claude.conversation import runs_on
from ccc.claude.stream import (
    BadLine,
    Complaint,
    Event,
    Finished,
    Hunk,
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
from ccc.record.words import dollars, span, took
from ccc_legacy import calls, todos
from ccc_legacy.calls import LONG, SHORT, Amount, Row
from ccc_legacy.paint import Paint
from ccc_legacy.prose import Lines, Pictures, Prose
from ccc_legacy.todos import Todos

BAD_LINES_SHOWN = 20
LONG_SECONDS = 5.0  # a pause that somebody may wonder about
NO_REASON = msg("the client does not say why")
OK, FAILED, CUT_OFF, REFUSED = msg("ok"), msg("failed"), msg("cut off"), msg("not allowed")
BEHIND = msg("works in the background")
TODO_ROWS, RUNNING_ROWS = 6, 4
INDENT, NESTED, SAID = "    ", "  ↳ ", "│ "
WORDS, CALLS, ASKED, ENDED = "words", "calls", "asked", "ended"
_KINDS: Mapping[type[Event], str] = {
    **dict.fromkeys((PartialText, Text, PartialThinking, Thinking, ToolUse), WORDS),  # a call begins with the last ones
    ToolResult: CALLS,
}
THOUGHT, LABEL = 100, 100  # characters of a thought that is folded and of a call, where there are no rows
KEPT = 1000  # … and as many as any row holds
MISSING = "…"
SHORTEST, ROOMY = 10, 14  # columns of a call beside how it ended, at the least and for the time as well


class Running(Struct, frozen=True):
    """A tool call that has not returned."""

    use: ToolUse
    label: str
    begun: float
    asked: bool = False  # it waits for the person
    refused: bool = False


class Screen(Struct):
    """Turns one agent's events into whole lines, and holds what is still being written."""

    paint: Paint
    clock: Callable[[], float] = time.monotonic
    columns: Callable[[], int] = lambda: 0  # 0: there is no terminal, and whoever reads has lines of any length
    told: Callable[[str], str] = str
    cwd: str = ""
    verbose: bool = False
    mark: str = ""  # before each line of the agent's words
    running: dict[str, Running] = field(default_factory=dict)
    todos: Todos = field(default_factory=Todos)
    _prose: Prose | None = None
    _streamed: bool = False
    _thought: str = ""  # the end of what the agent is thinking
    _said: str = ""
    _bad_lines: int = 0
    _before: str = ""  # what kind of thing stands above: words, calls, a question, or the end of a turn
    _folded: Callable[[], Iterator[str]] | None = None  # what was shown last and not whole

    @property
    def at_work(self) -> str:
        """The tool call that has been running longest, for the status line."""
        return next((each.label for each in self._at_work()), "")

    def _at_work(self) -> list[Running]:
        return [each for each in self.running.values() if not each.asked]

    def begins(self) -> Iterator[str]:
        """The heading of a turn."""
        self._before = ""
        yield from ("",) if self.columns() else ()
        yield self.paint("phase", self.told(msg("[agent]")))

    def asked(self, call: str) -> Iterator[str]:
        """A call waits for the person's word, and nothing runs yet; the question stands apart."""
        if call in self.running:
            self.running[call] = replace(self.running[call], asked=True)
        if self._before and self.columns():
            yield ""
        self._before = ASKED

    def answered(self, call: str, *, allowed: bool) -> None:
        if call in self.running:
            each = self.running[call]
            self.running[call] = replace(each, asked=False, refused=not allowed, begun=self.clock())

    def live(self, columns: int, rows: int) -> Iterator[str]:
        """What is still going on, for the rows over the prompt."""
        calls = [self._called(each, columns) for each in self._at_work()[:RUNNING_ROWS]]
        listed = [self.paint("dim", one_row(row, columns)) for row in self._todo_rows(rows)]
        if any(each.asked for each in self.running.values()):  # nothing between a question and what it is about
            listed = []
        thought = (
            [self.paint("dim", f"✻ {end_of(one_line(self._thought, 1000), columns - 3)}")] if self._thought else []
        )
        room = rows - len(calls) - len(listed) - len(thought)
        growing = self._growing(columns, max(room, 2))
        if growing and self._before == CALLS:
            yield ""
        yield from (*growing, *thought, *calls, *listed)

    def _growing(self, columns: int, rows: int) -> Sequence[str]:
        return self._prose.growing(columns, rows) if self._prose else ()

    def _called(self, each: Running, columns: int) -> str:
        taken = f" {self.told(msg('{count} s', count=f'{self.clock() - each.begun:.0f}'))}"
        return sink.joined(
            self.paint("agent", one_row(each.label, max(1, columns - columns_of(taken) - 1))), self.paint("dim", taken)
        )

    def _todo_rows(self, rows: int) -> list[str]:
        return list(self.todos.rows(min(TODO_ROWS, rows // 2))) if self.todos.is_open else []

    def lines(self, event: Event) -> Iterator[str]:
        """With an empty one between words and calls, at a terminal."""
        kind = _KINDS.get(type(event), "")
        for line in self._lines(event):
            if kind and self.columns():
                if self._before not in ("", ASKED, kind):  # what comes of a question belongs to it
                    yield ""
                self._before = kind
            yield line

    def _lines(self, event: Event) -> Iterator[str]:
        match event:
            case PartialText(text, subagent=False):
                yield from self._stream(text)
            case Text(text, subagent=False, error=error) if error:
                self._said = text
                yield from (self.paint("bad", line) for line in hanging(f"✗ {text}").split("\n"))
            case Text(text, subagent=False):
                yield from self._whole(text)
            case Text(text, subagent=True) if self.verbose:
                yield from (self.paint("dim", f"{NESTED}{line}") for line in clean(text).split("\n"))
            case PartialThinking(text, subagent=False):
                self._thought = tail(self._thought + clean(text), 1000)
            case Thinking(text, subagent=False):
                yield from self._think(text)
            case ToolUse():
                yield from self._call(event)
            case ToolResult(call, is_error, text, patch=patch):
                yield from self._result(call, FAILED if is_error else OK, text, patch)
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
                yield self.paint("dim", f"{self.mark}{one_line(text, 300)}")
            case Complaint(text) if is_for_people(text):
                yield from self._complain(f"claude: {one_line(text, 300)}")
            case BadLine(reason):
                odd = msg("a line of the stream could not be read: {reason}", reason=reason)
                yield from self._complain(f"({self.told(odd)})")

    def cut_off(self) -> Iterator[str]:
        """What was still going on when the turn ended."""
        yield from self._rest()
        # A subagent whose own call has returned is at work beside the agent, and nothing has cut it off.
        behind = all(each.use.subagent for each in self.running.values())
        for call in list(self.running):
            yield from self._result(call, BEHIND if behind else CUT_OFF, "")

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
            self._prose = Pictures(self.columns) if self.paint.colours and self.columns() else Lines(self.mark)
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
            room = KEPT if self.columns() else THOUGHT
            yield self.paint("dim", self._in_one_row(f"✻ {one_line(text, room)}"))

    def _call(self, use: ToolUse) -> Iterator[str]:
        yield from self._rest()
        indent = NESTED if use.subagent else ""
        name = one_line(use.name, 60)
        room = KEPT if self.columns() else LABEL - len(name)
        what = one_line(self.todos.about(use), room) or calls.about(use.input, self.cwd, room)
        label = f"{indent}⚙ {name} {what}".rstrip()
        self.running[use.id] = Running(use, label, self.clock())
        plan = use.input.get("plan")
        if isinstance(plan, str):
            yield from self._written().feed(plan)
            yield from self._rest()

    def _in_one_row(self, text: str, beside: int = 0) -> str:
        """As much of it as stays one row with so much beside it, where there are rows."""
        columns = self.columns()
        return one_row(text, max(SHORTEST, columns - beside)) if columns else text

    def _result(self, call: str, word: Message, text: str, patch: Sequence[Hunk] = ()) -> Iterator[str]:
        each = self.running.pop(call, None)
        if each is None:
            return
        if each.refused and word is FAILED:  # with which words, the person knows
            word, text = REFUSED, ""
        yield self._row_of(each, word)
        if each.use.name in todos.TOOLS and word is OK:
            yield from self._listed(each.use, text)
        elif word not in (CUT_OFF, BEHIND, REFUSED) and (not each.use.subagent or word is FAILED or self.verbose):
            yield from self._came_of(each, text, word is FAILED, self._amount, patch)

    def _row_of(self, each: Running, word: Message) -> str:
        """A call, how it ended and what it took; the last is left out where the call itself would have no room."""
        ended, taken = self.told(word), f" {self.told(took(self.clock() - each.begun))}"
        if 0 < self.columns() < columns_of(f"  {ended}{taken}") + ROOMY:
            taken = ""
        label = self._in_one_row(each.label, columns_of(f"  {ended}{taken}"))
        told = self.paint({OK: "good", BEHIND: "dim"}.get(word, "bad"), ended)
        return sink.joined(self.paint("agent", label), "  ", told, self.paint("dim", taken) if taken else "")

    def _listed(self, use: ToolUse, text: str) -> Iterator[str]:
        self.todos.returned(use, text)
        if use.name == todos.CREATED and self.columns():  # it stands over the prompt
            return
        yield self.paint("dim", f"{INDENT}{self.told(self.todos.summary)}")
        if self.verbose or not self.columns():
            yield from (self.paint("dim", f"{INDENT}{row}") for row in self.todos.rows(100))

    def _came_of(
        self, each: Running, text: str, failed: bool, amount: Amount, patch: Sequence[Hunk] = ()
    ) -> Iterator[str]:
        use = each.use
        rows, rest = calls.outcome(use, text, is_error=failed, amount=amount, patch=patch)
        indent = INDENT * 2 if use.subagent else INDENT
        room = self.columns() - len(indent) if self.columns() and amount is SHORT else 0
        for row in rows:
            is_whole = failed or row.style in ("new", "old") or room <= 0
            shown = _hanging(row, self.columns() - len(indent)) if is_whole else [one_row(row.text, room)]
            yield from (self.paint(row.style, f"{indent}{part}") for part in shown)
        if rest:
            key = " · Ctrl-O" if rows and room else ""
            yield self.paint("dim", f"{indent}{self.told(rest)}{key}")
        if amount is SHORT and rest and not runs_on(text):
            self._folded = lambda: self._unfolded(each, text, failed, patch)

    def _unfolded(self, each: Running, text: str, failed: bool, patch: Sequence[Hunk]) -> Iterator[str]:
        """With its call once more, for much may have been said since."""
        yield self.paint("agent", self._in_one_row(each.label))
        yield from self._came_of(each, text, failed, LONG, patch)

    def _finish(self, finished: Finished) -> Iterator[str]:
        yield from self.cut_off()
        if finished.is_error and finished.result != self._said:
            yield self.paint("bad", f"✗ {one_line(finished.trouble or self.told(NO_REASON), 300)}")
        self._said = ""
        spent = finished.spending.cost_usd if finished.spending else finished.cost_usd
        cost = "" if spent is None else f" · {dollars(spent)}"
        yield self.paint("dim", f"— {self.told(took(finished.duration_ms / 1000))}{cost}")
        self._before = ENDED

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
    """As much of it as one row holds, also where a terminal takes the mark of what is missing for two columns."""
    first, *others = wrapped(text, columns)
    return f"{wrapped(text, columns - columns_of(MISSING))[0]}{MISSING}" if others else first


def end_of(text: str, columns: int) -> str:
    """As much of its end as one row holds."""
    return wrapped(text[::-1], columns)[0][::-1]


def _hanging(row: Row, columns: int) -> Iterator[str]:
    """A line of a file in rows below each other, beside its number and sign; whole, where nobody knows of a width."""
    lead, text = row.text[: row.lead], row.text[row.lead :]
    room = columns - len(lead)
    ends = [*breaks(text, room)] if row.lead and room > 0 else []
    for begin, end in zip((0, *ends), (*ends, None), strict=True):
        yield f"{' ' * len(lead) if begin else lead}{text[begin:end]}".rstrip()
