"""A folded table proves what its rows would prove one by one."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

import pytest

from tests.tables import each


def test_every_row_is_gone_through_with_the_fixtures_that_it_wants() -> None:
    seen = []

    @each("name", ["a", "b"])
    @each("number, square", [(1, 1), (2, 4)])
    def squares(number: int, square: int, name: str, tmp_path: Path) -> None:
        seen.append((name, number, square, tmp_path))

    assert list(signature(squares).parameters) == ["tmp_path"]
    squares(tmp_path=Path("/"))
    assert seen == [(name, number, number**2, Path("/")) for name in "ab" for number in (1, 2)]


def test_every_row_that_does_not_hold_is_told_with_its_values() -> None:
    @each("number, half", [(2, 1), (3, 1), (0, 7), (4, 2)])
    def halves(number: int, half: int) -> None:
        assert number / 2 == half

    with pytest.raises(AssertionError) as failed:
        halves()
    first, *rest = str(failed.value).splitlines()
    assert first == "2 of 4 rows do not hold:"
    assert [line.partition(": ")[0] for line in rest if "AssertionError" in line] == ["3, 1", "0, 7"]


def test_a_row_that_raises_does_not_hide_the_others() -> None:
    @each("number", [0, 1, 2])
    def tenths(number: int) -> None:
        assert 10 / number == 10

    with pytest.raises(AssertionError, match=r"2 of 3 rows do not hold:\n0: ZeroDivisionError: .*\n2: AssertionError"):
        tenths()


def test_a_table_that_is_made_when_the_test_runs_must_have_rows_too() -> None:
    seen = []
    each("number", lambda: iter([1, 2]))(lambda number: seen.append(number))()
    assert seen == [1, 2]
    with pytest.raises(AssertionError, match="proves nothing"):
        each("number", list)(lambda number: seen.append(number))()
