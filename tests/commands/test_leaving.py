"""How ccc ends: at once, and nothing is lost by that."""

from __future__ import annotations

import subprocess
import sys

import pytest

LEAVE = "from ccc.__main__ import leave; import sys\n"


def run(code: str, **how: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", "-c", LEAVE + code], capture_output=True, text=True, **how)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("code", [0, 1, 5, 99, 130])
def test_what_was_printed_is_out_and_the_code_is_the_code(code: int) -> None:
    done = run(f"print('x' * 300_000); sys.stderr.write('told'); leave({code})")
    assert (done.returncode, len(done.stdout), done.stderr) == (code, 300_001, "told")


def test_whoever_wants_a_word_at_the_end_has_it() -> None:
    assert run("import atexit; atexit.register(print, 'last words'); leave(3)").stdout == "last words\n"


def test_a_thread_is_waited_for() -> None:
    begun = "import threading; go = threading.Event()\n"
    begun += "threading.Thread(target=lambda: (go.wait(), print('done'))).start()\n"
    assert run(begun + "threading.Timer(0.05, go.set).start(); leave(0)").stdout == "done\n"


def test_nothing_is_taken_apart() -> None:
    kept = "class Kept:\n    def __del__(self): print('taken apart', flush=True)\nkept = Kept()\n"
    assert run(kept + "leave(0)").stdout == ""


def test_an_output_that_cannot_be_written_is_told_as_python_tells_it() -> None:
    done = run("import os; print('x'); os.dup2(os.open('/dev/full', os.O_WRONLY), 1); leave(0)")
    assert (done.returncode, "No space left" in done.stderr) == (120, True)


def test_closed_streams_are_no_matter() -> None:
    assert run("sys.stdout = None; leave(4)").returncode == 4
