"""What click shows as help, in the person's language and at the width of the terminal.

Rule: the words of a command stand where it is defined, in English; here they are looked up and laid out, for every
command alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from inspect import cleandoc

import click

from ccc.base import sink
from ccc.base.folding import folded, in_one_line
from ccc.base.messages import Phrases, foreign, said
from ccc.base.text import columns_of
from ccc.commands import voice

PIPE_COLUMNS = 100
CLICK = Phrases(
    "help",
    {
        "Usage: ": "Usage: ",
        "Options": "Options:",
        "Commands": "Commands:",
        "[OPTIONS]": "[OPTIONS]",
        "COMMAND [ARGS]...": "COMMAND [ARGS]...",
        "Show this message and exit.": "Show this message and exit.",
        "Show the version and exit.": "Show the version and exit.",
        "[default: ": "[default: ",
        "[required]": "[required]",
        "[PROVIDER] [WORD FOR CLAUDE]...": "[PROVIDER] [WORD FOR CLAUDE]...",
    },
)


class Formatter(click.HelpFormatter):
    """Writes whole lines; they are folded when they are asked for."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        words = CLICK[voice.language()]
        for each in ("[OPTIONS]", "COMMAND [ARGS]...", "[PROVIDER] [WORD FOR CLAUDE]..."):
            args = args.replace(each, words[each])
        # Below each other already here: behind a colon it would be a line to copy, which nobody breaks.
        indent = columns_of(words["Usage: "])
        first, *more = folded(f"{prog} {args}", _columns() - indent)
        self.write("".join(f"{row}\n" for row in (f"{words['Usage: ']}{first}", *(" " * indent + row for row in more))))

    def write_heading(self, heading: str) -> None:
        self.write(f"{CLICK[voice.language()].get(heading, heading)}\n")

    def write_text(self, text: str) -> None:
        """A paragraph is one line, unless it has columns or indents: then its lines stay."""
        for number, paragraph in enumerate(text.split("\n\n")):
            lines = paragraph.split("\n") if "  " in paragraph else [in_one_line(paragraph)]
            self.write("\n" if number else "")
            self.write("".join(f"{' ' * self.current_indent}{line}\n" for line in lines))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        width = min(max(columns_of(first) for first, _ in rows), col_max) + col_spacing
        for first, second in rows:
            gap = " " * max(col_spacing, width - columns_of(first))
            self.write(f"{' ' * self.current_indent}{first}{gap}{_in_language(second)}".rstrip(" ") + "\n")

    def getvalue(self) -> str:
        sink.ready()  # click itself prints this, and it is not ASCII
        lines = super().getvalue().splitlines()
        return "".join(f"{row}\n" for line in lines for row in folded(line, _columns()))


def _columns() -> int:
    return sink.columns() or PIPE_COLUMNS


class Helped(click.Context):
    formatter_class = Formatter


def prepared(command: click.Command) -> click.Command:
    """The command with its own words in the person's language, and those of its subcommands."""
    told = copy(command)
    told.context_class = Helped
    told.help = _told(cleandoc(command.help or ""))
    told.short_help = in_one_line(told.help.partition("\n\n")[0])
    told.params = [_param(param) for param in command.params]
    if isinstance(told, click.Group):
        told.commands = {name: prepared(each) for name, each in told.commands.items()}
    return told


def _param(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option) or not param.help:
        return param
    told = copy(param)
    told.help = _told(param.help)
    return told


def _told(text: str) -> str:
    return said(foreign(text), voice.language())


def _in_language(words: str) -> str:
    """What click itself has put into the words of an option."""
    known = CLICK[voice.language()]
    for each in ("Show this message and exit.", "Show the version and exit.", "[default: ", "[required]"):
        words = words.replace(each, known[each])
    return words
