"""A line at the width of a terminal: broken between words, its rest below the column where its text begins.

Rule: str in, rows out, in time linear in the line. No word is broken, and no command of ccc's behind a colon, so that
what is copied from a screen, a path or a command, is whole; blanks at a break are the only thing that is lost.
Whoever draws nothing beyond a row has a path broken behind its slashes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccc.base.patterns import pattern
from ccc.base.text import BELOW, columns_of

_OPENING, _CLOSING = "（《「『“【(\\[", "，。：；！？）》」』”】、…"
_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60"
# A word, or one letter of a script that is written without blanks; a mark stays with what it opens or closes.
_PIECE = rf" *+[{_OPENING}]*+(?:[{_WIDE}]|[^ {_WIDE}]++)[{_CLOSING}]*+|."
_WORD = pattern(_PIECE, 16)  # 16: DOTALL
_TYPED = pattern(
    rf"(?<=[:：]) *+ccc(?: [!-+\--:<-~]++){{1,6}}(?:[,;，；。]|\Z)|{_PIECE}", 16
)  # … or what is to be typed
_GAP = pattern(r"(?<=[^ ])  +(?=[^ ])")
_PREFIX = pattern(r" *+(?:ccc(?:: |：))?+")
_OUTCOME = pattern(r"\[[^\[\]]++\](?:: |：)")  # what follows may be anybody's words
_STEP = pattern(r"[^/]*+/++|[^/]++")  # of a path, with the slash behind it
_BETWEEN = pattern(rf"(?<=[{_WIDE}])\n *+(?=[{_WIDE}])")
INDENT = 4


def folded(line: str, columns: int, *, whole: bool = True) -> list[str]:
    """One row at least; a word that is longer than a row stays whole, or is broken behind its slashes."""
    if columns <= 0 or columns_of(line) <= columns:
        return [line]
    head, rest, indent = _parts(line, columns)
    begun = _rows(head, columns, _hang(head, columns), whole) if head else ()
    return [*begun, *_rows(rest, columns, indent, whole)]


def in_one_line(paragraph: str) -> str:
    """A line break is a blank, but not between letters of a script that is written without blanks."""
    return " ".join(_BETWEEN.sub("", paragraph).split())


def breaks(text: str, columns: int) -> Iterator[int]:
    """Where its further rows begin; a word that is longer than a row is broken, for whoever draws nothing beyond it.

    Behind a slash, where it has one.
    """
    used = 0
    for found in _WORD.finditer(text):
        word = found[0].lstrip(" ")
        blanks = len(found[0]) - len(word)
        if used and used + blanks + columns_of(word) > columns:
            yield found.start() + blanks
            used, blanks = 0, 0
        used += blanks
        for step in _STEP.finditer(word):
            at = found.end() - len(word) + step.start()
            if used and step.start() and used + columns_of(step[0]) > columns:
                yield at
                used = 0
            for number, letter in enumerate(step[0], at):
                if used + (width := columns_of(letter)) > columns and used:
                    yield number
                    used = 0
                used += width


def longest(text: str) -> int:
    """The columns below which `breaks` has to break a word, or a step of a path."""
    steps = (step[0] for found in _WORD.finditer(text) for step in _STEP.finditer(found[0].strip(" ")))
    return max(map(columns_of, steps), default=0)


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
    line = line[max(0, lead - columns // 2) :]  # what is further to the right than its further rows would look odd
    return "", line, _hang(line, columns)


def _hang(line: str, columns: int) -> int:
    """Where the further rows of a line begin: not where a line of ours does, if it may hold what others have said."""
    if _OUTCOME.match(line):
        return BELOW
    prefix = _PREFIX.match(line)
    return min(columns_of(prefix[0]) if prefix else 0, columns // 2)


def _rows(text: str, columns: int, indent: int, whole: bool) -> Iterator[str]:
    row, used = "", 0
    for word in _words(text, None if whole else columns - indent):
        width = columns_of(word)
        if used + width > columns and row.strip() and used > indent:
            yield row.rstrip(" ")
            row, word = " " * indent, word.lstrip(" ")
            used, width = indent, columns_of(word)
        row, used = row + word, used + width
    yield row.rstrip(" ")


def _words(text: str, room: int | None) -> Iterator[str]:
    """Each with the blanks before it; a path that has no room comes in steps."""
    for found in _TYPED.finditer(text):
        if room is None or columns_of(found[0]) <= room:
            yield found[0]
        else:
            yield from (step[0] for word in _WORD.finditer(found[0]) for step in _STEP.finditer(word[0]))
