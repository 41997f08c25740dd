"""Where a path leads: one name after another, through every link on the way.

Rule: looks, and opens nothing; what leads each program elsewhere is said to do so, and never guessed.
"""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path

LINKS_FOLLOWED = 40  # as many as the kernel does


class End(Enum):
    """Where a path leads."""

    FILE = "a plain file"
    NOTHING = "nothing is there"
    NOWHERE = "a link to what is no plain file, or is not there yet"
    ELSEWHERE = "a link that leads each program elsewhere"


def end(path: Path) -> End:
    """One name after another, as the kernel goes: `/proc/self/cwd` is each program's own, and no text tells where `..`
    leads behind a link."""
    place, links = "/", 0
    names = _names(os.path.abspath(path))  # noqa: PTH100  without following anything
    while names:
        place = os.path.dirname(place) if names[-1] == ".." else os.path.join(place, names[-1])  # noqa: PTH118, PTH120
        names.pop()
        if links and f"{place}/".startswith("/proc/"):  # where /dev/fd and /dev/stdin lead as well
            return End.ELSEWHERE
        if os.path.islink(place):  # noqa: PTH114  total over any name
            links += 1
            target = os.readlink(place)  # noqa: PTH115
            place = "/" if target.startswith("/") else os.path.dirname(place)  # noqa: PTH120
            names += _names(target)
        elif not os.path.lexists(place):
            break
        if links > LINKS_FOLLOWED:
            return End.ELSEWHERE
    if os.path.isfile(place) and not names:  # noqa: PTH113
        return End.FILE
    return End.NOWHERE if links else End.NOTHING


def _names(path: str) -> list[str]:
    """The last one first."""
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]
