"""The live agent: messages go in, events come out, and a dead one is started again where it left off.

Rule: no more than three starts in sixty seconds; the session id that the client named first is the one that holds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from ccc import stream
from ccc.errors import CccError
from ccc.stream import Event, StreamParser
from ccc_legacy.terminal import Child, Program

STARTS, WITHIN_SECONDS = 3, 60.0

Prepare = Callable[[str | None], Program]  # the session to resume → what to start


class AgentKeepsDying(CccError):
    """Starting it again has not helped."""


@dataclass(slots=True)
class Agent:
    prepare: Prepare
    size: tuple[int, int]
    on_bytes: Callable[[bytes], None] | None = None  # the raw stream, for whoever wants it
    session_id: str | None = None
    _child: Child | None = None
    _parser: StreamParser = field(default_factory=StreamParser)
    _starts: list[float] = field(default_factory=list)
    _sending: set[asyncio.Task[None]] = field(default_factory=set)
    _requests: int = 0

    @property
    def alive(self) -> bool:
        return self._child is not None

    def tell(self, text: str) -> None:
        """One user message, to a running agent or a new one."""
        if self._child is None:
            self._start()
        self._send(stream.user_message(text))

    def interrupt(self) -> None:
        """Ask for the end of the turn; it ends with a result, and the process goes on."""
        self._requests += 1
        self._send(stream.interrupt(f"ccc-{self._requests}"))

    def allow(self, request: stream.ControlRequest) -> None:
        self._send(stream.allow_tool(request.request_id, request.input))

    def deny(self, request: stream.ControlRequest, message: str) -> None:
        self._send(stream.deny_tool(request.request_id, message))

    def resize(self, size: tuple[int, int]) -> None:
        self.size = size
        if self._child:
            self._child.resize(size)

    async def events(self) -> AsyncIterator[list[Event]]:
        """What the agent says, in pieces as they come; ends when the process does."""
        child = self._child
        while child is not None and child is self._child:
            data = child.read()
            if data is None:
                yield self._heard(self._parser.close())
                self.end()
                return
            if data and self.on_bytes:
                self.on_bytes(data)
            if data:
                yield self._heard(self._parser.feed(data))
            else:
                await _ready(child.fd, writing=False)

    def end(self) -> int | None:
        """End the process; the session stays and can be resumed."""
        child, self._child = self._child, None
        for task in self._sending:
            task.cancel()
        return child.end() if child else None

    def _start(self) -> None:
        now = time.monotonic()
        self._starts = [start for start in self._starts if now - start < WITHIN_SECONDS]
        if len(self._starts) >= STARTS:
            raise AgentKeepsDying(
                f"the agent has ended {STARTS} times within {WITHIN_SECONDS:.0f} s; see what it says: claude --resume"
            )
        self._starts.append(now)
        self._parser = StreamParser()
        self._child = Child.start(self.prepare(self.session_id), self.size)

    def _heard(self, events: list[Event]) -> list[Event]:
        self.session_id = self.session_id or self._parser.session_id
        return events

    def _send(self, data: bytes) -> None:
        """In the background: an agent that is writing much reads nothing meanwhile."""
        if self._child is None:
            return
        task = asyncio.get_running_loop().create_task(_write(self._child, data, after=set(self._sending)))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


async def _write(child: Child, data: bytes, *, after: set[asyncio.Task[None]]) -> None:
    if after:
        await asyncio.wait(after)
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[child.write(rest) :]
            if rest:
                await _ready(child.pipe, writing=True)
    except OSError:  # it has gone; its end of file says so to whoever listens
        return


async def _ready(fd: int, *, writing: bool) -> None:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    add, remove = (loop.add_writer, loop.remove_writer) if writing else (loop.add_reader, loop.remove_reader)

    def arrive() -> None:
        if not ready.done():
            ready.set_result(None)

    add(fd, arrive)
    try:
        await ready
    finally:
        remove(fd)
