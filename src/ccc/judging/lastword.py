"""Whether something stands in an answer as its author's own and last word: the grammar of docs/specification.md.

Rule: pure, total, linear in the answer, and one for both modes: it knows where a thing stands, not what it is. What it
cannot place is not the last word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from ccc.base.patterns import Lazy
from ccc.judging import denial, forms
from ccc.judging.blocks import Lead, Says, permits, sentences_say, takes_back
from ccc.judging.labels import is_label
from ccc.judging.lines import AFTER, BEFORE, EMPHASIS, TICKS, Fence, Line, Page, blank, indent, line_of, sentences

_TERMINATORS = ".!?。！？．｡।؟۔"  # noqa: RUF001
_CLOSERS = "\"'”’」』»›)）]》】"  # noqa: RUF001
_QUOTES = ('"', "“”„‟", "«»", "‹›", "「」", "『』", "《》", "〈〉", "＂", "〝〞〟")  # noqa: RUF001
_INTRODUCING = ":：,，、;；-–—(（[{<=>→⇒…⋯/\\“「『«‹‘„《【~|"  # noqa: RUF001

_TAIL = Lazy(rf"[{re.escape(AFTER)}]*(?:\n|\Z)")
_ABBREVIATION = Lazy(
    r"(?:\b(?:e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ej|bzw|resp|vs|cf|ca|approx|incl|nr|fig|sec)|\b[^\W\d_])\.$",
    flags=re.IGNORECASE,
)
_LETTER = Lazy(r"[^\W_]")
_OPENED = Lazy(r"<(?:pre|code|details|think|thinking|blockquote|del|s|q)\b|<!--", flags=re.IGNORECASE)
_ENDED = Lazy(r"</(?:pre|code|details|think|thinking|blockquote|del|s|q)>|-->", flags=re.IGNORECASE)
_CLOSING_TAG = Lazy(r"</\w{1,20}>$")
_INCHES = Lazy(r"(?<=\d)\"(?!\w)")
_BRACKETS = (("(", ")"), ("（", "）"))
_BANNER = "==="
_CODE_INDENT, _DEEP = 4, 50


class Answer(Page, frozen=True):
    """An answer in which something may stand as its last word."""

    def is_said(self, start: int, end: int) -> bool:
        """Whether text[start:end] stands there in its author's own voice, with nothing after it on its line."""
        if not _TAIL.pattern.match(self.text, end):
            return False
        first, last = self._line(start), self._line(end - 1)
        fence = self.fences.get(first)
        if fence:
            return self._is_all_of(fence, start, end) and self._led(fence.opened, line_of(self.lines[fence.opened]), "")
        own = self.lines[first][: start - self.starts[first]]
        tail = self.lines[last][end - self.starts[last] :]
        line = line_of(own)
        if line.quoted or (own.count("`") + tail.count("`")) % 2 or not _closed(own.rstrip(BEFORE)):
            return False
        return _speaks_for(line.words) and not self._is_code(first) and self._led(first, line, line.words)

    def is_contradicted(self, start: int) -> bool:
        """Whether the words before it take it back, or say something and nothing good."""
        first = self._line(start)
        fence = self.fences.get(first)
        number = fence.opened if fence else first
        own = "" if fence else line_of(self.lines[first][: start - self.starts[first]]).words
        before = self.text[:start]
        if _in_markup(before) or forms.refuses(before) or any(map(takes_back, sentences(own))):
            return True
        said = sentences_say(sentences(own)) if own and not is_label(own) else Says.NOTHING
        return said is Says.NO or not permits([said, *Lead.readings(self, number)])

    def is_last(self, end: int) -> bool:
        """Whether nothing is said after it."""
        at = self._line(end - 1)
        fence = self.fences.get(at)
        if not _TAIL.pattern.match(self.text, end):
            return False
        rest = range(at + 1, len(self.lines))
        return all(blank(self.lines[n]) or (fence is not None and n == fence.closed) for n in rest)

    def without(self, spans: Iterable[tuple[int, int]]) -> str:
        """The text without these pieces of lines, and without a line of which nothing is left."""
        cuts = {self._line(start): (start, end) for start, end in spans}
        return "\n".join(kept for n, line in enumerate(self.lines) if (kept := self._cut(n, line, cuts)) is not None)

    def _cut(self, number: int, line: str, cuts: dict[int, tuple[int, int]]) -> str | None:
        if number not in cuts:
            return line
        start, end = (at - self.starts[number] for at in cuts[number])
        before, after = line[:start].rstrip(BEFORE), line[end:].strip(BEFORE)
        rest = f"{before} {after}" if after.strip(AFTER) else before
        return rest if _LETTER.search(rest) else None

    def _line(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1

    def _is_all_of(self, fence: Fence, start: int, end: int) -> bool:
        first, last = self._line(start), self._line(end - 1)
        around = self.lines[first][: start - self.starts[first]] + self.lines[last][end - self.starts[last] :]
        within = sum(bool(self.lines[n].strip()) for n in range(first, last + 1)) if last > first else 1
        return not around.strip() and within == fence.filled

    def _is_code(self, number: int) -> bool:
        """Whether it is indented into a block of code: four blanks after a blank line, outside a list."""
        if indent(self.lines[number]) < _CODE_INDENT:
            return False
        for _ in range(_DEEP):
            at, above = number, self._above(number)
            if above < 0:
                return False  # nothing is said before it
            if indent(self.lines[above]) < _CODE_INDENT or above in self.fences:
                return above < at - 1 and not line_of(self.lines[above]).item
            number = above
        return True

    def _above(self, number: int) -> int:
        """The last line before it that is not empty, or -1."""
        number -= 1
        while number >= 0 and not self.lines[number].strip():
            number -= 1
        return number

    def _led(self, number: int, line: Line, own: str) -> bool:
        """Whether what comes before leaves it its author's own word."""
        at, gap = self.leads[number]
        if at < 0 or at in self.fences:
            return True
        lead = line_of(self.lines[at])
        if lead.quoted and gap:  # somebody else's words, and they are over
            return True
        if line.item and lead.item:  # one of many is no last word
            return False
        if lead.words and _introduces(lead.words):
            return is_label(lead.words)
        if not gap and not _closed(self.paragraph(at) + own):
            return False
        return bool(own and not is_label(own)) or _ends_before(lead, gap, within=line.indent >= 2)


def _ends_before(lead: Line, gap: bool, *, within: bool) -> bool:
    """Whether a line is at its end, so that the next one begins anew."""
    words = lead.words
    if not words or _finished(words) or is_label(words) or forms.is_none(words) or forms.none_left(words):
        return True
    if lead.heading or lead.row or lead.code or (lead.item and not within):
        return not denial.leads_on(words)
    ticked = words[-1] in TICKS
    return (gap or ticked or denial.is_status(words)) and not denial.doubtful(words)


def _speaks_for(words: str) -> bool:
    """Whether words on its own line leave it alone: finished sentences, and a label at most."""
    if not words:
        return True
    last = sentences(words)[-1]
    if words.rstrip(BEFORE)[-1:] in (":", "：", ",", "，"):
        return is_label(last)
    return _finished(words) and not denial.conditions(last)


def _finished(words: str) -> bool:
    end = words.rstrip(BEFORE).rstrip(_CLOSERS + EMPHASIS)
    if end[-1:] not in _TERMINATORS or not _LETTER.search(words):
        return False
    return not end.endswith("..") and not _ABBREVIATION.search(end[-20:])


def _introduces(words: str) -> bool:
    end = words.rstrip(BEFORE)
    if not end or end.startswith("|") or words[-1:] in TICKS or _CLOSING_TAG.search(end):
        return False  # a row of a table ends as it begins, a tick is a word
    if end.startswith(_BANNER) and end.endswith(_BANNER):
        return False  # `===== 42 passed =====`
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
