"""A table of rows that one test goes through, and that tells every row which does not hold.

Rule: for pure facts with many rows. Where a row starts processes or wants a fixture of its own, parametrize.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Fact = Callable[..., None]


def each(names: str, rows: Iterable[Any] | Callable[[], Iterable[Any]]) -> Callable[[Fact], Fact]:
    """As pytest.mark.parametrize, in one test: what pytest does for each of thousands costs more than the facts."""
    wanted = names.split(", ")

    def folded(fact: Fact) -> Fact:
        @functools.wraps(fact)
        def whole(**fixtures: Any) -> None:
            table = list(rows() if callable(rows) else rows)
            assert table, "a table without rows proves nothing"
            problems = [problem for row in table if (problem := _problem(fact, fixtures, wanted, row))]
            if problems:
                raise AssertionError("\n".join((f"{len(problems)} of {len(table)} rows do not hold:", *problems)))

        own = inspect.signature(fact)
        left = [each for name, each in own.parameters.items() if name not in wanted]
        whole.__signature__ = own.replace(parameters=left)  # type: ignore[attr-defined]
        return whole

    return folded


def _problem(fact: Fact, fixtures: dict[str, Any], wanted: list[str], row: Any) -> str:
    values = row if len(wanted) > 1 else (row,)
    try:
        fact(**fixtures, **dict(zip(wanted, values, strict=True)))
    except Exception as error:
        return f"{', '.join(f'{value!r:.300}' for value in values)}: {type(error).__name__}: {error}"
    return ""
