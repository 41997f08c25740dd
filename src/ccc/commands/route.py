"""What the words after `ccc` mean: options of a start, a provider's name, words for claude.

Rule: pure; which options there are is click's to know (`starting.launch`), and what claude's commands are is asked only
when the answer depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from itertools import pairwise

from msgspec import Struct

from ccc.base.errors import Misuse
from ccc.base.messages import msg
from ccc.commands import index
from ccc.providers.choosing import unknown_first


class Way(Enum):
    """How claude is started."""

    PLAIN = "plain"
    HOOKS = "hooks"
    HOOKS_WITH_FILES = "hooks with files"
    PTY = "pty"


class Route(Struct, frozen=True):
    provider: str | None  # as typed; None means the current one
    args: tuple[str, ...]  # for claude, unchanged


def split(words: Sequence[str], options: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    """The options of a start, which stand at the beginning, and the rest. `options`: whether a value follows.

    One that only begins like --supervisor is split off as well, for it is nobody else's, and is told as misspelt.
    """
    at = 0
    while at < len(words):
        name, equals, _ = words[at].partition("=")
        if not (name in options or name.startswith("--superv") or (at and name in ("--help", "-h"))):
            break
        at += 2 if options.get(name) and not equals else 1
    return list(words[:at]), list(words[at:])


def way(supervisor: bool, mode: str | None) -> Way | None:
    """As asked for by the options; None leaves it to the environment."""
    if not supervisor:
        return None
    return Way.HOOKS_WITH_FILES if mode == "hooks" else Way.PTY


def route(
    words: Sequence[str],
    providers: Mapping[str, object],
    claude_commands: Callable[[], Collection[str]],
    *,
    a_message: bool = False,
    typed: Sequence[str] = (),
) -> Route:
    """The words of a start, behind ccc's own options as they were `typed`: a provider, then claude's words.

    Words behind a `--` at the beginning are claude's, or, in pty mode, `a_message` for the agent.
    """
    if not words:
        return Route(None, ())
    first, rest = words[0], tuple(words[1:])
    if first == "--":
        return Route(None, tuple(words) if a_message else rest)
    if first in providers:
        return _in_order(Route(first, rest))
    if not _looks_like_a_name(first) or first in claude_commands():
        return _in_order(Route(None, tuple(words)))
    raise unknown_first(first, providers, index.offered(), " ".join(("ccc", *(_misplaced(rest) or typed))))


def _in_order(found: Route) -> Route:
    """Behind the provider every word is claude's, which knows no option of a supervised start."""
    misplaced = _misplaced(found.args)
    if misplaced:
        own, provider = " ".join(misplaced), found.provider or "PROVIDER"
        raise Misuse(
            msg("{option} stands before the provider", option=misplaced[-2] if "--mode" in misplaced else own),
            msg("type: ccc {options} {provider}", options=own, provider=provider),
        )
    return found


def _misplaced(args: Sequence[str]) -> tuple[str, ...]:
    """What of claude's words is meant for ccc, as it should have been typed."""
    words = [part for word in args[: args.index("--") if "--" in args else None] for part in word.split("=", 1)]
    mode = next((pair for pair in pairwise(words) if pair in MODES), ())
    return ("--supervisor", *mode) if mode or "--supervisor" in words else ()


MODES = (("--mode", "hooks"), ("--mode", "pty"))


def _looks_like_a_name(word: str) -> bool:
    return re.fullmatch(r"\w[\w.+-]*", word) is not None
