"""The nouns that both modes share.

Rule: frozen values without behaviour; nothing here knows files, processes or the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Task:
    """Something the agent left running in the background."""

    id: str
    about: str


@dataclass(frozen=True, slots=True)
class StopEvent:
    """The agent wants to stop. `session_id` was checked when it came in."""

    session_id: str
    cwd: Path
    transcript: Path | None = None
    prompt_id: str | None = None
    last_message: str | None = None
    permission_mode: str | None = None
    stop_hook_active: bool = False
    tasks: tuple[Task, ...] = ()
    cost_usd: float = 0.0  # of the agent for this request, where ccc hears of it
    began: datetime | None = None  # when the person made the request, where that is known


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reviewer's opinion. `feedback` is empty when the agent may stop."""

    allow_stop: bool
    feedback: str
    needs_human: bool = False
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """No verdict could be had. `why` is for the person; a crash is worth a second try, an answer is not."""

    why: str
    crashed: bool = False
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """One review that took place: what came of it and what it cost."""

    opinion: Verdict | Unreviewed
    cost_usd: float = 0.0
    tokens: int = 0


class Outcome(StrEnum):
    """How a request ended."""

    COMPLETED = "completed"
    LIMIT = "limit"
    UNREVIEWED = "unreviewed"
    NEEDS_HUMAN = "needs_human"
    OFF = "off"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class AllowStop:
    """`outcome` is None when the agent only waits; `notice` is what the person is told in the client."""

    outcome: Outcome | None
    why: str
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class KeepWorking:
    """`by` says who sends the agent on: the reviewer, a rule of the gate, or a check."""

    feedback: str
    by: str = "reviewer"
    notice: str | None = None


Decision = AllowStop | KeepWorking
