"""Whether this project may bring its own hooks, variables and servers into an agent that asks no questions.

Rule: the client asks in its own UI and skips that with --print, so ccc asks instead: once for a project and the very
content it has.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ccc import config, files
from ccc.claude import project_directory
from ccc.errors import CccError
from ccc.state import scratch_folder

POWERFUL = ("hooks", "env", "apiKeyHelper", "enabledMcpjsonServers", "enableAllProjectMcpServers", "statusLine")
PROJECT_FILES = (".claude/settings.json", ".claude/settings.local.json", ".mcp.json")


class Untrusted(CccError):
    """The project brings what a person should have seen first."""


def brought(cwd: Path) -> list[str]:
    """What the project's own files would switch on, by file and key; no values."""
    found = []
    for path in _files(cwd):
        try:
            document = config.read_object(path)
        except CccError:  # the client cannot read it either
            continue
        keys = list(document) if path.name == ".mcp.json" else [key for key in POWERFUL if document.get(key)]
        found += [f"{path.name}: {_named(document, key)}" for key in keys]
    return found


def is_trusted(cwd: Path, state: Path) -> bool:
    return _stored(state).get(str(project_directory(cwd))) == _fingerprint(cwd)


def trust(cwd: Path, state: Path) -> None:
    files.private_directory(state)
    files.private_directory(scratch_folder(state))
    stored = {**_stored(state), str(project_directory(cwd)): _fingerprint(cwd)}
    files.replace_own(_record(state), json.dumps(stored, indent=1).encode(), scratch=scratch_folder(state))


def _named(document: dict[str, object], key: str) -> str:
    value = document.get(key)
    inner = f" ({', '.join(map(str, list(value)[:6]))})" if isinstance(value, dict) else ""
    return f"{key}{inner}"


def _files(cwd: Path) -> list[Path]:
    folders = dict.fromkeys((project_directory(cwd), cwd))
    return [path for folder in folders for name in PROJECT_FILES if (path := folder / name).is_file()]


def _fingerprint(cwd: Path) -> str:
    digest = hashlib.sha256()
    for path in _files(cwd):
        digest.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _record(state: Path) -> Path:
    return state / "trusted.json"


def _stored(state: Path) -> dict[str, str]:
    try:
        stored = json.loads(files.read_own(_record(state), limit=config.FILE_LIMIT) or b"{}")
    except (ValueError, CccError):
        return {}
    return stored if isinstance(stored, dict) else {}
