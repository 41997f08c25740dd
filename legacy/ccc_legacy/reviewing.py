"""What the person sees of a review: the events of its story in, lines out, and what is looked at right now.

Rule: pure; text of a model is cleaned here. What checks, gate or reviewer have to say stands under their own name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from ccc.base import sink
from ccc.base.messages import Message, msg
from ccc.base.text import clean, one_line
from ccc.judging.verdict import words_of
from ccc.model import ByCheck, ByGate, ByReviewer
from ccc.record.events import (
    AskedAgain,
    Changed,
    Checked,
    Event,
    Examined,
    HeldUp,
    Judged,
    NotJudged,
    ReviewerSaid,
    ReviewerUsed,
    ReviewStarted,
    SentBack,
    Stopped,
    Trouble,
)
from ccc.record.session import moment
from ccc.record.words import changed, sender, took, waiting
from ccc_legacy.paint import Paint
from ccc_legacy.prose import Pictures

ASKED_AGAIN = msg("that is no plain verdict: asked for the verdict alone")
CHECKS, GATE, REVIEW = "[checks {count}/{limit}]", "[gate {count}/{limit}]", "[review {count}/{limit}]"
READS, WRITES = msg("reads the conversation"), msg("writes its verdict")


class Glance(Struct, frozen=True):
    """Which stop is looked at, of how many, and at what whoever looks is looking now."""

    count: int = 0
    limit: int | None = None
    looking: str = ""


class Story(Struct):
    """Of the reviews of one run."""

    paint: Paint
    told: Callable[[str], str] = str
    lang: str = "en"
    cwd: str = ""
    columns: Callable[[], int] = lambda: 0  # 0: there is no terminal
    glance: Glance = Glance()
    _heading: str = ""  # what stands above

    def lines(self, event: Event) -> Iterator[str]:
        self._look(event)
        match event:
            case Checked():
                yield from self._under(CHECKS)
                yield self._check(event)
            case ReviewStarted(judge=judge):
                yield from self._under(REVIEW)
                yield from self._by(judge)
            case ReviewerSaid(text):
                yield from self._under(REVIEW)
                if words := words_of(text):  # a marker that counts is not shown, and may be all of it
                    yield from (sink.joined("  ", line) for line in self._said(words))
            case ReviewerUsed(tool, on):
                yield from self._under(REVIEW)
                yield self.paint("dim", f"  {self._call(tool, on)}")
            case AskedAgain():
                yield self.paint("dim", f"  … {self.told(ASKED_AGAIN)}")
            case SentBack():
                yield from self._sent_back(event)
            case _:
                yield from self._weather(event)

    def _said(self, text: str) -> Sequence[str]:
        """A reviewer writes Markdown, as the agent does."""
        if not self.paint.colours or not self.columns():
            return clean(text).rstrip().split("\n")
        drawing = Pictures(lambda: self.columns() - 2)
        return [*drawing.feed(text), *drawing.close()]

    def _weather(self, event: Event) -> Iterator[str]:
        match event:
            case HeldUp(by, provider=provider) if (until := moment(event.until)) is not None:
                yield self.paint("dim", f"  … {self.told(waiting(by, provider, until, datetime.now(UTC)))}")
            case Changed():
                yield self.paint("phase", f"  ↪ {self.told(changed(event))}")
            case Trouble(why):
                yield self.paint("bad", f"  {one_line(why, 300)}")

    def _sent_back(self, event: SentBack) -> Iterator[str]:
        """The reviewer's words have been shown when they were said."""
        match event.sender:
            case ByReviewer():
                return
            case ByCheck():
                yield from self._under(CHECKS)
            case ByGate() as gate:
                yield from self._under(GATE)
                yield self.paint("bad", f"  {sender(gate, self.lang)}")
        yield from (f"  {line}" for line in clean(event.feedback).split("\n"))

    def _under(self, heading: str) -> Iterator[str]:
        if heading != self._heading:
            self._heading = heading
            yield from ("",) if self.columns() else ()
            yield self.paint("phase", self.told(self._headed(heading)))

    def _headed(self, heading: str) -> Message:
        told = {"count": self.glance.count, "limit": "–" if self.glance.limit is None else self.glance.limit}
        match heading:
            case _ if heading == CHECKS:
                return msg("[checks {count}/{limit}]", **told)
            case _ if heading == GATE:
                return msg("[gate {count}/{limit}]", **told)
            case _:
                return msg("[review {count}/{limit}]", **told)

    def _by(self, judge: str | None) -> Iterator[str]:
        if judge:
            yield self.paint("dim", f"  {self.told(msg('by {judge}', judge=one_line(judge, 100)))}")

    def _check(self, event: Checked) -> str:
        taken = f"  {self.told(took(event.seconds))}" if event.seconds is not None else ""
        why = f"  {one_line(event.why, 100)}" if event.why and not event.passed else ""
        place = f"  {one_line(event.folder, 100)}" if event.folder else ""
        return self.paint(
            "good" if event.passed else "bad",
            f"  {'✓' if event.passed else '✗'} {one_line(event.command, 100)}{place}{why}{taken}",
        )

    def _look(self, event: Event) -> None:
        match event:
            case Stopped(count, limit):
                self.glance, self._heading = Glance(count, limit), ""
            case Examined() | Checked():
                self._looks_at("")
            case ReviewStarted():
                self._looks_at(self.told(READS))
            case ReviewerUsed(tool, on):
                self._looks_at(self._call(tool, on))
            case ReviewerSaid():
                self._looks_at(self.told(WRITES))
            case Judged() | NotJudged() | SentBack():
                self._looks_at("")

    def _call(self, tool: str, on: str | None) -> str:
        what = one_line((on or "").removeprefix(f"{self.cwd}/") if self.cwd else on or "", 100)
        return f"⚙ {one_line(tool)} {what}".rstrip()

    def _looks_at(self, what: str) -> None:
        self.glance = Glance(self.glance.count, self.glance.limit, what)
