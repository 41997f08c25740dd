"""Regular expressions as `re` has compiled them, kept from one run to the next: compiling is most of what a Stop pays.

Rule: what is kept is what `re` itself makes of the same words in this very Python, compared before it is written; all
that is in doubt is compiled anew. It stands beside ccc's own bytecode, so whoever can change it can change ccc.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import marshal
import os
import re
import sys
from contextlib import suppress

# Not from typing: the status line would have to load it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    Source: TypeAlias = str | bytes
    Key: TypeAlias = tuple[object, ...]  # the words it is made of, and how; strings, bytes, numbers
    Kept: TypeAlias = tuple[Source, int, bytes, int, dict[str, int], tuple[str | None, ...]]

LIMIT = 4_000_000
_WRITTEN_BY = (_sre.MAGIC, _sre.CODESIZE, sys.byteorder, sys.version)

_kept: dict[Key, Kept] | None = None
_new: dict[Key, re.Pattern[str] | re.Pattern[bytes]] = {}


def of(key: Key, source: Callable[[], Source], flags: int) -> re.Pattern[str] | re.Pattern[bytes]:
    """The expression that `source` tells, which is asked only where none is kept under this key."""
    global _kept
    if _kept is None:
        _kept = _read(place())
    found = _made(_kept.get(key))
    if found is None:
        found = _new[key] = re.compile(source(), flags)
    return found


def keep(put: Callable[[Path, bytes], None]) -> None:
    """Have `put` write down for the next run what had to be compiled; without a place for it, or leave, that is all."""
    path = place()
    if not _new or path is None or sys.dont_write_bytecode or not os.access(os.path.dirname(path), os.W_OK):  # noqa: PTH120
        return
    from pathlib import Path

    with suppress(Exception):  # of use to the next run, and no matter of this one
        put(Path(path), _written(_read(path), _in_parts(_new)))
    _new.clear()


def place() -> str | None:
    """Where this Python keeps the bytecode of this file, if it does."""
    cached = globals().get("__cached__")
    return f"{cached}.patterns" if cached else None


def _read(path: str | None) -> dict[Key, Kept]:
    if path is None:
        return {}
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (pathlib is an import)
            by, kept = marshal.loads(file.read())
    except (OSError, EOFError, ValueError, TypeError):
        return {}
    return kept if by == _WRITTEN_BY and isinstance(kept, dict) else {}


def _written(old: dict[Key, Kept], new: dict[Key, Kept]) -> bytes:
    """All of it; where that is too much, most is of earlier versions, and the new ones are a beginning."""
    data = marshal.dumps((_WRITTEN_BY, old | new))
    return data if len(data) <= LIMIT else marshal.dumps((_WRITTEN_BY, new))


def _made(kept: Kept | None) -> re.Pattern[str] | re.Pattern[bytes] | None:
    if kept is None:
        return None
    try:
        source, flags, code, groups, names, numbered = kept
        made: re.Pattern[str] = _sre.compile(source, flags, [*memoryview(code).cast("I")], groups, names, numbered)
        return made
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return None


def _in_parts(patterns: dict[Key, re.Pattern[str] | re.Pattern[bytes]]) -> dict[Key, Kept]:
    return {key: kept for key, each in patterns.items() if (kept := _taken_apart(each))}


def _taken_apart(pattern: re.Pattern[str] | re.Pattern[bytes]) -> Kept | None:
    """The same pattern in parts, if they make the same."""
    from array import array
    from re import _compiler, _parser  # type: ignore[attr-defined]  # nobody else tells a pattern's code

    asked = pattern.flags & ~(0 if isinstance(pattern.pattern, bytes) else re.UNICODE)
    parsed = _parser.parse(pattern.pattern, asked)
    code = array("I", _compiler._code(parsed, asked)).tobytes()
    numbered = [None] * parsed.state.groups
    for name, number in parsed.state.groupdict.items():
        numbered[number] = name
    kept = (pattern.pattern, pattern.flags, code, parsed.state.groups - 1, parsed.state.groupdict, tuple(numbered))
    return kept if _made(kept) == pattern else None
