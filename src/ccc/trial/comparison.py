"""Judges and prompts side by side: the same cases put to each of them, and how far they agree.

Rule: an answer that was paid for is kept at once, and asked for again only when the judge, the prompt or the case is
another one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccc.base import files, jsonlines, languages, sink
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import Phrases, msg
from ccc.base.sink import Safe
from ccc.claude.variables import SUPERVISED, Provider
from ccc.judging import criteria
from ccc.judging.prompts import built_in
from ccc.model import Juror
from ccc.providers import choosing
from ccc.providers.config import Config
from ccc.trial.evaluation import Answer, Candidate, Case, Heard, Score

Judged = Callable[[Sequence[Case], Candidate, Heard], Score]
Tell = Callable[[Candidate, Answer], None]
BUILT_IN = "built-in"
RESULTS_LIMIT = 64 * 1024 * 1024
HEADS = Phrases(
    "eval",
    {
        0: "judge",
        1: "prompt",
        2: "right",
        3: "wrongly let go",
        4: "wrongly sent back",
        5: "no verdict",
        6: "$",
        7: "seconds",
        8: "agrees with the first",
    },
)


class Run(Struct, frozen=True):
    candidate: Candidate
    score: Score

    def agreement(self, other: Run) -> float | None:
        """How many of the cases that both were given have the same answer."""
        theirs = {answer.case.id: answer.given for answer in other.score.answers}
        same = [answer.given == theirs[answer.case.id] for answer in self.score.answers if answer.case.id in theirs]
        return round(sum(same) / len(same), 4) if same else None


class Comparison(Struct, frozen=True):
    runs: tuple[Run, ...]

    @property
    def interrupted(self) -> bool:
        return any(run.score.interrupted for run in self.runs)

    @property
    def answers(self) -> int:
        return sum(len(run.score.answers) for run in self.runs)

    def as_json(self) -> dict[str, Any]:
        return {
            "runs": [
                {"judge": run.candidate.judge, "prompt": run.candidate.prompt, **run.score.as_json()}
                for run in self.runs
            ],
            "agreement": [[one.agreement(other) for other in self.runs] for one in self.runs],
        }

    def rows(self, lang: str) -> Iterator[tuple[str, ...]]:
        """A table for people, its heads first."""
        yield tuple(HEADS[lang].values())
        for run in self.runs:
            told, agrees = run.score.as_json(), run.agreement(self.runs[0])
            yield (
                run.candidate.judge,
                run.candidate.prompt,
                f"{told['right']}/{told['cases']}",
                str(len(told["false_stops"])),
                str(len(told["false_blocks"])),
                str(len(told["no_verdict"])),
                f"{told['cost_usd']:.4f}",
                f"{told['seconds']:.1f}",
                "–" if agrees is None else f"{agrees:.0%}",
            )


def candidates(
    conf: Config, project: Path, names: Sequence[str], prompts: Sequence[str], env: Mapping[str, str]
) -> list[Candidate]:
    """Every judge by every prompt; where nobody is named, those who judge in this project."""
    agent = env.get(SUPERVISED) or None
    jurors = dict.fromkeys(_named(conf, name) for name in names) or dict.fromkeys(conf.jurors(project))
    judges = [(_provider(conf, juror, agent, env), juror.model) for juror in jurors]
    by = {prompt: _criteria(prompt, env) for prompt in prompts or (BUILT_IN,)}
    return [Candidate(*judge, text, prompt) for judge in judges for prompt, text in by.items()]


def _named(conf: Config, word: str) -> Juror:
    """PROVIDER, or PROVIDER/MODEL; a provider's name holds no slash, a model's may."""
    name, _, model = word.partition("/")
    return Juror(choosing.choose(conf, name), model or None)


def _provider(conf: Config, juror: Juror, agent: str | None, env: Mapping[str, str]) -> Provider:
    name = juror.provider or (agent if agent in conf.providers else choosing.choose(conf))
    if name is None:
        raise CccError(msg("no provider is configured in {path}", path=conf.path), msg("run: ccc init"))
    # In an agent's session its key stands in variables that another one's configuration may refer to.
    return choosing.resolve(conf, name, choosing.apart(conf, name, env))


def _criteria(prompt: str, env: Mapping[str, str]) -> str:
    if prompt == BUILT_IN:
        return built_in(languages.of_specification(env))
    if not Path(prompt).is_file():
        raise Misuse(
            msg("there is no file {path} to judge by", path=prompt), msg("`built-in` is ccc's own SUPERVISOR.md")
        )
    return criteria.read(Path(prompt))


def compare(
    cases: Sequence[Case], candidates: Sequence[Candidate], judged: Judged, *, kept: Path | None, tell: Tell
) -> Comparison:
    """Each candidate over all cases; `kept` is where answers are found and put down. Who is interrupted is the last to
    be asked; of the others there is what was kept."""
    known = dict(_known(kept)) if kept else {}
    if kept and _is_torn(kept):
        _append(kept, sink.lines(""))
    runs: list[Run] = []
    for each in candidates:
        found = [Answer(case, **known[key]) for case in cases if (key := _key(each, case)) in known]
        over = any(run.score.interrupted for run in runs)
        runs.append(Run(each, _completed(cases, each, found, None if over else judged, kept, tell)))
    return Comparison(tuple(runs))


def _completed(
    cases: Sequence[Case],
    candidate: Candidate,
    found: Sequence[Answer],
    judged: Judged | None,
    kept: Path | None,
    tell: Tell,
) -> Score:
    """What was found, and what is missing asked for, unless there is nobody to ask; in the order of the cases."""

    def heard(answer: Answer) -> None:
        if kept:
            _keep(kept, candidate, answer)
        tell(candidate, answer)

    for answer in found:
        tell(candidate, answer)
    have = {answer.case.id for answer in found}
    missing = [case for case in cases if case.id not in have]
    asked = judged(missing, candidate, heard) if judged and missing else Score((), interrupted=bool(missing))
    by_id = {answer.case.id: answer for answer in (*found, *asked.answers)}
    return Score(tuple(by_id[case.id] for case in cases if case.id in by_id), asked.interrupted)


def _key(candidate: Candidate, case: Case) -> str:
    """Changes with whatever an answer depends on, as far as ccc knows it."""
    provider = candidate.provider
    who = (candidate.judge, provider.base_url or "", provider.model or "", candidate.criteria)
    parts = (*who, case.id, case.label, case.transcript.hex())
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _keep(kept: Path, candidate: Candidate, answer: Answer) -> None:
    told = {"given": answer.given, "cost_usd": answer.cost_usd, "seconds": round(answer.seconds, 3)}
    named = {"judge": candidate.judge, "prompt": candidate.prompt, "case": answer.case.id}
    _append(kept, sink.json_line({"key": _key(candidate, answer.case), **named, **told}))


def _append(kept: Path, line: Safe) -> None:
    if not files.append_line(kept, line):
        raise CccError(msg("{path} cannot be written, so this answer would be lost", path=kept))


def _known(kept: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What an earlier run has put down; no answer is one to ask for again."""
    with jsonlines.opened(kept) as fd:
        for line in jsonlines.from_start(fd, RESULTS_LIMIT) if fd is not None else ():
            given, cost, seconds = (line.get(name) for name in ("given", "cost_usd", "seconds"))
            numbers = all(isinstance(each, int | float) for each in (cost, seconds))
            if isinstance(given, str) and given != "none" and numbers:
                yield str(line.get("key")), {"given": given, "cost_usd": cost, "seconds": seconds}


def _is_torn(kept: Path) -> bool:
    """Whether its last line has no end, so that the next answer would be lost with it."""
    with jsonlines.opened(kept) as fd:
        size = os.fstat(fd).st_size if fd is not None else 0
        return fd is not None and size > 0 and os.pread(fd, 1, size - 1) != b"\n"
