"""What could stand on the line where the person presses Tab: ccc's commands, the client's, and files behind an @.

Rule: bounded in time and number, whatever the folder holds; git is asked so that nothing of the repository runs.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ccc.base import repository
from ccc_legacy import commands
from ccc_legacy.person import Suggestion

MOST = 50  # suggestions
FILES = 20_000
FRESH_SECONDS = 5.0
WALK_SECONDS = 0.5  # where there is no git
_COMMAND = re.compile(r"/\S*\Z")
_FILE = re.compile(r"(?:\A|\s)@(\S*)\Z")


class Completing(Struct):
    cwd: Path
    env: Mapping[str, str]
    others: Callable[[], Sequence[str]]  # the client's commands, as it listed them
    told: Callable[[str], str] = str
    _files: tuple[str, ...] = ()
    _listed: float = float("-inf")

    def __call__(self, before: str) -> list[Suggestion]:
        if _COMMAND.match(before):
            return list(self._commands(before))[:MOST]
        if found := _FILE.search(before):
            return [Suggestion(_spelled(path), len(found[1])) for path in _matching(self._paths(), found[1])]
        return []

    def _commands(self, typed: str) -> Iterator[Suggestion]:
        """ccc's own first, for only it says what they do."""
        found = {name: self.told(about) for name, about in commands.ABOUT.items()}
        for name in (f"/{name}" for name in self.others()):
            found.setdefault(name, "")
        for name, about in found.items():
            if name.startswith(typed):
                yield Suggestion(name, len(typed), about)

    def _paths(self) -> tuple[str, ...]:
        if time.monotonic() - self._listed > FRESH_SECONDS:
            listed = repository.files(self.cwd, self.env)
            self._files = tuple(walked(self.cwd) if listed is None else listed[:FILES])
            self._listed = time.monotonic()
        return self._files


def _matching(paths: Sequence[str], typed: str) -> list[str]:
    """Those that begin so, then those whose name does, then those that have it anywhere."""
    low = typed.lower()
    near = [path for path in paths if low in path.lower()]
    ranked = sorted(near, key=lambda path: (_rank(path.lower(), low), path.count("/"), path))
    return ranked[:MOST]


def _rank(path: str, typed: str) -> int:
    if path.startswith(typed):
        return 0
    return 1 if path.rpartition("/")[2].startswith(typed) else 2


def _spelled(path: str) -> str:
    return f'"{path}"' if " " in path else path


def walked(folder: Path) -> Iterator[str]:
    """The files below, the near ones first; hidden folders and links are not entered."""
    todo, until, found = deque([folder]), time.monotonic() + WALK_SECONDS, 0
    while todo and time.monotonic() < until and found < FILES:
        for entry in _entries(todo.popleft()):
            if entry.is_dir(follow_symlinks=False):
                todo.append(Path(entry.path))
            elif entry.name.isprintable():
                found += 1
                yield os.path.relpath(entry.path, folder)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted((each for each in entries if each.name[:1] != "."), key=lambda each: each.name)
    except OSError:  # not ours to read
        return []
