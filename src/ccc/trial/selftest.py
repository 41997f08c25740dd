"""A proof in seconds: the real client and the real hook in a folder of their own, with a model that follows a script.

Rule: an empty home, loopback only, no key of the person's; whatever happens, no process and no file is left behind.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccc.base.messages import msg
from ccc.base.text import one_line, tail
from ccc.model import Outcome
from ccc.record import recent, story
from ccc.record.events import Event, Judged, SentBack, StopAllowed, name_of
from ccc.trial import stage
from ccc.trial.scripted import ScriptedModel

SECONDS = 120.0
LEAVING_SECONDS = 10.0
POLL_SECONDS = 0.02
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR")
FEEDBACK = "ccc self-test: not yet, answer once more"


class Proof(Struct, frozen=True):
    """`failure` is "" when the hook fired, blocked and let go."""

    failure: str
    reviews: int = 0
    seconds: float = 0.0


def prove(client: Path, program: Sequence[str], env: Mapping[str, str]) -> Proof:
    """One supervised request: the first review must send the agent back, the second must let it stop."""
    begun = time.monotonic()
    with _stage(env) as root, ScriptedModel(_rules()) as model:
        _configure(root, model.url)
        ended = _run([*program, "scripted", "-p", "ccc self-test"], _environment(env, root, client), root / "project")
        state = root / "home" / ".claude" / "ccc"
        events = [event for each in islice(recent.sessions(state), 5) for event in story.load(state, each)]
        heard = any(FEEDBACK in request.last for request in model.messages if "StructuredOutput" not in request.tools)
    reviews = sum(isinstance(event, Judged) for event in events)
    return Proof(ended or _failure(events, heard), reviews, time.monotonic() - begun)


def _failure(events: Sequence[Event], heard: bool) -> str:
    kinds = {type(event) for event in events}
    if not events:
        return msg("the client ran and did not call the hook")
    if Judged not in kinds:
        return msg(
            "the client called the hook, but the review failed: {why}", why=_why(events) or msg("it gave no verdict")
        )
    if SentBack not in kinds or not heard:
        return msg("the hook sent the agent back, but the agent did not hear it")
    match events[-1]:
        case StopAllowed(Outcome.COMPLETED):
            return ""
        case last:
            return msg("the second review did not let the agent go: {why}", why=_why([last]) or name_of(last))


def _why(events: Sequence[Event]) -> str:
    """The last reason that somebody gave."""
    told = (getattr(event, "why", None) for event in reversed(events))
    return one_line(next((why for why in told if why), ""))


def _rules() -> list[dict[str, Any]]:
    verdicts = [{"allow_stop": False, "feedback": FEEDBACK}, {"allow_stop": True, "feedback": ""}]
    replies = [{"tools": [{"name": "StructuredOutput", "input": verdict}]} for verdict in verdicts]
    return [
        {"tool": "StructuredOutput", "times": None, "replies": replies},
        {"times": None, "replies": [{"text": "first answer"}, {"text": "second answer"}]},
    ]


def _configure(root: Path, url: str) -> None:
    config = root / "home" / ".claude"
    config.mkdir(parents=True)
    (root / "project").mkdir()
    env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_AUTH_TOKEN": "no-key-needed"}
    limits = {"max_iterations": 3, "timeout_seconds": 60, "gate": "off"}
    path = config / "ccc.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps({"providers": {"scripted": {"env": env}}, "supervisor": limits}))


def _environment(env: Mapping[str, str], root: Path, client: Path) -> dict[str, str]:
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "CCC_LANG": "en"}
    own = {"HOME": str(root / "home"), "CCC_CLAUDE": str(client), "CCC_SUPERVISOR": "1", **stage.scratch(root)}
    return {**{key: env[key] for key in KEPT if key in env}, **quiet, **own}


def _run(command: Sequence[str], env: Mapping[str, str], cwd: Path) -> str:
    """Run to the end; returns what went wrong with the client itself."""
    agent = subprocess.Popen(
        command,
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, said = agent.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return msg("the client did not end within {seconds:.0f} s", seconds=SECONDS)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(agent.pid, signal.SIGKILL)
        agent.wait()
        if agent.stderr:
            agent.stderr.close()
    if agent.returncode == 0:
        return ""
    return msg(
        "the client ended with exit code {returncode}: {said}",
        returncode=agent.returncode,
        said=one_line(tail(said.decode("utf-8", "replace"), 300), 200),
    )


@contextmanager
def _stage(env: Mapping[str, str]) -> Iterator[Path]:
    with stage.passing("selftest", env) as root:
        try:
            yield root
        finally:
            _wait_for_the_last(root)


def _wait_for_the_last(root: Path) -> None:
    """A reviewer that is just ending would write into its home once more, and so bring it back."""
    deadline = time.monotonic() + LEAVING_SECONDS
    while time.monotonic() < deadline and any(_lives_in(root)):
        time.sleep(POLL_SECONDS)
    for pid in _lives_in(root):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _lives_in(root: Path) -> Iterator[int]:
    """Processes whose home is in the folder; where there is no /proc, none."""
    home = f"HOME={root / 'home'}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if home in (entry / "environ").read_bytes().split(b"\0"):
                yield int(entry.name)
        except OSError:  # gone meanwhile, or another user's
            continue
