"""`--json`: pty mode for a program, one JSON object a line: the client's messages as they are, and ccc's own.

Rule: nothing else reaches stdout, whatever the agent writes. ccc's lines have `"type": "ccc"`, and no line that comes
from the agent's terminal has it; those of a review are the lines of its story, and a request ends with its `outcome`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct, field

from ccc.base import sink
from ccc.claude import stream
from ccc.claude.deltas import Deltas
from ccc.model import Outcome
from ccc.record import events
from ccc.record.events import BadLine, Event, HeldUp, Judged, NotJudged
from ccc_legacy.agent import SIGN

OWN = "ccc"  # the type of ccc's lines


class Ending(Struct, frozen=True):
    """How a request ended. `cost_usd` is the agent's alone."""

    outcome: Outcome
    why: str
    exit_code: int
    session_id: str | None
    cost_usd: float
    cost_by: Mapping[str, float] = field(default_factory=dict)  # provider → its part of it
    rounds: int = 0
    seconds: float = 0.0
    tokens: int = 0  # the agent's
    files: Sequence[str] = ()  # that were edited
    too_late: HeldUp | None = None  # a limit that ended it, for nobody wants to wait so long


class Feed(Struct):
    now: Callable[[], datetime]
    _relay: sink.Relay | None = None
    _cost_usd: float = 0.0  # of the current request's reviews
    _tokens: int = 0
    _agent_usd: float = 0.0  # as it was told last

    def heard(self, data: bytes) -> None:
        """What the agent writes, in any chunks; b"" when its process has ended."""
        if self._relay is None:
            deltas = Deltas()
            self._relay = sink.Relay(self._odd, OWN, partial(_without_signs, deltas), deltas.rest)
        self._relay(data)

    def complained(self, line: str) -> None:
        self._tell("stderr", text=line)

    def happened(self, event: Event) -> tuple[str, ...]:
        """An event of a review; nothing is left to be shown of it."""
        if isinstance(event, Judged | NotJudged):
            self._cost_usd += event.cost_usd
            self._tokens += event.tokens
        self._tell_event(event)
        return ()

    def billed(self, agent_usd: float) -> None:
        """What the agent has cost in this request so far."""
        agent_usd = round(agent_usd, 6)  # two ways of adding up differ in the last of a float's digits
        if agent_usd > 0 and agent_usd != self._agent_usd:
            self._agent_usd = agent_usd
            self._tell("cost", agent_usd=agent_usd)

    def concluded(self, ending: Ending) -> None:
        late = ending.too_late
        self._tell(
            "outcome",
            outcome=ending.outcome.value,
            why=ending.why,
            exit_code=ending.exit_code,
            session_id=ending.session_id,
            agent_cost_usd=round(ending.cost_usd, 6),
            agent_cost_by={name: round(amount, 6) for name, amount in ending.cost_by.items()},
            review_cost_usd=round(self._cost_usd, 6),
            review_tokens=self._tokens,
            agent_tokens=ending.tokens,
            rounds=ending.rounds,
            seconds=round(ending.seconds, 1),
            files=list(ending.files),
            **({"until": late.until, "provider": late.provider} if late else {}),
        )
        self._cost_usd, self._tokens, self._agent_usd = 0.0, 0, 0.0

    def _odd(self, reason: str, size: int) -> None:
        self._tell_event(BadLine(reason=reason, size=size))

    def _tell_event(self, event: Event) -> None:
        sink.put(sink.json_line({"type": OWN, **events.encoded(event, event.at or self.now())}))

    def _tell(self, name: str, **fields: object) -> None:
        """A field that has nothing to tell is left out."""
        known = {key: value for key, value in fields.items() if value is not None}
        told = {"at": self.now().isoformat(), "event": name, "v": events.VERSION, **known}
        sink.put(sink.json_line({"type": OWN, **told}))


def _without_signs(deltas: Deltas, line: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What ccc alone wanted to hear is nobody else's."""
    return [] if stream.is_answer(line, SIGN) else deltas(line)
