"""The person's line at a terminal: always there, also while the agent works, with what grows above it and a bar below.

Rule: the only module that knows prompt_toolkit. It passes on what the person does and decides nothing. The terminal is
never asked a question, whose answer could meet a key on its way; what is drawn is drawn at once, in one piece, and by
nobody who could be stopped in the midst of it.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import termios
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from msgspec import Struct, field
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, ThreadedCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Always, Condition, has_completions, is_searching
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import HighlightIncrementalSearchProcessor
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.widgets import SearchToolbar

from ccc.base import canvas, folding, sink
from ccc.base.messages import msg
from ccc.base.sink import Styled
from ccc.base.text import clean, columns_of, wrapped
from ccc_legacy import commands
from ccc_legacy.paint import Paint
from ccc_legacy.person import Listener, Suggestion, echoed, write_lines
from ccc_legacy.terminal import Size

LARGE_PASTE = 4_000
USUAL: Size = (24, 80)
SHOWN_KEPT = 500  # lines
FRAME_SECONDS = 0.04  # between two drawings: nobody sees more, and each costs
TICK_SECONDS = 0.2  # … and when nothing happens but time
LIVE_ROWS = 12
MENU_ROWS = 8
# Escape alone means something here, so the wait for a longer sequence must be short; twice it sends the line at once.
ESCAPE_SECONDS, TWICE_SECONDS = 0.05, 0.4


class _Question(Struct):
    text: str
    answer: asyncio.Future[str]
    draft: str  # what stood on the line; it was not meant as an answer


class Typist(Struct):
    """A person at a terminal. `live` are the rows that grow over the prompt, `status` the one below it."""

    history: Path
    live: Callable[[int, int], Iterable[str]]
    status: Callable[[int], str]
    suggest: Callable[[str], Sequence[Suggestion]] = lambda _: ()
    paint: Paint = Paint(False)
    told: Callable[[str], str] = str
    _question: _Question | None = None
    _pastes: dict[str, str] = field(default_factory=dict)
    _app: Application[None] | None = None
    _buffer: Buffer | None = None
    _lent: asyncio.Event = field(default_factory=asyncio.Event)
    _shown: deque[str] = field(default_factory=lambda: deque(maxlen=SHOWN_KEPT))  # for a screen that is drawn anew
    _pending: list[str] = field(default_factory=list)  # what has not been drawn yet
    _timer: asyncio.TimerHandle | None = None
    _drawn_at: float = 0.0
    _seen: tuple[Sequence[str], str] = ((), "")  # what stands above the line and below it
    _window: Size = (0, 0)
    _mode: list[Any] = field(default_factory=list)  # of the terminal, as the shell has left it

    async def attend(self, listener: Listener) -> None:
        self._mode = termios.tcgetattr(sys.stdin.fileno())
        app = self._app = self._made(listener)
        self._seen = self._around()
        ticking = asyncio.create_task(self._tick())
        # All the time, and not only while a prompt is open: a cooked terminal cuts a paste after 4096 bytes.
        with app.input.raw_mode():
            try:
                while True:
                    await self._attend_once(app)
            except EOFError:
                return
            finally:
                ticking.cancel()
                with suppress(OSError):  # the terminal is gone
                    self._draw()
                listener.left()

    async def _attend_once(self, app: Application[None]) -> None:
        try:
            # Signals are the loop's; and what breaks here ends ccc with a line, not with a traceback to confirm.
            await app.run_async(handle_sigint=False, set_exception_handler=False)
        except _Lending:
            await self._lent.wait()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            if self._around() != self._seen:
                self._draw()

    # What is seen.

    async def show(self, lines: Sequence[str]) -> None:
        self._put(lines)

    def _put(self, lines: Sequence[str]) -> None:
        """Soon, with whatever else comes meanwhile."""
        self._shown.extend(lines)
        self._pending += lines
        # What only grows can wait for what may come with it: a call that has begun is soon one that has returned.
        wait = self._drawn_at + FRAME_SECONDS - time.monotonic() if lines else FRAME_SECONDS
        if wait <= 0 or len(self._pending) > SHOWN_KEPT or not self._is_running:
            self._draw()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._draw)

    @property
    def _is_running(self) -> bool:
        return self._app is not None and self._app.is_running

    def _draw(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._drawn_at = None, time.monotonic()
        lines = [row for line in self._pending for row in _folded(line, self.room()[1])]
        self._pending = []
        if not self._app or not self._app.is_running:
            write_lines(lines)
        else:
            self._seen = self._around()
            with suppress(OSError):  # the terminal is gone, and its end of file says so
                self._over_the_prompt(self._app, lines)

    def _over_the_prompt(self, app: Application[None], lines: Sequence[str]) -> None:
        output = app.output
        assert isinstance(output, _Output)
        with output.frame():
            if lines:
                app.renderer.erase(leave_alternate_screen=False)
                output.write_raw(sink.lines(*lines).decode())
            app._redraw()

    def _around(self) -> tuple[Sequence[str], str]:
        rows, columns = self.room()
        return self._live_rows(rows, columns), self.status(columns)

    def _live_rows(self, rows: int, columns: int) -> list[str]:
        most = max(2, min(LIVE_ROWS, rows // 3))
        return list(self.live(columns, most))[-most:]

    # What is asked.

    async def ask(self, question: str) -> str:
        self._question = _Question(question, asyncio.get_running_loop().create_future(), self._swapped(""))
        self._draw()
        try:
            return await self._question.answer
        finally:
            draft, self._question = self._question.draft, None
            self._swapped(draft)

    def room(self) -> Size:
        return _size(self._app) if self._app else USUAL

    async def lend(self, borrow: Callable[[], None]) -> None:
        """The prompt goes away entirely, so that whoever borrows the terminal finds it as a shell leaves it."""
        self._lent.clear()
        if self._app and self._app.is_running:
            self._draw()
            self._app.exit(exception=_Lending())
            while self._app.is_running:
                await asyncio.sleep(0)
        try:
            borrow()
        finally:
            self._lent.set()

    def _accept(self, text: str, listener: Listener) -> None:
        # An order is one at a question too, which then still waits for its answer.
        if self._question and not commands.is_order(text):
            self._answer(text)
        elif text.strip():
            listener.typed(text)
            if commands.steering(text):
                self._answer("")

    def _answer(self, text: str) -> None:
        if self._question and not self._question.answer.done():
            self._question.answer.set_result(text)

    def _swapped(self, text: str) -> str:
        """Another text on the line; what stood there."""
        if self._buffer is None or self._app is None:
            return ""
        old, self._buffer.text = self._buffer.text, text
        self._buffer.cursor_position = len(text)
        self._app.invalidate()
        return old

    # The line.

    def _made(self, listener: Listener) -> Application[None]:
        self._buffer = Buffer(
            history=_History(self.history),
            completer=ThreadedCompleter(_Suggesting(self.suggest)),
            multiline=True,
        )
        output = _Output.from_pty(sys.stdout)
        output.enable_cpr = False
        app: Application[None] = Application(
            layout=self._layout(self._buffer),
            key_bindings=_Keys(self, self._buffer, listener).bound(),
            input=_Keyboard(sys.stdin),
            output=output,
            include_default_pygments_style=False,
            erase_when_done=True,
        )
        app.ttimeoutlen, app.timeoutlen = ESCAPE_SECONDS, ESCAPE_SECONDS

        def wait_for_second(buffer: Buffer) -> None:
            app.timeoutlen = TWICE_SECONDS if buffer.text else ESCAPE_SECONDS

        self._buffer.on_text_changed += wait_for_second
        # prompt_toolkit keeps SIGWINCH to itself, and draws again when it comes.
        app.after_render += lambda _: listener.resized(_size(app))
        usual, self._window = app._on_resize, _size(app)
        app._on_resize = lambda: self._resized(app, usual)  # type: ignore[method-assign]
        return app

    def _layout(self, buffer: Buffer) -> Layout:
        searching = SearchToolbar(backward_search_prompt=self.told(msg("search back: ")))
        line = BufferControl(
            buffer,
            search_buffer_control=searching.control,
            preview_search=True,
            input_processors=[HighlightIncrementalSearchProcessor()],
        )
        return Layout(
            HSplit(
                [
                    ConditionalContainer(
                        Window(FormattedTextControl(self._growing), dont_extend_height=True),
                        Condition(lambda: bool(self._seen[0])),
                    ),
                    ConditionalContainer(
                        Window(FormattedTextControl(self._asked), dont_extend_height=True, wrap_lines=True),
                        Condition(lambda: self._question is not None),
                    ),
                    Window(
                        line,
                        height=Dimension(min=1, max=MENU_ROWS),
                        dont_extend_height=True,
                        wrap_lines=True,
                        get_line_prefix=lambda number, wraps: "  " if number or wraps else "> ",
                    ),
                    searching,
                    CompletionsMenu(max_height=MENU_ROWS, scroll_offset=1),
                    Window(FormattedTextControl(self._bar), height=1, style="reverse"),
                    Window(),  # the room that the rows above leave when they become fewer
                ]
            ),
            focused_element=line,
        )

    def _growing(self) -> StyleAndTextTuples:
        found: StyleAndTextTuples = []
        for row in self._seen[0]:
            found += [*_fragments(row), ("", "\n")]
        return found[:-1]

    def _asked(self) -> str:
        """In rows broken between words: prompt_toolkit would break it in the midst of one."""
        return "\n".join(_folded(self._question.text, self.room()[1])) if self._question else ""

    def _bar(self) -> str:
        return clean(self._seen[1])

    def _resized(self, app: Application[None], usual: Callable[[], None]) -> None:
        """In a narrower window many terminals break the rows of the prompt, and nobody knows how many there are now:
        prompt_toolkit would leave some of them standing. So the screen is drawn anew, with all that it showed."""
        before, self._window = self._window, _size(app)
        self._seen = self._around()
        if self._window[1] >= before[1]:
            usual()
            return
        app.renderer.erase(leave_alternate_screen=False)
        app.output.erase_screen()
        app.output.cursor_goto(0, 0)
        app.output.flush()
        write_lines([*self._on_screen(before)])
        self._pending = []
        app.invalidate()

    def _on_screen(self, before: Size) -> Iterator[str]:
        """What the wider window showed, and what waits to be drawn; what has no room now can be scrolled back to."""
        waiting = len(self._pending)
        drawn = list(self._shown)[: -waiting or None]
        room = max(before[0], self._window[0])
        for line in (*_last_lines(drawn, room, before[1]), *self._pending):
            yield from _folded(line, self._window[1])

    def _sent(self, buffer: Buffer) -> str:
        """What stands on the line, which is empty then; the message stays on the screen, an answer too."""
        text = buffer.text
        buffer.reset(append_to_history=self._question is None)
        if text.strip() or self._question:
            self._put([self.paint("person", row) for row in echoed(text, self.room()[1])])
        return self._unfolded(text)

    def _folded(self, text: str) -> str:
        """A large paste stands on the line as a word; typing beside a megabyte of text would crawl."""
        if len(text) < LARGE_PASTE:
            return text
        word = self.told(
            msg("[paste {number}: {count} characters]", number=len(self._pastes) + 1, count=f"{len(text):,}")
        )
        self._pastes[word] = text
        return word

    def _unfolded(self, text: str) -> str:
        for word, paste in self._pastes.items():
            text = text.replace(word, paste)
        return text


class _Keys(Struct):
    """What each key does to the line, and to whoever listens."""

    typist: Typist
    buffer: Buffer
    listener: Listener

    def bound(self) -> KeyBindings:
        always, typing = Always(), ~is_searching
        empty, written = Condition(lambda: not self.buffer.text), Condition(lambda: bool(self.buffer.text.strip()))
        bindings = KeyBindings()
        for keys, where, does in (
            (("enter",), typing, self.enter),
            (("escape", "enter"), typing, self.new_line),
            (("c-j",), typing, self.new_line),
            (("c-c",), always, self.clear_or_interrupt),
            (("c-d",), empty, self.leave),
            (("escape",), typing, self.interrupt),
            (("escape", "escape"), typing & written, self.send_at_once),
            (("c-o",), always, self.more_or_less),
            (("s-tab",), typing & ~has_completions, self.other_mode),
            (("c-l",), always, self.clear_screen),
            (("c-z",), always, self.suspend),
            ((Keys.BracketedPaste,), always, self.paste),
        ):
            bindings.add(*keys, filter=where)(does)
        return bindings

    def enter(self, _: KeyPressEvent) -> None:
        if self.buffer.complete_state and self.buffer.complete_state.current_completion:
            self.buffer.complete_state = None
        elif self.buffer.document.text_before_cursor.endswith("\\"):
            self.buffer.delete_before_cursor()
            self.buffer.insert_text("\n")
        else:
            self.typist._accept(self.typist._sent(self.buffer), self.listener)

    def new_line(self, _: KeyPressEvent) -> None:
        self.buffer.insert_text("\n")

    def clear_or_interrupt(self, _: KeyPressEvent) -> None:
        if self.buffer.text:
            self.buffer.reset()
        else:
            self.listener.interrupted(leaves_if_repeated=True)
            self.typist._answer("")

    def leave(self, event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError())

    def interrupt(self, _: KeyPressEvent) -> None:
        if self.buffer.complete_state:
            self.buffer.cancel_completion()
            return
        self.listener.interrupted(leaves_if_repeated=False)
        self.typist._answer("")

    def send_at_once(self, _: KeyPressEvent) -> None:
        self.listener.steered(self.typist._sent(self.buffer))
        self.typist._answer("")

    def more_or_less(self, _: KeyPressEvent) -> None:
        self.listener.unfolded()

    def other_mode(self, _: KeyPressEvent) -> None:
        self.listener.switched()

    def clear_screen(self, event: KeyPressEvent) -> None:
        self.typist._shown.clear()
        event.app.renderer.clear()

    def suspend(self, event: KeyPressEvent) -> None:
        run_in_terminal(lambda: _suspended(event.app.output, self.typist._mode))

    def paste(self, event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(self.typist._folded(_pasted(event.data)))


class _Output(Vt100_Output):
    """Everything of one drawing in one write, which a terminal that can shows all at once."""

    BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
    _held = False

    @contextmanager
    def frame(self) -> Iterator[None]:
        self._held = True
        self.write_raw(self.BEGIN)
        try:
            yield
        finally:
            self.write_raw(self.END)
            self._held = False
            self.flush()

    def flush(self) -> None:
        if not self._held:
            super().flush()

    def erase_down(self) -> None:
        """A prompt that fills the window: from the first cell on, tmux and others would keep it to be scrolled back to.

        So its first row goes by itself, and the rest from the second cell on.
        """
        self.write_raw("\x1b[K\x1b[C\x1b[J\x1b[D")


class _Suggesting(Completer):
    def __init__(self, suggest: Callable[[str], Sequence[Suggestion]]) -> None:
        self._suggest = suggest

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        for each in self._suggest(document.text_before_cursor):
            yield Completion(each.text, -each.typed, display=clean(each.text), display_meta=clean(each.about))


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


def _last_lines(lines: Sequence[str], rows: int, columns: int) -> list[str]:
    """The last ones, as many as so many rows have held."""
    kept: deque[str] = deque()
    for line in reversed(lines):
        rows -= sum(len(wrapped(clean(row), columns)) for row in _folded(line, columns))
        if rows < 0:
            break
        kept.appendleft(line)
    return [*kept]


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


def _size(app: Application[None]) -> Size:
    size = app.output.get_size()
    return size.rows, size.columns


def _folded(line: str, columns: int) -> Sequence[str]:
    """In rows, where it is too long for one: a terminal would break it in the midst of a word."""
    if isinstance(line, Styled):
        fits = "\n" not in line and columns_of(clean(line)) <= columns
        return [line] if fits else canvas.folded(line, columns)
    return [row for part in clean(line).split("\n") for row in folding.folded(part, columns, whole=False)]


def _fragments(row: str) -> StyleAndTextTuples:
    return _coloured(row) if isinstance(row, Styled) else [("", clean(row))]


@lru_cache(maxsize=256)
def _coloured(row: str) -> StyleAndTextTuples:
    return to_formatted_text(ANSI(row))
