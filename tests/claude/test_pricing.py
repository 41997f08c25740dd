from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude import pricing

COUNT = st.integers(0, 2**53)


# What 2.1.325 charged for claude-sonnet-4-5, at $3 for a million tokens of plain input.
@pytest.mark.parametrize(
    ("counts", "hour", "usd"),
    [((1000, 1000, 500, 100), 0, 0.018525), ((1000, 1000, 0, 0), 0, 0.018), ((0, 0, 0, 100), 100, 0.0006)],
)
def test_the_weight_of_tokens_times_the_price_of_one_is_what_the_client_charges(
    counts: tuple[int, int, int, int], hour: int, usd: float
) -> None:
    assert pricing.weight(counts, hour) * 3e-6 == pytest.approx(usd)


@given(st.tuples(COUNT, COUNT, COUNT, COUNT), COUNT)
def test_no_count_makes_it_lighter(counts: tuple[int, int, int, int], hour: int) -> None:
    assert pricing.weight(counts, hour) >= pricing.weight(counts) >= 0
