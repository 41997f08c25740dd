"""The limits of an agent that hands its work to subagents, with the real client."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real import test_pty_mode as pty
from tests.real.hooks_world import AGENT, REVIEWER, Supervised, reviews, supervised
from tests.real.test_money import CHEAP, DEAR, MODEL, judged
from tests.world import Run, World

pytestmark = pytest.mark.long

ENGLISH = {"CCC_LANG": "en"}


def hands_on(prompt: str, **more: object) -> dict[str, Any]:
    given = {"description": "work", "prompt": prompt, "subagent_type": "general-purpose", **more}
    return {"tools": [{"name": "Agent", "input": {"run_in_background": False, **given}}]}


def bash(command: str, **more: object) -> dict[str, Any]:
    return {"tools": [{"name": "Bash", "input": {"command": command}}], **more}


def script(subagents: dict[str, list[dict[str, Any]]], agent: list[dict[str, Any]]) -> list[dict[str, Any]]:
    worked = [{**AGENT, "anywhere": word, "times": None, "replies": told} for word, told in subagents.items()]
    return [
        {**REVIEWER, "times": None, "replies": [judged(False, f"more {n}") for n in range(9)]},
        {"system": pty.MARKER, "times": None, "replies": [{"text": f"More {n}."} for n in range(9)]},
        *worked,
        {**AGENT, "times": None, "replies": agent},
    ]


WORK, DEEPER = "the work of a subagent", "the work of its own subagent"
TURNS = [turn for n in range(9) for turn in (hands_on(WORK), {"text": f"done {n}"})]
WORKS = {WORK: [bash("ls", usage=DEAR), {"text": "worked", "usage": DEAR}]}
NESTED = {DEEPER: [bash("ls", usage=DEAR), {"text": "deep", "usage": DEAR}], WORK: [hands_on(DEEPER), {"text": "ok"}]}


def hooked(world: World, model: ScriptedModel, *args: str, **caps: object) -> Supervised:
    return supervised(world, model, *args, supervisor={"verdict": "schema", **caps}, env=ENGLISH)


@pytest.mark.parametrize("subagents", [WORKS, NESTED])
def test_what_subagents_use_counts_at_the_stop(world: World, subagents: dict[str, list[dict[str, Any]]]) -> None:
    with ScriptedModel(script(subagents, TURNS)) as model:
        seen = hooked(world, model, max_tokens=100_000)
    assert (seen.state["outcome"], seen.state["count"], reviews(model)) == ("limit", 0, [])
    assert " of 100000 tokens used" in seen.state["reason"]
    assert seen.state["tally"]["tokens"] < 100
    assert sum(each["tokens"] for each in seen.state["tally"]["asides"].values()) >= 400_000


def test_what_a_subagent_used_for_one_request_is_none_of_the_next_ones(world: World) -> None:
    with ScriptedModel(script(WORKS, TURNS[:2] + [{"text": "hi"}] * 9)) as model:
        first = hooked(world, model, max_tokens=100_000)
        assert first.state["outcome"] == "limit"
        again = supervised(world, model, "--resume", first.session_id, prompt="go on", env=ENGLISH)
    assert again.state["count"] > 0
    assert "asides" not in again.state["tally"]


@pytest.mark.parametrize(("model_of_it", "count"), [(None, 1), ("haiku", 2)])
def test_their_price_is_that_of_their_model(world: World, model_of_it: str | None, count: int) -> None:
    """A review tells the price of the agent's own, and the client's list how the other's compares."""
    chosen = {"model": model_of_it} if model_of_it else {}
    turns = [turn for n in range(9) for turn in (hands_on(WORK, **chosen), {"text": f"done {n}", "usage": CHEAP})]
    with ScriptedModel(script({WORK: [{"text": f"worked {n}", "usage": DEAR} for n in range(9)]}, turns)) as model:
        seen = hooked(world, model, "--model", MODEL, max_cost_usd=0.25)
    assert (seen.state["outcome"], seen.state["count"]) == ("limit", count)
    assert "of $0.25 spent by the agent and its reviews" in seen.state["reason"]


def test_one_in_the_background_counts_as_well(world: World) -> None:
    turns = [hands_on(WORK, run_in_background=True), *[{"text": f"done {n}"} for n in range(9)]]
    with ScriptedModel(script(WORKS, turns)) as model:
        seen = hooked(world, model, max_tokens=100_000)
    assert (seen.state["outcome"], " of 100000 tokens used" in seen.state["reason"]) == ("limit", True)


def in_pty_mode(world: World, subagents: dict[str, list[dict[str, Any]]], **caps: int) -> tuple[Run, int]:
    with ScriptedModel(script(subagents, TURNS)) as model:
        pty.prepare(world, model, supervisor=caps)
        return pty.alone(world, "--dangerously-skip-permissions", "--", "do it"), len(model.messages)


SLOW = {WORK: [bash("sleep 2", usage=DEAR)] * 9}
SLOW_DEEPER = {DEEPER: [bash("sleep 2", usage=DEAR)] * 9, WORK: [hands_on(DEEPER), {"text": "ok"}]}


@pytest.mark.parametrize("subagents", [SLOW, SLOW_DEEPER])
def test_in_pty_mode_the_limit_holds_in_the_midst_of_their_work(
    world: World, subagents: dict[str, list[dict[str, Any]]]
) -> None:
    run, requests = in_pty_mode(world, subagents, max_tokens=150_000)
    assert " of 150000 tokens used in the midst of a turn" in run.out
    assert run.code == 3
    assert requests < 8


@pytest.mark.parametrize("subagents", [WORKS, NESTED])
def test_in_pty_mode_all_that_they_used_is_told_at_the_end(
    world: World, subagents: dict[str, list[dict[str, Any]]]
) -> None:
    run, _ = in_pty_mode(world, subagents, max_iterations=1)
    assert re.search(r"— 2 rounds · .* · [468]00,\d{3} tokens", run.out)
