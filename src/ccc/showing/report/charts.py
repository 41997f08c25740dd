"""Small charts as inline SVG, each with its numbers in words beside it.

Rule: pure; colours are classes, so one drawing serves light and dark, and nobody needs the drawing to know the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ccc.showing.report.markup import Html, tag
from ccc.showing.report.rounds import Request, Round
from ccc.showing.report.words import Words

WIDTH = 1000.0
KINDS = ("agent", "checks", "reviewer", "held_up", "rest")


class Span(Struct, frozen=True):
    kind: str
    begun: float
    ended: float

    @property
    def seconds(self) -> float:
        return max(0.0, self.ended - self.begun)


def spans(request: Request) -> list[Span]:
    """The request from its first word to its end, without gaps."""
    found: list[Span] = []
    for each in request.rounds:
        for span in _of_round(each):
            begun = max(span.begun, found[-1].ended if found else request.begun)
            if found and begun > found[-1].ended:
                found.append(Span("rest", found[-1].ended, begun))
            if span.ended > begun:
                found.append(Span(span.kind, begun, span.ended))
    return found


def strip(spans: Sequence[Span], words: Words) -> Html:
    """One bar: who had the time, from left to right."""
    total = sum(span.seconds for span in spans)
    if total <= 0:
        return Html("")
    told = [(kind, sum(span.seconds for span in spans if span.kind == kind)) for kind in KINDS]
    said = [(kind, f"{words[kind]} {words.duration(seconds)}") for kind, seconds in told if seconds > total / 200]
    bars, x = [], 0.0
    for span in spans:
        width = span.seconds / total * WIDTH
        bars.append(tag("rect", class_=f"fill-{span.kind}", x=f"{x:.1f}", y="0", width=f"{width:.1f}", height="20"))
        x += width
    drawing = tag(
        "svg",
        bars,
        class_="strip",
        viewBox="0 0 1000 20",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )
    legend = tag("ul", [tag("li", text, class_=f"key key-{kind}") for kind, text in said], class_="legend")
    return tag("div", drawing, legend, class_="chart")


def bar(share: float, kind: str) -> Html:
    """A bar for one row of a table."""
    width = f"{max(0.0, min(share, 1.0)) * WIDTH:.1f}"
    return tag(
        "svg",
        tag("rect", class_="fill-ground", x="0", y="0", width="1000", height="10"),
        tag("rect", class_=f"fill-{kind}", x="0", y="0", width=width, height="10"),
        class_="bar",
        viewBox="0 0 1000 10",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )


def _of_round(each: Round) -> list[Span]:
    held = [Span("held_up", hold.at, hold.at + hold.seconds) for hold in each.holds if hold.seconds]
    worked = _between(held, each.begun, each.stop or each.ended)
    checks = [Span("checks", check.at - check.seconds, check.at) for check in each.checks]
    reviews = [Span("reviewer", review.begun, review.ended or review.begun) for review in each.reviews]
    return sorted([*worked, *held, *checks, *reviews], key=lambda span: span.begun)


def _between(held: Sequence[Span], begun: float, ended: float) -> list[Span]:
    """The agent's time without what it waited for its provider."""
    starts = [begun, *(span.ended for span in held if span.begun < ended)]
    ends = [*(span.begun for span in held if span.begun < ended), ended]
    return [Span("agent", start, end) for start, end in zip(starts, ends, strict=True)]
