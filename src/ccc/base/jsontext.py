"""Edits to a JSON text that leave every other byte as it was.

Rule: text in, text out, no I/O; an error says where, and never quotes the text, which may hold keys.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from ccc.base.messages import foreign, msg
from ccc.base.patterns import pattern

MAX_DEPTH = 200

Steps = tuple[str | int, ...]

_BLANK = " \t\r\n"
_SPACE = pattern(r"[ \t\r\n]*")
_LAST_BREAK = pattern(r"\r?\n[ \t]*\Z")
_FIRST_INDENT = pattern(r"\n(\t+| {1,8})[^ \t\r\n]")
_LONE_SURROGATE = pattern("[\ud800-\udfff]")

# Possessive, and content with a string that never ends: hostile quotes must not make this quadratic.
_TOKEN = pattern(r'"(?:[^"\\]++|\\.)*+"?|[\[{\]}]|NaN|Infinity', re.DOTALL)


class JsonError(ValueError):
    """Why a text cannot be read or edited, and where."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(
            msg("line {line}, column {column}: {problem}", line=line, column=column, problem=foreign(problem))
        )
        self.line = line
        self.column = column


def parse(text: str) -> Any:
    """The value of strict JSON as JavaScript reads it: of duplicate keys the last one counts."""
    _check_tokens(text)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        problem = _error(text, error.pos, error.msg.partition(":")[0])
    # Raised out here, or the decoder's error and with it the whole text would be kept as the context.
    raise problem


def set_value(text: str, path: Steps, value: object) -> str:
    """The text with `value` at `path`; missing parents are made, and a list grows by its next index."""
    text = text if text.strip(_BLANK) else "{\n}\n"
    parse(text)
    holder, member, rest = _walk(text, path)
    if member is None:
        return _with_member(text, holder, rest[0], _nested(rest[1:], value))
    return _with_value(text, holder, member, value)


def remove(text: str, path: Steps) -> str:
    """The text without the member at `path`, or as it was when there is none."""
    if not text.strip(_BLANK):
        return text
    parse(text)
    found = _find(text, path)
    while found is not None:
        text = _without(text, *found)
        # Where a key was doubled, its earlier value would count now; a list has closed its gap.
        found = _find(text, path) if isinstance(path[-1], str) else None
    return text


def spelled(text: str, path: Steps) -> str | None:
    """The value at `path` in its own spelling; None when there is none."""
    if not text.strip(_BLANK):
        return None
    parse(text)
    found = _find(text, path)
    return None if found is None else text[found[1].value : found[1].end]


def respelled(text: str, path: Steps, spelling: str) -> str:
    """The text with the value at `path` in this spelling, or as it was when there is none."""
    parse(text)
    parse(spelling)
    found = _find(text, path)
    return text if found is None else text[: found[1].value] + spelling + text[found[1].end :]


def pretty(value: object) -> str:
    """A value as people write it, in a spelling that UTF-8 can hold."""
    return _dumped(value, indent="  ")


def written(value: object) -> str:
    """A value that was read, on one line and in a spelling that UTF-8 can hold."""
    try:
        return _dumped(value)
    except ValueError:  # 1e400 is read as infinity, which JSON can only say by a number that is too large again
        text = json.dumps(value)
    return _TOKEN.sub(lambda token: "1e999" if token[0] == "Infinity" else token[0], text)


class _Member(Struct, frozen=True):
    name: str | int
    start: int
    value: int
    end: int


class _Holder(Struct, frozen=True):
    """An object or a list: where its brackets are, and what is between them."""

    opening: int
    closing: int
    members: tuple[_Member, ...]

    def last(self, name: str | int) -> _Member | None:
        return next((member for member in reversed(self.members) if member.name == name), None)


class _Style(Struct, frozen=True):
    indent: str
    newline: str
    space: str


def _integer(digits: str) -> int | float:
    # Python refuses integers of more than 4300 digits; JavaScript reads them as Infinity.
    return int(digits) if len(digits) <= 4300 else float(digits)


_DECODER = json.JSONDecoder(parse_int=_integer)


def _error(text: str, at: int, problem: str) -> JsonError:
    return JsonError(problem, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _check_tokens(text: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{" | "[":
                depth += 1
            case "}" | "]":
                depth -= 1
            case "NaN" | "Infinity" as word:
                raise _error(text, token.start(), msg("{word} is not JSON", word=word))
        if depth > MAX_DEPTH:
            raise _error(text, token.start(), msg("nested more than {depth} deep", depth=MAX_DEPTH))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _holder(text: str, opening: int) -> _Holder:
    members: list[_Member] = []
    here = _skip(text, opening + 1)
    while text[here] not in "}]":
        members.append(_member(text, here) if text[opening] == "{" else _item(text, here, len(members)))
        here = _skip(text, members[-1].end)
        if text[here] == ",":
            here = _skip(text, here + 1)
    return _Holder(opening, here, tuple(members))


def _member(text: str, start: int) -> _Member:
    name, end_of_name = _DECODER.raw_decode(text, start)
    value = _skip(text, _skip(text, end_of_name) + 1)
    return _Member(name, start, value, _DECODER.raw_decode(text, value)[1])


def _item(text: str, start: int, index: int) -> _Member:
    return _Member(index, start, start, _DECODER.raw_decode(text, start)[1])


def _walk(text: str, path: Steps) -> tuple[_Holder, _Member | None, Steps]:
    """As far as the text goes: the innermost holder, the member in it, and the steps from there on."""
    at = _skip(text, 0)
    for step, name in enumerate(path[:-1]):
        holder = _holder_of(text, at, name)
        member = holder.last(name)
        if member is None:
            return holder, None, path[step:]
        at = member.value
    holder = _holder_of(text, at, path[-1])
    return holder, holder.last(path[-1]), path[-1:]


def _holder_of(text: str, at: int, name: str | int) -> _Holder:
    bracket, kind = ("{", msg("an object")) if isinstance(name, str) else ("[", msg("a list"))
    if text[at] != bracket:
        raise _error(text, at, msg("{kind} is expected here", kind=kind))
    return _holder(text, at)


def _find(text: str, path: Steps) -> tuple[_Holder, _Member] | None:
    try:
        holder, member, _ = _walk(text, path)
    except JsonError:  # a parent of another kind has no such member
        return None
    return None if member is None else (holder, member)


def _nested(steps: Steps, value: object) -> object:
    for name in reversed(steps):
        value = {name: value} if isinstance(name, str) else [value]
    return value


def _with_value(text: str, holder: _Holder, member: _Member, value: object) -> str:
    if json.dumps(_DECODER.raw_decode(text, member.value)[0]) == json.dumps(value):
        return text
    line = _line_of(text, holder, member)
    return text[: member.value] + _written(value, line, _style(text)) + text[member.end :]


def _with_member(text: str, holder: _Holder, name: str | int, value: object) -> str:
    if isinstance(name, int) and name != len(holder.members):
        raise _error(text, holder.opening, msg("the list has no place {place}", place=name))
    if not holder.members:
        return _with_first(text, holder, name, value)
    last, style = holder.members[-1], _style(text)
    line = _line_of(text, holder, last)
    gap = style.space if line is None else line
    return text[: last.end] + "," + gap + _labelled(name, value, line, style) + text[last.end :]


def _with_first(text: str, holder: _Holder, name: str | int, value: object) -> str:
    style = _style(text)
    outer = _line_around(text, holder, style)
    inner = None if outer is None else outer + style.indent
    content = (inner or "") + _labelled(name, value, inner, style) + (outer or "")
    return text[: holder.opening + 1] + content + text[holder.closing :]


def _without(text: str, holder: _Holder, member: _Member) -> str:
    members, place = holder.members, holder.members.index(member)
    if len(members) == 1:
        return text[: holder.opening + 1] + text[holder.closing :]
    if place == len(members) - 1:
        return text[: members[place - 1].end] + text[member.end :]
    return text[: member.start] + text[members[place + 1].start :]


def _line_of(text: str, holder: _Holder, member: _Member) -> str | None:
    """The line break and indentation before a member; None when the line begins with something else."""
    found = _LAST_BREAK.search(text[holder.opening : member.start])
    return None if found is None else found[0]


def _line_around(text: str, holder: _Holder, style: _Style) -> str | None:
    """The line break and indentation of the line with the opening bracket; None in a text of one line."""
    body = text.strip(_BLANK)
    if "\n" not in body and len(body) > holder.closing - holder.opening + 1:
        return None
    start = text.rfind("\n", 0, holder.opening) + 1
    return style.newline + text[start : _skip(text, start)]


def _style(text: str) -> _Style:
    indent = _FIRST_INDENT.search(text)
    members = _holder(text, _skip(text, 0)).members
    tight = bool(members) and text[members[0].value - 1] == ":"
    newline = "\r\n" if "\r\n" in text else "\n"
    return _Style(indent[1] if indent else "  ", newline, "" if tight else " ")


def _labelled(name: str | int, value: object, line: str | None, style: _Style) -> str:
    label = f"{_dumped(name)}:{style.space}" if isinstance(name, str) else ""
    return label + _written(value, line, style)


def _written(value: object, line: str | None, style: _Style) -> str:
    if line is None:
        return _dumped(value, separators=("," + style.space, ":" + style.space))
    return _dumped(value, indent=style.indent, separators=(",", ":" + style.space)).replace("\n", line)


def _dumped(value: object, *, indent: str | None = None, separators: tuple[str, str] | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    # Half a surrogate pair is fine in JavaScript's strings, but has no bytes in UTF-8.
    return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
