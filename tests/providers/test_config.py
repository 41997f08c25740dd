from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccc.base import withheld
from ccc.providers import choosing, config
from ccc.providers.config import ConfigError, Notify
from tests.tables import each
from tests.world import World, provider


@pytest.mark.spec("H12", "H13", "H20", "H21")
@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, "/home/me/.claude/ccc"),
        ({"CCC_CONFIG_DIR": "/custom/path"}, "/custom/path/ccc"),
        ({"CLAUDE_CONFIG_DIR": "/elsewhere"}, "/elsewhere/ccc"),
        ({"CCC_CONFIG_DIR": "/custom/path", "CLAUDE_CONFIG_DIR": "/elsewhere"}, "/custom/path/ccc"),
        ({"CCC_WORK_DIR": "/tmp/test"}, "/tmp/test/ccc"),
        ({"CCC_WORK_DIR": "/tmp/test", "CCC_CONFIG_DIR": "/custom/path"}, "/tmp/test/ccc"),
        ({"CCC_CONFIG_DIR": "~/other"}, "/home/me/other/ccc"),
        ({"CCC_CONFIG_DIR": ""}, "/home/me/.claude/ccc"),
    ],
)
def test_the_state_folder_follows_the_environment(env: dict[str, str], expected: str) -> None:
    assert config.state_directory({"HOME": "/home/me", **env}) == Path(expected)


def test_the_work_folder_moves_the_state_alone() -> None:
    env = {"HOME": "/home/me", "CCC_WORK_DIR": "/tmp/test"}
    assert config.config_directory(env) == Path("/home/me/.claude")


def test_a_missing_file_is_a_config_without_providers(world: World) -> None:
    found = config.load(world.env())
    assert (found.providers, found.current, found.supervisor.max_iterations) == ({}, None, 10)


def test_supervisor_options_are_read(world: World) -> None:
    world.write_config({}, supervisor={"max_iterations": 3, "timeout_seconds": 60, "a_later_option": "kept"})
    options = config.load(world.env()).supervisor
    assert (options.max_iterations, options.timeout_seconds) == (3, 60)


BROKEN = {
    "empty": ("", "not valid JSON"),
    "truncated": ('{"providers": {"glm": {"env": {"ANTHROPIC_AUTH_TOKEN": "s3cret', "not valid JSON"),
    "list": ("[]", "must hold a JSON object"),
    "string": ('"x"', "must hold a JSON object"),
    "null": ("null", "must hold a JSON object"),
    "deep": ("[" * 100_000, "not valid JSON"),
    "providers a list": ('{"providers": []}', "providers must be an object"),
    "provider null": ('{"providers": {"glm": null}}', "providers.glm is null"),
    "provider a string": ('{"providers": {"glm": "s3cret"}}', "providers.glm must be an object"),
    "env a list": ('{"providers": {"glm": {"env": ["s3cret"]}}}', "providers.glm.env must be an object"),
    "settings a string": ('{"settings": "s3cret"}', "settings must be an object"),
    "base env a string": ('{"settings": {"env": "s3cret"}}', "settings.env must be an object"),
    "current a number": ('{"current_provider": 5}', "current_provider must be"),
    "args a string": ('{"claude_args": "--verbose"}', "claude_args must be a list of strings"),
    "limit zero": ('{"supervisor": {"max_iterations": 0}}', "supervisor.max_iterations must be a whole number"),
    "limit true": ('{"supervisor": {"max_iterations": true}}', "supervisor.max_iterations must be a whole number"),
    "engine": ('{"supervisor": {"engine": "magic"}}', "supervisor.engine must be one of: cli, sdk"),
    "name an option": ('{"providers": {"--help": {}}}', "providers has the name '--help'"),
    "name empty": ('{"providers": {"": {}}}', "providers has the name ''"),
    "name with escape": ('{"providers": {"a\\u001b[2J": {}}}', "providers has the name 'a\\x1b[2J'"),
    "name a command": ('{"providers": {"validate": {}}}', "providers.validate has the name of a ccc command"),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("command", [("providers",), ("validate",), ("glm",), ("init", "kimi", "--yes")])
def test_a_broken_file_is_one_line_that_names_it_and_is_not_touched(
    world: World, case: str, command: tuple[str, ...]
) -> None:
    text, message = BROKEN[case]
    path = world.config / "ccc.json"
    path.write_text(text)
    run = world.warm(*command)
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith(f"ccc: {path}")
    assert message in run.err
    assert run.err.count("\n") == 1
    assert "s3cret" not in run.err
    assert path.read_text() == text


@pytest.mark.parametrize("kind", ["fifo", "folder", "utf-16", "bom", "nul"])
def test_what_is_no_plain_text_file_is_refused_at_once(world: World, kind: str) -> None:
    path = world.config / "ccc.json"
    match kind:
        case "fifo":
            import os

            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "utf-16":
            path.write_text('{"providers": {}}', encoding="utf-16")
        case "bom":
            path.write_text('{"providers": {}}', encoding="utf-8-sig")
        case "nul":
            path.write_bytes(b'{"providers": {}}\0')
    run = world.warm("providers")
    assert run.code == 1
    assert run.err.startswith("ccc: ")
    assert str(path) in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "expected"), [("as it is", "as it is"), (5, "5"), ("$HOME", "$HOME"), ("a${X}b", "a${X}b"), ("", "")]
)
def test_env_values_are_taken_as_they_are(value: object, expected: str) -> None:
    text = config.env_value(value, "k", Path("f"))
    assert config.expand(text, "k", Path("f"), {"X": "no"}) == expected


@pytest.mark.parametrize("value", [True, None, 1.5, [], {}])
def test_other_env_values_are_an_error_that_names_the_key(value: object) -> None:
    with pytest.raises(ConfigError, match=r"providers\.glm\.env\.KEY must be a string"):
        config.env_value(value, "providers.glm.env.KEY", Path("f"))


def test_a_variable_alone_is_expanded() -> None:
    assert config.expand("${KEY}", "k", Path("f"), {"KEY": "value"}) == "value"


@pytest.mark.parametrize("env", [{}, {"KEY": ""}])
def test_a_missing_variable_is_an_error_that_names_it(env: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="the variable KEY, which is not set; run: export KEY="):
        config.expand("${KEY}", "k", Path("f"), env)


def test_remembering_a_provider_keeps_every_other_byte(world: World) -> None:
    text = (
        '{ "zeta": 9223372036854775809,\n\t"providers": {"glm": {}, "kimi": {}},\n'
        '  "current_provider" : "glm", "f": 1e400}'
    )
    path = world.config / "ccc.json"
    path.write_text(text)
    config.remember_current(config.load(world.env()), "kimi")
    assert path.read_text() == text.replace('"current_provider" : "glm"', '"current_provider" : "kimi"')


def test_a_new_file_is_private_whatever_the_umask(world: World) -> None:
    import os
    import stat

    old = os.umask(0)
    try:
        config.edit(world.config / "ccc.json", lambda text: json.dumps({"new": text}))
    finally:
        os.umask(old)
    assert stat.S_IMODE((world.config / "ccc.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, Notify(blocks=True)),
        (False, Notify()),
        ("desktop", Notify(desktop=True)),
        ("https://ntfy.example/topic", Notify(url="https://ntfy.example/topic")),
        ("mail -s done me", Notify(command="mail -s done me")),
        ({"blocks": True, "url": "http://127.0.0.1:9/"}, Notify(blocks=True, url="http://127.0.0.1:9/")),
        ({"terminal": "osc9"}, Notify(terminal="osc9")),
        ({}, Notify()),
    ],
)
def test_notify_is_a_flag_a_command_an_address_the_desktop_or_several(
    world: World, value: object, expected: Notify
) -> None:
    world.write_config({}, supervisor={"notify": value})
    assert config.load(world.env()).supervisor.notify == expected


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        [],
        "",
        " ",
        "\0",
        "ftp://x/y",
        "https://",
        "https://a b",
        {"url": "x"},
        {"odd": 1},
        {"command": 5},
        {"terminal": []},
    ],
)
def test_what_notify_can_not_mean_is_refused_and_not_repeated(world: World, value: object) -> None:
    world.write_config({}, supervisor={"notify": value})
    with pytest.raises(ConfigError, match=r"supervisor\.notify must be true, false, a command"):
        config.load(world.env())


@pytest.mark.parametrize(
    ("named", "project", "around"),
    [
        ((), "/a/b", None),
        (("/a/b",), "/a/b", None),
        (("/other", "/a/b/c/d"), "/a/b", None),
        (("/a",), "/a/b", "/a"),  # a repository within
        (("/a/b/c",), "/a", "/a/b/c"),  # a repository around
        (("/a", "/a/b/c"), "/a/b", "/a/b/c"),
        (("/a", "/a/b"), "/a/b", None),  # nested, and meant so
    ],
)
@pytest.mark.parametrize("kind", ["checks", "judges"])
def test_a_folder_around_is_named_whose_checks_and_judges_do_not_hold(
    world: World, kind: str, named: tuple[str, ...], project: str, around: str | None
) -> None:
    value = [{"command": "true"}] if kind == "checks" else ["glm"]
    world.write_config({"glm": {"env": {}}}, **{kind: dict.fromkeys(named, value)})
    found = config.load(world.env()).named_around(Path("/a/b/c"), Path(project))
    assert found == (Path(around) if around else None)


def test_the_variables_in_which_keys_stand_and_that_are_not_set_are_known(world: World) -> None:
    named = {
        "ANTHROPIC_BASE_URL": "${GLM_URL}",
        "ANTHROPIC_AUTH_TOKEN": "${GLM_KEY}",
        "ANTHROPIC_CUSTOM_HEADERS": "${GLM_HEADERS}",
    }
    world.write_config({"glm": {"env": named}, "kimi": {"env": {"ANTHROPIC_API_KEY": "${KIMI_KEY}"}}})
    conf = config.load(world.env())
    assert config.unset_keys(conf, {"KIMI_KEY": "k"}) == ("GLM_KEY", "GLM_HEADERS")
    assert config.keys_of(conf, {"KIMI_KEY": "k", "GLM_URL": "u"}) == {"k"}


KEY = "sk-of-kimi-0123456789abc"
REFERRED: dict[str, tuple[dict[str, object], set[str]]] = {
    "a helper": ({"providers": {"kimi": {"apiKeyHelper": 'printf %s "${KIMI_API_KEY}"'}}}, {"KIMI_API_KEY"}),
    "the same without braces": ({"providers": {"kimi": {"apiKeyHelper": "echo $KIMI_API_KEY"}}}, {"KIMI_API_KEY"}),
    "another helper, of all": ({"settings": {"awsCredentialExport": "x ${KIMI_API_KEY:-}"}}, {"KIMI_API_KEY"}),
    "a hook": ({"settings": {"hooks": {"Stop": [{"hooks": [{"command": "x $KIMI_API_KEY"}]}]}}}, {"KIMI_API_KEY"}),
    "a notice": ({"supervisor": {"notify": {"command": "curl -H $KIMI_API_KEY"}}}, {"KIMI_API_KEY"}),
    "an outcome": ({"supervisor": {"on_outcome": "curl -H $KIMI_API_KEY"}}, {"KIMI_API_KEY"}),
    "a check": ({"checks": {"/x": [{"command": "x $KIMI_API_KEY"}]}}, {"KIMI_API_KEY"}),
    "a name that says nothing, by its value": ({"supervisor": {"on_outcome": "echo $COPY"}}, {"COPY"}),
    "a key that is not set": ({"supervisor": {"on_outcome": "echo $NTFY_TOKEN"}}, {"NTFY_TOKEN"}),
    "a word of the command's own": ({"supervisor": {"on_outcome": "token=$(pass x); echo $token"}}, set()),
    "what is no key": ({"supervisor": {"on_outcome": "$HOME/x $PATH ${OTHER} $PWD"}}, set()),
    "a project's words": ({"allowed": {"/x": {"A": [{"headers": ["${KIMI_API_KEY}", "x $KIMI_API_KEY"]}]}}}, set()),
}


@each("case", REFERRED)
def test_what_a_command_of_the_configuration_names_it_refers_to_where_that_is_a_key(case: str, world: World) -> None:
    document, expected = REFERRED[case]
    deep = {"deep": provider("https://deep", "sk-of-deep-0123456789abc")}
    given = {"providers": {**deep, **document.get("providers", {})}}  # type: ignore[dict-item]
    (world.config / "ccc.json").write_text(json.dumps({**document, **given}))
    env = world.env(KIMI_API_KEY=KEY, COPY="Bearer sk-of-deep-0123456789abc", OTHER="a-long-word-of-no-meaning")
    assert config.load(env).named == expected


SET: dict[str, tuple[str, str, bool]] = {
    "by its name": ("GITHUB_PAT", "pat-0123456789abcdefgh", True),
    "by the key of another": ("FOO", KEY, True),
    "around the key of another": ("FOO", f"Bearer {KEY}", True),
    "by what it refers to": ("FOO", "${KIMI_API_KEY}", True),
    "around what it refers to": ("FOO", "Bearer ${OTHER}", True),
    "by whatever it refers to": ("FOO", "${OTHER}", True),
    "the client's own": ("ANTHROPIC_MODEL", "${OTHER}", False),
    "a plain value": ("FOO", "plain", False),
}


@each("case", SET)
def test_a_variable_that_the_configuration_sets_tells_a_key_by_its_name_or_by_its_value(
    case: str, world: World
) -> None:
    name, value, told = SET[case]
    env = world.env(KIMI_API_KEY=KEY, OTHER="another-0123456789abc")
    world.write_config({"glm": {"env": {name: value}}, "kimi": provider("https://kimi", "${KIMI_API_KEY}")})
    assert (name in choosing.told_by_name(config.load(env))) == told


KNOWN: dict[str, dict[str, object]] = {
    "a helper": {"apiKeyHelper": "echo $KIMI_API_KEY"},
    "a value by reference": {"env": {"FOO": "${KIMI_API_KEY}"}},
    "blanks around it": {"env": {"ANTHROPIC_AUTH_TOKEN": f" {KEY}\n"}},
    "blanks around it in a variable": {"env": {"ANTHROPIC_AUTH_TOKEN": "${BLANKS}"}},
}


@each("case", KNOWN)
def test_a_key_is_withheld_wherever_the_configuration_has_it(
    case: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(withheld, "_words", {})
    world.write_config({"kimi": KNOWN[case]})
    env = world.env(KIMI_API_KEY=KEY, BLANKS=f" {KEY}\r")
    conf = config.load(env)
    assert withheld.without(f"use {KEY}.") == "use [key]."
    assert KEY in config.own_keys(conf, env) & config.keys_of(conf, env)


def test_a_key_that_a_command_names_and_that_is_not_set_is_told(world: World) -> None:
    world.write_config({"kimi": {"apiKeyHelper": "echo $KIMI_API_KEY $HOME"}})
    assert config.unset_keys(config.load(world.env()), {}) == ("KIMI_API_KEY",)
