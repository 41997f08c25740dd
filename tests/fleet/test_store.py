"""The fleet's memory: who gets which task, and what is remembered of it."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.fleet import address, page, view
from ccc.fleet.address import Address
from ccc.fleet.store import Limits, Store, Worker
from ccc.fleet.task import Record, State, Task
from ccc.providers.config import Config, SupervisorOptions
from ccc.showing.report.words import words

ONE, TWO = Worker("one", "here", 3), Worker("two", "there", 3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    folder = tmp_path / "fleet"
    folder.mkdir(mode=0o700)
    made = Store(Address(folder))
    yield made
    made.close()


def add(store: Store, *tasks: Task) -> list[str]:
    return store.add([(task.id, task) for task in tasks], 1.0)


def task(prompt: str, provider: str = "glm", **more: object) -> Task:
    return replace(Task(prompt, Path("/repo"), provider=provider), **more)


def claimed(store: Store, worker: Worker = ONE, room: int = 10, *, now: float = 10.0, **limits: float) -> list[str]:
    found = store.claim(worker, room, Limits(**limits), now, lambda _: True)  # type: ignore[arg-type]
    return [record.task.prompt for record in found]


def test_what_is_there_already_is_not_added_again_whatever_it_begins_with(store: Store) -> None:
    assert add(store, task("a"), task("b")) == [task("a").id, task("b").id]
    assert add(store, task("a", base="another"), task("c")) == [task("c").id]
    assert len({task("a").id, task("a", provider="kimi").id, task("a", repo=Path("/other")).id}) == 3
    assert [record.number for record in store.all()] == [1, 2, 4]


def test_tasks_are_given_out_oldest_first_each_to_one_worker(store: Store) -> None:
    add(store, *(task(name) for name in "abcd"))
    assert claimed(store, room=2) == ["a", "b"]
    assert claimed(store, TWO) == ["c", "d"]
    assert claimed(store) == []


def test_a_provider_has_no_more_than_its_tasks_and_a_paused_one_none(store: Store) -> None:
    add(store, task("a"), task("b"), task("c", "kimi"), task("d", "deep"))
    store.pause("kimi", 20.0)
    assert claimed(store, per_provider=1) == ["a", "d"]
    assert claimed(store, TWO, per_provider=1) == []
    assert claimed(store, TWO, now=20.0, per_provider=1) == ["c"]


def test_what_comes_after_waits_for_a_good_end(store: Store) -> None:
    add(store, first := task("a"), task("b", after=(first.id,)))
    assert claimed(store) == ["a"]
    assert store.left_to_do() == 2
    store.end(first.id, "one", "limit", "", "", 11.0)
    assert (claimed(store), store.left_to_do()) == ([], 0)
    store.retry(first.id, 11.0)
    assert claimed(store) == ["a"]
    store.end(first.id, "one", "completed", "", "", 12.0)
    assert claimed(store) == ["b"]


def test_the_budget_is_of_all_tasks_and_what_is_removed_stays_spent(store: Store) -> None:
    add(store, one := task("a"), task("b"))
    claimed(store, room=1)
    store.progress(one.id, "one", round_=1, agent_usd=1.0, review_usd=0.5)
    store.progress(one.id, "one", round_=2, agent_usd=1.5, review_usd=0.5)
    assert store.spent() == 2.0
    assert claimed(store, max_cost_usd=2.0) == []
    store.end(one.id, "one", "completed", "", "", 11.0)
    store.remove([one.id])
    assert claimed(store, max_cost_usd=2.01) == []  # less than a hundredth is left
    assert (store.spent(), claimed(store, max_cost_usd=2.1)) == (2.0, ["b"])


def test_what_one_task_was_promised_no_other_gets_until_it_has_ended(store: Store) -> None:
    add(store, one := task("a"), two := task("b"))
    claimed(store, max_cost_usd=10.0)
    limits = Limits(max_cost_usd=10.0)
    assert (store.lease(one.id), store.lease(two.id)) == (1.0, 0.9)
    store.progress(one.id, "one", round_=0, agent_usd=1.5, review_usd=0.0)
    more = store.borrow(one.id, "one", limits)
    assert more == pytest.approx(1.5 + (10.0 - 1.5 - 0.9) / 10)
    assert store.borrow(one.id, "another", limits) is None
    sums = []
    while (upto := store.borrow(one.id, "one", limits)) is not None:  # it takes all that there is
        store.progress(one.id, "one", round_=0, agent_usd=upto, review_usd=0.0)
        sums.append(upto)
    assert 10.0 - 0.9 - 0.1 <= sums[-1] <= 10.0 - 0.9  # but for less than a hundredth
    assert len(sums) < 50
    store.end(two.id, "one", "completed", "", "", 11.0)
    assert store.borrow(one.id, "one", limits) == pytest.approx(sums[-1] + 0.1, abs=0.01)


def test_what_waits_for_a_limit_goes_on_where_its_conversation_is_while_somebody_works_there(store: Store) -> None:
    add(store, one := task("a"))
    store.renew(ONE)
    claimed(store, now=10.0)
    store.pause("glm", 20.0)
    store.put_back(one.id, "one", until=20.0)
    assert (claimed(store, now=19.0), claimed(store, TWO, now=90.0)) == ([], [])
    store.release("one", 100.0)  # it leaves, and may come back
    assert claimed(store, TWO, now=129.0) == []
    assert claimed(store, TWO, now=130.0) == ["a"]


def test_a_person_who_knows_better_does_not_wait_for_a_limit(store: Store) -> None:
    add(store, one := task("a"), two := task("b"), task("c", "kimi"))
    claimed(store, room=1)
    store.pause("glm", 20.0)
    store.put_back(one.id, "one", until=20.0)
    assert store.retry(one.id, 11.0)
    assert not store.retry(two.id, 11.0)  # nothing keeps it any more
    assert claimed(store, now=11.0) == ["a", "b", "c"]


def test_whoever_lost_a_task_can_say_nothing_of_it_any_more(store: Store) -> None:
    add(store, one := task("a"))
    claimed(store)
    assert store.release("one", 20.0) == [one.id]
    # The machine that had it may go on at once, for there are its folder and its conversation; another after a while.
    assert claimed(store, TWO, now=49.0, grace_seconds=30.0) == []
    assert claimed(store, TWO, now=50.0, grace_seconds=30.0) == ["a"]
    assert not store.progress(one.id, "one", round_=9, agent_usd=9.0, review_usd=9.0)
    assert not store.end(one.id, "one", "completed", "", "", 60.0)
    assert not store.put_back(one.id, "one")
    record = store.get(one.id)
    assert record is not None
    assert (record.owner, record.round, store.spent()) == ("two", 0, 0.0)


def test_a_task_is_cancelled_at_once_or_by_its_worker(store: Store) -> None:
    add(store, one := task("a"), two := task("b"))
    claimed(store, room=1)
    assert store.cancel(one.id, 5.0)
    assert store.cancel(two.id, 5.0)
    states = {record.task.prompt: (record.state, record.cancel) for record in store.all()}
    assert states == {"a": (State.RUNNING, True), "b": (State.CANCELLED, True)}
    store.release("one", 6.0)  # its worker was killed before it could
    assert (store.left_to_do(), store.counts()) == (0, {"cancelled": 2})
    assert [record.outcome for record in store.all()] == ["cancelled", "cancelled"]
    assert store.retry(two.id, 6.0)
    assert claimed(store) == ["b"]


def test_who_needs_a_person_stands_on_top(store: Store) -> None:
    outcomes = {"a": "completed", "b": "failed", "c": "needs_human", "d": "completed"}
    add(store, *(task(name) for name in "abcdef"))
    claimed(store, room=5)
    for name, outcome in outcomes.items():
        store.end(task(name).id, "one", outcome, "", "", 1.0)
    assert [record.task.prompt for record in store.page(20)] == ["c", "e", "b", "f", "d", "a"]
    assert [record.task.prompt for record in store.page(2)] == ["c", "e"]
    assert store.counts() == {"completed": 2, "failed": 1, "needs_human": 1, "running": 1, "waiting": 1}


def test_everything_of_a_task_comes_back_as_it_was(store: Store) -> None:
    whole = task("做 it", name="x", permission_mode="plan", after=("y",), push=True, trusts=True, base="abc")
    add(store, whole)
    assert store.get(whole.id) == Record(whole.id, whole, 1, added_at=1.0)


FORGED = "UPDATE ccc_tasks SET state = 'ended', outcome = 'completed', why = 'reviewed', owner = '', ended_at = 12"


def outside(store: Store, *statements: str) -> None:
    """As an agent could, which has the rights of the person."""
    with closing(sqlite3.connect(store.address.file)) as db, db:
        for statement in statements:
            db.execute(statement)


def test_what_no_worker_called_completed_needs_a_person_and_nothing_begins_with_it(store: Store) -> None:
    add(store, first := task("a"), second := task("b", after=(first.id,)))
    claimed(store)
    outside(store, f"{FORGED} WHERE id = '{first.id}'")
    assert (claimed(store), store.left_to_do(), store.forged()) == ([], 0, [first.id])
    assert store.counts() == {"needs_human": 1, "waiting": 1}
    assert store.behind([second.id]) == {second.id: (first.id, "needs_human")}
    [top, _] = store.page(20)
    assert (top.id, top.outcome, top.why, top.is_forged) == (first.id, "needs_human", "changed outside ccc", True)
    assert store.retry(first.id, 13.0)
    assert claimed(store) == ["a"]
    store.end(first.id, "one", "completed", "", "", 14.0)
    assert (claimed(store), store.forged()) == (["b"], [])


def test_every_view_says_that_it_was_changed_outside(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    add(store, task("a"))
    outside(store, FORGED)
    seen, told = view.glance(store, 20, {}, None, 20.0), "changed outside ccc: no review has called it completed"
    [row] = msgspec.json.decode(msgspec.json.encode(view.as_json(seen)))["tasks"]
    assert (row["outcome"], row["why"]) == ("needs_human", told)
    assert told in page.render(seen, words("en"), made=20.0, links={})
    view.print_table(seen, now=20.0, env={"CCC_LANG": "en", "COLUMNS": "200"})
    shown = capsys.readouterr().out
    assert (told[:40] in shown, "needs you 1" in shown, "completed 1" in shown) == (True, True, False)


def test_a_seal_is_of_one_run_one_task_and_one_end(store: Store) -> None:
    add(store, one := task("a"), two := task("b"))
    claimed(store)
    store.end(one.id, "one", "completed", "", "abc", 11.0)
    store.end(two.id, "one", "failed", "", "abc", 11.0)
    outside(store, f"UPDATE ccc_tasks SET outcome = 'completed' WHERE id = '{two.id}'")
    assert store.forged() == [two.id]
    outside(store, "UPDATE ccc_tasks SET seal = (SELECT seal FROM ccc_tasks WHERE outcome = 'completed' LIMIT 1)")
    assert store.forged() == [two.id]
    outside(store, f"UPDATE ccc_tasks SET commit_id = 'another' WHERE id = '{one.id}'")
    assert store.forged() == [one.id, two.id]
    outside(store, f"UPDATE ccc_tasks SET commit_id = 'abc' WHERE id = '{one.id}'")
    store.retry(one.id, 12.0)
    outside(store, f"UPDATE ccc_tasks SET state = 'ended', outcome = 'completed', run = 1 WHERE id = '{one.id}'")
    assert store.forged() == [one.id, two.id]


def test_what_a_task_began_with_is_the_word_of_its_worker_alone(store: Store) -> None:
    one, two = task("a"), task("b")
    add(store, one, two)
    claimed(store)
    assert [store.begin(each.id, "one", each.prompt.encode()) for each in (one, two)] == [True, True]
    assert not store.begin(one.id, "two", b"another's")
    assert [store.began(each.id) for each in (one, two)] == [b"a", b"b"]
    outside(store, f"UPDATE ccc_began SET told = 'evil' WHERE id = '{one.id}'")
    outside(store, f"UPDATE ccc_began SET (told, seal) = (SELECT told, seal FROM ccc_began) WHERE id = '{two.id}'")
    assert [store.began(each.id) for each in (one, two)] == [None, None]
    assert store.begin(one.id, "one", b"anew")
    store.end(one.id, "one", "failed", "", "", 1.0)
    assert store.began(one.id) == b"anew"  # for when it is tried again
    store.remove([one.id])
    assert store.began(one.id) is None


def test_whoever_takes_the_seals_away_has_none_believed_and_neither_has_an_older_version(store: Store) -> None:
    add(store, one := task("a"), two := task("b"))
    claimed(store)
    store.end(one.id, "one", "completed", "", "", 11.0)
    store.close()
    outside(store, f"{FORGED} WHERE id = '{two.id}'", "ALTER TABLE ccc_tasks DROP COLUMN seal")
    for path in store.address.file.parent.glob("*.sealed"):  # by which versions before this one told a new file
        path.unlink()
    assert store.forged() == [one.id, two.id]
    store.close()
    assert store.forged() == [one.id, two.id]


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TRIGGER x AFTER UPDATE ON ccc_tasks BEGIN UPDATE ccc_spent SET usd = 0; END",
        "CREATE VIEW x AS SELECT 1",
    ],
)
def test_a_store_that_does_more_than_it_is_told_is_refused(store: Store, made: str) -> None:
    add(store, task("a"))
    outside(store, made)
    for each in (store, Store(store.address)):
        with pytest.raises(CccError, match=r"changed outside ccc: it has a (trigger|view) called 'x'; drop it"):
            each.all()
    outside(store, f"DROP {made.split()[1]} x")
    assert len(store.all()) == 1


def test_nobody_else_can_read_it(store: Store, tmp_path: Path) -> None:
    add(store, task("a"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "fleet").glob("fleet.db*")}
    assert modes == dict.fromkeys(("fleet.db", "fleet.db-wal", "fleet.db-shm"), 0o600)


def conf(tmp_path: Path) -> Config:
    return Config(tmp_path / "ccc.json", {}, {}, None, (), SupervisorOptions())


def test_a_password_is_never_shown_and_none_is_taken_from_the_command_line(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "CCC_FLEET_STORE": "postgresql://me:s3cret@host:1/db?sslmode=disable"}
    at = address.address(None, conf(tmp_path), env)
    assert at.shown == "postgresql://me@host:1/db"
    assert at.engine == "postgresql+psycopg://me:s3cret@host:1/db?sslmode=disable"
    opens = {"FLEET": f"{at.postgres}&more", "WORD": "s3cret", "PGPASSWORD": "the project's own", "s3cret": "kept"}
    assert set(address.for_agents({**env, **opens}, at)) == {"HOME", "PGPASSWORD", "s3cret"}
    plain = address.address("postgresql://me@host/db", conf(tmp_path), env)
    assert set(address.for_agents({"HOME": "", **opens}, plain)) == {"HOME", "FLEET", "WORD", "s3cret"}
    for given in ("postgresql://me:s3cret@host/db", "postgresql://me@host/db?password=s3cret"):
        with pytest.raises(CccError, match="a password in --store"):
            address.address(given, conf(tmp_path), env)
        assert (
            address.address(None, conf(tmp_path), {**env, "CCC_FLEET_STORE": given}).shown == "postgresql://me@host/db"
        )
    for bad in ("mysql://me:s3cret@host", *(f"postgresql://me:s3{odd}cret@host" for odd in "/?#@ %")):
        with pytest.raises(CccError) as error:
            address.address(None, conf(tmp_path), {**env, "CCC_FLEET_STORE": f"{bad}/db"})
        assert ("s3" in str(error.value), "cret" in str(error.value)) == (False, False), bad
