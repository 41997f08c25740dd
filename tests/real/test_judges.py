"""Another judge than the agent's own model, with the real client: who is asked what, and whose key goes where."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real import test_pty_mode as pty
from tests.real.hooks_world import REVIEWER, supervised, verdict
from tests.world import World, provider

pytestmark = pytest.mark.long

FEEDBACK = "Write the docs."
AGENT = {
    "times": None,
    "replies": [{"text": "done", "thinking": "is it?"}, {"text": "docs written", "thinking": "yes"}],
}
MODES = ("hooks", "pty")
AGREES = {"hooks": verdict(True), "pty": {"text": pty.MARKER}}


def judge(mode: str, *agreeing: bool, objection: str = FEEDBACK) -> dict[str, Any]:
    """A rule for whoever is asked to review."""
    objects = {"hooks": verdict(False, objection), "pty": {"text": objection}}
    replies = [(AGREES if agrees else objects)[mode] for agrees in agreeing]
    return {**(REVIEWER if mode == "hooks" else pty.REVIEWER), "times": None, "replies": replies}


def run(world: World, mode: str, glm: ScriptedModel, kimi: ScriptedModel, **options: object) -> dict[str, Any]:
    """A supervised request with glm at work; the state that it has left."""
    providers = {"glm": provider(glm.url, "glm-key", "glm-9"), "kimi": provider(kimi.url, "kimi-key", "kimi-k9")}
    world.write_config(providers, supervisor=options)
    # It agrees with glm, so it may stay; it must not lead kimi's key to glm.
    world.write_settings({"env": {"ANTHROPIC_BASE_URL": glm.url}})
    if mode == "hooks":
        supervised(world, glm)
    else:
        (world.project / "SUPERVISOR.md").write_text("Judge.\n")
        pty.alone(world, "--", "do it", **pty.ONE_TRY)
    [path] = world.state.glob("supervisor-*[0-9a-f].json")
    state: dict[str, Any] = json.loads(path.read_text())
    assert (strays(glm, "glm-key"), strays(kimi, "kimi-key")) == ([], [])
    return state


def strays(model: ScriptedModel, key: str) -> list[str]:
    """Whatever reached this port that is not its own: of all requests, not of messages alone."""
    other = {"glm-key": b"kimi-key", "kimi-key": b"glm-key"}[key]
    return [
        f"{request.method} {request.path}"
        for request in model.requests
        if request.token not in (key, "") or other in request.body
    ]


def asked(model: ScriptedModel) -> list[tuple[str, str]]:
    return [(request.token, request.json["model"]) for request in model.messages]


@pytest.mark.parametrize("mode", MODES)
def test_another_provider_judges_and_neither_hears_of_the_other(world: World, mode: str) -> None:
    with ScriptedModel([AGENT]) as glm, ScriptedModel([judge(mode, False, True)]) as kimi:
        state = run(world, mode, glm, kimi, judge="kimi")
    assert (state["outcome"], state["count"], state["findings"]) == ("completed", 2, [FEEDBACK])
    assert asked(glm) == [("glm-key", "glm-9")] * 2
    assert asked(kimi) == [("kimi-key", "kimi-k9")] * 2
    for request in kimi.messages:
        assert b"glm-key" not in request.body
        assert "signature" not in request.body.decode()  # of another provider's thinking
    told = world.ccc("logs", env=world.env(CCC_LANG="en")).out
    assert "kimi-k9" in told
    world.ccc("report", "-o", "report.html")
    assert "kimi-k9" in (world.project / "report.html").read_text()


@pytest.mark.parametrize("mode", MODES)
def test_a_second_judge_is_asked_only_when_the_first_would_let_it_stop(world: World, mode: str) -> None:
    script = [judge(mode, False, True, True), AGENT]
    with ScriptedModel(script) as glm, ScriptedModel([judge(mode, False, True, objection="Test it.")]) as kimi:
        state = run(world, mode, glm, kimi, judge=["glm", "kimi"])
    # glm objects; glm agrees and kimi objects; both agree.
    assert (state["outcome"], state["count"], len(state["reviews"])) == ("completed", 5, 5)
    assert asked(kimi) == [("kimi-key", "kimi-k9")] * 2
    assert asked(glm) == [("glm-key", "glm-9")] * 6
    assert state["findings"] == [FEEDBACK, "Test it."]
    assert set(state["cost_by"]) == {"glm", "kimi"}  # each one's money is its own provider's
    assert sum(state["cost_by"].values()) == pytest.approx(state["cost_usd"])


@pytest.mark.parametrize("mode", MODES)
def test_another_model_of_the_same_provider_judges(world: World, mode: str) -> None:
    script = [judge(mode, False, True), AGENT]
    with ScriptedModel(script) as glm, ScriptedModel() as kimi:
        state = run(world, mode, glm, kimi, judge={"model": "glm-air"})
    assert (state["outcome"], state["count"]) == ("completed", 2)
    assert asked(glm) == [("glm-key", "glm-9"), ("glm-key", "glm-air")] * 2
    assert kimi.messages == ()


@pytest.mark.parametrize("mode", MODES)
def test_a_judge_that_has_a_limit_is_waited_for_and_nobody_takes_its_place(world: World, mode: str) -> None:
    agrees = judge(mode, True)
    limited = {**agrees, "replies": [{"limit": 2}, *agrees["replies"]]}
    with ScriptedModel([judge(mode, True), AGENT]) as glm, ScriptedModel([limited]) as kimi:
        state = run(world, mode, glm, kimi, judge="kimi")
    assert (state["outcome"], state["count"], state["provider"]) == ("completed", 1, "glm")
    assert asked(glm) == [("glm-key", "glm-9")]
    assert "waiting for the limit of kimi until " in world.ccc("logs", env=world.env(CCC_LANG="en")).out


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fallback", [True, False])
def test_a_judge_that_cannot_be_reached_leaves_it_to_the_agents_model_or_to_nobody(
    world: World, mode: str, fallback: bool
) -> None:
    away = {"times": None, "replies": [{"error": 400, "message": "no such model"}]}
    with ScriptedModel([judge(mode, True), AGENT]) as glm, ScriptedModel([away]) as kimi:
        state = run(world, mode, glm, kimi, judge="kimi", judge_fallback=fallback)
    assert state["outcome"] == ("completed" if fallback else "unreviewed")
    assert {token for token, _ in asked(kimi)} == {"kimi-key"}
    assert asked(glm) == [("glm-key", "glm-9")] * (2 if fallback else 1)


@pytest.mark.parametrize("mode", MODES)
def test_the_sessions_of_a_judge_that_was_asked_in_vain_are_nobodys_unreviewed_work(world: World, mode: str) -> None:
    """A reviewer that is kept waiting is begun anew, each time in a session of its own."""
    busy = {"error": 529, "message": "overloaded"}
    rule = {**judge(mode, True), "replies": [*[busy] * 4, AGREES[mode]]}
    with ScriptedModel([judge(mode, True), AGENT]) as glm, ScriptedModel([rule]) as kimi:
        state = run(world, mode, glm, kimi, judge=["glm", "kimi"])
    assert len(list(world.config.rglob("projects/*/*.jsonl"))) > 3  # the agent's, glm's, and more than one of kimi's
    assert state["outcome"] == "completed"
    (row,) = json.loads(world.ccc("status", "--json").out)
    assert (row["outcome"], row["outside"]) == ("completed", {})
