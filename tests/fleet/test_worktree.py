"""The folder and the branch of a task: every act may be repeated, and the agent's own .git is not believed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ccc.base import repository
from ccc.fleet import worktree
from ccc.fleet.feed import Seen
from ccc.fleet.git import GitFailed
from ccc.fleet.reviewed import Reviewed
from ccc.fleet.sharing import Sharing
from ccc.fleet.worktree import End, NeedsPerson, Place, Start

ENV = {"PATH": os.defpath}


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main")
    done = subprocess.run(("git", *own, *words), cwd=folder, env=ENV, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    made = tmp_path / "repo"
    made.mkdir()
    git(made, "init", "-q")
    (made / "file").write_text("1\n")
    git(made, "add", "-A")
    git(made, "commit", "-qm", "start")
    hook = made / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    hook.chmod(0o755)
    return made


def place(repo: Path, name: str = "a-1", machine: str = "north") -> Place:
    return Place(repo, repo.parent / machine / name, f"ccc/{name}", ENV)


def test_it_is_made_once_and_what_is_there_becomes_a_commit(repo: Path, tmp_path: Path) -> None:
    here, base = place(repo), git(repo, "rev-parse", "HEAD")
    for _ in range(2):
        worktree.prepare(here, Start(base))
        (here.folder / "file").write_text("2\n")
    (here.folder / "own").write_text("own\n")
    git(here.folder, "add", "own")
    git(here.folder, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "the agent's own")
    end = worktree.commit(here, "The task", [base]).commit
    assert worktree.commit(here, "The task", [base]) == End(end)
    assert git(repo, "log", "--format=%s", "ccc/a-1").splitlines() == ["The task", "the agent's own", "start"]
    assert git(repo, "status", "--porcelain") == ""
    assert (here.folder.stat().st_mode & 0o777, not (tmp_path / "ran").exists()) == (0o700, True)
    worktree.take_away(here)
    assert git(repo, "worktree", "list").count("\n") == 0
    assert git(repo, "rev-parse", "ccc/a-1") == end
    worktree.prepare(here, Start(base))  # on its branch as it was
    assert (here.folder / "own").exists()


def test_one_that_was_cut_off_while_it_was_made_is_made_anew(repo: Path) -> None:
    here, base = place(repo), git(repo, "rev-parse", "HEAD")
    worktree.prepare(here, Start(base))
    admin = repo / ".git" / "worktrees" / "a-1"
    (admin / worktree.READY).unlink()
    (here.folder / "file").unlink()
    worktree.prepare(here, Start(base))
    assert (here.folder / "file").read_text() == "1\n"
    (admin / "index.lock").touch()  # of a git that was killed
    worktree.prepare(here, Start(base))
    assert worktree.commit(here, "x") == End(base)


def test_a_git_folder_that_the_agent_made_itself_starts_nothing(repo: Path, tmp_path: Path) -> None:
    here = place(repo)
    worktree.prepare(here, Start(git(repo, "rev-parse", "HEAD")))
    (here.folder / ".git").unlink()
    git(here.folder, "init", "-q")
    git(here.folder, "config", "core.fsmonitor", f"touch {tmp_path}/ran; true")
    git(here.folder, "config", "filter.f.clean", f"touch {tmp_path}/ran; cat")
    (here.folder / ".gitattributes").write_text("* filter=f\n")
    (here.folder / "new").write_text("new\n")
    worktree.commit(here, "The task")
    assert git(repo, "show", "ccc/a-1:new") == "new"
    assert not (tmp_path / "ran").exists()


def test_a_task_after_two_others_has_both_and_says_when_they_do_not_go_together(repo: Path) -> None:
    base = git(repo, "rev-parse", "HEAD")
    for name, file, text in (("a-1", "a", "a"), ("b-2", "b", "b"), ("c-3", "a", "c")):
        worktree.prepare(place(repo, name), Start(base))
        (place(repo, name).folder / file).write_text(text)
        worktree.commit(place(repo, name), name)
    both = place(repo, "d-4")
    worktree.prepare(both, ended(repo, "a-1"), [ended(repo, "b-2")])
    assert ((both.folder / "a").read_text(), (both.folder / "b").read_text()) == ("a", "b")
    with pytest.raises(GitFailed, match=r"ccc/c-3 \(\w{12}\) does not go together with the other tasks"):
        worktree.prepare(place(repo, "e-5"), ended(repo, "a-1"), [ended(repo, "c-3")])


def test_another_machine_goes_on_with_what_was_there_in_the_midst_of_the_work(repo: Path, tmp_path: Path) -> None:
    remote, north, south = two_machines(repo, tmp_path)
    base = git(repo, "rev-parse", "HEAD")
    worktree.prepare(north, Start(base))
    (north.folder / "half").write_text("half\n")
    worktree.push(north, "origin", worktree.snapshot(north, "The task"))
    assert git(north.folder, "status", "--porcelain") == "?? half"
    assert git(repo, "rev-parse", "ccc/a-1") == base
    worktree.fetch(south, "origin", base)
    worktree.prepare(south, Start(base))
    assert (south.folder / "half").read_text() == "half\n"
    assert worktree.grown(south, base)
    (south.folder / "whole").write_text("whole\n")
    worktree.commit(south, "The task")
    worktree.push(south, "origin")
    assert git(remote, "ls-tree", "--name-only", "ccc/a-1").split() == ["file", "half", "whole"]


def two_machines(repo: Path, tmp_path: Path) -> tuple[Path, Place, Place]:
    remote, other = tmp_path / "remote.git", tmp_path / "other"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(remote))
    git(tmp_path, "clone", "-q", str(remote), str(other))
    git(repo, "remote", "add", "origin", str(remote))
    return remote, place(repo), place(other, machine="south")


def test_what_is_shared_is_the_branch_itself_or_what_is_not_committed_on_top_and_each_once(
    repo: Path, tmp_path: Path
) -> None:
    remote, north, _ = two_machines(repo, tmp_path)
    base, now = git(repo, "rev-parse", "HEAD"), [0.0]
    worktree.prepare(north, Start(base))
    sharing = Sharing(north, "origin", "The task", lambda: now[0])
    sharing(0)  # nothing has happened
    sharing.end(last=False)
    assert git(remote, "branch", "--list", "ccc/*") == ""
    (north.folder / "own").write_text("own\n")
    git(north.folder, "add", "own")
    git(north.folder, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "the agent's own")
    sharing(0)
    sharing.end(last=False)
    assert git(remote, "rev-parse", "ccc/a-1") == git(north.folder, "rev-parse", "HEAD")
    (north.folder / "loose").write_text("loose\n")
    sharing(0)
    sharing.end(last=False)
    assert "loose" not in git(remote, "ls-tree", "--name-only", "ccc/a-1")
    for stops, seconds in ((1, 0.0), (1, 20.0)):  # at a stop, and when it is time
        now[0] += seconds
        sharing(stops)
        sharing.end(last=False)
        assert git(remote, "log", "--format=%s", "ccc/a-1").splitlines() == ["The task", "the agent's own", "start"]
    (north.folder / "last").write_text("last\n")
    sharing.end(last=True)
    assert git(remote, "ls-tree", "--name-only", "ccc/a-1").split() == ["file", "last", "loose", "own"]
    assert git(repo, "log", "--format=%s", "ccc/a-1").splitlines() == ["the agent's own", "start"]


def test_a_machine_that_comes_back_goes_on_with_what_was_done_elsewhere_and_keeps_its_own_aside(
    repo: Path, tmp_path: Path
) -> None:
    remote, north, south = two_machines(repo, tmp_path)
    base = git(repo, "rev-parse", "HEAD")
    worktree.prepare(north, Start(base))
    (north.folder / "late").write_text("never pushed\n")
    worktree.prepare(south, Start(base))
    (south.folder / "more").write_text("more\n")
    worktree.commit(south, "elsewhere")
    worktree.push(south, "origin")
    worktree.fetch(north, "origin", base)
    assert worktree.changed(north)  # as long as its conversation is here, its folder is what counts
    for _ in range(2):
        worktree.fetch(north, "origin", base, elsewhere=True)
        worktree.prepare(north, Start(base))
        assert git(north.folder, "log", "--format=%s").splitlines() == ["elsewhere", "start"]
        assert not (north.folder / "late").exists()
    assert git(repo, "show", "refs/ccc/kept/ccc/a-1:late") == "never pushed"
    assert git(remote, "for-each-ref", "--format=%(refname:short)", "refs/heads/ccc") == "ccc/a-1"


def test_a_task_after_one_of_another_machine_begins_with_its_branch_or_says_what_is_missing(
    repo: Path, tmp_path: Path
) -> None:
    _, north, south = two_machines(repo, tmp_path)
    worktree.prepare(north, Start(git(repo, "rev-parse", "HEAD")))
    (north.folder / "first").write_text("first\n")
    first = Start(worktree.commit(north, "first").commit, "ccc/a-1")
    worktree.push(north, "origin")
    after = place(south.repo, "b-2", "south")
    with pytest.raises(GitFailed, match=r"does not have ccc/a-1 \(\w{12}\), with which this task begins"):
        worktree.prepare(after, first)
    git(south.repo, "branch", "ccc/a-1")  # as an earlier turn there has left it
    worktree.bring(after, "origin", first.name, first.commit)
    worktree.prepare(after, first)
    assert (after.folder / "first").read_text() == "first\n"


def astray_on_an_orphan(folder: Path) -> None:
    git(folder, "checkout", "-q", "--orphan", "x")
    git(folder, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "of its own")


def astray_on_another_branch(folder: Path) -> None:
    git(folder, "-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "checkout", "-q", "-b", "x", "HEAD~1")


@pytest.mark.parametrize("go", [astray_on_an_orphan, astray_on_another_branch])
def test_what_is_not_on_the_branch_is_told_and_kept(repo: Path, go: Callable[[Path], None]) -> None:
    here, base = place(repo), git(repo, "rev-parse", "HEAD")
    worktree.prepare(here, Start(base))
    (here.folder / "work").write_text("work\n")
    go(here.folder)
    end = worktree.commit(here, "The task", [base])
    assert end.problem == "what was done last is not on ccc/a-1, but kept as refs/ccc/astray/ccc/a-1"
    assert end.commit == git(repo, "rev-parse", "ccc/a-1")
    worktree.take_away(here)
    assert git(repo, "show", "refs/ccc/astray/ccc/a-1:work") == "work"


def test_what_went_on_from_the_branch_elsewhere_is_on_it(repo: Path) -> None:
    here, base = place(repo), git(repo, "rev-parse", "HEAD")
    worktree.prepare(here, Start(base))
    git(here.folder, "checkout", "-q", "-b", "x")
    git(repo, "branch", "-qD", "ccc/a-1")
    (here.folder / "work").write_text("work\n")
    end = worktree.commit(here, "The task", [base])
    assert (end.problem, git(repo, "show", f"{end.commit}:work")) == (None, "work")
    assert git(repo, "rev-parse", "ccc/a-1") == end.commit


def test_what_is_completed_is_what_was_reviewed_and_the_rest_is_kept_aside(repo: Path) -> None:
    here, base = place(repo), git(repo, "rev-parse", "HEAD")
    worktree.prepare(here, Start(base))
    (here.folder / "work").write_text("work\n")
    reviewed = Reviewed(here, "The task")
    reviewed(Seen(1))
    reviewed(Seen(1, asked=1))
    first = reviewed.commit()
    end = worktree.commit(here, "The task", [base])
    assert worktree.seal(here, end, first, [base]) == end
    assert worktree.seal(here, end, "", [base]).problem == "nobody can say whether this is what was reviewed"
    name = os.fsdecode(b"new\xff")  # which no store could hold
    (here.folder / name).write_text("new\n")
    told = worktree.seal(here, worktree.commit(here, "The task", [base]), end.commit, [base])
    assert (told.commit, told.problem) == (end.commit, None)
    assert str(told.remark) == ("new\ufffd came during the review: not on ccc/a-1, but kept as refs/ccc/astray/ccc/a-1")
    assert git(repo, "show", f"refs/ccc/astray/ccc/a-1:{name}") == "new"
    for name in ("file", "work"):
        (here.folder / name).write_text("other\n")
    told = worktree.seal(here, worktree.commit(here, "The task", [base]), end.commit, [base])
    assert (told.commit, str(told.problem).partition(" changed")[0]) == (end.commit, "file, work")
    assert git(repo, "show", "ccc/a-1:work") == "work"


def test_what_is_taken_when_a_verdict_is_there_is_not_what_was_reviewed(repo: Path) -> None:
    here = place(repo)
    worktree.prepare(here, Start(git(repo, "rev-parse", "HEAD")))
    reviewed = Reviewed(here, "The task")
    assert reviewed.commit() == ""
    reviewed(Seen(1, asked=1))
    assert reviewed.commit() == git(repo, "rev-parse", "HEAD")
    reviewed(Seen(2, asked=2, judged=2))  # both were heard at once
    assert reviewed.commit() == ""
    reviewed(Seen(3, asked=3, judged=2))
    assert reviewed.commit() == git(repo, "rev-parse", "HEAD")


def test_a_branch_without_what_it_began_with_or_without_its_folder_is_told(repo: Path) -> None:
    here, base = place(repo), git(repo, "rev-parse", "HEAD")
    worktree.prepare(here, Start(base))
    assert worktree.roots(here, [base, "0" * 40, ""]) == (base,)
    git(repo, "update-ref", "-d", "refs/heads/ccc/a-1")
    (here.folder / "work").write_text("work\n")
    told = worktree.commit(here, "The task", [base])
    assert told.problem == f"ccc/a-1 does not go on from {base}, with which it began"
    assert worktree.roots(here, [base]) == (base,)  # though it has it no more
    shutil.rmtree(repo / ".git" / "worktrees" / "a-1")
    for told in (worktree.commit(here, "The task", [base]).problem, worktree.apart(here, [base])):
        assert "is no worktree of its repository" in str(told)


def test_a_task_that_nobody_has_begun_begins_with_what_it_should_and_nothing_else(repo: Path) -> None:
    here, base = place(repo), Start(git(repo, "rev-parse", "HEAD"))
    worktree.prepare(here, base)  # as a worker leaves it that is killed before its agent begins
    (here.folder / "planted").write_text("planted\n")
    worktree.prepare(here, base, fresh=True)
    assert not (here.folder / "planted").exists()
    git(here.folder, "-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "planted")
    with pytest.raises(NeedsPerson, match="ccc/a-1 is there already, and this task has not begun"):
        worktree.prepare(here, base, fresh=True)


@pytest.mark.parametrize("how", ["replacement", "graft"])
def test_a_commit_is_what_was_stored_under_its_id(repo: Path, how: str) -> None:
    base, here = git(repo, "rev-parse", "HEAD"), place(repo)
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    (repo / "evil").write_text("evil\n")
    git(repo, "add", "evil")
    evil = git(repo, "commit-tree", "-m", "evil", git(repo, "write-tree"))
    plain = git(repo, "commit-tree", "-m", "another", tree)
    if how == "replacement":
        git(repo, "replace", base, evil)
    else:
        (repo / ".git" / "info" / "grafts").write_text(f"{plain} {base}\n")
    worktree.prepare(here, Start(base))
    assert not (here.folder / "evil").exists()
    assert repository.is_within(repo, ENV, base, plain) is False
    git(repo, "update-ref", "refs/heads/ccc/a-1", plain)
    git(here.folder, "reset", "-q", "--hard")
    assert worktree.commit(here, "The task", [base]).problem is not None


@pytest.mark.timeout(60)
@pytest.mark.parametrize("where", ["worktrees/0/gitdir", "worktrees/a-1/HEAD", "config", "worktrees/a-1/ccc-index"])
def test_a_pipe_where_git_reads_holds_nobody(repo: Path, where: str) -> None:
    here = place(repo)
    worktree.prepare(here, Start(git(repo, "rev-parse", "HEAD")))
    pipe = repo / ".git" / where
    pipe.parent.mkdir(exist_ok=True)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    for act in (lambda: worktree.commit(here, "x"), lambda: worktree.snapshot(here, "x")):
        with pytest.raises(GitFailed, match=f"{where} is not a plain file"):
            act()


def test_an_index_that_is_a_link_elsewhere_is_not_copied(repo: Path) -> None:
    here = place(repo)
    worktree.prepare(here, Start(git(repo, "rev-parse", "HEAD")))
    index = repo / ".git" / "worktrees" / "a-1" / "index"
    index.unlink()
    index.symlink_to(repo / "file")
    with pytest.raises(GitFailed, match="index is not a plain file"):
        worktree.snapshot(here, "x")


def ended(repo: Path, name: str) -> Start:
    return Start(git(repo, "rev-parse", f"ccc/{name}"), f"ccc/{name}")


OWN = "git -c user.name=n -c user.email=e@x -c core.hooksPath=/dev/null"
COMMITTED = f"git init -q && echo work > work && git add work && {OWN} commit -qm own"
HAS_APART = {
    "of its own": (f"mkdir app && cd app && {COMMITTED}", "app"),
    "without a commit": ("mkdir -p 'a*/[b' && cd 'a*/[b' && git init -q && echo work > work", "a*/[b"),
    "that the agent has committed": (
        f"mkdir app && (cd app && {COMMITTED}) && git add app && {OWN} commit -qm link",
        "app",
    ),
    "that is a worktree, too": (
        f"git worktree add -q --detach app && cd app && {OWN} commit -q --allow-empty -m own",
        "app",
    ),
    "of a submodule that went on": (f"cd sub && {OWN} commit -q --allow-empty -m own", "sub"),
    "of a submodule that is committed as it went on": (
        f"(cd sub && {OWN} commit -q --allow-empty -m own) && git add sub && {OWN} commit -qm update",
        "sub",
    ),
    "of a submodule with another file": ("echo other > sub/file", "sub"),
    "of a submodule with a new file that its config hides": (
        "git config submodule.sub.ignore all && echo new > sub/new",
        "sub",
    ),
    "of a submodule that is none any more": ("rm -rf sub/.git", "sub"),
}


@pytest.fixture
def with_submodule(repo: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", str(repo), str(tmp_path / "inner"))
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "inner"), "sub")
    git(repo, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "submodule")
    return repo


@pytest.mark.parametrize("how", HAS_APART)
def test_a_repository_in_the_folder_is_told_and_what_is_beside_it_is_on_the_branch(
    with_submodule: Path, how: str
) -> None:
    here, base = place(with_submodule), git(with_submodule, "rev-parse", "HEAD")
    command, name = HAS_APART[how]
    worktree.prepare(here, Start(base))
    (here.folder / "beside").write_text("beside\n")
    assert worktree.apart(here, [base]) is None
    subprocess.run(("sh", "-c", command), cwd=here.folder, env=ENV, check=True)
    end = worktree.commit(here, "The task", [base])
    assert git(with_submodule, "show", f"{end.commit}:beside") == "beside"
    told = f"{name} in {here.folder} counts as a repository of its own, so what is in it is not on ccc/a-1"
    assert str(worktree.apart(here, [base])) == f"{told}: move it elsewhere"
    with pytest.raises(NeedsPerson, match="counts as a repository of its own"):
        fetched_from_elsewhere(here, base)
    (here.folder / name).rename(here.folder.parent / "elsewhere")
    worktree.commit(here, "The task", [base])
    assert worktree.apart(here, [base]) is None


def fetched_from_elsewhere(here: Place, base: str) -> None:
    """Another machine has gone on with its task meanwhile."""
    theirs = here.repo.parent / "theirs.git"
    git(here.repo.parent, "clone", "-q", "--bare", str(here.repo), str(theirs))
    tree = git(theirs, "rev-parse", f"{base}^{{tree}}")
    git(theirs, "update-ref", here.ref, git(theirs, "commit-tree", "-p", base, "-m", "elsewhere", tree))
    worktree.fetch(here, str(theirs), base, elsewhere=True)


def test_a_submodule_as_the_task_found_it_and_a_repository_that_git_ignores_are_nobodys_concern(
    with_submodule: Path,
) -> None:
    here, base = place(with_submodule), git(with_submodule, "rev-parse", "HEAD")
    worktree.prepare(here, Start(base))
    git(here.folder, "init", "-q", "cache")
    (here.folder / ".gitignore").write_text("cache\n")
    end = worktree.commit(here, "The task", [base])
    assert (end.problem, worktree.apart(here, [base])) == (None, None)
    shutil.rmtree(here.folder / "sub")  # which the branch tells
    worktree.commit(here, "The task", [base])
    assert worktree.apart(here, [base]) is None
