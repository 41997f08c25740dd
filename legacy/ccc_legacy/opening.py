"""`/open`: the session in the client's own UI, on the person's terminal, until they leave it.

Rule: the agent has been ended before, for a session has one writer; what it was started with holds here too. Which
session the person left it in is what the client itself says at its end.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from functools import partial

from ccc_legacy.terminal import Program, Size

TAIL = 4096
# On the last two lines (2.1.325); colours may stand between the words.
_LEFT = re.compile(
    rb"Resume this session with:.{0,1000}?--resume(?:\x1b\[[0-9;]*m|\s)+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
    re.DOTALL,
)


def session_left(tail: bytes) -> str | None:
    """The session that the client names last: /clear and /resume go to another one."""
    found = _LEFT.findall(tail)
    return found[-1].decode() if found else None


def hand_over_terminal(program: Program, size: Callable[[], Size], left: Callable[[str], None]) -> None:
    import pexpect  # what nobody needs before

    seen = bytearray()

    # Bytes, whatever the types of pexpect say of it.
    def note(data: bytes) -> bytes:
        seen.extend(data)
        del seen[:-TAIL]
        return data

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
        child.interact(escape_character=None, output_filter=note)  # type: ignore[arg-type]
    finally:
        signal.signal(signal.SIGWINCH, old)
        child.close(force=True)
    named = session_left(bytes(seen))
    if named:
        left(named)
