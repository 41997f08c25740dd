"""What was to be done, did not come about, and is told as if it had.

Rule: pure; only where the tools and the words leave no doubt: the last thing that could do anything failed, was
refused or was a rehearsal, nothing was done about it since, and the last message reserves nothing. A failed check is
not looked at here.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ccc.evidence import answers, reserve
from ccc.evidence.acts import Try
from ccc.evidence.facts import Evidence
from ccc.evidence.trying import Shows, carries_out, rehearses


class How(StrEnum):
    FAILED = "failed"
    REFUSED = "refused"
    REHEARSED = "rehearsed"


class Setback(Struct, frozen=True):
    how: How
    what: str
    line: str = ""


def untold(found: Evidence) -> Setback | None:
    """What did not come about and is told as if it had; None where there is nothing, or a doubt."""
    last = _last_deed(found)
    if last is None or last.shows is Shows.CHECK or any(edit.at > last.at for edit in found.edits):
        return None
    if answers.speaks_of_failure(found.last_message) or not reserve.has_none(found.last_message):
        return None
    if any(denial.at == last.at for denial in found.denials):
        return Setback(How.REFUSED, last.what)
    if any(denial.at > last.at for denial in found.denials):
        return None
    if last.wrong or last.failed:
        return Setback(How.FAILED, last.what, last.wrong or last.last_line)
    return Setback(How.REHEARSED, last.what) if last.rehearsed and not rehearses(found.request) else None


def _last_deed(found: Evidence) -> Try | None:
    """The last call that may have done something, whatever was only looked at or pushed since."""
    deeds = [each for each in found.tries if each.shows is not Shows.NOTHING or carries_out(each.what)]
    own = [each for each in deeds if not each.what.startswith("git ")]
    return next(reversed(own or deeds), None)
