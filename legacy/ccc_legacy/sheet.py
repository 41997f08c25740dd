"""What the person is asked about, as the rows of a screen: nothing is cut, and nothing in it can hide or move another.

Rule: pure, linear, total over any input; a line break of the text is a new row behind a gutter, a row that is full goes
on behind another, and every character that a terminal would obey or not show is spelled out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ccc.base.folding import breaks
from ccc.base.text import columns_of, spelled_out, wrapped
from ccc.claude.stream import ControlRequest
from ccc_legacy.calls import EDITS
from ccc_legacy.paint import Paint

INDENT = "    "
LINE, REST = "│ ", "┆ "  # a line of the text, and where one that was too long goes on
NARROWEST = 20
STYLES = {"old_string": "old", "new_string": "new", "content": "new", "new_source": "new"}


def described(request: ControlRequest, columns: int, paint: Paint = Paint(False)) -> Iterator[str]:
    """The whole of what the agent wants to do, and in colours what an edit takes away and what it brings."""
    about = request.description
    for row in titled(f"? {request.tool_name}{f': {about}' if about else ''}", columns):
        yield paint("phase", row)
    for key, value in request.input.items():
        if key != "description" or value != about:  # which stands above
            style = STYLES.get(key, "") if request.tool_name in EDITS else ""
            for row in _named(key, _text(value), columns):
                yield paint(style, row) if style else row


def titled(text: str, columns: int, *, goes_on: str = f"{INDENT}{REST}") -> Iterator[str]:
    """One line, however many rows it takes."""
    first, *others = _rows(spelled_out(text), max(columns, NARROWEST) - columns_of(goes_on))
    yield first
    yield from (goes_on + other for other in others)


def _rows(text: str, columns: int) -> list[str]:
    """Broken between words, where that hides nothing: of several blanks nobody would see how many there are."""
    if "  " in text.lstrip(" "):
        return wrapped(text, columns)
    ends = [*breaks(text, columns - 1)]  # the blank at a break stays with its row
    return [text[begin:end] for begin, end in zip((0, *ends), (*ends, None), strict=True)]


def _named(key: str, text: str, columns: int) -> Iterator[str]:
    name = f"{INDENT}{spelled_out(key)}:"
    line = f"{name} {spelled_out(text)}"
    if "\n" not in text and wrapped(line, max(columns, NARROWEST)) == [line]:
        yield line
        return
    yield from titled(name, columns)
    for line in text.split("\n"):
        yield from _guttered(line, columns)


def _guttered(line: str, columns: int) -> Iterator[str]:
    room = max(columns, NARROWEST) - len(INDENT) - len(LINE) - 1  # the gutter itself may be two columns wide
    for number, row in enumerate(wrapped(spelled_out(line), room)):
        yield f"{INDENT}{REST if number else LINE}{row}"


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2 if _is_nested(value) else None, default=str)


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping | list | tuple) and len(value) > 0
