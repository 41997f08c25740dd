"""Lists of tasks as people write them: a Markdown file, a folder of prompts, JSON lines.

Rule: pure but for reading the files. What is wrong names the file, the line and the key, and nothing of the list is
taken then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ccc.base import files, strictjson
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import Message, msg
from ccc.claude.commandline import PERMISSION_MODES

LIST_LIMIT = 16 * 2**20
TASKS_LIMIT = 10_000
PROMPTS = (".md", ".txt")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?(?P<text>.*)")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_ROW = re.compile(r"\s*\|(.*)\|\s*")
_RULE = re.compile(r"\s*\|[\s:|-]+\|\s*")


class Entry(Struct, frozen=True):
    """One task as it is written, and where."""

    place: str  # file:line
    prompt: str
    keys: Mapping[str, object]
    title: str = ""


class BadList(CccError):
    """A list that cannot be taken; nothing of it is added."""


class Mistyped(BadList, Misuse):
    """… because of what was typed, and not of what it holds."""


def _refused(place: str, problem: str) -> BadList:
    return BadList(msg("{place}: {problem}", place=place, problem=problem), msg("nothing was added"))


def read(source: Path) -> tuple[Entry, ...]:
    """A Markdown file with a list, or a folder with a file for each task."""
    if source.is_dir():
        return _checked([_prompt(path) for path in _prompts(source)], str(source))
    text = files.read_text(source, limit=LIST_LIMIT)
    if text is None:
        raise Mistyped(
            msg("there is no {path}", path=source),
            msg("nothing was added; what a list looks like: ccc fleet add --help"),
        )
    return _checked(list(_of_markdown(text, str(source))), str(source))


def of_lines(data: bytes, name: str = "-") -> tuple[Entry, ...]:
    """JSON lines: an object with `prompt`, and the keys."""
    lines = enumerate(data.split(b"\n"), 1)
    return _checked([_of_json(line, f"{name}:{number}") for number, line in lines if line.strip()], name)


def _checked(entries: Sequence[Entry], name: str) -> tuple[Entry, ...]:
    if not entries:
        raise _refused(name, msg("there is no task in it"))
    if len(entries) > TASKS_LIMIT:
        raise _refused(name, msg("{n} tasks; {most} is the most", n=len(entries), most=TASKS_LIMIT))
    for entry in entries:
        if not entry.prompt.strip():
            raise _refused(entry.place, msg("a task without words"))
        for key, value in entry.keys.items():
            _check(entry.place, key, value)
    return tuple(entries)


def checked_keys(keys: Mapping[str, object]) -> None:
    """Those of the command line."""
    for key, value in keys.items():
        try:
            _check(f"--{key.replace('_', '-')}", key, value)
        except BadList as error:
            raise Mistyped(error.what, error.fix) from None


def _check(place: str, key: str, value: object) -> None:
    if key not in KEYS:
        raise _refused(place, msg("nobody knows the key {key}; there is {keys}", key=f"{key!a}", keys=", ".join(KEYS)))
    fits, wanted = KEYS[key]
    if not fits(value):
        raise _refused(place, msg("{key} must be {wanted}", key=key, wanted=wanted))


def _of_json(line: bytes, place: str) -> Entry:
    try:
        found = strictjson.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise _refused(place, msg("no JSON object"))
    prompt = found.pop("prompt", None)
    if not isinstance(prompt, str):
        raise _refused(place, msg("{key} must be {wanted}", key="prompt", wanted=msg("words")))
    return Entry(place, prompt, found, str(found.get("name") or ""))


def _prompts(folder: Path) -> list[Path]:
    found = (path for path in folder.iterdir() if path.suffix in PROMPTS and not path.name.startswith("."))
    return sorted(path for path in found if path.is_file())


def _prompt(path: Path) -> Entry:
    text = files.read_text(path, limit=LIST_LIMIT) or ""
    body, keys = _without_table(list(enumerate(text.splitlines(), 1)), str(path))
    return Entry(f"{path}:1", _joined(body), {"name": path.stem, **keys}, path.stem)


# Markdown: a task is a heading of the level that most probably lists them, else an item at the margin.

Line = tuple[int, str]


def _of_markdown(text: str, name: str) -> Iterator[Entry]:
    lines = list(enumerate(text.splitlines(), 1))
    level = _level(lines)
    starts = _starts(lines, _heads(level) if level else _is_item)
    for (number, title), body in _parts(lines, starts):
        rest, keys = _without_table(body, name)
        yield Entry(f"{name}:{number}", "\n\n".join(filter(None, (title, _joined(rest)))), keys, title)


def _level(lines: Sequence[Line]) -> int:
    """`##` where there is one, else `#`; 0 where there is no heading."""
    levels = {len(match[1]) for _, line in _outside_code(lines) if (match := _HEADING.fullmatch(line))}
    return 2 if 2 in levels else 1 if 1 in levels else 0


def _heads(level: int) -> Callable[[str], str | None]:
    def head(line: str) -> str | None:
        match = _HEADING.fullmatch(line)
        return match[2] if match and len(match[1]) == level else None

    return head


def _is_item(line: str) -> str | None:
    """A box that is ticked is done."""
    match = _ITEM.fullmatch(line)
    if not match:
        return None
    return "" if (match["box"] or "").strip() else match["text"]


def _starts(lines: Sequence[Line], head: Callable[[str], str | None]) -> dict[int, str]:
    found = {number: head(line) for number, line in _outside_code(lines)}
    return {number: title for number, title in found.items() if title is not None}


def _parts(lines: Sequence[Line], starts: Mapping[int, str]) -> Iterator[tuple[tuple[int, str], list[Line]]]:
    """Each head with what stands below it; what is done, or above the first, is for the reader alone."""
    head: tuple[int, str] | None = None
    body: list[Line] = []
    for number, line in lines:
        if number not in starts:
            body.append((number, line))
            continue
        if head and head[1]:
            yield head, body
        head, body = (number, starts[number]), []
    if head and head[1]:
        yield head, body


def _outside_code(lines: Sequence[Line]) -> Iterator[Line]:
    fence = ""
    for number, line in lines:
        match = _FENCE.match(line)
        if match and not fence:
            fence = match[1]
        elif match and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif not fence:
            yield number, line


def _without_table(lines: Sequence[Line], name: str) -> tuple[list[Line], dict[str, object]]:
    """The table of keys, if there is one: its head says `key` and `value`."""
    outside = dict(_outside_code(lines))
    at = next((at for at, (number, _) in enumerate(lines) if _cells(outside.get(number, "")) == ("key", "value")), None)
    if at is None:
        return list(lines), {}
    end = at
    while end < len(lines) and _ROW.fullmatch(lines[end][1]):
        end += 1
    rows = [(number, line) for number, line in lines[at + 1 : end] if not _RULE.fullmatch(line)]
    return [*lines[:at], *lines[end:]], _keys(rows, name)


def _keys(rows: Sequence[Line], name: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for number, line in rows:
        key, value = _pair(line, f"{name}:{number}")
        read = _read(key, value)
        if key in LISTED:
            read = [*_listed(found.get(key)), *_listed(read)]
        elif key in found:
            raise _refused(f"{name}:{number}", msg("{key} is there twice", key=key))
        _check(f"{name}:{number}", key, read)
        found[key] = read
    return found


def _pair(line: str, place: str) -> tuple[str, str]:
    match line.strip().strip("|").split("|", 1):
        case [key, value]:
            return key.strip().lower(), _unquoted(value.strip())
    raise _refused(place, msg("a row of the table has a key and a value"))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().lower() for cell in line.strip().strip("|").split("|"))


def _unquoted(value: str) -> str:
    plain = value.replace("\\|", "|")
    return plain[1:-1] if len(plain) > 1 and plain[0] == plain[-1] == "`" else plain


def _read(key: str, value: str) -> object:
    if key == "after":
        return [each.strip() for each in value.split(",") if each.strip()]
    if key in NUMBERS:
        return _number(value)
    return (
        {"true": True, "yes": True, "false": False, "no": False}.get(value.lower(), value) if key == "push" else value
    )


def _number(value: str) -> object:
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def _joined(lines: Sequence[Line]) -> str:
    return "\n".join(line for _, line in lines).strip()


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable() and not value.startswith("-")


def _is_command(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _are_words(value: object) -> bool:
    return all(map(_is_word, _listed(value)))


def _are_commands(value: object) -> bool:
    return all(map(_is_command, _listed(value)))


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 10**12


def _is_count(value: object) -> bool:
    return _is_amount(value) and isinstance(value, int)


LISTED = ("check", "after")
NUMBERS = ("max_iterations", "max_minutes", "max_cost_usd", "max_tokens")
KEYS: Mapping[str, tuple[Callable[[object], bool], Message]] = {
    "name": (_is_word, msg("words")),
    "repo": (_is_word, msg("a folder")),
    "base": (_is_word, msg("a commit, a branch or a tag")),
    "provider": (_is_word, msg("a provider's name")),
    "permission_mode": (
        lambda value: value in PERMISSION_MODES,
        msg("one of: {modes}", modes=", ".join(sorted(PERMISSION_MODES))),
    ),
    "check": (_are_commands, msg("a command")),
    "after": (_are_words, msg("ids or names of tasks")),
    "push": (lambda value: isinstance(value, bool), msg("true or false")),
    "max_iterations": (_is_count, msg("a whole number from 1 up")),
    "max_minutes": (_is_amount, msg("a number above 0")),
    "max_cost_usd": (_is_amount, msg("a number above 0")),
    "max_tokens": (_is_count, msg("a whole number from 1 up")),
}
