"""The caps of a request: reviews, minutes, money, tokens, whichever comes first.

Rule: pure; a review that would pass a cap does not start, a turn that has passed one does not go on, and of a cap that
cannot be measured it is said which. Money and tokens are the agent's, its subagents' and its reviews' together, and do
not become less.
"""

from __future__ import annotations

from datetime import UTC, datetime

from ccc.base.messages import Message, msg
from ccc.evidence.facts import Evidence
from ccc.model import StopEvent
from ccc.providers.config import SupervisorOptions
from ccc.record.session import Request, Session
from ccc.record.words import dollars


def reached(
    session: Session, options: SupervisorOptions, stop: StopEvent, evidence: Evidence | None, now: datetime
) -> str:
    """Why no further review may start; empty when one may."""
    if session.count >= options.max_iterations:
        return msg("{count} of {limit} reviews used", count=session.count, limit=options.max_iterations)
    return spent(session.request, options, stop, evidence, now)


def spent(
    current: Request, options: SupervisorOptions, stop: StopEvent, evidence: Evidence | None, now: datetime
) -> str:
    """Why not even background work is waited for any more: time, money or tokens are used up. A wait is no review."""
    return (
        _minutes(current, options, stop, evidence, now)
        or _cost(current, options, stop, evidence)
        or _tokens(current, options, stop, evidence)
    )


def has_waits(current: Request, options: SupervisorOptions) -> bool:
    """Whether one more Stop may be none because of background work: an agent could begin some before each of them."""
    return current.waits < max(FEWEST_WAITS, options.max_iterations)


FEWEST_WAITS = 5  # whoever wants one review may still have a build that takes several turns


def passed(options: SupervisorOptions, began: datetime | None, now: datetime, *, cost_usd: float, tokens: int) -> str:
    """Why a turn may not even go on; empty when it may."""
    minutes = (now - began).total_seconds() / 60 if began else 0.0
    if options.max_minutes is not None and minutes >= options.max_minutes:
        return msg("{count:.0f} of {limit:g} minutes used", count=minutes, limit=options.max_minutes)
    if options.max_cost_usd is not None and cost_usd >= options.max_cost_usd:
        return msg(
            "{spent} of ${limit:g} spent in the midst of a turn", spent=dollars(cost_usd), limit=options.max_cost_usd
        )
    if options.max_tokens is not None and tokens >= options.max_tokens:
        return msg("{used} of {limit} tokens used in the midst of a turn", used=tokens, limit=options.max_tokens)
    return ""


def agent_cost(current: Request, stop: StopEvent, evidence: Evidence | None) -> float | None:
    """What the agent has cost in this request: as it is told, else what its tokens cost at the price of a review."""
    if stop.cost_usd is not None:
        return stop.cost_usd
    counted = evidence.weight * current.price_usd if evidence else 0.0
    return max(counted, current.agent_cost_usd or 0.0) or None


def uncounted(current: Request, options: SupervisorOptions) -> Message | None:
    """What the cap on money leaves out, said once a review could have told what the agent's tokens cost."""
    if options.max_cost_usd is None or not current.reviews or current.agent_cost_usd is not None:
        return None
    return UNCOUNTED


UNCOUNTED = msg(
    "max_cost_usd counts the reviews alone: nobody tells what the agent's model costs; max_tokens counts the agent too"
)


def unmeasured(
    current: Request, options: SupervisorOptions, stop: StopEvent, evidence: Evidence | None
) -> tuple[str, ...]:
    """The caps that are set, and may be passed without anybody's noticing."""
    partly = evidence is None or current.tally.at_least or (evidence.tally is not None and evidence.tally.at_least)
    known = {
        "max_minutes": options.max_minutes is None or bool(_began(current, stop, evidence)),
        "max_cost_usd": options.max_cost_usd is None or stop.cost_usd is not None or not partly,
        "max_tokens": options.max_tokens is None or not partly,
    }
    return tuple(name for name, is_known in known.items() if not is_known)


def _began(current: Request, stop: StopEvent, evidence: Evidence | None) -> datetime | None:
    kept = datetime.fromtimestamp(current.tally.began, UTC) if current.tally.began else None
    told = filter(None, (evidence.began if evidence else None, kept))
    return stop.began or min(told, default=None)


def _minutes(
    current: Request, options: SupervisorOptions, stop: StopEvent, evidence: Evidence | None, now: datetime
) -> str:
    began = _began(current, stop, evidence)
    if options.max_minutes is None or began is None:
        return ""
    minutes = (now - began).total_seconds() / 60
    if minutes < options.max_minutes:
        return ""
    return msg("{count:.0f} of {limit:g} minutes used", count=minutes, limit=options.max_minutes)


def _cost(current: Request, options: SupervisorOptions, stop: StopEvent, evidence: Evidence | None) -> str:
    if options.max_cost_usd is None:
        return ""
    spent = current.cost_usd + (agent_cost(current, stop, evidence) or 0.0)
    if spent + current.last_cost_usd < options.max_cost_usd:
        return ""
    return msg(
        "{spent} of ${limit:g} spent by the agent and its reviews, and the next review would pass that",
        spent=dollars(spent),
        limit=options.max_cost_usd,
    )


def _tokens(current: Request, options: SupervisorOptions, stop: StopEvent, evidence: Evidence | None) -> str:
    if options.max_tokens is None:
        return ""
    agents = max(evidence.tokens if evidence else 0, stop.tokens, current.tally.all_tokens)
    used = current.tokens + agents
    if used + current.last_tokens < options.max_tokens:
        return ""
    return msg(
        "{used} of {limit} tokens used by the agent and its reviews, and the next review would pass that",
        used=used,
        limit=options.max_tokens,
    )
