"""Take ccc out of Claude's settings for good, and tell what is left and how to remove it.

Rule: takes out of a file what ccc put there and deletes only files that ccc made; whatever holds the person's own
words, keys or memories is named and left to the person.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import documents, files, installation, jsontext
from ccc.base.errors import CccError
from ccc.base.messages import Message, msg
from ccc.claude import settings
from ccc.providers.config import Config
from ccc.providers.launch import Say
from ccc.record import placed, starts
from ccc_hooks import before
from ccc_hooks.settings import hooks_of_ours

OWN = "settings.json"  # the one that is the person's; ccc's own ones are settings-NAME.json


class Step(Struct, frozen=True):
    """One thing to be done to the settings: what, and the doing."""

    what: Message
    do: Callable[[], object]


def steps(conf: Config, state: Path, say: Say) -> list[Step]:
    """For every settings file that ccc has written to."""
    return [_step(path, conf, state, say) for path in _written(conf.directory, state)]


class Left(Struct, frozen=True):
    """What stays, and what takes it away."""

    path: Path
    what: Message
    command: str = ""  # else it is removed as any file is


def left(conf: Config, state: Path, cwd: Path, others: Sequence[Left] = ()) -> Iterator[Message]:
    """What stays, each with what to type if it is to go, in this order; `others` are of rooms unknown here. ccc itself
    last."""
    backups = sorted(conf.directory.glob("settings.json.before-ccc-*"))
    for each in (
        *others,
        Left(state, msg("the sessions, logs and reports")),
        Left(conf.path, msg("your providers and their keys, checks and options")),
        *(Left(backup, msg("your settings as they were before ccc init; it may hold a key")) for backup in backups),
    ):
        if each.path.exists():
            command = each.command or _removal(each.path)
            yield msg("{path}: {what}; to remove it: {command}", path=each.path, what=each.what, command=command)
    for path in _by_hand(conf.directory, cwd):
        yield msg("{path} calls ccc by a line that ccc has not written; take it out there", path=path)
    yield msg("ccc itself; to remove it: {command}", command=installation.removing())


def still_running(state: Path) -> list[int]:
    """Supervised clients whose stops nobody will review from then on."""
    return [start.pid for start in starts.known(state) if start.lives]


def _removal(path: Path) -> str:
    return shlex.join(["rm", *(["-r"] if path.is_dir() else []), str(path)])


def _written(directory: Path, state: Path) -> list[Path]:
    """Those that still hold a hook of ours; the record tells of folders that ccc was once used with."""
    known = [directory / OWN, *sorted(directory.glob("settings-*.json")), *placed.written_into(state)]
    return [path for path in dict.fromkeys(known) if _hooks(path) or _brought(path)]


def _hooks(path: Path) -> Sequence[str]:
    try:
        return hooks_of_ours(files.read_text(path, limit=documents.FILE_LIMIT) or "", path)
    except CccError:  # what cannot be read is not ours to change
        return ()


def _brought(path: Path) -> bool:
    """A record of what ccc changed there: somebody else has taken out the hook alone."""
    return path.name == OWN and before.record_of(path).exists()


def _step(path: Path, conf: Config, state: Path, say: Say) -> Step:
    if path.name == OWN:
        what = msg("{path}: the hook of ccc goes out, everything else stays", path=path)
        if _brought(path):
            record = before.record_of(path)
            what = msg("{path}: what ccc put there goes out, and {record} with it", path=path, record=record)
        return Step(what, lambda: _cleared(path, conf, state, say))
    pair = (path, path.with_name(f"{path.stem}-supervisor.json"))
    names = ", ".join(str(each) for each in pair if each.exists())
    return Step(msg("{paths}: removed, ccc made it", paths=names), lambda: _deleted(pair, state))


def _cleared(path: Path, conf: Config, state: Path, say: Say) -> None:
    placed.took_out(state, path)
    before.remove(replace(conf, path=path.with_name(conf.path.name)), state, say)


def _deleted(pair: Sequence[Path], state: Path) -> None:
    for path in pair:
        placed.took_out(state, path)
        with suppress(FileNotFoundError):
            path.unlink()


def _by_hand(directory: Path, cwd: Path) -> list[Path]:
    """A status line, or a hook that somebody wrote into another settings file."""
    found = settings.sources(directory, cwd)
    return [each.path for each in found if "ccc statusline" in _status_line(each.path) or _is_foreign(each, directory)]


def _is_foreign(source: settings.Source, directory: Path) -> bool:
    return source.path != directory / OWN and bool(_hooks(source.path))


def _status_line(path: Path) -> str:
    try:
        found = jsontext.parse(files.read_text(path, limit=documents.FILE_LIMIT) or "{}")
    except (CccError, jsontext.JsonError):
        return ""
    line = found.get("statusLine") if isinstance(found, dict) else None
    return str(line.get("command", "")) if isinstance(line, dict) else ""
