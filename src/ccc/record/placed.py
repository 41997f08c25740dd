"""Which hook ccc wrote into which settings file, and whether it still stands there.

Rule: a record beside the sessions, made when the hook is written and dropped when `ccc hooks remove` takes it out; a
settings file is read here and never written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccc.base import documents, files, jsontext
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import Message, msg


class Gone(Struct, frozen=True):
    """A hook that somebody took out or changed."""

    path: Path
    written: datetime
    since: datetime | None  # when the file was last changed; None when there is no file
    told: bool

    def what(self) -> Message:
        """For a person, in the time of the place."""
        when = f"{(self.since or self.written).astimezone():%Y-%m-%d %H:%M}"
        return msg(
            "the hook that ccc wrote is gone from {path} since {when} at the latest, or was changed there, and its "
            "stops may not have been reviewed from then on",
            path=self.path,
            when=when,
        )

    def line(self) -> Message:
        return msg("{what}; {fix}", what=self.what(), fix=msg("if that was you: ccc hooks remove"))


def wrote(state: Path, path: Path, hook: Mapping[str, object], now: datetime) -> None:
    """`hook` is what stands for a Stop, whole: `async` or another `timeout` silence it as well as another command."""
    entry = {"hook": hook, "at": now.isoformat(timespec="seconds")}
    _store(state, {**_stored(state), str(path): entry})


def took_out(state: Path, path: Path) -> None:
    """The person did it; there is nothing to tell."""
    known = _stored(state)
    if str(path) in known:
        _store(state, {name: entry for name, entry in known.items() if name != str(path)})


def told(state: Path) -> None:
    """At a start; `ccc status` and `ccc doctor` go on telling."""
    missing = {str(each.path) for each in gone(state)}
    if missing:
        known = _stored(state).items()
        _store(state, {name: {**entry, "told": True} if name in missing else entry for name, entry in known})


def written_into(state: Path) -> list[Path]:
    """Every settings file that a hook was written into and not taken out of again."""
    return list(map(Path, _stored(state)))


def counted(state: Path) -> None:
    """A start with these hooks stands in the list of starts, under a seal."""
    known = _stored(state).items()
    if not all(entry.get("counted") is True for _, entry in known):
        _store(state, {name: {**entry, "counted": True} for name, entry in known})


def is_counted(state: Path) -> bool:
    return any(entry.get("counted") is True for entry in _stored(state).values())


def gone(state: Path) -> tuple[Gone, ...]:
    return tuple(_gone(state))


def _gone(state: Path) -> Iterator[Gone]:
    for name, entry in _stored(state).items():
        path, written = Path(name), _moment(entry.get("at"))
        if written and not _stands(entry, _hooks(path)):
            yield Gone(path, written, _changed(path), entry.get("told") is True)


def _stands(entry: Mapping[str, object], found: list[dict[str, object]]) -> bool:
    if "hook" in entry:
        return entry["hook"] in found
    return any(entry.get("command") == each.get("command") for each in found)  # as earlier versions kept it


def _hooks(path: Path) -> list[dict[str, object]]:
    """All Stop hooks in the file; of one that cannot be read nobody knows."""
    try:
        document: Any = jsontext.parse(files.read_text(path, limit=documents.FILE_LIMIT) or "{}")
    except (CccError, jsontext.JsonError):
        return []
    found = document.get("hooks") if isinstance(document, dict) else None
    groups = found.get("Stop") if isinstance(found, dict) else None
    inner = [group.get("hooks") for group in groups if isinstance(group, dict)] if isinstance(groups, list) else []
    return [entry for each in inner if isinstance(each, list) for entry in each if isinstance(entry, dict)]


def _changed(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None


def _moment(stored: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(stored if isinstance(stored, str) else "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _path(state: Path) -> Path:
    return state / "hooks-written.json"


def _stored(state: Path) -> Mapping[str, Mapping[str, object]]:
    try:
        stored = json.loads(files.read_own(_path(state), limit=documents.FILE_LIMIT) or b"{}")
    except (ValueError, CccError):  # then nothing is known of a hook
        return {}
    found = stored if isinstance(stored, dict) else {}
    return {name: entry for name, entry in found.items() if isinstance(entry, dict) and "\0" not in name}


def _store(state: Path, entries: Mapping[str, Mapping[str, object]]) -> None:
    with suppress(CccError):  # a record that cannot be kept is no reason not to start
        files.private_directory(scratch_folder(state))
        data = json.dumps(entries, indent=1).encode()  # ASCII: a folder name may be no UTF-8
        files.replace_own(_path(state), data, scratch=scratch_folder(state))
