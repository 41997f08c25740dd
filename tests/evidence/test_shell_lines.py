"""What runs in each line of a table of shell lines: `shell_lines.txt`, where its terms stand too."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ccc.evidence.shell_status import runs
from tests.tables import each

Words = tuple[str, ...]


def cases() -> list[tuple[str, str, list[Words]]]:
    text = Path(__file__).with_name("shell_lines.txt").read_text(encoding="utf-8")
    return [case(block.rstrip("\n").split("\n")) for block in re.split(r"^--- ", text, flags=re.MULTILINE)[1:]]


def case(lines: list[str]) -> tuple[str, str, list[Words]]:
    commands = [line.removeprefix("=> ") for line in lines if line.startswith("=> ")]
    return lines[0], "\n".join(lines[1 : len(lines) - len(commands)]), [words(command) for command in commands]


def words(command: str) -> Words:
    return tuple(word.replace("⏎", "\n").replace("⇥", "\t") for word in shlex.split(command))


CASES = cases()
LINES = [line for _, line, _ in CASES]
SIGNS = "'\"`$(){}[]|&;<>\\\n#=!*"


def mutilated(line: str, chance: random.Random) -> str:
    """Cut short, a piece lost or twice there, or signs of the shell in odd places."""
    at, end = sorted(chance.randrange(len(line) + 1) for _ in range(2))
    match chance.randrange(4):
        case 0:
            return line[:at]
        case 1:
            return line[:at] + line[end:]
        case 2:
            return line[:end] + line[at:]
    return line[:at] + "".join(chance.choices(SIGNS, k=3)) + line[at:]


@each("place, line, commands", CASES)
def test_the_commands_that_run_are_found(place: str, line: str, commands: list[Words]) -> None:
    assert [run.words for run in runs(line)] == commands


def test_a_mutilated_line_is_read() -> None:
    chance = random.Random(5)
    for _ in range(5_000):
        line = mutilated(chance.choice(LINES), chance)
        assert all(run.words for run in runs(line)), line


@given(st.lists(st.sampled_from(LINES), min_size=2, max_size=4))
def test_lines_one_after_the_other_run_what_each_runs(lines: list[str]) -> None:
    # A function lives on and a here-document without an end takes all that follows.
    lines = [line for line in lines if "()" not in line and "function" not in line and line != "cat <<EOF\nmake"]
    apart = [run.words for line in lines for run in runs(line)]
    assert [run.words for run in runs("\n".join(lines))] == apart


@given(st.sampled_from([line for line in LINES if line != "cat <<EOF\nmake"]))
def test_a_line_runs_the_same_in_brackets_and_in_a_substitution(line: str) -> None:
    inside = [run.words for run in runs(line)]
    assert [run.words for run in runs(f"(\n{line}\n)")] == inside
    assert [run.words for run in runs(f'echo "$(\n{line}\n)"')] == [*inside, ("echo", "$()")]
