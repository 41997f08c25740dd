"""What the agent's edits amount to: one difference per file, from before the first edit to after the last.

Rule: pure; told by the transcript alone, so neither a commit nor a later change by somebody else can hide it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import PurePath

from msgspec import Struct

from ccc.base.text import head
from ccc.claude.conversation import Edit

LINES_KEPT = 400
LINES_COMPARED = 8_000


class Change(Struct, frozen=True):
    path: str
    lines: tuple[str, ...]  # of a unified diff, without its head
    added: int
    removed: int
    new: bool = False
    whole: bool = True  # False: the files were not recorded, so these are the single edits one after another
    cut: int = 0  # lines that are not shown


def changes(edits: Iterable[Edit]) -> tuple[Change, ...]:
    """One for each file that is not as it was, in the order of their first edit."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.path, []).append(edit)
    found = (_change(path, each) for path, each in by_file.items())
    return tuple(change for change in found if change.added or change.removed or change.new)


def shown_path(path: str, project: str | None) -> str:
    """The path as seen from the project."""
    if project and PurePath(path).is_relative_to(project):
        return str(PurePath(path).relative_to(project))
    return path


def _change(path: str, edits: list[Edit]) -> Change:
    before, after = edits[0].before, edits[-1].after
    if before is None or after is None or before.count("\n") + after.count("\n") > LINES_COMPARED:
        lines = [line for edit in edits for line in edit.hunks]
        return _counted(path, lines, new=before == "", whole=False)
    both = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3)
    return _counted(path, list(both)[2:], new=before == "", whole=True)


def _counted(path: str, lines: list[str], *, new: bool, whole: bool) -> Change:
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    kept = tuple(head(line, 1000) for line in lines[:LINES_KEPT])
    return Change(path, kept, added, removed, new=new, whole=whole, cut=max(0, len(lines) - LINES_KEPT))
