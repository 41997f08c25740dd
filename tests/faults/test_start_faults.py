"""`CCC_SUPERVISOR=1 ccc PROVIDER` under fire: settings.json and ccc.json keep every key, whatever happens."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ccc.base import files
from ccc.record import roll
from ccc.record.starts import WAIT
from ccc_hooks.settings import OR_ELSE
from tests.faults.tracing import CHANGING, TRACED, Traced, changes, places
from tests.faults.warm import Warm, warm
from tests.stops import Desk, eventually, usual_time
from tests.world import CCC, Run, World, other_disk, provider

TOKEN = "sk-CANARY-0123456789"
THEIRS = {"type": "command", "command": "/home/me/notify.sh"}
USERS: dict[str, Any] = {
    "theme": "dark",
    "zeta": 9223372036854775809,
    "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [THEIRS]}], "Stop": [{"hooks": [THEIRS]}]},
}
BROUGHT: dict[str, dict[str, Any]] = {
    "plain": {},
    "glm": {"outputStyle": "glm", "language": "glm"},
    "kimi": {"outputStyle": "kimi", "spinner": {"tips": "kimi"}},
}
COMMAND = f"{sys.executable} -I -c 'from ccc.__main__ import hook; hook()' {CCC} supervisor-hook{OR_ELSE}"
SUPERVISED = {"CCC_SUPERVISOR": "1"}


def desk_in(folder: Path) -> Desk:
    desk = Desk(World(folder)).make()
    providers = {name: {**provider("http://127.0.0.1:1", TOKEN), **more} for name, more in BROUGHT.items()}
    desk.world.write_config(providers)
    desk.world.write_settings(USERS)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_in(tmp_path)


def start(desk: Desk, *words: str) -> Run:
    return desk.world.ccc(*words, env=desk.env("allow", **SUPERVISED))


def begun(desk: Desk, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        desk.world.command(name, "-p"),
        env=desk.env("allow", **SUPERVISED),
        cwd=desk.world.project,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def settings(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((desk.world.config / "settings.json").read_bytes())
    return found


def supervised_by(desk: Desk) -> str:
    """Whose settings these are, to the last key; with anything missing or mixed there is no entry for them."""
    found = copy.deepcopy(settings(desk))
    groups = found["hooks"]["Stop"]
    ours = [group for group in groups if group["hooks"][0]["command"] == COMMAND]
    found["hooks"]["Stop"] = [group for group in groups if group not in ours]
    # Both hooks or none: a file with half of ccc's in it would be nobody's.
    failures = [hook["command"] for group in found["hooks"].pop("StopFailure", []) for hook in group["hooks"]]
    assert failures == [f"trap '' TERM; {COMMAND}"] * len(ours)
    [name] = [name for name, more in BROUGHT.items() if found == {**USERS, **more}]
    assert len(ours) <= 1
    return name if ours else "nobody"


def current(desk: Desk) -> str | None:
    found: dict[str, Any] = json.loads((desk.world.config / "ccc.json").read_bytes())
    assert set(found["providers"]) == set(BROUGHT)
    return found.get("current_provider")


@pytest.mark.spec("H1", "H3", "H4", "H19", "C3")
def test_a_supervised_start_writes_the_hook_and_becomes_claude(desk: Desk) -> None:
    run = start(desk, "glm", "-p", "hi", "--verbose")
    assert (run.code, supervised_by(desk), current(desk)) == (0, "glm", "glm")
    [agent] = desk.started
    assert (agent.argv[0], agent.argv[2:]) == ("--settings", ("-p", "hi", "--verbose"))
    assert agent.env["ANTHROPIC_AUTH_TOKEN"] == TOKEN
    assert (agent.env["CCC_SUPERVISOR"], agent.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"]) == ("1", "11")
    assert "[Supervisor Mode] 日志文件:" in run.err
    assert f"  state folder: {desk.world.state}\n" in run.err
    assert f"  hook invocation log: {desk.world.state}/hook-invocation.log\n" in run.err


# ---- killed ----


def killed(number: int, folder: Path) -> int:
    desk = desk_in(folder)
    usual = usual_time(lambda: start(desk, "glm", "-p"))
    ended = 0
    for turn in range(number):
        with begun(desk, ("glm", "kimi")[turn % 2]) as process:
            time.sleep(random.uniform(usual / 3, usual))
            process.kill()
        ended += process.returncode < 0
        assert supervised_by(desk) in BROUGHT
        assert current(desk) in BROUGHT
    for name in ("glm", "kimi", "plain"):
        assert start(desk, name, "-p").code == 0
        assert (supervised_by(desk), current(desk)) == (name, name)
    return ended


def test_30_random_kills_of_a_start_leave_one_providers_settings_or_the_others(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(partial(killed, 15), [tmp_path / "a", tmp_path / "b"]))
    assert sum(ended) > 10


# ---- every system call ----


class Starts:
    """Starts of kimi where glm was before, each in a world of its own, with a fault at one of their calls."""

    def __init__(self, hooks: Warm, folder: Path) -> None:
        self.hooks, self.folder = hooks, folder
        self.template = hooks.desk.world.root
        assert self.whole(hooks.desk, "glm") == 0

    def whole(self, desk: Desk, name: str) -> int:
        return self.hooks.wait(self.hooks.start("allow", name, "-p", desk=desk, env=SUPERVISED))

    def run(
        self,
        name: str,
        *options: str,
        words: tuple[str, ...] = ("kimi", "-p"),
        prepare: Callable[[Desk], None] = lambda _: None,
    ) -> Traced:
        desk = Desk(World(self.folder / name))
        shutil.copytree(self.template, desk.world.root)
        prepare(desk)
        worker = self.hooks.start("allow", *words, traced=True, desk=desk, env=SUPERVISED)
        log = self.folder / f"{name}.strace"
        traced = ["strace", "-y", "-o", str(log), "-e", f"trace={TRACED},execve", *options, "-p", str(worker.pid)]
        with subprocess.Popen(traced, stderr=subprocess.PIPE, text=True) as tracer:
            assert tracer.stderr is not None
            assert "attached" in tracer.stderr.readline()
            os.kill(worker.pid, signal.SIGCONT)
        return Traced(desk, worker, self.hooks.wait(worker), log.read_text().partition("execve(")[0])

    def clean(self) -> Traced:
        clean = self.run("clean")
        assert (clean.code, supervised_by(clean.desk)) == (0, "kimi")
        assert b'"type":"result"' in clean.worker.answer  # it has become claude
        return clean


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Starts]]:
    assert shutil.which("strace"), "these tests need strace; install the package of that name"
    with warm(desk_in(tmp_path_factory.mktemp("warm") / "template")) as hooks:
        yield lambda: Starts(hooks, tmp_path_factory.mktemp("traced"))


@pytest.mark.timeout(300)  # some eighty starts, each with its way back
def test_a_kill_at_any_call_of_a_start_leaves_one_providers_settings_or_the_others(
    starts: Callable[[], Starts],
) -> None:
    world = starts()
    seen = set()
    left = []
    for number, (call, count) in enumerate(changes(world.clean(), CHANGING)):
        fault = f"{call}:signal=KILL:when={count}"
        run = world.run(f"{number:03}", "-e", f"inject={fault}")
        assert run.code == -signal.SIGKILL, fault
        left += [call] if list(run.desk.world.root.rglob(".ccc-*")) else []
        seen.add((supervised_by(run.desk), current(run.desk)))
        assert seen <= {("glm", "glm"), ("kimi", "glm"), ("kimi", "kimi")}, fault
        # What the killed start had brought is known to the next one, and leaves.
        assert world.whole(run.desk, "glm") == 0, fault
        assert (supervised_by(run.desk), current(run.desk)) == ("glm", "glm"), fault
        removed = world.hooks.start("allow", "hooks", "remove", desk=run.desk)
        assert world.hooks.wait(removed) == 0, fault
        assert (run.desk.world.config / "settings.json").read_bytes() == json.dumps(USERS, indent=2).encode(), fault
        assert not list(run.desk.world.root.rglob(".ccc-*")), fault
    assert len(seen) == 3
    assert set(left) <= {"close", "rename"}


@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EROFS"])
def test_an_error_at_any_call_of_a_start_is_one_line_and_tears_nothing(
    starts: Callable[[], Starts], error: str
) -> None:
    world = starts()
    calls = {"rename", "mkdir", "chmod", "fchmod", "openat"} if error == "EROFS" else {"write", "fsync", "rename"}
    for number, (call, count) in enumerate(places(world.clean(), CHANGING)):
        if call not in calls:
            continue
        fault = f"{call}:error={error}:when={count}"
        run = world.run(f"{number:03}", "-e", f"inject={fault}")
        assert run.code in (0, 1), fault
        assert (supervised_by(run.desk), current(run.desk)) in {("glm", "glm"), ("kimi", "glm"), ("kimi", "kimi")}, (
            fault
        )
        assert not list(run.desk.world.root.rglob(".ccc-*")), fault
        assert not re.search(f"Traceback|{TOKEN}", run.worker.words), fault
        if run.code and call != "write":
            assert run.worker.words.splitlines()[-1].startswith("ccc: "), fault


@pytest.mark.parametrize("next_one", [("plain", "-p"), ("init", "glm", "--name", "third", "--yes")])
def test_a_kill_at_any_call_of_init_leaves_the_key_nowhere_but_where_it_belongs(
    starts: Callable[[], Starts], next_one: tuple[str, ...]
) -> None:
    """The key moves from settings.json into ccc.json; beside these it may be in the backup that is told of."""
    world = starts()
    moving = ("init", "--from-settings", "--name", "moved", "--yes")
    clean = world.run("clean", words=moving, prepare=with_key)
    assert clean.code == 0
    for number, (call, count) in enumerate(changes(clean, CHANGING)):
        fault = f"{call}:signal=KILL:when={count}"
        run = world.run(f"{number:03}", "-e", f"inject={fault}", words=moving, prepare=with_key)
        assert run.code == -signal.SIGKILL, fault
        holding = lambda: {path.name for path in files_of(run.desk) if KEY in path.read_bytes()}  # noqa: B023, E731
        assert holding() & {"ccc.json", "settings.json"}, fault
        world.hooks.wait(world.hooks.start("allow", *next_one, desk=run.desk))
        assert {name.partition(".before-ccc-")[0] for name in holding()} <= {"ccc.json", "settings.json"}, fault
        assert not list(run.desk.world.root.rglob(".ccc-*")), fault


KEY = b"sk-MOVED-0123456789"


def with_key(desk: Desk) -> None:
    env = {"ANTHROPIC_AUTH_TOKEN": KEY.decode(), "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    desk.world.write_settings({**USERS, "env": env})


def files_of(desk: Desk) -> list[Path]:
    return [path for path in desk.world.config.rglob("*") if path.is_file()]


@pytest.mark.parametrize("kind", ["held", "folder", "pipe", "scratch"])
def test_a_start_of_which_nothing_could_be_kept_is_refused_by_the_name_of_what_is_in_the_way(
    desk: Desk, kind: str
) -> None:
    assert start(desk, "glm", "-p").code == 0
    lock, scratch = desk.world.state / "memory.lock", desk.world.state / "tmp"
    before, begins = len(desk.started), time.monotonic()
    match kind:
        case "folder":
            lock.unlink()
            lock.mkdir()
        case "pipe":
            lock.unlink()
            os.mkfifo(lock)
        case "scratch":
            scratch.rmdir()
            scratch.touch()
    with files.locked(lock, wait=1) if kind == "held" else nullcontext():
        run = start(desk, "glm", "-p")
    assert (run.code, len(desk.started)) == (1, before)
    assert str(scratch if kind == "scratch" else lock) in run.err.splitlines()[-1]
    fixes = {"held": f"kill {os.getpid()}", "scratch": "move it away"}
    assert run.err.endswith(f"{fixes.get(kind, f'mv {lock} {lock}.away')}\n")
    assert time.monotonic() - begins < WAIT + roll.WAIT  # once, however often it is met


# ---- many at once ----


def has_open(pid: int, path: Path) -> bool:
    found = False
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since it was listed
            found = found or fd.resolve() == path
    return found


def test_two_starts_that_meet_leave_the_settings_of_one_of_them(desk: Desk) -> None:
    lock = desk.world.state / "edit.lock"
    desk.world.state.mkdir(mode=0o700)
    with files.locked(lock, wait=1):
        met = [begun(desk, name) for name in ("glm", "kimi")]
        # One waits for us, the other for the one.
        ways = [lock, lock.with_name("settings.lock")]
        assert eventually(lambda: all(any(has_open(process.pid, way) for way in ways) for process in met), 3)
    assert [process.wait() for process in met] == [0, 0]
    assert supervised_by(desk) in ("glm", "kimi")


def test_starts_that_meet_at_the_list_of_starts_wait_for_each_other_and_are_all_kept(desk: Desk) -> None:
    assert start(desk, "plain", "-p").code == 0
    lock, log = desk.world.state / "memory.lock", desk.world.state / roll.LOGS[0]
    with files.locked(lock, wait=1):
        met = [begun(desk, "plain") for _ in range(8)]
        assert eventually(lambda: any(has_open(process.pid, lock) for process in met), 10)
    assert {process.wait() for process in met} == {0}
    kept = re.findall(rf" {roll.BEGUN} pid=(\d+)", log.read_text())
    assert set(map(int, kept)) >= {process.pid for process in met}


def test_8_starts_at_once_lose_no_key_and_no_hook_of_the_users(desk: Desk) -> None:
    started = [begun(desk, name) for name in ("glm", "kimi") * 4]
    assert {process.wait() for process in started} == {0}
    found = settings(desk)
    assert {key: found[key] for key in ("theme", "zeta")} == {key: USERS[key] for key in ("theme", "zeta")}
    commands = [group["hooks"][0]["command"] for group in found["hooks"]["Stop"]]
    assert commands == [THEIRS["command"], COMMAND]
    assert current(desk) in BROUGHT
    assert TOKEN not in json.dumps(found)


# ---- the way back ----

ODD = b'{\r\n\t"outputStyle": 1e400, "language" : 1.0,"spinner":{ }, "zeta": 9223372036854775809, "zeta": [1E2]}\r\n'


@pytest.mark.parametrize("moved", [False, True], ids=["in its place", "without the state folder"])
@pytest.mark.parametrize("names", [["plain"], ["glm"], ["glm", "kimi"], ["kimi", "glm", "plain"]], ids=" ".join)
def test_removing_the_hook_gives_the_users_bytes_back(desk: Desk, names: list[str], moved: bool) -> None:
    path = desk.world.config / "settings.json"
    for before in (ODD, json.dumps(USERS, indent=2).encode()):
        path.write_bytes(before)
        for name in names:
            assert start(desk, name, "-p").code == 0
        if moved:
            shutil.rmtree(desk.world.state)
        run = desk.world.ccc("hooks", "remove")
        assert (run.code, path.read_bytes()) == (0, before)
        assert "everything else is as it was" in run.err
        assert not path.with_name("settings.json.ccc-before").exists()
        assert "has no hook of ccc's" in desk.world.ccc("hooks", "remove").err


def test_a_lost_record_is_told_at_the_start_and_at_the_removal(desk: Desk) -> None:
    assert start(desk, "glm", "-p").code == 0
    record = desk.world.config / "settings.json.ccc-before"
    for command in (("glm", "-p"), ("hooks", "remove")):
        record.unlink()
        run = start(desk, *command)
        assert (run.code, run.err.count(f"{record} is gone")) == (0, 1)
        assert "(outputStyle, language)" in run.err
        record.touch()


def test_a_kill_at_any_call_of_a_removal_can_be_taken_up_again(starts: Callable[[], Starts]) -> None:
    world = starts()
    before = json.dumps(USERS, indent=2).encode()
    removal = ("hooks", "remove")
    clean = world.run("clean", words=removal)
    assert (clean.code, (clean.desk.world.config / "settings.json").read_bytes()) == (0, before)
    for number, (call, count) in enumerate(changes(clean, CHANGING)):
        fault = f"{call}:signal=KILL:when={count}"
        run = world.run(f"{number:03}", "-e", f"inject={fault}", words=removal)
        assert run.code == -signal.SIGKILL, fault
        assert supervised_by(run.desk) in ("glm", "nobody", "plain"), fault
        assert world.hooks.wait(world.hooks.start("allow", *removal, desk=run.desk)) == 0, fault
        assert (run.desk.world.config / "settings.json").read_bytes() == before, fault
        assert {path.name for path in run.desk.world.config.iterdir()} == {"ccc", "ccc.json", "settings.json"}, fault


# ---- a hook of the user's that mentions ours ----


@pytest.mark.parametrize("command", ["notify-send hi; {} supervisor-hook", "true && {} supervisor-hook | tee log"])
def test_a_command_that_only_mentions_our_hook_stays_and_is_named_once(desk: Desk, command: str) -> None:
    theirs = {"type": "command", "command": command.format(CCC), "timeout": 7}
    path = desk.world.write_settings({"hooks": {"Stop": [{"hooks": [theirs]}]}})
    before = path.read_bytes()
    for _ in range(2):
        run = start(desk, "plain", "-p")
        assert (run.code, settings(desk)["hooks"]["Stop"][0]["hooks"]) == (0, [theirs])
        assert run.err.count(f"{path} has a Stop hook of its own that names ccc supervisor-hook") == 1
    assert desk.world.ccc("hooks", "remove").code == 0
    assert path.read_bytes() == before


# ---- what stands at settings.json ----

BAD = {
    "half": b'{"theme": "' + TOKEN.encode(),
    "a list": b'["' + TOKEN.encode() + b'"]',
    "a string": b'"' + TOKEN.encode() + b'"',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"theme": "dark"}'.encode("utf-16"),
    "NUL": b'{"a": "\0"}',
    "NaN": b'{"a": NaN}',
    "deep": b'{"a":' * 100_000,
    "hooks that are a list": b'{"hooks": []}',
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_settings_that_cannot_be_read_are_named_and_left_alone(desk: Desk, content: bytes) -> None:
    refuses(desk, "plain", content)


@pytest.mark.parametrize("kind", ["half", "a list", "a string", "NaN", "deep"])
def test_the_same_for_a_provider_that_brings_settings(desk: Desk, kind: str) -> None:
    refuses(desk, "glm", BAD[kind])


def refuses(desk: Desk, name: str, content: bytes) -> None:
    path = desk.world.config / "settings.json"
    path.write_bytes(content)
    run = start(desk, name, "-p")
    assert (run.code, run.out, path.read_bytes()) == (1, "", content)
    assert str(path) in run.err.splitlines()[-1]
    assert not re.search(f"Traceback|{TOKEN}", run.err)
    assert desk.starts == []


@pytest.mark.parametrize("kind", ["absolute", "relative", "dangling", "other disk"])
def test_linked_settings_stay_linked(desk: Desk, kind: str) -> None:
    path = desk.world.config / "settings.json"
    with tempfile.TemporaryDirectory(
        dir=other_disk(desk.world.root) if kind == "other disk" else desk.world.root
    ) as dotfiles:
        target = Path(dotfiles) / "settings.json"
        shutil.move(path, target)
        if kind == "dangling":
            target.unlink()
        path.symlink_to(os.path.relpath(target, path.parent) if kind == "relative" else target)
        assert start(desk, "glm", "-p").code == 0
        assert path.is_symlink()
        assert not target.is_symlink()
        if kind != "dangling":
            assert supervised_by(desk) == "glm"
        assert [entry.name for entry in Path(dotfiles).iterdir()] == ["settings.json"]


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_refused_at_once(desk: Desk, kind: str) -> None:
    path = desk.world.config / "settings.json"
    path.unlink()
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
    run = start(desk, "glm", "-p")
    assert run.code == 1
    assert str(path) in run.err.splitlines()[-1]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("before", "umask"), [(0o640, 0), (0o600, 0), (0o644, 0o077), (None, 0), (None, 0o077)])
def test_settings_are_never_opened_wider(desk: Desk, before: int | None, umask: int) -> None:
    path = desk.world.config / "settings.json"
    path.unlink() if before is None else path.chmod(before)
    command = ["sh", "-c", f'umask {umask:03o}; exec "$0" glm -p', str(CCC)]
    subprocess.run(
        command, env=desk.env("allow", **SUPERVISED), cwd=desk.world.project, check=True, capture_output=True
    )
    assert mode(path) == (before or 0o600)
    made = [desk.world.state, *desk.world.state.rglob("*")]
    assert {(entry.is_dir(), mode(entry)) for entry in made} <= {(True, 0o700), (False, 0o600)}


def test_read_only_settings_are_left_alone(desk: Desk) -> None:
    path = desk.world.config / "settings.json"
    path.chmod(0o444)
    run = start(desk, "glm", "-p")
    assert (run.code, supervised_by(desk), mode(path)) == (1, "nobody", 0o444)
    assert f"chmod u+w {path}" in run.err


def test_a_project_that_redirects_the_provider_is_named(desk: Desk) -> None:
    theirs = desk.world.project / ".claude" / "settings.json"
    theirs.parent.mkdir()
    theirs.write_text(json.dumps({"env": {"ANTHROPIC_BASE_URL": f"http://evil/{TOKEN}"}}))
    run = start(desk, "glm", "-p")
    assert (run.code, supervised_by(desk)) == (1, "nobody")
    assert f"{theirs} sets ANTHROPIC_BASE_URL" in run.err
    assert TOKEN not in run.err


# ---- what else belongs to a file ----


@pytest.mark.parametrize("command", [("glm", "-p"), ("checks", "add", "true")])
def test_a_file_with_two_names_keeps_both(desk: Desk, command: tuple[str, ...]) -> None:
    linked = desk.world.config / ("settings.json" if command[0] == "glm" else "ccc.json")
    other = desk.world.root / "dotfiles.json"
    other.hardlink_to(linked)
    before = other.read_bytes()
    run = start(desk, *command)
    assert (run.code, linked.read_bytes(), linked.stat().st_ino) == (1, before, other.stat().st_ino)
    assert f"{linked} has 2 names (hard links)" in run.err.splitlines()[-1]


# ---- the project's SUPERVISOR.md ----


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("glm", "-p"), SUPERVISED),
        (("--supervisor", "--mode", "hooks", "glm", "-p"), {}),
        (("--supervisor", "glm", "--", "task"), {}),
    ],
    ids=["hooks", "hooks with files", "pty"],
)
def test_the_criteria_of_a_project_are_named_with_their_hash(
    desk: Desk, words: tuple[str, ...], more: dict[str, str]
) -> None:
    criteria = desk.world.project / "SUPERVISOR.md"
    criteria.write_text("Done is when the tests pass.")
    run = desk.world.ccc(*words, env=desk.env("allow", **more))
    digest = hashlib.sha256(criteria.read_bytes()).hexdigest()[:12]
    assert run.err.count(f"ccc: reviews go by {criteria} (version {digest})\n") == 1
    criteria.rename(desk.world.config / "SUPERVISOR.md")
    assert "reviews go by" not in desk.world.ccc(*words, env=desk.env("allow", **more)).err


# ---- ccc is gone ----


@pytest.mark.parametrize("gone", ["package", "interpreter", "trampoline"])
def test_a_hook_whose_ccc_is_gone_holds_no_agent_and_bothers_only_a_supervised_one(desk: Desk, gone: str) -> None:
    folder = desk.world.root / "with 'quote' and $HOME"
    folder.mkdir()
    program = folder / "ccc"
    shutil.copy(CCC, program)
    if gone == "trampoline":
        head = f"#!/bin/sh\n'''exec' {sys.executable} \"$0\" \"$@\"\n' '''\n"
        program.write_text(head + program.read_text().partition("\n")[2])
    done = subprocess.run([program, "glm", "-p"], env=desk.env("allow", **SUPERVISED), capture_output=True)
    assert done.returncode == 0
    command = settings(desk)["hooks"]["Stop"][-1]["hooks"][0]["command"]
    event = json.dumps(desk.event()).encode()
    plain = desk.env("block")
    call = partial(subprocess.run, ["sh", "-c", command], env=plain, input=event, capture_output=True)
    assert json.loads(call().stdout)["decision"] == "block"
    if gone == "trampoline":
        program.unlink()
    elif gone == "interpreter":
        command = command.replace(sys.executable, "/no/such/python")
    else:
        command = command.replace("from ccc.", "from ccc_as_it_was.")
    call = partial(subprocess.run, ["sh", "-c", command], env=plain, input=event, capture_output=True)
    assert call().returncode == 0  # anything else the client would show at every stop
    assert call(env={**plain, "CCC_PROVIDER": ""}).returncode == 1  # 2 would be a block
