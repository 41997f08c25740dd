"""What ccc wrote into settings.json for a provider, so that it can be taken back when the provider changes.

Rule: text in, text out; a value the user has changed since is the user's and stays, and what was there before comes
back in its own spelling.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ccc.base import jsontext

Where = tuple[str, ...]


class Change(Struct, frozen=True):
    """One value that ccc set, and what stood there before, both as they are spelled."""

    where: Where
    was: str | None  # None when there was nothing
    now: str
    holders: int  # how many of the steps were there; ccc made the others
    added: tuple[str, ...] = ()  # what a list has grown by

    def stored(self) -> dict[str, Any]:
        told = {"where": list(self.where), "after": self.now, "holders": self.holders, "added": list(self.added)}
        return told if self.was is None else {**told, "before": self.was}


def changes_from(stored: object) -> list[Change]:
    """The changes as they were stored, by version 0.1 as well; what cannot be understood is left out."""
    found = stored if isinstance(stored, list) else []
    return [change for item in found if (change := _change(item)) is not None]


def _change(item: object) -> Change | None:
    match item:
        case {"where": [*steps], "after": str(now), "holders": int(holders), "added": [*added], **rest}:
            before = rest.get("before")
            if not _sound(steps, [now, *added, "null" if before is None else before]):
                return None
            return Change(tuple(steps), None if before is None else str(before), now, holders, tuple(added))
        case {"where": [*steps], "now": now, **rest}:  # version 0.1 kept the values and not their spelling
            was = jsontext.written(rest["was"]) if "was" in rest else None
            return Change(tuple(steps), was, jsontext.written(now), len(steps)) if _sound(steps, []) else None
    return None


def _sound(steps: Sequence[object], texts: Sequence[object]) -> bool:
    return bool(steps) and all(isinstance(step, str) for step in steps) and all(map(_is_json, texts))


def _is_json(text: object) -> bool:
    try:
        jsontext.parse(text if isinstance(text, str) else "")
    except jsontext.JsonError:
        return False
    return True


def undone(text: str, changes: Sequence[Change]) -> str:
    """The settings as they were before the changes, except where the user has changed them since."""
    for change in reversed(changes):
        text = _undone(text, change)
    return text


def _undone(text: str, change: Change) -> str:
    current = jsontext.spelled(text, change.where)
    if current is None:
        return text
    if _value(current) != _value(change.now):
        return _without_added(text, change)
    if change.was is not None:
        return jsontext.respelled(text, change.where, change.was)
    return _pruned(jsontext.remove(text, change.where), change)


def _without_added(text: str, change: Change) -> str:
    """A list that somebody else has changed as well: what the provider brought goes, the rest stays."""
    if not isinstance(jsontext.parse(jsontext.spelled(text, change.where) or "null"), list):
        return text
    for item in change.added:
        text = _without_item(text, change.where, item)
    if change.was is None and jsontext.parse(jsontext.spelled(text, change.where) or "null") == []:
        return _pruned(jsontext.remove(text, change.where), change)
    return text


def _without_item(text: str, where: Where, item: str) -> str:
    items = [_same(each) for each in jsontext.parse(jsontext.spelled(text, where) or "[]")]
    if _value(item) not in items:
        return text
    last = len(items) - 1 - items[::-1].index(_value(item))
    return jsontext.remove(text, (*where, last))


def _pruned(text: str, change: Change) -> str:
    """Without the objects that ccc made for the value, where nothing else has come into them."""
    for depth in range(len(change.where) - 1, change.holders, -1):
        if jsontext.parse(jsontext.spelled(text, change.where[:depth]) or "null") != {}:
            break
        text = jsontext.remove(text, change.where[:depth])
    return text


def done(text: str, settings: Mapping[str, object]) -> tuple[str, list[Change]]:
    """The settings with a provider's merged in, and how to take them back. Lists grow, other values are replaced."""
    steps = list(steps_of(text, settings))
    return steps[-1][0] if steps else text, [change for _, change in steps]


def steps_of(text: str, settings: Mapping[str, object]) -> Iterator[tuple[str, Change]]:
    """The same, one change after another."""
    for where, value in _leaves(settings):
        was = jsontext.spelled(text, where)
        added = _new_items(was, value)
        changed = _grown(text, where, was, added) if _is_list(was) and added is not None else None
        changed = jsontext.set_value(text, where, value) if changed is None else changed
        if changed != text:
            items = tuple(map(jsontext.written, added or ()))
            yield changed, Change(where, was, jsontext.spelled(changed, where) or "null", _present(text, where), items)
            text = changed


def _new_items(was: str | None, value: object) -> list[object] | None:
    """What a list would bring to the list that is there, or to none; None for anything else."""
    if not isinstance(value, list) or not (was is None or _is_list(was)):
        return None
    known = {_same(item) for item in jsontext.parse(was or "[]")}
    return [item for item in value if _same(item) not in known]


def _grown(text: str, where: Where, was: str | None, items: Sequence[object]) -> str:
    """One item after another, so that those of the user keep their spelling."""
    length = len(jsontext.parse(was or "[]"))
    for number, item in enumerate(items):
        text = jsontext.set_value(text, (*where, length + number), item)
    return text


def _is_list(spelling: str | None) -> bool:
    return spelling is not None and spelling.startswith("[")


def _present(text: str, where: Where) -> int:
    depths = range(len(where), 0, -1)
    return next((depth for depth in depths if jsontext.spelled(text, where[:depth]) is not None), 0)


def _leaves(settings: Mapping[str, Any], above: Where = ()) -> Iterator[tuple[Where, Any]]:
    for key, value in settings.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def suspects(text: str, settings: Mapping[str, object]) -> list[str]:
    """The keys at which the text says what these settings would bring."""
    return [".".join(where) for where, value in _leaves(settings) if _says(jsontext.spelled(text, where), value)]


def _says(current: str | None, value: object) -> bool:
    if current is None or not _is_list(current) or not isinstance(value, list):
        return current is not None and _value(current) == _same(value)
    known = {_same(item) for item in jsontext.parse(current)}
    return any(_same(item) in known for item in value)


def _value(spelling: str) -> str:
    return _same(jsontext.parse(spelling))


def _same(value: object) -> str:
    """Equal for equal JSON, where Python would take true for 1."""
    return json.dumps(value)
