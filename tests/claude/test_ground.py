"""The project of a start: found by what it was then, for whoever is of it, in any folder name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.claude import ground
from ccc.claude.ground import Ground

REPO = Path("/repo")
FEAT = REPO / ".claude" / "worktrees" / "feat"


@pytest.mark.parametrize(
    ("project", "folder", "named"),
    [
        (REPO, REPO, (REPO,)),
        (REPO, REPO / "sub", (REPO,)),
        (REPO / "sub", REPO, (REPO / "sub",)),
        (REPO, FEAT, (FEAT, REPO)),  # made by the client for `-w`: what is said of it itself comes first
        (Path("/linked"), FEAT, (FEAT, Path("/linked"))),
        (FEAT, FEAT, (FEAT,)),  # ccc was started in it
    ],
)
def test_what_ccc_json_says_is_found_by_the_project_of_the_start(
    project: Path, folder: Path, named: tuple[Path, ...]
) -> None:
    assert Ground(project, folder).named == named


@pytest.mark.parametrize(
    ("started", "is_of_it"),
    [
        (None, True),
        ("/repo", True),
        ("/repo/sub", True),
        (str(FEAT), True),
        ("/main/.claude/worktrees/feat", True),  # of a worktree: the client makes it in the main one
        ("/other", False),
        ("/repository", False),
        ("/", False),
    ],
)
def test_a_client_that_an_agent_starts_elsewhere_is_of_another_project(started: str | None, is_of_it: bool) -> None:
    assert ground.has(REPO, started) is is_of_it


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "repo"
    for folder in (".git", ".claude/worktrees/feat/sub", "sub", "other"):
        (made / folder).mkdir(parents=True)
    (tmp_path / "elsewhere" / ".claude" / "worktrees" / "feat").mkdir(parents=True)
    return made


@pytest.mark.parametrize(
    ("stands", "places"),
    [
        (".", (".",)),
        ("sub", (".",)),
        (".claude/worktrees/feat", (".", ".claude/worktrees/feat")),
        (".claude/worktrees/feat/sub", (".", ".claude/worktrees/feat")),
        (".claude/worktrees/gone", (".",)),
        ("../elsewhere", (".",)),
        ("../elsewhere/.claude/worktrees/feat", (".",)),
    ],
)
def test_a_worktree_that_the_agent_has_entered_is_one_more_place_of_its_checks(
    project: Path, stands: str, places: tuple[str, ...]
) -> None:
    known = Ground(project, project)
    assert known.places(Path(os.path.normpath(project / stands))) == tuple(project / each for each in places)


def test_a_worktree_that_the_client_was_started_in_is_a_place_once(project: Path) -> None:
    tree = project / ".claude" / "worktrees" / "feat"
    assert Ground(project, tree).places(tree / "sub", tree) == (tree,)


def test_where_nobody_knows_whose_worktree_it_is_the_checks_have_no_place(project: Path) -> None:
    (project / ".git").rmdir()
    (project / ".git").write_text("gitdir:  two spaces")
    with pytest.raises(CccError, match="is not as git writes it"):
        Ground(project, project).places(project)


def test_a_link_leads_into_the_project_as_well(tmp_path: Path) -> None:
    (tmp_path / "repo" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "repo")
    assert ground.has(tmp_path / "repo", str(tmp_path / "link" / "sub"))


def test_a_switch_counts_for_the_project_of_the_start_and_for_what_the_folder_is_now(tmp_path: Path) -> None:
    folder = tmp_path / "sub"
    (folder / ".git").mkdir(parents=True)
    assert Ground(tmp_path, folder).switched == (tmp_path, folder)
    assert Ground(folder, folder).switched == (folder,)


def test_checks_of_a_project_that_is_gone_are_not_run_elsewhere(tmp_path: Path) -> None:
    assert Ground(tmp_path, tmp_path / "sub").place == tmp_path
    with pytest.raises(CccError, match="is gone"):
        _ = Ground(tmp_path / "gone", tmp_path).place


@pytest.mark.parametrize("name", [b"/repo", "/项目".encode(), b"/caf\xe9", b"/a\nb"])
def test_any_name_comes_back_as_it_was(name: bytes) -> None:
    path = Path(os.fsdecode(name))
    text = ground.spelt(path)
    text.encode()
    assert ground.read(text) == path
