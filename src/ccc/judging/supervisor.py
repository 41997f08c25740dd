"""supervise(): the person's word, limits, checks, the gate, then a review; one Decision out.

Rule: knows no mode and starts no process; a count is on disk before anything is spent, and what costs nothing comes
before what costs money.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.base.messages import Message, msg
from ccc.base.text import capped
from ccc.evidence import briefing, wording
from ccc.evidence.facts import Evidence
from ccc.evidence.past import Past
from ccc.judging import caps, checks, gate
from ccc.judging.checks import Interrupted
from ccc.judging.report import Report
from ccc.model import (
    AllowStop,
    ByCheck,
    ByGate,
    ByReviewer,
    Decision,
    KeepWorking,
    Outcome,
    Ran,
    Review,
    StopEvent,
    Switch,
    Tally,
    Unreviewed,
    Verdict,
)
from ccc.providers.config import SupervisorOptions
from ccc.record.outside import Kind
from ccc.record.session import FINDING_LENGTH, About, Phase, Request, Session, Taken
from ccc.record.store import Memory, SessionStore
from ccc.record.words import GONE_ON

OFF = {
    Kind.OFF: msg("switched off by the person"),
    Kind.OFF_INSIDE: msg("switched off from inside the client (the agent or you with !)"),
    Kind.OFF_BY_HAND: msg("switched off by a file nobody's ccc wrote"),
}


PATIENCE_SECONDS = 300.0  # a build that the agent waits for is younger at its stop; a dev server often is not


class Brief(Struct, frozen=True):
    """What a reviewer is told beyond the conversation."""

    findings: tuple[str, ...] = ()  # of earlier reviews of this request
    evidence: Evidence | None = None
    checks: tuple[Ran, ...] = ()

    def facts(self, lang: str) -> str:
        """What the tools did, and what ccc saw pass."""
        shown = [briefing.facts(self.evidence, lang)] if self.evidence else []
        return "\n".join([*shown, *(f"- {line}" for line in checks.facts(self.checks, lang))])


Reviewing = Callable[[StopEvent, Brief], Review]


class Supervisor(Struct, frozen=True):
    """What one Stop is decided with. `memory` is the session's, read when the Stop began."""

    memory: Memory
    review: Reviewing
    report: Report
    options: SupervisorOptions
    others: Sequence[Reviewing] = ()  # asked one after another, as long as everybody before would let the agent stop
    examine: Callable[[StopEvent], Evidence | None] = lambda _: None
    check: Callable[[StopEvent], tuple[Ran, ...]] = lambda _: ()
    off: Callable[[StopEvent], Kind | None] = lambda _: None
    typed: Callable[[], str] = lambda: ""  # what waits until the agent has stopped
    overtaken: Callable[[], str] = lambda: ""  # why nobody is to hear the verdict any more: it came too late
    gone_on: Callable[[], bool] = lambda: False  # whether the agent has begun anything since its stop
    unseen: Callable[[], str] = lambda: ""  # why whoever went on with the conversation has not seen this stop
    earlier: Callable[[], Past] = Past  # what the requests before this one show
    closed: Callable[[], bool] = lambda: False  # whether nobody sends the agent on any more: a tool has ended the turn
    attended: Callable[[], bool] = lambda: True  # whether there is somebody who can interrupt
    outlived: Callable[[], bool] = lambda: False  # waits a while: whether the background work goes on all the same
    about: About = About()
    clock: Callable[[], float] = time.monotonic
    begun: float = 0.0  # when whoever decides was started, by the same clock

    def supervise(self, stop: StopEvent) -> Decision:
        try:
            off = self.off(stop)
            evidence = None if off else self.examine(stop)
            stop = self._of_request(stop, evidence)
            decision = self._switched_off(stop, off) if off else self._ruled(stop, evidence)
        except CccError as error:  # without a count there is no fuse, so nothing may be spent
            return self.report.decided(stop, self._with_what_is_untold(stop, self._without_verdict(error.message)))
        decision = self._with_what_is_untold(stop, self._with_what_is_unmeasured(stop, decision, evidence))
        self._settle(stop, decision, evidence)
        return self.report.decided(stop, decision, None if off else self.memory.session.bill)

    def _of_request(self, stop: StopEvent, evidence: Evidence | None) -> StopEvent:
        """A turn that nobody asked for (a build has ended, a cron is due) is part of the request before it."""
        if not (evidence and evidence.goes_on):
            return stop
        if evidence.goes_on == self.memory.session.prompt_id:
            self.memory.session = woken(self.memory.session)
        return replace(stop, prompt_id=evidence.goes_on)

    def _ruled(self, stop: StopEvent, evidence: Evidence | None) -> Decision:
        return self._billed(stop, self._left_to_person(stop) or self._decided(stop, evidence), evidence)

    def _decided(self, stop: StopEvent, evidence: Evidence | None) -> Decision:
        self._tell_waits_used(stop)
        session = self._admitted(stop, evidence)
        if session.request.phase is Phase.WAITING and self.outlived():
            session = self._admitted(stop, evidence)
        self.report.stopped(stop, session.count, self.options.max_iterations, self.about.provider)
        self.report.examined(stop, evidence)
        match session.request.phase:
            case Phase.WAITING:
                return AllowStop(None, "background work", self.report.notices.waiting(stop.tasks))
            case Phase.DONE:
                return AllowStop(Outcome.LIMIT, session.request.reason)
            case _:
                return self._noticed(stop, self._timely(self._tried(stop, evidence)), evidence)

    def _tell_waits_used(self, stop: StopEvent) -> None:
        current = same_request(self.memory.session, stop).request
        if not caps.has_waits(current, self.options) and any(task.id not in current.tasks for task in stop.tasks):
            why = msg(
                "background work was waited for {count} times in this request, so this stop counts", count=current.waits
            )
            self.report.trouble(stop, why)

    def _billed(self, stop: StopEvent, decision: Decision, evidence: Evidence | None) -> Decision:
        """With the agent's cost, and with the closing word of a request that ends here without one."""
        self.memory.session = session = _charged(self.memory.session, stop, evidence)
        words, bill = self.report.notices, session.bill
        decision = self._with_what_is_uncounted(stop, decision)
        match decision:
            case AllowStop(Outcome.COMPLETED):
                return replace(decision, closing=words.completed(bill, self.options.max_iterations))
            case AllowStop(Outcome.LIMIT, why):
                return replace(decision, closing=words.ended_at_limit(why, bill))
            case _:
                return decision

    def _with_what_is_uncounted(self, stop: StopEvent, decision: Decision) -> Decision:
        why = caps.uncounted(self.memory.session.request, self.options)
        if not why:
            return decision
        self.report.trouble(stop, why)
        return _also(decision, self.report.notices.from_ccc(why))

    def _switched_off(self, stop: StopEvent, kind: Kind) -> Decision:
        session, now = same_request(self.memory.session.known_as(self.about), stop), self.memory.store.now()
        current = replace(session.request, agent_cost_usd=caps.agent_cost(session.request, stop, None))
        self.memory.session = replace(session, request=current, outside=session.outside.noticed(kind, now))
        return AllowStop(Outcome.OFF, OFF[kind])

    def _left_to_person(self, stop: StopEvent, found: str = "") -> Decision | None:
        """Whoever has typed something has the word: the client would keep it back as long as the agent is sent on."""
        typed = self.typed()
        if not typed:
            return None
        self.memory.session = same_request(self.memory.session.known_as(self.about), stop)
        why = msg("you had typed something that goes first")
        return AllowStop(Outcome.INTERRUPTED, why, self.report.notices.yours(typed, found))

    def _admitted(self, stop: StopEvent, evidence: Evidence | None) -> Session:
        """On disk before anything is spent."""
        known = trusted(self.memory.session.known_as(self.about), self.options)
        admitted = admit(known, stop, self.options, evidence, self.memory.store.now())
        return self.memory.keep(_charged(admitted, stop, evidence))

    def _with_what_is_untold(self, stop: StopEvent, decision: Decision) -> Decision:
        """What was done from outside, said in the client once a session, and kept for the next start of ccc."""
        self.memory.look()
        session = self.memory.session
        untold = session.outside.untold
        if not untold:
            return decision
        for kind in untold:
            self.report.interfered(stop, kind)
        self.memory.session = replace(session, outside=session.outside.all_told())
        notices = [self.report.notices.interference(kind) for kind in untold]
        return _also(decision, *notices)

    def _with_what_is_unmeasured(self, stop: StopEvent, decision: Decision, evidence: Evidence | None) -> Decision:
        """A limit that may not hold, because nobody can read all that counts for it."""
        names = caps.unmeasured(self.memory.session.request, self.options, stop, evidence)
        if not names or (isinstance(decision, AllowStop) and decision.outcome is Outcome.OFF):
            return decision
        why = msg(
            "the conversation cannot be read as far as this request reaches, so more may be used than {caps} allows",
            caps=", ".join(names),
        )
        return _also(decision, self.report.notices.from_ccc(why))

    def _settle(self, stop: StopEvent, decision: Decision, evidence: Evidence | None) -> None:
        try:
            settled = conclude(self.memory.session, decision, evidence, self.clock(), self.memory.store.now())
            kept = replace(settled.request, decider_begun=self.begun, unattended=not self.attended())
            self.memory.keep(replace(settled, request=kept))
        except CccError as error:  # the decision does not depend on it
            self.report.trouble(stop, error.message)

    def _tried(self, stop: StopEvent, evidence: Evidence | None) -> Decision:
        try:
            return self._judged(stop, evidence)
        except CccError as error:  # no client, unusable criteria …: an end like any other, and told as one
            return self._without_verdict(error.message)

    def _judged(self, stop: StopEvent, evidence: Evidence | None) -> Decision:
        """What is free first: the project's own checks, then the gate, then the reviewer."""
        try:
            ran = self.check(stop)
        except Interrupted:
            return AllowStop(Outcome.INTERRUPTED, msg("interrupted while a check ran"))
        places = {each.folder for each in ran}
        for each in ran:
            self.report.checked(stop, each, placed=len(places) > 1)
        failed = next((each for each in ran if each.failed), None)
        decision = self._failed(failed, evidence) if failed else self._opined(stop, ran, evidence)
        return self._unproved(decision, [checks.cannot_run(each) for each in ran if each.impossible])

    def _failed(self, ran: Ran, evidence: Evidence | None) -> Decision:
        """Back to work; the same failure again, with nothing done about it, is the person's."""
        feedback = checks.feedback(ran, _language(evidence) or self.report.notices.lang)
        before = self.memory.session.request
        if _idle_since(before.failure_tool_calls, evidence) and checks.likeness(feedback) == before.failure:
            return AllowStop(Outcome.NEEDS_HUMAN, feedback, self.report.notices.needs_human(feedback))
        return KeepWorking(feedback, ByCheck())

    def _opined(self, stop: StopEvent, ran: tuple[Ran, ...], evidence: Evidence | None) -> Decision:
        before = self.memory.session.request
        objection = self._objection(stop, before, evidence, proved=any(each.passed for each in ran))
        if objection:
            return KeepWorking(objection.feedback, ByGate(objection.rule))
        return self._after(self._reviewed(stop, Brief(before.findings, evidence, ran), evidence), before, evidence)

    def _unproved(self, decision: Decision, reasons: Sequence[Message]) -> Decision:
        """A check that cannot be run blocks nothing, and nothing is complete without it; the person is told."""
        if not reasons:
            return decision
        if isinstance(decision, AllowStop) and decision.outcome is Outcome.COMPLETED:
            decision = replace(decision, outcome=Outcome.UNREVIEWED, why=reasons[0])
        notices = [self.report.notices.from_ccc(reason) for reason in reasons]
        return _also(decision, *notices)

    def _objection(
        self, stop: StopEvent, current: Request, evidence: Evidence | None, *, proved: bool
    ) -> gate.Objection | None:
        """What the evidence alone forbids. A check that ccc ran and saw pass proves more than what the agent ran."""
        if evidence is None or self.options.gate is Switch.OFF or proved:
            return None
        return gate.objection(
            evidence, spoken=current.gates, permission_mode=stop.permission_mode, earlier=self.earlier
        )

    def _reviewed(self, stop: StopEvent, brief: Brief, evidence: Evidence | None) -> Verdict | Unreviewed:
        """The first objection of those who judge, or that nobody has any; each one's review counts."""
        opinion = self._judgement(stop, brief, evidence, self.review)
        for review in self.others:
            if not (isinstance(opinion, Verdict) and opinion.allow_stop):
                break
            if not self._has_room(stop, evidence):
                return Unreviewed(msg("the first judge was content, and the limit leaves no review for the next one"))
            opinion = self._judgement(stop, brief, evidence, review)
        return opinion

    def _judgement(
        self, stop: StopEvent, brief: Brief, evidence: Evidence | None, review: Reviewing
    ) -> Verdict | Unreviewed:
        """One reviewer's opinion; a crashed one gets a second try, which counts like the first."""
        opinion = self._paid(stop, review(stop, brief))
        if not (isinstance(opinion, Unreviewed) and opinion.crashed):
            return opinion
        return self._paid(stop, review(stop, brief)) if self._has_room(stop, evidence) else opinion

    def _has_room(self, stop: StopEvent, evidence: Evidence | None) -> bool:
        """Whether one more review may be held; then it is counted."""
        return self._admitted(stop, evidence).request.phase is Phase.REVIEWING

    def _paid(self, stop: StopEvent, review: Review) -> Verdict | Unreviewed:
        """Book what the review cost, whatever came of it."""
        self.report.reviewed(stop, review)
        self.memory.session = book(self.memory.session, review)
        return review.opinion

    def _after(self, opinion: Verdict | Unreviewed, before: Request, evidence: Evidence | None) -> Decision:
        match opinion:
            case Unreviewed(why, interrupted=True):
                return AllowStop(Outcome.INTERRUPTED, why)
            case Unreviewed(why):
                return self._without_verdict(why)
            case Verdict(allow_stop=True):
                return AllowStop(Outcome.COMPLETED, "the reviewer is satisfied")
            case Verdict(feedback=feedback) if opinion.needs_human or stagnates(opinion, before, evidence):
                return AllowStop(Outcome.NEEDS_HUMAN, feedback, self.report.notices.needs_human(feedback))
            case Verdict(feedback=feedback):
                return KeepWorking(feedback)

    def _noticed(self, stop: StopEvent, decision: Decision, evidence: Evidence | None) -> Decision:
        """The last block says that it is the last; with `notify` each one says where things stand."""
        if not isinstance(decision, KeepWorking):
            return decision
        yours = self._left_to_person(stop, decision.feedback)
        if yours:
            return _also(yours, decision.notice)
        words, options, session = self.report.notices, self.options, self.memory.session
        if self.closed():
            found = decision.feedback
            told = AllowStop(Outcome.NEEDS_HUMAN, found, words.ended_by_tool(found), besides=decision)
            return _also(told, decision.notice)
        reached = caps.reached(session, options, stop, evidence, self.memory.store.now())
        if reached:
            return _also(decision, words.last_block(reached))
        return (
            _also(decision, words.block(session.count, options.max_iterations)) if options.notify.blocks else decision
        )

    def _timely(self, decision: Decision) -> Decision:
        """A verdict on what is not the end of the conversation any more wakes nobody, and completes nothing; what was
        found is told. What calls for the person, and why nobody judged, stands: others can make a review late. An agent
        that is still at work itself comes to another stop, which is reviewed as well."""
        why = self.overtaken()
        match decision:
            case KeepWorking(feedback, notice=notice) if why:
                late = AllowStop(Outcome.INTERRUPTED, why, self.report.notices.too_late(why, feedback))
                return _also(late, notice)
            case AllowStop(Outcome.COMPLETED) if why:
                return AllowStop(Outcome.INTERRUPTED, why)
            case AllowStop(Outcome.COMPLETED) if self.gone_on():
                return replace(decision, outcome=None, why=GONE_ON)
            case AllowStop(Outcome.COMPLETED) if blind := self.unseen():
                return self._without_verdict(blind)
            case _:
                return decision

    def _without_verdict(self, why: str) -> AllowStop:
        return _unreviewed(why, self.report)


def _also(decision: Decision, *notices: str | None) -> Decision:
    """With these said first."""
    return replace(decision, notice="\n".join(filter(None, (*notices, decision.notice))) or None)


def given_up(stop: StopEvent, why: str, *, store: SessionStore, report: Report) -> Decision:
    """The end of a Stop that could not even be looked at: one without a verdict, kept and told as such."""
    decision = _unreviewed(why, report)
    try:
        # Not a decision that another hook of the same Stop would be too late for: that one may have understood it.
        store.update(stop.session_id, lambda old: conclude(old, decision, None, old.request.decided_at, store.now()))
    except CccError as error:
        report.trouble(stop, error.message)
    return report.decided(stop, decision)


def cut_off(stop: StopEvent, why: str, *, about: About, store: SessionStore, report: Report) -> AllowStop:
    """The end of a turn that was none of the agent's own: there is nothing to review, and nothing is counted."""
    decision = AllowStop(Outcome.UNREVIEWED, why, report.notices.cut_off(why))
    try:
        store.update(stop.session_id, lambda old: _cut_off(old.known_as(about), stop, decision, store.now()))
    except CccError as error:
        report.trouble(stop, error.message)
    report.decided(stop, decision)
    return decision


def _cut_off(session: Session, stop: StopEvent, decision: AllowStop, at: datetime) -> Session:
    session = same_request(session, stop)
    return conclude(session, decision, None, session.request.decided_at, at)


def _unreviewed(why: str, report: Report) -> AllowStop:
    return AllowStop(Outcome.UNREVIEWED, why, report.notices.not_reviewed(why, report.log.path))


def trusted(session: Session, options: SupervisorOptions) -> Session:
    """The session to go on with: a count that was changed outside may not end the reviews, so one more is left; nor
    does one that was taken away begin them anew."""
    if not session.outside.count_doubted:
        return session
    outside, most = replace(session.outside, count_doubted=False, count_lost=False), options.max_iterations - 1
    return replace(session, count=most if session.outside.count_lost else min(session.count, most), outside=outside)


def admit(
    session: Session, stop: StopEvent, options: SupervisorOptions, evidence: Evidence | None, now: datetime
) -> Session:
    """Let the Stop wait, end it at a limit, or count it."""
    session = same_request(session, stop)
    current = session.request
    fresh = tuple(task.id for task in stop.tasks if task.id not in current.tasks)
    current = replace(current, tasks=(*current.tasks, *fresh), outcome=None, reason="", limit=options.max_iterations)
    new = any(not _lives_on(task, evidence, now) for task in fresh)
    waits = new and caps.has_waits(current, options)
    reached = (
        caps.spent(current, options, stop, evidence, now)
        if waits
        else caps.reached(session, options, stop, evidence, now)
    )
    if waits and not reached:
        return replace(session, request=replace(current, phase=Phase.WAITING, waits=current.waits + 1))
    if reached:
        ended = replace(current, phase=Phase.DONE, outcome=Outcome.LIMIT, reason=reached)
        return replace(session, request=ended)
    return replace(session, count=session.count + 1, request=replace(current, phase=Phase.REVIEWING))


def _lives_on(task: str, evidence: Evidence | None, now: datetime) -> bool:
    """Whether this background work has run for so long that it may be a server, which no stop can wait for."""
    started = evidence.started.get(task) if evidence else None
    return started is not None and now.timestamp() - started >= PATIENCE_SECONDS


def _charged(session: Session, stop: StopEvent, evidence: Evidence | None) -> Session:
    """With what the agent has cost by now, which is known before its work is judged."""
    cost = caps.agent_cost(session.request, stop, evidence)
    by, tally = stop.cost_by or _agents(session, cost), _tallied(session.request, stop, evidence)
    return replace(session, request=replace(session.request, agent_cost_usd=cost, agent_cost_by=by, tally=tally))


def _tallied(current: Request, stop: StopEvent, evidence: Evidence | None) -> Tally:
    if evidence is None or evidence.tally is None or not evidence.complete:  # what comes late is read once more
        return current.tally
    # Where a client names no requests, several may count as one here.
    return evidence.tally.never_below(current.tally) if stop.prompt_id else evidence.tally


def _agents(session: Session, cost: float | None) -> dict[str, float]:
    """The agent's cost by provider, where a judge of another one has a part of the bill."""
    name = session.about.provider or "claude"
    return {name: cost} if cost and set(session.request.cost_by) - {name} else {}


def book(session: Session, review: Review) -> Session:
    current, agents = session.request, session.about.provider or "claude"
    cost_by = dict(current.cost_by)
    for judge, amount in (review.cost_by or {"": review.cost_usd}).items():
        cost_by[judge or agents] = cost_by.get(judge or agents, 0.0) + amount
    paid = replace(
        current,
        cost_usd=current.cost_usd + review.cost_usd,
        cost_by=cost_by,
        tokens=current.tokens + review.tokens,
        reviews=(*current.reviews, Taken(review.cached, review.tokens - review.cached)),
        last_cost_usd=review.cost_usd,
        price_usd=review.price_usd or current.price_usd,
        last_tokens=review.tokens,
    )
    return reduce(Session.reviewed_in, review.forks, replace(session, request=paid))


def stagnates(verdict: Verdict, current: Request, evidence: Evidence | None) -> bool:
    """The same findings twice running, and no tool was used in between: more rounds would change nothing."""
    if not current.findings or not _idle_since(current.tool_calls, evidence):
        return False
    # The state keeps no more of a finding than this.
    said, before = (capped(text, FINDING_LENGTH) for text in (verdict.feedback, current.findings[-1]))
    return verdict.unchanged or _folded(said) == _folded(before)


def _idle_since(tool_calls: int, evidence: Evidence | None) -> bool:
    """Whether the agent has surely used no tool since it had made so many calls."""
    return evidence is not None and evidence.whole and len(evidence.tools) == tool_calls


def conclude(session: Session, decision: Decision, evidence: Evidence | None, now: float, at: datetime) -> Session:
    """Write the decision into the story of the request; `now` is by the monotonic clock."""
    current = _decided(_heard(session.request, decision, evidence), decision, at)
    interrupted = isinstance(decision, AllowStop) and decision.outcome is Outcome.INTERRUPTED
    # Nobody heard an interrupted answer, so the next hook is not late.
    return replace(session, request=current if interrupted else replace(current, decided_at=now))


def _heard(current: Request, decision: Decision, evidence: Evidence | None) -> Request:
    """With what the agent is told, for whoever judges the next Stop."""
    used = len(evidence.tools) if evidence else current.tool_calls
    match decision:
        case AllowStop(besides=KeepWorking() as said):
            return _heard(current, said, evidence)
        case KeepWorking(feedback, by=ByReviewer()):
            return replace(current, findings=(*current.findings, feedback), tool_calls=used)
        case KeepWorking(feedback, by=ByCheck()):
            return replace(current, failure=checks.likeness(feedback), failure_tool_calls=used)
        case KeepWorking(by=ByGate(rule)):
            return replace(current, gates=(*current.gates, rule))
        case _:
            return current


def _decided(current: Request, decision: Decision, at: datetime) -> Request:
    match decision:
        case KeepWorking():
            return replace(current, phase=Phase.WORKING)
        case AllowStop(outcome=None):
            return replace(current, phase=Phase.WAITING)
        case AllowStop(outcome, why):
            return replace(current, phase=Phase.DONE, outcome=outcome, reason=why, ended_at=at.isoformat())


def _language(evidence: Evidence | None) -> str | None:
    """The language of the request, which feedback follows."""
    if evidence is None or not evidence.request:
        return None
    return "zh" if wording.is_chinese(evidence.request) else "en"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def woken(session: Session) -> Session:
    """What was complete begins anew at 1; what was not has only as many reviews as are left of it. Money and time are
    those of the person's request: nobody has allowed more since."""
    current = session.request
    if current.outcome is not Outcome.COMPLETED:
        return session
    anew = replace(current, findings=(), gates=(), tool_calls=0, failure="", failure_tool_calls=0)
    return replace(session, count=0, request=anew)


def same_request(session: Session, stop: StopEvent) -> Session:
    """A new prompt id is a new request of the user: it starts at 1 and knows nothing of the last one's findings."""
    if stop.prompt_id is None or stop.prompt_id == session.prompt_id:
        return session
    # An agent that was woken by feedback has a turn of its own, with another prompt id and the same request.
    if session.prompt_id is None or (stop.stop_hook_active and session.request.woken):
        return replace(session, prompt_id=stop.prompt_id)
    # Work that was there at a stop of an earlier request is no reason to wait either, and what a token costs is no
    # matter of the request.
    old = session.request
    tally = Tally(read=old.tally.read)
    fresh = Request(decided_at=old.decided_at, tasks=old.tasks, price_usd=old.price_usd, tally=tally)
    before = session.before.plus(session.bill)
    return replace(session, prompt_id=stop.prompt_id, count=0, request=fresh, before=before)
