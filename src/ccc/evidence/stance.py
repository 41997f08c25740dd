"""How the agent's last message stands to its work: it says that it succeeded, or it leaves something open.

Rule: pure; sentence by sentence, by the rows of the languages it may be in. What is open: the person is to do or to
tell something, nothing was run, or the agent could not or does not know. A sentence that is open claims nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from ccc.base.patterns import pattern
from ccc.evidence import tongues
from ccc.evidence.answers import asks
from ccc.evidence.claims import claimed
from ccc.evidence.stance_words import MEASURED, ROWS, Words
from ccc.evidence.wording import prose, simpler

BEGINNING, END = 2_000, 4_000  # of a long message; what it makes of the work stands there
SENTENCES = 150
SHOWN = 160
_SENTENCE_ENDS = pattern(r"(?<=[.!?;:])\s+|[。！？；，\n]")
_CLAUSE_ENDS = pattern(r",\s+|\s(?:and|but|y|pero|e|mas|et|mais|und|aber|и|но)\s")
TERSE, WIDE = 24, 3  # letters, and how many of them one of Chinese says; who says no more means that it is done


class Stance(Struct, frozen=True):
    """What the last message makes of the work.

    `claims`: a sentence says that it works or is mended. `asserts`: one says that it is finished, or how things are
    from now on. `opens` is the sentence that leaves something open, `admits` the one that says it was not run.
    """

    claims: str = ""
    asserts: str = ""
    opens: str = ""
    admits: str = ""

    @property
    def left_open(self) -> bool:
        """Whether it leaves something open and claims no success beside it."""
        return bool(self.opens) and not self.claims

    @property
    def done(self) -> str:
        """The words by which it says that the work is done and nothing is left; empty where it does not."""
        return self.claims or ("" if self.opens else self.asserts)


def of(message: str) -> Stance:
    text = simpler(prose(_ends_of(message), keep_code=False))
    rows = [ROWS[tongue] for tongue in tongues.heard(text)]
    sentences = _sentences(text)
    admitted = [each for each in sentences if any(row.unrun.search(each) for row in rows)]
    opened = [each for each in sentences if each in admitted or _is_open(each, rows)]
    plain = list(_plain((each for each in sentences if each not in opened), rows))
    asked = message.strip()[-SHOWN:] if _asks(message, sentences, rows) else ""
    return Stance(
        claims=next((each for each in plain if _is_claim(each, rows)), ""),
        asserts=next((each for each in plain if _is_assertion(each, rows)), "") or _terse(message),
        opens=opened[0] if opened else asked,
        admits=admitted[0] if admitted else "",
    )


def _ends_of(message: str) -> str:
    if len(message) <= BEGINNING + END:
        return message
    return f"{message[:BEGINNING]}\n{message[-END:]}"


def _sentences(text: str) -> list[str]:
    found = (each.strip(" \t*_#>-•") for each in _SENTENCE_ENDS.split(text))
    return list(islice((each for each in found if each), SENTENCES))


def _plain(sentences: Iterable[str], rows: Sequence[Words]) -> Iterable[str]:
    """The clauses that are said without a doubt: one about the second half is none about the first."""
    for sentence in sentences:
        for clause in _CLAUSE_ENDS.split(sentence):
            if not any(row.hedge.search(clause) for row in rows):
                yield clause


def _is_open(sentence: str, rows: Sequence[Words]) -> bool:
    opens = any(row.to_do.search(sentence) or row.outcome.search(sentence) for row in rows)
    return opens and not any(row.courtesy.search(sentence) for row in rows)


def _is_claim(clause: str, rows: Sequence[Words]) -> bool:
    return bool(MEASURED.search(clause)) or any(row.success.search(clause) for row in rows) or bool(claimed(clause))


def _is_assertion(clause: str, rows: Sequence[Words]) -> bool:
    said = any(row.finished.search(clause) or row.hence.search(clause) for row in rows)
    return said and not any(row.partly.search(clause) for row in rows)


def _asks(message: str, sentences: Sequence[str], rows: Sequence[Words]) -> bool:
    """Whether it asks the person something, what everybody says at the end left out."""
    left = [each for each in sentences if not any(row.courtesy.search(each) for row in rows)]
    return asks(message) and (len(left) == len(sentences) or asks("\n".join(left)))


def _terse(message: str) -> str:
    said = message.strip()
    return said if 0 < sum(WIDE if letter >= "\u2e80" else 1 for letter in said[: TERSE + 1]) <= TERSE else ""
