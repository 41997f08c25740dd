"""Whose word the beginning of a task is, and its end: a keyed checksum beside what the worker wrote, for a store that
is a file.

Rule: the agents of one machine have the rights of its person and can write to that file; what no worker has sealed is
no completed task, and is told. A Postgres has a password that no agent is handed, so nothing is sealed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Protocol

from ccc.base import files, seal
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.base.text import one_line
from ccc.fleet.task import CHANGED, COMPLETED, NEEDS_HUMAN

FIELDS = ("id", "run", "outcome", "why", "commit")
# Of this connection alone, and in no file: every task as it is, but for a `completed` that is nobody's word.
SEEN = f"""CREATE TEMP VIEW ccc_seen AS SELECT id, task, number, provider, state, run, owner, machine, session, round,
    agent_usd, review_usd, CASE WHEN ccc_is_forged(id, run, outcome, why, commit_id, seal) THEN '{NEEDS_HUMAN}'
    ELSE outcome END AS outcome, CASE WHEN ccc_is_forged(id, run, outcome, why, commit_id, seal) THEN '{CHANGED}'
    ELSE why END AS why, commit_id, not_before, cut_at, cancel, added_at, began_at, ended_at FROM ccc_tasks"""
OTHERS = "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1"


class Meddled(CccError):
    """The store does more than ccc tells it to."""


class Asked(Protocol):
    def execute(self, query: str, /) -> Any: ...


class Seals:
    def __init__(self, file: Path) -> None:
        self._state = file.parent.parent
        self._key: bytes | None = None  # read once: a list of thousands is looked at every second
        self._right: set[tuple[object, ...]] = set()  # found so before

    def of(self, content: Mapping[str, object]) -> str:
        """What is put beside it."""
        scratch = files.scratch_folder(self._state)
        files.private_directory(scratch)
        return str(seal.sealed(content, self._state, scratch)[seal.FIELD])

    def fits(self, content: Mapping[str, object], beside: object) -> bool:
        """Whether a worker has sealed just this."""
        key = self._key = self._key or seal.key_of(self._state)
        return key is not None and seal.fits({**content, seal.FIELD: beside}, key)

    def is_forged(self, *values: object) -> bool:
        """Whether these five and their seal say `completed`, and no worker did."""
        *told, beside = values
        if told[2] != COMPLETED or values in self._right:
            return False
        if not self.fits(end(*told), beside):
            return True
        self._right.add(values)
        return False

    def settle(self, db: Connection) -> None:
        """The column, where an older version made the store, and what to read from."""
        db.execute("BEGIN IMMEDIATE")
        try:
            self._add_column(db)
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.create_function("ccc_is_forged", len(FIELDS) + 1, self.is_forged)
        db.execute(SEEN)

    def _add_column(self, db: Connection) -> None:
        """What an older version ended has no seal, and looks like a file from which the column was taken away: nobody
        can tell them apart, so a `completed` of either needs a person."""
        if any(row[1] == "seal" for row in db.execute("PRAGMA table_info(ccc_tasks)").fetchall()):
            return
        db.execute("ALTER TABLE ccc_tasks ADD COLUMN seal TEXT")


def end(*values: object) -> dict[str, object]:
    """By id, run, outcome, why and commit."""
    return dict(zip(FIELDS, values, strict=True))


def refuse_others(db: Asked, file: Path) -> None:
    """A trigger would change what a worker writes while it writes it; ccc has none, and no view."""
    for kind, name in db.execute(OTHERS).fetchall():
        raise Meddled(
            msg(
                "the fleet's store {file} was changed outside ccc: it has a {kind} called {name}",
                file=file,
                kind=foreign(kind),
                name=foreign(f"{one_line(name, 60)!a}"),
            ),
            msg("drop it (see: sqlite3 {file} .schema) or move the file away", file=file),
        )
