"""A mistake is answered with what was meant, in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click import Context, Group

from ccc.claude import program
from ccc.commands import index
from ccc.commands.router import main
from tests.typed import Typed
from tests.world import World, fake_claude


@pytest.mark.parametrize("configured", [{}, {"glm": {}}])
@pytest.mark.parametrize(
    ("word", "meant"), [("stauts", "status"), ("doctr", "doctor"), ("hlep", "help"), ("versoin", "version")]
)
def test_a_mistyped_command_is_answered_with_its_name(
    world: World, typed: Typed, configured: dict[str, object], word: str, meant: str
) -> None:
    world.write_config(configured)
    run = typed(word)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert f"no command or provider is called '{word}': did you mean {meant}" in run.err


def test_a_word_like_nothing_here_is_told_what_there_is(world: World, typed: Typed) -> None:
    assert "no provider is configured yet (run: ccc init)." in typed("qqqqqqqq").err
    world.write_config({"glm": {}, "kimi": {}})
    assert "there is glm, kimi. To hand the word to claude: ccc -- qqqqqqqq" in typed("qqqqqqqq").err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fleet", "stauts"), "No such command 'stauts'."),
        (("status", "-n", "0"), "0 is not in the range"),
        (("clean", "--older-than", "30x"), "--older-than takes a number and h, d or w"),
        (("fleet", "clean", "--older-than", "30x"), "--older-than takes a number and h, d or w"),
        (("init", "glmm", "--yes"), "no preset is called 'glmm'; did you mean glm?"),
        (("init", "qqqq", "--yes"), "no preset is called 'qqqq'; there is glm, kimi"),
        (("init", "--yes"), "which one? ccc init glm|kimi"),
        (("init", "glm", "--key-env", "a b", "--yes"), "--key-env takes the name of a variable"),
        (("init", "glm", "--base-url", "x", "--yes"), "--base-url is not a http or https URL"),
        (("validate", "nope"), "no provider is called 'nope': there is loop."),
        (("--supervisor", "nope", "--", "hi"), "there is loop."),
        (("eval", "--only", "zzz", "--judge", "loop"), "no case begins with 'zzz'; the first of them are "),
        (("eval", "/", "--judge", "loop"), "/ holds no cases"),
        (("eval", "--judge", "loop", "--prompt", "/nowhere"), "there is no file /nowhere to judge by"),
        (("eval", "--judge", "lop"), "did you mean loop?"),
        (("init", "glm", "--name", "a b", "--yes"), "rename it: letters, digits"),
        (("--mode", "hooks", "loop"), "--mode belongs to --supervisor"),
        (("--json",), "--json belongs to --supervisor"),
        (("--supervisor", "--mode", "hooks", "--json", "loop"), "--json is for pty mode"),
        (("loop", "--supervisor"), "--supervisor stands before the provider; type: ccc --supervisor loop"),
        (("loop", "--mode", "hooks"), "--mode stands before the provider; type: ccc --supervisor --mode hooks loop"),
        (("loop", "--supervisor", "--mode=pty"), "type: ccc --supervisor --mode pty loop"),
        (("logs", "none"), "no session begins with none"),
        (("report", "-o", "x.html", "none"), "no session begins with none"),
        (("evidence", "../x"), "that is no session id"),
        (("off", "--session", "none"), "no session begins with none"),
        (("checks", "remove", "none"), "has no check 'none'"),
        (("checks", "add", " "), "a check needs a command"),
        (("allow", "none"), "this project's settings do not set none"),
        (("allow", "--remove", "none"), "none is not allowed for "),
        (("fleet", "retry", "none"), "there is no task 'none'"),
        (
            ("fleet", "add", "none.md"),
            "there is no none.md; nothing was added; what a list looks like: ccc fleet add --help",
        ),
        (("fleet", "add", "none.md", "--provider", "lop"), "no provider is called 'lop': did you mean loop?"),
        (("fleet", "status", "--store", "mysql://x"), "the store mysql://x is no address of a Postgres"),
        (("fleet", "status", "--store", "host=c password=b"), "the store … is no address of a Postgres"),
        (("fleet", "status", "--store", "postgresql://a:b@c/d"), "a password in --store could be read"),
    ],
)
def test_what_ccc_does_not_understand_ends_with_2_and_what_to_type(
    world: World, typed: Typed, words: tuple[str, ...], told: str
) -> None:
    world.write_config({"loop": {}})
    run = typed(*words)
    assert (run.code, run.out) == (2, ""), run.err
    assert told in run.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--supervisor", "lop"), "no provider is called 'lop': did you mean: ccc --supervisor loop?"),
        (("--supervisor", "--json", "lop"), "did you mean: ccc --supervisor --json loop?"),
        (("--supervisor", "staus"), "there is loop. Type: ccc --supervisor NAME. To hand the word to claude: "),
        (("--supervisor", "--mode", "hooks", "lop"), "did you mean: ccc --supervisor --mode hooks loop?"),
        (("--supervisor", "lop"), "To hand the word to claude: ccc --supervisor -- lop"),
        (("lop", "--mode", "hooks"), "did you mean: ccc --supervisor --mode hooks loop?"),
        (("mine", "--mode", "hooks"), "there is loop. Type: ccc --supervisor --mode hooks NAME."),
        (("mine", "--supervisor"), "there is loop. Type: ccc --supervisor NAME."),
        (("lop", "--", "--mode", "hooks"), "did you mean loop? To hand the word to claude: ccc -- lop"),
    ],
)
def test_a_provider_that_is_mistyped_at_a_supervised_start_is_answered_with_that_start(
    world: World, typed: Typed, words: tuple[str, ...], told: str
) -> None:
    world.write_config({"loop": {}})
    run = typed(*words)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert told in run.err


def test_an_option_of_other_commands_is_answered_with_their_names(typed: Typed) -> None:
    run = typed("logs", "--json")
    assert run.code == 2
    assert "; these know it: ccc providers, ccc validate, ccc doctor, ccc checks list, " in run.err
    assert "ccc status" in run.err
    assert "these know it" not in typed("logs", "--zzzz").err
    assert "这些命令认识它：" in typed("logs", "--json", CCC_LANG="zh").err


@pytest.mark.parametrize("words", [(), ("--supervisor",)])
def test_a_bare_start_without_terminal_and_provider_names_the_way_to_one(world: World, words: tuple[str, ...]) -> None:
    client = fake_claude(world.root / "bin", ["echo '  --flag'"])
    told = "ccc: no provider is configured, so claude starts with its own login; to configure one: ccc init\n"
    env = world.env(CCC_CLAUDE=str(client), CCC_LANG="en")
    assert world.ccc(*words, env=env).err.startswith(told)
    world.write_config({"login": {}})
    assert told not in world.ccc(*words, env=env).err


def test_a_preset_that_is_typed_before_it_is_set_up_is_answered_with_its_set_up(world: World, typed: Typed) -> None:
    assert "no provider is configured yet (run: ccc init glm)." in typed("glm").err
    assert typed("init", "glm", "--yes").code == 0
    assert "to change it, edit that file; to add another one: --name NAME" in typed("init", "glm", "--yes").err


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
    *others, last = run.err.splitlines()
    assert last == f"ccc: ccc init has questions, and no terminal to ask them on; type: {instead}"
    assert [line for line in others if not line.startswith("ccc: ")] == []  # no question is asked of nobody
    assert not (world.config / "ccc.json").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("report", "--all"), "no supervised session yet, so there is nothing to report; start one: "),
        (("fleet", "report"), "no task yet, so there is nothing to report; add some: ccc fleet add tasks.md"),
    ],
)
def test_a_report_of_nothing_is_an_error_with_its_next_step(
    world: World, typed: Typed, words: tuple[str, ...], told: str
) -> None:
    run = typed(*words)
    assert (run.code, run.out) == (1, "")
    assert told in run.err
    assert not list(world.root.rglob("*.html"))


def test_a_fleet_with_nothing_to_remove_says_so(typed: Typed) -> None:
    for words in ((), ("--yes",)):
        assert typed("fleet", "clean", *words).out.startswith("nothing to remove: ")


def test_answers_that_are_piped_in_are_all_heard(world: World) -> None:
    run = world.warm("init", stdin=b"anthropic\ny\n")
    assert run.code == 0, run.err
    assert "anthropic" in (world.config / "ccc.json").read_text()


def test_a_state_folder_that_may_not_be_looked_into_is_not_taken_for_an_empty_or_a_changed_one(
    typed: Typed, ordinary_user: Path
) -> None:
    (ordinary_user / ".claude" / "ccc").mkdir(parents=True)
    (ordinary_user / ".claude").chmod(0)
    for words in (("status",), ("logs",), ("evidence",), ("status", "--json"), ("hooks", "status")):
        run = typed(*words, HOME=str(ordinary_user))
        assert (run.code, run.out) == (1, "")
        assert ": Permission denied; check its owner and permissions\n" in run.err
