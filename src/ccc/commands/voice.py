"""Words for the person, in the person's language, and questions.

Rule: every word goes through the sink; click writes only the questions, and their words are made safe before.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from ccc.base import languages, messages


def say(line: str) -> None:
    show(f"ccc: {told(line)}", err=True)


def show(*lines: str, err: bool = False) -> None:
    from ccc.base import sink

    sink.show(*lines, err=err)


def ask(question: str, *, default: str, choices: Sequence[str] = (), hidden: bool = False) -> str:
    kind = click.Choice(choices) if choices else str
    return str(click.prompt(_question(question), type=kind, default=default, hide_input=hidden, err=True))


def confirm(question: str) -> None:
    click.confirm(_question(question), default=True, abort=True, err=True)


def _question(words: str) -> str:
    """click writes the words of its questions itself, so they are made safe before."""
    from ccc.base import sink
    from ccc.base.text import visible

    sink.ready(err=True)
    return visible(words)


def told(line: str) -> str:
    """The line in the person's language."""
    return messages.said(line, languages.of_person(os.environ))


def usage(error: click.ClickException) -> str:
    """What click has to say, in the person's language."""
    from ccc.commands import usage

    return usage.said(error.format_message(), languages.of_person(os.environ))
