from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.weather import Kind, Weather
from ccc.model import StopEvent
from ccc_legacy.lineup import Away, Lineup, Turn
from ccc_legacy.review import Case, case_of, case_told

NOW = datetime(2026, 11, 16, 18, 0, tzinfo=UTC)
LIMIT, MONEY, KEY = Weather(Kind.LIMIT), Weather(Kind.MONEY), Weather(Kind.KEY)
THREE = Lineup(("glm", "kimi", "mini"))


def after(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def until(minutes: float) -> Weather:
    return Weather(Kind.LIMIT, after(minutes))


def failed(lineup: Lineup, minutes: float | None, now: datetime = NOW) -> Lineup:
    """The one that works has a limit of so many minutes; None: longer than the person waits."""
    weather = until(600 if minutes is None else minutes)
    return lineup.without(weather, None if minutes is None else weather.until, now)


def test_a_short_wait_is_waited_for_and_a_longer_one_is_the_next_ones_turn() -> None:
    assert failed(THREE, 10).turn(NOW) == Turn("glm", after(10))
    assert failed(THREE, 11).turn(NOW) == Turn("kimi", NOW)
    assert failed(THREE, None).turn(NOW) == Turn("kimi", NOW)


def test_without_others_there_is_only_waiting() -> None:
    for alone in (Lineup(("glm",)), Lineup()):
        assert not alone.has_others
        assert not alone.gives_way(LIMIT)
    assert failed(Lineup(("glm",)), 300).turn(NOW) == Turn("glm", after(300))
    assert failed(Lineup(("glm",)), None).turn(NOW) is None


def test_short_pauses_add_up_to_a_long_wait() -> None:
    first = THREE.without(Weather(Kind.NETWORK), after(9), NOW)
    assert first.turn(NOW) == Turn("glm", after(9))
    again = first.without(Weather(Kind.NETWORK), after(11), after(9))
    assert again.turn(after(9)) == Turn("kimi", after(9))
    assert again.answered().without(Weather(Kind.NETWORK), after(18), after(9)).turn(after(9)) == Turn("glm", after(18))


def test_of_several_that_are_away_the_first_to_be_back_goes_on() -> None:
    both = failed(failed(THREE, 300).moved("kimi"), 100)
    assert both.turn(NOW) == Turn("mini", NOW)
    all_three = failed(both.moved("mini"), 200)
    assert all_three.turn(NOW) == Turn("kimi", after(100))
    assert all_three.turn(after(400)) == Turn("glm", after(400))  # of those that are back, the one named first


def test_what_passes_an_empty_purse_and_whatever_ails_a_fallback_give_way() -> None:
    assert [THREE.gives_way(each) for each in (LIMIT, MONEY, KEY)] == [True, True, False]
    assert THREE.moved("kimi").gives_way(KEY)
    assert THREE.without(MONEY, None, NOW).turn(NOW) == Turn("kimi", NOW)


def test_a_new_request_goes_to_the_first_that_may_be_back() -> None:
    away = failed(THREE, 60).moved("kimi")
    assert away.requested(after(59)).name == "kimi"
    assert away.requested(after(60)).name == "glm"
    everybody = failed(failed(away, 60).moved("mini"), 60)
    assert everybody.requested(NOW).name == "mini"
    poor = THREE.without(MONEY, None, NOW).moved("kimi").requested(after(1))
    assert poor.name == "glm"
    # It has been away for longer than anybody would wait, so one failure is enough.
    assert poor.without(MONEY, None, after(1)).turn(after(1)) == Turn("kimi", after(1))


MINUTES = st.none() | st.integers(0, 1000)


@given(st.lists(st.tuples(st.integers(0, 30), MINUTES), max_size=30), st.integers(1, 4), st.integers(0, 60))
def test_somebody_is_always_to_be_asked_unless_all_are_given_up(
    failures: list[tuple[int, int | None]], number: int, patience: int
) -> None:
    lineup = Lineup(tuple(f"p{each}" for each in range(number)), patience=60.0 * patience)
    now = NOW
    for passed, minutes in failures:
        now += timedelta(minutes=passed)
        again = None if minutes is None else now + timedelta(minutes=minutes)
        lineup = lineup.without(Weather(Kind.LIMIT, again), again, now)
        turn = lineup.turn(now)
        given_up = [each for each in lineup.away.values() if each.again is None]
        assert (turn is None) == (len(given_up) == number)
        if turn is None:
            return
        assert turn.at >= now
        soonest = all(turn.at <= max(each.again, now) for each in lineup.away.values() if each.again)
        assert soonest or turn.name == lineup.name
        lineup, now = lineup.moved(str(turn.name)), turn.at


def test_a_lineup_is_a_value_that_json_can_carry() -> None:

    lineup = failed(THREE, 5).moved("kimi")
    case = Case(StopEvent("abc", Path("/p")), Path("/c"), "kimi", lineup=lineup)
    assert case_of(case_told(case)).lineup == lineup
    assert lineup.away == {"glm": Away(Kind.LIMIT, NOW, after(5), after(5))}
