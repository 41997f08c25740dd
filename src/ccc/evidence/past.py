"""What earlier requests of the session show that still holds: old failures, standing rules, how the person works.

Rule: pure; from the moments before the current request, as far back as somebody has read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from ccc.claude.conversation import Asked, Call, Fate, Moment, Said
from ccc.evidence import acts, answers, reservation, wording
from ccc.evidence.checks_known import Kind
from ccc.evidence.outcomes import Checked


class Past(Struct, frozen=True):
    """`baselines` are failures that were shown to be older than the work; `commands` is all that ran."""

    words: tuple[str, ...] = ()
    baselines: tuple[Checked, ...] = ()
    passed: frozenset[Kind] = frozenset()  # the kinds of which the last check did
    commands: tuple[str, ...] = ()
    plans_first: bool = False

    @property
    def asks_first(self) -> bool:
        """Whether this person lets nothing be done without a word of theirs."""
        return self.plans_first or any(map(wording.has_standing_rule, self.words))

    @property
    def runs_alone(self) -> bool:
        """Whether the person keeps running things to themselves."""
        return any(wording.wish(words).unverified or reservation.reserves(words) for words in self.words)


def of(moments: Iterable[Moment]) -> Past:
    turns = list(_turns(moments))
    done = [acts.of([each for each in turn if isinstance(each, Call)]) for turn in turns]
    ran = [command for each in done for command in each.commands]
    last = {command.check.kind: command.check for command in ran if command.check}
    return Past(
        words=tuple(each.text for turn in turns for each in turn if isinstance(each, Asked)),
        baselines=tuple(check for each in done for check in baselines(each)),
        passed=frozenset(kind for kind, check in last.items() if check.passed),
        commands=tuple(command.command for command in ran),
        plans_first=_plans_first(turns),
    )


def baselines(done: acts.Acts) -> Iterator[Checked]:
    """The checks that looked at older code: stashed, or before anything was changed."""
    first = min((edit.at for edit in done.edits if not edit.prose), default=None)
    for command in done.commands:
        if command.check and (command.check.baseline or first is None or command.at < first):
            yield command.check


def _turns(moments: Iterable[Moment]) -> Iterator[list[Moment]]:
    turn: list[Moment] = []
    for moment in moments:
        if isinstance(moment, Asked) and not moment.meanwhile and turn:
            yield turn
            turn = []
        turn.append(moment)
    if turn:
        yield turn


def _plans_first(turns: Sequence[Sequence[Moment]]) -> bool:
    """Whether a plan was offered and then let go by a word, or approved in the client."""
    calls = (each for turn in turns for each in turn if isinstance(each, Call))
    if any(call.name == "ExitPlanMode" and call.fate is Fate.DONE for call in calls):
        return True
    return any(_offers(before) and _approves(after) for before, after in pairwise(turns))


def _offers(turn: Sequence[Moment]) -> bool:
    said = next((each.text for each in reversed(turn) if isinstance(each, Said)), "")
    return answers.asks(said) and not any(isinstance(each, Call) and acts.edited_path(each) for each in turn)


def _approves(turn: Sequence[Moment]) -> bool:
    return isinstance(turn[0], Asked) and wording.approves(turn[0].text)
