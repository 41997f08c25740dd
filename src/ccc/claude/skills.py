"""Plugins in a folder of skills, which the client loads with hooks and servers and without a word in any settings.

Measured with 2.1.326: each folder there, or link to one, that has a `.claude-plugin` with its `plugin.json` in it; of
the config folder always, of the working folder once that is trusted. Not of folders above or below, nor what stands
deeper, nor in the folders of agents, commands or plugins.

Rule: reads, and runs nothing. Two digests are the same only where nothing in the folder has changed; a doubt is None,
which nobody may take for the same.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ccc.base import checksum, files
from ccc.base.errors import CccError
from ccc.claude.links import End, end

MARK = ".claude-plugin"
# A plugin is a few texts and programs; whoever links to a whole disk shall not have every Stop read it.
MOST_ENTRIES = 5_000
MOST_BYTES = 64 * 2**20


class _Doubt(Exception):
    """Nobody can say what is in it."""


def plugins(skills: Path) -> Iterator[tuple[Path, str | None]]:
    """Each plugin in a folder of skills and a digest of all that it consists of; None for what cannot be told."""
    if end(skills) is End.ELSEWHERE:
        yield skills, None
        return
    try:
        found = sorted(skills.iterdir())
    except OSError:  # there is none; one that cannot be read is none for the client either
        return
    for path in found:
        if _leads_elsewhere(path) or os.path.lexists(path / MARK):
            yield path, content(path)


def content(folder: Path) -> str | None:
    """Changes with every name, byte and permission to run in the folder, links followed; not with where it stands."""
    try:
        return checksum.of(repr(sorted(_entries(folder))).encode("utf-8", "replace"))
    except (_Doubt, OSError, CccError):
        return None


def _entries(folder: Path) -> Iterator[tuple[str, bool, str]]:
    places, left = [("", folder)], MOST_BYTES
    for name, path in places:  # which grows: a link that leads upwards comes to its end by the number of entries
        if len(places) > MOST_ENTRIES or _leads_elsewhere(path):
            raise _Doubt
        mode = _mode(path)
        if mode is None:
            yield name, False, f"nothing at {path.readlink()}"
        elif stat.S_ISDIR(mode):
            places += [(f"{name}/{inner.name}", inner) for inner in path.iterdir()]
            yield name, False, "folder"
        else:
            data = files.read_bytes(path, limit=left) or b""
            left -= len(data)
            yield name, bool(mode & 0o111), checksum.of(data)


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:  # a link to what is not there yet
        return None


def _leads_elsewhere(path: Path) -> bool:
    return path.is_symlink() and end(path) is End.ELSEWHERE
