"""The lines of an answer as a reader takes them: heading, item, row or quotation, and their words.

Rule: pure and linear; it knows what a line looks like and where it stands, not what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ccc.base.patterns import Lazy
from ccc.judging.denial import SENTENCE_LIMIT

if TYPE_CHECKING:
    from typing import Self

# No quotation marks, no tilde (it strikes out), no question mark, no cross: each of them takes something back.
EMPHASIS = "*_`"
TICKS = "✅✔☑🎉🎊👍👌🟢💯🚀✨🏁🏆👏🙌🥳⭐🌟\ufe0f"
BEFORE = f" \t\u3000\u00a0{EMPHASIS}{TICKS}"
AFTER = f"{BEFORE}.!。！．"  # noqa: RUF001
_CODE = Lazy(r"\s*(`+)[^`]+\1\s*")
_HEAD = Lazy(
    r"(?P<indent>\s*)(?P<quote>(?:>\s*)*)(?P<heading>#{1,6}\s+)?"
    r"(?P<bullet>[-*+•·]\s+|\d{1,3}[.)、]\s*)?(?P<ticked>\[[xX✓✔]\]\s*)?"
)
_BLANK = Lazy(rf"[{re.escape(AFTER)}]*|\s*(?:[-*_=]\s*){{3,}}")
_NAMED_ALONE = Lazy(rf"[\s>{re.escape(EMPHASIS)}]*\[[A-Z_]+\][{re.escape(AFTER)}]*")
# Indented as deep as a list likes; ```code``` within one line opens nothing.
_FENCE = Lazy(r"\s*(`{3,}(?=[^`]*\Z)|~{3,})(.*)")
_SENTENCE_END = Lazy(r"(?<=[.!?])[\"'”’)*_`]*\s+|(?<=[。！？｡])[”’」』）*_`]*")
TICKED = Lazy(rf"^\s*(?:[-*+•·]\s+|\d{{1,3}}[.)、]\s*)?(?:\[[xX✓✔]\]|[{TICKS}])", flags=re.MULTILINE)


class Line(Struct, frozen=True):
    """One line as a reader takes it: what kind it is, and its words."""

    words: str
    indent: int
    quoted: bool
    heading: bool
    item: bool
    code: bool

    @property
    def row(self) -> bool:
        return self.words.startswith("|")


def line_of(line: str) -> Line:
    head = _HEAD.pattern.match(line)
    assert head  # every part of it may be missing
    return Line(
        words=line[head.end() :].strip().strip(EMPHASIS + " \t").lstrip(TICKS),
        indent=len(head["indent"]),
        quoted=bool(head["quote"]),
        heading=bool(head["heading"]),
        item=bool(head["bullet"]),
        code=bool(_CODE.pattern.fullmatch(line)),
    )


def indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def sentences(words: str) -> list[str]:
    """The last sentences, at least one."""
    return [one for one in _SENTENCE_END.pattern.split(words[-SENTENCE_LIMIT:]) if one] or [""]


class Fence(Struct, frozen=True):
    """A code block: its first and last line, and how many lines within say something."""

    opened: int
    closed: int
    filled: int


class Page(Struct, frozen=True):
    """A text by lines, with what comes before each and which of them are code."""

    text: str
    starts: Sequence[int]
    lines: Sequence[str]
    leads: Sequence[tuple[int, bool]]  # the last line before it that says something, and whether a gap lies between
    fences: dict[int, Fence]

    @classmethod
    def of(cls, text: str) -> Self:
        lines = text.split("\n")
        fences = _fences(lines)
        return cls(text, _starts(lines), lines, _leads(lines, fences), fences)

    def paragraph(self, at: int) -> str:
        """What is said without a gap up to this line, at most so much as a reader keeps in mind."""
        said: list[str] = []
        left = 2 * SENTENCE_LIMIT
        while at >= 0 and left > 0 and at not in self.fences and self.lines[at].strip():
            said.append(self.lines[at][-left:])
            left -= len(said[-1]) + 1
            at -= 1
        return "\n".join(reversed(said))


def blank(line: str) -> bool:
    return not line.strip() or bool(_BLANK.pattern.fullmatch(line))


def _starts(lines: Sequence[str]) -> list[int]:
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return starts


def _leads(lines: Sequence[str], fences: dict[int, Fence]) -> list[tuple[int, bool]]:
    leads, last, gap = [], -1, False
    for number, line in enumerate(lines):
        leads.append((last, gap))
        if number not in fences and blank(line):
            gap = True
        elif number in fences or not _NAMED_ALONE.pattern.fullmatch(line):
            last, gap = number, False
    return leads


def _fences(lines: Sequence[str]) -> dict[int, Fence]:
    """Each line of code to its fence; one that is never closed runs to the end."""
    found: dict[int, Fence] = {}
    for opened, closed in _spans(lines):
        fence = Fence(opened, closed, sum(bool(line.strip()) for line in lines[opened + 1 : closed]))
        found.update(dict.fromkeys(range(opened, min(closed + 1, len(lines))), fence))
    return found


def _spans(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    mark, opened = "", 0
    for number, line in enumerate(lines):
        match = _FENCE.pattern.fullmatch(line)
        if not match:
            continue
        if not mark:
            mark, opened = match[1], number
        elif match[1].startswith(mark) and not match[2].strip():
            yield opened, number
            mark = ""
    if mark:
        yield opened, len(lines)
