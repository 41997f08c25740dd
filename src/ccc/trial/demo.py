"""A whole supervised task to look at: the real client, the real hook, and a model that follows a script.

Rule: everything happens in one private folder with an empty home and on loopback; only the model's words are made up.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ccc.base import interpreter, languages, strictjson
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.messages import said as in_language
from ccc.base.text import one_line, tail
from ccc.claude import program, variables
from ccc.claude.stream import StreamParser, Text, ToolResult, ToolUse
from ccc.model import Outcome
from ccc.record import recent
from ccc.record.events import Event, Judged, ReviewerSaid, ReviewerUsed, ReviewStarted, SentBack
from ccc.record.session import Session
from ccc.record.store import story_path
from ccc.record.story import Tail
from ccc.record.words import sender
from ccc.trial import demo_script
from ccc.trial import stage as stages
from ccc.trial.demo_script import Story
from ccc.trial.scripted import ScriptedModel

Show = Callable[[str, str], None]  # who, what
Follow = Callable[[bytes], None]  # what the agent has written
POLL_SECONDS = 0.05
END_SECONDS = 10.0  # for what runs in the demo to end in order
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR", "CCC_LANG", "CCC_CLAUDE", "NO_COLOR")


class Stage(Struct, frozen=True):
    """Where the play takes place."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    @property
    def state(self) -> Path:
        return self.config / "ccc"

    @property
    def project(self) -> Path:
        return self.root / "project"


class Ending(Struct, frozen=True):
    stage: Stage
    client: Path
    completed: bool
    reviews: int
    requests: int
    seconds: float


def play(story: Story, place: Stage, *, env: Mapping[str, str], show: Show) -> Ending:
    """Run the task to its end and show each step as it happens."""
    begun = time.monotonic()
    client = program.find(env, Path.cwd())
    with ScriptedModel(story.rules) as model:
        configure(place, model.url, story)
        show("ccc", story.typed)
        show("you", story.request)
        follow = _Headless(place, show, languages.of_person(env)) if story.mode == "hooks" else _Through(show)
        _run([*own_program(), *story.args], environment(env, place, client, story), place, follow)
        session = recent.newest(place.state) or Session("none")
    return Ending(
        stage=place,
        client=client,
        completed=session.request.outcome is Outcome.COMPLETED,
        reviews=session.count,
        requests=len(model.messages),
        seconds=time.monotonic() - begun,
    )


def stage(env: Mapping[str, str]) -> Stage:
    made = Stage(stages.new("demo", env))
    made.config.mkdir(parents=True)
    made.project.mkdir()
    return made


def configure(stage: Stage, url: str, story: Story) -> None:
    """A provider called `scripted`, and the right to run python; nothing a real set-up would not have."""
    env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_AUTH_TOKEN": "no-key-needed"}
    document = {"providers": {"scripted": {"env": env}}}
    (stage.config / "ccc.json").write_bytes(strictjson.dumps(document, indent=2))
    (stage.config / "ccc.json").chmod(0o600)
    if story.criteria:
        (stage.project / "SUPERVISOR.md").write_text(story.criteria)
    allowed = {"permissions": {"allow": list(story.permissions)}}
    (stage.config / "settings.json").write_bytes(strictjson.dumps(allowed, indent=2))


def environment(env: Mapping[str, str], stage: Stage, client: Path, story: Story) -> dict[str, str]:
    quiet = dict.fromkeys(variables.QUIET_VARIABLES, "1")
    kept = {key: env[key] for key in KEPT if key in env}
    supervised = {"CCC_SUPERVISOR": "1"} if story.mode == "hooks" else {}
    own = {"HOME": str(stage.home), "CCC_CLAUDE": str(client), **stages.scratch(stage.root)}
    return {**kept, **quiet, **supervised, **own}


def _run(command: list[str], env: Mapping[str, str], stage: Stage, follow: Follow) -> None:
    quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
    agent = subprocess.Popen(command, env=dict(env), cwd=stage.project, stdin=quiet, stdout=pipe, stderr=pipe)
    assert agent.stdout is not None
    assert agent.stderr is not None
    os.set_blocking(agent.stdout.fileno(), False)
    try:
        while agent.poll() is None:
            follow(agent.stdout.read() or b"")
            time.sleep(POLL_SECONDS)
        follow(agent.stdout.read() or b"")
    finally:
        end(agent)
    if agent.returncode:
        os.set_blocking(agent.stderr.fileno(), False)  # whom it left behind may still hold it
        complaints = agent.stderr.read() or b""
        raise CccError(
            msg(
                "the demo ended with exit code {code}: {words}",
                code=agent.returncode,
                words=one_line(tail(complaints.decode("utf-8", "replace"), 500), 400),
            )
        )


def end(agent: subprocess.Popen[bytes]) -> None:
    """In order if it can be had in seconds; whoever presses Ctrl-C again does not wait for that either."""
    try:
        agent.terminate()
        agent.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    finally:
        agent.kill()
        agent.wait()


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

    def __init__(self, stage: Stage, show: Show, lang: str) -> None:
        self._stage, self._show, self._lang = stage, show, lang
        self._parser = StreamParser()
        self._tail: Tail | None = None

    def __call__(self, data: bytes) -> None:
        # First the hook's story: what the agent does next is its consequence.
        for event in self._story():
            self._tell(event)
        for said in self._parser.feed(data):
            self._agent(said)

    def _agent(self, event: object) -> None:
        match event:
            case Text(text):
                self._show("agent", text)
            case ToolUse(name=name, input=given):
                self._show("agent", f"⚙ {name} {_about(given)}")
            case ToolResult(text=text, is_error=is_error):
                self._show("agent", f"  {'✗' if is_error else '✓'} {_last_line(text)}")

    def _story(self) -> Iterator[Event]:
        newest = next(recent.sessions(self._stage.state), None)
        if self._tail is None and newest:
            self._tail = Tail(story_path(self._stage.state, newest))
        yield from self._tail.events() if self._tail else ()

    def _tell(self, event: Event) -> None:
        match event:
            case ReviewStarted():
                self._show("reviewer", in_language(msg("(a fork of the same session looks at the work)"), self._lang))
            case ReviewerSaid(text):
                self._show("reviewer", text)
            case ReviewerUsed(tool, str(on)):
                self._show("reviewer", f"⚙ {tool} {one_line(on, 80)}")
            case Judged(allowed):
                self._show("reviewer", f"allow_stop: {str(allowed).lower()}")
            case SentBack(feedback=feedback):
                self._show("supervisor", f"[{sender(event.sender, self._lang)}] {feedback}")


def _about(given: Mapping[str, object]) -> str:
    named = next((given[key] for key in ("command", "file_path", "path") if key in given), "")
    text = str(named)
    return Path(text).name if text.startswith("/") else one_line(text, 80)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return one_line(lines[-1], 300) if lines else ""


def tidy(stage: Stage) -> None:
    stages.remove(stage.root)


def files_made(ending: Ending) -> Iterator[Path]:
    yield from sorted(path for path in ending.stage.project.rglob("*.py"))
    yield from sorted(ending.stage.home.glob(".local/state/ccc-fleet/*/*.py"))
    yield ending.stage.state / "hook-invocation.log"
    yield from sorted(ending.stage.state.glob("supervisor-*-output.jsonl"))


def own_program() -> list[str]:
    return [*interpreter.command("ccc")]


def story(lang: str, mode: str) -> Story:
    return demo_script.story(lang, mode)
