"""`ccc demo`, as a newcomer types it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ccc.base import messages
from ccc_legacy.reviewing import ASKED_AGAIN
from tests.real.test_eval import plant
from tests.world import SHORT_LIVED_CLIENT, World

SOON = 15.0


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The first day: ccc has not met the client yet."""
    return World(tmp_path, SHORT_LIVED_CLIENT).make()


@pytest.mark.parametrize(
    ("mode", "lang", "words"),
    [
        (
            "hooks",
            "en",
            ["Done!", "sent back", "FAILED", "allow_stop: true", "completed after 2 stops", "Next: pipx install ."],
        ),
        (
            "pty",
            "zh",
            ["完成了", "没有验证", "[已完成]", "2 次停止", "接下来：pipx install .", "--supervisor"],
        ),
    ],
)
def test_the_demo_is_sent_back_with_a_reason_and_finishes_properly(
    world: World, mode: str, lang: str, words: list[str]
) -> None:
    shared = world.root / "shared"
    plant(shared, world.root / "ran")
    run = world.ccc("demo", "--keep", "--mode", mode, env=world.env(CCC_LANG=lang, TMPDIR=str(shared), COLUMNS="200"))
    assert run.code == 0, run.err
    position = 0
    for word in words:
        assert word in run.out[position:], word
        position = run.out.index(word, position)
    files = [Path(line.strip()) for line in run.out.splitlines() if re.match(r"\s+/", line)]
    assert {path.name for path in files} >= {"slug.py", "test_slug.py", "hook-invocation.log"}
    assert all(path.exists() for path in files)
    assert f"rm -r {files[0].parent.parent}" in run.out
    assert f"HOME={files[0].parent.parent / 'home'} ccc status" in run.out
    assert messages.said(ASKED_AGAIN, lang) not in run.out
    assert all(path.is_relative_to(world.home / ".cache" / "ccc-trials") for path in files)
    assert not list(world.config.iterdir())
    assert not (world.root / "ran").exists()
    assert not list(shared.glob("claude-*"))  # the client's passing files are on the stage, and go with it


@pytest.mark.long
@pytest.mark.timeout(300)
def test_three_tasks_are_handed_over_and_each_ends_on_its_branch(world: World) -> None:
    run = world.ccc("demo", "--mode", "fleet", env=world.env(CCC_LANG="zh", COLUMNS="200"))
    assert run.code == 0, run.out + run.err
    for word in ("交出三个任务", "ccc fleet add tasks.md", "开始：page", "ccc fleet status", "完成了 3 个任务"):
        assert word in run.out, run.out
    assert run.out.index("slug-") < run.out.index("开始：page")
    assert "$0.00)" not in run.out
    assert "ccc demo --mode fleet --keep" in run.out
    assert not (world.home / ".cache" / "ccc-trials").exists()
    assert not list(world.config.iterdir())


@pytest.mark.parametrize(
    ("mode", "begun"), [("hooks", "you  "), pytest.param("fleet", "begins", marks=pytest.mark.long)]
)
def test_ctrl_c_ends_a_demo_and_all_it_started_and_removes_its_folder(world: World, mode: str, begun: str) -> None:
    playing = subprocess.Popen(
        world.command("demo", "--mode", mode),
        env=world.env(),
        cwd=world.project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert playing.stdout is not None
    assert any(begun in line.decode() for line in playing.stdout)
    time.sleep(2)  # the agents are under way
    os.killpg(playing.pid, signal.SIGINT)
    _, complaints = playing.communicate(timeout=SOON)
    assert (playing.returncode, complaints.decode().splitlines()[-1:]) == (130, ["ccc: interrupted"])
    assert not (world.home / ".cache" / "ccc-trials").exists()
    assert not _left(world.root)


def _left(folder: Path) -> list[str]:
    """Processes that stand in the folder; what was just ended may need a moment."""
    time.sleep(0.5)
    found = []
    for each in Path("/proc").glob("[0-9]*/cwd"):
        try:
            where = str(each.readlink())
        except OSError:  # gone, or not ours
            continue
        found += [where] if where.startswith(f"{folder}/") else []
    return found
