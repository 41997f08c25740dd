"""What a Stop costs in hooks mode, as ratios within one run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ccc import claude
from ccc.scripted import ScriptedModel
from tests.bench.rows import Row
from tests.real.hooks_world import rules, supervised, verdict
from tests.world import CCC, World, provider


def best(call: Callable[[], object], times: int) -> float:
    """The least time of several: what is left when nothing else happens on the machine."""
    return min(_timed(call) for _ in range(times))


def _timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def _run(
    argv: Sequence[str], env: Mapping[str, str], stdin: bytes = b"", cwd: Path | None = None
) -> Callable[[], object]:
    return lambda: subprocess.run(argv, env=dict(env), input=stdin, cwd=cwd, capture_output=True)


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        yield _version(world)
        yield _guard(world)
        yield _left_alone(world)
        yield from _whole_stop(world)


def _version(world: World) -> Row:
    ours = best(_run([str(CCC), "--version"], world.env()), 15)
    bare = best(_run([sys.executable, "-c", "import click"], world.env()), 15)
    return Row("ccc --version / python -c 'import click'", ours / bare, 1.6, "lower")


def _guard(world: World) -> Row:
    ours = best(_run([str(CCC), "supervisor-hook"], world.env(CCC_SUPERVISOR_HOOK="1")), 20)
    bare = best(_run([sys.executable, "-I", "-S", "-c", "pass"], world.env()), 20)
    return Row("guard path / python -I -S -c pass", ours / bare, 2.5, "lower")


def _left_alone(world: World) -> Row:
    ours = best(_run([str(CCC), "supervisor-hook"], world.env(CLAUDECODE="1")), 20)
    bare = best(_run([sys.executable, "-I", "-S", "-c", "pass"], world.env()), 20)
    return Row("hook of an unsupervised session / python -I -S -c pass", ours / bare, 2.5, "lower")


def _whole_stop(world: World) -> Iterator[Row]:
    """A finished session is reviewed again and again by hand, as the client would call the hook."""
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)}, supervisor={"max_iterations": 1000})
        seen = supervised(world, model, prompt="what is this?")
        stop = json.dumps(
            {"session_id": seen.session_id, "cwd": str(world.project), "hook_event_name": "Stop"}
        ).encode()
        env = world.env(CCC_PROVIDER="glm", CCC_CLAUDE=str(claude.find({"PATH": os.defpath}, world.project)))
        bare_env = claude.reviewer_environment(env, dict(provider(model.url)["env"]))  # type: ignore[call-overload]
        judge = claude.Judge(seen.session_id, "judge this", schema=json.dumps({"type": "object"}))
        argv = claude.reviewer_command(Path(env["CCC_CLAUDE"]), judge, {"--json-schema"})
        whole = best(_run([str(CCC), "supervisor-hook"], env, stop, world.project), 7)
        bare = best(_run(argv, bare_env, b"", world.project), 7)
    yield Row("a whole Stop / bare claude --fork-session of the same review", whole / bare, 1.25, "lower")
