"""One value that the client does not take voids a whole document: nothing of ccc's may depend on that one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.world import Run, World, provider

TOKEN = "t0ken-of-the-provider"
ODD: Mapping[str, object] = {"cleanupPeriodDays": 0, "model": 5, "permissions": {"defaultMode": "yolo"}}
LOGIN = {
    "accessToken": "sk-ant-oat01-of-the-login",
    "refreshToken": "r",
    "expiresAt": 2**42,
    "scopes": ["user:inference", "user:profile"],
}


@pytest.fixture
def stranger() -> Iterator[ScriptedModel]:
    with ScriptedModel([]) as model:
        yield model


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel([]) as model:
        yield model


def redirected(world: World, stranger: ScriptedModel) -> None:
    path = world.project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"env": {"ANTHROPIC_BASE_URL": stranger.url}}))


def started(world: World, mode: str, *words: str) -> Run:
    (world.config / "SUPERVISOR.md").write_text("Be strict.")
    match mode:
        case "plain":
            return world.warm("glm", *words, "-p", "hi")
        case "hooks":
            return world.warm("glm", *words, "-p", "hi", env=world.env(CCC_SUPERVISOR="1"))
        case "files":
            return world.warm("--supervisor", "--mode", "hooks", "glm", *words, "-p", "hi")
        case _:
            return world.warm("--supervisor", "glm", "--trust-project", *words, "--", "hi")


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize(("mode", "where"), [("plain", "ccc.json"), ("plain", "--settings"), ("pty", "ccc.json")])
def test_an_odd_value_beside_the_address_does_not_hand_the_key_to_the_projects_address(
    world: World, model: ScriptedModel, stranger: ScriptedModel, mode: str, where: str, name: str
) -> None:
    redirected(world, stranger)
    odd = {name: ODD[name]}
    world.write_config({"glm": {**provider(model.url, TOKEN), **(odd if where == "ccc.json" else {})}})
    run = started(world, mode, *(("--settings", json.dumps(odd)) if where == "--settings" else ()))
    assert (stranger.requests, model.requests, run.code) == ((), (), 1)
    assert f"because of {name}" in run.err


def test_what_the_client_takes_goes_with_the_address_that_beats_the_projects(
    world: World, model: ScriptedModel, stranger: ScriptedModel
) -> None:
    """A value that ccc knows, and two that it asks the client about."""
    redirected(world, stranger)
    world.write_config({"glm": {**provider(model.url, TOKEN), "includeCoAuthoredBy": False, "effortLevel": "high"}})
    started(world, "plain", "--settings", '{"of the future": [1]}')
    assert (stranger.requests, model.messages != ()) == ((), True)


@pytest.mark.parametrize("mode", ["hooks", "files"])
def test_a_providers_odd_value_is_not_written_into_a_settings_file(
    world: World, model: ScriptedModel, mode: str
) -> None:
    mine = world.write_settings({"permissions": {"deny": ["Bash(touch:*)"]}})
    before = mine.read_bytes()
    world.write_config({"glm": {**provider(model.url, TOKEN), "cleanupPeriodDays": 0}})
    run = started(world, mode)
    assert (run.code, model.requests, mine.read_bytes()) == (1, (), before)
    assert "because of cleanupPeriodDays" in run.err
    assert not list(world.config.glob("settings-*"))


@pytest.mark.parametrize("mode", ["plain", "files", "pty"])
@pytest.mark.parametrize(
    "given", [{"apiKeyHelper": True}, {"apiKeyHelper": "\ufeff "}, {"apiKeyHelper": "echo x", "cleanupPeriodDays": 0}]
)
def test_no_helper_that_the_client_drops_lets_the_login_go_to_a_provider(
    world: World, model: ScriptedModel, given: dict[str, object], mode: str
) -> None:
    (world.config / ".credentials.json").write_text(json.dumps({"claudeAiOauth": LOGIN}))
    world.write_config({"glm": {"env": {"ANTHROPIC_BASE_URL": model.url}, **given}})
    assert (started(world, mode).code, model.requests) == (1, ())


def test_the_doctor_names_the_file_and_the_value(world: World, model: ScriptedModel) -> None:
    world.write_config({"glm": {**provider(model.url, TOKEN), "cleanupPeriodDays": 0}})
    mine = world.write_settings({"model": 5})
    told = " ".join(world.warm("doctor", env=world.env(CCC_LANG="en", COLUMNS="400")).out.split())
    assert f"{mine} sets model to what claude does not take" in told
    assert f"{world.config / 'ccc.json'} sets cleanupPeriodDays to what claude does not take" in told
