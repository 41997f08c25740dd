"""A line at the width of a terminal: broken between words, its rest below the column where its text begins.

Rule: str in, rows out, in time linear in the line. No word is broken, so that what is copied from a screen, a path or a
command, is whole; blanks at a break are the only thing that is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccc.base.patterns import pattern
from ccc.base.text import columns_of

_OPENING, _CLOSING = "（《「『“【", "，。：；！？）》」』”】、…"
_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60"
# A word, or one letter of a script that is written without blanks; a closing mark stays with what it closes.
_WORD = pattern(rf" *+(?:[{_OPENING}]*+[{_WIDE}][{_CLOSING}]*+|[^ {_WIDE}]++[{_CLOSING}]*+)|.", 16)  # 16: DOTALL
_GAP = pattern(r"(?<=[^ ])  +(?=[^ ])")
_PREFIX = pattern(r" *+(?:ccc(?:: |：))?+")
INDENT = 4


def folded(line: str, columns: int) -> list[str]:
    """One row at least; a word that is longer than a row stays whole."""
    if columns <= 0 or columns_of(line) <= columns:
        return [line]
    head, rest, indent = _parts(line, columns)
    return [*(_rows(head, columns, 0) if head else ()), *_rows(rest, columns, indent)]


def _parts(line: str, columns: int) -> tuple[str, str, int]:
    """What gets rows of its own, what follows it, and where the further rows of that begin."""
    starts = [(columns_of(line[: gap.end()]), gap) for gap in _GAP.finditer(line)]
    near = [at for at, _ in starts if at <= columns // 2]
    lead = len(line) - len(line.lstrip(" "))
    if near:
        return "", line, near[-1]
    if starts:  # the head of a list, and what it means on the rows below
        _, gap = starts[0]
        indent = min(lead + INDENT, columns // 2)
        return line[: gap.start()], " " * indent + line[gap.end() :], indent
    prefix = _PREFIX.match(line)
    return "", line, min(columns_of(prefix[0]) if prefix else 0, columns // 2)


def _rows(text: str, columns: int, indent: int) -> Iterator[str]:
    row, used = "", 0
    for found in _WORD.finditer(text):
        word = found[0]
        width = columns_of(word)
        if used + width > columns and row.strip() and used > indent:
            yield row.rstrip(" ")
            row, word = " " * indent, word.lstrip(" ")
            used, width = indent, columns_of(word)
        row, used = row + word, used + width
    yield row.rstrip(" ")
