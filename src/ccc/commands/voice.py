"""Words for the person, in the person's language, and questions.

Rule: every word goes through the sink; click writes only the questions, and their words are made safe before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ccc.base import languages, messages
from ccc.base.messages import msg

if TYPE_CHECKING:
    from ccc.providers.config import Config


def say(line: str) -> None:
    show(f"ccc: {told(line)}", err=True)


def show(*lines: str, err: bool = False) -> None:
    from ccc.base import sink

    sink.show(*lines, err=err)


def tell_of_keys(conf: Config) -> None:
    """Before what models have said is shown: a key that stands in a variable is known only where that is set."""
    from ccc.providers import config

    unset = config.unset_keys(conf, os.environ)
    if unset:
        names = ", ".join(unset)
        say(
            msg(
                "{names}: not set here, so a key of that name which a model has repeated is shown as it is", names=names
            )
        )


def ask(question: str, *, default: str, choices: Sequence[str] = (), hidden: bool = False) -> str:
    """`hidden` is asked only of a person at a terminal, for elsewhere it would be seen."""
    import click  # in here: who starts claude has no use for it

    if (hidden and not _is_person()) or _is_silent():
        raise Unanswered
    offered = f"{question} ({', '.join(choices)})" if choices else question
    words = _question(f"{offered} [{default}]" if default else offered)
    while True:
        with _somebody():
            answer = str(
                click.prompt(words, type=str, default=default, show_default=False, hide_input=hidden, err=True)
            )
        if not choices or answer in choices:
            return answer
        say(_is_none_of(answer, choices))


def _is_none_of(answer: str, choices: Sequence[str]) -> str:
    """click would say so in English, and without a name."""
    from difflib import get_close_matches

    close = get_close_matches(answer, choices, n=1)
    if close:
        return msg("{name} is none of these; did you mean {close}?", name=repr(answer), close=close[0])
    return msg("{name} is none of these", name=repr(answer))


AGREED = {"y": True, "yes": True, "是": True, "n": False, "no": False, "否": False}


def confirm(question: str) -> None:
    import click

    if _is_silent():
        raise Unanswered
    words, agreed = _question(f"{question} [Y/n]"), None
    while agreed is None:
        with _somebody():
            answer = str(click.prompt(words, type=str, default="y", show_default=False, err=True))
        agreed = AGREED.get(answer.strip().lower())
        if agreed is None:  # click's own question would say so in English
            say(msg("{name} is no answer; type y or n", name=repr(answer)))
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
        show("", err=True)  # below the question, and the ^C that the terminal has drawn behind it
        if _is_person():
            raise
        raise Unanswered from None


def _is_silent() -> bool:
    """Whether stdin ends before any answer, so that nobody is to be asked at all.

    Only before the first question: behind it, answers that were piped in may be in Python's own buffer already.
    """
    global _heard
    first, _heard = sys.stdin is not _heard, sys.stdin
    if not first or _is_person():
        return False
    peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
    return sys.stdin is None or (peek is not None and not peek(1))


_heard: object = None  # the stdin that was asked last


def _is_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _question(words: str) -> str:
    """click writes the words of its questions itself, so they are made safe, and folded, before."""
    from ccc.base import sink
    from ccc.base.folding import folded
    from ccc.base.text import visible

    sink.ready(err=True)
    *rows, last = folded(f"{visible(words)}:", sink.columns(err=True))
    return "\n".join([*rows, last.removesuffix(":")])


def told(line: str) -> str:
    """The line in the person's language."""
    return messages.said(line, language())


def language() -> str:
    return languages.of_person(os.environ)
