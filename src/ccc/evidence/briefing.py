"""Facts for the reviewer: what the tools did, what they did not, and what the gate was not sure of.

Rule: at most fifteen lines, each a fact of its own; judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ccc.base.messages import Phrases
from ccc.base.text import one_line
from ccc.evidence import answers, backing, reservation, stance
from ccc.evidence.acts import Command
from ccc.evidence.backing import Unbacked
from ccc.evidence.facts import Evidence
from ccc.evidence.trying import Shows

FACTS_LINES = 15
SHOWN = 5

_WORDS = Phrases(
    "facts",
    {
        "part": "Only the end of this request can be read; what is not named here may stand before that.",
        "edited": "Edited files: ",
        "no_edit": "No file was changed with an editing tool.",
        "ran": "{count} commands ran, {checks} of them checks.",
        "nothing": "No command ran.",
        "passed": "Passed: ",
        "failed": "Failed: ",
        "unknown": "Outcome not shown: ",
        "after": " (after the last edit of code)",
        "before": " (code was edited since)",
        "not_run": "No check ran after the last edit of code ({path}).",
        "only_inert": "After the last edit of code only this ran, which shows nothing about it: {ran}.",
        "stands": "`{command}` failed; since then `{later}` ran, which may not cover it.",
        "not_shown": "The last message says “{words}”; no tool call shows that.",
        "may_be_shown": "The last message says “{words}”; no check of that kind ran, but other programs did.",
        "untried": "The last message says that the change was not run, or asks the person to run it.",
        "open": "Nothing tried the edits, and the last message leaves something open: “{words}”",
        "kept": "The person seems to keep the run to themselves; nothing tried the edits.",
        "denied": "Calls that were refused: ",
        "more": "and {count} more",
        "joint": ", ",
    },
)


def facts(evidence: Evidence, lang: str) -> str:
    """At most fifteen lines for the reviewer: what the tools did, and what they did not."""
    say = _WORDS["zh" if lang == "zh" else "en"]
    files = [one_line(path, 120) for path in evidence.edited_files]
    lines = [] if evidence.whole else [say["part"]]
    lines.append(say["edited"] + _some(files, say) if files else say["no_edit"])
    count = {"count": len(evidence.commands), "checks": len(evidence.checks)}
    lines.append(say["ran"].format(**count) if evidence.commands else say["nothing"])
    lines += [_check_line(check, evidence, say) for check in _latest(evidence.checks)]
    edit = evidence.last_code_edit
    if edit and not evidence.checks_since_edit:
        lines.append(say["not_run"].format(path=one_line(edit.path, 120)))
    lines += _doubts(evidence, say)
    if evidence.denials:
        lines.append(say["denied"] + _some([f"{each.tool} {each.what}".strip() for each in evidence.denials], say))
    return "\n".join(f"- {line}" for line in lines[:FACTS_LINES])


def _doubts(evidence: Evidence, say: Mapping[str, str]) -> Iterator[str]:
    """What the gate may have been silent about, because it was not sure."""
    edit = evidence.last_code_edit
    ran = evidence.ran_since(edit) if edit else ()
    if ran and all(each.shows is Shows.NOTHING for each in ran):
        names = list(dict.fromkeys(one_line(each.what, 40) for each in ran if each.what))
        yield say["only_inert"].format(ran=_some(names, say))
    for failure in [each for each in evidence.failures if each.doubt][-2:]:
        command, later = one_line(failure.command, 120), one_line(failure.doubt, 120)
        yield say["stands"].format(command=command, later=later)
    yield from (_claim_line(each, say) for each in backing.unbacked(evidence)[:2])
    if evidence.untried:
        yield from _left(evidence, say)


def _left(evidence: Evidence, say: Mapping[str, str]) -> Iterator[str]:
    """Why nothing may have had to try the edits."""
    taken = stance.of(evidence.last_message)
    if _leaves_it(evidence.last_message):
        yield say["untried"]
    elif taken.left_open:
        yield say["open"].format(words=one_line(taken.opens, 160))
    if any(map(reservation.reserves, (evidence.request, *evidence.meanwhile))):
        yield say["kept"]


def _claim_line(each: Unbacked, say: Mapping[str, str]) -> str:
    return say["not_shown" if each.sure else "may_be_shown"].format(words=one_line(each.words, 160))


def _leaves_it(message: str) -> bool:
    return any(look(message) for look in (answers.asks_for_output, answers.admits_untried, answers.leaves_the_run))


def _check_line(command: Command, evidence: Evidence, say: Mapping[str, str]) -> str:
    check = command.check
    assert check is not None
    when = say["after"] if command in evidence.checks_since_edit else say["before"]
    shown = f" — {one_line(check.line, 160)}" if check.line else ""
    return f"{say[check.outcome.value]}`{one_line(command.command, 120)}`{when if evidence.code_edited else ''}{shown}"


def _latest(checks: Iterable[Command]) -> list[Command]:
    """The last run of each check, in the order they were run; only the last few."""
    last = {check.command: check for check in checks}
    return sorted(last.values(), key=lambda check: check.at)[-SHOWN:]


def _some(items: list[str], say: Mapping[str, str]) -> str:
    shown = items[:SHOWN]
    rest = [say["more"].format(count=len(items) - SHOWN)] if len(items) > SHOWN else []
    return say["joint"].join([*shown, *rest])
