"""The review of hooks mode: which client, which words, which limits.

Rule: prepares and hands over; the reviewer's process belongs to ccc.judging.reviewer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import documents, files, interpreter
from ccc.base.files import scratch_folder
from ccc.base.process import Command
from ccc.claude import commandline, program, settings, unasked, variables
from ccc.claude.commandline import Judge
from ccc.claude.settings import Source
from ccc.judging import criteria, prompts
from ccc.judging.reviewer import Question
from ccc.judging.supervisor import Brief
from ccc.judging.verdict import SCHEMA, read
from ccc.model import Engine, StopEvent
from ccc.providers import allowing, choosing
from ccc.providers.config import Config
from ccc.record.session import About
from ccc.record.store import Memory
from ccc_hooks import lineage
from ccc_hooks.call import Call


class Asking(Struct, frozen=True):
    """One Stop on its way to a fork of its session, on the agent's model where that is known."""

    event: StopEvent
    call: Call
    config: Config
    memory: Memory
    model: str | None
    words: tuple[str, ...] = ()  # all that the person has said in this session
    context: int = 0  # how long the conversation is, in tokens

    def question(self, brief: Brief) -> Question:
        # Once more, because the agent can write these files, and may be in another folder by now.
        sources = settings.sources(self.config.directory, self.event.cwd)
        allowing.vet(self.config, self.event.cwd, sources, beaten=lambda _: False)
        settings.refuse_steered(sources, self.call.env.get(variables.STEERING), own=self.call.settings)
        if (before := self.call.env.get(variables.BROUGHT)) is not None:
            unasked.refuse_new((*sources, *settings.servers(self.event.cwd)), before.split(","))
        judge = self._judge(brief, sources)
        return Question(
            command=self._command(judge),
            engine=self.config.supervisor.engine,
            model=self.model,
            read=partial(read, default=prompts.DEFAULT_FEEDBACK[self.call.lang]),
            again=lambda fork: self._command(
                replace(judge, session_id=fork, fork=False, prompt=prompts.again(self.call.lang))
            ),
        )

    def _command(self, judge: Judge) -> Command:
        return Command(argv=self._argv(judge), env=self._environment(), cwd=self.event.cwd)

    def _judge(self, brief: Brief, sources: Sequence[Source]) -> Judge:
        event, schema = self.event, not self.config.supervisor.verdict.in_words(self.context)
        tasks = [task.about or task.id for task in event.tasks]
        return Judge(
            session_id=event.session_id,
            prompt=criteria.prompt(
                self._criteria(), self.call.lang, schema=schema, brief=brief, tasks=tasks, words=self.words
            ),
            schema=json.dumps(SCHEMA, ensure_ascii=False) if schema else None,
            model=self.model,
            permission_mode=event.permission_mode,
            settings=self._settings(sources),
        )

    def _settings(self, sources: Sequence[Source]) -> str | None:
        path = self.call.settings
        if not settings.hooks_may_go(sources):
            return str(path) if path else None
        # The file that ccc wrote for reviewers holds no secret, so it may stand on a command line.
        given = documents.read_object(path) if path else {}
        return json.dumps({**given, **settings.WITHOUT_HOOKS})

    def _argv(self, judge: Judge) -> tuple[str, ...]:
        client = program.find(self.call.env, self.event.cwd)
        if self.config.supervisor.engine is Engine.SDK:
            return interpreter.command("ccc.judging.sdk_engine", str(client), str(self._order(judge)))
        known = program.abilities(client, self.call.store.directory / "clients.json", self.call.env)
        return commandline.reviewer_command(client, judge, known.flags)

    def _order(self, judge: Judge) -> Path:
        """The review as a file, because one word of a command line is too short for it; the engine takes it away."""
        scratch = scratch_folder(self.call.store.directory)
        path = scratch / f"review-{os.getpid()}.json"
        files.replace_own(path, commandline.as_json(judge).encode("utf-8", "replace"), scratch=scratch)
        return path

    def _environment(self) -> dict[str, str]:
        """The reviewer's: what the client was started with, which no settings file written since has a say in."""
        env = self.call.env
        started = lineage.started_with(env)
        if started:
            return variables.reviewer_environment(started)
        name = env.get("CCC_PROVIDER")
        provider = choosing.resolve(self.config, name, env) if name and name in self.config.providers else None
        return variables.reviewer_environment(variables.child_environment(env, provider))

    def _criteria(self) -> str | None:
        """SUPERVISOR.md as it was when ccc started; under the plugin, as it is at the first Stop of the session."""
        path = criteria.named_snapshot(self.call.env) or self._first_stop_snapshot()
        if path is None:
            return None
        text = criteria.frozen(path)
        if text is None:
            self.call.report.trouble(self.event, f"{path} was changed or is gone; the built-in prompt is used")
        return text

    def _first_stop_snapshot(self) -> Path | None:
        if "CCC_PROVIDER" in self.call.env:
            return None  # ccc started this client and found no SUPERVISOR.md then
        session = self.memory.session
        kept = session.about.criteria
        if kept is not None:
            return Path(kept) if kept else None
        path = criteria.snapshot(self.event.cwd, self.config.directory, self.call.store.directory)
        self.memory.session = session.known_as(About(criteria=str(path or "")))
        return path
