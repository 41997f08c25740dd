"""The entry of every command; the one place that turns errors into a line and an exit code.

Rule: knows the names of the commands and loads the one that is called, because every start of ccc pays for what stands
up here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc import __version__
from ccc.base.errors import CccError
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


def run(args: Sequence[str]) -> int:
    """Run ccc; every expected failure ends here as one line on stderr."""
    try:
        return int(main.main(list(args), prog_name="ccc", standalone_mode=False) or 0)
    except CccError as error:
        return _fail(error.message, error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        _show(*error.format_message().splitlines())
        return 2
    except click.ClickException as error:
        from ccc.commands import voice

        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "ccc"
        return _fail(msg("{error} (see: {command} --help)", error=voice.usage(error), command=command), 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail(msg("interrupted"), 130)
    except BrokenPipeError:
        # Whoever read our output has left; a second error while Python closes stdout would tell nobody anything.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except Exception as error:
        if os.environ.get("CCC_DEBUG"):
            return _whole_story()
        return _fail(_unexpected(error), 1)


@click.group(cls=Router, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="ccc %(version)s")
def main() -> None: ...


def _show(*lines: str) -> None:
    from ccc.commands import voice

    voice.show(*lines)


def _fail(line: str, code: int) -> int:
    from ccc.commands import voice

    voice.say(line)
    return code


def _whole_story() -> int:
    from traceback import format_exc

    from ccc.commands import voice

    voice.show(*format_exc().splitlines(), err=True)
    return 1


def _unexpected(error: Exception) -> str:
    frame = error.__traceback__
    while frame and frame.tb_next:
        frame = frame.tb_next
    where = f"{Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}" if frame else "?"
    # The message of a foreign exception may hold anything, a key included; its type and place do not.
    return msg(
        "unexpected {type} at {place}; please report it (CCC_DEBUG=1 shows the whole story)",
        type=type(error).__name__,
        place=where,
    )
