"""Where a trial takes place: a private folder of the person's, beside their other caches.

Rule: never the machine's shared folder for temporary files. The client reads `.mcp.json` and more from every folder
above the one it works in, and whoever may write there would have his programs started. Not the state folder either:
below a `.claude` the client asks before every edit.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ccc.base import files
from ccc.providers import config

KEPT_SECONDS = 86_400.0  # what a demo leaves is there to be looked at
LEAVING_SECONDS, LOOK_SECONDS = 5.0, 0.05


def new(kind: str, env: Mapping[str, str]) -> Path:
    """A folder that stays; those of earlier trials go."""
    trials = folder(env)
    files.private_directory(trials)
    _sweep(trials)
    return Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=trials))


def scratch(root: Path) -> dict[str, str]:
    """Where the client on this stage keeps its passing files, so that they go with it. Not TMPDIR itself: a socket's
    path may not be long."""
    own = root / "tmp"
    own.mkdir(mode=0o700, exist_ok=True)
    return {"CLAUDE_CODE_TMPDIR": str(own)}


def folder(env: Mapping[str, str]) -> Path:
    named = Path(env.get("XDG_CACHE_HOME") or "")
    return (named if named.is_absolute() else config.home(env) / ".cache") / "ccc-trials"


@contextmanager
def passing(kind: str, env: Mapping[str, str]) -> Iterator[Path]:
    """A folder for as long as the trial lasts."""
    root = new(kind, env)
    try:
        yield root
    finally:
        remove(root)


def remove(root: Path) -> None:
    """A trial that is over, and the folder of all of them where it was the last.

    Who was ended a moment ago may still be about it, and would write what has just been removed.
    """
    until = time.monotonic() + LEAVING_SECONDS
    while _is_lived_in(root) and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
    shutil.rmtree(root, ignore_errors=True)
    with suppress(OSError):  # others are there
        root.parent.rmdir()


def _is_lived_in(root: Path) -> bool:
    """Whether a process was started with a home in there; where /proc does not tell, nobody is."""
    return any(b"=%s/" % os.fsencode(root) in _environment(each) for each in Path("/proc").glob("[0-9]*/environ"))


def _environment(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has gone, or is not ours
        return b""


def _sweep(trials: Path) -> None:
    for left in trials.iterdir():
        with suppress(OSError):  # another trial was faster
            if left.lstat().st_mtime < time.time() - KEPT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
