"""What the person typed behind `ccc --supervisor PROVIDER`, taken apart.

Rule: pure; a word is ccc's own, the first message, or the agent's, and none is lost without being named.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ccc.claude import commandline

OWN = ("--json", "--quiet", "--verbose", "--trust-project")
PRINT = ("-p", "--print")


class Wishes(Struct, frozen=True):
    args: tuple[str, ...]  # for the agent
    prompt: str | None = None
    dropped: tuple[str, ...] = ()
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    trusts: bool = False


def wishes(args: Sequence[str]) -> Wishes:
    """Words after `--` are the first message; so are those that stand where claude expects one."""
    options, prompt = list(args), None
    if "--" in options:
        at = options.index("--")
        options, prompt = options[:at], " ".join(options[at + 1 :])
    ours = [word for word in options if word in OWN]
    options, spoken = _spoken([word for word in options if word not in OWN])
    kept, dropped = commandline.without_own_flags(options)
    message = " ".join(filter(None, (spoken, prompt)))
    return Wishes(tuple(kept), message or None, tuple(dropped), *(word in ours for word in OWN))


def _spoken(options: Sequence[str]) -> tuple[list[str], str]:
    """The prompt in claude's own places: first of all, or right behind -p."""
    kept: list[str] = []
    spoken: list[str] = []
    speaks = True
    for word in options:
        speaks = word in PRINT or (speaks and not word.startswith("-"))
        (spoken if speaks and word not in PRINT else kept).append(word)
    return kept, " ".join(spoken)
