"""What a project's files start or grant in a client that asks nobody: hooks, variables, servers, permissions.

Rule: the client asks in its own UI and skips that with --print; what that question would be about is listed here, from
files that were read already. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import checksum
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude.settings import CALLED, PLUGGED, PLUGIN_OF_PROJECT, SERVERS, Source, of_project

POWERFUL = (
    *("hooks", "agent", "env", "statusLine", "fileSuggestion", "enabledPlugins"),
    *("extraKnownMarketplaces", "additionalMarketplaces"),  # two names of one thing
    *("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "otelHeadersHelper"),
    *("enabledMcpjsonServers", "enableAllProjectMcpServers"),
)
GRANTING = ("allow", "additionalDirectories", "defaultMode")  # of `permissions`; the others only take away
UNREADABLE = "what ccc cannot read"
# What runs in a reviewer, or is its part: a client without a screen starts them without a question.
STARTED = ("hooks", "agent")
PLUGINS = "enabledPlugins"  # each by itself: one that is switched off starts nothing


class Switched(Struct, frozen=True):
    """One thing that one file of the project switches on."""

    source: Source
    key: str
    content: str = ""  # of the value, in one spelling; empty for a file that nobody can read
    inner: tuple[str, ...] = ()  # the names in it


def of_sources(found: Iterable[Source]) -> list[Switched]:
    """Everything that is switched on, once: a worktree has the same files again."""
    kept: dict[tuple[str, str, str], Switched] = {}
    for each in (each for source in found for each in _of(source)):
        where = each.source.kind if each.content else str(each.source.path)
        kept.setdefault((where, each.key, each.content), each)
    return list(kept.values())


def started(found: Iterable[Source]) -> frozenset[str]:
    """A mark for each thing in the project's files that a reviewer would start; the same in whatever file it stands.
    Hooks that are switched off are none of them: the file that says so can go."""
    found = tuple(found)
    hookless = any(source.settings.get("disableAllHooks") is True for source in found)
    return frozenset(_mark(each) for each in _started(found) if not (hookless and each.key == "hooks"))


def refuse_new(found: Iterable[Source], before: Collection[str]) -> None:
    """A reviewer starts nothing that was not there when the person started: the agent may have gone to another folder,
    or to another branch."""
    for each in _started(found):
        if _mark(each) not in before:
            raise CccError(
                msg("{path} brings {key} that were not here at the start", path=each.source.path, key=each.key),
                msg("look at them, then start ccc again"),
            )


def refuse_any(found: Iterable[Source]) -> None:
    """Where nothing of a project's has any business."""
    for each in _started(found):
        raise CccError(
            msg("{path} brings {key}, which would be started here", path=each.source.path, key=each.key),
            msg("move it away, or set XDG_CACHE_HOME to a folder that has no such file above it"),
        )


def _started(found: Iterable[Source]) -> list[Switched]:
    found = tuple(found)
    brought, off = of_sources(of_project(found)), _switched_off(found)
    kept = [each for each in brought if each.key in STARTED or each.source.kind == SERVERS]
    among_skills = [each for each in brought if each.source.kind == PLUGIN_OF_PROJECT and not _is_off(each, off)]
    named = [plugin for each in brought if each.key == PLUGINS for plugin in _plugins(each)]
    return [
        *kept,
        *among_skills,
        *(each for each in named if each.source.kind != "project" or each.inner[0] not in off),
    ]


def _switched_off(found: Iterable[Source]) -> set[str]:
    """The plugins to which the person has said no, in a file that beats the project's shared one."""
    said = [source.settings.get(PLUGINS) for source in found if source.kind in ("local", "managed")]
    listed = [(name, value) for each in said if isinstance(each, dict) for name, value in each.items()]
    return {name for name, value in listed if value is False} - {name for name, value in listed if value}


def _is_off(plugin: Switched, off: Collection[str]) -> bool:
    """Of one among the skills, which the client calls by the name that stands in it."""
    return f"{plugin.source.settings.get(CALLED)}@skills-dir" in off


def _plugins(switched: Switched) -> list[Switched]:
    listed = json.loads(switched.content) if switched.content else {}
    on = listed.items() if isinstance(listed, dict) else [("", listed)]
    return [replace(switched, content=json.dumps([name, value]), inner=(name,)) for name, value in on if value]


def _mark(each: Switched) -> str:
    return checksum.of(f"{each.key}\0{each.content}".encode("utf-8", "replace"))[:20]


def _of(source: Source) -> list[Switched]:
    try:
        return [_switched(source, key, value) for key, value in _powers(source)]
    except RecursionError:
        return [Switched(source, UNREADABLE)]


def _powers(source: Source) -> list[tuple[str, object]]:
    if source.problem:  # whether the client can read it is not ours to bet on
        return [(UNREADABLE, None)]
    return [(key, value) for key, value in source.settings.items() if value and _is_powerful(source, key, value)]


def _switched(source: Source, key: str, value: object) -> Switched:
    if value is None:
        return Switched(source, key)
    inner = tuple(map(str, value)) if isinstance(value, dict) else ()
    return Switched(source, key, json.dumps(value, sort_keys=True), inner)


def _is_powerful(source: Source, key: str, value: object) -> bool:
    if key == "permissions":
        return isinstance(value, dict) and any(value.get(name) for name in GRANTING)
    if source.kind == PLUGIN_OF_PROJECT:
        return key == PLUGGED
    return key in POWERFUL or source.kind == SERVERS
