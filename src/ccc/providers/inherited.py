"""What counts, below a client, of the variables that its settings files have brought.

Rule: whatever could move the traffic or load code, and every variable that ccc.json names, is as at the client's start,
unless the person has said otherwise: in a file of their own, in what they handed to the client, or with `ccc allow`.
So is what leads to a database, and only for the command that opens the fleet's store. What was typed since stays. A
client keeps what a file has brought when the file is gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path

from ccc.base.documents import Json, read_object
from ccc.base.errors import CccError
from ccc.base.patterns import pattern
from ccc.base.processes import words
from ccc.claude import above, commandline, powers, settings
from ccc.claude.above import Above
from ccc.claude.ground import Ground
from ccc.claude.variables import KEPT, is_of_client
from ccc.providers import allowing, config
from ccc.providers.config import Config

# What the address of a store leaves open libpq takes from here.
_OF_LIBPQ = pattern(r"PG[A-Z]+")


def settle(environ: MutableMapping[str, str]) -> None:
    """For a command that was typed below a client: this process, and all that it starts, go by what counts."""
    found = _above(environ)
    moved = _moved(environ, found)
    if moved:
        strict = _put_back(environ, found, moved)
        _put(environ, moved, {**strict, **_harmless(_configured(strict), Path.cwd(), moved, found)})
    if KEPT in environ:  # what a start of ccc's has started since has all that is meant for it
        environ.update({name: value for name, value in found.kept.items() if name not in environ})


def settle_libpq(environ: MutableMapping[str, str]) -> None:
    """The same for what opens the fleet's store, behind `settle`. Nothing else: a project's checks may need the
    database that its settings name, and `ccc allow` knows no word for it."""
    found = _above(environ)
    moved = {name: value for name, value in _moved(environ, found).items() if _OF_LIBPQ.fullmatch(name)}
    if moved:
        said = set(_said(_configured(environ), Path.cwd(), found, None))
        kept = {name: value for name, value in moved.items() if (name, value) in said}
        _put(environ, moved, {**_put_back(environ, found, moved), **kept})


def settled(
    conf: Config, cwd: Path, env: Mapping[str, str], found: Above, ground: Ground | None = None
) -> Mapping[str, str]:
    """The environment, for what a hook starts."""
    moved = _moved(env, found)
    return {**_put_back(env, found, moved), **_harmless(conf, cwd, moved, found, ground)} if moved else env


def _above(environ: Mapping[str, str]) -> Above:
    """What has left its client's family (a tmux that was started there) has nobody above who could tell."""
    found = above.of(environ)
    return found if environ.get("CLAUDE_PID", str(found.pid)) == str(found.pid) else Above()


def _put(environ: MutableMapping[str, str], moved: Iterable[str], kept: Mapping[str, str]) -> None:
    for name in moved:
        if name in kept:
            environ[name] = kept[name]
        else:
            del environ[name]


def _moved(env: Mapping[str, str], found: Above) -> dict[str, str]:
    """What the client has handed on otherwise than it was handed to it, and nobody has changed since."""
    if not found.started:
        return {}
    given = found.given or env
    return {
        name: value
        for name, value in env.items()
        if value != found.started.get(name, "") and value == given.get(name) and not is_of_client(name, value)
    }


def _put_back(env: Mapping[str, str], found: Above, moved: Mapping[str, str]) -> dict[str, str]:
    others = {name: value for name, value in env.items() if name not in moved}
    return others | {name: found.started[name] for name in moved if name in found.started}


def _harmless(
    conf: Config, cwd: Path, moved: Mapping[str, str], found: Above, ground: Ground | None = None
) -> dict[str, str]:
    """What may stay as it is."""
    asked = {name for name, value in moved.items() if powers.variable_reason(name, value, conf.named)}
    said = set(_said(conf, cwd, found, ground)) if asked else set()
    return {name: value for name, value in moved.items() if name not in asked or (name, value) in said}


def _said(conf: Config, cwd: Path, found: Above, ground: Ground | None) -> Iterator[tuple[str, str]]:
    """What the person has said of variables: name and value."""
    own = [source.env for source in settings.sources(conf.directory, cwd) if source.kind not in settings.BY_PROJECT]
    handed = _handed(found.pid).get("env")
    for env in (*own, *([handed] if isinstance(handed, dict) else [])):
        yield from ((name, str(value)) for name, value in env.items())
    with suppress(CccError):  # told by whoever needs them
        for name, values in allowing.allowed_in(conf, cwd, ground).items():
            yield from ((name, str(value)) for value in (values if isinstance(values, list) else ()))


def _handed(pid: int) -> Json:
    """The settings that stand on the client's own command line, or where that says; its memory is no file of ours."""
    line = [os.fsdecode(word) for word in words(pid, "cmdline")]
    named = commandline.split_settings(line)[1] or ""
    with suppress(CccError, ValueError):
        if named.lstrip().startswith("{"):
            read = settings.parsed(named.encode("utf-8", "replace"))
            return read if isinstance(read, dict) else {}
        inside = named.removeprefix("/dev/fd/")
        return read_object(Path(f"/proc/{pid}/fd/{inside}" if inside != named else named)) if named else {}
    return {}


def _configured(env: Mapping[str, str]) -> Config:
    try:
        return config.load(env)
    except CccError:  # told by the command itself
        return config.bare(env)
