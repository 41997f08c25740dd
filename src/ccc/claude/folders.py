"""Which folders of a project the client reads: its settings, its servers, and the worktrees it makes for itself.

Measured with 2.1.325: settings.json here; settings.local.json here, at the root of the repository and at the root that
a worktree belongs to; .mcp.json here and in every folder above, whatever git says. Agents and skills are looked for up
to the nearest repository, and their hooks wait for the client's own question of trust; plugins that stand among the
skills have a module of their own (`skills`).

Rule: the one owner of that knowledge. More rather than fewer than any client looks into, by name and by target; a
pointer that git would not have written so is odd, and somebody has to hear of it: it must not count as none.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.patterns import pattern

POINTER_LIMIT = 4096
# As git writes them: one line, nothing around it.
_GITDIR = pattern(r"gitdir: ([^\s\0\ufeff](?:[^\n\r\0\ufeff]*[^\s\0\ufeff])?)\n?")
_COMMONDIR = pattern(r"([^\s\0\ufeff](?:[^\n\r\0\ufeff]*[^\s\0\ufeff])?)\n?")


class Odd(Exception):
    """A pointer that different programs would follow to different places; the text names it."""


def of_project(cwd: Path) -> list[Path]:
    """The working folder and those above it that a `.git` could make the project's, then where worktrees belong to."""
    above = _up_to_the_last_mark(cwd)
    return list(dict.fromkeys((*above, *(root for folder in above for root in _roots(folder / ".git")))))


def of_servers(cwd: Path) -> list[Path]:
    """The working folder and all above it: no repository ends the client's search for servers."""
    return [cwd, *cwd.parents]


def of_texts(cwd: Path) -> list[Path]:
    """In whose `.claude` the client looks for agents, skills, commands and styles: a worktree has its project's too."""
    try:
        return list(dict.fromkeys((*of_servers(cwd), *of_project(cwd))))
    except Odd:  # told with the settings, which are refused then
        return of_servers(cwd)


def of_repository(project: Path) -> list[Path]:
    """The project's folder and those that its own pointer leads to, where the client makes its worktrees."""
    return list(dict.fromkeys((project, *_roots(project / ".git"))))


def of_worktrees(project: Path, name: str | None) -> list[Path]:
    """The client's worktrees that are there already: those that a name can mean, or all of them."""
    found = [folder for root in of_repository(project) for folder in _inside(root / ".claude" / "worktrees")]
    wanted = None if name is None else name.replace("/", "+").casefold()
    return [folder for folder in found if wanted is None or folder.name.casefold() == wanted]


def home_of_worktree(folder: Path) -> Path | None:
    """The folder that this one is a worktree of, by the place where the client makes them."""
    worktrees = folder.parent
    return worktrees.parent.parent if (worktrees.parent.name, worktrees.name) == (".claude", "worktrees") else None


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if os.path.isdir(path))  # noqa: PTH112  Path's can raise
    except OSError:  # there is none
        return []


def _up_to_the_last_mark(cwd: Path) -> list[Path]:
    folders = [cwd, *cwd.parents]
    marked = [number for number, folder in enumerate(folders) if os.path.lexists(folder / ".git")]
    return folders[: marked[-1] + 1] if marked else [cwd]


def _roots(git: Path) -> Iterator[Path]:
    """The folders beside the repository that this `.git` is or points at."""
    try:
        kind = git.stat().st_mode
    except OSError:  # nothing there, or a link that leads nowhere
        return
    if stat.S_ISDIR(kind):
        yield from _beside(git)
    elif stat.S_ISREG(kind):
        for folder in _both(git.parent, _pointed_at(git, _GITDIR)):
            yield from _roots_of_worktree(folder)
    else:
        raise Odd(msg("{path} is neither a folder nor a plain file", path=git))


def _roots_of_worktree(folder: Path) -> Iterator[Path]:
    pointer = folder / "commondir"
    if not os.path.lexists(pointer):  # a submodule
        return
    for common in _both(folder, _pointed_at(pointer, _COMMONDIR)):
        yield common
        yield from _beside(common)


def _beside(git: Path) -> Iterator[Path]:
    yield git.parent
    yield Path(os.path.realpath(git)).parent


def _both(base: Path, named: str) -> set[Path]:
    """A path as it is written and as it is: a link on the way makes two of them."""
    joined = os.path.join(base, named)  # noqa: PTH118
    return {Path(os.path.normpath(joined)), Path(os.path.realpath(joined))}


def _pointed_at(pointer: Path, form: re.Pattern[str]) -> str:
    try:
        found = form.fullmatch((files.read_bytes(pointer, limit=POINTER_LIMIT) or b"").decode("utf-8"))
    except (CccError, UnicodeDecodeError):  # too long, a pipe, a device, not ours to read
        found = None
    if found is None:
        raise Odd(msg("{path} is not as git writes it", path=pointer))
    return found[1]
