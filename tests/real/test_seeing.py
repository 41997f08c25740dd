"""What people look at tells one and the same real run: hooks mode, two reviews, the agent sent back once."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from typing import Any

import pytest

from ccc.record import story
from ccc.record.events import Judged, Stopped
from ccc.record.words import dollars
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import Supervised, rules, supervised, verdict
from tests.real.screen import Screen
from tests.world import CCC, World

FEEDBACK = "Run the tests.\nThen <script>alert(1)</script> \x1b[31mmend\x1b[0m what fails."
CLEANED = "Run the tests.\nThen <script>alert(1)</script> mend what fails."


def test_whatever_a_person_looks_at_tells_the_same_run(world: World) -> None:
    seen = sent_back_once(world)
    status_logs_statusline_and_state_tell_it(world, seen)
    the_report_tells_it(world, seen)
    watch_shows_it_and_cleaning_leaves_what_is_young(world, seen)


def sent_back_once(world: World) -> Supervised:
    look = {"tools": [{"name": "Bash", "input": {"command": "ls -la", "description": "look"}}]}
    script = rules([{"text": "all done"}, {"text": "now really"}], [look, verdict(False, FEEDBACK), verdict(True)])
    with ScriptedModel(script) as model:
        return supervised(world, model)


def status(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(world.warm("status", "--json").out)
    return found


def status_logs_statusline_and_state_tell_it(world: World, seen: Supervised) -> None:
    state = seen.state
    (row,) = status(world)
    for key in ("session_id", "count", "phase", "outcome", "reason", "cost_usd", "tokens", "created_at", "updated_at"):
        assert row[key] == state[key], key
    assert (row["mode"], row["provider"], row["project"]) == ("hooks", "glm", str(world.project))
    assert (row["count"], row["limit"], row["verdict"], row["outcome"]) == (2, 10, "completed", "completed")
    assert row["next_cost_usd"] == (state["last_cost_usd"] or None)
    assert state["findings"] == [CLEANED]

    told = story.load(world.state, seen.session_id)
    stops = [event for event in told if isinstance(event, Stopped)]
    verdicts = [event for event in told if isinstance(event, Judged)]
    assert [event.count for event in stops] == [1, 2]
    assert [event.allow_stop for event in verdicts] == [False, True]
    costs = [event.cost_usd for event in verdicts]
    used = [f"{event.tokens:,} tokens · {event.model}" for event in verdicts]
    assert sum(costs) == pytest.approx(row["cost_usd"], abs=1e-5)
    assert sum(event.tokens for event in verdicts) == row["tokens"]

    lines = world.warm("logs").out.splitlines()
    assert lines == world.warm("logs", seen.session_id[:8]).out.splitlines()
    assert lines[0] == f"session {seen.session_id}"
    steps = [line[10:] for line in lines if re.match(r"\d\d:\d\d:\d\d  ", line)]
    assert [step for step in steps if step.startswith(("stop ", "verdict ", "sent back ", "may stop "))] == [
        "stop       1/10 · all done",
        f"verdict    the work is not complete · {dollars(costs[0])} · {used[0]}",
        "sent back  by the reviewer",
        "stop       2/10 · now really",
        f"verdict    the work is complete · {dollars(costs[1])} · {used[1]}",
        f"may stop   completed · agent at least {dollars(row['agent_cost_usd'])}, reviews {dollars(row['cost_usd'])}",
    ]
    assert "reviewer   ⚙ Bash ls -la" in steps
    below = [line.strip() for line in lines if line.startswith(" " * 21)]
    assert below == CLEANED.splitlines()

    line = world.warm("statusline", stdin=json.dumps({"session_id": seen.session_id}).encode())
    assert (line.out, line.code) == ("ccc: supervised · 2/10 · completed\n", 0)
    shown = world.warm("status").out
    for words in (seen.session_id[:8], "glm", "hooks", "2/10", "completed", dollars(row["cost_usd"])):
        assert words in shown
    assert f"≥ {dollars(row['agent_cost_usd'])}" in shown


def the_report_tells_it(world: World, seen: Supervised) -> None:
    path = world.root / "report.html"
    assert world.warm("report", seen.session_id[:8], "-o", str(path)).code == 0
    text = re.sub(r"<[^>]+>", " ", path.read_text())
    shown = " ".join(html.unescape(text).split())
    (row,) = status(world)
    for words in ("Completed", "do it", "all done", "now really", "glm", "hooks", dollars(row["cost_usd"])):
        assert words in shown, words
    assert f"Agent cost at least {dollars(row['agent_cost_usd'])}" in shown
    assert shown.count("not done") >= 1
    assert shown.count("may stop") >= 1
    for line in CLEANED.splitlines():
        assert line in shown
    assert "<script" not in path.read_text()


def watch_shows_it_and_cleaning_leaves_what_is_young(world: World, seen: Supervised) -> None:
    with Screen([str(CCC), "watch"], env=world.env(), cwd=world.project) as screen:
        screen.wait_for("▸ " + seen.session_id[:8])
        screen.wait_for("2/10")
        screen.press("enter")
        screen.wait_for("sent back  by the reviewer")
        screen.wait_for("mend what fails.")
        screen._child.send("q")
        screen._child.read()
        assert screen._child.wait() == 0
    assert "nothing is older" in world.warm("clean", "--older-than", "1h").out
    assert world.warm("clean", "--older-than", "nonsense").code == 2
    assert seen.state["outcome"] == "completed"


def test_statusline_starts_without_the_command_line(world: World) -> None:
    program = "import sys; sys.argv = ['ccc', 'statusline']; from ccc.__main__ import main; main(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=world.env(), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    line, loaded = done.stdout.splitlines()
    assert line == "ccc: not supervised"
    assert not {"click", "rich", "orjson", "ccc.commands.cli", "dataclasses"} & set(loaded.split())
