"""What stood at the start: of the project's files as it was then, of the person's as it is now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.claude import settings
from ccc.judging import began
from ccc.providers.config import TASK


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".claude").mkdir(parents=True)
    (made / "SUPERVISOR.md").write_text("Test it.\n")
    return made


def own(tmp_path: Path) -> Path:
    made = tmp_path / "config"
    made.mkdir(exist_ok=True)
    return made


def deny(folder: Path, name: str, rule: str) -> None:
    (folder / name).write_text(json.dumps({"permissions": {"deny": [rule]}}))


def shaped(first: began.Began, config: Path, project: Path) -> tuple[str, ...]:
    return began.shaped(first, config, project, settings.sources(config, project))


def test_a_rule_that_came_to_the_project_later_is_new_and_one_of_the_persons_is_not(
    project: Path, tmp_path: Path
) -> None:
    config = own(tmp_path)
    deny(project / ".claude", "settings.json", "WebFetch")
    first = began.look(config, project)
    assert shaped(first, config, project) == began.look(config, project).shaped
    deny(project / ".claude", "settings.local.json", "Read")
    assert shaped(first, config, project) == first.shaped
    (project / ".claude" / "output-styles").mkdir()
    assert shaped(first, config, project) == first.shaped
    deny(config, "settings.json", "Bash")
    (config / "output-styles").mkdir()
    assert len(shaped(first, config, project)) == len(first.shaped) + 2


def test_what_is_handed_over_is_read_once_for_this_folder_and_only_as_it_was_kept(
    project: Path, tmp_path: Path
) -> None:
    state = own(tmp_path) / "ccc"
    first = began.look(own(tmp_path), project)
    digest = began.keep(began.told(first), state)
    env = {TASK: json.dumps({"folder": str(project), began.KEY: digest})}
    assert began.handed_over(env, state, project) == first
    assert began.handed_over(env, state, tmp_path) is None
    assert began.handed_over({}, state, project) is None
    for name in (digest[:-1] + "g", "../" + digest):
        with pytest.raises(CccError, match="was changed or is gone"):
            began.handed_over({TASK: json.dumps({"folder": str(project), began.KEY: name})}, state, project)
    (state / f"began-{digest}.json").write_bytes(began.told(began.Began("All is well.")))
    with pytest.raises(CccError, match="was changed or is gone"):
        began.handed_over(env, state, project)
    assert began.keep(began.told(first), state) == digest
    assert began.handed_over(env, state, project) == first
