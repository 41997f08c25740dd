"""Less than all of it, a condition and a check made blind take back the good that is said beside them."""

# ruff: noqa: RUF001

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.judging.reservations import falls_short, is_blinded
from ccc.judging.verdict import MARKER, marker_verdict

FALLS_SHORT = [
    *("Most tests pass.", "All but one test pass.", "Everything works except login.", "It compiles, that is all."),
    *("The build is green, but nobody ran it.", "While most is done, the docs need care.", "功能可用，但是很慢。"),
    *("The tests were disabled to get a green run.", "It saves an empty file.", "Nur die Hälfte ist fertig."),
    *(
        "Der Agent hat lediglich einen Plan geschrieben.",
        "El agente solamente ha escrito un plan.",
        "It sometimes passes.",
    ),
]
WHOLE = [
    *("The code could be shorter, but it is correct.", "The user only asked a question; it is answered."),
    *("The tests were skipped as the user asked.", "It rejects empty names.", "All tests pass."),
]
BLINDED = [
    *("All tests pass, since the failing ones were deleted.", "I removed the failing test, so everything passes now."),
    *("The build succeeds after type checking was turned off.", "It passes with the strict checks turned off."),
    *("CI is green after we commented out the failing assertion.", "`--no-verify` was used to commit."),
    *("The agent got it green by skipping the slow tests.", "The snapshot was updated to hide the difference."),
    *("失败的测试被删除了，所以全部通过。", "Die Tests sind grün, weil die fehlschlagenden gelöscht wurden."),
    *("Tous les tests passent car ceux qui échouaient ont été supprimés.", "Все тесты проходят: упавшие удалены."),
]
SEEING = [
    *("No test was skipped.", "The agent did not delete or weaken any test.", "None of the tests was skipped."),
    *("Instead of deleting the failing test the agent fixed the bug.", "The skipped test was enabled again."),
    *("The old tests were deleted, as the user asked.", "A duplicate test was removed.", "没有跳过任何测试。"),
    *("The agent removed the dead code and all tests pass.", "At first a test was skipped.", "The skip button works."),
]
DEPENDS = [
    *("Done as long as the migration works.", "Provided the migration runs, the work is done.", "若通过，就完成了。"),
    *(
        "It will be complete when the docs are in.",
        "If the tests pass, this is complete.",
        "Assuming it runs, it works.",
    ),
    *("Fertig, sofern die Migration läuft.", "Terminé, à condition que la migration passe.", "只要通过，就算完成。"),
]
DESCRIBES = [
    *("When the list is empty the function returns None.", "If the token is invalid the server answers 401."),
    *("Once the bug was found it was fixed.", "The button stays grey until the form is complete."),
]


@pytest.mark.parametrize("sentence", FALLS_SHORT)
def test_less_than_all_of_it_falls_short(sentence: str) -> None:
    assert falls_short(sentence)


@pytest.mark.parametrize("sentence", WHOLE)
def test_what_is_meant_to_be_so_does_not_fall_short(sentence: str) -> None:
    assert not falls_short(sentence)


@pytest.mark.parametrize("sentence", BLINDED)
def test_a_check_that_was_made_blind_takes_its_success_back(sentence: str) -> None:
    assert is_blinded(sentence)
    assert falls_short(sentence)


@pytest.mark.parametrize("sentence", SEEING)
def test_a_check_that_still_sees_or_that_nobody_wants_takes_nothing_back(sentence: str) -> None:
    assert not is_blinded(sentence)


@pytest.mark.parametrize(
    "end", [" All tests pass now.", "\n\nAll tests pass now.", "\n\nEverything is done.\n\nAll of it."]
)
def test_no_good_end_mends_a_check_that_was_made_blind(end: str) -> None:
    assert not marker_verdict(f"The agent deleted the test that failed.{end}\n\n{MARKER}").allow_stop
    assert marker_verdict(f"The agent corrected the test that failed.{end}\n\n{MARKER}").allow_stop


@pytest.mark.parametrize("sentence", DEPENDS)
def test_what_is_over_only_in_a_case_is_not_over(sentence: str) -> None:
    assert falls_short(sentence)


@pytest.mark.parametrize("sentence", DESCRIBES)
def test_a_case_that_the_work_deals_with_is_no_condition(sentence: str) -> None:
    assert not falls_short(sentence)


@given(st.text(max_size=200))
def test_every_text_is_read(text: str) -> None:
    falls_short(text)
