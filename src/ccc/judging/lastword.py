"""Whether something stands in an answer as its author's own and last word: the grammar of docs/specification.md.

Rule: pure, total, linear in the answer, and one for both modes: it knows where a thing stands, not what it is. What it
cannot place is not the last word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ccc.base.patterns import Lazy
from ccc.judging import denial
from ccc.judging.labels import is_label

# No quotation marks, no tilde (it strikes out), no question mark, no cross: each of them takes something back.
_EMPHASIS = "*_`"
_TICKS = "✅✔☑🎉🎊👍👌🟢💯🚀✨🏁🏆👏🙌🥳⭐🌟\ufe0f"
_BEFORE = f" \t\u3000\u00a0{_EMPHASIS}{_TICKS}"
_AFTER = f"{_BEFORE}.!。！．"  # noqa: RUF001
_TERMINATORS = ".!?。！？．｡।؟۔"  # noqa: RUF001
_CLOSERS = "\"'”’」』»›)）]》】"  # noqa: RUF001
_QUOTES = ('"', "“”„‟", "«»", "‹›", "「」", "『』", "《》", "〈〉", "＂", "〝〞〟")  # noqa: RUF001
_INTRODUCING = ":：,，、;；-–—(（[{<=>→⇒…⋯/\\“「『«‹‘„《【~|"  # noqa: RUF001

_TAIL = Lazy(rf"[{re.escape(_AFTER)}]*(?:\n|\Z)")
_BLANK = Lazy(rf"[{re.escape(_AFTER)}]*|\s*(?:[-*_=]\s*){{3,}}")
_NAMED_ALONE = Lazy(rf"[\s>{re.escape(_EMPHASIS)}]*\[[A-Z_]+\][{re.escape(_AFTER)}]*")
# Indented as deep as a list likes; ```code``` within one line opens nothing.
_FENCE = Lazy(r"\s*(`{3,}(?=[^`]*\Z)|~{3,})(.*)")
_CODE = Lazy(r"\s*(`+)[^`]+\1\s*")
_HEAD = Lazy(
    r"(?P<indent>\s*)(?P<quote>(?:>\s*)*)(?P<heading>#{1,6}\s+)?"
    r"(?P<bullet>[-*+•·]\s+|\d{1,3}[.)、]\s*)?(?P<ticked>\[[xX✓✔]\]\s*)?"
)
_SENTENCE_END = Lazy(r"(?<=[.!?])[\"'”’)*_`]*\s+|(?<=[。！？｡])[”’」』）*_`]*")
_ABBREVIATION = Lazy(
    r"(?:\b(?:e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ej|bzw|resp|vs|cf|ca|approx|incl|nr|fig|sec)|\b[^\W\d_])\.$",
    flags=re.IGNORECASE,
)
_LETTER = Lazy(r"[^\W_]")
_OPENED = Lazy(r"<(?:pre|code|details|think|thinking|blockquote|del|s|q)\b|<!--", flags=re.IGNORECASE)
_ENDED = Lazy(r"</(?:pre|code|details|think|thinking|blockquote|del|s|q)>|-->", flags=re.IGNORECASE)
_INCHES = Lazy(r"(?<=\d)\"(?!\w)")
_BRACKETS = (("(", ")"), ("（", "）"))
_CODE_INDENT = 4
# How much of a block is read: enough for what people write, and little enough for what they do not.
_LABELS, _ITEMS, _CELLS, _OUTPUT_LINES, _WIDTH, _DEEP = 5, 100, 400, 40, 400, 50


class _Fence(Struct, frozen=True):
    """A code block: its first and last line, and how many lines within say something."""

    opened: int
    closed: int
    filled: int


class _Line(Struct, frozen=True):
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


class Answer(Struct, frozen=True):
    """A text by lines, with what comes before each and which of them are code."""

    text: str
    starts: Sequence[int]
    lines: Sequence[str]
    leads: Sequence[tuple[int, bool]]  # the last line before it that says something, and whether a gap lies between
    fences: dict[int, _Fence]

    @classmethod
    def of(cls, text: str) -> Answer:
        lines = text.split("\n")
        fences = _fences(lines)
        return cls(text, _starts(lines), lines, _leads(lines, fences), fences)

    def is_said(self, start: int, end: int) -> bool:
        """Whether text[start:end] stands there in its author's own voice, with nothing after it on its line."""
        if not _TAIL.pattern.match(self.text, end):
            return False
        first, last = self._line(start), self._line(end - 1)
        fence = self.fences.get(first)
        if fence:
            return self._is_all_of(fence, start, end) and self._led(fence.opened, _line(self.lines[fence.opened]), "")
        own = self.lines[first][: start - self.starts[first]]
        tail = self.lines[last][end - self.starts[last] :]
        line = _line(own)
        if line.quoted or (own.count("`") + tail.count("`")) % 2 or not _closed(own.rstrip(_BEFORE)):
            return False
        return _speaks_for(line.words) and not self._is_code(first) and self._led(first, line, line.words)

    def is_contradicted(self, start: int) -> bool:
        """Whether the words before it, on its line and in the block it follows, take it back."""
        first = self._line(start)
        fence = self.fences.get(first)
        number = fence.opened if fence else first
        own = "" if fence else _line(self.lines[first][: start - self.starts[first]]).words
        if _in_markup(self.text[:start]) or any(denial.denies(one, near=True) for one in _sentences(own)):
            return True
        return _Lead.before(self, number).denies()

    def is_last(self, end: int) -> bool:
        """Whether nothing is said after it."""
        at = self._line(end - 1)
        fence = self.fences.get(at)
        if not _TAIL.pattern.match(self.text, end):
            return False
        rest = range(at + 1, len(self.lines))
        return all(_blank(self.lines[n]) or (fence is not None and n == fence.closed) for n in rest)

    def without(self, spans: Iterable[tuple[int, int]]) -> str:
        """The text without these pieces of lines, and without a line of which nothing is left."""
        cuts = {self._line(start): (start, end) for start, end in spans}
        return "\n".join(kept for n, line in enumerate(self.lines) if (kept := self._cut(n, line, cuts)) is not None)

    def _cut(self, number: int, line: str, cuts: dict[int, tuple[int, int]]) -> str | None:
        if number not in cuts:
            return line
        start, end = (at - self.starts[number] for at in cuts[number])
        before, after = line[:start].rstrip(_BEFORE), line[end:].strip(_BEFORE)
        rest = f"{before} {after}" if after.strip(_AFTER) else before
        return rest if _LETTER.search(rest) else None

    def _line(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1

    def _is_all_of(self, fence: _Fence, start: int, end: int) -> bool:
        first, last = self._line(start), self._line(end - 1)
        around = self.lines[first][: start - self.starts[first]] + self.lines[last][end - self.starts[last] :]
        within = sum(bool(self.lines[n].strip()) for n in range(first, last + 1)) if last > first else 1
        return not around.strip() and within == fence.filled

    def _is_code(self, number: int) -> bool:
        """Whether it is indented into a block of code: four blanks after a blank line, outside a list."""
        if _indent(self.lines[number]) < _CODE_INDENT:
            return False
        for _ in range(_DEEP):
            at, above = number, self._above(number)
            if above < 0:
                return False  # nothing is said before it
            if _indent(self.lines[above]) < _CODE_INDENT or above in self.fences:
                return above < at - 1 and not _line(self.lines[above]).item
            number = above
        return True

    def _above(self, number: int) -> int:
        """The last line before it that is not empty, or -1."""
        number -= 1
        while number >= 0 and not self.lines[number].strip():
            number -= 1
        return number

    def _led(self, number: int, line: _Line, own: str) -> bool:
        """Whether what comes before leaves it its author's own word."""
        at, gap = self.leads[number]
        if at < 0 or at in self.fences:
            return True
        lead = _line(self.lines[at])
        if lead.quoted and gap:  # somebody else's words, and they are over
            return True
        if line.item and lead.item:  # one of many is no last word
            return False
        if lead.words and _introduces(lead.words):
            return is_label(lead.words)
        if not gap and not _closed(self.paragraph(at) + own):
            return False
        return bool(own and not is_label(own)) or _ends_before(lead, gap, within=line.indent >= 2)

    def paragraph(self, at: int) -> str:
        """What is said without a gap up to this line, at most so much as a reader keeps in mind."""
        said: list[str] = []
        left = 2 * denial.SENTENCE_LIMIT
        while at >= 0 and left > 0 and at not in self.fences and self.lines[at].strip():
            said.append(self.lines[at][-left:])
            left -= len(said[-1]) + 1
            at -= 1
        return "\n".join(reversed(said))


class _Lead(Struct, frozen=True):
    """The block before a verdict: the lines of a paragraph, a list or a table, or a fence that has ended."""

    answer: Answer
    at: int
    gap: bool

    @classmethod
    def before(cls, answer: Answer, number: int) -> _Lead:
        at, gap = answer.leads[number]
        for _ in range(_LABELS):
            if at < 0 or at in answer.fences or not is_label(_line(answer.lines[at]).words):
                break
            (at, _), gap = answer.leads[at], True  # a name says nothing, and what is said stands above it
        return cls(answer, at, gap)

    def denies(self) -> bool:
        if self.at < 0:
            return False
        if fence := self.answer.fences.get(self.at):
            return self._output_denies(fence)
        raw = self.answer.lines[self.at]
        lead = _line(raw)
        if lead.quoted:
            return False
        if lead.row:
            return _table_denies(self._lines())
        if lead.item or (_indent(raw) >= 2 and self.answer.leads[self.at][0] >= 0 and self._lines()[-1].item):
            return self._list_denies()
        return denial.title_denies(lead.words) if lead.heading else self._prose_denies()

    def _lines(self) -> list[_Line]:
        return [_line(line) for line in self.answer.paragraph(self.at).split("\n")]

    def _output_denies(self, fence: _Fence) -> bool:
        """Whether a program's output, or the line over it, says that something is wrong."""
        lines = self.answer.lines[max(fence.opened + 1, fence.closed - _OUTPUT_LINES) : fence.closed]
        over, _ = self.answer.leads[fence.opened]
        title = _line(self.answer.lines[over]).words if over >= 0 and over not in self.answer.fences else ""
        if denial.is_mended(title):
            return False
        return denial.shows_failure("\n".join(line[:_WIDTH] for line in lines)) or denial.title_denies(title)

    def _list_denies(self) -> bool:
        items, title = self._items()
        if any(denial.crossed(raw) for raw in items) or denial.title_denies(title):
            return True
        if denial.is_mended(title):
            return False
        return any(denial.denies(_line(raw).words, near=n == 0 and not self.gap) for n, raw in enumerate(items))

    def _items(self) -> tuple[list[str], str]:
        """The items from the last one up, and the line that stands over them if it introduces them."""
        items: list[str] = []
        at, gap = self.at, False
        while at >= 0 and len(items) < _ITEMS and at not in self.answer.fences:
            raw = self.answer.lines[at]
            if not _line(raw).item and _indent(raw) < 2:
                return items, _line(raw).words if _stands_over(raw, gap) else ""
            items.append(raw)
            at, gap = self.answer.leads[at]
        return items, ""

    def _prose_denies(self) -> bool:
        """Read from its end: a later word that settles all of it outweighs what was said before."""
        paragraph = self.answer.paragraph(self.at)
        last = _line(self.answer.lines[self.at]).words
        if denial.crossed(paragraph) or denial.asks(last):
            return True
        nearest = _sentences(last) if not self.gap else []
        if any(denial.denies(one, near=True) for one in nearest[-1:]):
            return True
        for one in reversed(_sentences(" ".join(_line(line).words for line in paragraph.split("\n")))):
            if denial.denies(one):
                return True
            if denial.settles(one):
                return False
        return False


def _stands_over(raw: str, gap: bool) -> bool:
    """Whether a line before a list is its title."""
    return not gap or _line(raw).heading or raw.rstrip(_BEFORE)[-1:] in (":", "：")


def _table_denies(rows: Sequence[_Line]) -> bool:
    cells = [cell.strip(" *_`") for row in rows[1:] if row.row for cell in row.words.strip("|").split("|")]
    return any(denial.crossed(cell) or denial.cell_denies(cell) for cell in cells[-_CELLS:])


def _ends_before(lead: _Line, gap: bool, *, within: bool) -> bool:
    """Whether a line is at its end, so that the next one begins anew."""
    words = lead.words
    if not words or _finished(words) or is_label(words):
        return True
    if lead.heading or lead.row or lead.code or (lead.item and not within):
        return not denial.leads_on(words)
    ticked = words[-1] in _TICKS
    return (gap or ticked or denial.is_status(words)) and not denial.doubtful(words)


def _speaks_for(words: str) -> bool:
    """Whether words on its own line leave it alone: finished sentences, and a label at most."""
    if not words:
        return True
    last = _sentences(words)[-1]
    if words.rstrip(_BEFORE)[-1:] in (":", "：", ",", "，"):
        return is_label(last)
    return _finished(words) and not denial.conditions(last)


def _sentences(words: str) -> list[str]:
    """The last sentences, at least one."""
    return [one for one in _SENTENCE_END.pattern.split(words[-denial.SENTENCE_LIMIT :]) if one] or [""]


def _finished(words: str) -> bool:
    end = words.rstrip(_BEFORE).rstrip(_CLOSERS + _EMPHASIS)
    if end[-1:] not in _TERMINATORS or not _LETTER.search(words):
        return False
    return not end.endswith("..") and not _ABBREVIATION.search(end[-20:])


def _introduces(words: str) -> bool:
    end = words.rstrip(_BEFORE)
    if not end or end.startswith("|"):  # a row of a table ends as it begins
        return False
    return end[-1] in _INTRODUCING or end.endswith("..") or bool(_ABBREVIATION.search(end[-20:]))


def _closed(words: str) -> bool:
    """Whether every quotation, bracket, piece of code and line through it has ended."""
    if not words:
        return True
    if words.count('"') % 2:
        words = _INCHES.sub("", words)
    paired = all(sum(map(words.count, family)) % 2 == 0 for family in (*_QUOTES, "`"))
    return (
        paired
        and words.count("~~") % 2 == 0
        and all(words.count(one) <= words.count(other) for one, other in _BRACKETS)
    )


def _in_markup(before: str) -> bool:
    """Whether an element that quotes, hides or strikes out was opened and has not ended."""
    return "<" in before and len(_OPENED.pattern.findall(before)) > len(_ENDED.pattern.findall(before))


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def _blank(line: str) -> bool:
    return not line.strip() or bool(_BLANK.pattern.fullmatch(line))


def _line(line: str) -> _Line:
    head = _HEAD.pattern.match(line)
    assert head  # every part of it may be missing
    return _Line(
        words=line[head.end() :].strip().strip(_EMPHASIS + " \t").lstrip(_TICKS),
        indent=len(head["indent"]),
        quoted=bool(head["quote"]),
        heading=bool(head["heading"]),
        item=bool(head["bullet"]),
        code=bool(_CODE.pattern.fullmatch(line)),
    )


def _starts(lines: Sequence[str]) -> list[int]:
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return starts


def _leads(lines: Sequence[str], fences: dict[int, _Fence]) -> list[tuple[int, bool]]:
    leads, last, gap = [], -1, False
    for number, line in enumerate(lines):
        leads.append((last, gap))
        if number not in fences and _blank(line):
            gap = True
        elif number in fences or not _NAMED_ALONE.pattern.fullmatch(line):
            last, gap = number, False
    return leads


def _fences(lines: Sequence[str]) -> dict[int, _Fence]:
    """Each line of code to its fence; one that is never closed runs to the end."""
    found: dict[int, _Fence] = {}
    for opened, closed in _spans(lines):
        fence = _Fence(opened, closed, sum(bool(line.strip()) for line in lines[opened + 1 : closed]))
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
