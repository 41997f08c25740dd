"""A person at a terminal: a program on a pty, what its screen shows, and the keys to press."""

from __future__ import annotations

import signal
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pexpect
import pyte

KEYS = {"enter": "\r", "escape": "\x1b", "down": "\x1b[B", "ctrl-c": "\x03"}


class Screen:
    """The program runs from construction to the end of the `with` block."""

    def __init__(
        self, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, columns: int = 120, lines: int = 40
    ) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        with warnings.catch_warnings():
            # Newer Pythons warn of any fork beside threads; this child does nothing but exec.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child: pexpect.spawn[bytes] = pexpect.spawn(
                argv[0],
                list(argv[1:]),
                env={**env, "TERM": "xterm-256color"},
                cwd=str(cwd),
                dimensions=(lines, columns),
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Not close(force=True): that gives a killed program 0.1 s to be gone, which a busy machine does not keep.
        if self._child.isalive():
            self._child.kill(signal.SIGKILL)
            self._child.wait()
        self._child.close()

    @property
    def pid(self) -> int:
        assert self._child.pid
        return self._child.pid

    @property
    def text(self) -> str:
        """What a person sees now, without the empty space."""
        return "\n".join(line.rstrip() for line in self._screen.display if line.strip())

    def wait_for(self, text: str, seconds: float = 30) -> None:
        self.wait_until(lambda: text in self.text, f"the text {text!r}", seconds)

    def wait_until(self, condition: Callable[[], bool], what: str, seconds: float = 30) -> None:
        """Keep the screen up to date until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come in {seconds} s; the screen shows:\n{self.text}")
            self._draw()

    def type(self, text: str) -> None:
        """Type, and look until the text stands there; a key that came faster would count as pasted with it."""
        self._child.send(text)
        self.wait_for(text)

    def press(self, key: str) -> None:
        self._child.send(KEYS[key])

    def _draw(self) -> None:
        try:
            self._stream.feed(self._child.read_nonblocking(65536, timeout=0.1))
        except pexpect.TIMEOUT:  # nothing new to see
            return
        except pexpect.EOF:
            raise AssertionError(f"the program has ended; the screen shows:\n{self.text}") from None
