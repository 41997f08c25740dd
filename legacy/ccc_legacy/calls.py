"""A tool call as a person reads it.

Rule: pure, total over any input that a tool may be called with.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccc.base.text import one_line

NAMED_BY = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description")


def about(given: Mapping[str, object]) -> str:
    """The one thing a tool call is about."""
    return one_line(str(next((given[key] for key in NAMED_BY if given.get(key)), "")), 100)
