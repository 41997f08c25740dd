"""A provider that refuses a key and repeats it, as gateways do: ccc tells of the refusal, and the key to nobody."""

from __future__ import annotations

from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real import hooks_world as hooks
from tests.real import test_pty_mode as pty
from tests.world import Run, World, provider

KEY = "sk-0123456789-of-the-provider"
REFUSED = {"error": 401, "message": f"Received API Key = {KEY}. Unable to find token"}
DONE = {"text": "done"}


def started(world: World, mode: str) -> Run:
    if mode == "pty":
        return pty.alone(world, "--", "do it", **pty.ONE_TRY)
    return world.ccc("glm", "-p", "do it", env=pty.env(world, CCC_SUPERVISOR="1", **pty.ONE_TRY))


def script(mode: str, whose: str) -> list[dict[str, Any]]:
    if whose == "agent":
        return [{"times": None, "replies": [REFUSED]}]
    return (pty.rules if mode == "pty" else hooks.rules)([DONE], [REFUSED])


@pytest.mark.parametrize("mode", ["hooks", "pty"])
@pytest.mark.parametrize("whose", ["agent", "reviewer"])
def test_a_key_in_a_refusal_is_neither_printed_nor_kept_nor_sent_on(world: World, mode: str, whose: str) -> None:
    (world.project / "SUPERVISOR.md").write_text(f"{pty.CRITERIA}\n")
    with ScriptedModel(script(mode, whose)) as model, ScriptedModel() as another:
        options = {"gate": "off", "max_iterations": 1, "notify": {"url": f"{another.url}/v1/messages"}}
        world.write_config({"glm": provider(model.url, KEY)}, supervisor=options)
        run = started(world, mode)
        notice = another.wait_for_messages(1)[0].body.decode()
    logs = world.ccc("logs")
    said = logs.out + logs.err + notice
    assert "[key]" in said, (run.err, said)
    # The client's own words, in pty mode and under -p, are the client's.
    assert KEY not in said + run.err
    # What the reviewer's client said is kept as it said it; see docs/security.md.
    kept = [path for path in world.state.rglob("*") if path.is_file() and not path.name.endswith("-output.jsonl")]
    assert [path.name for path in kept if KEY.encode() in path.read_bytes()] == []
