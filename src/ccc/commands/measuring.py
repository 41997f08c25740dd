"""How good a judge is, and which of several: `ccc eval`.

Rule: as in the other commands; what was paid for is shown, whatever ends the run.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc.base.errors import Misuse
from ccc.base.messages import msg
from ccc.commands import completing, here, voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccc.trial.comparison import Comparison, Tell
    from ccc.trial.evaluation import Answer, Candidate, Case


@click.command("eval")
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--judge",
    "--provider",
    "names",
    multiple=True,
    metavar="PROVIDER[/MODEL]",
    help="Whose model judges; several are compared. Without it those who judge in this project.",
    shell_complete=completing.providers,
)
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    metavar="FILE",
    help="A SUPERVISOR.md to judge by; several are compared. `built-in` is ccc's own.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep each answer in this file; what is there already is not asked for again.",
)
@click.option("--only", metavar="ID", help="Only the cases whose id begins so.")
@click.option("--json", "as_json", is_flag=True, help="Print the score as JSON.")
def evaluate(
    folder: Path | None,
    names: tuple[str, ...],
    prompts: tuple[str, ...],
    results: Path | None,
    only: str | None,
    as_json: bool,
) -> int:
    """Run the real reviewer over labelled cases and print how often it is right. Opt-in: it costs money.

    Without FOLDER the cases that come with ccc. Ctrl-C ends it with the score so far.

    FOLDER holds:
      cases.json   [{"id": "a", "label": "must_go_on", "session_id": "…"}, …]
      a.jsonl      the transcript of each id, as Claude Code keeps it; it ends where the agent wants to stop
      The labels:  may_stop, must_go_on, needs_human
    """
    from ccc.base import languages, sink
    from ccc.claude import program
    from ccc.trial import comparison, evaluation

    conf = here.config()
    known = evaluation.load(folder or evaluation.OWN_CASES)
    cases = _wanted(known, only)
    candidates = comparison.candidates(conf, here.project(), names, prompts, os.environ)
    judged = partial(
        evaluation.evaluate,
        conf=conf,
        client=program.find(os.environ, Path.cwd()),
        env=os.environ,
        lang=languages.of_specification(os.environ),
    )
    planned = len(cases) * len(candidates)
    judges = ", ".join(dict.fromkeys(candidate.judge for candidate in candidates))
    voice.say(msg("judged by: {names}; this costs money, Ctrl-C ends it with the score so far", names=judges))
    tell = _teller(planned, several=len(candidates) > 1)
    found = comparison.compare(cases, candidates, judged, kept=results, tell=tell)
    if found.interrupted and sink.columns(err=True):
        voice.show("", err=True)  # below the terminal's ^C
    _show(found, as_json=as_json)
    if found.interrupted:
        voice.say(msg("interrupted; this is the score of {n} of {cases} cases", n=found.answers, cases=planned))
    return 130 if found.interrupted else 0


def _wanted(known: Sequence[Case], only: str | None) -> list[Case]:
    cases = [case for case in known if case.id.startswith(only or "")]
    if cases:
        return cases
    ids = ", ".join(case.id for case in known[:5])
    raise Misuse(
        msg("no case begins with {only}", only=f"{(only or '')[:60]!a}"), msg("the first of them are {ids}", ids=ids)
    )


def _teller(planned: int, *, several: bool) -> Tell:
    """A line for each case as it is judged, with how far it has come, and who judged where there are several."""
    done = count(1)

    def tell(candidate: Candidate, answer: Answer) -> None:
        mark = "✓" if answer.right else "✗"
        who = f"{candidate.judge} {candidate.prompt} " if several else ""
        voice.show(f"[{next(done):>3}/{planned}] {mark} {who}{answer.case.id}: {answer.given}", err=True)

    return tell


def _show(found: Comparison, *, as_json: bool) -> None:
    """A table for people, a row for each judge and prompt; as JSON one judge's score by itself, several as a list."""
    from ccc.base import languages, sink

    if as_json:
        sink.show_json(found.as_json() if len(found.runs) > 1 else found.runs[0].score.as_json(), indent=None)
    else:
        voice.show(*_table(list(found.rows(languages.of_person(os.environ))), sink.columns()))


def _table(rows: list[tuple[str, ...]], width: int) -> list[str]:
    """A row for each judge, or where it has no room a table of its own."""
    from rich.cells import cell_len

    lines = _columns(rows)
    if not width or max(map(cell_len, lines)) <= width:
        return lines
    heads, *runs = rows
    apart = [["", *_columns(list(zip(heads, run, strict=True)))] for run in runs]
    return [line for one in apart for line in one][1:]


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = [[cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return ["  ".join(cells).rstrip() for cells in lines]
