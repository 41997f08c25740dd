"""A project's own Stop hooks that stand in the place of ccc's.

Rule: reads what a settings file says and changes nothing; what takes our place is refused. What only stands beside is
named by `ccc.claude.declared`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import settings
from ccc.claude.settings import Source, stop_commands


def refuse_copies(sources: Sequence[Source]) -> None:
    """Of two hooks with one command the client calls one, the project's: with its `timeout`, or its `async`."""
    for source in sources:
        if source.kind in settings.OF_PROJECT and _has_copy(source):
            raise CccError(
                msg(
                    "{path} has a Stop hook that calls ccc supervisor-hook, and claude takes a project's instead "
                    "of yours",
                    path=source.path,
                ),
                msg("remove it there"),
            )


def _has_copy(source: Source) -> bool:
    if not stop_commands(source.settings):
        return False
    from ccc_hooks.settings import copied  # in here: every Stop looks, and hardly a project has a hook of its own

    return copied(source.settings)


def refuse_copies_in(folders: Sequence[Path], config_directory: Path) -> None:
    """At a Stop: the agent can write these files, and whatever ccc answers to a copy may not be heard."""
    for folder in dict.fromkeys(folders):
        refuse_copies(settings.in_project(config_directory, folder))
