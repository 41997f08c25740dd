"""How the gate does on labelled cases: `make eval-gate`; `--write` keeps the figures in docs/benchmarks.md.

Two halves: those written with the rules in sight, and those of an author who knew only what right, harmless and wrong
mean. Four more sets came from such authors later, and met the rules of their day before anybody read what they
objected to. The later ones are the hardest: their author knew the rules, but not what they would be mended to.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ccc.claude import transcript
from ccc.evidence import facts, past
from ccc.judging import gate
from tests.eval import clients, may_stop, mirrored, must_go_on
from tests.eval.blind_themes import THEMES, UNPROVED
from tests.eval.fifth_may_stop import FIFTH_MAY_STOP
from tests.eval.fifth_unproved import FIFTH_UNPROVED
from tests.eval.fourth_may_stop import FOURTH_MAY_STOP
from tests.eval.fourth_unproved import FOURTH_UNPROVED
from tests.eval.hard_may_stop import HARD_MAY_STOP
from tests.eval.long_may_stop import LONG_MAY_STOP
from tests.eval.long_unproved import LONG_UNPROVED
from tests.eval.mixed_cases import MIXED
from tests.eval.second_may_stop import SECOND_MAY_STOP
from tests.eval.second_unproved import SECOND_UNPROVED
from tests.eval.steps import Case, Say
from tests.eval.third_may_stop import THIRD_MAY_STOP
from tests.eval.third_unproved import THIRD_UNPROVED

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"
HEADING = "## The gate on labelled cases"
ABOUT = (
    "Printed by `make eval-gate`. Who wrote the blind and the second to fifth sets knew what right, harmless and wrong",
    "mean, not the rules. Who wrote the later ones had read them. This is what each showed when the rules met it,",
    "before anybody had read what they objected to:",
    "",
    "| at first sight | wrong objections | unproved claims caught |",
    "|---|---|---|",
    "| blind | 4 of 192 | 73 % |",
    "| second | 13 of 150 | 74 of 100 |",
    "| third | 5 of 150 (11 by the rules before) | 94 of 100 |",
    "| fourth | 6 of 150 | 56 of 100 |",
    "| fifth (the rules as they stand) | 0 of 150 | 71 of 100 |",
    "| later, told at length | 21 of 79, after the third was read 6 | 36 of 36, then 35 |",
    "| later, the hard ones | 23 of 60, once a claim was needed 5 | – |",
    "| later, mixed | 1 of 51 | 20 of 22 |",
    "",
    "Since then all but the fifth and the mixed ones were read, and mechanisms were mended: but for these, what",
    "follows are figures of cases seen.",
)
VERSION = "2.1.325"
RULES = ("P5", "P4", "P4-claim", "P3")


@dataclass(frozen=True)
class Half:
    name: str
    cases: Sequence[Case]
    claims: frozenset[str]  # the ids of those that claim what nothing proves


def halves() -> tuple[Half, Half]:
    sighted = [*must_go_on.CASES, *may_stop.CASES, *mirrored.CASES]
    blind = list(chain.from_iterable(THEMES.values()))
    unproved = {case.id for theme in UNPROVED for case in THEMES[theme] if case.label == "must_go_on"}
    claimed = {case.id for case in sighted if case.label == "must_go_on" and case.rule}
    return Half("sighted", sighted, frozenset(claimed)), Half("blind", blind, frozenset(unproved))


def second() -> Half:
    return _unseen("second", SECOND_MAY_STOP, SECOND_UNPROVED)


def third() -> Half:
    return _unseen("third", THIRD_MAY_STOP, THIRD_UNPROVED)


def fourth() -> Half:
    return _unseen("fourth", FOURTH_MAY_STOP, FOURTH_UNPROVED)


def fifth() -> Half:
    return _unseen("fifth", FIFTH_MAY_STOP, FIFTH_UNPROVED)


def later() -> Half:
    unproved = [*LONG_UNPROVED, *(case for case in MIXED if case.label == "must_go_on")]
    free = [*LONG_MAY_STOP, *HARD_MAY_STOP, *(case for case in MIXED if case.label != "must_go_on")]
    return _unseen("later", free, unproved)


def every() -> tuple[Half, ...]:
    return (*halves(), second(), third(), fourth(), fifth(), later())


def _unseen(name: str, free: Sequence[Case], unproved: Sequence[Case]) -> Half:
    return Half(name, [*free, *unproved], frozenset(case.id for case in unproved))


def heard(case: Case, folder: Path, version: str = VERSION) -> str | None:
    """The rule that objects, from the file as a Stop hook would find it, with what came before."""
    path = folder / "case.jsonl"
    path.write_bytes(clients.transcript(case, version))
    said = next((step.text for step in reversed(case.steps) if isinstance(step, Say)), None)
    with transcript.Transcript(path) as file:
        known = file.at_stop(said, timeout=0)
        found = known.conversation
        assert found is not None, case.id
        if known.own_command:  # the agent has only had its say about a command of the person's: nobody asks the gate
            return None
        answer = gate.objection(facts.of(found), permission_mode=case.mode, earlier=lambda: past.of(file.earlier()))
    return answer.rule.value if answer else None


def answers(half: Half, folder: Path) -> dict[str, str | None]:
    return {case.id: heard(case, folder) for case in half.cases}


def wrong(half: Half, told: dict[str, str | None]) -> list[str]:
    return [f"{case.id} ({told[case.id]})" for case in half.cases if case.label != "must_go_on" and told[case.id]]


def missed(half: Half, told: dict[str, str | None]) -> list[str]:
    return [case.id for case in half.cases if case.id in half.claims and not told[case.id]]


def table(half: Half, told: dict[str, str | None]) -> list[str]:
    rows = [f"| {half.name} | silent | {' | '.join(RULES)} |", "|---|" + "---|" * (len(RULES) + 1)]
    for label in ("may_stop", "needs_human", "must_go_on"):
        given = [told[case.id] for case in half.cases if case.label == label]
        if given:
            rows.append(f"| {label} ({len(given)}) | {given.count(None)} | {_counts(given)} |")
    return rows


def _counts(given: Sequence[str | None]) -> str:
    return " | ".join(str(given.count(rule)) for rule in RULES)


def summary(half: Half, told: dict[str, str | None]) -> str:
    free = [case for case in half.cases if case.label != "must_go_on"]
    caught = len(half.claims) - len(missed(half, told))
    share = 100 * caught / len(half.claims)
    return (
        f"{half.name}: {len(half.cases)} cases; wrong objections {len(wrong(half, told))} of {len(free)};"
        f" unproved claims caught {caught} of {len(half.claims)} ({share:.0f} %)"
    )


def section(scored: Iterable[tuple[Half, dict[str, str | None]]]) -> str:
    lines = [HEADING, "", *ABOUT, ""]
    for half, told in scored:
        lines += [summary(half, told), "", *table(half, told), ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        scored = [(half, answers(half, Path(folder))) for half in every()]
    print(section(scored))
    for half, told in scored:
        print(f"{half.name}, wrong: {', '.join(wrong(half, told)) or 'none'}")
        print(f"{half.name}, missed: {', '.join(missed(half, told)) or 'none'}")
    if "--write" in sys.argv:
        kept = DOCUMENT.read_text().partition(HEADING)[0].rstrip()
        DOCUMENT.write_text(f"{kept}\n\n{section(scored)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
