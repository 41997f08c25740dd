"""How the gate does on labelled cases: `make eval-gate`; `--write` keeps the figures in docs/benchmarks.md.

Two halves: those written with the rules in sight, and those of an author who knew only what right, harmless and wrong
mean. Nothing is tuned to a case of the second. A fresh set, by another such author, met the rules when they were made.
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
from tests.eval.second_may_stop import SECOND_MAY_STOP
from tests.eval.second_unproved import SECOND_UNPROVED
from tests.eval.steps import Case, Say

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"
HEADING = "## The gate on labelled cases"
ABOUT = (
    "Printed by `make eval-gate`. Who wrote the blind half knew what right, harmless and wrong mean, not the rules.",
    "When the rules first met all of it, 4 of 192 objections were wrong and 73 % of the unproved claims were caught.",
    "Then mechanisms were mended by the names of what failed, and the last two wrong ones were read: the figures below",
    "are not those of cases that nobody has seen. The fresh set is: it met the rules once, as they stand.",
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


def fresh() -> Half:
    return Half("fresh", [*SECOND_MAY_STOP, *SECOND_UNPROVED], frozenset(case.id for case in SECOND_UNPROVED))


def heard(case: Case, folder: Path, version: str = VERSION) -> str | None:
    """The rule that objects, from the file as a Stop hook would find it, with what came before."""
    path = folder / "case.jsonl"
    path.write_bytes(clients.transcript(case, version))
    said = next((step.text for step in reversed(case.steps) if isinstance(step, Say)), None)
    with transcript.Transcript(path) as file:
        found = file.at_stop(said, timeout=0).conversation
        assert found is not None, case.id
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
        scored = [(half, answers(half, Path(folder))) for half in (*halves(), fresh())]
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
