"""What happened, from the request to the outcome, as a list that reads from top to bottom.

Rule: pure; a closed thing (a long output, a reviewer's reading) is a <details>, so a keyboard and a reader reach it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count

from ccc.base.messages import said
from ccc.base.text import one_line
from ccc.model import ByCheck, ByReviewer, Outcome, Sender
from ccc.record.events import Changed, HeldUp
from ccc.record.session import moment
from ccc.record.words import changed, waiting
from ccc.showing.report.changes import shown_path
from ccc.showing.report.frame import chip, dotted
from ccc.showing.report.markup import Child, Html, joined, prose, tag
from ccc.showing.report.rounds import Allowed, Checked, Held, Remark, Request, Reviewed, Round, SentBack
from ccc.showing.report.words import Words, amount, clock, money
from ccc.showing.report.work import Answered, Asked, Said, Step, Used

STEPS_SHOWN = 14  # of one stretch of work; earlier ones are folded away
STEPS_KEPT = 400
BRIEF = 160


def timeline(request: Request, words: Words, project: str | None) -> Html:
    return tag("ol", _nodes(request, words, project), class_="timeline")


def _nodes(request: Request, words: Words, project: str | None) -> Iterator[Html]:
    numbers = count(request.omitted.reviews + 1)
    if request.omitted.rounds:
        yield _node("quiet", words["rounds_left_out"].format(n=request.omitted.rounds), None)
    for each in request.rounds:
        for _ in range(each.omitted.reviews):
            next(numbers)
        yield from _round(each, numbers, request, words, project)


def left_out(number: int, words: Words) -> Html | None:
    """The line that stands where something is missing."""
    return tag("p", words["left_out"].format(n=number), class_="quiet") if number else None


def _round(each: Round, numbers: Iterator[int], request: Request, words: Words, project: str | None) -> Iterator[Html]:
    steps = [step for step in each.steps if not isinstance(step, Answered)]
    if steps:
        yield _work(each, steps, request, words, project)
    elif each.last_message:
        told = tag("div", prose(each.last_message), class_="words")
        yield _node("agent", words["agent_works"], _since(each.begun, request), told, _stop(each, words))
    if each.omitted.entries:
        yield _node("quiet", words["left_out"].format(n=each.omitted.entries), None)
    for held in each.holds:
        yield _held(held, request, words)
    for check in each.checks:
        yield _check(check, request, words)
    for review in each.reviews:
        yield _review(review, next(numbers), each, request, words, project)
    for why in each.troubles:
        yield _node("bad", words["trouble"], None, tag("p", said(why, words.lang)))
    if each.decision:
        yield from _decision(each, request, words)


def _node(kind: str, title: Child, facts: Child, *content: Child) -> Html:
    aside = tag("span", facts, class_="when") if facts else None
    return tag("li", tag("h3", title, aside), *content, class_=f"node node-{kind}")


def _since(at: float, request: Request) -> Html:
    """When, on a clock that starts with the request."""
    return tag("span", clock(at - request.begun), class_="clock")


def _work(each: Round, steps: Sequence[Step], request: Request, words: Words, project: str | None) -> Html:
    failed = sum(call.ok is False for call in each.calls)
    facts = dotted(
        [
            _since(each.begun, request),
            words.duration(max(0.0, (each.stop or each.ended) - each.begun)),
            words.calls(len(each.calls)) if each.calls else None,
            words["failed_calls"].format(n=failed) if failed else None,
        ]
    )
    shown = [_step(step, words, project) for step in steps[-STEPS_KEPT:]]
    folded, open_ = shown[:-STEPS_SHOWN], shown[-STEPS_SHOWN:]
    missing = max(0, len(steps) - STEPS_KEPT)
    head = tag("summary", words["all_steps"].format(n=missing + len(folded)))
    earlier = tag("details", head, left_out(missing, words), folded) if folded else None
    return _node("agent", words["agent_works"], facts, earlier, open_, _stop(each, words))


def _stop(each: Round, words: Words) -> Html | None:
    if each.stop is None:
        return None
    attempt = words["attempt"].format(count=each.count, limit=each.limit) if each.limit else None
    return tag("p", dotted([words["asks_to_stop"], attempt]), class_="stop")


def _step(step: Step, words: Words, project: str | None) -> Html:
    match step:
        case Said():
            return tag("div", prose(step.text), class_="words")
        case Asked():
            return tag("div", tag("p", words["you"], class_="who"), prose(step.text), class_="words you")
        case Used():
            return _call(step, words, project)
        case Answered():
            return Html("")


def _call(call: Used, words: Words, project: str | None) -> Html:
    state = {True: "ok", False: "failed", None: "no_result"}[call.ok]
    # A screen reader gets the word; the mark is for eyes.
    mark = tag("span", {True: "✓", False: "✗", None: "…"}[call.ok], aria_hidden="true", class_=f"mark mark-{state}")
    line = joined(
        mark,
        tag("span", f"{words[state]}: ", class_="unseen"),
        tag("span", call.tool, class_="tool"),
        " ",
        tag("code", one_line(shown_path(call.about, project), BRIEF)) if call.about else None,
    )
    detail = _detail(call)
    if not detail:
        return tag("p", line, class_="call")
    return tag("details", tag("summary", line), detail, class_="call")


def _detail(call: Used) -> list[Html]:
    parts = []
    if "\n" in call.about or len(call.about) > BRIEF:
        parts.append(tag("pre", tag("code", call.about)))
    if call.result and call.edit is None:
        parts.append(tag("pre", tag("samp", call.result)))
    return parts


def _check(check: Checked, request: Request, words: Words) -> Html:
    code = words["exit_code"].format(code=check.code) if check.code is not None else words["not_run"]
    facts = dotted([_since(check.at, request), words.duration(check.seconds), None if check.passed else code])
    title = words["check_passed" if check.passed else "check_failed"]
    command = tag("code", one_line(check.command, BRIEF))
    return _node("good" if check.passed else "back", joined(title, " ", command), facts)


def _held(held: Held, request: Request, words: Words) -> Html:
    facts = [_since(held.at, request), words.duration(held.seconds) if held.seconds is not None else None]
    match held.what:
        case Changed():
            told = changed(held.what)
        case HeldUp(by, until, _, provider):
            at = datetime.fromtimestamp(held.at, UTC)
            told = waiting(by, provider, moment(until) or at, at)
    return _node("held", said(told, words.lang), dotted(facts), tag("p", held.what.said) if held.what.said else None)


def _review(review: Reviewed, number: int, each: Round, request: Request, words: Words, project: str | None) -> Html:
    facts = dotted(
        [
            _since(review.begun, request),
            words.duration(review.ended - review.begun) if review.ended else words["under_way"],
            money(review.cost_usd) if review.cost_usd else None,
            review.model or None if review.judge else None,
            words["n_tokens"].format(n=amount(review.tokens)) if review.tokens else None,
            words["n_cached"].format(n=amount(review.cached)) if review.cached else None,
            words["asked_again"] if review.asked_again else None,
        ]
    )
    kind, text = verdict(review)
    title = joined(words["review_n"].format(n=number), " ", chip(kind, words[text]))
    # What the decision says again is told by its own node, the next one.
    own = [text for text in (review.why, review.feedback) if text and text != _reason(each)]
    told = [tag("div", prose(said(text, words.lang)), class_="words") for text in own]
    return _node("review", title, facts, _remarks(review, words, project), told)


def _reason(each: Round) -> str:
    match each.decision:
        case SentBack(feedback=text) | Allowed(why=text):
            return text
    return ""


def verdict(review: Reviewed) -> tuple[str, str]:
    """How a review ended: the colour and the word."""
    match review.allow_stop:
        case True:
            return "good", "may_stop"
        case False:
            return "back", "not_done"
    return ("bad", "no_verdict") if review.ended else ("quiet", "under_way")


def _remarks(review: Reviewed, words: Words, project: str | None) -> Html | None:
    if not review.remarks:
        return None
    head = tag("summary", words["looked_at"].format(n=review.remarks_before + len(review.remarks)))
    lines = [_remark(each, project) for each in review.remarks]
    return tag("details", head, left_out(review.remarks_before, words), lines, class_="remarks")


def _remark(remark: Remark, project: str | None) -> Html:
    if not remark.tool:
        return tag("div", prose(remark.text), class_="words")
    about = tag("code", one_line(shown_path(remark.text, project), 300)) if remark.text else None
    return tag("p", tag("span", remark.tool, class_="tool"), " ", about, class_="call")


def _decision(each: Round, request: Request, words: Words) -> Iterator[Html]:
    match each.decision:
        case SentBack(at, by, feedback):
            facts = dotted([_since(at, request), words[_who(by)]])
            yield _node("back", words["sent_back"], facts, tag("blockquote", prose(feedback), class_="feedback"))
        case Allowed(at, outcome, why):
            kind = outcome_colour(outcome)
            title = words[outcome.value] if outcome else words["waiting"]
            told = tag("p", said(why, words.lang)) if why and outcome is not Outcome.COMPLETED else None
            yield _node(f"end node-{kind}", title, _since(at, request), told)


def _who(by: Sender | None) -> str:
    match by:
        case ByReviewer():
            return "by_reviewer"
        case ByCheck():
            return "by_check"
        case _:
            return "by_gate"


def outcome_colour(outcome: Outcome | None) -> str:
    match outcome:
        case Outcome.COMPLETED:
            return "good"
        case Outcome.LIMIT | Outcome.NEEDS_HUMAN:
            return "back"
        case Outcome.UNREVIEWED:
            return "bad"
    return "quiet"
