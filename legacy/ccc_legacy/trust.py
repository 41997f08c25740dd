"""Whether this project may bring its own hooks, variables and servers into an agent that asks no questions.

Rule: what the client would have asked about is ccc.claude.unasked's to know; here it is named, and asked about once for
a project and the very content it has.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from ccc.base import documents, files, seal
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.text import one_line
from ccc.claude import unasked
from ccc.claude.program import project_directory
from ccc.claude.settings import Source
from ccc.claude.unasked import Switched


class Untrusted(CccError):
    """The project brings what a person should have seen first."""


def brought(cwd: Path, found: Sequence[Source]) -> list[str]:
    """What the project's own files would switch on, by file and key; no values."""
    return [f"{_place(each.source.path, cwd)}: {_named(each)}" for each in unasked.of_sources(found)]


def is_trusted(cwd: Path, found: Sequence[Source], state: Path) -> bool:
    return _stored(state).get(str(project_directory(cwd))) == _fingerprint(found)


def trust(cwd: Path, found: Sequence[Source], state: Path) -> None:
    seen = {str(project_directory(cwd)): _fingerprint(found)}

    def with_this(data: bytes | None) -> bytes:
        return json.dumps(seal.sealed(_content(data, state) | seen, state, scratch_folder(state)), indent=1).encode()

    files.update_own(
        _record(state),
        with_this,
        limit=documents.FILE_LIMIT,
        scratch=scratch_folder(state),
    )


def _place(path: Path, cwd: Path) -> str:
    """A file's name; its whole path where it stands neither here nor on the way up to the project's root."""
    folder = path.parent.parent if path.parent.name == ".claude" else path.parent
    near = folder.is_relative_to(project_directory(cwd)) and cwd.is_relative_to(folder)
    return path.name if near else str(path)


def _named(each: Switched) -> str:
    inner = f" ({', '.join(one_line(name, 60) for name in each.inner[:6])})" if each.inner else ""
    return f"{one_line(each.key, 60)}{inner}"


def _fingerprint(found: Sequence[Source]) -> str:
    """Of the powers alone: the client itself adds rules and notes to these files all the time."""
    digest = hashlib.sha256()
    for each in unasked.of_sources(found):
        content = each.content or _raw(each.source)
        digest.update(f"{each.source.path}\0{each.key}\0{content}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def _raw(source: Source) -> str:
    try:
        data = files.read_bytes(source.path, limit=documents.FILE_LIMIT) or b""
    except CccError:  # nobody can tell whether it is still the same: asked about every time
        return os.urandom(16).hex()
    return hashlib.sha256(data).hexdigest()


def _record(state: Path) -> Path:
    return state / "trusted.json"


def _stored(state: Path) -> dict[str, object]:
    try:
        return _content(files.read_own(_record(state), limit=documents.FILE_LIMIT), state)
    except CccError:
        return {}


def _content(data: bytes | None, state: Path) -> dict[str, object]:
    """What ccc itself wrote down: an agent could answer for the person."""
    try:
        stored = json.loads(data or b"{}")
    except (ValueError, RecursionError):  # then it is asked again
        return {}
    return seal.believed(stored, state) if isinstance(stored, dict) else {}
