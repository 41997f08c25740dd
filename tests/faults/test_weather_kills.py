"""ccc killed while it waits for a provider or goes from one to another: nothing is lost, nobody lives on.

Each kill is a round: a piece of work, then limits at both providers, so that whatever ccc does from there on is a wait,
a change or a review that meets one of them; somewhere in it comes the signal. The next round resumes the session.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ccc.trial.scripted import Request, ScriptedModel
from tests.pty_desk import SESSION, Desk
from tests.real.test_pty_mode import DONE, REVIEWER, bash, env
from tests.stops import eventually, living
from tests.world import World, provider

KILLS = int(os.environ.get("CCC_TEST_KILLS", "2"))  # with the real client
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
MAY = ("--permission-mode", "bypassPermissions")
LONGEST = 4.5  # seconds from the first limit to the end of a round that nobody kills


def configure(world: World, glm: str, kimi: str) -> None:
    providers = {"glm": {**provider(glm, "token-of-glm"), "fallback": "kimi"}, "kimi": provider(kimi, "token-of-kimi")}
    world.write_config(providers, supervisor={"fallback_after_minutes": 0})
    (world.project / "SUPERVISOR.md").write_text("The work must be done.\n")


def in_order(world: World) -> None:
    """What ccc remembers is whole, and no key has got out of ccc.json."""
    for path in world.state.glob("supervisor-*.json"):
        json.loads(path.read_bytes())
    for path in world.state.glob("supervisor-*-story.jsonl"):
        for line in path.read_bytes().splitlines():
            json.loads(line)
    holding = [path for path in world.root.rglob("*") if path.is_file() and b"token-of" in path.read_bytes()]
    assert {path.name for path in holding} <= {"ccc.json", "started.jsonl"}  # the latter is a scripted client's own


# --- the real client ---


def script(number: int) -> list[dict[str, Any]]:
    """The newest piece that the conversation knows of is the one that is worked on."""
    pieces = ({"anywhere": f"piece {n}.", "replies": [bash(f"echo {n} >> work"), {"limit": 1}]} for n in _down(number))
    return [
        {**REVIEWER, "times": None, "replies": [{"limit": 1}, DONE] * (number + 2)},
        *pieces,
        {"times": None, "replies": [{"text": "It is there."}]},
    ]


def other(number: int) -> list[dict[str, Any]]:
    pieces = ({"anywhere": f"piece {n}.", "replies": [{"limit": 1}]} for n in _down(number))
    return [
        {**REVIEWER, "times": None, "replies": [{"limit": 1}, DONE] * (number + 2)},
        *pieces,
        {"times": None, "replies": [{"text": "It is there."}]},
    ]


def _down(number: int) -> Iterator[int]:
    return iter(range(number, 0, -1))


@dataclass
class Rounds:
    world: World
    glm: ScriptedModel
    chance: random.Random

    def start(self, piece: int) -> subprocess.Popen[bytes]:
        chosen = ("--resume" if piece > 1 else "--session-id", SESSION)
        argv = self.world.command("--supervisor", "glm", *MAY, *chosen, "--", f"Do piece {piece}.")
        given = env(self.world, CLAUDE_CODE_MAX_RETRIES="0")
        return subprocess.Popen(
            argv, env=given, cwd=self.world.project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def killed(self, piece: int) -> str:
        """Where the signal has found it."""
        with self.start(piece) as ccc:
            assert ccc.stdout
            assert eventually(lambda: self._refused(piece), 60)
            try:
                ccc.wait(self.chance.uniform(0, LONGEST))
            except subprocess.TimeoutExpired:
                ccc.send_signal(self.chance.choice(SIGNALS))
            ccc.wait(30)
            *_, before, last = ccc.stdout.read().decode().splitlines()
        assert eventually(lambda: not living(f"HOME={self.world.home}"), 30), last
        return next((place for place, mark in PLACES.items() if mark in last or mark in before), last)

    def _refused(self, piece: int) -> bool:
        return any(f"piece {piece}." in each.text and _has_worked(each, piece) for each in self.glm.messages)


PLACES = {
    "after its end": "[completed]",
    "a wait": "waiting for the limit of",
    "a change": "↪",
    "a review": "[review",
    "a turn": "",
}


def _has_worked(request: Request, piece: int) -> bool:
    return f"echo {piece} >> work" in request.body.decode()


def test_killed_in_a_wait_or_a_change_nothing_is_lost_and_nobody_lives_on(world: World) -> None:
    chance = random.Random(os.environ.get("CCC_TEST_SEED", "12"))
    with ScriptedModel(script(KILLS + 1)) as glm, ScriptedModel(other(KILLS + 1)) as kimi:
        configure(world, glm.url, kimi.url)
        before = (world.config / "ccc.json").read_bytes()
        rounds = Rounds(world, glm, chance)
        found: Counter[str] = Counter()
        for piece in range(1, KILLS + 1):
            found[rounds.killed(piece)] += 1
            in_order(world)
            assert (world.project / "work").read_text().split() == [str(n) for n in range(1, piece + 1)]
        with rounds.start(KILLS + 1) as last:
            out = last.communicate(timeout=120)[0].decode()
            assert last.returncode == 0, out
    print(dict(found))
    pieces = [str(n) for n in range(1, KILLS + 2)]
    assert (world.project / "work").read_text().split() == pieces
    told = [
        request.body.decode() for request in (*glm.messages, *kimi.messages) if f"piece {KILLS + 1}." in request.text
    ]
    assert told
    assert all(f"echo {n} >> work" in body for body in told[1:] for n in pieces[:-1])
    assert json.loads((world.config / "ccc.json").read_text()) == json.loads(before) | {"current_provider": "glm"}
    assert not living(f"HOME={world.home}")


# --- a scripted one, for more of them ---


@pytest.fixture
def desk(world: World) -> Desk:
    desk = Desk(world).make()
    configure(world, "http://127.0.0.1:9", "http://127.0.0.1:9")
    return desk


def limited(seconds: int) -> list[list[object]]:
    text = f"API Error: try again in {seconds} seconds"
    return [["result", {"is_error": True, "result": text, "api_error_status": 429}]]


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_at_any_moment_leaves_a_session_that_goes_on(desk: Desk, seed: int) -> None:
    chance = random.Random(seed)
    desk.turns(*[limited(1)] * 3, [["say", "done"], ["result"]])
    desk.reviews(limited(1), limited(1))
    argv = desk.world.command("--supervisor", "glm", *(("--resume", SESSION) if seed % 2 else ()), "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.DEVNULL) as ccc:
        assert eventually(lambda: desk.told, 60)
        try:
            ccc.wait(chance.uniform(0, LONGEST))
        except subprocess.TimeoutExpired:
            ccc.send_signal(chance.choice(SIGNALS))
        ccc.wait(30)
    assert desk.is_alone(seconds=30)
    in_order(desk.world)
    heard = len(desk.told)
    desk.turns(*[limited(1)] * heard, [["say", "done"], ["result"]]).reviews()
    run = desk.run("--resume", SESSION, "--", "go on")
    assert (run.code, desk.told[heard:]) == (0, ["go on"]), run.out
    assert desk.is_alone(seconds=30)
