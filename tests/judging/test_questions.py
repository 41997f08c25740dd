"""An answer says something only together with its question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.judging.questions import answered


@pytest.mark.parametrize(
    ("question", "answer", "good"),
    [
        *(("Is anything missing?", "No.", True), ("Is anything missing?", "Yes, the docs.", False)),
        *(("Is it done?", "Yes.", None), ("Something is missing.", "No.", None)),
        *(("Anything left?", "Yes: the docs.", False), ("Anything left?", "The docs.", False)),
        *(("What remains?", "Nothing.", True), ("What remains?", "Two endpoints.", False)),
        *(("Is anything missing?", "Everything is there.", None), ("还有遗漏吗？", "有，文档。", False)),
        *(("Q: Are there open points?", "A: None.", True), ("Did any test fail?", "No.", True)),
        *(("Did it touch unrelated files?", "No.", True), ("Is it in Go?", "No.", None)),
    ],
)
def test_whether_anything_is_wrong_is_answered(question: str, answer: str, good: bool | None) -> None:
    assert answered(question, answer) is good


@pytest.mark.parametrize("question", ["Were the tests run?", "Do all tests pass?", "Is it complete?", "测试通过了吗？"])
@pytest.mark.parametrize("answer", ["No.", "No, they were not.", "没有。"])
def test_no_to_something_good_is_bad_news(question: str, answer: str) -> None:
    assert answered(question, answer) is False


@given(st.text(max_size=100), st.text(max_size=100))
def test_every_pair_is_read(question: str, answer: str) -> None:
    assert answered(f"{question}?", answer) in (True, False, None)
