"""The page around its content: one file that asks the network for nothing and lets nothing run.

Rule: no script, no link that leaves the folder, and a policy that would stop both if a mistake put them here.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ccc.showing.report.markup import Child, Html, joined, tag
from ccc.showing.report.words import Words


@cache
def style() -> str:
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def document(title: str, words: Words, *, header: Child, main: Child, footer: Child) -> str:
    css = style()
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(css)),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="color-scheme", content="light dark"),
        tag("meta", name_="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Html(css)),
    )
    body = tag(
        "body",
        tag("a", words["skip"], href="#main", class_="skip"),
        tag("header", header, class_="top"),
        tag("main", main, id="main", tabindex="-1"),
        tag("footer", footer, class_="bottom"),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang=words['html_lang'])}\n"


def brand(kind: str, *more: Child) -> Html:
    return tag("p", tag("span", "ccc", class_="name"), " ", tag("span", kind, class_="kind"), *more, class_="brand")


def section(name: str, heading: str, *content: Child, level: int = 2) -> Html:
    """A landmark with its heading; `name` is unique in the page."""
    title = tag(f"h{level}", heading, id=f"{name}-heading")
    return tag("section", title, *content, id=name, aria_labelledby=f"{name}-heading")


def chip(kind: str, text: str) -> Html:
    return tag("span", text, class_=f"chip chip-{kind}")


def moment(at: float, words: Words) -> Html:
    return tag("time", words.when(at), datetime=words.iso(at))


def dotted(parts: Sequence[Child]) -> Html:
    """The parts in one line, a dot between them."""
    shown = [part for part in parts if part]
    return joined(*([shown[0], *((tag("span", " · ", class_="dot"), part) for part in shown[1:])] if shown else []))


def _policy(css: str) -> str:
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
