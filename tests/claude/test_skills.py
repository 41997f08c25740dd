"""Plugins in a folder of skills: which there are, and that no change in one goes unseen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ccc.claude import skills


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    folder = tmp_path / "skills" / "x"
    for name in (".claude-plugin/plugin.json", "hooks/hooks.json", "bin/run"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "lib").write_text("x")
    (folder / "shared").symlink_to("../../shared")
    (folder / "later").symlink_to("../../later")
    return folder


CHANGES: dict[str, Callable[[Path], object]] = {
    "other bytes": lambda folder: (folder / "hooks" / "hooks.json").write_text("[]"),
    "another name": lambda folder: (folder / "bin" / "run").rename(folder / "bin" / "walk"),
    "one file more": lambda folder: (folder / ".mcp.json").write_text("{}"),
    "one folder more": lambda folder: (folder / "agents").mkdir(),
    "one file less": lambda folder: (folder / "bin" / "run").unlink(),
    "one that can be run": lambda folder: (folder / "bin" / "run").chmod(0o755),
    "what a link leads to": lambda folder: (folder.parents[1] / "shared" / "lib").write_text("y"),
    "what a link will lead to": lambda folder: (folder.parents[1] / "later").write_text("y"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_in_a_plugin_changes_its_digest(plugin: Path, change: Callable[[Path], object]) -> None:
    before = skills.content(plugin)
    assert before is not None
    assert skills.content(plugin) == before
    change(plugin)
    assert skills.content(plugin) not in (before, None)


def test_a_plugin_is_the_same_wherever_it_stands(plugin: Path) -> None:
    before = skills.content(plugin)
    assert skills.content(plugin.rename(plugin.with_name("y"))) == before


DOUBTS: dict[str, Callable[[Path], object]] = {
    "a pipe": lambda folder: os.mkfifo(folder / "pipe"),
    "a link that leads each program elsewhere": lambda folder: (folder / "own").symlink_to("/proc/self/cwd"),
    "a link to the folder itself": lambda folder: (folder / "again").symlink_to("."),
    "too many files": lambda folder: [(folder / f"{number}").touch() for number in range(skills.MOST_ENTRIES)],
    "too large a file": lambda folder: os.truncate(folder / "bin" / "run", skills.MOST_BYTES + 1),
}


@pytest.mark.parametrize("doubt", DOUBTS.values(), ids=DOUBTS)
def test_of_what_cannot_be_looked_through_nothing_is_said(plugin: Path, doubt: Callable[[Path], object]) -> None:
    doubt(plugin)
    assert skills.content(plugin) is None


def test_a_skill_without_the_mark_is_no_plugin_and_a_link_to_a_plugin_is_one(plugin: Path) -> None:
    folder = plugin.parent
    (folder / "plain").mkdir()
    (folder / "plain" / "SKILL.md").write_text("x")
    (folder / "linked").symlink_to(plugin)
    known = skills.content(plugin)
    assert list(skills.plugins(folder)) == [(folder / "linked", known), (plugin, known)]
    assert list(skills.plugins(folder / "none")) == []


def test_a_folder_that_is_another_one_for_each_program_is_a_doubt(tmp_path: Path) -> None:
    for name in ("skills", "in/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to("/proc/self/cwd/skills")
    assert list(skills.plugins(tmp_path / "skills")) == [(tmp_path / "skills", None)]
    assert list(skills.plugins(tmp_path / "in")) == [(tmp_path / "in" / "x", None)]
