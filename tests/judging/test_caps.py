from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.evidence.facts import Evidence
from ccc.judging import caps
from ccc.model import Aside, StopEvent, Tally
from ccc.providers.config import SupervisorOptions
from ccc.record.session import Request, Session, Taken

NOW = datetime(2026, 11, 16, 18, 0, tzinfo=UTC)
BEGAN = NOW - timedelta(minutes=5)


@pytest.mark.parametrize(
    ("options", "began", "reason"),
    [
        ({}, BEGAN, ""),
        ({"max_minutes": 5.1, "max_cost_usd": 1.1, "max_tokens": 101}, BEGAN, ""),
        ({"max_minutes": 5.0}, BEGAN, "5 of 5 minutes used"),
        ({"max_minutes": 5.0}, None, ""),  # nobody knows when it began
        ({"max_cost_usd": 1.0}, BEGAN, "$1.00 of $1 spent in the midst of a turn"),
        ({"max_tokens": 100}, BEGAN, "100 of 100 tokens used in the midst of a turn"),
    ],
)
def test_a_turn_that_has_passed_a_cap_may_not_go_on(
    options: dict[str, float], began: datetime | None, reason: str
) -> None:
    given = SupervisorOptions(**options)  # type: ignore[arg-type]
    assert caps.passed(given, began, NOW, cost_usd=1.0, tokens=100) == reason


@pytest.mark.parametrize(
    ("cap", "reviews", "cost", "told"),
    [
        (None, 1, None, False),
        (1.0, 0, None, False),  # nobody could have told a price yet
        (1.0, 1, 0.5, False),
        (1.0, 1, 0.0, False),
        (1.0, 1, None, True),
    ],
)
def test_the_cap_on_money_says_when_it_does_not_count_the_agent(
    cap: float | None, reviews: int, cost: float | None, told: bool
) -> None:
    current = Request(reviews=(Taken(),) * reviews, agent_cost_usd=cost)
    assert caps.uncounted(current, SupervisorOptions(max_cost_usd=cap)) == (caps.UNCOUNTED if told else None)


STOP = StopEvent("s", Path("/p"), prompt_id="a")
SEEN = Request(tally=Tally(read=10, tokens=100, began=BEGAN.timestamp()), agent_cost_usd=1.0)


@pytest.mark.parametrize("found", [None, Evidence("do it"), Evidence("do it", began=NOW, tokens=1)])
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"max_minutes": 5.0}, "5 of 5 minutes used"),
        ({"max_cost_usd": 1.0}, "$1.00 of $1 spent"),
        ({"max_tokens": 100}, "100 of 100 tokens used"),
        ({"max_minutes": 5.1, "max_cost_usd": 1.1, "max_tokens": 101}, ""),
    ],
)
def test_what_was_used_once_counts_whatever_is_told_later(
    options: dict[str, float], reason: str, found: Evidence | None
) -> None:
    given = SupervisorOptions(**options)  # type: ignore[arg-type]
    reached = caps.reached(Session("s", request=SEEN), given, STOP, found, NOW)
    assert reached.startswith(reason)
    assert bool(reached) == bool(reason)


ALL = {"max_minutes": 5.0, "max_cost_usd": 1.0, "max_tokens": 100}
ASIDE = {"a1": Aside(9, 60, 60.0, "claude-opus-5"), "a2": Aside(9, 40)}


@pytest.mark.parametrize(
    ("current", "stop"),
    [
        (Request(tally=Tally(tokens=1, asides=ASIDE)), STOP),
        (Request(tokens=1), replace(STOP, tokens=100)),
    ],
)
def test_what_subagents_have_used_counts(current: Request, stop: StopEvent) -> None:
    options = SupervisorOptions(max_tokens=101)
    assert "101 of 101 tokens used" in caps.spent(current, options, stop, Evidence("do it", tokens=50), NOW)
    assert caps.spent(current, SupervisorOptions(max_tokens=102), stop, None, NOW) == ""


PART = Tally(read=10, began=1.0, at_least=True)


@pytest.mark.parametrize(
    ("current", "stop", "found", "names"),
    [
        (Request(), STOP, None, ("max_minutes", "max_cost_usd", "max_tokens")),
        (SEEN, STOP, None, ("max_cost_usd", "max_tokens")),
        (SEEN, STOP, Evidence("do it"), ()),
        (Request(), STOP, Evidence("do it", began=BEGAN, tally=PART), ("max_cost_usd", "max_tokens")),
        (Request(tally=PART), STOP, Evidence("do it"), ("max_cost_usd", "max_tokens")),
        (Request(), StopEvent("s", Path("/p"), cost_usd=0.1, began=BEGAN), None, ("max_tokens",)),
    ],
)
def test_a_cap_that_nobody_can_measure_is_named(
    current: Request, stop: StopEvent, found: Evidence | None, names: tuple[str, ...]
) -> None:
    assert caps.unmeasured(current, SupervisorOptions(**ALL), stop, found) == names  # type: ignore[arg-type]
    assert caps.unmeasured(current, SupervisorOptions(), stop, found) == ()
