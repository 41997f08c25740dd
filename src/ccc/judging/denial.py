"""What the words beside a verdict do to it: deny it, put a condition on it, lead up to it, or name it.

Rule: pure, a few words of a few languages, and linear; looked at only in the last words before a verdict. Every doubt
counts against permission, because one review too many costs less than a stop too early.
"""

from __future__ import annotations

from ccc.base.patterns import Lazy, any_case

SENTENCE_LIMIT = 2_000

_DONE_EN = r"(?:done|complete|completed|finished|fulfilled|ready|satisfied|met|good\s+enough|acceptable)"
_SAY_EN = (
    r"(?:say|write|print|output|give|emit|answer|confirm|approve|allow|state|claim|declare|grant|sign|call|accept"
    r"|permit|certify|agree|let|end|reply|tell|announce)"
)
_WILL_NOT = (
    r"(?:can\s?not|(?:ca|wo|do|would|could|must|sha|should)n['’]t|(?:will|would|could|do|must|may|shall|should|am|are)"
    r"\s+not|never|refuse|decline|hesitate|am\s+unable)"
)
_DENIAL = any_case(
    r"\bnot\s+(?:yet|quite|fully|entirely|really|at\s+all)\b",
    rf"(?:\bnot|n['’]t|\bnever)\s+(?:\w+\s+){{0,2}}{_DONE_EN}\b",
    rf"\b(?:far\s+from|yet\s+to\s+be|anything\s+but)\s+{_DONE_EN}\b",
    r"\b(?:is|are|remains?|work|task|still)\s+(?:incomplete|unfinished|undone)\b",
    rf"\b(?:I|we)\s+{_WILL_NOT}\s+(?:\w+\s+){{0,3}}{_SAY_EN}\b|\b(?:I|we)\s+(?:must\s+)?(?:withhold|refuse|decline)\b",
    rf"(?:^|[.!?;:,]\s+)\W*(?:please\s+)?(?:do\s+not|don['’]t|never)\s+(?:\w+\s+)?{_SAY_EN}\b",
    rf"\b(?:I|we)(?:['’]ll|['’]d|\s+will|\s+would|\s+shall|\s+could|\s+might)\s+(?:\w+\s+){{0,2}}{_SAY_EN}\b"
    r"[^.!?]{0,80}\b(?:once|when|if|after|as\s+soon\s+as|unless|only|then)\b|\bthen\s+(?:will|can|would|may)\s+I\b",
    r"\b(?:it|that|this)(?:['’]s|\s+is|\s+would\s+be)\s+(?:far\s+)?(?:too\s+(?:early|soon)|premature)\b",
    r"\bstill\s+(?:fail|fails|failing|missing|broken|open|to\s+do|wrong|red)\b",
    r"\bwork\s+(?:still\s+)?remains\b|^\W*(?:it|this|that|the\s+(?:build|tests?|suite|checks?))\s+(?:still\s+)?fails?\W*$",
    r"^\W*(?:please|first,?)\s+(?:fix|run|add|write|mend|repair|go\s+on)\b|^\W*fix\s+(?:the|this|that|these|those|it|all)\b",
    r"\b(?:verdict|conclusion|result|status|decision|outcome|fazit|ergebnis|resultado|conclusión)\W{1,6}"
    r"(?:fail(?:ed|s|ure)?\W*$|rejected|denied|refused|incomplete|unfinished)",
    # None of 12 tests fail where one of these words stands.
    r"^(?!.*\b(?:none|no|0|zero|neither|not|longer)\b).*?(?<![\w.])[1-9]\d*\s+(?:\w+\s+){0,2}"
    r"(?:fail|fails|remain|remains|(?:is|are)\s+(?:still\s+)?(?:failing|missing|left|open))\b",
    # German, Spanish, French, Portuguese
    r"\bnoch\s+nicht\b|\bnicht\s+(?:fertig|abgeschlossen|erledigt|vollständig|bereit|bestanden)\b",
    r"\bnicht\s+(?:sagen|schreiben|bestätigen|geben|ausgeben|behaupten|freigeben)\b",
    r"\b(?:todavía|aún|ainda)\s+n(?:o|ão)\b|\bno\s+est[áa]n?\s+(?:termin|complet|list|hech|acab)",
    r"\bno\s+(?:puedo|voy\s+a|debo|quiero)\s+(?:decir|escribir|confirmar|dar|aprobar)",
    r"\bpas\s+encore\b|\bpas\s+(?:terminé|fini|complet|prêt)|\bne\s+(?:peux|veux|vais|dois)\s+pas\s+(?:le\s+)?(?:dire|écrire|confirmer)",
    r"\bnão\s+(?:est[áa]|posso|vou)\s+(?:termin|complet|pront|dizer|escrever|confirmar)",
    # Chinese: what does not exist and is not done is done, and so is what was not done before
    r"(?<!没有)(?<!不存在)(?<!无)(?<!发现)(?<!任何)(?:还没|尚未|还未|并未|仍未|暂未|远未"
    r"|(?:未|没有?)(?:完成|达标|做完)(?![的项部事工内])|不达标|不合格)",
    r"(?:^\W*|[，,；;：:]\s*|(?:我们?|目前|现在|暂时|因此|所以|还)\w{0,2}?)"
    r"(?:不能|无法|不会|不应该?|不可以?|不要|(?<![分特级区类识判差个])别(?![的人])|拒绝|不得|不宜|暂不|先不|不予|不便|不打算|不愿意?)"
    r"\w{0,4}?(?:说|写|输出|给出|打印|批准|允许|同意|声明|宣布|认定|判定|认为|算|视为|放行)",
    r"(?<![\d.])[1-9]\d*\s*[个项条处]\w{0,4}?(?<!无一)(?<!没有)(?<!不再)(?:失败(?!的?(?:测试|用例|项|案))|不通过|未通过|报错)",
    r"仍(?:然|旧)?(?:失败|报错|有|缺|不)|还有(?:未|[1-9]|一?些|几|问题|失败)|为时(?:过|尚)早|^请先?(?:修|补|运行|完成|继续)"
    r"|(?:结论|结果|判定|状态)\W{0,4}(?:不通过|未通过|不合格|失败|拒绝|驳回)",
    # Japanese, Korean
    r"まだ|未完了|(?:完了|完成|終了)して(?:い)?(?:ません|ない)|終わって(?:い)?(?:ません|ない)",
    r"(?:言え|書け|出せ|認められ|言い|書き|出し)(?:ません|ない)|아직|(?:끝나|완료되)지\s*않",
)
_CONDITION = any_case(
    r"^\W*(?:if|once|when|whenever|unless|until|till|only|as\s+(?:soon|long)\s+as|provided|providing|assuming|suppose"
    r"|supposing|in\s+case|were|had|then|otherwise|wenn|falls|sobald|sofern|solange|erst|nur|dann|si|cuando|s[óo]lo"
    r"|en\s+cuanto|una\s+vez|hasta|entonces|quand|lorsque|d[èe]s|seulement|alors|quando|assim\s+que)\b",
    r"^\W*(?:如果|若|假如|假设|倘若|要是|一旦|只有|只要|除非|等|待|当|直到|那时|到时|届时|否则|然后|もし|その(?:後|とき))",
    r"(?:たら|なら|れば)[、,]|\b(?:if|once|unless|until)\s+(?:and\s+only\s+|it|this|that|they|these|those|all|the)\b",
    r"(?:之后|以后|才能|才可以?|才会|再(?:说|写|输出|给))",
)
_DOUBT = any_case(
    r"\b(?:not|never|cannot|no|nor|neither|without|if|once|when|unless|until|only|would|should|could|may|might|will"
    r"|must|then|before|after|refuse|yet|still|but|except|almost|nearly|partly|half|supposed|claims?|claimed|says?|said"
    r"|wrote|writes?|prints?|output|ends?|with|please|to|shall|can|expect|expected|example|instead|whether|had|were)\b",
    r"n['’]t\b|['’](?:ll|d)\b",
    r"[不没未非别]|如果|若|假如|除非|等|才|只有|之后|再|说|写|输出|请|应|须|需|还|但|差|几乎|声称|自称|例如|假设",
    r"\b(?:nicht|kein\w*|wenn|falls|sobald|erst|nur|noch|würde|soll\w*|kann|aber|fast|si|cuando|s[óo]lo|hasta|aún"
    r"|todavía|pero|casi|ne|pas|quand|seulement|mais|presque|não|quando|mas)\b",
    r"まだ|ない|ません|もし|たら|なら|れば|けど|아직|않|못",
)
_STATUS = any_case(
    r"(?:\b(?:done|completed?|finished|fine|good|great|perfect|ok|okay|lgtm|approved|accepted|pass|passes|passed|passing"
    r"|green|met|satisfied|verified|correct|works|well|fulfilled|clean|fertig|erledigt|bestanden|abgeschlossen|gut"
    r"|ordnung|grün|hecho|terminad[oa]|completad[oa]|completo|correcto|bien|listo|pasan|terminé|réussi|bon|pronto)"
    r"|完成|做完|通过|达标|合格|完毕|满足|无误|正确|没有?问题|无可挑剔|完美|良好|完了(?:です|しました)?|問題なし|完了)[\s*_`!✅]*$",
)
_LEADS_ON = any_case(
    r"\b(?:say|says|said|write|writes|wrote|print|prints|printed|output|emit|answer|reply|add|append|with|as|be|is|are"
    r"|was|the|a|an|my|your|this|to|for|of|by|from|than|until|then|and|or|but|not|if|when|because|schreibe|sagen|schreiben|mit|und"
    r"|decir|escribir|con|y|dire|écrire|avec|et)\W*$",
    r"(?:说|写|输出|打印|回复|回答|给出|写上|写下|写出|标记|は|を|と|に|で|和|与|的|为|是)$",
)

_LABEL_PART = (
    r"(?:a|an|as|below|final|here|in|is|its|it|my|of|our|overall|review|reviewer(?:['’]?s)?|supervisor|the|this|work"
    r"|das|ist|mein|meine|el|la|mi|es|le|ma|mon|est|finale)"
)
_LABEL_NOUN = (
    r"(?:verdict|conclusions?|results?|decision|status|assessment|summary|outcome|judge?ment|answer|json|findings"
    r"|evidence|ruling|fazit|ergebnis|urteil|entscheidung|bewertung|zusammenfassung|conclusión|veredicto|resultado"
    r"|decisión|resumen|résultat|décision|conclusão|veredito|decisão|вывод|вердикт|итог|заключение)"
)
_LABEL = any_case(rf"(?:{_LABEL_PART} )*{_LABEL_NOUN}(?: (?:{_LABEL_PART}|{_LABEL_NOUN}))*")
_LABEL_CJK = Lazy(
    r"(?:最终|审查|评审|我的|总体|本次|综合|最終|レビュー|総合|최종)*"
    r"(?:结论|结果|判定|判断|裁定|裁决|总结|评价|状态|答案|意见|依据|審査結果|結論|結果|総評|결론|판정|결과)(?:如下|为|是)?"
)
_LABEL_LENGTH = 60
_LABEL_MARKS = Lazy(r"[*_`#()（）【】:：\s]+")


def denies(sentence: str) -> bool:
    """Whether it says that the work is not done, or that its author will not say so."""
    return bool(sentence and _DENIAL.search(sentence[-SENTENCE_LIMIT:]))


def conditions(sentence: str) -> bool:
    """Whether it begins by saying when something would hold."""
    return bool(_CONDITION.search(sentence[-SENTENCE_LIMIT:]))


def doubtful(words: str) -> bool:
    """Whether words without an end could turn what follows them around."""
    known = _STATUS.sub("", words[-SENTENCE_LIMIT:])
    return denies(words) or leads_on(words) or bool(_DOUBT.search(known))


def is_status(words: str) -> bool:
    return bool(_STATUS.search(words[-SENTENCE_LIMIT:]))


def leads_on(words: str) -> bool:
    """Whether its last word waits for what follows."""
    return bool(_LEADS_ON.search(words[-SENTENCE_LIMIT:]))


def is_label(words: str) -> bool:
    """Whether it only names what follows: `Verdict:`, `My final conclusion`, `审查结论：`."""
    if len(words) > _LABEL_LENGTH:
        return False
    bare = _LABEL_MARKS.sub(" ", words).strip()
    return bool(_LABEL.pattern.fullmatch(bare) or _LABEL_CJK.pattern.fullmatch(bare.replace(" ", "")))
