"""The conversations that a client keeps of one folder: which there are, since when, and how far each had come.

Rule: by what the kernel tells of the files and by where something stands in them. What a line says of itself, its time
above all, whoever can write the file can make it say.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ccc.base import checksum, jsonlines
from ccc.claude import transcript
from ccc.record.session import valid_session_id

LOOKED_AT = 2000  # of one folder, the newest first: more than anybody has, and puts there in passing
MARKED = 500  # … of which is written down how far they had come
TAIL = 64

Marks = Mapping[str, str]  # of each conversation: its length, and what it ended with


class Folder(Struct, frozen=True):
    """The conversations of one folder, with the moments at which the kernel saw them change, the newest first."""

    changed: float  # … and the folder itself
    conversations: tuple[tuple[float, Path], ...]

    def since(self, moment: float) -> list[Path]:
        return [path for changed, path in self.conversations[:LOOKED_AT] if changed >= moment]


def of(projects: Path, cwd: Path) -> Folder:
    folder = projects / transcript.named_after(cwd)
    return _listed(folder if folder.is_dir() else _cut_otherwise(folder))


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


def _listed(folder: Path) -> Folder:
    # Not when a file was last written by its own account: that anybody can set.
    try:
        with os.scandir(folder) as entries:
            found = list(_conversations(entries))
        return Folder(folder.stat().st_ctime, tuple(sorted(found, reverse=True)))
    except OSError:  # never talked to
        return Folder(0.0, ())


def _conversations(entries: Iterable[os.DirEntry[str]]) -> Iterator[tuple[float, Path]]:
    for entry in entries:
        if entry.name.endswith(".jsonl") and valid_session_id(entry.name.removesuffix(".jsonl")):
            yield entry.stat().st_ctime, Path(entry.path)


def _cut_otherwise(folder: Path) -> Path:
    """Where the name is long: what the client puts behind it is not the same in every version."""
    beginning = folder.name[: transcript.NAME_LENGTH]
    return next(folder.parent.glob(f"{beginning}-*"), folder) if folder.name != beginning else folder
