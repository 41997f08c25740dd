"""`ccc PROVIDER` with the real client: what goes over the wire, and what stays as it was."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.world import World, provider


@pytest.fixture
def models() -> Iterator[dict[str, ScriptedModel]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(ScriptedModel([])) for name in ("glm", "kimi", "plain")}


def used(model: ScriptedModel) -> set[tuple[str | None, str | None]]:
    return {(request.token, request.json.get("model")) for request in model.messages}


def test_two_providers_and_plain_claude_at_once_each_use_their_own(
    world: World, models: dict[str, ScriptedModel]
) -> None:
    world.write_config(
        {
            "glm": provider(models["glm"].url, "token-glm", "model-glm"),
            "kimi": provider(models["kimi"].url, "token-kimi", "model-kimi"),
        }
    )
    stale = {
        "ANTHROPIC_BASE_URL": models["plain"].url,
        "ANTHROPIC_AUTH_TOKEN": "token-plain",
        "ANTHROPIC_MODEL": "model-plain",
    }
    settings = world.write_settings({"env": stale, "theme": "dark", "unknown": {"kept": [1, 2]}})
    before = settings.read_bytes()
    from ccc.claude import program

    client = program.find({"PATH": os.defpath}, world.project)
    commands = [world.command("glm", "-p", "hi"), world.command("kimi", "-p", "hi"), [str(client), "-p", "hi"]]
    running = [
        subprocess.Popen(argv, env=world.env(), cwd=world.project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        for argv in commands
    ]
    answers = [process.communicate()[0] for process in running]
    assert answers == [b"ok\n"] * 3
    assert used(models["glm"]) == {("token-glm", "model-glm")}
    assert used(models["kimi"]) == {("token-kimi", "model-kimi")}
    assert used(models["plain"]) == {("token-plain", "model-plain")}
    assert settings.read_bytes() == before


@pytest.mark.parametrize("where", ["shell", "user settings", "project settings", "local settings"])
def test_nothing_stale_reaches_the_provider(world: World, models: dict[str, ScriptedModel], where: str) -> None:
    world.write_config({"glm": provider(models["glm"].url, "token-glm")})
    stale = {
        "ANTHROPIC_BASE_URL": models["plain"].url,
        "ANTHROPIC_API_KEY": "0ld-key",
        "ANTHROPIC_AUTH_TOKEN": "0ld-token",
        "ANTHROPIC_MODEL": "0ld-model",
        "ANTHROPIC_CUSTOM_HEADERS": "X-0ld: 0ld",
    }
    (world.project / ".claude").mkdir()
    match where:
        case "user settings":
            world.write_settings({"env": stale, "apiKeyHelper": "echo 0ld-helper"})
        case "project settings":
            (world.project / ".claude" / "settings.json").write_text(json.dumps({"env": stale}))
        case "local settings":
            (world.project / ".claude" / "settings.local.json").write_text(json.dumps({"env": stale}))
    run = world.ccc("glm", "-p", "hi", env=world.env(**(stale if where == "shell" else {})))
    assert (run.code, run.out) == (0, "ok\n")
    assert models["plain"].requests == ()
    assert models["glm"].messages
    for request in models["glm"].requests:
        assert "0ld" not in json.dumps(dict(request.headers)) + request.body.decode()


def test_what_the_client_prints_is_all_that_stdout_has(world: World, models: dict[str, ScriptedModel]) -> None:
    world.write_config({"glm": provider(models["glm"].url)})
    run = world.ccc("glm", "-p", "x", "--output-format", "json")
    assert json.loads(run.out)["result"] == "ok"


def test_words_after_the_provider_reach_the_client_unchanged(world: World, models: dict[str, ScriptedModel]) -> None:
    world.write_config({"glm": provider(models["glm"].url)})
    assert world.ccc("glm", "--version").out.endswith("(Claude Code)\n")
    assert "Usage: claude" in world.ccc("glm", "--help").out
    assert "Usage: claude doctor" in world.ccc("--", "doctor", "--help").out
    assert "No MCP servers" in world.ccc("mcp", "list").out


@pytest.mark.spec("C3")
@pytest.mark.parametrize(
    ("words", "more", "printed"),
    [
        (["--supervisor", "glm", "/path/to/project", "--help"], {}, "Usage: claude"),
        (["--supervisor", "--mode", "hooks", "glm", "--version"], {}, "(Claude Code)"),
        (["--supervisor", "glm", "mcp", "list"], {}, "No MCP servers"),
        (["glm", "mcp", "get", "owl"], {"CCC_SUPERVISOR": "1"}, "owl"),
    ],
)
def test_words_that_are_no_session_go_to_the_client_as_they_are(
    world: World, models: dict[str, ScriptedModel], words: list[str], more: dict[str, str], printed: str
) -> None:
    """Nothing is supervised, so no hook is written, no criteria are needed, and the exit code is the client's."""
    world.write_config({"glm": provider(models["glm"].url)})
    run = world.ccc(*words, env=world.env(CCC_LANG="en", **more))
    assert printed in run.out + run.err
    assert run.code == (1 if "owl" in words else 0)
    assert not list(world.config.glob("settings*.json"))
    assert ("is a command of claude's own, which is not supervised" in run.err) is ("mcp" in words)
    assert "Supervisor" not in run.out + run.err
    assert models["glm"].messages == ()


def test_the_provider_used_last_is_the_current_one(world: World, models: dict[str, ScriptedModel]) -> None:
    path = world.write_config({name: provider(models[name].url, name) for name in ("glm", "kimi")}, note="kept")
    world.ccc("-p", "hi")
    world.ccc("kimi", "-p", "hi")
    world.ccc("-p", "again")
    assert [len(models[name].messages) for name in ("glm", "kimi")] == [1, 2]
    assert json.loads(path.read_text())["current_provider"] == "kimi"
    assert json.loads(path.read_text())["note"] == "kept"


def test_the_persons_own_settings_are_folded_into_the_one_that_reaches_claude(
    world: World, models: dict[str, ScriptedModel]
) -> None:
    world.write_config({"glm": {**provider(models["glm"].url), "outputStyle": "Explanatory"}})
    mine = {
        "env": {"ANTHROPIC_BASE_URL": models["plain"].url, "ANTHROPIC_MODEL": "mine"},
        "permissions": {"deny": ["Bash"]},
    }
    run = world.ccc("glm", "--settings", json.dumps(mine), "-p", "hi")
    assert run.out == "ok\n"
    assert "provider glm decides" in run.err
    request = models["glm"].messages[-1]
    assert "Bash" not in [tool["name"] for tool in request.json["tools"]]
    assert models["plain"].requests == ()


@pytest.mark.spec("H12")
def test_the_config_folder_is_handed_on(world: World, models: dict[str, ScriptedModel]) -> None:
    other = world.root / "other"
    other.mkdir()
    world.write_config({"glm": provider(models["glm"].url)}).rename(other / "ccc.json")
    run = world.ccc("glm", "-p", "hi", env=world.env(CCC_CONFIG_DIR=str(other)))
    assert run.out == "ok\n"
    assert (other / "projects").is_dir()
    assert not (world.config / "projects").exists()


def test_without_ccc_json_it_is_the_logged_in_client(world: World, models: dict[str, ScriptedModel]) -> None:
    env = world.env(ANTHROPIC_BASE_URL=models["plain"].url, CLAUDE_CODE_OAUTH_TOKEN="login")
    run = world.ccc("-p", "hi", env=env)
    assert (run.code, run.out) == (0, "ok\n")
    assert {request.token for request in models["plain"].messages} == {"login"}
    assert not (world.config / "ccc.json").exists()


def test_no_secret_is_on_any_command_line(world: World, models: dict[str, ScriptedModel]) -> None:
    world.write_config({"glm": provider(models["glm"].url, "canary-token")})
    world.write_settings({"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}})
    process = subprocess.Popen(
        world.command("glm", "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
        env=world.env(),
        cwd=world.project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"type":"user","message":{"role":"user","content":"hi"}}\n')
    process.stdin.flush()
    assert b"init" in process.stdout.readline()
    argv = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    process.communicate()
    assert process.returncode == 0
    assert b"/dev/fd/" in argv
    assert b"canary" not in argv
    found = [path for path in world.home.rglob("*") if path.is_file() and b"canary" in path.read_bytes()]
    assert found == [world.config / "ccc.json"]
