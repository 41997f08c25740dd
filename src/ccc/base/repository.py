"""What git says of a repository, asked so that nothing of the repository's runs.

Rule: whoever can write `.git/config` or `.gitattributes` names commands there that git starts on its own (monitors,
hooks, filters, helpers, remotes); every call of git's that reads goes through here, without them, and writes nothing;
what writes is fleet/worktree's.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

SECONDS = 10.0
OUTPUT_LIMIT = 16 * 2**20
QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.commitGraph=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "status.submoduleSummary=false",
)


class Entry(Struct, frozen=True):
    """One name in a folder of a commit."""

    name: str
    mode: str
    kind: str  # blob, tree or commit
    id: str
    size: int  # 0 for what is no file

    @property
    def is_plain_file(self) -> bool:
        return self.mode in ("100644", "100755")


def commits(folder: Path, env: Mapping[str, str], *refs: str) -> tuple[str, ...] | None:
    """The commits of those refs that exist, by their full names; None when git does not say."""
    said = _asked(folder, env, ("for-each-ref", "--format=%(objectname)", *refs))
    return None if said is None else tuple(said.decode("ascii", "replace").split())


def branches(folder: Path, env: Mapping[str, str], beginning: str) -> dict[str, str] | None:
    """The last commit of each branch whose name begins with these parts; None when git does not say."""
    said = _asked(folder, env, ("for-each-ref", "--format=%(objectname) %(refname)", f"refs/heads/{beginning}"))
    if said is None or len(said) >= OUTPUT_LIMIT:
        return None
    pairs = (line.partition(" ") for line in said.decode("utf-8", "surrogateescape").splitlines())
    return {name.removeprefix("refs/heads/"): commit for commit, _, name in pairs}


def is_within(folder: Path, env: Mapping[str, str], one: str, other: str) -> bool | None:
    """Whether the one commit is among those that the other goes on from; None when git does not say."""
    said = _asked(folder, env, ("merge-base", one, other), found_none=1)
    return None if said is None else said.decode("ascii", "replace").strip() == one


def commit(folder: Path, env: Mapping[str, str], name: str) -> str | None:
    said = _asked(folder, env, ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"))
    return said.decode("ascii", "replace").strip() if said else None


def entries(folder: Path, env: Mapping[str, str], tree: str) -> tuple[Entry, ...] | None:
    """What stands in a commit's top folder, or in a folder of it; None when git does not say."""
    return _listed(folder, env, (tree,))


def below(folder: Path, env: Mapping[str, str], commit: str, paths: Sequence[str]) -> tuple[Entry, ...] | None:
    """Every file of a commit at or below these paths, by its whole path; None when git does not say."""
    return _listed(folder, env, ("-r", commit, "--", *paths))


def _listed(folder: Path, env: Mapping[str, str], words: Sequence[str]) -> tuple[Entry, ...] | None:
    said = _asked(folder, env, ("ls-tree", "-z", "-l", "--full-tree", *words))
    if said is None or len(said) >= OUTPUT_LIMIT:  # a part of the names is not the names
        return None
    return tuple(_entry(line) for line in said.split(b"\0") if line)


def _entry(line: bytes) -> Entry:
    about, _, name = line.partition(b"\t")
    mode, kind, number, size = about.decode("ascii", "replace").split()
    return Entry(name.decode("utf-8", "surrogateescape"), mode, kind, number, int(size) if size.isdecimal() else 0)


def content(folder: Path, env: Mapping[str, str], entry: Entry) -> bytes | None:
    """The bytes that are stored; the file on the disk can differ where attributes say so."""
    said = _asked(folder, env, ("cat-file", "blob", entry.id))
    return said if said is not None and len(said) == entry.size else None


def attribute(folder: Path, env: Mapping[str, str], name: str, paths: Sequence[str]) -> set[str] | None:
    """The values that an attribute has for these paths, by what is checked out and configured here."""
    said = _asked(folder, env, ("check-attr", "-z", name, "--", *paths))
    return None if said is None else {value.decode("utf-8", "replace") for value in said.split(b"\0")[2::3]}


def knows_remote(folder: Path, env: Mapping[str, str], name: str) -> bool | None:
    said = _asked(folder, env, ("config", "-z", "--name-only", "--get-regexp", f"^remote[.]{name}[.]"), found_none=1)
    return None if said is None else bool(said)


def common_folder(folder: Path, env: Mapping[str, str]) -> Path | None:
    """Where git keeps what all worktrees of a repository share."""
    said = _asked(folder, env, ("rev-parse", "--git-common-dir"))
    return folder / said.decode("utf-8", "surrogateescape").removesuffix("\n") if said else None


def changed(project: Path, env: Mapping[str, str]) -> tuple[str, ...]:
    """The names that git calls changed or new; () when git does not say."""
    filters = _filters(project, env)
    if filters is None:
        return ()
    # A submodule is looked at by a git of its own, which does not hear what is said to this one.
    ask = ("status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all")
    said = _asked(project, env, ask, filters) or b""
    return tuple(entry[3:].decode("utf-8", "replace") for entry in said.split(b"\0") if len(entry) > 3)


def files(folder: Path, env: Mapping[str, str]) -> tuple[str, ...] | None:
    """What git knows or would add below this folder, by names that can be shown; None when there is no repository."""
    said = _asked(folder, env, ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"))
    if said is None:
        return None
    names = (name.decode("utf-8", "replace") for name in said.split(b"\0"))
    return tuple(name for name in names if name and name.isprintable())


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
    # A repository's protocol.NAME.allow beats protocol.allow, and nothing beats an empty list of protocols.
    # What is stored counts, as it does for the client: a replacement could show ccc another file, and a graft other
    # parents of a commit.
    own = {
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": "/dev/null/none",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_TERMINAL_PROMPT": "0",
    }
    return {**kept, **own}
