"""Whether this project may bring its own hooks, variables and servers into an agent that asks no questions.

Rule: the client asks in its own UI and skips that with --print, so ccc asks instead: once for a project and the very
content it has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from ccc.base import documents, files
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.text import one_line
from ccc.claude.program import project_directory

POWERFUL = (
    *("hooks", "env", "statusLine", "fileSuggestion", "enabledPlugins", "extraKnownMarketplaces"),
    *("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "otelHeadersHelper"),
    *("enabledMcpjsonServers", "enableAllProjectMcpServers"),
)
GRANTING = ("allow", "additionalDirectories", "defaultMode")  # of `permissions`; the others only take away
PROJECT_FILES = (".claude/settings.json", ".claude/settings.local.json", ".mcp.json")


class Untrusted(CccError):
    """The project brings what a person should have seen first."""


def brought(cwd: Path) -> list[str]:
    """What the project's own files would switch on, by file and key; no values."""
    return [f"{path.name}: {_named(key, value)}" for path, key, value in _powers(cwd)]


def is_trusted(cwd: Path, state: Path) -> bool:
    return _stored(state).get(str(project_directory(cwd))) == _fingerprint(cwd)


def trust(cwd: Path, state: Path) -> None:
    seen = {str(project_directory(cwd)): _fingerprint(cwd)}
    files.update_own(
        _record(state),
        lambda data: json.dumps(_content(data) | seen, indent=1).encode(),
        limit=documents.FILE_LIMIT,
        scratch=scratch_folder(state),
    )


def _powers(cwd: Path) -> Iterator[tuple[Path, str, object]]:
    for path in _files(cwd):
        try:
            document = documents.read_object(path)
        except CccError:  # whether the client can read it is not ours to bet on
            yield path, "what ccc cannot read", None
            continue
        yield from ((path, key, value) for key, value in document.items() if value and _is_powerful(path, key, value))


def _is_powerful(path: Path, key: str, value: object) -> bool:
    if key == "permissions":
        return isinstance(value, dict) and any(value.get(name) for name in GRANTING)
    return key in POWERFUL or path.name == ".mcp.json"


def _named(key: str, value: object) -> str:
    inner = f" ({', '.join(one_line(str(name), 60) for name in list(value)[:6])})" if isinstance(value, dict) else ""
    return f"{one_line(key, 60)}{inner}"


def _files(cwd: Path) -> list[Path]:
    """The client takes servers from every folder up to the project's root, settings from the root and from here."""
    project = project_directory(cwd)
    folders = [folder for folder in (cwd, *cwd.parents) if folder.is_relative_to(project)]
    return [path for folder in folders for name in PROJECT_FILES if (path := folder / name).is_file()]


def _fingerprint(cwd: Path) -> str:
    """Of the powers alone: the client itself adds rules and notes to these files all the time."""
    digest = hashlib.sha256()
    for path, key, value in _powers(cwd):
        content = json.dumps(value, sort_keys=True) if value is not None else path.read_text("utf-8", "replace")
        digest.update(f"{path}\0{key}\0{content}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def _record(state: Path) -> Path:
    return state / "trusted.json"


def _stored(state: Path) -> dict[str, str]:
    try:
        return _content(files.read_own(_record(state), limit=documents.FILE_LIMIT))
    except CccError:
        return {}


def _content(data: bytes | None) -> dict[str, str]:
    try:
        stored = json.loads(data or b"{}")
    except (ValueError, RecursionError):  # then it is asked again
        return {}
    return stored if isinstance(stored, dict) else {}
