"""A provider that refuses a key and repeats it, as gateways do: ccc tells of the refusal, and the key to nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real import hooks_world as hooks
from tests.real import test_pty_mode as pty
from tests.world import Run, World, provider

KEY = "sk-0123456789-of-the-provider"
PIECE = KEY[:9]
# … again and again, so that it stands across whatever cut there is.
REFUSED = {"error": 401, "message": " ".join([f"Received API Key = {KEY}. Unable to find token", *[KEY] * 300])}
DONE = {"text": "done"}


def started(world: World, mode: str) -> Run:
    if mode == "pty":
        return pty.alone(world, "--", "do it", **pty.ONE_TRY)
    return world.ccc("glm", "-p", "do it", env=pty.env(world, CCC_SUPERVISOR="1", **pty.ONE_TRY))


def script(mode: str, whose: str) -> list[dict[str, Any]]:
    if whose == "agent":
        return [{"times": None, "replies": [REFUSED]}]
    return (pty.rules if mode == "pty" else hooks.rules)([DONE], [REFUSED])


def in_a_header(url: str) -> dict[str, Any]:
    """A gateway's key, beside any word for a token."""
    own = provider(url, "any-word")
    return {"env": {**own["env"], "ANTHROPIC_CUSTOM_HEADERS": f"X-Gateway-Key: {KEY}"}}  # type: ignore[dict-item]


@pytest.mark.parametrize("mode", ["hooks", "pty"])
@pytest.mark.parametrize(("whose", "held"), [("agent", provider), ("reviewer", provider), ("reviewer", in_a_header)])
def test_a_key_in_a_refusal_is_neither_printed_nor_kept_nor_sent_on(
    world: World, mode: str, whose: str, held: Callable[..., dict[str, Any]]
) -> None:
    (world.project / "SUPERVISOR.md").write_text(f"{pty.CRITERIA}\n")
    with ScriptedModel(script(mode, whose)) as model, ScriptedModel() as another:
        options = {"gate": "off", "max_iterations": 1, "notify": {"url": f"{another.url}/v1/messages"}}
        words = (KEY,) if held is provider else ()
        world.write_config({"glm": held(model.url, *words)}, supervisor=options)
        run = started(world, mode)
        notice = another.wait_for_messages(1)[0].body.decode()
    logs = world.ccc("logs")
    said = logs.out + logs.err + notice
    assert "[key]" in said, (run.err, said)
    # The client's own words, in pty mode and under -p, are the client's.
    assert PIECE not in said + run.err
    # What the reviewer's client said is kept as it said it; see docs/security.md.
    kept = [path for path in world.state.rglob("*") if path.is_file() and not path.name.endswith("-output.jsonl")]
    assert [path.name for path in kept if PIECE.encode() in path.read_bytes()] == []


SAID = f"I looked round, and the key in my environment is {KEY}, which I will use."
REPEATED = [{"thinking": f"hm, {KEY}", "text": SAID, **pty.bash(f"echo token={KEY} # try")}, {"text": SAID}]


def test_a_key_that_a_model_repeats_is_in_no_piece_of_json_either(world: World) -> None:
    (world.project / "SUPERVISOR.md").write_text(f"{pty.CRITERIA}\n")
    with ScriptedModel(pty.rules(REPEATED, [pty.DONE])) as model:
        world.write_config({"glm": provider(model.url, KEY)}, supervisor={"gate": "off"})
        run = world.ccc(
            *("--supervisor", "--json", "glm", "--dangerously-skip-permissions", "--", "do it"), env=pty.env(world)
        )
    lines = [json.loads(line) for line in run.out.splitlines()]
    deltas = [line["event"].get("delta", {}) for line in lines if line["type"] == "stream_event"]
    for name in ("text", "thinking", "partial_json"):
        whole = "".join(delta.get(name, "") for delta in deltas)
        assert "[key]" in whole, name
        assert KEY not in whole
    assert KEY not in run.out


def test_where_the_variable_of_a_key_is_not_set_report_and_evidence_say_so(world: World) -> None:
    page = world.root / "page.html"
    with ScriptedModel(hooks.rules(REPEATED, [hooks.verdict(True)])) as model:
        world.write_config({"glm": provider(model.url, "${GLM_API_KEY}")}, supervisor={"gate": "off"})
        env = pty.env(world, CCC_SUPERVISOR="1", GLM_API_KEY=KEY)
        world.ccc("glm", "-p", "do it", "--dangerously-skip-permissions", env=env)
    for words in (("report", "-o", str(page)), ("evidence",)):
        known = world.warm(*words, env=world.env(GLM_API_KEY=KEY))
        assert known.err == ""
        assert KEY not in known.out + page.read_text()
        unknown = world.warm(*words)
        assert unknown.err.startswith("ccc: GLM_API_KEY: not set here"), unknown
        assert KEY in unknown.out + page.read_text()
        page.write_text("")


def test_evidence_of_a_file_withholds_keys_as_well(world: World) -> None:
    (world.project / "SUPERVISOR.md").write_text(f"{pty.CRITERIA}\n")
    with ScriptedModel(hooks.rules(REPEATED, [hooks.verdict(True)])) as model:
        world.write_config({"glm": provider(model.url, KEY)}, supervisor={"gate": "off"})
        world.ccc("glm", "-p", "do it", "--dangerously-skip-permissions", env=pty.env(world, CCC_SUPERVISOR="1"))
    told = [
        world.warm("evidence", "--transcript", str(path)).out for path in (world.config / "projects").rglob("*.jsonl")
    ]
    assert "[key]" in "".join(told)
    assert KEY not in "".join(told)
