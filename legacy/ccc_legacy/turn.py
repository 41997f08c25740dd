"""A turn of the agent: from a message to its stop, seen, shown, and with the person asked where the agent must ask.

Rule: a stop is the `result`, the end of the process, or a silence without a running tool; what follows from it is
decided elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import Enum
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.text import one_line
from ccc.claude.conversation import StreamReader
from ccc.claude.stream import BackgroundTasks, ControlRequest, Event, Finished, Init, PermissionDenied, Text, ToolUse
from ccc.model import Task
from ccc_legacy.agent import Agent
from ccc_legacy.permissions import Allow, Deny, Permissions
from ccc_legacy.person import Person
from ccc_legacy.screen import Screen


class End(Enum):
    """How a turn of the agent ended."""

    STOPPED = "it stopped"
    DIED = "its process ended"
    IDLE = "it fell silent"
    INTERRUPTED = "the person wanted so"
    FAILED = "the API failed"
    ANSWERED = "the client itself has answered"


class Seen(Struct, frozen=True):
    """What a review will want to know of the agent."""

    model: str | None = None
    permission_mode: str | None = None
    last_message: str | None = None
    tasks: tuple[Task, ...] = ()
    denied: tuple[str, ...] = ()
    failure: str = ""
    total_cost_usd: float = 0.0  # of the session, as the agent's process last said
    cost_usd: float = 0.0  # of the current request

    def after(self, finished: Finished) -> Seen:
        """With what this turn cost. Where the client does not tell that, a process counts from its own start."""
        total = finished.cost_usd or self.total_cost_usd
        before = self.total_cost_usd if total >= self.total_cost_usd else 0.0
        own = finished.spending.cost_usd if finished.spending else total - before
        return replace(self, total_cost_usd=total, cost_usd=self.cost_usd + own)


class Turns(Struct):
    agent: Agent
    person: Person
    screen: Screen
    idle_seconds: float
    seen: Seen = Seen()
    record: StreamReader = field(
        default_factory=partial(StreamReader, time.time)
    )  # of the current request, for the evidence
    permissions: Permissions = field(default_factory=Permissions)
    _begun: bool = False  # the agent has answered to the message
    _asked_a_model: bool = True  # … and a model had a part in it
    _interrupted: bool = False

    def begin(self) -> None:
        """A new request: what the last one did and cost is not part of it."""
        self.record = StreamReader(time.time)
        self.seen = replace(self.seen, cost_usd=0.0, denied=())

    async def have(self, message: str) -> End:
        """Give the agent a message and watch it until it stops; one who never got it is given it again."""
        await self._show([self.screen.paint("phase", "[agent]")])
        self._begun = False
        while True:
            self.agent.tell(message)
            end = await self.watch()
            # A command of the client's own, like /cost or /clear: no model was asked.
            if end is End.STOPPED and message.startswith("/") and not self._asked_a_model:
                return End.ANSWERED
            if self._begun or not (end is End.DIED or await self._lost(end)):
                return end

    async def _lost(self, end: End) -> bool:
        """Whether the session cannot be resumed: then the client fails before it begins. A new one is taken instead."""
        if end is not End.FAILED or self.agent.session_id is None:
            return False
        await self._show([self.screen.paint("bad", "(this session cannot be resumed; a new one begins)")])
        self.agent.forget()
        return True

    async def watch(self) -> End:
        self._interrupted = False
        while await self.agent.ready(None if self.screen.running else self.idle_seconds):
            events = self.agent.hear()
            if events is None:
                return await self._died()
            finished = await self._take(events)
            if finished:
                return self._end_of(finished)
        told = self.screen.paint("dim", f"(silent for {self.idle_seconds:.0f} s: taken for a stop)")
        await self._show([*self.screen.cut_off(), told])
        self.agent.end()  # the next message resumes its session in a new process
        return End.IDLE

    async def begins_by_itself(self) -> bool:
        """Whether the agent has begun a turn that nobody asked for, as it does when a background task ends."""
        events = self.agent.hear() if self.agent.alive else []
        if events is None:
            await self._died()
            return False
        if any(isinstance(event, Init) for event in events):
            self.agent.put_back(events)
            return True
        await self._take(events)
        return False

    def interrupt(self) -> None:
        self._interrupted = True
        self.agent.interrupt()

    async def _died(self) -> End:
        told = self.screen.paint("bad", f"(the agent's process has ended: {self.agent.ended})")
        await self._show([*self.screen.cut_off(), told])
        return End.DIED

    async def _take(self, events: list[Event]) -> Finished | None:
        """Show what happened and act on it, up to the end of the turn."""
        lines: list[str] = []
        for number, event in enumerate(events, 1):
            lines += self.screen.lines(self._as_wanted(event))
            self._note(event)
            match event:
                case ControlRequest(subtype="can_use_tool"):
                    await self._show(lines)
                    lines = []
                    await self._permit(event)
                case Finished():
                    self.agent.put_back(events[number:])
                    await self._show(lines)
                    return event
        await self._show(lines)
        return None

    def _as_wanted(self, event: Event) -> Event:
        """The end of an interrupted turn calls itself an error, but it is what the person wanted."""
        return replace(event, is_error=False) if isinstance(event, Finished) and self._interrupted else event

    def _note(self, event: Event) -> None:
        seen = self.seen
        self.record.feed(event)
        match event:
            case Init(model=model, permission_mode=mode):
                self.seen = replace(seen, model=model or seen.model, permission_mode=mode or seen.permission_mode)
            case Text(text, subagent=False):
                self.seen = replace(seen, last_message=text)
            case BackgroundTasks(tasks):
                self.seen = replace(seen, tasks=tasks)
            case PermissionDenied(tool, message):
                told = f"{one_line(tool, 60)} was not permitted: {one_line(message, 200)}"
                self.seen = replace(seen, denied=(*seen.denied, told))
            case Finished(num_turns=rounds):
                self.seen = seen.after(event)
                self._asked_a_model = rounds > 0
        self._begun = self._begun or isinstance(event, Init | Text | ToolUse)

    def _end_of(self, finished: Finished) -> End:
        if self._interrupted:
            return End.INTERRUPTED
        if finished.is_error:
            self.seen = replace(self.seen, failure=one_line(finished.result or finished.subtype, 300))
            return End.FAILED
        return End.STOPPED

    async def _permit(self, request: ControlRequest) -> None:
        match await self.permissions.decide(request, self.person):
            case Allow(given):
                self.agent.allow(request, given)
            case Deny(message):
                self.agent.deny(request, message)

    async def _show(self, lines: Sequence[str]) -> None:
        if lines:
            await self.person.show(lines)
