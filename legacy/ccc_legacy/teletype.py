"""A person at a terminal that can do nothing but take lines (TERM=dumb): in an editor's window, on a serial line.

Rule: whole lines in, whole lines out; the terminal keeps its own editing, and no sequence is ever sent to it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ccc_legacy import commands
from ccc_legacy.person import Listener, write_lines
from ccc_legacy.terminal import DEFAULT_SIZE, Size

CHUNK = 65536


class Teletype(Struct):
    fd: int = 0
    _answer: asyncio.Future[str] | None = None
    _rest: bytes = b""
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def attend(self, listener: Listener) -> None:
        events = asyncio.get_running_loop()
        events.add_reader(self.fd, self._hear, listener)
        try:
            await self._ended.wait()
        finally:
            events.remove_reader(self.fd)
            listener.left()

    def _hear(self, listener: Listener) -> None:
        try:
            data = os.read(self.fd, CHUNK)
        except OSError:  # the terminal is gone
            data = b""
        if not data:
            self._ended.set()
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._typed(line.decode("utf-8", "replace").rstrip("\r"), listener)

    def _typed(self, text: str, listener: Listener) -> None:
        # An order is one at a question too, which then still waits for its answer.
        if self._answer and not self._answer.done() and not commands.is_order(text):
            self._answer.set_result(text)
        elif text.strip():
            listener.typed(text)

    async def show(self, lines: Sequence[str]) -> None:
        write_lines(lines)

    async def ask(self, question: str) -> str:
        write_lines([question])
        self._answer = asyncio.get_running_loop().create_future()
        try:
            return await self._answer
        finally:
            self._answer = None

    def room(self) -> Size:
        try:
            size = os.get_terminal_size(1)
        except OSError:  # no terminal after all
            return DEFAULT_SIZE
        return size.lines or DEFAULT_SIZE[0], size.columns or DEFAULT_SIZE[1]

    async def lend(self, borrow: Callable[[], None]) -> None:
        borrow()
