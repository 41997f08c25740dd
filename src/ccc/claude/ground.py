"""The project of a start: decided once, before the agent can make a `.git` or remove one.

Rule: by it, and by nothing that stands in the folders now, are the person's checks and judges found. What the person
types later goes by the folders as they are, so a switch counts for either.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import folders
from ccc.claude.program import project_directory


class Ground(Struct, frozen=True):
    project: Path  # as it was at the start
    folder: Path  # where the client was started; with `-w` the worktree that it has made for itself

    @property
    def named(self) -> tuple[Path, ...]:
        """The folders under which ccc.json may have something for it, the nearest first."""
        return (self.folder, self.project) if self._is_worktree else (self.project,)

    @property
    def place(self) -> Path:
        """Where its checks run."""
        found = self.named[0]
        if not found.is_dir():
            raise CccError(msg("{path} is gone, so its checks cannot be run", path=found), msg("start ccc again"))
        return found

    def places(self, *stands: Path) -> tuple[Path, ...]:
        """Likewise, the agent being in one of those: a worktree of the project that it has entered is one more, and it
        is rid of no other by that."""
        above = [folder for each in stands for folder in (each, *each.parents)]
        return tuple(dict.fromkeys((self.place, *self._worktrees(above))))

    def _worktrees(self, among: Sequence[Path]) -> list[Path]:
        try:
            homes = folders.of_repository(self.project)
        except folders.Odd as odd:
            raise CccError(str(odd)) from None
        return [each for each in among if folders.home_of_worktree(each) in homes and each.is_dir()]

    @property
    def switched(self) -> tuple[Path, ...]:
        """The projects that `ccc off` may have been said for."""
        return tuple(dict.fromkeys((self.project, project_directory(self.folder))))

    @property
    def _is_worktree(self) -> bool:
        return self.folder != self.project and folders.home_of_worktree(self.folder) is not None


def has(project: Path, started: str | None) -> bool:
    """Whether a client that was started there is of this project: what an agent starts elsewhere inherits its name."""
    if not started:  # nobody can tell
        return True
    by_name, place = Path(started), Path(os.path.realpath(started))
    near = by_name.is_relative_to(project) or place.is_relative_to(project)
    return near or folders.home_of_worktree(by_name) is not None


def spelt(project: Path) -> str:
    """As a text that every JSON can hold: a name may have any bytes."""
    return os.fsencode(project).decode("latin-1")


def read(text: str) -> Path:
    return Path(os.fsdecode(text.encode("latin-1", "replace")))
