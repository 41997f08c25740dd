"""JSON that somebody else wrote, as a value: read fast when it is sound, and read all the same when it is damaged.

Rule: bytes in, value out, no I/O, linear in time; ValueError is the only failure. What cannot be is replaced: half a
surrogate pair and bytes that are no UTF-8 by U+FFFD, a number that no double holds and what is nested too deep by null.
"""

from __future__ import annotations

import json
import re

from ccc.base.patterns import pattern

MAX_DEPTH = 200
SIZE_LIMIT = 64 * 1024 * 1024

_MARK = b"\xef\xbb\xbf"
_CONTROLS = bytes(range(32))
_SPACES = bytes.maketrans(_CONTROLS, b" " * len(_CONTROLS))
_LOW = rb"[dD][c-fC-F][0-9a-fA-F]{2}"
# From the first of a run of backslashes, because every second one is only text. A pair that is whole is passed over.
_SURROGATE = pattern(
    rb"(?<!\\)((?:\\\\)*+)\\u(?:([dD][89abAB][0-9a-fA-F]{2}\\u" + _LOW + rb")|[dD][89a-fA-F][0-9a-fA-F]{2})"
)
# Strings are among the tokens so that nothing in them is taken for one; possessive, or hostile quotes cost the square.
_TOKEN = pattern(
    rb'"(?:[^"\\]++|\\.)*+"?|([\[{])|([\]}])|(-?(?:NaN|Infinity))|(-?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+)', re.DOTALL
)
# Where there is none of these and nothing can be deep, a look at every token would find nothing.
_ODD = pattern(rb"NaN|Infinity|\d{300}|\d[eE]\+?\d{3}")
_OPENS, _CLOSES, _CONSTANT, _NUMBER = 1, 2, 3, 4
_MEMBER = pattern(r'[ {,]*+("(?:[^"\\]++|\\.)*+") *+: *+')
_CUT_TEXT = pattern(r'"(?:[^"\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+')


def loads(data: bytes | bytearray) -> object:
    """The value; of what JSON does not allow, as much as can be had."""
    from ccc.base import strictjson  # in here: the status line does without, it would take most of its time to load

    try:
        return strictjson.loads(data)
    except ValueError:
        pass
    text = _readable(data)
    try:
        return strictjson.loads(text)
    except ValueError:
        pass
    return strictjson.loads(_possible(text))


def mended(data: bytes | bytearray) -> bytes:
    """The same text as every JSON reader takes it, if it is JSON at all."""
    return _possible(_readable(data))


def objects(data: bytes) -> list[dict[str, object]]:
    """The objects at the beginning of a text that may hold several, or end in the middle of one."""
    text, decoder = mended(data).decode(), json.JSONDecoder()
    found: list[dict[str, object]] = []
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            break
        found.append(value)
    return found


def beginning(data: bytes) -> dict[str, object]:
    """The members of an object whose end is missing, the last one's text as far as it goes; {} when it is none."""
    text, decoder = _readable(data).decode().strip(), json.JSONDecoder()
    found: dict[str, object] = {}
    at = 0
    while text.startswith("{") and (member := _MEMBER.match(text, at)):
        try:
            found[decoder.decode(member[1])], at = decoder.raw_decode(text, member.end())
        except (ValueError, RecursionError):
            return found | _cut_member(text, member)
    return found


def _cut_member(text: str, member: re.Match[str]) -> dict[str, object]:
    said = _CUT_TEXT.match(text, member.end())
    try:
        return dict(json.loads(f'{{{member[1]}: {said[0]}"}}')) if said else {}
    except ValueError:
        return {}


def _readable(data: bytes | bytearray) -> bytes:
    if len(data) > SIZE_LIMIT:
        raise ValueError("more than can be mended")
    text = bytes(data).removeprefix(_MARK).translate(_SPACES)
    try:
        text.decode()
    except UnicodeDecodeError:
        text = text.decode("utf-8", "replace").encode()
    return _SURROGATE.sub(_whole, text)


def _whole(escape: re.Match[bytes]) -> bytes:
    return escape[0] if escape[2] else escape[1] + rb"\ufffd"


def _possible(text: bytes) -> bytes:
    """With null for each number that is none and for each value that is nested too deep."""
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH and not _ODD.search(text):
        return text
    kept: list[bytes] = []
    depth = taken = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastindex
        if kind is None:
            continue
        depth += kind == _OPENS
        if (kind == _OPENS and depth == MAX_DEPTH + 1) or (depth <= MAX_DEPTH and _is_none(token)):
            kept += text[taken : token.start()], b"null"
            taken = token.end()
        elif kind == _CLOSES and depth == MAX_DEPTH + 1:
            taken = token.end()
        depth -= kind == _CLOSES
    return b"".join((*kept, text[taken:] if depth <= MAX_DEPTH else b""))


def _is_none(token: re.Match[bytes]) -> bool:
    if token.lastindex != _NUMBER:
        return token.lastindex == _CONSTANT
    # The largest double has 309 digits; with an exponent it can be written in five.
    written = token[0]
    may_be = len(written) > 300 or b"e" in written or b"E" in written
    return may_be and float(written) in (float("inf"), float("-inf"))
