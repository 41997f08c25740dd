"""Who called the hook: the second guard, the client's login, and when the hook was started."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ccc.base.processes import Holder
from ccc.claude import own_hook
from ccc.record.store import SessionStore, utc_now
from ccc_hooks import lineage
from ccc_hooks.call import Call
from tests.machine import FORM
from tests.stops import Desk, eventually
from tests.world import CCC, World, fake_claude

TOKEN = "CANARY-of-the-login"


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


@pytest.mark.spec("H9")
def test_the_reviewers_own_stop_is_answered_by_the_guard(desk: Desk) -> None:
    run = desk.stop("recurse block")
    [reviewer] = desk.started
    assert (desk.log / f"{reviewer.pid}.answer").read_bytes() == b'{"decision":"","":""}'
    assert json.loads(run.out)["decision"] == "block"
    assert desk.state()["count"] == 1
    assert not (desk.world.state / f"supervisor-level-{reviewer.pid}.json").exists()


def test_a_reviewer_that_lost_the_guard_variable_is_not_reviewed_either(desk: Desk) -> None:
    run = desk.stop("recurse_scrubbed block")
    [reviewer] = desk.started
    assert (desk.log / f"{reviewer.pid}.answer").read_bytes() == b""
    assert json.loads(run.out)["decision"] == "block"
    assert "called below another supervisor-hook" in "\n".join(desk.records)


HOOKS = [
    ["/usr/bin/python3", "/home/me/.local/bin/ccc", "supervisor-hook"],
    ["/venv/bin/python3.13", "/venv/bin/ccc", "supervisor-hook", "--state-dir", "x"],
    ["python", "-m", "ccc", "supervisor-hook"],
    ["/opt/ccc/ccc", "supervisor-hook"],
    ["/venv/bin/python", "-I", "/venv/bin/ccc", "supervisor-hook"],
    ["/usr/bin/python3", "-E", "-P", "/home/me/.local/bin/ccc", "supervisor-hook", "--settings", "x"],
    ["/usr/libexec/platform-python", "-I", "-m", "ccc", "supervisor-hook"],
    ["/opt/pypy/bin/pypy3", "-I", "/opt/pypy/bin/ccc", "supervisor-hook"],
    ["/venv/bin/python", "-I", *own_hook.AS_CCC, "/venv/bin/ccc", "supervisor-hook"],
]
OTHERS = [
    ["/bin/sh", "-c", "/usr/local/bin/ccc supervisor-hook"],
    ["timeout", "600", "ccc", "supervisor-hook"],
    ["/usr/bin/python3", "/usr/bin/ccc", "glm", "-p", "explain supervisor-hook"],
    ["/usr/bin/python3", "/usr/bin/ccc", "glm", "supervisor-hook"],
    ["claude", "--resume", "supervisor-hook"],
    ["grep", "supervisor-hook"],
    ["/venv/bin/python", "-I", "-c", "import os", "/venv/bin/ccc", "supervisor-hook"],
    ["/venv/bin/python", "-I", "-c", "/venv/bin/ccc", own_hook.AS_CCC[1], "supervisor-hook"],
    ["supervisor-hook"],
    ["/usr/bin/python3", "deploy.py", "/opt/ccc", "supervisor-hook"],
    ["/usr/bin/python3", "-I", "/usr/bin/ccc", "glm", "supervisor-hook"],
    ["/bin/sh", "-c", "/venv/bin/python -I /venv/bin/ccc supervisor-hook || exit 1"],
    [""],
    [],
]


@pytest.mark.parametrize("argv", HOOKS)
def test_a_hook_is_known_by_its_command_line(argv: list[str]) -> None:
    assert lineage._is_hook([word.encode() for word in argv])


@pytest.mark.parametrize("argv", OTHERS)
def test_whoever_only_mentions_it_is_none(argv: list[str]) -> None:
    assert not lineage._is_hook([word.encode() for word in argv])


def agent(desk: Desk, hook: str, reviewer: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return desk.client(hook, reviewer, **env)


HOOK = f"{shlex.quote(str(CCC))} supervisor-hook"


@pytest.mark.parametrize("hook", [HOOK, f"{HOOK}; true"], ids=["shell became the hook", "shell waits"])
def test_the_reviewer_gets_the_login_that_the_client_keeps_from_its_hooks(desk: Desk, hook: str) -> None:
    hidden = {"FAKE_CLAUDE_HIDES": "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN": TOKEN}
    run = agent(desk, hook, "block", CCC_SUPERVISOR="1", ANTHROPIC_BASE_URL="http://127.0.0.1:1", **hidden)
    client, reviewer = desk.started
    assert json.loads(run.stdout)["decision"] == "block"
    assert client.env["CLAUDE_CODE_OAUTH_TOKEN"] == reviewer.env["CLAUDE_CODE_OAUTH_TOKEN"] == TOKEN
    assert reviewer.env["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:1"
    assert TOKEN not in " ".join(reviewer.argv) + run.stderr.decode() + "\n".join(desk.records)


def test_the_reviewer_is_no_part_of_the_agents_session(desk: Desk) -> None:
    session = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ID": "abc123", "CLAUDE_PROJECT_DIR": "/p"}
    agent(desk, HOOK, "block", CCC_SUPERVISOR="1", CLAUDE_CODE_USE_THE_REST="kept", **session)
    _, reviewer = desk.started
    assert not {"CLAUDECODE", *session} & set(reviewer.env)
    assert reviewer.env["CLAUDE_CODE_USE_THE_REST"] == "kept"
    assert reviewer.env["CCC_SUPERVISOR_HOOK"] == "1"


@pytest.mark.parametrize("value", [{}, {"CCC_SUPERVISOR": "0"}, {"CCC_SUPERVISOR": ""}, {"CCC_SUPERVISOR": "true"}])
def test_a_client_that_ccc_did_not_start_is_not_reviewed(desk: Desk, value: dict[str, str]) -> None:
    run = agent(desk, HOOK, "block", **value)
    assert (run.stdout, run.stderr, run.returncode) == (b"", b"", 0)
    assert len(desk.starts) == 1  # the client itself
    assert not desk.world.state.exists()


STEERED = {
    "the configuration": "CCC_CONFIG_DIR={fake}",
    "the client's configuration": "CLAUDE_CONFIG_DIR={fake}",
    "the home": "HOME={fake}",
    "the state": "CCC_WORK_DIR={fake}",
    "the judge": "CCC_CLAUDE={fake}/claude",
    "the provider": "CCC_PROVIDER=fake",
    "the criteria": "CCC_SUPERVISOR_PROMPT={fake}/criteria.md",
    "the guard": "CCC_SUPERVISOR_HOOK=1 CLAUDE_PID=$PPID",
    "the mode": "CCC_PTY=1 CLAUDE_PID=$PPID",
}


@pytest.mark.parametrize("steered", STEERED.values(), ids=STEERED)
@pytest.mark.parametrize("by", [{"CCC_PROVIDER": "glm"}, {}], ids=["started by ccc", "under the plugin"])
def test_what_reached_the_hook_after_the_start_decides_nothing(desk: Desk, steered: str, by: dict[str, str]) -> None:
    """As a settings file does that was written since: its variables reach the hooks, not the client's own start."""
    fake = desk.world.root / "fake"
    fake.mkdir(mode=0o700)
    fake_claude(fake, [f"echo >{fake}/asked", 'echo "{}"'])
    desk.world.write_config({"glm": {}, "fake": {"env": {"STEERED": "1"}}})
    hook = f"{steered.format(fake=fake)} CCC_SUPERVISOR=1 {HOOK}; true"
    run = agent(desk, hook, "block", CCC_SUPERVISOR="1", **by)
    _, reviewer = desk.started
    assert json.loads(run.stdout) == {"decision": "block", "reason": "go on"}
    assert "STEERED" not in reviewer.env
    assert [path.name for path in fake.iterdir()] == ["claude"]
    assert desk.state()["count"] == 1


UNINVITED = {
    "by a pipe": "cat {event} | {hook}",
    "by a file": "{hook} < {event}",
    "by a socket of its own": "exec {python} -c '{pair}' {event}",
    "without its variables": "cat {event} | env -i HOME=$HOME CCC_LANG=en {hook}",
    "without them, in the shell's own place": "exec env -i HOME=$HOME CCC_LANG=en {hook} < {event}",
    "among processes of its own": "unshare {user} -pf --mount-proc sh -c 'eval \"$CALL\"' < {event}",
    "among files of its own": "unshare {user} -m sh -c 'eval \"$CALL\"'",
    "as a user of its own": "unshare -Ur sh -c 'eval \"$CALL\"'",
    "in a network of its own": "unshare {user} -n sh -c 'eval \"$CALL\"'",
    "by what is called as the client is": 'exec env -i HOME=$HOME CCC_LANG=en CALL="$CALL" {named} {event} not',
    "for the same folder by name": "env -i HOME=/nobody CCC_LANG=en {hook} --state-dir $HOME/.claude/ccc < {event}",
}
PAIR = """
import os, socket, sys
ours, theirs = socket.socketpair()
ours.sendall(open(sys.argv[1], "rb").read())
os.dup2(theirs.fileno(), 0)
os.execvp("sh", ["sh", "-c", os.environ["CALL"]])
"""


@pytest.mark.parametrize("call", UNINVITED.values(), ids=UNINVITED)
@pytest.mark.parametrize("by", [{"CCC_PROVIDER": "glm"}, {}], ids=["started by ccc", "under the plugin"])
def test_a_call_that_the_client_did_not_make_decides_nothing_and_is_told(
    desk: Desk, call: str, by: dict[str, str], record_property: Callable[[str, object], None]
) -> None:
    """As an agent makes it: below the client, for its own session, with a Stop of its own invention."""
    if "unshare" in call:
        record_property(FORM, "a namespace: real")
    event = desk.world.root / "invented.json"
    event.write_text(json.dumps(desk.event()))
    user = "" if os.geteuid() == 0 else "-Ur"
    python, named = shlex.quote(sys.executable), says_nothing(desk)
    script = call.format(event=event, hook=HOOK, python=python, pair=PAIR, user=user, named=named)
    run = agent(desk, script, "allow", CCC_SUPERVISOR="1", CALL=HOOK, CCC_LANG="en", **by)
    assert "was not heeded: something below the client has made it" in json.loads(run.stdout)["systemMessage"]
    assert len(desk.starts) == 1  # the client itself
    assert not (desk.world.state / "supervisor-abc123.json").exists()


SAYS_NOTHING = """
import os, socket, subprocess, sys
from datetime import UTC, datetime
from pathlib import Path
from ccc.record import starts
home = Path(os.environ["HOME"])
if sys.argv[2] == "started":
    starts.begun(home / ".claude/ccc", Path.cwd(), home / ".claude", datetime.now(UTC), "glm")
ours, theirs = socket.socketpair()
ours.sendall(Path(sys.argv[1]).read_bytes())
ours.shutdown(socket.SHUT_WR)
subprocess.run(["sh", "-c", os.environ["CALL"]], stdin=theirs)
"""


def says_nothing(desk: Desk) -> Path:
    """The same as a program of the client's name."""
    path = desk.world.root / "named" / "claude"
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable}\n{SAYS_NOTHING}")
    path.chmod(0o755)
    return path


def test_a_client_that_says_nothing_of_itself_and_was_not_started_by_ccc_is_known_by_its_name(desk: Desk) -> None:
    event = desk.world.root / "stop.json"
    event.write_text(json.dumps(desk.event()))
    env = desk.env("block", CCC_SUPERVISOR="1", CALL=HOOK)
    run = subprocess.run([says_nothing(desk), event, "not"], env=env, cwd=desk.world.project, capture_output=True)
    assert json.loads(run.stdout)["decision"] == "block"


@pytest.mark.parametrize("who", ["started", "not started"])
def test_a_client_that_says_nothing_of_itself_is_known_by_its_start(desk: Desk, who: str) -> None:
    """As 2.0 calls its hooks, without CLAUDECODE; the agent's own processes have all other variables too."""
    event = desk.world.root / "stop.json"
    event.write_text(json.dumps(desk.event()))
    desk.world.state.mkdir(mode=0o700)
    env = desk.env("block", CCC_SUPERVISOR="1", CCC_PROVIDER="glm", CALL=HOOK, CCC_LANG="en")
    client = [sys.executable, "-c", SAYS_NOTHING, event, who]
    run = subprocess.run(client, env=env, cwd=desk.world.project, capture_output=True)
    answer = json.loads(run.stdout)
    assert (answer.get("decision") == "block", "was not heeded" in str(answer)) == (who == "started", who != "started")


def test_a_call_for_another_folder_of_states_is_none_of_the_clients_business(desk: Desk) -> None:
    """As an agent makes it that works on ccc itself, and tries its hook in a place of its own."""
    event, other = desk.world.root / "tried.json", desk.world.root / "other"
    event.write_text(json.dumps(desk.event()))
    other.mkdir()
    script = f"env -i HOME={other} CCC_LANG=en CCC_CLAUDE=/bin/false {HOOK} < {event}; true"
    run = agent(desk, script, "allow", CCC_SUPERVISOR="1", CCC_PROVIDER="glm")
    assert "was not heeded" not in run.stdout.decode()
    assert (other / ".claude/ccc/supervisor-abc123.json").exists()
    assert not (desk.world.state / "supervisor-abc123.json").exists()


def test_a_decision_that_was_made_for_no_client_is_not_the_clients(desk: Desk) -> None:
    """What has left the client's family and its variables can have a Stop decided, and no hook of the client's yields
    to that; what it has counted is not believed."""
    desk.stop("allow")
    assert desk.state()["client"] == 0
    path = desk.world.state / "supervisor-abc123.json"
    stored = SessionStore(desk.world.state, now=utc_now).load("abc123")
    assert stored
    call = Call.of([], {"HOME": "/nobody"}, begun=stored.request.decider_begun)
    assert call.is_late(stored)
    assert not structs.replace(call, client=7).is_late(stored)
    run = agent(desk, HOOK, "block", CCC_SUPERVISOR="1", CCC_PROVIDER="glm", CCC_LANG="en")
    assert json.loads(run.stdout)["decision"] == "block"
    assert "was changed outside ccc" in json.loads(run.stdout)["systemMessage"]
    assert json.loads(path.read_text())["client"] not in (0, None)


def test_a_hook_that_holds_a_stop_has_to_stand_below_the_same_client() -> None:
    own = Holder(os.getpid(), (), 0.0)
    assert lineage.is_called_by(own, None)
    assert not lineage.is_called_by(own, os.getppid())  # it does not say so
    with subprocess.Popen(["sleep", "60"], env={"CLAUDECODE": "1", "PATH": os.environ["PATH"]}) as child:
        held = Holder(child.pid, (), 0.0)
        # The kernel shows the environment of a new program a moment after the program has begun.
        assert eventually(lambda: lineage.is_called_by(held, os.getpid()), 1)
        assert not lineage.is_called_by(held, child.pid)
        child.kill()


def test_without_a_client_no_variable_of_the_caller_is_taken(desk: Desk) -> None:
    """What a shell did not pass on, it did not want to."""
    event = json.dumps(desk.event())
    script = f"env -u ANTHROPIC_API_KEY {HOOK}; true"
    env = desk.env("block", ANTHROPIC_API_KEY=TOKEN)
    subprocess.run(["sh", "-c", script], env=env, cwd=desk.world.project, input=event.encode(), capture_output=True)
    [reviewer] = desk.started
    assert "ANTHROPIC_API_KEY" not in reviewer.env


def test_the_start_of_the_process_counts_and_not_its_first_line_of_python(tmp_path: Path) -> None:
    """What runs before us, like a slow shell, does not make us late."""
    script = "from ccc_hooks import lineage; print(lineage.begun())"
    shell = f"read -r go; exec {shlex.quote(sys.executable)} -c {shlex.quote(script)}"
    before, tick = time.monotonic(), 1 / os.sysconf("SC_CLK_TCK")
    with subprocess.Popen(["sh", "-c", shell], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        there = time.monotonic()
        while time.monotonic() < there + 2 * tick:  # the kernel's clock, by which processes start, has to move
            os.sched_yield()
        told, _ = process.communicate(b"go\n")  # Python starts after this
    assert before - tick <= float(told) <= there + tick


def test_where_the_kernel_tells_nothing_it_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "_stat", lambda _: [])
    before = time.monotonic()
    assert before <= lineage.begun() <= time.monotonic()
