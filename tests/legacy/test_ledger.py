from __future__ import annotations

import json

from ccc.model import Outcome, StopEvent
from ccc.record.events import Changed, HeldUp, WentOn
from ccc_legacy.ledger import Ledger
from ccc_legacy.review import Case
from tests.world import World


def test_a_wait_belongs_to_the_request_that_meets_it(world: World) -> None:
    """Else its first review would be counted, and judged, as the last request's."""
    world.state.mkdir(mode=0o700)
    state = world.state / "supervisor-abc.json"
    before = {"count": 3, "findings": ["more"], "outcome": "completed", "cost_usd": 1.0}
    state.write_text(json.dumps({"session_id": "abc", "prompt_id": "first", **before}))
    ledger, stop = (
        Ledger(lambda _: world.env()),
        StopEvent("abc", world.project, prompt_id="second", cost_by={"glm": 0.5}),
    )
    case = Case(stop, world.project, "glm")

    def stored(*names: str) -> list[object]:
        return [json.loads(state.read_text())[name] for name in names]

    ledger.happened(case, HeldUp("limit", "2026-11-16T14:32:00+00:00", "…", "glm"))
    assert stored("prompt_id", "count", "findings", "outcome", "cost_usd") == ["second", 0, [], None, 0]
    assert stored("phase", "held_by", "provider") == ["held_up", "limit", "glm"]
    ledger.happened(case, WentOn(3))
    assert stored("phase", "held_until") == ["working", ""]
    ledger.happened(Case(stop, world.project, "kimi"), Changed("glm", "kimi", "limit"))
    assert stored("phase", "provider", "agent_cost_by") == ["working", "kimi", {"glm": 0.5}]


def test_which_answer_was_its_own_is_kept_with_a_session_that_pty_mode_has_ended_once(world: World) -> None:
    ledger, state = Ledger(lambda _: world.env()), world.state / "supervisor-abc.json"
    ledger.answered("abc", "a1")
    assert not state.exists()  # a session that nobody has ended yet leaves no trace
    ledger.close(Case(StopEvent("abc", world.project), world.project, "glm", answer="a1"), Outcome.OFF, "off")
    assert json.loads(state.read_text())["answer"] == "a1"
    ledger.answered("abc", "a2")
    assert json.loads(state.read_text())["answer"] == "a2"
