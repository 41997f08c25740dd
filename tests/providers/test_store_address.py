"""What of an address is a password."""

from __future__ import annotations

import pytest

from ccc.providers import store_address


@pytest.mark.parametrize(
    ("address", "password", "secrets"),
    [
        ("postgresql://me:s%40t@host/db", "s%40t", {"s%40t", "s@t"}),
        ("postgresql://me@host/db?password=s", "s", {"s"}),
        ("postgresql://host:5432/db?user=me&%70assword=s", "s", {"s"}),
        ("postgresql://me:a@host/db?password=b&sslpassword=c", "a", {"a", "b", "c"}),
        ("postgresql://me:[s@host/db", "[s", {"[s"}),
        ("postgresql://me@host/db?password=s@t", "s@t", {"s@t"}),
        ("postgresql://me@host/db?connect_timeout=5", "", set()),
        ("no address", "", {"no address"}),
        ("", "", set()),
    ],
)
def test_a_password_stands_where_libpq_looks_for_it(address: str, password: str, secrets: set[str]) -> None:
    assert store_address.password(address) == password
    assert store_address.secrets(address) == secrets
