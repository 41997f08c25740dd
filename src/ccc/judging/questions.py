"""A question and its answer, where only both together say something: `Anything left? Yes: the docs.`

Rule: pure and linear; what a question asks for is good or bad news, and its answer says which of them it is.
"""

from __future__ import annotations

from ccc.base.patterns import any_case
from ccc.judging import denial
from ccc.judging.affirmation import affirms

_NO = any_case(
    r"\W*(?:no|none|nope|nothing|nein|nichts|keine?[rs]?|non|rien|aucune?|nada|ningun[oa]|não|nenhuma?|niente"
    r"|nessun[oa]?"
    r"|nee|niets|geen|нет|ничего|没有?|沒有?|无|無|否|不|いいえ|ありません|なし|아니|없)(?!\w*[a-z])"
)
_YES = any_case(r"\W*(?:yes|yep|ja|oui|sí|sim|sì|да|有|是|はい|네)(?!\w*[a-z])")
_LABEL = any_case(r"^\W*(?:q|a|question|answer|frage|antwort|问题?|答)\W{0,3}[:：.)]\s*")
_AUXILIARY = any_case(r"^\W*(?:were|was|is|are|did|does|do|has|have|had|will|can|could|should|would|there|so)\b")
# What could be left, wrong or done too much; asked for, it is bad news.
_ASKS_FOR_BAD = any_case(
    r"\b(?:any(?:thing)?|some(?:thing)?|what(?:['’]s|\sis|\selse)?|which)\b.{0,80}\b(?:left|missing|open|remain\w*|else"
    r"|outstanding|wrong"
    r"|broken|skipped|deleted|removed|disabled|fail\w*|to\s(?:do|fix|improve|change|add)|pending|unfinished|more"
    r"|lack\w*)\b",
    r"^\W*what\s(?:remains|else)|\b(?:unrelated|side\seffects?|unasked|other\sfiles)\b",
    r"遗漏|遺漏|缺[少失]?|剩|还有|還有|[残殘]留|\bfehlt\b|\bmanque|\breste\b|\bfalta|\bmanca|\bontbreekt|残って|남은",
)


def answered(question: str, answer: str) -> bool | None:
    """Whether the answer to a question about the work is good news; None when the answer says so by itself, or not."""
    if not denial.asks(question):
        return None
    asked = _bare(question[-denial.SENTENCE_LIMIT :]).rstrip(" ?？؟*_`")
    told = _LABEL.sub("", answer[: denial.SENTENCE_LIMIT])
    if _is_bad(asked):
        return _of_bad(told)
    return False if denial.names_good(asked) and _NO.match(told) else None


def _bare(question: str) -> str:
    """The question as it would be said: `Were any tests skipped` is no condition."""
    return _AUXILIARY.sub("", _LABEL.sub("", question))


def _is_bad(asked: str) -> bool:
    return bool(_ASKS_FOR_BAD.search(asked)) or denial.title_denies(asked)


def _of_bad(told: str) -> bool | None:
    if _NO.match(told):
        return True
    return None if told and not _YES.match(told) and affirms(told) else False
