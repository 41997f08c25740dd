"""What old tasks left: their folders here, and their rows.

Rule: nothing that was worked is lost: what a folder has and its branch has not is committed first, or the folder stays,
and branches stay; that of a completed task as it was sealed. A task that another one waits for stays, and so does one
that ran on another machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ccc.base.errors import CccError
from ccc.base.messages import Message, msg
from ccc.fleet import address, agent, worktree
from ccc.fleet.store import Store
from ccc.fleet.task import COMPLETED, Record, State
from ccc.fleet.worktree import NeedsPerson, Place

Show = Callable[[Message], None]


def run(store: Store, before: float, env: Mapping[str, str], *, yes: bool, show: Show) -> int:
    records = store.all()
    wanted = {first for record in records if record.state is State.WAITING for first in record.task.after}
    here = address.machine(env)
    old = [record for record in records if record.is_over and record.ended_at <= before and record.id not in wanted]
    own = [record for record in old if record.machine in ("", here)]
    gone = [record.id for record in own if not yes or _cleared(store, record, env, show)]
    if yes:
        store.remove(gone)
    for id_ in gone:
        show(msg("{id}", id=id_))
    show(_sum(len(gone), yes=yes))
    return 0


def _sum(number: int, *, yes: bool) -> Message:
    if not number:
        return msg("nothing to remove: no task has ended so long ago (--all: however recently; see: ccc fleet status)")
    if yes:
        return msg("{n} tasks removed", n=number)
    return msg("{n} tasks would go; nothing was removed yet: add --yes", n=number)


def _cleared(store: Store, record: Record, env: Mapping[str, str], show: Show) -> bool:
    folder = address.names_here(address.worktrees(env)) / record.id
    place = Place(record.task.repo, folder, record.task.branch, address.for_git(env, store.address))
    lock = store.address.folder / "locks" / f"{record.id}.lock"
    try:
        with agent.locked(lock):
            if folder.exists() and (record.task.repo / ".git").exists():
                if record.outcome != COMPLETED or not worktree.put_aside(place, record.commit, record.task.title):
                    worktree.commit(place, record.task.title)
                _refuse(worktree.apart(place, _began_with(store, record)))
                worktree.take_away(place)
        _forget(lock)
    except (CccError, agent.Busy) as error:
        show(msg("{id} stays: {reason}", id=record.id, reason=str(error) or "in use"))
        return False
    return True


def _began_with(store: Store, record: Record) -> list[str]:
    """What says which of its submodules are as they were."""
    if record.outcome == COMPLETED:
        return [record.commit]
    return [record.task.base, *(first.commit for first in store.firsts(record.id))]


def _refuse(lost: Message | None) -> None:
    if lost:
        raise NeedsPerson(lost)


def _forget(lock: Path) -> None:
    lock.unlink(missing_ok=True)
