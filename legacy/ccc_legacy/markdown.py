"""The agent's Markdown as rows for a terminal.

Rule: nothing of the text is lost: what a browser would hide (tags, single line breaks) is shown. Total over any text:
what cannot be drawn is shown as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments.token import Comment, Keyword, Name, Number, String  # type: ignore[import-untyped]
from rich import markdown
from rich.box import Box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax
from rich.table import Table
from rich.text import Text

from ccc.base.canvas import drawn
from ccc.base.folding import breaks
from ccc.base.text import clean, wrapped

HIGHLIGHTED = 20_000  # characters of code; more is shown in one colour
_THEME = ANSISyntaxTheme(
    {
        Keyword: Style(color="magenta"),
        Name.Function: Style(color="blue"),
        Name.Class: Style(color="blue"),
        Name.Builtin: Style(color="cyan"),
        String: Style(color="green"),
        Number: Style(color="cyan"),
        Comment: Style(dim=True),
    }
)


def rows(text: str, columns: int) -> list[str]:
    """One block, or several, without empty rows around them."""
    try:
        found: Sequence[str] = drawn(_Markdown(clean(text)), columns)
    except Exception:  # whatever a model writes, and whatever a library makes of it, is no reason to end
        found = [row for line in clean(text).split("\n") for row in wrapped(line, columns)]
    return list(_without_margins(found if any(found) else clean(text).split("\n")))  # nested too deeply


def _without_margins(found: Sequence[str]) -> Iterator[str]:
    filled = [at for at, row in enumerate(found) if row]
    yield from found[filled[0] : filled[-1] + 1] if filled else ()


class _Heading(markdown.Heading):
    LEVEL_ALIGN = dict.fromkeys(markdown.Heading.LEVEL_ALIGN, "left")


class _Paragraph(markdown.Paragraph):
    """Broken between words, and between letters of a script that is written without blanks: rich knows only blanks."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.text.split("\n", allow_blank=True):
            for row in line.divide([*breaks(line.plain, options.max_width)]):
                row.rstrip()
                row.no_wrap, row.overflow = True, "ignore"
                yield row


class _Code(markdown.CodeBlock):
    """Without a background, which would be the wrong one on every second terminal."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        shown = Text(code, style="cyan")
        if self.lexer_name != "text" and len(code) < HIGHLIGHTED:
            shown = Syntax(code, self.lexer_name, theme=_THEME, tab_size=4).highlight(code)
            shown.rstrip()
        shown.expand_tabs(4)
        shown.overflow, shown.no_wrap = "fold", False
        yield Padding(shown, (0, 0, 0, 2))


# As rich draws one, but with hyphens: some terminals take a drawn line for twice as many columns, and a row that may be
# too long is broken.
_RULED = Box("    \n    \n -- \n    \n    \n -- \n    \n    \n", ascii=True)


class _Table(markdown.TableElement):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            assert isinstance(table, Table)
            table.box = _RULED
            yield table


class _Markdown(markdown.Markdown):
    elements: ClassVar[dict[str, type[markdown.MarkdownElement]]] = {
        **markdown.Markdown.elements,
        "heading_open": _Heading,
        "paragraph_open": _Paragraph,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        self.parsed = _parser().parse(text)
        for token in _all(self.parsed):
            if token.type == "softbreak":
                token.type = "hardbreak"


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table")


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or ())
