"""The story of a session as people think of it: requests, and in each of them rounds of work, stop and decision.

Rule: pure, and total over any event; what an event does not say has a default, what nobody knows is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ccc.base.text import clean
from ccc.model import Outcome
from ccc.record.story import Event
from ccc.showing.report.work import Answered, Asked, Edit, Said, Step, Used


@dataclass(frozen=True, slots=True)
class Remark:
    """The reviewer says something (`tool` is "") or uses a tool."""

    at: float
    text: str
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    at: float
    command: str
    passed: bool
    code: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One review; `allow_stop` is None when it gave no verdict (`why` says why) or has not ended (`ended` is None)."""

    begun: float
    ended: float | None = None
    model: str = ""
    engine: str = ""
    remarks: tuple[Remark, ...] = ()
    allow_stop: bool | None = None
    feedback: str = ""
    why: str = ""
    cost_usd: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class SentBack:
    at: float
    by: str
    feedback: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """`outcome` is None when the agent only waits for background work."""

    at: float
    outcome: Outcome | None
    why: str


@dataclass(frozen=True, slots=True)
class Round:
    """The agent works, wants to stop, and is answered. Without `stop` it is still working."""

    begun: float
    steps: tuple[Step, ...] = ()
    stop: float | None = None
    count: int = 0
    limit: int = 0
    last_message: str = ""
    checks: tuple[Checked, ...] = ()
    reviews: tuple[Reviewed, ...] = ()
    troubles: tuple[str, ...] = ()
    decision: SentBack | Allowed | None = None

    @property
    def calls(self) -> tuple[Used, ...]:
        return tuple(step for step in self.steps if isinstance(step, Used))

    @property
    def ended(self) -> float:
        """The last moment that is known of it."""
        reviews = (review.ended or review.begun for review in self.reviews)
        steps = (step.at for step in self.steps[-1:])
        decided = self.decision.at if self.decision else 0.0
        return max(self.begun, self.stop or 0.0, decided, *reviews, *steps)


@dataclass(frozen=True, slots=True)
class Request:
    """`text` is "" when the transcript does not tell it."""

    prompt_id: str | None
    text: str
    rounds: tuple[Round, ...]

    @property
    def begun(self) -> float:
        return self.rounds[0].begun

    @property
    def ended(self) -> float:
        return max(each.ended for each in self.rounds)

    @property
    def outcome(self) -> Outcome | None:
        last = self.rounds[-1].decision
        return last.outcome if isinstance(last, Allowed) else None

    @property
    def reviews(self) -> tuple[Reviewed, ...]:
        return tuple(review for each in self.rounds for review in each.reviews)

    @property
    def checks(self) -> tuple[Checked, ...]:
        return tuple(check for each in self.rounds for check in each.checks)

    @property
    def sent_back(self) -> int:
        return sum(isinstance(each.decision, SentBack) for each in self.rounds)

    @property
    def edits(self) -> tuple[Edit, ...]:
        return tuple(call.edit for each in self.rounds for call in each.calls if call.edit)

    @property
    def agent_tokens(self) -> int:
        return sum(step.tokens for each in self.rounds for step in each.steps if isinstance(step, Answered))


@dataclass(slots=True)
class _Open:
    """A Stop while its events come in."""

    prompt_id: str | None = None
    round: Round = field(default_factory=lambda: Round(0.0))


def requests(events: Iterable[Event], steps: Sequence[Step]) -> tuple[Request, ...]:
    """Oldest first. The agent's steps fall between the decisions, by time."""
    stops = _stops(events)
    steps = _without_echoes(steps, stops)
    grouped: list[Request] = []
    since = 0.0
    for stop in stops:
        until = stop.round.stop or stop.round.ended
        between = [step for step in steps if since < step.at <= until]
        since = stop.round.ended
        same = grouped and stop.prompt_id in (None, grouped[-1].prompt_id)
        if same:
            grouped[-1] = _continued(grouped[-1], stop, between)
        else:
            grouped.append(_begun(stop, between))
    rest = [step for step in steps if step.at > since]
    return _with_rest(grouped, rest)


def _with_rest(grouped: list[Request], rest: list[Step]) -> tuple[Request, ...]:
    """The agent may have gone on since the last decision. A request after it is told once it comes to its first
    stop: until then nobody knows whether it is supervised at all."""
    first = next((number for number, step in enumerate(rest) if isinstance(step, Asked) and step.begins), len(rest))
    if not grouped:
        return (_begun(_Open(), rest[first:]),) if first < len(rest) else ()
    last = grouped[-1]
    if not isinstance(last.rounds[-1].decision, Allowed) and _worked(rest[:first]):
        grouped[-1] = replace(last, rounds=(*last.rounds, Round(last.ended, tuple(rest[:first]))))
    return tuple(grouped)


def _worked(steps: Iterable[Step]) -> bool:
    return any(isinstance(step, Said | Used) for step in steps)


def _begun(stop: _Open, between: Sequence[Step]) -> Request:
    """From the person's last words on; what came before them was not supervised."""
    asked = [(n, step) for n, step in enumerate(between) if isinstance(step, Asked) and step.begins]
    own = [(n, step) for n, step in asked if step.prompt_id == stop.prompt_id]
    if not asked:
        begun = between[0].at if between else stop.round.begun
        return Request(stop.prompt_id, "", (replace(stop.round, begun=begun, steps=tuple(between)),))
    number, first = (own or asked)[-1]
    after = tuple(between[number + 1 :])
    return Request(stop.prompt_id or first.prompt_id, first.text, (replace(stop.round, begun=first.at, steps=after),))


def _continued(request: Request, stop: _Open, between: Sequence[Step]) -> Request:
    after = replace(stop.round, begun=request.rounds[-1].ended, steps=tuple(between))
    return replace(request, rounds=(*request.rounds, after))


def _without_echoes(steps: Sequence[Step], stops: Iterable[_Open]) -> list[Step]:
    """In pty mode the feedback reaches the agent as a user's line; it is not the person's."""
    sent = {_plain(stop.round.decision.feedback) for stop in stops if isinstance(stop.round.decision, SentBack)}
    return [step for step in steps if not (isinstance(step, Asked) and _plain(step.text) in sent)]


def _plain(text: str) -> str:
    return " ".join(clean(text).split())[:2000]


def _stops(events: Iterable[Event]) -> list[_Open]:
    stops: list[_Open] = []
    for event in events:
        at = event.at.timestamp() if event.at else 0.0
        if event.name == "supervisor-hook invoked":
            stops.append(_invoked(at, event))
        elif event.name in _TELLS:
            if not stops or stops[-1].round.decision is not None:
                stops.append(_Open(round=Round(at)))
            stops[-1].round = _TELLS[event.name](stops[-1].round, at, event)
    return [stop for stop in stops if stop.round != Round(stop.round.begun)]


def _invoked(at: float, event: Event) -> _Open:
    prompt_id = event.fields.get("prompt_id")
    stop = Round(
        begun=at,
        stop=at,
        count=_whole(event, "count"),
        limit=_whole(event, "limit"),
        last_message=_text(event, "last_message"),
    )
    return _Open(prompt_id if isinstance(prompt_id, str) else None, stop)


def _started(each: Round, at: float, event: Event) -> Round:
    review = Reviewed(at, model=_text(event, "model"), engine=_text(event, "engine"))
    return replace(each, reviews=(*each.reviews, review))


def _said(each: Round, at: float, event: Event) -> Round:
    return _remarked(each, Remark(at, _text(event, "text")))


def _used(each: Round, at: float, event: Event) -> Round:
    return _remarked(each, Remark(at, _text(event, "on"), _text(event, "tool") or "?"))


def _remarked(each: Round, remark: Remark) -> Round:
    if remark.tool == "StructuredOutput":  # the verdict itself, which has an event of its own
        return each
    return _in_review(each, remark.at, lambda review: replace(review, remarks=(*review.remarks, remark)))


def _judged(each: Round, at: float, event: Event) -> Round:
    return _in_review(
        each,
        at,
        lambda review: replace(
            review,
            ended=at,
            allow_stop=event.fields.get("allow_stop") is True if "allow_stop" in event.fields else None,
            feedback=_text(event, "feedback"),
            why=_text(event, "why"),
            cost_usd=_amount(event, "cost_usd"),
            tokens=_whole(event, "tokens"),
        ),
    )


def _in_review(each: Round, at: float, change: Callable[[Reviewed], Reviewed]) -> Round:
    *earlier, last = each.reviews or (Reviewed(at),)
    if last.ended is not None:
        earlier, last = [*earlier, last], Reviewed(at)
    return replace(each, reviews=(*earlier, change(last)))


def _checked(each: Round, at: float, event: Event) -> Round:
    code = event.fields.get("code")
    check = Checked(
        at,
        command=_text(event, "command"),
        passed=event.fields.get("passed") is True,
        code=code if type(code) is int else None,
        seconds=_amount(event, "seconds"),
    )
    return replace(each, checks=(*each.checks, check))


def _interfered(each: Round, _at: float, event: Event) -> Round:
    return replace(each, troubles=(*each.troubles, _text(event, "what")))


def _troubled(each: Round, _at: float, event: Event) -> Round:
    return replace(each, troubles=(*each.troubles, _text(event, "why")))


def _sent(each: Round, at: float, event: Event) -> Round:
    return replace(each, decision=SentBack(at, _text(event, "by"), _text(event, "feedback")))


def _let_go(each: Round, at: float, event: Event) -> Round:
    outcome = next((member for member in Outcome if member.value == event.fields.get("outcome")), None)
    return replace(each, decision=Allowed(at, outcome, _text(event, "why")))


_TELLS: Mapping[str, Callable[[Round, float, Event], Round]] = {
    "review started": _started,
    "reviewer says": _said,
    "reviewer uses": _used,
    "verdict": _judged,
    "no verdict": _judged,
    "check": _checked,
    "trouble": _troubled,
    "outside": _interfered,
    "sent back": _sent,
    "stop allowed": _let_go,
}


def _text(event: Event, key: str) -> str:
    value = event.fields.get(key)
    return value if isinstance(value, str) else ""


def _whole(event: Event, key: str) -> int:
    value = event.fields.get(key)
    return value if type(value) is int and 0 <= value < 2**53 else 0


def _amount(event: Event, key: str) -> float:
    value = event.fields.get(key)
    return float(value) if type(value) in (int, float) and 0 <= value < 1e12 else 0.0  # type: ignore[operator, arg-type]
