"""What a shell command line consists of.

Rule: values only; a substitution is a script of its own, wherever it stands.
"""

from __future__ import annotations

from msgspec import Struct

Words = tuple[str, ...]


class Here(Struct):
    """A here-document or here-string; the text of a document is filled in at the end of the line that names it."""

    tag: str
    quoted: bool
    stripped: bool
    text: str = ""
    inner: tuple[Script, ...] = ()


class Simple(Struct, frozen=True):
    """A command and its words; `substituted` are the scripts in them, `muted` sends its output to a file."""

    words: Words
    muted: bool = False
    substituted: tuple[Script, ...] = ()
    heres: tuple[Here, ...] = ()

    @property
    def inner(self) -> tuple[Script, ...]:
        """The scripts that it waits for."""
        return self.substituted + tuple(script for here in self.heres for script in here.inner)


class Group(Struct, frozen=True):
    """Commands in brackets or of a compound command. `loose`: a condition or a loop, whose status speaks for none."""

    body: Script
    muted: bool = False
    substituted: tuple[Script, ...] = ()
    heres: tuple[Here, ...] = ()
    loose: bool = False

    @property
    def inner(self) -> tuple[Script, ...]:
        return self.substituted + tuple(script for here in self.heres for script in here.inner)


class Function(Struct, frozen=True):
    name: str
    body: Group | None


Part = Simple | Group | Function


class Pipeline(Struct, frozen=True):
    parts: tuple[Part, ...]
    negated: bool


class Statement(Struct, frozen=True):
    """Pipelines, each with the operator before it."""

    chain: tuple[tuple[str, Pipeline], ...]
    background: bool


Script = tuple[Statement, ...]
