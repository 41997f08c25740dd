"""ccc with its imports behind it: forks for each call that comes through the socket, and tells the exit code.

Rule: a program of its own, started by `tests.warm` as the installed `ccc` is; the child that it forks is `ccc` from
its first line on. What a call has imported, the server imports too, so that no later call pays for it again.
"""

import contextlib
import importlib
import json
import os
import socket
import sys
import traceback


def main(socket_fd: int, program: str) -> None:
    sys.path[0] = os.path.dirname(program)  # noqa: PTH120  (as it is for the program itself)
    importlib.import_module("ccc.commands.router")
    with socket.socket(fileno=socket_fd) as calls:
        while call := receive(calls):
            job, fds = call
            calls.send(str(forked(program, job, fds)).encode())


def receive(calls: socket.socket) -> tuple[dict[str, object], list[int]] | None:
    data, fds, _, _ = socket.recv_fds(calls, 200_000, 3)
    return (json.loads(data), fds) if data else None


def forked(program: str, job: dict[str, object], fds: list[int]) -> int:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os._exit(work(program, job, fds, theirs))
    for fd in (theirs, *fds):
        os.close(fd)
    with open(ours) as told:  # noqa: PTH123
        for name in json.loads(told.read() or "[]"):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def work(program: str, job: dict, fds: list[int], imported: int) -> int:
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    code = 0
    for words in job["calls"]:
        if len(job["calls"]) > 1:
            os.write(2, f"\n$ {' '.join(words)}\n".encode())
        code = called([program, *words])
    os.write(imported, json.dumps(sorted(sys.modules.keys() - {"__main__"})).encode())
    return code


def called(words: list[str]) -> int:
    sys.argv = words
    code = 1
    try:
        from ccc.__main__ import main as ccc

        code = ccc()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


main(int(sys.argv[1]), sys.argv[2])
