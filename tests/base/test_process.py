"""Real processes: every test starts a small ccc that calls run() on a child written here, and looks into /proc."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ccc.base import messages
from ccc.base.process import DEAF_SECONDS, KILL_SECONDS, Limits, Reason
from tests.stops import eventually

CCC = """
import json, os, resource, signal, socket, sys, time
from pathlib import Path
from ccc.base.process import CannotStart, Command, Limits, run

spec = json.loads(sys.argv[1])
heard = bytearray()

def on_output(data):
    heard.extend(data)
    if b"RAISE" in data:
        raise OSError("the log is full")
    return b"RESULT" in data

def fds():
    return sorted(os.listdir("/proc/self/fd"))

def handlers():
    return [repr(signal.getsignal(n)) for n in sorted(signal.valid_signals())]

said = []

def say_ready():
    if not said:
        said.append(os.write(1, b"ready\\n"))

exec(spec.get("prepare", ""))
before = fds(), handlers()
ticks = iter(range(0, 10**9, spec["tick"])) if "tick" in spec else None
say_ready()
try:
    ended = run(
        Command(tuple(spec["argv"]), {**os.environ, **spec.get("env", {})}, Path(spec["cwd"])),
        on_output=on_output,
        limits=Limits(**spec["limits"]),
        hangup_fd=spec.get("hangup_fd"),
        caller=spec.get("caller"),
        unopened=spec.get("unopened", True),  # as a reviewer is started
        clock=(lambda: next(ticks)) if ticks else time.monotonic,
    )
    answer = {"reason": ended.reason.name, "code": ended.exit_code, "tail": ended.stderr_tail.decode()}
except (CannotStart, OSError) as error:
    answer = {"reason": type(error).__name__, "error": str(error)}
exec(spec.get("repair", ""))
try:
    answer["children"] = repr(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    answer["children"] = "none"
answer |= {"heard": heard.decode("utf-8", "replace"), "clean": before == (fds(), handlers())}
scratch = Path(spec["answer"] + ".tmp")
scratch.write_text(json.dumps(answer))
scratch.replace(spec["answer"])
"""


def living(marker: str) -> set[int]:
    """Everybody who carries the marker in its environment; a zombie has none."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (entry / "environ").read_bytes():
                found.add(int(entry.name))
        except OSError:
            continue
    return found


def status(pid: int, name: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.split(":", 1)[1].strip() for line in lines if line.startswith(f"{name}:"))


@dataclass(frozen=True)
class Ccc:
    """A running ccc; its family carries `marker`."""

    process: subprocess.Popen[bytes]
    answer_file: Path
    marker: str
    started: float = field(default_factory=time.monotonic)

    def answer(self) -> dict[str, Any]:
        self.process.wait()
        assert self.answer_file.exists(), self.process.returncode
        found: dict[str, Any] = json.loads(self.answer_file.read_text())
        return found

    def family(self) -> set[int]:
        return living(self.marker) - {self.process.pid}

    def is_alone(self) -> bool:
        return not self.family()

    def keeper(self) -> int:
        return next(pid for pid in self.family() if status(pid, "PPid") == str(self.process.pid))


Start = Callable[..., Ccc]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Ccc] = []

    def start(*argv: str, wrap: tuple[str, ...] = (), stdout: int = subprocess.PIPE, **spec: Any) -> Ccc:
        marker = f"CCC_TEST_FAMILY={uuid.uuid4()}"
        answer = tmp_path / f"answer-{len(started)}"
        limits = {"deadline_seconds": 15, "idle_seconds": 15} | spec.pop("limits", {})
        spec = {"argv": argv, "cwd": str(tmp_path), "answer": str(answer), "limits": limits} | spec
        process = subprocess.Popen(
            [*wrap, sys.executable, "-c", CCC, json.dumps(spec)],
            env={**os.environ, **dict([marker.split("=")])},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            start_new_session=True,
        )
        started.append(Ccc(process, answer, marker))
        if process.stdout:
            assert process.stdout.readline() == b"ready\n"
        return started[-1]

    yield start
    for ccc in started:
        for pid in living(ccc.marker):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        ccc.process.wait(10)
        if ccc.process.stdout:
            ccc.process.stdout.close()


def shell(script: str) -> tuple[str, str, str]:
    return "sh", "-c", script


def python(script: str) -> tuple[str, str, str, str]:
    return sys.executable, "-S", "-c", script


STUBBORN = "trap '' TERM INT HUP; "
POLITE = "sleep 600 & setsid sleep 600 & setsid sh -c 'sleep 600 & sleep 600' & "
FAMILY = POLITE + "setsid sh -c 'trap \"\" TERM; sleep 600 & sleep 600' & "


# ---- how it ends ----


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 0", 0), ("exit 1", 1), ("exit 137", 137), ("kill -9 $$", -9), ("kill -11 $$", -11), ("kill -15 $$", -15)],
)
def test_an_exit_is_reported_with_its_code_and_both_outputs(start: Start, script: str, code: int) -> None:
    answer = start(*shell(f"echo out; echo err >&2; {script}")).answer()
    assert (answer["reason"], answer["code"], answer["heard"], answer["tail"]) == ("EXITED", code, "out\n", "err\n")


def test_all_that_was_written_before_an_exit_is_heard(start: Start) -> None:
    answer = start(*python("import os; os.write(2, b'e' * 9000); print('x' * 3_000_000)")).answer()
    assert (answer["reason"], len(answer["heard"]), answer["tail"]) == ("EXITED", 3_000_001, "e" * 8192)


@pytest.mark.parametrize("repeat", range(5))
def test_a_result_followed_by_an_exit_is_always_enough(start: Start, repeat: int) -> None:
    assert start(*shell("echo RESULT")).answer()["reason"] == "ENOUGH"


@pytest.mark.parametrize(
    ("script", "limits", "reason"),
    [
        ("sleep 600", {"idle_seconds": 0.3}, "IDLE"),
        ("echo one; echo two >&2; sleep 600", {"idle_seconds": 0.3}, "IDLE"),
        ("exec >&- 2>&-; sleep 600", {"idle_seconds": 0.3}, "IDLE"),
        ("while :; do echo more; sleep 0.05; done", {"deadline_seconds": 0.5, "idle_seconds": 0.4}, "DEADLINE"),
        ("while :; do echo more >&2; sleep 0.05; done", {"deadline_seconds": 0.5, "idle_seconds": 0.4}, "DEADLINE"),
        ("yes", {"output_bytes": 5_000_000}, "TOO_MUCH"),
        ("yes >&2", {"output_bytes": 5_000_000}, "TOO_MUCH"),
        ("echo RESULT; sleep 600", {}, "ENOUGH"),
    ],
)
def test_a_child_that_goes_on_is_ended(start: Start, script: str, limits: dict[str, float], reason: str) -> None:
    ccc = start(*shell(script), limits=limits)
    answer = ccc.answer()
    assert (answer["reason"], answer["code"]) == (reason, -15)
    assert ccc.is_alone()


def test_the_clock_is_the_callers(start: Start) -> None:
    answer = start(*shell("sleep 600"), tick=2000, limits={"deadline_seconds": 1000, "idle_seconds": 1000}).answer()
    assert answer["reason"] == "DEADLINE"


def test_an_error_of_the_listener_ends_the_family_and_is_passed_on(start: Start) -> None:
    ccc = start(*shell(FAMILY + "echo RAISE; sleep 600"))
    answer = ccc.answer()
    assert (answer["reason"], answer["error"], answer["clean"]) == ("OSError", "the log is full", True)
    assert ccc.is_alone()


# ---- what it is given ----


def test_5_megabytes_on_stderr_do_not_hold_up_the_result(start: Start) -> None:
    answer = start(*python("import os; os.write(2, b'.' * 5_000_000 + b'end'); print('RESULT')")).answer()
    assert (answer["reason"], answer["tail"][-4:], len(answer["tail"])) == ("ENOUGH", ".end", 8192)


@pytest.mark.parametrize(("unopened", "stdout"), [(True, "socke"), (False, "pipe:")])
def test_a_child_gets_three_descriptors_and_an_empty_stdin(
    start: Start, tmp_path: Path, unopened: bool, stdout: str
) -> None:
    script = (
        "import os; print({f: os.readlink(f'/proc/self/fd/{f}')[:5] for f in os.listdir('/proc/self/fd') if f < '3'})"
    )
    lock = f"lock = os.open({str(tmp_path / 'lock')!r}, os.O_CREAT); os.set_inheritable(lock, True)"
    answer = start(
        *python(script + "; print(sorted(os.listdir('/proc/self/fd')))"), prepare=lock, unopened=unopened
    ).answer()
    given, listed = answer["heard"].splitlines()
    assert given == f"{{'0': '/dev/', '1': {stdout!r}, '2': 'pipe:'}}"
    assert listed == "['0', '1', '2', '3']"  # the fourth is the listing itself


@pytest.mark.parametrize(("unopened", "heard"), [(True, "ENXIO\n"), (False, "forged\n0\n")])
def test_nobody_else_speaks_in_a_childs_place_where_that_matters(start: Start, unopened: bool, heard: str) -> None:
    forger = "open('/proc/%d/fd/1' % os.getppid(), 'wb', 0).write(b'forged\\n')"
    attempt = f"import errno, os, sys\ntry: {forger}\nexcept OSError as e: sys.stderr.write(errno.errorcode[e.errno])"
    child = (
        f"import subprocess, sys; r = subprocess.run([sys.executable, '-S', '-c', {attempt!r}], capture_output=True)"
    )
    answer = start(*python(f"{child}; print(r.stderr.decode() or r.returncode)"), unopened=unopened).answer()
    assert answer["heard"] == heard


def test_nobody_else_tells_how_a_child_has_ended_or_that_it_may_go_on(start: Start) -> None:
    script = """
import errno, os, sys
for fd in (3, 4):
    try:
        open(f"/proc/{os.getppid()}/fd/{fd}", "wb", 0).write(b"exit 0\\n")
    except OSError as error:
        print(errno.errorcode[error.errno])
sys.exit(1)
"""
    answer = start(*python(script)).answer()
    assert (answer["heard"], answer["code"]) == ("ENXIO\nENXIO\n", 1)


def test_nothing_by_which_ccc_hears_of_signals_can_be_opened(start: Start) -> None:
    """A byte there would be one, without a sender."""
    script = """
import os
own = {os.readlink(f"/proc/self/fd/{fd}") for fd in (1, 2)}
for pid in (os.getppid(), int(open(f"/proc/{os.getppid()}/stat").read().split()[3])):
    ends = {fd: os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd") if int(fd) > 2}
    print([end for end in ends.values() if end.startswith("pipe:") and end not in own], len(ends) > 2)
"""
    assert start(*python(script)).answer()["heard"] == "[] True\n[] True\n"


@pytest.mark.parametrize("closed", [(0,), (0, 2), (0, 2, 1)])
def test_a_ccc_without_standard_streams_gives_its_child_three(start: Start, closed: tuple[int, ...]) -> None:
    prepare = f"say_ready(); [os.close(fd) for fd in {closed}]"
    answer = start(*shell("echo out; echo err >&2; cat"), prepare=prepare).answer()
    assert (answer["reason"], answer["heard"], answer["tail"], answer["clean"]) == ("EXITED", "out\n", "err\n", True)


def test_a_child_leads_its_own_session_away_from_any_terminal(start: Start) -> None:
    answer = start(*python("import os; print(os.getsid(0) == os.getpgrp() == os.getpid()); open('/dev/tty')")).answer()
    assert answer["heard"] == "True\n"
    assert "No such device" in answer["tail"]


def ignoring(*numbers: int) -> tuple[str, ...]:
    """A wrapper whose program inherits SIG_IGN for these."""
    script = f"import os, signal, sys; [signal.signal(n, signal.SIG_IGN) for n in {[int(n) for n in numbers]}]"
    return python(script + "; os.execvp(sys.argv[1], sys.argv[1:])")


def test_ignored_and_blocked_signals_are_not_handed_down(start: Start) -> None:
    wrap = ignoring(signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGUSR1, signal.SIGQUIT)
    prepare = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGALRM, signal.SIGCHLD])"
    answer = start("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status", wrap=wrap, prepare=prepare).answer()
    masks = [int(line.split()[1], 16) for line in answer["heard"].splitlines()]
    libc = 1 << 31 | 1 << 32  # signals 32 and 33 are its own
    assert [mask & ~libc for mask in masks] == [0, 0]
    assert (answer["reason"], answer["code"], answer["children"], answer["clean"]) == ("EXITED", 0, "none", True)


def test_text_no_argument_can_carry_is_cleaned(start: Start) -> None:
    script = "import os, sys; print(ascii(sys.argv[1:]), ascii(os.environ['KEY']), 'a=b' in os.environ)"
    argv = (*python(script), "a\0b", "中\ud800文", "raw\udcff", "")
    env = {"KEY": "x\0\ud800", "a=b": "c", "": "nameless", "\0": "nameless"}
    answer = start(*argv, env=env).answer()
    assert answer["heard"] == r"['ab', '\u4e2d?\u6587', 'raw\udcff', ''] 'x?' False" + "\n"


# ---- what cannot start ----


def no_shebang(folder: Path) -> tuple[str, ...]:
    (folder / "plain").write_text("echo hello")
    (folder / "plain").chmod(0o755)
    return (str(folder / "plain"),)


def not_executable(folder: Path) -> tuple[str, ...]:
    (folder / "text").write_text("#!/bin/sh\n")
    return (str(folder / "text"),)


NO_FORK = {  # root may always fork
    "prepare": "os.getuid() or os.setresuid(65534, 65534, 0); resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))",
    "repair": "os.getresuid()[2] or os.setresuid(0, 0, 0)",
}
NO_FDS = "resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0}))"


@pytest.mark.parametrize(
    ("argv", "spec", "says"),
    [
        (lambda _: ("no-such-claude", "-p"), {}, "cannot start 'no-such-claude': it, or the interpreter"),
        (lambda _: ("/no/such/claude",), {}, "give its full path"),
        (not_executable, {}, "chmod +x"),
        (lambda folder: (str(folder),), {}, "chmod +x"),
        (no_shebang, {}, "a script needs a #! line"),
        (lambda _: ("true",), {"prepare": "spec['argv'] += ['x' * 200_000]"}, "too long; shorten"),
        (lambda _: (), {}, "cannot start ''"),
        (lambda _: ("tr\0ue",), {}, "is not there"),
        (lambda _: ("true",), {"cwd": "/no/such/folder"}, "cannot work in '/no/such/folder': No such file"),
        (lambda _: ("true",), {"cwd": "/dev/null"}, "cannot work in '/dev/null': Not a directory"),
        (lambda _: ("true",), {"cwd": "/no\0/\ud800"}, "cannot work in"),
        (lambda _: ("true",), NO_FORK, "too many processes"),
        *[(lambda _: ("true",), {"prepare": NO_FDS.format(n)}, "too many files") for n in (6, 9, 12)],
    ],
)
def test_what_cannot_start_says_so_in_one_line(
    start: Start, tmp_path: Path, argv: Callable[[Path], tuple[str, ...]], spec: dict[str, str], says: str
) -> None:
    ccc = start(*argv(tmp_path), **spec)
    answer = ccc.answer()
    assert answer["reason"] == "CannotStart"
    assert says in answer["error"]
    assert "\n" not in answer["error"]
    assert (answer["clean"], answer["children"], ccc.is_alone()) == (True, "none", True)


# ---- nobody is left ----

FAMILIES = {
    "ignores SIGTERM": STUBBORN + "echo RESULT; while :; do sleep 600; done",
    "is stopped": "echo RESULT; kill -STOP $$",
    "is stopped with its group": STUBBORN + "sleep 600 & echo RESULT; kill -STOP 0",
    "left a child that holds stdout": "sleep 600 & echo RESULT",
    "left a deaf child that holds stdout": STUBBORN + "sleep 600 & echo RESULT",
    "has one in another session": "setsid sleep 600 & echo RESULT; sleep 600",
    "has deaf ones in other sessions": FAMILY + "echo RESULT; sleep 600",
    "has orphans in other sessions": f"( ( {FAMILY} : ) & ) ; echo RESULT",
    "forks when it is told to go": "trap 'setsid sleep 600 & sleep 600 &' TERM; echo RESULT; sleep 600 & wait",
    "forks all the time": "while :; do setsid sh -c 'trap \"\" TERM; sleep 600' & sleep 0.02; echo RESULT; done",
}


@pytest.mark.parametrize("script", FAMILIES.values(), ids=FAMILIES.keys())
def test_soon_after_the_result_nobody_is_left_of_a_family_that(start: Start, script: str) -> None:
    ccc = start(*shell(script))
    answer = ccc.answer()
    assert answer["reason"] == "ENOUGH"
    assert (answer["children"], answer["clean"], ccc.is_alone()) == ("none", True, True)


def test_an_exit_without_a_result_ends_those_who_hold_stdout(start: Start) -> None:
    ccc = start(*shell(FAMILY + "exit 3"))
    answer = ccc.answer()
    assert (answer["reason"], answer["code"], ccc.is_alone()) == ("EXITED", 3, True)


def spread(seed: int) -> str:
    """Polite families and deaf ones; all have members in other sessions."""
    return (STUBBORN + FAMILY if seed % 2 else POLITE) + "echo up; while :; do sleep 600; done"


def hit(ccc: Ccc, number: int, seed: int) -> None:
    time.sleep(random.Random(seed).uniform(0, 0.09))
    os.kill(ccc.process.pid, number)


def test_all_that_is_waited_for_at_an_end_is_under_3_seconds() -> None:
    assert Limits(60, 60).grace_seconds + KILL_SECONDS + DEAF_SECONDS < 3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30))
def test_sigterm_at_any_moment_ends_ccc_and_its_family_in_3_seconds(start: Start, seed: int) -> None:
    ccc = start(*shell(spread(seed)))
    hit(ccc, signal.SIGTERM, seed)
    ccc.process.wait()
    assert ccc.is_alone()
    # Before run() has taken the signal it is the interpreter's, and there is no family yet.
    assert ccc.process.returncode == -signal.SIGTERM or ccc.answer()["reason"] == "INTERRUPTED"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_4_seconds_after_sigkill_at_any_moment_nobody_is_left(start: Start, seed: int) -> None:
    ccc = start(*shell(spread(seed)))
    hit(ccc, signal.SIGKILL, seed)
    assert eventually(ccc.is_alone, 4)


def heads(ccc: Ccc) -> bool:
    """The keeper, the leader and its foreground child, and those of POLITE are there."""
    return len(ccc.family()) >= 7


def test_the_death_of_a_client_with_all_its_group_leaves_nobody(start: Start) -> None:
    ccc = start(*shell(spread(1)))
    assert eventually(lambda: heads(ccc), 5)
    os.killpg(ccc.process.pid, signal.SIGKILL)
    assert eventually(ccc.is_alone, 4)


def test_whoever_reads_stdout_of_a_killed_ccc_sees_its_end_at_once(start: Start) -> None:
    ccc = start(*shell(spread(1)))
    assert eventually(lambda: heads(ccc), 5)
    ccc.process.kill()
    assert ccc.process.stdout is not None
    assert ccc.process.stdout.read() == b""
    assert not ccc.is_alone()  # they are still being ended: it is not their end that was seen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_a_signal_to_stop_is_an_interruption_also_when_it_comes_thrice(start: Start, number: int) -> None:
    ccc = start(*shell(spread(1)))
    assert eventually(lambda: heads(ccc), 5)
    for _ in range(3):
        os.kill(ccc.process.pid, number)
    answer = ccc.answer()
    assert (answer["reason"], answer["clean"], ccc.is_alone()) == ("INTERRUPTED", True, True)


def test_a_signal_that_ends_ccc_unseen_leaves_nobody(start: Start) -> None:
    ccc = start(*shell(spread(1)))
    assert eventually(lambda: heads(ccc), 5)
    os.kill(ccc.process.pid, signal.SIGUSR1)
    assert ccc.process.wait(3) == -signal.SIGUSR1
    assert eventually(ccc.is_alone, 4)


def test_sigpipe_and_an_ignored_sighup_change_nothing(start: Start) -> None:
    script, prepare = "echo up; read line < fifo; exit 5", "os.mkfifo(spec['cwd'] + '/fifo')"
    ccc = start(*shell(script), wrap=ignoring(signal.SIGHUP), prepare=prepare)
    fifo = ccc.answer_file.parent / "fifo"
    for number in (signal.SIGHUP, signal.SIGPIPE):
        os.kill(ccc.process.pid, number)
    fifo.write_text("go\n")
    answer = ccc.answer()
    assert (answer["reason"], answer["code"]) == ("EXITED", 5)


def test_a_signal_that_comes_after_the_result_is_not_lost(start: Start) -> None:
    ccc = start(*shell(STUBBORN + "echo RESULT; touch said; while :; do sleep 600; done"))
    assert eventually((ccc.answer_file.parent / "said").exists, 5)
    os.kill(ccc.process.pid, signal.SIGTERM)
    assert ccc.answer()["reason"] == "INTERRUPTED"


def test_a_killed_keeper_takes_the_leader_and_its_group_along(start: Start) -> None:
    ccc = start(*shell(STUBBORN + "sleep 600 & echo up; while :; do sleep 600; done"))
    assert eventually(lambda: len(ccc.family()) >= 4, 5)
    os.kill(ccc.keeper(), signal.SIGKILL)
    answer = ccc.answer()
    assert (answer["reason"], answer["code"], answer["children"]) == ("EXITED", None, "none")
    assert eventually(ccc.is_alone, 1)


def test_a_leader_is_told_to_go_when_ccc_and_keeper_are_killed_together(start: Start) -> None:
    ccc = start(*shell("trap 'echo gone > told; exit' TERM; touch up; while :; do sleep 0.05; done"))
    assert eventually((ccc.answer_file.parent / "up").exists, 5)
    keeper = ccc.keeper()
    ccc.process.send_signal(signal.SIGSTOP)
    os.kill(keeper, signal.SIGKILL)
    ccc.process.kill()
    assert eventually(ccc.is_alone, 4)
    assert (ccc.answer_file.parent / "told").read_text() == "gone\n"


def test_a_stopped_keeper_does_not_hold_up_the_end(start: Start) -> None:
    ccc = start(*shell(spread(1)))
    assert eventually(lambda: heads(ccc), 5)
    os.kill(ccc.keeper(), signal.SIGSTOP)
    os.kill(ccc.process.pid, signal.SIGTERM)
    answer = ccc.answer()
    assert (answer["reason"], answer["code"], answer["children"]) == ("INTERRUPTED", None, "none")
    assert eventually(ccc.is_alone, 1)


def test_the_keeper_holds_nothing_of_cccs(start: Start, tmp_path: Path) -> None:
    prepare = f"locks = [os.open({str(tmp_path / 'lock')!r}, os.O_CREAT) for _ in range(300)]"
    ccc = start(*shell(spread(0)), prepare=prepare)
    assert eventually(lambda: heads(ccc), 5)
    keeper, fds = ccc.keeper(), Path(f"/proc/{ccc.keeper()}/fd")
    held = {fd.name: str(fd.readlink()) for fd in fds.iterdir()}
    assert [held[fd] for fd in "012"] == ["/dev/null"] * 3
    # Orders and news, and what wakes itself.
    assert {target.partition(":")[0] for fd, target in held.items() if fd not in "012"} == {"socket"}
    mine = Path(f"/proc/{ccc.process.pid}/fd")
    assert str((mine / "1").readlink()) not in held.values()
    assert os.getsid(keeper) == keeper != os.getsid(ccc.process.pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize(
    ("caller", "reason"), [(None, "INTERRUPTED"), (os.getpid, "INTERRUPTED"), (os.getppid, "BROKEN_OFF")]
)
def test_only_who_waits_for_the_answer_interrupts_and_anybody_ends_it(
    start: Start, number: signal.Signals, caller: Callable[[], int] | None, reason: str
) -> None:
    ccc = start(*shell(spread(1)), caller=caller and caller())
    assert eventually(lambda: heads(ccc), 5)
    os.kill(ccc.process.pid, number)
    answer = ccc.answer()
    assert (answer["reason"], answer["clean"], ccc.is_alone()) == (reason, True, True)


def test_a_signal_with_a_sender_of_its_own_invention_is_nobodys(start: Start) -> None:
    """Whoever queues a signal may write any process into it."""
    ccc = start(*shell(spread(1)), caller=os.getpid())
    assert eventually(lambda: heads(ccc), 5)
    queue = (
        "import ctypes, os, struct, sys; info = struct.pack('=iiiiII', 15, 0, -1, 0, *map(int, sys.argv[2:4]))"
        "; rest = bytes(128 - len(info)); libc = ctypes.CDLL(None, use_errno=True)"
        "; sys.exit(libc.syscall(int(sys.argv[4]), int(sys.argv[1]), 15, info + rest))"
    )
    number = {"x86_64": "129", "aarch64": "138"}[os.uname().machine]
    words = [str(ccc.process.pid), str(os.getpid()), str(os.getuid()), number]
    assert subprocess.run([sys.executable, "-c", queue, *words]).returncode == 0
    assert ccc.answer()["reason"] == "BROKEN_OFF"


# ---- nobody is there to read the answer ----


def test_a_reader_that_goes_away_ends_the_review(start: Start) -> None:
    reader, stdout = socket.socketpair()
    with reader:
        ccc = start(*shell(spread(1)), stdout=stdout.fileno(), hangup_fd=1)
        stdout.close()
        assert reader.recv(100) == b"ready\n"
        assert eventually(lambda: heads(ccc), 5)
    assert (ccc.answer()["reason"], ccc.is_alone()) == ("HUNG_UP", True)


def test_a_reader_of_a_pipe_that_goes_away_ends_the_review(start: Start) -> None:
    ccc = start(*shell(spread(0)), hangup_fd=1)
    assert eventually(lambda: heads(ccc), 5)
    assert ccc.process.stdout is not None
    ccc.process.stdout.close()
    assert (ccc.answer()["reason"], ccc.is_alone()) == ("HUNG_UP", True)


def test_a_reader_that_stays_is_no_hang_up(start: Start) -> None:
    assert start(*shell("echo RESULT"), hangup_fd=1).answer()["reason"] == "ENOUGH"


def test_a_closed_stdout_has_no_reader(start: Start) -> None:
    ccc = start(*shell("sleep 600"), hangup_fd=1, prepare="say_ready(); os.close(1)")
    assert (ccc.answer()["reason"], ccc.is_alone()) == ("HUNG_UP", True)


# ---- what it costs ----


def test_the_import_loads_nothing_heavy() -> None:
    script = "import sys, ccc.base.process; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True).stdout.split()
    assert not {"subprocess", "threading", "asyncio", "selectors", "socket", "ctypes", "pty"} & set(loaded)


def test_a_family_that_said_enough_can_be_left_to_the_keeper(tmp_path: Path) -> None:
    from ccc.base.process import Command, Limits, Reason, run

    marker = tmp_path / "pid"
    script = f"echo $$ > {marker}; echo result; exec sleep 600"
    command = Command(("/bin/sh", "-c", script), {"PATH": os.defpath}, tmp_path)
    ended = run(command, on_output=lambda data: b"result" in data, limits=Limits(60, 60), leave_early=lambda: True)
    assert (ended.reason, ended.exit_code) == (Reason.ENOUGH, None)
    pid = int(marker.read_text())
    assert eventually(lambda: not Path(f"/proc/{pid}").exists(), 4)


HIDDEN = """
import ctypes, os, subprocess
from pathlib import Path
from ccc.base import files, process
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
ctypes.CDLL(None).prctl(process.PR_SET_DUMPABLE, 1, 0, 0, 0)
def seen():
    return subprocess.run(("grep", "-qsa", "PGPASSWORD=", f"/proc/{os.getpid()}/environ"), env={}).returncode == 0
before = seen()
process.hide()
folder = Path()  # those above are another's
files.replace_own(folder / "own", b"1", scratch=folder)
child = subprocess.run(("cat", "/proc/self/environ"), env={"A": "b"}, capture_output=True).stdout
print(before, seen(), (folder / "own").read_bytes() == b"1", child == b"A=b\\0", Path("/proc/self/fd").exists())
"""


def test_what_a_process_was_started_with_can_be_hidden_from_others_of_its_user(tmp_path: Path) -> None:
    """Not from root: so this one leaves it. It writes its files as before, and what it starts is as open as any."""
    folder = tmp_path / "open"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    env = {**os.environ, "PGPASSWORD": "secret"}
    words = (sys.executable, "-c", HIDDEN)
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "False", "True", "True", "True"], done.stderr


def test_why_a_child_ended_is_told_in_the_persons_language() -> None:
    assert str(Reason.INTERRUPTED.told) == "it was interrupted"
    assert all(messages.said(each.told, "zh") != str(each.told) for each in Reason)
