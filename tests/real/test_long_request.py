"""The limits of a request that is longer than what is read of its conversation, with the real client."""

from __future__ import annotations

import os
import shlex
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from ccc.claude.transcript import WINDOW_LIMIT
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import agent_requests, reviews, rules, supervised, verdict
from tests.real.test_money import CHEAP, DEAR, MODEL, agent, judged
from tests.world import World

pytestmark = pytest.mark.long

ENGLISH = {"CCC_LANG": "en"}
# A new session's conversation is there a moment later.
OWN = """
import glob, os
own = os.environ["CLAUDE_CODE_SESSION_ID"]
while not (found := glob.glob(os.path.expanduser(f"~/.claude/projects/*/{own}.jsonl"))):
    pass
[path] = found
"""
LINES = """
with open(path, "a") as file:
    for _ in range(67):
        file.write('{"type": "progress", "data": "%s"}\\n' % ("x" * 2**20))
"""
GROWS = shlex.join(["python3", "-c", OWN + LINES])


NOTHING_USED = """
with open(path, "r+b") as file:
    told = file.read().replace(b'_tokens":100000', b'_tokens":1     ')
    file.seek(0)
    file.write(told)
"""


def bash(command: str, **more: Any) -> dict[str, Any]:
    return {"tools": [{"name": "Bash", "input": {"command": command, **more}}], "usage": DEAR}


@pytest.mark.parametrize(
    ("cap", "reason"),
    [
        ({"max_tokens": 100_000}, "400000 of 100000 tokens used"),
        ({"max_cost_usd": 1.0}, " of $1 spent"),
        ({"max_minutes": 0.01}, " of 0.01 minutes used"),
    ],
)
def test_each_limit_holds_in_a_conversation_that_has_grown_beyond_what_is_read(
    world: World, cap: dict[str, object], reason: str
) -> None:
    script = rules([bash(GROWS), *[agent(DEAR)] * 3], [judged(False, "go on"), judged(False, "more"), judged(True)])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, "--model", MODEL, supervisor={**cap, "verdict": "schema"}, env=ENGLISH)
    assert seen.state["outcome"] == "limit"
    assert seen.state["count"] <= 1  # money has a price from the first review on
    assert reason in seen.state["reason"]
    assert "more may be used" not in seen.run.err


def test_turns_that_begin_by_themselves_are_one_request_there_as_well(world: World) -> None:
    def wakes() -> dict[str, Any]:
        return bash("sleep 2", run_in_background=True)

    turns = [turn for n in range(3) for turn in (agent(DEAR), {"text": f"done {n}"}, wakes(), {"text": f"waits {n}"})]
    with ScriptedModel(rules([bash(GROWS), wakes(), *turns], [verdict(False, f"find {n}") for n in range(9)])) as model:
        seen = supervised(world, model, supervisor={"max_iterations": 2, "verdict": "schema"}, env=ENGLISH)
    assert (len(reviews(model)), seen.state["count"], seen.state["outcome"]) == (2, 2, "limit")


def picture(path: Path) -> str:
    """A file of noise, which the client hands over as it is."""
    rows = b"".join(b"\0" + os.urandom(3_300) for _ in range(900))
    parts = (b"IHDR", struct.pack(">IIBBBBB", 1_100, 900, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 1))
    chunks = (struct.pack(">I", len(data)) + kind + data + _sum(kind + data) for kind, data in (*parts, (b"IEND", b"")))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    return str(path)


def _sum(data: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(data))


def test_an_agent_that_looks_at_many_pictures_has_its_limits(world: World) -> None:
    paths = [picture(world.project / f"{n}.png") for n in range(4)]
    look = {"tools": [{"name": "Read", "input": {"file_path": path}} for path in paths], "usage": DEAR}
    with ScriptedModel(rules([*[look] * 13, *[agent(DEAR)] * 2], [verdict(False, "go on"), verdict(True)])) as model:
        caps = {"max_tokens": 100_000, "verdict": "schema"}
        seen = supervised(world, model, supervisor=caps, env=ENGLISH)
    assert Path(seen.state["transcript"]).stat().st_size > WINDOW_LIMIT
    assert (seen.state["outcome"], seen.state["count"], len(agent_requests(model))) == ("limit", 0, 14)


@pytest.mark.parametrize("cap", [{"max_tokens": 206_000}, {"max_cost_usd": 1.87}])
def test_what_was_used_by_a_stop_counts_though_the_conversation_says_otherwise_later(
    world: World, cap: dict[str, object]
) -> None:
    less = {**bash(shlex.join(["python3", "-c", OWN + NOTHING_USED])), "usage": CHEAP}
    script = rules([agent(DEAR), less, *[agent(CHEAP)] * 2], [judged(False, "go on"), judged(True)])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, "--model", MODEL, supervisor={**cap, "verdict": "schema"}, env=ENGLISH)
    assert b'_tokens":100000' not in Path(seen.state["transcript"]).read_bytes()
    assert (seen.state["outcome"], seen.state["count"]) == ("limit", 1)
