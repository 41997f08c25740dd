"""A file with one JSON object on each line, read from either end.

Rule: opened only when it is a plain file, and never read past a bound; a line that is damaged gives what can be had of
it, and one that is no object is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, pairwise
from pathlib import Path

from ccc.base import anyjson, files, strictjson

BLOCK = 256 * 1024
TAIL_LIMIT = 8 * 1024 * 1024

Spend = Callable[[int], None]  # hears how long each line is before it is understood, and may end the reading there


def _nothing(_: int) -> None:
    pass


@contextmanager
def opened(path: Path) -> Iterator[int | None]:
    """The file for reading; None when it is not there, not ours, or not a plain one."""
    fd = files.to_read(path, follow=True)
    try:
        yield fd
    finally:
        if fd is not None:
            os.close(fd)


def messages_from_end(path: Path, limit: int = TAIL_LIMIT) -> Iterator[dict[str, object]]:
    """As `from_end`, of the file at `path`; none when it cannot be read."""
    with opened(path) as fd:
        if fd is not None:
            yield from from_end(fd, limit)


def from_end(
    fd: int, limit: int = TAIL_LIMIT, spend: Spend = _nothing, end: int | None = None
) -> Iterator[dict[str, object]]:
    """Objects from the last one backwards, within the last `limit` bytes, of the whole file or of what was before its
    `end`."""
    return (message for _, message in sized_from_end(fd, limit, spend, end))


def sized_from_end(
    fd: int, limit: int = TAIL_LIMIT, spend: Spend = _nothing, end: int | None = None
) -> Iterator[tuple[int, dict[str, object]]]:
    """The same, each with the length of its line."""
    for line in _lines_from_end(fd, limit, end):
        spend(len(line))
        for message in reversed(_objects(line)):
            yield len(line), message


def from_start(fd: int, limit: int, spend: Spend = _nothing) -> Iterator[dict[str, object]]:
    """The same objects in the order of the file, one after another."""
    for line in _lines_from_start(fd, limit):
        spend(len(line))
        yield from _objects(line)


def head(fd: int, limit: int, spend: Spend = _nothing) -> Iterator[dict[str, object]]:
    """Objects in the order of the file, within its first `limit` bytes."""
    for line in _head(fd, limit):
        spend(len(line))
        yield from _objects(line)


def from_both_ends(fd: int, head: int, tail: int, *, worth: Callable[[bytes], bool]) -> Iterator[dict[str, object]]:
    """Objects in the order of the file, of its first and last bytes where it is longer; only of lines `worth` it."""
    size = os.fstat(fd).st_size
    lines = _lines_from_start(fd, tail)
    if size > head + tail:
        lines = chain(_head(fd, head), lines)
    for line in filter(worth, lines):
        yield from _objects(line)


def since(fd: int, start: int, limit: int, *, worth: Callable[[bytes], bool]) -> Iterator[dict[str, object]]:
    """Objects in the order of the file of all lines after `start`, within its last bytes; only of lines `worth` it."""
    after = os.fstat(fd).st_size - start
    # With the end of the line before, for a line whose beginning is not there is left out.
    for line in filter(worth, _lines_from_start(fd, min(limit, after + 1 if start else after))):
        yield from _objects(line)


def _head(fd: int, limit: int) -> Iterator[bytes]:
    lines = _split(_blocks(fd, 0, limit))
    return lines if os.fstat(fd).st_size <= limit else _all_but_last(lines)  # the last one is cut


def _all_but_last(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (line for line, _ in pairwise(lines))


def _objects(line: bytes) -> list[dict[str, object]]:
    if not line:
        return []
    try:
        message = strictjson.loads(line)
    except ValueError:
        # Two glued together, half an emoji, or a part of one being written.
        return _damaged(line)
    return [message] if isinstance(message, dict) else []


def _damaged(line: bytes) -> list[dict[str, object]]:
    try:
        return anyjson.objects(line)
    except ValueError:  # longer than anybody's line
        return []


def _lines_from_end(fd: int, limit: int, end: int | None = None) -> Iterator[bytes]:
    size = os.fstat(fd).st_size
    end = position = size if end is None else min(end, size)
    rest: list[bytes] = []  # of the line that reaches into the block before, last piece first
    while position > max(0, end - limit):
        start = max(0, position - BLOCK, end - limit)
        first, *lines = os.pread(fd, position - start, start).split(b"\n")
        if lines:
            lines[-1] = b"".join((lines[-1], *reversed(rest)))
            rest = []
            yield from reversed(lines)
        rest.append(first)
        position = start
    if position == 0 and (line := b"".join(reversed(rest))):
        yield line


def _lines_from_start(fd: int, limit: int) -> Iterator[bytes]:
    end = os.fstat(fd).st_size
    start = max(0, end - limit)
    lines = _split(_blocks(fd, start, end))
    if start > 0:
        next(lines, b"")  # its beginning is beyond the limit
    yield from lines


def _blocks(fd: int, start: int, end: int) -> Iterator[bytes]:
    while start < end and (data := os.pread(fd, min(BLOCK, end - start), start)):
        start += len(data)
        yield data


def _split(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest: list[bytes] = []  # in pieces: joined with each block a long line would cost its square
    for data in blocks:
        first, *lines = data.split(b"\n")
        rest.append(first)
        if lines:
            yield b"".join(rest)
            rest = [lines.pop()]
            yield from lines
    yield b"".join(rest)
