"""JSON as the standard has it, read and written by the library that every value of ccc needs anyway.

Rule: whatever cannot be read or written is a ValueError. What may be damaged is read by anyjson.
"""

from __future__ import annotations

from typing import Any

from msgspec import MsgspecError
from msgspec import json as _json


def loads(data: bytes | bytearray) -> Any:
    try:
        return _json.decode(data)
    except (MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None


def dumps(value: object, *, indent: int = 0, sort_keys: bool = False) -> bytes:
    try:
        data = _json.encode(value, enc_hook=as_text, order="sorted" if sort_keys else None)
    except (MsgspecError, RecursionError, TypeError) as error:
        raise ValueError(str(error)) from None
    return _json.format(data, indent=indent) if indent else data


def as_text(value: object) -> str:
    """For msgspec, which knows `str` alone: any other kind of it, a message say, counts as its text."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"no JSON can hold a {type(value).__name__}")
