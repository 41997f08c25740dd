"""What stood at the start, so that whatever comes later is known as such: the criteria, and what of the project's files
shapes, starts or serves a reviewer.

Rule: looked at before the agent has done anything. A task of the fleet starts more than once, and its agent can bring
that about: it is judged by what its first start found, which its worker keeps and hands over. The copy is named after
its own hash, and one that no longer matches its name is not used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ccc.base import checksum, files
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import msg
from ccc.claude import servers, settings, shaping, unasked
from ccc.claude.settings import BY_PROJECT, STYLES, Source
from ccc.judging import criteria
from ccc.providers import config

LIMIT = 16 * 2**20
KEY = "began"  # in what a task of the fleet is started with
_DIGEST = re.compile("[0-9a-f]{64}")


class Began(Struct, frozen=True):
    criteria: str  # the text of the SUPERVISOR.md that judges
    brought: tuple[str, ...] = ()  # see claude/unasked.py
    shaped: tuple[str, ...] = ()  # by files of the project's; see claude/shaping.py
    served: tuple[str, ...] = ()  # see claude/servers.py


def look(config_directory: Path, cwd: Path, found: Sequence[Source] | None = None) -> Began:
    """What stands here now. `found`: the settings and servers, if they were read already."""
    if found is None:
        found = (*settings.sources(config_directory, cwd), *settings.servers(cwd))
    project = (each for each in _shaping(config_directory, cwd, found) if _is_projects(each, config_directory))
    return Began(
        criteria.required(cwd, config_directory),
        tuple(sorted(unasked.started(found))),
        tuple(sorted(shaping.marks(project))),
        tuple(sorted(servers.allowed(found, asked=False))),
    )


def shaped(began: Began, config_directory: Path, cwd: Path, found: Sequence[Source]) -> tuple[str, ...]:
    """What may shape a reviewer: of the project's files as it began, of the person's as they are now."""
    own = (each for each in _shaping(config_directory, cwd, found) if not _is_projects(each, config_directory))
    return tuple(sorted({*began.shaped, *shaping.marks(own)}))


def told(began: Began) -> bytes:
    return msgspec.json.encode(began)


def read(data: bytes) -> Began:
    return msgspec.json.decode(data, type=Began)


def keep(data: bytes, state: Path) -> str:
    """A copy in ccc's own folder; the name by which it is handed over."""
    digest = checksum.of(data)
    files.private_directory(state)
    files.private_directory(scratch_folder(state))
    files.replace_own(_path(state, digest), data, scratch=scratch_folder(state))
    return digest


def handed_over(env: Mapping[str, str], state: Path, cwd: Path) -> Began | None:
    """What a task began with; None where this is no start of the fleet's."""
    task = config.task(env)
    if KEY not in task or task.get("folder") != os.fspath(cwd):
        return None
    digest = str(task[KEY])
    data = _copy(_path(state, digest)) if _DIGEST.fullmatch(digest) else None
    if data is None or checksum.of(data) != digest:
        raise CccError(msg("what this task began with was changed or is gone"), msg("let it go on: ccc fleet retry ID"))
    return read(data)


def _copy(path: Path) -> bytes | None:
    try:
        return files.read_own(path, limit=LIMIT)
    except CccError:  # somebody put a link or a pipe in its place
        return None


def _path(state: Path, digest: str) -> Path:
    return state / f"began-{digest}.json"


def _shaping(config_directory: Path, cwd: Path, found: Iterable[Source]) -> tuple[Source, ...]:
    return (*found, *settings.styles(config_directory, cwd))


def _is_projects(source: Source, config_directory: Path) -> bool:
    return source.kind in BY_PROJECT or (source.kind == STYLES and source.path.parent != config_directory)
