"""Whether something stands in an answer as its author's own and last word: the grammar of docs/specification.md.

Rule: pure, total, linear in the answer, and one for both modes: it knows where a thing stands, not what it is. What it
cannot place is not the last word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ccc.base.patterns import Lazy
from ccc.judging import denial

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


@dataclass(frozen=True, slots=True)
class _Fence:
    """A code block: its first and last line, and how many lines within say something."""

    opened: int
    closed: int
    filled: int


@dataclass(frozen=True, slots=True)
class _Line:
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


@dataclass(frozen=True, slots=True)
class Answer:
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
        return _speaks_for(line.words) and self._led(first, line, line.words)

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
            return denial.is_label(lead.words)
        if denial.denies(_sentences(lead.words)[-1]):
            return False
        if not gap and not _closed(lead.words + own):
            return False
        return bool(own and not denial.is_label(own)) or _ends_before(lead, gap, within=line.indent >= 2)


def _ends_before(lead: _Line, gap: bool, *, within: bool) -> bool:
    """Whether a line is at its end, so that the next one begins anew."""
    words = lead.words
    if not words or _finished(words) or denial.is_label(words):
        return True
    if lead.heading or lead.row or lead.code or (lead.item and not within):
        return not denial.leads_on(words)
    ticked = words[-1] in _TICKS
    return (gap or ticked or denial.is_status(words)) and not denial.doubtful(words)


def _speaks_for(words: str) -> bool:
    """Whether words on its own line leave it alone: finished sentences, and a label at most."""
    if not words:
        return True
    *sentences, last = _sentences(words)
    if any(denial.denies(one) for one in (*sentences, last)):
        return False
    if words.rstrip(_BEFORE)[-1:] in (":", "："):
        return denial.is_label(last)
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
    """Whether every quotation and every piece of code has ended."""
    return not words or all(sum(map(words.count, family)) % 2 == 0 for family in (*_QUOTES, "`"))


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
