"""A person at a terminal: a program on a pty, everything its screen has shown, and the keys to press."""

from __future__ import annotations

import os
import select
import signal
import struct
import termios
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from typing import Any, Self

import pexpect
import pyte

KEYS = {"enter": "\r", "escape": "\x1b", "ctrl-c": "\x03", "ctrl-d": "\x04", "up": "\x1b[A", "tab": "\t"}
KEYS |= {
    "alt-enter": "\x1b\r",
    "ctrl-j": "\n",
    "ctrl-l": "\x0c",
    "ctrl-o": "\x0f",
    "ctrl-r": "\x12",
    "shift-tab": "\x1b[Z",
}
SECONDS = 40.0


class _Answering(pyte.HistoryScreen):
    """Tells where the cursor is when it is asked, as a real terminal does."""

    answer: Callable[[str], None] = staticmethod(lambda _: None)

    def write_process_input(self, data: str) -> None:
        self.answer(data)


class Terminal:
    """The program runs from construction to the end of the `with` block."""

    def __init__(
        self, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, columns: int = 110, lines: int = 40
    ) -> None:
        self._screen = _Answering(columns, lines, history=10_000, ratio=0.5)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = bytearray()
        self._drawing = False
        with warnings.catch_warnings():
            # Newer Pythons warn of any fork beside threads; this child does nothing but exec.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child: pexpect.spawn[bytes] = pexpect.spawn(
                argv[0],
                list(argv[1:]),
                env={"TERM": "xterm-256color", **env},  # type: ignore[arg-type]
                cwd=str(cwd),
                dimensions=(lines, columns),
            )
        self._child.delaybeforesend = None
        self.answers = True
        self._screen.answer = lambda data: self.send(data) if self.answers else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._child.close(force=True)
        except pexpect.ExceptionPexpect:  # a busy machine takes longer over a killed process than pexpect waits
            self._child.ptyproc.wait()

    @property
    def pid(self) -> int:
        assert self._child.pid
        return self._child.pid

    @property
    def text(self) -> str:
        """All that a person could see by scrolling back, without the empty space."""
        rows = [*self._screen.history.top, *(self._screen.buffer[row] for row in range(self._screen.lines))]
        lines = ("".join(row[column].data for column in range(self._screen.columns)).rstrip() for row in rows)
        return "\n".join(line for line in lines if line)

    @property
    def screen(self) -> pyte.Screen:
        """What can be seen now."""
        return self._screen

    @property
    def mode(self) -> list[Any]:
        return termios.tcgetattr(self._child.child_fd)

    def wait_for(self, text: str, seconds: float = SECONDS, *, times: int = 1) -> None:
        self.wait_until(lambda: self.text.count(text) >= times, f"the text {text!r}", seconds)

    def wait_until(self, condition: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
        """Keep the screen up to date until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not come in {seconds} s; the screen shows:\n{self.text}"
            if not self._draw():
                assert condition(), f"the program has ended without {what}; the screen shows:\n{self.text}"

    def wait_for_end(self, seconds: float = SECONDS) -> int:
        """The exit status as a shell tells it."""
        deadline = time.monotonic() + seconds
        while self._draw():
            assert time.monotonic() < deadline, f"it has not ended in {seconds} s; the screen shows:\n{self.text}"
        self._child.wait()
        return 128 + self._child.signalstatus if self._child.signalstatus else int(self._child.exitstatus or 0)

    def chunks(self) -> Iterator[tuple[float, bytes]]:
        """What the program writes, and when it came; drawn by nobody."""
        os.set_blocking(self._child.child_fd, True)
        while True:
            data = os.read(self._child.child_fd, 65536)
            yield time.monotonic(), data

    def look(self) -> None:
        """Draw what has come; wait a moment where nothing has."""
        self._draw()

    def type(self, text: str) -> None:
        """Type a line and look until it stands there, then press Enter: at once it would count as pasted with it."""
        shown = self.text.count(f"> {text}")
        self.send(text)
        self.wait_for(f"> {text}", times=shown + 1)
        self.press("enter")

    def paste(self, text: str) -> None:
        self.send(f"\x1b[200~{text}\x1b[201~")

    def press(self, key: str) -> None:
        self.send(KEYS[key])

    def send(self, text: str) -> None:
        """However much it is: while the program does not read, its screen is drawn."""
        fd, rest = self._child.child_fd, memoryview(text.encode())
        os.set_blocking(fd, False)
        while rest:
            readable, writable, _ = select.select([fd], [fd], [])
            if readable and not self._drawing:
                self._draw()
            if writable:
                with suppress(BlockingIOError):
                    rest = rest[os.write(fd, rest) :]

    def resize(self, columns: int, lines: int) -> None:
        self._screen.resize(lines or None, columns or None)
        ioctl(self._child.child_fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """The window is closed."""
        self._child.ptyproc.fileobj.close()

    def _draw(self) -> bool:
        """Whether there may be more to see."""
        try:
            data = self._child.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._drawing = True  # an answer to the program is sent from in here
        self._stream.feed(data)
        self._drawing = False
        return True
