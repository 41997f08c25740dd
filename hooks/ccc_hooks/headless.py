"""A client without a screen: how its request ended, in one line on the stderr that ccc was started with.

Rule: a line is written to that very file, pipe or terminal or not at all, and waits a second at most; claude's stdout
and exit code are its own.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress

from ccc.base import sink
from ccc.base.processes import words
from ccc.base.text import clean
from ccc.claude import commandline, variables
from ccc.judging.report import Reader
from ccc.model import AllowStop, Decision, Outcome
from ccc_hooks import lineage

VARIABLE = variables.STDERR
# So says `claude -p` to its hooks; the terminal UI, which a line of ours would tear, says `cli`.
ENTRYPOINT = ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")


def handed_on() -> dict[str, str]:
    """What the hook has to know of this process's stderr, which will be the client's."""
    try:
        found = os.fstat(2)
        if stat.S_ISREG(found.st_mode):
            # The hook opens the file anew: only at its end do two writers not write over each other.
            fcntl.fcntl(2, fcntl.F_SETFL, fcntl.fcntl(2, fcntl.F_GETFL) | os.O_APPEND)
    except OSError:  # closed: the client may get any file under this number
        return {}
    return {VARIABLE: _identity(found)}


def is_headless(env: Mapping[str, str]) -> bool:
    """Whether this client has no screen and nobody who types."""
    name, value = ENTRYPOINT
    return env.get(name) == value


def ends_with_request(env: Mapping[str, str]) -> bool:
    """Whether nobody can say another word to this client: it ends when the agent and its background work have."""
    client = lineage.client(env) if is_headless(env) else None
    return client is not None and not any(word.startswith(b"--input-format") for word in words(client, "cmdline"))


def asks_once(env: Mapping[str, str]) -> bool:
    """Whether all that the person says in this session is the one prompt that the client was started with."""
    client = lineage.client(env) if ends_with_request(env) else None
    given = [os.fsdecode(word) for word in words(client, "cmdline")] if client else []
    return bool(given) and list(commandline.without_session_flags(given)) == given


def of_system(env: Mapping[str, str]) -> tuple[str, ...] | None:
    """What the person has said of this client's system prompt; None where a reviewer, which has neither a screen nor
    anybody who says more, would be given another one, or other tools."""
    client = lineage.client(env) if ends_with_request(env) else None
    given = [os.fsdecode(word) for word in words(client, "cmdline")] if client else []
    return commandline.of_system(given[1:]) if given else None


def tell(decision: Decision, env: Mapping[str, str]) -> None:
    """Write the closing word, if the request has ended and the client is one that nobody looks at."""
    if not isinstance(decision, AllowStop) or decision.outcome in (None, Outcome.INTERRUPTED) or not decision.told:
        return
    named = env.get(VARIABLE)
    client = lineage.client(env) if named and is_headless(env) else None
    if client and named:
        write(client, named, decision.told)


def write(client: int, named: str, line: str) -> None:
    """One line to the stderr of this client, if it is the one that was handed on under this name."""
    path = f"/proc/{client}/fd/2"
    with suppress(OSError):  # gone, nobody reads it, or a socket, which has no name to open it by
        if _identity(os.stat(path)) != named:  # noqa: PTH116  a link of the kernel's, whose text is no path
            return
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            Reader().read(sink.lines(*_rows(line, fd)), fd)
        finally:
            os.close(fd)


def _rows(text: str, fd: int) -> Iterator[str]:
    """At a terminal's width: it would begin the rest of a long line at its edge, where lines of ours begin."""
    if not os.isatty(fd):
        yield text
        return
    from ccc.base import folding

    columns = os.get_terminal_size(fd).columns
    for each in clean(text).split("\n"):
        yield from folding.folded(each, columns)


def _identity(found: os.stat_result) -> str:
    return f"{found.st_dev}:{found.st_ino}"
