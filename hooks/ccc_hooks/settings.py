"""Claude's settings.json with ccc's hooks in it, for a Stop, for its failure and, where reviews run in the background,
for a prompt of the person's: merged in, taken out, and nothing of the user's lost.

Rule: text in, text out; every byte that is not ours stays, and doing it twice changes nothing. Ours is a call that ccc
itself has written, to the letter; a command that only mentions one is the user's.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ccc.base import interpreter, jsontext
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.claude.own_hook import AS_CCC, BACKGROUND, OR_ELSE, OR_WAKE, UNMOVED, is_ours
from ccc.claude.settings import hook_entries, stop_commands

if TYPE_CHECKING:
    from ccc_hooks.program import Program

Where = tuple[str | int, ...]


class MalformedHooks(CccError):
    """A `hooks` that the client itself could not read."""


STOP, FAILURE, ASKED = EVENTS = ("Stop", "StopFailure", "UserPromptSubmit")
FAILURE_SECONDS = 60
ASKED_SECONDS = 10  # a person waits for it
# Before the feedback, in the place of the client's own "Stop hook blocking error from command".
FEEDBACK = "Stop hook feedback (your work was reviewed after you had stopped; go on with what follows):"


class Background(Struct, frozen=True):
    """A Stop that is reviewed while the person has the prompt: the command for it, the one for each prompt, and what
    the client shows when the agent is woken."""

    command: str
    asked: str
    summary: str


class Hook(Struct, frozen=True):
    command: str
    timeout: int
    status: str
    failures: bool = False  # the client knows the event; one that does not would drop the whole file
    background: Background | None = None

    def entry(self) -> dict[str, Any]:
        """What stands for a Stop."""
        shared = {"type": "command", "command": self.command, "timeout": self.timeout, "statusMessage": self.status}
        if self.background is None:
            return shared
        waking = {"asyncRewake": True, "rewakeMessage": FEEDBACK, "rewakeSummary": self.background.summary}
        return {**shared, "command": self.background.command, **waking}

    def entries(self) -> dict[str, dict[str, Any]]:
        """What stands for each event."""
        failure = {"type": "command", "command": UNMOVED + self.command, "timeout": FAILURE_SECONDS}
        asked = {"type": "command", "command": self.background and self.background.asked, "timeout": ASKED_SECONDS}
        return {
            STOP: self.entry(),
            **({FAILURE: failure} if self.failures else {}),
            **({ASKED: asked} if self.background else {}),
        }


def hook_command(program: Program, *options: str) -> str:
    """The command as the client's shell will read it."""
    python = (*program.python, *AS_CCC) if program.python else ()
    words = (*python, program.path, "supervisor-hook", *options)
    ending = OR_WAKE if BACKGROUND in options else OR_ELSE
    if any("\n" in word for word in words):
        raise CccError(
            msg("the path of ccc holds a line break, which no hook command can carry"), msg("install ccc elsewhere")
        )
    if program.python:
        return f"{shlex.join(words)}{ending}"
    if program.clears:
        return f"{interpreter.cleared()} {shlex.join(words)}{ending}"
    return shlex.join(words) + (ending if BACKGROUND in options else "")


def with_hook(text: str, hook: Hook, path: Path) -> str:
    """The settings with exactly one hook of ours for each event: in its old place, or behind the user's."""
    entries = hook.entries()
    for event in EVENTS:
        text = _with_entry(text, event, entries[event], path) if event in entries else _without(text, event, path)
    return text


def without_hook(text: str, path: Path) -> str:
    """The settings without any hook of ours, and without what only held it."""
    for event in reversed(EVENTS):
        text = _without(text, event, path)
    return text


def hooks_of_ours(text: str, path: Path) -> list[str]:
    """The commands of our Stop hooks."""
    stop = _groups(text, STOP, path)
    return [_at(stop, where)["command"] for where in _ours(stop)]


def tells_failures(text: str, path: Path) -> bool:
    """Whether a hook of ours stands for the failure of a turn as well."""
    return any(_ours(_groups(text, FAILURE, path)))


def in_background(text: str, path: Path) -> bool:
    """Whether our Stop hook lets the turn end before the review has."""
    stop = _groups(text, STOP, path)
    return any(_at(stop, where).get("asyncRewake") is True for where in _ours(stop))


def foreign_hooks(text: str, path: Path) -> int:
    """How many Stop hooks of others stand beside ours."""
    stop = _groups(text, STOP, path)
    return sum(len(hook_entries(group)) for group in stop) - len(list(_ours(stop)))


def _with_entry(text: str, event: str, entry: dict[str, Any], path: Path) -> str:
    groups = _groups(text, event, path)
    first, *others = (*_ours(groups), None) if any(_ours(groups)) else (None,)
    for where in reversed([place for place in others if place]):
        text = _pruned(text, ("hooks", event, *where), path)
    if first is not None:
        return jsontext.set_value(text, ("hooks", event, *first), entry)
    return jsontext.set_value(text, ("hooks", event, len(groups)), {"hooks": [entry]})


def _without(text: str, event: str, path: Path) -> str:
    if event != STOP and f'"{event}"' not in text:  # so ccc writes it, and a whole document is long to read
        return text
    for where in reversed(list(_ours(_groups(text, event, path)))):
        text = _pruned(text, ("hooks", event, *where), path)
    return text


def mentions_ours(command: object) -> bool:
    """Whether a command that is not ours may call ccc all the same."""
    return isinstance(command, str) and not is_ours(command) and _MENTIONED.search(command) is not None


def mentioned(settings: Mapping[str, Any]) -> bool:
    """Whether a Stop hook in these settings has ccc called by a command of somebody else's."""
    return any(mentions_ours(command) for command in stop_commands(settings))


def copied(settings: Mapping[str, Any]) -> bool:
    """Whether a Stop hook in these settings is a call of ours or names one."""
    return any(is_ours(command) or mentions_ours(command) for command in stop_commands(settings))


_MENTIONED = pattern(r"\bccc\b[^\w]*+supervisor-hook")


def _groups(text: str, event: str, path: Path) -> list[Any]:
    document = _document(text, path)
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict):
        raise MalformedHooks(
            msg("{path}: hooks must be an object {{…}}", path=path), msg("mend it, ccc will not overwrite it")
        )
    groups = hooks.get(event, [])
    if not isinstance(groups, list) or not all(isinstance(group, dict) for group in groups):
        raise MalformedHooks(
            msg("{path}: hooks.{event} must be a list of objects", path=path, event=event),
            msg("mend it, ccc will not overwrite it"),
        )
    return groups


def _document(text: str, path: Path) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    try:
        document = jsontext.parse(text)
    except jsontext.JsonError as error:
        raise CccError(
            msg("{path} is not valid JSON ({error})", path=path, error=error), msg("mend it, ccc will not overwrite it")
        ) from None
    if not isinstance(document, dict):
        raise CccError(msg("{path} must hold a JSON object", path=path), msg("mend it, ccc will not overwrite it"))
    return document


def _ours(groups: list[Any]) -> Iterator[Where]:
    for number, group in enumerate(groups):
        for index, entry in enumerate(hook_entries(group)):
            if isinstance(entry, dict) and is_ours(entry.get("command")):
                yield (number, "hooks", index)


def _at(groups: list[Any], where: Where) -> dict[str, Any]:
    found: Any = groups
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
