"""What ccc wrote into settings.json for a provider, so that it can be taken back when the provider changes.

Rule: a value the user has changed since is the user's and stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ccc.base import jsontext

Where = tuple[str, ...]
ABSENT = object()


@dataclass(frozen=True, slots=True)
class Change:
    """One value that ccc set, and what stood there before."""

    where: Where
    was: Any  # ABSENT when there was nothing
    now: Any

    def stored(self) -> dict[str, Any]:
        before = {} if self.was is ABSENT else {"was": self.was}
        return {"where": list(self.where), "now": self.now, **before}


def changes_from(stored: object) -> list[Change]:
    """The changes as they were stored; what cannot be understood is left out."""
    found = stored if isinstance(stored, list) else []
    return [
        Change(tuple(item["where"]), item.get("was", ABSENT), item["now"])
        for item in found
        if isinstance(item, dict) and isinstance(item.get("where"), list) and "now" in item
    ]


def undone(text: str, changes: Sequence[Change]) -> str:
    """The settings as they were before the changes, except where the user has changed them since."""
    for change in reversed(changes):
        if _value(text, change.where) != change.now:
            continue
        if change.was is ABSENT:
            text = jsontext.remove(text, change.where)
        else:
            text = jsontext.set_value(text, change.where, change.was)
    return text


def done(text: str, settings: Mapping[str, object]) -> tuple[str, list[Change]]:
    """The settings with a provider's merged in, and how to take them back. Lists grow, other values are replaced."""
    changes = []
    for where, value in _leaves(settings):
        was = _value(text, where)
        now = [*was, *(item for item in value if item not in was)] if _lists(was, value) else value
        if was != now:
            changes.append(_rooted(text, Change(where, was, now)))
            text = jsontext.set_value(text, where, now)
    return text, changes


def _rooted(text: str, change: Change) -> Change:
    """The change seen from the first holder that did not exist, so that taking it back leaves no empty one."""
    for depth in range(1, len(change.where)):
        if _value(text, change.where[:depth]) is ABSENT:
            now = change.now
            for step in reversed(change.where[depth:]):
                now = {step: now}
            return Change(change.where[:depth], ABSENT, now)
    return change


def _lists(*values: object) -> bool:
    return all(isinstance(value, list) for value in values)


def _leaves(settings: Mapping[str, Any], above: Where = ()) -> Iterator[tuple[Where, Any]]:
    for key, value in settings.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _value(text: str, where: Where) -> Any:
    found: Any = jsontext.parse(text) if text.strip() else {}
    for step in where:
        if not isinstance(found, dict) or step not in found:
            return ABSENT
        found = found[step]
    return found
