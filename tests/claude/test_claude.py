from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.claude import commandline, program, settings, variables
from ccc.claude.program import Abilities, ClaudeNotFound
from ccc.claude.variables import Provider
from tests.stops import living
from tests.world import World, fake_claude, provider

GLM = Provider("glm", {"ANTHROPIC_BASE_URL": "https://g", "ANTHROPIC_AUTH_TOKEN": "g"}, {})
LOGIN = Provider("login", {}, {})


def test_the_named_client_beats_path(world: World) -> None:
    named = fake_claude(world.root / "named", [])
    on_path = fake_claude(world.root / "path", [])
    env = {"CCC_CLAUDE": str(named), "PATH": str(on_path.parent)}
    assert program.find(env, world.project) == named


@pytest.mark.parametrize("kind", ["missing", "folder", "not executable"])
def test_a_named_client_must_be_a_program(world: World, kind: str) -> None:
    path = world.root / "claude"
    if kind == "folder":
        path.mkdir()
    elif kind == "not executable":
        path.write_text("x")
    with pytest.raises(ClaudeNotFound, match=r"CCC_CLAUDE is .* correct it or unset it"):
        program.find({"CCC_CLAUDE": str(path)}, world.project)


def test_path_beats_the_bundled_client(world: World) -> None:
    on_path = fake_claude(world.root / "path", [])
    assert program.find({"PATH": str(on_path.parent)}, world.project) == on_path


def test_without_any_other_the_bundled_client_is_used(world: World) -> None:
    found = program.find({"PATH": str(world.root)}, world.project)
    assert found.parts[-3:] == ("claude_agent_sdk", "_bundled", "claude")


@pytest.mark.parametrize("how", ["direct", "link to the project", "below git root", "relative"])
def test_a_client_that_the_project_brings_is_refused(world: World, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = fake_claude(world.project / "node_modules" / ".bin", [])
    path, cwd = str(planted.parent), world.project
    if how == "link to the project":
        (world.root / "bin").mkdir()
        (world.root / "bin" / "claude").symlink_to(planted)
        path = str(world.root / "bin")
    elif how == "below git root":
        (world.project / ".git").mkdir()
        cwd = world.project / "deep" / "inside"
        cwd.mkdir(parents=True)
    elif how == "relative":
        monkeypatch.chdir(world.project)
        path = "node_modules/.bin"
    with pytest.raises(ClaudeNotFound, match=r"inside this project .*export CCC_CLAUDE="):
        program.find({"PATH": path}, cwd)
    assert program.find({"PATH": path, "CCC_CLAUDE": str(planted)}, cwd) == planted


def test_a_client_is_asked_what_it_knows_once_until_it_changes(world: World) -> None:
    log = world.root / "asked"
    client = fake_claude(world.root / "bin", [f"echo x >> {log}", "echo '  --json-schema <schema>   text'"])
    cache = world.state / "clients.json"
    for _ in range(3):
        known = program.abilities(client, cache, {"PATH": "/usr/bin:/bin"})
    assert known == Abilities(("--json-schema",), ())
    assert log.read_text() == "x\n"
    client.write_text(client.read_text() + "echo '  --new-flag'\n")
    assert "--new-flag" in program.abilities(client, cache, {"PATH": "/usr/bin:/bin"}).flags
    assert log.read_text() == "x\nx\n"
    cache.write_text(cache.read_text().replace('"--json-schema",', ""))
    assert "--json-schema" in program.abilities(client, cache, {"PATH": "/usr/bin:/bin"}).flags
    assert log.read_text() == "x\nx\nx\n"


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("2.1.325 (Claude Code)", True),
        ("2.1.78 (Claude Code)", True),
        ("10.0.0", True),
        ("2.1.77 (Claude Code)", False),
        ("2.0.76 (Claude Code)", False),
        ("v2.1.325", False),
        ("", False),
    ],
)
def test_a_client_is_asked_once_whether_it_tells_failures(world: World, said: str, tells: bool) -> None:
    log = world.root / "asked"
    client = fake_claude(world.root / "bin", [f'echo "$@" >> {log}', f"echo '{said}'"])
    cache = world.state / "clients.json"
    assert [program.tells_failures(client, cache, {"PATH": "/usr/bin:/bin"}) for _ in range(2)] == [tells, tells]
    assert log.read_text() == "--version\n"


@pytest.mark.parametrize("content", ["", "[]", '{"x": 1}', "\0", json.dumps({"flags": 5})])
def test_a_broken_memory_is_an_empty_one(world: World, content: str) -> None:
    client = fake_claude(world.root / "bin", ["echo '  --flag'"])
    world.state.mkdir(mode=0o700)
    (world.state / "clients.json").write_text(content)
    assert program.abilities(client, world.state / "clients.json", {}).flags == ("--flag",)


def test_help_is_read_for_flags_and_commands() -> None:
    text = """Usage: claude [options]
Options:
  -c, --continue                 Continue; see --resume
  --disallowedTools, --disallowed-tools <tools...>
      Comma separated (see --not-a-flag)
  --settings <file>              x

Commands:
  plugin|plugins                 Manage
  setup-token                    Set up --neither
    deeper text
"""
    assert program.parse_help(text) == Abilities(
        ("--continue", "--disallowedTools", "--disallowed-tools", "--settings"), ("plugin", "plugins", "setup-token")
    )


def test_the_child_gets_this_provider_and_nothing_of_another() -> None:
    shell = {
        "ANTHROPIC_API_KEY": "stale",
        "ANTHROPIC_MODEL": "stale",
        "ANTHROPIC_CUSTOM_HEADERS": "x: stale",
        "CLAUDE_CODE_USE_BEDROCK": "1",
        "CLAUDE_CODE_OAUTH_TOKEN": "stale",
        "PATH": "/bin",
        "EDITOR": "vi",
    }
    own = {GLM.key_variable: GLM.key, variables.BELOW: GLM.name}
    assert variables.child_environment(shell, GLM) == {"PATH": "/bin", "EDITOR": "vi", **GLM.env, **own}


def test_the_name_for_the_key_is_that_of_one_provider_at_one_address() -> None:
    address = "https://api.example.com/anthropic"
    one = Provider("glm", {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_AUTH_TOKEN": "key"}, {})
    others = [
        replace(one, name="kimi"),
        replace(one, env={**one.env, "ANTHROPIC_BASE_URL": f"{address}/v2"}),
    ]
    assert len({each.key_variable for each in (one, *others)}) == 3
    assert all(variables.is_identity(each.key_variable) for each in (one, *others))
    own = {one.key_variable: "key", variables.BELOW: "glm"}
    assert variables.child_environment({others[0].key_variable: "of-kimi"}, one) == {**one.env, **own}


def test_blanked_tokens_are_the_sign_of_a_client_that_has_no_key() -> None:
    blank, address = dict.fromkeys(variables.TOKEN_KEYS, ""), {"ANTHROPIC_BASE_URL": "http://x"}
    own = {GLM.key_variable: "key"}
    assert variables.lacks_key({**blank, **address})
    assert variables.lacks_key({"ANTHROPIC_API_KEY": "", **address})
    assert not variables.lacks_key(address)  # a gateway that takes the login
    assert not variables.lacks_key({**blank, "ANTHROPIC_BASE_URL": "https://api.anthropic.com"})
    assert not variables.lacks_key(variables.with_key({**blank, **address, **own}))
    two = {"ANTHROPIC_AUTH_TOKEN": "token", "ANTHROPIC_API_KEY": "", **own}
    assert variables.with_key(two) == {"ANTHROPIC_AUTH_TOKEN": "token", "ANTHROPIC_API_KEY": "key", **own}
    assert variables.with_key(blank) == blank


@pytest.mark.parametrize(
    "provider",
    [
        Provider("own", {}, {}),  # the login's own
        Provider("own", {"ANTHROPIC_BASE_URL": "https://api.anthropic.com", "ANTHROPIC_API_KEY": "key"}, {}),
        Provider("own", {"ANTHROPIC_API_KEY": "key"}, {}),
        Provider("helped", {"ANTHROPIC_BASE_URL": "http://x"}, {"apiKeyHelper": "pass key"}),
    ],
)
def test_where_no_login_could_go_astray_no_helper_stands_in(provider: Provider) -> None:
    assert provider.key_variable == ""
    kept = settings.pinned(provider, (), {}, secrets=False)
    assert "apiKeyHelper" not in kept
    assert not {"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"} & kept["env"].keys()  # type: ignore[attr-defined]


def test_a_lasting_document_has_an_address_and_no_key_but_by_the_helper() -> None:
    env = {"ANTHROPIC_BASE_URL": "http://x", "ANTHROPIC_AUTH_TOKEN": "secret-token", "ANTHROPIC_CUSTOM_HEADERS": "a: b"}
    kept = settings.pinned(Provider("glm", env, {}), (), {}, secrets=False)
    told = kept["env"]
    assert isinstance(told, dict)
    assert told["ANTHROPIC_BASE_URL"] == "http://x"
    assert {told[name] for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")} == {""}
    assert "ANTHROPIC_CUSTOM_HEADERS" not in told  # the process has them
    assert "secret-token" not in json.dumps(kept)
    two = Provider("two", {**env, "ANTHROPIC_API_KEY": "another"}, {})
    assert "ANTHROPIC_AUTH_TOKEN" not in settings.pinned(two, (), {}, secrets=False)["env"]  # type: ignore[operator]
    assert two.key == "another"


def test_nobody_without_the_key_can_tell_the_name_under_which_it_stands_for_the_helper() -> None:
    """A project's `.mcp.json` may name any variable, and the client puts its value into what it sends there."""
    names = {
        Provider(name, {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_AUTH_TOKEN": key}, {}).key_variable
        for name, url, key in [
            ("a", "http://x", "1"),
            ("a", "http://x", "2"),
            ("a", "http://y", "1"),
            ("b", "http://x", "1"),
        ]
    }
    assert len(names) == 4


@pytest.mark.parametrize(
    ("given", "token"),
    [
        ({"ANTHROPIC_BASE_URL": "https://k", "ANTHROPIC_API_KEY": "key"}, "key"),
        ({"ANTHROPIC_BASE_URL": "https://k", "ANTHROPIC_API_KEY": "key", "ANTHROPIC_AUTH_TOKEN": " "}, "key"),
        ({"ANTHROPIC_BASE_URL": "https://k", "ANTHROPIC_API_KEY": "key", "ANTHROPIC_AUTH_TOKEN": "own"}, "own"),
        ({"ANTHROPIC_BASE_URL": "https://k/anthropic.com", "ANTHROPIC_API_KEY": "key"}, "key"),
        ({"ANTHROPIC_BASE_URL": "https://anthropic.com.evil", "ANTHROPIC_API_KEY": "key"}, "key"),
        # There a login is at home, and a token of another kind would be refused.
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com", "ANTHROPIC_API_KEY": "key"}, None),
        ({"ANTHROPIC_API_KEY": "key"}, None),
        ({"ANTHROPIC_BASE_URL": "https://k"}, None),
    ],
)
def test_where_a_key_is_given_the_client_has_no_use_for_the_login(given: dict[str, str], token: str | None) -> None:
    assert variables.in_both(given).get("ANTHROPIC_AUTH_TOKEN") == token


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0", "\u3000", "\ufeff", " \ufeff "])
def test_blanks_are_no_key(blank: str) -> None:
    for name in variables.TOKEN_KEYS:
        assert not Provider("x", {"ANTHROPIC_BASE_URL": "https://k", name: blank}, {}).has_token


def test_a_login_keeps_its_own_token_and_no_foreign_address() -> None:
    shell = {"ANTHROPIC_BASE_URL": "https://g", "ANTHROPIC_AUTH_TOKEN": "g", "CLAUDE_CODE_OAUTH_TOKEN": "mine"}
    own = {variables.BELOW: LOGIN.name}
    assert variables.child_environment(shell, LOGIN) == {"CLAUDE_CODE_OAUTH_TOKEN": "mine", **own}


def test_without_ccc_json_the_environment_is_left_as_it_is() -> None:
    shell = {"ANTHROPIC_API_KEY": "mine"}
    assert variables.child_environment(shell, None) == shell


@pytest.mark.parametrize(
    ("args", "rest", "value"),
    [
        (["-p", "x"], ["-p", "x"], None),
        (["--settings", "f", "-p"], ["-p"], "f"),
        (["--settings=f", "-p"], ["-p"], "f"),
        (["--settings", "a", "--settings=b"], [], "b"),
        (["-p", "--", "--settings", "f"], ["-p", "--", "--settings", "f"], None),
        (["--settings"], [], None),
    ],
)
def test_the_persons_own_settings_are_taken_out(args: list[str], rest: list[str], value: str | None) -> None:
    assert commandline.split_settings(args) == (rest, value)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["-p", "--mcp-config", "a.json", "{}", "--model", "m", "x"], ["a.json", "{}"]),
        (["--mcp-config=a=b.json", "c.json", "-p", "x"], ["a=b.json", "c.json"]),
        (["--strict-mcp-config", "x"], []),
    ],
)
def test_the_servers_that_the_person_names_are_known(args: list[str], named: list[str]) -> None:
    assert commandline.servers_given(args) == named


def test_the_project_is_the_nearest_folder_with_git(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    assert program.project_directory(deep) == tmp_path / "repo"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("-w", "w1"), "w1"),
        (("-ww1",), "w1"),
        (("--worktree", "w1", "-p", "hi"), "w1"),
        (("--worktree=w1",), "w1"),
        (("-w",), ""),
        (("-w", "-p", "hi"), ""),
        (("-w", "--", "w1"), ""),
        (("-pw", "w1"), None),
        (("-w", "a", "-w", "b"), None),
    ],
)
def test_a_worktree_is_noticed_however_it_is_written(words: tuple[str, ...], name: str | None) -> None:
    assert commandline.worktree(words) == commandline.Worktree(name)


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("/path/to/project", "--help"), "--help"),
        (("-p", "-v"), "-v"),
        (("mcp", "list"), "mcp"),
        (("config",), None),
        (("-p", "mcp"), None),
        (("--", "--help"), None),
        (("update the docs",), None),
        ((), None),
    ],
)
def test_what_ends_the_client_at_once_is_known_by_its_words(words: tuple[str, ...], word: str | None) -> None:
    assert commandline.ends_at_once(words, lambda: {"mcp", "update"}) == word


@pytest.mark.parametrize("words", [(), ("-p", "hi"), ("--web",), ("--", "-w"), ("--model", "w"), ("--with-x",)])
def test_other_words_ask_for_no_worktree(words: tuple[str, ...]) -> None:
    assert commandline.worktree(words) is None


def test_an_option_that_leads_to_another_folder_is_named() -> None:
    assert commandline.leads_away(("-p", "--project-config-root=x")) == "--project-config-root"
    assert commandline.leads_away(("-p", "--", "--cwd")) is None


@pytest.mark.parametrize(
    ("args", "env", "everywhere", "in_user_file"),
    [
        ([], {}, None, None),
        (["-p", "hi"], {"CLAUDE_CODE_SIMPLE": "0", "CLAUDE_CODE_SAFE_MODE": ""}, None, None),
        (["--bare"], {}, "--bare", "--bare"),
        (["-p", "x", "--safe-mode"], {}, "--safe-mode", "--safe-mode"),
        (["--", "--bare"], {}, None, None),
        (["--restricted"], {}, None, "--restricted"),
        (["--setting-sources", "project,local"], {}, None, "--setting-sources"),
        (["--setting-sources="], {}, None, "--setting-sources"),
        (["--setting-sources"], {}, None, "--setting-sources"),
        (["--setting-sources", "project, user"], {}, None, None),
        (["--setting-sources=project", "--setting-sources", "user"], {}, None, None),
        (["--setting-sources", "user", "--setting-sources=project"], {}, None, "--setting-sources"),
        ([], {"CLAUDE_CODE_SIMPLE": "1"}, "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SIMPLE"),
        ([], {"CLAUDE_CODE_SAFE_MODE": "yes"}, "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SAFE_MODE"),
        ([], {"CLAUDE_CODE_RESTRICTED": "1"}, None, "CLAUDE_CODE_RESTRICTED"),
    ],
)
def test_what_keeps_the_client_from_calling_the_hook_is_known(
    args: list[str], env: dict[str, str], everywhere: str | None, in_user_file: str | None
) -> None:
    assert commandline.hookless(args, env, in_user_file=False) == everywhere
    assert commandline.hookless(args, env, in_user_file=True) == in_user_file


@pytest.mark.parametrize(
    ("words", "hangs"),
    [
        (("glm", "mcp", "list"), "--help"),
        (("--supervisor", "--mode", "hooks", "glm"), "--version"),
        (("doctor", "--no-self-test"), "--version"),
    ],
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_client_that_hangs_when_it_is_asked_ends_with_ccc(
    world: World, words: tuple[str, ...], hangs: str, number: signal.Signals
) -> None:
    asked = world.root / "asked"
    lines = [f'[ "$1" = {hangs} ] || exec echo "  --settings  text"', f"sleep 1000 & touch {asked}; wait"]
    client = fake_claude(world.root / "bin", lines)
    world.write_config({"glm": provider("http://127.0.0.1:1")})
    env = world.env(CCC_CLAUDE=str(client), CCC_SUPERVISOR="1")
    with subprocess.Popen(world.command(*words), env=env, cwd=world.project, stderr=subprocess.DEVNULL) as ccc:
        while not asked.exists():  # pytest's own limit is the end of it
            time.sleep(0.01)
        ccc.send_signal(number)
        assert ccc.wait() == -number
    while living(f"HOME={world.home}"):
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ((), None),
        (("-p", "hi", "--teammate-mode", "in-process"), None),
        (("--", "--bg"), None),
        (("--bg", "hi"), "--bg"),
        (("-p", "--background"), "--background"),
        (("--routine=x",), "--routine"),
        (("-w", "--tmux=classic"), "--tmux"),
        (("--teammate-mode", "tmux"), "--teammate-mode"),
        (("--teammate-mode=in-process", "--teammate-mode=auto"), "--teammate-mode"),
    ],
)
def test_what_hands_the_session_to_another_process_is_known(args: tuple[str, ...], found: str | None) -> None:
    assert commandline.detaches(args) == found
