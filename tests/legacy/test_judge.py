"""`ccc pty-review`: a Case in, a story and one decision out, whatever state the machine is in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from ccc.model import StopEvent
from ccc_legacy import review
from ccc_legacy.review import Case, case_told
from tests.world import World


def test_a_config_that_broke_since_the_start_gives_one_decision_that_says_so(world: World) -> None:
    (world.config / "ccc.json").write_text("{")
    case = Case(StopEvent("session-1", world.project, prompt_id="r"), world.root / "criteria", inputs=("do it",))
    run = world.ccc("pty-review", stdin=case_told(case).encode())
    told = [json.loads(line) for line in run.out.splitlines()]
    assert (run.code, run.err) == (0, "")
    assert [line["decision"]["outcome"] for line in told if line["event"] == "decision"] == ["unreviewed"]
    assert "ccc.json" in told[-1]["decision"]["why"]


def test_nobody_else_can_open_what_a_review_and_ccc_tell_each_other(world: World) -> None:
    async def opened() -> list[str]:
        talk = await review._started(world.env())
        ends = [str(Path(f"/proc/{talk.process.pid}/fd/{number}").readlink()) for number in (0, 1, 2)]
        await talk.end()
        return ends

    assert [end.partition(":")[0] for end in asyncio.run(opened())] == ["socket"] * 3
