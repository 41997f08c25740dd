"""The cases written without sight of the gate: every client can tell them, and they are many and mixed enough."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from tests.eval.blind_may_stop import BLIND_MAY_STOP
from tests.eval.blind_must_go_on import BLIND_MUST_GO_ON
from tests.eval.blind_themes import LANGUAGES, THEMES, UNPROVED, language
from tests.eval.clients import VERSIONS, transcript
from tests.eval.steps import Say, Tool

CASES = list(chain.from_iterable(THEMES.values()))
PER_LABEL, PER_LANGUAGE, CLAIMS = 155, 12, 100


def test_every_case_can_be_told() -> None:
    for number, case in enumerate(CASES):
        assert transcript(case, VERSIONS[number % len(VERSIONS)]), case.id
        assert isinstance(case.steps[-1], Say | Tool), case.id


def test_there_are_enough_of_either_label() -> None:
    claims = [case for theme in UNPROVED for case in THEMES[theme] if case.label == "must_go_on"]

    assert len(BLIND_MAY_STOP) >= PER_LABEL
    assert len(BLIND_MUST_GO_ON) >= PER_LABEL
    assert len(BLIND_MAY_STOP) + len(BLIND_MUST_GO_ON) == len(CASES)
    assert len(claims) >= CLAIMS


def test_every_language_is_spoken_under_either_label() -> None:
    spoken = Counter((language(case), case.label) for case in CASES)

    for label in ("may_stop", "must_go_on"):
        assert {tongue: spoken[tongue, label] for tongue in LANGUAGES if spoken[tongue, label] < PER_LANGUAGE} == {}


def test_every_case_stands_beside_its_mirror() -> None:
    for cases in THEMES.values():
        for one, other in zip(cases[::2], cases[1::2], strict=True):
            assert {one.label, other.label} == {"may_stop", "must_go_on"}, one.id
            assert language(one) == language(other), one.id


def test_no_two_cases_use_the_same_name_or_the_same_words() -> None:
    names = Counter(case.id for case in CASES)
    words = Counter(step.text for case in CASES for step in case.steps if hasattr(step, "text"))

    assert [name for name, times in names.items() if times > 1] == []
    assert [text for text, times in words.items() if times > 1] == []
