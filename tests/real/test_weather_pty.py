"""Bad weather in pty mode, with the real client: limits and outages are waited out, and nothing is taken for work.

The answers are the providers' own, as their users report them; what ccc reads from each: tests/claude/test_weather.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ccc.claude.own_words import CUT_OFF
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import login, of_login
from tests.real.test_pty_mode import (
    DONE,
    ONE_TRY,
    alone,
    at_the_terminal,
    bash,
    env,
    leave,
    prepare,
    reviews,
    rules,
    turns,
)
from tests.stops import eventually, living
from tests.world import World, provider

pytestmark = pytest.mark.long

MAY = ("--permission-mode", "bypassPermissions")
BEIJING = timedelta(hours=8)


@pytest.fixture(autouse=True)
def nobody_is_left(world: World) -> Iterator[None]:
    """However a story ends: no agent, no reviewer and none of their tools live on."""
    yield
    assert eventually(lambda: living(f"HOME={world.home}") == set(), 1)


def soon() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=2)


def glm() -> dict[str, Any]:
    text = f"Usage limit reached for 5 hour. Your limit will reset at {soon() + BEIJING:%Y-%m-%d %H:%M:%S}"
    return {"error": 429, "body": {"type": "error", "error": {"code": "1308", "message": text}}}


def minimax() -> dict[str, Any]:
    text = f"usage limit exceeded, 5-hour usage limit reached, resets at {soon():%Y-%m-%dT%H:%M:%SZ} (2056)"
    return {"error": 429, "body": {"type": "error", "error": {"type": "rate_limit_error", "message": text}}}


KIMI = {"error": 403, "message": "You've reached your usage limit for this billing cycle."}
# From a token provider the reset is not told; from a retry-after of 120 s on the client gives up at once.
MINUTES = {**of_login(4094000000), "headers": {**of_login(4094000000)["headers"], "retry-after": "300"}}
EMPTY = {"error": 402, "message": "Insufficient Balance"}
UNKNOWN = {"error": 404, "message": "model: glm-9"}  # asked twice
LONG = {"prompt_too_long": True}  # the client then asks once more, to shorten the conversation


def test_what_passes_is_waited_for_and_every_piece_of_work_is_done_once(world: World) -> None:
    overloaded, cut = {"error": 529}, {"text": "x" * 200, "cut": True}
    weather = [
        glm(),
        bash("echo 1 >> work"),
        minimax(),
        bash("echo 2 >> work"),
        overloaded,
        bash("echo 3 >> work"),
        KIMI,
        bash("echo 4 >> work"),
        MINUTES,
        bash("echo 5 >> work"),
        cut,
        cut,  # the client asks once more by itself, without a stream
    ]
    with ScriptedModel(rules([*weather, {"text": "All five are there."}], [overloaded, DONE])) as model:
        # The last question is asked when the time is up, and nobody says when the limits of Kimi and of minutes end.
        prepare(world, model, supervisor={"max_wait_minutes": 0.07})
        run = alone(world, *MAY, "--", "do it", **ONE_TRY)
        asked, reviewed = turns(model), reviews(model)
    assert run.code == 0, run.out
    assert (world.project / "work").read_text() == "1\n2\n3\n4\n5\n"
    assert len(reviewed) == 2
    assert "stop 1/10" in run.out  # the review that met the outage was none
    assert str(asked[-1].text).count(CUT_OFF) == 6
    for line in ("waiting for the limit of glm until ", "glm is overloaded; ", "glm cannot be reached; "):
        assert f"… {line}" in run.out
    assert run.out.count("waiting for the limit of glm until ") == 2
    assert run.out.count("… glm has a limit, nobody says until when; asking again at ") == 2
    status = world.ccc("status", "--json")
    assert '"phase":"done"' in status.out.replace(" ", "")
    story = world.ccc("logs").out
    assert (story.count("held up"), story.count("went on")) == (7, 7)


def test_the_limit_of_a_login_is_waited_for_by_the_agent_and_its_reviewer(world: World) -> None:
    def limited() -> dict[str, Any]:
        return of_login(int(time.time()) + 5)

    with ScriptedModel(rules([limited(), {"text": "done"}], [limited(), DONE])) as model:
        (world.project / "SUPERVISOR.md").write_text("It is done.\n")
        run = world.ccc("--supervisor", "--", "do it", env=env(world, **ONE_TRY, **login(model.url)))
    assert run.code == 0, run.out
    assert (len(turns(model)), len(reviews(model))) == (2, 2)
    assert {request.token for request in model.messages} == {login("")["CLAUDE_CODE_OAUTH_TOKEN"]}
    assert run.out.count("waiting for the limit of claude until ") == 2


def test_a_name_that_nobody_knows_is_a_network_that_is_not_there(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}])) as model:
        prepare(world, model, supervisor={"fallback_after_minutes": 0})
        lost = {**provider("http://ccc.invalid"), "fallback": "kimi"}
        world.write_config({"glm": lost, "kimi": provider(model.url)}, supervisor={"fallback_after_minutes": 0})
        run = alone(world, "--", "do it", **ONE_TRY)
    assert run.code == 0, run.out
    assert "↪ glm cannot be reached; kimi goes on" in run.out
    assert (len(turns(model)), len(reviews(model))) == (1, 1)


@pytest.mark.parametrize(
    ("cap", "told"), [({"max_tokens": 2000}, " of 2000 tokens used"), ({"max_cost_usd": 0.01}, " of $0.01 spent")]
)
def test_tokens_and_money_are_counted_in_the_midst_of_the_first_turn(
    world: World, cap: dict[str, float], told: str
) -> None:
    endless = {**bash("echo 1 >> work"), "usage": {"input_tokens": 400, "output_tokens": 100}}
    with ScriptedModel(rules([endless])) as model:
        prepare(world, model, supervisor=cap)
        run = alone(world, *MAY, "--json", "--", "do it")
    assert (run.code, reviews(model)) == (3, []), run.out
    *lines, last = map(json.loads, run.out.splitlines())
    assert f"{told} in the midst of a turn" in last["why"]
    costs = [line["agent_usd"] for line in lines if line.get("event") == "cost"]
    assert costs == sorted(set(costs))
    assert costs[-1] == last["agent_cost_usd"] > 0
    assert "max_cost_usd" not in cap or costs[0] < 0.01  # one a time, while the turn goes on


def test_an_agent_whose_provider_falls_silent_has_not_stopped(world: World) -> None:
    with ScriptedModel(
        rules([bash("echo 1 >> work"), {"hang": True}, bash("echo 2 >> work"), {"text": "two"}])
    ) as model:
        prepare(world, model, supervisor={"idle_seconds": 3})
        run = alone(world, *MAY, "--", "do it")
    assert run.code == 0, run.out
    assert (world.project / "work").read_text() == "1\n2\n"
    assert "(silent for 3 s: the API does not answer)" in run.out
    assert len(reviews(model)) == 1
    assert "do it" in turns(model)[-1].text


def test_a_server_that_is_not_there_is_waited_for(world: World) -> None:
    with ScriptedModel() as gone:
        port = int(gone.url.rpartition(":")[2])
    prepare(world, gone)
    with at_the_terminal(world, "--", "do it", **ONE_TRY) as terminal:
        terminal.wait_for("glm cannot be reached; asking again at ")
        assert "waiting for the provider" not in terminal.text
        with ScriptedModel(rules([{"text": "done"}]), port=port) as model:
            terminal.wait_for("[completed]")
            leave(terminal)
        assert len(reviews(model)) == 1


def test_what_does_not_pass_ends_at_once_and_a_long_wait_can_be_left(world: World) -> None:
    """One agent, one question after the other: a wrong key is asked four times, not eleven."""
    wrong = [{"error": 401}] * 4
    with ScriptedModel(rules([*wrong, EMPTY, UNKNOWN, UNKNOWN, LONG, KIMI, KIMI, MINUTES, {"text": "done"}])) as model:
        prepare(world, model)
        with at_the_terminal(world, "--", "a wrong key") as terminal:
            terminal.wait_for("[unreviewed]: glm does not take its key (Failed to authenticate. API Error: 401")
            terminal.wait_for("ccc validate glm")
            assert len(turns(model)) == 4
            terminal.type("an empty purse")
            terminal.wait_for("[unreviewed]: there is no money left at glm (API Error: 402 Insufficient Balance)")
            terminal.type("a model")
            terminal.wait_for("[unreviewed]: glm does not have this model")
            terminal.type("a long story")
            terminal.wait_for("[unreviewed]: the conversation is longer than the model of glm reads")
            for number, which in enumerate(("Kimi", "minutes"), 1):
                terminal.type(which)
                terminal.wait_for("… glm has a limit, nobody says until when; asking again at ", times=number)
                terminal.press("escape")
                terminal.wait_for("[interrupted]", times=number)
            assert reviews(model) == []
            terminal.type("fair weather")
            terminal.wait_for("[completed]")
            leave(terminal)
