"""One git of the fleet's: nothing of the repository's runs but filters, what it says of a failure is told, and it ends
with its worker.

Rule: the only module of the fleet that starts git. A commit is what was stored under its id, and what the agent has put
where git reads holds nobody for ever.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.base.text import clean, one_line

SECONDS = 600.0
INDEX = "GIT_INDEX_FILE"
DATES = ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE")
QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "commit.gpgSign=false",
    "gc.auto=0",
    "advice.detachedHead=false",
    "submodule.recurse=false",
    "log.showSignature=false",
    "core.commitGraph=false",
)
# A commit is what was stored under its id: the agent can write replacements, and other parents, beside it.
AS_STORED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": "/dev/null/none", "GIT_TERMINAL_PROMPT": "0"}


class GitFailed(CccError):
    """git refused, and said why."""


def git(
    folder: Path, env: Mapping[str, str], *words: str, fails: bool = False, text: bool = False, quiet: bool = False
) -> str | int:
    """Its exit code where it may fail, its words where they are asked for."""
    options = [word for setting in (*QUIET, *_identity(folder, env, words)) for word in ("-c", setting)]
    done = _run(folder, env, ("git", "--no-pager", *options, *words))
    if done.returncode and not (fails or quiet):
        said = clean(done.stderr.decode("utf-8", "replace")).strip().splitlines()
        verb = next((word for word in words if not word.startswith(("-", "/"))), "")
        raise GitFailed(
            msg(
                "git {verb} failed in {folder}: {reason}",
                verb=verb,
                folder=folder,
                reason=foreign(one_line(said[-1] if said else f"exit code {done.returncode}", 200)),
            )
        )
    return done.stdout.decode("utf-8", "surrogateescape") if text else done.returncode


def _run(folder: Path, env: Mapping[str, str], words: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    own = (INDEX, *DATES)
    kept = {key: value for key, value in env.items() if not key.startswith("GIT_") or key in own}
    try:
        child = subprocess.Popen(
            words,
            cwd=folder,
            env={**kept, **AS_STORED},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # no terminal for ssh to ask on, and a Ctrl-C there is the worker's alone
        )
    except FileNotFoundError:
        raise GitFailed(msg("git, or the folder {folder}, is not there", folder=folder)) from None
    with _under_way(child):
        try:
            out, err = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise GitFailed(msg("git did not end in {folder}", folder=folder)) from None
    return subprocess.CompletedProcess(words, child.returncode, out, err)


class _Now:
    """Every git that runs, so that none is left behind: one that waits for a file of the agent's waits for ever."""

    lock = threading.Lock()
    running: ClassVar[set[subprocess.Popen[bytes]]] = set()
    over = False


@contextmanager
def _under_way(child: subprocess.Popen[bytes]) -> Iterator[None]:
    with _Now.lock:
        _Now.running.add(child)
        if _Now.over:
            _signal(child, signal.SIGTERM)
    try:
        yield
    finally:
        with _Now.lock:
            _Now.running.discard(child)
        _signal(child, signal.SIGKILL)
        child.wait()
        for stream in filter(None, (child.stdout, child.stderr)):
            stream.close()


def end_all() -> None:
    """For a process that is about to leave: what runs takes its locks away and ends, and nothing begins any more."""
    with _Now.lock:
        _Now.over = True
        for child in _Now.running:
            _signal(child, signal.SIGTERM)


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    if child.returncode is None:
        with suppress(OSError):
            os.killpg(child.pid, number)


def _identity(folder: Path, env: Mapping[str, str], words: Sequence[str]) -> tuple[str, ...]:
    """Whoever commits needs a name; the person's own, where they have one."""
    if not {"commit", "merge", "commit-tree"} & set(words):
        return ()
    if _run(folder, env, ("git", "config", "user.email")).returncode == 0:
        return ()
    return ("user.name=ccc", "user.email=ccc@localhost")
