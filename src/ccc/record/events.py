"""What can happen to a session: a closed union of events, and how each is spelt in its story.

Rule: the one place that knows the names and fields of the story's lines, of this version and of those before it; frozen
values, total over any object. A new kind of event is defined here, told by whoever sees it and shown by whoever shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ccc.base.messages import record, recorded
from ccc.base.values import plain, understood
from ccc.model import Bill, ByCheck, ByGate, ByReviewer, Outcome, Rule, Sender, Share
from ccc.record.outside import Kind
from ccc.record.session import moment

VERSION = 2  # of a line; 1, which wrote none, told the gate's rule inside `by`

Amount = Annotated[float, Meta(ge=0, lt=1e12)]
Number = Annotated[int, Meta(ge=0, lt=2**53)]


class Event(Struct, frozen=True, kw_only=True, tag_field="event"):
    """`at` is None when the line does not tell."""

    at: datetime | None = None


class Stopped(Event, frozen=True, tag="supervisor-hook invoked"):
    """The agent wants to stop, for the `count`th time."""

    count: Number = 0
    limit: Number | None = None
    prompt_id: str | None = None
    stop_hook_active: bool = False
    last_message: str | None = None
    provider: str | None = None  # that the agent worked with


class Examined(Event, frozen=True, tag="evidence"):
    tool_calls: Number = 0
    edited: str | None = None
    commands: Number = 0
    last_check: str | None = None


class Checked(Event, frozen=True, tag="check"):
    command: str = ""
    passed: bool = False
    code: int | None = None
    seconds: Amount | None = None
    why: str | None = None
    folder: str | None = None  # where checks ran in several


class ReviewStarted(Event, frozen=True, tag="review started"):
    engine: str = ""
    model: str | None = None
    judge: str | None = None  # who was chosen to judge, where that is not the agent's own model


class ReviewerSaid(Event, frozen=True, tag="reviewer says"):
    text: str = ""


class ReviewerUsed(Event, frozen=True, tag="reviewer uses"):
    tool: str = ""
    on: str | None = None


class ReviewerDenied(Event, frozen=True, tag="reviewer was denied"):
    tool: str = ""
    why: str = ""


class AgentFailed(Event, frozen=True, tag="agent failed"):
    """The API has ended the agent's turn; `until` is when it may be back, where somebody says so."""

    kind: str = ""
    until: str | None = None
    said: str = ""


class AskedAgain(Event, frozen=True, tag="asked again"):
    """The reviewer's answer was no plain verdict, so it is asked for the verdict alone: a part of the same review."""


class NotTheAnswer(Event, frozen=True, tag="not the answer"):
    """The reviewer's client ended a round that nobody had asked for."""

    origin: str | None = None


class BadLine(Event, frozen=True, tag="bad line"):
    reason: str = ""
    size: Number = 0


class OutputLost(Event, frozen=True, tag="output file is full or cannot be written"):
    path: str = ""


class Judged(Event, frozen=True, tag="verdict"):
    allow_stop: bool = False
    feedback: str = ""
    cost_usd: Amount = 0.0
    tokens: Number = 0
    cached: Number = 0  # of the tokens, those that the provider's cache has served
    model: str | None = None  # that has answered


class NotJudged(Event, frozen=True, tag="no verdict"):
    why: str = ""
    cost_usd: Amount = 0.0
    tokens: Number = 0
    cached: Number = 0
    model: str | None = None


class SentBack(Event, frozen=True, tag="sent back"):
    by: str = "reviewer"
    rule: Rule | None = None  # the gate's
    feedback: str = ""

    @property
    def sender(self) -> Sender | None:
        """None when it is one that this version does not know."""
        match self.by, self.rule:
            case "reviewer", _:
                return ByReviewer()
            case "check", _:
                return ByCheck()
            case "gate", Rule() as rule:
                return ByGate(rule)
            case _:
                return None


class StopAllowed(Event, frozen=True, tag="stop allowed"):
    """`outcome` is None when the agent only waits for background work."""

    outcome: Outcome | None = None
    why: str = ""
    agent_usd: Amount | None = None  # what the request had cost by then, where that was known
    reviews_usd: Amount | None = None
    at_least: bool | None = None  # the agent's
    shares: tuple[Share, ...] | None = None  # where more than one provider has worked

    @property
    def bill(self) -> Bill | None:
        if self.reviews_usd is None:
            return None
        return Bill(0, self.reviews_usd, self.agent_usd, bool(self.at_least), self.shares or ())


class Interfered(Event, frozen=True, tag="outside"):
    what: Kind | None = None


class HeldUp(Event, frozen=True, tag="held up"):
    """The provider does not answer, for a reason that passes; it is asked again at `until`."""

    by: str = ""
    until: str = ""
    said: str = ""
    provider: str | None = None


class WentOn(Event, frozen=True, tag="went on"):
    """After so long a wait."""

    seconds: Amount = 0.0


class Changed(Event, frozen=True, tag="provider changed"):
    """From one provider to another; `by` is what keeps the first one away, empty when the request goes back to it."""

    provider: str | None = None
    to: str = ""
    by: str = ""
    until: str = ""
    said: str = ""


class Trouble(Event, frozen=True, tag="trouble"):
    why: str = ""


class LetThrough(Event, frozen=True, tag="let through"):
    """A call of the hook that is no Stop of a supervised agent."""

    why: str = ""


class Unknown(Event, frozen=True, tag=""):
    """An event of another version."""

    name: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)


KINDS: tuple[type[Event], ...] = (
    Stopped,
    AgentFailed,
    Examined,
    Checked,
    ReviewStarted,
    ReviewerSaid,
    ReviewerUsed,
    ReviewerDenied,
    AskedAgain,
    NotTheAnswer,
    BadLine,
    OutputLost,
    Judged,
    NotJudged,
    SentBack,
    StopAllowed,
    Interfered,
    HeldUp,
    WentOn,
    Changed,
    Trouble,
    LetThrough,
)
_BY_NAME: Mapping[object, type[Event]] = {kind.__struct_config__.tag: kind for kind in KINDS}


def name_of(event: Event) -> str:
    return event.name if isinstance(event, Unknown) else str(type(event).__struct_config__.tag)


def sent_back(by: Sender, feedback: str) -> SentBack:
    match by:
        case ByReviewer():
            return SentBack(by="reviewer", feedback=feedback)
        case ByCheck():
            return SentBack(by="check", feedback=feedback)
        case ByGate(rule):
            return SentBack(by="gate", rule=rule, feedback=feedback)


def stop_allowed(outcome: Outcome | None, why: str, bill: Bill | None) -> StopAllowed:
    if bill is None:
        return StopAllowed(outcome, why)
    agent = None if bill.agent_usd is None else round(bill.agent_usd, 6)
    known = None if agent is None else bill.at_least
    return StopAllowed(outcome, why, agent, round(bill.reviews_usd, 6), known, bill.shares or None)


def fields_of(event: Event) -> dict[str, object]:
    """What the event tells beyond its name and its moment."""
    if isinstance(event, Unknown):
        return dict(event.fields)
    told = plain(replace(event, at=None))
    return {key: value for key, value in told.items() if key != "event" and value is not None}


def encoded(event: Event, at: datetime) -> dict[str, object]:
    """A line of the story."""
    return {"at": at.isoformat(), "event": name_of(event), "v": VERSION, **fields_of(event)}


SENTENCES = "as"  # which of a line's texts are sentences of ccc's own, for another language


def with_sentences(line: Mapping[str, object], event: Event) -> dict[str, object]:
    """A line of the story that can be told in other languages, too."""
    found = {name: record(getattr(event, name, ""), str(text)) for name, text in line.items() if isinstance(text, str)}
    sentences = {name: each for name, each in found.items() if each}
    return {**line, SENTENCES: sentences} if sentences else {**line}


def decoded(told: object) -> Event | None:
    """What a line of a story says; None when it is no event at all."""
    if not isinstance(told, dict) or not isinstance(told.get("event"), str):
        return None
    name, at = told["event"], moment(told.get("at"))
    kind = _BY_NAME.get(name)
    fields = {key: value for key, value in told.items() if key not in ("at", "event", "v", SENTENCES)}
    if kind is None:
        return Unknown(name=name, fields=fields, at=at)
    return replace(_spoken(understood(_as_today(name, fields), kind), told.get(SENTENCES)), at=at)


def _spoken(event: Event, told: object) -> Event:
    sentences = told.items() if isinstance(told, dict) else ()
    texts = ((name, getattr(event, name), each) for name, each in sentences if name in event.__struct_fields__)
    return replace(event, **{name: recorded(text, each) for name, text, each in texts if isinstance(text, str)})


def _as_today(name: str, fields: dict[str, object]) -> dict[str, object]:
    """What version 1 spelt otherwise."""
    by = fields.get("by")
    if name == SentBack.__struct_config__.tag and isinstance(by, str) and by.startswith("gate "):
        return {**fields, "by": "gate", "rule": by.removeprefix("gate ")}
    return fields
