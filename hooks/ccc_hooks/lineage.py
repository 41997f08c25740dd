"""Who called this hook, when, and how that client was started: no settings file written since has a say in it.

Rule: asks the tree of processes and trusts no variable to have survived; where there is no /proc it finds nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.processes import Holder, age, maker
from ccc.base.processes import ancestors as _ancestors
from ccc.base.processes import stat as _stat
from ccc.base.processes import words as _words
from ccc.claude import above
from ccc.claude.own_hook import AS_CCC, BACKGROUND
from ccc.claude.variables import BROUGHT, PROJECT, SERVED, SHAPED, STDERR, STEERING, SUPERVISED
from ccc.judging import criteria
from ccc.providers import config
from ccc_hooks.stop import NotAStop


def refuse_recursion() -> None:
    if any(_is_hook(_words(pid, "cmdline")) for pid in _ancestors(os.getpid())):
        raise NotAStop("called below another supervisor-hook")


def refuse_uninvited(env: Mapping[str, str], state: Path, *, of_prompt: bool) -> None:
    """Whatever runs below a client can call its hook, and only what the client says counts."""
    if not _is_invited(env, state):
        if of_prompt:  # nobody has stopped, so there is nothing to be told of
            raise NotAStop("something below the client has called for a prompt, and not the client")
        raise CccError(
            msg("a call of ccc's hook was not heeded: something below the client has made it, and not the client"),
            msg("if you have wrapped the hook, let the client call `ccc supervisor-hook` itself"),
        )


def _is_invited(env: Mapping[str, str], state: Path) -> bool:
    if found := client(env):
        return caller(env) is not None and _sees_the_same(found)
    if _is_out_of_sight(env):
        return str(maker(0)) == env.get("CLAUDE_PID")
    called_for = [pid for pid in above.clients() if _keeps_in(state, above.environment(pid))]
    if not called_for and not _has_left_variables(state):
        return True
    # What names itself as the client does stands below the real one.
    return maker(0) in called_for[-1:] or _is_of_start(maker(0), state)


def _sees_the_same(pid: int) -> bool:
    """Whether files, processes and users are for this process what they are for that one: whoever calls us for it from
    a view of his own can show another `claude` in the place of the real one."""
    return all(_place(os.getpid(), of) == _place(pid, of) for of in VIEW)


def _place(pid: int, of: str) -> tuple[int, int] | None:
    """None also where we may not look, as out of a namespace of users of our own."""
    try:
        found = Path(f"/proc/{pid}/{of}").stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_out_of_sight(env: Mapping[str, str]) -> bool:
    """Whether it says that a client has called, and none is above it: that one is the first process of a container, or
    the caller has made itself processes of its own to be among."""
    return env.get("CLAUDECODE") == "1" and bool(_stat(os.getpid()))


def _is_of_start(pid: int, state: Path) -> bool:
    """Whether ccc has started this process: clients of 2.0 say nothing of themselves to their hooks, and what the agent
    runs has all their variables too."""
    from ccc.record import starts

    return any(each.pid == pid and each.lives for each in starts.known(state))


def _has_left_variables(state: Path) -> bool:
    """Whether this process stands below a client that ccc has started, and calls for what ccc keeps of that one, though
    it says nothing of a client: whoever was above it in the tree, the kernel still knows."""
    started = filter(lambda given: SUPERVISED in given, map(above.environment, _ancestors(os.getpid())))
    return any(_keeps_in(state, given) for given in started)


def _keeps_in(state: Path, given: Mapping[str, str]) -> bool:
    """Whether this is where ccc keeps what it knows of a client with that environment."""
    return os.path.realpath(config.state_directory(given)) == os.path.realpath(state)


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


def has_no_client(holder: Holder) -> bool:
    """Whether that hook does not say that it stands below any."""
    return b"CLAUDECODE=1" not in _words(holder.pid, "environ")


def as_started(env: Mapping[str, str], given: Mapping[str, str]) -> Mapping[str, str]:
    """The environment with what decides a review as the client itself was started with it, where that is known.

    A settings file that the agent has written since reaches the hooks of a client, and not how the client was started.
    """
    if not given:
        return env
    others = {key: value for key, value in env.items() if key not in DECIDING}
    return others | {key: given[key] for key in DECIDING if key in given}


# Whose configuration, state, client, provider, criteria, project and settings a Stop is reviewed with, and where it is
# told.
DECIDING = (
    *("HOME", "CLAUDE_CONFIG_DIR", "CCC_CONFIG_DIR", "CCC_WORK_DIR", "CCC_CLAUDE"),
    *(SUPERVISED, criteria.VARIABLE, PROJECT, STEERING, BROUGHT, SHAPED, SERVED, STDERR),
)


VIEW = ("root", "ns/mnt", "ns/pid", "ns/user", "ns/net")


def client(env: Mapping[str, str]) -> int | None:
    """The process that called this hook; None when it was no client, or nobody can tell."""
    return above.client(env)


def begun() -> float:
    """When this process was started, on the monotonic clock.

    Two hooks of one Stop are started together, but may come to their first line of Python far apart.
    """
    fields = _stat(os.getpid())
    # The kernel counts whole ticks; the next one is the earliest moment that is certainly not before the start.
    # The clocks are read in this order for the same reason: whoever interrupts us here makes us later, not earlier.
    lived = age(fields) if fields else 0.0
    return time.monotonic() - lived


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
