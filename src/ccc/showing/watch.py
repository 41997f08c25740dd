"""`ccc watch`: every session of this machine on one screen, live, with keys.

Rule: what a key does to the view is a pure function; the terminal is put back whatever ends this, and nothing but a key
changes anything on disk.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base import languages
from ccc.base.errors import CccError
from ccc.base.folding import folded
from ccc.base.messages import Phrases, said
from ccc.base.text import columns_of, one_line
from ccc.record import switch
from ccc.record.events import Event
from ccc.record.store import story_path
from ccc.record.story import Tail
from ccc.showing import logs, status
from ccc.showing.status import Row, Signals

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

ROWS = 200
EVENTS_KEPT = 2000
REFRESH_SECONDS = 1.0
ESCAPE_SECONDS = 0.05
MESSAGE_LENGTH = 1000
LEAST_STORY = 4  # lines; below that the table gets the whole screen

OpenReport = Callable[[str], str]  # writes and opens the report of a session; returns a line to show

WORDS = Phrases(
    "watch",
    {
        "title": "ccc watch",
        "list keys": "↑↓ move · Enter story · r report · o reviews off/on · q quit",
        "story keys": "↑↓ scroll · Enter back · r report · o reviews off/on · q quit",
        "sessions": "{} sessions",
        "session": "1 session",
        "off": "reviews are off for {}, from its next stop on",
        "on": "reviews are on again for {}",
        "project off": "reviews are off for the whole project; switch them on there: ccc on",
        "terminal": "ccc watch needs a terminal; for scripts there is: ccc status --json",
        "small": "the window is too small",
    },
)

_SEQUENCES = {
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"\x1b[C": "open",
    b"\x1bOC": "open",
    b"\x1b[D": "back",
    b"\x1bOD": "back",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    b"\x1b[H": "first",
    b"\x1b[F": "last",
}
_LETTERS = {
    b"k": "up",
    b"j": "down",
    b"l": "open",
    b"\r": "open",
    b"\n": "open",
    b"h": "back",
    b"\x7f": "back",
    b"\x1b": "back",
    b"g": "first",
    b"G": "last",
    b"r": "report",
    b"o": "switch",
    b"q": "quit",
    b"\x1a": "suspend",
}
_KEY = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)|\x1b(?=[^\[O])|[^\x1b]", re.DOTALL)
_BEGINNING = re.compile(rb"\x1b(?:\[[0-?]{0,8}[ -/]{0,2}|O)?\Z")


def keys(data: bytes) -> tuple[list[str], bytes]:
    """What was pressed, and the beginning of a key whose rest has not come yet."""
    found: list[str] = []
    at = 0
    while at < len(data) and not _BEGINNING.match(data, at):
        key = _KEY.match(data, at)
        name = (_SEQUENCES.get(key[0]) or _LETTERS.get(key[0])) if key else None
        found += [name] if name else []
        at = key.end() if key else at + 1
    return found, data[at:]


class View(Struct, frozen=True):
    """What the person looks at. A selected session stays so while the rows move."""

    session_id: str | None = None  # None: whichever is on top
    story: bool = False
    up: int = 0  # lines of the story below the screen
    message: str = ""


def pressed(view: View, key: str, ids: Sequence[str], page: int) -> View:
    """The view after a key that only looks."""
    view = replace(view, message="")
    far = {"page up": page, "page down": page, "first": 10**9, "last": 10**9}.get(key, 1)
    match key:
        case "open":
            return replace(view, story=not view.story and bool(ids), up=0)
        case "back":
            return replace(view, story=False, up=0)
        case "up" | "page up" | "first":
            return _moved(view, ids, -far)
        case "down" | "page down" | "last":
            return _moved(view, ids, far)
        case _:
            return view


def run(
    state: Path, *, env: Mapping[str, str], open_report: OpenReport, now: Callable[[], datetime] | None = None
) -> int:
    """Until q, Ctrl-C or a signal."""
    console = status.console_for(env)
    lang = languages.of_person(env)
    if not os.isatty(0) or not console.is_terminal or console.is_dumb_terminal:
        raise CccError(WORDS[lang]["terminal"])
    screen = Screen(state, console, lang, open_report, now or (lambda: datetime.now(UTC)))
    with Signals() as signals:
        while screen.sit(signals) == "suspend":
            # The shell gets its terminal back as it was; `fg` comes back here.
            os.kill(0, signal.SIGTSTP)
    return signals.obeyed()


class Screen(Struct):
    state: Path
    console: Console
    lang: str
    open_report: OpenReport
    clock: Callable[[], datetime]
    view: View = field(default_factory=View)
    rows: list[Row] = field(default_factory=list)
    story: Story | None = None

    def sit(self, signals: Signals) -> str:
        """Draw and obey until a key or a signal ends it; says which key."""
        from rich.live import Live

        rest = b""
        with cbreak(0), Live(console=self.console, screen=True, auto_refresh=False) as live:
            self.look()
            while signals.ended is None:
                live.update(self.frame(), refresh=True)
                ready = signals.wait(ESCAPE_SECONDS if rest else REFRESH_SECONDS, 0)
                found, rest = self._read(rest) if ready else ([_LETTERS[rest]] if rest in _LETTERS else [], b"")
                for key in found:
                    if key in ("quit", "suspend"):
                        return key
                    self.obey(key)
                if not ready:
                    self.look()
        return ""

    def look(self) -> None:
        """Read the files again."""
        self.rows = status.rows(self.state, ROWS)

    def obey(self, key: str) -> None:
        chosen = self.selected
        self.view = pressed(self.view, key, self.ids, max(1, self.console.height - 4))
        if chosen and key in ("report", "switch"):
            act = self.open_report if key == "report" else self._switched
            try:
                told = act(self.session_of(chosen.session_id))
            except CccError as error:
                told = said(error.message, self.lang)
            self.view = replace(self.view, message=one_line(told, MESSAGE_LENGTH))
            self.look()

    def session_of(self, chosen: str) -> str:
        """Of a row; here the row is the session."""
        return chosen

    @property
    def title(self) -> str:
        return WORDS[self.lang]["title"]

    @property
    def heading(self) -> str:
        """Above the list."""
        words = WORDS[self.lang]
        many = words["session"] if len(self.rows) == 1 else words["sessions"].format(len(self.rows))
        return f"{self.title} · {many}"

    @property
    def empty(self) -> str:
        return status.WORDS[self.lang]["empty"]

    def drawn(self, visible: Sequence[Row], chosen: str) -> RenderableType:
        return status.table(visible, now=self.clock(), lang=self.lang, width=self.console.width, selected=chosen)

    @property
    def ids(self) -> list[str]:
        return [each.session_id for each in self.rows]

    @property
    def selected(self) -> Row | None:
        """The chosen row, or the top one when it is gone."""
        chosen = (each for each in self.rows if each.session_id == self.view.session_id)
        return next(chosen, self.rows[0] if self.rows else None)

    def frame(self) -> RenderableType:
        """The whole screen as it is now."""
        from rich.console import Group

        status.follow_size(self.console)
        words, chosen = WORDS[self.lang], self.selected
        width, height = self.console.size
        if height < 3 or width < 20:
            return _bar(words["small"])
        if chosen is None:
            keys = _keys(words["list keys"], width, height)
            return Group(_bar(self.title, "bold"), *_whole(self.empty, width, height), *keys)
        found = self._told(chosen.session_id, width)
        keys = _keys(words["story keys" if self.view.story else "list keys"], width, height)
        message = _whole(self.view.message, width, height - 1 - len(keys), "bold")
        title = f"{self.title} · {chosen.session_id}" if self.view.story else self.heading
        head = _whole(title, width, height - len(keys) - len(message), "bold") or [_bar(title, "bold")]
        room = height - len(head) - len(keys) - len(message)
        body = self._story(found, room) if self.view.story else self._table(chosen, found, room)
        return Group(*head, *body, *message, *keys)

    def _switched(self, session_id: str) -> str:
        words, nowhere = WORDS[self.lang], Path("/")
        chosen = status.row(self.state, session_id)
        by_itself = switch.is_off(self.state, nowhere, session_id=session_id)
        if chosen and chosen.off and not by_itself:
            return words["project off"]
        switch.turn(self.state, switch.SESSIONS, session_id, off=not by_itself)
        return words["on" if by_itself else "off"].format(session_id)

    def _read(self, rest: bytes) -> tuple[list[str], bytes]:
        try:
            data = os.read(0, 1024)
        except OSError:  # the terminal is gone
            data = b""
        return keys(rest + data) if data else (["quit"], b"")

    def _told(self, session_id: str, width: int) -> list[Text]:
        if self.story is None or self.story.session_id != session_id:
            self.story = Story(session_id, Tail(story_path(self.state, session_id)))
        return self.story.lines(width, self.lang)

    def _table(self, chosen: Row, found: Sequence[Text], height: int) -> Iterator[RenderableType]:
        """The rows around the chosen one, and below them the end of its story."""
        from rich.rule import Rule

        room = height - 1  # without the heads
        shown = min(len(self.rows), _rows_shown(len(self.rows), room))
        first = min(max(0, self.ids.index(chosen.session_id) - shown // 2), len(self.rows) - shown)
        visible = self.rows[first : first + shown]
        yield self.drawn(visible, chosen.session_id)
        left = room - shown - 1
        if left >= LEAST_STORY:
            yield Rule(chosen.session_id, style="dim")
            yield from _padded(found[-left:], left)
        else:
            yield from _padded([], left + 1)

    def _story(self, found: Sequence[Text], height: int) -> Iterator[Text]:
        self.view = replace(self.view, up=min(self.view.up, max(0, len(found) - height)))
        end = len(found) - self.view.up
        return _padded(found[max(0, end - height) : end], height)


class Story(Struct):
    """The story of one session, folded to the width of the screen as it comes."""

    session_id: str
    tail: Tail
    width: int = 0
    events: list[Event] = field(default_factory=list)
    folded: list[Text] = field(default_factory=list)

    def lines(self, width: int, lang: str) -> list[Text]:
        from ccc.base.canvas import laid

        new = list(self.tail.events())
        self.events = [*self.events, *new][-EVENTS_KEPT:]
        if width != self.width:
            self.width, self.folded, new = width, [], self.events
        for event in new:
            for line in logs.lines(event, lang):
                self.folded += laid(line, width)
        return self.folded


@contextmanager
def cbreak(fd: int) -> Iterator[None]:
    """Keys as they are pressed and unseen; Ctrl-Z is a key, so that the screen can be left before the shell is back."""
    before = termios.tcgetattr(fd)
    wanted = termios.tcgetattr(fd)
    wanted[3] &= ~(termios.ECHO | termios.ICANON)
    wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
    wanted[6][termios.VSUSP] = os.fpathconf(fd, "PC_VDISABLE").to_bytes(1, sys.byteorder)
    try:
        termios.tcsetattr(fd, termios.TCSAFLUSH, wanted)
        yield
    finally:
        with suppress(termios.error):  # the terminal is gone
            # FLUSH: what was pressed too late must not land in the shell.
            termios.tcsetattr(fd, termios.TCSAFLUSH, before)


def _rows_shown(rows: int, room: int) -> int:
    """All, when the story still has a place below them; half of the room otherwise."""
    if rows + 1 + LEAST_STORY <= room:
        return rows
    return room // 2 if room > 2 * (LEAST_STORY + 1) else room


def _padded(found: Sequence[Text], height: int) -> Iterator[Text]:
    from rich.text import Text

    yield from found
    yield from (Text("") for _ in range(height - len(found)))


def _whole(message: str, width: int, height: int, style: str = "") -> list[Text]:
    """All of it, for a path that is cut leads nowhere; as long as the screen has room."""
    rows = folded(message, width, whole=False) if message else []
    return [_bar(row, style) for row in rows[: height // 2]]


def _keys(words: str, width: int, height: int) -> list[Text]:
    """What can be pressed: a row, or as many as it takes, of which the last tells how to leave."""
    rows: list[str] = []
    for key in words.split(" · "):
        longer = f"{rows[-1]} · {key}" if rows else key
        if rows and columns_of(longer, most=False) <= width:
            rows[-1] = longer
        else:
            rows.append(key)
    return [_bar(row, "dim") for row in rows[-max(1, height // 4) :]]


def _bar(words: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(one_line(words, 500), style=style, no_wrap=True, overflow="ellipsis")


def _moved(view: View, ids: Sequence[str], step: int) -> View:
    if view.story:
        return replace(view, up=max(0, view.up - step))
    if not ids:
        return view
    at = ids.index(view.session_id) if view.session_id in ids else 0
    return replace(view, session_id=ids[min(max(0, at + step), len(ids) - 1)])
