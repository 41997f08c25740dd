"""A task of the fleet: what is wanted, and what has become of it.

Rule: values only; what a task is called follows from its content, so that the same list added again adds nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from ccc.base import strictjson
from ccc.base.text import one_line
from ccc.model import Check

PREFIX = "ccc/"  # of every branch
TITLE_LENGTH = 60


class Caps(Struct, frozen=True, omit_defaults=True):
    """What a task may use; what is not said is as ccc.json has it."""

    max_iterations: int | None = None
    max_minutes: float | None = None
    max_cost_usd: float | None = None
    max_tokens: int | None = None


class Task(Struct, frozen=True, omit_defaults=True):
    """What is wanted. Everything but `base` makes the id."""

    prompt: str
    repo: Path
    name: str = ""
    provider: str | None = None  # None: a plain login
    permission_mode: str | None = None
    checks: tuple[Check, ...] = ()
    caps: Caps = Caps()
    after: tuple[str, ...] = ()  # ids of tasks whose branches this one begins with
    push: bool = False
    trusts: bool = False  # the person says yes to what the project brings along
    base: str = ""  # the commit it begins with

    @property
    def id(self) -> str:
        content = {name: getattr(self, name) for name in self.__struct_fields__ if name != "base"}
        told = strictjson.dumps({**content, "repo": str(self.repo)}, sort_keys=True)
        return f"{slug(self.name or self.title)}-{hashlib.sha256(told).hexdigest()[:6]}"

    @property
    def title(self) -> str:
        return one_line(next((line for line in self.prompt.splitlines() if line.strip()), ""), TITLE_LENGTH)

    @property
    def branch(self) -> str:
        return PREFIX + self.id


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


ASTRAY = "refs/ccc/astray/"  # what was in a task's folder and is not for its branch
# Outcomes of a task that ccc's own do not name: it could not be worked on.
FAILED = "failed"
COMPLETED = "completed"
NEEDS_HUMAN = "needs_human"
# Why a person is needed where the store says completed, and no worker said so.
CHANGED = "changed outside ccc"
# … and where its branch no longer has the commit that was sealed.
MOVED = "its branch was moved since"


class Record(Struct, frozen=True):
    """A task, and what has become of it."""

    id: str
    task: Task
    number: int = 0  # in the order of adding
    state: State = State.WAITING
    run: int = 1  # one more after each `retry`
    owner: str = ""  # the worker that has it
    machine: str = ""  # … or had it last: the conversation and the worktree are there
    session: str = ""
    round: int = 0  # stops that were reviewed in this run
    agent_usd: float = 0.0
    review_usd: float = 0.0
    outcome: str = ""
    why: str = ""
    commit: str = ""  # the end of its branch
    not_before: float = 0.0  # a provider's limit, as a moment
    cut_at: float = 0.0  # when its worker was found gone
    cancel: bool = False  # asked for; its worker ends it
    added_at: float = 0.0
    began_at: float = 0.0
    ended_at: float = 0.0

    @property
    def cost_usd(self) -> float:
        return self.agent_usd + self.review_usd

    @property
    def is_over(self) -> bool:
        return self.state in (State.ENDED, State.CANCELLED)

    @property
    def is_forged(self) -> bool:
        """Somebody else than a worker has written that it is completed."""
        return self.outcome == NEEDS_HUMAN and self.why == CHANGED

    @property
    def has_rest(self) -> bool:
        """Completed, and its folder had more, which is kept aside."""
        return self.outcome == COMPLETED and ASTRAY in self.why

    @property
    def is_moved(self) -> bool:
        return self.outcome == NEEDS_HUMAN and self.why == MOVED


class Sealed(Struct, frozen=True):
    """A completed task, as far as its branch goes."""

    id: str
    repo: Path
    machine: str
    commit: str

    @property
    def branch(self) -> str:
        return PREFIX + self.id


class Work(Struct, frozen=True):
    """How one run of a task ended."""

    outcome: str
    why: str = ""
    commit: str = ""


def slug(text: str) -> str:
    """Letters, digits and hyphens, as a branch and a folder can be called; any script's letters stay."""
    plain = unicodedata.normalize("NFKC", text).lower()
    words = re.findall(r"[^\W_]+", plain)
    found = "-".join(words)[:32].strip("-")
    return found or "task"
