"""Start claude: plain, supervised, or as the demo.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ccc.commands import completing

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@click.command("pty-review", hidden=True)
def pty_review() -> int:
    """One review of pty mode; see legacy/ccc_legacy/judge.py."""
    from ccc_legacy import judge

    return judge.main(os.environ)


class _Start(click.Command):
    """Nobody types its name: by what it is called in help and errors, it can be asked for."""

    def make_context(self, info_name: str | None, *args: Any, **more: Any) -> click.Context:
        return super().make_context("--supervisor", *args, **more)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Behind the provider every word is claude's."""
        return [] if ctx.params.get("words") else super().shell_complete(ctx, incomplete)


@click.command(cls=_Start, hidden=True)
@click.option("--supervisor", is_flag=True, help="Supervised: the agent is run by ccc itself, which reviews its stops.")
@click.option(
    "--mode",
    type=click.Choice(["hooks", "pty"]),
    help="pty (the default), or hooks: Claude's own UI, and a Stop hook in a settings file of ccc's own.",
)
@click.option(
    "--json", is_flag=True, help="In pty mode: one JSON object a line, the agent's stream and ccc's own events."
)
@click.option("--quiet", is_flag=True, help="In pty mode: print the outcome and nothing else.")
@click.option(
    "--verbose", is_flag=True, help="In pty mode: more of the agent's work; without a terminal with the time."
)
@click.option("--trust-project", is_flag=True, help="In pty mode: yes to what the project brings along.")
@click.argument(
    "words",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[PROVIDER] [WORD FOR CLAUDE]...",
    shell_complete=completing.of_start,
)
def launch(
    supervisor: bool,
    mode: str | None,
    json: bool,
    quiet: bool,
    verbose: bool,
    trust_project: bool,
    words: tuple[str, ...],
) -> int:
    """Start claude with a provider, supervised.

    The options stand before the provider; what follows it goes to claude. CCC_SUPERVISOR=1 ccc PROVIDER is hooks mode
    in your settings.json.
    """
    from ccc.commands import start

    if verbose and (not supervisor or mode == "hooks"):  # claude has it too
        words, verbose = ("--verbose", *words), False
    given = {"--json": json, "--quiet": quiet, "--verbose": verbose, "--trust-project": trust_project}
    own = tuple(word for word, is_given in given.items() if is_given)
    return start.begin(start.Options(supervisor, mode, own), words)


@click.command()
@click.option(
    "--mode", type=click.Choice(["hooks", "pty", "fleet"]), default="hooks", show_default=True, help="Which mode."
)
@click.option("--keep", is_flag=True, help="Keep its files, and tell where they are.")
def demo(mode: str, keep: bool) -> int:
    """A whole supervised task to look at: the real client, a scripted model, no account, no key."""
    from ccc.trial import demo_screen

    if mode == "fleet":
        import ccc.fleet.engine  # noqa: F401  what it needs and is not there is told before anything begins
    return demo_screen.run(os.environ, mode, keep=keep)
