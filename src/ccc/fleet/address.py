"""Where the fleet's memory is: a file of this machine, or a Postgres that several machines share.

Rule: an address may hold a password. It is read from ccc.json or a variable, never from a command line, and whoever
shows it shows it without; libpq's own places (PGPASSWORD, ~/.pgpass) serve too.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.providers import config

VARIABLE = "CCC_FLEET_STORE"
MACHINE = "CCC_MACHINE"
SCHEMES = ("postgresql", "postgres")
PRIVATE = frozenset({VARIABLE})  # no agent gets these


class Address(Struct, frozen=True):
    folder: Path  # of this machine: locks, and the file
    postgres: str = ""  # with what it holds; "" where the file is the memory

    @property
    def file(self) -> Path:
        return self.folder / "fleet.db"

    @property
    def engine(self) -> str:
        """As the engine wants it."""
        if self.postgres:
            return f"postgresql+psycopg://{self.postgres.partition('://')[2]}"
        return f"sqlite:///{self.folder / 'engine.db'}"

    @property
    def shown(self) -> str:
        return _without_password(self.postgres) if self.postgres else str(self.file)


def address(given: str | None, conf: config.Config, env: Mapping[str, str]) -> Address:
    """By the option, the variable or ccc.json; without one of them a file in ccc's own folder."""
    if given and urlsplit(given).password:
        raise CccError(
            msg("a password in --store could be read by everybody on this machine"),
            msg("put the address into {variable} or into ccc.json as fleet.store", variable=VARIABLE),
        )
    named = given or env.get(VARIABLE) or conf.fleet.store or ""
    folder = config.state_directory(env) / "fleet"
    files.private_directory(folder)
    if named and urlsplit(named).scheme not in SCHEMES:
        raise CccError(
            msg("the store {name} is no address of a Postgres", name=_without_password(named)),
            msg("write postgresql://USER@HOST/DATABASE, or leave it out for a file on this machine"),
        )
    return Address(folder, named)


def machine(env: Mapping[str, str]) -> str:
    return env.get(MACHINE) or socket.gethostname() or "localhost"


def worktrees(env: Mapping[str, str]) -> Path:
    """Below a `.claude` the client asks before every edit, so they are not in ccc's own folder."""
    named = Path(env.get("XDG_STATE_HOME") or "")
    state = named if named.is_absolute() else config.home(env) / ".local" / "state"
    return state / "ccc-fleet"


def for_agents(env: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in env.items() if key not in PRIVATE and key != "GIT_INDEX_FILE"}


def _without_password(named: str) -> str:
    parts = urlsplit(named)
    host = parts.netloc.rpartition("@")[2]
    user = parts.username
    return urlunsplit((parts.scheme, f"{user}@{host}" if user else host, parts.path, "", ""))


def names_here(path: Path) -> Path:
    """As it is spelt to the end of every link: the same folder must not be two."""
    return Path(os.path.realpath(path))
