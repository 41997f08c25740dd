"""Measure the judge: the real reviewer over labelled stop situations, with a provider of yours.

Rule: costs money and is never run unasked. Each case is a session of its own in a private folder; nothing of yours is
read but the provider, and nothing that stands above that folder is started or followed.
"""

from __future__ import annotations

import json
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccc.base.errors import Misuse
from ccc.base.messages import msg
from ccc.base.process import Command, Limits
from ccc.claude import commandline, kept, loading, program, settings, transcript, unasked, variables
from ccc.claude.commandline import Judge
from ccc.claude.settings import Source
from ccc.claude.variables import Provider
from ccc.judging import criteria, reviewer
from ccc.judging.report import Report
from ccc.judging.reviewer import Launch, Question
from ccc.judging.supervisor import Brief
from ccc.judging.verdict import SCHEMA
from ccc.model import Review, StopEvent, Unreviewed, Verdict
from ccc.providers import allowing, choosing, keeping, launch
from ccc.providers.config import Config
from ccc.record.session import valid_session_id
from ccc.record.store import utc_now
from ccc.trial import stage as stages

OWN_CASES = Path(__file__).with_name("cases.zip")  # those that come with ccc
LABELS = ("may_stop", "must_go_on", "needs_human")
LIMITS = Limits(deadline_seconds=600, idle_seconds=180)


class Case(Struct, frozen=True):
    """A transcript and what a good judge makes of it."""

    id: str
    label: str
    session_id: str
    transcript: bytes


class Candidate(Struct, frozen=True):
    """A judge to be measured: whose model, which one (None: the provider's), and by which criteria."""

    provider: Provider
    model: str | None
    criteria: str
    prompt: str  # what the criteria are called

    @property
    def judge(self) -> str:
        return "/".join(filter(None, (self.provider.name, self.model)))


class Answer(Struct, frozen=True):
    case: Case
    given: str  # one of the labels, or "none"
    cost_usd: float
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        return self.given == self.case.label


Heard = Callable[[Answer], None]


class Score(Struct, frozen=True):
    answers: tuple[Answer, ...]
    interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        cases = len(self.answers)
        return {
            "cases": cases,
            "right": sum(answer.right for answer in self.answers),
            "accuracy": round(sum(answer.right for answer in self.answers) / cases, 4) if cases else None,
            "false_stops": [a.case.id for a in self.answers if a.given == "may_stop" and not a.right],
            "false_blocks": [a.case.id for a in self.answers if a.case.label == "may_stop" and a.given in LABELS[1:]],
            "no_verdict": [a.case.id for a in self.answers if a.given == "none"],
            "cost_usd": round(sum(answer.cost_usd for answer in self.answers), 4),
            "seconds": round(sum(answer.seconds for answer in self.answers), 1),
            "confusion": self.confusion(),
        }

    def confusion(self) -> dict[str, dict[str, int]]:
        """For each label how often each answer was given."""
        pairs = Counter((answer.case.label, answer.given) for answer in self.answers)
        return {label: {given: pairs[label, given] for given in (*LABELS, "none")} for label in LABELS}


def load(folder: Path) -> list[Case]:
    """`cases.json` names each transcript beside it, its label and its session; a zip is as good as a folder."""
    try:
        inside = zipfile.Path(folder) if folder.suffix == ".zip" else folder
        listed = json.loads((inside / "cases.json").read_text())
        cases = [Case(c["id"], c["label"], c["session_id"], (inside / f"{c['id']}.jsonl").read_bytes()) for c in listed]
        if not all(valid_session_id(case.session_id) and valid_session_id(case.id) for case in cases):
            raise ValueError("an id is not one of Claude's")
        return cases
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Misuse(
            msg("{folder} holds no cases ({error})", folder=folder, error=error),
            msg("leave the folder out, or see `ccc eval --help` for what it holds"),
        ) from None


def evaluate(
    cases: Iterable[Case],
    candidate: Candidate,
    tell: Heard,
    *,
    conf: Config,
    client: Path,
    env: Mapping[str, str],
    lang: str,
) -> Score:
    """Have every case judged, one after another, and `tell` of each; an interruption ends it with the score so far."""
    answers: list[Answer] = []
    with stages.passing("eval", env) as folder:
        stage = _Stage(folder, conf, candidate, client, env, lang)
        report = Report.of(env, folder / "log", utc_now)
        for case in cases:
            begun = time.monotonic()
            review = stage.judged(case, report)
            if isinstance(review.opinion, Unreviewed) and review.opinion.interrupted:
                return Score(tuple(answers), interrupted=True)
            answers.append(Answer(case, *_given(review), time.monotonic() - begun))
            tell(answers[-1])
    return Score(tuple(answers))


class _Stage(Struct, frozen=True):
    root: Path
    conf: Config
    candidate: Candidate
    client: Path
    env: Mapping[str, str]
    lang: str

    def judged(self, case: Case, report: Report) -> Review:
        project = self.root / case.id
        project.mkdir()
        config = self.root / "config"
        place = config / "projects" / transcript.named_after(project)
        place.mkdir(parents=True)
        (place / f"{case.session_id}.jsonl").write_bytes(case.transcript)
        sources = self._vetted(project, config)
        known = program.abilities(self.client, self.root / "clients.json", self.env)
        provider = self.candidate.provider
        bare = choosing.without_store(self.conf, choosing.apart(self.conf, provider.name, self.env))
        own = variables.child_environment(bare, provider)
        child = own | {"CLAUDE_CONFIG_DIR": str(config)}
        command = Command(
            commandline.reviewer_command(self.client, self._judge(case, self._kept(sources, child)), known.flags),
            kept.started_with(variables.reviewer_environment(child), self._held),
            project,
        )
        stop = StopEvent(case.session_id, project)
        launch = Launch(stop, Question(command), LIMITS, project / "output.jsonl")
        return reviewer.review(launch, report)

    @property
    def _held(self) -> frozenset[str]:
        return keeping.names(self.conf, self.candidate.provider, self.env, self.root)

    def _vetted(self, project: Path, config: Path) -> Sequence[Source]:
        """As before any start: the provider's key goes to no other address and to no program of somebody else's."""
        sources = settings.sources(config, project)
        settings.refuse_managed(self.candidate.provider, sources)
        allowing.vet(self.conf, project, sources, beaten=lambda _: False)
        unasked.refuse_any((*sources, *settings.servers(project)))
        return sources

    def _kept(self, sources: Sequence[Source], env: Mapping[str, str]) -> str:
        """Where the judge finds what keeps it with its provider, whatever a case has it write into its folder."""
        in_memory = loading.reads_memory(self.client, self.root / "clients.json", self.env)
        kept = settings.pinned(self.candidate.provider, sources, env, secrets=in_memory)
        return str(launch.offered(kept, self.root / "settings", in_memory))

    def _judge(self, case: Case, given: str) -> Judge:
        prompt = criteria.prompt(self.candidate.criteria, self.lang, schema=True, brief=Brief())
        schema = json.dumps(SCHEMA, ensure_ascii=False)
        return Judge(case.session_id, prompt, schema=schema, model=self.candidate.model, settings=given)


def _given(review: Review) -> tuple[str, float]:
    match review.opinion:
        case Unreviewed():
            given = "none"
        case Verdict(allow_stop=True):
            given = "may_stop"
        case Verdict(needs_human=True):
            given = "needs_human"
        case _:
            given = "must_go_on"
    return given, review.cost_usd
