"""The review of pty mode, as a process of its own: `ccc pty-review` gets a Stop on stdin and tells its story on stdout.

Rule: the same supervise() as hooks mode. A process, because a review blocks and the person must still be able to
type and to interrupt; it ends with whoever started it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from ccc import claude, config, criteria, prompts, providers, reviewer
from ccc.claude import Judge
from ccc.config import Config
from ccc.errors import CccError
from ccc.model import AllowStop, Decision, KeepWorking, Review, StopEvent
from ccc.process import Command, Limits
from ccc.report import WORDS, Report, language
from ccc.request import Request
from ccc.reviewer import Launch
from ccc.state import SessionStore
from ccc.supervisor import Reviewing, Supervisor
from ccc.verdict import answer_verdict
from ccc_legacy.case import Case


def main(env: Mapping[str, str]) -> int:
    case = Case.from_json(json.load(sys.stdin))
    begun = time.monotonic()
    found = config.load(env)
    store = SessionStore(config.state_directory(env), now=_now)
    quiet = os.open(os.devnull, os.O_WRONLY)
    report = Report(WORDS[language(env)], store.log_path, _now, stderr=quiet, echo=1)
    try:
        supervisor = Supervisor(store, _reviews(case, found, store, report, env, begun), report, _limit(found))
        decision = supervisor.supervise(case.stop)
    except CccError as error:
        decision = report.unreviewed(str(error))
    print(json.dumps(as_told(decision), ensure_ascii=False), flush=True)
    return 0


def as_told(decision: Decision) -> dict[str, Any]:
    match decision:
        case KeepWorking(feedback):
            return {"event": "decision", "feedback": feedback}
        case AllowStop(outcome, why, notice):
            return {"event": "decision", "outcome": outcome and outcome.value, "why": why, "notice": notice}


def _limit(found: Config) -> int:
    return found.supervisor.max_iterations


def _now() -> datetime:
    return datetime.now(UTC)


def _reviews(
    case: Case, found: Config, store: SessionStore, report: Report, env: Mapping[str, str], begun: float
) -> Reviewing:
    def review(stop: StopEvent, request: Request) -> Review:
        report.reviewing(stop, engine="cli", model=case.model)
        return reviewer.review(_launch(case, found, store, env, begun, request), report)

    return review


def _launch(
    case: Case, found: Config, store: SessionStore, env: Mapping[str, str], begun: float, request: Request
) -> Launch:
    client = claude.find(env, Path(case.cwd))
    known = claude.abilities(client, store.directory / "clients.json", env)
    lang = language(env)
    credentials = providers.resolve(found, case.provider, env).env if case.provider else {}
    options = found.supervisor
    return Launch(
        stop=case.stop,
        command=Command(
            argv=claude.pty_reviewer_command(client, _judge(case, lang, request), known.flags),
            env=claude.reviewer_environment(env, credentials),
            cwd=Path(case.cwd),
        ),
        limits=Limits(
            deadline_seconds=max(1.0, begun + options.timeout_seconds - time.monotonic()),
            idle_seconds=options.review_idle_seconds,
        ),
        output=store.output_path(case.session_id),
        hangup_fd=1,
        verdict=partial(answer_verdict, default=prompts.DEFAULT_FEEDBACK[lang]),
    )


def _judge(case: Case, lang: str, request: Request) -> Judge:
    text = criteria.frozen(Path(case.criteria))
    if text is None:
        raise CccError(f"{case.criteria} was changed or is gone; start ccc again")
    return Judge(
        session_id=case.session_id,
        system=criteria.system_prompt(text, lang),
        prompt=criteria.context(case.inputs, request.findings, lang),
        model=case.model,
        permission_mode=case.permission_mode,
    )
