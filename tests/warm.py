"""ccc without its start: a process that forks where the installed program would start, one for each that runs tests.

Rule: for what a command answers. How ccc starts, who its ancestors are and what its own /proc tells needs the program.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

SERVER = Path(__file__).with_name("warm_server.py")
# What Python reads when it starts, and so for all calls at once.
AT_START = ("PYTHON", "LC_", "LANGUAGE", "TZ")


def serves(env: Mapping[str, str]) -> bool:
    return env.get("LANG") == "C.UTF-8" and not [name for name in env if name.startswith(AT_START)]


def answer(
    program: Path, calls: Sequence[Sequence[str]], env: Mapping[str, str], cwd: Path, stdin: bytes = b""
) -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of the last of these calls, and of those before it, all in one process."""
    assert serves(env), "this needs the program itself"
    fds = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
    try:
        os.write(fds[0], stdin)
        os.lseek(fds[0], 0, os.SEEK_SET)
        code = _ask(program, {"calls": list(calls), "env": dict(env), "cwd": str(cwd)}, fds)
        return code, *(_whole(fd) for fd in fds[1:])
    finally:
        for fd in fds:
            os.close(fd)


def _ask(program: Path, job: object, fds: list[int]) -> int:
    calls = _server(program)
    socket.send_fds(calls, [json.dumps(job).encode()], fds)
    return int(calls.recv(100))


def _whole(fd: int) -> bytes:
    os.lseek(fd, 0, os.SEEK_SET)
    with open(fd, "rb", closefd=False) as file:
        return file.read()


@cache
def _server(program: Path) -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, str(SERVER), str(theirs.fileno()), str(program)]
        env = {"PATH": os.defpath, "LANG": "C.UTF-8"}
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
