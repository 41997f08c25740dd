"""HTML as values: what is not Html already becomes harmless text.

Rule: the only way from a str into a page; nothing else in ccc writes an angle bracket.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from ccc.base.text import clean


class Html(str):
    """Markup that was made here."""

    __slots__ = ()


Child = str | int | None | Iterable["Child"]
Attribute = str | int | float | bool | None

_VOID = frozenset({"meta", "br", "rect", "line"})
_CODE = re.compile(r"^```[^\n]*\n(.*?)(?:^```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")
_BLANK = re.compile(r"\n[ \t]*\n\s*")


def tag(name: str, *children: Child, **attributes: Attribute) -> Html:
    """`class_` is class, `aria_label` is aria-label; an attribute that is None or False is left out."""
    pairs = "".join(_pair(key, value) for key, value in attributes.items() if value is not None and value is not False)
    if name in _VOID:
        return Html(f"<{name}{pairs}/>")
    return Html(f"<{name}{pairs}>{''.join(_flat(children))}</{name}>")


def joined(*children: Child) -> Html:
    return Html("".join(_flat(children)))


def escaped(text: str) -> Html:
    return Html(html.escape(clean(text)))


def prose(text: str) -> Html:
    """A model's words: paragraphs, and the two marks of Markdown that everybody writes; all else as it stands."""
    parts: list[Html] = []
    end = 0
    for fence in _CODE.finditer(text):
        parts += _paragraphs(text[end : fence.start()])
        parts.append(tag("pre", tag("code", fence[1].rstrip("\n"))))
        end = fence.end()
    return joined(parts, _paragraphs(text[end:]))


def _paragraphs(text: str) -> list[Html]:
    return [tag("p", list(_marked(part))) for part in _BLANK.split(text.strip()) if part.strip()]


def _marked(text: str) -> Iterator[Html]:
    end = 0
    for mark in _INLINE.finditer(text):
        yield escaped(text[end : mark.start()])
        yield tag("code", mark[1]) if mark[1] else tag("strong", mark[2])
        end = mark.end()
    yield escaped(text[end:])


def _pair(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escaped(str(value))}"'


def _flat(children: Iterable[Child]) -> Iterator[str]:
    for child in children:
        match child:
            case None:
                continue
            case Html():
                yield child
            case str():
                yield escaped(child)
            case int():
                yield str(child)
            case _:
                yield from _flat(child)
