"""The commands as click knows them: what the words are, which of them is called, what a mistyped one is told.

Rule: the only module that starts click; a command's own module is loaded when it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from ccc import __version__
from ccc.base import lean
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.commands import index

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Router(click.Group):
    """A first word that is no command is a provider, or claude's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = _spelled(args)
        if args and args[0] in (*index.names(), "--help", "--version"):
            return super().parse_args(ctx, args)
        if ctx.resilient_parsing and not args:  # what could be completed is anything
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, ["launch", *_of_start(args)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from ccc.commands.starting import launch

        start = click.Context(launch, ctx, resilient_parsing=True)
        *_, words = launch.params
        names = [] if incomplete.startswith("-") else words.shell_complete(start, incomplete)
        found = (*super().shell_complete(ctx, incomplete), *launch.shell_complete(start, incomplete), *names)
        return list({item.value: item for item in found}.values())

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(index.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module, name = index.COMMANDS.get(cmd_name, ("", ""))
        lean.load_msgspec()
        command = getattr(import_module(f"ccc.commands.{module}"), name) if module else None
        if not isinstance(command, click.Command):
            return None
        from ccc.commands import helping

        return helping.prepared(command)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from ccc.commands import front

        formatter.write(front.page())


def _spelled(args: list[str]) -> list[str]:
    """`help` and its like as click knows them; `help COMMAND` is that command's."""
    match args:
        case ["help", name, *_] if name in index.offered():
            return [name, "--help"]
        case [first, *rest]:
            return [index.SPELLINGS.get(first, first), *rest]
    return args


def _of_start(words: list[str]) -> list[str]:
    """The words of a start as click reads them: its options, and all that is claude's, with every `--` in it."""
    from ccc.commands import route
    from ccc.commands.starting import launch

    options = [param for param in launch.params if isinstance(param, click.Option)]
    own, rest = route.split(words, {name: not each.is_flag for each in options for name in each.opts})
    return [*own, "--", *rest] if rest else own


@click.group(cls=Router, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="ccc %(version)s")
def main() -> None: ...


def run(args: Sequence[str]) -> int:
    try:
        return int(main.main(list(args), prog_name="ccc", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        from ccc.commands import voice

        voice.show(*error.format_message().splitlines())
        return 2
    except click.ClickException as error:
        raise _mistyped(error) from None
    except click.Abort:
        raise KeyboardInterrupt from None


def _mistyped(error: click.ClickException) -> CccError:
    from ccc.commands import usage, voice

    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "ccc"
    told = usage.said(error.format_message(), voice.language())
    others = _knowing(error.option_name) if isinstance(error, click.NoSuchOption) and not error.possibilities else ()
    if others:
        told = msg("{error}; these know it: {commands}", error=told.rstrip(".。"), commands=", ".join(others))
    return Misuse(msg("{error} (see: {command} --help)", error=told, command=command))


def _knowing(option: str) -> list[str]:
    """The commands that have this option."""
    found = {name: main.get_command(click.Context(main), name) for name in index.offered()}
    return [typed for name, each in found.items() if each for typed in _typed(f"ccc {name}", each, option)]


def _typed(path: str, command: click.Command, option: str) -> Iterator[str]:
    if any(option in each.opts for each in command.params):
        yield path
    for name, inner in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _typed(f"{path} {name}", inner, option)
