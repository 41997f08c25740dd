"""A repository, a list of tasks, workers to kill, and a Postgres: what the stories of the fleet have in common."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from ccc.fleet.address import Address
from ccc.fleet.store import Store
from ccc.trial.scripted import Request, ScriptedModel
from tests.real.test_pty_mode import CRITERIA, DONE, REVIEWER, bash
from tests.stops import eventually, living
from tests.world import Run, World, provider

MAY = ("--permission-mode", "bypassPermissions")
RAN = "it ran well"
SECRET = "s3cret-of-the-fleet"
BINARIES = Path("/usr/lib/postgresql")


def script(tasks: Sequence[str], *, delay: float = 0.0) -> list[dict[str, Any]]:
    """An agent that runs one command for its task and says that it did, however often it is asked anew."""
    work = [
        {
            "anywhere": name,
            "times": None,
            "replies": [{**bash(f"echo {name} >> work-{name}; echo {RAN}"), "delay": delay}],
        }
        for name in tasks
    ]
    said = {"last": RAN, "times": None, "replies": [{"text": "It is done and was run.", "delay": delay}]}
    return [{**REVIEWER, "times": None, "replies": [{**DONE, "delay": delay}]}, said, *work]


class Hearing(Protocol):
    @property
    def messages(self) -> tuple[Request, ...]: ...


@dataclass(frozen=True)
class Both:
    """Two models as one who hears all."""

    one: Hearing
    two: Hearing

    @property
    def messages(self) -> tuple[Request, ...]:
        return tuple(sorted((*self.one.messages, *self.two.messages), key=lambda request: request.time))


@dataclass
class Fleet:
    world: World
    store: str = ""
    more: dict[str, str] = field(default_factory=dict)

    def make(self, model: ScriptedModel, **config: object) -> Fleet:
        self.world.write_config({"glm": provider(model.url)}, **config)
        self.repository(self.world.project)
        return self

    def repository(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "SUPERVISOR.md").write_text(f"{CRITERIA}\n")
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "start")):
            self.git(*words, cwd=folder)

    def git(self, *words: str, cwd: Path | None = None) -> str:
        own = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main")
        told = subprocess.run(
            ("git", *own, *words), cwd=cwd or self.world.project, env=self.env(), capture_output=True, check=True
        )
        return told.stdout.decode().strip()

    def env(self, **more: str) -> dict[str, str]:
        kept = {"CCC_FLEET_STORE": self.store} if self.store else {}
        return self.world.env(CCC_LANG="en", CLAUDE_CODE_MAX_RETRIES="0", **kept, **self.more, **more)

    def ccc(self, *args: str, stdin: bytes = b"", **more: str) -> Run:
        return self.world.ccc("fleet", *args, env=self.env(**more), stdin=stdin)

    def add(self, *names: str, keys: Mapping[str, object] | None = None, words: Sequence[str] = MAY) -> list[str]:
        lines = [json.dumps({"prompt": f"Do {name}.", "name": name, **(keys or {})}) for name in names]
        run = self.ccc("add", "-", *words, stdin="\n".join(lines).encode())
        assert run.code == 0, run.err
        return [line.split()[0] for line in run.out.splitlines()]

    def start(self, *args: str, prefix: Sequence[str] = (), **more: str) -> subprocess.Popen[bytes]:
        with (self.world.root / "workers.log").open("ab") as log:
            return subprocess.Popen(
                (*prefix, *self.world.command("fleet", "run", *args)),
                env=self.env(**more),
                cwd=self.world.project,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def log(self) -> str:
        return (self.world.root / "workers.log").read_text()

    def drained(self, *args: str) -> None:
        worker = self.start("--drain", *args)
        assert worker.wait() == 0, self.log

    def tasks(self) -> dict[str, dict[str, Any]]:
        told = json.loads(self.ccc("status", "--json", "-n", "1000").out)
        return {task["id"].rpartition("-")[0]: task for task in told["tasks"]}

    def left_to_do(self) -> int:
        kept = Store(Address(self.world.state / "fleet", self.store))
        try:
            return kept.left_to_do()
        finally:
            kept.close()

    def file(self, task: Mapping[str, Any], name: str) -> str:
        return self.git("show", f"{task['branch']}:{name}")

    def nobody_is_left(self) -> bool:
        return eventually(lambda: living(f"HOME={self.world.home}") == set(), 2)

    def all_well(self, model: Hearing, names: Sequence[str], *, conversations: int = 1) -> None:
        """Every task ended once and well, in one conversation, with its work on its branch; nobody is left.

        On another machine the first conversation is not to be had, so there it may be a second one.
        """
        assert self.nobody_is_left()
        tasks = self.tasks()
        assert {name: (task["state"], task["outcome"]) for name, task in tasks.items()} == dict.fromkeys(
            names, ("ended", "completed")
        ), self.log
        for name in names:
            assert set(self.file(tasks[name], f"work-{name}").splitlines()) == {name}
            turns = turns_of(model, name)
            lengths = [len(turn.json["messages"]) for turn in turns]
            anew = sum(later < earlier for earlier, later in pairwise(lengths))
            assert anew < conversations, (name, lengths)
            assert all(turn.text.count(f"Do {name}.") == 1 for turn in turns)


def turns_of(model: Hearing, name: str) -> list[Request]:
    found = [request for request in model.messages if f"Do {name}." in request.text]
    return [request for request in found if REVIEWER["system"] not in request.system]


def commands_of(fleet: Fleet) -> list[str]:
    """The command lines of everybody who works in this world."""
    found = []
    for pid in living(f"HOME={fleet.world.home}"):
        with suppress(OSError):  # gone meanwhile
            found.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    assert found
    return found


def kill(worker: subprocess.Popen[bytes]) -> None:
    worker.send_signal(signal.SIGKILL)
    worker.wait()


def kill_all(fleet: Fleet) -> None:
    for pid in living(f"HOME={fleet.world.home}"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def postgres() -> Iterator[Server]:
    """A server of our own on loopback, with a password; gone afterwards."""
    programs = max(BINARIES.glob("*/bin"), key=lambda path: int(path.parent.name))
    folder = Path(tempfile.mkdtemp(prefix="ccc-postgres-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    if user:
        shutil.chown(folder, "postgres", "postgres")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    secret = folder / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o644)
    quiet: dict[str, Any] = {
        "cwd": "/",
        "env": {"PATH": os.defpath},
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        **user,
    }
    try:
        subprocess.run(
            (
                programs / "initdb",
                "-U",
                "ccc",
                "-A",
                "scram-sha-256",
                f"--pwfile={secret}",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C",
                folder / "data",
            ),
            check=True,
            **quiet,
        )
        server = Server(programs, folder, port, quiet)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Server:
    programs: Path
    folder: Path
    port: int
    quiet: dict[str, Any]
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://ccc:{SECRET}@127.0.0.1:{self.port}/postgres"

    @property
    def socket_url(self) -> str:
        """A file, which is reached from every network."""
        return f"postgresql://ccc:{SECRET}@:{self.port}/postgres?host={self.folder}"

    def start(self) -> None:
        words = ("-D", self.folder / "data", "-k", self.folder, "-h", "127.0.0.1", "-p", str(self.port), "-F")
        self.process = subprocess.Popen((self.programs / "postgres", *words), **self.quiet)
        ready = (self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port))
        assert eventually(lambda: subprocess.run(ready, check=False).returncode == 0, 10)

    def kill(self) -> None:
        """Of the whole server, as when its machine is gone."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def with_another(folder: Path, at: Path) -> tuple[str, ...]:
    """What a command is begun with to see that folder in the place of this one, as on a machine of its own."""
    return ("unshare", "--mount", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', str(folder), str(at))


@contextmanager
def networks() -> Iterator[tuple[str, str]]:
    """Two network namespaces with nothing but a loopback."""
    names = (f"ccc-north-{os.getpid()}", f"ccc-south-{os.getpid()}")
    try:
        for name in names:
            subprocess.run(("ip", "netns", "add", name), check=True)
            subprocess.run(("ip", "-n", name, "link", "set", "lo", "up"), check=True)
        yield names
    finally:
        for name in names:
            subprocess.run(("ip", "netns", "delete", name), check=False)


def port_of(model: ScriptedModel) -> int:
    return int(model.url.rpartition(":")[2])


@contextmanager
def model_in(network: str, rules: Sequence[Mapping[str, Any]], port: int = 0) -> Iterator[ScriptedModel]:
    """A model on the loopback of that network: a socket stays where the thread was that made it."""
    made: list[ScriptedModel] = []

    def make() -> None:
        with Path(f"/var/run/netns/{network}").open("rb") as namespace:
            assert ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0x40000000) == 0  # CLONE_NEWNET
        made.append(ScriptedModel(rules, port=port))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    with made[0] as model:
        yield model
