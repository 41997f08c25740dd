"""Where rich draws: tables, colours and live screens on stdout.

Rule: the only Console. rich's own sequences pass; the text between them is cleaned, whatever it was made from.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from ccc.base import sink
from ccc.base.text import clean


class Canvas(Console):
    def __init__(self, *, width: int | None = None, colours: bool = True) -> None:
        sink.ready()
        super().__init__(width=width, color_system="auto" if colours else None, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Everything that is ever drawn comes by here, the parts of a table and the frames of a live screen too."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(clean(segment.text), segment.style)
