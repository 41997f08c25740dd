"""What the blocks before a verdict say of the work: no, yes, all of it, something, or nothing.

Rule: pure and linear in the answer; a block is read by its kind (paragraph, list, table, heading, output), and what it
says by words (`denial`, `affirmation`) and forms (`forms`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.patterns import Lazy
from ccc.judging import affirmation, denial, forms, questions, reservations
from ccc.judging.labels import is_label
from ccc.judging.lines import BEFORE, TICKED, Fence, Line, Page, indent, line_of, sentences

_FIELD = Lazy(r"\W{0,4}\w[\w ]{0,30}[*_]{0,2}[:：]")
_FIELD_BREAK = "\n"
# How much of a block is read: enough for what people write, and little enough for what they do not.
_LABELS, _BLOCKS, _ITEMS, _CELLS, _OUTPUT_LINES, _WIDTH = 5, 40, 100, 400, 40, 400


class Says(Enum):
    """What a block says of the work."""

    NO = auto()
    YES = auto()
    ALL_OF_IT = auto()  # yes, whatever was said before it
    SOMETHING = auto()  # neither, and that is not enough
    NOTHING = auto()


def permits(readings: Iterable[Says]) -> bool:
    """Read from the end: nothing may deny, and if anything is said, something must be good."""
    seen: set[Says] = set()
    for said in readings:
        if said is Says.NO:
            return False
        seen.add(said)
    return bool(seen & {Says.YES, Says.ALL_OF_IT}) or Says.SOMETHING not in seen


class Lead(Struct, frozen=True):
    """A block before a verdict: the lines of a paragraph, a list or a table, a heading, or a fence that has ended."""

    answer: Page
    at: int
    gap: bool

    @classmethod
    def before(cls, answer: Page, number: int) -> Lead:
        at, gap = answer.leads[number]
        for _ in range(_LABELS):
            if at < 0 or at in answer.fences or not is_label(line_of(answer.lines[at]).words):
                break
            (at, _), gap = answer.leads[at], True  # a name says nothing, and what is said stands above it
        return cls(answer, at, gap)

    @classmethod
    def readings(cls, answer: Page, number: int) -> Iterator[Says]:
        """What the blocks before it say, the nearest first; above a word about all of it only blind checks count."""
        passed = settled = False
        for lead, under in cls._upwards(answer, number):
            if settled:
                yield Says.NO if lead._blinds() else Says.NOTHING
                continue
            if fence := answer.fences.get(lead.at):
                said = Says.NOTHING if passed else lead._output_says(fence)
                passed = passed or said is Says.YES
            else:
                said = lead._says(under)
            yield said
            settled = said is Says.ALL_OF_IT

    @classmethod
    def _upwards(cls, answer: Page, number: int) -> Iterator[tuple[Lead, str]]:
        """The blocks before it, each with the words that stand under it."""
        lead, under = cls.before(answer, number), ""
        for _ in range(_BLOCKS):
            if lead.at < 0:
                return
            yield lead, under
            top = lead._top()
            under = "" if lead.at in answer.fences else line_of(answer.lines[top]).words
            lead = replace(cls.before(answer, top), gap=True)

    def _blinds(self) -> bool:
        """Whether it tells of a check that was made to see nothing: no good end mends that."""
        if self.at in self.answer.fences or line_of(self.answer.lines[self.at]).quoted:
            return False
        return any(map(reservations.is_blinded, _said([line.words for line in self._lines()])))

    def _says(self, under: str) -> Says:
        raw = self.answer.lines[self.at]
        lead = line_of(raw)
        if lead.quoted or (lead.code and not forms.shows_failure(raw)):
            return Says.NOTHING
        if lead.row:
            return _table_says(self._lines())
        if self._is_list():
            return self._list_says()
        if lead.heading:
            closed = forms.is_none(under) or denial.lacks_fault(under)
            return Says.NO if denial.title_denies(lead.words) and not closed else Says.NOTHING
        return self._prose_says()

    def _is_list(self) -> bool:
        raw = self.answer.lines[self.at]
        if line_of(raw).item:
            return True
        return indent(raw) >= 2 and self.answer.leads[self.at][0] >= 0 and self._lines()[-1].item

    def _lines(self) -> list[Line]:
        return [line_of(line) for line in self.answer.paragraph(self.at).split("\n")]

    def _top(self) -> int:
        """The first line of the block."""
        if fence := self.answer.fences.get(self.at):
            return fence.opened
        if line_of(self.answer.lines[self.at]).heading:
            return self.at
        if self._is_list():
            return self._items()[2]
        top = self.at
        while top > 0 and top - 1 not in self.answer.fences and self.answer.lines[top - 1].strip():
            top -= 1
        return top

    def _output_says(self, fence: Fence) -> Says:
        """What a program's output, or the line over it, says."""
        lines = self.answer.lines[max(fence.opened + 1, fence.closed - _OUTPUT_LINES) : fence.closed]
        over, _ = self.answer.leads[fence.opened]
        title = line_of(self.answer.lines[over]).words if over >= 0 and over not in self.answer.fences else ""
        if denial.is_mended(title):
            return Says.NOTHING
        passed = forms.output_passed("\n".join(line[:_WIDTH] for line in lines))
        if passed is False or denial.title_denies(title):
            return Says.NO
        return Says.YES if passed else Says.NOTHING

    def _list_says(self) -> Says:
        items, title, _ = self._items()
        words = [line_of(raw).words for raw in items]
        if all(map(forms.is_none, words)):
            return Says.YES
        if any(map(denial.crossed, items)) or denial.title_denies(title) or forms.one_differs(items):
            return Says.NO
        if denial.is_mended(title):
            return Says.YES
        if any(map(denial.denies, words)) or (not self.gap and takes_back(words[0])):
            return Says.NO
        if any(map(TICKED.search, items)):
            return Says.YES
        if not title and all(one.isalnum() for one in words):
            return Says.NOTHING  # names
        return sentences_say([*sentences(title), *words], strict=False)

    def _items(self) -> tuple[list[str], str, int]:
        """The items from the last one up, the line that stands over them if it introduces them, and where that is."""
        items: list[str] = []
        at, top, gap = self.at, self.at, False
        while at >= 0 and len(items) < _ITEMS and at not in self.answer.fences:
            raw = self.answer.lines[at]
            if not line_of(raw).item and indent(raw) < 2:
                over = _stands_over(raw, gap)
                return items, line_of(raw).words if over else "", at if over else top
            items.append(raw)
            top = at
            at, gap = self.answer.leads[at]
        return items, "", top

    def _prose_says(self) -> Says:
        """Read from its end: a later word that settles all of it outweighs what was said before."""
        paragraph = self.answer.paragraph(self.at)
        last = line_of(self.answer.lines[self.at]).words
        if denial.crossed(paragraph) or denial.asks(last) or forms.shows_failure(paragraph):
            return Says.NO
        nearest = sentences(last) if not self.gap else []
        if any(map(takes_back, nearest[-1:])):
            return Says.NO
        words = [line_of(line).words for line in paragraph.split("\n")]
        said = Says.NO if forms.one_differs(paragraph.split("\n")) else sentences_say(_said(words))
        return Says.YES if said is Says.SOMETHING and TICKED.search(paragraph) else said


def _said(lines: Sequence[str]) -> list[str]:
    """The sentences of a paragraph; a field (`Open: none`) begins one without the last having ended."""
    joined = [words for words in lines if words]
    paragraph = "".join(f"{_FIELD_BREAK if _FIELD.match(words) else ' '}{words}" for words in joined)
    return [one for piece in paragraph.split(_FIELD_BREAK) for one in sentences(piece.strip()) if one] or [""]


def takes_back(sentence: str) -> bool:
    """Whether right beside a verdict it denies: there every doubt counts, unless it says something good."""
    return denial.denies(sentence, near=not affirmation.affirms(sentence)) or denial.conditions(sentence)


def sentences_say(said: Sequence[str], *, strict: bool = True) -> Says:
    if strict and forms.one_differs(said):
        return Says.NO
    good = told = False
    for number in range(len(said) - 1, -1, -1):
        one = said[number]
        told = told or not affirmation.of_the_review(one)
        answered = questions.answered(said[number - 1], one) if number else None
        if answered is False:
            return Says.NO
        if answered or questions.answered(one, (*said, "")[number + 1]) or forms.none_left(one) or forms.is_none(one):
            good = True
        elif (strict and denial.denies(one)) or forms.value_denies(one) or reservations.falls_short(one):
            return Says.NO
        elif affirmation.affirms(one):
            if strict and denial.settles(one):
                return Says.NO if any(map(reservations.is_blinded, said[:number])) else Says.ALL_OF_IT
            good = True
    if good:
        return Says.YES
    return Says.SOMETHING if told else Says.NOTHING


def _stands_over(raw: str, gap: bool) -> bool:
    """Whether a line before a list is its title."""
    return not gap or line_of(raw).heading or raw.rstrip(BEFORE)[-1:] in (":", "：")


def _table_says(rows: Sequence[Line]) -> Says:
    cells = [[cell.strip(" *_`") for cell in row.words.strip("|").split("|")] for row in rows[1:] if row.row]
    every = [cell for row in cells for cell in row][-_CELLS:]
    if any(denial.crossed(cell) or denial.cell_denies(cell) for cell in every):
        return Says.NO
    last = [row[-1] for row in cells if not forms.is_rule(row[-1])][-_ITEMS:]
    if forms.one_differs([f": {cell or '-'}" for cell in last]):
        return Says.NO
    return Says.YES if any(map(affirmation.affirms, every)) else Says.NOTHING
