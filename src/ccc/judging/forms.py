"""What contradicts a permission by its form, whatever its words: refusals a machine would read, statuses that differ.

Rule: pure and linear; no sentence is read here, only fields, values beside labels, and lines as tools write them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccc.base.patterns import Lazy, any_case
from ccc.judging import counts, denial
from ccc.judging.affirmation import affirms
from ccc.judging.labels import is_label

_REFUSAL = any_case(
    r"\b(?:complete|done|finished|ok|pass(?:ed)?|success|approved|ready)[\"'`*]{0,3}\s?[:=]\s?[\"'`*]{0,3}false\b",
    r"\b(?:allow_stop|completed)\b[\"'`*]{0,3}\s?[:=：]\s?[\"'`*]{0,3}(?:false|no|null|none|0)\b",
    r"[\"']feedback[\"']\s?:\s?[\"']\s?\w",
)
_NONE = any_case(
    r"\W*(?:none|nothing(?:\sat\sall)?|n/?a|nil|keine?[rs]?|nichts|aucune?|rien|ningun[oa]|ninguna|nada|nenhuma?"
    r"|nessun[oa]|nulla"
    r"|niente|geen|niets|ничего|无|無|没有|沒有|暂无|なし|ありません|없음|없습니다)\W*"
)
_NO = any_case(r"\W*(?:no|nein|non|não|nee|нет|0|zero|否)\W*")
_COULD_BE = any_case(
    r"\b(?:findings?|recommendations?|remarks?|notes?|comments?|objections?|complaints?|warnings?|unfinished|open"
    r"|feedback"
    r"|todo|not\s\w+)\b"
)
# Verdicts and the like: what follows them is the verdict, so it has to be a good one.
_ASKS_FOR_ONE = any_case(
    r"(?:\w+\s){0,3}(?:verdict|decision|status|result|outcome|judge?ment|ruling|grade|score|rating|assessment"
    r"|permission(?:\sto\sstop)?"
    r"|request\sto\sstop|allow_stop|completed|urteil|entscheidung|ergebnis|résultat|décision|veredicto|resultado"
    r"|decisión|decisão|verdetto"
    r"|esito|oordeel|вердикт|решение|итог|结论|结果|判定|裁定|状态|結論|結果|판정|결과|결론)"
)
_UNDER_WAY = any_case(
    r"(?:just\s)?(?:started|begun|ongoing|running|under\sway|begonnen|commencé|empezado|开始了?|已开始|进行中)"
)
_ELEMENT = Lazy(r"<(\w{1,20})>([^<>\n]{1,60})</\w{1,20}>")
_STATUS = Lazy(r"^.{0,80}?(?:[:：]|\s[—–-]\s|=)\s*(?P<value>[^:：]{1,40})$")
_MAY_FAIL = any_case(r"fail|error|not ok|problem|offense|undefined|\*\*\*|interrupted|stopped|\.\w{1,4}:\d")
_RULE = Lazy(r"[\s:|-]*")
_CODE = Lazy(r"`([^`\n]+)`")
_VALUE_WORDS, _SHORT = 4, 60
_TICK = Lazy(r"[✅✔☑✓🟢]|\[[xX✓✔]\]")
_SHELL_ERROR = Lazy(
    r"^(?:[\w./-]+: )+.*(?:No such file or directory|[Pp]ermission denied|not found|[Cc]onnection refused)\s*$"
    r"|^HTTP/[\d.]+ [45]\d\d\b",
    flags=re.MULTILINE,
)


def refuses(text: str) -> bool:
    """Whether a field in it says that the agent may not stop."""
    return bool(_REFUSAL.search(text))


def is_none(words: str) -> bool:
    """Whether it only says that there is none."""
    return len(words) < 40 and bool(_NONE.pattern.fullmatch(words))


def none_left(sentence: str) -> bool:
    """Whether it names what could be open and says that there is none: `Outstanding: nothing`."""
    name, value = _named(sentence)
    return (
        bool(name)
        and (is_none(value) or bool(_NO.pattern.fullmatch(value)))
        and (bool(_COULD_BE.search(name)) or denial.title_denies(name))
    )


def is_rule(cell: str) -> bool:
    return len(cell) > 2 and bool(_RULE.pattern.fullmatch(cell))


def value_denies(sentence: str) -> bool:
    """Whether it names a verdict and then gives one that is not good: `Decision: block`."""
    sentence = counts.in_words(sentence[-denial.SENTENCE_LIMIT :])
    element = _ELEMENT.search(sentence)
    name, value = (element[1], element[2]) if element else _named(sentence)
    bare = name.strip(" *_`#\"'{")
    if not value or not (_ASKS_FOR_ONE.pattern.fullmatch(bare) or (element and is_label(bare))):
        return False
    return len(value.split()) <= _VALUE_WORDS and not affirms(value.strip(" *_`"))


def one_differs(lines: Sequence[str]) -> bool:
    """Whether of statuses side by side some are good and some are not."""
    ticks = [bool(_TICK.search(line)) for line in lines]
    if sum(ticks) > 1 and not all(ticks) and all(len(line) < _SHORT for line in lines):
        return True
    open_ = [line for line in lines if not none_left(line) and not denial.asks(line)]
    values = [found["value"].strip(" *_`.!。") for line in open_ if (found := _STATUS.match(line.rstrip(" *_`.!。")))]
    short = [_is_over(value) for value in values if len(value.split()) <= _VALUE_WORDS]
    return len(short) > 1 and any(short) and not all(short)


def output_passed(output: str) -> bool | None:
    """Whether a quoted output shows success or failure, and nothing run is one; None when neither."""
    from ccc.evidence.outcomes import Outcome, ran_nothing, shown

    outcome = Outcome.FAILED if _SHELL_ERROR.search(output) or ran_nothing(output) else shown(output)
    return None if outcome is Outcome.UNKNOWN else outcome is Outcome.PASSED


def shows_failure(prose: str) -> bool:
    """Whether a line of it, or a piece of code in it, is what a tool writes when it failed."""
    # Without one of these no tool says that it failed, and the patterns of all tools are slow to compile.
    if not _MAY_FAIL.search(prose):
        return False
    from ccc.evidence.outcomes import Outcome, shown

    pieces = [prose, *(found[1] for found in _CODE.finditer(prose))]
    return shown("\n".join(pieces), weakly=False) is Outcome.FAILED


def _is_over(status: str) -> bool:
    return affirms(status) and not _UNDER_WAY.pattern.fullmatch(status)


def _named(sentence: str) -> tuple[str, str]:
    for sign in (":", "：", "="):
        name, found, value = sentence.partition(sign)
        if found:
            return name, value.strip()
    return "", ""
