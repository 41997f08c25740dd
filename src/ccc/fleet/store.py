"""What the fleet remembers: every task and what became of it, who works, and which provider rests until when.

Rule: the only module that speaks SQL, in words that SQLite and Postgres both know (SQLite's own are in sealing.py);
every change is one transaction, and who gets a task is decided under a lock that all workers share. Whoever asks how a
task ended reads `_seen`, where a `completed` that no worker wrote is none.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.base.text import one_line
from ccc.fleet import sealing
from ccc.fleet.address import Address
from ccc.fleet.sealing import Seals
from ccc.fleet.task import CHANGED, COMPLETED, NEEDS_HUMAN, Record, Sealed, State, Task
from ccc.providers.store_address import secrets

CLAIMS = 7_018_001  # the number of the lock in Postgres
BUSY_SECONDS = 30.0
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS ccc_tasks (
        id TEXT PRIMARY KEY, number INTEGER NOT NULL, task TEXT NOT NULL, provider TEXT NOT NULL, state TEXT NOT NULL,
        run INTEGER NOT NULL, owner TEXT NOT NULL, machine TEXT NOT NULL, session TEXT NOT NULL, round INTEGER NOT NULL,
        agent_usd DOUBLE PRECISION NOT NULL, review_usd DOUBLE PRECISION NOT NULL, outcome TEXT NOT NULL,
        why TEXT NOT NULL, commit_id TEXT NOT NULL, not_before DOUBLE PRECISION NOT NULL,
        cut_at DOUBLE PRECISION NOT NULL, cancel INTEGER NOT NULL, added_at DOUBLE PRECISION NOT NULL,
        began_at DOUBLE PRECISION NOT NULL, ended_at DOUBLE PRECISION NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS ccc_tasks_state ON ccc_tasks (state, outcome, number)",
    "CREATE INDEX IF NOT EXISTS ccc_tasks_outcome ON ccc_tasks (outcome, number)",
    "CREATE INDEX IF NOT EXISTS ccc_tasks_number ON ccc_tasks (number)",
    "CREATE TABLE IF NOT EXISTS ccc_after (id TEXT NOT NULL, first TEXT NOT NULL, PRIMARY KEY (id, first))",
    """CREATE TABLE IF NOT EXISTS ccc_workers (
        id TEXT PRIMARY KEY, machine TEXT NOT NULL, slots INTEGER NOT NULL, began_at DOUBLE PRECISION NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS ccc_pauses (provider TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL)",
    # What all tasks have cost, kept so that nobody has to add up ten thousand of them.
    "CREATE TABLE IF NOT EXISTS ccc_spent (one INTEGER PRIMARY KEY, usd DOUBLE PRECISION NOT NULL)",
    "INSERT INTO ccc_spent VALUES (1, 0) ON CONFLICT DO NOTHING",
    # The cost up to which a running task may go: what of it is not used yet is nobody else's.
    "CREATE TABLE IF NOT EXISTS ccc_leases (id TEXT PRIMARY KEY, usd DOUBLE PRECISION NOT NULL)",
    # What a task began with, by which it is judged at each further start.
    "CREATE TABLE IF NOT EXISTS ccc_began (id TEXT PRIMARY KEY, told TEXT NOT NULL, seal TEXT)",
)
COLUMNS = (
    "id, task, number, state, run, owner, machine, session, round, agent_usd, review_usd, outcome, why, commit_id, "
    "not_before, cut_at, cancel, added_at, began_at, ended_at"
)
FIELDS = tuple({"commit_id": "commit"}.get(name.strip(), name.strip()) for name in COLUMNS.split(","))


class Worker(Struct, frozen=True):
    id: str
    machine: str
    slots: int = 1
    began_at: float = 0.0


class Limits(Struct, frozen=True):
    """What holds over all machines."""

    per_provider: int | None = None
    max_cost_usd: float | None = None
    grace_seconds: float = 30.0

    @property
    def least_usd(self) -> float:
        """With less than this nothing is begun, nor gone on with: a hundredth of all."""
        return (self.max_cost_usd or 0.0) / 100

    def lease(self, left: float) -> float:
        """What a task gets at once, of what is left for all."""
        return min(left, max(self.least_usd, left / 10))


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    def execute(self, query: str, values: Sequence[object] = ..., /) -> Cursor: ...
    def close(self) -> None: ...


class Unreachable(CccError):
    """The memory cannot be asked just now."""


class Store:
    """One connection, used by one thread at a time; one that broke is made anew."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._seals = None if address.postgres else Seals(address.file)
        self._seen = "ccc_tasks" if address.postgres else "ccc_seen"

    def close(self) -> None:
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    # Tasks.

    def add(self, tasks: Sequence[tuple[str, Task]], now: float) -> list[str]:
        """Those that are new, in one transaction; what is there already stays as it is."""
        with self._changing() as db:
            number = int(db.execute("SELECT COALESCE(MAX(number), 0) FROM ccc_tasks").fetchall()[0][0])
            fresh = []
            for id_, task in tasks:
                number += 1
                if self._insert(db, Record(id_, task, number, added_at=now)):
                    fresh.append(id_)
            return fresh

    def _insert(self, db: Connection, record: Record) -> bool:
        task = record.task
        values = (
            *(record.id, record.number, msgspec.json.encode(task, enc_hook=str).decode(), task.provider or ""),
            *(
                record.state.value,
                record.run,
                "",
                "",
                "",
                0,
                0.0,
                0.0,
                "",
                "",
                "",
                0.0,
                0.0,
                0,
                record.added_at,
                0.0,
                0.0,
            ),
        )
        marks = ", ".join("?" * len(values))
        query = (
            "INSERT INTO ccc_tasks (id, number, task, provider, state, run, owner, machine, session, round, agent_usd, "
            "review_usd, outcome, why, commit_id, not_before, cut_at, cancel, added_at, began_at, ended_at) "
            f"VALUES ({marks}) ON CONFLICT DO NOTHING"
        )
        if db.execute(query, values).rowcount < 1:
            return False
        for first in task.after:
            db.execute("INSERT INTO ccc_after VALUES (?, ?) ON CONFLICT DO NOTHING", (record.id, first))
        return True

    def get(self, id_: str) -> Record | None:
        return next(iter(self._records("WHERE id = ?", (id_,))), None)

    def ids(self, beginning: str) -> list[str]:
        """Those that begin so, a hundred at most."""
        upper = beginning + "\U0010ffff"
        rows = self._asked(
            "SELECT id FROM ccc_tasks WHERE id >= ? AND id < ? ORDER BY id LIMIT 100", (beginning, upper)
        )
        return [row[0] for row in rows]

    def page(self, limit: int) -> list[Record]:
        """What a person looks at first: who needs them, who works, who failed, who waits, then the newest ends."""
        found: list[Record] = []
        for where, values in _GROUPS:
            if len(found) < limit:
                found += self._records(f"WHERE {where} LIMIT ?", (*values, limit - len(found)))
        return found

    def all(self) -> list[Record]:
        return self._records("ORDER BY number", ())

    def counts(self) -> dict[str, int]:
        """How many there are of each state; of those that have ended, of each outcome."""
        rows = self._asked(f"SELECT state, outcome, COUNT(*) FROM {self._seen} GROUP BY state, outcome", ())
        told: dict[str, int] = {}
        for state, outcome, number in rows:
            key = outcome if state == State.ENDED.value else state
            told[key] = told.get(key, 0) + int(number)
        return told

    def firsts(self, id_: str) -> list[Record]:
        """The tasks that this one waits for."""
        return self._records("WHERE id IN (SELECT first FROM ccc_after WHERE id = ?) ORDER BY number", (id_,))

    def behind(self, ids: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Of these the ones that still wait for another task: which one, and how it ended, if it has."""
        marks = ", ".join("?" * len(ids))
        query = (
            f"SELECT a.id, f.id, f.outcome FROM ccc_after a JOIN {self._seen} f ON f.id = a.first "
            f"WHERE a.id IN ({marks}) AND NOT (f.state = 'ended' AND f.outcome = '{COMPLETED}') ORDER BY f.number DESC"
        )
        return {row[0]: (row[1], row[2]) for row in self._asked(query, ids)} if ids else {}

    def spent(self) -> float:
        return float(self._asked("SELECT usd FROM ccc_spent", ())[0][0])

    # Who works on what.

    def claim(
        self, worker: Worker, room: int, limits: Limits, now: float, here: Callable[[Task], bool]
    ) -> list[Record]:
        """Up to `room` tasks for this worker, oldest first, within what all machines share."""
        if not self._asked("SELECT 1 FROM ccc_tasks WHERE state = 'waiting' LIMIT 1", ()):
            return []
        with self._changing() as db:
            taken: list[Record] = []
            busy, left = self._busy(db), self._left(db, limits)
            for record in self._eligible(db, worker, limits, now):
                if len(taken) >= room or left < limits.least_usd:
                    break
                provider = record.task.provider or ""
                if (limits.per_provider is None or busy.get(provider, 0) < limits.per_provider) and here(record.task):
                    busy[provider] = busy.get(provider, 0) + 1
                    taken.append(self._take(db, record, worker, now))
                    self._lend(db, record.id, limits)
                    left = self._left(db, limits)
            return taken

    def _busy(self, db: Connection) -> dict[str, int]:
        rows = db.execute(
            "SELECT provider, COUNT(*) FROM ccc_tasks WHERE state = 'running' GROUP BY provider"
        ).fetchall()
        return {row[0]: int(row[1]) for row in rows}

    def _eligible(self, db: Connection, worker: Worker, limits: Limits, now: float) -> Iterator[Record]:
        query = (
            f"SELECT {COLUMNS} FROM ccc_tasks t WHERE state = 'waiting' AND number > ? AND not_before <= ? "
            "AND (machine = '' OR machine = ? OR (cut_at <= ? "
            # Its folder and its conversation are there, and somebody who can go on with them.
            "AND NOT EXISTS (SELECT 1 FROM ccc_workers w WHERE w.machine = t.machine))) "
            "AND NOT EXISTS (SELECT 1 FROM ccc_pauses p WHERE p.provider = t.provider AND p.until > ?) "
            f"AND NOT EXISTS (SELECT 1 FROM ccc_after a JOIN {self._seen} f ON f.id = a.first WHERE a.id = t.id "
            f"AND NOT (f.state = 'ended' AND f.outcome = '{COMPLETED}')) ORDER BY number LIMIT 100"
        )
        last: int | None = 0
        while last is not None:
            values = (last, now, worker.machine, now - limits.grace_seconds, now)
            found = [_record(row) for row in db.execute(query, values).fetchall()]
            yield from found
            last = found[-1].number if found else None

    def _take(self, db: Connection, record: Record, worker: Worker, now: float) -> Record:
        began = record.began_at or now
        db.execute(
            "UPDATE ccc_tasks SET state = 'running', owner = ?, machine = ?, began_at = ? WHERE id = ?",
            (worker.id, worker.machine, began, record.id),
        )
        return msgspec.structs.replace(
            record, state=State.RUNNING, owner=worker.id, began_at=began, machine=record.machine
        )

    # Money: each running task has a lease, so that all of them together cannot pass what there is.

    def borrow(self, id_: str, owner: str, limits: Limits) -> float | None:
        """More, for a task that has used up what it had: the cost up to which it may go now; None: nothing is left."""
        with self._changing() as db:
            mine = db.execute("SELECT 1 FROM ccc_tasks WHERE id = ? AND owner = ?", (id_, owner)).fetchall()
            return self._lend(db, id_, limits) if mine and self._left(db, limits) >= limits.least_usd else None

    def lease(self, id_: str) -> float | None:
        rows = self._asked("SELECT usd FROM ccc_leases WHERE id = ?", (id_,))
        return float(rows[0][0]) if rows else None

    def _lend(self, db: Connection, id_: str, limits: Limits) -> float | None:
        left = self._left(db, limits)
        db.execute("DELETE FROM ccc_leases WHERE id = ?", (id_,))
        if limits.max_cost_usd is None:
            return None
        rows = db.execute("SELECT agent_usd + review_usd FROM ccc_tasks WHERE id = ?", (id_,)).fetchall()
        upto = float(rows[0][0]) + limits.lease(left)
        db.execute("INSERT INTO ccc_leases VALUES (?, ?)", (id_, upto))
        return upto

    def _left(self, db: Connection, limits: Limits) -> float:
        """What nobody has spent or was promised."""
        if limits.max_cost_usd is None:
            return float("inf")
        query = (
            "SELECT COALESCE(SUM(l.usd - t.agent_usd - t.review_usd), 0) FROM ccc_tasks t JOIN ccc_leases l "
            "ON l.id = t.id WHERE t.state = 'running' AND l.usd > t.agent_usd + t.review_usd"
        )
        promised = float(db.execute(query).fetchall()[0][0])
        return limits.max_cost_usd - self.spent() - promised

    def left_to_do(self) -> int:
        """What is running, or could be: not what waits for a task that did not end well."""
        query = (
            f"WITH RECURSIVE stuck(id) AS (SELECT id FROM {self._seen} "
            "WHERE (state = 'ended' AND outcome <> 'completed') OR state = 'cancelled' "
            "UNION SELECT a.id FROM ccc_after a JOIN stuck s ON a.first = s.id) "
            "SELECT COUNT(*) FROM ccc_tasks WHERE state = 'running' "
            "OR (state = 'waiting' AND id NOT IN (SELECT id FROM stuck))"
        )
        return int(self._asked(query, ())[0][0])

    def next(self) -> int:
        """What is running, or waits for no other task."""
        query = (
            "SELECT COUNT(*) FROM ccc_tasks t WHERE state = 'running' OR (state = 'waiting' AND NOT EXISTS "
            f"(SELECT 1 FROM ccc_after a JOIN {self._seen} f ON f.id = a.first WHERE a.id = t.id "
            f"AND NOT (f.state = 'ended' AND f.outcome = '{COMPLETED}')))"
        )
        return int(self._asked(query, ())[0][0])

    def forged(self) -> list[str]:
        """Those of which somebody else than a worker has written that they are completed."""
        query = f"SELECT id FROM {self._seen} WHERE state = 'ended' AND outcome = ? AND why = ? ORDER BY number"
        return [row[0] for row in self._asked(query, (NEEDS_HUMAN, CHANGED))]

    def sealed(self) -> list[Sealed]:
        """Every completed task."""
        query = (
            f"SELECT id, task, machine, commit_id FROM {self._seen} "
            "WHERE state = 'ended' AND outcome = ? AND commit_id <> '' ORDER BY number"
        )
        return [
            Sealed(row[0], Path(msgspec.json.decode(row[1], type=_Where).repo), row[2], row[3])
            for row in self._asked(query, (COMPLETED,))
        ]

    def owned(self, worker: str) -> list[str]:
        return [
            row[0] for row in self._asked("SELECT id FROM ccc_tasks WHERE state = 'running' AND owner = ?", (worker,))
        ]

    def renew(self, worker: Worker) -> None:
        if self._asked("SELECT 1 FROM ccc_workers WHERE id = ?", (worker.id,)):
            return
        with self._changing() as db:
            db.execute(
                "INSERT INTO ccc_workers VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                (worker.id, worker.machine, worker.slots, worker.began_at),
            )

    def workers(self) -> list[Worker]:
        rows = self._asked("SELECT id, machine, slots, began_at FROM ccc_workers ORDER BY began_at", ())
        return [Worker(*row) for row in rows]

    def release(self, worker: str, now: float) -> list[str]:
        """Its tasks are to be had again: it has left, or is gone."""
        with self._changing() as db:
            rows = db.execute("SELECT id FROM ccc_tasks WHERE state = 'running' AND owner = ?", (worker,)).fetchall()
            db.execute(
                "UPDATE ccc_tasks SET state = 'cancelled', outcome = 'cancelled', owner = '', ended_at = ? "
                "WHERE state = 'running' AND cancel = 1 AND owner = ?",
                (now, worker),
            )
            db.execute(
                "UPDATE ccc_tasks SET state = 'waiting', owner = '', cut_at = ? WHERE state = 'running' AND owner = ?",
                (now, worker),
            )
            # What it had put back is kept for its machine a while, as what it worked on is.
            db.execute(
                "UPDATE ccc_tasks SET cut_at = ? WHERE state = 'waiting' AND machine <> '' "
                "AND machine IN (SELECT machine FROM ccc_workers WHERE id = ?)",
                (now, worker),
            )
            db.execute("DELETE FROM ccc_workers WHERE id = ?", (worker,))
            return [row[0] for row in rows]

    # What a worker tells of its task; nothing once the task is another's.

    def put_back(self, id_: str, owner: str, *, until: float = 0.0) -> bool:
        """No end: it is to be gone on with, not before then."""
        query = (
            "UPDATE ccc_tasks SET state = 'waiting', owner = '', not_before = ?, cut_at = ?, why = '', run = run + 1 "
            "WHERE id = ? AND owner = ? AND state = 'running'"
        )
        return self._changed(query, (until, until, id_, owner))

    def in_session(self, id_: str, owner: str, session: str) -> bool:
        return self._changed("UPDATE ccc_tasks SET session = ? WHERE id = ? AND owner = ?", (session, id_, owner))

    def begin(self, id_: str, owner: str, told: bytes) -> bool:
        text = told.decode()
        with self._changing() as db:
            if not db.execute("SELECT 1 FROM ccc_tasks WHERE id = ? AND owner = ?", (id_, owner)).fetchall():
                return False
            made = self._sealed({"id": id_, "told": text})
            db.execute("DELETE FROM ccc_began WHERE id = ?", (id_,))
            db.execute("INSERT INTO ccc_began VALUES (?, ?, ?)", (id_, text, made))
            return True

    def began(self, id_: str) -> bytes | None:
        """What a worker has written down of its beginning; None where none has."""
        for text, made in self._asked("SELECT told, seal FROM ccc_began WHERE id = ?", (id_,)):
            if self._seals is None or self._seals.fits({"id": id_, "told": text}, made):
                return str(text).encode()
        return None

    def progress(self, id_: str, owner: str, *, round_: int, agent_usd: float, review_usd: float) -> bool:
        with self._changing() as db:
            old = db.execute("SELECT agent_usd + review_usd FROM ccc_tasks WHERE id = ?", (id_,)).fetchall()
            query = "UPDATE ccc_tasks SET round = ?, agent_usd = ?, review_usd = ? WHERE id = ? AND owner = ?"
            if not old or db.execute(query, (round_, agent_usd, review_usd, id_, owner)).rowcount < 1:
                return False
            db.execute("UPDATE ccc_spent SET usd = usd + ?", (agent_usd + review_usd - float(old[0][0]),))
            return True

    def end(self, id_: str, owner: str, outcome: str, why: str, commit: str, now: float) -> bool:
        state = State.CANCELLED if outcome == State.CANCELLED.value else State.ENDED
        query = (
            "UPDATE ccc_tasks SET state = ?, owner = '', outcome = ?, why = ?, commit_id = ?, ended_at = ? "
            "WHERE id = ? AND owner = ? AND state = 'running'"
        )
        with self._changing() as db:
            if db.execute(query, (state.value, outcome, why, commit, now, id_, owner)).rowcount < 1:
                return False
            self._seal(db, id_, outcome, why, commit)
            return True

    def _seal(self, db: Connection, id_: str, *told: str) -> None:
        if self._seals is None:
            return
        run = int(db.execute("SELECT run FROM ccc_tasks WHERE id = ?", (id_,)).fetchall()[0][0])
        made = self._sealed(sealing.end(id_, run, *told))
        db.execute("UPDATE ccc_tasks SET seal = ? WHERE id = ?", (made, id_))

    def _sealed(self, content: Mapping[str, object]) -> str | None:
        if self._seals is None:
            return None
        try:
            return self._seals.of(content)
        except CccError as error:  # a full disk, say: waited for like the store itself
            raise Unreachable(error.what, error.fix) from None

    def pause(self, provider: str, until: float) -> None:
        with self._changing() as db:
            db.execute(
                "INSERT INTO ccc_pauses VALUES (?, ?) ON CONFLICT (provider) DO UPDATE SET until = excluded.until",
                (provider, until),
            )

    def pauses(self, now: float) -> dict[str, float]:
        rows = self._asked("SELECT provider, until FROM ccc_pauses WHERE until > ?", (now,))
        return {row[0]: float(row[1]) for row in rows}

    # What the person wants.

    def cancel(self, id_: str, now: float) -> bool:
        """At once where nobody works on it; else its worker ends it."""
        with self._changing() as db:
            db.execute("UPDATE ccc_tasks SET cancel = 1 WHERE id = ? AND state = 'running'", (id_,))
            query = (
                "UPDATE ccc_tasks SET state = 'cancelled', outcome = 'cancelled', cancel = 1, ended_at = ? "
                "WHERE id = ? AND state = 'waiting'"
            )
            db.execute(query, (now, id_))
            rows = db.execute("SELECT cancel FROM ccc_tasks WHERE id = ?", (id_,)).fetchall()
            return bool(rows and rows[0][0])

    def retry(self, id_: str, now: float) -> bool:
        """One that has ended goes on; one that waits for a limit does so at once, and its provider's others too."""
        with self._changing() as db:
            query = (
                "UPDATE ccc_tasks SET state = 'waiting', run = run + 1, outcome = '', round = 0, cancel = 0, "
                "not_before = 0, cut_at = 0, ended_at = 0 WHERE id = ? AND state IN ('ended', 'cancelled')"
            )
            ended = db.execute(query, (id_,)).rowcount
            if self._seals:  # what was true of the run before could be put back as it was
                db.execute("UPDATE ccc_tasks SET seal = NULL WHERE id = ? AND state = 'waiting'", (id_,))
            query = (
                "DELETE FROM ccc_pauses WHERE until > ? AND (provider IN (SELECT provider FROM ccc_tasks WHERE id = ?) "
                "OR until IN (SELECT not_before FROM ccc_tasks WHERE id = ?))"
            )
            paused = db.execute(query, (now, id_, id_)).rowcount
            query = "UPDATE ccc_tasks SET not_before = 0 WHERE id = ? AND state = 'waiting' AND not_before > ?"
            return ended + paused + db.execute(query, (id_, now)).rowcount > 0

    def remove(self, ids: Sequence[str]) -> None:
        """What they have cost stays spent."""
        with self._changing() as db:
            for id_ in ids:
                db.execute("DELETE FROM ccc_tasks WHERE id = ? AND state IN ('ended', 'cancelled')", (id_,))
                db.execute("DELETE FROM ccc_after WHERE id = ?", (id_,))
                db.execute("DELETE FROM ccc_began WHERE id = ?", (id_,))

    # How it is asked.

    def _records(self, where: str, values: Sequence[object]) -> list[Record]:
        return [_record(row) for row in self._asked(f"SELECT {COLUMNS} FROM {self._seen} {where}", values)]

    def _changed(self, query: str, values: Sequence[object]) -> bool:
        with self._changing() as db:
            return db.execute(query, values).rowcount > 0

    def _asked(self, query: str, values: Sequence[object]) -> list[Any]:
        with self._connected() as db:
            return db.execute(query, values).fetchall()

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """One transaction, and one at a time over all machines."""
        with self._connected() as db:
            db.execute("BEGIN" if self.address.postgres else "BEGIN IMMEDIATE")
            try:
                if self.address.postgres:
                    db.execute("SELECT pg_advisory_xact_lock(?)", (CLAIMS,))
                yield db
                db.execute("COMMIT")
            except BaseException:
                _roll_back(db)
                raise

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with self._lock:
            try:
                self._connection = self._connection or _connect(self.address, self._seals)
                _refuse_others(self._connection, self.address)
                yield self._connection
            except _broken() as error:
                self._drop()
                raise Unreachable(
                    msg(
                        "the fleet's store {store} cannot be used: {reason}",
                        store=self.address.shown,
                        reason=foreign(one_line(_plain(error, self.address), 160)),
                    )
                ) from None

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            _quietly(connection.close)


_GROUPS: Sequence[tuple[str, tuple[object, ...]]] = (
    ("outcome = ? AND state = 'ended' ORDER BY number", (NEEDS_HUMAN,)),
    ("state = 'running' ORDER BY number", ()),
    *(
        (f"outcome = '{outcome}' AND state = 'ended' ORDER BY number", ())
        for outcome in ("failed", "unreviewed", "limit", "interrupted", "off")
    ),
    ("state = 'waiting' ORDER BY number", ()),
    ("outcome = ? AND state = 'ended' ORDER BY number DESC", (COMPLETED,)),
    ("state = 'cancelled' ORDER BY number DESC", ()),
)


class _Where(Struct):
    """All that is read of a task where there are thousands."""

    repo: str


def _record(row: Sequence[Any]) -> Record:
    values: dict[str, Any] = dict(zip(FIELDS, row, strict=True))
    values["task"] = msgspec.json.decode(values["task"], type=Task, dec_hook=lambda kind, value: kind(value))
    values["state"], values["cancel"] = State(values["state"]), bool(values["cancel"])
    return Record(**values)


def _connect(address: Address, seals: Seals | None) -> Connection:
    if seals is None:
        made = _postgres(address)
        _settle(made, address)
        return made
    file = _sqlite(address)
    try:
        sealing.refuse_others(file, address.file)
        _settle(file, address)
        seals.settle(file)
    except BaseException:
        file.close()
        raise
    return file


def _refuse_others(db: Connection, address: Address) -> None:
    """Each time: an agent can make one while a worker works."""
    if not address.postgres:
        sealing.refuse_others(db, address.file)


def _settle(db: Connection, address: Address) -> None:
    """The tables, where they are missing; two at once would meet in the midst."""
    if address.postgres:
        db.execute("SELECT pg_advisory_lock(?)", (CLAIMS,))
    try:
        for statement in SCHEMA:
            db.execute(statement)
    finally:
        if address.postgres:
            db.execute("SELECT pg_advisory_unlock(?)", (CLAIMS,))


def _sqlite(address: Address) -> sqlite3.Connection:
    old = os.umask(0o077)
    try:
        made = sqlite3.connect(address.file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA synchronous = NORMAL")
    finally:
        os.umask(old)
    return made


class _Postgres:
    """psycopg with SQLite's question marks."""

    def __init__(self, address: str) -> None:
        import psycopg

        self._db = psycopg.connect(address, autocommit=True, connect_timeout=10, application_name="ccc fleet")

    def execute(self, query: str, values: Sequence[object] = (), /) -> Cursor:
        return self._db.execute(query.replace("?", "%s").encode(), values or None)

    def close(self) -> None:
        self._db.close()


def _postgres(address: Address) -> Connection:
    try:
        return _Postgres(address.postgres)
    except ImportError:
        from ccc.base import installation

        raise CccError(
            msg("a store in Postgres needs the package psycopg"),
            msg("run: {command}", command=installation.adding("'psycopg[binary]'")),
        ) from None


def _broken() -> tuple[type[Exception], ...]:
    import sys

    psycopg = sys.modules.get("psycopg")
    return (sqlite3.Error, psycopg.Error) if psycopg else (sqlite3.Error,)


def _plain(error: Exception, address: Address) -> str:
    """What the library says, without the address, in which a password may stand."""
    text = str(error).partition("\n")[0]
    return type(error).__name__ if any(secret in text for secret in secrets(address.postgres)) else text


def _roll_back(db: Connection) -> None:
    _quietly(lambda: db.execute("ROLLBACK"))


def _quietly(act: Callable[[], object]) -> None:
    try:
        act()
    except _broken():  # it is broken, and being thrown away
        pass
