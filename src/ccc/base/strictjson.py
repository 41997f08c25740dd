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
        data = _json.encode(value, enc_hook=_text, order="sorted" if sort_keys else None)
    except (MsgspecError, RecursionError, NotImplementedError) as error:
        raise ValueError(str(error)) from None
    return _json.format(data, indent=indent) if indent else data


def _text(value: object) -> str:
    if isinstance(value, str):  # some kind of str
        return str(value)
    raise NotImplementedError(type(value).__name__)
