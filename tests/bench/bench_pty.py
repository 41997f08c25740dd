"""What pty mode costs, as ratios within one run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import orjson
import pyte

from ccc.claude import commandline, program
from ccc.claude.stream import Finished, StreamParser
from ccc.trial.scripted import ScriptedModel
from ccc_legacy.agent import Agent
from ccc_legacy.terminal import Child, Program
from tests.bench.rows import Row
from tests.pty_desk import Desk
from tests.world import World

MB = 1024 * 1024
CHUNK = 65536
TRACES = Path(__file__).parents[1] / "data" / "traces"


def _row(measure: Callable[[World], Row]) -> Callable[[], Iterator[Row]]:
    def measured() -> Iterator[Row]:
        with tempfile.TemporaryDirectory() as folder:
            yield measure(World(Path(folder)).make())

    return measured


def rows() -> Iterator[Row]:
    for group in GROUPS.values():
        yield from group()


def _at_a_desk() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _sitting(Desk(World(Path(folder)).make()).make())


def _best(*calls: Callable[[], float], times: int = 9) -> list[float]:
    """The least time of several for each, taken by turns: what is left when nothing else happens on the machine."""
    return [min(each) for each in zip(*([call() for call in calls] for _ in range(times)), strict=True)]


# --- from a feedback to the agent's next request ---


def _feedback(world: World) -> Row:
    with ScriptedModel([{"times": None, "replies": [{"text": "done"}]}]) as model:
        live, anew = asyncio.run(_told(world, model))
    return Row("feedback to the agent's next request / the same to a new client", live / anew, 0.25, "lower")


async def _told(world: World, model: ScriptedModel, times: int = 7) -> tuple[float, float]:
    live, anew = [], []
    for _ in range(times):
        agent = Agent(_client(world, model.url), (24, 80))
        anew.append(await _until_heard(agent, model))
        live += [await _until_heard(agent, model) for _ in range(3)]
        agent.end()
    return min(live), min(anew)


async def _until_heard(agent: Agent, model: ScriptedModel) -> float:
    """Seconds from a message to its request on the wire."""
    before, begun = len(model.messages), time.time()
    agent.tell("run the tests")
    while not any(isinstance(event, Finished) for event in agent.hear() or []):
        await agent.ready()
    return model.wait_for_messages(before + 1)[before].time - begun


def _client(world: World, url: str) -> Callable[[str | None], Program]:
    client = program.find({"PATH": os.defpath}, world.project)
    flags = program.abilities(client, world.state / "clients.json", world.env()).flags
    env = world.env(ANTHROPIC_BASE_URL=url, ANTHROPIC_AUTH_TOKEN="token")
    return lambda resume: Program(
        commandline.agent_command(client, (), flags, resume=resume, asks=True), env, world.project
    )


# --- the parser ---


def _parser(world: World) -> Row:
    path = _session(world, 50 * MB)
    bare, ours = _best(lambda: _read_bare(path), lambda: _read_with_parser(path))
    return Row("stream parser / os.read and orjson.loads on the same 50 MB", bare / ours, 0.8, "higher")


def _session(world: World, size: int) -> Path:
    """A long session: what a client has really written, with results as long as tools give them."""
    lines = (TRACES / "agent-tools.jsonl").read_bytes().splitlines()
    first, *work, last = map(orjson.loads, lines)
    for block in (block for message in work if message["type"] == "user" for block in message["message"]["content"]):
        block["content"] = "src/ccc/stream.py: a line that some tool has found\n" * 80
    turn = [first, *work * 10, last]
    data = b"".join(orjson.dumps(message) + b"\n" for message in turn)
    path = world.root / "session.jsonl"
    path.write_bytes(data * (size // len(data) + 1))
    return path


def _read_bare(path: Path) -> float:
    fd, begun, rest = os.open(path, os.O_RDONLY), time.process_time(), b""
    while data := os.read(fd, CHUNK):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            orjson.loads(line)
    os.close(fd)
    return time.process_time() - begun


def _read_with_parser(path: Path) -> float:
    fd, begun, parser = os.open(path, os.O_RDONLY), time.process_time(), StreamParser()
    while data := os.read(fd, CHUNK):
        parser.feed(data)
    os.close(fd)
    return time.process_time() - begun


# --- the pty ---


def _reader(world: World) -> Row:
    path = _session(world, 50 * MB)
    bare, ours = _best(lambda: _drain_bare(path), lambda: asyncio.run(_drain(path)))
    return Row("pty reader / bare os.read on the same pty, 50 MB", bare / ours, 0.8, "higher")


def _cat(path: Path) -> Program:
    return Program(("/bin/cat", str(path)), {}, Path("/"))


def _drain_bare(path: Path) -> float:
    child = Child.start(_cat(path))
    os.set_blocking(child.fd, True)
    begun = time.perf_counter()
    try:
        while os.read(child.fd, CHUNK):
            pass
    except OSError:  # the end of a pty
        pass
    seconds = time.perf_counter() - begun
    child.end()
    return seconds


async def _drain(path: Path) -> float:
    """The agent's own way to the bytes: wait, read, pass on; what it makes of them is the parser's share."""
    agent = Agent(lambda _: _cat(path), (24, 80))
    agent.tell("")
    child, begun = agent._child, time.perf_counter()
    assert child
    while True:
        data = child.read()
        if data is None:
            break
        if not data:
            await agent.ready()
    seconds = time.perf_counter() - begun
    agent.end()
    return seconds


# --- one long line ---


def _long_line(world: World) -> Row:
    paths = _line(world, 4), _line(world, 15.9)
    four, sixteen = _best(*[partial(_heard, path) for path in paths])
    return Row("a line of 16 MB / a line of 4 MB, through pty and parser", sixteen / four, 6, "lower")


def _heard(path: Path) -> float:
    return asyncio.run(_hear(path))


def _line(world: World, megabytes: float) -> Path:
    path = world.root / f"line-{megabytes}.jsonl"
    if not path.exists():
        message = {"type": "assistant", "message": {"content": [{"type": "text", "text": "x" * int(megabytes * MB)}]}}
        path.write_text(json.dumps(message) + "\n")
    return path


async def _hear(path: Path) -> float:
    agent, begun = Agent(lambda _: _cat(path), (24, 80)), time.process_time()
    agent.tell("")
    while agent.hear() is not None:
        await agent.ready()
    return time.process_time() - begun


# --- somebody watches ---

TOOLS, PACE = 200, 0.05  # twenty a second
RETURNED = re.compile(r"returned at (\d+\.\d+)")


def _sitting(desk: Desk) -> Iterator[Row]:
    """A terminal of 120 × 40 while the agent calls twenty tools a second."""
    desk.turns([["until", "go"], ["paced", TOOLS, PACE], ["say", "all returned"], ["until", "end"], ["result"]])
    with desk.terminal("--", "do it", columns=120) as terminal:
        terminal.wait_for("[agent]")
        desk.tell("go")
        begun, before = time.monotonic(), _cpu_seconds(terminal.pid)
        seen = list(_watched(terminal.chunks(), b"all returned"))
        busy = (_cpu_seconds(terminal.pid) - before) / (time.monotonic() - begun)
        desk.tell("end")
        terminal.wait_for("[completed]")
        terminal.press("ctrl-d")
        terminal.wait_for_end()
    delay = 1000 * statistics.median(_late(seen))
    yield Row(
        "ms from a byte on the agent's pty to its row on the screen, median, 20 tools a second", delay, 50, "lower"
    )
    yield Row("% of a core that ccc takes then", 100 * busy, 15, "lower")


def _watched(chunks: Iterator[tuple[float, bytes]], end: bytes) -> Iterator[tuple[float, bytes]]:
    for at, data in chunks:
        yield at, data
        if end in data:
            return


def _late(seen: list[tuple[float, bytes]]) -> list[float]:
    """For each output, how long after it returned its row stood on the screen; drawn afterwards, for that is slow."""
    screen, late = pyte.Screen(120, 40), dict[float, float]()
    stream = pyte.ByteStream(screen)
    for at, data in seen:
        screen.dirty.clear()
        stream.feed(data)
        for row in screen.dirty:
            text = "".join(screen.buffer[row][column].data for column in range(screen.columns))
            for returned in map(float, RETURNED.findall(text)):
                late.setdefault(returned, at - returned)
    assert len(late) == TOOLS
    return list(late.values())


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


GROUPS = {
    "feedback": _row(_feedback),
    "parser": _row(_parser),
    "reader": _row(_reader),
    "line": _row(_long_line),
    "sitting": _at_a_desk,
}


if __name__ == "__main__":
    for row in rows():
        print(json.dumps({"name": row.name, "ratio": row.ratio, "limit": row.limit, "better": row.better}))
