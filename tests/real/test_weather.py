"""Hooks mode with the real client when the API does not answer: each row is told as what it is, and never as work."""

from __future__ import annotations

import json
import shlex
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ccc.record.words import clock
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import Supervised, login, of_login, reviews, rules, supervised, verdict
from tests.stops import eventually, living
from tests.world import World, provider

pytestmark = pytest.mark.long

ONE_TRY = {"CLAUDE_CODE_MAX_RETRIES": "0"}


def of_provider(status: int, message: str, **more: object) -> dict[str, Any]:
    return {"error": status, "body": {"error": {"message": message, **more}}}


ROWS: dict[str, tuple[dict[str, Any], str]] = {
    "a limit with headers": (
        {"error": 429, "headers": {"anthropic-ratelimit-unified-reset": "4094000000", "retry-after": "3600"}},
        "usage limit, nobody says until when",
    ),
    "GLM": (of_provider(429, "Your limit will reset at {soon}", code="1308"), "usage limit until"),
    "MiniMax": (of_provider(429, "usage limit exceeded (2056), resets at {soon}Z"), "usage limit until"),
    "Kimi": (of_provider(403, "You've reached your usage limit for this billing cycle"), "usage limit, nobody"),
    "DeepSeek": (of_provider(402, "Insufficient Balance"), "no money left on the account"),
    "a bad key": ({"error": 401}, "the key is refused"),
    "overloaded": ({"error": 529}, "overloaded"),
    "refused": ({"at": "http://127.0.0.1:9"}, "cannot be reached"),
    "a name that nobody knows": ({"at": "http://ccc.invalid"}, "cannot be reached"),
    "a cut stream": ({"text": "half a wor", "cut": True}, "cannot be reached"),
    "an unknown model": (of_provider(400, "Unknown Model, please check the model code.", code="1211"), "--model NAME"),
    "a full context": ({"error": 400, "message": "prompt is too long: 250000 tokens > 200000 maximum"}, "longer than"),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_turn_that_the_api_ended_is_told_as_what_it_was(world: World, row: str) -> None:
    reply, told = ROWS[row]
    elsewhere = reply.get("at")
    with ScriptedModel(rules([_soon({"text": "x"} if elsewhere else reply)], [verdict(True)])) as model:
        world.write_config({"glm": provider(elsewhere or model.url)})
        seen = supervised(world, model, env=ONE_TRY)
    assert (seen.run.code, reviews(model)) == (1, [])
    _is_told(world, seen, told)


def test_the_limit_of_a_login_is_told_with_its_end(world: World) -> None:
    at = int(time.time()) + 36000
    with ScriptedModel(rules([of_login(at)], [verdict(True)])) as model:
        world.write_config({})
        seen = supervised(world, model, env={**ONE_TRY, **login(model.url)}, name=())
    assert (seen.run.code, reviews(model), len(model.messages)) == (1, [], 1)
    _is_told(world, seen, f"usage limit until {clock(datetime.fromtimestamp(at, UTC))}")


def _is_told(world: World, seen: Supervised, told: str) -> None:
    # The client often ends its hook before the shell has begun (2.1.325, headless): then the transcript tells.
    (told_row,) = json.loads(world.ccc("status", "--json").out)
    assert (told_row["session_id"], told_row["outcome"], told_row["count"]) == (seen.session_id, "unreviewed", 0)
    assert told in told_row["reason"]
    assert told_row["outside"] == {}
    assert living(f"HOME={world.home}") == set()


WITHOUT_THE_HOOK = (
    "import json, pathlib, sys, time; path = pathlib.Path(sys.argv[1]); found = json.loads(path.read_text());"
    " del found['hooks']['StopFailure']; path.write_text(json.dumps(found)); time.sleep(4)"
)


def test_the_world_is_told_of_such_an_end_also_where_the_hook_could_not_hear_it(world: World) -> None:
    """A headless client ends that hook as soon as it has called it, now and then before it has begun."""
    command = shlex.join(["python3", "-c", WITHOUT_THE_HOOK, str(world.config / "settings.json")])
    call = {"tools": [{"name": "Bash", "input": {"command": command}}]}
    with ScriptedModel(rules([call, {"error": 529}], [verdict(True)])) as model, ScriptedModel() as another:
        seen = supervised(world, model, env=ONE_TRY, supervisor={"notify": {"url": f"{another.url}/v1/messages"}})
        (notice,) = another.wait_for_messages(1)
    assert (notice.json["outcome"], "glm: overloaded" in notice.json["why"]) == ("unreviewed", True)
    assert "glm: overloaded" in seen.run.err.splitlines()[-1]
    _is_told(world, seen, "glm: overloaded")


def test_a_key_that_is_refused_from_the_start_ends_the_client_after_four_tries(world: World) -> None:
    """By itself the client asks eleven times, for three minutes, and says nothing meanwhile."""
    with ScriptedModel(rules([{"error": 401}], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)})
        run = world.ccc("glm", "-p", "do it", env=world.env(CCC_SUPERVISOR="1"))
    assert (run.code, run.out, len(model.messages)) == (128 + signal.SIGTERM, "", 4)
    assert "glm: the key is refused; set another one: ccc init" in run.err.splitlines()[-1]
    assert "after 4 refusals ccc has ended claude" in run.err.splitlines()[-1]
    [row] = json.loads(world.warm("status", "--json").out)
    assert (row["outcome"], row["count"], row["outside"]) == ("unreviewed", 0, {})
    assert living(f"HOME={world.home}") == set()


def test_what_may_pass_is_told_while_the_client_asks_and_is_left_to_it(world: World) -> None:
    """An outage, and a key that was taken before: it may be about to be changed."""
    weather = [{"error": 529}] * 4, [{"error": 401}] * 4
    work = {"tools": [{"name": "Bash", "input": {"command": "true", "description": "work"}}]}
    script = rules([*weather[0], work, *weather[1], {"text": "done"}], [verdict(True)])
    with ScriptedModel(script) as model, ThreadPoolExecutor() as beside:
        running = beside.submit(supervised, world, model)
        assert eventually(lambda: "glm: overloaded" in _asking(world), 60)
        seen = running.result()
    assert _asking(world) == ""
    assert (seen.run.code, seen.state["outcome"]) == (0, "completed")
    told = [line for line in seen.run.err.splitlines() if "claude asks again" in line]
    assert [line.partition(" (")[0] for line in told] == [
        "ccc: glm: overloaded",
        "ccc: glm: the key is refused; set another one: ccc init",
    ]
    assert eventually(lambda: not living(f"HOME={world.home}"), 10)


def _asking(world: World) -> str:
    """What `ccc status` says of a client that has had no stop yet."""
    rows = json.loads(world.warm("status", "--json").out)
    return "".join(row["asking"] for row in rows if row["provider"] == "glm" and row["asked"].endswith("/10"))


def test_a_reviewer_waits_out_an_outage(world: World) -> None:
    down = [{"error": 529}] * 3  # as often as the client itself tries, whatever the agent's settings say
    world.write_settings({"env": {"CLAUDE_CODE_RETRY_WATCHDOG": "1"}})
    with ScriptedModel(rules([{"text": "done"}], [*down, verdict(True)])) as model:
        seen = supervised(world, model)
    assert (seen.state["count"], seen.state["outcome"]) == (1, "completed")
    assert len(reviews(model)) == 4
    assert "glm: overloaded" in seen.log
    story = world.ccc("logs", env=world.env(CCC_LANG="en")).out
    assert "glm is overloaded; asking again at " in story
    assert "went on" in story


def test_a_reviewer_does_not_wait_for_a_limit_that_lasts_longer_than_its_time(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [_soon(ROWS["GLM"][0])])) as model:
        seen = supervised(world, model)
    assert len(reviews(model)) == 3
    assert seen.state["outcome"] == "unreviewed"
    assert seen.state["reason"].startswith("glm: usage limit until ")
    assert f"this stop was not reviewed: {seen.state['reason']} (" in seen.run.err


def _soon(reply: dict[str, Any]) -> dict[str, Any]:
    soon = datetime.now(UTC) + timedelta(hours=10)
    return dict(json.loads(json.dumps(reply).replace("{soon}", f"{soon:%Y-%m-%d %H:%M:%S}")))
