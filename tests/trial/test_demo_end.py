"""How a demo ends that does not come to its end; tests/real/test_demo.py has Ctrl-C."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.world import World, fake_claude


def test_a_demo_that_breaks_leaves_nothing_unless_it_is_to_be_kept(tmp_path: Path) -> None:
    world = World(tmp_path).make()
    env = world.env(CCC_CLAUDE=str(fake_claude(tmp_path / "bin", ["exit 7"])))
    assert world.ccc("demo", "--mode", "pty", env=env).code == 1
    assert not (world.home / ".cache" / "ccc-trials").exists()
    kept = world.ccc("demo", "--mode", "pty", "--keep", env=env)
    [left] = (world.home / ".cache" / "ccc-trials").iterdir()
    assert f"rm -r {left}" in kept.out


def test_a_fleet_to_look_at_needs_its_engine_before_anything_is_begun(tmp_path: Path) -> None:
    world = World(tmp_path).make()
    (tmp_path / "dbos.py").write_text("raise ImportError")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from ccc.__main__ import main; sys.exit(main())"
    python = str(Path(world.command()[0]).with_name("python"))
    done = subprocess.run(
        (python, "-c", code, "demo", "--mode", "fleet"), env=world.env(), cwd=world.project, capture_output=True
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"dbos") == 1
    assert not (world.home / ".cache" / "ccc-trials").exists()
