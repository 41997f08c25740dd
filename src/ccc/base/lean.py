"""Modules without what they bring along. msgspec: modules for types that ccc's memory has none of, for schemas that
nobody asks for, and, where that is installed, typing_extensions with inspect and ast: a quarter of what the hook
imports. pathlib: what makes an address of a path, which nobody here does.

Rule: each of them has a stand-in while the module is loaded; whoever asks afterwards gets the real one.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType


def load_msgspec() -> None:
    if "msgspec" in sys.modules:
        return
    stand_in = type(sys)("stand_in")
    for name in ("UUID", "SafeUUID", "Decimal", "schema", "schema_components"):
        setattr(stand_in, name, type(name, (), {"unknown": None}))
    spared = ("uuid", "decimal", "msgspec.inspect", "msgspec._json_schema")
    with _lent({**dict.fromkeys(spared, stand_in), "typing_extensions": None}):  # None: as if there were none
        try:
            import msgspec  # noqa: F401
        except Exception:  # one that needs more of them: it is loaded as it is, by whoever asks next
            for name in [each for each in sys.modules if each.startswith("msgspec")]:
                del sys.modules[name]


def load_pathlib() -> None:
    if "pathlib" in sys.modules:
        return
    stand_in = type(sys)("urllib.parse")
    stand_in.quote_from_bytes = _quote_from_bytes  # type: ignore[attr-defined]
    with _lent({"urllib.parse": stand_in}):
        try:
            import pathlib  # noqa: F401
        except ImportError:  # one that needs more of it
            sys.modules.pop("pathlib", None)


def _quote_from_bytes(path: bytes) -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(path)


@contextmanager
def _lent(modules: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """These stand in the place of modules that are not loaded."""
    lent = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(lent)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in lent:
            sys.modules.pop(name, None)
