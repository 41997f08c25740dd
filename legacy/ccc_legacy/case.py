"""A Stop of pty mode on its way to the review, and the ruling on its way back.

Rule: values that become JSON and come back equal; nothing else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from ccc.claude import program
from ccc.claude.conversation import Asked, Call, Conversation, Fate, Moment, Said, Told
from ccc.model import AllowStop, Decision, KeepWorking, Mode, Outcome, StopEvent, Task
from ccc.record.session import About

DECISION = "decision"  # the event that ends the story of a review


class Case(Struct, frozen=True):
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
    tasks: tuple[Task, ...] = ()
    settings: str | None = None  # where the agent finds its settings, and so the reviewer
    beaten: tuple[str, ...] = ()  # the names that these decide, whatever a file of the project says
    cost_usd: float = 0.0  # of the agent, for this request
    began: str | None = None  # when the person made the request, ISO 8601
    conversation: Conversation | None = None  # what the agent did since, for the evidence

    def as_json(self) -> dict[str, Any]:
        told = _conversation_told(self.conversation) if self.conversation else None
        return {**asdict(self), "tasks": [asdict(task) for task in self.tasks], "conversation": told}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Case:
        tasks = tuple(Task(**task) for task in given["tasks"])
        told = given["conversation"]
        conversation = _conversation(told) if told else None
        lists = {"inputs": tuple(given["inputs"]), "beaten": tuple(given["beaten"])}
        return cls(**{**given, **lists, "tasks": tasks, "conversation": conversation})

    def about(self) -> About:
        project = str(program.project_directory(Path(self.cwd)))
        return About(mode=Mode.PTY, provider=self.provider, project=project)

    @property
    def stop(self) -> StopEvent:
        return StopEvent(
            session_id=self.session_id,
            cwd=Path(self.cwd),
            prompt_id=self.request_id,
            last_message=self.last_message,
            permission_mode=self.permission_mode,
            tasks=self.tasks,
            cost_usd=self.cost_usd,
            began=datetime.fromisoformat(self.began) if self.began else None,
        )


_MOMENTS = {kind.__name__: kind for kind in (Asked, Said, Told, Call)}


def _conversation_told(conversation: Conversation) -> dict[str, Any]:
    moments = [{"kind": type(moment).__name__, **dataclasses.asdict(moment)} for moment in conversation.moments]
    return {**dataclasses.asdict(dataclasses.replace(conversation, moments=())), "moments": moments}


def _conversation(told: Mapping[str, Any]) -> Conversation:
    return Conversation(**{**told, "moments": tuple(map(_moment, told["moments"]))})


def _moment(told: Mapping[str, Any]) -> Moment:
    fields = {key: value for key, value in told.items() if key != "kind"}
    if "fate" in fields:
        fields["fate"] = Fate(fields["fate"])
    return _MOMENTS[told["kind"]](**fields)


class Ruling(Struct, frozen=True):
    """The decision as it comes back to the loop. Neither feedback nor outcome: the agent only waits."""

    outcome: Outcome | None = None
    feedback: str | None = None
    why: str = ""
    notice: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Ruling:
        outcome = Outcome(told["outcome"]) if told["outcome"] else None
        return cls(outcome, told["feedback"], told["why"], told["notice"])


def ruling(decision: Decision) -> Ruling:
    match decision:
        case KeepWorking(feedback, notice=notice):
            return Ruling(feedback=feedback, notice=notice)
        case AllowStop(outcome, why, notice):
            return Ruling(outcome, why=why, notice=notice)
