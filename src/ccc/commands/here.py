"""What a command asks of the place it is called in: the configuration, the state folder, the project, a session.

Rule: no printing; what is broken raises, and cli tells it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ccc.base.errors import CccError
from ccc.commands import index

if TYPE_CHECKING:
    from ccc.fleet.address import Address
    from ccc.providers.config import Config


def config() -> Config:
    from ccc.providers import config

    return config.load(os.environ, commands=index.names(), of_task=True)


def config_folder() -> Path:
    """Where ccc.json and Claude's settings.json stand, whatever is in them."""
    from ccc.base import files
    from ccc.providers import config

    folder = config.config_directory(os.environ)
    files.require_open(folder)
    return folder


def state() -> Path:
    """Whoever asks is about to tell what is kept there, and what clients have written."""
    from ccc.providers import config

    config.withhold(os.environ)
    return config.state_directory(os.environ)


def seen_state() -> Path:
    """The same for whoever looks at what happened; one that may not be looked into is not an empty one."""
    from ccc.base import files

    files.require_open(state())
    return state()


def store_address(named: str | None = None) -> Address:
    """Of the fleet's store. Whoever asks is about to open it, and libpq takes what it leaves open from this process."""
    from ccc.fleet import address
    from ccc.providers import inherited

    found = address.address(named, config(), os.environ)
    if found.postgres:
        inherited.settle_libpq(os.environ)
    return found


def project() -> Path:
    from ccc.claude.program import project_directory

    return project_directory(Path.cwd())


def session(named: str) -> str:
    """A session by the beginning of its id; one that has not stopped yet by the whole of it."""
    from ccc.record import recent
    from ccc.record.session import valid_session_id

    try:
        return recent.find(state(), named)
    except CccError:
        if len(named) < 32 or not valid_session_id(named):
            raise
        return named
