"""A whole supervised task to look at: the real client, the real hook, and a model that follows a script.

Rule: everything happens in one temporary folder with an empty home and on loopback; only the model's words are made up.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from ccc.base import interpreter
from ccc.base.errors import CccError
from ccc.base.text import one_line
from ccc.claude import program, variables
from ccc.claude.stream import StreamParser, Text, ToolResult, ToolUse
from ccc.trial import demo_script
from ccc.trial.demo_script import Story
from ccc.trial.scripted import ScriptedModel

Show = Callable[[str, str], None]  # who, what
Follow = Callable[[bytes], None]  # what the agent has written
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
    client: Path
    completed: bool
    reviews: int
    requests: int
    seconds: float


def play(story: Story, *, env: Mapping[str, str], show: Show) -> Ending:
    """Run the task to its end and show each step as it happens."""
    begun = time.monotonic()
    client = program.find(env, Path.cwd())
    stage = _stage()
    with ScriptedModel(story.rules) as model:
        _configure(stage, model.url, story)
        show("ccc", story.typed)
        show("you", story.request)
        follow = _Headless(stage, show) if story.mode == "hooks" else _Through(show)
        _run([*own_program(), *story.args], _environment(env, stage, client, story), stage, follow)
        state = _state(stage)
    return Ending(
        stage=stage,
        client=client,
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
    document = {"providers": {"scripted": {"env": env}}}
    (stage.config / "ccc.json").write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    (stage.config / "ccc.json").chmod(0o600)
    if story.criteria:
        (stage.project / "SUPERVISOR.md").write_text(story.criteria)
    allowed = {"permissions": {"allow": list(story.permissions)}}
    (stage.config / "settings.json").write_bytes(orjson.dumps(allowed, option=orjson.OPT_INDENT_2))


def _environment(env: Mapping[str, str], stage: Stage, client: Path, story: Story) -> dict[str, str]:
    quiet = dict.fromkeys(variables.QUIET_VARIABLES, "1")
    kept = {key: env[key] for key in KEPT if key in env}
    supervised = {"CCC_SUPERVISOR": "1"} if story.mode == "hooks" else {}
    return {**kept, **quiet, **supervised, "HOME": str(stage.home), "CCC_CLAUDE": str(client)}


def _run(command: list[str], env: Mapping[str, str], stage: Stage, follow: Follow) -> None:
    quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
    agent = subprocess.Popen(command, env=dict(env), cwd=stage.project, stdin=quiet, stdout=pipe, stderr=pipe)
    assert agent.stdout is not None
    os.set_blocking(agent.stdout.fileno(), False)
    try:
        while agent.poll() is None:
            follow(agent.stdout.read() or b"")
            time.sleep(POLL_SECONDS)
        follow(agent.stdout.read() or b"")
    finally:
        if agent.poll() is None:
            agent.terminate()
        _, complaints = agent.communicate()
    if agent.returncode:
        raise CccError(f"the demo ended with exit code {agent.returncode}: {one_line(complaints.decode()[-500:], 400)}")


class _Through:
    """pty mode is made to be looked at: its lines are shown as they are."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._rest = b""

    def __call__(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._show("screen", line.decode("utf-8", "replace"))


class _Headless:
    """hooks mode without a terminal: the agent's stream, and what the hook appends about each review."""

    def __init__(self, stage: Stage, show: Show) -> None:
        self._stage, self._show = stage, show
        self._parser = StreamParser()
        self._story_read = 0

    def __call__(self, data: bytes) -> None:
        # First the hook's story: what the agent does next is its consequence.
        for told in self._story():
            self._tell(told)
        for event in self._parser.feed(data):
            self._agent(event)

    def _agent(self, event: object) -> None:
        match event:
            case Text(text):
                self._show("agent", text)
            case ToolUse(name=name, input=given):
                self._show("agent", f"⚙ {name} {_about(given)}")
            case ToolResult(text=text, is_error=is_error):
                self._show("agent", f"  {'✗' if is_error else '✓'} {_last_line(text)}")

    def _story(self) -> Iterator[Mapping[str, object]]:
        for path in (self._stage.config / "ccc").glob("supervisor-*-story.jsonl"):
            whole, _, _ = path.read_bytes()[self._story_read :].rpartition(b"\n")
            self._story_read += len(whole) + 1 if whole else 0
            yield from (orjson.loads(line) for line in whole.split(b"\n") if line)

    def _tell(self, told: Mapping[str, object]) -> None:
        match told:
            case {"event": "review started"}:
                self._show("reviewer", "(a fork of the same session looks at the work)")
            case {"event": "reviewer says", "text": str(text)}:
                self._show("reviewer", text)
            case {"event": "reviewer uses", "tool": str(tool), "on": str(on)}:
                self._show("reviewer", f"⚙ {tool} {one_line(on, 80)}")
            case {"event": "verdict", "allow_stop": bool(allowed)}:
                self._show("reviewer", f"allow_stop: {str(allowed).lower()}")
            case {"event": "sent back", "by": str(by), "feedback": str(feedback)}:
                self._show("supervisor", f"[{by}] {feedback}")


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
    return [*interpreter.command("ccc")]


def story(lang: str, mode: str) -> Story:
    return demo_script.story(lang, mode)
