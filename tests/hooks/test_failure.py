"""StopFailure: the hook is told that the API has ended a turn; the real client is in tests/real/test_weather.py."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.stops import Desk
from tests.world import World, provider

GLM = "API Error: Request rejected (429) · Usage limit reached. Your limit will reset at 2099-11-17 06:30:00"


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def failure(**more: object) -> dict[str, object]:
    return {"hook_event_name": "StopFailure", "error": "rate_limit", "last_assistant_message": GLM, **more}


def test_it_is_the_end_of_the_request_uncounted_unreviewed_and_silent(desk: Desk) -> None:
    run = desk.stop("allow", env={"CCC_PROVIDER": "glm"}, **failure(prompt_id="p1"))
    assert (run.code, run.out, desk.starts) == (0, "", [])
    state = desk.state()
    assert (state["count"], state["phase"], state["outcome"], state["prompt_id"]) == (0, "done", "unreviewed", "p1")
    assert (state["provider"], state["mode"], state["project"]) == ("glm", "hooks", str(desk.world.project))
    assert state["reason"].startswith("glm: usage limit")
    status, logs = desk.world.ccc("status").out, desk.world.ccc("logs").out
    assert "not reviewed: glm: usage limit" in status
    assert f"cut off    {GLM}" in logs
    line = desk.world.ccc("statusline", stdin=json.dumps({"session_id": "abc123"}).encode()).out
    assert "not reviewed: glm: usage limit" in line
    desk.world.write_config({"glm": provider("http://127.0.0.1:9")})
    after = desk.world.ccc("glm", "--version", env=desk.env(CCC_SUPERVISOR="1")).err
    assert "glm: usage limit" in after


def test_the_next_request_of_the_session_starts_anew_and_is_reviewed(desk: Desk) -> None:
    desk.stop("block", prompt_id="p1")
    desk.stop("allow", **failure(prompt_id="p2"))
    assert (desk.state()["count"], desk.state()["findings"]) == (0, [])
    desk.stop("allow", prompt_id="p2")
    assert (desk.state()["count"], desk.state()["outcome"]) == (1, "completed")


@pytest.mark.parametrize(
    ("env", "event"),
    [
        ({"CLAUDECODE": "1"}, {}),
        ({"CLAUDECODE": "1", "CCC_SUPERVISOR": "0"}, {}),
        ({"CCC_PTY": "1"}, {}),
        ({}, {"session_id": "../x"}),
        ({}, {"agent_id": "a1"}),
    ],
    ids=["no ccc", "switched off", "pty mode", "nobody's", "a subagent's"],
)
def test_whoever_is_not_supervised_leaves_no_session(desk: Desk, env: dict[str, str], event: dict[str, Any]) -> None:
    run = desk.stop("allow", env=env, **failure(**event))
    assert (run.code, run.out) == (0, "")
    assert list(desk.world.state.glob("supervisor-*.json")) == []


def test_where_reviews_are_off_nothing_is_told(desk: Desk) -> None:
    desk.world.ccc("off")
    run = desk.stop("allow", **failure())
    assert (run.code, run.out) == (0, "")
    assert list(desk.world.state.glob("supervisor-*.json")) == []


@pytest.mark.parametrize("value", [None, 5, [], {}, "\0", "x" * 100_000])
def test_whatever_the_fields_hold_the_client_hears_nothing(desk: Desk, value: object) -> None:
    keys = ("error", "last_assistant_message", "error_details", "cwd", "prompt_id", "transcript_path")
    run = desk.stop("allow", **failure(**dict.fromkeys(keys, value)))
    assert (run.code, run.out) == (0, "")
    assert desk.state()["outcome"] == "unreviewed"


def test_a_memory_that_cannot_be_written_is_no_reason_to_say_something(desk: Desk) -> None:
    desk.world.state.parent.mkdir(parents=True, exist_ok=True)
    desk.world.state.write_text("in the way")
    run = desk.stop("allow", **failure())
    assert (run.code, run.out) == (0, "")


KEY = "sk-which-nobody-else-may-see"


@pytest.mark.parametrize("event", ["a refusal", "a background task", "no event"])
def test_no_piece_of_a_key_is_kept_where_words_are_cut(desk: Desk, event: str) -> None:
    """All that a cut before the rest was looked at would leave of it: but for its last character."""
    desk.world.write_config({"glm": provider("http://127.0.0.1:9", KEY)})
    upto = {"a refusal": 300, "a background task": 80, "no event": 40}[event]
    said = f"{'p' * (upto - len(KEY) - 1)} {KEY} again"
    given: dict[str, dict[str, Any]] = {
        "a refusal": failure(last_assistant_message=said, error="unknown"),
        "a background task": {"background_tasks": [{"id": said, "type": "shell"}]},
        "no event": {"hook_event_name": said},
    }
    desk.stop("block", env={"CCC_PROVIDER": "glm"}, **given[event])
    kept = [path.read_text() for path in desk.world.state.rglob("*") if path.is_file()]
    assert any("ppp" in text for text in kept)
    assert not any(KEY[:8] in text for text in kept)
