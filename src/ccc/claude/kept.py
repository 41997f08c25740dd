"""The variables that a client is started without, for ccc's own processes below it and the shell of each command.

Rule: the document is sealed memory, of the client or of the ccc that has started it, and believed only where the start
environment of a client names it; to a shell each value is one word, and nothing in it runs.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from ccc.base import handed
from ccc.base.patterns import pattern
from ccc.claude.variables import KEPT

NAME = "ccc-kept"
_PLACE = pattern(r"/proc/([0-9]+)/fd/[0-9]+")
_LINE = pattern(r"export ([A-Za-z_][A-Za-z0-9_]*)='((?:[^']|'\\'')*)'\n")
_SHELLS = pattern(r"[A-Za-z_][A-Za-z0-9_]*")  # any other name no shell has a variable for, and ccc.json no reference


def started_with(env: Mapping[str, str], without: Collection[str]) -> dict[str, str]:
    """The environment of a client that is told nothing of the variables `without`, but where ccc finds them."""
    held = {name: value for name, value in env.items() if name in without}
    fd = handed.document(NAME, _spelt(held)) if held else None
    told = {name: value for name, value in env.items() if name != KEPT and (fd is None or name not in held)}
    return told if fd is None else told | {KEPT: handed.place(fd)}


def of(started: Mapping[str, str], family: Collection[int]) -> dict[str, str]:
    """What a client was started without. `family`: it, and those above it, one of whom has the document."""
    place = _PLACE.fullmatch(started.get(KEPT, ""))
    if place is None or int(place[1]) not in family:
        return {}
    lines = _LINE.finditer(os.fsdecode(handed.read(Path(place[0]), NAME)))
    return {line[1]: line[2].replace("'\\''", "'") for line in lines}


def _spelt(held: Mapping[str, str]) -> bytes:
    known = {name: value.replace("'", "'\\''") for name, value in held.items() if _SHELLS.fullmatch(name)}
    return os.fsencode("".join(f"export {name}='{value}'\n" for name, value in known.items()))
