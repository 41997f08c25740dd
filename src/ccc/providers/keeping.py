"""Which variables a client is started without, because they hold a key of ccc.json.

Rule: decided by what a variable holds, whatever it is called and whoever names it how; what brings one back is the
person's word alone: `ccc allow`, ccc.json, or a file of theirs that names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from ccc.base import handed, jsontext
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import powers, settings
from ccc.claude.settings import Source
from ccc.claude.variables import Provider
from ccc.providers import allowing, choosing
from ccc.providers.config import Config

_STARTED = "mcpServers"


def names(
    conf: Config, provider: Provider | None, env: Mapping[str, str], cwd: Path, found: Iterable[Source] = ()
) -> frozenset[str]:
    """Of a client with this provider. `found`: what it reads, and what it is given."""
    if provider is None or not _is_found_again():
        return frozenset()
    held = [name for name in choosing.holding_keys(conf, env) if not choosing.speaks_of(provider, name)]
    texts = [jsontext.written(each) for each in _of_person(found)] if held else []
    named = {name for name in held if any(powers.stands(text, name) for text in texts)}
    return frozenset(held) - named - allowing.allowed_in(conf, cwd).keys()


def overview(conf: Config, cwd: Path, env: Mapping[str, str]) -> Iterator[str]:
    """A line for each variable that a client of the current provider is started without."""
    with suppress(CccError):  # told by whoever starts it
        current = choosing.choose(conf)
        provider = choosing.resolve(conf, current, env) if current else None
        for name in sorted(names(conf, provider, env, cwd, settings.sources(conf.directory, cwd))):
            yield msg("{name}: holds a key of your ccc.json, so claude is started without it", name=name)


def _is_found_again() -> bool:
    """The first process of a container is above every other one, and nobody finds it there."""
    return handed.has_memory() and os.getpid() != 1


def _of_person(found: Iterable[Source]) -> Iterator[Json]:
    """What files of the person's say; of the client's own memory only the servers."""
    for source in found:
        if source.kind == settings.GLOBAL:
            projects = source.settings.get("projects")
            inner = projects.values() if isinstance(projects, dict) else ()
            yield {_STARTED: [each.get(_STARTED) for each in (source.settings, *inner) if isinstance(each, dict)]}
        elif source.kind not in (*settings.BY_PROJECT, settings.DECLARED):
            yield source.settings
