"""The claims of a final message against what the tools show.

Rule: pure; a claim is `sure` to be without proof only where nothing ran that could have been it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ccc.base.patterns import any_case
from ccc.claude.conversation import Fate
from ccc.evidence import claims
from ccc.evidence.checks_known import Kind
from ccc.evidence.claims import Claim
from ccc.evidence.facts import Evidence
from ccc.evidence.outcomes import HOOK, Checked
from ccc.evidence.past import Past
from ccc.evidence.trying import Shows


class Unbacked(Struct, frozen=True):
    """A claim that no tool shows; `claim` is None where it is about a file that could not be written."""

    claim: Claim | None
    words: str
    sure: bool
    path: str = ""


def unbacked(found: Evidence) -> tuple[Unbacked, ...]:
    return tuple(_unbacked(found))


def held_by(past: Past, each: Unbacked, found: Evidence) -> bool:
    """Whether an earlier request shows what this one does not."""
    match each.claim:
        case None:
            return False
        case Claim.DEPLOYED | Claim.COMMITTED | Claim.PROPOSED | Claim.INTEGRATED:
            return any(_ACTS[each.claim].search(command) for command in past.commands)
    changed = any(edit.can_break for edit in found.edits)
    return not changed and bool(past.passed & _PROVING[each.claim])


_PROVING = {
    Claim.TESTS: frozenset({Kind.TEST}),
    Claim.BUILDS: frozenset({Kind.BUILD, Kind.TYPES, Kind.TEST}),
    Claim.LINTS: frozenset({Kind.LINT}),
}
_HOSTS = r"gh|glab|hub|az|curl|http"
_ACTS = {
    Claim.DEPLOYED: any_case(
        rf"\b(?:{_HOSTS}|push|deploy|publish|release|rsync|scp|sftp|ssh|upload|docker|kubectl|helm|terraform|vercel"
        rf"|fly)\b"
    ),
    Claim.COMMITTED: any_case(rf"\b(?:{_HOSTS}|push|commit|merge|publish|cherry-pick|rebase)\b"),
    Claim.PROPOSED: any_case(rf"\b(?:{_HOSTS})\b|push.*-o merge_request"),
    Claim.INTEGRATED: any_case(rf"\b(?:{_HOSTS})\b"),
}


def _unbacked(found: Evidence) -> Iterator[Unbacked]:
    for path in found.missed:
        # Where nothing was changed at all, any word of a change is about this one.
        words = claims.says_made(found.last_message, path if found.edits else "")
        if words and not any(_name(path) in command.command for command in found.commands):
            yield Unbacked(None, words, sure=not _unknown_ran(found), path=path)
    # Who repeats what the person said claims nothing.
    said = {each.claim for words in (found.request, *found.meanwhile) for each in claims.claimed(words)}
    for each in claims.claimed(found.last_message):
        if each.claim not in said and not _is_backed(each.claim, found):
            yield Unbacked(each.claim, each.words, sure=not _may_have(each.claim, found))


def _is_backed(claim: Claim, found: Evidence) -> bool:
    if claim in _PROVING:
        return any(command.check and _proves(command.check, claim) for command in found.commands)
    ran = [command for command in found.commands if command.fate is not Fate.FAILED]
    return any(_ACTS[claim].search(command.command) for command in ran)


def _proves(check: Checked, claim: Claim) -> bool:
    """Whether this check can be what the claim rests on; a hook may check anything, an empty run nothing."""
    hooked = any(target.tool == HOOK for target in check.targets)
    tested = claim is Claim.TESTS and check.tested
    kinds = {check.kind, *(target.kind for target in check.targets)}  # a line may run one of each
    return (hooked or tested or bool(kinds & _PROVING[claim])) and not check.proves_nothing


def _may_have(claim: Claim, found: Evidence) -> bool:
    """Whether something ran that nobody knows, or a task that may have done this among other things."""
    if _unknown_ran(found):
        return True
    tasks = [target for command in found.checks if command.check for target in command.check.targets if not target.tool]
    builders = any(
        target.tool in ("mvn", "gradle", "bazel", "dotnet")
        for c in found.checks
        if c.check
        for target in c.check.targets
    )
    return claim in _PROVING and (bool(tasks) or builders)


def _unknown_ran(found: Evidence) -> bool:
    return any(each.shows is Shows.SOMETHING and each.ran and not each.failed for each in found.tries)


def _name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
