"""What a command costs, in units of a small command-line program, and that years of sessions change nothing of it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ccc.claude import program
from tests.bench.bench_hooks import alternating, as_in_settings, click, run
from tests.bench.installed import ccc
from tests.bench.rows import Row
from tests.sessions import Sessions
from tests.world import World, provider

MANY, FEW = 100_000, 10
LISTED = 25  # more than `status` shows: whoever has so many has some of late
LONG, EVENTS_OF_A_STOP = 1_000, 6
NOW = datetime.now(UTC)
DOCTOR = "doctor", "--no-self-test"


def _start() -> Iterator[Row]:
    """The client itself is the same in both."""
    with _a_world() as world:
        yield _started(world)


def _commands() -> Iterator[Row]:
    with _a_world() as world:
        _remember(world, FEW)
        yield _in_clicks(world, "ccc status with ten sessions", 2.0, "status")
        # On a first day it has to ask the client for all that it knows, which alone takes 3.5 of these.
        yield _in_clicks(world, "ccc doctor --no-self-test, of a client that ccc never met", 6.0, *DOCTOR)
        client = program.find({"PATH": os.defpath}, world.project)
        program.abilities(client, world.state / "clients.json", world.env())
        yield _in_clicks(world, "ccc doctor --no-self-test", 4.0, *DOCTOR)


def _in_clicks(world: World, name: str, limit: float, *words: str) -> Row:
    ours, bare = alternating(_command(world, *words), click(world), 15)
    return Row(f"{name} / python -c 'import click'", ours / bare, limit, "lower")


@contextmanager
def _a_world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        world.write_config({"glm": provider("http://127.0.0.1:9")})
        yield world


def _started(world: World) -> Row:
    client = str(program.find({"PATH": os.defpath}, world.project))
    ours, theirs = alternating(_command(world, "glm", "--version"), run([client, "--version"], world.env()), 25)
    bare, _ = alternating(click(world), lambda: None, 15)
    return Row("ccc glm --version - claude --version, in import click", (ours - theirs) / bare, 1.0, "lower")


def _flat() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        worlds = {number: World(Path(folder) / str(number)) for number in (FEW, MANY)}
        for number, world in worlds.items():
            world.root.mkdir()
            _remember(world.make(), number)
        for words in (("status",), ("statusline",), ("logs",), ("report", "new0", "-o", "page.html")):
            many, few = alternating(*(_command(worlds[number], *words) for number in (MANY, FEW)), 9)
            yield Row(f"ccc {words[0]}, 100,000 sessions / 10", many / few, 1.5, "lower")
        many, few = alternating(*(_stop(worlds[number]) for number in (MANY, FEW)), 9)
        yield Row("a Stop whose reviewer does not start, 100,000 sessions / 10", many / few, 1.5, "lower")


def _stories() -> Iterator[Row]:
    """A session that has sat there all day, and one that has just begun."""
    with tempfile.TemporaryDirectory() as folder:
        worlds = {number: World(Path(folder) / str(number)) for number in (LONG, EVENTS_OF_A_STOP)}
        for number, world in worlds.items():
            world.root.mkdir()
            world.make().state.mkdir(mode=0o700, parents=True)
            sessions = Sessions(world.state, now=NOW)
            for request in range(number // EVENTS_OF_A_STOP):
                sessions.block("new0", "more", cost=0.01, tokens=100, prompt=f"p{request}")
        for name, call in (("ccc status", _status), ("ccc statusline", _line), ("a Stop without a reviewer", _stop)):
            long, short = alternating(*(call(world) for world in worlds.values()), 9)
            yield Row(f"{name}, a story of 1,000 events / of a few", long / short, 1.5, "lower")


def _status(world: World) -> Callable[[], object]:
    return _command(world, "status")


def _line(world: World) -> Callable[[], object]:
    told = json.dumps({"session_id": "new0", "cwd": str(world.project)}).encode()
    return run([ccc(), "statusline"], world.env(), told, world.project)


def _stop(world: World) -> Callable[[], object]:
    event = {"session_id": "new0", "cwd": str(world.project), "hook_event_name": "Stop"}
    return run(as_in_settings(), world.env(CCC_CLAUDE="/bin/false"), json.dumps(event).encode(), world.project)


def _command(world: World, *words: str) -> Callable[[], object]:
    client = str(program.find({"PATH": os.defpath}, world.project))
    return run([ccc(), *words], world.env(CCC_CLAUDE=client), cwd=world.project)


def _remember(world: World, number: int) -> None:
    """Sessions as they are left behind: old ones that only lie there, and the last ones as ccc writes them."""
    world.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    for old in range(max(0, number - FEW)):
        told = {"session_id": f"old{old}", "count": 1, "updated_at": NOW.isoformat()}
        (world.state / f"supervisor-old{old}.json").write_text(json.dumps(told))
        (world.state / f"supervisor-old{old}-story.jsonl").write_text("{}\n")
    sessions = Sessions(world.state, now=NOW)
    for new in range(FEW if number == FEW else LISTED):
        sessions.block(f"new{new}", "more", cost=0.01, tokens=100)


GROUPS = {"start": _start, "commands": _commands, "flat": _flat, "stories": _stories}
