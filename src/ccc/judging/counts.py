"""Numbers beside words for faults and checks, said in words: `0 failed` is good news, `9 of 10 tests pass` is not.

Rule: pure and linear; a number alone says nothing, and what is put in its place is a word that `negations` knows.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re

from ccc.base.patterns import Lazy, any_case

_FAULT = (
    r"(?:fail(?:ed|ures?|ing|s)?|errors?|warnings?|problems?|issues?|bugs?|defects?|skipped|crash(?:es|ed)?"
    r"|regressions?|informations?|offenses?|vulnerabilit(?:y|ies)|findings?|échou\w+|échecs?|erreurs?|fehler"
    r"|fehlgeschlagen\w*"
    r"|fallos?|fallaron|fallas?|fallidas?|errores|falhas?|falharam|erros?|fallit[oaie]|errori|mislukt\w*|fouten"
    r"|ошиб\w+|упал\w*|провал\w*|błęd\w+|hata\w*"
    r"|失败|失敗|错误|錯誤|エラー|警告|不具合|问题|問題|缺陷|异常|실패|오류|경고)"
)
_UNIT = r"\s*(?:[个個件项項条處处]|개의?|건의?)?\s*(?:的|の)?\s*"
_CHECKED = (
    r"(?:tests?|checks?|cases?|specs?|criteri\w+|requirements?|tasks?|steps?|items?|points?|goals?|endpoints?|files?"
    r"|score|rating|overall|progress|bugs?|fixed|resolved|met|pass\w*|complet\w+|done|green|prüfungen|anforderungen"
    r"|bestanden"
    r"|essais"
    r"|réuss\w+|pruebas"
    r"|pasan|testes|passam|superat\w+|prove|geslaagd|slagen|тест\w*|проход\w*"
    r"|测试|測試|用例|通过|通過|完成|テスト|合格|테스트|통과)"
)
_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_N = rf"(\d{{1,6}}|{'|'.join(_NUMBER_WORDS)})"

_NO_FAULT = any_case(
    rf"(?<![\w.,/-])(?:0|zero|零|ゼロ|没有|沒有|无|無){_UNIT}(?:of (?:the )?\d{{1,6}} )?(?:\w{{1,12}} ){{0,2}}"
    rf"{_FAULT}(?!\w*[:：=]?\s?[1-9]|[\s-](?:handling|messages?|pages?|paths?|cases?|codes?)|处理|處理|信息|提示)",
    rf"{_FAULT}(?:数|數|数量|\stests?)?(?:\s?[*:：=(]|\s?[はがも为是為]|\s)*(?:0|零|ゼロ|zero)(?![\d.,%/]*\d){_UNIT}",
)
_NAMES_NONE = any_case(
    rf"\b(?:no|without(?:\sany)?)\s(?:\w+\s){{0,2}}{_FAULT}(?:\s(?:or|and)\s{_FAULT})?(?:\s(?:found|left|detected"
    rf"|reported))?\b"
)
_SOME_FAULTS = any_case(rf"{_FAULT}\s?[:：=]\s?[1-9]")
_RATIO = any_case(
    rf"(?<![\w.,/-]){_N}(?:\s(?:tests?|checks?|pruebas|testes|тестов))?\s?(?:/|of(?:\s(?:the|its|our))?"
    rf"|out\sof(?:\sthe)?|von|sur|de(?:\slas|\slos)?|di|su|van(?:\sde)?|из)\s?"
    rf"{_N}(?![\w/.]*\d)"
)
_OF_WHICH = any_case(rf"\b{_N}\s\w+,?\s{_N}\sof\s(?:which|them)\b")
_OF_SO_MANY = Lazy(r"(\d{1,6})\s*[个個]\w{0,6}[里裡中][\w\s]{0,8}?(\d{1,6})\s*[个個]")
# Nothing is left to do, and nothing was harmed.
_HARM = r"(?:delet|skip|weaken|disabl|break|broke|regress|leak|lose|lost|object|(?:need|have)\sto\s|any\s?more)\w*"
_AT_PEACE = any_case(
    r"(?:\bnothing|(?:n['’]t|\bnot)\s(?:\w+\s){0,2}anything|\bno\s(?:further|more|other|remaining|open|outstanding"
    r"|next))\b[^.,;]{0,30}"
    r"\b(?:left|to\s(?:do|add|object|improve|say|fix|report|test)|in\sthe\sway|more|else|remains?|missing|needed"
    r"|required|necessary"
    r"|action|steps?|desired|objec\w+|needs?|ha(?:s|ve)\sto)\b"
    r"(?:\s(?:to\s)?(?:be\s)?(?!but\b|and\b|except\b|because\b|so\b)\w+)?",
    r"\bno\s(?:secrets?|credentials?|keys?|unrelated\s\w+|debug\s\w+|side\seffects?|dead\scode|other\sfiles?)\b"
    r"(?:\s(?:is|are|was|were)\s(?!missing|lost)\w+(?:\sin\b)?)?",
    r"\bno\s(?:reasons?|need|cause|grounds)\s(?:to|for)\s(?:continu|keep|go\son|send|hold|another|further|more|block"
    r"|withh|refus)\w*"
    r"[^.,;]{0,30}",
    rf"(?:\b(?:no|not|never|nor|neither)|n['’]t)\s(?:(?!and|but|so|because|yet)\w+\s){{0,3}}{_HARM}(?:\s(?:or"
    rf"|nor)\s{_HARM})?",
    r"\b(?:nichts\s(?:mehr\s|weiter\s)?(?:zu|offen|übrig)|нечего\s(?:больше\s)?\w+|(?:plus\s)?rien\sà"
    r"|rien\sne\s(?:manque|reste)"
    r"|ne\sreste\s(?:plus\s)?rien(?:\sà)?"
    r"|nada\s(?:por|que|pendiente|a)|(?:niente|nulla)\sda|non\smanca\s(?:nulla|niente)|niets\s(?:meer\s)?te"
    r"|ничего\sне\s(?:осталось|пропущено))\b"
    r"(?:\s(?:faire|signaler|redire|hacer|fazer|fare|doen|tun|beanstanden))?",
    r"\b(?:ne|n[ãa]o|non)\s(?:s[ei]\s)?(?:re?produ\w+|oc+or+\w+|verific\w+|appara\w+)\s(?:plus|mais|più)\b",
    r"(?:\bnot|n['’]t)\s(?:touch|chang|modif|alter)\w*\sanything\s(?:outside|else|other)|[没沒]有?(?:修改|改[动動]"
    r"|[触觸]碰)[^，。；]{0,4}(?:[无無][关關]|其他)",
    r"(?:[没沒]有?|[无無]|未[发發][现現])[^，。；不没未]{0,8}(?:[删刪]除|跳[过過]|破[坏壞]|回[归歸]|退化|削弱"
    r"|[遗遺]漏)(?:任何\w{1,4}|现有功能)?",
    r"\b(?:no|keine?|ohne|aucune?|sans|sin|ning\w+|sem|nenhuma?|nessun\w*|senza|geen|zonder|без|нет)\s(?:further\s"
    r"|other\s)?"
    r"(?:remarks?|notes?|comments?|complaints?|concerns?|feedback|beanstandung\w*|anmerkung\w*|remarques?|réserves?"
    r"|observaciones|comentarios|pend[eê]nci\w*|observaç\w+|osservazion\w+|opmerking\w*|замечани\w*|претензи\w*)\b",
    r"[没沒无無]有?(?:意[见見]|[异異][议議])|[没沒]有?(?:其他|别的)[^，。；]{0,4}(?:需要|要)[^，。；]{0,8}|は不要\w*|할\s일이\s없\w*",
    r"[没沒]有未\w{1,4}的[测測][试試]|[没沒]有未完成的\w{1,2}",
    r"(?:[不无無毋][需须須必]要?|不用|[没沒]有?必要)[^，。；]{0,10}",
)
_EXITED = any_case(
    r"\b(?:exit|return)(?:s|ed)?(?:\s(?:code|status|value|with|is|was|of|a))*\s?[:=]?\s?(\d{1,3})(?![\d.,]*\d)"
)
_SHARE = any_case(
    r"(?<![\d.])(\d{1,2})(?:\.\d+)?\s?(?:%|per\s?cent|Prozent|pour\scent|por\sc[ie]ento)\s?(?:of\s\w+\s)?(?:complete"
    r"|done|finished|there|ready|fertig|fait|完成)",
    r"\b([1-9]\d?)\s(?:more\s)?(?:to\sgo|left\sto\sgo)\b",
    r"(?:progress|status|done|complete[d]?|进度|進度|完成度|完成率|進捗|진행)\W{0,4}(\d{1,2})(?:\.\d+)?\s?%",
)
_MENDED = any_case(r"\b(?:fixed|mended|resolved|solved|closed|corrected|addressed)\b")
_ABOUT_CHECKS, _ABOUT_FAULTS = any_case(_CHECKED), any_case(_FAULT)
_JOINED = Lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def in_words(clause: str) -> str:
    """The clause with its counts as words for good or bad."""
    if not _HAS_COUNT.search(clause):
        return clause
    clause = _AT_PEACE.sub(lambda found: _word(found, True), clause)
    said = _NO_FAULT.sub(lambda found: _word(found, True), clause)
    said = _SOME_FAULTS.sub(lambda found: _word(found, False), said)
    said = _OF_SO_MANY.sub(lambda found: _word(found, int(found[1]) <= int(found[2])), said)
    said = _EXITED.sub(lambda found: f",{_word(found, int(found[1]) == 0)}", said)
    said = _SHARE.sub(lambda found: _word(found, False), said)
    if not _ABOUT_CHECKS.search(said):
        return said
    return _RATIO.sub(lambda found: _ratio(found, _counts_faults(said, found)), said)


def without_none(words: str) -> str:
    """The words without what says, in the form of a tool, that there is no fault: `no issues found`."""
    return _NAMES_NONE.sub(" ", words)


def too_few(sentence: str) -> bool:
    """Whether it counts fewer good ones than there should be: `9 of 10 tests pass`, `80 % done`."""
    if not _HAS_COUNT.search(sentence):
        return False
    if _SHARE.search(sentence) or any(int(found[1]) > int(found[2]) for found in _OF_SO_MANY.finditer(sentence)):
        return True
    if any(_number(found[1]) > _number(found[2]) for found in _OF_WHICH.finditer(sentence)):
        return True
    return bool(_ABOUT_CHECKS.search(sentence)) and any(
        _number(found[1]) < _number(found[2]) and not _counts_faults(sentence, found)
        for found in _RATIO.finditer(sentence)
    )


_BAD, _WELL = (" fails ", "失败"), (" passed ", "通过")
_HAS_COUNT = any_case(
    rf"\d|零|ゼロ|[没沒无無毋未不없]|\b(?:no|not|nor|never|neither|nothing|nichts|rien|nada|niente|nulla|niets|ничего|нечего"
    rf"|keine?|ohne|aucune?|sans|sin|ning\w+|sem|nenhuma?|nessun\w*|senza|geen|zonder|без|нет|non|ne|não"
    rf"|{'|'.join(_NUMBER_WORDS)})\b|n['’]t\b"
)


def _counts_faults(sentence: str, found: re.Match[str]) -> bool:
    return bool(_ABOUT_FAULTS.search(sentence[found.end() :])) and not _MENDED.search(sentence)


def _ratio(found: re.Match[str], of_faults: bool) -> str:
    some, all_ = _number(found[1]), _number(found[2])
    return _word(found, not of_faults and some >= all_ > 0)


def _number(digits: str) -> int:
    return int(digits) if digits.isdecimal() else _NUMBER_WORDS.index(digits.lower())


def _word(found: re.Match[str], good: bool) -> str:
    spaced, joined = _WELL if good else _BAD
    return joined if _JOINED.search(found.string) else spaced
