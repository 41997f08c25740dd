"""Whose request a session holds, where several clients work on one: a name for each, and whether it is still there.

Rule: a name is made of what the kernel tells of a process; of pty mode, which has one loop for a session, it is a word.
"""

from __future__ import annotations

from ccc.base import processes

PTY = "pty"
UNKNOWN = "?"  # one for all of whom the kernel does not tell: nobody's request is theirs


def of(client: int | None, begun: str) -> str:
    """The client with this process id, which began then."""
    return f"{client}:{begun}" if client and begun else UNKNOWN


def lives(owner: str) -> bool:
    pid, _, begun = owner.partition(":")
    return owner == PTY or (pid.isdecimal() and bool(begun) and processes.lives(int(pid), begun))
