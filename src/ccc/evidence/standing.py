"""Which failures still stand: the last outcome of each kind of check on each target.

Rule: pure; a failure stands until a check that covers it passes. Where it is not clear whether one did, that is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ccc.evidence import files
from ccc.evidence.acts import Command
from ccc.evidence.checks_known import Kind
from ccc.evidence.outcomes import Checked, Outcome
from ccc.evidence.targets import Cover, covers


class Failure(Struct, frozen=True):
    """A failed check that no later one clearly mended; `doubt` is the later one that may have."""

    at: int
    command: str
    check: Checked
    doubt: str = ""
    last: bool = False  # no check ran after it


def standing(commands: Iterable[Command]) -> tuple[Failure, ...]:
    """In the order in which they failed."""
    found: list[Failure] = []
    for command in commands:
        check = command.check
        if check is None or check.baseline:
            continue
        found = [replace(kept, last=False) for each in found if (kept := _after(each, command, check))]
        if check.outcome is Outcome.FAILED:
            found.append(Failure(command.at, command.command, check, last=True))
    return tuple(found)


def _after(failure: Failure, command: Command, check: Checked) -> Failure | None:
    """What becomes of a failure when another check has run."""
    cover = covers(check.targets, failure.check.targets, failure.check.failing)
    if cover is Cover.NO:
        return failure
    if check.outcome is Outcome.PASSED and cover is Cover.YES:
        return None
    if check.outcome is Outcome.FAILED:
        return None if cover is Cover.YES else failure  # the newer one tells more
    return replace(failure, doubt=command.command)


def failed_before(check: Checked, earlier: Iterable[Checked]) -> bool:
    """Whether all that fails now is known to have failed in older code: by its names, or by how many they were."""
    return any(_is_no_worse(check, old) for old in earlier if old.outcome is Outcome.FAILED)


def _is_no_worse(now: Checked, old: Checked) -> bool:
    if now.targets and old.targets and covers(now.targets, old.targets) is covers(old.targets, now.targets) is Cover.NO:
        return False
    if now.failing and old.failing and now.failing <= old.failing:
        return True
    # The names may have been cut off by `tail`, and then the counts must do.
    listed = bool(now.failing) and bool(old.failing) and len(now.failing) == now.count and len(old.failing) == old.count
    if not (now.failing or old.failing or now.count or old.count):
        return bool(now.line) and _alike(now.line) == _alike(old.line)
    if listed or now.count is None or old.count is None:
        return False
    return now.count <= old.count and now.failing <= (old.failing or now.failing)


def _alike(line: str) -> str:
    return re.sub(r"[\d.]+", "0", line)


def concerns(check: Checked, edited: Sequence[str]) -> bool:
    """Whether a failure is about the work: of a linter or a type checker only where it names a file that was edited."""
    if check.kind in (Kind.TEST, Kind.BUILD):
        return True
    named = {name.split("::")[0].split(" ")[0] for name in (*check.failing, *check.line.split())}
    named = {re.split(r"[(:]", name)[0] for name in named}
    return any(files.same(name, path) for name in named if "." in name for path in edited)
