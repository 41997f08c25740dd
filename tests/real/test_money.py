"""What a review and the agent cost, as the real client tells it.

Since 2.1.3xx a client writes what its session has cost into the transcript when it ends (`cost-state`), and whoever
resumes, continues or forks that session begins with this sum: `total_cost_usd` and `modelUsage` of a `result` hold it,
`usage` and `model_usage_since_last_result` do not. A session that has not ended once has no such line, so its forks
begin at nothing.
"""

from __future__ import annotations

import json
import subprocess
from subprocess import PIPE
from typing import Any

import pytest

from ccc.claude import pricing
from ccc.claude.stream import Finished, StreamParser, user_message
from ccc.judging.caps import UNCOUNTED
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


@pytest.mark.parametrize(
    "chosen",
    [
        {"engine": "sdk", "verdict": "schema"},
        {"judge": "other"},
        {"judge": ["other", {"model": "claude-haiku-4-5"}]},
        {"judge": ["glm", "other"]},
    ],
)
def test_the_agent_is_counted_whoever_judges_it_and_however(world: World, chosen: dict[str, Any]) -> None:
    """A review by another model tells what that one costs; what the agent's does is on the client's list."""
    script = rules([agent(CHEAP), agent(DEAR)], [judged(False, "go on")])
    with ScriptedModel(script) as model:
        known = {"glm": provider(model.url), "other": provider(model.url, "token2", "kimi-k9")}
        world.write_config(known, supervisor={"max_cost_usd": 1.0, **chosen})
        seen = supervised(world, model, "--model", MODEL)
    assert (seen.state["count"], seen.state["outcome"]) == (1, "limit")
    assert "$1 spent by the agent and its reviews" in seen.state["reason"]
    assert seen.state["agent_cost_usd"] == pytest.approx(1.818)
    assert UNCOUNTED not in seen.log + seen.run.err


@pytest.mark.parametrize("judge", [None, {"model": "claude-haiku-4-5"}])
def test_a_review_through_the_sdk_pays_for_itself_alone(world: World, judge: dict[str, str] | None) -> None:
    script = rules([agent(DEAR), agent(CHEAP)], [judged(True)])
    with ScriptedModel(script) as model:
        options = {"engine": "sdk", "max_cost_usd": 1.0, "verdict": "schema", "judge": judge or []}
        first = supervised(world, model, "--model", MODEL, supervisor=options)
        again = supervised(world, model, "--model", MODEL, "--resume", first.session_id, prompt="go on")
    assert [told["total_cost_usd"] > 1.0 for told in results(world, first.session_id)] == [False, True]
    assert (again.state["count"], again.state["outcome"]) == (1, "completed")
    assert again.state["cost_usd"] == pytest.approx(0.006 if judge else 0.018)
    assert again.state["agent_cost_usd"] == pytest.approx(0.018)


def test_a_cap_on_money_says_whom_it_does_not_count_at_the_start_and_at_each_stop(world: World) -> None:
    script = rules([agent(CHEAP)], [judged(False, "go on"), judged(True)])
    with ScriptedModel(script) as model:
        known = {"glm": provider(model.url, model="glm-9"), "other": provider(model.url, "token2", "kimi-k9")}
        world.write_config(known, supervisor={"max_cost_usd": 1.0, "judge": "other"})
        seen = supervised(world, model, env={"CCC_LANG": "en"})
    assert (seen.state["count"], seen.state["outcome"], seen.state["agent_cost_usd"]) == (2, "completed", None)
    assert seen.run.err.count(UNCOUNTED) == 2  # at the start and the end; between the two a client without a UI is mute
    assert seen.log.count(f'"{UNCOUNTED}"') == 2


@pytest.mark.parametrize(("judge", "told"), [("other", [False, True]), ("glm", [True, True])])
def test_a_model_that_is_on_no_list_costs_what_the_client_tells_of_it(
    world: World, judge: str, told: list[bool]
) -> None:
    """By its own review, or once the session has ended: each fork hears then what it had cost."""
    script = rules([agent(CHEAP)], [judged(True)])
    with ScriptedModel(script) as model:
        known = {"glm": provider(model.url, model="glm-9"), "other": provider(model.url, "token2", "kimi-k9")}
        world.write_config(known, supervisor={"max_cost_usd": 1.0, "judge": judge})
        first = supervised(world, model)
        costs = [first.state["agent_cost_usd"]]
        again = supervised(world, model, "--resume", first.session_id, prompt="go on")
        costs += [again.state["agent_cost_usd"]]
    assert [cost is not None and cost > 0 for cost in costs] == told


def test_the_list_of_prices_is_the_clients(world: World) -> None:
    """One live client on one model after another: each is a name that it knows, at the price that stands here."""
    words = ("--output-format", "stream-json", "--input-format", "stream-json", "--verbose")
    with ScriptedModel([{"times": None, "replies": [agent(CHEAP)]}]) as model:
        world.write_config({"glm": provider(model.url)})
        argv, env = world.command("glm", "-p", *words), world.env()
        with subprocess.Popen(argv, env=env, cwd=world.project, stdin=PIPE, stdout=PIPE, stderr=PIPE) as client:
            assert client.stdin
            assert client.stdout
            for name in pricing.LISTED:
                client.stdin.write(set_model(name) + user_message("hi"))
                client.stdin.flush()
                line = next(line for line in client.stdout if b'"type":"result"' in line)
            client.stdin.close()
    [finished] = StreamParser().feed(line)
    assert isinstance(finished, Finished)
    assert finished.prices == pytest.approx({name: usd / 1e6 for name, usd in pricing.LISTED.items()})


def set_model(name: str) -> bytes:
    asked = {"subtype": "set_model", "model": name}
    return json.dumps({"type": "control_request", "request_id": name, "request": asked}).encode() + b"\n"


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
