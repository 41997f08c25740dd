"""Words for the person, in the person's language, and questions.

Rule: every word goes through the sink; click writes only the questions, and their words are made safe before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ccc.base import languages, messages


def say(line: str) -> None:
    show(f"ccc: {told(line)}", err=True)


def show(*lines: str, err: bool = False) -> None:
    from ccc.base import sink

    sink.show(*lines, err=err)


def ask(question: str, *, default: str, choices: Sequence[str] = (), hidden: bool = False) -> str:
    """`hidden` is asked only of a person at a terminal, for elsewhere it would be seen."""
    import click  # in here: who starts claude has no use for it

    kind = click.Choice(choices) if choices else str
    if hidden and not _is_person():
        raise Unanswered
    with _somebody():
        return str(click.prompt(_question(question), type=kind, default=default, hide_input=hidden, err=True))


def confirm(question: str) -> None:
    import click

    with _somebody():
        agreed = click.confirm(_question(question), default=True, err=True)
    if not agreed:
        raise click.Abort


class Unanswered(Exception):
    """A question, and neither a terminal nor a line of input to answer it."""


@contextmanager
def _somebody() -> Iterator[None]:
    import click

    try:
        yield
    except click.Abort:
        if _is_person():
            raise
        show("", err=True)  # below the question
        raise Unanswered from None


def _is_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _question(words: str) -> str:
    """click writes the words of its questions itself, so they are made safe before."""
    from ccc.base import sink
    from ccc.base.text import visible

    sink.ready(err=True)
    return visible(words)


def told(line: str) -> str:
    """The line in the person's language."""
    return messages.said(line, language())


def language() -> str:
    return languages.of_person(os.environ)
