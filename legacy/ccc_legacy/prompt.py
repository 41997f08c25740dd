"""The person: a line to type on, always there, also while the agent works; or nobody, when there is no terminal.

Rule: the only module that knows prompt_toolkit. It passes on what the person does and decides nothing.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

LARGE_PASTE = 4_000


class Listener(Protocol):
    """What the loop wants to hear of the person."""

    def typed(self, text: str) -> None: ...
    def interrupted(self, *, leaves_if_repeated: bool) -> None: ...
    def left(self) -> None: ...


class Person(Protocol):
    """Somebody, or nobody, in front of ccc."""

    async def attend(self, listener: Listener) -> None:
        """Pass on what the person does until they leave."""

    async def show(self, lines: Sequence[str]) -> None:
        """Put whole lines on the screen."""

    async def ask(self, question: str) -> str | None:
        """Ask and wait for a line; None when nobody can answer."""

    async def lend(self, borrow: Callable[[], None]) -> None:
        """Give the terminal away for as long as `borrow` runs."""


@dataclass(slots=True)
class Nobody:
    """No terminal: what is to be seen goes to stdout, and nobody answers."""

    async def attend(self, listener: Listener) -> None:
        return

    async def show(self, lines: Sequence[str]) -> None:
        write_lines(lines)

    async def ask(self, question: str) -> str | None:
        return None

    async def lend(self, borrow: Callable[[], None]) -> None:
        return


@dataclass(slots=True)
class Typist:
    """A person at a terminal. `above` is the line that grows over the prompt, `status` the one below it."""

    history: Path
    above: Callable[[], str]
    status: Callable[[], str]
    _question: tuple[str, asyncio.Future[str | None]] | None = None
    _pastes: dict[str, str] = field(default_factory=dict)
    _session: PromptSession[str] | None = None
    _lent: asyncio.Event = field(default_factory=asyncio.Event)

    async def attend(self, listener: Listener) -> None:
        session = self._session = self._made(listener)
        while True:
            try:
                text = await session.prompt_async(self._message)
            except EOFError:
                listener.left()
                return
            except _Lending:
                await self._lent.wait()
                continue
            self._accept(self._unfolded(text), listener)

    async def show(self, lines: Sequence[str]) -> None:
        from prompt_toolkit.application import run_in_terminal

        app = self._session.app if self._session else None
        if app and app.is_running:
            await run_in_terminal(lambda: write_lines(lines))
        else:
            write_lines(lines)

    async def ask(self, question: str) -> str | None:
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._question = (question, answer)
        self._redraw()
        try:
            return await answer
        finally:
            self._question = None
            self._redraw()

    async def lend(self, borrow: Callable[[], None]) -> None:
        """The prompt goes away entirely, so that whoever borrows the terminal finds it as a shell leaves it."""
        self._lent.clear()
        if self._session and self._session.app.is_running:
            self._session.app.exit(exception=_Lending())
            await asyncio.sleep(0)
            while self._session.app.is_running:
                await asyncio.sleep(0.01)
        try:
            borrow()
        finally:
            self._lent.set()

    def _accept(self, text: str, listener: Listener) -> None:
        if self._question and not self._question[1].done():
            self._question[1].set_result(text)
        elif text.strip():
            listener.typed(text)

    def _made(self, listener: Listener) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        session: PromptSession[str] = PromptSession(
            history=FileHistory(str(self.history)),
            key_bindings=self._bindings(listener),
            bottom_toolbar=self.status,
            refresh_interval=0.5,
            erase_when_done=False,
            include_default_pygments_style=False,
        )
        # Escape alone means something here, so the wait for a longer sequence must be short.
        session.app.renderer.cpr_not_supported_callback = None  # a terminal without it only lacks the status line
        session.app.ttimeoutlen = 0.05
        session.app.timeoutlen = 0.2
        return session

    def _bindings(self, listener: Listener) -> KeyBindings:
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.keys import Keys

        keys = KeyBindings()

        @keys.add("c-c")
        def _clear_or_interrupt(event: KeyPressEvent) -> None:
            if event.current_buffer.text:
                event.current_buffer.reset()
            else:
                self._refuse()
                listener.interrupted(leaves_if_repeated=True)

        @keys.add("escape", eager=True)
        def _interrupt(_: KeyPressEvent) -> None:
            self._refuse()
            listener.interrupted(leaves_if_repeated=False)

        @keys.add(Keys.BracketedPaste)
        def _paste(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(self._folded(event.data.replace("\r\n", "\n").replace("\r", "\n")))

        return keys

    def _refuse(self) -> None:
        """An interruption answers an open question with no."""
        if self._question and not self._question[1].done():
            self._question[1].set_result(None)

    def _folded(self, text: str) -> str:
        """A large paste stands on the line as a word; typing beside a megabyte of text would crawl."""
        if len(text) < LARGE_PASTE:
            return text
        word = f"[paste {len(self._pastes) + 1}: {len(text):,} characters]"
        self._pastes[word] = text
        return word

    def _unfolded(self, text: str) -> str:
        for word, paste in self._pastes.items():
            text = text.replace(word, paste)
        return text

    def _message(self) -> str:
        above = self.above()
        question = f"{self._question[0]}\n" if self._question else ""
        return f"{above}\n{question}> " if above else f"{question}> "

    def _redraw(self) -> None:
        if self._session and self._session.app.is_running:
            self._session.app.invalidate()


class _Lending(Exception):
    """The prompt makes room."""


def write_lines(lines: Sequence[str]) -> None:
    """To stdout, at once; a terminal that is stopped holds us, and so the agent, until it goes on."""
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
    rest = memoryview(data)
    sys.stdout.flush()
    while rest:
        rest = rest[os.write(1, rest) :]
