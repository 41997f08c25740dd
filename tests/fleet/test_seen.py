"""The fleet as a person sees it: rows, the live screen, and who does not seem to run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccc.base import canvas
from ccc.base.messages import said
from ccc.base.text import clean
from ccc.fleet import agent, view
from ccc.fleet.address import Address
from ccc.fleet.store import Limits, Store, Worker
from ccc.fleet.task import Record, State, Task
from ccc.record.words import dollars
from tests.terminals import Terminal
from tests.world import World, fake_claude, provider

LONG = "a-long-name-that-a-list-has-given-it-d20237"


def filled(world: World) -> Store:
    folder = world.state / "fleet"
    folder.mkdir(parents=True, mode=0o700)
    world.state.chmod(0o700)
    store = Store(Address(folder))
    tasks = [Task(f"Do {name}\x1b[31m.", Path("/repo"), name=name, provider="glm") for name in ("one", "two", "three")]
    store.add([(task.id, task) for task in tasks], 1.0)
    store.claim(Worker("gone", "elsewhere"), 2, Limits(), 2.0, lambda _: True)
    store.end(tasks[1].id, "gone", "needs_human", "which colour?", "abc", 3.0)
    store.pause("glm", 4_000_000_000.0)
    return store


def test_rows_tell_who_needs_a_person_who_rests_and_who_was_cut_off(world: World) -> None:
    filled(world).close()
    env = world.env(CCC_LANG="en", CCC_MACHINE="here")
    shown = world.warm("fleet", "status", env=env)
    head, two, one, three, below = shown.out.splitlines()
    assert head.split() == ["task", "state", "machine", "round", "cost", "what", "branch", "age"]
    assert two.split()[:3] == [two.split()[0], "needs", "you"]
    assert "which colour?" in two
    assert "cut off" in one
    assert "limit of glm until 2096-" in three
    assert "waiting for the limit of glm until 2096-" in below
    assert below.endswith("nobody works; start it: ccc fleet run")
    assert "\x1b" not in shown.out
    told = json.loads(world.warm("fleet", "status", "--json", env=env).out)
    assert [task["state"] for task in told["tasks"]] == ["ended", "cut off", "waiting"]
    assert told["counts"] == {"needs_human": 1, "running": 1, "waiting": 1}
    few = world.warm("fleet", "status", "-n", "1", env=env).out.splitlines()
    assert few[2] == "… and 2 more; ccc fleet status -n 3 shows all"
    for words in (("logs", "three"), ("open", "three")):
        assert "has not begun yet" in world.warm("fleet", *words, env=env).err
    assert "could be three-" in world.warm("fleet", "cancel", "t", env=env).err


def test_a_row_says_whom_it_waits_for_and_that_it_may_wait_for_ever(world: World) -> None:
    folder = world.state / "fleet"
    folder.mkdir(parents=True, mode=0o700)
    world.state.chmod(0o700)
    store = Store(Address(folder))
    first = Task("Do it.", Path("/repo"), name="first")
    second = Task("And then this.", Path("/repo"), name="second", after=(first.id,))
    store.add([(task.id, task) for task in (first, second)], 1.0)
    env = world.env(CCC_LANG="en")
    assert f" after {first.id} " in world.warm("fleet", "status", env=env).out
    store.claim(Worker("one", "here"), 1, Limits(), 2.0, lambda _: True)
    store.end(first.id, "one", "failed", "broken", "", 3.0)
    shown = world.warm("fleet", "status", env=env).out
    assert f" stuck behind {first.id}: failed " in shown
    see_to = f"ccc fleet open {first.id}, and when it is done: ccc fleet retry {first.id}"
    assert shown.endswith(f"{see_to}\n")
    ran = world.ccc("fleet", "run", "--drain", env=env)
    assert see_to in ran.err
    assert ran.code == 5
    assert "nothing to do" not in ran.err
    assert "is in the queue again" in world.warm("fleet", "retry", first.id, env=env).err
    assert f"{first.id}: cancelled; " in world.warm("fleet", "cancel", first.id, env=env).err
    store.close()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [28, 40, 60, 80])
@pytest.mark.parametrize("selected", [None, LONG])
def test_a_narrow_table_cuts_the_id_and_neither_state_nor_cost(lang: str, width: int, selected: str | None) -> None:
    task = Task("Do it.", Path("/repo"), name="one")
    ended = Record(LONG, task, state=State.ENDED, outcome="completed", agent_usd=0.5)
    seen = view.Glance((ended,), {"completed": 1}, 0.5, None, {}, (), frozenset())
    drawn = canvas.drawn(view.table(seen, now=60.0, lang=lang, width=width, selected=selected), width)
    row = clean(drawn[1])
    assert said(view.word("completed"), lang) in row
    assert dollars(0.5) in row
    assert "a-" in row


def test_nobody_takes_a_task_up_that_a_person_has_open(world: World) -> None:
    store = filled(world)
    [one] = [record for record in store.all() if record.task.name == "two"]
    store._changed("UPDATE ccc_tasks SET session = ? WHERE id = ?", ("00000000-0000-4000-8000-000000000000", one.id))
    store.close()
    (world.home / ".local" / "state" / "ccc-fleet" / one.id).mkdir(parents=True)
    world.write_config({"glm": provider("http://127.0.0.1:1")})
    lock = world.state / "fleet" / "locks" / f"{one.id}.lock"
    claude = fake_claude(world.root / "bin", [f"flock -n {lock} true && echo free || echo held $*"])
    env = world.env(CCC_LANG="en", CCC_MACHINE="here", CCC_CLAUDE=str(claude))
    opened = world.ccc("fleet", "open", "two", env=env)
    assert opened.out.split()[:1] == ["held"], opened.err
    with agent.locked(lock):
        assert "is being worked on" in world.ccc("fleet", "open", "two", env=env).err


def test_the_screen_has_the_keys_of_ccc_watch(world: World) -> None:
    filled(world).close()
    env = world.env(CCC_LANG="en", CCC_MACHINE="here", TERM="xterm-256color")
    with Terminal(world.command("fleet", "watch"), env=env, cwd=world.project) as terminal:
        terminal.wait_for("ccc fleet · 3 tasks")
        terminal.wait_for("▸ two-")
        terminal.send("j")
        terminal.wait_for("▸ one-")
        terminal.send("r")
        terminal.wait_for("it has not begun yet")
        terminal.send("q")
        assert terminal.wait_for_end() == 0


def test_a_machine_with_nothing_to_do_says_so(world: World) -> None:
    run = world.ccc("fleet", "run", "--drain")
    assert run.code == 0, run.err
    assert run.err.endswith("ccc: nothing to do: no task waits; add some: ccc fleet add tasks.md\n")
