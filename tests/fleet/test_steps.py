"""What a task begins with, and what it goes on from."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ccc.fleet.address import Address
from ccc.fleet.steps import Steps
from ccc.fleet.store import Limits, Store, Worker
from ccc.fleet.task import Record, State, Task
from ccc.fleet.worktree import NeedsPerson, Place
from ccc.judging import began
from ccc.providers.config import Config, SupervisorOptions

ONE = Worker("one", "north")
FORGED = (
    "UPDATE ccc_tasks SET commit_id = 'evil' WHERE id = ?",
    "UPDATE ccc_tasks SET commit_id = 'evil', state = 'waiting', outcome = '' WHERE id = ?",
)


@pytest.mark.parametrize("forged", FORGED)
def test_a_task_whose_first_was_changed_since_it_was_taken_waits_again(tmp_path: Path, forged: str) -> None:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    first = Task("Do the first.", folder, name="first")
    second = Task("Do the second.", folder, name="second", after=(first.id,))
    store = Store(Address(folder))
    store.add([(task.id, task) for task in (first, second)], 1.0)
    store.claim(ONE, 1, Limits(), 2.0, lambda _: True)
    store.end(first.id, "one", "completed", "", "good", 3.0)
    assert [record.id for record in store.claim(ONE, 1, Limits(), 4.0, lambda _: True)] == [second.id]
    conf = Config(folder / "ccc.json", {}, {}, None, (), SupervisorOptions())
    steps = Steps(store, ONE, conf, Limits(), {"HOME": str(folder)})
    record = store.get(second.id)
    assert record is not None
    assert [(start.commit, start.name) for start in steps._starts(record) or ()] == [("good", first.branch)]
    with closing(sqlite3.connect(store.address.file)) as db, db:
        db.execute(forged, (first.id,))
    assert steps.work(second.id) is None
    again = store.get(second.id)
    assert again is not None
    assert again.state is State.WAITING
    store.close()


def test_a_task_is_judged_by_what_its_first_start_found_or_by_nothing(tmp_path: Path) -> None:
    folder, here = tmp_path / "fleet", tmp_path / "worktree"
    folder.mkdir(mode=0o700)
    here.mkdir()
    task = Task("Do it.", tmp_path)
    store = Store(Address(folder))
    store.add([(task.id, task)], 1.0)
    store.claim(ONE, 1, Limits(), 2.0, lambda _: True)
    steps = Steps(
        store, ONE, Config(folder / "ccc.json", {}, {}, None, (), SupervisorOptions()), Limits(), {"HOME": str(folder)}
    )
    place, fresh = Place(tmp_path, here, task.branch, {}), Record(task.id, task)
    later = Record(task.id, task, session="begun")
    with pytest.raises(NeedsPerson, match="nobody can say any more what do-it-"):
        steps._began(later, place)
    for text in ("Test it.", "Test it twice."):  # whoever was cut off before its agent began begins anew
        (here / "SUPERVISOR.md").write_text(f"{text}\n")
        first = steps._began(fresh, place)
        assert began.Began(f"{text}\n") == began.read(first)
    (here / "SUPERVISOR.md").write_text("All is well.\n")
    assert steps._began(later, place) == first
    store.close()
