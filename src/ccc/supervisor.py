"""supervise(): limits, then a review, then a Decision.

Rule: knows no mode and starts no process; a count is on disk before anything is spent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ccc import request
from ccc.errors import CccError
from ccc.model import AllowStop, Decision, KeepWorking, Outcome, Review, StopEvent, Unreviewed, Verdict
from ccc.report import Report
from ccc.request import Phase, Request
from ccc.state import Session, SessionStore

Reviewing = Callable[[StopEvent, Request], Review]


@dataclass(frozen=True, slots=True)
class Supervisor:
    """What one Stop is decided with."""

    store: SessionStore
    review: Reviewing
    report: Report
    limit: int
    about: Mapping[str, object] = field(default_factory=dict)  # mode, provider, project …, for whoever looks later
    clock: Callable[[], float] = time.monotonic

    def supervise(self, stop: StopEvent) -> Decision:
        try:
            session = self._admitted(stop)
        except CccError as error:  # without a count there is no fuse, so nothing may be spent
            return self.report.decided(stop, self._without_verdict(str(error)))
        self.report.stopped(stop, session.count, self.limit)
        return self.report.decided(stop, self._settled(stop, self._decision(stop, request.of(session))))

    def _admitted(self, stop: StopEvent) -> Session:
        def change(old: Session) -> Session:
            return admit(replace(old, extra={**old.extra, **self.about}), stop, self.limit)

        return self.store.update(stop.session_id, change)

    def _decision(self, stop: StopEvent, current: Request) -> Decision:
        match current.phase:
            case Phase.WAITING:
                return AllowStop(None, "background work", self.report.notices.waiting(stop.tasks))
            case Phase.DONE:
                return AllowStop(Outcome.LIMIT, current.reason)
            case _:
                return self._after(self._reviewed(stop, current))

    def _reviewed(self, stop: StopEvent, current: Request) -> Verdict | Unreviewed:
        """The reviewer's opinion; a crashed one gets a second try, which counts like the first."""
        opinion = self._paid(stop, self.review(stop, current))
        if not (isinstance(opinion, Unreviewed) and opinion.crashed):
            return opinion
        again = request.of(self._admitted(stop)).phase is Phase.REVIEWING
        return self._paid(stop, self.review(stop, current)) if again else opinion

    def _paid(self, stop: StopEvent, review: Review) -> Verdict | Unreviewed:
        """Book what the review cost, whatever came of it."""
        self.report.reviewed(stop, review)
        try:
            self.store.update(stop.session_id, lambda old: book(old, review))
        except CccError as error:  # the count is stored, and it is the fuse
            self.report.trouble(stop, str(error))
        return review.opinion

    def _after(self, opinion: Verdict | Unreviewed) -> Decision:
        match opinion:
            case Unreviewed(why, interrupted=True):
                return AllowStop(Outcome.INTERRUPTED, why)
            case Unreviewed(why):
                return self._without_verdict(why)
            case Verdict(allow_stop=True):
                return AllowStop(Outcome.COMPLETED, "the reviewer is satisfied")
            case Verdict(feedback=feedback, needs_human=True):
                return AllowStop(Outcome.NEEDS_HUMAN, feedback, self.report.notices.needs_human(feedback))
            case Verdict(feedback=feedback):
                return KeepWorking(feedback)

    def _without_verdict(self, why: str) -> AllowStop:
        return AllowStop(Outcome.UNREVIEWED, why, self.report.notices.not_reviewed(why, self.store.log_path))

    def _settled(self, stop: StopEvent, decision: Decision) -> Decision:
        try:
            self.store.update(stop.session_id, lambda old: conclude(old, decision, self.clock()))
        except CccError as error:  # the count is stored; the decision does not depend on its story
            self.report.trouble(stop, str(error))
        return decision


def admit(session: Session, stop: StopEvent, limit: int) -> Session:
    """Let the Stop wait, end it at the limit, or count it for a review."""
    session = _same_request(session, stop)
    current = request.of(session)
    fresh = tuple(task.id for task in stop.tasks if task.id not in current.tasks)
    current = replace(current, tasks=(*current.tasks, *fresh), outcome=None, reason="")
    if fresh:
        return request.into(session, replace(current, phase=Phase.WAITING))
    if session.count >= limit:
        reason = f"{session.count} of {limit} reviews used"
        return request.into(session, replace(current, phase=Phase.DONE, outcome=Outcome.LIMIT, reason=reason))
    return request.into(replace(session, count=session.count + 1), replace(current, phase=Phase.REVIEWING))


def book(session: Session, review: Review) -> Session:
    current = request.of(session)
    cost, tokens = current.cost_usd + review.cost_usd, current.tokens + review.tokens
    return request.into(session, replace(current, cost_usd=cost, tokens=tokens))


def conclude(session: Session, decision: Decision, now: float) -> Session:
    """Write the decision into the story of the request."""
    current = request.of(session)
    match decision:
        case KeepWorking(feedback):
            current = replace(current, phase=Phase.WORKING, findings=(*current.findings, feedback))
        case AllowStop(outcome=None):
            current = replace(current, phase=Phase.WAITING)
        case AllowStop(outcome, why):
            current = replace(current, phase=Phase.DONE, outcome=outcome, reason=why)
    interrupted = isinstance(decision, AllowStop) and decision.outcome is Outcome.INTERRUPTED
    # Nobody heard an interrupted answer, so the next hook is not late.
    return request.into(session, replace(current, decided_at=current.decided_at if interrupted else now))


def _same_request(session: Session, stop: StopEvent) -> Session:
    """A new prompt id is a new request of the user: it starts at 1 and knows nothing of the last one's findings."""
    if stop.prompt_id is None or stop.prompt_id == session.prompt_id:
        return session
    if session.prompt_id is None:
        return replace(session, prompt_id=stop.prompt_id)
    fresh = Request(decided_at=request.of(session).decided_at)
    return request.into(replace(session, prompt_id=stop.prompt_id, count=0), fresh)
