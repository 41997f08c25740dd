"""Real processes, killed and refused at every system call that touches a file."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import ccc
from ccc.base import files
from ccc.base.errors import CccError
from ccc.record import store as state
from ccc.record.session import Session
from ccc.record.store import SessionStore, StateCorrupt

ID = "6f1b2c3d-0000-4000-8000-0123456789ab"
ROOTS = [str(Path(package.__file__ or "").parents[1]) for package in (ccc, msgspec)]
EXPECTED_ERROR = 7

CHILD = f"""
import os, sys
sys.path[:0] = {ROOTS!r}
from msgspec.structs import replace
from datetime import UTC, datetime
from pathlib import Path
from ccc.base import files
from ccc.base.errors import CccError
from ccc.record.store import SessionStore

def settings(folder):
    files.replace(folder / "settings.json", b'{{"new": 1}}')

def count(folder):
    store = SessionStore(folder / "ccc", now=lambda: datetime.now(UTC))
    store.update({ID!r}, lambda session: replace(session, count=session.count + 1))
"""

# Starting Python under strace is slow and makes a thousand calls of its own. So one process does the
# imports, and forks a worker for every fault; a worker waits, stopped, until strace has attached.
WORKERS = f"""
import ctypes, signal
PR_SET_PTRACER, ANYBODY = 0x59616d61, ctypes.c_ulong(-1)

def work(act, folder):
    ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANYBODY, 0, 0, 0)
    os.dup2(os.open(f"{{folder}}.stderr", os.O_CREAT | os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGSTOP)
    try:
        globals()[act](Path(folder))
    except CccError as error:
        code, message = {EXPECTED_ERROR}, str(error)
    else:
        code, message = 0, ""
    os.access("/end", os.F_OK)
    try:
        os.write(2, message.encode())
    except OSError:
        pass
    os._exit(code)

for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        work(*line.rstrip("\\n").split("\\t"))
    os.waitpid(pid, os.WUNTRACED)
    print(pid, flush=True)
"""

# Not calls on files: memory, and what Python asks of a descriptor it has.
IGNORED = {"mmap", "munmap", "mprotect", "fcntl"}
CALL = re.compile(r"(\w+)\((.*)")


def python(script: str, *arguments: object) -> list[str]:
    return [sys.executable, "-I", "-S", "-B", "-c", CHILD + script, *map(str, arguments)]


def store_in(folder: Path) -> SessionStore:
    return SessionStore(folder / "ccc", now=lambda: datetime.now(UTC))


def count_up(session: Session) -> Session:
    return replace(session, count=session.count + 1)


@dataclass(frozen=True)
class Job:
    """One write, and how to see whether it has happened."""

    act: str
    begun: bool = False

    def prepare(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "settings.json").write_bytes(b'{"old": 1}')
        (folder / "settings.json").chmod(0o640)
        if self.begun:
            store_in(folder).update(ID, lambda session: replace(session, count=3))

    def outcome(self, folder: Path) -> str:
        """Either "old" or "new": what is neither has no entry here."""
        if self.act == "settings":
            return {b'{"old": 1}': "old", b'{"new": 1}': "new"}[(folder / "settings.json").read_bytes()]
        path = store_in(folder).path(ID)
        if not path.exists():
            return {False: "old"}[self.begun]
        return {3: "old", 4 if self.begun else 1: "new"}[json.loads(path.read_bytes())["count"]]


JOBS = {"settings": Job("settings"), "first count": Job("count"), "next count": Job("count", begun=True)}
each_job = pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)


@dataclass(frozen=True)
class Run:
    """What strace saw of a worker, from its start to the end of its job."""

    job: Job
    folder: Path
    log: str

    @property
    def calls(self) -> list[tuple[str, str]]:
        lines = self.log.partition('"/end"')[0].splitlines()[:-1]
        return [(found[1], found[2]) for line in lines if (found := CALL.match(line)) and found[1] not in IGNORED]

    @property
    def end(self) -> str:
        return self.log.splitlines()[-1].strip("+ ")

    @property
    def message(self) -> str:
        return Path(f"{self.folder}.stderr").read_text()

    @property
    def outcome(self) -> str:
        return self.job.outcome(self.folder)


class Workers:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lock = threading.Lock()
        self.strace = shutil.which("strace")
        assert self.strace, "these tests need strace; install the package of that name"

    def run(self, job: Job, folder: Path, *options: str) -> Run:
        job.prepare(folder)
        pid = self.start(job, folder)
        log = Path(f"{folder}.strace")
        command = [str(self.strace), "-y", "-o", str(log), "-e", "trace=%file,%desc", *options, "-p", str(pid)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
            assert tracer.stderr is not None
            attached = tracer.stderr.readline()
            os.kill(pid, signal.SIGCONT)
        assert "attached" in attached
        return Run(job, folder, log.read_text())

    def start(self, job: Job, folder: Path) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self.lock:
            print(job.act, folder, sep="\t", file=self.process.stdin, flush=True)
            return int(self.process.stdout.readline())

    def run_all(self, job: Job, folder: Path, faults: Iterable[str]) -> list[Run]:
        """One run for every fault, each in a folder of its own."""
        numbered = [(folder / f"{number:03}", fault) for number, fault in enumerate(faults)]
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda each: self.run(job, each[0], "-e", f"inject={each[1]}"), numbered))


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    command = python(WORKERS)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Workers(process)


def places(run: Run) -> Iterator[tuple[str, int]]:
    """Every call of a run that met no fault, as strace counts them."""
    assert (run.end, run.outcome) == ("exited with 0", "new")
    seen: Counter[str] = Counter()
    for call, _ in run.calls:
        seen[call] += 1
        yield call, seen[call]


@each_job
def test_a_kill_at_any_call_leaves_the_old_file_or_the_new(workers: Workers, job: Job, tmp_path: Path) -> None:
    where = places(workers.run(job, tmp_path / "clean"))
    runs = workers.run_all(job, tmp_path, [f"{call}:signal=KILL:when={number}" for call, number in where])
    assert {run.end for run in runs} == {"killed by SIGKILL"}
    assert {run.outcome for run in runs} == {"old", "new"}
    for run in runs:
        expected = 4 + (run.outcome == "new") if job.begun else 1 + (run.outcome == "new") * (job.act == "count")
        assert store_in(run.folder).update(ID, count_up).count == expected


@each_job
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EROFS", "EDQUOT"])
@pytest.mark.parametrize("lasting", ["", "+"], ids=["once", "from then on"])
def test_an_error_at_any_call_is_told_and_changes_nothing(
    workers: Workers, job: Job, error: str, lasting: str, tmp_path: Path
) -> None:
    where = places(workers.run(job, tmp_path / "clean"))
    faults = [f"{call}:error={error}:when={number}{lasting}" for call, number in where]
    runs = workers.run_all(job, tmp_path, faults)
    for run, fault in zip(runs, faults, strict=True):
        assert "(INJECTED)" in run.log
        assert (run.end, run.outcome) in {("exited with 0", "new"), (f"exited with {EXPECTED_ERROR}", "old")}, fault
        assert not [path.name for path in run.folder.rglob(".ccc-*")], fault
        if run.outcome == "old" and not fault.startswith("write:"):
            assert re.fullmatch(rf"cannot \w+ {re.escape(str(run.folder))}/.*: .*; .*", run.message), fault
    assert {run.outcome for run in runs} == {"old", "new"}


@each_job
def test_whatever_is_created_is_private_from_its_first_moment(workers: Workers, job: Job, tmp_path: Path) -> None:
    calls = workers.run(job, tmp_path / "clean").calls
    opened = [arguments for call, arguments in calls if call == "openat"]
    created = [arguments for arguments in opened if "O_CREAT" in arguments or "O_TMPFILE" in arguments]
    assert created
    assert all(", 0600)" in arguments for arguments in created)
    assert all(
        "O_NOFOLLOW" in arguments or "O_TMPFILE" in arguments for arguments in created
    )  # one has no name to be a link
    made = [arguments for call, arguments in calls if call.startswith("mkdir")]
    assert all(", 0700)" in arguments for arguments in made)


@each_job
def test_the_bytes_are_on_the_disk_before_the_name_changes(workers: Workers, job: Job, tmp_path: Path) -> None:
    calls = workers.run(job, tmp_path / "clean").calls
    seen = [(call[:6], "unnamed" if "/#" in arguments else ".tmp" in arguments) for call, arguments in calls]
    whole = [("write", "unnamed"), ("fsync", "unnamed"), ("linkat", True), ("rename", True), ("fsync", False)]
    written = 2 if job == JOBS["first count"] else 1  # the first count of all makes the key as well
    assert [each for each in seen if each[0] in {"write", "fsync", "linkat", "rename"}] == whole * written


@each_job
def test_a_kill_leaves_a_file_at_one_call_alone_and_the_next_write_takes_it_away(
    workers: Workers, job: Job, tmp_path: Path
) -> None:
    where = places(workers.run(job, tmp_path / "clean"))
    faults = [f"{call}:signal=KILL:when={number}" for call, number in where]
    runs = workers.run_all(job, tmp_path, faults)
    left = [fault.partition(":")[0] for fault, run in zip(faults, runs, strict=True) if litter(run.folder)]
    # The kill comes before its call: the folder is closed and the file renamed after linkat has made the name.
    assert set(left) <= {"close", "rename"}
    written = 2 if job == JOBS["first count"] else 1  # the first count of all makes the key as well
    assert 1 <= len(left) <= 2 * written
    for run in runs:
        files.replace(run.folder / "settings.json", b"{}")
        files.sweep(run.folder / "ccc" / "tmp", time.time())
        assert not litter(run.folder)


def litter(folder: Path) -> list[Path]:
    return list(folder.rglob(".ccc-*"))


def test_a_hundred_thousand_old_sessions_would_not_be_listed(workers: Workers, tmp_path: Path) -> None:
    first = workers.run(JOBS["first count"], tmp_path / "first")
    following = workers.run(JOBS["next count"], tmp_path / "next")
    listed = [arguments for call, arguments in first.calls if call.startswith("getdents")]
    assert listed
    assert all(f"<{tmp_path}/first/ccc/tmp>" in arguments for arguments in listed)
    assert not [call for call, _ in following.calls if call.startswith("getdents")]


@pytest.mark.parametrize("error", ["ENOLCK", "EOPNOTSUPP", "ENOSYS"])
def test_a_disk_without_locks_is_named_with_the_way_out(workers: Workers, tmp_path: Path, error: str) -> None:
    run = workers.run(JOBS["next count"], tmp_path / "nfs", "-e", f"inject=flock:error={error}")
    assert (run.end, run.outcome) == (f"exited with {EXPECTED_ERROR}", "old")
    assert "CCC_WORK_DIR" in run.message


def test_a_state_folder_without_permission_is_an_expected_error(workers: Workers, tmp_path: Path) -> None:
    for number, call in enumerate(["mkdir", "openat"]):
        run = workers.run(JOBS["first count"], tmp_path / str(number), "-e", f"inject=/^{call}:error=EACCES")
        assert (run.end, run.outcome) == (f"exited with {EXPECTED_ERROR}", "old")
        assert "Permission denied; check its owner and permissions" in run.message


# Many at once


# On a slow disk the unluckiest of sixteen may wait too long; it has counted nothing then.
FIFTY_COUNTS = """
counted = 0
while counted < 50:
    try:
        count(Path(sys.argv[1]))
        counted += 1
    except files.Busy:
        pass
"""


def test_sixteen_processes_lose_no_count(tmp_path: Path) -> None:
    children = [subprocess.Popen(python(FIFTY_COUNTS, tmp_path)) for _ in range(16)]
    assert [child.wait() for child in children] == [0] * 16
    session = store_in(tmp_path).load(ID)
    assert session is not None
    assert session.count == 800


RANDOM_KILLS = """
import json, random, signal, time

folder, kills = Path(sys.argv[1]), int(sys.argv[2])
count(folder)
for _ in range(kills):
    pid = os.fork()
    while pid == 0:
        count(folder)
    time.sleep(random.uniform(0, 0.02))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    print(json.loads(next((folder / "ccc").glob("*.json")).read_bytes())["count"])
"""


def test_three_hundred_random_kills_never_lower_a_count(tmp_path: Path) -> None:
    def killed(folder: Path) -> list[int]:
        done = subprocess.run(python(RANDOM_KILLS, folder, 150), stdout=subprocess.PIPE, check=True)
        return [int(line) for line in done.stdout.split()]

    with ThreadPoolExecutor(2) as pool:
        for counts in pool.map(killed, [tmp_path / "a", tmp_path / "b"]):
            assert len(counts) == 150
            assert counts == sorted(counts)
            assert counts[-1] > 1


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    values = {letter * 300_000 for letter in "ab"}
    path.write_text("a" * 300_000)
    script = (
        "path = Path(sys.argv[1])\nwhile True:\n for letter in b'ab': files.replace(path, bytes([letter]) * 300000)"
    )
    with subprocess.Popen(python(script, path)) as writer:
        try:
            seen = {files.read_text(path) for _ in range(1000)}
        finally:
            writer.kill()
    assert seen <= values


# Locks


@contextmanager
def holder(lock: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has the lock and keeps it."""
    script = "with files.locked(Path(sys.argv[1]), wait=0): print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(python(script, lock), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        try:
            yield process
        finally:
            process.kill()


def session_lock(folder: Path) -> Path:
    store_in(folder).update(ID, count_up)
    return folder / "ccc" / f"supervisor-{ID}.lock"


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    with holder(session_lock(tmp_path)) as process:
        process.kill()
        process.wait()
        assert store_in(tmp_path).update(ID, count_up).count == 2


def test_a_stopped_process_is_waited_for_and_then_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert state.LOCK_WAIT <= 5
    monkeypatch.setattr(state, "LOCK_WAIT", 0.3)
    with holder(session_lock(tmp_path)) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        began = time.monotonic()
        with pytest.raises(files.Busy):
            store_in(tmp_path).update(ID, count_up)
        assert time.monotonic() - began >= 0.3
        with pytest.raises(files.Busy), files.locked(tmp_path / "ccc" / f"supervisor-{ID}.lock", wait=0):
            pass
    assert json.loads(store_in(tmp_path).path(ID).read_bytes())["count"] == 1


# Planted links


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim"
    path.mkdir()
    (path / "file").write_bytes(b"precious")
    return path


def untouched(victim: Path) -> bool:
    return [(path.name, path.read_bytes()) for path in victim.iterdir()] == [("file", b"precious")]


def update(store: SessionStore) -> object:
    return store.update(ID, count_up)


PLANTED: dict[str, tuple[Callable[[SessionStore], Path], Callable[[SessionStore], object], type[Exception] | None]] = {
    "state": (lambda store: store.path(ID), update, StateCorrupt),
    "state, only read": (lambda store: store.path(ID), lambda store: store.load(ID), StateCorrupt),
    "lock": (lambda store: store.directory / f"supervisor-{ID}.lock", update, CccError),
    "log": (lambda store: store.log_path, lambda store: files.append_line(store.log_path, b"line\n"), None),
    "output": (
        lambda store: store.output_path(ID),
        lambda store: files.append_line(store.output_path(ID), b"line\n"),
        None,
    ),
}


@pytest.mark.parametrize(("place", "act", "error"), PLANTED.values(), ids=PLANTED)
@pytest.mark.parametrize("target", ["file", "absent"])
def test_a_planted_link_is_not_followed(
    tmp_path: Path,
    victim: Path,
    place: Callable[[SessionStore], Path],
    act: Callable[[SessionStore], object],
    error: type[Exception] | None,
    target: str,
) -> None:
    store = store_in(tmp_path)
    store.directory.mkdir(mode=0o700)
    place(store).symlink_to(victim / target)
    if error is None:
        assert act(store) is False
    else:
        with pytest.raises(error):
            act(store)
    assert untouched(victim)


def test_a_planted_link_at_the_temp_name_is_not_followed(
    tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_in(tmp_path)
    store.update(ID, count_up)
    monkeypatch.setattr(os, "urandom", bytes)
    (store.directory / "tmp" / f".ccc-{os.getpid()}-00000000.tmp").symlink_to(victim / "file")
    with pytest.raises(CccError, match="File exists"):
        store.update(ID, count_up)
    assert json.loads(store.path(ID).read_bytes())["count"] == 1
    assert untouched(victim)


def test_a_planted_link_at_the_place_for_corrupt_files_is_replaced(tmp_path: Path, victim: Path) -> None:
    store = store_in(tmp_path)
    store.directory.mkdir(mode=0o700)
    store.path(ID).write_bytes(b"")
    aside = store.path(ID).with_name(f"{store.path(ID).name}.corrupt")
    aside.symlink_to(victim / "file")
    with pytest.raises(StateCorrupt):
        store.update(ID, count_up)
    assert not aside.is_symlink()
    assert untouched(victim)
