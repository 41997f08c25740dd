"""supervise(): the person's word, limits, checks, the gate, then a review; one Decision out.

Rule: knows no mode and starts no process; a count is on disk before anything is spent, and what costs nothing comes
before what costs money.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from ccc.base.errors import CccError
from ccc.base.text import capped
from ccc.evidence import wording
from ccc.evidence.facts import Evidence
from ccc.judging import caps, checks, gate
from ccc.judging.brief import Brief
from ccc.judging.checks import Interrupted, Ran
from ccc.judging.report import Report
from ccc.model import AllowStop, Decision, KeepWorking, Outcome, Review, StopEvent, Unreviewed, Verdict
from ccc.providers.config import SupervisorOptions
from ccc.record import outside, request
from ccc.record.outside import Kind
from ccc.record.request import Phase, Request
from ccc.record.state import Session, SessionStore

Reviewing = Callable[[StopEvent, Brief], Review]
OFF = {
    Kind.OFF: "switched off by the person",
    Kind.OFF_INSIDE: "switched off from inside the client (the agent or you with !)",
    Kind.OFF_BY_HAND: "switched off by a file nobody's ccc wrote",
}


@dataclass(frozen=True, slots=True)
class Supervisor:
    """What one Stop is decided with."""

    store: SessionStore
    review: Reviewing
    report: Report
    options: SupervisorOptions
    examine: Callable[[StopEvent], Evidence | None] = lambda _: None
    check: Callable[[StopEvent], tuple[Ran, ...]] = lambda _: ()
    off: Callable[[StopEvent], Kind | None] = lambda _: None
    about: Mapping[str, object] = field(default_factory=dict)  # mode, provider, project …, for whoever looks later
    clock: Callable[[], float] = time.monotonic

    def supervise(self, stop: StopEvent) -> Decision:
        try:
            decision = self._decided(stop)
        except CccError as error:  # without a count there is no fuse, so nothing may be spent
            decision = self._without_verdict(str(error))
        return self.report.decided(stop, self._with_what_is_untold(stop, decision))

    def _decided(self, stop: StopEvent) -> Decision:
        off = self.off(stop)
        if off:
            return self._switched_off(stop, off)
        evidence = self.examine(stop)
        session = self._admitted(stop, evidence)
        self.report.stopped(stop, session.count, self.options.max_iterations)
        self.report.examined(stop, evidence)
        current = request.of(session)
        match current.phase:
            case Phase.WAITING:
                decision: Decision = AllowStop(None, "background work", self.report.notices.waiting(stop.tasks))
            case Phase.DONE:
                decision = AllowStop(Outcome.LIMIT, current.reason)
            case _:
                decision = self._noticed(stop, self._tried(stop, current, evidence), evidence)
        return self._settled(stop, decision, evidence)

    def _switched_off(self, stop: StopEvent, kind: Kind) -> Decision:
        self._noted(stop, lambda old: replace(old, extra=outside.noticed(old.extra, kind, self.store.now())))
        return self._settled(stop, AllowStop(Outcome.OFF, OFF[kind]), None)

    def _with_what_is_untold(self, stop: StopEvent, decision: Decision) -> Decision:
        """What was done from outside, said in the client once a session, and kept for the next start of ccc."""
        try:
            session = self.store.load(stop.session_id)
        except CccError:  # the next Stop will hear of it
            return decision
        untold = outside.untold(session.extra) if session else ()
        if not untold:
            return decision
        for kind in untold:
            self.report.interfered(stop, kind)
        self._noted(stop, lambda old: replace(old, extra=outside.told(old.extra)))
        notices = [self.report.notices.interference(kind) for kind in untold]
        return replace(decision, notice="\n".join([*notices, *([decision.notice] if decision.notice else [])]))

    def _noted(self, stop: StopEvent, change: Callable[[Session], Session]) -> None:
        try:
            self.store.update(stop.session_id, change)
        except CccError as error:  # the decision does not depend on it
            self.report.trouble(stop, str(error))

    def _admitted(self, stop: StopEvent, evidence: Evidence | None) -> Session:
        def change(old: Session) -> Session:
            known = replace(old, extra={**old.extra, **self.about})
            return admit(trusted(known, self.options), stop, self.options, evidence, self.store.now())

        return self.store.update(stop.session_id, change)

    def _tried(self, stop: StopEvent, current: Request, evidence: Evidence | None) -> Decision:
        try:
            return self._judged(stop, current, evidence)
        except CccError as error:  # no client, unusable criteria …: an end like any other, and told as one
            return self._without_verdict(str(error))

    def _judged(self, stop: StopEvent, current: Request, evidence: Evidence | None) -> Decision:
        """What is free first: the project's own checks, then the gate, then the reviewer."""
        try:
            ran = self.check(stop)
        except Interrupted:
            return AllowStop(Outcome.INTERRUPTED, "interrupted while a check ran")
        for each in ran:
            self.report.checked(stop, each)
        lang = _language(evidence) or self.report.notices.lang
        failed = next((each for each in ran if not each.passed), None)
        if failed:
            return KeepWorking(checks.feedback(failed, lang), by="check")
        objection = self._objection(stop, current, evidence, proved=bool(ran))
        if objection:
            return KeepWorking(objection.feedback, by=f"gate {objection.rule.value}")
        opinion = self._reviewed(stop, Brief(current.findings, evidence, ran), evidence)
        return self._after(opinion, current, evidence)

    def _objection(
        self, stop: StopEvent, current: Request, evidence: Evidence | None, *, proved: bool
    ) -> gate.Objection | None:
        """What the evidence alone forbids. A check that ccc ran and saw pass proves more than what the agent ran."""
        if evidence is None or self.options.gate == "off" or proved:
            return None
        return gate.objection(evidence, spoken=current.gates, permission_mode=stop.permission_mode)

    def _reviewed(self, stop: StopEvent, brief: Brief, evidence: Evidence | None) -> Verdict | Unreviewed:
        """The reviewer's opinion; a crashed one gets a second try, which counts like the first."""
        opinion = self._paid(stop, self.review(stop, brief))
        if not (isinstance(opinion, Unreviewed) and opinion.crashed):
            return opinion
        again = request.of(self._admitted(stop, evidence)).phase is Phase.REVIEWING
        return self._paid(stop, self.review(stop, brief)) if again else opinion

    def _paid(self, stop: StopEvent, review: Review) -> Verdict | Unreviewed:
        """Book what the review cost, whatever came of it."""
        self.report.reviewed(stop, review)
        self._noted(stop, lambda old: book(old, review))  # without it the count is stored all the same
        return review.opinion

    def _after(self, opinion: Verdict | Unreviewed, current: Request, evidence: Evidence | None) -> Decision:
        match opinion:
            case Unreviewed(why, interrupted=True):
                return AllowStop(Outcome.INTERRUPTED, why)
            case Unreviewed(why):
                return self._without_verdict(why)
            case Verdict(allow_stop=True):
                return AllowStop(Outcome.COMPLETED, "the reviewer is satisfied")
            case Verdict(feedback=feedback) if opinion.needs_human or stagnates(opinion, current, evidence):
                return AllowStop(Outcome.NEEDS_HUMAN, feedback, self.report.notices.needs_human(feedback))
            case Verdict(feedback=feedback):
                return KeepWorking(feedback)

    def _noticed(self, stop: StopEvent, decision: Decision, evidence: Evidence | None) -> Decision:
        """The last block says that it is the last; with `notify` each one says where things stand."""
        if not isinstance(decision, KeepWorking):
            return decision
        try:
            session = self.store.load(stop.session_id)
        except CccError:  # the next Stop will hear of it
            return decision
        words, options = self.report.notices, self.options
        now = self.store.now()
        reached = caps.reached(session, request.of(session), options, stop, evidence, now) if session else ""
        if reached:
            return replace(decision, notice=words.last_block(reached))
        count = session.count if session else 0
        return replace(decision, notice=words.block(count, options.max_iterations)) if options.notify else decision

    def _without_verdict(self, why: str) -> AllowStop:
        return _unreviewed(why, self.store, self.report)

    def _settled(self, stop: StopEvent, decision: Decision, evidence: Evidence | None) -> Decision:
        self._noted(stop, lambda old: conclude(old, decision, evidence, self.clock()))
        return decision


def given_up(stop: StopEvent, why: str, *, store: SessionStore, report: Report) -> Decision:
    """The end of a Stop that could not even be looked at: one without a verdict, kept and told as such."""
    decision = _unreviewed(why, store, report)
    try:
        # Not a decision that another hook of the same Stop would be too late for: that one may have understood it.
        store.update(stop.session_id, lambda old: conclude(old, decision, None, request.of(old).decided_at))
    except CccError as error:
        report.trouble(stop, str(error))
    return report.decided(stop, decision)


def _unreviewed(why: str, store: SessionStore, report: Report) -> AllowStop:
    return AllowStop(Outcome.UNREVIEWED, why, report.notices.not_reviewed(why, store.log_path))


def trusted(session: Session, options: SupervisorOptions) -> Session:
    """The session to go on with: a count that was changed outside may not end the reviews, so one more is left."""
    if not session.foreign and session.extra.get(outside.DOUBTED) is not True:
        return session
    extra = {key: value for key, value in session.extra.items() if key != outside.DOUBTED}
    return replace(session, count=min(session.count, options.max_iterations - 1), extra=extra)


def admit(
    session: Session, stop: StopEvent, options: SupervisorOptions, evidence: Evidence | None, now: datetime
) -> Session:
    """Let the Stop wait, end it at a limit, or count it."""
    session = _same_request(session, stop)
    current = request.of(session)
    fresh = tuple(task.id for task in stop.tasks if task.id not in current.tasks)
    current = replace(current, tasks=(*current.tasks, *fresh), outcome=None, reason="")
    if fresh:
        return request.into(session, replace(current, phase=Phase.WAITING))
    reached = caps.reached(session, current, options, stop, evidence, now)
    if reached:
        return request.into(session, replace(current, phase=Phase.DONE, outcome=Outcome.LIMIT, reason=reached))
    return request.into(replace(session, count=session.count + 1), replace(current, phase=Phase.REVIEWING))


def book(session: Session, review: Review) -> Session:
    current = request.of(session)
    return request.into(
        session,
        replace(
            current,
            cost_usd=current.cost_usd + review.cost_usd,
            tokens=current.tokens + review.tokens,
            last_cost_usd=review.cost_usd,
            last_tokens=review.tokens,
        ),
    )


def stagnates(verdict: Verdict, current: Request, evidence: Evidence | None) -> bool:
    """The same findings twice running, and no tool was used in between: more rounds would change nothing."""
    if evidence is None or not current.findings or len(evidence.tools) != current.tool_calls:
        return False
    # The state keeps no more of a finding than this.
    said, before = (capped(text, request.FINDING_LENGTH) for text in (verdict.feedback, current.findings[-1]))
    return verdict.unchanged or _folded(said) == _folded(before)


def conclude(session: Session, decision: Decision, evidence: Evidence | None, now: float) -> Session:
    """Write the decision into the story of the request."""
    current = request.of(session)
    match decision:
        case KeepWorking(feedback, by="reviewer"):
            used = len(evidence.tools) if evidence else current.tool_calls
            current = replace(current, findings=(*current.findings, feedback), tool_calls=used)
        case KeepWorking(by=by) if by.startswith("gate "):
            current = replace(current, gates=(*current.gates, by.removeprefix("gate ")))
    match decision:
        case KeepWorking():
            current = replace(current, phase=Phase.WORKING)
        case AllowStop(outcome=None):
            current = replace(current, phase=Phase.WAITING)
        case AllowStop(outcome, why):
            current = replace(current, phase=Phase.DONE, outcome=outcome, reason=why)
    interrupted = isinstance(decision, AllowStop) and decision.outcome is Outcome.INTERRUPTED
    # Nobody heard an interrupted answer, so the next hook is not late.
    return request.into(session, replace(current, decided_at=current.decided_at if interrupted else now))


def _language(evidence: Evidence | None) -> str | None:
    """The language of the request, which feedback follows."""
    if evidence is None or not evidence.request:
        return None
    return "zh" if wording.is_chinese(evidence.request) else "en"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _same_request(session: Session, stop: StopEvent) -> Session:
    """A new prompt id is a new request of the user: it starts at 1 and knows nothing of the last one's findings."""
    if stop.prompt_id is None or stop.prompt_id == session.prompt_id:
        return session
    if session.prompt_id is None:
        return replace(session, prompt_id=stop.prompt_id)
    fresh = Request(decided_at=request.of(session).decided_at)
    return request.into(replace(session, prompt_id=stop.prompt_id, count=0), fresh)
