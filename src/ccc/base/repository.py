"""What git says of a repository, asked so that nothing of the repository's runs.

Rule: whoever can write `.git/config` or `.gitattributes` names commands there that git starts on its own (monitors,
hooks, filters, helpers, remotes); every call of git's goes through here, without them, and writes nothing.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

SECONDS = 10.0
OUTPUT_LIMIT = 16 * 2**20
QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "status.submoduleSummary=false",
)


def changed(project: Path, env: Mapping[str, str]) -> tuple[str, ...]:
    """The names that git calls changed or new; () when git does not say."""
    filters = _filters(project, env)
    if filters is None:
        return ()
    # A submodule is looked at by a git of its own, which does not hear what is said to this one.
    ask = ("status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all")
    said = _asked(project, env, ask, filters) or b""
    return tuple(entry[3:].decode("utf-8", "replace") for entry in said.split(b"\0") if len(entry) > 3)


def _filters(project: Path, env: Mapping[str, str]) -> list[str] | None:
    """What takes every filter its command: to compare a file, git would have it cleaned."""
    said = _asked(project, env, ("config", "-z", "--name-only", "--get-regexp", "^filter[.]"), found_none=1)
    if said is None or b"=" in said:  # git would take the rest of such a name for the value
        return None
    names = {key.rpartition(b".")[0] for key in said.split(b"\0") if key}
    return [f"{name.decode('utf-8', 'surrogateescape')}.{part}" for name in sorted(names) for part in _PARTS]


_PARTS = ("clean=", "smudge=", "process=", "required=false")


def _asked(
    project: Path, env: Mapping[str, str], words: Sequence[str], settings: Sequence[str] = (), *, found_none: int = 0
) -> bytes | None:
    options = [word for setting in (*QUIET, *settings) for word in ("-c", setting)]
    try:
        done = subprocess.run(
            ("git", "--no-pager", "--no-optional-locks", *options, *words),
            cwd=project,
            env=environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):  # no git, or no answer: then nothing is said
        return None
    return done.stdout[:OUTPUT_LIMIT] if done.returncode in (0, found_none) else None


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """Without GIT_…, which name another repository, other settings or further programs."""
    kept = {key: value for key, value in env.items() if not key.startswith("GIT_")}
    return {**kept, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
