"""The nouns that both modes share.

Rule: frozen values; nothing here knows files, processes or the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace


class Task(Struct, frozen=True):
    """Something the agent left running in the background."""

    id: str
    about: str


class StopEvent(Struct, frozen=True):
    """The agent wants to stop. `session_id` was checked when it came in."""

    session_id: str
    cwd: Path
    transcript: Path | None = None
    prompt_id: str | None = None
    last_message: str | None = None
    permission_mode: str | None = None
    stop_hook_active: bool = False
    tasks: tuple[Task, ...] = ()
    cost_usd: float | None = None  # of the agent for this request, where ccc hears of it
    cost_by: Mapping[str, float] = field(default_factory=dict)  # … and by provider
    tokens: int = 0  # … that it took, its subagents' as well, where ccc hears of them
    began: datetime | None = None  # when the person made the request, where that is known


class Aside(Struct, frozen=True, omit_defaults=True):
    """What one subagent has used for a request, as far as its own transcript was read."""

    read: int = 0  # bytes
    tokens: int = 0
    weight: float = 0.0  # as in Tally
    model: str = ""


class Tally(Struct, frozen=True, omit_defaults=True):
    """What the agent has used for a request, as far as its conversation was read; its subagents' are `asides`."""

    read: int = 0  # bytes; 0 where nothing was
    turn: str = ""  # the id of the one that was read last: some begin by themselves, and have another than the request
    tokens: int = 0
    weight: float = 0.0  # of the tokens of its last model, see claude/pricing.py
    model: str = ""
    began: float = 0.0  # when the person made it, in seconds since 1970; 0 where that is not told
    at_least: bool = False  # not all of it could be read
    asides: Mapping[str, Aside] = field(default_factory=dict)  # by the subagent's id

    @property
    def all_tokens(self) -> int:
        return self.tokens + sum(each.tokens for each in self.asides.values())

    def plus(self, tokens: int, weight: float, model: str) -> Tally:
        known = self.weight if model in ("", self.model) else 0.0
        return replace(self, tokens=self.tokens + tokens, weight=known + weight, model=model or self.model)

    def never_below(self, known: Tally) -> Tally:
        """What was used once stays used, whatever the conversation says of it now."""
        return replace(
            self,
            tokens=max(self.tokens, known.tokens),
            weight=max(self.weight, known.weight if self.model in ("", known.model) else 0.0),
            began=min(filter(None, (self.began, known.began)), default=0.0),
            at_least=self.at_least or known.at_least,
            asides=most(known.asides, self.asides),
        )


def most(known: Mapping[str, Aside], found: Mapping[str, Aside]) -> dict[str, Aside]:
    """What each subagent has used, by whichever of the two says more."""
    more = {name: each for name, each in found.items() if name not in known or each.tokens >= known[name].tokens}
    return {**known, **more}


class Verdict(Struct, frozen=True):
    """The reviewer's opinion. `feedback` is empty when the agent may stop."""

    allow_stop: bool
    feedback: str
    needs_human: bool = False
    unchanged: bool = False


class Unreviewed(Struct, frozen=True):
    """No verdict could be had. `why` is for the person; a crash is worth a second try, an answer is not."""

    why: str
    crashed: bool = False
    interrupted: bool = False


class Review(Struct, frozen=True):
    """One review that took place: what came of it and what it cost."""

    opinion: Verdict | Unreviewed
    cost_usd: float = 0.0
    tokens: int = 0
    price_usd: float = 0.0  # of a token of plain input, see claude/pricing.py; 0 when it was not told
    cached: int = 0  # of the tokens, those that the provider's cache has served
    model: str = ""  # that has answered, by its provider's own word
    cost_by: Mapping[str, float] = field(default_factory=dict)  # provider → its part; "" is the agent's own
    forks: tuple[str, ...] = ()  # the sessions in which it was held: one that was kept waiting has several

    def after(self, before: Review) -> Review:
        """With what was paid for before it came to this."""
        names = (*before.cost_by, *self.cost_by)
        parts = {name: before.cost_by.get(name, 0.0) + self.cost_by.get(name, 0.0) for name in names}
        return Review(
            self.opinion,
            before.cost_usd + self.cost_usd,
            before.tokens + self.tokens,
            self.price_usd or before.price_usd,
            before.cached + self.cached,
            self.model or before.model,
            parts,
            (*before.forks, *self.forks),
        )


class Share(Struct, frozen=True):
    """What one provider had of it."""

    provider: str = ""
    agent_usd: float = 0.0
    reviews_usd: float = 0.0


class Bill(Struct, frozen=True):
    """What a request has cost: two figures, because the caps count both and the person pays them for different things.

    `agent_usd` is None when nobody can tell; `at_least` when only a part of it could be counted.
    """

    stops: int
    reviews_usd: float
    agent_usd: float | None = None
    at_least: bool = False
    shares: tuple[Share, ...] = ()  # where more than one provider has worked

    @property
    def total_usd(self) -> float:
        return self.reviews_usd + (self.agent_usd or 0.0)


class Outcome(StrEnum):
    """How a request ended."""

    COMPLETED = "completed"
    LIMIT = "limit"
    UNREVIEWED = "unreviewed"
    NEEDS_HUMAN = "needs_human"
    OFF = "off"
    INTERRUPTED = "interrupted"


class Mode(StrEnum):
    """How the agent runs under ccc."""

    HOOKS = "hooks"
    PTY = "pty"


class Engine(StrEnum):
    """What runs a reviewer."""

    CLI = "cli"
    SDK = "sdk"


LONG_TOKENS = 20_000  # reading so much anew costs more than the second question that words may need


class Form(StrEnum):
    """How a reviewer is asked for its verdict: by a schema, in words, or as the length of the conversation has it."""

    AUTO = "auto"
    SCHEMA = "schema"
    TEXT = "text"

    def in_words(self, context: int) -> bool:
        """Whether a conversation of so many tokens is reviewed as the agent left it, so that the cache serves it."""
        return self is Form.TEXT or (self is Form.AUTO and context >= LONG_TOKENS)


class Juror(Struct, frozen=True):
    """Who judges: a provider, a model, or both; what is left open is the agent's own."""

    provider: str | None = None
    model: str | None = None

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.provider, self.model)))


OWN = Juror()


class Switch(StrEnum):
    ON = "on"
    OFF = "off"


class Check(Struct, frozen=True):
    """A command of the person's that proves something about the work."""

    command: str
    timeout: int = 300


class Ran(Struct, frozen=True):
    """What came of one check. `code` is None when it was not run to its end."""

    check: Check
    code: int | None
    output: str = ""
    seconds: float = 0.0
    why: str = ""  # why it has no code
    again: bool = True  # False: nothing has changed since it passed
    folder: str = "."  # where it ran

    @property
    def passed(self) -> bool:
        return self.code == 0

    @property
    def failed(self) -> bool:
        return not (self.passed or self.impossible)

    @property
    def impossible(self) -> bool:
        """The shell could not run it, which says nothing about the work: not found (127), not executable (126)."""
        return self.code in (126, 127)


class Rule(StrEnum):
    """What the gate objects to without asking a reviewer."""

    ONLY_ASKED = "P3"
    NOT_VERIFIED = "P4"
    FALSE_CLAIM = "P4-claim"
    CHECK_FAILED = "P5"


class Look(Struct, frozen=True):
    """What one rule of the gate made of a stop: it objects with these words, or is silent for this reason."""

    rule: Rule
    objects: bool
    words: str


class ByReviewer(Struct, frozen=True, tag=True):
    pass


class ByGate(Struct, frozen=True, tag=True):
    rule: Rule


class ByCheck(Struct, frozen=True, tag=True):
    pass


Sender = ByReviewer | ByGate | ByCheck


class AllowStop(Struct, frozen=True, tag=True):
    """`outcome` is None when the agent only waits; `notice` is what the person is told in the client.

    `closing` is the last word of a request that ended as it should: done, or at a limit. `besides` is what the agent is
    told all the same, by a client that lets it stop whatever is said: it finds it there when it goes on.
    """

    outcome: Outcome | None
    why: str
    notice: str | None = None
    closing: str | None = None
    besides: KeepWorking | None = None

    @property
    def told(self) -> str:
        """All of it, for whoever shows it; empty when there is nothing to say."""
        return "\n".join(filter(None, (self.notice, self.closing)))


class KeepWorking(Struct, frozen=True, tag=True):
    """`by` says who sends the agent on."""

    feedback: str
    by: Sender = ByReviewer()
    notice: str | None = None


Decision = AllowStop | KeepWorking
