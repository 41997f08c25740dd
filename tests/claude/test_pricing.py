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


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("claude-sonnet-4-5", 3.0),
        ("claude-sonnet-4-5-20250929", 3.0),
        ("claude-sonnet-4-5[1m]", 3.0),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", 3.0),
        ("claude-3-5-haiku@20241022", 0.8),
        ("claude-opus-5-5", 4.0),
        ("claude-opus-5-50", 0.0),  # a later one, at a price that nobody knows yet
        ("claude-opus", 0.0),
        ("glm-9", 0.0),
        ("", 0.0),
        (None, 0.0),
    ],
)
def test_a_model_costs_what_the_list_says_wherever_it_is_served(model: str | None, usd: float) -> None:
    assert pricing.listed(model) == pytest.approx(usd / 1_000_000)


@given(st.tuples(COUNT, COUNT, COUNT, COUNT), COUNT)
def test_no_count_makes_it_lighter(counts: tuple[int, int, int, int], hour: int) -> None:
    assert pricing.weight(counts, hour) >= pricing.weight(counts) >= 0


@pytest.mark.parametrize(
    ("model", "to", "share"),
    [
        ("claude-haiku-4-5", "claude-opus-5", 0.2),
        ("claude-opus-5[1m]", "claude-opus-5", 1.0),
        ("glm-9", "glm-9", 1.0),
        ("", "", 1.0),
        ("glm-9", "claude-opus-5", 0.0),
        ("claude-opus-5", "glm-9", 0.0),
    ],
)
def test_a_token_of_one_model_costs_a_share_of_anothers_where_both_are_on_the_list(
    model: str, to: str, share: float
) -> None:
    assert pricing.relative(model, to) == pytest.approx(share)
