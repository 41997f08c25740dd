"""Faults of the machine: made for real where the runner is root, else told by the system calls that would meet them.

Rule: one form or the other, never none; which one a run has had stands at its end (tests/conftest.py).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import chown

NOBODY = 65534
FORM = "form"  # the property of a test that has one
# Before a command that runs as an ordinary user does: for root the kernel opens every terminal and every folder.
POWERS = "-sys_admin,-dac_override,-dac_read_search"
ORDINARY = ("setpriv", f"--bounding-set={POWERS}", f"--inh-caps={POWERS}") if os.geteuid() == 0 else ()


@dataclass(frozen=True)
class Fault:
    """`really` makes it in a folder, for as long as it is asked for; `injected` is what strace has calls answer."""

    name: str
    really: Callable[[Path], AbstractContextManager[None]]
    injected: str

    @contextmanager
    def in_folder(self, folder: Path, tell: Callable[[str, object], None]) -> Iterator[tuple[str, ...]]:
        """While it lasts: what a command that is to meet it is begun with."""
        real = os.geteuid() == 0
        tell(FORM, f"{self.name}: {'real' if real else 'injected, for only root can make it'}")
        with self.really(folder) if real else nullcontext():
            yield () if real else ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={self.injected}")


@contextmanager
def disk(folder: Path, size: str) -> Iterator[None]:
    """The folder on a disk of its own, with the files that are in it."""
    before = contents(folder)
    subprocess.run(("mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "none", folder), check=True)
    try:
        lay(before, folder)
        yield
        after = contents(folder)
    finally:
        subprocess.run(("umount", "-l", folder), check=True)
    lay(after, folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def lay(files: Mapping[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).touch(mode=0o600)
        (folder / name).write_bytes(content)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    with disk(folder, "256k"):
        fill(folder / "filler")
        yield
        (folder / "filler").unlink()


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 4096)


@contextmanager
def overlay(folder: Path) -> Iterator[Path]:
    """A folder of a container: what is written there lies in another one, on the disk of this one."""
    lower, upper, work, merged = parts = [folder / name for name in ("lower", "upper", "work", "merged")]
    for each in parts:
        each.mkdir()
    told = f"lowerdir={lower},upperdir={upper},workdir={work}"
    subprocess.run(("mount", "-t", "overlay", "-o", told, "none", merged), check=True)
    try:
        yield merged
    finally:
        subprocess.run(("umount", "-l", merged), check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    subprocess.run(("mount", "--bind", folder, folder), check=True)
    try:
        subprocess.run(("mount", "-o", "remount,bind,ro", folder), check=True)
        yield
    finally:
        subprocess.run(("umount", "-l", folder), check=True)


@contextmanager
def somebody_elses(folder: Path) -> Iterator[None]:
    chown(folder, NOBODY, NOBODY)
    try:
        yield
    finally:
        chown(folder, os.getuid(), os.getgid())
