"""A login that is a key, the Console's: the client sends it beside any token, to whatever address it has."""

from __future__ import annotations

import json
from string import ascii_uppercase

import pytest

from ccc.claude import program
from ccc.trial.scripted import ScriptedModel
from tests.faults.test_detached import FILES, KEY, LOGIN, prepare, sent
from tests.real import hooks_world as hooks
from tests.real import test_pty_mode as pty
from tests.real.screen import Screen
from tests.world import World, provider

HELPERS = "sk-of-the-persons-helper"
CONSOLE = "sk-ant-api03-of-the-console-0123456789"
STARTS = (("glm",), FILES, ("--supervisor", "--trust-project", "glm", "--"))
NESTED = {"last": "say it from below", "replies": [{"text": "said from below"}]}


def log_in(world: World) -> None:
    memory = world.home / ".claude.json"
    memory.write_text(json.dumps({**json.loads(memory.read_text()), "primaryApiKey": CONSOLE}))


def break_lines(world: World) -> None:
    """What looks like ccc's copy of the key to whoever reads an environment line by line; where it stands in it nobody
    knows."""
    settings = world.project / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    env = {f"{letter}_NOTE": "a\nCCC_KEY_0000000000000000=x" for letter in ascii_uppercase}
    settings.write_text(json.dumps({"env": env}))


def below(world: World) -> dict[str, object]:
    """As an agent starts a claude of its own, which has none of the settings that its client was handed."""
    client = program.find(world.env(), world.project)
    return {"tools": [{"name": "Bash", "input": {"command": f"{client} -p 'say it from below'"}}]}


@pytest.mark.parametrize("console", [False, True])
@pytest.mark.parametrize("supervised", ["0", "1"])
@pytest.mark.parametrize("start", STARTS, ids=lambda start: " ".join(start))
def test_no_login_goes_to_a_provider_from_a_client_its_reviewer_or_a_claude_that_it_starts(
    world: World, start: tuple[str, ...], supervised: str, console: bool
) -> None:
    (world.config / "SUPERVISOR.md").write_text("Be strict.\n")
    asked = (*start, "do it") if start[-1] == "--" else (*start, "-p", "do it", "--dangerously-skip-permissions")
    with ScriptedModel([NESTED, *hooks.rules([below(world), {"text": "done"}], [hooks.verdict(True)])]) as model:
        prepare(world, model)
        break_lines(world)
        # In hooks mode a helper of the person's own beside a provider is refused.
        hooked = start == FILES or (supervised == "1" and start == ("glm",))
        helper = {} if hooked else {"apiKeyHelper": f"echo {HELPERS}"}
        world.write_settings({"permissions": {"allow": ["Bash"]}, **helper})
        if console:
            log_in(world)
        run = world.ccc(*asked, env=world.env(CCC_LANG="en", CCC_SUPERVISOR=supervised))
    assert run.code in (0, 5), run.err
    assert [each.rule for each in model.messages].count(0) == 1
    assert {request.token for request in model.messages} == {KEY}
    assert not any(word in sent(model) for word in (LOGIN, CONSOLE, HELPERS))


@pytest.mark.parametrize("engine", ["cli", "sdk"])
@pytest.mark.parametrize("start", [("glm", "-p", "do it"), ("--supervisor", "glm", "--", "do it")], ids=" ".join)
def test_a_judge_of_another_provider_gets_no_login_either(world: World, start: tuple[str, ...], engine: str) -> None:
    (world.config / "SUPERVISOR.md").write_text("Be strict.\n")
    rules = [*hooks.rules([{"text": "done"}], [hooks.verdict(True)])]
    rules.insert(0, {**pty.REVIEWER, "times": None, "replies": [{"text": pty.MARKER}]})
    with ScriptedModel(rules) as model, ScriptedModel(rules) as other:
        prepare(world, model)
        log_in(world)
        providers = {"glm": provider(model.url, KEY), "kimi": provider(other.url, "sk-of-the-judge-0123456789")}
        world.write_config(providers, supervisor={"judge": "kimi", "engine": engine})
        world.ccc(*start, env=world.env(CCC_LANG="en", CCC_SUPERVISOR="1"))
        judged = len(other.messages)
        world.ccc("eval", "--judge", "kimi", "--only", "nh-destructive", env=world.env(CCC_LANG="en"))
    assert 0 < judged < len(other.messages)
    assert {request.token for request in other.messages} == {"sk-of-the-judge-0123456789"}
    assert not any(word in sent(each) for word in (LOGIN, CONSOLE) for each in (model, other))


def test_the_clients_own_screen_asks_nothing_for_it(world: World) -> None:
    with ScriptedModel(hooks.rules([{"text": "hello back"}], [hooks.verdict(True)])) as model:
        prepare(world, model)
        log_in(world)
        with Screen(world.command("glm"), env=world.env(CCC_LANG="en"), cwd=world.project) as screen:
            screen.wait_for("shift+tab to cycle")
            assert "auth may not work" not in screen.text
            screen.type("hello there")
            screen.press("enter")
            screen.wait_for("hello back")
    assert {request.token for request in model.messages} == {KEY}
    assert CONSOLE not in sent(model)
