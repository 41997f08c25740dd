"""Claude's settings.json with ccc's Stop hook in it: merged in, taken out, and nothing of the user's lost.

Rule: text in, text out; every byte that is not ours stays, and doing it twice changes nothing.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from ccc.base import interpreter, jsontext
from ccc.base.errors import CccError
from ccc_hooks.program import Program

Where = tuple[str | int, ...]


class MalformedHooks(CccError):
    """A `hooks` that the client itself could not read."""


@dataclass(frozen=True, slots=True)
class Hook:
    command: str
    timeout: int
    status: str

    def entry(self) -> dict[str, Any]:
        return {"type": "command", "command": self.command, "timeout": self.timeout, "statusMessage": self.status}


def hook_command(program: Program, *options: str) -> str:
    """The command as the client's shell will read it."""
    words = (*program.python, program.path, "supervisor-hook", *options)
    if any("\n" in word for word in words):
        raise CccError("the path of ccc holds a line break, which no hook command can carry; install ccc elsewhere")
    if program.python:
        # When ccc has been taken away Python ends with 2, which the client takes for a block.
        return f"{shlex.join(words)} || exit 1"
    return f"{interpreter.cleared()} {shlex.join(words)}" if program.clears else shlex.join(words)


def with_hook(text: str, hook: Hook, path: Path) -> str:
    """The settings with exactly one hook of ours: in its old place, or behind the user's."""
    stop = _stop_groups(text, path)
    first, *others = (*_ours(stop), None) if any(_ours(stop)) else (None,)
    for where in reversed([place for place in others if place]):
        text = _pruned(text, where, path)
    if first is not None:
        return jsontext.set_value(text, first, hook.entry())
    return jsontext.set_value(text, ("hooks", "Stop", len(stop)), {"hooks": [hook.entry()]})


def without_hook(text: str, path: Path) -> str:
    """The settings without any hook of ours, and without what only held it."""
    for where in reversed(list(_ours(_stop_groups(text, path)))):
        text = _pruned(text, where, path)
    return text


def hooks_of_ours(text: str, path: Path) -> list[str]:
    stop = _stop_groups(text, path)
    return [_at(stop, where)["command"] for where in _ours(stop)]


def foreign_hooks(text: str, path: Path) -> int:
    """How many Stop hooks of others stand beside ours."""
    stop = _stop_groups(text, path)
    return sum(len(_entries(group)) for group in stop) - len(list(_ours(stop)))


def is_ours(command: object) -> bool:
    """Whether a shell command calls `ccc supervisor-hook`, from whatever folder, with whatever options."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:  # unbalanced quotes: not written by us
        return False
    return any(Path(program).name == "ccc" and word == "supervisor-hook" for program, word in pairwise(words))


def _stop_groups(text: str, path: Path) -> list[Any]:
    document = _document(text, path)
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict):
        raise MalformedHooks(f"{path}: hooks must be an object {{…}}; mend it, ccc will not overwrite it")
    stop = hooks.get("Stop", [])
    if not isinstance(stop, list) or not all(isinstance(group, dict) for group in stop):
        raise MalformedHooks(f"{path}: hooks.Stop must be a list of objects; mend it, ccc will not overwrite it")
    return stop


def _document(text: str, path: Path) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    try:
        document = jsontext.parse(text)
    except jsontext.JsonError as error:
        raise CccError(f"{path} is not valid JSON ({error}); mend it, ccc will not overwrite it") from None
    if not isinstance(document, dict):
        raise CccError(f"{path} must hold a JSON object; mend it, ccc will not overwrite it")
    return document


def _ours(stop: list[Any]) -> Iterator[Where]:
    for number, group in enumerate(stop):
        for index, entry in enumerate(_entries(group)):
            if isinstance(entry, dict) and is_ours(entry.get("command")):
                yield ("hooks", "Stop", number, "hooks", index)


def _entries(group: Mapping[str, Any]) -> list[Any]:
    entries = group.get("hooks", [])
    return entries if isinstance(entries, list) else []


def _at(stop: list[Any], where: Where) -> dict[str, Any]:
    found: Any = {"hooks": {"Stop": stop}}
    for step in where:
        found = found[step]
    return dict(found)


def _pruned(text: str, where: Where, path: Path) -> str:
    """Take out one hook, then each holder that has become empty by it."""
    text = jsontext.remove(text, where)
    holder = where[:-1]
    while holder:
        value: Any = _document(text, path)
        for step in holder:
            value = value[step]
        alone = isinstance(value, dict) and set(value) <= {"hooks", "matcher"} and not value.get("hooks")
        if value and not alone:
            break
        text = jsontext.remove(text, holder)
        holder = holder[:-1]
    return text
