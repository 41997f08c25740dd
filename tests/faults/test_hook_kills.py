"""`ccc supervisor-hook` killed, refused at every system call, called in crowds, told to go."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from tests.faults.tracing import CHANGING, PROCESS, Tracer, changes, places
from tests.faults.warm import Warm, warm
from tests.stops import (
    ID,
    Desk,
    answered,
    desk_in,
    eventually,
    in_parallel,
    left,
    usual_time,
)
from tests.world import CCC, World

ENDLESS = {"max_iterations": 1_000_000}
# A family in which nobody listens: one in the reviewer's group, one in a session of its own.
DEAF = "ignore_term grandchild stray text hang"
POLITE = "grandchild stray text hang"


# ---- killed ----


@dataclass(frozen=True)
class Kills:
    """Hooks of one session, each killed at a random moment."""

    desk: Desk

    def check(self, before: int, answer: bytes) -> int:
        count = int(self.desk.state()["count"]) if (self.desk.world.state / f"supervisor-{ID}.json").exists() else 0
        assert count >= before
        assert len(self.desk.starts) <= count  # nothing was spent that had not been counted
        if answered(answer) == "block":
            assert count > before
        return count


def warm_kills(number: int, folder: Path) -> Counter[str]:
    desk = desk_in(folder, **ENDLESS)
    ends: Counter[str] = Counter()
    with warm(desk) as hooks:
        usual = usual_time(lambda: hooks.wait(hooks.start("block")))
        first = count = Kills(desk).check(0, b"")
        for _ in range(number):
            worker = hooks.start("block")
            time.sleep(random.uniform(0, min(usual * 1.1, 0.12)))
            code = hooks.kill(worker)
            assert code in (0, -signal.SIGKILL)
            count = Kills(desk).check(count, worker.answer)
            ends["killed" if code else "too late"] += 1
        ends["counted"] += count - first
        assert eventually(lambda: not hooks.family(), 4)
        assert hooks.wait(hooks.start("block")) == 0
        assert Kills(desk).check(count, b"") == count + 1
    return ends


@pytest.mark.timeout(300)
def test_976_random_kills_lower_no_count_and_tear_no_answer(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    ends: Counter[str] = sum(in_parallel(partial(warm_kills, 488), folders, 2), Counter())
    assert ends["killed"] + ends["too late"] == 976
    assert ends["killed"] > 480
    assert ends["counted"] > 100
    for folder in folders:
        assert len(list(folder.rglob(".ccc-*"))) < 20  # what the next session will sweep


def real_kills(number: int, folder: Path) -> None:
    desk, count = desk_in(folder, **ENDLESS), 0
    usual = usual_time(lambda: desk.stop("block"))
    for _ in range(number):
        hook = desk.start("block")
        time.sleep(random.uniform(0, usual))
        hook.kill()
        answer, said = hook.communicate()
        count = Kills(desk).check(count, answer)
        assert b"Traceback" not in said
    assert eventually(desk.is_alone, 4)
    assert answered(desk.stop("block").out) == "block"


def test_24_random_kills_of_the_whole_program_do_neither(tmp_path: Path) -> None:
    in_parallel(partial(real_kills, 12), [tmp_path / name for name in "ab"], 2)


# ---- every system call ----


@pytest.fixture(scope="module")
def tracer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Tracer]]:
    assert shutil.which("strace"), "these tests need strace; install the package of that name"
    desk = Desk(World(tmp_path_factory.mktemp("warm"))).make()
    with warm(desk) as hooks:
        yield lambda: Tracer(hooks, tmp_path_factory.mktemp("traced"))


def test_a_kill_at_any_call_leaves_a_whole_state_and_a_whole_answer(tracer: Callable[[], Tracer]) -> None:
    trace = tracer()
    clean = trace.run("clean")
    assert (answered(clean.worker.answer), clean.count) == ("block", 4)
    where = changes(clean, CHANGING | PROCESS)
    runs = trace.run_all([f"{call}:signal=KILL:when={number}" for call, number in where])
    for fault, run in runs:
        assert run.code in (0, -signal.SIGKILL), fault
        assert run.count in (3, 4), fault
        assert len(run.desk.starts) <= run.count - 3, fault
        if answered(run.worker.answer):
            assert run.count == 4, fault
    ends = Counter((run.code, run.count, answered(run.worker.answer)) for _, run in runs)
    assert ends[-9, 3, ""] > 10
    assert ends[-9, 4, ""] > 20
    assert len(runs) > 100
    assert eventually(lambda: all(run.desk.is_alone() for _, run in runs[::10]), 4)


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        ("EIO:when={}+", CHANGING - {"close"}),
        ("ENOSPC:when={}", {"openat", "write", "fsync", "mkdir", "rename"}),
        ("EROFS:when={}+", {"mkdir", "rename", "unlink", "chmod", "fchmod"}),
    ],
)
def test_an_error_at_any_call_lets_the_agent_stop_or_changes_nothing(
    tracer: Callable[[], Tracer], error: str, calls: set[str]
) -> None:
    trace = tracer()
    where = places(trace.run("clean"), calls)
    for fault, run in trace.run_all([f"{call}:error={error.format(number)}" for call, number in where]):
        assert "(INJECTED)" in run.log, fault
        assert run.code == 0, fault
        assert run.count in (3, 4), fault
        assert len(run.desk.starts) <= run.count - 3, fault  # not counted, not spent
        assert (answered(run.worker.answer) == "block") <= (run.count == 4), fault
        assert not list(run.desk.world.state.rglob(".ccc-*")), fault
        assert "Traceback" not in run.worker.words, fault


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("flock:error=ENOLCK", "CCC_WORK_DIR"),
        ("flock:error=EOPNOTSUPP", "CCC_WORK_DIR"),
        ("/^openat:error=EACCES", ""),
        ("fsync:error=ENOSPC", "free some space"),
        ("fsync:error=EDQUOT", "quota"),
        ("clone:error=EAGAIN", "too many processes"),
        ("pipe2:error=EMFILE", "too many files"),
    ],
)
def test_what_the_system_refuses_is_told_with_a_way_out(tracer: Callable[[], Tracer], fault: str, says: str) -> None:
    run = tracer().run("refused", "-e", f"inject={fault}")
    assert (run.code, run.desk.starts) == (0, [])
    assert answered(run.worker.answer) == "told"
    assert says in run.worker.answer.decode()


def test_whatever_a_stop_creates_is_private_from_its_first_moment_and_no_folder_is_listed(
    tracer: Callable[[], Tracer],
) -> None:
    run = tracer().run("clean")
    opened = [arguments for call, arguments in run.calls if call == "openat"]
    made = [arguments for arguments in opened if "O_CREAT" in arguments or "O_TMPFILE" in arguments]
    assert len(made) > 10
    assert all(", 0600)" in arguments for arguments in made)
    assert all("O_NOFOLLOW" in arguments or "O_TMPFILE" in arguments for arguments in made)  # without a name, no link
    assert all(", 0700)" in arguments for call, arguments in run.calls if call == "mkdir")
    listed = [arguments for call, arguments in run.calls if call == "getdents64"]
    assert not [arguments for arguments in listed if str(run.desk.world.root) in arguments]


# ---- many at once ----


def test_64_hooks_at_once_start_at_most_10_reviewers(desk: Desk) -> None:
    hooks = [desk.start("block") for _ in range(64)]
    answers = in_parallel(lambda hook: hook.communicate()[0], hooks, 64)
    assert {hook.returncode for hook in hooks} == {0}
    blocks = [answered(answer) for answer in answers].count("block")
    assert 1 <= blocks == len(desk.starts) == desk.state()["count"] <= 10
    assert set(map(answered, answers)) <= {"", "block"}
    assert eventually(desk.is_alone, 4)


def test_the_stop_of_a_killed_hook_is_free_at_once(desk: Desk) -> None:
    first = desk.start(DEAF)
    assert eventually(lambda: desk.starts, 10)
    first.kill()
    assert answered(desk.stop("block").out) == "block"
    assert first.communicate()[0] == b""
    assert desk.state()["count"] == 2


# ---- told to go ----


def terminated(hooks: Warm, seed: int) -> int:
    """The exit code of a hook that was told to go at a random moment."""
    before = hooks.desk.state()["count"]
    reviews = len(hooks.desk.starts)
    worker = hooks.start(DEAF if seed % 2 else POLITE)
    if seed % 4 > 1:
        assert eventually(lambda: len(hooks.desk.starts) > reviews, 10)
    time.sleep(random.Random(seed).uniform(0, 0.06))
    code = hooks.kill(worker, signal.SIGTERM)
    assert not hooks.family()
    assert (code in (0, -signal.SIGTERM), answered(worker.answer)) == (True, "")
    assert hooks.desk.state()["count"] in (before, before + 1)
    # Nobody heard this hook, so the next one is not late.
    again = hooks.start("block")
    assert (hooks.wait(again), answered(again.answer)) == (0, "block")
    return code


def terminated_ten_times(folder: Path) -> list[int]:
    with warm(desk_in(folder, **ENDLESS)) as hooks:
        hooks.wait(hooks.start("block"))
        return [terminated(hooks, seed) for seed in range(10)]


def test_sigterm_at_50_random_moments_leaves_nobody_after_3_seconds(tmp_path: Path) -> None:
    ends = list(chain(*in_parallel(terminated_ten_times, [tmp_path / name for name in "abcde"], 5)))
    assert len(ends) == 50
    assert ends.count(0) >= 20  # in the middle of a review


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_stop_is_an_interruption(desk: Desk, number: signal.Signals) -> None:
    hook = desk.start(DEAF)
    assert eventually(lambda: desk.starts, 10)
    for _ in range(3):
        hook.send_signal(number)
    left(hook, desk)
    answer, said = hook.communicate()
    assert (answer, hook.returncode) == (b"", 0)
    assert b"Traceback" not in said
    assert desk.state()["outcome"] == "interrupted"


def test_the_next_stop_waits_for_an_interrupted_one_to_leave_and_is_reviewed(desk: Desk) -> None:
    first = desk.start(DEAF)
    assert eventually(lambda: desk.starts, 10)
    first.terminate()
    second = desk.stop("block", prompt_id="next")
    assert answered(second.out) == "block"
    assert first.communicate()[0] == b""
    assert (desk.state()["count"], len(desk.starts)) == (2, 2)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGUSR1, signal.SIGQUIT])
def test_a_signal_that_ends_the_hook_unseen_leaves_nobody_after_4_seconds(desk: Desk, number: signal.Signals) -> None:
    hook = desk.start(DEAF)
    assert eventually(lambda: desk.starts, 10)
    hook.send_signal(number)
    assert hook.communicate()[0] == b""  # and its end is seen at once, though the family is still being ended
    assert hook.returncode == -number
    assert eventually(desk.is_alone, 4)


def test_sigpipe_changes_nothing(desk: Desk) -> None:
    hook = desk.start("until_told block")
    assert eventually(lambda: desk.starts, 10)
    hook.send_signal(signal.SIGPIPE)
    (desk.log / "go").touch()
    assert answered(hook.communicate()[0]) == "block"


def test_signals_that_the_caller_ignores_change_nothing(desk: Desk) -> None:
    numbers = [int(n) for n in (signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGHUP, signal.SIGTERM)]
    ignore = f"[signal.signal(n, signal.SIG_IGN) for n in {numbers}]"
    script = f"import os, signal, sys; {ignore}; os.execv(sys.argv[1], sys.argv[1:])"
    command = [sys.executable, "-c", script, str(CCC), "supervisor-hook"]
    event = json.dumps(desk.event()).encode()
    done = subprocess.run(command, env=desk.env("block"), input=event, stdout=subprocess.PIPE)
    assert (answered(done.stdout), done.returncode) == ("block", 0)


# ---- a check of the project's in between ----

DEAF_CHECK = """trap '' TERM INT HUP; touch began; sleep 600 & setsid sleep 600 & while :; do sleep 600; done"""


def with_check(desk: Desk, command: str) -> Path:
    """A file that the check makes when it begins."""
    desk.world.write_config({}, checks={str(desk.world.project): [{"command": command, "timeout": 60}]})
    return desk.world.project / "began"


def test_a_check_that_fails_is_told_without_a_reviewer(desk: Desk) -> None:
    with_check(desk, "echo '\033[2Jred'; exit 3")
    run = desk.stop("allow")
    assert "exit code 3" in json.loads(run.out)["reason"]
    assert ("\x1b" in run.out + run.err, desk.starts, desk.state()["count"]) == (False, [], 1)


def test_a_check_ends_with_the_hook(desk: Desk) -> None:
    began = with_check(desk, DEAF_CHECK)
    for number in (signal.SIGTERM, signal.SIGKILL):
        hook = desk.start("allow")
        assert eventually(began.exists, 10)
        hook.send_signal(number)
        assert hook.communicate()[0] == b""
        assert eventually(desk.is_alone, 4)
        began.unlink()
    assert desk.starts == []
