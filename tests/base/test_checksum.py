"""The digests are those of the standard library, whatever brings them."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import example, given
from hypothesis import strategies as st

from ccc.base import checksum


@given(st.binary())
def test_a_digest_is_hashlibs(data: bytes) -> None:
    assert checksum.of(data) == hashlib.sha256(data).hexdigest()


@given(st.binary(), st.binary(min_size=1, max_size=200))
@example(b"", b"k" * 64)
@example(b"", b"k" * 65)
def test_a_keyed_digest_is_hmacs(data: bytes, key: bytes) -> None:
    assert checksum.keyed(data, key) == hmac.new(key, data, "sha256").hexdigest()
