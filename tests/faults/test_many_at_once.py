"""Many people at one keyboard: every command that changes a file, called many times at once, loses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.stops import CLAUDE
from tests.world import World

MANY = 10
HELP = "  --print  x\n  --resume [id]  y\n"


def at_once(calls: Iterable[tuple[World, list[str], Path, Mapping[str, str]]]) -> list[tuple[int, str]]:
    """What each ended with; all of them are started before the first is waited for."""
    started = [
        subprocess.Popen(
            world.command(*words),
            env=world.env(**more),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for world, words, cwd, more in calls
    ]
    said = [process.communicate()[0] for process in started]
    return [(process.returncode, text) for process, text in zip(started, said, strict=True)]


def all_well(world: World, commands: Iterable[list[str]]) -> None:
    ended = at_once((world, words, world.project, {}) for words in commands)
    assert {code for code, _ in ended} == {0}, ended


def ccc_json(world: World) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((world.config / "ccc.json").read_bytes())
    assert found["note"] == "kept"
    return found


@pytest.fixture(autouse=True)
def kept(world: World) -> None:
    world.write_config({"glm": {}}, note="kept")


def test_checks_added_at_once_are_all_there(world: World) -> None:
    for turn in range(3):
        all_well(world, (["checks", "add", f"true {turn}{number}"] for number in range(MANY)))
    known = ccc_json(world)["checks"][str(world.project)]
    assert {check["command"] for check in known} == {
        f"true {turn}{number}" for turn in range(3) for number in range(MANY)
    }
    assert len(known) == 3 * MANY


def test_checks_removed_at_once_are_all_gone_and_the_others_stay_as_they_were_written(world: World) -> None:
    odd = {"command": "kept", "timeout": 5, "comment": "mine"}
    given = [{"command": f"true {number}"} for number in range(MANY)]
    world.write_config({}, note="kept", checks={str(world.project): [odd, *given]})
    all_well(world, (["checks", "remove", f"true {number}"] for number in range(MANY)))
    assert ccc_json(world)["checks"][str(world.project)] == [odd]


def powers(world: World) -> list[str]:
    names = [f"CCC_ODD_{number}" for number in range(MANY)]
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "settings.json").write_text(json.dumps({"env": dict.fromkeys(names, "x")}))
    return names


def test_what_is_allowed_at_once_is_all_allowed(world: World) -> None:
    names = powers(world)
    all_well(world, (["allow", name] for name in names))
    assert set(ccc_json(world)["allowed"][str(world.project)]) == set(names)


def test_what_is_forgotten_at_once_is_all_forgotten(world: World) -> None:
    names = powers(world)
    world.write_config({}, note="kept", allowed={str(world.project): {name: ["x"] for name in [*names, "OTHER"]}})
    all_well(world, (["allow", "--remove", name] for name in names))
    assert set(ccc_json(world)["allowed"][str(world.project)]) == {"OTHER"}


def test_providers_made_at_once_are_all_there(world: World) -> None:
    all_well(world, (["init", "anthropic", "--name", f"p{number}", "--yes"] for number in range(MANY)))
    assert set(ccc_json(world)["providers"]) == {"glm", *(f"p{number}" for number in range(MANY))}


def test_of_providers_with_one_name_the_first_is_made_and_the_others_are_told(world: World) -> None:
    words = [["init", "kimi", "--key-env", f"KEY_{number}", "--name", "one", "--yes"] for number in range(MANY)]
    ended = at_once((world, each, world.project, {}) for each in words)
    [won] = [number for number, (code, _) in enumerate(ended) if code == 0]
    assert all("already has a provider one" in text for code, text in ended if code)
    assert ccc_json(world)["providers"]["one"]["env"]["ANTHROPIC_AUTH_TOKEN"] == f"${{KEY_{won}}}"


def test_keys_moved_at_once_are_moved_and_no_backup_takes_the_place_of_another(world: World) -> None:
    env = {"ANTHROPIC_AUTH_TOKEN": "sk-moved", "ANTHROPIC_BASE_URL": "https://h.example"}
    before = world.write_settings({"env": {**env, "MINE": "x"}}).read_bytes()
    words = [["init", "--from-settings", "--name", f"p{number}", "--yes"] for number in range(MANY)]
    at_once((world, each, world.project, {}) for each in words)
    assert json.loads((world.config / "settings.json").read_bytes()) == {"env": {"MINE": "x"}}
    made = ccc_json(world)["providers"]
    assert all(made[name] == {"env": env} for name in made if name != "glm")
    assert before in [backup.read_bytes() for backup in world.config.glob("settings.json.before-ccc-*")]


def folders(world: World) -> list[Path]:
    made = [world.root / f"project-{number}" for number in range(MANY)]
    for folder in made:
        (folder / ".git").mkdir(parents=True)
    return made


def test_projects_switched_off_and_on_at_once_stand_as_they_were_told(world: World) -> None:
    made = folders(world)
    ended = at_once((world, ["off"], folder, {}) for folder in made)
    assert {code for code, _ in ended} == {0}
    assert set(json.loads((world.state / "off.json").read_bytes())["projects"]) == set(map(str, made))
    at_once((world, ["on"], folder, {}) for folder in made[1:])
    assert json.loads((world.state / "off.json").read_bytes())["projects"] == [str(made[0])]


def test_projects_trusted_at_once_are_all_trusted(world: World) -> None:
    made = folders(world)
    for folder in made:
        (folder / ".claude").mkdir()
        (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": []}]}}))
    ended = at_once((world, ["--supervisor", "glm", "--trust-project", "--", "x"], folder, {}) for folder in made)
    assert all("ccc init --supervisor-md" in text for _, text in ended)  # trusted, and then there are no criteria
    assert set(json.loads((world.state / "trusted.json").read_bytes())) - {"seal"} == set(map(str, made))


def test_clients_asked_at_once_are_all_remembered(world: World) -> None:
    clients = []
    for number in range(8):
        client = world.root / f"client-{number}" / "claude"
        client.parent.mkdir()
        client.write_text(f"#!/bin/sh\nprintf '{HELP}'\n")
        client.chmod(0o755)
        clients.append(client)
    ended = at_once((world, ["nosuchword"], world.project, {"CCC_CLAUDE": str(client)}) for client in clients)
    assert all("no command or provider is called 'nosuchword'" in text for _, text in ended)
    known = json.loads((world.state / "clients.json").read_bytes())
    assert {key.partition("|")[0] for key in known} - {"seal"} == set(map(str, clients))


PASSED = """
import os, sys, time
from pathlib import Path
from ccc.judging.checks import Runner
from ccc.model import Check
project, state, number = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
runner = Runner(project=project, state=state, bare=lambda _: os.environ, deadline=time.monotonic() + 60)
runner.run([Check(f"true {number}{turn}") for turn in range(3)])
"""


def test_checks_that_pass_at_once_are_all_remembered(world: World) -> None:
    world.state.mkdir(mode=0o700)
    command = [sys.executable, "-c", PASSED, str(world.project), str(world.state)]
    started = [subprocess.Popen([*command, str(number)], env=world.env()) for number in range(MANY)]
    assert {process.wait() for process in started} == {0}
    [record] = world.state.glob("passed-*.json")
    assert len(json.loads(record.read_bytes()).keys() - {"seal"}) == 3 * MANY


def test_different_commands_at_once_do_not_take_each_others_changes(world: World) -> None:
    names = powers(world)
    world.write_config({"a": {}, "b": {}}, note="kept", allowed={str(world.project): {name: ["x"] for name in names}})
    words = [["checks", "add", f"true {number}"] for number in range(4)]
    words += [["init", "anthropic", "--name", f"p{number}", "--yes"] for number in range(4)]
    words += [["allow", "--remove", name] for name in names[:2]]
    words += [["a", "--version"], ["b", "--version"]] * 2
    fake = {"CCC_CLAUDE": str(CLAUDE), "FAKE_CLAUDE": "allow", "FAKE_CLAUDE_LOG": str(world.root)}
    at_once((world, each, world.project, fake) for each in words)
    found = ccc_json(world)
    assert len(found["checks"][str(world.project)]) == 4
    assert set(found["providers"]) == {"a", "b", *(f"p{number}" for number in range(4))}
    assert set(found["allowed"][str(world.project)]) == set(names[2:])
    assert found["current_provider"] in found["providers"]
