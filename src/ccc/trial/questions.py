"""What the doctor asks the client itself, begun before anything else is loaded: each answer takes longer than that.

Rule: loads no more than it takes to ask. What the client knows is what ccc remembers of this very file, under its seal,
because every start goes by that; only where nothing is remembered, or too little, it is asked.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import TypeVar

from msgspec import Struct

from ccc.base import process
from ccc.base.text import one_line
from ccc.claude import program

T = TypeVar("T")


class Asked(Struct, frozen=True):
    """Each is waited for when it is called, and raises what kept it from being answered."""

    client: Callable[[], Path]
    version: Callable[[], str | None]  # None: it does not answer
    flags: Callable[[], frozenset[str]]
    anew: Callable[[], frozenset[str]]  # the same, whatever is remembered; asked when it is called


def ask(env: Mapping[str, str], cwd: Path) -> Asked:
    def client() -> Path:
        return program.find(env, cwd)

    return Asked(
        client,
        _meanwhile(lambda: version(client(), env)),
        _meanwhile(lambda: _remembered(client(), env) or _flags(client(), env)),
        lambda: _flags(client(), env),
    )


def memory(env: Mapping[str, str]) -> Path:
    """Where ccc remembers what clients have said."""
    from ccc.providers import config  # in here: the version is asked for meanwhile

    return config.state_directory(env) / "clients.json"


def version(client: Path, env: Mapping[str, str]) -> str | None:
    try:
        ended, answer = process.answer(process.Command((str(client), "--version"), env, Path()), 20)
    except process.CannotStart:
        return None
    said = one_line(answer.decode("utf-8", "replace"), 60)
    return said if ended.exit_code == 0 and said else None


def _remembered(client: Path, env: Mapping[str, str]) -> frozenset[str]:
    known = program.remembered_abilities(client, memory(env))
    return frozenset(known.flags) if known else frozenset()


def _flags(client: Path, env: Mapping[str, str]) -> frozenset[str]:
    with tempfile.TemporaryDirectory() as folder:
        return frozenset(program.abilities(client, Path(folder) / "clients.json", env).flags)


def _meanwhile(look: Callable[[], T]) -> Callable[[], T]:
    """A look that takes its time, begun; what it has found is had by a call."""
    found: list[T] = []
    failed: list[Exception] = []

    def work() -> None:
        try:
            found.append(look())
        except Exception as error:  # told by whoever asks
            failed.append(error)

    def had() -> T:
        thread.join()
        if failed:
            raise failed[0]
        return found[0]

    thread = Thread(target=work, daemon=True)  # whoever interrupts the doctor does not wait for it
    thread.start()
    return had
