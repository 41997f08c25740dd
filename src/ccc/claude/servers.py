"""Which servers of a project a client may start: it asks its person about each of them, who can say no.

Measured with 2.1.326: about those in `.mcp.json` files and those of plugins among the project's skills. A no stands in
`disabledMcpjsonServers`, a yes in `enabledMcpjsonServers` or `enableAllProjectMcpServers`, of whatever file; the UI
writes both into settings.local.json, which `git clean -x` takes away. A client without a screen asks nobody and starts
all but those with a no; so does one that bypasses permissions and has the person's word for that.

Rule: reads, and starts nothing. A yes is a name to the letter, a no also what the client takes for the same name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from ccc.base import checksum
from ccc.base.documents import Json
from ccc.claude import settings
from ccc.claude.settings import CALLED, OF_PROJECT, PLUGIN_OF_PROJECT, SERVERS, Source

NO, YES, ALL = "disabledMcpjsonServers", "enabledMcpjsonServers", "enableAllProjectMcpServers"
_KEY = "mcpServers"


def allowed(found: Iterable[Source], *, asked: bool) -> frozenset[str]:
    """A mark for each that a client may start. `asked`: only with a yes, for the others wait for the person."""
    found = tuple(found)
    said_no = {_folded(name) for source in found for name in _names(source, NO)}
    said_yes = {name for source in found for name in _names(source, YES)}
    every = not asked or any(source.settings.get(ALL) is True for source in found)
    return frozenset(
        _mark(name) for name in named(found) if (every or name in said_yes) and _folded(name) not in said_no
    )


def withheld(found: Iterable[Source], before: Collection[str]) -> list[str]:
    """The servers that a reviewer may not start, because its agent's client might not."""
    return [name for name in named(found) if _mark(name) not in before]


def approved(found: Iterable[Source], names: Collection[str]) -> list[str]:
    """Those of them that have a yes now."""
    now = allowed(found, asked=True)
    return [name for name in names if _mark(name) in now]


def of_reviewer(names: Collection[str]) -> Json:
    """The settings by which a client starts none of these, whatever a project's files say."""
    return {NO: list(names)} if names else {}


def as_of(found: Iterable[Source], cwd: Path, moment: float) -> tuple[Source, ...]:
    """Without any yes if a file of the project's has changed since, or one is gone: then a no may be gone as well."""
    found = tuple(found)
    places = [cwd / ".claude", *(source.path for source in found if source.kind in OF_PROJECT)]
    if all(_changed(place) <= moment for place in places):
        return found
    return tuple(
        replace(source, settings={key: value for key, value in source.settings.items() if key not in (YES, ALL)})
        for source in found
    )


def bypassed(found: Iterable[Source], mode: str | None) -> bool:
    """Whether a client in this permission mode takes the person's word for the whole mode as a yes to every server."""
    return mode == "bypassPermissions" and any(
        source.settings.get("skipDangerousModePermissionPrompt") is True
        for source in found
        if source.kind in ("user", "managed")
    )


def named(found: Iterable[Source]) -> list[str]:
    """Every server that the project brings, by the name that the client has for it."""
    return list(dict.fromkeys(name for source in found for name in _of(source)))


def _of(source: Source) -> Iterator[str]:
    if source.kind == SERVERS:
        yield from _listed(source.settings)
    elif source.kind == PLUGIN_OF_PROJECT:
        called, manifest = source.settings.get(CALLED), settings.manifest(source.path)
        names = [*_listed(_object(source.path / ".mcp.json")), *_declared(manifest.get(_KEY), source.path)]
        yield from (f"plugin:{called}:{name}" for name in names)


def _listed(content: Json) -> list[str]:
    """With and without the key around them: a name too many keeps nobody from anything."""
    inner = content.get(_KEY)
    return [*(inner if isinstance(inner, dict) else ()), *(key for key, value in content.items() if _is_server(value))]


def _declared(declared: object, folder: Path) -> list[str]:
    """As a manifest has them: the servers themselves, the name of a file, or a list of either."""
    match declared:
        case dict():
            return _listed({_KEY: declared})
        case str():
            return _listed(_object(folder / declared))
        case list():
            return [name for each in declared for name in _declared(each, folder)]
    return []


def _is_server(value: object) -> bool:
    return isinstance(value, dict) and any(key in value for key in ("command", "url", "type"))


def _object(path: Path) -> Json:
    source = settings.read("plugin", path)
    return source.settings if source else {}


def _changed(path: Path) -> float:
    """By the kernel's own date, which nobody sets."""
    try:
        return path.stat().st_ctime
    except OSError:  # there is none
        return 0.0


def _names(source: Source, key: str) -> list[str]:
    value = source.settings.get(key)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _folded(name: str) -> str:
    """Two names are one to the client where only such characters differ, a plugin's excepted."""
    return name if name.startswith("plugin:") else re.sub(r"[^A-Za-z0-9_-]", "_", name)


def _mark(name: str) -> str:
    return checksum.of(name.encode("utf-8", "replace"))[:20]
