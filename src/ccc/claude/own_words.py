"""What ccc itself says to an agent as a user's line, so that it goes on, and how such a line is known again.

Rule: whoever reads a conversation learns here which words in it are no person's; in whichever language they were said.
"""

from __future__ import annotations

from ccc.base.messages import msg, said

CUT_OFF = msg("You were cut off because the API did not answer. It is there again: go on where you stopped.")
BROKEN_OFF = msg(
    "You were cut off because the program that runs you ended. It runs again: look at what is done already, "
    "and go on where you stopped."
)


def without(text: str) -> str:
    """The person's part of a user's line: behind CUT_OFF may stand what they typed meanwhile, behind BROKEN_OFF not."""
    lang = "en" if text[:20].isascii() else "zh"  # what is plain English needs no catalogue
    if text.startswith(said(BROKEN_OFF, lang)):
        return ""
    own = said(CUT_OFF, lang)
    return text[len(own) :].lstrip() if text.startswith(own) else text
