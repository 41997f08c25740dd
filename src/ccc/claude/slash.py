"""A message that begins with a slash, as the client takes it: a command by its name, or words.

Rule: pure; every fact ccc believes about slash commands in a message is in this file. Measured on 2.1.325, headless:
the client's own commands are answered without a model, or with "isn't available in this environment"; a command of a
project, a plugin or a skill becomes a request; a name that nobody has goes to the model with a note that there is no
such command; a path with another slash in it, one that exists, and words behind a blank are words.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.claude import mentions
from ccc.claude.transcript_lines import LOCAL_COMMANDS

# Earlier clients' own; to 2.1.325 they are names that nobody has, and so a request and a review, unless it lists them.
_FORMER = frozenset(
    (
        *("approved-tools", "daemon", "env", "files", "install", "migrate-installer", "output-style:new"),
        *("skill-doctor", "tag", "todos", "version"),
    )
)
_OWN = LOCAL_COMMANDS - _FORMER
_COMMAND = pattern(r"/([A-Za-z0-9][\w:.-]*)(?!\S)")


def command(text: str) -> str | None:
    """The name of the command that this message would be for the client."""
    found = _COMMAND.match(text)
    return None if found is None or Path(f"/{found[1]}").exists() else found[1]


def as_words(text: str) -> str:
    """The same words so that the client takes them for no command, whatever they begin with, and reads no file."""
    return mentions.as_words(f" {text}" if text.startswith("/") else text)


def is_known(name: str, listed: Collection[str]) -> bool:
    """Whether the client has it: those that it lists are not all it answers to. A plugin's may be called by its end."""
    return name in _OWN or name in listed or any(each.endswith(f":{name}") for each in listed)


def unknown(name: str, own: Collection[str], listed: Collection[str]) -> CccError:
    """What a person is told who mistyped a command."""
    import difflib

    names = sorted({*own, *(each for each in listed if not each.startswith("_")), *_OWN})
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    told = msg("there is no command /{name}", name=name[:60])
    if not close:
        return CccError(told, msg("to say it to the agent, begin with a blank"))
    return CccError(told, msg("nearest: {names}", names=", ".join(f"/{each}" for each in close)))
