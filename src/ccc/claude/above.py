"""The client above this process: which one it is, what it was started with, and what it gives to those below it.

Rule: asks the tree of processes and trusts no variable to have survived; where there is no /proc it finds nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field

from ccc.base.processes import ancestors, name, words
from ccc.claude.variables import KEPT

NAME = b"claude"  # of every client's process, of the Node ones as well


class Above(Struct, frozen=True):
    """A client, and the process that it has started and that this one is or stands below."""

    started: Mapping[str, str] = field(default_factory=dict)  # its environment, which no settings file has a say in
    given: Mapping[str, str] = field(default_factory=dict)  # what it has made of that for those whom it starts
    pid: int = 0
    kept: Mapping[str, str] = field(default_factory=dict)  # of `started`: what it was not told, and ccc was


def of(env: Mapping[str, str]) -> Above:
    """The client that has started this process, or what this one was started by; nobody where nobody can tell."""
    found = client(env)
    if found is None:
        return Above(kept=_by_place(env)) if KEPT in env else Above()
    chain = (os.getpid(), *ancestors(os.getpid()))
    below = next((lower for lower, upper in pairwise(chain) if upper == found), 0)
    started = environment(found)
    kept = _kept(started, chain)
    return Above({**started, **kept}, environment(below), found, kept)


def _by_place(env: Mapping[str, str]) -> dict[str, str]:
    """Clients of 2.0 say nothing of themselves to their hooks: whoever has the document is above, started so."""
    family, named = (*ancestors(os.getpid()),), env[KEPT].split("/")[2:3]
    pid = next((pid for pid in family if [str(pid)] == named), None)
    return _kept(environment(pid), family)


def _kept(started: Mapping[str, str], family: Collection[int]) -> dict[str, str]:
    if KEPT not in started:
        return {}
    from ccc.claude import kept  # few clients are started without anything

    return kept.of(started, family)


def client(env: Mapping[str, str]) -> int | None:
    """The nearest client above; None when there is none, or nobody can tell."""
    if env.get("CLAUDECODE") != "1":
        return None
    return next((pid for pid in ancestors(os.getpid()) if _is_client(pid, env)), None)


def clients() -> Iterator[int]:
    """All clients above, the nearest first, whatever this process says of itself: each is known by what it has given
    to the one below it, or, where that one has put it away, by its own name."""
    for lower, upper in pairwise((os.getpid(), *ancestors(os.getpid()))):
        given = environment(lower)
        if name(upper) == NAME or (given.get("CLAUDECODE") == "1" and _is_client(upper, given)):
            yield upper


def environment(pid: int | None) -> dict[str, str]:
    """What this process was started with."""
    pairs = (os.fsdecode(word).partition("=") for word in (words(pid, "environ") if pid else ()))
    return {key: value for key, _, value in pairs if key}


def _is_client(pid: int, env: Mapping[str, str]) -> bool:
    """The client is the nearest process above that was not itself started by this client."""
    return env.get("CLAUDE_PID") == str(pid) or b"CLAUDECODE=1" not in words(pid, "environ")
