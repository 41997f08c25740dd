"""The fleet with the real client: tasks that end once and well, whatever is killed meanwhile."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ccc.claude import program
from ccc.trial.scripted import ScriptedModel
from tests import machine
from tests.real.fleet_world import (
    MAY,
    RAN,
    SECRET,
    Both,
    Fleet,
    commands_of,
    kill,
    kill_all,
    model_in,
    networks,
    port_of,
    postgres,
    script,
    turns_of,
    with_another,
)
from tests.real.test_pty_mode import bash
from tests.stops import eventually, living
from tests.world import World, fake_claude, provider

pytestmark = [pytest.mark.long, pytest.mark.timeout(400)]  # ten workers one after another, on a busy machine
FIVE = ("zebu", "zorilla", "zander", "zebra", "zibet")


@pytest.fixture
def fleet(world: World) -> Iterator[Fleet]:
    made = Fleet(world)
    yield made
    assert made.nobody_is_left()


def test_five_tasks_end_once_and_well_though_worker_and_machine_are_killed_ten_times(fleet: Fleet) -> None:
    chance = random.Random(18)
    with ScriptedModel(script(FIVE, delay=0.1)) as model:
        fleet.make(model)
        fleet.add(*FIVE)
        for _ in range(10):
            worker = fleet.start("--slots", "3")
            seen = len(model.messages) + chance.randrange(4)
            assert eventually(lambda seen=seen: len(model.messages) > seen or not fleet.left_to_do(), 10)
            if chance.random() < 0.3:
                kill_all(fleet)  # the machine
            kill(worker)
        fleet.drained("--slots", "5")
        fleet.all_well(model, FIVE)


def test_one_of_two_workers_is_killed_and_the_other_goes_on(fleet: Fleet) -> None:
    with ScriptedModel(script(FIVE, delay=0.3)) as model:
        fleet.make(model)
        fleet.add(*FIVE)
        one, two = fleet.start("--slots", "2"), fleet.start("--slots", "2", "--drain")
        assert eventually(lambda: len(model.messages) >= 3, 10)
        kill(one)
        assert two.wait() == 0
        fleet.all_well(model, FIVE)


def test_two_machines_share_a_postgres_and_what_one_leaves_the_other_takes_up(fleet: Fleet) -> None:
    """The password is in no command line and in nothing that is written."""
    with postgres() as server, ScriptedModel(script(FIVE, delay=0.3)) as model:
        fleet.store = server.url
        fleet.make(model, fleet={"grace_seconds": 0.5})
        fleet.add(*FIVE)
        one, two = fleet.start("--slots", "2", CCC_MACHINE="north"), fleet.start("--slots", "2", CCC_MACHINE="south")
        assert eventually(lambda: len(model.messages) >= 2, 10)
        assert [line for line in commands_of(fleet) if SECRET in line] == []
        server.kill()  # and comes back: nobody loses anything by it
        server.start()
        assert eventually(lambda: len(model.messages) >= 4, 10)
        kill(one)
        assert eventually(lambda: not fleet.left_to_do(), 20)
        two.send_signal(signal.SIGTERM)
        assert two.wait() == 0
        fleet.all_well(model, FIVE, conversations=2)
        assert SECRET not in fleet.log
        assert SECRET not in fleet.ccc("status").out + fleet.ccc("status", "--json").out
        written = [path for path in fleet.world.root.rglob("*") if path.is_file()]
        assert [path for path in written if SECRET.encode() in path.read_bytes()] == []


def test_whoever_opens_a_task_hands_the_stores_password_to_no_client(fleet: Fleet) -> None:
    with postgres() as server, ScriptedModel(script(("zebu",))) as model:
        fleet.more = {"PGPASSWORD": SECRET}
        fleet.make(model)
        store = ("--store", server.url.replace(f":{SECRET}@", "@"))
        [task] = fleet.add("zebu", words=(*MAY, *store))
        fleet.drained(*store)
        client = fleet.world.root / "client"
        seen = fleet.world.root / "seen"
        real = program.find(fleet.env(), fleet.world.project)
        client.write_text(f'#!/bin/sh\nenv >> "{seen}"\nexec "{real}" "$@"\n')
        client.chmod(0o755)
        fleet.ccc("open", task, *store, CCC_CLAUDE=str(client))
    assert "CCC_BELOW=glm" in seen.read_text().splitlines()
    assert SECRET not in seen.read_text()


def test_a_person_cancels_stops_and_goes_on(fleet: Fleet) -> None:
    """One task is cancelled while it runs; a SIGTERM and a second Ctrl-C leave the others to the next worker."""
    names = ("zebu", "zander", "zibet")
    hanging = {"anywhere": "Do zebu.", "times": None, "replies": [{"hang": True}]}
    with ScriptedModel([hanging, *script(names, delay=0.2)]) as model:
        fleet.make(model)
        ids = [fleet.add(name, keys={"check": f"test -e work-{name}"})[0] for name in names]
        worker = fleet.start("--slots", "3")
        assert eventually(lambda: turns_of(model, "zebu") and turns_of(model, "zander"), 10)
        assert fleet.ccc("cancel", ids[0]).code == 0
        worker.send_signal(signal.SIGTERM)
        assert worker.wait() == 0
        assert fleet.nobody_is_left()
        worker = fleet.start("--slots", "3")
        assert eventually(lambda: "goes on" in fleet.log or not fleet.left_to_do(), 10)
        worker.send_signal(signal.SIGINT)
        assert eventually(lambda: "Ctrl-C again leaves at once" in fleet.log, 5)
        worker.send_signal(signal.SIGINT)
        assert worker.wait() == 0
        assert fleet.nobody_is_left()
        fleet.drained()
        tasks = fleet.tasks()
        assert {name: task["outcome"] for name, task in tasks.items()} == {
            "zebu": "cancelled",
            "zander": "completed",
            "zibet": "completed",
        }
        assert fleet.ccc("cancel", ids[1]).err == f"ccc: {ids[1]} has ended already\n"
        assert "check      passed · test -e work-zander" in fleet.ccc("logs", "zander").out
        written = fleet.ccc("report", "-o", str(fleet.world.root / "page" / "fleet.html"))
        assert written.code == 0, written.err
        assert {path.name for path in (fleet.world.root / "page" / "fleet").iterdir()} >= {f"{ids[1]}.html"}
        gone = fleet.ccc("clean", "--all", "--yes")
        assert gone.out.splitlines()[-1] == "3 tasks removed"
        assert fleet.git("worktree", "list").count("\n") == 0
        assert set(fleet.file(tasks["zander"], "work-zander").split()) == {"zander"}


def test_three_turns_at_once_pass_the_budget_by_an_answer_each_at_most(fleet: Fleet) -> None:
    """Each of them alone would; the drain ends with it, and a larger budget goes on in the same conversations."""
    names, budget, answer = ("zebu", "zander", "zibet"), 1.0, 0.15
    priced = {"input_tokens": 0, "output_tokens": 10_000}  # 15 dollars a million
    with ScriptedModel(long_turns(names, answers=8, usage=priced, delay=1.5)) as model:
        known = {"glm": provider(model.url, model="claude-sonnet-4-5")}
        fleet.make(model, fleet={"max_cost_usd": budget, "slots": 3})
        fleet.world.write_config(known, fleet={"max_cost_usd": budget, "slots": 3})
        fleet.add(*names)
        run = fleet.ccc("run", "--drain")
        assert run.code == 3, run.err
        assert "(fleet.max_cost_usd): nothing more is begun" in run.err
        tasks = fleet.tasks().values()
        assert {task["state"] for task in tasks} == {"waiting"}
        assert all(task["cost_usd"] > 0 for task in tasks)
        assert budget * 0.99 <= sum(task["cost_usd"] for task in tasks) <= budget + len(names) * (answer + 0.01)
        fleet.world.write_config(known, fleet={"max_cost_usd": 500, "slots": 3})
        fleet.drained()
        fleet.all_well(model, names)


def long_turns(names: Sequence[str], *, answers: int, **reply: object) -> list[dict[str, Any]]:
    """One turn of so many answers each."""
    rules = [{**script(names)[0]}]
    for name in names:
        work = [{**bash(f"echo {name} >> work-{name}; echo {number} {RAN}"), **reply} for number in range(answers - 1)]
        said = {"text": "It is done and was run.", **reply}
        rules.append({"anywhere": f"Do {name}.", "times": None, "replies": [*work, said]})
    return rules


@pytest.mark.parametrize("minutes", [360, 0.05])
def test_a_limit_in_the_middle_gives_the_slot_away_and_is_no_failure(fleet: Fleet, minutes: float) -> None:
    """Its provider is asked no more until the reset, though it be further off than one agent alone would wait for;
    what begins meanwhile is a task of another provider."""
    limited = {"anywhere": "Do zebu.", "last": RAN, "times": 1, "replies": [{"limit": 10.0}]}
    with ScriptedModel([limited, *script(("zebu", "zibet"))]) as glm, ScriptedModel(script(("zander",))) as kimi:
        fleet.make(glm)
        both = {"glm": provider(glm.url), "kimi": provider(kimi.url, model="kimi")}
        options = {"supervisor": {"max_wait_minutes": minutes}, "fleet": {"wait_seconds": 1.0, "slots": 1}}
        fleet.world.write_config(both, current_provider="glm", **options)
        fleet.add("zebu", "zibet")
        fleet.add("zander", keys={"provider": "kimi"})
        fleet.drained()
        fleet.all_well(Both(glm, kimi), ("zebu", "zibet", "zander"))
        met = next(number for number, request in enumerate(glm.messages) if request.rule == 0)
        before, after = glm.messages[met].time, glm.messages[met + 1].time
        assert all(before < request.time < after for request in kimi.messages)
        assert [request for request in glm.messages if request.rule is None] == []  # refused while it lasted
        assert fleet.log.count(": waiting for the limit of glm until ") == 1
        assert "zebu" in fleet.log.partition(": waiting for the limit of glm")[0].splitlines()[-1]


def test_a_machine_that_has_neither_folder_nor_conversation_goes_on_with_what_the_other_pushed(fleet: Fleet) -> None:
    """It died in the midst of a turn, between a commit and its stop; the two have nothing in common but the remote."""
    remote = fleet.world.root / "remote.git"
    south = Fleet(World(fleet.world.root / "south").make())
    with postgres() as server, ScriptedModel(handed_over()) as model:
        fleet.store, south.store = server.url, server.url.replace(f":{SECRET}", "")
        south.more = {"PGPASSWORD": SECRET}
        both = {"remote": "origin", "grace_seconds": 0.5}
        fleet.make(model, fleet=both)
        south.world.write_config({"glm": provider(model.url)}, fleet=both)
        fleet.git("clone", "-q", "--bare", ".", str(remote))
        fleet.git("remote", "add", "origin", str(remote))
        fleet.git("clone", "-q", str(remote), str(south.world.root / "clone"))
        [id_] = fleet.add("zebu")
        there = ("--git-dir", str(remote))
        north = fleet.start(CCC_MACHINE="north")
        assert eventually(lambda: id_ in fleet.git(*there, "branch", "--list", f"ccc/{id_}"), 20), fleet.log
        assert eventually(lambda: any(request.rule == 1 for request in model.messages), 20), fleet.log
        kill_all(fleet)
        north.wait()
        prefix = with_another(south.world.root / "clone", fleet.world.project)
        worker = south.start("--drain", prefix=prefix, CCC_MACHINE="south")
        assert worker.wait() == 0, south.log
        assert fleet.nobody_is_left()
        assert south.nobody_is_left()
        [task] = south.tasks().values()
        assert (task["outcome"], task["machine"]) == ("completed", "south"), south.log
        assert [turn.text.count("This task was begun in another conversation") for turn in turns_of(model, "zebu")] == [
            0,
            0,
            1,
            1,
        ]
        told = fleet.git(*there, "log", "--format=%s", f"main..ccc/{id_}").splitlines()
        assert (told[-1], len(told)) == ("half of it", 3)
        files = {name: fleet.git(*there, "show", f"ccc/{id_}:{name}") for name in ("work-zebu", "loose", "secrets")}
        assert files == {"work-zebu": "first\nsecond", "loose": "not committed", "secrets": "0"}
        assert fleet.git(*there, "for-each-ref", "--format=%(refname)", "refs/heads/ccc").count("ccc/") == 1


@pytest.mark.long
def test_whoever_opens_a_task_does_not_hand_the_password_of_the_store_to_claude(fleet: Fleet) -> None:
    told = fleet.world.root / "told"
    with postgres() as server, ScriptedModel(script(("zebu",))) as model:
        fleet.make(model)
        fleet.more = {"PGPASSWORD": SECRET}
        at = ("--store", server.url.replace(f":{SECRET}", ""))
        [id_] = fleet.add("zebu", words=(*MAY, *at))
        fleet.drained(*at)
        claude = fake_claude(fleet.world.root / "bin", ['case "$*" in', f"  *--resume*) env > {told};;", "esac"])
        run = fleet.ccc("open", id_, *at, CCC_CLAUDE=str(claude))
    assert "CCC_BELOW=glm" in told.read_text(), run.err
    assert SECRET not in told.read_text()


def handed_over() -> list[dict[str, Any]]:
    commit = "git -c user.name=n -c user.email=e@x commit -qm 'half of it'"
    half = f"echo not committed > loose; echo first >> work-zebu; git add work-zebu; {commit}; echo half is there"
    rest = f"echo second >> work-zebu; env | grep -c PGPASSWORD > secrets; echo {RAN}"
    return [
        {**script(())[0]},
        {"last": "half is there", "times": None, "replies": [{"hang": True}]},
        {"last": RAN, "times": None, "replies": [{"text": "It is done and was run."}]},
        {"anywhere": "begun in another conversation", "times": None, "replies": [bash(rest)]},
        {"anywhere": "Do zebu.", "times": None, "replies": [bash(half)]},
    ]


def test_repositories_of_every_kind(fleet: Fleet) -> None:
    """What is not committed stays where it is, a submodule is there, and a repository without a commit is refused."""
    with ScriptedModel([{**script(("zebu",))[0]}, *own_rules()]) as model:
        fleet.make(model)
        project, other = fleet.world.project, fleet.world.root / "other"
        fleet.repository(other)
        (other / "inside").write_text("the submodule\n")
        fleet.git("add", "-A", cwd=other)
        fleet.git("commit", "-qm", "more", cwd=other)
        fleet.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
        fleet.git("commit", "-qm", "sub")
        (project / "SUPERVISOR.md").write_text("changed, but not committed\n")
        (project / "new").write_text("not committed\n")
        before = fleet.git("status", "--porcelain")
        empty = fleet.world.root / "empty"
        empty.mkdir()
        fleet.git("init", "-q", cwd=empty)
        refused = fleet.ccc("add", "-", "--repo", str(empty), stdin=b'{"prompt": "x"}')
        assert (refused.code, refused.out) == (1, "")
        assert "has no commit to begin with" in refused.err
        run = fleet.ccc("add", "-", *MAY, stdin=b'{"prompt": "Do zebu.", "name": "zebu"}')
        assert "2 files with changes that no commit has" in run.err
        fleet.drained()
        [task] = fleet.tasks().values()
        assert task["outcome"] == "completed", task
        assert fleet.file(task, "seen") == "the submodule\nno new"
        assert "changed" not in fleet.file(task, "SUPERVISOR.md")
        assert fleet.git("status", "--porcelain") == before
        assert fleet.git("log", "-1", "--format=%s", task["branch"]) == "Do zebu."


def own_rules() -> list[dict[str, Any]]:
    command = f"cat sub/inside > seen; test -e new || echo no new >> seen; cat seen; echo {RAN}"
    said = {"last": RAN, "times": None, "replies": [{"text": "It is done and was run."}]}
    return [said, {"anywhere": "Do zebu.", "times": None, "replies": [bash(command)]}]


def test_a_full_disk_loses_nothing_and_is_gone_on_from(fleet: Fleet) -> None:
    """The store and the worktrees are on a disk that fills up while an agent works."""
    disk = fleet.world.root / "disk"
    disk.mkdir()
    with ScriptedModel(script(("zebu", "zander"), delay=0.3)) as model, machine.disk(disk, "12m"):
        fleet.more = {"CCC_WORK_DIR": str(disk), "XDG_STATE_HOME": str(disk)}
        fleet.make(model)
        fleet.add("zebu", "zander")
        worker = fleet.start("--drain")
        assert eventually(lambda: len(model.messages) >= 2, 10)
        machine.fill(disk / "filler")
        # Its agents have come to an end, whatever that was worth, and nothing of it could be written down.
        assert eventually(lambda: living(f"HOME={fleet.world.home}") <= {worker.pid}, 20)
        (disk / "filler").unlink()
        assert worker.wait() == 0, fleet.log
        for task in fleet.tasks().values():
            if task["outcome"] != "completed":
                assert fleet.ccc("retry", task["id"]).code == 0
        fleet.drained()
        assert fleet.nobody_is_left()
        tasks = fleet.tasks()  # what an agent made of a disk that was full is the agent's
        assert {name: task["outcome"] for name, task in tasks.items()} == dict.fromkeys(("zebu", "zander"), "completed")
        assert all(fleet.git("rev-parse", task["branch"]) == task["commit"] for task in tasks.values())


def test_two_workers_in_two_networks_share_one_postgres(fleet: Fleet) -> None:
    """Each has a loopback of its own, with the model on it; they meet in the database alone."""
    names = ("zebu", "zander", "zibet", "zebra")
    with (
        postgres() as server,
        networks() as (north, south),
        model_in(north, script(names, delay=0.3)) as one,
        model_in(south, script(names, delay=0.3), port=port_of(one)) as two,
    ):
        fleet.store = server.socket_url
        fleet.make(one, fleet={"tasks_per_provider": 2})
        fleet.add(*names)
        workers = [
            fleet.start("--slots", "2", "--drain", prefix=("ip", "netns", "exec", each), CCC_MACHINE=each)
            for each in (north, south)
        ]
        assert [worker.wait() for worker in workers] == [0, 0], fleet.log
        tasks = fleet.tasks()
        assert {task["outcome"] for task in tasks.values()} == {"completed"}, fleet.log
        assert fleet.nobody_is_left()
        for name in names:
            # Worked on in one of the networks, and there alone.
            assert sum(bool(turns_of(model, name)) for model in (one, two)) == 1
            assert fleet.file(tasks[name], f"work-{name}") == name
