"""ccc as a person types it, in this process: far cheaper, where no child, signal or terminal matters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ccc.commands import cli
from tests.world import Run, World

Typed = Callable[..., Run]


def typist(world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """`typed("status", "-h", CCC_LANG="zh")`, in the world's project and with an empty stdin."""
    monkeypatch.chdir(world.project)

    def typed(*words: str, **env: str) -> Run:
        with _environment(world.env(**env)), Path(os.devnull).open() as empty, pytest.MonkeyPatch.context() as here:
            here.setattr("sys.stdin", empty)
            code = cli.run(words)
        return Run(code, *capsys.readouterr())

    return typed


@contextmanager
def _environment(env: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
