"""`ccc logs`: a session's story in lines that a person can read, also while it happens.

Rule: an event that this version does not know is shown with its fields, never left out; colours are for terminals.
"""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ccc.base import languages
from ccc.base.errors import CccError
from ccc.base.messages import Phrases, said
from ccc.base.text import clean, one_line
from ccc.claude.program import project_directory
from ccc.model import ByReviewer, Outcome
from ccc.record import events, outside, recent, story
from ccc.record.events import (
    AgentFailed,
    AskedAgain,
    BadLine,
    Changed,
    Checked,
    Event,
    Examined,
    HeldUp,
    Interfered,
    Judged,
    LetThrough,
    NotJudged,
    ReviewerDenied,
    ReviewerSaid,
    ReviewerUsed,
    ReviewStarted,
    SentBack,
    StopAllowed,
    Stopped,
    Trouble,
    WentOn,
)
from ccc.record.outside import Kind
from ccc.record.session import NEVER, moment
from ccc.record.store import story_path
from ccc.record.story import Tail
from ccc.record.words import GONE_ON, changed, dollars, money, sender, span, took, waiting
from ccc.showing import status, statusline
from ccc.showing.statusline import OUTCOMES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

POLL_SECONDS = 0.25
LABEL_WIDTH = 11
MESSAGE_LENGTH = 300
LINES_SHOWN = 40

Say = Callable[[str], None]
Wait = Callable[[], bool]  # until something may have happened; False when nobody reads any more

LABELS = Phrases(
    "logs label",
    {
        Stopped: "stop",
        AgentFailed: "cut off",
        Examined: "evidence",
        Checked: "check",
        ReviewStarted: "review",
        ReviewerSaid: "reviewer",
        ReviewerUsed: "reviewer",
        ReviewerDenied: "denied",
        AskedAgain: "reviewer",
        Judged: "verdict",
        NotJudged: "no verdict",
        SentBack: "sent back",
        StopAllowed: "may stop",
        HeldUp: "held up",
        WentOn: "went on",
        Changed: "provider",
        Trouble: "trouble",
        Interfered: "outside",
        LetThrough: "no stop",
        BadLine: "bad line",
    },
)
STYLES: Mapping[type[Event], str] = {
    Stopped: "bold",
    AgentFailed: "red",
    ReviewerSaid: "dim",
    ReviewerUsed: "dim",
    ReviewerDenied: "dim",
    AskedAgain: "dim",
    Examined: "dim",
    NotJudged: "red",
    SentBack: "yellow",
    HeldUp: "yellow",
    Changed: "yellow",
    Trouble: "red",
    Interfered: "red",
    BadLine: "red",
}
WORDS = Phrases(
    "logs",
    {
        "started": "a fork of the session looks at the work",
        "passed": "passed",
        "failed": "failed",
        "satisfied": "the work is complete",
        "unsatisfied": "the work is not complete",
        "tokens": "tokens",
        "cached": "cached",
        "again": "that was no plain verdict, so it is asked for the verdict alone",
        "exit": "exit code",
        "calls": "tool calls: {}",
        "edited": "edited: {}",
        "commands": "commands: {}",
        "last check": "last check: {}",
        "unknown": "unknown",
        "by": "by",
        "waits": "for now: background work is running",
        "more": "… {} more lines",
        "session": "session",
        "none": "no supervised session yet; start one: CCC_SUPERVISOR=1 ccc PROVIDER",
        "none yet": "no supervised session yet; waiting for the first stop (Ctrl-C ends)",
        "elsewhere": "no session of {} is known; this is the newest one of all",
    },
)


class Told(Struct, frozen=True):
    """One event for a person: a word, a headline, and what stands below it."""

    label: str
    headline: str
    style: str = ""
    below: tuple[str, ...] = ()


def run(
    state: Path,
    session: str | None,
    *,
    follow: bool,
    cwd: Path,
    env: Mapping[str, str],
    say: Say,
    wait: Wait | None = None,
) -> int:
    """Tell the story of one session on stdout; `follow` goes on until Ctrl-C or until nobody reads any more."""
    lang = languages.of_person(env)
    project = project_directory(cwd)
    printer = Printer(status.console_for(env), lang)
    if session is not None:
        chosen: str | None = recent.find(state, session)
    else:
        chosen = _chosen(state, project, lang, say)
    if not follow:
        if chosen is None:
            raise CccError(WORDS[lang]["none"])
        printer.show(chosen, story.load(state, chosen))
        return 0
    if chosen is None:
        say(WORDS[lang]["none yet"])
    try:
        _follow(state, chosen, None if session else project, printer, wait or _patience)
    except KeyboardInterrupt:  # how following ends
        return 0
    return 0


def told(event: Event, lang: str) -> Told:
    """Total over any event."""
    words = WORDS[lang]
    label = LABELS[lang].get(type(event)) or one_line(events.name_of(event), 60)
    style = STYLES.get(type(event), "")
    match event:
        case Stopped(count, limit, last_message=message):
            return Told(label, _joined(statusline.progress(count, limit), _line(message)), style)
        case ReviewStarted(engine, model, judge):
            return Told(label, _joined(words["started"], _line(engine), _line(model), _line(judge)), style)
        case ReviewerSaid(text):
            headline, *below = _lines(text, lang)
            return Told(label, headline, style, tuple(below))
        case ReviewerUsed(tool, on) | ReviewerDenied(tool, on):
            return Told(label, f"⚙ {one_line(tool, 60)} {_line(on)}".rstrip(), style)
        case AskedAgain():
            return Told(label, words["again"], style)
        case Checked():
            return _check(event, label, lang)
        case Judged(done, feedback, cost, tokens, cached, model):
            opinion = words["satisfied" if done else "unsatisfied"]
            headline = _joined(opinion, *_cost(cost, tokens, cached, lang), _line(model))
            return Told(label, headline, "green" if done else "yellow", _feedback(feedback, lang))
        case NotJudged(why, cost, tokens, cached, model):
            return Told(label, _joined(_line(said(why, lang)), *_cost(cost, tokens, cached, lang), _line(model)), style)
        case SentBack():
            return _sent_back(event, label, lang)
        case StopAllowed():
            return _allowed(event, label, lang)
        case AgentFailed(said=why) | Trouble(why) | LetThrough(why):
            return Told(label, _line(said(why, lang)), style)
        case HeldUp(by, until, why, provider):
            wait = waiting(by, provider, moment(until) or event.at or NEVER, event.at or NEVER)
            return Told(label, _joined(said(wait, lang), _line(why)), style)
        case Changed(said=why):
            return Told(label, _joined(said(changed(event), lang), _line(why)), style)
        case WentOn(seconds):
            return Told(label, said(span(seconds), lang), style)
        case Examined():
            return Told(label, _joined(*_examined(event, words)), style)
        case Interfered(Kind() as what):
            line = outside.WORDS[lang][what]
            return Told(label, line.removeprefix("ccc: ").removeprefix("ccc：").partition("\n")[0], style)
        case _:
            return Told(label, _fields(event), style)


class Printer(Struct):
    """Prints events of sessions, and a headline where the session or the day changes."""

    console: Console
    lang: str
    session_id: str | None = None
    day: date | None = None

    def show(self, session_id: str, happened: Iterable[Event]) -> None:
        for event in happened:
            if session_id != self.session_id:
                self.session_id = session_id
                self._headline(f"{WORDS[self.lang]['session']} {session_id}")
            for line in lines(event, self.lang, self._days(event)):
                self._print(line)

    def _days(self, event: Event) -> bool:
        """Whether the event begins a day, which is then said."""
        day = event.at.astimezone().date() if event.at else self.day
        changed, self.day = day != self.day, day
        return changed

    def _headline(self, words: str) -> None:
        from rich.text import Text

        self._print(Text(words, style="bold"))

    def _print(self, line: Text) -> None:
        """As `ccc watch` has it, at the width that the window has by now; a program gets whole lines."""
        from ccc.base.canvas import laid

        for row in laid(line, self.console.width if self.console.is_terminal else 0, whole=True):
            self.console.print(row, soft_wrap=True)


def lines(event: Event, lang: str, with_day: bool = False) -> Iterator[Text]:
    """The event as styled lines, one for each line of its text."""
    from rich.cells import cell_len
    from rich.text import Text

    at = event.at.astimezone() if event.at else None
    if with_day and at:
        yield Text(f"{at:%Y-%m-%d}", style="dim")
    what = told(event, lang)
    label = what.label + " " * max(1, LABEL_WIDTH - cell_len(what.label))
    yield Text.assemble(
        (f"{at:%H:%M:%S}  " if at else " " * 10, "dim"), (label, what.style), (what.headline, what.style)
    )
    for line in what.below:
        yield Text(" " * (10 + LABEL_WIDTH) + line)


def _follow(state: Path, chosen: str | None, project: Path | None, printer: Printer, wait: Wait) -> None:
    """One session, or with `project` also those of it that begin meanwhile."""
    tails = {chosen: Tail(story_path(state, chosen))} if chosen else {}
    log = -1
    while True:
        for session_id, tail in tails.items():
            printer.show(session_id, tail.events())
        if not wait():
            return
        before, log = log, recent.size(state)
        newest = _newest(state, project, anywhere=not tails) if project and log != before else None
        if newest and newest not in tails:
            tails[newest] = Tail(story_path(state, newest))


def _newest(state: Path, project: Path, *, anywhere: bool) -> str | None:
    found = recent.newest(state, recent.of_project(project)) or (recent.newest(state) if anywhere else None)
    return found.session_id if found else None


def _patience() -> bool:
    """Wait a little; a reader who has left is noticed even when there is nothing to write."""
    poller = select.poll()
    poller.register(sys.stdout.fileno(), 0)
    found = poller.poll(POLL_SECONDS * 1000)
    if any(what & (select.POLLHUP | select.POLLERR) for _, what in found):
        return False
    if found:  # a descriptor that this system cannot poll
        time.sleep(POLL_SECONDS)
    return True


def _chosen(state: Path, project: Path, lang: str, say: Say) -> str | None:
    own = _newest(state, project, anywhere=False)
    other = None if own else _newest(state, project, anywhere=True)
    if other:
        say(WORDS[lang]["elsewhere"].format(one_line(str(project), 300)))
    return own or other


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _cost(cost: float, tokens: int, cached: int, lang: str) -> Iterator[str]:
    words = WORDS[lang]
    if cost:
        yield dollars(cost)
    if tokens:
        yield f"{tokens:,} {words['tokens']}" + (f" ({cached:,} {words['cached']})" if cached else "")


def _check(event: Checked, label: str, lang: str) -> Told:
    words = WORDS[lang]
    code = "" if event.passed or event.code is None else f"{words['exit']} {event.code}"
    time_taken = "" if event.seconds is None else said(took(event.seconds), lang)
    headline = _joined(
        words["passed" if event.passed else "failed"], _line(event.command), _line(event.folder), code, time_taken
    )
    return Told(label, headline, "green" if event.passed else "yellow")


def _examined(event: Examined, words: Mapping[str, str]) -> Iterator[str]:
    yield words["calls"].format(event.tool_calls)
    if event.edited:
        yield words["edited"].format(_line(event.edited))
    yield words["commands"].format(event.commands)
    if event.last_check:
        yield words["last check"].format(words.get(event.last_check) or _line(event.last_check))


def _sent_back(event: SentBack, label: str, lang: str) -> Told:
    by = sender(event.sender, lang) or one_line(event.by, 60)
    # The reviewer's words stand above, with its verdict.
    below = () if isinstance(event.sender, ByReviewer) else _feedback(event.feedback, lang)
    return Told(label, f"{WORDS[lang]['by']} {by}" if by else "", STYLES[SentBack], below)


def _allowed(event: StopAllowed, label: str, lang: str) -> Told:
    if event.outcome is None:
        return Told(label, said(GONE_ON, lang) if event.why == GONE_ON else WORDS[lang]["waits"])
    told = event.outcome is Outcome.COMPLETED or event.why == event.outcome.value  # by the outcome itself
    why = "" if told else _line(said(event.why, lang))
    bill = money(event.bill, lang) if event.bill else ""
    return Told(label, _joined(OUTCOMES[lang][event.outcome], why, bill), status.STYLES.get(event.outcome, ""))


def _feedback(text: str, lang: str) -> tuple[str, ...]:
    return tuple(_lines(text, lang)) if clean(text).strip() else ()


def _line(text: str | None) -> str:
    return one_line(text or "", MESSAGE_LENGTH)


def _lines(text: str, lang: str) -> list[str]:
    found = [line.rstrip() for line in clean(text).strip().splitlines()] or [""]
    hidden = len(found) - LINES_SHOWN
    return found if hidden <= 0 else [*found[:LINES_SHOWN], WORDS[lang]["more"].format(hidden)]


def _fields(event: Event) -> str:
    return _joined(*(f"{one_line(key, 60)}: {_value(value)}" for key, value in events.fields_of(event).items()))


def _value(value: object) -> str:
    items = value if isinstance(value, list) else [value]
    return one_line("; ".join(clean(str(item)) for item in items), MESSAGE_LENGTH)
