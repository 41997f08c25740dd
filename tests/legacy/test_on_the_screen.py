"""What somebody at a terminal sees of the agent: each thing on the rows where it belongs, and none of it lost."""

from __future__ import annotations

import re

import pytest

from tests.pty_desk import Desk, Steps
from tests.terminals import Terminal
from tests.world import World

pytestmark = pytest.mark.long


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def rows(terminal: Terminal) -> list[str]:
    """Of the first turn, and what came after it."""
    return terminal.text.partition("[agent]\n")[2].split("\n")


def leave(terminal: Terminal) -> None:
    terminal.press("ctrl-d")
    assert terminal.wait_for_end() == 0


def called(name: str, given: dict[str, object], output: str, *, failed: bool = False) -> Steps:
    return [["tool", "1", name, given], ["returns", "1", failed, output]]


@pytest.mark.parametrize("columns", [40, 120])
def test_a_row_that_is_too_long_ends_with_its_mark_and_takes_no_second_row(desk: Desk, columns: int) -> None:
    long = "x" * 300
    desk.turns([*called("Bash", {"command": f"echo {long}"}, f"{long}\nlast"), ["result"]])
    with desk.terminal("--", "do it", columns=columns) as terminal:
        terminal.wait_for("[completed]")
        call, output, last, *_ = rows(terminal)
        assert re.fullmatch(r"⚙ Bash echo x+…  ok [\d.]+ s", call)
        assert (output, last) == (f"    {'x' * (columns - 6)}…", "    last")
        leave(terminal)


def test_a_table_loses_nothing_in_a_narrow_window(desk: Desk) -> None:
    table = "| case | what |\n|---|---|\n| 两个苹果 | 两倍的价格，本来就应该如此 |\n| src/shop/cart.py | twice |"
    desk.turns([["say", table], ["result"]])
    with desk.terminal("--", "do it", columns=40) as terminal:
        terminal.wait_for("[completed]")
        shown = "".join("".join(rows(terminal)).split())
        assert "…" not in shown
        assert "两倍的价格，本来就应" in shown
        leave(terminal)
