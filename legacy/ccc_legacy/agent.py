"""The live agent: messages go in, events come out, and a dead one is started again where it left off.

Rule: no more than three restarts in sixty seconds; the session id that the client named first is the one that holds,
until whoever told it to begin a new one says so: what runs under the agent can write to its terminal.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import heard, one_line
from ccc.claude import stream
from ccc.claude.commandline import NEW_SESSION
from ccc.claude.stream import Complaint, ControlRequest, Event, Finished, Init, StreamParser, Text, ToolResult, ToolUse
from ccc_legacy.terminal import Child, Program, Size

RESTARTS, WITHIN_SECONDS = 3, 60.0
TAIL = 4096
SIGN = "ccc-sign-"  # the beginning of a question's id whose answer is worth nothing but its coming
COMPLAINTS, COMPLAINT_LENGTH = 100, 1000  # kept until somebody hears them

# The session to resume, a new one, or None for what the person's own words choose → what to start.
Prepare = Callable[[str | None], Program]


class AgentKeepsDying(CccError):
    """Starting it again has not helped."""


class Agent(Struct):
    prepare: Prepare
    size: Size
    on_bytes: Callable[[bytes], None] | None = None  # the raw stream, for whoever wants it; b"" ends a process's
    on_complaint: Callable[[str], None] | None = None  # … and each line of its stderr
    session_id: str | None = None
    ended: str = ""  # how the last process ended, for a person
    mode: str = ""  # of its permissions, where the person has chosen one
    resumes: str | None = None  # what this process was told to go on with; None: what the person's own words choose
    begun: bool = False  # a turn has, in this process
    _lost: bool = False  # what the person's own words choose was had, and is no more
    _child: Child | None = None
    _outbox: _Outbox | None = None
    _complaints: _Complaints | None = None
    _parser: StreamParser = field(default_factory=StreamParser)
    _held: list[Event] = field(default_factory=list)
    _tail: bytes = b""
    _deaths: list[float] = field(default_factory=list)
    _requests: int = 0

    @property
    def alive(self) -> bool:
        return self._child is not None

    def tell(self, text: str) -> None:
        """One user message, to the running agent or to a new one."""
        self._wake()
        self._send(stream.user_message(text))

    def inquire(self) -> str:
        """Ask what it knows; the id of the answer."""
        self._wake()
        self._requests += 1
        self._send(stream.initialize(f"ccc-{self._requests}"))
        return f"ccc-{self._requests}"

    def ask_for_a_sign(self) -> str:
        """Of the process that is there, dead or not: what it has said before it answers, it has said before now. The id
        of the answer is one that nobody else can know."""
        wanted = f"{SIGN}{uuid.uuid4()}"
        self._send(stream.initialize(wanted))
        return wanted

    def ask_price(self) -> None:
        """What a token costs; a client that does not know the question leaves it without an answer."""
        self._requests += 1
        self._send(stream.get_usage(f"ccc-{self._requests}"))

    def permit(self, mode: str) -> None:
        """What it may do unasked, and every process after this one."""
        self.mode = mode
        if self._child:
            self._tell_mode()

    def _tell_mode(self) -> None:
        self._requests += 1
        self._send(stream.set_permission_mode(f"ccc-{self._requests}", self.mode))

    def interrupt(self) -> None:
        """Ask for the end of the turn; it ends with a result, and the process goes on."""
        self._requests += 1
        self._send(stream.interrupt(f"ccc-{self._requests}"))

    def allow(self, request: ControlRequest, given: Mapping[str, object]) -> None:
        if request.tool_name == stream.PLANNED:
            self.mode = ""  # the person's word that it shall only plan; the client goes back to what held before
        self._send(stream.allow_tool(request.request_id, given))

    def deny(self, request: ControlRequest, message: str) -> None:
        self._send(stream.deny_tool(request.request_id, message))

    def resize(self, size: Size) -> None:
        if size != self.size:
            self.size = size
            if self._child:
                self._child.resize(size)

    async def ready(self, patience: float | None = None) -> bool:
        """Wait until there is something to hear; False when nothing came for so long."""
        if self._held or self._child is None:
            return True
        return await _readable(self._child.fd, patience)

    def hear(self) -> list[Event] | None:
        """What the agent has said since, without waiting; None when it has ended and all was heard."""
        if self._held:
            held, self._held = self._held, []
            return held
        data = self._child.read() if self._child else None
        return self._last_words() if data is None else [*self._complained(), *self._understood(data)]

    def put_back(self, events: Sequence[Event]) -> None:
        """Hear these again, before anything else."""
        self._held = [*events, *self._held]

    def end(self) -> int | None:
        """End the process; the session stays and can be resumed."""
        child, self._child = self._child, None
        outbox, self._outbox = self._outbox, None
        if outbox:
            outbox.close()
        if child is None:
            return None
        if self._complaints:
            self._complaints.close()
        if self.on_bytes:
            self.on_bytes(b"")
        return child.end()

    @property
    def answer(self) -> str:
        """What the client knows by what its agent said last; empty of a process that has said nothing."""
        return self._parser.answer

    def move(self, session_id: str) -> None:
        """The person has gone to this session elsewhere; the next message resumes it."""
        self.session_id = session_id

    def forget(self) -> None:
        """The next process begins a session of its own."""
        self.end()
        self.session_id, self._lost = None, True

    def unname(self) -> None:
        """What a process that never began a turn calls its session is none."""
        if not self.begun and not self.resumes:
            self.session_id = None

    def _wake(self) -> None:
        if self._child and self._child.status is not None:
            self._bury()
        if self._child is None:
            self._start()

    def _start(self) -> None:
        now = time.monotonic()
        self._deaths = [death for death in self._deaths if now - death < WITHIN_SECONDS]
        if len(self._deaths) > RESTARTS:
            raise AgentKeepsDying(
                msg(
                    "the agent has ended {count} times within {seconds} s ({error})",
                    count=len(self._deaths),
                    seconds=f"{WITHIN_SECONDS:.0f}",
                    error=self.ended,
                ),
                msg(
                    "see what is wrong: claude{options}",
                    options=f" --resume {self.session_id}" if self.session_id else "",
                ),
            )
        self._parser, self._tail, self.begun = StreamParser(), b"", False
        self.resumes = self.session_id or (NEW_SESSION if self._lost else None)
        self._child = Child.start(self.prepare(self.resumes), self.size)
        self._outbox, self._complaints = _Outbox(self._child), _Complaints(self._child)
        if self.mode:
            self._tell_mode()

    def _understood(self, data: bytes) -> list[Event]:
        if data and self.on_bytes:
            self.on_bytes(data)
        self._tail = (self._tail + data[-TAIL:])[-TAIL:]
        events = self._parser.feed(data)
        if self._child and any(isinstance(event, ToolResult | Finished) for event in events):
            self._child.keep_detached()
        self.begun = self.begun or any(isinstance(event, Init | Text | ToolUse) for event in events)
        self.session_id = self.session_id or self._parser.session_id
        return events

    def _complained(self) -> list[Complaint]:
        lines = self._complaints.taken() if self._complaints else []
        if self.on_complaint:
            for line in lines:
                self.on_complaint(line)
        return [Complaint(line) for line in lines]

    def _last_words(self) -> list[Event] | None:
        events = self._parser.close() if self._child else []
        self._bury()
        return [*events, *self._complained()] or None

    def _bury(self) -> None:
        """It has ended by itself."""
        if self._child is None:
            return
        self._deaths.append(time.monotonic())
        self.unname()
        status = self.end()
        words = _complaint(self._complaints.tail if self._complaints else b"") or _complaint(self._tail)
        self.ended = (
            msg("exit code {code}: {words}", code=status, words=words)
            if words
            else msg("exit code {code}", code=status)
        )

    def _send(self, data: bytes) -> None:
        if self._outbox:
            self._outbox.put(data)


class _Outbox:
    """What the agent has not read yet, in order: while it writes much it reads nothing."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._loop = asyncio.get_running_loop()
        self._rest = bytearray()

    def put(self, data: bytes) -> None:
        self._rest += data
        self._flush()

    def close(self) -> None:
        self._loop.remove_writer(self._child.pipe)

    def _flush(self) -> None:
        try:
            del self._rest[: self._child.write(self._rest)]
        except OSError:  # it has gone; its end of file says so to whoever listens
            self._rest.clear()
        if self._rest:
            self._loop.add_writer(self._child.pipe, self._flush)
        else:
            self._loop.remove_writer(self._child.pipe)


class _Complaints:
    """What the agent writes to stderr: taken at once, so that it can go on, and kept up to a bound."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(child.errors, self._hear)
        self._lines: list[str] = []
        self._rest = b""
        self.tail = b""

    def taken(self) -> list[str]:
        taken, self._lines = self._lines, []
        return taken

    def close(self) -> None:
        """With what the dead has left in its pipe."""
        while self._hear():
            pass
        self._loop.remove_reader(self._child.errors)
        self._keep([self._rest])

    def _hear(self) -> bool:
        data = self._child.read_errors()
        if data is None:
            self._loop.remove_reader(self._child.errors)
        if not data:
            return False
        self.tail = (self.tail + data)[-TAIL:]
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-TAIL:]
        self._keep(lines)
        return True

    def _keep(self, lines: Sequence[bytes]) -> None:
        told = [one_line(heard(line, TAIL), COMPLAINT_LENGTH) for line in lines[-COMPLAINTS:]]
        self._lines = [*self._lines, *filter(None, told)][-COMPLAINTS:]


async def _readable(fd: int, patience: float | None) -> bool:
    loop = asyncio.get_running_loop()
    known: asyncio.Future[bool] = loop.create_future()

    def tell(arrived: bool) -> None:
        if not known.done():
            known.set_result(arrived)

    loop.add_reader(fd, tell, True)
    timer = None if patience is None else loop.call_later(patience, tell, False)
    try:
        return await known
    finally:
        loop.remove_reader(fd)
        if timer:
            timer.cancel()


def _complaint(tail: bytes) -> str:
    """The last thing it said that was not for ccc: why a client that cannot start ends."""
    if len(tail) == TAIL:
        tail = tail.partition(b"\n")[2]  # what stands before is the rest of a line
    lines = [line for line in tail.decode("utf-8", "replace").splitlines() if not line.startswith("{")]
    return next((line for line in reversed([*map(one_line, lines)]) if line), "")
