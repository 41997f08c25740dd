"""A child on a pty: nothing is lost, cut or changed on the way, and its end is noticed and complete."""

from __future__ import annotations

import gc
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccc_legacy import terminal
from ccc_legacy.terminal import CannotStart, Child, Program, Size
from tests.pty_desk import children, is_alive, kill
from tests.stops import eventually

SECONDS = 20.0


def start(*argv: str, size: Size = (24, 80), **env: str) -> Child:
    return Child.start(Program(argv, {"PATH": os.defpath, **env}, Path("/")), size)


def python(code: str, *args: str, size: Size = (24, 80)) -> Child:
    return start(sys.executable, "-I", "-S", "-c", code, *args, size=size)


def shell(line: str) -> Child:
    return start("/bin/sh", "-c", line)


def read(child: Child, *, until: bytes | None = None) -> bytes:
    """What it says, up to its end or to these words."""
    heard = bytearray()
    deadline = time.monotonic() + SECONDS
    while until is None or until not in heard:
        data = child.read()
        if data is None:
            return bytes(heard)
        heard += data
        if not data:
            assert select.select([child.fd], [], [], deadline - time.monotonic())[0], bytes(heard[-500:])
    return bytes(heard)


def write(child: Child, data: bytes) -> None:
    while data:
        data = data[child.write(data) :]
        if data:
            select.select([], [child.pipe], [], SECONDS)


def outcome(line: str) -> tuple[bytes, int | None]:
    child = shell(line)
    heard = read(child)
    return heard, child.end()


@pytest.mark.spec("T5")
def test_the_child_has_a_pty_for_its_output_and_pipes_for_its_input_and_its_complaints() -> None:
    # A terminal tells its group to those alone whose controlling terminal it is.
    code = "import os; print(os.isatty(0), os.isatty(1), os.isatty(2), os.tcgetpgrp(1) == os.getpgrp())"
    child = python(code)
    assert read(child) == b"False True False True\n"
    child.end()


OPENING = """
import os, sys
terminal = os.open(input(), os.O_WRONLY | os.O_NOCTTY)
open(sys.argv[1], "x")
input()
"""


def test_a_child_whose_terminal_somebody_has_opened_before_it_began_never_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_open = tmp_path / "open"
    words = (sys.executable, "-I", "-S", "-c", OPENING, str(is_open))
    with subprocess.Popen(words, stdin=subprocess.PIPE) as somebody:
        place = f"/proc/{somebody.pid}/fd/0"

        def wait(fd: int) -> None:  # in the child, before the terminal is its own
            Path(place).write_text(f"{os.ttyname(fd)}\n")
            assert eventually(is_open.exists, SECONDS)

        monkeypatch.setattr(terminal, "_make_raw", wait)
        with pytest.raises(CannotStart) as refused:
            start("/bin/sh", "-c", "sleep 600")
        somebody.kill()
    assert f"process {somebody.pid} (" in str(refused.value)
    assert "has opened its terminal" in str(refused.value)


TOOLS = """
import subprocess, sys
def tool(line): return subprocess.Popen(["/bin/sh", "-c", line], start_new_session=True)
detaching = ["/bin/sh", "-c", "setsid sleep 600 >/dev/null & echo $!"]
print(subprocess.check_output(detaching, start_new_session=True, text=True), end="", flush=True)  # it has ended
input()
tool("trap '' TERM; (setsid sleep 601 & echo $!; wait) & wait")
input()
"""


def test_a_killed_child_takes_its_tools_along_but_not_what_one_had_detached_before() -> None:
    child = python(TOOLS)
    server = int(read(child, until=b"\n"))
    child.keep_detached()
    write(child, b"\n")
    tool = int(read(child, until=b"\n"))
    kill(child.pid, signal.SIGKILL)
    try:
        assert child.end(grace=0.2) == 137
        assert not is_alive(tool)
        assert is_alive(server)
    finally:
        kill(server, signal.SIGKILL)
        os.waitpid(server, 0)


def test_what_the_child_complains_of_is_no_part_of_what_it_says() -> None:
    child = shell("echo one; echo odd >&2; echo two")
    assert read(child) == b"one\ntwo\n"
    assert (child.read_errors(), child.read_errors()) == (b"odd\n", None)
    child.end()


def test_the_pty_is_raw_before_the_child_runs_and_signals_still_work() -> None:
    code = """
import termios
i, o, _, l, *_ = termios.tcgetattr(1)
print(i & termios.ICRNL, o & termios.OPOST, l & (termios.ICANON | termios.ECHO), bool(l & termios.ISIG))
"""
    child = python(code)
    assert read(child) == b"0 0 0 True\n"
    child.end()


@pytest.mark.parametrize("size", [4095, 4096, 4097, 70_001, 1_000_001])
def test_a_line_of_any_length_arrives_whole_both_ways(size: int) -> None:
    child = python("import sys; line = sys.stdin.buffer.readline(); sys.stdout.buffer.write(line)")
    line = bytes(33 + n % 90 for n in range(size - 1)) + b"\n"
    write(child, line)
    assert read(child) == line
    assert child.end() == 0


@pytest.mark.parametrize("byte", [0x03, 0x04, 0x0D, 0x13, 0x15, 0x1A, 0x1C, 0x7F, 0xFF])
def test_no_byte_means_anything_on_the_way_in(byte: int) -> None:
    child = python("import sys; sys.stdout.write(repr(sys.stdin.buffer.readline()))")
    write(child, b"a" + bytes([byte]) + b"b\n")
    assert read(child) == repr(b"a" + bytes([byte]) + b"b\n").encode()
    assert child.end() == 0


def test_what_a_fast_child_says_last_is_never_lost() -> None:
    """100 children that speak and are gone; the end of file on a pty is an error, and comes after the words."""
    for number in range(100):
        child = start("/bin/echo", "-n", f"word {number}")
        assert read(child) == f"word {number}".encode()
        assert child.read() is None
        child.end()


def test_nothing_to_read_yet_is_not_the_end() -> None:
    child = shell("read line; echo $line")
    assert child.read() == b""
    assert child.status is None
    write(child, b"now\n")
    assert read(child) == b"now\n"
    child.end()


@pytest.mark.parametrize(
    ("line", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -11 $$", 139), ("kill -15 $$", 143)],
)
def test_the_end_is_told_as_a_shell_tells_it(line: str, status: int) -> None:
    assert outcome(f"echo before; {line}") == (b"before\n", status)


def test_a_pipe_that_is_full_takes_no_more_and_does_not_wait() -> None:
    child = shell("sleep 600")
    written = 0
    while took := child.write(b"x" * 65536):
        written += took
    assert 0 < written < 10_000_000
    child.end()


def test_the_window_size_is_the_childs_from_the_start_and_when_it_changes() -> None:
    code = """
import os, signal
def tell(*_): os.write(1, b"%d %d\\n" % os.get_terminal_size(1))
signal.signal(signal.SIGWINCH, tell)
tell()
while True: signal.pause()
"""
    child = python(code, size=(30, 100))
    assert read(child, until=b"\n") == b"100 30\n"
    child.resize((51, 132))
    assert read(child, until=b"\n") == b"132 51\n"
    child.end()


def test_a_terminal_without_a_size_counts_as_an_ordinary_one() -> None:
    child = python("import os; print(*os.get_terminal_size(1))", size=(0, 0))
    assert read(child) == b"80 24\n"
    child.end()


def test_ending_ends_the_whole_group_and_takes_no_excuse() -> None:
    child = shell("trap '' TERM HUP INT; sleep 600 & echo $!; wait")
    grandchild = int(read(child, until=b"\n"))
    assert child.end(grace=0.2) == 137
    assert eventually(lambda: not is_alive(grandchild), 2)


def test_a_child_that_is_told_to_end_may_still_say_something() -> None:
    code = """
import os, signal
signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"x" * 300_000), os._exit(3)))
os.write(1, b"go")
signal.pause()
"""
    child = python(code)
    read(child, until=b"go")
    assert child.end(grace=SECONDS) == 3


def test_ending_leaves_no_zombie_and_no_descriptor() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    child = shell("exit 3")
    read(child)
    assert child.end() == 3
    assert child.pid not in children(os.getpid())
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_resize_after_the_end_is_no_error() -> None:
    child = shell("exit 0")
    read(child)
    child.resize((10, 10))
    child.end()


def test_inherited_signal_habits_do_not_reach_the_child() -> None:
    old = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = python("import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)")
        heard = read(child)
    finally:
        signal.signal(signal.SIGINT, old)
    assert heard == b"True\n"  # which Python sets only where SIGINT is not ignored
    child.end()


@pytest.mark.parametrize(
    "program",
    [
        Program(["/no/such/claude"], {}, Path("/")),
        Program(["/etc/passwd"], {}, Path("/")),
        Program(["/bin/echo", "\0"], {}, Path("/")),
        Program(["/bin/echo", "\ud800"], {}, Path("/")),
        Program(["/bin/echo"], {"A": "\0"}, Path("/")),
        Program(["/bin/echo"], {}, Path("/no/such/folder")),
        Program(["/bin/echo", "x" * 140_000], {}, Path("/")),
    ],
    ids=["no file", "no program", "NUL", "surrogate", "NUL in a variable", "no folder", "too long"],
)
def test_what_cannot_be_started_is_one_error_and_no_second_ccc(program: Program) -> None:
    before = children(os.getpid())
    with pytest.raises(CannotStart, match=r"cannot start .*; reinstall Claude Code or set CCC_CLAUDE"):
        Child.start(program)
    gc.collect()
    assert eventually(lambda: not [pid for pid in children(os.getpid()) if pid not in before and is_alive(pid)], 5)
