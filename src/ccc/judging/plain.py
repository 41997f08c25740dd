"""Whether an answer is a permission and says nothing but that: alone, under a label, or after a few plainly good words.

Rule: pure, and no guessing. A short list of sentences is plainly good; whatever is not on it is not read but asked
about (docs/decisions/0020-ask-instead-of-guessing.md), so the list may be short and must hold nothing doubtful.
"""

from __future__ import annotations

import re

from ccc.base.patterns import pattern

LENGTH = 400  # who says more than this says something

# What a fence is called is a word as well.
_FENCE = pattern(r"(?:\A|\n)(`{3,8}|~{3,8})(?:json|text|txt|plaintext|markdown|md)?[ \t]*\n\s*\Z")
_CLAUSES = pattern(r"[.!;,:](?=[\s*_])|[。！；，：\n]")
_BULLET = pattern(r"\A\s*(?:[-+*•]|#{1,6}|\d{1,2}\.)\s+")
_BLANK = " \t\n　"
_EMPHASIS = _BLANK + "*_✅✔☑🎉👍\ufe0f"
_ENDS = ("", ".", "!", "。", "！")  # dots in a row leave something unsaid

_BARE = dict.fromkeys(map(ord, _EMPHASIS + "`"))

_WHOLE = (
    r"(?:(?:all(?: of)?(?: the)?(?: [1-9]\d{0,5})?|the|every|each|this) )?(?:whole |entire |requested |required )?"
    r"(?:tasks?|work|tests?|test suite|suite|checks?|requirements?|criteria|changes?|features?|items?|points?|build)"
)
_SUBJECT = rf"(?:everything|all(?: of it)?|it|{_WHOLE})"
_GOOD = (
    r"(?:done|complete|completed|finished|met|fulfilled|satisfied|verified|confirmed|implemented|passing|green|correct"
    r"|well|good|fine)"
)
_PREDICATE = (
    rf"(?:(?:is|are|has been|have been) (?:now |all |fully )?{_GOOD}(?: and {_GOOD})?"
    r"|pass(?:es|ed)?|works?(?: as (?:requested|required|specified))?)"
)
_ENGLISH = pattern(
    rf"(?:and )?{_SUBJECT} {_PREDICATE}(?: and {_SUBJECT} {_PREDICATE})?"
    r"|(?:everything|all) is in order"  # changes that are in order are still to be made
    r"|(?:all )?(?:done|good|clear|fine)|task completed?|approved|lgtm|yes"
    r"|(?:my )?(?:final )?(?:verdict|conclusion|decision|result)",
    re.IGNORECASE,
)
_CHINESE = pattern(
    r"(?:(?:所有|全部|整个|该|本|这个)?(?:任务|工作|测试|检查|用例|功能|改动)|一切|全部)(?:现在)?(?:已经|已)?(?:都|均|全部)?(?:已经|已)?"
    r"(?:完成|做完|通过|达标|实现|验证|正常)了?"
    r"|(?:所有|全部|各项)?(?:要求|需求)(?:都|均)?(?:已经|已)?(?:都|均)?(?:满足|达到|达成|实现)了?"
    r"|(?:已经|已)(?:全部)?(?:完成|做完|达标)了?|(?:审查|最终)?结论"
)


def permits(told: str, start: int, end: int) -> bool:
    """Whether the answer is the permission at told[start:end] and, before it, plainly good words at most."""
    before, after = told[:start], told[end:]
    fence = _FENCE.search(before)
    if fence:
        return after.strip() == fence[1] and is_good(before[: fence.start()])
    words = before.rstrip(_EMPHASIS + "`")
    own = before[len(words) :]
    over = after.translate(_BARE) in _ENDS
    return over and own.count("`") == after.count("`") and _ends(words, own) and is_good(words)


def _ends(words: str, own: str) -> bool:
    """Whether the words are over before the permission begins."""
    return not words or words[-1] in "。！：，" or own[:1] in (*_BLANK, *"*_")


def is_good(words: str) -> bool:
    """Whether each clause is on the list; no words at all are as well."""
    if len(words) > LENGTH:
        return False
    # Each of them on a line of its own may begin as an item of a list.
    lines = (_BULLET.sub("", line) for line in words.split("\n"))
    return all(_is_good_line(line) for line in lines if line.strip(_EMPHASIS))


def _is_good_line(line: str) -> bool:
    """A sign that ends nothing is a word: `! all tests pass` denies it."""
    *ended, last = (clause.strip(_EMPHASIS) for clause in _CLAUSES.split(f"{line} "))
    return all(map(_is_listed, ended)) and (not last or _is_listed(last))


def _is_listed(clause: str) -> bool:
    return bool(_ENGLISH.fullmatch(clause) or _CHINESE.fullmatch(clause))
