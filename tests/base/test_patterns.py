"""A pattern that is compiled in part finds what the whole one finds."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import ccc.evidence
from ccc.base.patterns import Lazy, Letters, plain_branches
from tests.eval.score import every
from tests.eval.steps import Ask, Case, Say


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("fix|mend", ["fix|mend"]),
        ("fix|修复", ["fix"]),
        ("修复|(?:改|修)好", []),
        ("修复?|x", ["x"]),
        ("复?|x", ["复?", "x"]),
        ("a(?:修|b)|c", ["a(?:修|b)", "c"]),
        ("a(?:修|复)?|c", ["a(?:修|复)?", "c"]),
        ("a(?:修|复){0,2}|b(?:修|复){1,2}", ["a(?:修|复){0,2}"]),
        (r"[一-龥]\||x", ["x"]),
        (r"[一-龥]*|x", ["[一-龥]*", "x"]),
        ("[a一]|[^一]|[|一]", ["[a一]", "[^一]", "[|一]"]),
        ("a(?!修)|b(?=修)|(?<!修)c|(?<=修)d", ["a(?!修)", "(?<!修)c"]),
        (r"(修)\1|x", [r"(修)\1|x"]),
        ("(?m)修|^x", ["(?m)修|^x"]),
        ("(?P<a>修)|x", ["(?P<a>修)", "x"]),
        ("\u017f|\u212a|\u0131|\u0130|é", ["\u017f", "\u212a", "\u0131", "\u0130"]),
    ],
)
def test_a_branch_that_needs_other_letters_than_asciis_is_left_out(source: str, kept: list[str]) -> None:
    assert plain_branches(source) == kept


def tables(value: object) -> Iterator[Lazy]:
    if isinstance(value, Lazy):
        yield value
    elif isinstance(value, (tuple, list)):
        yield from (each for inner in value for each in tables(inner))
    elif isinstance(value, dict):
        yield from tables(list(value.values()))
    elif hasattr(value, "__struct_fields__") and not isinstance(value, type):
        yield from tables([getattr(value, name) for name in value.__struct_fields__])


def said(cases: Iterator[Case]) -> set[str]:
    words = {step.text for case in cases for step in case.steps if isinstance(step, (Ask, Say))}
    return {line for text in words for line in text.splitlines() if line.isascii()}


def test_every_table_of_the_evidence_finds_in_ascii_what_the_whole_one_finds() -> None:
    modules = [
        importlib.import_module(f"ccc.evidence.{each.name}") for each in pkgutil.iter_modules(ccc.evidence.__path__)
    ]
    lines = sorted(said(case for half in every() for case in half.cases))[::5]
    found = {id(table): table for module in modules for table in tables(list(vars(module).values()))}
    assert len(found) > 100
    assert len(lines) > 100
    differ = [
        (table.pattern.pattern[:60], line)
        for table in found.values()
        for line in lines
        if (one := table.plain.search(line)) != (whole := table.pattern.search(line))
        and (one is None or whole is None or one.span() != whole.span())
    ]
    assert differ == []


def test_letters_are_found_by_their_range() -> None:
    han = Letters("\u4e00\u9fff")
    assert [han.search(text) for text in ("", "plain", "é", "a 一", "龥", "ア")] == [
        False,
        False,
        False,
        True,
        True,
        False,
    ]
