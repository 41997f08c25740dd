"""What version 0.1 wrote is read by every command: four sessions of it, as its own files tell them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.stops import Desk
from tests.world import World

DATA = Path(__file__).parents[1] / "data" / "v01"
LONG_AGO = 1_760_000_000
COMPLETED, ASKED, FAILED, PTY = "c9a320ee", "126b60e4", "d8c5c924", "2773b44f"


@pytest.fixture
def old(world: World) -> World:
    """The state folder as 0.1 left it, in this test's world."""
    world.state.mkdir(parents=True)
    world.state.chmod(0o700)
    for path in (DATA / "ccc").iterdir():
        text = path.read_text().replace("@ROOT@", str(world.root))
        (world.state / path.name).write_text(text)
        os.utime(world.state / path.name, (LONG_AGO, LONG_AGO))
    (world.config / "settings.json").write_text((DATA / "settings.json").read_text().replace("@ROOT@", str(world.root)))
    world.write_config({})
    return world


def whole_id(old: World, beginning: str) -> str:
    (found,) = [path.stem for path in old.state.glob(f"supervisor-{beginning}*.json")]
    return found.removeprefix("supervisor-")


def test_status_has_all_of_them_with_count_mode_outcome_and_cost(old: World) -> None:
    rows = {row["session_id"][:8]: row for row in json.loads(old.ccc("status", "--json").out)}
    assert {name: (row["count"], row["mode"]) for name, row in rows.items()} == {
        COMPLETED: (3, "hooks"),
        ASKED: (3, "hooks"),
        FAILED: (1, "hooks"),
        PTY: (2, "pty"),
    }
    assert {name: row["outcome"] for name, row in rows.items()} == {
        COMPLETED: "completed",
        ASKED: "needs_human",
        FAILED: "unreviewed",
        PTY: "completed",
    }
    assert rows[COMPLETED]["cost_usd"] == 0.000272


@pytest.mark.parametrize(
    ("session", "told"),
    [(COMPLETED, "run the tests first"), (ASKED, "do it"), (FAILED, "Invalid request"), (PTY, "say more")],
)
def test_logs_and_report_tell_their_story(old: World, session: str, told: str) -> None:
    logs = old.ccc("logs", session)
    assert (logs.code, told in logs.out) == (0, True)
    page = old.root / "page.html"
    assert old.ccc("report", session, "-o", str(page)).code == 0
    assert told in page.read_text()


def test_the_other_commands_read_them_too(old: World) -> None:
    assert old.ccc("report", "--all", "-o", str(old.root / "all.html")).code == 0
    line = old.ccc("statusline", stdin=json.dumps({"session_id": whole_id(old, ASKED)}).encode())
    assert (line.code, "needs you" in line.out) == (0, True)
    assert "4 sessions" in old.ccc("clean", "--older-than", "1h").out
    assert str(old.root / "bin" / "ccc") in old.ccc("hooks", "status").out
    assert old.ccc("on", "--session", COMPLETED).out.endswith(f"for {whole_id(old, COMPLETED)}\n")


def test_a_further_stop_of_an_old_request_goes_on_counting(old: World) -> None:
    desk = Desk(old).make()
    session = whole_id(old, FAILED)
    before = json.loads((old.state / f"supervisor-{session}.json").read_text())
    desk.stop("allow", session_id=session, prompt_id=before["prompt_id"])
    after = json.loads((old.state / f"supervisor-{session}.json").read_text())
    assert (after["count"], after["outcome"]) == (before["count"] + 1, "completed")
    assert after["created_at"] == before["created_at"]
