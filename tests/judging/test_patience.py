"""Waiting for an API that does not answer the reviewer: the clock is the test's, nobody sleeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import Struct, field

from ccc.claude.stream import Finished
from ccc.judging.patience import Attempt, Patience
from ccc.model import Review, Unreviewed, Verdict
from ccc.record.events import HeldUp

NOW = datetime(2026, 11, 16, 18, 0, tzinfo=UTC)
DONE: Attempt = (Review(Verdict(True, ""), 0.5, 10), Finished(result="fine"))


def failed(text: str, status: int | None = None, cost: float = 0.25) -> Attempt:
    return Review(Unreviewed("the reviewer failed"), cost, 5), Finished(
        is_error=True, result=text, api_error_status=status
    )


OVERLOADED = failed("API Error: 529 Overloaded")


class Clock(Struct):
    """A review of so many seconds, and what its reviewers come to."""

    left: float
    attempts: list[Attempt] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    held: list[HeldUp] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)
    long: list[HeldUp] = field(default_factory=list)
    someone: bool = True

    def wait(self, seconds: float) -> bool:
        self.waited.append(seconds)
        self.left -= seconds
        return self.someone

    def review(self, first: Attempt) -> Review:
        ask = iter(self.attempts)
        return Patience(
            ask=lambda: next(ask),
            left=lambda: self.left,
            wait=self.wait,
            tell=self.told.append,
            held=self.held.append,
            went_on=self.ended.append,
            long=self.long.append,
            now=lambda: NOW + timedelta(seconds=sum(self.waited)),
            provider="glm",
        ).review(first)


def test_an_outage_is_waited_out_and_every_try_is_paid_for() -> None:
    clock = Clock(540, [OVERLOADED, DONE])
    assert clock.review(OVERLOADED) == Review(Verdict(True, ""), 1.0, 20)
    assert [round(seconds / step) for seconds, step in zip(clock.waited, (2, 4), strict=True)] == [1, 1]
    assert clock.told[0].startswith("glm: overloaded (API Error: 529 Overloaded); the reviewer is asked again in ")


def test_a_limit_that_ends_in_time_is_waited_for_to_the_second() -> None:
    clock = Clock(540, [DONE])
    limit = failed("Usage limit reached. Your limit will reset at 2026-11-17 02:01:00", 429)  # Beijing
    assert clock.review(limit).opinion == Verdict(True, "")
    assert clock.waited == clock.ended == [61.0]
    assert clock.held == clock.long
    [held] = clock.held
    assert (held.by, held.until, held.provider) == ("limit", "2026-11-16T18:01:01+00:00", "glm")


def test_a_wait_is_long_once_however_many_pauses_it_has() -> None:
    clock = Clock(540, [*[OVERLOADED] * 8, DONE])
    clock.review(OVERLOADED)
    assert (len(clock.held), len(clock.ended), len(clock.long)) == (9, 9, 1)


@pytest.mark.parametrize(
    ("first", "left", "why"),
    [
        (failed("Your limit will reset at 2026-11-17 02:32:00", 429), 540, "glm: usage limit until 18:32"),
        (OVERLOADED, 3, "glm: overloaded (API Error: 529 Overloaded)"),
        (failed("Connection refused (ECONNREFUSED)"), 3, "glm: cannot be reached (Connection refused (ECONNREFUSED))"),
    ],
)
def test_what_does_not_end_in_time_is_not_waited_for_and_is_told(first: Attempt, left: float, why: str) -> None:
    clock = Clock(left)
    assert clock.review(first).opinion == Unreviewed(why)
    assert clock.waited == []


@pytest.mark.parametrize(
    "first",
    [
        DONE,
        failed("API Error: 402 Insufficient Balance", 402),
        failed("API Error: 401", 401),
        failed("Prompt is too long", 400),
        (Review(Unreviewed("it fell silent")), None),
    ],
)
def test_what_waiting_does_not_help_is_left_as_it_is(first: Attempt) -> None:
    clock = Clock(540)
    assert clock.review(first) == first[0]
    assert clock.waited == []


def test_an_outage_that_does_not_end_ends_with_the_review() -> None:
    clock = Clock(540, [OVERLOADED] * 50)
    assert isinstance(clock.review(OVERLOADED).opinion, Unreviewed)
    assert 0 < clock.left < 80
    assert 8 < len(clock.waited) < 20
    assert max(clock.waited) <= 75


def test_whoever_ends_the_review_ends_the_wait() -> None:
    clock = Clock(540, someone=False)
    found = clock.review(OVERLOADED).opinion
    assert isinstance(found, Unreviewed)
    assert found.interrupted


def test_a_try_whose_time_is_up_is_told_as_what_kept_the_ones_before() -> None:
    ran_out: Attempt = (Review(Unreviewed("the reviewer gave no result: it took too long")), None)
    found = Clock(540, [ran_out]).review(OVERLOADED).opinion
    assert isinstance(found, Unreviewed)
    assert "529" in found.why
