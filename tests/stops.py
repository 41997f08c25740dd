"""Stops for tests: `ccc supervisor-hook` as a client would call it, with the scripted claude of tests/bin."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.world import CCC, Run, World

CLAUDE = Path(__file__).parent / "bin" / "claude"
ID = "abc123"


@dataclass(frozen=True)
class Started:
    """What one scripted claude was started with."""

    pid: int
    argv: tuple[str, ...]  # without the shell and the script
    env: Mapping[str, str]
    cwd: Path


@dataclass(frozen=True)
class Desk:
    """Where Stops arrive: a world, and a scripted claude to review them."""

    world: World

    @property
    def log(self) -> Path:
        return self.world.root / "claude-log"

    def make(self) -> Desk:
        self.world.make()
        self.log.mkdir(exist_ok=True)
        return self

    def env(self, steps: str = "block", **more: str) -> dict[str, str]:
        fake = {"FAKE_CLAUDE": steps, "FAKE_CLAUDE_LOG": str(self.log), "FAKE_CLAUDE_CCC": str(CCC)}
        return self.world.env(CCC_CLAUDE=str(CLAUDE), **fake) | more

    def event(self, **more: object) -> dict[str, Any]:
        return {
            "session_id": ID,
            "hook_event_name": "Stop",
            "cwd": str(self.world.project),
            "stop_hook_active": False,
            **more,
        }

    def stop(self, steps: str = "block", *words: str, env: Mapping[str, str] | None = None, **event: object) -> Run:
        """One Stop from its event to the hook's end."""
        return self.hook(json.dumps(self.event(**event)).encode(), *words, env=self.env(steps, **(env or {})))

    def hook(self, stdin: bytes, *words: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Run:
        return self.world.ccc("supervisor-hook", *words, env=env or self.env(), stdin=stdin, cwd=cwd)

    def start(self, steps: str, *words: str, env: Mapping[str, str] | None = None, **event: object) -> Hook:
        """A Stop that is being decided."""
        process = subprocess.Popen(
            self.world.command("supervisor-hook", *words),
            env=self.env(steps, **(env or {})),
            cwd=self.world.project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(self.event(**event)).encode())
        process.stdin.close()
        process.stdin = None  # communicate() would flush it
        return process

    def client(self, hook: str, reviewer: str, **env: str) -> subprocess.CompletedProcess[bytes]:
        """A client that calls its Stop hook once, as the real one does."""
        event = self.world.root / "stop.json"
        event.write_text(json.dumps(self.event()))
        hooked = {"FAKE_CLAUDE_HOOK": hook, "FAKE_CLAUDE_STOP": str(event), "FAKE_CLAUDE_REVIEWER": reviewer}
        env = self.env("agent", **hooked, **env)
        return subprocess.run([CLAUDE], env=env, cwd=self.world.project, capture_output=True)

    @property
    def starts(self) -> list[int]:
        """The pids of the claudes that were started, in order."""
        path = self.log / "starts"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    @property
    def started(self) -> list[Started]:
        return [
            Started(
                pid=pid,
                argv=tuple(_words(self.log / f"{pid}.argv")[2:]),
                env=dict(_pair(word) for word in _words(self.log / f"{pid}.env")),
                cwd=Path(os.fsdecode((self.log / f"{pid}.cwd").read_bytes().rstrip(b"\n"))),
            )
            for pid in self.starts
        ]

    def state(self, session_id: str = ID) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.world.state / f"supervisor-{session_id}.json").read_bytes())
        return found

    def begin(self, count: int, **more: object) -> None:
        """A session that has been reviewed `count` times."""
        self.world.state.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = {"session_id": ID, "count": count, "created_at": "2026-01-02T03:04:05+00:00", **more}
        (self.world.state / f"supervisor-{ID}.json").write_text(json.dumps(content))

    @property
    def records(self) -> list[str]:
        """The lines of hook-invocation.log."""
        path = self.world.state / "hook-invocation.log"
        return path.read_text().splitlines() if path.exists() else []

    def living(self) -> set[int]:
        """Everybody who was started here and lives; a zombie has no environment."""
        return living(f"FAKE_CLAUDE_LOG={self.log}")

    def is_alone(self) -> bool:
        return not self.living()


Hook = subprocess.Popen[bytes]


def living(marker: str) -> set[int]:
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"{marker}\0".encode() in (entry / "environ").read_bytes():
                found.add(int(entry.name))
        except OSError:  # gone, or somebody else's
            continue
    return found


BUSY = 15  # how much longer than usual a busy machine may take: who waits for what happens loses nothing by it


def eventually(condition: Callable[[], object], seconds: float) -> bool:
    until = time.monotonic() + BUSY * seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def _words(path: Path) -> list[str]:
    return os.fsdecode(path.read_bytes()).removesuffix("\0").split("\0")


def _pair(word: str) -> tuple[str, str]:
    key, _, value = word.partition("=")
    return key, value


def answered(out: bytes | str) -> str:
    """Nothing, a block or a message: whatever else is on stdout has no entry here."""
    kinds = {(): "", ("decision", "reason"): "block", ("systemMessage",): "told"}
    last_block = ("decision", "reason", "systemMessage")
    return (kinds | {last_block: "block"})[tuple(json.loads(out or "{}"))]


def told(run: Run) -> str:
    """What the client shows the person; the hook has exited 0."""
    assert run.code == 0
    return str(json.loads(run.out)["systemMessage"])


def desk_in(folder: Path, **supervisor: object) -> Desk:
    desk = Desk(World(folder)).make()
    desk.world.write_config({}, supervisor=supervisor)
    return desk


def shell(desk: Desk, script: str, steps: str = "block", *, stdin: bytes | None = None, **env: str) -> Any:
    """The hook as a shell script calls it."""
    event = json.dumps(desk.event()).encode() if stdin is None else stdin
    command = ["sh", "-c", script, str(CCC)]
    return subprocess.run(command, env=desk.env(steps, **env), cwd=desk.world.project, input=event, capture_output=True)


def in_parallel(work: Callable[[Any], object], items: Iterable[Any], threads: int = 4) -> list[Any]:
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


def left(hook: Hook, desk: Desk) -> None:
    """The hook leaves, and nobody of its family is there then."""
    hook.wait()
    assert desk.is_alone()


def usual_time(act: Callable[[], object]) -> float:
    """How long it takes when nothing goes wrong; a busy machine must not stretch it."""
    return min(timed(act) for _ in range(3))


def timed(act: Callable[[], object]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began
