"""The way out: every byte that a terminal or a log gets is made safe here, so that no caller has to remember it.

Rule: text comes in as it is, whatever it holds, and neither a text nor an encoding makes this raise. Safe and Styled
are made in this module alone, and what writes elsewhere takes one of them; a test names every exception.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time

from ccc.base.text import clean, escaped, visible, wrapped

TYPE_CHECKING = False  # without typing: the status line is drawn again and again
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TextIO

    Through = Callable[[Mapping[str, Any]], list[Mapping[str, Any]]]
    Rest = Callable[[], list[Mapping[str, Any]]]


class Safe(bytes):
    """Bytes that a terminal or a log may get."""


class Styled(str):
    """Text in ccc's own colours; what stands between them has been cleaned."""

    __slots__ = ()


def styled(text: str, colour: str) -> Styled:
    """The text between ccc's own sequences; `colour` is what stands in an SGR sequence."""
    return Styled(f"\x1b[{colour}m{clean(text)}\x1b[0m")


def joined(*parts: str) -> Styled:
    """One line of parts; those that are Styled keep their colours."""
    return Styled("".join(_cleaned(part) for part in parts))


def show(*lines: str, err: bool = False, end: str = "\n") -> None:
    """Each on a line of stdout or stderr, folded at a terminal's width; what a terminal obeys is spelled out."""
    stream = ready(err=err)
    if stream is not None:
        width = columns(err=err) if end == "\n" else 0
        rows = (row for line in lines for row in _rows(line, width))
        stream.write("".join(f"{row}{end}" for row in rows))
        stream.flush()


def _rows(line: str, width: int) -> list[str]:
    """As they are to be seen; a terminal would break a long line in the middle of a word."""
    if isinstance(line, Styled) or not width:
        return [line if isinstance(line, Styled) else visible(line)]
    from ccc.base.folding import folded

    return folded(visible(line), width)


def show_json(value: object, *, indent: int | None = 2) -> None:
    """A JSON document on stdout, for programs, and harmless on a terminal."""
    stream = ready()
    if stream is None:
        return
    text = json_text(value, indent)
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:  # spelled out by the stream it would be no JSON
        text = escaped(json.dumps(json.loads(text), indent=indent))
    stream.write(text + "\n")
    stream.flush()


def ready(*, err: bool = False) -> TextIO | None:
    """The stream, which from now on spells out what it cannot encode; None when it is closed."""
    stream = sys.stderr if err else sys.stdout
    if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
        stream.reconfigure(errors="backslashreplace")
    return stream


def lines(*texts: str) -> Safe:
    """Texts of one or more lines each, for a descriptor."""
    return Safe("".join(f"{_cleaned(text)}\n" for text in texts).encode())


def log_line(text: str) -> Safe:
    """One record for a log, which nothing in it can end."""
    return Safe(f"{visible(text)}\n".encode())


def json_line(value: object) -> Safe:
    return Safe(f"{json_text(value)}\n".encode())


def json_text(value: object, indent: int | None = None) -> str:
    """JSON in which a control character is only ever an escape."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, default=str))


def put(data: Safe, fd: int = 1) -> None:
    """At once and whole; a terminal that is stopped holds us until it goes on."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


# How a terminal is told that somebody is wanted: by its bell, or by a notice in the way of iTerm2 or of urxvt.
SIGNS = {"bell": "\a", "osc9": "\x1b]9;{}\a", "osc777": "\x1b]777;notify;ccc;{}\a"}


def sign(kind: str, text: str) -> Safe:
    """One of the SIGNS, with this text where it has room for one."""
    return Safe(SIGNS[kind].format(clean(text).replace("\n", " ").replace(";", ",")[:200]).encode())


class Progress:
    """One line of stderr that is written again and again while something takes long; no terminal gets none of it."""

    SECONDS = 0.1

    def __init__(self) -> None:
        self._columns = columns(err=True)
        self._next = 0.0
        self._shown = False

    def tell(self, text: str) -> None:
        """As often as one likes: it is drawn as often as a person can see."""
        now = time.monotonic() if self._columns else 0.0
        if now > self._next:
            self._next = now + self.SECONDS
            self._draw(
                f"\r{wrapped(visible(text), self._columns - 1)[0]}\x1b[K"
            )  # a second row could not be taken back
            self._shown = True

    def clear(self) -> None:
        if self._shown:
            self._draw("\r\x1b[K")
        self._shown = False

    def _draw(self, text: str) -> None:
        stream = ready(err=True)
        if stream is not None:
            stream.write(text)
            stream.flush()


def takes_colours(env: Mapping[str, str]) -> bool:
    """Whether stdout shows them, and whoever looks at it wants them."""
    return sys.stdout is not None and sys.stdout.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def columns(*, err: bool = False) -> int:
    """Of the terminal that stdout or stderr is; 0 when it is none."""
    stream = sys.stderr if err else sys.stdout
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream and stream.isatty() else 0
    except (AttributeError, OSError, ValueError):  # closed, or replaced by something without a descriptor
        return 0


class Relay:
    """JSON objects of another program on their way to our reader: the same values in whole lines, made safe.

    `odd` hears of a line that is no object, which goes no further: why, and how long it was. Nor does one of the type
    `own`: lines of that type are ours, and another program that writes one pretends to be us. `through` says what goes
    on in the place of an object: itself, others, or nothing yet; and `rest` what still waits there when its writer is
    gone.
    """

    LINE_LIMIT = 16 * 1024 * 1024

    def __init__(
        self,
        odd: Callable[[str, int], None],
        own: str = "",
        through: Through | None = None,
        rest: Rest = list,
    ) -> None:
        self._odd, self._own, self._through, self._rest = odd, own, through, rest
        self._held: list[bytes] = []
        self._size = 0

    def __call__(self, data: bytes) -> None:
        """In any chunks; b"" ends the line of a writer who is gone."""
        *lines, rest = data.split(b"\n") if data else (b"", b"")
        for line in lines:
            self._hold(line)
            held, size = b"".join(self._held), self._size
            self._held, self._size = [], 0
            self._pass(held, size)
        self._hold(rest)
        if not data:
            for value in self._rest():
                put(json_line(value))

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self.LINE_LIMIT:
            self._held = []
        else:
            self._held.append(piece)

    def _pass(self, line: bytes, size: int) -> None:
        if size > self.LINE_LIMIT:
            self._odd("too long", size)
            return
        text = line.decode("utf-8", "replace").strip()
        try:
            for line in self._lines(text):
                put(line)
        except ValueError as error:
            if clean(text).strip():  # what only moves a cursor is no line
                self._odd(str(error), size)

    def _lines(self, text: str) -> list[Safe]:
        value, line = _object_line(text, self._own)
        on = self._through(value) if self._through else [value]
        return [line if each is value else json_line(each) for each in on]


def _object_line(text: str, own: str) -> tuple[Mapping[str, Any], Safe]:
    """The JSON object that the text is, and its line; ValueError says why it is none that may go on."""
    from ccc.base import anyjson, strictjson  # in here, for the status line's sake

    try:
        value, line = strictjson.loads(text.encode()), Safe(f"{escaped(text)}\n".encode())
    except ValueError:
        value, line = _mended(anyjson.loads, text), None
    if not isinstance(value, dict):
        raise ValueError("not an object")
    if line is None or "\r" in text:  # some readers end a line there, and what follows would be one of its own
        line = json_line(value)
    if own and _pretends(line.decode(), own):
        raise ValueError(f"pretends to be of {own}")
    return value, line


def _pretends(line: str, own: str) -> bool:
    """Whether some reader takes it for one of ours: of a repeated name one has the first and one the last, and some
    do not tell capitals."""
    if f'"{own}"' not in line.lower() and "\\u" not in line:
        return False
    objects: list[list[tuple[str, object]]] = []
    try:
        json.loads(line, object_pairs_hook=objects.append)
    except RecursionError:  # who nests so deep has something to hide
        return True
    # The outermost one ends last.
    return any(name.lower() == "type" and str(value).lower() == own for name, value in objects[-1])


def _mended(loads: Callable[[bytes], object], text: str) -> object:
    """Without what a terminal would obey; half an emoji is no reason to lose a line."""
    try:
        return loads(clean(text).encode())
    except ValueError:
        raise ValueError("not JSON") from None


def _cleaned(text: str) -> str:
    return text if isinstance(text, Styled) else clean(text)


def fill_closed_streams() -> set[int]:
    """Fill closed standard streams, so that no file of ours gets their number and their words; returns which."""
    closed = {fd for fd in (0, 1, 2) if not _is_open(fd)}
    for _ in closed:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    return closed


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
