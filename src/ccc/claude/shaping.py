"""What settings make of a reviewer without starting anything: rules that take its tools away, a style in the place of
its instructions, its effort, its thoughts, the length of its answers.

Rule: what was there at the start is the person's, and stays; what has come since, the agent can have written. Of a
project's file everything counts but what is named here; of the person's own, which the client's UI writes too, only
what is named here. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator

from ccc.base import checksum
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude.settings import OF_PROJECT, STYLES, Source
from ccc.claude.unasked import POWERFUL, STARTED

STYLE = "outputStyle"
# With which a reviewer looks at the work; whoever has neither can only believe what it was told.
LOOKING = frozenset(("Read", "Bash"))
# What no reviewer meets, what only grants, what the client writes when its person answers a question of its own, and
# what is compared with the start elsewhere.
_ELSEWHERE = frozenset((*(key for key in POWERFUL if key != "env"), *STARTED, "disabledMcpjsonServers"))
_HARMLESS = _ELSEWHERE | {
    *("$schema", "includeCoAuthoredBy", "attribution", "companyAnnouncements", "disableAllHooks", "theme"),
    "model",  # the reviewer is handed the agent's
    *("spinnerTipsEnabled", "spinnerTipsOverride", "spinnerVerbs", "prefersReducedMotion", "plansDirectory"),
}
_GRANTING = ("allow", "additionalDirectories")
_OF_PERSON = ("permissions", "env", "sandbox", STYLE)
_BY_PARTS = ("permissions", "env")

Shape = tuple[Source, str, str]  # the file, the key, and its value in one spelling


def marks(found: Iterable[Source]) -> frozenset[str]:
    """One for each thing that shapes a reviewer; the same in whatever file it stands."""
    return frozenset(_mark(key, value) for _, key, value in _shapes(found))


def refuse_new(found: Iterable[Source], before: Collection[str]) -> None:
    """A reviewer is what the person's start has made of it: it would judge otherwise, or blindly. The files of styles
    count where none is chosen, too: the client takes one that is called `default` in the place of its own (2.1.326).
    """
    for source, key, value in _shapes(found):
        if _mark(key, value) not in before:
            raise CccError(
                msg(
                    "{path} has {key} that was not here at the start, and would shape the reviewer",
                    path=source.path,
                    key=key,
                ),
                msg("look at it, then start ccc again"),
            )


def _shapes(found: Iterable[Source]) -> Iterator[Shape]:
    for source in found:
        for key, value in _parts(source):
            if value not in (None, "", [], {}):
                yield source, key, _spelt(value)


def _parts(source: Source) -> Iterator[tuple[str, object]]:
    for key, value in source.settings.items():
        if _counts(source, key):
            yield from _inner(key, value) if key in _BY_PARTS and isinstance(value, dict) else [(key, value)]


def _counts(source: Source, key: str) -> bool:
    if source.kind in (*OF_PROJECT, STYLES, "given"):
        return key not in _HARMLESS
    return source.kind in ("user", "global") and key in _OF_PERSON


def _inner(key: str, values: Json) -> Iterator[tuple[str, object]]:
    """Each rule and each variable by itself: one that goes away takes nothing from a reviewer."""
    for name, value in values.items():
        if key == "permissions" and name in _GRANTING:
            continue
        for each in value if isinstance(value, list) else [value]:
            yield f"{key}.{name}", each


def _spelt(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:  # nothing that the client could read either
        return "too deep"


def _mark(key: str, value: str) -> str:
    return checksum.of(f"{key}\0{value}".encode("utf-8", "replace"))[:16]
