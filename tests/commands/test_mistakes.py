"""A mistake is answered with what was meant, in one line."""

from __future__ import annotations

import sys

import pytest
from click import Context, Group

from ccc.claude import program
from ccc.commands import index
from ccc.commands.router import main
from tests.typed import Typed
from tests.world import World


@pytest.mark.parametrize("configured", [{}, {"glm": {}}])
@pytest.mark.parametrize(
    ("word", "meant"), [("stauts", "status"), ("doctr", "doctor"), ("hlep", "help"), ("versoin", "version")]
)
def test_a_mistyped_command_is_answered_with_its_name(
    world: World, typed: Typed, configured: dict[str, object], word: str, meant: str
) -> None:
    world.write_config(configured)
    run = typed(word)
    assert (run.code, run.err.count("\n")) == (1, 1)
    assert f"no command or provider is called '{word}': did you mean {meant}" in run.err


def test_a_word_like_nothing_here_is_told_what_there_is(world: World, typed: Typed) -> None:
    assert "no provider is configured yet; run: ccc init." in typed("qqqqqqqq").err
    world.write_config({"glm": {}, "kimi": {}})
    assert "there is glm, kimi. To hand the word to claude: ccc -- qqqqqqqq" in typed("qqqqqqqq").err


def paths() -> list[tuple[str, ...]]:
    """Every command that a person can type, those of a group as well."""
    found: list[tuple[str, ...]] = [()]
    for name in index.COMMANDS.keys() - index.HIDDEN:
        command = main.get_command(Context(main), name)
        found += [(name,), *((name, each) for each in (command.commands if isinstance(command, Group) else ()))]
    return sorted(found)


@pytest.mark.parametrize("path", paths(), ids=" ".join)
def test_help_can_be_asked_for_by_h(typed: Typed, path: tuple[str, ...]) -> None:
    short, long = typed(*path, "-h"), typed(*path, "--help")
    assert (short.code, short.err) == (0, "")
    assert short.out == long.out
    assert short.out.startswith(f"Usage: {' '.join(('ccc', *path))}" if path else "ccc: ")


def test_help_of_a_command_may_be_asked_for_the_other_way_round(typed: Typed) -> None:
    assert typed("help", "status").out == typed("status", "--help").out
    assert typed("help", "nosuch").out == typed("--help").out


def test_a_missing_client_is_answered_with_a_command_that_works_here(
    world: World, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_bundled", lambda: None)
    world.write_config({"glm": {}})
    run = typed("glm", PATH="/nowhere")
    assert run.code == 1
    assert f"or: {sys.prefix}/bin/python -m pip install claude-agent-sdk, or set CCC_CLAUDE" in run.err


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        ([], "ccc init glm|kimi|minimax|deepseek|anthropic --key-env NAME --yes"),
        (["kimi"], "ccc init kimi --key-env NAME --yes"),
        (["anthropic"], "ccc init anthropic --yes"),
    ],
)
def test_init_without_a_terminal_says_what_to_pass(world: World, typed: Typed, words: list[str], instead: str) -> None:
    run = typed("init", *words)
    assert run.code == 1
    assert run.err.splitlines()[-1].endswith(
        f"ccc: ccc init has questions, and no terminal to ask them on; type: {instead}"
    )
    assert not (world.config / "ccc.json").exists()
