"""What is written through a mapping, on a disk and in memory."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ccc.base import mapped


def stamps(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_ino


@pytest.mark.parametrize("kind", ["ext4", "overlay"])
def test_a_write_through_a_mapping_changes_the_date_of_what_was_written_out(kind: str) -> None:
    with TemporaryDirectory(dir=sys.prefix) as folder:  # on a disk, where tests/scratch often is not
        path = Path(folder) / "file"
        path.write_text("good")
        with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as page:
            page[:1] = b"g"
            before = stamps(path)
            assert mapped.may_be_behind(path.stat())
            mapped.write_out(path, kind)
            assert stamps(path) == before
            page[:] = b"bad!"
            assert stamps(path) != before


def test_what_a_device_is_mounted_as_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    monkeypatch.setattr(mapped, "MOUNTS", mounts)
    assert mapped.kinds() == {}
    disk = "29 1 259:2 / / rw,relatime shared:1 - ext4 /dev/root rw"
    memory = "25 24 0:23 / /dev/my\\040folder rw,nosuid - tmpfs a - tmpfs rw"
    mounts.write_text(f"{disk}\n{memory}\nhalf a line\n\n")
    assert mapped.kinds() == {0x10302: "ext4", 0x17: "tmpfs"}


def test_no_more_is_read_than_there_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("grown")
    assert mapped.content(path, 4) == b"grow"
