"""The gate: what a tool call or its absence already decides, before any model is paid.

Rule: pure and cautious. Each rule either objects or says why it is silent; it speaks only where the evidence leaves no
doubt, and at most once a request: afterwards the reviewer decides. Feedback names what the tools returned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from ccc.base.messages import Message, msg
from ccc.base.text import one_line
from ccc.evidence import (
    answers,
    backing,
    files,
    reservation,
    reserve,
    setbacks,
    stance,
    standing,
    trying,
    wording,
)
from ccc.evidence.acts import EDIT_TOOLS, Edit
from ccc.evidence.changes import Change
from ccc.evidence.claims import Claim, claimed
from ccc.evidence.facts import Evidence
from ccc.evidence.outcomes import Outcome
from ccc.evidence.past import Past
from ccc.evidence.standing import Failure
from ccc.evidence.targets import Cover, covers
from ccc.evidence.trying import Shows
from ccc.evidence.wording import Wish
from ccc.judging import objections
from ccc.model import Look, Rule


class Objection(Struct, frozen=True):
    rule: Rule
    feedback: str


Earlier = Callable[[], Past]


class Silence(Struct, frozen=True):
    why: Message


def objection(
    found: Evidence,
    *,
    spoken: Collection[Rule] = (),
    permission_mode: str | None = None,
    earlier: Earlier = Past,
) -> Objection | None:
    """Why the agent may not stop, if that is beyond doubt. `spoken` are the rules that this request has heard.

    `earlier` is asked only when a rule is about to speak: what came before the request takes time to read.
    """
    told = _findings(found, spoken, permission_mode, earlier)
    return next((Objection(rule, finding) for rule, finding in told if isinstance(finding, str)), None)


def looks(found: Evidence, *, permission_mode: str | None = None, earlier: Earlier = Past) -> tuple[Look, ...]:
    """What every rule makes of it, and why."""
    told = _findings(found, (), permission_mode, earlier)
    return tuple(
        Look(rule, True, foreign) if isinstance(foreign, str) else Look(rule, False, foreign.why)
        for rule, foreign in told
    )


def _findings(
    found: Evidence, spoken: Collection[Rule], permission_mode: str | None, earlier: Earlier
) -> Iterator[tuple[Rule, str | Silence]]:
    apart = _nothing_to_judge(found, permission_mode)
    for rule, look in _RULES.items():
        if apart or rule in spoken:
            yield rule, Silence(apart or msg("it has spoken in this request"))
        elif not (found.whole or rule is Rule.CHECK_FAILED):  # what is missing may show what this one looks for
            yield rule, Silence(msg("only the end of the request can be read"))
        else:
            yield rule, look(found, earlier)


def _nothing_to_judge(found: Evidence, permission_mode: str | None) -> Message | None:
    if permission_mode == "plan":
        return msg("the client is in plan mode")
    if not found.complete:
        return msg("the transcript has not arrived yet")
    if found.api_failed:
        return msg("the API ended the turn")
    return None if found.request else msg("no request is known")


def _called_off(found: Evidence) -> Message | None:
    """The last word counts: who asks or forbids meanwhile is not to be overruled."""
    typed = [words for words in found.meanwhile if not words.startswith("/")]
    if any(map(wording.calls_off, typed)):
        return msg("the person called it off meanwhile")
    if any(wording.wish(words).answer for words in typed):
        return msg("the person asked something meanwhile")
    if found.spoken_to and not found.spoken_to.startswith("/"):
        return msg("the person has spoken since the last call, and what they said was answered")
    return None


def _wishes(found: Evidence) -> list[Wish]:
    return [wording.wish(words) for words in (found.request, *found.meanwhile)]


# --- P5 ----------------------------------------------------------------------------------------------------------


def _check_failed(found: Evidence, earlier: Earlier) -> str | Silence:
    """A check failed, and no later one of its kind and target passed."""
    failures = found.failures
    if not failures:
        return Silence(msg("no failed check stands") if found.checks else msg("no check ran"))
    off = _called_off(found)
    if off:
        return Silence(off)
    wishes = _wishes(found)
    if any(wish.red and not wish.checks for wish in wishes):
        return Silence(msg("a failing test is what was asked for"))
    if any(wish.forbids for wish in wishes):
        return Silence(msg("the request forbids changes"))
    excuses = [_excuse(failure, found, wishes, earlier) for failure in failures]
    unexcused = [failure for failure, excuse in zip(failures, excuses, strict=True) if excuse is None]
    return (
        objections.failed(found, unexcused[-1]) if unexcused else Silence(excuses[-1] or msg("no failed check stands"))
    )


def _excuse(failure: Failure, found: Evidence, wishes: Sequence[Wish], earlier: Earlier) -> Message | None:
    """Why this failure is none to object to."""
    command = one_line(failure.command, 80)
    if failure.check.environment and not reserve.has_none(found.last_message):
        return msg("`{command}` failed for want of something that no edit can give", command=command)
    if any(denial.at > failure.at for denial in found.denials):
        return msg("a call was refused after `{command}` had failed", command=command)
    if _tells(found):
        return msg("`{command}` failed, and the agent says so and leaves it open", command=command)
    if _is_known(failure, found, wishes):
        return msg("`{command}` failed in what the person had named, and the agent says so", command=command)
    if any(each.at > failure.at and each.failed and trying.installs(each.what) for each in found.tries):
        return msg("`{command}` failed, and what was to be installed then could not be", command=command)
    if failure.doubt:
        later = one_line(failure.doubt, 80)
        return msg("`{command}` failed, and `{later}` may have shown it mended", command=command, later=later)
    work = found.work
    if not failure.last and not standing.concerns(failure.check, [edit.path for edit in work]):
        return msg("`{command}` may tell of older faults, and other checks ran since", command=command)
    if not work and found.edits:
        return msg("only documents were changed")
    if not work:
        wanted = any(wish.repair for wish in wishes) and any(wish.work for wish in wishes)
        return None if wanted else msg("nothing was changed, and nothing was to be mended")
    return _old(failure, found, wishes, earlier)


def _tells(found: Evidence) -> bool:
    """Whether the agent says what failed and claims no success: it leaves that open, or has only written the test."""
    taken, told = stance.of(found.last_message), answers.speaks_of_failure(found.last_message)
    if found.work and all(files.is_test(edit.path) for edit in found.work):
        return told and not any(each.claim is Claim.TESTS for each in claimed(found.last_message))
    return not taken.claims and (bool(taken.admits) or (told and bool(taken.opens)))


def _is_known(failure: Failure, found: Evidence, wishes: Sequence[Wish]) -> bool:
    """Whether all that fails stands in the person's words and in the agent's, and was not what is to be mended."""
    names = [re.split(r"::|[\s/]", name)[-1] for name in failure.check.failing]
    said = " ".join((found.request, *found.meanwhile))
    told = answers.speaks_of_failure(found.last_message) and all(name in found.last_message for name in names)
    return bool(names) and told and all(name in said for name in names) and not any(wish.checks for wish in wishes)


def _mended(found: Evidence, first: int) -> bool:
    """Whether another target failed before the work and passes now: then that was the job, and the rest is older."""
    before = standing.standing([each for each in found.checks if each.at < first])
    passed = [each.check for each in found.checks if each.at > first and each.check and each.check.passed]
    return any(covers(check.targets, failure.check.targets) is Cover.YES for failure in before for check in passed)


def _old(failure: Failure, found: Evidence, wishes: Sequence[Wish], earlier: Earlier) -> Message | None:
    """Whether it failed before the work as well; no excuse where the failing check itself is the job."""
    first = min(edit.at for edit in found.work)
    if any(wish.checks for wish in wishes) and not _mended(found, first):
        return None
    before = [each.check for each in found.checks if each.check and (each.at < first or each.check.baseline)]
    if failure.at < first and failure.last and found.untried:
        return None  # nothing shows what became of it
    if any(old.baseline and old.outcome is Outcome.UNKNOWN and old.kind is failure.check.kind for old in before):
        return msg(
            "`{command}` was run without the work as well, and nothing shows how that went", command=failure.command
        )
    if failure.at < first or standing.failed_before(failure.check, before):
        return msg("`{command}` failed before the work as well", command=one_line(failure.command, 80))
    if standing.failed_before(failure.check, earlier().baselines):
        return msg("an earlier request showed that `{command}` fails without this work", command=failure.command)
    return None


# --- P4 ----------------------------------------------------------------------------------------------------------


def _not_verified(found: Evidence, earlier: Earlier) -> str | Silence:
    """Code was edited, and nothing that ran since can show whether it works."""
    sure = bool(stance.of(found.last_message).claims) or _was_ordered(found)
    edits = found.untried or (found.unseen if sure else ())
    if not edits:
        return Silence(_why_tried(found))
    why = _called_off(found) or _denied(found, edits[0]) or _not_wanted(found) or _nothing_claimed(found)
    if why:
        return Silence(why)
    if earlier().runs_alone:
        return Silence(msg("the person said earlier that they run it themselves"))
    return objections.unverified(found, edits)


def _why_tried(found: Evidence) -> Message:
    code = [edit for edit in found.edits if edit.code]
    if not code:
        return msg("no code was edited")
    if any(edit.can_break for edit in code):
        tried = [each.what for each in found.ran_since(code[-1]) if each.shows is not Shows.NOTHING]
        shown = one_line(", ".join(tried[:3]), 120) or msg("a call that was cancelled")
        return msg("after the edits something ran that may show it: {what}", what=shown)
    if all(edit.undone for edit in code):
        return msg("the edits were taken back")
    if all(edit.change in (Change.NONE, Change.PROSE, Change.LITERALS) or edit.undone for edit in code):
        return msg("the edits changed comments or literals only")
    return msg("what was edited has no check of its own")


def _denied(found: Evidence, first: Edit) -> Message | None:
    """A person who refused a run or an edit is not overruled; who refused a push has said nothing about running."""
    inert = {each.at for each in found.tries if each.shows is Shows.NOTHING}
    refused = [
        each for each in found.denials if each.at > first.at and (each.tool in EDIT_TOOLS or each.at not in inert)
    ]
    return msg("a call was refused after the edit: {what}", what=refused[0].tool) if refused else None


def _not_wanted(found: Evidence) -> Message | None:
    wishes = _wishes(found)
    if any(wish.forbids for wish in wishes):
        return msg("the request forbids changes")
    if any(wish.unverified for wish in wishes):
        return msg("the person does not want it to be run, or asked for what cannot break")
    if any(map(wording.confirms, found.meanwhile)):
        return msg("the person says that it works")
    if any(map(reservation.reserves, (found.request, *found.meanwhile))):
        return msg("the person keeps the run to themselves")
    if any(map(wording.mentions_checks, found.answers)):
        return msg("the person was asked about checks and has answered")
    return None


def _nothing_claimed(found: Evidence) -> Message | None:
    """Where nothing is claimed, nothing is unproved."""
    if answers.asks_for_output(found.last_message):
        return msg("the agent asks for the output and claims nothing")
    if answers.admits_untried(found.last_message):
        return msg("the agent says that it could not run it")
    if answers.leaves_the_run(found.last_message):
        return msg("the run is left to the person")
    if answers.presents_draft(found.last_message):
        return msg("the agent hands over a draft and claims nothing of it")
    taken = stance.of(found.last_message)
    if taken.left_open:
        return msg("the agent leaves something open and claims no success: {words}", words=one_line(taken.opens, 120))
    if found.last_message and not taken.done and not _was_ordered(found):
        return msg("the last message tells of the edits and does not say that they work or that all is done")
    if (found.wrongs or found.checks_since_edit) and answers.speaks_of_failure(found.last_message):
        return msg("a run did not work, and the agent says so")
    return None


def _was_ordered(found: Evidence) -> bool:
    """Whether the person wanted it to be run as well, and the agent reports without reserve: that says that it was."""
    return any(wish.run for wish in _wishes(found)) and reserve.has_none(found.last_message)


# --- P4, its strongest form --------------------------------------------------------------------------------------


def _false_claim(found: Evidence, earlier: Earlier) -> str | Silence:
    """The last message names something that tools would show, and none of them does; or one shows the contrary."""
    setback = setbacks.untold(found)
    if setback and not _called_off(found) and not any(wish.answer or wish.red for wish in _wishes(found)):
        return objections.untold(found, setback)
    told = backing.unbacked(found)
    sure = [each for each in told if each.sure]
    if not sure:
        return Silence(
            msg("it claims something that may have been shown: {words}", words=told[0].words)
            if told
            else msg("the last message claims nothing that the tools do not show")
        )
    off = _called_off(found)
    if off:
        return Silence(off)
    left = [each for each in sure if not backing.held_by(earlier(), each, found)]
    return objections.unbacked(found, left[0]) if left else Silence(msg("an earlier request shows it"))


# --- P3 ----------------------------------------------------------------------------------------------------------

SHORT_MESSAGE = 2_000


def _only_asked(found: Evidence, earlier: Earlier) -> str | Silence:
    """An offer to start, where an explicit order had been given."""
    if not found.only_asked or found.meanwhile:
        return Silence(msg("tools were used") if found.tools else msg("the last message does not only ask"))
    message = found.last_message
    if not answers.offers_to_start(message):
        return Silence(msg("it asks for what it may need, and does not offer to start"))
    wish = wording.wish(found.request)
    if not wish.work or wish.delicate or wish.answer:
        return Silence(msg("the request is no plain order"))
    if answers.asks_for_secrets(message) or len(message) > SHORT_MESSAGE:
        return Silence(msg("the answer delivers something, or asks for what only a person has"))
    if earlier().asks_first:
        return Silence(msg("this person wants to be asked first"))
    return objections.only_asked(found)


_RULES: Mapping[Rule, Callable[[Evidence, Earlier], str | Silence]] = {
    Rule.CHECK_FAILED: _check_failed,
    Rule.NOT_VERIFIED: _not_verified,
    Rule.FALSE_CLAIM: _false_claim,
    Rule.ONLY_ASKED: _only_asked,
}
