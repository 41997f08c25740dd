"""What settings.json was before ccc changed it: a record that stands beside the file, and the way back.

Rule: the record is written before the settings are, so whatever a crash leaves can be taken back; settings that are as
ccc left them come back byte for byte, in others only what is ccc's goes. The record holds what was replaced, not the
whole file: a key that stands elsewhere in the settings is not copied.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from ccc.base import checksum, files
from ccc.base.documents import FILE_LIMIT, Json
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.providers import config
from ccc.providers.choosing import deep_merge
from ccc.providers.config import Config
from ccc.providers.launch import Say
from ccc_hooks import merged
from ccc_hooks.merged import Change
from ccc_hooks.settings import Hook, hooks_of_ours, with_hook, without_hook


class Splice(Struct, frozen=True):
    """One edit of a text: `old` stood at `at`, `new` stands there."""

    at: int
    old: str
    new: str


class Written(Struct, frozen=True):
    """What ccc made of the settings once: how to know them again, and how to take it back."""

    digest: str
    absent: bool  # there was no file at all
    splices: tuple[Splice, ...]
    changes: tuple[Change, ...]

    def stored(self) -> dict[str, Any]:
        splices = [asdict(splice) for splice in self.splices]
        changes = [change.stored() for change in self.changes]
        return {"digest": self.digest, "absent": self.absent, "splices": splices, "changes": changes}


def record_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.ccc-before")


def write(conf: Config, settings: Json, hook: Hook, state: Path, say: Say) -> None:
    """Our hook, and one provider's settings in the place of the last one's."""
    path = conf.directory / "settings.json"
    with _alone(path):
        known = _known(path, state, say)
        made: list[Written] = []

        def change(text: str) -> str:
            _tell_loss(conf, text, known, say)
            new, written = _supervised(text, known, settings, hook, path)
            made.append(written)
            if list(known) != made:
                # Both, until the settings are written: whichever file a crash leaves, it can be taken back.
                _store(path, [*known, written])
            return new

        config.edit(path, change)
        if list(known) != made:
            _store(path, made)
        _forget_first_version(state)


def remove(conf: Config, state: Path, say: Say) -> bool:
    """The settings as the user had them; False when there was nothing of ccc's in them."""
    path = conf.directory / "settings.json"
    with _alone(path):
        known = _known(path, state, say)
        changed: list[bool] = []

        def change(text: str) -> str:
            _tell_loss(conf, text, known, say)
            new, absent = _users(text, known, path)
            changed.append(new != text)
            return "{}\n" if absent and not new and text else new

        config.edit(path, change)
        _forget(path, state)
    return changed[0]


def digest(text: str) -> str:
    return checksum.of(text.encode())


def splices(texts: Sequence[str]) -> tuple[Splice, ...]:
    """How each text became the next."""
    return tuple(_splice(old, new) for old, new in pairwise(texts) if old != new)


def unspliced(text: str, edits: Sequence[Splice]) -> str | None:
    """The first of the texts, from the last; None when this is not the last."""
    for edit in reversed(edits):
        end = edit.at + len(edit.new)
        if text[edit.at : end] != edit.new:
            return None
        text = text[: edit.at] + edit.old + text[end:]
    return text


def _supervised(text: str, known: Sequence[Written], settings: Json, hook: Hook, path: Path) -> tuple[str, Written]:
    base, absent = _users(text, known, path)
    hooks_of_ours(base, path)  # refuses what cannot be edited before anything is changed
    steps = list(merged.steps_of(base, settings))
    texts = [base, *(each for each, _ in steps)]
    new = with_hook(texts[-1], hook, path)
    absent = absent or (not text and not path.exists())
    changes = tuple(change for _, change in steps)
    return new, Written(digest(new), absent, splices([*texts, new]), changes)


def _users(text: str, known: Sequence[Written], path: Path) -> tuple[str, bool]:
    """The text without what is ccc's, and whether the user had no file."""
    for written in reversed(known):
        before = unspliced(text, written.splices) if written.digest == digest(text) else None
        if before is not None:
            return before, written.absent
    text = without_hook(text, path)  # first: what a provider brought to `hooks` could not be told from it
    return merged.undone(text, [change for written in known for change in written.changes]), False


def _splice(old: str, new: str) -> Splice:
    start = _shared(len(old), len(new), lambda size: old.startswith(new[:size]))
    room = min(len(old), len(new)) - start
    end = _shared(room, room, lambda size: not size or old.endswith(new[-size:]))
    return Splice(start, old[start : len(old) - end], new[start : len(new) - end])


def _shared(one: int, other: int, same: Any) -> int:
    low, high = 0, min(one, other)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if same(middle) else (low, middle - 1)
    return low


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Two starts at once must not mix two providers, wherever each has its state."""
    own = path.parent / "ccc"
    files.private_directory(own)
    with files.locked(own / "settings.lock", wait=10):
        yield


def _known(path: Path, state: Path, say: Say) -> tuple[Written, ...]:
    record = record_of(path)
    data = files.read_own(record, limit=files.CONFIG_LIMIT)
    if data is None:
        return _of_first_version(state)
    try:
        return tuple(map(_written, json.loads(data)["written"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        aside = files.set_aside(record)
        say(
            msg(
                "{path} cannot be read and is now {aside}; look whether {other} still holds what a provider brought",
                path=record,
                aside=aside,
                other=path,
            )
        )
        return ()


def _written(item: Mapping[str, Any]) -> Written:
    edits = tuple(Splice(int(edit["at"]), str(edit["old"]), str(edit["new"])) for edit in item["splices"])
    changes = merged.changes_from(item["changes"])
    return Written(str(item["digest"]), item["absent"] is True, edits, tuple(changes))


def _of_first_version(state: Path) -> tuple[Written, ...]:
    try:
        stored = json.loads(files.read_own(_first_version(state), limit=FILE_LIMIT) or b"[]")
        changes = merged.changes_from(stored)
    except (CccError, ValueError, RecursionError):  # told where a provider's values are found
        return ()
    return (Written("", False, (), tuple(changes)),) if changes else ()


def _first_version(state: Path) -> Path:
    """Where version 0.1 kept its record; only as long as there is no other."""
    return state / "merged-settings.json"


def _tell_loss(conf: Config, text: str, known: Sequence[Written], say: Say) -> None:
    """A hook of ours without a record: what came with it can no longer be told from the user's own."""
    path = conf.directory / "settings.json"
    if known or not hooks_of_ours(text, path):
        return
    brought = [deep_merge(conf.settings, own) for own in conf.providers.values()]
    keys = [key for each in brought for key in merged.suspects(text, {**each, "env": None, "hooks": None})]
    if keys:
        names = ", ".join(dict.fromkeys(keys))
        say(
            msg(
                "{path} is gone: {other} may hold what a provider brought ({names}); take out what is not yours",
                path=record_of(path),
                other=path,
                names=names,
            )
        )


def _store(path: Path, written: Sequence[Written]) -> None:
    record = record_of(path)
    content = {"about": ABOUT, "written": [each.stored() for each in written]}
    data = json.dumps(content, indent=1).encode()
    files.replace_own(record, data, scratch=record.parent)


ABOUT = "What ccc changed in settings.json, for `ccc hooks remove`; keep it beside that file."


def _forget(path: Path, state: Path) -> None:
    with suppress(OSError):  # then it will find nothing to take back
        record_of(path).unlink()
    _forget_first_version(state)


def _forget_first_version(state: Path) -> None:
    with suppress(OSError):  # never heeded again where there is a new record
        _first_version(state).unlink()
