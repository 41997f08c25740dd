"""The review of pty mode, as a process of its own: `ccc pty-review` gets a Case on stdin and tells its story on stdout.

Rule: the same supervise() as hooks mode. A process, because a review blocks and the person must still be able to
type and to interrupt; it ends with whoever started it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import languages, sink
from ccc.base.errors import CccError
from ccc.base.process import Command, Limits
from ccc.claude import commandline, program, settings, variables
from ccc.claude.commandline import Judge
from ccc.evidence import facts
from ccc.evidence.facts import Evidence
from ccc.judging import announce, checks, criteria, prompts, reviewer
from ccc.judging.brief import Brief
from ccc.judging.checks import Runner
from ccc.judging.report import Report
from ccc.judging.reviewer import Launch
from ccc.judging.supervisor import Supervisor
from ccc.judging.verdict import answer_verdict
from ccc.model import Decision, Ran, Review, StopEvent
from ccc.providers import allowing, choosing, config
from ccc.providers.config import Config
from ccc.record import switch
from ccc.record.outside import Kind
from ccc.record.store import SessionStore, utc_now
from ccc_legacy.case import DECISION, Case, ruling


def main(env: Mapping[str, str]) -> int:
    begun = time.monotonic()
    case = Case.from_json(json.load(sys.stdin))
    store = SessionStore(config.state_directory(env), now=utc_now)
    quiet = os.open(os.devnull, os.O_WRONLY)
    report = Report.of(env, store.log_path, utc_now)
    report = replace(report, stderr=quiet, log=replace(report.log, echo=1))
    found: Config | None = None
    try:
        found = config.load(env)
        decision = _decision(Bench(case, found, store, report, env, begun))
    except CccError as error:
        decision = report.unreviewed(str(error))
    told = {"event": DECISION, **ruling(decision).as_json()}
    sink.put(sink.json_line(told))
    if found:
        announce.outcome(found.supervisor.on_outcome, case.stop, decision, case.about(), env)
    return 0


class Bench(Struct, frozen=True):
    """What one case is judged with."""

    case: Case
    found: Config
    store: SessionStore
    report: Report
    env: Mapping[str, str]
    begun: float

    @property
    def project(self) -> Path:
        return program.project_directory(Path(self.case.cwd))

    def examine(self, _: StopEvent) -> Evidence | None:
        return facts.of(self.case.conversation) if self.case.conversation else None

    def check(self, _: StopEvent) -> tuple[Ran, ...]:
        known = checks.of_project(self.found, self.project)
        deadline = self.begun + self.found.supervisor.timeout_seconds
        env = choosing.without_keys(self.found, self.env)
        runner = Runner(self.project, self.store.directory, env, deadline, hangup_fd=1)
        return runner.run(known) if known else ()

    def off(self, stop: StopEvent) -> Kind | None:
        return switch.off(self.store.directory, project=self.project, session_id=stop.session_id)

    def review(self, stop: StopEvent, brief: Brief) -> Review:
        self.report.reviewing(stop, engine="cli", model=self.case.model)
        return reviewer.review(self.launch(brief), self.report)

    def launch(self, brief: Brief) -> Launch:
        options = self.found.supervisor
        return Launch(
            stop=self.case.stop,
            command=self.command(brief),
            limits=Limits(
                deadline_seconds=max(1.0, self.begun + options.timeout_seconds - time.monotonic()),
                idle_seconds=options.review_idle_seconds,
            ),
            output=self.store.output_path(self.case.session_id),
            hangup_fd=1,
            verdict=partial(answer_verdict, default=prompts.DEFAULT_FEEDBACK[languages.of_specification(self.env)]),
        )

    def command(self, brief: Brief) -> Command:
        cwd = Path(self.case.cwd)
        # Once more, because the agent can write these files while it works.
        sources = settings.sources(self.found.directory, cwd)
        allowing.vet(self.found, cwd, sources, beaten=lambda name: name in self.case.beaten)
        client = program.find(self.env, cwd)
        known = program.abilities(client, self.store.directory / "clients.json", self.env)
        name = self.case.provider
        provider = choosing.resolve(self.found, name, self.env) if name else None
        return Command(
            argv=commandline.pty_reviewer_command(client, self.judge(brief), known.flags),
            env=variables.reviewer_environment(variables.child_environment(self.env, provider)),
            cwd=cwd,
        )

    def judge(self, brief: Brief) -> Judge:
        text = criteria.frozen(Path(self.case.criteria))
        if text is None:
            raise CccError(f"{self.case.criteria} was changed or is gone; start ccc again")
        lang = languages.of_specification(self.env)
        return Judge(
            session_id=self.case.session_id,
            system=criteria.system_prompt(text, lang),
            prompt=criteria.context(self.case.inputs, brief, lang),
            model=self.case.model,
            permission_mode=self.case.permission_mode,
            settings=Path(self.case.settings) if self.case.settings else None,
        )


def _decision(bench: Bench) -> Decision:
    supervisor = Supervisor(
        memory=bench.store.open(bench.case.session_id),
        review=bench.review,
        report=bench.report,
        options=bench.found.supervisor,
        examine=bench.examine,
        check=bench.check,
        off=bench.off,
        about=bench.case.about(),
    )
    return supervisor.supervise(bench.case.stop)
