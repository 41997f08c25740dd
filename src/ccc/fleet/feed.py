"""What an agent's `--json` tells: rounds, reviews, costs, a limit that keeps it waiting, and how it ended.

Rule: bytes in, one frozen Seen out; the lines are those of docs/events.md, and what else is written is passed over.
ccc's own lines are believed: nobody else can write to where they come from (agent.py).
"""

from __future__ import annotations

from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import strictjson
from ccc.record.session import moment

LINE_LIMIT = 8 * 2**20


class Held(Struct, frozen=True):
    """A provider has a limit until then."""

    provider: str
    until: float


class Seen(Struct, frozen=True):
    rounds: int = 0
    agent_usd: float = 0.0  # of this process's work, the turn that is under way included
    review_usd: float = 0.0  # … and of its reviews
    held: Held | None = None
    outcome: str = ""
    why: str = ""
    asked: int = 0  # the last round whose reviewer was asked
    judged: int = 0  # … or has answered


class Feed:
    def __init__(self) -> None:
        self.seen = Seen()
        self._rest = b""

    def __call__(self, data: bytes) -> Seen:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line)
        if len(self._rest) > LINE_LIMIT:  # nobody needs such a line
            self._rest = b""
        return self.seen

    def _line(self, line: bytes) -> None:
        if b'"ccc"' not in line[:200]:
            return
        try:
            told = strictjson.loads(line)
        except ValueError:
            return
        match told:
            case {"type": "ccc", "event": str(event)}:
                self._event(event, told)

    def _event(self, event: str, told: dict[str, object]) -> None:
        match event:
            case "supervisor-hook invoked":
                self.seen = replace(self.seen, rounds=self.seen.rounds + 1)
            case "review started":
                self.seen = replace(self.seen, asked=self.seen.rounds)
            case "cost":
                self.seen = replace(self.seen, agent_usd=max(self.seen.agent_usd, _number(told.get("agent_usd"))))
            case "verdict" | "no verdict":
                paid = self.seen.review_usd + _number(told.get("cost_usd"))
                self.seen = replace(self.seen, review_usd=paid, judged=self.seen.rounds)
            case "held up":
                self.seen = replace(self.seen, held=_held(told))
            case "went on" | "provider changed":
                self.seen = replace(self.seen, held=None)
            case "outcome":
                self.seen = replace(
                    self.seen,
                    outcome=str(told.get("outcome") or ""),
                    why=str(told.get("why") or ""),
                    agent_usd=max(self.seen.agent_usd, _number(told.get("agent_cost_usd"))),
                    held=_held({**told, "by": "limit"}),  # one that was too long to be waited for
                )


def _held(told: dict[str, object]) -> Held | None:
    until = moment(told.get("until"))
    if told.get("by") != "limit" or until is None:
        return None
    return Held(str(told.get("provider") or ""), until.timestamp())


def _number(value: object) -> float:
    """A cost; nobody gives money back."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return max(0.0, float(value)) if known else 0.0  # type: ignore[arg-type]
