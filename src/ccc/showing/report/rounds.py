"""The story of a session as people think of it: requests, and in each of them rounds of work, stop and decision.

Rule: pure, and total over any event; what an event does not say has a default, what nobody knows is left out. The
events are read once, as they come, and of however many only the newest are kept; the others are counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.text import capped, clean, head
from ccc.claude.conversation import Edit
from ccc.model import Bill, Outcome, Sender
from ccc.record import events
from ccc.record.events import (
    AskedAgain,
    Changed,
    Event,
    HeldUp,
    Interfered,
    Judged,
    NotJudged,
    ReviewerSaid,
    ReviewerUsed,
    ReviewStarted,
    StopAllowed,
    Stopped,
    Trouble,
    WentOn,
)
from ccc.showing.report.window import Window
from ccc.showing.report.work import Answered, Asked, Said, Step, Used

TEXT = 20_000  # characters of one text
ENTRIES, ENTRIES_LENGTH = 400, 2**20  # of one review's remarks; checks, reviews and troubles of one round
ROUNDS, ROUNDS_LENGTH = 200, 4 * 2**20  # of one request
REQUESTS, REQUESTS_LENGTH = 31, 8 * 2**20


class Remark(Struct, frozen=True):
    """The reviewer says something (`tool` is "") or uses a tool."""

    at: float
    text: str
    tool: str = ""


class Checked(Struct, frozen=True):
    at: float
    command: str
    passed: bool
    code: int | None
    seconds: float


class Reviewed(Struct, frozen=True):
    """One review; `allow_stop` is None when it gave no verdict (`why` says why) or has not ended (`ended` is None)."""

    begun: float
    ended: float | None = None
    model: str = ""
    engine: str = ""
    judge: str = ""  # who was chosen to judge, where that is not the agent's own model
    remarks: tuple[Remark, ...] = ()
    remarks_before: int = 0  # earlier ones that are not kept
    allow_stop: bool | None = None
    feedback: str = ""
    why: str = ""
    cost_usd: float = 0.0
    tokens: int = 0
    cached: int = 0  # of the tokens, those that the provider's cache has served
    asked_again: bool = False  # for its verdict alone


class Held(Struct, frozen=True):
    """The provider kept the agent or its reviewer waiting (`seconds` is None while it does), or another one went on."""

    at: float
    what: HeldUp | Changed
    seconds: float | None = None


class SentBack(Struct, frozen=True):
    at: float
    by: Sender | None
    feedback: str


class Allowed(Struct, frozen=True):
    """`outcome` is None when the agent only waits for background work."""

    at: float
    outcome: Outcome | None
    why: str
    bill: Bill | None = None


class Omitted(Struct, frozen=True):
    """What is no longer told one by one, in numbers."""

    requests: int = 0
    rounds: int = 0
    entries: int = 0  # checks, reviews and troubles of a round that is told
    sent_back: int = 0
    reviews: int = 0
    cost_usd: float = 0.0
    tokens: int = 0
    agent_tokens: int = 0
    begun: float | None = None
    ended: float = 0.0

    def plus(self, other: Omitted) -> Omitted:
        return Omitted(
            self.requests + other.requests,
            self.rounds + other.rounds,
            self.entries + other.entries,
            self.sent_back + other.sent_back,
            self.reviews + other.reviews,
            self.cost_usd + other.cost_usd,
            self.tokens + other.tokens,
            self.agent_tokens + other.agent_tokens,
            other.begun if self.begun is None else self.begun,
            max(self.ended, other.ended),
        )


class Round(Struct, frozen=True):
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
    holds: tuple[Held, ...] = ()
    decision: SentBack | Allowed | None = None
    omitted: Omitted = Omitted()

    @property
    def calls(self) -> tuple[Used, ...]:
        return tuple(step for step in self.steps if isinstance(step, Used))

    @property
    def ended(self) -> float:
        """The last moment that is known of it."""
        reviews = (review.ended or review.begun for review in self.reviews)
        steps = (step.at for step in self.steps[-1:])
        decided = self.decision.at if self.decision else 0.0
        return max(self.begun, self.stop or 0.0, decided, self.omitted.ended, *reviews, *steps)

    @property
    def agent_tokens(self) -> int:
        return sum(step.tokens for step in self.steps if isinstance(step, Answered))

    @property
    def edits(self) -> tuple[Edit, ...]:
        return tuple(call.edit for call in self.calls if call.edit)


class Request(Struct, frozen=True):
    """`text` is "" when the transcript does not tell it; `rounds` are the newest, and `omitted` sums up the others."""

    prompt_id: str | None
    text: str
    rounds: tuple[Round, ...]
    omitted: Omitted = Omitted()
    earlier_edits: tuple[Edit, ...] = ()

    @property
    def begun(self) -> float:
        return self.rounds[0].begun if self.omitted.begun is None else self.omitted.begun

    @property
    def ended(self) -> float:
        return max(self.omitted.ended, *(each.ended for each in self.rounds))

    @property
    def outcome(self) -> Outcome | None:
        last = self.rounds[-1].decision
        return last.outcome if isinstance(last, Allowed) else None

    @property
    def bill(self) -> Bill | None:
        """As it was when the agent was last allowed to stop; None when the story does not tell."""
        last = self.rounds[-1].decision
        return last.bill if isinstance(last, Allowed) else None

    @property
    def reviews(self) -> tuple[Reviewed, ...]:
        return tuple(review for each in self.rounds for review in each.reviews)

    @property
    def checks(self) -> tuple[Checked, ...]:
        return tuple(check for each in self.rounds for check in each.checks)

    @property
    def sent_back(self) -> int:
        return self._sum.sent_back

    @property
    def cost_usd(self) -> float:
        """Of all reviews."""
        return self._sum.cost_usd

    @property
    def tokens(self) -> int:
        """Of all reviews."""
        return self._sum.tokens

    @property
    def edits(self) -> tuple[Edit, ...]:
        return (*self.earlier_edits, *(edit for each in self.rounds for edit in each.edits))

    @property
    def agent_tokens(self) -> int:
        return self._sum.agent_tokens

    @property
    def _sum(self) -> Omitted:
        found = self.omitted
        for each in self.rounds:
            found = found.plus(_of_round(each))
        return found

    def in_numbers(self) -> Omitted:
        return replace(self._sum, requests=1)


class History(Struct, frozen=True):
    """A session: its newest requests, oldest first, and what came before them."""

    requests: tuple[Request, ...] = ()
    omitted: Omitted = Omitted()


def _of_round(each: Round) -> Omitted:
    return each.omitted.plus(
        Omitted(
            rounds=1,
            sent_back=int(isinstance(each.decision, SentBack)),
            reviews=len(each.reviews),
            cost_usd=sum(review.cost_usd for review in each.reviews),
            tokens=sum(review.tokens for review in each.reviews),
            agent_tokens=each.agent_tokens,
            begun=each.begun,
            ended=each.ended,
        )
    )


class _Entries(Struct):
    """What happened in one round, in the order of its kind."""

    checks: Window[Checked] = field(default_factory=lambda: Window(ENTRIES, ENTRIES_LENGTH))
    reviews: Window[Reviewed] = field(default_factory=lambda: Window(ENTRIES, ENTRIES_LENGTH))
    troubles: Window[str] = field(default_factory=lambda: Window(ENTRIES, ENTRIES_LENGTH))
    holds: Window[Held] = field(default_factory=lambda: Window(ENTRIES, ENTRIES_LENGTH))
    holding: Held | None = None  # the wait that goes on
    omitted: Omitted = Omitted()

    def reviewed(self, review: Reviewed) -> None:
        for gone in self.reviews.add(review, _length_of_review(review)):
            numbers = Omitted(
                entries=1, reviews=1, cost_usd=gone.cost_usd, tokens=gone.tokens, ended=gone.ended or gone.begun
            )
            self.omitted = self.omitted.plus(numbers)

    def numbers(self) -> Omitted:
        gone = self.checks.gone + self.troubles.gone + self.holds.gone
        return replace(self.omitted, entries=self.omitted.entries + gone)

    def held(self, at: float, what: HeldUp | Changed) -> None:
        self.went_on(None)
        self.holding = Held(at, what)

    def went_on(self, seconds: float | None) -> None:
        if self.holding:
            self.holds.add(replace(self.holding, seconds=seconds), len(self.holding.what.said))
        self.holding = None


class _Open(Struct):
    """A Stop while its events come in."""

    prompt_id: str | None = None
    round: Round = field(default_factory=lambda: Round(0.0))
    entries: _Entries = field(default_factory=_Entries)
    review: Reviewed | None = None  # the one that goes on, without its remarks
    remarks: Window[Remark] = field(default_factory=lambda: Window(ENTRIES, ENTRIES_LENGTH))

    @property
    def is_underway(self) -> bool:
        """Waits of a turn that has not come to its stop; they are part of the round that ends with it."""
        return self.round.stop is None and self.round.decision is None and self.review is None

    def reviewing(self, at: float) -> Reviewed:
        """The review that an event belongs to; a story that was cut may lack its beginning."""
        if self.review is None or self.review.ended is not None:
            self.begin(Reviewed(at))
        return self.review or Reviewed(at)

    def begin(self, review: Reviewed) -> None:
        self._put_down()
        self.review = review

    def whole(self) -> Round:
        self._put_down()
        found = self.entries
        found.went_on(None)
        holds = found.holds.values()
        return replace(
            self.round,
            begun=min(self.round.begun, *(hold.at for hold in holds)) if holds else self.round.begun,
            checks=found.checks.values(),
            reviews=found.reviews.values(),
            troubles=found.troubles.values(),
            holds=holds,
            omitted=found.numbers(),
        )

    def _put_down(self) -> None:
        if self.review is not None:
            told = replace(self.review, remarks=self.remarks.values(), remarks_before=self.remarks.gone)
            self.entries.reviewed(told)
        self.review, self.remarks = None, Window(ENTRIES, ENTRIES_LENGTH)


class _Pursued(Struct):
    """A request while its rounds come in."""

    prompt_id: str | None
    text: str
    rounds: Window[Round] = field(default_factory=lambda: Window(ROUNDS, ROUNDS_LENGTH))
    omitted: Omitted = Omitted()
    edits: list[Edit] = field(default_factory=list)
    ended: float = 0.0
    open: bool = True  # the last decision, if any, was not the end

    def add(self, each: Round) -> None:
        for gone in self.rounds.add(each, _length(each)):
            self.omitted = self.omitted.plus(_of_round(gone))
            self.edits += gone.edits
        self.ended, self.open = each.ended, not isinstance(each.decision, Allowed)

    def whole(self) -> Request:
        return Request(self.prompt_id, self.text, self.rounds.values(), self.omitted, tuple(self.edits))


def history(told: Iterable[Event], steps: Sequence[Step]) -> History:
    """The agent's steps, which are in the order of time, fall between the decisions."""
    timed = _Timed(steps)
    kept: Window[Request] = Window(REQUESTS, REQUESTS_LENGTH)
    omitted = Omitted()
    last: _Pursued | None = None
    for prompt_id, stop in _stops(told):
        between = timed.until(stop.stop or stop.ended)
        timed.decided(stop)
        if last and (prompt_id == last.prompt_id or (prompt_id is None and (last.open or stop.decision))):
            last.add(replace(stop, begun=last.ended, steps=tuple(between)))
        else:
            omitted = _kept(kept, last, omitted)
            last = _begun(prompt_id, stop, between)
    last = _with_rest(last, timed.rest())
    omitted = _kept(kept, last, omitted)
    return History(kept.values(), omitted)


def _kept(kept: Window[Request], pursued: _Pursued | None, omitted: Omitted) -> Omitted:
    if pursued is not None:
        done = pursued.whole()
        for gone in kept.add(done, sum(map(_length, done.rounds))):
            omitted = omitted.plus(gone.in_numbers())
    return omitted


class _Timed:
    """The steps, each given out once."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._times = [step.at for step in steps]
        self._next = 0
        # Of feedback there may be as much as the story is long; only what was ever asked can be an echo.
        self._asked = {_plain(step.text) for step in steps if isinstance(step, Asked)}
        self._sent: set[str] = set()

    def until(self, at: float) -> list[Step]:
        end = max(bisect_right(self._times, at), self._next)
        found = self._without_echoes(self._steps[self._next : end])
        self._next = end
        return found

    def decided(self, stop: Round) -> None:
        """What the agent did while it was being judged belongs to nobody's round."""
        if isinstance(stop.decision, SentBack):
            self._sent |= {_plain(stop.decision.feedback)} & self._asked
        self._next = max(self._next, bisect_right(self._times, stop.ended))

    def rest(self) -> list[Step]:
        return self._without_echoes(self._steps[self._next :])

    def _without_echoes(self, steps: Sequence[Step]) -> list[Step]:
        """In pty mode feedback reaches the agent as a user's line, which is not the person's."""
        return [step for step in steps if not (isinstance(step, Asked) and _plain(step.text) in self._sent)]


def _with_rest(last: _Pursued | None, rest: list[Step]) -> _Pursued | None:
    """The agent may have gone on since the last decision. A request after it is told once it comes to its first
    stop: until then nobody knows whether it is supervised at all."""
    first = next((number for number, step in enumerate(rest) if isinstance(step, Asked) and step.begins), len(rest))
    if last is None:
        return _begun(None, Round(0.0), rest[first:]) if first < len(rest) else None
    if last.open and _worked(rest[:first]):
        last.add(Round(last.whole().ended, tuple(rest[:first])))
    return last


def _worked(steps: Iterable[Step]) -> bool:
    return any(isinstance(step, Said | Used) for step in steps)


def _begun(prompt_id: str | None, stop: Round, between: Sequence[Step]) -> _Pursued:
    """From the person's last words on; what came before them was not supervised."""
    asked = [(n, step) for n, step in enumerate(between) if isinstance(step, Asked) and step.begins]
    own = [(n, step) for n, step in asked if step.prompt_id == prompt_id]
    if not asked:
        request = _Pursued(prompt_id, "")
        request.add(replace(stop, begun=between[0].at if between else stop.begun, steps=tuple(between)))
        return request
    number, first = (own or asked)[-1]
    request = _Pursued(prompt_id or first.prompt_id, first.text)
    request.add(replace(stop, begun=first.at, steps=tuple(between[number + 1 :])))
    return request


def _length(each: Round) -> int:
    """Of what the story tells; the steps are the transcript's, which is read within bounds."""
    told = sum(map(_length_of_review, each.reviews)) + sum(map(len, each.troubles)) + len(each.last_message)
    match each.decision:
        case SentBack(feedback=text) | Allowed(why=text):
            return told + len(text)
    return told


def _length_of_review(review: Reviewed) -> int:
    return len(review.feedback) + len(review.why) + sum(len(remark.text) for remark in review.remarks)


def _plain(text: str) -> str:
    return " ".join(clean(head(text, 10_000)).split())[:2000]


def _stops(told: Iterable[Event]) -> Iterator[tuple[str | None, Round]]:
    """Each as soon as the next one begins."""
    current: _Open | None = None
    for event in told:
        at = event.at.timestamp() if event.at else 0.0
        if isinstance(event, Stopped):
            waited = current.entries if current and current.is_underway else _Entries()
            yield from _ended(current if current and not current.is_underway else None)
            current = replace(_invoked(at, event), entries=waited)
        elif isinstance(event, TOLD):
            if current is None or current.round.decision is not None:
                yield from _ended(current)
                current = _Open(round=Round(at))
            _take(current, at, event)
    yield from _ended(current)


def _ended(stop: _Open | None) -> Iterator[tuple[str | None, Round]]:
    whole = stop.whole() if stop else None
    if stop and whole and whole != Round(whole.begun):
        yield stop.prompt_id, whole


def _invoked(at: float, event: Stopped) -> _Open:
    stop = Round(
        begun=at, stop=at, count=event.count, limit=event.limit or 0, last_message=_text(event.last_message or "")
    )
    return _Open(event.prompt_id, stop)


TOLD = (
    ReviewStarted
    | ReviewerSaid
    | ReviewerUsed
    | AskedAgain
    | Judged
    | NotJudged
    | events.Checked
    | Trouble
    | Interfered
    | HeldUp
    | WentOn
    | Changed
    | events.SentBack
    | StopAllowed
)


def _take(stop: _Open, at: float, event: Event) -> None:
    """What happened between a Stop and its decision."""
    match event:
        case ReviewStarted(engine, model, judge):
            stop.begin(Reviewed(at, model=_text(model or ""), engine=_text(engine), judge=_text(judge or "")))
        case ReviewerSaid(text):
            _remarked(stop, Remark(at, _text(text)))
        case ReviewerUsed(tool, on):
            _remarked(stop, Remark(at, _text(on or ""), _text(tool) or "?"))
        case AskedAgain():
            stop.review = replace(stop.reviewing(at), asked_again=True)
        case Judged(allowed, feedback, cost, tokens, cached):
            told = _text(feedback)
            _judged(stop, at, allow_stop=allowed, feedback=told, cost_usd=cost, tokens=tokens, cached=cached)
            _answered(stop, event.model)
        case NotJudged(why, cost, tokens, cached):
            _judged(stop, at, why=_text(why), cost_usd=cost, tokens=tokens, cached=cached)
            _answered(stop, event.model)
        case events.Checked(command, passed, code, seconds):
            check = Checked(at, _text(command), passed, code, seconds or 0.0)
            stop.entries.checks.add(check, len(check.command))
        case Trouble(why):
            stop.entries.troubles.add(_text(why), len(_text(why)))
        case HeldUp() | Changed():
            stop.entries.held(at, replace(event, said=_text(event.said)))
        case WentOn(seconds):
            stop.entries.went_on(seconds)
        case Interfered(what):
            stop.entries.troubles.add(what or "", len(what or ""))
        case events.SentBack(feedback=feedback):
            stop.round = replace(stop.round, decision=SentBack(at, event.sender, _text(feedback)))
        case StopAllowed(outcome, why):
            stop.round = replace(stop.round, decision=Allowed(at, outcome, _text(why), event.bill))


def _answered(stop: _Open, model: str | None) -> None:
    """The model that was asked for is not always the one that answers."""
    if stop.review and model:
        stop.review = replace(stop.review, model=_text(model))


def _remarked(stop: _Open, remark: Remark) -> None:
    if remark.tool != "StructuredOutput":  # the verdict itself, which has an event of its own
        stop.reviewing(remark.at)
        stop.remarks.add(remark, len(remark.text))


def _judged(stop: _Open, at: float, **told: object) -> None:
    stop.review = replace(stop.reviewing(at), ended=at, **told)


def _text(text: str) -> str:
    return capped(text, TEXT)
