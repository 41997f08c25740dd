"""What is plainly an address of a provider is told without a library; the library would say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.providers import choosing

letters = st.text(st.sampled_from("aZ09.-:/@[]?#%_~ \n中"), max_size=20)


@given(st.sampled_from(("http://", "https://", "HTTP://", "ftp://", "")), letters)
def test_the_short_way_says_what_the_long_one_says(scheme: str, rest: str) -> None:
    short = choosing.url_problem(scheme + rest)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(choosing, "_PLAIN_ADDRESS", choosing.pattern(r"(?!)"))
        assert choosing.url_problem(scheme + rest) == short


@pytest.mark.parametrize("address", ["https://api.z.ai/api/anthropic", "http://127.0.0.1:8080", "https://a.b/c/d~e_f/"])
def test_an_ordinary_address_is_one(address: str) -> None:
    assert choosing.url_problem(address) is None
