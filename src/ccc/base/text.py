"""Text from a model is data: made safe here before a terminal, a log or an agent sees it, and without the keys that
are withheld.

Rule: str in, str out, total over any string, and linear in its length. What is cut is cut here, where no piece of a key
is left at the cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccc.base.patterns import pattern
from ccc.base.withheld import ended, without

FEEDBACK_LIMIT = 20_000
BELOW = 2  # columns from the edge, where a line of ours begins

# A string command (OSC, DCS, SOS, PM, APC) swallows its payload up to BEL or ST; one that never ends swallows its
# line. The payload holds no ESC, so a text full of beginnings is still read once.
_SEQUENCE = pattern(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?"
    r"|[\]PX^_](?:[^\x07\x1b]*+(?:\x07|\x1b\\)|[^\x07\x1b\n]*+)"
    r"|[ -/]*+[0-~])"
)
_C1 = pattern(r"[\x80-\x9f]")
# U+200C and U+200D are not among them: emoji and several scripts need them.
_FORBIDDEN = r"\x00-\x06\x08\x0b-\x1a\x1c-\x1f\x7f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_INVISIBLE = pattern(f"[{_FORBIDDEN}]+")
_SUSPECT = pattern(f"[{_FORBIDDEN}\\x07\\x1b\\x80-\\x9f\\u2028\\u2029\\ud800-\\udfff]")
_SURROGATE = pattern(r"[\ud800-\udfff]")
_UNSEEN = pattern(f"[{_FORBIDDEN}\\x07\\x1b\\n\\x80-\\x9f\\u2028\\u2029\\ud800-\\udfff]")
_UNESCAPED = pattern(f"[{_FORBIDDEN}\\x07\\x1b\\x80-\\x9f\\u2028\\u2029]")
# Letters, marks and symbols that a terminal shows as nothing, or as a blank.
_HIDDEN = pattern(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u2d7f\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U0001107f\U00011a47\U00011a99\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
_BREAKS = pattern(r"[\n\u2028\u2029]\s*+")


def clean(text: str) -> str:
    """The text without control characters, escape sequences and invisible direction marks."""
    if not _SUSPECT.search(text):
        return without(text)
    for other in ("\r\n", "\r", "\u2028", "\u2029"):
        text = text.replace(other, "\n")
    # Before the sequences, because a terminal obeys one that has such a character in its middle.
    text = _INVISIBLE.sub("", text)
    text = _SEQUENCE.sub("", _C1.sub(_seven_bit, text))
    return without(encodable(text.replace("\x1b", "").replace("\x07", "")))


def _seven_bit(control: re.Match[str]) -> str:
    """The other spelling of a C1 control: ESC and a letter."""
    return "\x1b" + chr(ord(control[0]) - 0x40)


def encodable(text: str) -> str:
    """The text with U+FFFD for each surrogate, so that it can become UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """One line in which whatever a terminal would obey or hide is spelled out, as Python spells it."""
    return without(_UNSEEN.sub(_spelled, text))


def _spelled(unseen: re.Match[str]) -> str:
    return _spelled_one(unseen[0])


def _spelled_one(unseen: str) -> str:
    code = ord(unseen)
    if 0xDC80 <= code <= 0xDCFF:  # how Python keeps a byte of a file name that is no UTF-8
        code -= 0xDC00
    return {"\n": "\\n", "\r": "\\r"}.get(unseen) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def spelled_out(line: str) -> str:
    """The line for somebody who decides by it: whatever is not seen, a blank of another kind too, is spelled out."""
    line = line.expandtabs(4)
    if line.isprintable() and not _HIDDEN.search(line):
        return line
    return "".join(each if each.isprintable() and not _HIDDEN.match(each) else _code(each) for each in line)


def _code(each: str) -> str:
    code = ord(each)
    return f"\\U{code:08x}" if code > 0xFFFF else _spelled_one(each)


def wrapped(text: str, columns: int) -> list[str]:
    """The text in rows of so many columns at most, one row at least; nothing is lost or added."""
    if text.isascii():
        return [text[at : at + columns] for at in range(0, len(text), columns)] or [""]
    rows, begun, used = [], 0, 0
    for at, width in enumerate(map(_width, text)):
        if used + width > columns and at > begun:
            rows.append(text[begun:at])
            begun, used = at, 0
        used += width
    return [*rows, text[begun:]]


def columns_of(text: str, *, most: bool = True) -> int:
    """How many columns of a terminal the text takes: at the most, or on most terminals."""
    return len(text) if text.isascii() else sum(_width(each, most=most) for each in text)


def padded(text: str, columns: int) -> str:
    """For columns that stand below each other."""
    return text + " " * max(0, columns - columns_of(text, most=False))


def _width(each: str, *, most: bool = True) -> int:
    """What is ambiguous is wide on some terminals."""
    from unicodedata import east_asian_width  # only who asks a person needs it

    return 2 if east_asian_width(each) in ("FWA" if most else "FW") else 1


def escaped(text: str) -> str:
    """JSON of the same meaning, in which only line breaks and tabs are left of the control characters."""
    return without(_UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", encodable(text)))


def one_line(text: str, limit: int = 200) -> str:
    """Clean text for a log value or a status line; a line break shows as ⏎."""
    line = _BREAKS.sub(" ⏎ ", clean(text).strip()).replace("\t", " ")
    return line if len(line) <= limit else line[: max(limit - 1, 0)] + "…"[:limit]


def hanging(text: str) -> str:
    """Somebody's words within a sentence of ours, clean: no line of theirs begins where a line of ours does."""
    first, *others = clean(text).splitlines() or [""]
    return "\n".join((first, *(f"{' ' * BELOW}{line}" if line.strip() else "" for line in others)))


def head(text: str, size: int) -> str:
    """At most so many characters of its beginning, as they are."""
    return text if len(text) <= size else without(text)[:size]


def tail(text: str, size: int) -> str:
    """… of its end. One that is as long as that has been cut already."""
    if len(text) < size:
        return text
    end = without(text)[-size:] if size else ""
    return end[ended(end) :]


def heard(data: bytes | bytearray, kept: int) -> str:
    """What a program has said, clean, where so many bytes of its end were kept."""
    text = clean(data.decode("utf-8", "replace"))
    return text if len(data) < kept else text[ended(text) :]


def capped(text: str, limit: int = FEEDBACK_LIMIT) -> str:
    """At most `limit` characters; a cut says how much is missing."""
    text = text if len(text) <= limit else without(text)
    if len(text) <= limit:
        return text
    kept = max(limit - len(_cut_mark(len(text))), 0)
    return (text[:kept] + _cut_mark(len(text) - kept))[:limit]


def elements(text: str, names: str) -> Iterator[tuple[int, int, str, str]]:
    """From where to where each `<name>…</name>` reaches, with its name and content; of nested ones the outer one.

    `names` is a pattern without a group. A pattern for the whole would look for each beginning's end anew.
    """
    if "</" not in text:
        return
    last = {end[1]: end.start() for end in re.finditer(f"</({names})>", text)}
    begins, at = re.compile(f"<({names})>"), 0
    while last and (begin := begins.search(text, at)):
        at = begin.end()
        if last.get(begin[1], -1) >= at:
            end = text.index(f"</{begin[1]}>", at)
            content, at = text[at:end], end + len(begin[0]) + 1
            yield begin.start(), at, begin[1], content


def feedback(text: str) -> str:
    return capped(clean(text).strip())


def _cut_mark(count: int) -> str:
    return f"\n[… {count} characters cut]"
