"""What the first word after `ccc` means: a provider's name, or words for claude.

Rule: pure; asks what claude's commands are only when the answer depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ccc.providers import unknown


@dataclass(frozen=True, slots=True)
class Route:
    provider: str | None  # as typed; None means the current one
    args: tuple[str, ...]  # for claude, unchanged


def route(
    words: Sequence[str], providers: Mapping[str, object], claude_commands: Callable[[], Collection[str]]
) -> Route:
    if not words:
        return Route(None, ())
    first, rest = words[0], tuple(words[1:])
    if first == "--":
        return Route(None, rest)
    if first in providers:
        return Route(first, rest)
    if not _looks_like_a_name(first) or first in claude_commands():
        return Route(None, tuple(words))
    raise unknown(first, providers)


def _looks_like_a_name(word: str) -> bool:
    return re.fullmatch(r"\w[\w.+-]*", word) is not None
