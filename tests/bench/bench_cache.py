"""What a review of a long conversation makes the provider read anew, counted on the wire."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from ccc.trial.scripted import Request, ScriptedModel
from tests.bench.rows import Row
from tests.real.hooks_world import without_cache_marks
from tests.world import World, provider

CONVERSATION = 500_000  # characters: some 150,000 tokens
USAGE = {"input_tokens": 150_000}
SCRIPT: list[dict[str, Any]] = [
    {"last": "allow_stop", "times": None, "replies": [{"text": '{"allow_stop": true, "feedback": ""}'}]},
    {"last": "TASK_COMPLETED", "times": None, "replies": [{"text": "I looked at it.\n[TASK_COMPLETED]"}]},
    {"times": None, "replies": [{"text": "done", "usage": USAGE}]},
]


def rows() -> Iterator[Row]:
    yield _row("hooks mode", ("glm", "-p"), {"CCC_SUPERVISOR": "1"}, reviews=1)
    yield _row("pty mode, with the second question", ("--supervisor", "glm"), {}, reviews=2)


def _row(name: str, words: tuple[str, ...], env: dict[str, str], *, reviews: int) -> Row:
    with tempfile.TemporaryDirectory() as folder, ScriptedModel(SCRIPT) as model:
        world = World(Path(folder)).make()
        world.write_config({"glm": provider(model.url)})
        (world.project / "SUPERVISOR.md").write_text("It must be done.\n")
        run = world.ccc(*words, env=world.env(CCC_LANG="en", **env), stdin=b"word " * (CONVERSATION // 5))
        assert run.code == 0, run.out + run.err
        agent, *asked = model.messages
    assert len(asked) == reviews
    anew = sum(_anew(before, after) for before, after in zip((agent, *asked), asked, strict=False))
    what = f"uncached bytes of a review / bytes of the conversation, {name}"
    return Row(what, anew / len(_told(agent)), 0.1, "lower")


def _anew(before: Request, after: Request) -> int:
    """The bytes behind what both have in common from their beginning on."""
    old, new = _told(before), _told(after)
    return len(new) - sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _told(request: Request) -> bytes:
    """What a provider reads, in the order of its cache; the end of the last message is open."""
    parts = [request.json[part] for part in ("model", "tools", "system", "messages")]
    return json.dumps(without_cache_marks(parts), ensure_ascii=False).rstrip("]}").encode()


GROUPS = {"cache": rows}
