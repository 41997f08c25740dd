"""Between the claim of a Stop and its answer signals wait; what takes long is not waited for once one has come."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BEGIN = """
import os, signal, sys
from pathlib import Path
from ccc.base import files, process, senders
from ccc_hooks import call

place = Path(sys.argv[1])
call.hold_back()
os.kill(os.getpid(), signal.SIGTERM)
"""
LONG = {
    "a question to a program": """
ended, _ = process.answer(process.Command(("/bin/sleep", "500"), {}, place), 400)
print(ended.reason.name)
""",
    "a lock": """
with files.locked(place / "lock", wait=1):
    try:
        with files.locked(place / "lock", wait=400):
            print("HELD")
    except files.Busy:
        print("INTERRUPTED")
""",
    "whoever does not read": """
reader, writer = os.pipe()
call.put(writer, bytes(10**6))
print("INTERRUPTED", len(os.read(reader, 10**6)))
""",
}


@pytest.mark.parametrize("what", LONG.values(), ids=LONG)
def test_whoever_is_told_to_stop_waits_no_longer_for(tmp_path: Path, what: str) -> None:
    script = f"{BEGIN}{what}\nprint(senders.is_waiting(), flush=True)\ncall.release()"
    done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, timeout=100)
    said = done.stdout.split()
    assert (said[0], said[-1], done.returncode) == ("INTERRUPTED", "True", -15), (done.stdout, done.stderr)


def test_an_answer_of_any_length_is_whole_for_whoever_reads() -> None:
    script = "from ccc_hooks import call; call.put(1, bytes(10**6))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).stdout == bytes(10**6)
