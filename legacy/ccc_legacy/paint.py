"""Colours of what a person sees, or none.

Rule: the text is cleaned by the sink that puts the colours around it; nobody else knows a colour's number.
"""

from __future__ import annotations

from msgspec import Struct

from ccc.base import sink

# Of the sixteen that every terminal has and its person has chosen, so that they can be read on light and on dark.
COLOURS = {
    "dim": "2",
    "agent": "36",
    "good": "32",
    "bad": "31",
    "phase": "1;35",
    "person": "1",
    "new": "32",
    "old": "31",
}


class Paint(Struct, frozen=True):
    """Colours, or none."""

    colours: bool

    def __call__(self, style: str, text: str) -> str:
        return sink.styled(text, COLOURS[style]) if self.colours and text else text
