"""Who sent the agent back, in words.

Rule: one phrase for each sender and language, for every place that shows it.
"""

from __future__ import annotations

from ccc.base.messages import Phrases
from ccc.model import ByCheck, ByGate, ByReviewer, Rule, Sender

_OTHERS = Phrases("sender", {ByReviewer: "the reviewer", ByCheck: "a check"})
_RULES = Phrases(
    "sender",
    {
        Rule.ONLY_ASKED: "the gate: it only asked",
        Rule.NOT_VERIFIED: "the gate: the change was not tried",
        Rule.CHECK_FAILED: "the gate: a check failed last",
    },
)


def sender(by: Sender | None, lang: str) -> str:
    """Nothing for one that this version does not know."""
    match by:
        case None:
            return ""
        case ByGate(rule):
            return _RULES[lang][rule]
        case _:
            return _OTHERS[lang][type(by)]
