"""A number beside a word for faults or checks decides, and a number alone says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.judging.counts import in_words, too_few

GOOD = [
    *(
        "0 failed",
        "Failures: 0",
        "failed tests 0",
        "0 of 12 tests fail",
        "zero warnings",
        "失败数为 0",
        "没有失败的测试",
    ),
    *("失敗は0件です", "0개 실패", "0 Fehler", "nothing left to do", "did not break anything", "无需继续", "无回归"),
    *("nothing else needs to be done", "exit code: 0", "no reason to keep it working", "no secrets were committed"),
    *("12/12 tests pass", "Score: 10/10", "rien à signaler", "no further action required", "没有意见"),
]
TOO_FEW = [
    *("fixed 3 of the 4 reported bugs", "five parts, four of which are done", "90 percent done", "2 to go"),
    *("9 of 10 tests pass", "nine of ten tests pass", "Tests: 118/120 passing", "Score: 6/10", "about 80% complete"),
    *("任务进度：60%", "10 个用例里过了 9 个", "Seuls 7 tests sur 9 passent", "three of four bugs are fixed"),
]


@pytest.mark.parametrize("clause", GOOD)
def test_none_of_what_is_wrong_is_good_news(clause: str) -> None:
    said = in_words(clause)
    assert "passed" in said or "通过" in said
    assert "fails" not in said
    assert not too_few(clause)


@pytest.mark.parametrize("clause", TOO_FEW)
def test_fewer_than_all_is_bad_news(clause: str) -> None:
    assert too_few(clause)


@pytest.mark.parametrize("clause", ["Failed: 10", "exit code: 1", "失败：3", "2 of 10 tests failed", "Tests: 0/0"])
def test_faults_that_are_counted_are_bad_news(clause: str) -> None:
    said = in_words(clause)
    assert "fails" in said or "失败" in said


@given(st.text(max_size=200))
def test_every_text_has_its_words(text: str) -> None:
    assert isinstance(in_words(text), str)
    too_few(text)
