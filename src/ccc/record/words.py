"""Who sent the agent back, what a request cost and what it waits for, in words.

Rule: one phrase for each sender, each amount and each language, for every place that shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ccc.base.messages import Message, Phrases, msg
from ccc.base.text import one_line
from ccc.model import Bill, ByCheck, ByGate, ByReviewer, Outcome, Rule, Sender
from ccc.record.events import Changed
from ccc.record.session import moment

GONE_ON = msg("the agent has gone on since this review began, so its next stop is reviewed as well")
_OTHERS = Phrases("sender", {ByReviewer: "the reviewer", ByCheck: "a check"})
_RULES = Phrases(
    "sender",
    {
        Rule.ONLY_ASKED: "the gate: it only asked",
        Rule.NOT_VERIFIED: "the gate: the change was not tried",
        Rule.FALSE_CLAIM: "the gate: the tools do not show what it claims",
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


# Where it stands for itself, as guide and exit codes name it.
_ENDINGS = Phrases(
    "ending",
    {
        Outcome.COMPLETED: "completed",
        Outcome.LIMIT: "limit",
        Outcome.UNREVIEWED: "unreviewed",
        Outcome.NEEDS_HUMAN: "needs_human",
        Outcome.OFF: "off",
        Outcome.INTERRUPTED: "interrupted",
    },
)


def outcome_word(outcome: Outcome, lang: str) -> str:
    """How a request ended, in one word."""
    return _ENDINGS[lang][outcome]


def outcome_told(outcome: Outcome) -> Message:
    """The same for whoever does not know the person's language."""
    return _ENDINGS.message(outcome)


def dollars(amount: float) -> str:
    """The one spelling of an amount, wherever a person reads it."""
    if not amount:
        return "$0"
    if round(amount, 4) >= 1:
        return f"${amount:.2f}"
    return f"${amount:.4f}" if amount >= 0.0001 else "<$0.0001"


def agents_share(bill: Bill, lang: str, spelt: Callable[[float], str] = dollars) -> str:
    """What the agent cost, as far as anybody can tell."""
    if bill.agent_usd is None:
        return _MONEY[lang]["unknown"]
    amount = spelt(bill.agent_usd)
    return _MONEY[lang]["at_least"].format(amount=amount) if bill.at_least else amount


def money(bill: Bill, lang: str) -> str:
    """Both figures, and what each provider had of them where there were several."""
    both = _MONEY[lang]["both"].format(agent=agents_share(bill, lang), reviews=dollars(bill.reviews_usd))
    return f"{both} ({shares(bill)})" if bill.shares else both


def shares(bill: Bill, spelt: Callable[[float], str] = dollars) -> str:
    """What each provider had of a bill."""
    parts = ((named(each.provider), each.agent_usd + each.reviews_usd) for each in bill.shares)
    return ", ".join(f"{name} {spelt(amount)}" for name, amount in parts)


def waiting(kind: str, provider: str | None, until: datetime, now: datetime) -> Message:
    """What keeps the model away (weather's kinds), and until when."""
    seconds = (until - now).total_seconds()
    soon = msg("at once") if seconds < 0.5 else span(seconds)
    told = {"provider": named(provider), "time": clock(until), "span": soon}
    match kind:
        case "limit":
            return msg("waiting for the limit of {provider} until {time} ({span})", **told)
        case "open_limit":
            return msg("{provider} has a limit, nobody says until when; asking again at {time} ({span})", **told)
        case "overloaded":
            return msg("{provider} is overloaded; asking again at {time} ({span})", **told)
        case _:
            return msg("{provider} cannot be reached; asking again at {time} ({span})", **told)


def named(provider: str | None) -> str:
    """The client's own login has no name."""
    return one_line(provider or "claude", 64)


def changed(event: Changed) -> Message:
    """From whom to whom, and why."""
    told = {"provider": named(event.provider), "to": named(event.to)}
    until = moment(event.until)
    match event.by:
        case "":
            return msg("{to} may be back; this request goes to it", **told)
        case "limit" if until:
            return msg("{provider} has a limit until {time}; {to} goes on", time=clock(until), **told)
        case "limit":
            return msg("{provider} has a limit, nobody says until when; {to} goes on", **told)
        case "money":
            return msg("there is no money left at {provider}; {to} goes on", **told)
        case "overloaded":
            return msg("{provider} is overloaded; {to} goes on", **told)
        case "network":
            return msg("{provider} cannot be reached; {to} goes on", **told)
        case _:
            return msg("{provider} fails ({said}); {to} goes on", said=one_line(event.said, 160), **told)


def clock(at: datetime) -> str:
    """On the person's clock, with the day where it is not today's."""
    try:
        here, today = at.astimezone(), datetime.now().astimezone()
    except OverflowError:  # at the end of all time, in a file that somebody else has written
        return at.isoformat(timespec="minutes")
    return here.strftime("%H:%M" if here.date() == today.date() else "%Y-%m-%d %H:%M")


def span(seconds: float) -> Message:
    minutes, rest = divmod(max(0, int(seconds + 0.5)), 60)
    if not minutes:
        return msg("{count} s", count=rest)
    hours, minutes = divmod(minutes, 60)
    return msg("{hours} h {minutes} min", hours=hours, minutes=minutes) if hours else msg("{count} min", count=minutes)


def took(seconds: float) -> Message:
    """To a tenth, for what a tool or a check took."""
    return msg("{count} s", count=f"{seconds:.1f}")


def sender(by: Sender | None, lang: str) -> str:
    """Nothing for one that this version does not know."""
    match by:
        case None:
            return ""
        case ByGate(rule):
            return _RULES[lang][rule]
        case _:
            return _OTHERS[lang][type(by)]
