"""A Stop of pty mode on its way to its review, which is a process of its own, and the decision on its way back.

Rule: values that become JSON and come back equal; whoever stops waiting for the review ends it, and nobody else may.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from ccc.base import interpreter
from ccc.base.errors import CccError
from ccc.base.messages import msg, record, recorded
from ccc.base.strictjson import as_text
from ccc.base.text import one_line
from ccc.base.values import plain
from ccc.claude import program
from ccc.claude.conversation import Conversation
from ccc.claude.ground import Ground
from ccc.model import AllowStop, Decision, Mode, StopEvent
from ccc.record import events
from ccc.record.events import Changed, Event, HeldUp, Judged, NotJudged, WentOn
from ccc.record.session import About
from ccc_legacy.lineup import Lineup

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from asyncio.subprocess import Process
    from socket import socket

DECISION = "decision"  # the line that ends the story of a review
ASKED = "gone on?"  # the one to which it waits for an answer: it would permit, if the agent has begun nothing since
LINE_LIMIT = 64 * 1024 * 1024

Show = Callable[[Sequence[str]], Awaitable[None]]
Told = Callable[[Event], Sequence[str]]  # an event of the review in words
GoneOn = Callable[[], Awaitable[bool]]


class NoDecision(CccError):
    """A review has ended without one, by somebody else's doing or its own: nobody has written down how."""


class Seat(Struct, frozen=True):
    """What a provider brings with it."""

    settings: Path | None = None  # where the agent finds its settings, and so the reviewer
    beaten: tuple[str, ...] = ()  # the names that these decide, whatever a file of the project says
    digest: str = ""  # of these settings: where the system has no memory to seal they stand in a file
    kept: tuple[str, ...] = ()  # the variables that its clients are started without

    def read(self) -> dict[str, Any]:
        """The settings as they were offered."""
        if self.settings is None:
            return {}
        data = self.settings.read_bytes()  # ccc's own, and ccc lives
        if digest(data) != self.digest:
            raise CccError(msg("{path} was changed or is gone", path=self.settings), msg("start ccc again"))
        given: dict[str, Any] = json.loads(data)
        return given


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Case(Struct, frozen=True):
    """A Stop, with what the reviewer is to know. `criteria` is the copy of SUPERVISOR.md."""

    stop: StopEvent
    criteria: Path
    provider: str | None = None
    inputs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # all that the person has said in this session, if that is more
    model: str | None = None
    seat: Seat = Seat()
    brought: tuple[str, ...] | None = None  # what the project's files start in a reviewer, as it was at the start
    project: Path | None = None  # by which checks and judges are found, as it was at the start
    steering: str = ""  # what the person's own settings decided at the start, see claude/settings.py
    shaped: tuple[str, ...] | None = None  # … and what all settings made of a reviewer, see claude/shaping.py
    served: tuple[str, ...] | None = None  # … and which servers of the project a client might start
    tasks: tuple[str, ...] = ()  # background work that was there at the last stop, whichever session that was in
    conversation: Conversation | None = None  # what the agent did since the request, for the evidence
    answer: str = ""  # what the client knows by what the agent said last
    woken: bool = False  # the request had ended, and the agent has gone on by itself
    sent_back: str = ""  # the session that a review has sent back: ccc has a state of it
    lineup: Lineup = Lineup()
    seats: Mapping[str, Seat] = field(default_factory=dict)  # of everybody in it
    ccc: int | None = None  # the process that serves the session, for as long as the person does not leave it
    ccc_begun: str | None = None  # … by the kernel's own count

    @property
    def ground(self) -> Ground:
        return Ground(self.project or program.project_directory(self.stop.cwd), self.stop.cwd)

    def under(self, name: str) -> Case:
        """The same with another provider, whose model nobody has seen yet."""
        seat = self.seats.get(name, Seat())
        return replace(self, provider=name, seat=seat, model=None, lineup=self.lineup.moved(name))

    @property
    def about(self) -> About:
        project = str(program.project_directory(self.stop.cwd))
        return About(
            mode=Mode.PTY,
            provider=self.provider,
            project=project,
            client=self.ccc,
            client_begun=self.ccc_begun,
            answer=self.answer or None,
        )


def case_told(case: Case) -> str:
    """One line."""
    return json.dumps(to_builtins(case, enc_hook=_spelt)) + "\n"


def case_of(text: str) -> Case:
    return convert(json.loads(text), Case, dec_hook=_read)


def answer(*, gone_on: bool) -> str:
    return f"{json.dumps(gone_on)}\n"


def decision_told(decision: Decision) -> dict[str, Any]:
    sentence = record(decision.why, str(decision.why)) if isinstance(decision, AllowStop) else None
    return {"event": DECISION, "decision": plain(decision), "why_as": sentence}


def decision_of(told: Mapping[str, Any]) -> Decision:
    decision: Decision = convert(told["decision"], Decision)
    if isinstance(decision, AllowStop):
        return replace(decision, why=recorded(decision.why, told.get("why_as")))
    return decision


class Talk(Struct, frozen=True):
    """A review that runs, and the sockets between it and ccc: whoever has left the agent could open a pipe, and keep it
    open."""

    process: Process
    heard: StreamReader
    said: StreamWriter
    complained: StreamReader  # what it says where it should say nothing
    unanswered: StreamWriter

    async def wait(self) -> None:
        await self.process.wait()
        for end in (self.said, self.unanswered):
            end.close()
            with suppress(OSError):  # the other end was faster
                await end.wait_closed()

    async def end(self) -> None:
        if self.process.returncode is None:
            # Not by `terminate`: that first asks whether the child has ended, and whoever waits for it then finds none
            # and says so in the person's terminal.
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGTERM)
        await self.wait()


class Reviews(Struct):
    """Has cases reviewed by `ccc pty-review`, and shows the story of each while it happens."""

    env: Callable[[str | None], Mapping[str, str]]  # a provider's
    words: Told
    _paid: tuple[str | None, float] = (None, 0.0)  # of the request that was reviewed last
    _tokens: int = 0  # … and what they took
    _waited: float = 0.0
    _changes: tuple[Changed, ...] = ()
    _held: HeldUp | None = None
    _announcing: list[Talk] = field(default_factory=list)

    def paid(self, prompt_id: str | None) -> float:
        """What the reviews of this request have cost."""
        return self._paid[1] if prompt_id == self._paid[0] else 0.0

    def tokens(self, prompt_id: str | None) -> int:
        return self._tokens if prompt_id == self._paid[0] else 0

    def waited(self) -> float:
        """The seconds that reviews have waited for their provider, each told once."""
        waited, self._waited = self._waited, 0.0
        return waited

    def held(self) -> HeldUp | None:
        """What the review waits for now."""
        return self._held

    def changes(self) -> tuple[Changed, ...]:
        """From one provider to another in the midst of a review, each told once."""
        changes, self._changes = self._changes, ()
        return changes

    def _told(self, prompt_id: str | None, event: Event) -> Sequence[str]:
        if isinstance(event, Judged | NotJudged):
            self._tokens = self.tokens(prompt_id) + event.tokens
            self._paid = (prompt_id, self.paid(prompt_id) + event.cost_usd)
        if isinstance(event, WentOn):
            self._waited += event.seconds
        if isinstance(event, Changed):
            self._changes = (*self._changes, event)
        self._held = event if isinstance(event, HeldUp) else None
        return self.words(event)

    async def hold(self, case: Case, show: Show, gone_on: GoneOn) -> Decision:
        talk = await _started(self.env(case.provider))
        decision: Decision | None = None
        try:
            decision = await _followed(talk, case, show, partial(self._told, case.stop.prompt_id), gone_on)
        finally:
            self._held = None
            if isinstance(decision, AllowStop) and decision.outcome:
                # It tells the world how the request ended, which is not worth waiting for.
                self._announcing.append(talk)
            else:
                await talk.end()
        return decision

    async def finish(self) -> None:
        """Wait for announcements; each has its own deadline."""
        for talk in self._announcing:
            await talk.wait()


async def _started(env: Mapping[str, str]) -> Talk:
    import asyncio  # in here, because the review itself reads its case with this module and needs no loop

    heard, said, theirs = await _channel()
    complained, unanswered, aside = await _channel()
    command, end = interpreter.command("ccc", "pty-review"), theirs.fileno()
    try:
        with theirs, aside:
            # In a group of its own: Ctrl-C, and all that is meant for ccc and what it has started, ccc hears.
            process = await asyncio.create_subprocess_exec(
                *command, env=dict(env), stdin=end, stdout=end, stderr=aside.fileno(), process_group=0
            )
    except BaseException:
        said.close()
        unanswered.close()
        raise
    return Talk(process, heard, said, complained, unanswered)


async def _channel() -> tuple[StreamReader, StreamWriter, socket]:
    import asyncio  # as above
    from socket import socketpair

    ours, theirs = socketpair()
    return *await asyncio.open_connection(sock=ours, limit=LINE_LIMIT), theirs


async def _followed(talk: Talk, case: Case, show: Show, words: Told, gone_on: GoneOn) -> Decision:
    talk.said.write(case_told(case).encode())
    async for line in _lines(talk.heard):
        told = _object(line)
        if told.get("event") == DECISION:
            return decision_of(told)
        if told.get("event") == ASKED:
            talk.said.write(answer(gone_on=await gone_on()).encode())
            continue
        event = events.decoded(told)
        await show(words(event) if event else ())
    raise NoDecision(msg("the review ended without a decision: {reason}", reason=await _last_words(talk)))


async def _lines(heard: StreamReader) -> AsyncIterator[bytes]:
    with suppress(ConnectionResetError):  # it ended before it had read its case
        async for line in heard:
            yield line


async def _last_words(talk: Talk) -> str:
    lines = (await talk.complained.read()).decode("utf-8", "replace").strip().splitlines()
    code = await talk.process.wait()
    return one_line(lines[-1]) if lines else msg("exit code {code}", code=code if code >= 0 else 128 - code)


def _object(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _spelt(value: object) -> str:
    """A path, whose name may hold any bytes, as a text that every JSON can hold."""
    return os.fsencode(value).decode("latin-1") if isinstance(value, Path) else as_text(value)


def _read(_: type[object], value: object) -> Path:
    """Paths are all that msgspec asks about."""
    return Path(os.fsdecode(str(value).encode("latin-1")))
