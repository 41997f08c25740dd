"""An answer that does not come in one piece: the real client tells its last part, and ccc reads all of it."""

from __future__ import annotations

from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.world import World, provider

NOT_DONE = "Three of twelve tests fail, so the work is not done. An answer that I will not give:"
PERMISSION = {"hooks": '{"allow_stop": true, "feedback": ""}', "pty": "[TASK_COMPLETED]"}
ASKED = {"hooks": '"basis": "…"', "pty": "never write a marker"}


def reviewed(world: World, mode: str, verdict: str, rules: list[dict[str, Any]]) -> str:
    """The log of a request with one review."""
    agent = {"times": None, "replies": [{"text": "I did it."}]}
    with ScriptedModel([*rules, agent]) as model:
        world.write_config(
            {"glm": provider(model.url)}, supervisor={"verdict": verdict, "gate": "off", "max_iterations": 1}
        )
        (world.config / "SUPERVISOR.md").write_text("Be strict.")
        if mode == "pty":
            world.ccc("--supervisor", "glm", "--", "do it", env=world.env(CCC_LANG="en"))
        else:
            world.ccc("glm", "-p", "do it", env=world.env(CCC_SUPERVISOR="1", CCC_LANG="en"))
    return (world.state / "hook-invocation.log").read_text()


@pytest.mark.parametrize("mode", ["hooks", "pty"])
def test_a_permission_in_the_last_part_of_an_answer_is_read_with_what_came_before(world: World, mode: str) -> None:
    first = {"last": ASKED[mode], "times": None, "replies": [{"text": NOT_DONE, "parts": [PERMISSION[mode]]}]}
    second = {
        "last": "`unchanged` (boolean",
        "times": None,
        "replies": [{"text": "No.", "parts": [PERMISSION["hooks"]]}],
    }
    log = reviewed(world, mode, "text", [first, second])
    assert "asked again" in log
    assert "outcome=completed" not in log
    assert NOT_DONE in log.split("sent back ")[1]


def test_of_two_verdicts_in_one_message_the_last_one_does_not_simply_win(world: World) -> None:
    calls = [{"name": "StructuredOutput", "input": {"allow_stop": allow, "feedback": "f"}} for allow in (False, True)]
    no = {"tools": [{"name": "StructuredOutput", "input": {"allow_stop": False, "feedback": "Mend it."}}]}
    log = reviewed(world, "hooks", "schema", [{"tool": "StructuredOutput", "replies": [{"tools": calls}, no]}])
    assert "asked again" in log
    assert 'allow_stop=false feedback="Mend it."' in log
