"""Claude's settings files are read as the client reads them, or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base.errors import CccError
from ccc.base.jsontext import JsonError
from ccc.claude import settings
from ccc.claude.settings import Source, hooks_may_go, of_reviewer, of_supervised
from ccc_hooks.program import Program
from ccc_hooks.settings import hook_command
from tests import settings_files
from tests.settings_files import Recorded
from tests.world import CCC

RECORDED = settings_files.recorded()


def read(data: bytes, tmp_path: Path) -> Source:
    path = tmp_path / "settings.json"
    path.write_bytes(data)
    found = settings.read("project", path)
    assert found
    return found


def test_there_are_many_recorded_files_of_every_kind() -> None:
    assert len(RECORDED) >= 500
    assert len({each.data for each in RECORDED}) >= 500
    assert sum(bool(each.env) for each in RECORDED) >= 150


def test_the_client_never_takes_a_variable_that_ccc_did_not_see(tmp_path: Path) -> None:
    missed = [each for each in RECORDED if _missing(each, read(each.data, tmp_path))]
    assert missed == []


def _missing(each: Recorded, source: Source) -> set[str]:
    """What the client has taken and ccc has not seen; a file that ccc refuses hides nothing."""
    return set() if source.problem else set(each.env) - set(source.env)


def test_a_text_value_is_the_one_that_the_client_took(tmp_path: Path) -> None:
    for each in RECORDED:
        seen = read(each.data, tmp_path).env
        for name, value in seen.items():
            if isinstance(value, str) and each.env.get(name) and not _has_half_a_pair(value):
                assert each.env[name] == value, each.data


def _has_half_a_pair(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def test_what_the_client_reads_ccc_reads_unless_it_is_nested_beyond_reason(tmp_path: Path) -> None:
    refused = [each for each in RECORDED if each.env and read(each.data, tmp_path).problem]
    assert all(b"[" * 200 in each.data for each in refused)


def folders(tmp_path: Path) -> tuple[Path, Path]:
    config, project = tmp_path / "home" / ".claude", tmp_path / "project"
    for folder in (config, project / ".claude"):
        folder.mkdir(parents=True)
    return config, project


def paths(config: Path, cwd: Path) -> list[Path]:
    return [source.path for source in settings.sources(config, cwd, managed=config / "none")]


def test_a_linked_worktree_brings_the_local_settings_of_the_folder_it_was_made_from(tmp_path: Path) -> None:
    config, project = folders(tmp_path)
    local = project / ".claude" / "settings.local.json"
    local.write_text("{}")
    git = ["git", "-C", project, "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["worktree", "add", "-q", "../linked"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    assert paths(config, tmp_path / "linked") == [local]


def test_a_pointer_that_nobody_can_be_sure_of_is_a_problem(tmp_path: Path) -> None:
    config, project = folders(tmp_path)
    (project / ".git").write_text("gitdir: x" + "\n" * 5000)
    (source,) = settings.sources(config, project, managed=config / "none")
    assert str(project / ".git") in source.problem


@pytest.mark.parametrize("name", [b"src\xff", "jose\u0301".encode()])
def test_a_config_folder_that_the_client_spells_otherwise_is_a_problem(tmp_path: Path, name: bytes) -> None:
    config = tmp_path / os.fsdecode(name)
    config.mkdir()
    assert [bool(source.problem) for source in settings.sources(config, tmp_path, managed=config / "none")] == [True]


def test_a_project_in_decomposed_letters_is_read_as_it_is_and_one_that_is_no_utf8_is_a_problem(tmp_path: Path) -> None:
    config, _ = folders(tmp_path)
    for name, problems in (("jose\u0301".encode(), 0), (b"src\xff", 1)):
        project = tmp_path / os.fsdecode(name)
        project.mkdir()
        assert len(settings.sources(config, project, managed=config / "none")) == problems


@pytest.mark.parametrize("place", [".claude.json", ".claude/.claude.json", ".claude/.config.json"])
def test_the_memory_of_the_client_counts_because_its_variables_win_too(tmp_path: Path, place: str) -> None:
    config, project = folders(tmp_path)
    path = tmp_path / "home" / place
    path.write_text(json.dumps({"env": {"ANTHROPIC_BASE_URL": "https://old.example"}}))
    (source,) = settings.sources(config, project, managed=config / "none")
    assert (source.kind, source.path) == ("global", path)


def source(kind: str = "project", **given: object) -> Source:
    return Source(kind, Path("/p/.claude/settings.json"), given)


def nothing_beaten(_: str) -> bool:
    return False


@pytest.mark.parametrize("kind", ["project", "local"])
def test_what_a_project_may_not_decide_is_refused_by_name_with_the_way_out(kind: str) -> None:
    found = source(kind, env={"HTTPS_PROXY": "http://s3cret", "PATH": "/x"}, apiKeyHelper="s3cret")
    with pytest.raises(CccError) as told:
        settings.refuse([found], {}, beaten=nothing_beaten)
    assert "ccc allow HTTPS_PROXY PATH apiKeyHelper" in str(told.value)
    assert "s3cret" not in str(told.value)


@pytest.mark.parametrize("kind", ["global", "user", "managed"])
def test_what_the_person_or_an_administrator_wrote_is_not_a_projects(kind: str) -> None:
    settings.refuse([source(kind, env={"HTTPS_PROXY": "http://p", "PATH": "/x"})], {}, beaten=nothing_beaten)


def test_allowed_is_a_name_with_its_value_and_not_the_name_alone() -> None:
    found = source(env={"PATH": "/x"})
    settings.refuse([found], {"PATH": ["/y", "/x"]}, beaten=nothing_beaten)
    for allowed in ({"PATH": ["/y"]}, {"PATH": []}, {"PATH": "/x"}, {"path": ["/x"]}):
        with pytest.raises(CccError, match="PATH"):
            settings.refuse([found], allowed, beaten=nothing_beaten)


def test_what_this_start_decides_itself_needs_no_word() -> None:
    settings.refuse([source(env={"ANTHROPIC_MODEL": "x"})], {}, beaten=lambda name: name == "ANTHROPIC_MODEL")


@pytest.mark.parametrize("kind", ["global", "user", "project", "local", "managed"])
def test_a_file_that_cannot_be_read_is_refused_whoever_wrote_it(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"env": {"A": "s3cret"}')
    with pytest.raises(CccError) as told:
        settings.refuse([settings.read(kind, path)], {}, beaten=nothing_beaten)
    assert str(path) in str(told.value)
    assert "s3cret" not in str(told.value)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_error_that_says_where(data: bytes) -> None:
    with suppress(JsonError):
        settings.parsed(data)


# --- links -------------------------------------------------------------------------------------------------------

LINKS = {
    "to a file": ("settings.json", "real.json", None),
    "to a file, by way of a folder and back": ("settings.json", "there/../real.json", None),
    "through a linked folder, up from where that stands": ("settings.json", "linked/../beside.json", None),
    "to nothing": ("settings.json", "none.json", "no file is there"),
    "to a folder": ("settings.json", "there", "no file is there"),
    "to a folder that is not there": ("settings.json", "none/../real.json", "no file is there"),
    "to itself": ("settings.json", "settings.json", "elsewhere"),
    "to each program's own folder": ("settings.json", "/proc/self/cwd/real.json", "elsewhere"),
    "to what each program reads": ("settings.json", "/dev/stdin", "elsewhere"),
    "behind a folder of the kernel, and back": ("settings.json", "kernel/../self/cwd/real.json", "elsewhere"),
}


@pytest.mark.parametrize(("name", "target", "problem"), LINKS.values(), ids=LINKS)
def test_a_link_of_the_project_is_followed_as_the_kernel_does(
    tmp_path: Path, name: str, target: str, problem: str | None
) -> None:
    config, project = folders(tmp_path)
    place = project / ".claude"
    (tmp_path / "other" / "place").mkdir(parents=True)
    (tmp_path / "other" / "beside.json").write_text('{"model": "x"}')
    (place / "linked").symlink_to(tmp_path / "other" / "place")
    (place / "kernel").symlink_to("/proc/sys")
    (place / "there").mkdir()
    (place / "real.json").write_text('{"model": "x"}')
    (place / name).symlink_to(target)
    (found,) = settings.sources(config, project, managed=config / "none")
    assert (problem or "") in found.problem
    assert bool(found.problem) is bool(problem)
    assert found.settings == ({} if problem else {"model": "x"})


def test_a_persons_own_link_to_nothing_is_no_file(tmp_path: Path) -> None:
    config, project = folders(tmp_path)
    (config / "settings.json").symlink_to(tmp_path / "none")
    assert paths(config, project) == []


def hooks(**events: str) -> dict[str, object]:
    return {
        "hooks": {event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in events.items()}
    }


@pytest.mark.parametrize(
    ("found", "go"),
    [
        ([], True),
        ([hooks(Stop="/x/ccc supervisor-hook")], True),
        ([hooks(UserPromptSubmit="date", MessageDisplay="tr a-z A-Z")], True),
        ([hooks(SessionStart="./env.sh")], False),
        ([hooks(SessionStart="./env.sh", MessageDisplay="tr a-z A-Z")], True),
        ([hooks(PreToolUse="./guard.sh", MessageDisplay="tr a-z A-Z")], False),
        ([hooks(Stop="./lint.sh")], True),
        ([hooks(Stop="./lint.sh # supervisor-hook")], True),
        ([hooks(Stop="./lint.sh"), {"plugins": {"guard": "0123"}}], False),
        ([hooks(Stop="/x/ccc supervisor-hook"), hooks(Stop="./lint.sh", SessionStart="date")], True),
        ([hooks(Stop="./lint.sh"), hooks(PreToolUse="./guard.sh")], False),
        ([hooks(Stop="./lint.sh", PermissionRequest="./guard.sh")], False),
        ([hooks(Stop="./lint.sh", SomethingNew="x")], False),
        ([hooks(Stop="./lint.sh"), {"enabledPlugins": {"guard@market": True}}], False),
        ([hooks(Stop="./lint.sh"), {"enabledPlugins": {"guard@market": False}}], True),
        ([{"hooks": {"Stop": [{"hooks": [5]}]}}], True),
        ([{"hooks": {"Stop": {}, "PreToolUse": 5}}, {"hooks": 5, "enabledPlugins": 5}], True),
    ],
)
def test_a_reviewer_does_without_hooks_where_none_of_them_guards_a_tool_or_prepares_it(
    found: list[dict[str, object]], go: bool
) -> None:
    assert hooks_may_go([Source("user", Path("/x"), one) for one in found]) is go


def test_managed_hooks_stay_whatever_is_said_so_they_decide_nothing() -> None:
    managed = Source("managed", Path("/x"), hooks(PreToolUse="./guard.sh"))
    assert hooks_may_go([managed, Source("user", Path("/x"), hooks(Stop="./lint.sh"))])
    assert not hooks_may_go([managed, Source("user", Path("/x"), hooks(PreToolUse="./guard.sh"))])


def test_a_reviewer_has_not_the_agents_patience_wherever_that_is_written() -> None:
    patient = {"env": {"CLAUDE_CODE_RETRY_WATCHDOG": "1", "CLAUDE_CODE_MAX_RETRIES": "5"}}
    found = [Source("user", Path("/x"), patient), Source("local", Path("/y"), hooks(Stop="./lint.sh"))]
    told = {"disableAllHooks": True, "env": {"CLAUDE_CODE_RETRY_WATCHDOG": ""}}
    assert of_reviewer(found) == told | {"crossSessionInbound": "refuse"}
    assert of_reviewer(found, attackable=False) == told
    assert of_reviewer([Source("user", Path("/x"), {"env": 5})], attackable=False) == {}


def test_an_agent_goes_on_as_it_did_at_the_start() -> None:
    """It writes its transcript, and calls hooks by nobody else."""
    skip, prefix = "CLAUDE_CODE_SKIP_PROMPT_HISTORY", "CLAUDE_CODE_SHELL_PREFIX"
    names = (skip, "CLAUDE_CODE_CHILD_SESSION", prefix, "CLAUDE_CODE_SHELL", "CLAUDE_CODE_GIT_BASH_PATH")
    assert of_supervised([], {}) == {"crossSessionInbound": "refuse", "env": dict.fromkeys(names, "")}
    mine = [Source("user", Path("/x"), {"env": {skip: "1"}, "crossSessionInbound": "accept"})]
    kept = {**dict.fromkeys(names, ""), skip: "1", prefix: "/x/wrap"}
    assert of_supervised(mine, {prefix: "/x/wrap", "FOO": "x"}) == {"env": kept}


CALL = "/x/ccc supervisor-hook"
OWN = {"hooks": [{"type": "command", "command": CALL}]}
THEIRS = {"matcher": "StructuredOutput", "hooks": [{"type": "command", "command": "true # supervisor-hook"}]}


@pytest.mark.parametrize(
    ("content", "steers"),
    [
        ({}, False),
        ({"theme": "dark", "hooks": {}, "projects": {"/p": {"mcpServers": {}}}}, False),
        ({"hooks": {"Stop": [OWN], "StopFailure": [OWN]}}, False),
        ({"hooks": {"PreToolUse": [THEIRS]}}, True),
        ({"hooks": {"Stop": [THEIRS]}}, True),
        ({"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "x", "command": CALL}]}]}}, True),
        ({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": CALL, "args": ["x"]}]}]}}, True),
        ({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/y/ccc supervisor-hook"}]}]}}, True),
        ({"plugins": {"x": "0123"}}, True),
        ({"hooks": {"Stop": [OWN, {"hooks": [{"command": "x"}]}]}}, True),
        ({"hooks": {"Stop": "x"}}, True),
        ({"mcpServers": {"x": {}}}, True),
        ({"projects": {"/p": {"mcpServers": {"x": {}}}}}, True),
        ({"agent": "mild"}, True),
        ({"enabledPlugins": {"x@y": True}}, True),
        ({"disableAllHooks": True}, True),
        ({"env": {"HTTPS_PROXY": "x"}}, True),
    ],
)
def test_what_the_persons_own_files_start_in_a_reviewer_steers_it(content: dict[str, object], steers: bool) -> None:
    def found(content: dict[str, object]) -> list[Source]:
        return [Source("user", Path("/h/settings.json"), content)]

    # ccc's hook stands there at the start, and may leave with the end of another one.
    before = settings.steering(found({"hooks": {"Stop": [OWN]}}))
    settings.refuse_steered(found({}), before)
    with pytest.raises(CccError, match="since the start somebody has changed") if steers else nullcontext():
        settings.refuse_steered(found(content), before)


def test_the_hook_of_the_running_ccc_may_come_after_the_start() -> None:
    command = hook_command(Program(str(CCC), (sys.executable, "-I")), "--state-dir", "/s")
    content = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]}}
    settings.refuse_steered([Source("user", Path("/h/settings.json"), content)], settings.steering([]))


def plugin(skills: Path, name: str = "x") -> Path:
    manifest = skills / name / ".claude-plugin" / "plugin.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}")
    return skills / name


def test_a_plugin_in_the_persons_folder_of_skills_steers_a_reviewer(tmp_path: Path) -> None:
    config, cwd = tmp_path / "config", tmp_path / "p"
    before = settings.steering(settings.sources(config, cwd))
    folder = plugin(config / "skills")
    with pytest.raises(CccError, match="since the start somebody has changed"):
        settings.refuse_steered(settings.sources(config, cwd), before)
    known = settings.steering(settings.sources(config, cwd))
    settings.refuse_steered(settings.sources(config, cwd), known)
    (folder / "hooks.json").write_text("{}")
    with pytest.raises(CccError, match="since the start somebody has changed"):
        settings.refuse_steered(settings.sources(config, cwd), known)


@pytest.mark.parametrize("where", ["config", "p/.claude"])
def test_a_plugin_that_nobody_can_look_through_is_named(tmp_path: Path, where: str) -> None:
    config, cwd = tmp_path / "config", tmp_path / "p"
    os.mkfifo(plugin(tmp_path / where / "skills") / "pipe")
    found = settings.sources(config, cwd)
    with pytest.raises(CccError, match=f"{where}/skills/x is a plugin, and nobody can tell"):
        settings.refuse_steered(found, settings.steering(found))


def test_at_home_the_persons_plugins_are_not_the_projects(tmp_path: Path) -> None:
    plugin(tmp_path / ".claude" / "skills")
    [found] = settings.sources(tmp_path / ".claude", tmp_path)
    assert (found.kind, settings.of_project([found])) == (settings.PLUGIN, ())
