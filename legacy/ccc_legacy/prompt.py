"""The person's line at a terminal: always there, also while the agent works.

Rule: the only module that knows prompt_toolkit. It passes on what the person does and decides nothing.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import termios
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, TextIO

from msgspec import Struct, field
from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from ccc.base.sink import Styled
from ccc.base.text import clean, wrapped
from ccc_legacy import commands
from ccc_legacy.person import Listener, write_lines
from ccc_legacy.terminal import Size

LARGE_PASTE = 4_000
USUAL: Size = (24, 80)
SHOWN_KEPT = 500  # lines
PROMPT_ROWS = 4  # the growing line, a question, the line to type on, the status line
ABOVE = 400  # characters of the growing line over the prompt


class _Question(Struct):
    text: str
    answer: asyncio.Future[str]
    draft: str  # what stood on the line; it was not meant as an answer


class Typist(Struct):
    """A person at a terminal. `above` is the line that grows over the prompt, `status` the one below it."""

    history: Path
    above: Callable[[int], str]
    status: Callable[[], str]
    _question: _Question | None = None
    _pastes: dict[str, str] = field(default_factory=dict)
    _session: PromptSession[str] | None = None
    _lent: asyncio.Event = field(default_factory=asyncio.Event)
    _shown: deque[str] = field(default_factory=lambda: deque(maxlen=SHOWN_KEPT))  # for a screen that is drawn anew
    _columns: int = 0
    _mode: list[Any] = field(default_factory=list)  # of the terminal, as the shell has left it

    async def attend(self, listener: Listener) -> None:
        self._mode = termios.tcgetattr(sys.stdin.fileno())
        session = self._session = self._made(listener)
        # All the time, and not only while a prompt is open: a cooked terminal cuts a paste after 4096 bytes.
        with session.input.raw_mode():
            try:
                while True:
                    await self._attend_once(session, listener)
            except EOFError:
                return
            finally:
                listener.left()

    async def _attend_once(self, session: PromptSession[str], listener: Listener) -> None:
        try:
            # Signals are the loop's; and what breaks here ends ccc with a line, not with a traceback to confirm.
            text = await session.prompt_async(self._message, handle_sigint=False, set_exception_handler=False)
        except _Lending:
            await self._lent.wait()
        else:
            self._shown.append(f"> {text}")
            self._accept(self._unfolded(text), listener)

    async def show(self, lines: Sequence[str]) -> None:
        self._shown.extend(lines)
        if self._session and self._session.app.is_running:
            await run_in_terminal(lambda: write_lines(lines))
        else:
            write_lines(lines)

    async def ask(self, question: str) -> str:
        self._question = _Question(question, asyncio.get_running_loop().create_future(), self._swapped(""))
        try:
            return await self._question.answer
        finally:
            draft, self._question = self._question.draft, None
            self._swapped(draft)

    def room(self) -> Size:
        return _size(self._session) if self._session else USUAL

    async def lend(self, borrow: Callable[[], None]) -> None:
        """The prompt goes away entirely, so that whoever borrows the terminal finds it as a shell leaves it."""
        self._lent.clear()
        if self._session and self._session.app.is_running:
            self._session.app.exit(exception=_Lending())
            while self._session.app.is_running:
                await asyncio.sleep(0)
        try:
            borrow()
        finally:
            self._lent.set()

    def _accept(self, text: str, listener: Listener) -> None:
        # An order is one at a question too, which then still waits for its answer.
        if self._question and commands.parse(text) is None:
            self._answer(text)
        elif text.strip():
            listener.typed(text)

    def _answer(self, text: str) -> None:
        if self._question and not self._question.answer.done():
            self._question.answer.set_result(text)

    def _swapped(self, text: str) -> str:
        """Another text on the line; what stood there."""
        if self._session is None:
            return ""
        buffer = self._session.default_buffer
        old, buffer.text = buffer.text, text
        buffer.cursor_position = len(text)
        self._session.app.invalidate()
        return old

    def _made(self, listener: Listener) -> PromptSession[str]:
        session: PromptSession[str] = PromptSession(
            input=_Keyboard(sys.stdin),
            history=_History(self.history),
            key_bindings=self._bindings(listener),
            bottom_toolbar=lambda: clean(self.status()),
            refresh_interval=0.5,
            include_default_pygments_style=False,
        )
        app = session.app
        app.renderer.cpr_not_supported_callback = None  # a terminal without it only lacks the status line
        # Escape alone means something here, so the wait for a longer sequence must be short.
        app.ttimeoutlen, app.timeoutlen = 0.05, 0.2
        # prompt_toolkit keeps SIGWINCH to itself, and draws again when it comes.
        app.after_render += lambda _: listener.resized(_size(session))
        usual, self._columns = app._on_resize, _size(session)[1]
        app._on_resize = lambda: self._resized(session, usual)  # type: ignore[method-assign]
        return session

    def _resized(self, session: PromptSession[str], usual: Callable[[], None]) -> None:
        """In a narrower window many terminals break the rows of the prompt, and nobody knows how many there are now:
        prompt_toolkit would leave some of them standing. So the screen is drawn anew, with what it showed last."""
        app, (rows, columns) = session.app, _size(session)
        narrower, self._columns = columns < self._columns, columns
        if not narrower:
            usual()
            return
        app.renderer.erase(leave_alternate_screen=False)
        app.output.erase_screen()
        app.output.cursor_goto(0, 0)
        app.output.flush()
        write_lines(_last_rows(self._shown, rows - PROMPT_ROWS, columns))
        app.renderer.request_absolute_cursor_position()
        app.invalidate()

    def _bindings(self, listener: Listener) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _clear_or_interrupt(event: KeyPressEvent) -> None:
            if event.current_buffer.text:
                event.current_buffer.reset()
            else:
                listener.interrupted(leaves_if_repeated=True)
                self._answer("")

        @keys.add("escape", eager=True)
        def _interrupt(_: KeyPressEvent) -> None:
            listener.interrupted(leaves_if_repeated=False)
            self._answer("")

        @keys.add("c-z")
        def _suspend(event: KeyPressEvent) -> None:
            run_in_terminal(lambda: _suspended(event.app.output, self._mode))

        @keys.add(Keys.BracketedPaste)
        def _paste(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(self._folded(_pasted(event.data)))

        return keys

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
        above = self.above(ABOVE)
        question = self._question.text if self._question else ""
        return clean("\n".join((*filter(None, (above, question)), "> ")))


class _History(FileHistory):
    """A history that cannot be read or written is no reason not to work."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        with suppress(OSError):
            path.touch(mode=0o600)

    def load_history_strings(self) -> Iterable[str]:
        with suppress(OSError):
            return list(super().load_history_strings())
        return []

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


class _Keyboard(Vt100Input):
    """Lines are printed over the prompt in raw mode too: what is typed or pasted meanwhile must not be cut."""

    def __init__(self, stdin: TextIO) -> None:
        super().__init__(stdin)
        self.vt100_parser = _Parser(self.vt100_parser.feed_key_callback)

    def cooked_mode(self) -> AbstractContextManager[None]:
        return nullcontext()


class _Parser(Vt100Parser):
    """Takes time linear in the length of a paste; the original looks for its end in all of it, with every kilobyte."""

    END = "\x1b[201~"

    def __init__(self, feed_key_callback: Callable[[KeyPress], None]) -> None:
        super().__init__(feed_key_callback)
        self._pieces: list[str] = []
        self._end = ""

    def feed(self, data: str) -> None:
        if not self._in_bracketed_paste:
            super().feed(data)
            return
        self._pieces.append(data)
        self._end = (self._end + data)[-len(data) - len(self.END) :]
        if self.END in self._end:
            text, _, rest = "".join(self._pieces).partition(self.END)
            self._pieces, self._end, self._in_bracketed_paste = [], "", False
            self.feed_key_callback(KeyPress(Keys.BracketedPaste, text))
            self.feed(rest)


class _Lending(Exception):
    """The prompt makes room."""


def _pasted(data: str) -> str:
    """What was pasted, without what the terminal itself told us meanwhile: where the cursor is."""
    return re.sub(r"\x1b\[\d+;\d+R", "", data).replace("\r\n", "\n").replace("\r", "\n")


def _last_rows(lines: Iterable[str], rows: int, columns: int) -> list[str]:
    """The last lines, as many as there is room for."""
    kept: deque[str] = deque()
    for line in reversed([part for text in lines for part in _parts(text)]):
        rows -= len(wrapped(clean(line), columns))
        if rows < 0:
            break
        kept.appendleft(line)
    return list(kept)


def _parts(text: str) -> list[str]:
    return [text] if isinstance(text, Styled) else text.split("\n")


def _suspended(output: Output, mode: list[Any]) -> None:
    """Stopped until the shell says `fg`, with the terminal as the shell wants it."""
    tty = sys.stdin.fileno()
    own = termios.tcgetattr(tty)
    output.disable_bracketed_paste()
    output.flush()
    termios.tcsetattr(tty, termios.TCSADRAIN, mode)
    os.kill(0, signal.SIGTSTP)  # all of the job, as the key does in any other program
    termios.tcsetattr(tty, termios.TCSADRAIN, own)
    output.enable_bracketed_paste()
    output.flush()


def _size(session: PromptSession[str]) -> Size:
    size = session.app.output.get_size()
    return size.rows, size.columns
