"""The loop: the agent works, stops, is reviewed, and works on, until it is done; then the person has the word again.

Rule: one request is a chain of turns and reviews that ends in exactly one Outcome; what happens in between is the
business of agent.py, judge.py and prompt.py.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from ccc.model import Outcome
from ccc.stream import ControlRequest, Finished, Init, Text
from ccc.text import one_line
from ccc_legacy import commands
from ccc_legacy.agent import Agent
from ccc_legacy.case import Case, Ruling
from ccc_legacy.commands import Order
from ccc_legacy.permissions import Permissions
from ccc_legacy.prompt import Person
from ccc_legacy.screen import Paint, Screen

EXIT_CODES = {
    Outcome.COMPLETED: 0,
    Outcome.OFF: 0,
    Outcome.LIMIT: 3,
    Outcome.UNREVIEWED: 4,
    Outcome.NEEDS_HUMAN: 5,
    Outcome.INTERRUPTED: 130,
}

Review = Callable[[Case, Callable[[Sequence[str]], Awaitable[None]]], Awaitable[Ruling]]


class End(Enum):
    """How a turn of the agent ended."""

    STOPPED = auto()
    DIED = auto()
    IDLE = auto()
    INTERRUPTED = auto()
    FAILED = auto()  # the API, not the agent


@dataclass(frozen=True, slots=True)
class Common:
    """What every review of this run has in common."""

    cwd: str
    criteria: str
    provider: str | None


@dataclass(slots=True)
class Loop:
    agent: Agent
    person: Person
    review: Review
    common: Common
    obey: Callable[[Loop, Order], Awaitable[None]]
    screen: Screen
    paint: Paint
    idle_seconds: float
    interactive: bool
    raw: bool = False  # --json: the stream itself is the output
    supervising: bool = True
    queued: deque[str] = field(default_factory=deque)
    inputs: list[str] = field(default_factory=list)
    outcome: Outcome | None = None
    phase: str = ""
    permissions: Permissions = field(default_factory=Permissions)
    reviewing: asyncio.Future[Ruling] | None = None
    ordered: deque[Order] = field(default_factory=deque)
    _model: str | None = None
    _mode: str | None = None
    _said: str = ""
    _interrupts: int = 0
    _notice: str = ""
    _request: asyncio.Future[Outcome] | None = None
    _showing: set[asyncio.Task[None]] = field(default_factory=set)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _leaving: bool = False

    # What the person does (prompt.Listener).

    def typed(self, text: str) -> None:
        command = commands.parse(text)
        if command is None:
            self.queued.append(text)
            if self._at_work:
                self._later(self._show([self.paint("dim", f"(queued: {one_line(text, 80)})")]))
        else:
            self.ordered.append(command)
        self._wake.set()

    def interrupted(self, *, leaves_if_repeated: bool) -> None:
        """Once ends the turn or the review; Ctrl-C again, while that takes its time, leaves."""
        if not self._at_work:
            self._later(self._show([self.paint("dim", "(Ctrl-D leaves)")]))
            return
        self._interrupts += 1
        if leaves_if_repeated and self._interrupts > 1:
            self.left()
        elif self.reviewing:
            self.reviewing.cancel()
        else:
            self.agent.interrupt()

    def left(self) -> None:
        self._leaving = True
        self._wake.set()
        if self._request:
            self._request.cancel()

    # The loop.

    async def run(self, first: str | None) -> int:
        if first is not None:
            self.queued.append(first)
        while not self._leaving:
            if self.ordered:
                await self.obey(self, self.ordered.popleft())
            elif self.queued:
                await self._served(self.queued.popleft())
            elif self.interactive:
                await self._idle()
            else:
                break
        self.agent.end()
        return self._exit_code()

    async def _served(self, text: str) -> None:
        self._request = asyncio.ensure_future(self.request(text))
        try:
            self.outcome = await self._request
        except asyncio.CancelledError:  # the person leaves
            self.outcome = Outcome.INTERRUPTED
        finally:
            self._request = None
        await self._tell_outcome()

    def _exit_code(self) -> int:
        if self.interactive or self.outcome is None:
            return 0
        return EXIT_CODES[self.outcome]

    @property
    def _at_work(self) -> bool:
        return self._request is not None

    def _later(self, showing: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(showing)
        self._showing.add(task)
        task.add_done_callback(self._showing.discard)

    async def request(self, text: str) -> Outcome:
        """One request of the person, to its outcome."""
        request_id = str(uuid.uuid4())
        self.inputs = [text]
        message: str | None = text
        while message is not None:
            end = await self.turn(message)
            message = self._meanwhile()
            if message is not None:
                continue
            match end:
                case End.INTERRUPTED:
                    return Outcome.INTERRUPTED
                case End.FAILED:
                    return Outcome.UNREVIEWED
                case _ if not self.supervising:
                    return Outcome.OFF
                case End.DIED if self.agent.session_id is None:
                    message = text  # it never got to work; starting it anew is bounded by the agent itself
                    continue
            ruling = await self.judged(request_id)
            if ruling.feedback is None:
                self._notice = ruling.notice or ruling.why
                return ruling.outcome or Outcome.INTERRUPTED
            await self._show([self.paint("phase", "↩ the agent goes on with this feedback")])
            message = self._meanwhile() or ruling.feedback
        return Outcome.INTERRUPTED

    async def review_now(self) -> None:
        """A review that the person asked for; its feedback goes to the agent as it would at a stop."""
        if self.agent.session_id is None:
            await self._show(["there is nothing to review yet"])
            return
        ruling = await self.judged(str(uuid.uuid4()))
        if ruling.feedback is not None:
            self.queued.append(ruling.feedback)
        else:
            self._notice, self.outcome = ruling.notice or ruling.why, ruling.outcome
            await self._tell_outcome()

    async def turn(self, message: str) -> End:
        """Give the agent a message and watch it until it stops."""
        self._said, self._interrupts = "", 0
        self.phase = "agent"
        try:
            self.agent.tell(message)
            return await self._watch()
        finally:
            self.phase = ""

    async def _watch(self) -> End:
        events = self.agent.events()
        while True:
            try:
                batch = await asyncio.wait_for(anext(events), self._patience())
            except StopAsyncIteration:
                return End.DIED
            except TimeoutError:
                return await self._taken_for_a_stop()
            end = await self._take(batch)
            if end:
                return end

    def _patience(self) -> float | None:
        return None if self.screen.running else self.idle_seconds

    async def _taken_for_a_stop(self) -> End:
        """A silent agent is ended; the next message resumes its session in a new process."""
        await self._show([self.paint("dim", f"(silent for {self.idle_seconds:.0f} s: taken for a stop)")])
        self.agent.end()
        return End.IDLE

    async def _take(self, batch: Sequence[object]) -> End | None:
        lines: list[str] = []
        for event in batch:
            lines += self.screen.lines(event)  # type: ignore[arg-type]
            match event:
                case Init(model=model, permission_mode=mode):
                    self._model, self._mode = model or self._model, mode or self._mode
                case Text(text, subagent=False):
                    self._said = text
                case ControlRequest(subtype="can_use_tool"):
                    await self._show(lines)
                    lines = []
                    await self._permit(event)
                case Finished():
                    await self._show(lines)
                    return self._end_of(event)
        await self._show(lines)
        return None

    def _end_of(self, finished: Finished) -> End:
        if self._interrupts:
            return End.INTERRUPTED
        return End.FAILED if finished.is_error else End.STOPPED

    async def _permit(self, request: ControlRequest) -> None:
        answer = await self.permissions.decide(request, self.person.ask)
        if answer.allowed:
            self.agent.allow(request)
        else:
            self.agent.deny(request, answer.message)

    def _meanwhile(self) -> str | None:
        """What was typed while the agent worked goes in before any review."""
        if not self.queued:
            return None
        text = "\n".join(self.queued)
        self.queued.clear()
        self.inputs.append(text)
        return text

    async def judged(self, request_id: str) -> Ruling:
        self.phase = "review"
        case = Case(
            session_id=self.agent.session_id or "",
            cwd=self.common.cwd,
            request_id=request_id,
            inputs=tuple(self.inputs),
            criteria=self.common.criteria,
            provider=self.common.provider,
            model=self._model,
            permission_mode=self._mode,
            last_message=self._said or None,
        )
        self.reviewing = asyncio.ensure_future(self.review(case, self._show))
        try:
            return await self.reviewing
        except asyncio.CancelledError:
            if self._leaving:
                raise
            return Ruling(Outcome.INTERRUPTED)
        finally:
            self.reviewing = None
            self.phase = ""

    async def _tell_outcome(self) -> None:
        if self.outcome is None:
            return
        style = "good" if EXIT_CODES[self.outcome] == 0 else "bad"
        why = f": {self._notice}" if self._notice and self.outcome is not Outcome.COMPLETED else ""
        self._notice = ""
        lines = [self.paint(style, f"[{self.outcome.value}]{why}")]
        if not self.interactive:
            lines += [self.paint("bad", f"✗ {line}") for line in self.permissions.refused]
        await self._show(lines)

    async def _idle(self) -> None:
        self._wake.clear()
        await self._wake.wait()

    async def _show(self, lines: Sequence[str]) -> None:
        if lines and not self.raw:
            await self.person.show(lines)
