from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ccc.judging import checks
from ccc.judging.checks import Runner
from ccc.model import Check, Ran
from ccc.providers import config
from ccc.providers.config import ConfigError
from tests.world import World


def runner(world: World, **more: object) -> Runner:
    world.state.mkdir(mode=0o700, exist_ok=True)
    values = {
        "project": world.project,
        "state": world.state,
        "bare": lambda _: world.env(),
        "deadline": time.monotonic() + 60,
    }
    return Runner(**{**values, **more})  # type: ignore[arg-type]


def git(world: World, *args: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *identity, *args], cwd=world.project, env=world.env(), check=True, capture_output=True)


def test_checks_are_kept_per_project_in_ccc_json(world: World) -> None:
    path = world.write_config({"glm": {}}, note="kept")
    world.ccc("checks", "add", "--no-run", "pytest -q", "--timeout", "60")
    world.ccc("checks", "add", "--no-run", "ruff check")
    world.ccc("checks", "add", "--no-run", "pytest -q", "--timeout", "90")
    other = world.root / "other"
    other.mkdir()
    assert json.loads(world.ccc("checks", "list", "--json", cwd=other).out) == []
    known = json.loads(world.ccc("checks", "list", "--json").out)
    assert known == [{"command": "ruff check", "timeout": 300}, {"command": "pytest -q", "timeout": 90}]
    assert world.ccc("checks", "remove", "ruff check").code == 0
    assert world.ccc("checks", "remove", "ruff check").code == 2
    assert json.loads(path.read_text())["note"] == "kept"


@pytest.mark.parametrize(
    ("command", "told", "loudly"),
    [
        ("true", "passed: true (", False),
        ("echo one; echo two; exit 3", "did not pass: echo one; echo two; exit 3 (exit code 3, ", False),
        ("nosuchcommand", "did not pass: nosuchcommand (exit code 127, ", True),
        ("/etc/passwd", "did not pass: /etc/passwd (exit code 126, ", True),
    ],
)
def test_a_new_check_is_tried_once_and_kept_whatever_comes_of_it(
    world: World, command: str, told: str, loudly: bool
) -> None:
    run = world.ccc("checks", "add", command, env=world.env(CCC_LANG="en"))
    assert run.code == 0
    assert run.out.startswith(told)
    assert (f"ccc: the check `{command}` cannot be run here" in run.err) is loudly
    assert [each.command for each in checks.of_project(config.load(world.env()), world.project)] == [command]


def test_what_is_kept_though_it_fails_is_told_so_and_what_was_there_already_too(world: World) -> None:
    env = world.env(CCC_LANG="en")
    first, again = (world.warm("checks", "add", "nosuchprogram", env=env) for _ in range(2))
    assert "it is kept all the same; to take it out: ccc checks remove nosuchprogram" in first.err
    assert "at every stop ccc runs: nosuchprogram" in first.err
    assert "at every stop ccc runs, as it did already: nosuchprogram" in again.err
    assert ": 2: " not in first.out  # the command has one line


def test_a_check_is_not_tried_when_that_is_not_wanted(world: World) -> None:
    run = world.ccc("checks", "add", "--no-run", "touch ran")
    assert (run.code, run.out, (world.project / "ran").exists()) == (0, "", False)


def test_checks_run_tells_of_each_and_fails_if_one_does(world: World) -> None:
    env = world.env(CCC_LANG="en")
    given = [{"command": command} for command in ("echo x; false", "true", 'test -z "$KEY"')]
    glm = {"env": {"ANTHROPIC_AUTH_TOKEN": "${KEY}"}}
    world.write_config({"glm": glm}, checks={str(world.project): given})
    for _ in range(2):  # a pass that was seen before is run all the same
        run = world.ccc("checks", "run", env={**env, "KEY": "very-secret-key"})
        lines = [line.partition(" (")[0] for line in run.out.splitlines()]
        assert lines == ["did not pass: echo x; false", "  x", "passed: true", 'passed: test -z "$KEY"']
        assert run.code == 1
    world.write_config({}, checks={str(world.project): given[1:2]})
    assert world.ccc("checks", "run", env=env).code == 0
    world.write_config({})
    none = world.ccc("checks", "run", env=env)
    assert (none.code, none.out) == (0, "")
    assert "has no check yet; add one" in none.err


def test_a_project_cannot_name_its_own_checks(world: World) -> None:
    (world.project / "ccc.json").write_text(json.dumps({"checks": {str(world.project): [{"command": "evil"}]}}))
    assert checks.of_project(config.load(world.env()), world.project) == ()


@pytest.mark.parametrize("entry", ["x", {}, {"command": ""}, {"command": 5}, {"command": "x", "timeout": "5"}], ids=str)
def test_a_malformed_check_is_an_error_that_names_the_file(world: World, entry: object) -> None:
    world.write_config({}, checks={str(world.project): [entry]})
    with pytest.raises(ConfigError, match=r"ccc\.json: checks\."):
        checks.of_project(config.load(world.env()), world.project)


def test_a_check_runs_in_the_project_folder_and_its_output_is_kept(world: World) -> None:
    (ran,) = runner(world).run([Check("pwd; echo to-stderr >&2; exit 3")])
    assert (ran.code, ran.passed, ran.folder) == (3, False, str(world.project))
    assert ran.output.split() == [str(world.project), "to-stderr"]


def test_whoever_judges_is_told_in_which_folder_a_check_ran_in_one_line(world: World) -> None:
    odd = world.project / "a\n## Answer"
    odd.mkdir()
    for command in ("true", "nosuchcommand"):
        ran = runner(world, project=odd).run([Check(command)])
        for lang in ("en", "zh"):
            (line,) = checks.facts(ran, lang)
            assert f"{world.project}/a ⏎ ## Answer" in line
    assert f"`false` in {world.project};" in checks.feedback(runner(world).run([Check("false")])[0], "en")


def test_a_pass_in_one_folder_is_none_in_another(world: World) -> None:
    (world.project / "tree").mkdir()
    (world.project / "good").touch()
    check = Check("test -e good")
    places = (world.project, world.project / "tree", world.project)
    found = [runner(world, project=place).run([check])[0] for place in places]
    assert [(each.passed, each.again) for each in found] == [(True, True), (False, True), (True, False)]


def test_the_first_failure_ends_the_row(world: World) -> None:
    ran = runner(world).run([Check("true"), Check("false"), Check("touch ran")])
    assert [each.code for each in ran] == [0, 1]
    assert not (world.project / "ran").exists()


def test_a_check_that_cannot_run_does_not_keep_the_others_from_running(world: World) -> None:
    ran = runner(world).run([Check("nosuchcommand"), Check("true"), Check("false"), Check("touch ran")])
    assert [(each.code, each.impossible) for each in ran] == [(127, True), (0, False), (1, False)]
    assert not (world.project / "ran").exists()


def test_the_same_failure_is_known_again_whatever_its_numbers() -> None:
    def likeness(code: int, output: str) -> str:
        return checks.likeness(checks.feedback(Ran(Check("pytest -q"), code, output), "en"))

    assert likeness(1, "1 failed in 0.12s") == likeness(1, "1 failed in 3.4s")
    assert likeness(1, "test_a failed") != likeness(1, "test_b failed")
    assert likeness(1, "\udc80 failed")


def test_a_check_that_takes_too_long_is_ended_with_its_family(world: World) -> None:
    pid_file = world.root / "pid"
    (ran,) = runner(world).run([Check(f"sh -c 'echo $$ > {pid_file}; exec sleep 600' & wait", timeout=1)])
    assert ran.code is None
    assert "took too long" in ran.why
    assert not Path(f"/proc/{int(pid_file.read_text())}").exists()


def test_a_flood_of_output_keeps_its_end(world: World) -> None:
    (ran,) = runner(world).run([Check("yes | head -c 5000000; echo THE END; exit 1")])
    assert len(ran.output) <= checks.OUTPUT_KEPT
    assert ran.output.endswith("THE END\n")


def test_a_check_gets_no_key_and_is_not_inside_the_client(world: World) -> None:
    env = world.env(ANTHROPIC_AUTH_TOKEN="s3cret", CLAUDECODE="1", CCC_PROVIDER="glm", MINE="kept")
    (ran,) = runner(world, bare=lambda _: env).run([Check("env; exit 1")])
    assert "MINE=kept" in ran.output
    assert not {line.split("=")[0] for line in ran.output.splitlines()} & {
        "ANTHROPIC_AUTH_TOKEN",
        "CLAUDECODE",
        "CCC_PROVIDER",
    }


@pytest.mark.parametrize("with_git", [False, True], ids=["mtimes", "git"])
def test_a_pass_is_not_repeated_until_something_changes(world: World, with_git: bool) -> None:
    source = world.project / "a.py"
    source.write_text("1")
    if with_git:
        git(world, "init", "-q")
        git(world, "add", ".")
        git(world, "commit", "-qm", "x")
    count = world.root / "count"
    check = Check(f"echo x >> {count}")

    def times() -> int:
        runner(world).run([check])
        return len(count.read_text().splitlines())

    assert [times(), times(), times()] == [1, 1, 1]
    source.write_text("22")
    assert [times(), times()] == [2, 2]
    (world.project / "new.py").write_text("3")
    assert [times(), times()] == [3, 3]
    if with_git:
        git(world, "add", ".")
        git(world, "commit", "-qm", "y")
        assert times() == 4


def in_worktree(world: World) -> Path:
    for words in (
        ("init", "-q"),
        ("commit", "-qm", "x", "--allow-empty"),
        ("worktree", "add", "-qb", "side", "../side"),
    ):
        git(world, *words)
    return world.project.parent / "side"


CHANGED: dict[str, Callable[[Path, World], object]] = {
    "an empty folder came": lambda folder, _: (folder / "new").mkdir(),
    "an empty folder went": lambda folder, _: (folder / "empty").rmdir(),
    "the mode of a folder": lambda folder, _: (folder / "empty").chmod(0o700),
    "a commit": lambda folder, world: git(world, "-C", str(folder), "commit", "-qm", "y", "--allow-empty"),
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_what_changes_without_any_file_of_the_work_has_it_run_again(
    world: World, change: Callable[[Path, World], object]
) -> None:
    folder = in_worktree(world)
    (folder / "empty").mkdir(mode=0o755)
    before = checks.fingerprint(folder)
    assert checks.fingerprint(folder) == before
    change(folder, world)
    assert checks.fingerprint(folder) != before


def test_a_failure_is_always_run_again(world: World) -> None:
    count = world.root / "count"
    for _ in range(2):
        runner(world).run([Check(f"echo x >> {count}; false")])
    assert len(count.read_text().splitlines()) == 2


def test_of_a_check_that_wrote_nothing_no_end_of_output_is_announced() -> None:
    told = [checks.feedback(Ran(Check("false"), 1, "\n"), lang) for lang in ("en", "zh")]
    assert told[0].endswith("(exit code 1) and wrote nothing. Mend the cause, do not work around the check.")
    assert "没有任何输出" in told[1]


def test_feedback_names_command_code_and_the_end_of_the_output() -> None:
    ran = Ran(Check("pytest -q"), 1, output="x" * 10_000 + "\nE  assert 1 == 2\n1 failed")
    for lang in ("en", "zh"):
        text = checks.feedback(ran, lang)
        assert "`pytest -q`" in text
        assert {"en": "exit code 1", "zh": "退出码 1"}[lang] in text
        assert text.endswith("1 failed")
        assert len(text) < 4_000


def test_a_check_ends_when_nobody_waits_for_the_answer(world: World) -> None:
    import socket

    ours, theirs = socket.socketpair()
    theirs.close()
    with ours, pytest.raises(checks.Interrupted):
        runner(world, hangup_fd=ours.fileno()).run([Check("sleep 600")])


def test_state_that_cannot_be_written_costs_a_run_and_nothing_else(world: World) -> None:
    missing = world.root / "file"
    missing.write_text("")
    (ran,) = runner(world, state=missing).run([Check("true")])
    assert ran.passed
    assert os.environ["HOME"]
