"""The process of a review, as ccc ends it."""

from __future__ import annotations

import subprocess
import sys

# One core, so that the two who could hear of the end take turns, and a child that ends at about the same moment.
ENDING = """
import asyncio, os, socket, time
from ccc_legacy.review import Talk

async def once(until):
    ours, theirs = socket.socketpair()
    heard, said = await asyncio.open_connection(sock=ours)
    process = await asyncio.create_subprocess_exec("/bin/sleep", "0.01")
    begun = time.monotonic()
    while time.monotonic() < begun + until:
        pass
    await Talk(process, heard, said, heard, said).end()
    assert process.returncode in (0, -15), process.returncode
    theirs.close()

async def often():
    for at in range(100):
        await once(0.008 + 0.00008 * at)

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
asyncio.run(often())
"""


def test_a_review_that_ends_as_it_is_ended_leaves_no_word_on_the_persons_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
