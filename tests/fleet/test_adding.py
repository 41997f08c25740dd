"""From a list to tasks: what can be known before is told before, and nothing is added then."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.fleet import adding
from ccc.fleet.adding import Defaults, Ready
from ccc.fleet.lists import Entry
from ccc.fleet.task import Caps, slug
from ccc.judging import checks
from ccc.model import Check
from ccc.providers import config
from tests.fleet.test_worktree import ENV, git
from tests.tables import each


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    made = tmp_path / "repo"
    made.mkdir()
    git(made, "init", "-q")
    (made / "SUPERVISOR.md").write_text("good\n")
    git(made, "add", "-A")
    git(made, "commit", "-qm", "start")
    return made


def ready(tmp_path: Path, *entries: Entry, known: tuple[str, ...] = (), **keys: object) -> Ready:
    home = tmp_path / "config"
    home.mkdir(exist_ok=True)
    document = {"providers": {"glm": {}}, "checks": {str(tmp_path / "repo"): [{"command": "make", "timeout": 9}]}}
    (home / "ccc.json").write_text(json.dumps(document))
    env = {**ENV, "CCC_CONFIG_DIR": str(home)}
    given = {"repo": str(tmp_path / "repo"), **keys}
    return adding.ready(
        entries, Defaults(given), config.load(env), env, lambda name: [id_ for id_ in known if id_.startswith(name)]
    )


def test_a_task_has_what_its_keys_the_command_line_and_its_repository_say(repo: Path, tmp_path: Path) -> None:
    entry = Entry("f:1", "Do it\n\nwell", {"check": ["true"], "max_minutes": 5}, "Do it")
    after = Entry("f:9", "then that", {"after": ["do it", "old"], "provider": "glm"}, "then that")
    made = ready(tmp_path, entry, after, known=("old-1",), push=True)
    (first, one), (_, two) = made.tasks
    assert first == one.id
    assert (one.provider, one.repo, one.base) == ("glm", repo, git(repo, "rev-parse", "HEAD"))
    assert one.checks == (Check("make", 9), Check("true"))
    assert (one.caps, one.push, one.after) == (Caps(max_minutes=5), True, ())
    assert two.after == (first, "old-1")
    assert made.notes == ()
    (repo / "new").touch()
    [note] = ready(tmp_path, entry).notes
    assert note == f"{repo} has 1 file with changes that no commit has; the tasks begin without them"


MISTAKES = {
    ("repo", "/"): "f:1: repo: / is in no git repository",
    ("provider", "kimi"): "f:1: provider: ",
    ("base", "v9"): "f:1: base: ",
    ("after", "nobody"): "f:1: after: there is no task 'nobody' before this one",
    ("after", "o"): "f:1: after: o could be old-1, old-2",
}


@each("given, said", MISTAKES.items())
def test_a_mistake_is_told_with_its_place_and_its_key(
    repo: Path, tmp_path: Path, given: tuple[str, str], said: str
) -> None:
    with pytest.raises(CccError) as error:
        ready(tmp_path, Entry("f:1", "x", {given[0]: given[1]}), known=("old-1", "old-2"))
    assert str(error.value).startswith(said)
    assert str(error.value).endswith("; nothing was added")


def test_criteria_that_are_not_committed_are_none(repo: Path, tmp_path: Path) -> None:
    git(repo, "rm", "-q", "--cached", "SUPERVISOR.md")
    git(repo, "commit", "-qm", "without")
    with pytest.raises(CccError) as error:
        ready(tmp_path, Entry("f:1", "x", {}))
    assert str(error.value).startswith(f"{repo}/SUPERVISOR.md is not committed")  # which is no place in the list
    _, _, command = str(error.value).partition("; nothing was added; run: ")
    assert command.startswith(f"git -C {repo} add SUPERVISOR.md && ")
    (repo / "SUPERVISOR.md").unlink()
    with pytest.raises(CccError, match=r"; run: \(cd .* && ccc init --supervisor-md\) && git "):
        ready(tmp_path, Entry("f:1", "x", {}))
    (repo / "SUPERVISOR.md").write_text("all of it")
    own = "-c user.name=x -c user.email=x@localhost"
    subprocess.run(command.replace("git ", f"git {own} "), shell=True, check=True, capture_output=True)
    ready(tmp_path, Entry("f:1", "x", {}))


@pytest.mark.parametrize("repo", ["/repo", "/repo/", "~/repo"])
def test_what_is_said_of_a_repository_holds_in_the_folder_of_its_task_and_in_no_hook(tmp_path: Path, repo: str) -> None:
    document = {
        "providers": {"glm": {}},
        "checks": {repo: [{"command": "make"}]},
        "judges": {repo: "glm"},
        "supervisor": {"max_iterations": 4, "max_minutes": 7},
    }
    (tmp_path / "ccc.json").write_text(json.dumps(document))
    told = {"folder": "/tree", "project": "/repo", "checks": [{"command": "true"}], "caps": {"max_minutes": 2}}
    env = {"CCC_CONFIG_DIR": str(tmp_path), "HOME": "/", config.TASK: json.dumps(told)}
    conf = config.load(env, of_task=True)
    assert [check.command for check in checks.of_project(conf, Path("/tree"))] == ["make", "true"]
    assert [juror.provider for juror in conf.jurors(Path("/tree"))] == ["glm"]
    assert (conf.supervisor.max_iterations, conf.supervisor.max_minutes) == (4, 2.0)
    assert checks.of_project(config.load(env), Path("/tree")) == ()
    with pytest.raises(CccError, match="CCC_TASK is no task of the fleet; run: unset CCC_TASK"):
        config.load({**env, config.TASK: "{"}, of_task=True)


@each(
    "key, value",
    {"slots": 0, "tasks_per_provider": True, "max_cost_usd": -1, "grace_seconds": "x", "remote": 1}.items(),
)
def test_a_wrong_number_in_ccc_json_is_told(tmp_path: Path, key: str, value: object) -> None:
    (tmp_path / "ccc.json").write_text(json.dumps({"fleet": {key: value}}))
    with pytest.raises(CccError, match=rf"ccc\.json: fleet\.{key} must be "):
        config.load({"CCC_CONFIG_DIR": str(tmp_path)})


@each(
    "words, name",
    {"Fix the login!": "fix-the-login", "写文档": "写文档", "../../etc": "etc", "-x": "x", "???": "task"}.items(),
)
def test_a_name_can_be_a_branch_and_a_folder(words: str, name: str) -> None:
    assert slug(words) == name
