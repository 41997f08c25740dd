from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.weather import PASSING, Kind, Weather
from ccc_legacy.patience import PAUSES, Patience, ending

NOW = datetime(2026, 11, 16, 18, 0, tzinfo=UTC)
KINDS = st.sampled_from(sorted(PASSING))
CHANCE = st.floats(0, 1)


def seconds(patience: Patience, weather: Weather, chance: float = 0.5) -> float | None:
    at = patience.again_at(weather, NOW, chance)
    return at and (at - NOW).total_seconds()


def test_a_limit_is_asked_again_just_after_its_end() -> None:
    assert seconds(Patience(), Weather(Kind.LIMIT, NOW + timedelta(hours=5))) == 5 * 3600 + 1.0


def test_without_an_end_each_pause_is_twice_the_one_before_up_to_a_bound() -> None:
    pauses = [seconds(Patience(tries=tries), Weather(Kind.OVERLOADED)) for tries in (0, 1, 2, 3, 30)]
    assert pauses == [1, 2, 4, 8, 300]


def test_an_end_that_has_passed_is_asked_about_soon() -> None:
    assert seconds(Patience(), Weather(Kind.LIMIT, NOW)) == 1
    assert seconds(Patience(), Weather(Kind.LIMIT)) == 30


@pytest.mark.parametrize("until", [NOW + timedelta(minutes=61), None])
def test_nobody_waits_longer_than_the_person_wants(until: datetime | None) -> None:
    assert seconds(Patience(60, waited=60 * 60), Weather(Kind.LIMIT, until)) is None
    assert seconds(Patience(60), Weather(Kind.LIMIT, until)) == (None if until else 30)


@given(KINDS, st.none() | st.floats(-1e5, 1e6), st.floats(0.01, 1000), st.floats(0, 1e5), st.integers(0, 2000), CHANCE)
def test_every_wait_has_an_end_within_what_is_left(
    kind: Kind, until: float | None, minutes: float, waited: float, tries: int, chance: float
) -> None:
    weather = Weather(kind, None if until is None else NOW + timedelta(seconds=until))
    found = seconds(Patience(minutes, waited, tries), weather, chance)
    assert found is None or 0 <= found <= max(0.0, 60 * minutes - waited) + 1.5
    assert found is None or weather.until or found <= PAUSES[kind][1] * 1.25


@pytest.mark.parametrize("kind", sorted(set(Kind) - {Kind.OTHER}))
@pytest.mark.parametrize("provider", ["glm", None])
@pytest.mark.parametrize("until", [NOW, None])
def test_every_end_is_one_line_with_a_name_and_what_was_said(
    kind: Kind, provider: str | None, until: datetime | None
) -> None:
    told = ending(Weather(kind, until, "Zut alors"), provider, "abc", 360)
    assert told
    assert "\n" not in told
    assert (provider or "claude") in told
    assert "Zut alors" in told


def test_what_nobody_understands_has_no_line_of_its_own() -> None:
    assert ending(Weather(Kind.OTHER, None, "Zut alors"), "glm", "abc", 360) is None
