"""Another provider goes on, with the real client: the same session, every piece of work once, and no token abroad."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from typing import Any

import pytest

from ccc.claude.own_words import CUT_OFF
from ccc.trial.scripted import Request, ScriptedModel
from tests.real.test_pty_mode import (
    CRITERIA,
    DONE,
    ONE_TRY,
    alone,
    at_the_terminal,
    bash,
    leave,
    reviews,
    rules,
    turns,
)
from tests.stops import eventually, living
from tests.world import World, provider

pytestmark = pytest.mark.long

SECONDS = float(os.environ.get("CCC_TEST_LIMIT_SECONDS", "2"))  # of a limit that is waited for
MAY = ("--permission-mode", "bypassPermissions")
SIGNED = {"thinking": "I am glm, and I sign what I think."}
ALL = {"text": "All of it is there."}


def limit(seconds: float) -> dict[str, Any]:
    return {"limit": seconds}


def prepare(world: World, glm: ScriptedModel, kimi: ScriptedModel, after: float = 0.1) -> None:
    first = {**provider(glm.url, "token-of-glm", "glm-5"), "fallback": "kimi"}
    second = provider(kimi.url, "token-of-kimi", "kimi-k3")
    world.write_config({"glm": first, "kimi": second}, supervisor={"fallback_after_minutes": after})
    (world.project / "SUPERVISOR.md").write_text(f"{CRITERIA}\n")


def work(*numbers: int) -> list[dict[str, Any]]:
    return [bash(f"echo {number} >> work") for number in numbers]


def each_has_only_its_own(*models: tuple[ScriptedModel, str, str]) -> None:
    """Every request, whatever it asked for, came with this token and for this model."""
    for server, token, model in models:
        assert server.messages
        assert {request.token for request in server.requests if request.method == "POST"} == {token}
        assert not [request for request in server.requests if _foreign(request, token)]
        assert {request.json["model"] for request in server.messages} == {model}


def _foreign(request: Request, own: str) -> bool:
    told = f"{request.headers}{request.body.decode()}"
    return any(token in told for token in ("token-of-glm", "token-of-kimi") if token != own)


def refused(requests: Iterable[Request]) -> int:
    return sum(request.rule is None for request in requests)


def test_two_limits_are_waited_out_and_the_third_is_another_providers_turn(world: World) -> None:
    one, two, three, four = work(1, 2, 3, 4)
    first = rules([{**one, **SIGNED}, limit(SECONDS), two, limit(SECONDS), three, limit(3600)])
    second = rules([{**four, "thinking": "I am kimi."}, ALL], [{"text": "Say what you did."}, DONE])
    with ScriptedModel(first) as glm, ScriptedModel(second) as kimi:
        prepare(world, glm, kimi, after=(SECONDS + 3) / 60)
        run = alone(world, *MAY, "--model", "glm-5", "--", "do it", **ONE_TRY)
    assert run.code == 0, run.out
    assert (world.project / "work").read_text() == "1\n2\n3\n4\n"
    each_has_only_its_own((glm, "token-of-glm", "glm-5"), (kimi, "token-of-kimi", "kimi-k3"))
    # Nobody asked again before the end of a limit, and kimi has the whole conversation.
    assert (len(glm.messages), refused(glm.messages)) == (6, 0)
    assert ["echo 3 >> work" in request.body.decode() for request in turns(kimi)] == [True] * 3
    assert (str(turns(kimi)[0].text).count(CUT_OFF), len(reviews(glm)), len(reviews(kimi))) == (3, 0, 2)
    assert "I sign what I think" not in str([request.json["messages"] for request in kimi.messages])
    assert run.out.count("… waiting for the limit of glm until ") == 2
    assert "↪ glm has a limit until " in run.out
    assert ", kimi $" in run.out.splitlines()[-1]
    assert living(f"HOME={world.home}") == set()
    _is_told_everywhere(world)


def _is_told_everywhere(world: World) -> None:
    [row] = json.loads(world.ccc("status", "--json").out)
    assert (row["provider"], row["outcome"], row["count"]) == ("kimi", "completed", 2)
    shares = {each["provider"]: each for each in row["shares"]}
    assert shares["glm"]["agent_usd"] > 0 == shares["glm"]["reviews_usd"]
    assert shares["kimi"]["agent_usd"] > 0 < shares["kimi"]["reviews_usd"]
    assert sum(each["agent_usd"] for each in shares.values()) == round(row["agent_cost_usd"], 6)
    story = world.ccc("logs", env=world.env(CCC_LANG="en")).out
    assert "glm has a limit until " in story
    assert story.count("held up") == 2
    world.ccc("report", "-o", "page.html", env=world.env(CCC_LANG="en"))
    page = (world.project / "page.html").read_text()
    assert "glm has a limit until " in page
    assert page.count("waiting for the limit of glm") == 2


def test_a_request_goes_back_to_the_first_and_the_agent_goes_where_its_reviewer_had_to_go(world: World) -> None:
    one, two, three = work(1, 2, 3)
    first = rules([one, limit(2), two, ALL], [limit(3600)])
    second = rules([ALL, three, ALL], [DONE, {"text": "The third is missing."}, DONE])
    with ScriptedModel(first) as glm, ScriptedModel(second) as kimi:
        prepare(world, glm, kimi, after=0)
        with at_the_terminal(world, *MAY, "--", "do it", **ONE_TRY) as terminal:
            terminal.wait_for("↪ glm has a limit until ")
            terminal.wait_for("[completed]")
            assert eventually(lambda: time.time() > glm.messages[-1].time + 3, 30)
            terminal.type("and the rest")
            terminal.wait_for("↪ glm may be back; this request goes to it")
            terminal.wait_for("↪ glm has a limit until ", times=2)
            terminal.wait_for("The third is missing.")
            terminal.wait_for("[completed]", times=2)
            leave(terminal)
    assert (world.project / "work").read_text() == "1\n2\n3\n"
    each_has_only_its_own((glm, "token-of-glm", "glm-5"), (kimi, "token-of-kimi", "kimi-k3"))
    assert (len(turns(glm)), len(reviews(glm)), len(turns(kimi)), len(reviews(kimi))) == (4, 1, 3, 3)
    assert living(f"HOME={world.home}") == set()
