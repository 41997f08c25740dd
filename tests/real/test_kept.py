"""What holds a key of ccc.json that is not its provider's, no client is started with; ccc below it and the commands of
its agent have it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping

import pytest

from ccc.claude import program
from ccc.trial.scripted import ScriptedModel
from tests.real import hooks_world as hooks
from tests.real import test_pty_mode as pty
from tests.world import World, fake_claude, provider

GLM = "sk-of-glm-0123456789abc"
KEYS = {"GLM_API_KEY": GLM, "KIMI_API_KEY": "sk-of-kimi-0123456789abc", "A_COPY": "Bearer sk-of-kimi-0123456789abc"}
STARTS: Mapping[str, tuple[str, ...]] = {
    "plain": ("glm", "-p"),
    "hooks": ("glm", "-p"),
    "files": ("--supervisor", "--mode", "hooks", "glm", "-p"),
    "pty": ("--supervisor", "--trust-project", "glm", "--"),
}
OF_HELPERS = [mode for mode in STARTS if mode != "hooks"]  # which keeps the settings of one provider alone
Made = Callable[[str, str], dict[str, object]]  # a provider, by its address and a reference to its key
TOLD = 'printf "%s\\n" "$KIMI_API_KEY" "$GLM_API_KEY" "$A_COPY" > '


class Clients:
    """Every client that is started, by what it is started with."""

    def __init__(self, world: World) -> None:
        self.folder = world.root / "clients"
        self.folder.mkdir()
        real = program.find(world.env(), world.project)
        seen = f'env -0 > {self.folder}/$$; printf "%s\\0" "$@" >> {self.folder}/$$'
        self.path = fake_claude(world.root / "bin", [seen, f'exec {real} "$@"'])

    def __iter__(self) -> Iterator[dict[str, str]]:
        for path in self.folder.iterdir():
            words = path.read_text().split("\0")
            if any(word in ("-p", "--print", "--session-id", "--resume", "--fork-session") for word in words):
                yield dict(word.split("=", 1) for word in words if "=" in word)


@pytest.fixture
def clients(world: World) -> Clients:
    return Clients(world)


def bash(command: str) -> dict[str, object]:
    return {"tools": [{"name": "Bash", "input": {"command": command}}]}


def helped(address: str, reference: str) -> dict[str, object]:
    return {"env": {"ANTHROPIC_BASE_URL": address}, "apiKeyHelper": f'printf %s "{reference}"'}


def start(
    world: World, clients: Clients, mode: str, *, below: str = "", further: str = "", made: Made = provider, **env: str
) -> list[str]:
    """An agent of glm's, judged by kimi; what a command of the one has, and of the other."""
    (world.project / "SUPERVISOR.md").write_text("Judge.\n")
    said, seen = world.root / "said", world.root / "seen"
    agent = {"times": None, "replies": [bash(f"{TOLD}{said}; {below}"), {"text": "done"}]}
    last = {"last": "say it from below", "times": None, "replies": [{"text": "said from below"}]}
    rules = [last, {"last": "go further", "replies": [bash(further)]}]
    looks = bash(f"{TOLD}{seen}")
    judge = [{**hooks.REVIEWER, "times": None, "replies": [looks, hooks.verdict(True)]}]
    judge += [{**pty.REVIEWER, "times": None, "replies": [looks, {"text": pty.MARKER}]}]
    with ScriptedModel([*rules, agent]) as glm, ScriptedModel([*rules, *judge]) as kimi:
        known = {"glm": made(glm.url, "${GLM_API_KEY}"), "kimi": made(kimi.url, "${KIMI_API_KEY}")}
        world.write_config(known, supervisor={"judge": "kimi"})
        world.write_settings({"permissions": {"allow": ["Bash"]}})
        given = {**KEYS, "CCC_LANG": "en", "CCC_CLAUDE": str(clients.path), **env}
        done = world.ccc(*STARTS[mode], "do it", env=world.env(**given, CCC_SUPERVISOR=str(int(mode == "hooks"))))
    assert done.code == 0, done.err
    assert {request.token for request in glm.messages} == {given["GLM_API_KEY"]}
    assert {request.token for request in kimi.messages} <= {given["KIMI_API_KEY"]}
    assert bool(kimi.messages) == (mode != "plain" or bool(below))
    return [path.read_text() for path in (said, seen) if path.exists()]


def outcome(world: World) -> object:
    [path] = world.state.glob("supervisor-*[0-9a-f].json")
    return json.loads(path.read_text())["outcome"]


@pytest.mark.parametrize("mode", STARTS)
def test_no_client_is_started_with_a_key_that_a_command_of_its_agent_and_a_judge_have(
    world: World, clients: Clients, mode: str
) -> None:
    agents = "".join(f"{KEYS[name]}\n" for name in ("KIMI_API_KEY", "GLM_API_KEY", "A_COPY"))
    judges = agents.replace(GLM, "")
    assert start(world, clients, mode) == ([agents] if mode == "plain" else [agents, judges])
    if mode != "plain":
        assert outcome(world) == "completed"
    started = list(clients)
    assert len(started) == (1 if mode == "plain" else 2)
    for env in started:
        assert not env.keys() & KEYS.keys()
        assert GLM not in (value for name, value in env.items() if not name.startswith(("ANTHROPIC_", "CCC_KEY_")))
        assert "CCC_KEPT" in env


def test_nor_is_a_judge_that_is_measured(world: World, clients: Clients) -> None:
    with ScriptedModel([{"times": None, "replies": [hooks.verdict(True)]}]) as kimi:
        world.write_config({"glm": provider(kimi.url, "${GLM_API_KEY}"), "kimi": provider(kimi.url, "${KIMI_API_KEY}")})
        env = world.env(**KEYS, CCC_LANG="en", CCC_CLAUDE=str(clients.path))
        assert world.ccc("eval", "--judge", "kimi", "--only", "nh-destructive", env=env).code == 0
    [started] = clients
    assert not started.keys() & KEYS.keys()
    assert {request.token for request in kimi.messages} == {KEYS["KIMI_API_KEY"]}


def test_what_stands_in_a_key_is_never_run(world: World, clients: Clients) -> None:
    """Nor does the client tell it: `A_COPY` has another value then."""
    trace = world.root / "trace"
    odd = f"it's $(touch {trace}) `touch {trace}` \\ \"x\" 'a' ; touch {trace}"
    assert start(world, clients, "plain", KIMI_API_KEY=odd, A_COPY="") == [f"{odd}\n{GLM}\n\n"]
    assert not trace.exists()


@pytest.mark.parametrize("mode", ["hooks", "pty"])
def test_a_start_below_a_start_below_a_client_has_its_key(world: World, clients: Clients, mode: str) -> None:
    inner, further = (
        f"CCC_SUPERVISOR=0 {shlex.join(world.command(*words))}"
        for words in (("glm", "-p", "go further"), ("kimi", "-p", "say it from below"))
    )
    start(world, clients, mode, below=inner, further=further)
    assert outcome(world) == "completed"
    started = list(clients)
    assert len(started) == 4
    for env in started:
        assert not env.keys() & KEYS.keys()


def test_a_server_of_the_project_has_no_key_in_its_environment(world: World, clients: Clients) -> None:
    seen = world.root / "server"
    server = {"command": "/bin/sh", "args": ["-c", f"env > {seen}"]}
    (world.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"e": server}}))
    start(world, clients, "plain")
    assert "PATH=" in seen.read_text()
    assert not any(value in seen.read_text() for value in KEYS.values() if value != GLM)


def test_what_a_file_of_the_persons_names_stays(world: World, clients: Clients) -> None:
    memory = {"mcpServers": {"mine": {"command": "true", "env": {"X": "${KIMI_API_KEY}"}}}}
    (world.home / ".claude.json").write_text(json.dumps({"hasCompletedOnboarding": True, **memory}))
    start(world, clients, "hooks")
    for env in clients:
        assert env["KIMI_API_KEY"] == KEYS["KIMI_API_KEY"]
        assert not {"A_COPY", "GLM_API_KEY"} & env.keys()


def test_where_a_helper_has_the_providers_key_a_command_has_the_others_and_no_token(
    world: World, clients: Clients
) -> None:
    said = world.root / "said"
    agent = [bash(f'echo "$KIMI_API_KEY ${{ANTHROPIC_AUTH_TOKEN:-none}}" > {said}'), {"text": "done"}]
    with ScriptedModel([{"times": None, "replies": agent}]) as glm:
        helped = {"env": {"ANTHROPIC_BASE_URL": glm.url}, "apiKeyHelper": 'printf %s "$A_COPY"'}
        world.write_config({"glm": helped, "kimi": provider(glm.url, "${KIMI_API_KEY}")})
        world.write_settings({"permissions": {"allow": ["Bash"]}})
        run = world.ccc("glm", "-p", "do it", env=world.env(**KEYS, CCC_LANG="en", CCC_CLAUDE=str(clients.path)))
    assert run.code == 0, run.err
    assert said.read_text() == f"{KEYS['KIMI_API_KEY']} none\n"
    [started] = clients
    assert ("KIMI_API_KEY" in started, "A_COPY" in started) == (False, True)  # ccc.json itself names the copy


@pytest.mark.parametrize("mode", OF_HELPERS)
def test_a_key_that_a_helper_names_is_told_to_its_own_client_alone(world: World, clients: Clients, mode: str) -> None:
    start(world, clients, mode, made=helped)
    told = [env.keys() & KEYS.keys() for env in clients]
    judges = [] if mode == "plain" else [{"KIMI_API_KEY"}]
    assert sorted(told, key=sorted) == [{"GLM_API_KEY"}, *judges]
    if mode != "plain":
        assert outcome(world) == "completed"


@pytest.mark.parametrize("mode", OF_HELPERS)
@pytest.mark.parametrize("name", ["GLM_API_KEY", "KIMI_API_KEY", "NTFY_TOKEN", "GITHUB_PAT", "FOO", "BAR"])
def test_no_server_of_the_project_is_told_a_key_wherever_the_configuration_has_it(
    world: World, mode: str, name: str
) -> None:
    server = {"type": "http", "url": "http://127.0.0.1:9", "headers": {"X": f"${{{name}}}"}}
    (world.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"e": server}}))
    with ScriptedModel([{"times": None, "replies": [{"text": "done"}]}]) as model:
        glm = helped(model.url, "${GLM_API_KEY}")
        glm["env"] |= {"GITHUB_PAT": "pat-0123456789abcdef", "FOO": KEYS["KIMI_API_KEY"], "BAR": "${KIMI_API_KEY}"}  # type: ignore[operator]
        known = {"glm": glm, "kimi": helped(model.url, "$KIMI_API_KEY")}
        world.write_config(known, supervisor={"notify": {"command": "curl -H ${NTFY_TOKEN}"}})
        env = world.env(**KEYS, CCC_LANG="en", NTFY_TOKEN="ntfy-0123456789abcdef")
        run = world.ccc(*STARTS[mode], "do it", env=env)
    assert (run.code, model.messages) == (1, ())
    assert f"ccc allow {name}" in run.err


def test_what_a_reviewer_repeats_of_it_stands_nowhere(world: World) -> None:
    key = KEYS["KIMI_API_KEY"]
    judge = [hooks.verdict(False, f"use {key}"), hooks.verdict(True)]
    with ScriptedModel(hooks.rules([{"text": "done"}], judge)) as glm:
        known = {"glm": provider(glm.url, "${GLM_API_KEY}"), "kimi": provider(glm.url, "${KIMI_API_KEY}")}
        world.write_config(known)
        seen = hooks.supervised(world, glm, env=KEYS)
    assert (seen.state["outcome"], seen.state["findings"]) == ("completed", ["use [key]"])
    kept = [path for path in world.state.iterdir() if path.is_file() and not path.name.endswith("-output.jsonl")]
    assert not any(key.encode() in path.read_bytes() for path in kept)


@pytest.mark.parametrize("kept", ["{} ", " {}"])
def test_nor_does_it_where_it_has_blanks_around_it_or_a_helper_gives_it(world: World, kept: str) -> None:
    keys = {"GLM_API_KEY": kept.format(GLM), "KIMI_API_KEY": KEYS["KIMI_API_KEY"]}
    judge = [hooks.verdict(False, f"use {GLM} or {keys['KIMI_API_KEY']}"), hooks.verdict(True)]
    with ScriptedModel(hooks.rules([{"text": "done"}], judge)) as glm:
        world.write_config({"glm": provider(glm.url, "${GLM_API_KEY}"), "kimi": helped(glm.url, "$KIMI_API_KEY")})
        seen = hooks.supervised(world, glm, env=keys)
    assert (seen.state["outcome"], seen.state["findings"]) == ("completed", ["use [key] or [key]"])
