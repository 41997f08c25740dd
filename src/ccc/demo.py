"""A whole supervised task to look at: the real client, the real hook, and a model that follows a script.

Rule: everything happens in one temporary folder with an empty home and on loopback; only the model's words are made up.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from ccc import claude, demo_script
from ccc.demo_script import Story
from ccc.errors import CccError
from ccc.scripted import ScriptedModel
from ccc.stream import Finished, Init, StreamParser, Text, ToolResult, ToolUse, UserText
from ccc.text import one_line

Show = Callable[[str, str], None]  # who, what
POLL_SECONDS = 0.05
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR", "CCC_LANG", "CCC_CLAUDE", "NO_COLOR")


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the play takes place."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    @property
    def project(self) -> Path:
        return self.root / "project"


@dataclass(frozen=True, slots=True)
class Ending:
    stage: Stage
    completed: bool
    reviews: int
    requests: int
    seconds: float


def play(story: Story, program: list[str], *, env: Mapping[str, str], show: Show) -> Ending:
    """Run the task to its end and show each step as it happens."""
    begun = time.monotonic()
    client = claude.find(env, Path.cwd())
    stage = _stage()
    with ScriptedModel(story.rules) as model:
        _configure(stage, model.url, story)
        show("ccc", f"{' '.join(['CCC_SUPERVISOR=1', 'ccc', 'scripted', '-p', '…'])}  ({client})")
        show("you", story.request)
        _run(_command(program, story), _environment(env, stage, client), stage, show)
        state = _state(stage)
    return Ending(
        stage=stage,
        completed=state.get("outcome") == "completed",
        reviews=_count(state),
        requests=len(model.messages),
        seconds=time.monotonic() - begun,
    )


def _stage() -> Stage:
    stage = Stage(Path(tempfile.mkdtemp(prefix="ccc-demo-")))
    stage.config.mkdir(parents=True)
    stage.project.mkdir()
    return stage


def _configure(stage: Stage, url: str, story: Story) -> None:
    """A provider called `scripted`, and the right to run python; nothing a real set-up would not have."""
    env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_AUTH_TOKEN": "no-key-needed"}
    document = {"providers": {"scripted": {"env": env}}, "supervisor": {"max_iterations": 5, "timeout_seconds": 120}}
    (stage.config / "ccc.json").write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    (stage.config / "ccc.json").chmod(0o600)
    allowed = {"permissions": {"allow": list(story.permissions)}}
    (stage.config / "settings.json").write_bytes(orjson.dumps(allowed, option=orjson.OPT_INDENT_2))


def _command(program: list[str], story: Story) -> list[str]:
    stream = ["--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"]
    return [*program, "scripted", "-p", story.request, *stream]


def _environment(env: Mapping[str, str], stage: Stage, client: Path) -> dict[str, str]:
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1"}
    kept = {key: env[key] for key in KEPT if key in env}
    return {**kept, **quiet, "HOME": str(stage.home), "CCC_CLAUDE": str(client), "CCC_SUPERVISOR": "1"}


def _run(command: list[str], env: Mapping[str, str], stage: Stage, show: Show) -> None:
    agent = subprocess.Popen(
        command,
        env=dict(env),
        cwd=stage.project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert agent.stdout is not None
    os.set_blocking(agent.stdout.fileno(), False)
    parser, reviews = StreamParser(), _Reviews(stage, show)
    try:
        while agent.poll() is None:
            _show_agent(parser, agent.stdout.read() or b"", show)
            reviews.look()
            time.sleep(POLL_SECONDS)
        _show_agent(parser, agent.stdout.read() or b"", show)
        reviews.look()
    finally:
        if agent.poll() is None:
            agent.terminate()
        _, complaints = agent.communicate()
    if agent.returncode:
        raise CccError(f"the demo ended with exit code {agent.returncode}: {one_line(complaints.decode()[-500:], 400)}")


def _show_agent(parser: StreamParser, data: bytes, show: Show) -> None:
    for event in parser.feed(data):
        match event:
            case Text(text):
                show("agent", text)
            case ToolUse(name=name, input=given):
                show("agent", f"⚙ {name} {_about(given)}")
            case ToolResult(text=text, is_error=True):
                show("agent", f"  ✗ {_last_line(text)}")
            case ToolResult(text=text):
                show("agent", f"  ✓ {_last_line(text)}")
            case UserText(text):
                show("supervisor", text.partition("\n")[2] or text)
            case Init() | Finished():
                pass


class _Reviews:
    """Follows the file to which the hook appends what the reviewer does."""

    def __init__(self, stage: Stage, show: Show) -> None:
        self._stage = stage
        self._show = show
        self._offset = 0
        self._parser = StreamParser()

    def look(self) -> None:
        for path in (self._stage.config / "ccc").glob("supervisor-*-output.jsonl"):
            data = path.read_bytes()[self._offset :]
            self._offset += len(data)
            for event in self._parser.feed(data):
                self._tell(event)

    def _tell(self, event: object) -> None:
        match event:
            case Init():
                self._show("reviewer", "(a fork of the same session looks at the work)")
            case Text(text):
                self._show("reviewer", text)
            case ToolUse(name="StructuredOutput", input=given):
                self._show("reviewer", f"verdict: allow_stop = {str(given.get('allow_stop')).lower()}")
            case ToolUse(name=name, input=given):
                self._show("reviewer", f"⚙ {name} {_about(given)}")
            case ToolResult(text=text) if "Structured output" not in text:
                self._show("reviewer", f"  → {_last_line(text)}")


def _about(given: Mapping[str, object]) -> str:
    named = next((given[key] for key in ("command", "file_path", "path") if key in given), "")
    text = str(named)
    return Path(text).name if text.startswith("/") else one_line(text, 80)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return one_line(lines[-1], 90) if lines else ""


def _state(stage: Stage) -> Mapping[str, object]:
    for path in (stage.config / "ccc").glob("supervisor-*.json"):
        found = orjson.loads(path.read_bytes())
        if isinstance(found, dict):
            return found
    return {}


def _count(state: Mapping[str, object]) -> int:
    count = state.get("count")
    return count if isinstance(count, int) else 0


def files_made(ending: Ending) -> Iterator[Path]:
    yield from sorted(path for path in ending.stage.project.rglob("*.py"))
    yield ending.stage.config / "ccc" / "hook-invocation.log"
    yield from sorted((ending.stage.config / "ccc").glob("supervisor-*-output.jsonl"))


def own_program() -> list[str]:
    return [sys.executable, "-m", "ccc"]


def story(lang: str) -> Story:
    return demo_script.STORIES[lang]
