"""A turn of the agent: from a message to its stop, seen, shown, and with the person asked where the agent must ask.

Rule: a stop is the `result`, the end of the process, or a silence when the model has answered and no tool runs; a turn
that waited for the API when it ended is none. Whatever of the model's comes behind an end is of a turn that goes on,
for what runs under the agent can write a `result`. What follows from a stop is decided elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude import pricing, slash
from ccc.claude.conversation import StreamReader
from ccc.claude.stream import (
    BackgroundTasks,
    ControlRequest,
    ControlResponse,
    Event,
    Finished,
    Init,
    Other,
    PartialText,
    PartialThinking,
    PermissionDenied,
    Permits,
    RateLimit,
    Retry,
    Spending,
    TaskStarted,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Used,
    UserText,
)
from ccc.claude.weather import Kind, Weather, weather
from ccc.model import Task
from ccc_legacy.agent import Agent
from ccc_legacy.permissions import Allow, Deny, Permissions
from ccc_legacy.person import Person
from ccc_legacy.screen import NO_REASON, Screen, not_permitted
from ccc_legacy.underway import Underway

INQUIRY_SECONDS = 10.0
# The client begins the next turn some 20 ms after the last one, where a message waits for it.
NEXT_TURN_SECONDS = 3.0
# By then it has taken the message up: whoever always begins new work in the background would never have a turn of ours.
OTHERS_TURNS = 2
UNANSWERED = msg("the API does not answer")
START_TIMES, START_SECONDS = 10, 60.0  # of the usual patience, for a process that has just been started


class End(Enum):
    """How a turn of the agent ended."""

    STOPPED = "it stopped"
    LOCAL = "the client answered by itself, and no model has worked"
    DIED = "its process ended"
    IDLE = "it fell silent"
    INTERRUPTED = "the person wanted so"
    FAILED = "the API failed"


class UnknownSession(CccError):
    """The person goes on with a session that the client does not have."""


class Seen(Struct, frozen=True):
    """What a review will want to know of the agent."""

    model: str | None = None
    permission_mode: str | None = None
    last_message: str | None = None
    tasks: tuple[Task, ...] = ()
    denied: tuple[str, ...] = ()
    failure: str = ""
    weather: Weather | None = None  # what the API failed of
    total_cost_usd: float = 0.0  # of the session, as the agent's process last said
    cost_usd: float = 0.0  # of the current request
    tokens: int = 0  # … and what it took
    price_usd: float = 0.0  # of a token of plain input, as the client told it last
    running_tokens: int = 0  # of the turn that has not ended yet
    running_weight: float = 0.0
    counted_before: Spending | None = None  # by its process, when that turn began; None where nobody knows
    counted: Spending = Spending()  # … and since, where it tells that before the end
    provider: str = ""  # that works now
    cost_by: Mapping[str, float] = field(default_factory=dict)  # of the current request, by provider

    @property
    def cost_by_now_usd(self) -> float:
        """With what the running turn will be billed for, as far as a price is known."""
        return self.cost_usd + self._running.cost_usd

    @property
    def tokens_by_now(self) -> int:
        return self.tokens + self._running.tokens

    @property
    def _running(self) -> Spending:
        """Of the turn that has not ended yet, by whatever tells most of it."""
        cost = max(self.running_weight * self.price_usd, self.counted.cost_usd)
        return Spending(cost, self.price_usd, max(self.running_tokens, self.counted.tokens))

    def using(self, used: Used) -> Seen:
        share = pricing.relative(used.model, self.model or "") if used.subagent else 1.0
        return replace(
            self,
            running_tokens=self.running_tokens + used.tokens,
            running_weight=self.running_weight + used.weight * share,
        )

    def counting(self, process: Spending, *, new: bool) -> Seen:
        """With what the agent's process has counted in all, which tells of its subagents too; a `new` one began at
        nothing."""
        if not process.tokens:
            return self
        before = self.counted_before or (Spending() if new else process.since(self._running))
        price = process.price_usd or self.price_usd
        return replace(self, counted_before=before, counted=process.since(before), price_usd=price)

    def broken_off(self) -> Seen:
        """With what a turn took that nobody will tell of any more, for its process is gone."""
        own = self._running.cost_usd
        return replace(
            self,
            cost_usd=self.cost_usd + own,
            cost_by=_joined(self.cost_by, {self.provider: own} if own else {}),
            tokens=self.tokens_by_now,
            running_tokens=0,
            running_weight=0.0,
            counted_before=None,
            counted=Spending(),
        )

    def after(self, finished: Finished) -> Seen:
        """With what this turn cost. Where the client does not tell that, a process counts from its own start."""
        total = finished.cost_usd or self.total_cost_usd
        before = self.total_cost_usd if total >= self.total_cost_usd else 0.0
        own = finished.spending.cost_usd if finished.spending else total - before
        price = finished.spending.price_usd if finished.spending else 0.0
        told = finished.spending.tokens if finished.spending else 0
        return replace(
            self,
            total_cost_usd=total,
            cost_usd=self.cost_usd + own,
            cost_by=_joined(self.cost_by, {self.provider: own} if own else {}),
            tokens=self.tokens + max(self._running.tokens, finished.usage.all_tokens, told),
            price_usd=price or self.price_usd,
            running_tokens=0,
            running_weight=0.0,
            counted_before=finished.session if finished.session.tokens else None,
            counted=Spending(),
        )


def _joined(one: Mapping[str, float], other: Mapping[str, float]) -> Mapping[str, float]:
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in (*one, *other)}


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
    chosen: str = ""  # by which words the person goes on with an earlier session, if they do
    commands: tuple[str, ...] = ()  # those with a slash, as the client last listed them
    named: Callable[[str], None] = lambda _: None  # hears in which session a turn begins
    counted: Callable[[], None] = lambda: None  # … and whenever more is known of what it costs
    answers: int = 0  # of a model, whole ones; a stream that breaks off is none
    alert: Callable[[str], None] = lambda _: None  # hears that the person is wanted
    asking: bool = False  # the agent waits for the person's answer
    _underway: Underway = field(default_factory=Underway)
    _owed: bool = False  # a message was given, and nothing has answered it yet
    _others: int = 0  # turns of somebody else's that have ended since
    _begun: bool = False  # the agent has answered to the message
    _worked: bool = False  # … and a model had a part in it
    _used: bool = False  # a model has used a tool since, or a subagent has worked, whoever's turn it was
    _helped: bool = False  # a subagent has, since the last turn ended
    _replied: bool = False  # … or the client itself has said something
    _command: str | None = None  # what the person typed, while nothing shows whether it is a request
    _named: str | None = None  # the session, by what this turn says
    _interrupted: bool = False
    _due: bool = False  # the model is asked, and its answer is not whole yet
    _retry: Retry | None = None  # the client asks the API again, and has no answer yet
    _error: str = ""  # the client's name for what the API failed of
    _resets_at: float | None = None

    def begin(self) -> None:
        """A new request: what the last one did and cost is not part of it."""
        self.record = StreamReader(time.time)
        self.seen = replace(self.seen, cost_usd=0.0, cost_by={}, tokens=0, denied=())

    def change(self, provider: str) -> None:
        """Another one goes on: the next message resumes the session under it, with a model and prices of its own."""
        self.agent.end()
        self.seen = replace(self.seen, provider=provider, model=None, price_usd=0.0)

    @property
    def asks_again(self) -> bool:
        """Whether the client waits until it may ask the API again."""
        return self._retry is not None

    def ask_price(self) -> None:
        """In the midst of the first turn nobody has told yet what its tokens cost."""
        if self.agent.alive and self.seen.running_tokens and not self.seen.price_usd:
            self.agent.ask_price()

    def ask_count(self) -> None:
        """Nor what subagents use, of which the client only tells at the end of the turn, or who asks. An answer would
        break a silence, so nobody asks in one."""
        if self.agent.alive and self._helped and self.screen.running:
            self.agent.ask_price()

    @property
    def _is_new(self) -> bool:
        """Whether the agent's process goes on with no session, so that all it has counted is its own."""
        return not (self.agent.resumes or self.chosen)

    def go_back(self, record: StreamReader, seen: Seen) -> None:
        """It was none: the last one is still the current one."""
        self.record = record
        cost, tokens = seen.cost_usd + self.seen.cost_usd, seen.tokens + self.seen.tokens
        shares = _joined(seen.cost_by, self.seen.cost_by)
        self.seen = replace(self.seen, cost_usd=cost, cost_by=shares, tokens=tokens, denied=seen.denied)

    async def knows(self, command: str) -> bool:
        """Whether the client has such a command; one that does not say what it has is believed to."""
        if slash.is_known(command, self.commands):
            return True
        # A file in .claude/commands counts some 2.5 s after it was written, so what was listed before is not enough.
        self.commands = await self._listed() or self.commands
        return not self.commands or slash.is_known(command, self.commands)

    async def _listed(self) -> tuple[str, ...]:
        wanted = self.agent.inquire()
        while await self.agent.ready(INQUIRY_SECONDS):
            events = self.agent.hear()
            if events is None:
                await self._died()
                return ()
            await self._take(events)
            answers = [each for each in events if isinstance(each, ControlResponse) and each.request_id == wanted]
            if answers:
                return answers[0].commands
        return ()

    async def have(self, message: str, request: Sequence[str] = ()) -> End:
        """Give the agent a message and watch it until it stops; one who never got it is given it again, and one whose
        session is lost the request that it belongs to as well."""
        await self._show(list(self.screen.begins()))
        self._begun, self._worked, self._used, self._replied, self._named = False, False, False, False, None
        self._command = message if slash.command(message) else None
        while True:
            self._without_a_process()
            self.agent.tell(message)
            self._owed, self._others = True, 0
            try:
                end = await self.watch()
            finally:
                self._owed = False
            if self._begun or not (end is End.DIED or await self._lost(end)):
                return self._heard_out(end)
            if end is End.FAILED:  # a new session, which knows of nothing
                message = "\n\n".join([*(text for text in request if text not in message), message])

    def _heard_out(self, end: End) -> End:
        command, self._command = self._command, None
        if end is not End.STOPPED or command is None or self._worked or self._used:
            return end
        # No model and so no tool was at work: what the client now calls its session, after /clear, it does call so.
        self.agent.session_id = self._named or self.agent.session_id
        return End.LOCAL

    def unanswered(self, command: str) -> End | None:
        """The end of a command to which nobody has said a word, a model that says nothing or a hook that kept it from
        one; None where somebody has."""
        why = msg("nobody has answered to {command}", command=one_line(f"/{command}", 60))
        return None if self._worked or self._replied else self._failed(self.screen.told(why), None)

    async def _lost(self, end: End) -> bool:
        """Whether the session cannot be resumed: then the client fails before it begins. A new one is taken instead."""
        if end is not End.FAILED:
            return False
        if self.seen.failure == UNANSWERED:  # it has said nothing, and may have been slow to start
            self.agent.unname()
            return False
        if not self.agent.resumes:  # it never had one, and would fail in the same way again
            self.agent.unname()
            self._refuse_unknown()
            return False
        told = self.screen.told(msg("(this session cannot be resumed; a new one begins)"))
        await self._show([self.screen.paint("bad", told)])
        self.agent.forget()
        return True

    def _refuse_unknown(self) -> None:
        if self._is_chosen_in_vain:
            raise UnknownSession(
                msg("claude cannot go on with this session ({error})", error=self.seen.failure),
                msg("type an id that ccc status shows, or leave out {option} for a new session", option=self.chosen),
            )

    @property
    def _is_chosen_in_vain(self) -> bool:
        """Where a turn fails now: whether the session was the person's choice, and none has begun."""
        return bool(self.chosen) and self.agent.resumes is None and not self.agent.begun

    async def watch(self) -> End:
        self._interrupted, self._due, self._retry, self._error, self._resets_at = False, False, None, "", None
        while await self.agent.ready(self._patience):
            events = self.agent.hear()
            if events is None:
                return await self._died()
            finished = await self._take(events)
            if finished and not await self._goes_on_after(finished):
                return self._end_of(finished)
        return await self._fell_silent()

    async def _goes_on_after(self, finished: Finished) -> bool:
        """Whether this was the end of somebody else's turn, a notice of a background task say, and ours is to come.

        One in which no model had a part has not taken our message up; another one may have, beside a tool's result.
        """
        if not self._owed or finished.answers_the_prompt or finished.is_error or self._interrupted:
            return False
        self._others += 1 if finished.num_turns else 0
        if finished.num_turns and (self._others > OTHERS_TURNS or not await self._begins_soon()):
            return False
        self._begun, self._worked = False, False
        return True

    async def _begins_soon(self) -> bool:
        deadline = time.monotonic() + NEXT_TURN_SECONDS
        while self.agent.alive and await self.agent.ready(max(0.0, deadline - time.monotonic())):
            if await self.begins_by_itself():
                return True
        return False

    @property
    def _patience(self) -> float | None:
        """How long nothing may be heard of it."""
        if self.screen.running:
            return None
        return self._idle_for + (max(0, self._retry.delay_ms) / 1000 if self._retry else 0)

    @property
    def _idle_for(self) -> float:
        """Who has not begun is not silent: a busy machine takes long over a start."""
        if self.agent.begun:
            return self.idle_seconds
        return max(self.idle_seconds, min(START_SECONDS, START_TIMES * self.idle_seconds))

    async def _fell_silent(self) -> End:
        unanswered = self._unanswered
        taken = msg("the API does not answer") if unanswered else msg("taken for a stop")
        line = msg("(silent for {seconds} s: {taken})", seconds=f"{self._idle_for:.0f}", taken=taken)
        told = self.screen.paint("dim", self.screen.told(line))
        await self._show([*self.screen.cut_off(), told])
        self.agent.end()  # the next message resumes its session in a new process
        self._without_a_process()
        return self._failed(UNANSWERED, Weather(Kind.NETWORK, None, UNANSWERED)) if unanswered else End.IDLE

    @property
    def _unanswered(self) -> bool:
        """Whether the agent waits for the API, and so has not stopped."""
        return not self._interrupted and (self._due or self._retry is not None or not (self._worked or self._command))

    async def begins_by_itself(self) -> bool:
        """Whether the agent has begun a turn that nobody asked for, as it does when a background task ends, or goes on
        with one that had not ended."""
        events = self.agent.hear() if self.agent.alive else []
        if events is None:
            await self._died()
            return False
        return await self._is_at_work(events)

    async def _is_at_work(self, events: list[Event]) -> bool:
        if any(map(_shows_a_turn, events)):
            self.agent.put_back(events)
            return True
        await self._take(events)
        return False

    async def goes_on(self) -> bool:
        """The same of all that the agent has said by now, however much a terminal still holds of it."""
        wanted = self.agent.ask_for_a_sign() if self.agent.alive else ""
        while self.agent.alive and await self.agent.ready(INQUIRY_SECONDS):
            events = self.agent.hear()
            if events is None:
                await self._died()
                return False
            if await self._is_at_work(events):
                return True
            if any(isinstance(event, ControlResponse) and event.request_id == wanted for event in events):
                return False
        return False

    def interrupt(self) -> None:
        self._interrupted = True
        self.agent.interrupt()

    def _without_a_process(self) -> None:
        """What the agent had running in the background has ended with its process, and so has its turn."""
        if not self.agent.alive:
            self._underway.end()
            self.seen = replace(self.seen.broken_off(), tasks=())

    async def _died(self) -> End:
        self._without_a_process()
        told = self.screen.told(msg("(the agent's process has ended: {error})", error=self.agent.ended))
        await self._show([*self.screen.cut_off(), self.screen.paint("bad", told)])
        if self._retry and not self._interrupted:
            return self._failed(UNANSWERED, Weather(Kind.NETWORK, None, UNANSWERED))
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
        await self.person.show(lines)  # none, too: something may have grown
        return None

    def _as_wanted(self, event: Event) -> Event:
        """The end of an interrupted turn calls itself an error, but it is what the person wanted; that a session is not
        known is told by the error that follows."""
        told_otherwise = self._interrupted or self._is_chosen_in_vain
        return replace(event, is_error=False) if isinstance(event, Finished) and told_otherwise else event

    def _note(self, event: Event) -> None:
        seen = self.seen
        self._note_work(event)
        self._note_answer(event)
        self._note_weather(event)
        self.record.feed(event)
        self._underway.note(event)
        match event:
            case Init(session, model, permission_mode=mode, commands=commands):
                self.named(session or "")
                self._named, self.commands = session, commands or self.commands
                self.seen = replace(seen, model=model or seen.model, permission_mode=mode or seen.permission_mode)
            case Text(text, subagent=False, by_client=False):
                self.seen = replace(seen, last_message=text)
            case BackgroundTasks() | TaskStarted():
                self.seen = replace(seen, tasks=self._underway.tasks)
            case Permits(mode):
                self.seen = replace(seen, permission_mode=mode)
            case PermissionDenied(tool, message):
                told = self.screen.told(not_permitted(tool, message, 200))
                self.seen = replace(seen, denied=(*seen.denied, told))
            case Used():
                self.seen = seen.using(event)
            case ControlResponse(session=counted):
                self.seen = seen.counting(counted, new=self._is_new)
            case Finished(session=counted):
                self.seen = seen.counting(counted, new=self._is_new).after(event)
        if isinstance(event, Used | ControlResponse | Finished):
            self.counted()
        self._begun = self._begun or isinstance(event, Init | Text | ToolUse)

    def _note_work(self, event: Event) -> None:
        self._used = self._used or isinstance(event, ToolUse | TaskStarted)
        self._helped = not isinstance(event, Finished) and (self._helped or _is_of_subagent(event))
        match event:
            case Text(text, by_client=True) if text.strip():
                self._replied = True
            case Text(by_client=False) | PartialText() | PartialThinking() | Thinking() | ToolUse() if not self._worked:
                self._worked = True
                if self._command:  # one that a model works on is a request
                    self.record.asked(self._command)

    def _note_answer(self, event: Event) -> None:
        match event:
            case PartialText() | Other("stream_event", "message_start" | "content_block_start" | "content_block_delta"):
                self._due = True
            case ToolResult():
                self._due, self.answers = True, self.answers + 1
            case Used(subagent=False):
                self._due, self.answers = False, self.answers + 1
            case Finished(is_error=False):
                self._due, self.answers = False, self.answers + 1
            case Text() | Thinking() | ToolUse() | Finished():
                self._due = False

    def _note_weather(self, event: Event) -> None:
        match event:
            case Retry():
                self._retry = event
            case RateLimit(at):
                self._resets_at = at
            case Text(by_client=True, error=error) if error:
                self._error = error
            case Init() | Text() | PartialText() | PartialThinking() | Thinking() | Other("stream_event"):
                self._retry = None
            case ToolUse() | ToolResult() | Used() | Finished():
                self._retry = None

    def _end_of(self, finished: Finished) -> End:
        if self._interrupted:
            return End.INTERRUPTED
        if finished.is_error:
            return self._failed(finished.trouble or NO_REASON, self._sky(finished) if finished.by_api else None)
        return End.STOPPED

    def _sky(self, finished: Finished) -> Weather:
        now, status = datetime.now().astimezone(), finished.api_error_status
        return weather(finished.trouble, now, status=status, error=self._error, resets_at=self._resets_at)

    def _failed(self, why: str, what: Weather | None) -> End:
        self.seen = replace(self.seen, failure=one_line(why, 300), weather=what)
        return End.FAILED

    async def _permit(self, request: ControlRequest) -> None:
        self.asking = True
        await self._show(list(self.screen.asked(request.call)))
        self.alert(self.screen.told(msg("the agent asks: {tool}", tool=one_line(request.tool_name, 60))))
        try:
            decided = await self.permissions.decide(request, self.person)
        finally:
            self.asking = False
        self.screen.answered(request.call, allowed=isinstance(decided, Allow))
        match decided:
            case Allow(given):
                self.agent.allow(request, given)
            case Deny(message):
                self.agent.deny(request, message)

    async def _show(self, lines: Sequence[str]) -> None:
        if lines:
            await self.person.show(lines)


def _is_of_subagent(event: Event) -> bool:
    return isinstance(event, TaskStarted) or (isinstance(event, Used | UserText) and event.subagent)


def _shows_a_turn(event: Event) -> bool:
    """Whether only an agent at work says so. A subagent of its own may be so beside it, and the client says this and
    that between the turns."""
    match event:
        case Text(subagent=False, by_client=by_client, error=error):
            return bool(error) or not by_client
        case Finished(num_turns=turns):
            return turns > 0
        case Init():
            return True
        case Thinking() | PartialText() | PartialThinking() | ToolUse() | ToolResult():
            return not event.subagent
        case _:
            return False
