"""The messages that a program gives to a supervised client, to which whatever runs beside the agent could add.

Rule: what has its end is sealed before the agent runs. A pipe that stays open is told: others can open both its ends,
and the other one is not ccc's, so to hand messages on from there would mend nothing.
"""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Callable

from ccc.base import handed
from ccc.base.errors import CccError
from ccc.base.messages import msg

SECONDS = 0.3  # in which who has given all of it has ended
CHUNK = 65536


def seal(say: Callable[[str], None]) -> None:
    """Put a document in the place of a stdin that others can open and write to."""
    if not handed.has_memory() or not (kind := _kind()):
        return
    if kind == stat.S_IFIFO and not _has_ended():
        say(msg("whatever the agent runs can write messages of yours into the pipe on stdin; a socket is yours alone"))
        return
    fd = handed.document("ccc-messages", _to_the_end())
    assert fd is not None
    os.dup2(fd, 0)
    os.close(fd)


def _kind() -> int:
    """Of what others can open; 0 for anything else."""
    try:
        kind = stat.S_IFMT(os.fstat(0).st_mode)
    except OSError:  # closed
        return 0
    return kind if kind in (stat.S_IFIFO, stat.S_IFREG) else 0


def _has_ended() -> bool:
    poller = select.poll()
    poller.register(0, 0)  # that nobody writes there any more is always told
    return bool(poller.poll(1000 * SECONDS))


def _to_the_end() -> bytes:
    whole = bytearray()
    while data := _read():
        whole += data
    return bytes(whole)


def _read() -> bytes:
    try:
        return os.read(0, CHUNK)
    except OSError:
        raise CccError(msg("stdin cannot be read")) from None
