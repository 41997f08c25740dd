"""msgspec without what it brings along: modules for types that ccc's memory has none of, for schemas that nobody asks
for, and, where that is installed, typing_extensions with inspect and ast: a quarter of what the hook imports.

Rule: each of them has a stand-in while msgspec is loaded; whoever asks afterwards gets the real one.
"""

from __future__ import annotations

import sys


def load_msgspec() -> None:
    if "msgspec" in sys.modules:
        return
    stand_in = type(sys)("stand_in")
    for name in ("UUID", "SafeUUID", "Decimal", "schema", "schema_components"):
        setattr(stand_in, name, type(name, (), {"unknown": None}))
    spared = ("uuid", "decimal", "msgspec.inspect", "msgspec._json_schema", "typing_extensions")
    lent = {name: stand_in for name in spared if name not in sys.modules}
    if "typing_extensions" in lent:
        lent["typing_extensions"] = None  # type: ignore[assignment]  # how Python says that there is none
    sys.modules.update(lent)
    try:
        import msgspec  # noqa: F401
    except Exception:  # one that needs more of them: it is loaded as it is, by whoever asks next
        for name in [each for each in sys.modules if each.startswith("msgspec")]:
            del sys.modules[name]
    finally:
        for name in lent:
            sys.modules.pop(name, None)
