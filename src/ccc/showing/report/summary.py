"""A request at a glance: its outcome, its numbers, where the time and the money went, and what changed.

Rule: pure; every number here is also in the story or the transcript, none is made up to fill a gap.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccc.base.messages import said
from ccc.base.text import one_line
from ccc.model import Outcome
from ccc.record.session import Phase
from ccc.record.words import agents_share, shares
from ccc.showing.report import charts
from ccc.showing.report.changes import Change, shown_path
from ccc.showing.report.frame import chip, moment
from ccc.showing.report.markup import Child, Html, joined, tag
from ccc.showing.report.rounds import Allowed, Request
from ccc.showing.report.timeline import left_out, outcome_colour, verdict
from ccc.showing.report.words import Words, amount, money

FILES_NAMED = 12
LINES_OPEN = 80  # with more than these the files are folded


def state(request: Request, phase: Phase) -> tuple[str, str]:
    """The colour and the word for how it stands."""
    last = request.rounds[-1]
    if isinstance(last.decision, Allowed) and last.decision.outcome:
        return outcome_colour(last.decision.outcome), last.decision.outcome.value
    if isinstance(last.decision, Allowed):
        return "quiet", "waiting"
    return ("quiet", phase.value) if phase is not Phase.DONE else ("quiet", "working")


def lead(request: Request, words: Words) -> str:
    """The outcome in one sentence."""
    decision = request.rounds[-1].decision
    if not isinstance(decision, Allowed):
        return words["lead_open"]
    if decision.outcome is None:
        return words["lead_waiting"]
    if decision.outcome is Outcome.COMPLETED:
        key = "lead_later" if request.sent_back else "lead_first"
    else:
        key = f"lead_{decision.outcome.value}"
    return words[key].format(
        attempt=request.sent_back + 1,
        times=words.times(request.sent_back),
        why=one_line(said(decision.why, words.lang), 300),
    )


def facts(pairs: Sequence[tuple[str, Child]], words: Words) -> Html:
    items = [tag("div", tag("dt", words[key]), tag("dd", value)) for key, value in pairs if value]
    return tag("dl", items, class_="facts")


def numbers(request: Request, changed: Sequence[Change], words: Words) -> list[tuple[str, Child]]:
    cost, tokens = request.cost_usd, request.tokens
    return [
        ("model", next((review.model for review in reversed(request.reviews) if review.model), "")),
        ("started", moment(request.begun, words) if request.begun else None),
        ("took", words.duration(request.ended - request.begun)),
        ("stops", stops(request, words)),
        ("agent_cost", agents_share(request.bill, words.lang, money) if request.bill else ""),
        ("cost", money(cost) if cost else ""),
        ("by_provider", shares(request.bill, money) if request.bill else ""),
        ("review_tokens", amount(tokens) if tokens else ""),
        ("agent_tokens", amount(request.agent_tokens) if request.agent_tokens else ""),
        ("files", str(len(changed)) if changed else ""),
    ]


def stops(request: Request, words: Words) -> str:
    """How many of the stops that may be reviewed were; "" when the story does not tell."""
    last = next((each for each in reversed(request.rounds) if each.limit), None)
    return words["stops_of"].format(count=last.count, limit=last.limit) if last else ""


def time_chart(request: Request, words: Words) -> Html:
    return charts.strip(charts.spans(request), words)


def cost_table(request: Request, words: Words) -> Html:
    """One row for each review that is kept; the bar is its share of the dearest."""
    earlier = request.omitted.reviews + sum(each.omitted.reviews for each in request.rounds)
    reviews = request.reviews
    by_money = any(review.cost_usd for review in reviews)
    sizes = [review.cost_usd if by_money else float(review.tokens) for review in reviews]
    most = max(sizes, default=0.0)
    rows = []
    for number, (review, size) in enumerate(zip(reviews, sizes, strict=True), earlier + 1):
        colour, text = verdict(review)
        rows.append(
            tag(
                "tr",
                tag("th", words["review_n"].format(n=number), scope="row"),
                tag("td", chip(colour, words[text])),
                tag("td", words.duration(review.ended - review.begun) if review.ended else "–", class_="n"),
                tag("td", money(review.cost_usd) if review.cost_usd else "–", class_="n"),
                tag("td", amount(review.cached) if review.tokens else "–", class_="n"),
                tag("td", amount(review.tokens - review.cached) if review.tokens else "–", class_="n"),
                tag("td", charts.bar(size / most if most else 0.0, "reviewer"), class_="wide"),
            )
        )
    heads = [
        tag("th", words[key], scope="col") for key in ("reviewer", "verdict", "seconds", "money", "cached", "uncached")
    ]
    share = tag("td", class_="wide")
    caption = tag("caption", words["what_reviews_cost"], class_="unseen")
    table = tag("table", caption, tag("thead", tag("tr", heads, share)), tag("tbody", rows))
    return joined(left_out(earlier, words), table)


def changed_files(
    changed: Sequence[Change], others: Sequence[str], words: Words, project: str | None, *, edited: bool
) -> Html:
    few = sum(len(change.lines) for change in changed) <= LINES_OPEN
    parts: list[Child] = [_file(change, words, project, shown=few) for change in changed]
    if not changed:
        parts.append(tag("p", words["undone_changes" if edited else "no_changes"], class_="quiet"))
    if others:
        parts.append(tag("p", _others(others, words), class_="quiet"))
    return joined(parts)


def _others(others: Sequence[str], words: Words) -> list[Child]:
    before, _, after = words["changed_by_commands"].partition("{files}")
    named: list[Child] = []
    for name in others[:FILES_NAMED]:
        named += [", " if named else None, tag("code", one_line(name, 200))]
    rest = len(others) - FILES_NAMED
    return [before, *named, f", {words['more'].format(n=rest)}" if rest > 0 else None, after]


def _file(change: Change, words: Words, project: str | None, *, shown: bool) -> Html:
    head = [
        tag("code", shown_path(change.path, project), class_="path"),
        " ",
        chip("quiet", words["new_file"]) if change.new else None,
        tag("span", f"+{change.added}", class_="added"),
        " ",
        tag("span", f"\N{MINUS SIGN}{change.removed}", class_="removed"),
    ]
    note = None if change.whole else tag("p", words["single_edits"], class_="quiet")
    more = tag("p", words["cut_lines"].format(n=change.cut), class_="quiet") if change.cut else None
    diff = tag("pre", tag("code", [_line(line) for line in change.lines]), class_="diff")
    return tag("details", tag("summary", head), note, diff, more, class_="file", open_=shown)


def _line(line: str) -> Html:
    kind = {"+": "plus", "-": "minus", "@": "place"}.get(line[:1])
    return tag("span", f"{line}\n", class_=f"line {kind}" if kind else "line")
