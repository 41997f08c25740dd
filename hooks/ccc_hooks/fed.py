"""The messages that a program gives to a supervised client, which whoever runs beside the agent may not add to.

Rule: they are read to their end and sealed before the agent runs, or come through what nobody else can open. A pipe is
open to others at both its ends, and the other one is not ccc's: to hand them on from there would mend nothing.
"""

from __future__ import annotations

import os
import select
import stat

from ccc.base import handed
from ccc.base.errors import CccError
from ccc.base.messages import msg

SECONDS = 3.0  # of silence: as long as the client waits for the first word of a text
CHUNK = 65536


def seal() -> None:
    """Put a document in the place of a stdin that others can open and write to."""
    if not (handed.has_memory() and _is_open_to_others()):
        return
    fd = handed.document("ccc-messages", _to_the_end())
    assert fd is not None
    os.dup2(fd, 0)
    os.close(fd)


def _is_open_to_others() -> bool:
    try:
        mode = os.fstat(0).st_mode
    except OSError:  # closed
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _to_the_end() -> bytes:
    poller, whole = select.poll(), bytearray()
    poller.register(0, select.POLLIN)
    while poller.poll(1000 * SECONDS):
        data = _read()
        if not data:
            return bytes(whole)
        whole += data
    raise CccError(
        msg("the pipe on stdin stays open, and whatever runs beside the agent could write messages of yours into it"),
        msg(
            "end it behind the last message, give them through a pair of sockets, or start without supervision: "
            "CCC_SUPERVISOR=0 ccc PROVIDER"
        ),
    )


def _read() -> bytes:
    try:
        return os.read(0, CHUNK)
    except OSError:
        raise CccError(msg("stdin cannot be read")) from None
