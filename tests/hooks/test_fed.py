"""What a supervised client reads that a program gives its messages: nobody can add to it."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from tests.stops import CLAUDE, Desk
from tests.world import World, fake_claude, provider

FED = ("-p", "--input-format", "stream-json")
SEALED = "/memfd:ccc-messages (deleted)"
# What it is given, whether something else can add to that, and what it says.
READS = ('case "$*" in *-p*) readlink /proc/$$/fd/0; echo forged >>/proc/$$/fd/0 && echo open; cat; exit;; esac',)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(World(tmp_path)).make()
    made.world.write_config({"glm": provider("http://127.0.0.1:9")})
    return made


def begun(desk: Desk, *words: str, stdin: int | IO[bytes] | socket.socket) -> subprocess.Popen[str]:
    client = fake_claude(desk.world.root / "bin", [*READS, f'exec "{CLAUDE}" "$@"'])
    return subprocess.Popen(
        desk.world.command("glm", *words),
        env=desk.env(CCC_SUPERVISOR="1", CCC_CLAUDE=str(client), CCC_LANG="en"),
        cwd=desk.world.project,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def of_pipe(folder: Path) -> int:
    reader, writer = os.pipe()
    os.write(writer, b"first\nsecond\n")
    os.close(writer)
    return reader


def of_file(folder: Path) -> int:
    path = folder / "messages.jsonl"
    path.write_bytes(b"read by the shell\nfirst\nsecond\n")
    fd = os.open(path, os.O_RDWR)
    os.lseek(fd, len(b"read by the shell\n"), os.SEEK_SET)
    return fd


@pytest.mark.parametrize("given", [of_pipe, of_file])
def test_messages_that_have_an_end_are_sealed_before_the_client_runs(desk: Desk, given: Callable[[Path], int]) -> None:
    fd = given(desk.world.root)
    out, _ = begun(desk, *FED, stdin=fd).communicate()
    os.close(fd)
    assert out.splitlines()[-3:] == [SEALED, "first", "second"]
    assert "forged" not in out


def test_a_pipe_that_stays_open_is_the_clients_and_said(desk: Desk) -> None:
    with begun(desk, *FED, stdin=subprocess.PIPE) as ccc:
        assert ccc.stdin
        assert ccc.stdout
        ccc.stdin.write("first\n")
        ccc.stdin.flush()
        place, *heard = [ccc.stdout.readline().strip() for _ in range(4)]
        _, said = ccc.communicate()
    assert place.startswith("pipe:")
    assert {*heard} == {"open", "first", "forged"}
    assert "whatever the agent runs can write messages of yours into the pipe on stdin" in said


def test_a_socket_and_a_task_in_plain_text_are_left_as_they_are(desk: Desk) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b"first\n")
        ours.shutdown(socket.SHUT_WR)
        out, _ = begun(desk, *FED, stdin=theirs).communicate()
    assert out.splitlines()[-2].startswith("socket:")
    assert out.splitlines()[-1] == "first"
    fd = of_pipe(desk.world.root)  # the client reads such a one to its end before the agent runs
    assert "pipe:" in begun(desk, "-p", stdin=fd).communicate()[0]
    os.close(fd)


def test_a_stdin_that_cannot_be_read_is_said(desk: Desk) -> None:
    with (desk.world.root / "written").open("wb") as only_written:
        _, said = begun(desk, *FED, stdin=only_written).communicate()
    assert said == "ccc: stdin cannot be read\n"
