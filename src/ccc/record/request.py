"""One request of the user, as the state file tells it beside the count.

Rule: these fields live in the session's file under their own names; what cannot be understood there is its default.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from ccc.base.text import capped, encodable
from ccc.model import Outcome
from ccc.record.state import Session

Kind = TypeVar("Kind", bound=StrEnum)

FINDINGS_KEPT = 10
FINDING_LENGTH = 2_000


class Phase(StrEnum):
    WORKING = "working"
    REVIEWING = "reviewing"
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Request:
    phase: Phase = Phase.WORKING
    outcome: Outcome | None = None
    reason: str = ""
    findings: tuple[str, ...] = ()  # what earlier reviews of this request sent the agent back with
    tasks: tuple[str, ...] = ()  # background tasks seen at a Stop of this request
    cost_usd: float = 0.0  # of the reviews of this request, as they reported it
    tokens: int = 0
    last_cost_usd: float = 0.0  # of the last review: what the next one will cost at the least
    last_tokens: int = 0
    gates: tuple[str, ...] = ()  # rules of the gate that have spoken
    tool_calls: int = 0  # of the agent, when the reviewer last sent it back
    decided_at: float = 0.0  # monotonic clock of this boot; tells two hooks of one Stop apart from two Stops


def of(session: Session) -> Request:
    extra = session.extra
    return Request(
        phase=_choice(Phase, extra.get("phase")) or Phase.WORKING,
        outcome=_choice(Outcome, extra.get("outcome")),
        reason=str(extra.get("reason") or ""),
        findings=_texts(extra.get("findings")),
        tasks=_texts(extra.get("tasks")),
        cost_usd=_amount(extra.get("cost_usd")),
        tokens=int(_amount(extra.get("tokens"))),
        last_cost_usd=_amount(extra.get("last_cost_usd")),
        last_tokens=int(_amount(extra.get("last_tokens"))),
        gates=_texts(extra.get("gates")),
        tool_calls=int(_amount(extra.get("tool_calls"))),
        decided_at=_moment(extra.get("decided_at")),
    )


def into(session: Session, request: Request) -> Session:
    """The session with this request's fields; fields of others stay."""
    fields = {
        "phase": request.phase.value,
        "outcome": request.outcome.value if request.outcome else None,
        "reason": _kept(request.reason),
        "findings": [_kept(finding) for finding in request.findings[-FINDINGS_KEPT:]],
        "tasks": [encodable(task) for task in request.tasks[-100:]],
        "cost_usd": round(request.cost_usd, 6),
        "tokens": request.tokens,
        "last_cost_usd": round(request.last_cost_usd, 6),
        "last_tokens": request.last_tokens,
        "gates": list(request.gates),
        "tool_calls": request.tool_calls,
        "decided_at": request.decided_at,
    }
    return replace(session, extra={**session.extra, **fields})


def _kept(text: str) -> str:
    """As much as the state keeps of it; the name of a folder may hold what has no bytes in JSON."""
    return capped(encodable(text), FINDING_LENGTH)


def _choice(kind: type[Kind], value: object) -> Kind | None:
    return next((member for member in kind if member.value == value), None)


def _amount(value: object) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else 0


def _moment(value: object) -> float:
    """A moment of the clock, unless it lies ahead: then it was another boot's."""
    return value if isinstance(value, float) and 0.0 < value <= time.monotonic() else 0.0


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
