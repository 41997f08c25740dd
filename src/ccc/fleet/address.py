"""Where the fleet's memory is: a file of this machine, or a Postgres that several machines share.

Rule: an address may hold a password. It is read from ccc.json or a variable, never from a command line, and whoever
shows it shows it without; libpq's own places (PGPASSWORD, ~/.pgpass) serve too.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ccc.base import files
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.providers import choosing, config
from ccc.providers.store_address import parts, password, secrets

VARIABLE = choosing.STORE
MACHINE = "CCC_MACHINE"
SCHEMES = ("postgresql", "postgres")
OWN = frozenset({VARIABLE, "GIT_INDEX_FILE", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"})  # no agent gets these


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
    if given and password(given):
        raise Misuse(
            msg("a password in --store could be read by everybody on this machine"),
            msg("put the address into {variable} or into ccc.json as fleet.store", variable=VARIABLE),
        )
    named = given or env.get(VARIABLE) or _of_config(conf, env)
    folder = config.state_directory(env) / "fleet"
    files.private_directory(folder)
    if named:
        _check(named, Misuse if given else CccError)
    return Address(folder, named)


def _check(named: str, kind: type[CccError]) -> None:
    """What a library would complain of in words that hold a part of the password."""
    if named.partition("://")[0] not in SCHEMES:
        raise kind(
            msg("the store {name} is no address of a Postgres", name=_without_password(named)),
            msg("write postgresql://USER@HOST/DATABASE, or leave it out for a file on this machine"),
        )
    who = parts(named)[0]
    if re.search(r"[/?#@\s]", who) or re.search(r"%(?![0-9A-Fa-f]{2})", named):
        raise kind(
            msg("the address of the store {name} cannot be read", name=_without_password(named)),
            msg("write each / ? # @ % and space of its password as %2F %3F %23 %40 %25 %20"),
        )


def machine(env: Mapping[str, str]) -> str:
    return env.get(MACHINE) or socket.gethostname() or "localhost"


def worktrees(env: Mapping[str, str]) -> Path:
    """Below a `.claude` the client asks before every edit, so they are not in ccc's own folder."""
    named = Path(env.get("XDG_STATE_HOME") or "")
    state = named if named.is_absolute() else config.home(env) / ".local" / "state"
    return state / "ccc-fleet"


def _of_config(conf: config.Config, env: Mapping[str, str]) -> str:
    return config.expand(conf.fleet.store, "fleet.store", conf.path, env) if conf.fleet.store else ""


def for_agents(env: Mapping[str, str], at: Address) -> dict[str, str]:
    """Without what opens the store, under whichever name it came here."""
    kept = choosing.without_store(config.load(env), env)
    return {key: value for key, value in kept.items() if key not in OWN and not _opens(at, key, value)}


def for_git(env: Mapping[str, str], at: Address) -> dict[str, str]:
    """Without any key either: a filter in the repository's config is a program that git runs."""
    return choosing.without_keys(config.load(env), for_agents(env, at))


def _opens(at: Address, key: str, value: str) -> bool:
    if not at.postgres:
        return False
    if not password(at.postgres) and key == "PGPASSWORD":  # then libpq has it from here
        return True
    return at.postgres in value or value in secrets(at.postgres)


def _without_password(named: str) -> str:
    if "://" not in named:  # in libpq's other spelling it may stand anywhere
        return "…"
    who, rest = parts(named)
    user = who.partition(":")[0]
    return f"{named.partition('://')[0]}://{user}{'@' if user else ''}{rest.partition('?')[0]}"


def names_here(path: Path) -> Path:
    """As it is spelt to the end of every link: the same folder must not be two."""
    return Path(os.path.realpath(path))
