"""What the shell offers, and the script that lets it ask."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from ccc.commands import completing
from ccc.commands.router import main
from tests.sessions import Sessions
from tests.typed import Typed
from tests.world import CCC, World


def offered(*words: str) -> list[str]:
    *typed, incomplete = words
    return [each.value for each in ShellComplete(main, {}, "ccc", "_X").get_completions(typed, incomplete)]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["comp"], ["completion"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["validate", "k"], ["kimi"]),
        (["validate", "--a"], ["--all"]),
        (["eval", "--provider", "g"], ["glm"]),
        (["init", "mini"], ["minimax"]),
        (["hooks", ""], ["remove", "status"]),
        (["checks", "re"], ["remove"]),
        *((words, ["abc-1", "abd-2"]) for words in (["logs", "a"], ["report", ""], ["evidence", "ab"])),
        (["off", "--session", "abc"], ["abc-1"]),
        (["on", "--session", "x"], []),
    ],
    ids=" ".join,
)
def test_names_are_offered_where_they_belong(
    world: World, monkeypatch: pytest.MonkeyPatch, words: list[str], names: list[str]
) -> None:
    here = str(world.project)
    world.write_config({"glm": {}, "kimi": {}})
    sessions = Sessions(world.state)
    for session in ("abd-2", "abc-1"):
        sessions.block(session, project=here, mode="hooks", provider="glm")
    monkeypatch.chdir(world.project)
    assert offered(*words) == names


def test_what_is_broken_offers_nothing(world: World) -> None:
    (world.config / "ccc.json").write_text("{")
    assert offered("validate", "") == offered("logs", "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(typed: Typed, shell: str) -> None:
    run = typed("completion", shell, PATH=os.environ["PATH"])
    assert (run.code, run.err) == (0, "")
    assert f"_CCC_COMPLETE={shell}_complete" in run.out
    assert run.out == typed("completion", PATH=os.environ["PATH"], SHELL=f"/usr/bin/{shell}").out
    assert 'string split ","' not in run.out  # which cuts a description at its first comma


def test_an_unknown_shell_is_asked_for(typed: Typed) -> None:
    assert typed("completion", SHELL="/bin/sh").err == (
        "ccc: $SHELL does not tell which shell this is; type: ccc completion bash|zsh|fish\n"
    )


def test_bash_completes_with_it(world: World, tmp_path: Path) -> None:
    world.write_config({"glm": {}, "kimi": {}})
    script = (
        'eval "$(ccc completion bash)"; complete -p ccc >/dev/null || exit 1; '
        'COMP_WORDS=(ccc validate k); COMP_CWORD=2; _ccc_completion ccc k validate; echo "${COMPREPLY[@]}"'
    )
    env = world.env(PATH=f"{CCC.parent}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "--norc", "-c", script], env=env, cwd=world.project, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("kimi", "")


def test_a_folders_name_adds_no_line_and_no_escape_sequence(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = world.root / "pro\x1b]0;PWN\x07\u009b2J\nplain\n--dangerously-skip-permissions\nforged"
    Sessions(world.state).block("abc-1", project=str(folder), mode="hooks", provider="glm")
    monkeypatch.chdir(world.project)
    context, parameter = click.Context(click.Command("logs")), click.Argument(["session"])
    [item] = completing.sessions(context, parameter, "")
    assert item.help == f"{world.root}/pro ⏎ plain ⏎ --dangerously-skip-permissions ⏎ forged"
