"""`/open`: the session in the client's own UI, on the person's terminal, until they leave it.

Rule: the agent has been ended before, for a session has one writer; what it was started with holds here too.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial

from ccc_legacy.terminal import Program, Size


def hand_over_terminal(program: Program, size: Callable[[], Size]) -> None:
    import pexpect  # what nobody needs before

    child = pexpect.spawn(
        program.argv[0],
        list(program.argv[1:]),
        env=dict(program.env),
        preexec_fn=partial(os.chdir, program.cwd),  # as cwd= a missing folder would give two of us
        dimensions=size(),
        timeout=None,
    )
    old = signal.signal(signal.SIGWINCH, lambda *_: child.setwinsize(*size()))
    try:
        child.interact(escape_character=None)
    finally:
        signal.signal(signal.SIGWINCH, old)
        child.close(force=True)
