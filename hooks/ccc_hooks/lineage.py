"""Who called this hook, when, and how that client was started: no settings file written since has a say in it.

Rule: asks the tree of processes and trusts no variable to have survived; where there is no /proc it finds nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.processes import Holder, age, maker
from ccc.base.processes import ancestors as _ancestors
from ccc.base.processes import stat as _stat
from ccc.base.processes import words as _words
from ccc.claude.own_hook import AS_CCC, BACKGROUND
from ccc.claude.variables import BROUGHT, SHAPED, STDERR, STEERING, SUPERVISED
from ccc.judging import criteria
from ccc_hooks.stop import NotAStop


def refuse_recursion() -> None:
    if any(_is_hook(_words(pid, "cmdline")) for pid in _ancestors(os.getpid())):
        raise NotAStop("called below another supervisor-hook")


def refuse_uninvited(env: Mapping[str, str]) -> None:
    """Whatever runs below a client can call its hook; where ccc has placed one, only what the client says counts."""
    if SUPERVISED in env and client(env) and not caller(env):
        raise CccError(
            msg("a call of ccc's hook was not heeded: something below the client has made it, and not the client"),
            msg("if you have wrapped the hook, let the client call `ccc supervisor-hook` itself"),
        )


def caller(env: Mapping[str, str]) -> int | None:
    """The client, if it has called this very hook: it gives each one an end of a pair of its own making as stdin, as
    Node and Bun do for all that they start."""
    found = client(env)
    return found if found and maker(0) == found else None


def is_called_by(holder: Holder, by: int | None) -> bool:
    """Whether that hook stands below this client and says so itself: then the client has called it, or it has refused
    to decide. Without a client nobody can tell."""
    if by is None:
        return True
    return b"CLAUDECODE=1" in _words(holder.pid, "environ") and by in _ancestors(holder.pid)


def started_with(env: Mapping[str, str]) -> dict[str, str]:
    """The environment that the client was started with, its login included; empty where nobody can tell."""
    return _given(client(env))


def as_started(env: Mapping[str, str]) -> Mapping[str, str]:
    """The environment with what decides a review as the client itself was started with it.

    A settings file that the agent has written since reaches the hooks of a client, and not how the client was started.
    """
    given = started_with(env)
    if not given:
        return env
    others = {key: value for key, value in env.items() if key not in DECIDING}
    return others | {key: given[key] for key in DECIDING if key in given}


# Whose configuration, state, client, provider, criteria and settings a Stop is reviewed with, and where it is told.
DECIDING = (
    *("HOME", "CLAUDE_CONFIG_DIR", "CCC_CONFIG_DIR", "CCC_WORK_DIR", "CCC_CLAUDE"),
    *(SUPERVISED, criteria.VARIABLE, STEERING, BROUGHT, SHAPED, STDERR),
)


def client(env: Mapping[str, str]) -> int | None:
    """The process that called this hook; None when it was no client, or nobody can tell."""
    if env.get("CLAUDECODE") != "1":
        return None
    return next((pid for pid in _ancestors(os.getpid()) if _is_client(pid, env)), None)


def _given(pid: int | None) -> dict[str, str]:
    pairs = (os.fsdecode(word).partition("=") for word in (_words(pid, "environ") if pid else ()))
    return {key: value for key, _, value in pairs if key}


def begun() -> float:
    """When this process was started, on the monotonic clock.

    Two hooks of one Stop are started together, but may come to their first line of Python far apart.
    """
    fields = _stat(os.getpid())
    # The kernel counts whole ticks; the next one is the earliest moment that is certainly not before the start.
    # The clocks are read in this order for the same reason: whoever interrupts us here makes us later, not earlier.
    lived = age(fields) if fields else 0.0
    return time.monotonic() - lived


def _is_client(pid: int, env: Mapping[str, str]) -> bool:
    """The client is the nearest process above that was not itself started by this client."""
    return env.get("CLAUDE_PID") == str(pid) or b"CLAUDECODE=1" not in _words(pid, "environ")


def is_hook(holder: Holder) -> bool:
    return _is_hook(holder.argv)


def is_in_background(holder: Holder) -> bool:
    return is_hook(holder) and BACKGROUND.encode() in holder.argv


def _is_hook(argv: Sequence[bytes]) -> bool:
    """`…/ccc supervisor-hook`, run by python or as a program; not a shell or `timeout` that only mentions it."""
    if b"supervisor-hook" not in argv[1:]:
        return False
    at = argv.index(b"supervisor-hook", 1)
    called, *before = (os.path.basename(word) for word in (argv[at - 1], *argv[: at - 1]))  # noqa: PTH119  (bytes)
    if called != b"ccc" or not before:
        return called == b"ccc"
    python, *flags = before
    if tuple(flags[-2:]) == tuple(map(str.encode, AS_CCC)):
        flags = flags[:-2]
    return (b"python" in python or python.startswith(b"pypy")) and all(flag.startswith(b"-") for flag in flags)
