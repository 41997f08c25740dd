"""Whether the words beside a verdict deny it, put a condition on it, speak of it instead of giving it, or lead to it.

Rule: pure and linear; a sentence is read clause by clause as words of a few kinds (`negations`), and it denies by how
they meet: a fault that nothing negates, or something good that is negated. Right beside a verdict every doubt counts
against it; a paragraph away only what is clear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case
from ccc.judging import counts

SENTENCE_LIMIT = 2_000

_CONDITION = any_case(
    r"^\W*(?:if|once|when|whenever|unless|until|till|only|as\s+(?:soon|long)\s+as|provided|providing|assuming|suppose"
    r"|supposing|in\s+case|were|had|then|otherwise|wenn|falls|sobald|sofern|solange|erst|nur|dann|si|cuando|s[óo]lo"
    r"|en\s+cuanto|una\s+vez|hasta|entonces|quand|lorsque|d[èe]s|seulement|alors|quando|assim\s+que)\b",
    r"^\W*(?:如果|若|假如|假设|倘若|要是|一旦|只有|只要|除非|等|待|当|直到|那时|到时|届时|否则|然后|もし|その(?:後"
    r"|とき))",
    r"(?:たら|なら|れば)[、,]|\b(?:if|once|unless|until)\s+(?:and\s+only\s+|it|this|that|they|these|those|all|the)\b",
    r"(?:之后|以后|才能|才可以?|才会|再(?:说|写|输出|给))",
)
_DOUBT = any_case(
    r"\b(?:not|never|cannot|no|nor|neither|without|if|once|when|unless|until|only|would|should|could|may|might|will"
    r"|must|then|before|after|refuse|yet|still|but|except|almost|nearly|partly|half|supposed|claims?|claimed|says?"
    r"|said"
    r"|wrote|writes?|prints?|output|ends?|with|please|to|shall|can|expect|expected|example|instead|whether|had"
    r"|were)\b",
    r"n['’]t\b|['’](?:ll|d)\b",
    r"[不没未非别]|如果|若|假如|除非|等|才|只有|之后|再|说|写|输出|请|应|须|需|还|但|差|几乎|声称|自称|例如|假设",
    r"\b(?:nicht|kein\w*|wenn|falls|sobald|erst|nur|noch|würde|soll\w*|kann|aber|fast|si|cuando|s[óo]lo|hasta|aún"
    r"|todavía|pero|casi|ne|pas|quand|seulement|mais|presque|não|quando|mas)\b",
    r"まだ|ない|ません|もし|たら|なら|れば|けど|아직|않|못",
)
_STATUS = any_case(
    r"(?:\b(?:success(?:ful(?:ly)?)?|succeeded|done|completed?|finished|fine|good|great|perfect|ok|okay|lgtm"
    r"|approved|accepted|pass|passes|passed"
    r"|passing"
    r"|green|met|satisfied|verified|correct|works|well|fulfilled|clean|fertig|erledigt|bestanden|abgeschlossen|gut"
    r"|réussie?s?|passée?s?|superad[oa]s|pasad[oa]s|aprobad[oa]s|aprovad[oa]s|passaram|superat[ie]|geslaagd"
    r"|пройден\w?|успешно"
    r"|ordnung|grün|hecho|terminad[oa]|completad[oa]|completo|correcto|bien|listo|pasan|terminé|réussi|bon|pronto)"
    r"|完成|做完|通过|达标|合格|完毕|满足|无误|正确|没有?问题|无可挑剔|完美|良好|完了(?:です|しました)?|問題なし"
    r"|完了|成功|통과|성공|완료)[\s*_`!✅]*$",
)
# What a tool says after it: how long it took, how many there are in all, a rule to the edge of the screen.
_AFTER_STATUS = any_case(
    r"(?:(?:[,;，]?\s{0,2}[(（]?(?:(?:in|after|en|em|dans|за|took|time|用[时時]|耗[时時])[:：]?\s{0,2})?"
    r"\d{1,7}(?:[.,:]\d{1,7}){0,3}\s?(?:ms|s|secs?|seconds?|sek\w{0,6}|m|mins?|minutes?|h|tests?|assertions?"
    r"|checks?|秒|毫秒|分[钟鐘]?|초"
    r"|total)[)）]?){1,4}"
    r"\s{0,3}={0,99}|\s{1,3}={1,99})$"
)
_LEADS_ON = any_case(
    r"\b(?:say|says|said|write|writes|wrote|print|prints|printed|output|emit|answer|reply|add|append|with|as|be|is"
    r"|are"
    r"|was|the|a|an|my|your|this|to|for|of|by|from|than|until|then|and|or|but|not|if|when|because|schreibe|sagen"
    r"|schreiben|mit|und"
    r"|decir|escribir|con|y|dire|écrire|avec|et)\W*$",
    r"(?:说|写|输出|打印|回复|回答|给出|写上|写下|写出|标记|は|を|と|に|で|和|与|的|为|是)$",
)


class _Clause(Struct, frozen=True):
    """The kinds of the words in it, in their order."""

    kinds: Sequence[str]
    negated_good: bool
    bare: bool

    @property
    def negations(self) -> int:
        return self.kinds.count("none") + self.kinds.count("negated")


# ruff: noqa: RUF001

# Somebody else's words, and names of things: what they contain says nothing.
_NAMES = Lazy(
    r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|《[^》]*》",
    r"(?<!\w)--?[a-z][\w-]*|\b\w+(?:_\w+)+(?:\(\))?|\b(?!NotImpl)[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b[\w/]+\.(?:py|md"
    r"|js|ts|yml|json|toml)\b",
)
_BREAK = any_case(
    r"[;:,，、；：]|\s[-–—]+\s|\b(?:but|however|yet(?=\s+\w+\s)|although|though|except(?:\s+that)?|otherwise|aber"
    r"|jedoch|mais|pero|mas|ma|maar"
    r"|но)\b|但是?|(?:^|(?<=[，,；;]))不过|然而",
    r"\b(?:and|und|et|y|и)\s+(?=(?:no|not|nothing|none|neither|still|it|they|the\s+\w+\s+(?:is|are|was|were|does"
    r"|do)|nicht|kein)\b)",
)
# A paragraph away, what holds only in a case, or of a thing that is described, is not said of the work.
_SUBORDINATE = any_case(
    r"\b(?<!except )(?:in\s+which|which|that|who|whose|where|when|whenever|if|unless|until|while|because"
    r"|instead\s+of(?!\s+doing)|rather\s+than"
    r"|such\s+as|about|after)\b(?!\s+is\s+(?:fine|expected|correct|right|what))[^,;:，；]*"
)
_ASSERTED = any_case(
    r"^\W*(?:there|I|we|it\s+is|this\s+is|that\s+is|that|which|who)\b|\bthe\s+(?:claim|statement|summary)\b|\b(?:he"
    r"|la|el|le)\b"
)
_QUESTION = Lazy(r"[?？؟][\"'”’」』)*_`\s]*$")
_TOTAL = any_case(
    r"\b(?:now|all|every\w*|both|yes|alle\w*|jetzt|tou[st]\w*|tod[oa]s|tutti|все|nu|ahora|agora|it\s+(?:is|does"
    r"|was))\b",
    r"现在|全部|都|均|已|全て|すべて|모두|모든|現在",
)
_VERDICT_WORDS = any_case(
    r"\b(?:(?:I|we)(?:['’](?:ll|d)|\s+(?:will|would|shall|could|might|may|can))|approv\w+|stop\w*|marker"
    r"|sign\w*\s+\w+\s+off|verdict|merge[d]?"
    r"|this\s+(?:is|would\s+be)|freig\w+|gebe|approuv\w+|accord|donnerai|aprob\w+|aprov\w+|approv\w+|одобр\w+)\b",
    r"停止|放行|标记|標記|通过|結束|结束|承認|승인",
)
_WHEN = any_case(
    r"\b(?:if(?!\s+I\s+were)|once|when|unless|until|as\s+soon\s+as|provided|assuming|only\s+(?:after|then|when|if"
    r"|once)|after|had\s+the|later"
    r"|wenn|falls|sobald|erst|si|quand|lorsque|d[èe]s|cuando|en\s+cuanto|una\s+vez|quando|assim\s+que|appena|zodra"
    r"|wanneer|als|если|когда)\b",
    r"如果|若(?!干)|一旦|只有|除非|等(?=.{1,15}(?:后|再|才|就))|(?:之后|以后)(?!.{0,6}[了过])|才(?:能|会|可)|もし"
    r"|たら|なら|れば|(?:하"
    r"|되|지|가)면",
)
# It speaks of the line to come, which is not to say it.
_SPEAKS_OF = any_case(
    r"\b(?:this|next|following|last|below|same|final|these)\s+(?:\w+\s+)?(?:lines?|string|token|phrase|marker)\b"
    r"|\bline\s+below\b|\bthe\s+(?:string|phrase)\b|\bmarker\b",
    r"\b(?:as\s+follows|(?:answer|end|reply|look|read|write|say)s?\s+(?:\w+\s+){0,2}like\s+(?:so|this)"
    r"|what\s+follows|(?:following|below)\s+(?:is|are|was)\s+(?:what|only|just"
    r"|an?|the)|ends?\s+(?:so|with\s+this|like))\b",
    r"\b(?:only|just|merely)\s+an?\s+(?:\w+\s+)?(?:example|sample|illustration|quotation|quote|template)\b|\b(?:is"
    r"|as)\s+an?\s+(?:sample|example)\b",
    r"\b(?:tell|tells|told|ask|asks|asked|want|wants|wanted|make|makes|instruct\w*|trick\w*|urge[sd]?)\s+me\b"
    r"|\b(?:injected|prompt\sinjection)\b",
    r"\b(?:wrote|write|writes|print|printed|prints|quoted|said|says|demands?)\s+(?:the\s+following|this|it\s+itself"
    r"|the\s+line)\b\W*",
    r"\b(?:folgende|nächste|letzte)n?\s+zeile\b|\bnur\s+ein\s+beispiel\b|\bligne\s+suivante\b"
    r"|\bqu['’]un\s+exemple\b|\bsolo\s+un\s+(?:ejemplo|esempio)\b",
    r"\bapenas\s+um\s+exemplo\b|\bsiguiente\s+línea\b|\bslechts\s+een\s+voorbeeld\b|\bтолько\s+пример\b"
    r"|\bследующая\s+строка\b",
    r"(?:下面|以下|下列|下一行|接下来|這行|这行|这一行)[\w\s]{0,12}(?:示例|例子|格式|样例|摘自|引用|来自|自己|只是"
    r"|仅为|仅是)|(?:只|仅|僅)是\w{0,4}(?:示例|例子|格式|範例)|标记|標記",
    r"(?:次の行|以下の行|この行)は|例(?:です|にすぎ)|다음\s*줄|예시(?:일|입)",
)
_SPEAKS_FOR_ITSELF = any_case(
    r"^\W*(?:so|therefore|hence|thus|here)?,?\s*(?:I|here)\s+(?:therefore\s+|hereby\s+|now\s+|thus\s+)?(?:write"
    r"|give|print|is|end|answer)\b"
)
_CROSS = Lazy(r"[❌✗✘✖❎🔴⛔🚫👎🟥☒⛌❗⚠⬜☐🔲◻⏳⌛🚧🔜❓🟡🟠]|\[[ ]\]")
_BARE_NO = any_case(
    r"\W*(?:no|nope|nein|non|nee|não|нет|não|否|不|いいえ|아니요|FAIL(?:ED|URE|S|ING)?|not\s+(?:ok|all|quite|entirely"
    r"|fully|really)|ko|rejected|missing"
    r"|open|todo|(?:the|my)\s+answer\s+is\s+(?:no|negative))\W*"
)


@cache
def _scanner(joined: bool) -> re.Pattern[str]:
    from ccc.judging import negations

    languages = negations.JOINED if joined else negations.SPACED
    groups = []
    for kind in negations.KINDS:
        entries = [entry for language in languages for entry in negations.alternatives(language, kind)]
        if entries:
            groups.append(f"(?P<{kind}>{'|'.join(entries)})")
    either = "|".join(groups)
    return re.compile(either if joined else rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


# Hints that are no faults: negated, they are no good news.
_MODAL = any_case(
    r"\b(?:would|could|should|might|must|if|unless|until|when|once|claim\w*|supposed|example|sample|reasons?)\b|如果"
    r"|但是?|才|之后|以后"
)
_JOINED = Lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NEGATES_AT_THE_END = Lazy(r"[\u3040-\u30ff\uac00-\ud7af]")
_NEGATOR = any_case(r"\b(?:no|not|none|nothing|never|neither|without|kein\w*|nicht|0)\b|n['’]t\b|[没沒无無未]")
_REACH, _NOWHERE, _BARE_LENGTH = 28, -1_000, 12
_WRONG, _EXCUSES = frozenset(("fault", "hint")), frozenset(("mended", "meant"))
_TODO_VERB = (
    r"(?:fix|run|rerun|re-run|add|write|finish|complete|update|implement|repair|correct|check|verify|make|remove"
    r"|address|resolve|send|do|test"
    r"|rebuild|revert|rework|redo|mend|replace|investigate|provide|show|paste|commit|push|handle|ignore|finalize"
    r"|clean|start|refactor|cover)"
)
_ORDER = any_case(
    rf"\W*(?:(?:now|next|first|then|so|instead|also|just|and)[,:]?\s+){{0,2}}{_TODO_VERB}\s+(?:the|this|that|these"
    rf"|those|it|all|a|an|some|each"
    r"|every|your|step|again|both|x|me|back|up|out|more|\w+\s+(?:again|first|handling|tests?|coverage))\b",
    r"\W*(?:(?:now|next|first|then|so|instead|also|just|and)[,:]?\s+){0,2}(?:add|write|implement|rename|handle|ensure"
    r"|provide|replace|move|make\s+sure)"
    r"\s+(?!\w+(?:ed|ing)\b)\w",
    r"\W*(?:\w+,?\s+)?please\b|\W*(?:TODO|FIXME)\s*[:：]",
)
_ALONE = any_case(
    r"\W*(?:still\s+|currently\s+|all\s+)?(?:missing|broken|red|incomplete|unfinished|undone|failing|failed|wrong"
    r"|unresolved|unmet|absent|rejected"
    r"|inadequate|insufficient|unacceptable|blocked|pending|outstanding|denied|refused|declined|open|not\s+\w+"
    r"|fails?|keep\s+\w+|continue|go\s+on)\W*",
    # `Docs pending`, `untested elsewhere`: a status needs no verb.
    r"\W*(?:(?!(?:if|when|as|for|on|with|what|that|whether|the|an?)\b)[\w./-]+\s+){0,3}(?:still\s+)?(?:missing"
    r"|incomplete|unfinished|undone|unresolved"
    r"|untested|unverified|unproven|pending|outstanding|to\s?-?do|tbd|to\s+follow|to\s+come|half(?:-|\s)\w+|later)\W*",
    r"\W*(?:\w+\s+)?(?:red|failing|broken|flaky)\W*",
    r"\W*(?:still\s+)?(?:untested|unverified|unproven|unfinished|incomplete)\s+(?:on|in|elsewhere|under|for|outside|so"
    r"|at|against|as)\b.*",
)


_OPEN_POINTS = any_case(
    r"^\W*to\s(?!date|sum)\w+|\b(?:action\sitems?|next\ssteps?|improvements?|suggestions?|requests?(?=\W*$)|demands?"
    r"|recommendations?)\b",
    r"改[进進]|建[议議]|下一步|意[见見]|待[办辦改]|改善点|要望|개선|다음\s단계",
)


def denies(sentence: str, *, near: bool = False) -> bool:
    """Whether it says that the work is not done, that its author will not say so, or when he would."""
    own = own_words(sentence)
    if counts.too_few(sentence[-SENTENCE_LIMIT:]):
        return True
    if _BARE_NO.pattern.fullmatch(own) or _CROSS.search(own) or _speaks_of(own):
        return True
    if _WHEN.search(own) and _VERDICT_WORDS.search(own):
        return True
    if near and conditions(own):
        return True
    return _clauses_deny(list(_clauses(own if near else _main(own))), near)


def title_denies(words: str) -> bool:
    """Whether what stands over a list or a block says that it holds what is wrong or left to do."""
    return bool(_OPEN_POINTS.search(words)) or denies(words.rstrip(" :：*_"), near=True)


def names_good(words: str) -> bool:
    """Whether it is about something good, affirmed or not."""
    return any({"good", "mended"} & set(clause.kinds) for clause in _clauses(own_words(words)))


def is_mended(words: str) -> bool:
    """Whether it says that whatever was wrong is so no longer."""
    return any(_EXCUSES & set(clause.kinds) for clause in _clauses(own_words(words)))


def is_excused(words: str) -> bool:
    """Whether it says that there is none of what would be wrong, or that it is so no longer, or meant to be so."""
    clauses = list(_clauses(_MODAL.sub(" ", own_words(words))))
    wrong = any(_WRONG & set(clause.kinds) for clause in clauses)
    return any(_lacks_fault(clause) or (wrong and _EXCUSES & set(clause.kinds)) for clause in clauses)


def lacks_fault(words: str) -> bool:
    """Whether it says that there is none of what would be wrong."""
    return any(map(_lacks_fault, _clauses(_MODAL.sub(" ", own_words(words)))))


def _lacks_fault(clause: _Clause) -> bool:
    return bool(_WRONG & set(clause.kinds)) and clause.negations > 0 and not clause.negated_good


def settles(sentence: str) -> bool:
    """Whether it says of all of it that it is well, whatever was said before."""
    return bool(_TOTAL.search(sentence)) or is_mended(sentence)


def asks(sentence: str) -> bool:
    return bool(_QUESTION.search(sentence))


def crossed(line: str) -> bool:
    """Whether a sign on it says no: a cross, a red light, a box without its tick."""
    return bool(_CROSS.search(line))


def cell_denies(cell: str) -> bool:
    return bool(_BARE_NO.pattern.fullmatch(cell)) or denies(cell)


def own_words(sentence: str) -> str:
    return counts.in_words(_NAMES.sub("x", sentence[-SENTENCE_LIMIT:]))


def _speaks_of(own: str) -> bool:
    return bool(_SPEAKS_OF.search(own)) and not _SPEAKS_FOR_ITSELF.search(own)


def _main(own: str) -> str:
    return own if _ASSERTED.search(own) else _SUBORDINATE.sub("", own)


def _clauses(own: str) -> Iterator[_Clause]:
    at = 0
    for end in (*_BREAK.finditer(own), None):
        yield _clause(own[at : end.start() if end else len(own)])
        at = end.end() if end else at


def _clause(piece: str) -> _Clause:
    joined = bool(_JOINED.search(piece))
    kinds, negated_good, since, none_good = [], False, _NOWHERE, False
    if _ORDER.match(piece) or _ALONE.pattern.fullmatch(piece):
        kinds.append("fault")
    for match in _scanner(joined).finditer(piece):
        kind = str(match.lastgroup)
        reached = match.start() - since <= _REACH
        if kind in _WRONG:
            if not joined and _NEGATOR.search(match[0][:-4]):
                kinds.append("none")
            since, none_good = _NOWHERE, False
        elif kind in ("negated", "none"):
            if kind == "negated" and _NEGATES_AT_THE_END.search(piece) and kinds[-1:] in (["good"], ["mended"]):
                kinds[-1], negated_good = "good", True
            spent = kinds[-1:] in (["fault"], ["hint"]) and _NEGATES_AT_THE_END.search(piece)
            since = _NOWHERE if spent else match.end()
        elif reached and kind in ("good", "mended"):
            kind, negated_good, none_good = "good", negated_good or "negated" in kinds[-1:], True
        kinds.append(kind)
    bare = len(piece.split()) <= 2 and len(piece) < (_BARE_LENGTH // 2 if joined else _BARE_LENGTH)
    return _Clause(kinds, negated_good or none_good, bare)


def _clauses_deny(clauses: Sequence[_Clause], near: bool) -> bool:
    """What is mended excuses the faults that were told before it, and none that comes after."""
    mended = max((n for n, clause in enumerate(clauses) if _excuses(clause)), default=-1)
    return any(_denies(clause, near) for clause in clauses[mended + 1 :])


def _excuses(clause: _Clause) -> bool:
    # Of what cannot be known, `fixed` is what is not known.
    return bool(_EXCUSES & set(clause.kinds)) and "denied" not in clause.kinds


def _denies(clause: _Clause, near: bool) -> bool:
    odd = clause.negations % 2 == 1
    if "denied" in clause.kinds:
        return True
    if clause.negated_good and odd:
        return True
    if _WRONG & set(clause.kinds):
        return clause.negations == 0 and (near or "fault" in clause.kinds)
    return odd and (near or clause.bare or "good" in clause.kinds)


def conditions(sentence: str) -> bool:
    """Whether it says when something would hold."""
    return bool(_CONDITION.search(sentence[-SENTENCE_LIMIT:]))


def doubtful(words: str) -> bool:
    """Whether words without an end could turn what follows them around."""
    known = counts.without_none(_STATUS.sub("", _bare(words)))
    return denies(words, near=True) or leads_on(words) or bool(_DOUBT.search(known))


def is_status(words: str) -> bool:
    bare = _bare(words)
    return bool(_STATUS.search(bare) or _STATUS.search(counts.in_words(bare)))


def _bare(words: str) -> str:
    """The words without what a tool adds to a status: `42 passed in 1.31s`."""
    return _AFTER_STATUS.sub("", words[-SENTENCE_LIMIT:])


def leads_on(words: str) -> bool:
    """Whether its last word waits for what follows."""
    return bool(_LEADS_ON.search(words[-SENTENCE_LIMIT:]))
