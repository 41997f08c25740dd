"""Checks that an agent would like to fool, and repositories that bring commands for git to run."""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ccc.base import mapped, repository
from ccc.fleet import address
from ccc.fleet import git as fleets
from ccc.fleet.address import Address
from ccc.judging import checks
from ccc.judging.checks import Runner
from ccc.model import Check
from ccc.providers import choosing, config
from tests.machine import FORM, ORDINARY, overlay
from tests.stops import Desk, eventually
from tests.world import World, provider


def git(world: World, *args: str, cwd: Path | None = None) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always"]
    command = ["git", *identity, *args]
    subprocess.run(command, cwd=cwd or world.project, env=world.env(), check=True, capture_output=True)


def committed(world: World, **files: str) -> None:
    for name, text in files.items():
        (world.project / name).write_text(text)
    git(world, "init", "-q")
    git(world, "add", ".")
    git(world, "commit", "-qm", "x")


def times(world: World) -> int:
    """How often the check has run after this Stop."""
    world.state.mkdir(mode=0o700, exist_ok=True)
    count = world.root / "count"
    Runner(world.project, world.state, lambda _: world.env(), time.monotonic() + 60).run([Check(f"echo x >> {count}")])
    return len(count.read_text().splitlines())


# ---- files that git does not look at ----


def _ignored(world: World) -> Path:
    (world.project / ".git/info/exclude").write_text("secret\n")
    return world.project / "secret"


def _flagged(flag: str) -> Callable[[World], Path]:
    def prepare(world: World) -> Path:
        git(world, "update-index", flag, "tracked")
        return world.project / "tracked"

    return prepare


def _untouched_by_date(world: World) -> Path:
    git(world, "config", "core.trustctime", "false")
    return world.project / "tracked"


def _linked(world: World) -> Path:
    elsewhere = world.root / "elsewhere"
    elsewhere.write_text("one")
    (world.project / "link").symlink_to(elsewhere)
    return elsewhere


BLIND = {
    "git-ignored": _ignored,
    "assume-unchanged": _flagged("--assume-unchanged"),
    "skip-worktree": _flagged("--skip-worktree"),
    "same size and date": _untouched_by_date,
    "behind a link": _linked,
}


@pytest.mark.parametrize("prepare", BLIND.values(), ids=BLIND)
def test_a_change_that_git_does_not_see_is_seen(world: World, prepare: Callable[[World], Path]) -> None:
    committed(world, tracked="one")
    path = prepare(world)
    path.write_text("one")
    before = path.stat()
    assert [times(world), times(world)] == [1, 1]
    path.write_text("two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [times(world), times(world)] == [2, 2]


def test_what_somebody_wrote_while_a_check_ran_has_it_run_again(world: World) -> None:
    """Another session in the same project, say, or what the agent has left running."""
    committed(world, tracked="one")
    count = world.root / "count"
    world.state.mkdir(mode=0o700)

    def run() -> int:
        writes = "test -e ../written || { touch ../written; echo two > tracked; }"
        runner = Runner(world.project, world.state, lambda _: world.env(), time.monotonic() + 60)
        assert all(ran.passed for ran in runner.run([Check(f"echo x >> {count}; {writes}")]))
        return len(count.read_text().splitlines())

    assert [run(), run(), run()] == [1, 2, 2]


def test_a_folder_that_was_another_one_while_a_check_ran_has_it_run_again(world: World) -> None:
    committed(world, tracked="one")
    src, other, aside = world.project / "src", world.root / "other", world.root / "aside"
    for folder in (src, other):
        folder.mkdir()
    (other / "good").touch()
    world.state.mkdir(mode=0o700)
    to, fro = f"mv {src} {aside}; mv {other} {src}", f"mv {src} {other}; mv {aside} {src}"
    first = f"{to}; touch {world.root}/done; test -e src/good; code=$?; {fro}; exit $code"
    check = Check(f"test -e {world.root}/done || {{ {first}; }}; test -e src/good")
    runs = [
        Runner(world.project, world.state, lambda _: world.env(), time.monotonic() + 60).run([check]) for _ in range(2)
    ]
    assert [[ran.passed for ran in each] for each in runs] == [[True], [False]]


@pytest.mark.parametrize("folder", ["node_modules", ".venv/lib/python3.12/site-packages"])
def test_a_package_that_was_installed_has_the_checks_run_again(world: World, folder: str) -> None:
    committed(world, tracked="one")
    (world.project / folder / "old").mkdir(parents=True)
    assert [times(world), times(world)] == [1, 1]
    (world.project / folder / "new").mkdir()
    assert [times(world), times(world)] == [2, 2]


@pytest.mark.parametrize("spelt", ["{0}/", "{0}/../{1}", "{2}/link", "~/link"])
def test_checks_and_judges_count_however_their_project_is_written(world: World, spelt: str) -> None:
    for place in (world.root, world.home):
        (place / "link").symlink_to(world.project)
    name = spelt.format(world.project, world.project.name, world.root)
    world.write_config({}, checks={name: [{"command": "true"}]}, judges={name: {"model": "opus"}})
    conf = config.load(world.env())
    assert [each.command for each in checks.of_project(conf, world.project)] == ["true"]
    assert [each.model for each in conf.jurors(world.project)] == ["opus"]
    assert world.ccc("checks", "add", "false", env=world.env()).code == 0
    assert list(json.loads((world.config / "ccc.json").read_text())["checks"]) == [name]
    assert world.ccc("checks", "remove", "true", env=world.env()).code == 0
    assert [each.command for each in checks.of_project(config.load(world.env()), world.project)] == ["false"]


@pytest.mark.parametrize("spelt", [".", "", "project", "~", "~root", "\ud83d", "\0"])
def test_a_name_that_means_no_one_folder_is_no_projects(
    world: World, spelt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.project)
    monkeypatch.setenv("HOME", str(world.project))  # of a hook, which a project's settings may fill
    world.write_config({}, checks={spelt: [{"command": "true"}]}, judges={spelt: {"model": "opus"}})
    conf = config.load(world.env())
    assert checks.of_project(conf, world.project) == ()
    assert [each.model for each in conf.jurors(world.project)] == [None]


def test_a_folder_behind_a_link_out_of_the_project_is_never_taken_as_unchanged(world: World) -> None:
    elsewhere = world.root / "elsewhere"
    elsewhere.mkdir()
    (world.project / "link").symlink_to(elsewhere)
    assert [times(world), times(world)] == [1, 2]


def test_a_link_to_a_folder_of_the_project_leads_nowhere_new(world: World) -> None:
    (world.project / "folder").mkdir()
    (world.project / "link").symlink_to("folder")
    (world.project / "loop").symlink_to(".")
    assert [times(world), times(world)] == [1, 1]
    (world.project / "link").unlink()
    (world.project / "link").symlink_to(".git")
    assert times(world) == 2


@pytest.mark.parametrize("folder", ["node_modules/x", "src/.venv", ".git/objects/aa"])
def test_a_link_into_a_folder_that_is_passed_over_is_never_taken_as_unchanged(world: World, folder: str) -> None:
    git(world, "init", "-q")
    (world.project / folder).mkdir(parents=True)
    (world.project / "lib").symlink_to(folder)
    assert [times(world), times(world)] == [1, 2]


def test_a_link_to_installed_packages_where_packages_are_looked_for_is_passed_over(world: World) -> None:
    (world.project / "node_modules").mkdir()
    (world.project / "part").mkdir()
    (world.project / "part/node_modules").symlink_to("../node_modules")
    assert [times(world), times(world)] == [1, 1]


def test_only_git_has_its_objects_passed_over(world: World) -> None:
    committed(world, tracked="one")
    for folder in (world.project / "src", world.project):
        (folder / "refs").mkdir(parents=True)
        (folder / "HEAD").touch()
        (folder / "objects").mkdir()
        (folder / "objects/part").write_text("good")
        before = checks.fingerprint(world.project)
        (folder / "objects/part").write_text("bad!")
        assert checks.fingerprint(world.project) != before
    before = checks.fingerprint(world.project)
    (world.project / ".git/objects/of-git").touch()
    assert checks.fingerprint(world.project) == before


def test_the_objects_of_a_submodule_are_git_s(world: World, tmp_path: Path) -> None:
    inner = World(tmp_path / "inner").make()
    committed(inner, tracked="one")
    committed(world, tracked="one")
    git(world, "submodule", "--quiet", "add", str(inner.project), "sub")
    before = checks.fingerprint(world.project / "sub")
    (world.project / ".git/modules/sub/objects/new").touch()
    assert checks.fingerprint(world.project / "sub") == before


@pytest.fixture
def on_disk() -> Iterator[Path]:
    with TemporaryDirectory(dir=sys.prefix) as folder:  # tests/scratch is often none
        yield Path(folder) / "file"


@pytest.fixture
def in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(mapped, "kinds", lambda: {tmp_path.stat().st_dev: "tmpfs"})
    return tmp_path / "project/file"


@pytest.fixture
def on_an_overlay(monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]) -> Iterator[Path]:
    with TemporaryDirectory(dir=sys.prefix) as folder:
        if os.geteuid() == 0:
            record_property(FORM, "an overlay: real")
            with overlay(Path(folder)) as merged:
                yield merged / "file"
        else:
            record_property(FORM, "an overlay: a disk that is called one, for only root can mount it")
            monkeypatch.setattr(mapped, "kinds", lambda: {Path(folder).stat().st_dev: "overlay"})
            yield Path(folder) / "file"


@pytest.mark.parametrize("place", ["on_disk", "in_memory", "on_an_overlay"])
@pytest.mark.parametrize("first", [b"good", b""], ids=["written before", "read before"])
def test_what_is_written_through_a_mapping_is_seen(place: str, first: bytes, request: pytest.FixtureRequest) -> None:
    """By what the agent has left running: the kernel dates the first write, and what follows it only now and then."""
    path: Path = request.getfixturevalue(place)
    path.parent.mkdir(exist_ok=True)
    path.write_text("good")
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as page:
        page[: len(first)] = first
        assert page[:] == b"good"
        seen = checks.fingerprint(path.parent)
        assert seen is not None
        page[:] = b"bad!"
        assert checks.fingerprint(path.parent) != seen


def test_more_content_than_is_read_is_never_taken_as_unchanged(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "kinds", lambda: {world.project.stat().st_dev: "tmpfs"})
    monkeypatch.setattr(checks, "CONTENT_LOOKED_AT", 3)
    (world.project / "file").write_text("four")
    assert [times(world), times(world)] == [1, 2]


def test_a_file_that_is_written_to_while_it_is_looked_at_is_never_taken_as_unchanged(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = world.project / "file"
    path.write_text("one")
    monkeypatch.setattr(mapped, "kinds", dict)
    monkeypatch.setattr(mapped, "write_out", lambda *_: path.write_text("two, and more"))
    path.chmod(0o600)
    assert checks.fingerprint(world.project) is None


def test_what_nobody_may_read_no_check_can(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, kind: str) -> None:
        raise PermissionError(path)

    (world.project / "file").touch()
    monkeypatch.setattr(mapped, "kinds", dict)
    monkeypatch.setattr(mapped, "write_out", refused)
    assert [times(world), times(world)] == [1, 1]


LOOK = "import sys, pathlib; from ccc.judging import checks; print(checks.fingerprint(pathlib.Path(sys.argv[1])))"


def test_a_folder_that_cannot_be_listed_is_never_taken_as_unchanged(world: World) -> None:
    folder = world.project / "lib"
    folder.mkdir()
    (folder / "data").write_text("good")
    words = (*ORDINARY, sys.executable, "-c", LOOK, str(world.project))
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout != "None\n"
    folder.chmod(0o311)
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout == "None\n"


def test_a_commit_in_a_worktree_is_a_change(world: World, tmp_path: Path) -> None:
    main = World(tmp_path / "main").make()
    committed(main, tracked="one")
    git(main, "worktree", "add", "-q", str(world.project / "tree"))
    tree = world.project / "tree"
    before = checks.fingerprint(tree)
    assert checks.fingerprint(tree) == before
    git(world, "commit", "-q", "--allow-empty", "-m", "y", cwd=tree)
    assert checks.fingerprint(tree) != before


def test_more_files_than_are_looked_at_are_never_taken_as_unchanged(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "FILES_LOOKED_AT", 3)
    for number in range(4):
        (world.project / str(number)).touch()
    assert [times(world), times(world)] == [1, 2]


# ---- the provider's key ----

KEY = "CANARY-of-the-provider"


@pytest.mark.parametrize(
    "variables",
    [
        {"GLM_KEY": KEY},
        {"GLM_KEY": KEY, "COPY_OF_IT": KEY},
        {"GLM_KEY": KEY, "HEADER": f"Authorization: Bearer {KEY}"},
        {"GLM_KEY": KEY, "AWS_BEARER_TOKEN_BEDROCK": KEY},
    ],
    ids=lambda given: list(given)[-1],
)
def test_a_check_gets_no_variable_that_holds_a_key(desk: Desk, variables: dict[str, str]) -> None:
    told = desk.world.root / "told"
    check = {"command": f"env > {told}; false"}
    glm = provider("http://127.0.0.1:1", "${GLM_KEY}")
    desk.world.write_config({"glm": glm}, checks={str(desk.world.project): [check]})
    desk.stop("block", env={"CCC_PROVIDER": "glm", "ANTHROPIC_AUTH_TOKEN": KEY, "MINE": "kept", **variables})
    assert KEY not in told.read_text()
    assert "MINE=kept" in told.read_text()


def test_a_check_gets_no_key_that_stands_in_the_configuration_and_no_token_of_the_session(desk: Desk) -> None:
    told = desk.world.root / "told"
    check = {"command": f"env > {told}; false"}
    clouds = {"AWS_BEARER_TOKEN_BEDROCK": KEY, "AWS_SECRET_ACCESS_KEY": KEY, "GATEWAY_KEY": KEY, "GATEWAY_PIN": 1234}
    glm, other = provider("http://127.0.0.1:1", "any-word"), {"env": clouds}
    desk.world.write_config({"glm": glm, "other": other}, checks={str(desk.world.project): [check]})
    session = {"CLAUDE_CODE_MESSAGING_TOKEN": KEY, "CLAUDE_CODE_MESSAGING_SOCKET": KEY}
    given = {name: str(value) for name, value in clouds.items()}
    desk.stop("block", env={"CCC_PROVIDER": "glm", "MINE": "kept", **given, **session})
    assert (KEY in told.read_text(), "1234" in told.read_text()) == (False, False)
    assert "MINE=kept" in told.read_text()


def test_each_command_of_the_configuration_has_the_key_that_it_names_itself_and_no_other(desk: Desk) -> None:
    own = {"CHECK_TOKEN": "check", "NOTICE_TOKEN": "notice", "OUTCOME_TOKEN": "outcome"}
    files = {name: desk.world.root / value for name, value in own.items()}
    commands = {name: f": ${name}; env > {path}.part; mv {path}.part {path}" for name, path in files.items()}
    desk.world.write_config(
        {"kimi": {"apiKeyHelper": "echo $KIMI_API_KEY"}, "glm": provider("http://127.0.0.1:1")},
        checks={str(desk.world.project): [{"command": commands["CHECK_TOKEN"]}]},
        supervisor={"notify": {"command": commands["NOTICE_TOKEN"]}, "on_outcome": commands["OUTCOME_TOKEN"]},
    )
    given = {name: f"{KEY}-{value}" for name, value in own.items()}
    desk.stop("allow", env={"CCC_PROVIDER": "glm", "KIMI_API_KEY": f"{KEY}-kimi", **given})
    for name, path in files.items():
        assert eventually(path.exists, 30)
        assert [line for line in path.read_text().splitlines() if KEY in line] == [f"{name}={given[name]}"]


def test_the_key_of_every_provider_is_kept_back_and_nothing_that_programs_need(world: World) -> None:
    env = {"A": "literal-key-1", "B": "from-variable", "PATH": "/bin", "SHORT": "x", "HOME": "/h", "URL": "http://u"}
    one = {"env": {"ANTHROPIC_API_KEY": "literal-key-1", "PATH": "${PATH}", "PORT": 5}}
    two = {"env": {"ANTHROPIC_AUTH_TOKEN": "x", "ANTHROPIC_CUSTOM_HEADERS": "${B}", "ANTHROPIC_MODEL": "${UNSET}"}}
    world.write_config({"one": one, "two": two})
    assert choosing.without_keys(config.load(world.env()), env) == {
        "PATH": "/bin",
        "SHORT": "x",
        "HOME": "/h",
        "URL": "http://u",
    }


STORE = "postgresql://ccc:s3cret%40fleet@host/db"


@pytest.mark.parametrize(
    ("fleet", "store", "private"),
    [
        ({"store": "${FLEET_STORE}"}, {"FLEET_STORE": STORE}, {"COPY": STORE, "PGPASSWORD": "s3cret@fleet"}),
        ({"store": STORE}, {}, {"PGPASSWORD": "s3cret@fleet"}),
        ({}, {"CCC_FLEET_STORE": STORE}, {"PGPASSWORD": "s3cret@fleet"}),
        ({"store": "postgresql://ccc@host/db"}, {}, {"PGPASSWORD": "short"}),
        *(
            ({}, {"CCC_FLEET_STORE": address}, {"COPY": address, "TEAM": "s3cret@fleet", "DSN": f"password={spelt}"})
            for spelt in ("s3cret@fleet", "s3cret%40fleet")
            for address in (
                f"postgresql://ccc@host/db?password={spelt}",
                f"postgresql://host/db?user=ccc&%70assword={spelt}",
                f"postgresql://ccc@host/db?sslpassword={spelt}",
                f"postgresql://ccc:[{spelt}@host/db?password={spelt}",
            )
        ),
        ({"store": "${UNSET}"}, {}, {}),
    ],
)
def test_no_agent_and_no_check_gets_what_the_fleets_store_is_reached_with(
    world: World, fleet: dict[str, str], store: dict[str, str], private: dict[str, str]
) -> None:
    world.write_config({"glm": provider("http://127.0.0.1:9", "a-key-of-glm")}, fleet=fleet)
    mine = world.env(MINE="kept")
    conf = config.load(mine)
    assert choosing.without_store(conf, {**mine, **store, **private}) == mine
    assert choosing.without_keys(conf, {**mine, **store, **private}) == mine
    assert address.for_agents({**mine, **store, **private}, Address(world.state)) == mine


def test_a_filter_of_the_repository_gets_no_key_from_the_fleets_git(world: World) -> None:
    repo = world.project
    world.write_config({"glm": provider("http://127.0.0.1:9", "${GLM}"), "kimi": provider("http://b", "a-key-of-kimi")})
    mine = world.env(GIT_AUTHOR_NAME="n", MINE="kept")
    env = {**mine, "GLM": "a-key-of-glm", "COPY": "a-key-of-kimi", "ANTHROPIC_AUTH_TOKEN": "another"}
    bare = address.for_git(env, Address(world.state))
    for words in (("init", "-qb", "main"), ("config", "filter.e.clean", f"env > {world.root}/seen; cat")):
        fleets.git(repo, bare, *words)
    (repo / ".gitattributes").write_text("* filter=e\n")
    fleets.git(repo, bare, "add", "-A")
    seen = dict(line.partition("=")[::2] for line in (world.root / "seen").read_text().splitlines())
    assert (seen["MINE"], {"GLM", "COPY", "ANTHROPIC_AUTH_TOKEN"} & seen.keys()) == ("kept", set())


def test_a_password_of_the_persons_own_database_is_the_agents_as_it_is_the_persons(world: World) -> None:
    mine = world.env(PGPASSWORD="of another")
    world.write_config({}, fleet={"store": STORE})
    assert choosing.without_store(config.load(mine), mine) == mine


def test_a_check_gets_no_variable_that_any_part_of_the_configuration_names(world: World) -> None:
    world.write_config({"glm": {"env": {}, "a": [{"b": "${DEEP}"}]}}, notify={"url": "${HOOK_URL}"}, x="${X}")
    mine = world.env(MINE="kept")
    private = {"DEEP": "1", "HOOK_URL": "2", "X": "3", "ANTHROPIC_CUSTOM_HEADERS": "X-Key: literal"}
    assert choosing.without_keys(config.load(mine), {**mine, **private}) == mine


# ---- a repository that brings commands ----

COMMANDS = {
    "core.fsmonitor": "{ran}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{ran}",
    "pager.status": "{ran}",
    "core.sshCommand": "{ran}",
    "core.editor": "{ran}",
    "diff.external": "{ran}",
    "diff.own.textconv": "{ran}",
    "diff.own.command": "{ran}",
    "filter.own.clean": "{ran}",
    "filter.own.process": "{ran}",
    "filter.own.smudge": "{ran}",
    "filter.o=n.clean": "{ran}",
    "alias.status": "!{ran}",
    "credential.helper": "!{ran}",
    "remote.origin.url": "ext::{ran}",
}


def armed(world: World, *, key: str) -> Path:
    """A repository whose config has git run a program, and what that program leaves behind."""
    committed(world, tracked="one", other="one")
    mark, ran, hooks = world.root / "mark", world.root / "ran.sh", world.root / "hooks"
    ran.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    hooks.mkdir()
    for each in (ran, *(hooks / name for name in ("post-index-change", "fsmonitor-watchman", "pre-commit"))):
        each.write_text(ran.read_text())
        each.chmod(0o755)
    git(world, "config", "filter.own.required", "true")
    git(world, "config", "remote.origin.promisor", "true")
    git(world, "config", key, COMMANDS[key].format(ran=ran, hooks=hooks))
    name = key.split(".")[1] if key.startswith(("filter.", "diff.o")) else "own"
    (world.project / ".git/info/attributes").write_text(f"tracked filter={name} diff=own\n")
    (world.project / "tracked").write_text("two")
    (world.project / "new").touch()
    return mark


@pytest.mark.parametrize("key", COMMANDS)
def test_nothing_that_a_repository_names_is_run(world: World, key: str) -> None:
    mark = armed(world, key=key)
    hostile = world.env(GIT_EXTERNAL_DIFF=str(world.root / "ran.sh"), GIT_DIR="/nowhere", GIT_SSH_COMMAND="false")
    found = repository.changed(world.project, hostile)
    assert found == (() if "=" in key else ("tracked", "new"))
    assert times(world) == 1
    assert not mark.exists()


def test_a_submodule_runs_nothing_either(world: World, tmp_path: Path) -> None:
    inner = World(tmp_path / "inner").make()
    committed(inner, tracked="one")
    committed(world, tracked="one")
    git(world, "submodule", "--quiet", "add", str(inner.project), "sub")
    mark, ran = world.root / "mark", world.root / "ran.sh"
    ran.write_text(f"#!/bin/sh\ntouch {mark}\n")
    ran.chmod(0o755)
    git(world, "config", "core.fsmonitor", str(ran), cwd=world.project / "sub")
    (world.project / "sub/tracked").write_text("two")
    assert ".gitmodules" in repository.changed(world.project, world.env())
    assert times(world) == 1
    assert not mark.exists()


def test_a_folder_that_is_no_repository_says_nothing(world: World) -> None:
    assert repository.changed(world.project, world.env()) == ()
    assert repository.changed(world.root / "gone", world.env()) == ()
    assert json.dumps(repository.environment({"GIT_DIR": "x", "A": "b"})).count("GIT_DIR") == 0


@pytest.mark.parametrize("keep", [True, False], ids=["changed", "written anew"])
def test_a_check_has_passed_only_where_ccc_itself_wrote_so(world: World, keep: bool) -> None:
    assert [times(world), times(world)] == [1, 1]
    [record] = world.state.glob("passed-*.json")
    stored = json.loads(record.read_text())
    [command] = stored.keys() - {"seal"}
    (world.project / "new").touch()
    forged = {**(stored if keep else {}), command: checks.fingerprint(world.project)}
    record.write_text(json.dumps(forged))
    assert [times(world), times(world)] == [2, 2]
