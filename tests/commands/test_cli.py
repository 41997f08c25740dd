from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from ccc.base import sink
from ccc.commands import helping, index, plain, router, voice
from ccc.trial.scripted import ScriptedModel
from tests.world import CCC, World, fake_claude, provider

CANARY = "canary-7f3a"


def loaded(*args: str, env: dict[str, str], code: str = "from ccc.__main__ import main; main()") -> set[str]:
    """The modules that a run of ccc has imported when it ends."""
    head = f"import sys; sys.argv = {['ccc', *args]!r}"
    script = f"{head}\ntry:\n    {code}\nfinally:\n    sys.stderr.write(repr(set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, stdin=subprocess.DEVNULL)
    names: set[str] = eval(done.stderr.decode().splitlines()[-1])
    return names


def test_version_is_one_line(world: World) -> None:
    from ccc import __version__

    assert world.ccc("--version").out == f"ccc {__version__}\n"


def test_version_loads_no_command(world: World) -> None:
    modules = loaded("--version", env=world.env())
    assert {name for name in modules if name.split(".")[0] == "ccc"} == {
        *(
            "ccc",
            "ccc.__main__",
            "ccc.base",
            "ccc.base.errors",
            "ccc.base.lean",
            "ccc.base.messages",
            "ccc.base.spared",
            "ccc.commands",
            "ccc.commands.cli",
            "ccc.commands.index",
            "ccc.commands.router",
        )
    }
    assert not modules & {"orjson", "rich", "json", "subprocess", "prompt_toolkit", "pexpect", "importlib.metadata"}


def test_a_start_of_claude_does_without_click(world: World) -> None:
    world.write_config({"glm": provider("http://127.0.0.1:9")})
    client = fake_claude(world.root / "bin", ["true"])
    log = world.root / "imports"
    argv = [sys.executable, "-X", "importtime", str(CCC), "glm", "--version"]
    with log.open("wb") as told:
        subprocess.run(argv, env=world.env(CCC_CLAUDE=str(client)), cwd=world.project, stderr=told, check=True)
    modules = {line.rpartition("|")[2].strip() for line in log.read_text().splitlines()}
    assert "ccc.providers.launch" in modules
    assert not modules & {"click", "rich", "dataclasses", "asyncio", "subprocess", "zoneinfo"}


def test_help_fits_one_screen_and_starts_with_examples(world: World) -> None:
    run = world.warm("--help")
    assert run.code == 0
    lines = run.out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 120
    assert lines[2].strip().startswith("ccc glm ")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["--su"], ["--supervisor"]),
        (["g"], ["glm"]),
        (["stat"], ["status", "statusline"]),
        (["--supervisor", "--m"], ["--mode"]),
        (["--supervisor", "--mode", ""], ["hooks", "pty"]),
        (["--supervisor", "--mode", "hooks", "k"], ["kimi"]),
        (["glm", "--su"], []),
        (["glm", ""], []),
        (["--supervisor", "glm", "k"], []),
    ],
)
def test_the_shell_completes_commands_providers_and_the_options_of_a_start(
    world: World, typed: list[str], offered: list[str]
) -> None:
    world.write_config({"glm": {}, "kimi": {}})
    words = {"COMP_WORDS": " ".join(["ccc", *typed]), "COMP_CWORD": str(len(typed))}
    run = world.warm(env=world.env(_CCC_COMPLETE="bash_complete", **words))
    assert (run.code, [line.partition(",")[2] for line in run.out.split()]) == (0, offered)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--supervisor=false", "glm"], "Option '--supervisor' does not take a value."),
        (["--supervise", "glm"], "Did you mean one of: '--supervisor'"),
        (["--supervisor", "--mode", "x", "glm"], "'x' is not one of 'hooks', 'pty'. (see: ccc --supervisor --help)"),
        (["--supervisor", "--mode"], "Option '--mode' requires an argument."),
        (["--mode", "hooks", "glm"], "--mode belongs to --supervisor; type: ccc --supervisor --help"),
        (["--json"], "--json belongs to --supervisor"),
        (["--supervisor", "--mode=hooks", "--json", "glm"], "--json is for pty mode"),
        (["glm", "--supervisor"], "--supervisor stands before the provider; type: ccc --supervisor glm"),
        (["-p", "x", "--supervisor"], "--supervisor stands before the provider"),
    ],
)
def test_a_mistyped_start_is_one_clear_line_and_no_start(world: World, words: list[str], told: str) -> None:
    world.write_config({"glm": {}})
    client = fake_claude(world.root / "bin", [f"touch {world.root}/started"])
    run = world.warm(*words, env=world.env(CCC_CLAUDE=str(client)))
    assert run.code in (1, 2)
    assert told in run.err
    assert run.err.count("\n") == 1
    assert not (world.root / "started").exists()


@pytest.mark.parametrize("words", [["--supervisor", "--help"], ["--supervisor", "--mode", "hooks", "-h"]])
def test_the_options_of_a_start_have_help(world: World, words: list[str]) -> None:
    run = world.warm(*words)
    assert run.code == 0
    assert run.out.startswith("Usage: ccc --supervisor [OPTIONS] [PROVIDER]")
    for option in ("--mode [hooks|pty]", "--json", "--trust-project"):
        assert option in run.out


@pytest.mark.parametrize(
    ("lang", "rows"),
    [
        ("en", ["Usage: ccc --supervisor [OPTIONS]", "       [PROVIDER] [WORD FOR CLAUDE]..."]),
        ("zh", ["用法：ccc --supervisor [选项] [提供商]", "      [给 CLAUDE 的词]..."]),
    ],
)
def test_the_usage_of_a_start_is_broken_between_words(
    monkeypatch: pytest.MonkeyPatch, lang: str, rows: list[str]
) -> None:
    monkeypatch.setattr(sink, "columns", lambda: 40)
    monkeypatch.setenv("CCC_LANG", lang)
    page = helping.Formatter()
    page.write_usage("ccc --supervisor", "[OPTIONS] [PROVIDER] [WORD FOR CLAUDE]...")
    assert page.getvalue().splitlines() == rows


def test_every_command_has_help(world: World) -> None:
    from click import Context

    from ccc.commands.router import main

    known = {name: main.get_command(Context(main), name) for name in main.list_commands(Context(main))}
    assert len(known) > 15
    for name, command in known.items():
        assert command, name
        if not command.hidden:
            assert name in world.warm("--help").out, name
            assert world.warm(name, "--help").code == 0, name


def test_providers_shows_everything_but_the_key(world: World) -> None:
    world.write_config(
        {
            "glm": provider("https://glm.example/api", CANARY, "glm-5"),
            "login": {},
            "broken": {"env": {"ANTHROPIC_AUTH_TOKEN": "${NOT_SET}"}},
        },
        current_provider="login",
    )
    table = world.warm("providers").out
    assert "https://glm.example/api" in table
    assert "glm-5" in table
    assert "NOT_SET" in table
    assert CANARY not in table
    rows = json.loads(world.warm("providers", "--json").out)
    assert [(row["name"], row["key"], row["current"]) for row in rows] == [
        ("glm", True, False),
        ("login", False, True),
        ("broken", False, False),
    ]
    assert CANARY not in json.dumps(rows)


def test_providers_without_any_says_what_to_type(world: World) -> None:
    run = world.warm("providers")
    assert (run.code, run.out) == (0, "")
    assert "run: ccc init" in run.err


@pytest.mark.parametrize(
    ("rules", "ok", "detail"),
    [
        ([], True, "answers"),
        ([{"times": None, "replies": [{"error": 401}]}], False, "HTTP 401: the key was refused"),
        ([{"times": None, "replies": [{"error": 429}]}], False, "HTTP 429: out of quota"),
        ([{"times": None, "replies": [{"error": 401, "message": f"bad key {CANARY}"}]}], False, "bad key [key]"),
        ([{"times": None, "replies": [{"error": 500}]}], False, "HTTP 500"),
    ],
)
def test_validate_sends_one_real_request(world: World, rules: list[object], ok: bool, detail: str) -> None:
    with ScriptedModel(rules) as model:  # type: ignore[arg-type]
        world.write_config(
            {"glm": {"env": {"ANTHROPIC_AUTH_TOKEN": "${KEY}"}}}, settings={"env": {"ANTHROPIC_BASE_URL": model.url}}
        )
        env = world.env(KEY=CANARY)
        run = world.warm("validate", "--json", env=env)
        shown = world.warm("validate", "glm", env=env)
    (row,) = json.loads(run.out)
    assert (run.code, row["ok"]) == (0 if ok else 1, ok)
    assert shown.code == run.code
    assert detail in row["detail"]
    assert {request.token for request in model.messages} == {CANARY}
    assert CANARY not in run.out + run.err + shown.out + shown.err


def test_validate_all_fails_when_one_does(world: World) -> None:
    with ScriptedModel([]) as model:
        world.write_config({"glm": provider(model.url), "gone": provider("http://127.0.0.1:1"), "login": {}})
        run = world.warm("validate", "--all", "--json")
    assert run.code == 1
    assert {row["name"]: row["ok"] for row in json.loads(run.out)} == {"glm": True, "gone": False, "login": None}


def test_validate_never_follows_a_redirect_with_the_key(world: World) -> None:
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    with ScriptedModel([]) as elsewhere:

        class Redirect(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.send_response(302)
                self.send_header("location", f"{elsewhere.url}/v1/messages")
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        with HTTPServer(("127.0.0.1", 0), Redirect) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            world.write_config({"glm": provider(f"http://127.0.0.1:{server.server_port}", CANARY)})
            run = world.warm("validate")
            server.shutdown()
        assert run.code == 1
        assert "redirects elsewhere" in run.out
        assert elsewhere.requests == ()


def test_validate_of_an_unknown_name_says_the_nearest(world: World) -> None:
    world.write_config({"glm": {}})
    run = world.warm("validate", "gml")
    assert run.code == 2
    assert "did you mean glm?" in run.err


def test_init_makes_a_private_file_from_a_preset(world: World) -> None:
    run = world.warm("init", "glm", "--yes")
    path = world.config / "ccc.json"
    document = json.loads(path.read_text())
    assert run.code == 0
    assert document["providers"]["glm"]["env"]["ANTHROPIC_AUTH_TOKEN"] == "${GLM_API_KEY}"
    assert document["current_provider"] == "glm"
    assert path.stat().st_mode & 0o777 == 0o600
    assert "next: ccc validate glm" in run.err


@pytest.mark.parametrize("preset", ["glm", "kimi", "minimax", "deepseek", "anthropic"])
def test_every_preset_makes_a_provider_that_resolves(world: World, preset: str) -> None:
    assert world.warm("init", preset, "--key-env", "MY_KEY", "--yes").code == 0
    rows = json.loads(world.warm("providers", "--json", env=world.env(MY_KEY="k")).out)
    assert [(row["name"], row["problem"]) for row in rows] == [(preset, None)]


def test_init_of_a_login_names_no_request_that_cannot_be_sent(world: World) -> None:
    assert world.warm("init", "anthropic", "--yes").err.splitlines()[-1] == "ccc: done; next: ccc anthropic"


def test_a_question_is_folded_at_the_width_of_its_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sink, "columns", lambda **_: 40)
    asked = voice._question("提供商 (glm, kimi, minimax, deepseek, anthropic) [glm]")
    assert asked == "提供商 (glm, kimi, minimax, deepseek,\nanthropic) [glm]"


def test_init_asks_and_writes_nothing_when_the_answer_is_no(world: World) -> None:
    run = world.warm("init", "glm", "--key-env", "K", stdin=b"n\n")
    assert run.code == 130
    assert not (world.config / "ccc.json").exists()
    assert run.err.count("Traceback") == 0


def test_init_with_a_typed_key_never_shows_it(world: World) -> None:
    import pexpect

    child = pexpect.spawn(
        str(CCC), ["init"], env=world.env(TERM="dumb"), cwd=str(world.project), encoding="utf-8", timeout=20
    )
    child.expect("Provider")
    child.sendline("kimi")
    child.expect("API key")
    child.sendline(CANARY)
    child.expect("Write this")
    child.sendline("y")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert CANARY not in (child.before or "")
    assert (
        json.loads((world.config / "ccc.json").read_text())["providers"]["kimi"]["env"]["ANTHROPIC_AUTH_TOKEN"]
        == CANARY
    )


def test_a_yes_or_no_that_is_neither_is_asked_again_in_the_persons_language(world: World) -> None:
    answers = b"maybe\n\xe5\x90\xa6\n"
    words = ("init", "glm", "--key-env", "GLM_KEY")
    run = world.ccc(*words, stdin=answers, env=world.env(CCC_LANG="zh", GLM_KEY=CANARY))
    assert "'maybe' 不是有效的回答；请输入 y 或 n" in run.err
    assert "invalid input" not in run.err + run.out
    assert not (world.config / "ccc.json").exists()


def test_init_adds_to_what_is_there_and_refuses_a_taken_name(world: World) -> None:
    path = world.write_config({"glm": provider("https://mine.example", CANARY)}, current_provider="glm", note=[1])
    before = path.read_text()
    run = world.warm("init", "glm", "--yes")
    assert run.code == 1
    assert "--name NAME" in run.err
    assert path.read_text() == before
    assert world.warm("init", "glm", "--name", "glm2", "--yes").code == 0
    document = json.loads(path.read_text())
    assert list(document["providers"]) == ["glm", "glm2"]
    assert (document["current_provider"], document["note"]) == ("glm", [1])


def test_init_from_settings_moves_the_provider_keys_and_nothing_else(world: World) -> None:
    settings = world.config / "settings.json"
    text = (
        '{\n  "env": {"ANTHROPIC_BASE_URL": "https://open.bigmodel.cn/api/anthropic",\n'
        f'    "ANTHROPIC_AUTH_TOKEN": "{CANARY}", "API_TIMEOUT_MS": "1"}},\n'
        '  "apiKeyHelper": "echo x",\n  "hooks": {"Stop": []}, "big": 9223372036854775809\n}\n'
    )
    settings.write_text(text)
    run = world.warm("init", "--from-settings", "--yes")
    assert run.code == 0
    assert CANARY not in run.out + run.err
    moved = json.loads((world.config / "ccc.json").read_text())["providers"]["glm"]
    assert moved["env"]["ANTHROPIC_AUTH_TOKEN"] == CANARY
    assert moved["apiKeyHelper"] == "echo x"
    left = json.loads(settings.read_text())
    assert left == {"env": {"API_TIMEOUT_MS": "1"}, "hooks": {"Stop": []}, "big": 9223372036854775809}
    (backup,) = world.config.glob("settings.json.before-ccc-*")
    assert backup.read_text() == text
    assert backup.stat().st_mode & 0o777 == 0o600


def test_init_from_settings_without_provider_keys_changes_nothing(world: World) -> None:
    before = world.write_settings({"env": {"FOO": "1"}}).read_bytes()
    run = world.warm("init", "--from-settings", "--yes")
    assert run.code == 1
    assert "holds no provider keys" in run.err
    assert (world.config / "settings.json").read_bytes() == before
    assert not (world.config / "ccc.json").exists()


def test_a_mistyped_provider_is_one_line_with_the_nearest_name(world: World) -> None:
    world.write_config({"glm": {}})
    run = world.warm("gml")
    assert run.code == 2
    assert run.err == (
        "ccc: no command or provider is called 'gml': did you mean glm? To hand the word to claude: ccc -- gml\n"
    )


def test_an_unexpected_failure_shows_neither_traceback_nor_content(world: World) -> None:
    client = fake_claude(world.root / "bin", [])
    world.write_config({"glm": provider("https://a.example", CANARY)})
    code = (
        "import ccc.providers.launch\n"
        f"    def broken(*a, **k): raise RuntimeError({CANARY!r})\n"
        "    ccc.providers.launch.plan = broken\n    from ccc.__main__ import main; main()"
    )
    script = f"import sys; sys.argv = ['ccc', 'glm']\nif True:\n    {code}"
    done = subprocess.run(
        [sys.executable, "-c", script], env=world.env(CCC_CLAUDE=str(client)), capture_output=True, cwd=world.project
    )
    assert done.stderr.decode().startswith("ccc: unexpected RuntimeError at ")
    assert CANARY.encode() not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_client_that_cannot_be_executed_is_named(world: World) -> None:
    broken = world.root / "claude"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    world.write_config({"glm": {}})
    run = world.warm("glm", env=world.env(CCC_CLAUDE=str(broken)))
    assert run.code == 1
    assert run.err.startswith(f"ccc: {broken} cannot be started")


def test_the_reader_of_our_output_may_leave(world: World) -> None:
    world.write_config({f"p{n}": {} for n in range(3000)})
    done = subprocess.run(
        ["sh", "-c", f"{CCC} providers | head -1"], env=world.env(), cwd=world.project, capture_output=True
    )
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("status",), ("status", "--json"), ("--help",), ("completion", "bash")], ids=str)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_cannot_be_written_is_one_line(world: World, words: tuple[str, ...], unbuffered: str) -> None:
    env = world.env(PYTHONUNBUFFERED=unbuffered)
    with Path("/dev/full").open("w") as full:
        run = subprocess.run([CCC, *words], env=env, cwd=world.project, stdout=full, stderr=subprocess.PIPE, text=True)
    told = "ccc: cannot write the output: No space left on device; free some space and try again\n"
    assert (run.returncode, run.stderr) == (1, told)


@pytest.mark.parametrize("mode", [0o644, 0o666])
def test_a_readable_config_with_a_key_is_tightened(world: World, mode: int) -> None:
    client = fake_claude(world.root / "bin", [])
    path = world.write_config({"glm": provider("https://a.example", CANARY)}, current_provider="glm")
    path.chmod(mode)
    run = world.warm("glm", env=world.env(CCC_CLAUDE=str(client)))
    assert run.code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert "0600" in run.err


def test_two_starts_at_once_leave_a_whole_file(world: World) -> None:
    client = fake_claude(world.root / "bin", [])
    path = world.write_config({"glm": provider("https://a.example"), "kimi": provider("https://b.example")})
    env = world.env(CCC_CLAUDE=str(client))
    running = [
        subprocess.Popen(world.command(name), env=env, cwd=world.project) for _ in range(6) for name in ("glm", "kimi")
    ]
    assert {process.wait() for process in running} == {0}
    assert json.loads(path.read_text())["current_provider"] in ("glm", "kimi")
    assert not list(world.config.glob(".ccc-*"))


def test_settings_reach_claude_in_a_private_file_where_there_is_no_memfd(world: World, tmp_path: Path) -> None:
    client = fake_claude(world.root / "bin", ['stat -c "%a" "$2"', 'cat "$2"; echo', 'basename "$2"', "echo $$"])
    world.write_config({"glm": {**provider("https://a.example", CANARY), "outputStyle": "x"}})
    script = "import os; del os.memfd_create; import sys; sys.argv=['ccc','glm']; from ccc.__main__ import main; main()"
    env = world.env(CCC_CLAUDE=str(client))
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", script], env=env, cwd=world.project, capture_output=True, text=True
        )
        mode, content, name, pid = done.stdout.splitlines()
        told = json.loads(content)
        assert (mode, told["outputStyle"], name) == ("600", "x", f"settings-{pid}.json")
        assert (told["env"]["ANTHROPIC_BASE_URL"], CANARY in content) == ("https://a.example", False)
    assert [path.name for path in world.state.glob("settings-*")] == [name]


def test_no_provider_is_marked_as_current_where_the_current_one_is_not_there(world: World) -> None:
    world.write_config({"mine": provider("https://mine.example", CANARY)}, current_provider="gone")
    assert "●" not in world.ccc("providers", env=world.env(CCC_LANG="en")).out
    world.write_config({"mine": provider("https://mine.example", CANARY)})
    assert "●" in world.ccc("providers", env=world.env(CCC_LANG="en")).out


def test_what_can_do_without_click_is_what_the_index_says() -> None:
    assert {*plain.CALLS} == index.PLAIN


@pytest.mark.parametrize("words", [("status",), ("status", "--json"), ("doctor", "--no-self-test")])
def test_what_is_mostly_typed_loads_no_click(world: World, words: tuple[str, ...]) -> None:
    modules = loaded(*words, env=world.env(CCC_CLAUDE="/bin/false"))
    assert not modules & {"click", "rich", "prompt_toolkit"}


@pytest.mark.parametrize("words", sorted(index.PLAIN))
def test_click_knows_the_same_words(words: tuple[str, ...]) -> None:
    command = router.main.get_command(click.Context(router.main), words[0])
    assert command is not None
    known = {name: param.name for param in command.params for name in param.opts}
    assert all(word in known for word in words[1:])
