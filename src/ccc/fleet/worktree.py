"""The folder and the branch of a task: made, committed, pushed, taken away.

Rule: the only module that has git write. It never touches the person's checkout, starts no hook, and names the folder
where git keeps the worktree itself: the `.git` inside is the agent's to change. Every act may be repeated.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.messages import Message, foreign, msg
from ccc.base.text import one_line
from ccc.fleet.git import DATES, INDEX, GitFailed
from ccc.fleet.git import git as _git
from ccc.fleet.task import ASTRAY

POINTER_LIMIT = 4096
WAITED_FOR = (stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK)  # by whoever opens them
KEPT = "refs/ccc/kept/"  # what was here when another machine's work came in its place
NAMED = 3  # files, in a sentence
READY = "ccc-ready"  # in git's folder of the worktree, once all of it is there
LINK = "160000"  # how git has a folder that is a repository of its own: its commit, and none of its files


class NeedsPerson(GitFailed):
    """Not begun: somebody has to look at the repository first."""


class Place(Struct, frozen=True):
    """Where a task is worked on. `repo` is the person's repository, `env` is for git."""

    repo: Path
    folder: Path
    branch: str
    env: Mapping[str, str]

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.branch}"


class Start(Struct, frozen=True):
    """What a task begins with: a commit, and what people call it."""

    commit: str
    name: str = ""

    @property
    def shown(self) -> str:
        return f"{self.name} ({self.commit[:12]})" if self.name else self.commit


class End(Struct, frozen=True):
    """The end of a task's branch, and why it may not be what was done."""

    commit: str
    problem: Message | None = None
    remark: Message | None = None


def prepare(place: Place, base: Start, others: Sequence[Start] = (), *, fresh: bool = False) -> None:
    """The worktree, on its branch; `others` go into it. `fresh`: nobody has worked there, so nothing may be there."""
    admin = _admin(place)
    if admin and _is_ready(place) and not fresh:
        (admin / "index.lock").unlink(missing_ok=True)  # of a git that was killed; nobody works here now
        return
    _take_away(place, admin)
    files.private_directory(place.folder.parent)
    for each in (base, *others):
        _must_have(place, each)
    if fresh:
        _must_be_new(place, base)
    if _commit(place, place.ref):
        _git(place.repo, place.env, "worktree", "add", "--force", "--quiet", "--", str(place.folder), place.branch)
    else:
        _git(
            *(place.repo, place.env, "worktree", "add", "--force", "--quiet", "-b", place.branch),
            *("--", str(place.folder), base.commit),
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


def roots(place: Place, starts: Sequence[str]) -> tuple[str, ...]:
    """Those of them that the branch has, so that it has to have them at its end; all, where it has none."""
    found = [commit for each in starts if (commit := _commit(place, each))]
    return tuple(each for each in found if _is_within(place, each, place.ref)) or tuple(found)


def commit(place: Place, title: str, began_with: Sequence[str] = ()) -> End:
    """What is there, on the branch; the agent's own commits stay. What is not to be had there is kept aside.

    It may be more, or other, than what was reviewed: see `seal`.
    """
    admin = _admin(place)
    if admin is None or not place.folder.is_dir():
        return End(
            _commit(place, place.ref), msg("{folder} is no worktree of its repository any more", folder=place.folder)
        )
    (admin / "index.lock").unlink(missing_ok=True)
    _add(place, admin)
    if _in(place, admin, "diff", "--cached", "--quiet", "--ignore-submodules=dirty", fails=True):
        _in(place, admin, "commit", "--quiet", "--no-verify", "-m", title)
    here = str(_in(place, admin, "rev-parse", "HEAD", text=True)).strip()
    ours = _followed(place, here)
    return End(ours, _astray(place, here, ours, began_with))


def _add(place: Place, admin: Path) -> None:
    """All that is there but new repositories: git would have a link to a commit that nobody else has, or give up."""
    told = str(_in(place, admin, "ls-files", "--others", "--exclude-standard", "-z", text=True))
    others = [f":(exclude,literal){name}" for name in told.split("\0") if name.endswith("/")]
    _in(place, admin, "add", "--all", *(("--", ".", *others) if others else ()))


def apart(place: Place, began_with: Sequence[str]) -> Message | None:
    """Why the folder has what no branch can have: a repository in it that is no submodule as the task found it."""
    admin = _admin(place)
    if admin is None:
        return msg("{folder} is no worktree of its repository any more", folder=place.folder)
    names = _apart(place, admin, [commit for each in began_with if (commit := _commit(place, each))])
    if not names:
        return None
    return msg(
        "{names} in {folder} counts as a repository of its own, so what is in it is not on {branch}: move it elsewhere",
        names=_listed(names),
        folder=place.folder,
        branch=place.branch,
    )


def _apart(place: Place, admin: Path, began_with: Sequence[str]) -> list[str]:
    links = _links(place, admin, "HEAD")
    found = {known for each in began_with for known in _links(place, admin, each)}
    other = {name for name, _ in links - found} | {name for name, _ in links if _hides(place.folder / name)}
    return sorted(name for name in other | _unlike(place, admin) if os.path.lexists(place.folder / name))


def _links(place: Place, admin: Path, commit: str) -> set[tuple[str, str]]:
    told = str(_in(place, admin, "ls-tree", "-r", "-z", "--full-tree", commit, text=True))
    entries = (line.partition("\t") for line in told.split("\0"))
    return {(name, about.split()[2]) for about, _, name in entries if about.startswith(LINK)}


def _hides(link: Path) -> bool:
    """git looks at nothing in a link's folder that is no repository."""
    if os.path.lexists(link / ".git"):
        return False
    try:
        return link.is_dir() and any(link.iterdir())
    except OSError:  # nobody can say
        return True


def _unlike(place: Place, admin: Path) -> set[str]:
    """The repositories in the folder that are new, or not at their link's commit, or have more than it."""
    words = ("--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none")
    lines = str(_in(place, admin, "status", *words, text=True)).split("\0")
    new = {line[2:].rstrip("/") for line in lines if line.startswith("? ") and line.endswith("/")}
    # `1 XY sub mH mI mW hH hI path`, where sub begins with an S for a submodule.
    tracked = (line.split(" ", 8) for line in lines if line.startswith("1 "))
    return new | {name for _, _, sub, *_, name in tracked if sub.startswith("S")}


def _astray(place: Place, here: str, ours: str, began_with: Sequence[str]) -> Message | None:
    """Why the branch is not what was done; None where it is, and goes on from what the task began with."""
    if here != ours:
        kept = f"{ASTRAY}{place.branch}"
        _git(place.repo, place.env, "update-ref", kept, here)
        return msg("what was done last is not on {branch}, but kept as {ref}", branch=place.branch, ref=kept)
    lost = [each for each in began_with if not _is_within(place, each, here)]
    if lost:
        return msg("{branch} does not go on from {commit}, with which it began", branch=place.branch, commit=lost[0])
    return None


def seal(place: Place, end: End, reviewed: str, began_with: Sequence[str] = ()) -> End:
    """What was reviewed, on the branch. New files that came since are left out, for tests that a reviewer runs leave
    such; a file that is no longer as it was needs a person."""
    if end.problem:
        return end
    if not reviewed:
        return replace(end, problem=msg("nobody can say whether this is what was reviewed"))
    new, other = _since(place, reviewed, end.commit)
    if not (new or other) and _parents(place, reviewed) == _parents(place, end.commit):
        return end
    kept = f"{ASTRAY}{place.branch}"
    _git(place.repo, place.env, "update-ref", kept, end.commit)
    _git(place.repo, place.env, "update-ref", place.ref, reviewed, end.commit)
    told = {"names": _listed(other or new) or msg("a commit"), "branch": place.branch, "ref": kept}
    if not other:
        remark = msg("{names} came during the review: not on {branch}, but kept as {ref}", **told)
        return End(reviewed, _astray(place, reviewed, reviewed, began_with), remark)
    return End(
        reviewed,
        msg("{names} changed during the review: {branch} has what was reviewed, {ref} what is there now", **told),
    )


def put_aside(place: Place, sealed: str, title: str) -> bool:
    """What is in the folder of a completed task and not in its commit; False where its branch has gone on since."""
    if _commit(place, place.ref) != sealed:
        return False
    found = snapshot(place, title)
    if found not in ("", sealed):
        _git(place.repo, place.env, "update-ref", f"{ASTRAY}{place.branch}", found)
    return True


def _since(place: Place, one: str, other: str) -> tuple[list[str], list[str]]:
    """The names that only the other commit has, and those that it has otherwise or no more."""
    words = ("diff-tree", "-r", "-z", "--no-renames", "--name-status", one, other)
    told = str(_git(place.repo, place.env, *words, text=True)).split("\0")
    found = list(zip(told[::2], told[1::2], strict=False))
    return [name for how, name in found if how == "A"], [name for how, name in found if how != "A"]


def _parents(place: Place, commit: str) -> str:
    return str(_git(place.repo, place.env, "rev-parse", f"{commit}^@", text=True))


def _listed(names: Sequence[str]) -> Message:
    shown = ", ".join(one_line(name, 60) for name in names[:NAMED])
    return foreign(f"{shown} …" if len(names) > NAMED else shown)


def push(place: Place, remote: str, commit: str = "") -> None:
    """The branch is ours alone, and what stands there may be how it was in the midst of the work."""
    what = f"+{commit or place.ref}:{place.ref}"
    _git(place.repo, place.env, "push", "--quiet", "--no-verify", "--", remote, what)


def snapshot(place: Place, title: str, index_name: str = "ccc-index") -> str:
    """What is there as a commit that nobody sees: neither the branch nor the agent's index changes.

    The same content makes the same commit; where all of it is committed, that is the one.
    """
    admin = _admin(place)
    if admin is None:
        return ""
    index = admin / index_name
    _copy(admin / "index", index)
    own = replace(place, env={**place.env, INDEX: str(index)})
    _add(own, admin)
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
        lost = apart(place, [base])
        if lost:
            raise NeedsPerson(lost)
        ours = commit(place, "What was left here").commit
        take_away(place)
    if ours and not _is_within(place, ours, theirs):
        if not elsewhere:
            return
        _git(place.repo, place.env, "update-ref", f"{KEPT}{place.branch}", ours)
    _git(place.repo, place.env, "update-ref", place.ref, theirs)


def bring(place: Place, remote: str, branch: str, commit: str = "") -> None:
    """A branch, if only another machine has it yet; and its commit, where the branch has gone elsewhere since."""
    ref = f"refs/heads/{branch}"
    if not _commit(place, ref):
        _git(place.repo, place.env, "fetch", "--quiet", "--no-tags", "--", remote, f"{ref}:{ref}", fails=True)
    for each in (ref, commit) if commit else ():
        if not _commit(place, commit):
            _git(place.repo, place.env, "fetch", "--quiet", "--no-tags", "--", remote, each, fails=True)


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


def _followed(place: Place, here: str) -> str:
    """The agent may have gone to another branch: ours gets what it did, where that went on from ours."""
    ours = _commit(place, place.ref)
    if here == ours or (ours and not _is_within(place, ours, here)):
        return ours
    _git(place.repo, place.env, "update-ref", place.ref, here, ours)
    return here


def _merge(place: Place, other: Start) -> None:
    admin = _admin(place)
    if admin is None:
        return
    named = ("-m", f"Merge {other.shown}")
    if _in(place, admin, "merge", "--quiet", "--no-verify", *named, other.commit, fails=True):
        _in(place, admin, "merge", "--abort", fails=True)
        raise GitFailed(
            msg("{branch} does not go together with the other tasks this one comes after", branch=other.shown),
            msg("merge them by hand, then: ccc fleet retry ID"),
        )


def _must_have(place: Place, start: Start) -> None:
    if not _commit(place, start.commit):
        raise NeedsPerson(
            msg("{repo} does not have {name}, with which this task begins", repo=place.repo, name=start.shown),
            msg("fetch it, or name the remote that has it as fleet.remote; then: ccc fleet retry ID"),
        )


def _must_be_new(place: Place, base: Start) -> None:
    """Another agent can make the branch of a task that waits, and have it begin with what nobody reviewed."""
    found = _commit(place, place.ref)
    if found not in ("", _commit(place, base.commit)):
        raise NeedsPerson(
            msg("{branch} is there already, and this task has not begun", branch=place.branch),
            msg("rename or delete it (see: git log {branch}), then: ccc fleet retry ID", branch=place.branch),
        )


def _submodules(place: Place) -> None:
    """Those that the person's checkout has, from there: nothing is fetched from anywhere."""
    admin = _admin(place)
    for name, commit_id in sorted(_links(place, admin, "HEAD")) if admin else []:
        theirs = place.repo / name
        if (theirs / ".git").exists() and theirs.resolve().is_relative_to(place.repo.resolve()):
            _git(
                place.repo, place.env, "clone", "--quiet", "--no-checkout", "--", str(theirs), str(place.folder / name)
            )
            _git(place.folder / name, place.env, "checkout", "--quiet", "--detach", commit_id)


def _admin(place: Place) -> Path | None:
    """Where git keeps this worktree, by what stands in the repository and not in the worktree."""
    _refuse_pipes(place.repo / ".git")
    told = _git(place.repo, place.env, "rev-parse", "--path-format=absolute", "--git-common-dir", text=True)
    common = Path(str(told).strip())
    _refuse_pipes(common)
    known = common / "worktrees"
    for each in sorted(known.iterdir()) if known.is_dir() else []:
        _refuse_pipes(each)
        if _pointed_at(each / "gitdir").parent == place.folder:
            return each
    return None


def _pointed_at(pointer: Path) -> Path:
    try:
        told = files.read_bytes(pointer, limit=POINTER_LIMIT) or b""
    except CccError:  # none that git has written
        told = b""
    return Path(os.fsdecode(told).strip())


def _refuse_pipes(folder: Path) -> None:
    """git opens what it finds there and would wait for ever; whatever else is wrong it says itself."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # a link to nowhere, or gone meanwhile
                if stat.S_IFMT(entry.stat().st_mode) in WAITED_FOR:
                    raise GitFailed(
                        msg("{path} is not a plain file", path=entry.path),
                        msg("move it away, then: ccc fleet retry ID"),
                    )


def _copy(source: Path, target: Path) -> None:
    """Of a plain file to a new one: both stand where the agent writes too."""
    fd = files.to_read(source, follow=False)
    if fd is None:
        raise GitFailed(msg("{path} is not a plain file", path=source))
    target.unlink(missing_ok=True)
    with os.fdopen(fd, "rb") as old, target.open("xb") as new:
        shutil.copyfileobj(old, new)


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
