"""A little world for tests: a home, a project, ccc as it is installed, and scripted models to talk to."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import warm

CCC = Path(sys.executable).with_name("ccc")
# Without these the client would look for updates and notices on the network.
QUIET_CLIENT = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
    "DISABLE_AUTOUPDATER": "1",
    "IS_SANDBOX": "1",
}
# The same client, for a fifth less of a core: it lives for a second or two, in which collecting by the clock what is
# not needed any more, and compiling a second time what has run often, cost more than they save.
SHORT_LIVED_CLIENT = {"BUN_GC_TIMER_DISABLE": "1", "BUN_JSC_useDFGJIT": "0"}


@dataclass(frozen=True)
class World:
    root: Path
    client: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What the real client hears of besides; nothing where it is measured."""

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def state(self) -> Path:
        return self.config / "ccc"

    def make(self) -> World:
        for folder in (self.config, self.project):
            folder.mkdir(parents=True, exist_ok=True)
        return self

    def env(self, **more: str) -> dict[str, str]:
        return {"PATH": os.defpath, "HOME": str(self.home), "LANG": "C.UTF-8", **QUIET_CLIENT, **self.client, **more}

    def write_config(self, providers: Mapping[str, object], **more: object) -> Path:
        path = self.config / "ccc.json"
        path.write_text(json.dumps({"providers": providers, **more}, indent=2))
        path.chmod(0o600)
        return path

    def write_settings(self, settings: object) -> Path:
        path = self.config / "settings.json"
        path.write_text(json.dumps(settings, indent=2))
        return path

    @property
    def criteria_line(self) -> str:
        """What a supervised start says of the project's SUPERVISOR.md."""
        path = self.project / "SUPERVISOR.md"
        return f"ccc: reviews go by {path} (version {hashlib.sha256(path.read_bytes()).hexdigest()[:12]})\n"

    def command(self, *args: str) -> list[str]:
        return [str(CCC), *args]

    def ccc(self, *args: str, env: Mapping[str, str] | None = None, stdin: bytes = b"", cwd: Path | None = None) -> Run:
        done = subprocess.run(
            self.command(*args), env=env or self.env(), input=stdin, cwd=cwd or self.project, capture_output=True
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def warm(
        self, *args: str, env: Mapping[str, str] | None = None, stdin: bytes = b"", cwd: Path | None = None
    ) -> Run:
        """As `ccc`, for a tenth of its cost: by a process that has ccc's imports behind it."""
        code, out, err = warm.answer(CCC, [args], env or self.env(), cwd or self.project, stdin)
        return Run(code, out.decode(), err.decode())


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


def other_disk(than: Path) -> Path:
    """A folder that is not on the same file system."""
    places = map(Path, ("/dev/shm", "/var/tmp", Path(__file__).parent))
    return next(place for place in places if place.is_dir() and place.stat().st_dev != than.stat().st_dev)


def provider(url: str, token: str = "token", model: str | None = None) -> dict[str, object]:
    env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_AUTH_TOKEN": token}
    return {"env": env | ({"ANTHROPIC_MODEL": model} if model else {})}


def fake_claude(folder: Path, lines: Sequence[str]) -> Path:
    """A program called claude that does what the shell lines say."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "claude"
    path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    path.chmod(0o755)
    return path
