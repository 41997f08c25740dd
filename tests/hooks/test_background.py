"""A review in the background, with the scripted claude: what is heard, what counts, who ends it, what is told later."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from ccc.claude import own_hook
from ccc.record import starts
from ccc_hooks.program import Program
from ccc_hooks.settings import (
    Background,
    Hook,
    hook_command,
    hooks_of_ours,
    in_background,
    is_ours,
    with_hook,
    without_hook,
)
from tests.stops import CLAUDE, ID, Desk, desk_in, eventually
from tests.world import Run, World, fake_claude, provider

BACKGROUND, ASKED = own_hook.BACKGROUND, own_hook.OF_PROMPT
SETTINGS = Path("/home/me/.claude/settings.json")
PROGRAMS = (
    Program("/usr/bin/ccc", ("/usr/bin/python3", "-I")),
    Program("/usr/bin/ccc", clears=True),
    Program("/home/a b/ccc"),
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(World(tmp_path)).make()


def prompt(desk: Desk, **more: object) -> Run:
    """What the person types, as the client tells the hook for it."""
    return desk.hook(json.dumps(desk.event(hook_event_name="UserPromptSubmit", prompt="x", **more)).encode(), ASKED)


def older(hook: subprocess.Popen[bytes]) -> bool:
    """Whether it is certain that no other hook was called together with this one."""
    from ccc.base import processes

    fields = processes.stat(hook.pid)
    return bool(fields) and processes.age(fields) > 2


def test_feedback_alone_stands_on_stderr_and_the_exit_code_wakes(desk: Desk) -> None:
    run = desk.stop("block", BACKGROUND, prompt_id="p1")
    assert (run.code, run.err) == (own_hook.WAKES, "go on")
    # A client that waits all the same, `claude -p`, heeds this and not the code.
    assert json.loads(run.out) == {"decision": "block", "reason": "go on"}
    assert (desk.stop("allow", BACKGROUND, prompt_id="p1").code, desk.state()["outcome"]) == (0, "completed")


def test_the_turn_of_a_woken_agent_counts_on_and_ends_at_the_limit(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, max_iterations=2)
    assert desk.stop("block", BACKGROUND, prompt_id="p1").code == own_hook.WAKES
    assert desk.stop("block", BACKGROUND, prompt_id="p2", stop_hook_active=True).code == own_hook.WAKES
    assert desk.stop("block", BACKGROUND, prompt_id="p3", stop_hook_active=True).code == 0
    assert (desk.state()["count"], desk.state()["outcome"], len(desk.starts)) == (2, "limit", 2)
    assert desk.stop("block", BACKGROUND, prompt_id="p4").code == own_hook.WAKES
    assert desk.state()["count"] == 1


def test_another_request_is_not_taken_for_the_turn_of_a_woken_agent(desk: Desk) -> None:
    desk.stop("allow", BACKGROUND, prompt_id="p1")
    desk.stop("block", BACKGROUND, prompt_id="p2", stop_hook_active=True)
    assert desk.state()["count"] == 1


@pytest.mark.parametrize(("steps", "told"), [("allow", "reviewed and done"), ("quota", "was not reviewed")])
def test_what_the_client_did_not_show_is_told_once_at_the_next_prompt(desk: Desk, steps: str, told: str) -> None:
    desk.stop(steps, BACKGROUND, env={"CCC_LANG": "en"}, prompt_id="p1")
    first, second = prompt(desk), prompt(desk)
    assert told in json.loads(first.out)["systemMessage"]
    assert (first.code, second.code, second.out) == (0, 0, "")


# A client as far as a hook can see: it lives on between its calls, and makes the socket that each one reads.
CLIENT = """
import json, os, socket, subprocess, sys
for line in sys.stdin:
    command, event, told = json.loads(line)
    ours, theirs = socket.socketpair()
    ours.sendall(json.dumps(event).encode())
    env = {**os.environ, "CLAUDECODE": "1", "CLAUDE_PID": str(os.getpid()), **told}
    hook = subprocess.Popen(command, env=env, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    ours.close(), theirs.close()
    if "--background" in command and os.environ["FAKE_CLAUDE"] == "hang":
        continue
    print(json.dumps(hook.communicate()[0].decode()), flush=True)
"""


@dataclass(frozen=True)
class Client:
    desk: Desk
    process: subprocess.Popen[str]

    def calls(self, flag: str, *, heard: bool = True, told: Mapping[str, str] | None = None, **event: object) -> str:
        """The hook, by this client; what it says."""
        command = self.desk.world.command("supervisor-hook", flag)
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([command, self.desk.event(**event), told or {}]) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline()) if heard else ""
        return str(json.loads(said)["systemMessage"]) if said else ""

    def asks(self, **told: str) -> str:
        return self.calls(ASKED, told=told, hook_event_name="UserPromptSubmit", prompt="x")


@contextmanager
def client(desk: Desk, steps: str = "allow") -> Iterator[Client]:
    env = desk.env(steps, CCC_SUPERVISOR="1", CCC_LANG="en")
    command = [sys.executable, "-c", CLIENT]
    with subprocess.Popen(
        command, env=env, cwd=desk.world.project, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Client(desk, process)


def test_what_a_client_did_not_show_is_told_to_nobody_else_as_long_as_it_lives(desk: Desk) -> None:
    with client(desk) as own, client(desk) as other:
        own.calls(BACKGROUND, prompt_id="p1")
        assert prompt(desk).out == ""  # of somebody who has left the client's family and its variables
        assert other.asks() == ""
        assert own.asks(CLAUDE_CODE_ENTRYPOINT="sdk-cli") == ""  # it has no screen
        other.calls(BACKGROUND, prompt_id="p7")  # nor does a stop of theirs put it away
        assert own.asks() == "ccc: reviewed and done · stop 1/10 · agent unknown, reviews $0.2500"
        assert (own.asks(), bool(other.asks())) == ("", True)


def test_what_a_client_that_is_gone_did_not_show_is_told_by_the_one_that_resumes(desk: Desk) -> None:
    with client(desk) as gone:
        gone.calls(BACKGROUND, prompt_id="p1")
    assert prompt(desk).out == ""
    with client(desk) as own:
        assert "reviewed and done" in own.asks()
        assert own.asks() == ""


def test_nobody_but_its_client_ends_a_review(desk: Desk) -> None:
    with client(desk, "hang") as own, client(desk) as other:
        own.calls(BACKGROUND, heard=False, prompt_id="p1")
        assert eventually(lambda: desk.starts, 10)
        assert (prompt(desk).code, other.asks()) == (0, "")
        assert desk.state()["phase"] == "reviewing"
        own.asks()
        assert eventually(lambda: desk.state()["outcome"] == "interrupted", 10)


def test_a_prompt_of_a_session_that_nobody_knows_leaves_no_trace(desk: Desk) -> None:
    run = prompt(desk)
    assert (run.code, run.out) == (0, "")
    assert not list(desk.world.state.glob("supervisor-*"))


def test_a_reviewers_own_prompt_is_told_nothing(desk: Desk) -> None:
    env = desk.env(CCC_SUPERVISOR_HOOK="1")
    event = desk.event(hook_event_name="UserPromptSubmit", prompt="judge it")
    run = desk.hook(json.dumps(event).encode(), ASKED, env=env)
    assert (run.code, run.out) == (0, "")


@pytest.mark.parametrize("by", ["a prompt", "the next stop"])
def test_a_review_of_an_earlier_stop_is_ended_with_its_family(desk: Desk, by: str) -> None:
    with desk.start("hang", BACKGROUND, prompt_id="p1") as hook:
        assert eventually(lambda: desk.starts, 10)
        if by == "a prompt":
            assert prompt(desk).code == 0
            ended = "interrupted"
        else:
            assert eventually(lambda: older(hook), 5)
            assert desk.stop("allow", BACKGROUND, prompt_id="p2").code == 0
            ended = "completed"
        assert (hook.communicate(), hook.returncode) == ((b"", b""), 0)
    assert eventually(desk.is_alone, 5)
    assert (desk.state()["outcome"], desk.state()["count"]) == (ended, 1)


def test_the_agents_word_on_a_command_of_the_persons_own_ends_no_review(desk: Desk) -> None:
    path = desk.world.root / "transcript.jsonl"
    asked = {"type": "user", "promptId": "p1", "message": {"content": "do it"}}
    ran = {"type": "user", "promptId": "p2", "message": {"content": "<bash-input>ls</bash-input>"}}
    said = {"type": "assistant", "message": {"id": "m", "model": "x", "content": [{"type": "text", "text": "I see."}]}}
    path.write_text("".join(json.dumps(line) + "\n" for line in (asked, ran, said)))
    with desk.start("hang", BACKGROUND, prompt_id="p1", transcript_path=str(path)) as hook:
        assert eventually(lambda: desk.starts and older(hook), 10)
        own = {"prompt_id": "p2", "transcript_path": str(path), "last_assistant_message": "I see."}
        assert desk.stop("allow", BACKGROUND, **own).code == 0
        assert (hook.poll(), len(desk.starts)) == (None, 1)
        hook.terminate()


def test_a_verdict_is_dropped_when_the_conversation_went_on(desk: Desk) -> None:
    path = desk.world.root / "transcript.jsonl"
    lines = [{"type": "user", "promptId": name, "message": {"content": "do it"}} for name in ("p1", "p2")]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = desk.stop("block", BACKGROUND, env={"CCC_LANG": "en"}, prompt_id="p1", transcript_path=str(path))
    assert (run.code, run.err) == (0, "")
    ended = desk.state()["outcome"], desk.state()["reason"]
    assert ended == ("interrupted", "you had typed something that goes first")
    # Others than the person can write into that file as well, so nothing is dropped in silence.
    assert "what was found wanting: go on" in json.loads(prompt(desk).out)["systemMessage"]
    assert desk.stop("block", prompt_id="p1", transcript_path=str(path)).code == 0  # who waits is heard
    # Where nobody types nobody can have overtaken it.
    headless = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    assert (
        desk.stop("block", BACKGROUND, env=headless, prompt_id="p0", transcript_path=str(path)).code == own_hook.WAKES
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("options", [(), ("--settings", "/a b/s.json", "--state-dir", "/x")])
def test_the_entries_are_ours_and_go_without_a_trace(program: Program, options: tuple[str, ...]) -> None:
    waking, asked = (hook_command(program, flag, *options) for flag in (BACKGROUND, ASKED))
    hook = Hook(hook_command(program, *options), 600, "reviewing", background=Background(waking, asked, "woken"))
    theirs = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "x"}]}]}}, indent=2)
    text = with_hook(theirs, hook, SETTINGS)
    assert (hooks_of_ours(text, SETTINGS), in_background(text, SETTINGS)) == ([waking], True)
    assert is_ours(asked)
    assert with_hook(text, hook, SETTINGS) == text
    assert without_hook(text, SETTINGS) == theirs
    ordinary = with_hook(text, Hook(hook.command, 600, "reviewing"), SETTINGS)
    assert not in_background(ordinary, SETTINGS)
    assert "UserPromptSubmit" not in without_hook(ordinary, SETTINGS).replace(theirs, "")


@pytest.mark.parametrize(("code", "heard"), [(0, 0), (own_hook.WAKES, 2), (1, 1), (2, 1), (127, 1)])
def test_only_cccs_own_word_wakes_and_a_ccc_that_is_gone_does_not(tmp_path: Path, code: int, heard: int) -> None:
    fake = tmp_path / "ccc"
    fake.write_text(f"#!/bin/sh\nexit {code}\n")
    fake.chmod(0o755)
    command = hook_command(Program(str(fake)), BACKGROUND)
    assert is_ours(command)
    assert subprocess.run(["sh", "-c", command], env={"CCC_PROVIDER": ""}).returncode == heard
    assert shlex.split(command)[0] == str(fake)


def test_the_state_of_a_session_keeps_both_marks(desk: Desk) -> None:
    desk.stop("block", BACKGROUND, prompt_id="p1")
    assert (desk.state()["session_id"], desk.state()["woken"], desk.state()["untold"]) == (ID, True, "")


FED = ("-p", "--input-format", "stream-json")


@pytest.mark.parametrize(
    ("version", "words", "wakes"),
    [("2.1.200", (), True), ("2.1.200", FED, False), ("2.1.199", (), False), ("2.0.76", (), False)],
)
def test_a_client_that_nothing_would_wake_gets_the_ordinary_hook_and_that_is_said(
    desk: Desk, version: str, words: tuple[str, ...], wakes: bool
) -> None:
    desk.world.write_config({"glm": provider("http://127.0.0.1:9")}, supervisor={"background_review": True})
    lines = [f'[ "$1" = --version ] && exec echo "{version} (Claude Code)"', f'exec "{CLAUDE}" "$@"']
    client = fake_claude(desk.world.root / "bin", lines)
    env = desk.env("allow", CCC_SUPERVISOR="1", CCC_CLAUDE=str(client), CCC_LANG="en")
    said = desk.world.ccc("glm", *words, env=env).err
    text = (desk.world.config / "settings.json").read_text()
    [entry] = json.loads(text)["hooks"]["Stop"][0]["hooks"]
    assert (entry.get("asyncRewake"), "UserPromptSubmit" in text) == (wakes or None, wakes)
    assert (own_hook.BACKGROUND in entry["command"]) is wakes
    # Whoever feeds a client by a program has no prompt that could be held.
    assert ("older than 2.1.200: reviews hold the prompt" in said) is not (wakes or bool(words))
    shown = desk.world.ccc("hooks", "status", env=env).out
    assert ("(in the background, and for each prompt)" in shown) is wakes
    assert desk.world.ccc("hooks", "remove", env=env).code == 0
    assert json.loads((desk.world.config / "settings.json").read_text()) == {}


def test_the_beginning_of_a_session_is_written_down_for_a_client_that_ccc_has_not_started(desk: Desk) -> None:
    """As the plugin has it; whoever is no client is not, and no variable that came later makes one a start of ccc's."""
    begins = {"hook_event_name": "SessionStart", "source": "startup"}
    desk.hook(json.dumps(desk.event(**begins)).encode(), ASKED)
    with client(desk) as own:
        assert own.calls(ASKED, told={"CCC_PROVIDER": "glm", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, **begins) == ""
        assert own.calls(ASKED, **begins) == ""
    [known] = starts.known(desk.world.state)
    assert (known.pid, known.folder, known.before) == (own.process.pid, desk.world.project, {})
    assert not known.attended
    assert list(desk.world.state.glob("supervisor-*.json")) == []
