"""One session as ccc remembers it: whose it is, the person's current request, what was done to it from outside.

Rule: frozen values, and the one place that knows how they are spelt in the session's file; what cannot be understood
there has its default, and fields of other versions survive a rewrite.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, TypeGuard, TypeVar

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from ccc.base.messages import record, recorded
from ccc.base.patterns import pattern
from ccc.base.text import capped, encodable
from ccc.base.values import plain, understood
from ccc.model import Bill, Mode, Outcome, Rule, Share, Tally
from ccc.record.outside import Interference

NEVER = datetime.fromtimestamp(0, UTC)
VERSION = 2  # 1, which wrote no version, spelt every field that it knew as this one does
FINDINGS_KEPT = 10
APART_KEPT = 20
FORKS_KEPT = 1000  # a client with more reviews than this has other worries
FINDING_LENGTH = 2_000
TASKS_KEPT = 100
MAX_COUNT = 1_000_000

_SESSION_ID = pattern(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")

Amount = Annotated[float, Meta(ge=0)]
Number = Annotated[int, Meta(ge=0)]
Told = TypeVar("Told", bound=Struct)


def valid_session_id(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and _SESSION_ID.match(text) is not None and ".." not in text


class Phase(StrEnum):
    WORKING = "working"
    REVIEWING = "reviewing"
    WAITING = "waiting"
    HELD_UP = "held_up"  # by the provider: a limit, an outage
    DONE = "done"


class About(Struct, frozen=True, omit_defaults=True):
    """Whose session it is, for whoever looks at it later."""

    mode: Mode | None = None
    provider: str | None = None
    project: str | None = None
    transcript: str | None = None
    criteria: str | None = None  # the copy of SUPERVISOR.md that holds; "" when there was none at the first Stop
    served: str | None = None  # under the plugin: which servers of the project its client might start, and which client
    # The process that called the last hook; 0 when that was none or nobody can tell. In pty mode ccc itself.
    client: int | None = None
    client_begun: str | None = None  # … by the kernel's own count: its number may be another's by now
    root: str | None = None  # the project of its first Stop, where no start has handed one over; see claude/ground.py
    answer: str | None = None  # of the agent, for which it was called; "" when the transcript did not tell which


class Taken(Struct, frozen=True):
    """The tokens of one review: those that the provider's cache has served, and the others, ten times as dear."""

    cached: Number = 0
    uncached: Number = 0


class Request(Struct, frozen=True):
    """What the person wants done, and what came of it so far."""

    phase: Phase = Phase.WORKING
    outcome: Outcome | None = None
    reason: str = ""
    limit: Number | None = None  # how many reviews it may have
    findings: tuple[str, ...] = ()  # what earlier reviews sent the agent back with
    tasks: tuple[str, ...] = ()  # background tasks seen at a Stop
    waits: Number = 0  # how often a Stop was none because of new ones
    cost_usd: Amount = 0.0  # of its reviews, as they reported it
    tokens: Number = 0
    reviews: tuple[Taken, ...] = ()  # what each of them took
    agent_cost_usd: Amount | None = None  # of the agent; None as long as nobody can tell
    agent_cost_by: Mapping[str, Amount] = field(default_factory=dict)  # … of it, what each provider had
    cost_by: Mapping[str, Amount] = field(default_factory=dict)  # … and of the reviews
    last_cost_usd: Amount = 0.0  # of the last review: what the next one will cost at the least
    last_tokens: Number = 0
    price_usd: Amount = 0.0  # of a token of plain input, as the last review told it
    gates: tuple[Rule, ...] = ()  # rules of the gate that have spoken
    tool_calls: Number = 0  # of the agent, when the reviewer last sent it back
    failure: str = ""  # the likeness of what a check last sent it back with
    failure_tool_calls: Number = 0  # … and the agent's tool calls by then
    held_by: str = ""  # weather's kind of what holds it up
    held_until: str = ""
    decided_at: Amount = 0.0  # monotonic clock of this boot; tells two hooks of one Stop apart from two Stops
    decider_begun: Amount = 0.0  # … and when the hook that decided was started
    ended_at: str = ""  # when it came to its outcome, whatever was written of it since
    woken: bool = False  # the feedback wakes the agent, in a turn with a prompt id of its own
    unattended: bool = False  # nobody can have interrupted: the client was gone, or is one in which nobody types
    untold: str = ""  # what the client did not show of a decision in the background
    tally: Tally = Tally()  # what the agent has used for it, by the conversation

    @property
    def shares(self) -> tuple[Share, ...]:
        """What each provider had of the cost, where there is more than one."""
        names = dict.fromkeys((*self.agent_cost_by, *self.cost_by))
        found = (Share(name, self.agent_cost_by.get(name, 0.0), self.cost_by.get(name, 0.0)) for name in names)
        return tuple(found) if len(names) > 1 else ()


class Before(Struct, frozen=True, omit_defaults=True):
    """What the person's earlier requests in this session have cost."""

    requests: Number = field(default=0, name="earlier_requests")
    agent_usd: Amount = field(default=0.0, name="earlier_agent_usd")
    reviews_usd: Amount = field(default=0.0, name="earlier_reviews_usd")
    at_least: bool = field(default=False, name="earlier_at_least")  # not all of the agent's could be counted

    def plus(self, bill: Bill) -> Before:
        return Before(
            self.requests + 1,
            round(self.agent_usd + (bill.agent_usd or 0.0), 6),
            round(self.reviews_usd + bill.reviews_usd, 6),
            self.at_least or bill.at_least or bill.agent_usd is None,
        )


class Apart(Struct, frozen=True):
    """The request of a client that shares the session, while another one's is the current one."""

    owner: str = ""
    prompt_id: str | None = None
    count: Number = 0
    request: Request = Request()


class Session(Struct, frozen=True):
    session_id: str
    count: int = 0
    created_at: datetime = NEVER
    updated_at: datetime = NEVER
    prompt_id: str | None = None
    about: About = About()
    request: Request = Request()
    before: Before = Before()
    outside: Interference = Interference()
    forks: tuple[str, ...] | None = ()  # the sessions of its reviewers; None where an earlier version kept no list
    owner: str = ""  # the client whose request this is; "" when nobody can tell
    apart: tuple[Apart, ...] = ()
    unknown: Mapping[str, object] = field(default_factory=dict)  # of other versions
    foreign: bool = False  # somebody else than ccc has changed the file

    @property
    def bill(self) -> Bill:
        """What the current request has cost so far."""
        # In hooks mode the agent's is counted from transcripts, which have no compactions.
        current, counted = self.request, self.about.mode is not Mode.PTY
        return Bill(self.count, current.cost_usd, current.agent_cost_usd, counted, current.shares)

    @property
    def ended(self) -> datetime:
        """When its last request came to an outcome; an earlier version has kept only when it last wrote."""
        return moment(self.request.ended_at) or self.updated_at

    @property
    def total(self) -> Bill:
        """What all its requests have cost so far."""
        whole = self.before.plus(self.bill)
        return Bill(whole.requests, whole.reviews_usd, whole.agent_usd, whole.at_least)

    def known_as(self, about: About) -> Session:
        """With what is said of it now; what is left open stays as it was."""
        said = {name: value for name, value in asdict(about).items() if value is not None}
        return replace(self, about=replace(self.about, **said))

    def owned_by(self, owner: str, lives: Callable[[str], bool]) -> Session:
        """With the request of this client. Two may work on one session, a person's or one that the agent has started:
        neither begins the other's anew, so each counts to its own end."""
        if owner == self.owner:
            return self
        shared = bool(self.owner) and lives(self.owner)
        found = next((each for each in self.apart if each.owner == owner), None)
        left = Apart(self.owner, self.prompt_id, self.count, self.request)
        others = [each for each in (*self.apart, *([left] if shared else ())) if each.owner != owner]
        known = replace(self, owner=owner, apart=tuple(each for each in others if lives(each.owner))[-APART_KEPT:])
        if not (found or shared):
            return known
        mine = found or Apart(owner, request=Request(tasks=self.request.tasks, price_usd=self.request.price_usd))
        before = self.before if shared else self.before.plus(self.bill)
        return replace(known, prompt_id=mine.prompt_id, count=mine.count, request=mine.request, before=before)

    def reviewed_in(self, fork: str) -> Session:
        """With the session of one more reviewer, which is none that anybody has to look at."""
        known = self.forks
        if known is None or fork in ("", self.session_id, *known) or not valid_session_id(fork):
            return self
        return replace(self, forks=(*known, fork)[-FORKS_KEPT:])

    def knowing(self, tasks: Iterable[str]) -> Session:
        """With background work that was there before: it outlives /clear, and is nothing to wait for."""
        known = self.request.tasks
        return replace(self, request=replace(self.request, tasks=tuple(dict.fromkeys((*known, *tasks)))))


class _Head(Struct, frozen=True):
    version: int = 1
    session_id: str = ""
    count: int = -1
    created_at: str = ""
    updated_at: str = ""
    prompt_id: str | None = None
    seal: str | None = None  # the store's
    sealed_at: int | None = None  # … too
    forks: tuple[str, ...] | None = None
    owner: str = ""
    apart: tuple[dict[str, object], ...] = ()


PARTS = (_Head, About, Request, Before, Interference)
REASON = "reason_as"  # the request's reason as a sentence, for another language
_NAMES = frozenset((REASON, *(name for part in PARTS for name in part.__struct_encode_fields__)))


def decoded(content: Mapping[str, object], now: datetime) -> Session | None:
    """The session that a file's content tells of; None when it is not one that ccc could have written."""
    head = understood(content, _Head)
    if not valid_session_id(head.session_id) or not 0 <= head.count <= MAX_COUNT:
        return None
    return Session(
        session_id=head.session_id,
        count=head.count,
        created_at=moment(head.created_at) or now,
        updated_at=moment(head.updated_at) or now,
        prompt_id=head.prompt_id,
        about=understood(content, About),
        request=_with_reason(_of_this_boot(understood(content, Request)), content.get(REASON)),
        before=understood(content, Before),
        outside=understood(content, Interference),
        forks=head.forks,
        owner=head.owner,
        apart=tuple(map(_apart, head.apart)),
        unknown={name: value for name, value in content.items() if name not in _NAMES},
    )


def encoded(session: Session) -> dict[str, object]:
    """The content of the session's file."""
    head = {
        "version": VERSION,
        "session_id": session.session_id,
        "count": session.count,
        "created_at": session.created_at.isoformat(),
        "updated_at": session.updated_at.isoformat(),
    }
    prompt = {} if session.prompt_id is None else {"prompt_id": session.prompt_id}
    told: dict[str, object] = {} if session.forks is None else {"forks": list(session.forks)}
    if session.owner:
        told["owner"] = session.owner
    if session.apart:
        told["apart"] = [plain(replace(each, request=_kept(each.request))) for each in session.apart]
    for part in (_spelt(session.about), _kept(session.request), session.before, session.outside):
        told |= plain(part)
    sentence = record(session.request.reason, _shortened(session.request.reason))
    if sentence:
        told[REASON] = sentence
    others = {name: value for name, value in session.unknown.items() if name not in _NAMES}
    return {**head, **prompt, **told, **others}


def _apart(stored: Mapping[str, object]) -> Apart:
    request = stored.get("request")
    bare = understood({name: value for name, value in stored.items() if name != "request"}, Apart)
    return replace(bare, request=_of_this_boot(understood(request if isinstance(request, dict) else {}, Request)))


def moment(stored: object) -> datetime | None:
    """A moment as a file tells it, in UTC."""
    try:
        found = datetime.fromisoformat(stored if isinstance(stored, str) else "")
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _of_this_boot(request: Request) -> Request:
    """A moment of the clock that lies ahead was another boot's."""
    return request if request.decided_at <= time.monotonic() else replace(request, decided_at=0.0)


def _with_reason(request: Request, told: object) -> Request:
    return replace(request, reason=recorded(request.reason, told))


def _spelt(told: Told) -> Told:
    """The name of a folder may hold what has no bytes in JSON."""
    return replace(told, **{name: encodable(value) for name, value in asdict(told).items() if isinstance(value, str)})


def _kept(request: Request) -> Request:
    """As much as the file keeps of it."""
    return replace(
        request,
        reason=_shortened(request.reason),
        untold=_shortened(request.untold),
        findings=tuple(map(_shortened, request.findings[-FINDINGS_KEPT:])),
        tasks=tuple(map(encodable, request.tasks[-TASKS_KEPT:])),
        reviews=request.reviews[-FINDINGS_KEPT:],
        cost_usd=round(request.cost_usd, 6),
        agent_cost_usd=None if request.agent_cost_usd is None else round(request.agent_cost_usd, 6),
        last_cost_usd=round(request.last_cost_usd, 6),
        agent_cost_by=_rounded(request.agent_cost_by),
        cost_by=_rounded(request.cost_by),
        tally=_spelt(request.tally),
    )


def _rounded(amounts: Mapping[str, float]) -> dict[str, float]:
    return {encodable(name): round(amount, 6) for name, amount in amounts.items()}


def _shortened(text: str) -> str:
    return capped(encodable(text), FINDING_LENGTH)
