"""The review of hooks mode: which client, which words, which limits.

Rule: prepares and hands over; the reviewer's process belongs to ccc.reviewer.
"""

from __future__ import annotations

import json
import os
import time
from functools import partial
from pathlib import Path

from ccc.base import files, interpreter
from ccc.base.files import scratch_folder
from ccc.base.process import Command, Limits
from ccc.claude import commandline, program, settings, variables
from ccc.claude.commandline import Judge
from ccc.judging import criteria, prompts, reviewer
from ccc.judging.brief import Brief
from ccc.judging.reviewer import Launch
from ccc.judging.verdict import SCHEMA, verdict_of
from ccc.model import Review, StopEvent
from ccc.providers import allowing, choosing
from ccc.providers.config import Config
from ccc.record.session import About
from ccc.record.store import Memory
from ccc_hooks import lineage
from ccc_hooks.call import Call


def reviewed(call: Call, found: Config, event: StopEvent, brief: Brief, memory: Memory, *, model: str | None) -> Review:
    """Have the Stop reviewed by a fork of its session, on the agent's model where that is known."""
    launch = prepared(call, found, event, brief, memory, model)
    call.report.reviewing(event, engine=found.supervisor.engine, model=model)
    return reviewer.review(launch, call.report)


def prepared(call: Call, found: Config, event: StopEvent, brief: Brief, memory: Memory, model: str | None) -> Launch:
    options = found.supervisor
    # Once more, because the agent can write these files, and may be in another folder by now.
    allowing.vet(found, event.cwd, settings.sources(found.directory, event.cwd), beaten=lambda _: False)
    return Launch(
        stop=event,
        command=Command(
            argv=_argv(call, found, event, _judge(call, found, event, brief, memory, model)),
            env=_environment(call, found),
            cwd=event.cwd,
        ),
        limits=Limits(
            deadline_seconds=max(1.0, call.begun + options.timeout_seconds - time.monotonic()),
            idle_seconds=options.review_idle_seconds,
        ),
        output=call.store.output_path(event.session_id),
        hangup_fd=1,
        verdict=partial(verdict_of, default=prompts.DEFAULT_FEEDBACK[call.lang]),
    )


def _judge(call: Call, found: Config, event: StopEvent, brief: Brief, memory: Memory, model: str | None) -> Judge:
    schema = found.supervisor.verdict == "schema"
    return Judge(
        session_id=event.session_id,
        prompt=criteria.prompt(
            _criteria(call, found, event, memory),
            call.lang,
            schema=schema,
            brief=brief,
            tasks=[task.about or task.id for task in event.tasks],
        ),
        schema=json.dumps(SCHEMA, ensure_ascii=False) if schema else None,
        model=model,
        permission_mode=event.permission_mode,
        settings=call.settings,
    )


def _argv(call: Call, found: Config, event: StopEvent, judge: Judge) -> tuple[str, ...]:
    client = program.find(call.env, event.cwd)
    if found.supervisor.engine == "sdk":
        return interpreter.command("ccc.judging.sdk_engine", str(client), str(_order(call, judge)))
    known = program.abilities(client, call.store.directory / "clients.json", call.env)
    return commandline.reviewer_command(client, judge, known.flags)


def _order(call: Call, judge: Judge) -> Path:
    """The review as a file, because one word of a command line is too short for it; the engine takes it away."""
    scratch = scratch_folder(call.store.directory)
    path = scratch / f"review-{os.getpid()}.json"
    files.replace_own(path, commandline.as_json(judge).encode("utf-8", "replace"), scratch=scratch)
    return path


def _environment(call: Call, found: Config) -> dict[str, str]:
    """The reviewer's: this provider and no other, and the login that the client keeps from its hooks."""
    name = call.env.get("CCC_PROVIDER")
    provider = choosing.resolve(found, name, call.env) if name and name in found.providers else None
    if provider and provider.has_token:
        return variables.reviewer_environment(variables.child_environment(call.env, provider))
    known = {**lineage.hidden_credentials(call.env), **call.env}
    return variables.reviewer_environment(variables.child_environment(known, provider))


def _criteria(call: Call, found: Config, event: StopEvent, memory: Memory) -> str | None:
    """SUPERVISOR.md as it was when ccc started; under the plugin, as it is at the first Stop of the session."""
    path = criteria.named_snapshot(call.env) or _first_stop_snapshot(call, found, event, memory)
    if path is None:
        return None
    text = criteria.frozen(path)
    if text is None:
        call.report.trouble(event, f"{path} was changed or is gone; the built-in prompt is used")
    return text


def _first_stop_snapshot(call: Call, found: Config, event: StopEvent, memory: Memory) -> Path | None:
    if "CCC_PROVIDER" in call.env:
        return None  # ccc started this client and found no SUPERVISOR.md then
    kept = memory.session.about.criteria
    if kept is not None:
        return Path(kept) if kept else None
    path = criteria.snapshot(event.cwd, found.directory, call.store.directory)
    memory.session = memory.session.known_as(About(criteria=str(path or "")))
    return path
