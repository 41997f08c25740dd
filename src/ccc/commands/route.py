"""What the first word after `ccc` means: a provider's name, or words for claude.

Rule: pure; asks what claude's commands are only when the answer depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.providers.choosing import unknown


class Way(Enum):
    """How claude is started."""

    PLAIN = "plain"
    HOOKS = "hooks"
    HOOKS_WITH_FILES = "hooks with files"
    PTY = "pty"


class Route(Struct, frozen=True):
    provider: str | None  # as typed; None means the current one
    args: tuple[str, ...]  # for claude, unchanged
    way: Way | None = None  # as asked for by --supervisor; None leaves it to the environment


def route(
    words: Sequence[str], providers: Mapping[str, object], claude_commands: Callable[[], Collection[str]]
) -> Route:
    """The words of a start: ccc's own options, then a provider, then claude's words."""
    way, rest = _own_options(words)
    return replace(_destination(rest, providers, claude_commands), way=way)


def _destination(
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
    raise unknown(first, providers, for_claude=True)


def _own_options(words: Sequence[str]) -> tuple[Way | None, list[str]]:
    """--supervisor and --mode, before the provider: behind it every word is claude's."""
    rest = list(words)
    supervisor, mode = False, None
    while rest and rest[0].partition("=")[0] in ("--supervisor", "--mode"):
        name, equals, value = rest.pop(0).partition("=")
        if name == "--supervisor":
            supervisor = True
        else:
            mode = value if equals else (rest.pop(0) if rest else "")
    return _way(supervisor, mode), rest


def _way(supervisor: bool, mode: str | None) -> Way | None:
    if mode is not None and not supervisor:
        raise CccError(msg("--mode belongs to --supervisor"), msg("type: ccc --supervisor --mode hooks PROVIDER"))
    if mode not in (None, "hooks", "pty"):
        raise CccError(msg("--mode is {mode}", mode=f"{mode!r}"), msg("there is hooks and pty"))
    if not supervisor:
        return None
    return Way.HOOKS_WITH_FILES if mode == "hooks" else Way.PTY


def _looks_like_a_name(word: str) -> bool:
    return re.fullmatch(r"\w[\w.+-]*", word) is not None
