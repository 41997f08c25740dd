"""What a review and the agent cost, as the real client tells it.

Since 2.1.3xx a client writes what its session has cost into the transcript when it ends (`cost-state`), and whoever
resumes, continues or forks that session begins with this sum: `total_cost_usd` and `modelUsage` of a `result` hold it,
`usage` and `model_usage_since_last_result` do not. A session that has not ended once has no such line, so its forks
begin at nothing.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import rules, supervised, verdict
from tests.world import World, provider

pytestmark = pytest.mark.long

MODEL = "claude-sonnet-4-5"  # one whose price the client knows: $3 and $15 for a million tokens of input and output
DEAR = {"input_tokens": 100_000, "output_tokens": 100_000}  # $1.80
CHEAP = {"input_tokens": 1_000, "output_tokens": 1_000}  # $0.018


def agent(usage: dict[str, int]) -> dict[str, Any]:
    return {"text": "done", "usage": usage}


def judged(allow_stop: bool, feedback: str = "") -> dict[str, Any]:
    return {**verdict(allow_stop, feedback), "usage": CHEAP}


def results(world: World, session_id: str) -> list[dict[str, Any]]:
    lines = (world.state / f"supervisor-{session_id}-output.jsonl").read_text().splitlines()
    return [told for told in map(json.loads, lines) if told["type"] == "result"]


def test_a_continued_session_pays_for_its_own_reviews_alone(world: World) -> None:
    script = rules([agent(DEAR), agent(CHEAP), agent(CHEAP)], [judged(True), judged(False, "go on"), judged(True)])
    with ScriptedModel(script) as model:
        caps = {"max_cost_usd": 1.0, "verdict": "schema"}  # by its tokens this conversation is a long one
        first = supervised(world, model, "--model", MODEL, supervisor=caps)
        spent_first = first.state["agent_cost_usd"]
        again = supervised(world, model, "--model", MODEL, "--resume", first.session_id, prompt="go on")
    assert again.session_id == first.session_id
    # The client's own sum holds the first request as well; by that one there would have been no second review.
    assert [told["total_cost_usd"] > 1.0 for told in results(world, first.session_id)] == [False, True, True]
    assert (again.state["count"], again.state["outcome"]) == (2, "completed")
    assert again.state["cost_usd"] == pytest.approx(2 * 0.018)
    assert again.state["last_cost_usd"] == pytest.approx(0.018)
    # The transcript's tokens at the price of a review: all there is to go by while the client runs.
    assert spent_first == pytest.approx(1.8)
    assert again.state["agent_cost_usd"] == pytest.approx(2 * 0.018)
    [row] = json.loads(world.ccc("status", "--json").out)
    assert (row["agent_cost_usd"], row["cost_usd"], row["agent_cost_at_least"]) == (0.036, 0.036, True)
    assert "≥ $0.0360" in world.ccc("status").out
    told = world.ccc("logs").out
    assert "agent at least $1.80, reviews $0.0180" in told
    assert "agent at least $0.0360, reviews $0.0360" in told


def test_the_cap_counts_the_agent_and_its_reviews_together(world: World) -> None:
    script = rules([agent(CHEAP), agent(DEAR)], [judged(False, "go on")])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, "--model", MODEL, supervisor={"max_cost_usd": 1.0})
    assert (seen.state["count"], seen.state["outcome"]) == (1, "limit")
    assert "$1.84 of $1 spent by the agent and its reviews" in seen.state["reason"]


def test_a_resumed_session_in_pty_mode_pays_for_what_it_does_itself(world: World) -> None:
    (world.project / "SUPERVISOR.md").write_text("Judge.\n")
    reviewer = {"system": "Judge.", "times": None, "replies": [{"text": "[TASK_COMPLETED]", "usage": CHEAP}]}
    script = [reviewer, {"times": None, "replies": [agent(DEAR), agent(CHEAP)]}]
    with ScriptedModel(script) as model:
        world.write_config({"glm": provider(model.url)}, supervisor={"max_cost_usd": 1.0})
        before = json.loads(world.ccc("glm", "-p", "do it", "--model", MODEL, "--output-format", "json").out)
        resumed = ("--resume", before["session_id"])
        run = world.ccc("--supervisor", "glm", "-p", "go on", *resumed, "--model", MODEL)
    assert "[completed]" in run.err + run.out
    assert "agent $0.0180, reviews $0.0180" in run.err + run.out
    [row] = json.loads(world.ccc("status", "--json").out)
    assert (row["outcome"], row["agent_cost_usd"], row["cost_usd"]) == ("completed", 0.018, 0.018)
    assert row["agent_cost_at_least"] is False
