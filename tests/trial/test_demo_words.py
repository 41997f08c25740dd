"""What `ccc demo` says: its reviewer keeps to ccc's own rules, and its last lines are for the mode that was played."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ccc.judging import plain
from ccc.judging.verdict import MARKER
from ccc.trial import demo_fleet, demo_screen, demo_script, stage
from ccc.trial.demo import Ending, Stage


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_reviewer_of_the_demo_is_plainly_content_and_needs_no_second_question(lang: str) -> None:
    for rules in (demo_script.story(lang, "pty").rules, demo_fleet.rules(lang)):
        [judge] = [rule for rule in rules if rule.get("system") == MARKER]
        answer = judge["replies"][-1]["text"]
        at = answer.index(MARKER)
        assert plain.permits(answer, at, at + len(MARKER)), answer


def last_lines(mode: str, root: Path, *, keep: bool) -> str:
    place = Stage(root)
    place.state.mkdir(parents=True)
    out = StringIO()
    ending = Ending(place, Path("/claude"), completed=True, reviews=2, requests=9, seconds=1.0)
    demo_screen.epilogue(Console(file=out), "en", ending, mode, keep=keep)
    return out.getvalue()


@pytest.mark.parametrize(
    ("mode", "again", "look", "first"),
    [
        ("hooks", "ccc demo --keep", "ccc status", "CCC_SUPERVISOR=1 ccc PROVIDER"),
        ("pty", "ccc demo --mode pty --keep", "ccc status", "ccc --supervisor PROVIDER --"),
        ("fleet", "ccc demo --mode fleet --keep", "ccc fleet status", "ccc fleet add tasks.md"),
    ],
)
def test_each_demo_tells_its_own_next_step(tmp_path: Path, mode: str, again: str, look: str, first: str) -> None:
    gone, kept = (last_lines(mode, tmp_path / str(keep), keep=keep) for keep in (False, True))
    assert f"to look at them: {again}\n" in gone
    root = tmp_path / "True"
    assert f"To look at them: cd {root}/project && HOME={root}/home {look}\n" in kept
    assert f"To remove them: rm -r {root}\n" in kept
    assert first in gone.splitlines()[-1]


def test_a_trial_that_is_over_leaves_no_empty_folder_behind(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    one, other = stage.new("demo", env), stage.new("demo", env)
    stage.remove(one)
    assert other.exists()
    stage.remove(other)
    assert not stage.folder(env).exists()
