"""Whoever leaves finds Claude's settings as they were, and is told what is left."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ccc.record import placed
from ccc.record.store import utc_now
from ccc_hooks.program import Program
from ccc_hooks.settings import Hook, hook_command, with_hook
from tests.sessions import Sessions
from tests.typed import Typed
from tests.world import World

OURS = hook_command(Program("/x/ccc", ("/v/python", "-I")))
THEIRS = '{"theme": "dark",   "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "date"}]}]}}\n'


def hooked(text: str, path: Path) -> str:
    return with_hook(text, Hook(OURS, 600, "reviewing", failures=True), path)


@pytest.fixture
def used(world: World) -> World:
    """ccc was used in every way that writes settings, here and with another config folder."""
    elsewhere = world.root / "other" / "settings.json"
    elsewhere.parent.mkdir()
    own, pair = world.config / "settings.json", world.config / "settings-glm.json"
    for path in (elsewhere, own, pair):
        path.write_text(hooked(THEIRS if path is not pair else "{}", path))
        placed.wrote(world.state, path, {"command": OURS}, utc_now())
    pair.with_name("settings-glm-supervisor.json").write_text("{}")
    (world.config / "settings-mine.json").write_text(THEIRS)
    world.write_config({"glm": {}})
    Sessions(world.state).allow("abc", project=str(world.project), mode="hooks", provider="glm")
    return world


def settings_files(world: World) -> dict[str, str]:
    return {str(path): path.read_text() for path in world.root.rglob("settings*.json")}


def test_without_yes_it_only_tells(used: World, typed: Typed) -> None:
    before = settings_files(used)
    run = typed("uninstall")
    assert (run.code, settings_files(used)) == (0, before)
    assert run.err == "ccc: nothing is changed yet; to do it: ccc uninstall --yes\n"
    for name in ("other/settings.json", "home/.claude/settings.json", "home/.claude/settings-glm.json"):
        assert f"{used.root / name}" in run.out


def test_the_hook_goes_out_of_every_file_ccc_has_written_to(used: World, typed: Typed) -> None:
    run = typed("uninstall", "--yes")
    assert run.code == 0
    assert settings_files(used) == {
        str(used.root / "other" / "settings.json"): THEIRS,
        str(used.config / "settings.json"): THEIRS,
        str(used.config / "settings-mine.json"): THEIRS,
    }
    again = typed("uninstall")
    assert "nothing: no settings file holds a hook of ccc" in again.out
    assert again.err == ""


@pytest.mark.parametrize("text", ['{"providers": }', '{"supervisor": {"max_iterations": "ten"}}'])
def test_a_ccc_json_that_cannot_be_used_holds_up_nobody_who_leaves(used: World, typed: Typed, text: str) -> None:
    (used.config / "ccc.json").write_text(text)
    assert f"{used.config}/settings.json: " in typed("hooks", "status").out
    run = typed("hooks", "remove")
    assert (run.code, (used.config / "settings.json").read_text()) == (0, THEIRS)
    assert run.err.startswith(f"ccc: {used.config}/ccc.json")
    assert "; ccc goes on without it\n" in run.err
    run = typed("uninstall", "--yes")
    assert (run.code, (used.root / "other" / "settings.json").read_text()) == (0, THEIRS)
    assert (used.config / "ccc.json").read_text() == text
    assert f"to remove it: rm {used.config}/ccc.json" in run.out


def test_what_is_left_is_told_with_what_to_type(used: World, typed: Typed) -> None:
    document = json.loads((used.config / "settings.json").read_text())
    document["statusLine"] = {"type": "command", "command": "ccc statusline"}
    (used.config / "settings.json").write_text(json.dumps(document))
    told = typed("uninstall", "--yes").out
    for line in (
        f"{used.state}: the sessions, logs and reports; to remove it: rm -r {used.state}",
        f"{used.config}/ccc.json: your providers and their keys, checks and options; to remove it: rm ",
        f"{used.config}/settings.json calls ccc by a line that ccc has not written",
        f"ccc itself; to remove it: {sys.prefix}/bin/python -m pip uninstall ccc-supervisor",
    ):
        assert line in told
    assert (used.config / "ccc.json").exists()
    assert used.state.exists()


def test_a_settings_file_that_cannot_be_read_is_left_alone(used: World, typed: Typed) -> None:
    broken = used.config / "settings-broken.json"
    broken.write_text("{")
    assert typed("uninstall", "--yes").code == 0
    assert broken.read_text() == "{"


def test_a_client_that_is_still_supervised_is_named(used: World, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    from ccc.record import starts

    starts.begun(used.state, used.project, used.config, utc_now())
    assert f"without a review from then on: process {os.getpid()}" in typed("uninstall").err


def test_what_is_left_outside_of_claudes_folder_is_told_too(used: World, typed: Typed) -> None:
    worktrees, trials = used.home / ".local/state/ccc-fleet", used.home / ".cache/ccc-trials"
    for path in (worktrees / "slug-1", trials / "demo-1"):
        path.mkdir(parents=True)
    (used.config / "settings.json.ccc-before").write_text("[]")
    told = typed("uninstall").out
    assert f"{worktrees}: the folders of the fleet's tasks" in told
    assert "to remove it: ccc fleet clean --all --yes\n" in told
    assert f"to remove it: rm -r {trials}\n" in told
    assert f"goes out, and {used.config}/settings.json.ccc-before with it" in told
    assert told.index("ccc fleet clean") < told.index(f"rm -r {used.state}"), "the list of tasks goes with the state"
    (worktrees / "slug-1").rmdir()
    assert f"to remove it: rm -r {worktrees}\n" in typed("uninstall", "--yes").out
    assert not (used.config / "settings.json.ccc-before").exists()
