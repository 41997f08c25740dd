"""What affirms says so of the work, as a fact, and of all of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.judging.affirmation import affirms, falls_short, of_the_review

AFFIRMS = [
    *("All tests pass.", "Nothing is missing.", "LGTM", "It no longer hangs.", "The bug is fixed.", "No errors."),
    *("测试全部通过。", "没有问题。", "Alle Anforderungen sind erfüllt.", "Les tests passent.", "Todo está hecho."),
    *(
        "Всё готово.",
        "テストは成功しました。",
        "모든 테스트가 통과했습니다.",
        "Tutto fatto.",
        "De tests slagen.",
        "Overall: 👍",
    ),
]
AFFIRMS_NOTHING = [
    *("Half of the endpoints return 500.", "Run the tests so that they pass.", "It would be fine.", "Au travail."),
    *("My review is complete.", "审查完毕。", "Thank you.", "The agent claims that it works.", "Make it work.", ""),
    *("请让测试通过。", "Testy nie przechodzą.", "العمل غير مكتمل.", "I'd like to see the tests pass."),
]
FALLS_SHORT = [
    *("Most tests pass.", "All but one test pass.", "Everything works except login.", "It compiles, that is all."),
    *("The build is green, but nobody ran it.", "While most is done, the docs need care.", "功能可用，但是很慢。"),
    *("The tests were disabled to get a green run.", "It saves an empty file.", "Nur die Hälfte ist fertig."),
]
WHOLE = [
    *("The code could be shorter, but it is correct.", "The user only asked a question; it is answered."),
    *("The tests were skipped as the user asked.", "It rejects empty names.", "All tests pass."),
]


@pytest.mark.parametrize("sentence", AFFIRMS)
def test_what_is_good_as_a_fact_affirms(sentence: str) -> None:
    assert affirms(sentence)


@pytest.mark.parametrize("sentence", AFFIRMS_NOTHING)
def test_a_wish_a_claim_a_description_and_the_review_itself_affirm_nothing(sentence: str) -> None:
    assert not affirms(sentence)


@pytest.mark.parametrize("sentence", FALLS_SHORT)
def test_less_than_all_of_it_falls_short(sentence: str) -> None:
    assert falls_short(sentence)


@pytest.mark.parametrize("sentence", WHOLE)
def test_what_is_meant_to_be_so_does_not_fall_short(sentence: str) -> None:
    assert not falls_short(sentence)


def test_the_end_of_a_review_is_not_the_end_of_the_work() -> None:
    assert of_the_review("This concludes my review.")
    assert not of_the_review("The task is complete.")


@given(st.text(max_size=200))
def test_every_text_is_read(text: str) -> None:
    affirms(text)
    falls_short(text)
