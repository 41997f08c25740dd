"""The folder and the branch of a task: made, committed, pushed, taken away.

Rule: the only module that has git write. It never touches the person's checkout, starts no hook, and names the folder
where git keeps the worktree itself: the `.git` inside is the agent's to change. Every act may be repeated.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.base.text import clean, one_line

SECONDS = 600.0
INDEX = "GIT_INDEX_FILE"
DATES = ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE")
KEPT = "refs/ccc/kept/"  # what was here when another machine's work came in its place
READY = "ccc-ready"  # in git's folder of the worktree, once all of it is there
QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "commit.gpgSign=false",
    "gc.auto=0",
    "advice.detachedHead=false",
    "submodule.recurse=false",
    "log.showSignature=false",
)


class GitFailed(CccError):
    """git refused, and said why."""


class Place(Struct, frozen=True):
    """Where a task is worked on. `repo` is the person's repository."""

    repo: Path
    folder: Path
    branch: str
    env: Mapping[str, str]

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.branch}"


def prepare(place: Place, base: str, others: Sequence[str] = ()) -> None:
    """The worktree, on its branch; `others` are branches that go into it."""
    admin = _admin(place)
    if admin and _is_ready(place):
        (admin / "index.lock").unlink(missing_ok=True)  # of a git that was killed; nobody works here now
        return
    _take_away(place, admin)
    files.private_directory(place.folder.parent)
    for name in (base, *others):
        _must_have(place, name)
    if _commit(place, place.ref):
        _git(place.repo, place.env, "worktree", "add", "--force", "--quiet", "--", str(place.folder), place.branch)
    else:
        _git(
            *(place.repo, place.env, "worktree", "add", "--force", "--quiet", "-b", place.branch),
            *("--", str(place.folder), base),
        )
    place.folder.chmod(0o700)
    _submodules(place)
    for other in others:
        _merge(place, other)
    made = _admin(place)
    if made:
        (made / READY).touch()


def _is_ready(place: Place) -> bool:
    admin = _admin(place)
    return admin is not None and (admin / READY).exists() and place.folder.is_dir()


def commit(place: Place, title: str) -> str:
    """What is there, on the branch; the agent's own commits stay. The end of the branch."""
    admin = _admin(place)
    if admin is None or not place.folder.is_dir():
        return _commit(place, place.ref)
    (admin / "index.lock").unlink(missing_ok=True)
    _in(place, admin, "add", "--all")
    if _in(place, admin, "diff", "--cached", "--quiet", "--ignore-submodules=dirty", fails=True):
        _in(place, admin, "commit", "--quiet", "--no-verify", "-m", title)
    _follow(place, admin)
    return _commit(place, place.ref)


def push(place: Place, remote: str, commit: str = "") -> None:
    """The branch is ours alone, and what stands there may be how it was in the midst of the work."""
    what = f"+{commit or place.ref}:{place.ref}"
    _git(place.repo, place.env, "push", "--quiet", "--no-verify", "--", remote, what)


def snapshot(place: Place, title: str) -> str:
    """What is there as a commit that nobody sees: neither the branch nor the agent's index changes.

    The same content makes the same commit; where all of it is committed, that is the one.
    """
    admin = _admin(place)
    if admin is None:
        return ""
    index = admin / "ccc-index"
    shutil.copyfile(admin / "index", index)
    own = replace(place, env={**place.env, INDEX: str(index)})
    _in(own, admin, "add", "--all")
    tree = str(_in(own, admin, "write-tree", text=True)).strip()
    told = str(_in(own, admin, "show", "-s", "--format=%H %T @%ct +0000", "HEAD", text=True))
    head, of_head, date = told.strip().split(" ", 2)
    if tree == of_head:
        return head
    dated = replace(own, env={**own.env, **dict.fromkeys(DATES, date)})
    return str(_in(dated, admin, "commit-tree", "-p", head, "-m", title, tree, text=True)).strip()


def commits(place: Place) -> Path | None:
    """The file that grows with each commit that is made in this worktree."""
    admin = _admin(place)
    return admin / "logs" / "HEAD" if admin else None


def fetch(place: Place, remote: str, base: str, *, elsewhere: bool = False) -> None:
    """What another machine has pushed of this branch; nothing where there is nothing, or it is no more than we have.

    `elsewhere`: it was worked on there after it was here, so what is left of it here is kept aside.
    """
    if _is_ready(place) and not elsewhere:
        return
    theirs = _fetched(place, remote)
    if base and not _commit(place, base):
        _git(place.repo, place.env, "fetch", "--quiet", "--", remote, fails=True)
    ours = _commit(place, place.ref)
    if not theirs or (ours and _is_within(place, theirs, ours)):
        return
    if _is_ready(place):
        ours = commit(place, "What was left here")
        take_away(place)
    if ours and not _is_within(place, ours, theirs):
        if not elsewhere:
            return
        _git(place.repo, place.env, "update-ref", f"{KEPT}{place.branch}", ours)
    _git(place.repo, place.env, "update-ref", place.ref, theirs)


def bring(place: Place, remote: str, branch: str) -> None:
    """A branch of another task, if only another machine has it yet."""
    ref = f"refs/heads/{branch}"
    if not _commit(place, ref):
        _git(place.repo, place.env, "fetch", "--quiet", "--no-tags", "--", remote, f"{ref}:{ref}", fails=True)


def _fetched(place: Place, remote: str) -> str:
    seen = f"refs/ccc/{place.branch}"
    if _git(place.repo, place.env, "fetch", "--quiet", "--no-tags", "--", remote, f"+{place.ref}:{seen}", fails=True):
        return ""
    theirs = _commit(place, seen)
    _git(place.repo, place.env, "update-ref", "-d", seen)
    return theirs


def _is_within(place: Place, one: str, other: str) -> bool:
    return not _git(place.repo, place.env, "merge-base", "--is-ancestor", one, other, fails=True)


def take_away(place: Place) -> None:
    """The folder; the branch stays."""
    _take_away(place, _admin(place))


def changed(place: Place) -> bool:
    """Whether there is something that no commit has."""
    admin = _admin(place)
    told = _in(place, admin, "status", "--porcelain", "--ignore-submodules=dirty", text=True) if admin else ""
    return bool(told)


def grown(place: Place, base: str) -> bool:
    """Whether its branch has more than it began with."""
    return _commit(place, place.ref) not in ("", base)


def _take_away(place: Place, admin: Path | None) -> None:
    shutil.rmtree(place.folder, ignore_errors=True)
    if admin:
        shutil.rmtree(admin, ignore_errors=True)


def _follow(place: Place, admin: Path) -> None:
    """The agent may have gone to another branch: ours gets what it did, where that went on from ours."""
    here = str(_in(place, admin, "rev-parse", "HEAD", text=True)).strip()
    ours = _commit(place, place.ref)
    if here != ours and not _in(place, admin, "merge-base", "--is-ancestor", ours, here, fails=True):
        _git(place.repo, place.env, "update-ref", place.ref, here, ours)


def _merge(place: Place, branch: str) -> None:
    admin = _admin(place)
    if admin is None:
        return
    if _in(place, admin, "merge", "--quiet", "--no-edit", "--no-verify", branch, fails=True):
        _in(place, admin, "merge", "--abort", fails=True)
        raise GitFailed(
            msg("{branch} does not go together with the other tasks this one comes after", branch=branch),
            msg("merge them by hand, then: ccc fleet retry ID"),
        )


def _must_have(place: Place, name: str) -> None:
    if not _commit(place, name):
        raise GitFailed(
            msg("{repo} does not have {name}, with which this task begins", repo=place.repo, name=name),
            msg("fetch it, or name the remote that has it as fleet.remote; then: ccc fleet retry ID"),
        )


def _submodules(place: Place) -> None:
    """Those that the person's checkout has, from there: nothing is fetched from anywhere."""
    admin = _admin(place)
    told = str(_in(place, admin, "ls-files", "--stage", "-z", text=True)) if admin else ""
    for line in filter(None, told.split("\0")):
        about, _, name = line.partition("\t")
        mode, commit_id, _ = about.split()
        theirs = place.repo / name
        if mode == "160000" and (theirs / ".git").exists() and theirs.resolve().is_relative_to(place.repo.resolve()):
            _git(
                place.repo, place.env, "clone", "--quiet", "--no-checkout", "--", str(theirs), str(place.folder / name)
            )
            _git(place.folder / name, place.env, "checkout", "--quiet", "--detach", commit_id)


def _admin(place: Place) -> Path | None:
    """Where git keeps this worktree, by what stands in the repository and not in the worktree."""
    told = _git(place.repo, place.env, "rev-parse", "--path-format=absolute", "--git-common-dir", text=True)
    known = Path(str(told).strip()) / "worktrees"
    for each in sorted(known.iterdir()) if known.is_dir() else []:
        try:
            names = (each / "gitdir").read_text().strip()
        except OSError:
            continue
        if Path(names).parent == place.folder:
            return each
    return None


def _commit(place: Place, name: str) -> str:
    told = _git(
        *(place.repo, place.env, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
        text=True,
        quiet=True,
    )
    return str(told).strip()


def _in(place: Place, admin: Path, *words: str, fails: bool = False, text: bool = False) -> str | int:
    where = ("--git-dir", str(admin), "--work-tree", str(place.folder))
    return _git(place.folder, place.env, *where, *words, fails=fails, text=text)


def _git(
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
        return subprocess.run(
            words,
            cwd=folder,
            env={**kept, "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            start_new_session=True,  # no terminal for ssh to ask on, and a Ctrl-C there is the worker's alone
        )
    except FileNotFoundError:
        raise GitFailed(msg("git, or the folder {folder}, is not there", folder=folder)) from None
    except subprocess.TimeoutExpired:
        raise GitFailed(msg("git did not end in {folder}", folder=folder)) from None


def _identity(folder: Path, env: Mapping[str, str], words: Sequence[str]) -> tuple[str, ...]:
    """Whoever commits needs a name; the person's own, where they have one."""
    if not {"commit", "merge", "commit-tree"} & set(words):
        return ()
    if _run(folder, env, ("git", "config", "user.email")).returncode == 0:
        return ()
    return ("user.name=ccc", "user.email=ccc@localhost")
