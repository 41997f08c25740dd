"""Where a project's settings can come from: git's pointers, followed every way a client might follow them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccc.claude import folders


def made(tmp_path: Path, **files: str) -> Path:
    """A tree of files; `__` in a name stands for a slash, `.` in front of git and such is written out."""
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_git", ".git")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def worktree(tmp_path: Path, pointer: str, common: str = "../..\n") -> Path:
    made(tmp_path, w___git=pointer, m___git__worktrees__w__commondir=common)
    return tmp_path / "w"


def test_without_git_it_is_the_working_folder_alone(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert inner in folders.of_project(inner)
    assert tmp_path / "a" not in folders.of_project(inner)


def test_every_folder_up_to_the_outermost_repository_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b" / "c"
    inner.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b" / ".git").mkdir()
    assert folders.of_project(inner)[:4] == [inner, inner.parent, tmp_path / "a", tmp_path]


@pytest.mark.parametrize("pointer", ["gitdir: ../m/.git/worktrees/w", "gitdir: ../m/.git/worktrees/w\n"])
def test_a_worktree_leads_to_the_folder_it_was_made_from(tmp_path: Path, pointer: str) -> None:
    assert tmp_path / "m" in folders.of_project(worktree(tmp_path, pointer))


def test_a_common_folder_with_another_name_counts_itself(tmp_path: Path) -> None:
    made(tmp_path, w___git="gitdir: ../store/worktrees/w\n", store__worktrees__w__commondir="../..\n")
    found = folders.of_project(tmp_path / "w")
    assert {tmp_path, tmp_path / "store"} <= set(found)


def test_a_link_on_the_way_makes_two_folders_of_one(tmp_path: Path) -> None:
    here = worktree(tmp_path, "gitdir: ../link/../m/.git/worktrees/w\n")
    deep = tmp_path / "x" / "y"
    deep.mkdir(parents=True)
    (tmp_path / "link").symlink_to(deep)
    made(tmp_path, x__m___git__worktrees__w__commondir="../..\n")
    assert {tmp_path / "m", tmp_path / "x" / "m"} <= set(folders.of_project(here))


def test_a_repository_that_is_a_link_counts_where_it_stands_and_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real" / "store").mkdir(parents=True)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".git").symlink_to(tmp_path / "real" / "store")
    assert {tmp_path / "p", tmp_path / "real"} <= set(folders.of_project(tmp_path / "p"))


@pytest.mark.parametrize(
    "pointer",
    [
        *("", "gitdir:", "gitdir: ", "no pointer", " gitdir: x", "gitdir: x ", "gitdir: x\n\n", "gitdir: x\r\n"),
        *("\ufeffgitdir: x", "gitdir: \ufeffx", "gitdir: x\0", "gitdir: " + "x" * 5000, "gitdir: x" + "\n" * 5000),
    ],
)
def test_a_pointer_that_git_would_not_write_is_odd(tmp_path: Path, pointer: str) -> None:
    made(tmp_path, w___git=pointer)
    with pytest.raises(folders.Odd, match="not as git writes it"):
        folders.of_project(tmp_path / "w")


def test_a_common_pointer_that_git_would_not_write_is_odd(tmp_path: Path) -> None:
    with pytest.raises(folders.Odd, match="commondir"):
        folders.of_project(worktree(tmp_path, "gitdir: ../m/.git/worktrees/w\n", "../.." + "\n" * 5000))


def test_what_is_neither_folder_nor_file_is_odd(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    with pytest.raises(folders.Odd, match="neither"):
        folders.of_project(tmp_path)
    (tmp_path / ".git").unlink()
    (tmp_path / ".git").symlink_to("/dev/null")
    with pytest.raises(folders.Odd, match="neither"):
        folders.of_project(tmp_path)


def test_a_link_that_leads_nowhere_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").symlink_to(tmp_path / "gone")
    assert folders.of_project(tmp_path) == [tmp_path]


def test_a_submodule_belongs_to_itself(tmp_path: Path) -> None:
    made(tmp_path, sub___git="gitdir: ../.git/modules/sub\n", _git__modules__sub__HEAD="ref: x\n")
    assert folders.of_project(tmp_path / "sub") == [tmp_path / "sub", tmp_path]


def test_servers_are_looked_for_in_every_folder_above(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    assert folders.of_servers(tmp_path / "a") == [tmp_path / "a", *(tmp_path / "a").parents]


@pytest.mark.parametrize(
    ("name", "found"),
    [("w1", ["w1"]), ("W1", ["w1"]), ("a/b", ["a+b"]), ("", []), ("other", []), (None, ["a+b", "w1"])],
)
def test_a_worktree_that_is_there_is_found_by_its_name(tmp_path: Path, name: str | None, found: list[str]) -> None:
    made(tmp_path, _git__HEAD="", x__y="")
    for each in ("w1", "a+b"):
        (tmp_path / ".claude" / "worktrees" / each).mkdir(parents=True)
    assert [folder.name for folder in folders.of_worktrees(tmp_path, name)] == found


def test_a_worktree_of_the_client_has_its_home_above(tmp_path: Path) -> None:
    assert folders.home_of_worktree(tmp_path / ".claude" / "worktrees" / "w") == tmp_path
    assert folders.home_of_worktree(tmp_path / "worktrees" / "w") is None
