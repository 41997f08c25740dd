"""Words that only name a verdict (`Verdict:`, `审查结论：`), and the adverbs that draw a conclusion (`Therefore,`).

Rule: pure; a name is short, made of words from these tables alone, and says nothing about the work.
"""

from __future__ import annotations

from ccc.base.patterns import Lazy, any_case

_LABEL_PART = (
    r"(?:a|an|as|below|final|here|in|is|its|it|my|of|our|overall|review|reviewer(?:['’]?s)?|supervisor|the|this"
    r"|work|task|based|on|above"
    r"|das|ist|mein|meine|el|la|mi|es|le|ma|mon|est|finale|final|il|lo|de|het|mijn|mój|moja|nihai|ostateczny|cuối"
    r"|cùng|мой|итоговый|таким|образом)"
)
_LABEL_NOUN = (
    r"(?:verdict|conclusions?|results?|decision|status|assessment|summary|outcome|judge?ment|answer|json|findings"
    r"|evidence|ruling|fazit|ergebnis|urteil|entscheidung|bewertung|zusammenfassung|conclusión|veredicto|resultado"
    r"|decisión|resumen|résultat|décision|conclusão|veredito|decisão|dictamen|verdict|avis"
    r"|verdetto|conclusione|risultato|esito|decisione|giudizio|oordeel|conclusie|resultaat|besluit|beslissing"
    r"|uitslag|eindoordeel"
    r"|werdykt|wniosek|wynik|decyzja|podsumowanie|karar|sonuç|hüküm|değerlendirme|kết luận|phán quyết|kết quả"
    r"|الحكم|النتيجة|القرار|الخلاصة|вывод|вердикт|итог|заключение|решение|результат|slutsats|omdöme|निष्कर्ष)"
)
_LABEL = any_case(rf"(?:{_LABEL_PART} )*{_LABEL_NOUN}(?: (?:{_LABEL_PART}|{_LABEL_NOUN}))*")
_LABEL_CJK = Lazy(
    r"(?:最终|审查|评审|我的|总体|本次|综合|任务|審查|評審|審核|总的|最終|總體|任務|レビュー|審査|総合|최종|검토"
    r"|리뷰)*"
    r"(?:结论|结果|判定|判断|裁定|裁决|总结|评价|状态|答案|意见|依据|結論|結果|判斷|裁決|總結|評價|狀態|総評|결론"
    r"|판정|결과)(?:如下|为|是|為)?"
)
# With a comma or a colon after them, and nothing else, they say that what follows is the conclusion.
_CONCLUSIVE = any_case(
    r"(?:so|therefore|thus|hence|accordingly|consequently|in (?:conclusion|summary|short|sum)|to (?:conclude|sum"
    r" up)|finally|overall|all in all"
    r"|i (?:therefore|thus|hence) conclude|daher|somit|also|folglich|donc|ainsi|en conclusion|por (?:lo )?tanto"
    r"|portanto|en conclusión|quindi|dunque"
    r"|in conclusione|dus|daarom|kortom|итак|следовательно|таким образом)",
    r"因此|所以|综上(?:所述)?|綜上(?:所述)?|总之|總之|故此?|由此|したがって|よって|以上より|따라서|그러므로",
)
_AROUND = " \t*_`✅✔☑🎉👍\ufe0f"
_PAUSES = (":", "：", ",", "，", "、")
_LABEL_LENGTH = 60
_LABEL_MARKS = Lazy(r"[*_`#()（）【】:：,，、✅✔☑🎉👍\ufe0f\s]+")


def is_label(words: str) -> bool:
    """Whether it only names what follows: `Verdict:`, `My final conclusion`, `审查结论：`, `Therefore,`."""
    if len(words) > _LABEL_LENGTH:
        return False
    bare = _LABEL_MARKS.sub(" ", words).strip()
    if _CONCLUSIVE.pattern.fullmatch(bare):
        return words.rstrip(_AROUND)[-1:] in _PAUSES
    return bool(_LABEL.pattern.fullmatch(bare) or _LABEL_CJK.pattern.fullmatch(bare.replace(" ", "")))
