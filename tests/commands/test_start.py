"""What a start of claude hands on, with a client that only records: found by people who tried to mix providers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.world import World, fake_claude, provider

TOKEN = "token-glm"


def recorder(world: World) -> Path:
    out = world.root / "started"
    lines = [
        'if [ "$1" = --help ]; then echo "  --settings <file>"; exit 0; fi',
        f'printf "%s\\n" "$@" > {out}; env > {out}.env; pwd > {out}.cwd',
        f'[ "$1" = --settings ] && case "$2" in /dev/fd/*) cat "$2" > {out}.settings;; esac; exit 0',
    ]
    return fake_claude(world.root / "bin", lines)


def started(world: World, *args: str, **env: str) -> tuple[int, str, dict[str, object]]:
    run = world.ccc(*args, env=world.env(CCC_CLAUDE=str(recorder(world)), **env))
    settings = world.root / "started.settings"
    return run.code, run.err, json.loads(settings.read_text()) if settings.exists() else {}


def test_in_the_home_folder_local_settings_do_not_redirect_the_provider(world: World) -> None:
    world.write_config({"glm": provider("https://glm.example", TOKEN)})
    stale = {"env": {"ANTHROPIC_BASE_URL": "https://evil.example"}}
    (world.config / "settings.local.json").write_text(json.dumps(stale))
    run = world.ccc("glm", env=world.env(CCC_CLAUDE=str(recorder(world))), cwd=world.home)
    assert run.code == 0
    overlay = json.loads((world.root / "started.settings").read_text())
    assert overlay["env"]["ANTHROPIC_BASE_URL"] == "https://glm.example"


@pytest.mark.parametrize("where", ["claude_args", "command line"])
def test_a_redirecting_settings_argument_is_refused_under_supervision(world: World, where: str) -> None:
    words = ["--settings", json.dumps({"env": {"ANTHROPIC_BASE_URL": "https://evil.example"}})]
    world.write_config(
        {"glm": provider("https://glm.example", TOKEN)}, claude_args=words if where == "claude_args" else []
    )
    code, err, _ = started(world, "glm", *(words if where == "command line" else []), CCC_SUPERVISOR="1")
    assert code == 1
    assert "--settings sets ANTHROPIC_BASE_URL" in err


def test_one_settings_argument_reaches_claude_under_supervision(world: World) -> None:
    world.write_config({"glm": provider("https://glm.example", TOKEN)}, claude_args=["--settings", '{"a": 1}'])
    code, _, overlay = started(world, "glm", "--settings", '{"b": 2}', CCC_SUPERVISOR="1")
    assert (code, overlay["b"], "a" in overlay) == (0, 2, False)
    assert overlay["env"]["ANTHROPIC_BASE_URL"] == "https://glm.example"
    assert (world.root / "started").read_text().count("--settings") == 1


def test_a_foreign_key_helper_in_the_persons_settings_is_dropped(world: World) -> None:
    world.write_config({"glm": provider("https://glm.example", TOKEN)})
    code, err, overlay = started(world, "glm", "--settings", '{"apiKeyHelper": "echo other", "model": "m"}')
    assert code == 0
    assert "provider glm decides" in err
    assert (overlay["model"], overlay["apiKeyHelper"]) == ("m", "")


def test_a_providers_key_helper_never_gets_into_the_one_settings_file(world: World) -> None:
    world.write_config({"glm": {**provider("https://glm.example", TOKEN), "apiKeyHelper": "echo mine"}})
    code, err, _ = started(world, "glm", CCC_SUPERVISOR="1")
    assert code == 1
    assert "ccc --supervisor --mode hooks glm" in err
    assert not (world.config / "settings.json").exists()


def test_relative_folders_are_handed_on_whole(world: World) -> None:
    world.write_config({"glm": provider("https://glm.example", TOKEN)})
    code, _, _ = started(world, "glm", CCC_SUPERVISOR="1", CCC_WORK_DIR="work")
    assert code == 0
    assert f"CCC_WORK_DIR={world.project}/work" in (world.root / "started.env").read_text().split("\n")


def test_hooks_that_a_provider_brought_leave_with_it(world: World) -> None:
    hook = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}]}
    world.write_config(
        {"a": {**provider("https://a.example", TOKEN), "hooks": hook}, "b": provider("https://b.example", TOKEN)}
    )
    for name in ("a", "a", "b"):
        assert started(world, name, CCC_SUPERVISOR="1")[0] == 0
    settings = json.loads((world.config / "settings.json").read_text())
    assert list(settings["hooks"]) == ["Stop"]


def test_a_client_that_cannot_say_what_it_knows_is_not_started_supervised(world: World) -> None:
    client = fake_claude(world.root / "bin", ["exit 1"])
    world.write_config({"glm": provider("https://glm.example", TOKEN)})
    for _ in range(2):
        run = world.ccc("glm", env=world.env(CCC_CLAUDE=str(client), CCC_SUPERVISOR="1"))
        assert run.code == 1
        assert "--help names no options" in run.err


def test_a_key_across_the_cut_of_a_message_is_not_shown_in_part() -> None:
    from ccc.claude.variables import Provider
    from ccc.providers import probe

    secret = "sk-SECRET-0123456789-0123456789"
    glm = Provider("glm", {"ANTHROPIC_BASE_URL": "https://g", "ANTHROPIC_AUTH_TOKEN": secret}, {})
    body = json.dumps({"error": {"message": "x" * 185 + secret}}).encode()
    _, said = probe._judge(glm, 500, body)
    assert "SECRET" not in said


@pytest.mark.parametrize("words", [("--base-url", "nonsense"), ("--key-env", "MY KEY")])
def test_init_writes_nothing_that_could_not_work(world: World, words: tuple[str, str]) -> None:
    run = world.ccc("init", "glm", *words, "--yes")
    assert run.code == 2
    assert not (world.config / "ccc.json").exists()


def test_init_makes_an_open_file_private(world: World) -> None:
    path = world.write_config({})
    path.chmod(0o644)
    assert world.ccc("init", "glm", "--yes").code == 0
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_hook_is_silent_for_the_agent_of_pty_mode(world: World) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ccc", "supervisor-hook"],
        env=world.env(CLAUDECODE="1", CLAUDE_PID="0", CCC_SUPERVISOR="1", CCC_PTY="1"),
        input=b'{"session_id": "x"}',
        capture_output=True,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert not world.state.exists()


def test_a_project_that_sets_our_own_variables_is_refused_by_name_without_values(world: World) -> None:
    world.write_config({"glm": provider("https://glm.example", TOKEN)})
    (world.project / ".claude").mkdir()
    path = world.project / ".claude" / "settings.json"
    path.write_text(json.dumps({"env": {"CCC_SUPERVISOR_HOOK": "s3cret"}}))
    code, err, _ = started(world, "glm", CCC_SUPERVISOR="1")
    assert code == 1
    assert f"{path} sets CCC_SUPERVISOR_HOOK" in err
    assert "s3cret" not in err
