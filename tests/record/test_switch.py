from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.record import switch
from ccc.record.outside import Kind
from tests.world import World


def off(world: World, project: Path | None = None, session: str = "s") -> bool:
    return switch.is_off(world.state, project or world.project, session_id=session)


def test_nothing_is_off_at_first(world: World) -> None:
    assert not off(world)


def test_a_project_is_switched_off_and_on(world: World) -> None:
    run = world.ccc("off")
    told = f"ccc: reviews are off for {world.project}\nccc: to have them again: ccc on\n"
    assert (run.code, run.out) == (0, told)
    assert off(world)
    assert not off(world, world.root)
    assert ", as they were already" in world.ccc("off").out
    assert world.ccc("on").out == f"ccc: reviews are on for {world.project}\n"
    assert not off(world)


def test_the_project_is_the_folder_with_git(world: World) -> None:
    (world.project / ".git").mkdir()
    deep = world.project / "deep"
    deep.mkdir()
    world.ccc("off", cwd=deep)
    assert off(world)


def test_one_session_is_switched_off_alone(world: World) -> None:
    session = "0e80b898-63cb-4dab-bdf8-b159ccb0ccc6"
    assert world.ccc("off", "--session", session).code == 0
    assert off(world, session=session)
    assert not off(world, session="abd")


def switched(world: World, *names: str) -> list[Kind | None]:
    return [switch.off(world.state, Path(name), session_id="s") for name in names]


def test_what_is_switched_on_again_leaves_the_others_off(world: World) -> None:
    names = ("/a", "/b", "/c")
    for name in names:
        assert switch.turn(world.state, switch.PROJECTS, name, off=True)
    assert switch.turn(world.state, switch.PROJECTS, "/b", off=False)
    assert [kind is not None for kind in switched(world, *names)] == [True, False, True]


def test_who_switched_off_is_known_from_inside_a_client_or_not(world: World) -> None:
    world.ccc("off", env=world.env(CLAUDECODE="1", CLAUDE_PID="0"))
    assert switched(world, str(world.project)) == [Kind.OFF_INSIDE]
    switch.turn(world.state, switch.PROJECTS, "/a", off=True)
    assert switched(world, "/a") == [Kind.OFF_INSIDE if switch.is_inside_a_client() else Kind.OFF]


def test_a_record_of_one_switch_does_not_vouch_for_another(world: World) -> None:
    for name in ("/a", "/b"):
        switch.turn(world.state, switch.PROJECTS, name, off=True)
    path = world.state / "off.json"
    content = json.loads(path.read_text())
    first, second = content["by"].values()
    path.write_text(json.dumps({**content, "by": {"projects:/a": second, "projects:/b": first}}))
    assert switched(world, "/a", "/b") == [Kind.OFF_BY_HAND] * 2


@pytest.mark.parametrize("session", ["../x", "--help", "x" * 200, "abc"])
def test_a_session_id_is_checked(world: World, session: str) -> None:
    run = world.ccc("off", f"--session={session}")
    assert run.code == 2
    assert run.err.count("\n") == 1


def test_a_file_that_cannot_be_read_is_said_and_not_guessed(world: World) -> None:
    world.state.mkdir(mode=0o700)
    (world.state / "off.json").write_text("{")
    with pytest.raises(CccError, match=r"off\.json cannot be read; delete it"):
        off(world)


def test_what_is_off_here_is_told_by_status_with_the_way_back(world: World) -> None:
    told = f"reviews are off for {world.project}; to have them again: ccc on"
    world.warm("off")
    assert world.warm("status").out.splitlines()[-1] == told
    assert told not in world.warm("status", cwd=world.root).out
    world.warm("on")
    assert told not in world.warm("status").out


def test_the_way_back_for_one_session_names_it(world: World) -> None:
    session = "0e80b898-63cb-4dab-bdf8-b159ccb0ccc6"
    assert world.warm("off", "--session", session).out.endswith(f"ccc on --session {session}\n")
