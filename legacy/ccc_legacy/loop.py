"""The loop: the agent works, stops, is reviewed, and works on, until it is done; then the person has the word again.

Rule: one request is a chain of turns and reviews that ends in exactly one Outcome; how a turn is had, a review is held
or a person is asked is the business of turn.py, review.py and prompt.py.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.messages import msg
from ccc.base.text import capped, one_line
from ccc.claude import slash
from ccc.claude.own_words import CUT_OFF
from ccc.claude.stream import UserText
from ccc.claude.weather import Kind, Weather, held_by
from ccc.judging.holding import grows_long
from ccc.judging.prompts import WORDS_LENGTH
from ccc.model import AllowStop, Bill, Decision, KeepWorking, Outcome
from ccc.record.events import Changed, HeldUp, WentOn
from ccc.record.session import moment
from ccc.record.words import changed, outcome_told, outcome_word, waiting
from ccc_legacy import commands, summary
from ccc_legacy.bar import Standing
from ccc_legacy.commands import Order
from ccc_legacy.feed import Ending
from ccc_legacy.ledger import Held
from ccc_legacy.lineup import Turn
from ccc_legacy.paint import Paint
from ccc_legacy.patience import Patience, ending
from ccc_legacy.person import Person
from ccc_legacy.review import Case, GoneOn, NoDecision
from ccc_legacy.reviewing import Glance
from ccc_legacy.steps import ASKS_FIRST, EXIT_CODES, MODES, UNASKED, Finish, Phase, Tell, Todo, Wait
from ccc_legacy.summary import Summary
from ccc_legacy.terminal import Size
from ccc_legacy.turn import End, Seen, Turns

# How long the wall clock may go unlooked at: a machine that slept must not wait for what it has slept through.
STEP_SECONDS = 5.0
CAP_SECONDS = 1.0  # how long a turn may have passed a cap
ASKED = msg("your answer")
LEFT = msg("the person left")
WORDS_KEPT = 100  # messages of the person's in one session, beside the first

Show = Callable[[Sequence[str]], Awaitable[None]]
Review = Callable[[Case, Show, GoneOn], Coroutine[None, None, Decision]]


class Loop(Struct):
    turns: Turns
    person: Person
    review: Review
    case: Case  # what all reviews of this run have in common
    obey: Callable[[Loop, Order], Coroutine[None, None, None]]
    paint: Paint
    interactive: bool
    answered: Callable[[str, str], None] = lambda *_: None  # keeps which answer of this session was its agent's
    close: Callable[[Case, Outcome, str], None] = lambda *_: None  # writes down an end that no review has written
    paid: Callable[[str | None], float] = lambda _: 0.0  # what the reviews of a request have cost
    waited: Callable[[], float] = lambda: 0.0  # how long reviews have waited since this was asked last
    changes: Callable[[], Sequence[Changed]] = lambda: ()  # to whom they have gone meanwhile
    reviewer_held: Callable[[], HeldUp | None] = lambda: None  # what one waits for now
    over: Callable[[Case, Seen], str] = lambda *_: ""  # why a turn may not go on, by the caps of a request
    priced: bool = False  # one of them is money
    recall: Callable[[str], Sequence[str]] = lambda _: ()  # what the record of a session has of the person's words
    resumed: str | None = None  # the session that the person goes on with, by their own words
    told: Callable[[str], str] = str  # a sentence in the person's language
    lang: str = "en"  # … which is this one
    alert: Callable[[str], None] = lambda _: None  # the person is wanted, who may look elsewhere
    glance: Callable[[], Glance] = Glance  # at the review that runs, or the last one
    took: Callable[[str | None], int] = lambda _: 0  # tokens of the reviews of a request
    limit: int = 10  # reviews of a request
    clock: Callable[[], float] = time.monotonic
    concluded: Callable[[Ending], None] = lambda _: None  # hears of every end
    billed: Callable[[float], None] = lambda _: None  # … and of what the agent has cost so far, after each answer
    held: Callable[[Case, Held], None] = lambda *_: None  # … and of every wait for a provider
    long_wait: Callable[[Case, HeldUp], None] = lambda *_: None  # … once more of one that is long
    now: Callable[[], datetime] = lambda: datetime.now(UTC)  # what the clock on the wall says
    patience: Patience = Patience()
    supervising: bool = True
    folder_off: Callable[[], bool] = lambda: False  # the person's word for the whole project, which may change any time
    phase: Phase = Phase.PERSON
    outcome: Outcome | None = None
    ending: tuple[str, ...] = ()  # how the last request ended, in words
    queued: deque[str] = field(default_factory=deque)
    _ordered: deque[Order] = field(default_factory=deque)
    _interrupts: int = 0
    _job: asyncio.Task[None] | None = None
    _reviewing: asyncio.Task[Decision] | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _aside: set[asyncio.Task[None]] = field(default_factory=set)
    _leaving: bool = False
    _leaves_next: bool = False  # Ctrl-C was pressed at the person's own line, and nothing else since
    _cut_short: bool = False
    _steered: bool = False  # a review was ended by what the person wants the agent to hear at once
    _since: float = 0.0  # when the phase began
    _asked_at: float = 0.0  # … and the request
    _stops: int = 0  # of this request that count: its rounds
    _held: HeldUp | None = None  # what the agent is kept from its work by, and until when
    _cap: str = ""  # the one that has ended the turn
    _too_late: HeldUp | None = None  # a limit that nobody wants to wait for so long has ended the request
    _answers: int = 0  # of a model, when one was last known to be there
    _ruled: bool = False  # the end of this request was the review's
    _gone_on: bool = False  # the agent has, while its stop was reviewed
    _session: str | None = None  # whose words these are:
    _words: tuple[str, ...] = ()

    @property
    def standing(self) -> Standing:
        """Where things stand, for the bar."""
        busy = self.phase is not Phase.PERSON and not self.turns.asking
        reviewing = self.phase is Phase.REVIEW
        return Standing(
            phase=self.told(self._waits) or self.told(ASKED if self.turns.asking else self.phase.value),
            busy=self.clock() - self._since if busy and not self._waits else None,
            work=self.glance().looking if reviewing else self.turns.screen.at_work,
            queued=len(self.queued),
            round=(self._stops if reviewing else self._stops + 1, self.limit) if busy and self._supervised else None,
            supervised=self._supervised,
            mode=self.told(UNASKED.get(self._mode, "")),
            bill=self.bill,
            tokens=self.turns.seen.tokens_by_now + self.took(self.case.stop.prompt_id),
            session=self.turns.agent.session_id or self._chosen,
        )

    @property
    def _chosen(self) -> str | None:
        """The session that the person's own words have chosen, until the agent has named one or begins another."""
        return self.resumed if self.turns.agent.resumes is None else None

    @property
    def _mode(self) -> str:
        return self.turns.agent.mode or self.turns.seen.permission_mode or MODES[0]

    @property
    def _supervised(self) -> bool:
        return self.supervising and not self.folder_off()

    @property
    def _waits(self) -> str:
        held = self._held or self.reviewer_held()
        until = moment(held.until) if held else None
        return waiting(held.by, held.provider, until, self.now()) if held and until else ""

    @property
    def bill(self) -> Bill:
        """What the current request has cost so far."""
        return Bill(0, self.paid(self.case.stop.prompt_id), self.turns.seen.cost_by_now_usd)

    # What the person does (prompt.Listener).

    def typed(self, text: str) -> None:
        self._leaves_next = False
        order, urgent = commands.parse(text), commands.steering(text)
        if urgent:
            self.steered(urgent)
            return
        if order in commands.AT_ONCE:
            self._meanwhile(self.obey(self, order))
            return
        if order:
            self._ordered.append(order)
        else:
            self.queued.append(text)
        if self.phase in (Phase.AGENT, Phase.REVIEW, Phase.HELD_UP):
            self._aside_tell(msg("(queued: {text})", text=one_line(text, 80)))
        self._wake.set()

    def steered(self, text: str) -> None:
        """The agent is to hear this at once, and not when it stops."""
        self._leaves_next = False
        if commands.is_order(text) and not commands.steering(text):
            self.typed(text)
            return
        self.queued.append(commands.steering(text) or text)
        if self.phase is Phase.AGENT:
            self.turns.interrupt()
        elif self._reviewing:
            self._steered = True
            self._reviewing.cancel()
        self._wake.set()

    def unfolded(self) -> None:
        self._leaves_next = False
        screen = self.turns.screen
        lines = list(screen.unfold())
        told = msg("(more is shown; Ctrl-O: less)") if screen.verbose else msg("(less is shown; Ctrl-O: more)")
        self._meanwhile(self._show(*lines, self.paint("dim", self.told(told))))

    def switched(self) -> None:
        """The next of the client's permission modes, as its own UI has it."""
        self._leaves_next = False
        at = MODES.index(self._mode) if self._mode in MODES else -1
        mode = MODES[(at + 1) % len(MODES)]
        self.turns.agent.permit(mode)
        self._aside_tell(msg("({mode}; Shift-Tab: another)", mode=UNASKED.get(mode, ASKS_FIRST)))

    def interrupted(self, *, leaves_if_repeated: bool) -> None:
        """Once ends the turn or the review; Ctrl-C again, while that takes its time, leaves."""
        self._interrupts += 1
        if self.phase is Phase.PERSON:
            self._interrupted_nothing(leaves_if_repeated)
        elif leaves_if_repeated and self._interrupts > 1:
            self.left()
        elif self.phase is Phase.AGENT:
            self.turns.interrupt()
        elif self._reviewing:
            self._reviewing.cancel()
        self._wake.set()

    def _interrupted_nothing(self, leaves_if_repeated: bool) -> None:
        """At the person's own line the second Ctrl-C leaves, as long as nothing else came between the two."""
        again, self._leaves_next = self._leaves_next and leaves_if_repeated, leaves_if_repeated
        if again:
            self.left()
        elif leaves_if_repeated:
            self._aside_tell(msg("(Ctrl-C once more leaves, as Ctrl-D does)"))
        else:
            self._aside_tell(msg("(Ctrl-D leaves)"))

    def left(self) -> None:
        self._leaving = True
        self._cut_short = self._cut_short or self.phase is not Phase.PERSON
        if self._job:
            self._job.cancel()

    def resized(self, size: Size) -> None:
        self.turns.agent.resize(size)

    # What the agent does.

    def named(self, session_id: str) -> None:
        """A turn begins in this session. The first one of this run may be an old one, which a person has spoken in
        before; its record is read now, before the agent can have had a hand in it."""
        if self._session is not None or not session_id:
            return
        self._session, spoken = session_id, self._words
        earlier = list(self.recall(session_id))
        if spoken and earlier and earlier[-1].split() == spoken[-1].split():  # the client was quicker
            earlier.pop()
        self._words = ()
        for text in (*earlier, *spoken):
            self._keep_words(text)

    def counted(self) -> None:
        """More is known of what this request costs."""
        if self.priced:
            self.turns.ask_price()
        self.billed(self.turns.seen.cost_by_now_usd)

    def left_to_client(self) -> None:
        """The person goes on with this session elsewhere; what they say there is in its record."""
        self._session, self._words = None, ()

    # What ccc does.

    async def run(self, first: str | None) -> int:
        """Serve the person until they leave; without a person, the first message and no more."""
        if first is not None:
            self.typed(first)
        while not self._leaving and (self.interactive or self.queued or self._ordered):
            self._job = asyncio.create_task(self._serve())
            await asyncio.wait([self._job])
            if not self._job.cancelled():
                self._job.result()
        if self._aside:
            await asyncio.wait(self._aside)
        if self._cut_short:
            self._close(Outcome.INTERRUPTED, LEFT)
            self._tell_end(Outcome.INTERRUPTED, LEFT)
        return self._exit_code()

    def _close(self, outcome: Outcome, why: str) -> None:
        if self.turns.agent.session_id is not None:
            self.close(self._stopped(), outcome, why)

    def _tell_end(self, outcome: Outcome, why: str) -> None:
        session_id, seen, came_to = self.turns.agent.session_id, self.turns.seen, self._summed_up(billed=True)
        self.concluded(
            Ending(
                outcome,
                why,
                EXIT_CODES[outcome],
                session_id,
                seen.cost_usd,
                seen.cost_by,
                came_to.rounds,
                came_to.seconds,
                seen.tokens_by_now,
                came_to.files,
                self._too_late,
            )
        )

    def _exit_code(self) -> int:
        if self._cut_short:
            return EXIT_CODES[Outcome.INTERRUPTED]
        return 0 if self.interactive or self.outcome is None else EXIT_CODES[self.outcome]

    async def _serve(self) -> None:
        """The next thing that is to be done, to its end."""
        if self._ordered:
            await self.obey(self, self._ordered.popleft())
        elif self.queued:
            await self._requested()
        elif await self._roused() and await self.turns.begins_by_itself():
            self.case = replace(self.case, woken=True)
            await self._pursue(Wait())

    async def _requested(self) -> None:
        """What was typed, as a request of its own, unless it turns out to be none."""
        if not slash.command(self.queued[0]):
            await self._back()
        before, record, seen, session = self.case, self.turns.record, self.turns.seen, self.turns.agent.session_id
        stop = replace(self.case.stop, prompt_id=str(uuid.uuid4()), began=datetime.now(UTC))
        self.case = replace(self.case, stop=stop, inputs=(), woken=False)
        self.turns.begin()
        self._asked_at, self._stops = self.clock(), 0
        self.patience = self.patience.renewed()
        outcome = await self._pursue(self._typed_meanwhile() or Wait())
        if outcome is None and self.turns.agent.session_id == session:
            self.case = before
            self.turns.go_back(record, seen)

    async def review_now(self) -> None:
        """A review that the person asked for; its feedback goes to the agent as it would at a stop."""
        if self.turns.agent.session_id is None:
            await self._show(self.told(msg("there is nothing to review yet")))
        else:
            self.case = replace(self.case, stop=replace(self.case.stop, prompt_id=str(uuid.uuid4())), woken=False)
            self._asked_at, self._stops = self.clock(), 0
            await self._pursue(await self._judged())

    async def _pursue(self, todo: Todo) -> Outcome | None:
        """One request of the person, to its outcome."""
        last: End | Wait = End.LOCAL  # what the agent did last; a command that no model answers changes nothing of it
        while not isinstance(todo, Finish):
            end = await self._turn(todo.message) if isinstance(todo, Tell) else await self._wait()
            self._heard()
            if self._moved(end):
                last = End.LOCAL
            elif end is not End.LOCAL:
                last = end
            todo = await self._next(last)
        if todo.outcome:
            self.outcome = todo.outcome
            await self._conclude(todo.outcome)
        return todo.outcome

    def _heard(self) -> None:
        """Where a model has answered, what was waited for it before is over."""
        if self.turns.answers != self._answers:
            self._answers = self.turns.answers
            self.answered(self.turns.agent.session_id or "", self.turns.agent.answer)
            self.patience = self.patience.renewed()
            self.case = replace(self.case, lineup=self.case.lineup.answered())

    async def _next(self, last: End | Wait) -> Todo:
        """The person's word goes first, but not to a provider that would not answer it."""
        weather = self.turns.seen.weather if last is End.FAILED else None
        if weather and (weather.passes or self.case.lineup.gives_way(weather)):
            return await self._weathered(weather)
        if last is End.INTERRUPTED and self._cap:  # what was typed is a new request, with caps of its own
            return await self._after(last)
        return self._typed_meanwhile() or (last if isinstance(last, Wait) else await self._after(last))

    async def _weathered(self, weather: Weather) -> Todo:
        """Wait until a provider can be asked, if the person wants to wait so long; then the agent goes on with it."""
        now = self.now()
        turn = self._whose_turn(weather, now)
        if turn is None:
            return self._typed_meanwhile() or self._hopeless()
        todo = await self._held_up(weather, turn, now) if turn.at > now else None
        if todo is None and turn.name != self.case.provider:
            await self._change(str(turn.name), weather)
        return todo or self._cut_off()

    def _whose_turn(self, weather: Weather, now: datetime) -> Turn | None:
        lineup, turn = self.case.lineup.after(weather, self.patience, now, random.random())
        self.case = replace(self.case, lineup=lineup)
        return turn

    async def _held_up(self, weather: Weather, turn: Turn, began: datetime) -> Todo | None:
        """Until then; None when the time has come."""
        away = self.case.lineup.away.get(turn.name or "")
        by = held_by(away.kind, away.until) if away else held_by(weather.kind, weather.until)
        self._enter(Phase.HELD_UP)
        self._held = HeldUp(by, turn.at.isoformat(timespec="seconds"), weather.said, turn.name)
        try:
            self.held(self._stopped(), self._held)
            if grows_long(self.patience.waited, (turn.at - began).total_seconds()):
                self.long_wait(self._stopped(), self._held)
            await self._show(self.paint("dim", f"… {self.told(self._waits)}"))
            todo = await self._outlasted(turn.at)
        finally:
            self._held, self.phase = None, Phase.PERSON
            waited = (self.now() - began).total_seconds()
            # What a machine sleeps through beyond the wait is no part of it.
            self.patience = self.patience.after(min(waited, (turn.at - began).total_seconds()))
            self._not_counted(waited)
        if not isinstance(todo, Finish):
            self.held(self._stopped(), WentOn(round(max(0.0, waited), 1)))
        return todo

    async def _change(self, to: str, weather: Weather | None) -> None:
        """Another provider goes on, in the same session."""
        until = weather.until.isoformat(timespec="seconds") if weather and weather.until else ""
        by, said = (weather.kind.value, weather.said) if weather else ("", "")
        event = Changed(self.case.provider, to, by, until, said)
        self._take_over(to)
        self.held(self._stopped(), event)
        await self._show(self.paint("phase", f"↪ {self.told(changed(event))}"))

    def _take_over(self, name: str) -> None:
        self.turns.change(name)
        self.case = self.case.under(name)

    async def _back(self) -> None:
        """A request goes to the provider that was started, if that can be asked again."""
        lineup = self.case.lineup.requested(self.now())
        self.case = replace(self.case, lineup=replace(lineup, now_at=self.case.lineup.now_at))
        if lineup.name and lineup.name != self.case.provider:
            await self._change(lineup.name, None)

    def _follow(self, changes: Sequence[Changed]) -> None:
        """The reviewer has gone to another provider, and the agent goes with it: it would meet the same weather."""
        for each in changes:
            until = moment(each.until)
            gone = Weather(Kind(each.by), until)
            self.case = replace(self.case, lineup=self.case.lineup.without(gone, until, self.now()))
            self._take_over(each.to)

    async def _outlasted(self, until: datetime) -> Todo | None:
        """None when the time has come; what else is to be done when somebody was quicker."""
        while (left := (until - self.now()).total_seconds()) > 0:
            await self._roused(min(left, STEP_SECONDS))
            if self._interrupts:
                return Finish(Outcome.INTERRUPTED)
            if await self.turns.begins_by_itself():
                return Wait()
        return None

    def _not_counted(self, seconds: float) -> None:
        """Nobody worked meanwhile, so it is no part of the request's minutes."""
        began = self.case.stop.began
        if began:
            self.case = replace(self.case, stop=replace(self.case.stop, began=began + timedelta(seconds=seconds)))

    def _cut_off(self) -> Tell:
        # A client that was silent from its start has no session that could know of the request.
        unheard = self.case.inputs if self.turns.agent.session_id is None else ()
        words = "\n".join(unheard) or self.told(CUT_OFF)
        if not unheard:
            self.turns.record.feed(UserText(words))
        typed = self._typed_meanwhile() if self._spoken_to else None
        return Tell(f"{words}\n\n{typed.message}" if typed else words)

    def _hopeless(self) -> Finish:
        """The end of a turn that the API failed, with what the person can do about it."""
        seen, session = self.turns.seen, self.turns.agent.session_id
        known = ending(seen.weather, self.case.provider, session, self.patience.minutes) if seen.weather else None
        unknown = msg("the agent's turn failed and was not reviewed: {reason}", reason=seen.failure)
        self.ending = (self.told(known or unknown),)
        if seen.weather and seen.weather.kind is Kind.LIMIT and seen.weather.until:
            until = seen.weather.until.isoformat(timespec="seconds")
            self._too_late = HeldUp(Kind.LIMIT.value, until, seen.weather.said, self.case.provider)
        return Finish(Outcome.UNREVIEWED)

    def _moved(self, end: End | Wait) -> bool:
        """Whether the person went on in another session: what was said and done before is not that one's."""
        before, self._session = self._session, self.turns.agent.session_id
        if before is None or before == self._session:
            return False
        if end is not End.LOCAL:  # it began with this request
            self._words = self.case.inputs
            return False
        if self.case.inputs:  # /clear, in the middle of a request
            old = replace(self.case, stop=replace(self.case.stop, session_id=before))
            self.close(old, Outcome.INTERRUPTED, msg("the person went on in a new session"))
        self.case, self._words = replace(self.case, inputs=()), ()
        self.turns.begin()
        return True

    async def _after(self, end: End) -> Todo:
        """What a stop leads to."""
        match end:
            case End.LOCAL:
                return Finish(None)
            case End.INTERRUPTED if self._cap:
                self.ending = (self.told(self._cap),)
                return Finish(Outcome.LIMIT)
            case End.INTERRUPTED:
                return Finish(Outcome.INTERRUPTED)
            case End.FAILED:
                return self._hopeless()
            case _ if not self.supervising:
                return Finish(Outcome.OFF)
            case _:
                return await self._judged()

    async def _turn(self, message: str) -> End:
        self._enter(Phase.AGENT)
        try:
            command = slash.command(message)
            turn = self._commanded(command, message) if command else self.turns.have(message, self.case.inputs)
            return await self._within_caps(turn)
        finally:
            self.phase = Phase.PERSON

    async def _within_caps(self, turn: Coroutine[None, None, End]) -> End:
        self._cap = ""
        fuse = asyncio.create_task(self._fuse())
        try:
            return await turn
        finally:
            fuse.cancel()

    async def _fuse(self) -> None:
        """Interrupt the turn at a cap. The client's own waits for the API are no part of the minutes."""
        while not self._cap:
            await asyncio.sleep(CAP_SECONDS)
            if self.turns.asks_again:
                self._not_counted(CAP_SECONDS)
            if self.priced:
                self.turns.ask_price()
            self.turns.ask_count()
            self._cap = self.over(self.case, self.turns.seen)
        self.turns.interrupt()

    async def _commanded(self, command: str, message: str) -> End:
        """The client's own answer, or a request by another name; which one, its answer shows."""
        if not await self.turns.knows(command):
            unknown = slash.unknown(command, commands.names(), self.turns.commands)
            if not self.interactive:
                raise unknown
            await self._show(self.paint("bad", self.told(unknown.message)))
            return End.LOCAL
        end = await self.turns.have(message)
        if end is End.LOCAL and not self.interactive:  # there is nobody to see that nothing came of it
            end = self.turns.unanswered(command) or end
        if end is not End.LOCAL:
            self._asked(message)
        return end

    def _asked(self, text: str) -> None:
        self.case = replace(self.case, inputs=(*self.case.inputs, text))
        self._keep_words(text)

    def _keep_words(self, text: str) -> None:
        self._words = (*self._words[:1], *(*self._words[1:], capped(text, WORDS_LENGTH))[-WORDS_KEPT:])

    async def _wait(self) -> End | Wait:
        """Until the agent goes on by itself, or the person has something to say."""
        self._enter(Phase.WAITING)
        self._cap = ""
        try:
            while self.queued or await self._roused(self.turns.idle_seconds):
                if self.queued:
                    return Wait() if slash.command(self.queued[0]) else End.STOPPED
                if self._interrupts or self._ordered:
                    return End.INTERRUPTED
                if await self.turns.begins_by_itself():
                    self._enter(Phase.AGENT)
                    await self._show(*self.turns.screen.begins())
                    return await self._within_caps(self.turns.watch())
                self._cap = self.over(self.case, self.turns.seen)  # of what works in the background
                if self._cap:
                    return End.INTERRUPTED
            return End.IDLE
        finally:
            self.phase = Phase.PERSON

    async def _roused(self, patience: float | None = None) -> bool:
        """Wait until the person or the agent does something; False when nobody did for so long."""
        agent = self.turns.agent
        doings: list[Coroutine[None, None, bool]] = [self._wake.wait(), *([agent.ready()] if agent.alive else [])]
        waiting = [asyncio.create_task(doing) for doing in doings]
        try:
            done, _ = await asyncio.wait(waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting)  # until they have let go of the agent's descriptor
        self._wake.clear()
        return bool(done)

    def _typed_meanwhile(self) -> Tell | None:
        """What was typed while the agent worked goes in before any review; a command alone, for it must come first."""
        if not self.queued:
            return None
        if slash.command(self.queued[0]):
            return Tell(self.queued.popleft())
        words = list(takewhile(lambda text: not slash.command(text), self.queued))
        for _ in words:
            self.queued.popleft()
        text = "\n".join(words)
        self._asked(text)
        self.turns.record.asked(text)
        return Tell(text)

    async def _judged(self) -> Todo:
        """What a review makes of this stop."""
        if self.turns.agent.session_id is None:
            self.ending = (self.told(msg("the agent has named no session that could be reviewed")),)
            return Finish(Outcome.UNREVIEWED)
        self._enter(Phase.REVIEW)
        self._stops, self._gone_on = self._stops + 1, False
        self._reviewing = asyncio.create_task(self.review(self._stopped(), self.person.show, self._has_gone_on))
        try:
            return await self._heeded(await self._reviewing)
        except NoDecision as error:
            self.ending = (self.told(error.message),)
            return Finish(Outcome.UNREVIEWED)
        except asyncio.CancelledError:
            if self._leaving:
                raise
            typed = self._typed_meanwhile() if self._steered else None
            return typed or Finish(Outcome.INTERRUPTED)
        finally:
            self._steered = False
            self._reviewing, self.phase = None, Phase.PERSON
            self._not_counted(self.waited())
            self._follow(self.changes())
            self.case = replace(self.case, tasks=tuple(task.id for task in self.turns.seen.tasks))

    async def _has_gone_on(self) -> bool:
        """Whether the agent has begun anything since it stopped. Where nobody stays to see what it does next, it can do
        nothing any more once this is denied."""
        self._gone_on = await self.turns.goes_on()
        if not (self._gone_on or self.interactive):
            self.turns.agent.end()
        return self._gone_on

    def _stopped(self) -> Case:
        seen = self.turns.seen
        stop = replace(
            self.case.stop,
            session_id=self.turns.agent.session_id or "",
            permission_mode=seen.permission_mode,
            last_message=seen.last_message,
            tasks=seen.tasks,
            cost_usd=seen.cost_usd,
            cost_by=seen.cost_by,
            tokens=seen.tokens_by_now,
        )
        words = self._words if len(self._words) > len(self.case.inputs) else ()
        record = self.turns.record.conversation()
        return replace(
            self.case,
            stop=stop,
            words=words,
            model=seen.model,
            conversation=record,
            answer=self.turns.agent.answer,
        )

    async def _heeded(self, decision: Decision) -> Todo:
        match decision:
            case KeepWorking(feedback, notice=notice):
                self.case = replace(self.case, sent_back=self.turns.agent.session_id or "")
                await self._show(*([notice] if notice else []), self._goes_on())
                self.turns.record.feed(UserText(feedback))
                typed = self._typed_meanwhile() if self._spoken_to else None
                return typed or Tell(slash.as_words(feedback))
            case AllowStop(Outcome() as outcome):
                self.ending, self._ruled = tuple(map(self.told, _last_words(decision))), True
                return Finish(outcome)
            case AllowStop(_, why, notice) if self._gone_on:
                await self._show(*([notice] if notice else []), self.paint("dim", self.told(why)))
                return Wait()
            case AllowStop(_, why, notice):
                self._stops -= 1  # it waits for its own work, and this was none
                await self._show(self.paint("dim", notice or self.told(why)))
                return Wait()

    @property
    def _spoken_to(self) -> bool:
        """Whether words wait for the agent, and not a command, which can go on waiting."""
        return bool(self.queued) and not slash.command(self.queued[0])

    def _goes_on(self) -> str:
        # The person's word comes first; the next review is told what this one found.
        typed, feedback = msg("the agent goes on with what you typed"), msg("the agent goes on with this feedback")
        return self.paint("phase", f"↩ {self.told(typed if self._spoken_to else feedback)}")

    async def _conclude(self, outcome: Outcome) -> None:
        if not self._ruled:
            self._close(outcome, " ".join(self.ending) or outcome_told(outcome))
        billed, self._ruled = self._ruled, False
        self._tell_end(outcome, " ".join(self.ending) or outcome_told(outcome))
        why = f": {' '.join(self.ending)}" if self.ending else ""
        lines = [
            self.paint("good" if EXIT_CODES[outcome] == 0 else "bad", f"[{outcome_word(outcome, self.lang)}]{why}")
        ]
        came_to = self.paint("dim", summary.line(self._summed_up(billed=billed), self.told, self.lang))
        await self._show(*([""] if self.turns.screen.columns() else []), came_to)
        if not self.interactive:
            lines += [self.paint("bad", f"✗ {line}") for line in dict.fromkeys(self.turns.seen.denied)]
        self.ending = tuple(lines)
        if outcome is Outcome.COMPLETED:  # what wakes the agent after that has reviews of its own
            self._stops = 0
        await self._show(*lines)
        self.alert(f"[{outcome_word(outcome, self.lang)}]{why}")

    def _summed_up(self, *, billed: bool) -> Summary:
        """What is said at the end of a request; `billed`: the money stands in the last line."""
        return Summary(
            rounds=self._stops,
            seconds=self.clock() - self._asked_at,
            tokens=self.turns.seen.tokens_by_now + self.took(self.case.stop.prompt_id),
            bill=None if billed else self.bill,
            files=summary.changed(self.turns.record.conversation(), self.case.stop.cwd),
        )

    def _aside_tell(self, text: str) -> None:
        self._meanwhile(self._show(self.paint("dim", self.told(text))))

    async def _show(self, *lines: str) -> None:
        await self.person.show(lines)

    def _enter(self, phase: Phase) -> None:
        self.phase, self._interrupts, self.ending, self._since = phase, 0, (), self.clock()
        self._too_late, self._leaves_next = None, False

    def _meanwhile(self, showing: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(showing)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)


def _last_words(decision: AllowStop) -> Iterator[str]:
    told = [text for text in (decision.notice, decision.closing) if text]
    for text in told:
        yield text.removeprefix("ccc: ").removeprefix("ccc：")  # here it is plain who speaks
    if not told and decision.outcome is not Outcome.COMPLETED:
        yield decision.why  # that the reviewer is satisfied is what the outcome says already
