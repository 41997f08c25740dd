"""An agent that begins background work before each of its stops, so that none of them would count."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from subprocess import PIPE

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import reviews, verdict
from tests.stops import eventually
from tests.world import World, provider

WORK = {"tools": [{"name": "Bash", "input": {"command": "sleep 1", "run_in_background": True}}]}
AGENT = {"times": None, "replies": [WORK, {"text": "waiting"}] * 500}


@pytest.mark.parametrize(
    ("caps", "held", "why"),
    [
        ({"max_iterations": 2}, 2, "2 of 2 reviews used"),
        ({"max_tokens": 30}, 0, "of 30 tokens used"),
    ],
)
def test_in_pty_mode_the_limit_comes_and_ends_it(world: World, caps: Mapping[str, int], held: int, why: str) -> None:
    (world.config / "SUPERVISOR.md").write_text("Be strict.")
    script = [{"system": "Be strict.", "times": None, "replies": [{"text": f"Not done {n}."} for n in range(9)]}, AGENT]
    with ScriptedModel(script) as model:
        world.write_config({"glm": provider(model.url)}, supervisor={"gate": "off", **caps})
        run = world.ccc("--supervisor", "glm", "--dangerously-skip-permissions", "--", "do it")
        asked = [request for request in model.messages if "Be strict." in request.system]
    assert (run.code, len(asked)) == (3, held), run.out
    assert why in run.out


def test_in_hooks_mode_it_is_reviewed_to_the_limit_though_its_client_wakes_it_for_ever(world: World) -> None:
    script = [
        {"tool": "StructuredOutput", "times": None, "replies": [verdict(False, f"no {n}") for n in range(9)]},
        AGENT,
    ]
    with ScriptedModel(script) as model:
        world.write_config({"glm": provider(model.url)}, supervisor={"max_iterations": 2, "gate": "off"})
        argv = world.command("glm", "-p", "do it", "--dangerously-skip-permissions")
        env = world.env(CCC_SUPERVISOR="1", CCC_LANG="en")
        log = world.state / "hook-invocation.log"
        with subprocess.Popen(argv, env=env, cwd=world.project, stdout=PIPE, stderr=PIPE) as client:
            assert eventually(lambda: log.exists() and "2 of 2 reviews used" in log.read_text(), 240)
            client.kill()
        assert len(reviews(model)) == 2
        assert "waited for 5 times in this request, so this stop counts" in log.read_text()
