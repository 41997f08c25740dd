"""Text from a model is data: made safe here before a terminal, a log or an agent sees it.

Rule: str in, str out, total over any string, and linear in its length.
"""

from __future__ import annotations

import re

FEEDBACK_LIMIT = 20_000

# A string command swallows its payload up to BEL or ST; one that never ends swallows its line. The payload
# excludes every introducer, so a text full of beginnings is still read once.
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"  # OSC, DCS, SOS, PM, APC
    r"(?:[^\x07\x1b\x80-\x9f]*+(?:\x07|\x1b\\|\x9c)|[^\x07\x1b\x80-\x9f\n]*+)"
    r"|\x1b[ -/]*+[0-~]"
)
_INSIDE_SEQUENCES = re.compile(r"[\x00-\x06\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]+")
# U+200C and U+200D stay: emoji and several scripts need them.
_INVISIBLE = re.compile(r"[\x07\x1b\x80-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
_SUSPECT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BREAKS = re.compile(r"[\n\u2028\u2029]\s*+")


def clean(text: str) -> str:
    """The text without control characters, escape sequences and invisible direction marks."""
    if not _SUSPECT.search(text):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # First, because a terminal obeys a sequence that has such a character in its middle.
    text = _INSIDE_SEQUENCES.sub("", text)
    text = _INVISIBLE.sub("", _SEQUENCE.sub("", text))
    return encodable(text)


def encodable(text: str) -> str:
    """The text with U+FFFD for each surrogate, so that it can become UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def one_line(text: str, limit: int = 200) -> str:
    """Clean text for a log value or a status line; a line break shows as ⏎."""
    line = _BREAKS.sub(" ⏎ ", clean(text).strip()).replace("\t", " ")
    return line if len(line) <= limit else line[: max(limit - 1, 0)] + "…"[:limit]


def capped(text: str, limit: int = FEEDBACK_LIMIT) -> str:
    """At most `limit` characters; a cut says how much is missing."""
    if len(text) <= limit:
        return text
    kept = max(limit - len(_cut_mark(len(text))), 0)
    return (text[:kept] + _cut_mark(len(text) - kept))[:limit]


def feedback(text: str) -> str:
    return capped(clean(text).strip())


def _cut_mark(count: int) -> str:
    return f"\n[… {count} characters cut]"
