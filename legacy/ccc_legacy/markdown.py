"""The agent's Markdown as rows for a terminal.

Rule: nothing of the text is lost: what a browser would hide (tags, single line breaks) is shown. Total over any text:
what cannot be drawn is shown as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments.token import Comment, Generic, Keyword, Name, Number, String  # type: ignore[import-untyped]
from rich import markdown
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax
from rich.text import Text

from ccc.base.canvas import drawn
from ccc.base.folding import breaks, longest
from ccc.base.text import clean, columns_of, wrapped

Cells = Sequence[markdown.TableDataElement]
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
        Generic.Inserted: Style(color="green"),
        Generic.Deleted: Style(color="red"),
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
        yield from _broken(self.text, options.max_width)


def _broken(text: Text, columns: int) -> Iterator[Text]:
    for line in text.split("\n", allow_blank=True):
        for row in line.divide([*breaks(line.plain, columns)]):
            row.rstrip()
            yield _as_it_is(row)


def _as_it_is(row: Text) -> Text:
    row.no_wrap, row.overflow = True, "ignore"
    return row


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


class _Item(markdown.ListItem):
    number = 0

    @classmethod
    def create(cls, _: markdown.Markdown, token: Token) -> _Item:
        item = cls()
        item.number = int(token.info or 0)
        return item


class _List(markdown.ListElement):
    """With the numbers that were written: a browser, and rich, count on from the first."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        items = [item for item in self.items if isinstance(item, _Item)]
        highest = max((item.number for item in items), default=0)
        for item in items:
            if self.list_type == "bullet_list_open":
                yield from item.render_bullet(console, options)
            else:
                yield from item.render_number(console, options, item.number, highest)


class _Table(markdown.TableElement):
    """Columns, the widest of which give way first; where no word would be whole in them, each row as a list of what
    stands below which heading. rich would cut what has no room.

    The line is of hyphens: some terminals take a drawn one for twice as many columns, and break a row that is too long.
    """

    GAP = 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        heading = self.header.row.cells if self.header and self.header.row else []
        for cell in heading:
            cell.content.stylize("markdown.table.header")
        rows = [heading, *(row.cells for row in (self.body.rows if self.body else ()))]
        room = options.max_width - 1 - self.GAP * (len(heading) - 1)
        widths = _widths([[cell.content.plain for cell in row] for row in rows], room)
        yield from self._ruled(rows, widths) if widths else self._listed(rows, options.max_width)

    def _ruled(self, rows: Sequence[Cells], widths: Sequence[int]) -> Iterator[Text]:
        for number, row in enumerate(rows):
            cells = [_aligned(cell, width) for cell, width in zip(row, widths, strict=True)]
            for parts in zip_longest(*cells):
                shown = (part or Text(" " * width) for part, width in zip(parts, widths, strict=True))
                yield _as_it_is(Text(" ") + Text(" " * self.GAP).join(shown))
            if not number:
                yield Text(f" {'-' * (sum(widths) + self.GAP * (len(widths) - 1))}", "markdown.table.border")

    def _listed(self, rows: Sequence[Cells], columns: int) -> Iterator[Text]:
        heading, *others = rows
        for number, row in enumerate(others or rows):
            if number:
                yield Text("")
            for name, cell in zip(heading, row, strict=True):
                text = Text(": ").join((name.content, cell.content)) if others else cell.content
                for below, part in enumerate(_broken(text, columns - self.GAP)):
                    yield _as_it_is(Text(" " * self.GAP) + part if below else part)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Of each column; none where there is no room for the longest word of each."""
    columns = list(zip(*rows, strict=True))
    least = [max(map(longest, column)) for column in columns]
    widths = [min(max(map(columns_of, column)), max(room, 0)) for column in columns]
    if sum(least) > room:
        return []
    while sum(widths) > room:
        widest = max((width, at) for at, width in enumerate(widths) if width > least[at])[1]
        widths[widest] -= 1
    return widths


def _aligned(cell: markdown.TableDataElement, width: int) -> list[Text]:
    rows = list(_broken(cell.content, width))
    side = cell.justify if cell.justify == "right" or cell.justify == "center" else "left"
    for row in rows:
        row.align(side, width)
    return rows


class _Markdown(markdown.Markdown):
    elements: ClassVar[dict[str, type[markdown.MarkdownElement]]] = {
        **markdown.Markdown.elements,
        "heading_open": _Heading,
        "paragraph_open": _Paragraph,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
        "bullet_list_open": _List,
        "ordered_list_open": _List,
        "list_item_open": _Item,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        self.parsed = _parser().parse(text)
        for token in _all(self.parsed):
            token.children = [*_shown(token.children or ())]


def _shown(inline: Sequence[Token]) -> Iterator[Token]:
    """What a browser would not show as words, or twice."""
    for token in inline:
        if token.type == "softbreak":
            token.type = "hardbreak"
        if token.type == "image":  # rich would draw it beside the row, whose end has no room then
            yield Token("text", "", 0, content=f"{token.content} ({token.attrs.get('src')})")
        elif token.markup != "autolink":
            yield token


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table")


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or ())
