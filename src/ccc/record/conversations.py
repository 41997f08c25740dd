"""The conversations that a client keeps of one folder, and those that have gone from there to a worktree: which there
are, since when, and how far each had come.

Rule: by what the kernel tells of the files and by where something stands in them. What a line says of itself, its time
above all, whoever can write the file can make it say; only where a conversation began is taken from its first lines.
Nothing is there only where the kernel says so; what nobody can look into stands among the conversations for itself.
However much is there, a look ends, and knows what it has not looked at.
"""

from __future__ import annotations

import glob
import math
import mmap
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

from msgspec import Struct

from ccc.base import checksum, jsonlines
from ccc.base.jsonlines import Spend
from ccc.claude import transcript
from ccc.record.session import valid_session_id

LOOKED_AT = 2000  # of one folder, the newest first: more than anybody has
MARKED = 500  # … of which is written down how far they had come
READ = 64 * 2**20  # bytes in one look, of all folders: many times what stands behind anybody's last answers
LEAST = 64  # of that for each file and each line, however short
SEARCHED = 64  # bytes are searched in the time in which one is understood
TAIL = 64
HEAD = 2**18  # within which a client says where it is
WORKTREES = "--claude-worktrees-"  # in which the client makes them by itself: 2.1.326 below `.claude/worktrees`

T = TypeVar("T")
Marks = Mapping[str, str]  # of each conversation: its length, and what it ended with


class Folder(Struct, frozen=True):
    """The conversations of one folder, with the moments at which the kernel saw them change, the newest first."""

    changed: float  # … and the folder itself
    conversations: tuple[tuple[float, Path], ...]


class _TooMuch(Exception):
    pass


class Reading:
    """What one look reads: each folder and each file once, whatever names lead to it and whichever start asks."""

    def __init__(self) -> None:
        self.unread: dict[Path, None] = {}  # what was too much, in the order in which it was met
        self.listed: Callable[[Path], Folder] = cache(_listed)
        self.begun: Callable[[Path], str | None] = cache(self._begun)
        self._left = READ
        self._known: dict[object, object] = {}

    def since(self, folder: Folder, moment: float) -> list[Path]:
        """What has changed since, the newest first; where it is more than anybody looks at, one more that stands for
        all of that."""
        found = [path for changed, path in folder.conversations[: LOOKED_AT + 1] if changed >= moment]
        self.unread.update(dict.fromkeys(found[LOOKED_AT:]))
        return found

    def once(self, path: Path, read: Callable[..., T], *about: object) -> T | None:
        """What this reads in the file; None where there is no plain one, or it was too much."""
        if path in self.unread:
            return None
        with jsonlines.opened(path) as fd:
            if fd is None:
                return None
            key = read, *about, *_identity(fd)
            try:
                found = self._known[key] if key in self._known else self._read(fd, read, *about)
            except _TooMuch:
                self.unread[path] = None
                return None
            self._known[key] = found
            return cast("T", found)

    def _read(self, fd: int, read: Callable[..., T], *about: object) -> T:
        self.spend(0)
        return read(fd, self.spend, *about)

    def spend(self, length: int) -> None:
        self._left -= max(length, LEAST)
        if self._left < 0:
            raise _TooMuch

    def had(self, marks: Marks, path: Path, uuid: str) -> bool:
        """Whether this line stood in the conversation when it was marked, and stands nowhere behind that."""
        size = length(marks, path)
        return size is not None and 0 < (self.once(path, _last_end, uuid) or 0) <= size

    def lacked(self, marks: Marks, path: Path, uuid: str) -> bool:
        """Whether it stood nowhere in it then, or there was no such conversation; not where nobody can tell any more:
        what was marked has been changed since."""
        if path.stem not in marks:
            return True
        size = length(marks, path)
        return size is not None and self.once(path, has_line, uuid, size) is False

    def _begun(self, path: Path) -> str | None:
        return self.once(path, _begin)


def of(projects: Path, cwd: Path) -> Folder:
    folder = projects / transcript.named_after(cwd)
    return _listed(folder if os.path.lexists(folder) else _cut_otherwise(folder))


def at_start(projects: Path, cwd: Path) -> Iterator[Path]:
    """All that a client which begins there could go on with: those of the folder, and of the worktrees in it."""
    own = projects / transcript.named_after(cwd)
    yield from (path for _, path in of(projects, cwd).conversations)
    for folder in sorted(projects.glob(f"{glob.escape(own.name)}{WORKTREES}*")):
        yield from (path for _, path in _listed(folder).conversations)


def moved(projects: Path, cwd: Path, since: float, reading: Reading) -> list[Path]:
    """Those that began in this folder and are elsewhere since: the client takes its conversation to another worktree
    with it (the tool EnterWorktree). Whatever comes into a folder changes that. With them what may be one of them, and
    cannot be read."""
    own = projects / transcript.named_after(cwd)
    changed = (reading.listed(folder) for folder in _changed(projects, since) if folder != own)
    found = (path for folder in changed for path in reading.since(folder, since))
    return [path for path in found if reading.begun(path) in (str(cwd), None)]


def beside(path: Path, since: float, reading: Reading) -> list[Path]:
    """The others of a conversation's folder that have changed by then, as after /clear in a worktree; of what nobody
    can read it is not known whose folder that is."""
    found = reading.since(reading.listed(path.parent), since) if reading.begun(path) is not None else ()
    return [each for each in found if each != path]


def is_closed(path: Path) -> bool:
    """Whether something is there that nobody can read: no client puts a link to nowhere, a folder or a pipe there."""
    with jsonlines.opened(path) as fd:
        return fd is None and _touched(path) is not None


def marks(paths: Iterable[Path]) -> Marks:
    found = ((path.stem, _mark(path)) for path, _ in zip(paths, range(MARKED), strict=False))
    return {name: mark for name, mark in found if mark}


def has_line(fd: int, spend: Spend, uuid: str, within: int | None = None) -> bool:
    size = os.fstat(fd).st_size
    end = size if within is None else min(size, within)
    spend(end // SEARCHED)
    if not end:
        return False
    with mmap.mmap(fd, size, prot=mmap.PROT_READ) as data:
        return any(data.find(each, 0, end) >= 0 for each in _spelt(uuid))


def _last_end(fd: int, spend: Spend, uuid: str) -> int:
    """Where this id of a line ends, the last one of several; 0 where there is none."""
    size = os.fstat(fd).st_size
    begin = max(0, size - transcript.SESSION_LIMIT)
    if not size:
        return 0
    with mmap.mmap(fd, size, prot=mmap.PROT_READ) as data:
        found = max((at + len(each) for each in _spelt(uuid) if (at := data.rfind(each, begin)) >= 0), default=0)
    spend((size - max(found, begin)) // SEARCHED)
    return found


def _spelt(uuid: str) -> list[bytes]:
    return [f'"uuid":{space}"{uuid}"'.encode() for space in ("", " ")]


def length(marks: Marks, path: Path) -> int | None:
    """How long the conversation was when it was marked, if it still begins as it did."""
    size, _, ended = marks.get(path.stem, "").partition(".")
    if not size.isdecimal():
        return None
    with jsonlines.opened(path) as fd:
        return int(size) if fd is not None and _tail(fd, int(size)) == ended else None


def _identity(fd: int) -> tuple[int, ...]:
    found = os.fstat(fd)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _mark(path: Path) -> str:
    with jsonlines.opened(path) as fd:
        size = os.fstat(fd).st_size if fd is not None else 0
        return f"{size}.{_tail(fd, size)}" if fd is not None else ""


def _tail(fd: int, size: int) -> str:
    try:
        return checksum.of(os.pread(fd, min(TAIL, size), max(0, size - TAIL)))[:8]
    except (OSError, OverflowError):
        return ""


def _changed(projects: Path, since: float) -> list[Path]:
    try:
        with os.scandir(projects) as entries:
            folders = sorted(Path(each.path) for each in entries if _is_folder(each))
    except OSError:
        return [projects]
    return [folder for folder in folders if (_touched(folder) or 0.0) >= since]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _begin(fd: int, spend: Spend) -> str:
    """Where a conversation began, by the first line that says where."""
    found = (line.get("cwd") for line in jsonlines.head(fd, HEAD, spend))
    return next((cwd for cwd in found if isinstance(cwd, str)), "")


def _listed(folder: Path) -> Folder:
    changed = _touched(folder)
    if changed is None:  # never talked to
        return Folder(0.0, ())
    try:
        with os.scandir(folder) as entries:
            named = [Path(each.path) for each in entries if _is_named(each)]
    except OSError:
        return Folder(math.inf, ((math.inf, folder),))
    found = [(at, path) for path in named if (at := _touched(path)) is not None]
    return Folder(changed, tuple(sorted(found, reverse=True)))


def _is_named(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".jsonl") and valid_session_id(entry.name.removesuffix(".jsonl"))


def _touched(path: Path) -> float | None:
    """When the kernel last saw it change, of a link also what it leads to: not when it was last written by its own
    account, which anybody can set. None when there is nothing, the end of all time where the kernel does not tell."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    except OSError:
        return math.inf
    return max(found.st_ctime, _led_to(path) if stat.S_ISLNK(found.st_mode) else 0.0)


def _led_to(link: Path) -> float:
    try:
        return link.stat().st_ctime
    except OSError:  # nowhere
        return 0.0


def _cut_otherwise(folder: Path) -> Path:
    """Where the name is long: what the client puts behind it is not the same in every version."""
    beginning = folder.name[: transcript.NAME_LENGTH]
    return next(folder.parent.glob(f"{beginning}-*"), folder) if folder.name != beginning else folder
