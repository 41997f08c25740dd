"""What Tab offers: commands, and the files of a project, however large or odd it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ccc_legacy.completing import MOST, Completing, walked


def offered(completing: Completing, before: str) -> list[str]:
    return [each.text for each in completing(before)]


def completing(folder: Path) -> Completing:
    return Completing(folder, {"PATH": "/usr/bin:/bin"}, lambda: ("compact", "review-all", "owl:feed"))


def files(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def test_commands_are_ccc_s_and_the_clients(tmp_path: Path) -> None:
    known = completing(tmp_path)
    assert offered(known, "/rev") == ["/review", "/review-all"]
    assert offered(known, "/o") == ["/off", "/on", "/open", "/owl:feed"]
    assert {"/compact", "/now", "/verbose"} <= set(offered(known, "/"))
    assert known("/rev")[0].about == "have the work reviewed now"
    assert offered(known, "say /rev") == offered(known, "/review x") == []


def test_files_are_those_that_git_would_show_and_the_likeliest_come_first(tmp_path: Path) -> None:
    files(tmp_path, "cart.py", "src/cart_test.py", "old/scart.py", "build/cart.o", "a b.py", "odd\nname.py")
    (tmp_path / ".gitignore").write_text("build\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    known = completing(tmp_path)
    assert offered(known, "look at @cart") == ["cart.py", "src/cart_test.py", "old/scart.py"]
    assert known("look at @cart")[0].typed == 4
    assert offered(known, "@a ") == []
    assert offered(known, "@a")[0] == '"a b.py"'
    assert "odd" not in str(offered(known, "@"))
    assert offered(known, "mail@cart") == []


def test_without_git_the_folder_is_walked_and_never_for_long(tmp_path: Path) -> None:
    files(tmp_path, "b/c/deep.py", "a.py", ".hidden/x.py")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert list(walked(tmp_path)) == ["a.py", "loop", "b/c/deep.py"]
    files(tmp_path, *(f"many/{number}.txt" for number in range(2 * MOST)))
    assert len(offered(completing(tmp_path), "@")) == MOST
