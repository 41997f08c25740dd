"""How ccc starts a Python: so that no folder it stands in and no variable can bring in other code than ccc's own.

Rule: whoever starts a Python of ccc's takes the words from here; which of them find ccc is tried, never guessed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache

import ccc
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg

ISOLATED = ("-I",)
IN_USER_SITE = ("-E", "-P")  # as isolated, but with what is installed for this user alone
SECONDS = 30.0
NOT_THERE = (FileNotFoundError, NotADirectoryError, PermissionError)

# What runs code, moves the library or keeps a Python from starting, in whatever version; empty they all mean nothing.
VARIABLES = tuple(
    f"PYTHON{each}"
    for each in (
        *("PATH", "HOME", "USERBASE", "PLATLIBDIR", "PYCACHEPREFIX", "WARNINGS", "EXECUTABLE", "INSPECT", "STARTUP"),
        *("BREAKPOINT", "DEVMODE", "OPTIMIZE", "CASEOK", "VERBOSE", "DUMPREFS", "MALLOC", "MALLOCSTATS"),
        *("TRACEMALLOC", "HASHSEED", "UTF8", "IOENCODING", "INTMAXSTRDIGITS", "PROFILEIMPORTTIME", "PERFSUPPORT"),
        *("_GIL", "_CPU_COUNT", "_PRESITE"),
    )
)
KEPT = "CCC_PYTHONPATH"  # the project's own programs may need what was in PYTHONPATH

_WHERE = """
import ccc, os, sys
from importlib.util import find_spec
if all(map(find_spec, ("ccc_hooks", "ccc_legacy", "msgspec", "click"))):
    sys.stdout.buffer.write(os.fsencode(ccc.__file__))
"""


def command(module: str, *words: str) -> tuple[str, ...]:
    """A module of ccc as a program of its own."""
    return (sys.executable, *_own_flags(), "-m", module, *words)


def flags(python: str) -> tuple[str, ...]:
    """With which this Python finds the ccc that is running, and nothing of anybody else's; () when with none."""
    return next((each for each in (ISOLATED, IN_USER_SITE) if _finds_ccc(python, each)), ())


def cleared() -> str:
    """The beginning of a shell command that no variable of Python's reaches."""
    return " ".join((f'{KEPT}="$PYTHONPATH"', *(f"{name}=" for name in VARIABLES)))


def restored(env: Mapping[str, str]) -> Mapping[str, str]:
    """The environment as it was before a shell cleared it, for the programs that ccc starts."""
    if KEPT not in env:
        return env
    others = {key: value for key, value in env.items() if key != KEPT and (value or key not in VARIABLES)}
    return others | ({"PYTHONPATH": env[KEPT]} if env[KEPT] else {})


@cache
def _own_flags() -> tuple[str, ...]:
    if sys.flags.isolated:
        return ISOLATED
    if sys.flags.ignore_environment and sys.flags.safe_path:
        return IN_USER_SITE
    # A ccc that only PYTHONPATH can find is at least not looked for in the folder it is called in.
    return flags(sys.executable) or ("-P",)


def _finds_ccc(python: str, options: tuple[str, ...]) -> bool:
    import subprocess

    try:
        done = subprocess.run(
            [python, *options, "-c", _WHERE], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
        )
    except (*NOT_THERE, subprocess.SubprocessError):
        return False
    except OSError as error:  # what could not be tried must not pass for what does not work
        raise CccError(
            msg("{path} cannot be started ({error})", path=python, error=foreign(error.strerror)), msg("try again")
        ) from None
    return done.stdout == os.fsencode(ccc.__file__)
