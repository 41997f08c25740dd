"""Where pty mode is played: a world, a provider, criteria, and the scripted claude of tests/bin/pty-claude."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.stops import eventually, living
from tests.terminals import Terminal
from tests.world import Run, World, fake_claude, provider

PROGRAM = Path(__file__).parent / "bin" / "pty-claude"
SESSION = "11111111-2222-4333-8444-555555555555"
DONE = "It is done.\n[TASK_COMPLETED]"

Steps = Sequence[Sequence[object]]


@dataclass(frozen=True)
class Desk:
    world: World

    def make(self) -> Desk:
        self.folder.mkdir(exist_ok=True)
        fake_claude(self.world.root / "bin", [f'exec {sys.executable} -I -S {PROGRAM} "$@"'])
        self.world.write_config({"glm": provider("http://127.0.0.1:9")})
        (self.world.project / "SUPERVISOR.md").write_text("The work must be tested.\n")
        return self

    @property
    def folder(self) -> Path:
        return self.world.root / "claude"

    @property
    def client(self) -> Path:
        return self.world.root / "bin" / "claude"

    def env(self, **more: str) -> dict[str, str]:
        return self.world.env(CCC_CLAUDE=str(self.client), CCC_LANG="en", PTY_CLAUDE=str(self.folder), **more)

    # What the client will do.

    def turns(self, *turns: Steps) -> Desk:
        return self._script("turns.json", turns)

    def reviews(self, *answers: str | Steps) -> Desk:
        scripts = [[["result", {"result": one}]] if isinstance(one, str) else one for one in answers]
        return self._script("reviews.json", scripts)

    def starts(self, *steps: Steps) -> Desk:
        """What each agent does before it hears anything."""
        return self._script("starts.json", steps)

    def opened(self, *steps: Steps) -> Desk:
        """What the client's own UI does."""
        return self._script("opened.json", steps)

    def _script(self, name: str, scripts: Sequence[object]) -> Desk:
        (self.folder / name).write_text(json.dumps(scripts))
        return self

    def tell(self, name: str) -> None:
        """What a step `until` waits for."""
        (self.folder / name).touch()

    # What the client has seen.

    def notes(self, name: str) -> list[Any]:
        path = self.folder / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def started(self, role: str) -> list[dict[str, Any]]:
        return [one for one in self.notes("started") if one["role"] == role]

    @property
    def told(self) -> list[str]:
        """The user messages that agents got."""
        return [one["message"]["content"] for one in self.notes("heard") if one["type"] == "user"]

    @property
    def prompts(self) -> list[str]:
        """What reviewers were asked."""
        return [one["argv"][-1] for one in self.started("reviewer")]

    # Running ccc.

    def run(self, *args: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Run:
        return self.world.ccc("--supervisor", "glm", *args, stdin=stdin, env=env or self.env())

    def terminal(self, *args: str, columns: int = 110, **more: str) -> Terminal:
        argv = self.world.command("--supervisor", "glm", *args)
        return Terminal(argv, env=self.env(**more), cwd=self.world.project, columns=columns)

    def under_a_shell(self, *args: str, **more: str) -> Terminal:
        """Whatever happens to ccc, the shell keeps the terminal open."""
        line = " ".join(self.world.command("--supervisor", "glm", *args))
        argv = ["/bin/sh", "-c", f"{line}; echo ended with $?; exec cat"]
        return Terminal(argv, env=self.env(**more), cwd=self.world.project)

    def living(self) -> set[int]:
        """Everybody who was started here and lives."""
        return living(f"PTY_CLAUDE={self.folder}")

    def is_alone(self, *others: int, seconds: float = 4.0) -> bool:
        return eventually(lambda: self.living() <= set(others), seconds)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def kill(pid: int, number: int) -> None:
    os.kill(pid, number)
