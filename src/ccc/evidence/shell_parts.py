"""What a shell command line consists of.

Rule: values only; a substitution is a script of its own, wherever it stands.
"""

from __future__ import annotations

from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(slots=True)
class Here:
    """A here-document or here-string; the text of a document is filled in at the end of the line that names it."""

    tag: str
    quoted: bool
    stripped: bool
    text: str = ""
    inner: tuple[Script, ...] = ()


@dataclass(frozen=True, slots=True)
class Simple:
    """A command and its words; `substituted` are the scripts in them, `muted` sends its output to a file."""

    words: Words
    muted: bool = False
    substituted: tuple[Script, ...] = ()
    heres: tuple[Here, ...] = ()

    @property
    def inner(self) -> tuple[Script, ...]:
        """The scripts that it waits for."""
        return self.substituted + tuple(script for here in self.heres for script in here.inner)


@dataclass(frozen=True, slots=True)
class Group:
    """Commands in brackets or of a compound command. `loose`: a condition or a loop, whose status speaks for none."""

    body: Script
    muted: bool = False
    substituted: tuple[Script, ...] = ()
    heres: tuple[Here, ...] = ()
    loose: bool = False

    @property
    def inner(self) -> tuple[Script, ...]:
        return self.substituted + tuple(script for here in self.heres for script in here.inner)


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    body: Group | None


Part = Simple | Group | Function


@dataclass(frozen=True, slots=True)
class Pipeline:
    parts: tuple[Part, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """Pipelines, each with the operator before it."""

    chain: tuple[tuple[str, Pipeline], ...]
    background: bool


Script = tuple[Statement, ...]
