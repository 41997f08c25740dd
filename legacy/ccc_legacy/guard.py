"""The terminal as it was: a process that lives a moment longer than ccc and puts back what a killed ccc could not.

Rule: it acts only when ccc is gone without a word, and only while nobody else has taken the terminal.
"""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

# Bracketed paste off, cursor and line wrap on, no colours.
RESET = b"\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[0m\r\n"
WELL = b"."


@contextmanager
def guarded(tty: int) -> Iterator[None]:
    """Whatever happens in here, the terminal is itself again afterwards. Before any thread is started."""
    mode = termios.tcgetattr(tty)
    reader, writer = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        _keep(reader, tty, mode, os.getppid())
    os.close(reader)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(tty, termios.TCSANOW, mode)
        with suppress(OSError):  # somebody has ended the keeper
            os.write(writer, WELL)
        os.close(writer)
        os.waitpid(keeper, 0)


def _keep(reader: int, tty: int, mode: list[object], parent: int) -> NoReturn:
    """Alone in its process group, where no key and no kill of ccc's group reaches it."""
    try:
        group = os.getpgid(parent)
        os.setpgid(0, 0)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
            with suppress(OSError):  # a real-time signal of the C library's own
                signal.signal(number, signal.SIG_IGN)
        _hold_only(reader, tty)
        if not os.read(0, 1) and os.tcgetpgrp(1) == group:
            termios.tcsetattr(1, termios.TCSANOW, mode)  # type: ignore[arg-type]
            # Opened anew: whoever shares this terminal with us must not find it non-blocking.
            os.write(os.open(os.ttyname(1), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY), RESET)
    finally:
        os._exit(0)


def _hold_only(reader: int, tty: int) -> None:
    """Nothing else of ccc's stays open: no pty, and not the pipe whose end says that ccc is gone."""
    high = os.dup(tty)
    os.dup2(reader, 0)
    os.dup2(high, 1)
    os.closerange(2, 8192)
