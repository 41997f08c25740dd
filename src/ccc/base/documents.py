"""JSON files that people write: one object each, read whole and within bounds.

Rule: an error names the file and the place, and shows no content; what the keys mean is nobody's business here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ccc.base import files, jsontext
from ccc.base.errors import CccError
from ccc.base.messages import msg

Json = Mapping[str, object]

FILE_LIMIT = 4 * 1024 * 1024


class BadDocument(CccError):
    """A file that does not hold what it should."""


def read_object(path: Path) -> dict[str, object]:
    """The JSON object in a file, {} when there is none; anything else is an error that shows no content."""
    text = files.read_text(path, limit=FILE_LIMIT)
    return {} if text is None else parsed(text, path)


def parsed(text: str, path: Path) -> dict[str, object]:
    """The JSON object in a text that stands at `path`."""
    try:
        document = jsontext.parse(text)
    except jsontext.JsonError as error:
        raise BadDocument(
            msg("{path} is not valid JSON ({error})", path=path, error=error),
            msg("mend it, or move it away and run: ccc init"),
        ) from None
    if not isinstance(document, dict):
        raise BadDocument(
            msg("{path} must hold a JSON object, not {kind}", path=path, kind=kind(document)), msg("see: ccc init")
        )
    return document


def kind(value: object) -> str:
    """What a person would call it."""
    kinds = {
        bool: msg("true or false"),
        int: msg("a number"),
        float: msg("a number"),
        str: msg("a string"),
        list: msg("a list"),
    }
    return kinds.get(type(value), msg("an object") if isinstance(value, dict) else msg("null"))
