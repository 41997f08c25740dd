"""The conversations that a client keeps of one folder, and those that have gone from there to a worktree: which there
are, since when, and how far each had come.

Rule: by what the kernel tells of the files and by where something stands in them. What a line says of itself, its time
above all, whoever can write the file can make it say; only where a conversation began is taken from its first lines.
Nothing is there only where the kernel says so; what nobody can look into stands among the conversations for itself.
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

from msgspec import Struct

from ccc.base import checksum, jsonlines
from ccc.claude import transcript, transcript_lines
from ccc.record.session import valid_session_id

LOOKED_AT = 2000  # of one folder, the newest first: more than anybody has, and puts there in passing
MARKED = 500  # … of which is written down how far they had come
TAIL = 64
HEAD = 2**18  # within which a client says where it is
WORKTREES = "--claude-worktrees-"  # in which the client makes them by itself: 2.1.326 below `.claude/worktrees`

Marks = Mapping[str, str]  # of each conversation: its length, and what it ended with


class Folder(Struct, frozen=True):
    """The conversations of one folder, with the moments at which the kernel saw them change, the newest first."""

    changed: float  # … and the folder itself
    conversations: tuple[tuple[float, Path], ...]

    def since(self, moment: float) -> list[Path]:
        return [path for changed, path in self.conversations[:LOOKED_AT] if changed >= moment]


class Elsewhere:
    """What one look has read of other folders: each of them and each beginning once, whichever start asks."""

    def __init__(self) -> None:
        self.listed: Callable[[Path], Folder] = cache(_listed)
        self.begun: Callable[[Path], tuple[str | None, float]] = cache(_begin)


def of(projects: Path, cwd: Path) -> Folder:
    folder = projects / transcript.named_after(cwd)
    return _listed(folder if os.path.lexists(folder) else _cut_otherwise(folder))


def at_start(projects: Path, cwd: Path) -> Iterator[Path]:
    """All that a client which begins there could go on with: those of the folder, and of the worktrees in it."""
    own = projects / transcript.named_after(cwd)
    yield from (path for _, path in of(projects, cwd).conversations)
    for folder in sorted(projects.glob(f"{glob.escape(own.name)}{WORKTREES}*")):
        yield from (path for _, path in _listed(folder).conversations)


def moved(projects: Path, cwd: Path, since: float, there: Elsewhere) -> list[Path]:
    """Those that began in this folder and are elsewhere since: the client takes its conversation to another worktree
    with it (the tool EnterWorktree). Whatever comes into a folder changes that. With them what may be one of them, and
    cannot be read."""
    own = projects / transcript.named_after(cwd)
    changed = (there.listed(folder) for folder in _changed(projects, since) if folder != own)
    return [path for found in changed for path in found.since(since) if there.begun(path)[0] in (str(cwd), None)]


def beside(path: Path, since: float, there: Elsewhere) -> list[Path]:
    """The others of a conversation's folder that began by then, as after /clear in a worktree; of what nobody can read
    it is not known whose folder that is."""
    found = there.listed(path.parent).since(since) if there.begun(path)[0] is not None else ()
    return [each for each in found if each != path and there.begun(each)[1] >= since]


def is_closed(path: Path) -> bool:
    """Whether something is there that nobody can read: no client puts a link to nowhere, a folder or a pipe there."""
    with jsonlines.opened(path) as fd:
        return fd is None and _touched(path) is not None


def marks(paths: Iterable[Path]) -> Marks:
    found = ((path.stem, _mark(path)) for path, _ in zip(paths, range(MARKED), strict=False))
    return {name: mark for name, mark in found if mark}


def had(marks: Marks, path: Path, uuid: str) -> bool:
    """Whether this line stood in the conversation when it was marked."""
    return _stood(marks, path, uuid) is True


def lacked(marks: Marks, path: Path, uuid: str) -> bool:
    """Whether it did not, or there was no such conversation."""
    return path.stem not in marks or _stood(marks, path, uuid) is False


def _stood(marks: Marks, path: Path, uuid: str) -> bool | None:
    """None where nobody can tell any more: what was marked has been changed since."""
    size, _, ended = marks.get(path.stem, "").partition(".")
    with jsonlines.opened(path) as fd:
        if not size.isdecimal() or fd is None or _tail(fd, int(size)) != ended:
            return None
        return has_line(fd, uuid, int(size))


def has_line(fd: int, uuid: str, within: int | None = None) -> bool:
    if not (size := os.fstat(fd).st_size):
        return False
    with mmap.mmap(fd, size, prot=mmap.PROT_READ) as data:
        spelt = (f'"uuid":{space}"{uuid}"'.encode() for space in ("", " "))
        return any(data.find(each, 0, size if within is None else within) >= 0 for each in spelt)


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


def _begin(path: Path) -> tuple[str | None, float]:
    """Where and when a conversation began, by the first line that says where; None where nobody can read it."""
    with jsonlines.opened(path) as fd:
        for line in jsonlines.head(fd, HEAD) if fd is not None else ():
            if isinstance(cwd := line.get("cwd"), str):
                return cwd, transcript_lines.moment(line)
        return None if fd is None else "", 0.0


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
