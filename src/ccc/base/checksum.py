"""SHA-256, plain and keyed, without what the standard library's own front loads beside it.

Rule: the digests are hashlib's and hmac's, to the byte. Those two load OpenSSL, which takes longer than all the hook
ever has to digest; the module that Python itself is built with does the same.
"""

from __future__ import annotations

# Not from typing: the status line would have to load it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # from Python 3.12 on
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:  # a Python that was built without them
            from hashlib import sha256

BLOCK_BYTES = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def of(data: bytes) -> str:
    return sha256(data).hexdigest()


def keyed(data: bytes, key: bytes) -> str:
    """As RFC 2104 has it."""
    filled = (sha256(key).digest() if len(key) > BLOCK_BYTES else key).ljust(BLOCK_BYTES, b"\0")
    inner = sha256(filled.translate(_INNER) + data).digest()
    return of(filled.translate(_OUTER) + inner)
