"""A project's own Stop hooks: copies of ours are refused, others are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ccc.base.errors import CccError
from ccc.claude import declared
from ccc.claude.settings import Source
from ccc_hooks import rivals

OURS = "/v/python -I /x/ccc supervisor-hook || exit 1"


def source(kind: str, *commands: object, **more: object) -> Source:
    hooks = [{"type": "command", "command": command, **more} for command in commands]
    return Source(kind, Path("/p/settings.json"), {"hooks": {"Stop": [{"hooks": hooks}]}})


@pytest.mark.parametrize("command", [OURS, "/x/ccc supervisor-hook", "ccc supervisor-hook; true", f"true; {OURS}"])
@pytest.mark.parametrize("more", [{}, {"timeout": 0.01}, {"async": True}])
@pytest.mark.parametrize("kind", ["project", "local"])
def test_a_projects_copy_of_our_hook_is_refused_by_name(command: str, more: dict[str, Any], kind: str) -> None:
    with pytest.raises(CccError, match=r"/p/settings\.json has a Stop hook that calls ccc"):
        rivals.refuse_copies([source(kind, "true", command, **more)])


@pytest.mark.parametrize("kind", ["user", "managed", "global"])
def test_a_hook_of_the_person_or_the_administrator_is_theirs(kind: str) -> None:
    rivals.refuse_copies([source(kind, OURS)])
    assert declared.stop_hooks([source(kind, "true")]) == []


def test_another_hook_of_the_project_is_named_once_for_each_file() -> None:
    (line,) = declared.stop_hooks([source("project", "true", "false"), source("project", "true")])
    assert line.startswith("/p/settings.json has a Stop hook")


@pytest.mark.parametrize("hooks", [None, [], {"Stop": {}}, {"Stop": [5]}, {"Stop": [{"hooks": 5}]}, {"Stop": [{}]}])
def test_whatever_stands_as_hooks_is_looked_at(hooks: object) -> None:
    odd = Source("project", Path("/p"), {"hooks": hooks})
    rivals.refuse_copies([odd])
    assert declared.stop_hooks([odd]) == []


def test_at_a_stop_the_files_of_every_folder_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "a" / ".claude").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    copy = source("local", OURS).settings
    (tmp_path / "a" / ".claude" / "settings.local.json").write_text(json.dumps(copy))
    rivals.refuse_copies_in([tmp_path / "b"], tmp_path / "config")
    with pytest.raises(CccError, match=r"settings\.local\.json"):
        rivals.refuse_copies_in([tmp_path / "b", tmp_path / "a"], tmp_path / "config")
