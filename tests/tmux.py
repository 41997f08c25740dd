"""A terminal that breaks long rows when it gets narrower, as most do and the one of `terminals` does not."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self


class Tmux:
    """One program in one window, from construction to the end of the `with` block."""

    def __init__(self, folder: Path, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> None:
        self._env, self._socket = {**env, "TERM": "xterm-256color"}, str(folder / "tmux")
        self("-f", os.devnull, "new-session", "-d", "-x110", "-y30", "-c", str(cwd), *argv)

    def __call__(self, *words: str) -> str:
        command = ["tmux", "-S", self._socket, *words]
        return subprocess.run(command, env=self._env, capture_output=True, text=True, check=True).stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self("kill-server")

    @property
    def rows(self) -> list[str]:
        return [row for row in self("capture-pane", "-p").splitlines() if row]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)
