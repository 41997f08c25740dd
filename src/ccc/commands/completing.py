"""What the shell offers when Tab is pressed: names of providers, sessions and presets, and the script for it.

Rule: the shell shows nothing of what goes wrong here, so whatever is broken offers nothing; click knows the shells.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line, visible
from ccc.commands import here, voice

SHELLS = ("bash", "zsh", "fish")
SESSIONS_OFFERED = 50
Offer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


@click.command()
@click.argument("shell", required=False, type=click.Choice(SHELLS), metavar="[bash|zsh|fish]")
@click.pass_context
def completion(ctx: click.Context, shell: str | None) -> None:
    """Print the script that lets your shell complete what follows ccc; without a name for the one in $SHELL.

    bash, in ~/.bashrc:                    eval "$(ccc completion bash)"
    zsh, in ~/.zshrc, behind compinit:     eval "$(ccc completion zsh)"
    fish, in ~/.config/fish/config.fish:   ccc completion fish | source
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell or _own_shell())
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "ccc", "_CCC_COMPLETE").source()
    # In click's script for fish a description ends at its first comma.
    voice.show(*script.replace('string split ","', 'string split --max 1 ","').splitlines())


def _own_shell() -> str:
    named = Path(os.environ.get("SHELL", "")).name
    if named not in SHELLS:
        raise CccError(
            msg("$SHELL does not tell which shell this is"),
            msg("type: ccc completion {shells}", shells="|".join(SHELLS)),
        )
    return named


def _offer(names: Callable[[], Iterable[tuple[str, str]]]) -> Offer:
    def offered(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            # The shell gets these as lines, and shows them: no break adds one, and nothing in them is obeyed.
            return [
                CompletionItem(name, help=one_line(about))
                for name, about in names()
                if name.startswith(incomplete) and name == visible(name)
            ]
        except CccError:
            return []

    return offered


def _providers() -> Iterable[tuple[str, str]]:
    return ((name, "") for name in here.config().providers)


def _presets() -> Iterable[tuple[str, str]]:
    from ccc.providers import presets

    return ((each.name, each.about) for each in presets.PRESETS.values())


def _sessions() -> Iterable[tuple[str, str]]:
    """Those that were active last, each with its project."""
    from ccc.record import recent, store

    state = here.state()
    for session_id in islice(recent.existing(state), SESSIONS_OFFERED):
        found = store.seen(state, session_id)
        if found:
            yield session_id, found.about.project or ""


def _tasks() -> Iterable[tuple[str, str]]:
    """Those of the fleet that a person would look at first."""
    from ccc.fleet.store import Store

    kept = Store(here.store_address())
    return ((record.id, record.task.title) for record in kept.page(SESSIONS_OFFERED))


providers, presets, sessions, tasks = map(_offer, (_providers, _presets, _sessions, _tasks))


def of_start(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The provider; behind it every word is claude's."""
    return [] if ctx.params.get("words") else providers(ctx, param, incomplete)
