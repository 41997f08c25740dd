"""Amounts in words: one spelling, wherever a person reads one."""

from __future__ import annotations

import re
from pathlib import Path

from ccc.record.words import dollars
from tests.tables import each
from tests.test_architecture import modules

# An amount that somebody formats for himself; `:g` is a limit as the person wrote it down.
OWN_FORMAT = re.compile(r"\$\{[^{}]*:\.\d+f\}")


@each("amount, told", [(0, "$0"), (0.00001, "<$0.0001"), (0.0003, "$0.0003"), (0.99999, "$1.00"), (12.346, "$12.35")])
def test_an_amount_has_one_spelling(amount: float, told: str) -> None:
    assert dollars(amount) == told


def test_nobody_else_spells_amounts() -> None:
    owner = modules()["ccc.record.words"]
    assert [path for path in modules().values() if path != owner and _formats(path)] == []


def _formats(path: Path) -> bool:
    return bool(OWN_FORMAT.search(path.read_text()))
