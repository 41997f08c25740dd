"""What is handed over is as it was written, whoever opens it."""

from __future__ import annotations

import ast
import errno
import mmap
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc.base import handed
from ccc.base.errors import CccError

HOUSE = Path(__file__).parents[2]


@pytest.fixture
def document() -> Iterator[int]:
    fd = handed.document("x", b"whole")
    assert fd is not None
    yield fd
    os.close(fd)


def test_a_document_is_read_by_whoever_opens_it_and_written_by_nobody(document: int) -> None:
    path = handed.place(document)
    assert os.read(document, 9) == Path(path).read_bytes() == b"whole"
    opened = os.open(path, os.O_RDWR)
    try:
        for change in (
            lambda: os.write(opened, b"x"),
            lambda: os.ftruncate(opened, 0),
            lambda: os.ftruncate(document, 9),
            lambda: mmap.mmap(opened, 5),
        ):
            with pytest.raises(PermissionError):
                change()
    finally:
        os.close(opened)
    assert Path(path).read_bytes() == b"whole"


def test_what_somebody_has_changed_before_it_was_sealed_is_not_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = handed.fcntl.fcntl

    def late(fd: int, *words: int) -> int:
        Path(handed.place(fd)).write_bytes(b"other")
        return int(sealed(fd, *words))

    monkeypatch.setattr("ccc.base.handed.fcntl.fcntl", late)
    with pytest.raises(CccError):
        handed.document("x", b"whole")


def test_nobody_opens_a_talk() -> None:
    ours, theirs = handed.talk()
    try:
        with pytest.raises(OSError, match="No such device") as refused:
            os.open(handed.place(theirs), os.O_WRONLY)
        assert refused.value.errno == errno.ENXIO
        os.write(ours, b"x")
        assert os.read(theirs, 1) == b"x"
    finally:
        os.close(ours)
        os.close(theirs)


# Pipes that hold nothing which anybody would believe.
PIPES = {
    "legacy/ccc_legacy/terminal.py": "the agent's stderr: words for the person",
    "legacy/ccc_legacy/guard.py": "whether ccc is gone",
    "src/ccc/base/process.py": "a child's own outputs, which it must be able to open",
    "src/ccc/showing/status.py": "a key was pressed",
    "src/ccc/trial/demo_fleet.py": "what a demo shows",
}


def test_memory_that_can_be_changed_is_made_nowhere_and_a_pipe_only_where_nothing_is_decided_by_it() -> None:
    found: dict[str, set[str]] = {"memfd_create": set(), "pipe": set()}
    for folder in ("src", "hooks", "legacy"):
        for path in (HOUSE / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and node.attr in found and ast.unparse(node.value) == "os":
                    found[node.attr].add(str(path.relative_to(HOUSE)))
    assert found == {"memfd_create": {"src/ccc/base/handed.py"}, "pipe": set(PIPES)}


def test_only_a_document_of_this_name_is_read_at_a_place_that_somebody_tells(document: int, tmp_path: Path) -> None:
    assert handed.read(Path(handed.place(document)), "x") == b"whole"
    assert handed.read(Path(handed.place(document)), "y") == b""
    (tmp_path / "memfd:x (deleted)").write_text("forged")
    unsealed = os.memfd_create("x")
    forged = [Path(handed.place(unsealed)), tmp_path / "memfd:x (deleted)", tmp_path, Path("/proc/0/fd/1")]
    assert {handed.read(path, "x") for path in forged} == {b""}
    os.close(unsealed)
