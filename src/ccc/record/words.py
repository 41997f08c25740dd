"""Who sent the agent back and what a request cost, in words.

Rule: one phrase for each sender, each amount and each language, for every place that shows it.
"""

from __future__ import annotations

from collections.abc import Callable

from ccc.base.messages import Phrases
from ccc.model import Bill, ByCheck, ByGate, ByReviewer, Rule, Sender

_OTHERS = Phrases("sender", {ByReviewer: "the reviewer", ByCheck: "a check"})
_RULES = Phrases(
    "sender",
    {
        Rule.ONLY_ASKED: "the gate: it only asked",
        Rule.NOT_VERIFIED: "the gate: the change was not tried",
        Rule.CHECK_FAILED: "the gate: a check failed last",
    },
)


_MONEY = Phrases(
    "money",
    {
        "both": "agent {agent}, reviews {reviews}",
        "at_least": "at least {amount}",
        "unknown": "unknown",
    },
)


def dollars(amount: float) -> str:
    if not amount:
        return "$0"
    return f"${amount:.2f}" if amount >= 1 else f"${amount:.4f}"


def agents_share(bill: Bill, lang: str, spelt: Callable[[float], str] = dollars) -> str:
    """What the agent cost, as far as anybody can tell."""
    if bill.agent_usd is None:
        return _MONEY[lang]["unknown"]
    amount = spelt(bill.agent_usd)
    return _MONEY[lang]["at_least"].format(amount=amount) if bill.at_least else amount


def money(bill: Bill, lang: str) -> str:
    """Both figures."""
    return _MONEY[lang]["both"].format(agent=agents_share(bill, lang), reviews=dollars(bill.reviews_usd))


def sender(by: Sender | None, lang: str) -> str:
    """Nothing for one that this version does not know."""
    match by:
        case None:
            return ""
        case ByGate(rule):
            return _RULES[lang][rule]
        case _:
            return _OTHERS[lang][type(by)]
