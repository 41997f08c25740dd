"""The command by which a client calls ccc at a Stop, as ccc writes it, and how it is told from every other.

Rule: text in, an answer out. Ours is a call that ccc itself has written, to the letter; one that only mentions it is
somebody else's. From which folder a ccc may be run is for whoever asks to know, by the mark of its program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ccc.base import checksum, interpreter
from ccc.base.patterns import pattern

# How a hook is told that the client does not wait for it, or that it is called for a prompt; and the exit code by
# which it has the agent woken, of which the line in the settings makes the client's 2.
BACKGROUND, OF_PROMPT = "--background", "--asked"
WAKES = 99
# How Python is told to be the ccc whose path follows. The launcher that an older pip writes there would first load
# `re`, which takes as long as all that a hook does where nothing is to be reviewed.
AS_CCC = ("-c", "from ccc.__main__ import hook; hook()")
# A headless client ends this hook with SIGTERM a tenth of a second after it has called it, before Python has read its
# first line, and with SIGKILL after another 1.5 s (2.1.325; 2.1.200 lets it live).
UNMOVED = "trap '' TERM; "
# ccc itself ends with 0, so this speaks when it has been taken away. A Python that is told of a file which is gone ends
# with 2, which the client takes for a block; and only whoever was promised a review needs to hear of it, not every
# client at every stop.
OR_ELSE = ' || test -z "${CCC_PROVIDER+x}"'
# A client wakes an agent for exit code 2 alone. ccc says so by a code that nobody else ends with, and only this line
# makes a 2 of it: a ccc that is gone wakes nobody.
OR_WAKE = f' || {{ test $? = {WAKES} && exit 2; test -z "${{CCC_PROVIDER+x}}"; }}'
FLAGS = (BACKGROUND, OF_PROMPT)


# All that ccc writes into an entry. Of another kind, or with more in it, an entry could do something else beside.
_WRITTEN = frozenset(
    ("type", "command", "timeout", "statusMessage", "asyncRewake", "rewakeMessage", "rewakeSummary"),
)


def is_ours(command: object) -> bool:
    """Whether this is a call of `ccc supervisor-hook` as ccc writes it, from whatever folder, and nothing beside it."""
    return bool(_program(command))


def caller(entry: object) -> str:
    """A mark of the very program that an entry of ours runs; empty for an entry that is not ours."""
    if not isinstance(entry, dict) or entry.get("type") != "command" or not entry.keys() <= _WRITTEN:
        return ""
    words = _program(entry.get("command"))
    return _mark(words) if words else ""


def callers_of_this_process() -> frozenset[str]:
    """The marks that entries have which the running ccc would write."""
    named = [sys.argv[0]] if Path(sys.argv[0]).name == "ccc" else []
    paths = [os.path.abspath(path) for path in (*named, str(Path(sys.executable).with_name("ccc")))]  # noqa: PTH100
    starts = [(), *((sys.executable, *words) for words in _ISOLATED if words[-2:] == AS_CCC)]
    return frozenset(_mark((*start, path)) for start in starts for path in paths)


def _mark(words: Sequence[str]) -> str:
    return checksum.of("\0".join(words).encode("utf-8", "replace"))[:20]


def _program(command: object) -> tuple[str, ...]:
    """The words by which a command of ours runs ccc; () for any other command."""
    if not isinstance(command, str) or len(command) > _LONGEST or "supervisor-hook" not in command:
        return ()
    command = command.removeprefix(UNMOVED)
    call = command[_CLEARED.match(command).end() :]  # type: ignore[union-attr]  # matches the empty string too
    ending = next((each for each in (OR_ELSE, OR_WAKE, _OR_ELSE_BEFORE) if call.endswith(each)), "")
    words = _written_words(call.removesuffix(ending))
    if "supervisor-hook" not in words:
        return ()
    at = words.index("supervisor-hook")
    return tuple(words[:at]) if _runs_ccc(words[:at], ending) and _are_options(words[at + 1 :]) else ()


# What may stand before a call: the variables that `interpreter.cleared` empties, in whatever version, and our switch.
_CLEARED = pattern(r'(?:(?:CCC_SUPERVISOR=1|CCC_PYTHONPATH="\$PYTHONPATH"|PYTHON[A-Z0-9_]*+=) )*+')
_OR_ELSE_BEFORE = " || exit 1"  # as earlier versions wrote it
_LONGEST = 32_768  # four paths in quotes fit into it, and shlex takes its time


def _written_words(call: str) -> list[str]:
    """The words of a call in our own spelling; [] for any other, which may do more than the words tell."""
    import shlex  # in here: hardly a start and no Stop without a review needs it

    try:
        words = shlex.split(call)
    except ValueError:  # unbalanced quotes
        return []
    return words if shlex.join(words) == call else []


def _runs_ccc(words: Sequence[str], ending: str) -> bool:
    *python, program = words or [""]
    if Path(program).name != "ccc" or not (program == "ccc" or program.startswith("/")):
        return False
    if not python:
        return ending != _OR_ELSE_BEFORE
    return bool(ending) and python[0].startswith("/") and tuple(python[1:]) in _ISOLATED


# With the launcher run by Python as earlier versions wrote it.
_ISOLATED = tuple(
    (*flags, *said) for flags in (interpreter.ISOLATED, interpreter.IN_USER_SITE) for said in (AS_CCC, ())
)


def _are_options(words: Sequence[str]) -> bool:
    words = [word for word in words if word not in FLAGS]
    names = words[::2]
    return len(words) % 2 == 0 and set(names) <= {"--settings", "--state-dir"} and len(names) == len(set(names))
