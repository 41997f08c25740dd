"""Where rich draws: tables, colours and live screens on stdout.

Rule: the only Console. rich's own sequences pass; the text between them is cleaned, whatever it was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from rich.theme import Theme

from ccc.base import folding, sink
from ccc.base.sink import Styled
from ccc.base.text import BELOW, clean

# Without a background, and of the colours that the person has chosen for their terminal: light or dark.
_READABLE = Theme(
    {
        "markdown.code": "cyan",
        "markdown.h1": "bold underline",
        "markdown.h2": "bold",
        "markdown.h3": "bold",
        "markdown.h4": "bold",
        "markdown.h5": "bold",
        "markdown.h6": "bold",
        "markdown.block_quote": "italic",
        "markdown.item.bullet": "none",
        "markdown.item.number": "none",
        "markdown.table.border": "dim",
        "markdown.table.header": "bold",
        "markdown.hr": "dim",
        "markdown.link_url": "blue underline",
        "markdown.link": "blue",
    }
)


class Canvas(Console):
    def __init__(self, *, width: int | None = None, colours: bool = True) -> None:
        sink.ready()
        super().__init__(width=width, color_system="auto" if colours else None, highlight=False, theme=_READABLE)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Everything that is ever drawn comes by here, the parts of a table and the frames of a live screen too."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(clean(segment.text), segment.style)


def drawn(renderable: RenderableType, columns: int) -> list[Styled]:
    """The rows of a picture, for whoever puts lines on a terminal himself; no row ends with blanks."""
    canvas = _of_width(columns)
    rows = canvas.render_lines(renderable, canvas.options.update(width=columns, height=None), pad=False)
    return [_row(row) for row in rows]


def folded(line: Styled, columns: int) -> list[Styled]:
    """A line in ccc's own colours at a terminal's width: broken between words, its rest below where its text begins.

    Words of several lines keep them, all below the first.
    """
    first, *others = Text.from_ansi(line).split(allow_blank=True)
    return [row for each in (first, *map(_below, others)) for row in _in_rows(each, columns)]


def _below(line: Text) -> Text:
    """Words in a sentence of ours hang already."""
    if line.plain.startswith(" " * BELOW):
        return line
    return Text(" " * BELOW) + line if line.plain.strip() else Text("")


def _in_rows(text: Text, columns: int) -> list[Styled]:
    if not text.plain.strip():
        return [sink.joined("")]
    indent = min(len(text.plain) - len(text.plain.lstrip(" ")), columns // 2)
    rest = text[indent:]
    parts = rest.divide([*folding.breaks(rest.plain, columns - indent)])
    return [row for part in parts for row in drawn(Padding(part, (0, 0, 0, indent)), columns)]


def laid(text: Text, columns: int, *, whole: bool = False) -> Iterator[Text]:
    """A line as the rows of base/folding, each in the text's own colours."""
    at = 0
    for row in folding.folded(text.plain, columns, whole=whole):
        words = row.strip(" ")
        at = text.plain.index(words, at) if words else at
        yield Text(" " * (len(row) - len(row.lstrip(" ")))) + text[at : at + len(words)]
        at += len(words)


@lru_cache(maxsize=4)
def _of_width(columns: int) -> Canvas:
    return Canvas(width=columns, colours=False)


def _row(segments: list[Segment]) -> Styled:
    kept = [segment for segment in segments if not segment.control]
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    if kept:
        kept[-1] = Segment(kept[-1].text.rstrip(), kept[-1].style)
    return sink.joined(*(_coloured(segment) for segment in kept))


def _coloured(segment: Segment) -> str:
    colour = _colour(segment.style) if segment.style else ""
    return sink.styled(segment.text, colour) if colour else segment.text


@lru_cache(maxsize=1024)
def _colour(style: Style) -> str:
    """What stands in an SGR sequence; a link is its text."""
    sequence = style.update_link(None).render("-", color_system=ColorSystem.STANDARD)
    return sequence.partition("\x1b[")[2].partition("m")[0]
