"""Values to and from plain content; of damaged content what is understood counts, and the rest has its default.

Rule: total over any object; knows no file and no subject.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert, to_builtins

from ccc.base.strictjson import as_text

Value = TypeVar("Value", bound=Struct)


def understood(content: Mapping[str, object], kind: type[Value]) -> Value:
    """The value as far as the content tells it. Every field of `kind` has a default."""
    try:
        return convert(content, kind)
    except ValidationError:
        sound = {name: content[name] for name in kind.__struct_encode_fields__ if _fits(content, name, kind)}
        return convert(sound, kind)


def _fits(content: Mapping[str, object], name: str, kind: type[Struct]) -> bool:
    try:
        convert({name: content[name]}, kind)
    except (KeyError, ValidationError):
        return False
    return True


def plain(value: object) -> Any:
    """The value as JSON could hold it; a message as its English text."""
    return to_builtins(value, enc_hook=as_text)
