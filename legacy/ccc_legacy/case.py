"""A Stop of pty mode on its way to the review, and the ruling on its way back.

Rule: values that become JSON and come back equal; nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ccc.model import Outcome, StopEvent


@dataclass(frozen=True, slots=True)
class Case:
    """A Stop of pty mode, with what the reviewer is to know."""

    session_id: str
    cwd: str
    request_id: str
    inputs: tuple[str, ...]
    criteria: str
    provider: str | None = None
    model: str | None = None
    permission_mode: str | None = None
    last_message: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Case:
        return cls(**{**given, "inputs": tuple(given["inputs"])})

    @property
    def stop(self) -> StopEvent:
        return StopEvent(
            session_id=self.session_id,
            cwd=Path(self.cwd),
            prompt_id=self.request_id,
            last_message=self.last_message,
            permission_mode=self.permission_mode,
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """The decision as it comes back to the loop."""

    outcome: Outcome | None = None
    feedback: str | None = None
    why: str = ""
    notice: str | None = None


def ruling(told: Mapping[str, Any]) -> Ruling:
    outcome = Outcome(told["outcome"]) if told.get("outcome") else None
    return Ruling(outcome, told.get("feedback"), told.get("why") or "", told.get("notice"))
