"""One child that cannot outlive us: start, listen, deadline, end the whole family.

Rule: ccc is never the child's parent. A keeper, forked from ccc, starts the child as leader of a session of its own,
inherits what the leader leaves behind, and ends them all when the leader exits, when ccc says so, or when ccc is gone.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from types import FrameType
from typing import NoReturn

from msgspec import Struct

from ccc.base import handed, senders
from ccc.base.errors import CccError
from ccc.base.messages import Message, Phrases, foreign, msg
from ccc.base.processes import children

Clock = Callable[[], float]
Ear = Callable[[bytes], None]
Handler = Callable[[int, FrameType | None], object] | signal.Handlers
OnOutput = Callable[[bytes], bool]
Prctl = Callable[[int, int], object]
Ends = Callable[[], tuple[int, int]]  # of a channel: to read, to write

CHUNK = 65536
STDERR_TAIL = 8192
ANSWER_BYTES = 16 * 2**20  # of a program that is only asked something
GRACE_AFTER_ENOUGH = 0.3  # a client that has given its result has nothing left to lose
KILL_SECONDS = 1.0  # a family that forks while it dies needs more than one SIGKILL
DEAF_SECONDS = 0.3
LOOK_SECONDS = 0.3  # after a signal that is held back, which nobody wakes us for
STOPPING = senders.STOPPING
ORDERS, NEWS = 3, 4  # the keeper's descriptors beside 0, 1 and 2; it has no others
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
ADVICE = {
    errno.ENOENT: msg("it, or the interpreter in its #! line, is not there; install it or give its full path"),
    errno.EACCES: msg("it is not executable; chmod +x it or give another path"),
    errno.ENOEXEC: msg("it is no program for this system; a script needs a #! line"),
    errno.E2BIG: msg("its arguments and environment are too long; shorten them"),
    errno.EAGAIN: msg("there are too many processes; end some or raise ulimit -u"),
    errno.EMFILE: msg("too many files are open; close some or raise ulimit -n"),
}


class CannotStart(CccError):
    """The child never ran."""


class Reason(Enum):
    """Why a child was no longer waited for."""

    ENOUGH = auto()
    EXITED = auto()
    DEADLINE = auto()
    IDLE = auto()
    TOO_MUCH = auto()
    HUNG_UP = auto()
    INTERRUPTED = auto()
    BROKEN_OFF = auto()

    @property
    def told(self) -> Message:
        return _REASONS.message(self)


_REASONS = Phrases(
    "child",
    {
        Reason.ENOUGH: "on_output had heard enough",
        Reason.EXITED: "it exited",
        Reason.DEADLINE: "it took too long",
        Reason.IDLE: "it fell silent",
        Reason.TOO_MUCH: "it wrote too much",
        Reason.HUNG_UP: "nobody reads our answer any more",
        Reason.INTERRUPTED: "it was interrupted",
        Reason.BROKEN_OFF: "it was told to stop, and not by whoever waits for the answer",
    },
)


class Command(Struct, frozen=True):
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path


class Limits(Struct, frozen=True):
    """Time in all, time without a byte, bytes of both outputs, and time between SIGTERM and SIGKILL."""

    deadline_seconds: float
    idle_seconds: float
    output_bytes: int = 256_000_000
    grace_seconds: float = 1.0


class Ended(Struct, frozen=True):
    """`exit_code` is -N after signal N, and None when nobody could learn it."""

    reason: Reason
    exit_code: int | None
    stderr_tail: bytes


def run(
    command: Command,
    *,
    on_output: OnOutput,
    limits: Limits,
    hangup_fd: int | None = None,
    caller: int | None = None,
    leave_early: Callable[[], bool] = lambda: False,
    unopened: bool = False,
    heeding: bool = True,
    clock: Clock = time.monotonic,
) -> Ended:
    """Run the command until something ends it; nobody of its family is left on return. Main thread only.

    Not `heeding` signals, and then on any thread: what ends ccc ends it as ever, and the keeper then ends the family.
    One that is held back ends the command, and is left to whoever hears it later.

    Its stdout is a pipe, which the child itself can open as /dev/stdout, and others of the same user as /proc/PID/fd/1.
    `unopened`, it is a socket, which nobody can open, and no other process speaks in the child's place.

    Where there is a `caller`, who waits for our answer, only what it tells us itself is an interruption; we stop as
    well when somebody else tells us to, and that has a reason of its own.

    Where `leave_early` says so a family that has said enough is left to the keeper, who ends it on his own time.
    """
    with ExitStack() as stack:
        try:
            asked = _asked() if heeding else ()
            wake = stack.enter_context(_signals(_ours(asked))) if heeding else _pipe(stack, stack)[0]
            told = stack.enter_context(senders.heard(asked)) if asked else None
            if heeding:  # also of one that came before
                stack.enter_context(_masked(signal.SIG_UNBLOCK, set(STOPPING).difference(asked if told else ())))
            keeper = _start(_program(command), limits.grace_seconds, stack, handed.talk if unopened else os.pipe)
        except OSError as error:
            raise _cannot(command, error.errno or 0, "program") from None
        stack.callback(keeper.end, limits.grace_seconds)
        listener = _Listener(keeper, on_output, limits, clock, caller)
        signals = {wake: listener.on_signals, **({told: listener.on_told} if told else {})}
        listener.listen(signals, hangup_fd, heeding=heeding)
        if listener.reason is Reason.ENOUGH and leave_early():
            keeper.dismiss(listener.grace())
            return Ended(Reason.ENOUGH, None, listener.stderr_tail)
        keeper.end(listener.grace())
        if keeper.refusal:
            raise _cannot(command, *keeper.refusal)
        listener.drain()
        for fd, ear in signals.items():
            ear(_read(fd) or b"")
        return Ended(listener.reason or Reason.EXITED, keeper.exit_code, listener.stderr_tail)


def answer(command: Command, seconds: float) -> tuple[Ended, bytes]:
    """What a program that is only asked something says, and how it ended."""
    said = bytearray()

    def hear(data: bytes) -> bool:
        said.extend(data)
        return False

    limits = Limits(deadline_seconds=seconds, idle_seconds=seconds, output_bytes=ANSWER_BYTES)
    return run(command, on_output=hear, limits=limits, heeding=False), bytes(said)


@contextmanager
def between_runs() -> Iterator[None]:
    """Whoever tells us to stop in here is heard by the next run, or at the end: no moment between two is a bad one."""
    with _masked(signal.SIG_BLOCK, STOPPING):
        yield


def _cannot(command: Command, number: int, step: str) -> CannotStart:
    if step == "cwd":
        return CannotStart(
            msg(
                "cannot work in {folder}: {reason}", folder=f"{str(command.cwd)!r}", reason=foreign(os.strerror(number))
            ),
            msg("go to a directory that exists"),
        )
    name = command.argv[0][:200] if command.argv else ""
    return CannotStart(
        msg(
            "cannot start {program}: {advice}",
            program=f"{name!r}",
            advice=ADVICE.get(number) or foreign(os.strerror(number)),
        )
    )


class _Listener:
    """What ccc hears while the child runs, and why that should end."""

    def __init__(
        self, keeper: _Keeper, on_output: OnOutput, limits: Limits, clock: Clock, caller: int | None = None
    ) -> None:
        self._keeper, self._on_output, self._limits, self._clock = keeper, on_output, limits, clock
        self._caller = caller
        self._output: dict[int, Ear] = {keeper.stdout: self._on_stdout, keeper.stderr: self._on_stderr}
        self._started = self._heard = clock()
        self._total = 0
        self.reason: Reason | None = None
        self.stderr_tail = b""

    def listen(self, signals: Mapping[int, Ear], hangup_fd: int | None, *, heeding: bool) -> None:
        """Until there is a reason to end the family, or the keeper has ended it."""
        ears = {**self._output, self._keeper.news: self._keeper.on_news, **signals}
        poller, most = _poller(ears), 60.0 if heeding else LOOK_SECONDS
        if hangup_fd is not None:
            poller.register(hangup_fd, 0)  # a hang-up is reported unasked
        while self.reason is None and not self._keeper.silent:
            for fd, _ in poller.poll(_milliseconds(min(most, *self._left()))):
                if fd == hangup_fd:
                    self._stop(Reason.HUNG_UP)
                elif not _hear(fd, ears[fd]):
                    poller.unregister(fd)
            self._check_time()
            if not heeding and senders.is_waiting():
                self._stop(Reason.INTERRUPTED)

    def drain(self) -> None:
        """Hear what the dead have left in their pipes."""
        for fd, ear in self._output.items():
            while self._total <= self._limits.output_bytes and (data := _read(fd)):
                ear(data)

    def grace(self) -> float:
        grace = self._limits.grace_seconds
        return min(grace, GRACE_AFTER_ENOUGH) if self.reason is Reason.ENOUGH else grace

    def on_signals(self, numbers: bytes) -> None:
        if not set(STOPPING).isdisjoint(numbers):
            self.reason = Reason.INTERRUPTED

    def on_told(self, records: bytes) -> None:
        """The caller's word counts, whoever else has said the same."""
        by = senders.of(records)
        if by and self._caller in (None, *by):
            self.reason = Reason.INTERRUPTED
        elif by:
            self._stop(Reason.BROKEN_OFF)

    def _on_stdout(self, data: bytes) -> None:
        self._count(data)
        if data and self.reason is None and self._on_output(data):
            self._stop(Reason.ENOUGH)

    def _on_stderr(self, data: bytes) -> None:
        self._count(data)
        self.stderr_tail = (self.stderr_tail + data)[-STDERR_TAIL:]

    def _count(self, data: bytes) -> None:
        self._heard = self._clock()
        self._total += len(data)
        if self._total > self._limits.output_bytes:
            self._stop(Reason.TOO_MUCH)

    def _check_time(self) -> None:
        deadline, idle = self._left()
        if deadline <= 0:
            self._stop(Reason.DEADLINE)
        elif idle <= 0:
            self._stop(Reason.IDLE)

    def _left(self) -> tuple[float, float]:
        now, limits = self._clock(), self._limits
        return self._started + limits.deadline_seconds - now, self._heard + limits.idle_seconds - now

    def _stop(self, reason: Reason) -> None:
        self.reason = self.reason or reason


class _Keeper:
    """The keeper as ccc sees it: orders go in, news come out."""

    def __init__(self, pid: int, orders: int, news: int, stdout: int, stderr: int) -> None:
        self._pid, self._orders, self.news, self.stdout, self.stderr = pid, orders, news, stdout, stderr
        self._leader: int | None = None
        self._ended = self.silent = False
        self.refusal: tuple[int, str] | None = None
        self.exit_code: int | None = None

    def on_news(self, data: bytes) -> None:
        self.silent = not data
        for line in data.splitlines():  # each is one short write, so no read ends inside one
            match line.decode().split():
                case ["leader", pid]:
                    self._leader = int(pid)
                case ["refused", number, step]:
                    self.refusal = int(number), step
                case ["exit", code] if self.exit_code is None:
                    self.exit_code = int(code)

    def dismiss(self, grace: float) -> None:
        """Have the family ended, and do not wait for it."""
        self._ended = True
        with suppress(BrokenPipeError):  # the leader's own exit was faster
            os.write(self._orders, repr(grace).encode())

    def end(self, grace: float) -> None:
        if self._ended:
            return
        self.dismiss(grace)
        _wait(self._has_gone, grace + KILL_SECONDS + DEAF_SECONDS, self.news)
        if self.exit_code is None or not self.silent:
            self._stand_in(grace)
        with suppress(ChildProcessError):  # where SIGCHLD is ignored the kernel has reaped it
            os.waitpid(self._pid, 0)

    def _has_gone(self) -> bool:
        return self.silent or not _hear(self.news, self.on_news)

    def _stand_in(self, grace: float) -> None:
        """Somebody stopped or killed the keeper; if killed, PDEATHSIG has told the leader to go."""
        if self.silent:
            _wait(lambda: not _signal_group(self._leader, 0), grace)
        for pid in (self._pid, *_descendants(self._pid)):
            _signal(pid, signal.SIGKILL)
        _signal_group(self._leader, signal.SIGKILL)


class _Program(Struct, frozen=True):
    """A command as the kernel takes it, and what else is made before the fork."""

    argv: tuple[bytes, ...]
    env: Mapping[bytes, bytes]
    cwd: bytes
    prctl: Prctl


def _program(command: Command) -> _Program:
    if not command.argv or "\0" in command.argv[0]:
        raise FileNotFoundError(errno.ENOENT, "no such program")
    pairs = [(_bytes(name), _bytes(value)) for name, value in command.env.items()]
    env = {name: value for name, value in pairs if name and b"=" not in name}
    return _Program(tuple(map(_bytes, command.argv)), env, _bytes(str(command.cwd)), _prctl())


def _bytes(text: str) -> bytes:
    """Total: what no argument can carry is left out or replaced."""
    text = text.replace("\0", "")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def hide() -> None:
    """What we were started with, our memory and our files are in /proc for root alone from here on; a program that we
    start is as open as any."""
    _prctl()(PR_SET_DUMPABLE, 0)


def _prctl() -> Prctl:
    """Linux's prctl; elsewhere the family is no more than the leader's group."""
    try:
        import ctypes

        call = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return lambda *_: None
    call.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return lambda option, value: call(option, value, 0, 0, 0)


def _start(program: _Program, grace: float, ours: ExitStack, voice: Ends) -> _Keeper:
    with ExitStack() as theirs, _masked(signal.SIG_BLOCK, STOPPING):
        # Whoever could open these would tell an exit that never was, or keep the keeper from learning that ccc is gone.
        orders_end, orders = _pipe(theirs, ours, handed.talk)
        news, news_end = _pipe(ours, theirs, handed.talk)
        stdout, stdout_end = _pipe(ours, theirs, voice)
        stderr, stderr_end = _pipe(ours, theirs)
        pid = os.fork()
        if pid == 0:
            _keep(program, grace, (stdout_end, stderr_end, orders_end, news_end))
    return _Keeper(pid, orders, news, stdout, stderr)


def _keep(program: _Program, grace: float, fds: Iterable[int]) -> NoReturn:
    """The keeper's life. In a session of its own it survives a kill of ccc's whole group."""
    try:
        os.setsid()
        _hold_only(fds)
        program.prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_SETMASK, STOPPING)
        with _signals({signal.SIGCHLD: _note, signal.SIGPIPE: signal.SIG_IGN}) as wake:
            _tend(program, grace, wake)
    except OSError as error:
        _tell("refused", error.errno or 0, "program")
    finally:
        os._exit(0)


def _tend(program: _Program, grace: float, wake: int) -> None:
    keeper, leader = os.getpid(), os.fork()
    if leader == 0:
        _become(program, keeper)
    for fd in (1, 2):
        os.dup2(0, fd)
    _tell("leader", leader)
    family = _Family(leader, wake)
    family.end(family.watch(grace))
    if family.exit_code is not None:
        _tell("exit", family.exit_code)


def _become(program: _Program, keeper: int) -> NoReturn:
    step = "cwd"
    try:
        os.setsid()
        _reset_signals()
        program.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != keeper:  # it died before its death was watched
            os._exit(127)
        os.chdir(program.cwd)
        step = "program"
        os.execvpe(program.argv[0], program.argv, program.env)
    except OSError as error:
        _tell("refused", error.errno or 0, step)
    finally:
        os._exit(127)


class _Family:
    """The leader and its descendants as the keeper sees them."""

    def __init__(self, leader: int, wake: int) -> None:
        self._leader, self._wake = leader, wake
        self.exit_code: int | None = None

    def watch(self, grace: float) -> float:
        """Until the leader has exited or ccc wants an end; returns how long the others may take to go."""
        poller = _poller((ORDERS, self._wake))
        while self.exit_code is None:
            if ORDERS in dict(poller.poll()):
                return float(os.read(ORDERS, CHUNK) or grace)
            self._has_gone()
        return grace

    def end(self, grace: float) -> None:
        if not self._has_gone():
            self._signal(signal.SIGTERM)
        if not _wait(self._has_gone, grace, self._wake):
            _wait(self._is_killed, KILL_SECONDS, self._wake)

    def _has_gone(self) -> bool:
        """Reaps. Orphans become the keeper's children, so no children means no family."""
        _read(self._wake)
        try:
            while (dead := os.waitpid(-1, os.WNOHANG))[0]:
                if dead[0] == self._leader:
                    self.exit_code = os.waitstatus_to_exitcode(dead[1])
        except ChildProcessError:
            return not _signal_group(self._leader, 0)  # all that can be known where nobody hands us orphans
        return False

    def _is_killed(self) -> bool:
        self._signal(signal.SIGKILL)
        return self._has_gone()

    def _signal(self, number: int) -> None:
        # A program may take a second SIGTERM for impatience, so nobody gets it twice.
        outside = [pid for pid in _descendants(os.getpid()) if _group(pid) != self._leader]
        _signal_group(self._leader, number)
        for pid in outside:
            _signal(pid, number)


def _tell(word: str, *values: int | str) -> None:
    with suppress(BrokenPipeError):  # ccc is gone; its family must still be ended
        os.write(NEWS, " ".join([word, *map(str, values), "\n"]).encode())


def _hold_only(fds: Iterable[int]) -> None:
    """Nothing of ccc's stays open in the keeper: no lock, and not the stdout whose end the client waits for."""
    null = fcntl.fcntl(os.open(os.devnull, os.O_RDWR), fcntl.F_DUPFD_CLOEXEC, NEWS + 1)
    for place, fd in enumerate((null, *fds)):
        os.dup2(fd, place, inheritable=place < ORDERS)
    os.closerange(NEWS + 1, 8192)


def _asked() -> tuple[signal.Signals, ...]:
    # Whoever started us with nohup wants no end by SIGHUP; SIGTERM always means an end.
    return tuple(n for n in STOPPING if n == signal.SIGTERM or signal.getsignal(n) is not signal.SIG_IGN)


def _ours(asked: Iterable[signal.Signals]) -> dict[signal.Signals, Handler]:
    return {signal.SIGPIPE: signal.SIG_IGN, **dict.fromkeys(asked, _note)}


def _note(number: int, frame: FrameType | None) -> None:
    """Python has written the number to the wake-up pipe; there is no more to do."""


@contextmanager
def _signals(handlers: Mapping[signal.Signals, Handler]) -> Iterator[int]:
    """Signals as bytes to read; those that nobody has read go to whoever handled them before."""
    with ExitStack() as fds:
        reader, writer = _pipe(fds, fds, handed.talk)  # a byte in a pipe would be anybody's signal
        os.set_blocking(writer, False)
        woken = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield reader
        finally:
            with _masked(signal.SIG_BLOCK, handlers):
                for number, handler in before.items():
                    signal.signal(number, handler or signal.SIG_DFL)
                signal.set_wakeup_fd(woken)
            for late in set(handlers).intersection(_read(reader) or b""):
                signal.raise_signal(late)


@contextmanager
def _masked(how: int, numbers: Iterable[int]) -> Iterator[None]:
    mask = signal.pthread_sigmask(how, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _reset_signals() -> None:
    """A signal to stop was blocked in the keeper, so one that came too early for exec is still there to be obeyed."""
    for number in signal.valid_signals():
        if signal.getsignal(number) not in (signal.SIG_DFL, None):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _pipe(reader: ExitStack, writer: ExitStack, made: Ends = os.pipe) -> tuple[int, int]:
    low = made()
    os.set_blocking(low[0], False)
    try:
        return _lift(low[0], reader), _lift(low[1], writer)
    finally:
        for fd in low:
            os.close(fd)


def _lift(fd: int, owner: ExitStack) -> int:
    """A copy out of the way of the keeper's descriptors, and of a standard stream that was closed when we came."""
    copy = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, NEWS + 1)
    owner.callback(os.close, copy)
    return copy


def _poller(fds: Iterable[int]) -> select.poll:
    poller = select.poll()
    for fd in fds:
        poller.register(fd, select.POLLIN)
    return poller


def _hear(fd: int, ear: Ear) -> bool:
    """Whether there may be more; the end is heard as no bytes."""
    data = _read(fd)
    if data is not None:
        ear(data)
    return data != b""


def _read(fd: int) -> bytes | None:
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None


def _wait(done: Callable[[], bool], seconds: float, *fds: int) -> bool:
    poller, until = _poller(fds), time.monotonic() + seconds
    while not (is_done := done()) and (left := until - time.monotonic()) > 0:
        poller.poll(_milliseconds(min(left, 0.02)))
    return is_done


def _milliseconds(seconds: float) -> int:
    return int(1000 * max(0.0, seconds)) + 1


def _signal_group(leader: int | None, number: int) -> bool:
    return leader is not None and _signal(-leader, number)


def _signal(target: int, number: int) -> bool:
    """Whether there was somebody to get it."""
    try:
        os.kill(target, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _group(pid: int) -> int:
    with suppress(OSError):
        return os.getpgid(pid)
    return 0


def _descendants(pid: int) -> list[int]:
    found = children(pid)
    for child in found:  # which grows as we go
        found += children(child)
    return found
