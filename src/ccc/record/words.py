"""Who sent the agent back, in words.

Rule: one phrase for each sender and language, for every place that shows it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccc.model import ByCheck, ByGate, ByReviewer, Rule, Sender

_REVIEWER = {"en": "the reviewer", "zh": "审查者"}
_CHECK = {"en": "a check", "zh": "检查"}
_RULES: Mapping[str, Mapping[Rule, str]] = {
    "en": {
        Rule.ONLY_ASKED: "the gate: it only asked",
        Rule.NOT_VERIFIED: "the gate: the change was not tried",
        Rule.CHECK_FAILED: "the gate: a check failed last",
    },
    "zh": {
        Rule.ONLY_ASKED: "规则：只提问、没有动手",
        Rule.NOT_VERIFIED: "规则：改动没有验证过",
        Rule.CHECK_FAILED: "规则：最后一次检查没有通过",
    },
}


def sender(by: Sender | None, lang: str) -> str:
    """ "" for one that this version does not know."""
    match by:
        case ByReviewer():
            return _REVIEWER[lang]
        case ByCheck():
            return _CHECK[lang]
        case ByGate(rule):
            return _RULES[lang][rule]
        case None:
            return ""
