"""The program that the client's shell is to call at a Stop: the ccc that is running, and the Python that runs it.

Rule: looks and tries, and writes nothing; a ccc of which it cannot be told how it is run is called as it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

from ccc.base import interpreter
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg

FIRST_LINE = 1024
SECONDS = 30.0


class Program(Struct, frozen=True):
    """`python` is what runs it, isolated; without one, `clears` says whether Python's variables are to be emptied."""

    path: str
    python: tuple[str, ...] = ()
    clears: bool = False


def of_this_process() -> Program:
    return found(own_path(sys.argv[0], sys.executable))


def found(path: str) -> Program:
    python = _isolated(path)
    return Program(path, python, clears=not python and _runs_cleared(path))


def own_path(argv0: str, executable: str) -> str:
    """The absolute path of the ccc that is running, links kept: an upgrade moves the target, not the link."""
    if Path(argv0).name == "ccc":
        return os.path.abspath(shutil.which(argv0) or argv0)  # noqa: PTH100
    beside = Path(executable).with_name("ccc")
    known = str(beside) if beside.exists() else shutil.which("ccc")
    if not known:
        raise CccError(
            msg("the program ccc is not beside python and not on PATH"), msg("install it: pipx install ccc-supervisor")
        )
    return os.path.abspath(known)  # noqa: PTH100


def _isolated(path: str) -> tuple[str, ...]:
    python = _interpreter(path)
    flags = interpreter.flags(python) if python else ()
    return (python, *flags) if python and flags else ()


def _interpreter(path: str) -> str | None:
    """The Python that the launcher's first line names; None for a wrapper of any other kind."""
    try:
        with open(path, "rb") as launcher:  # noqa: PTH123  (a name that is no UTF-8 is a name)
            first = launcher.readline(FIRST_LINE)
    except interpreter.NOT_THERE:
        return None
    except OSError as error:
        raise CccError(
            msg("{path} cannot be read ({error})", path=path, error=foreign(error.strerror)), msg("try again")
        ) from None
    named = os.fsdecode(first[2:]).split()[:1] if first.startswith(b"#!") else []
    return next((word for word in named if word.startswith("/") and _is_python(Path(word).name)), None)


def _is_python(name: str) -> bool:
    return "python" in name or name.startswith("pypy")


def _runs_cleared(path: str) -> bool:
    env = {key: value for key, value in os.environ.items() if key not in interpreter.VARIABLES}
    try:
        done = subprocess.run(
            [path, "--version"], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
        )
    except (OSError, subprocess.SubprocessError):  # then the client's shell will say the same
        return False
    return done.returncode == 0
