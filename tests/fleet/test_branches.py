"""A branch that a person merged, deleted or works on is as it should be; one that lost what was sealed is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.fleet import branches, view
from ccc.fleet.address import Address
from ccc.fleet.store import Limits, Store, Worker
from ccc.fleet.task import Sealed, Task
from tests.fleet.test_worktree import ENV, git, repo

__all__ = ["repo"]
HERE = {**ENV, "CCC_MACHINE": "north"}


@pytest.fixture
def sealed(repo: Path) -> Sealed:
    git(repo, "branch", "ccc/a-1", git(repo, "commit-tree", "-p", "HEAD", "-m", "done", "HEAD^{tree}"))
    return Sealed("a-1", repo, "north", git(repo, "rev-parse", "ccc/a-1"))


def moved(sealed: Sealed, postgres: str = "") -> bool:
    return branches.look([sealed], Address(sealed.repo, postgres), HERE).moved == (sealed,)


def advanced(sealed: Sealed) -> bool:
    return branches.look([sealed], Address(sealed.repo), HERE).advanced == (sealed,)


def test_a_branch_may_be_advanced_or_deleted_and_has_to_have_what_was_sealed(sealed: Sealed) -> None:
    repo, ref = sealed.repo, "refs/heads/ccc/a-1"
    assert not moved(sealed)
    git(repo, "update-ref", ref, git(repo, "commit-tree", "-p", sealed.commit, "-m", "more", "HEAD^{tree}"))
    assert (moved(sealed), advanced(sealed)) == (False, True)
    git(repo, "pack-refs", "--all")
    git(repo, "update-ref", "-d", ref)
    assert not moved(sealed)
    for elsewhere in ("HEAD", git(repo, "commit-tree", "-m", "done", "HEAD^{tree}")):  # back, and beside
        git(repo, "update-ref", ref, elsewhere)
        assert moved(sealed)
    git(repo, "update-ref", ref, sealed.commit)
    assert (moved(sealed), advanced(sealed)) == (False, False)


def test_a_commit_that_the_repository_has_no_more_is_on_no_branch(sealed: Sealed) -> None:
    assert moved(replace(sealed, commit="1" * 40))


def test_what_another_machine_completed_is_not_known_here_and_in_a_file_its_name_is_nobodys_word(
    sealed: Sealed,
) -> None:
    git(sealed.repo, "update-ref", "refs/heads/ccc/a-1", "HEAD")
    elsewhere = replace(sealed, machine="south")
    assert (moved(sealed, "postgresql://x"), moved(elsewhere, "postgresql://x"), moved(elsewhere)) == (
        *(True, False, True),
    )
    assert not moved(replace(sealed, repo=sealed.repo / "nowhere"))


def test_one_that_was_moved_is_seen_first_and_counted_as_one_that_needs_a_person(repo: Path) -> None:
    folder = repo.parent / "state" / "fleet"
    folder.mkdir(parents=True, mode=0o700)
    (repo.parent / "state").chmod(0o700)
    store, tasks = Store(Address(folder)), [Task(f"Do {name}.", repo, name=name) for name in ("one", "two", "three")]
    store.add([(task.id, task) for task in tasks], 1.0)
    store.claim(Worker("w", "north"), 3, Limits(), 2.0, lambda _: True)
    for task in tasks:
        git(repo, "branch", task.branch, git(repo, "commit-tree", "-p", "HEAD", "-m", task.name, "HEAD^{tree}"))
        store.end(task.id, "w", "completed", "", git(repo, "rev-parse", task.branch), 3.0)
    assert view.glance(store, 1, HERE, None, 4.0).counts == {"completed": 3}
    git(repo, "branch", "-f", tasks[0].branch, "HEAD")
    seen = view.glance(store, 1, HERE, None, 4.0)
    assert [record.id for record in seen.records] == [tasks[0].id]
    assert seen.counts == {"completed": 2, "needs_human": 1}
    assert view.as_json(seen)["tasks"][0]["why"] == view.MOVED  # type: ignore[index]
    more = git(repo, "commit-tree", "-p", tasks[1].branch, "-m", "more", "HEAD^{tree}")
    git(repo, "branch", "-f", tasks[1].branch, more)
    seen = view.glance(store, 9, HERE, None, 4.0)
    rows = {row["id"]: (row["outcome"], row["branch_has_more"]) for row in view.as_json(seen)["tasks"]}  # type: ignore[attr-defined]
    assert list(rows.values()) == [("needs_human", False), ("completed", False), ("completed", True)]
    assert view._what(seen, seen.records[2], "en") == "its branch has more since, which no review saw"
    store.close()
