"""The review of hooks mode: which client, which words, which limits.

Rule: prepares and hands over; the reviewer's process belongs to ccc.judging.reviewer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import checksum, documents, files, handed, interpreter, processes
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import msg
from ccc.base.process import Command
from ccc.claude import commandline, program, servers, settings, shaping, transcript, unasked, variables
from ccc.claude.commandline import Judge
from ccc.claude.ground import Ground
from ccc.claude.settings import Source
from ccc.claude.shaping import LOOKING
from ccc.judging import criteria, prompts
from ccc.judging.reviewer import Question
from ccc.judging.supervisor import Brief
from ccc.judging.verdict import SCHEMA, read
from ccc.model import Engine, Juror, StopEvent
from ccc.providers import allowing, choosing, judges
from ccc.providers.config import Config
from ccc.providers.judges import Chair
from ccc.record.session import About
from ccc.record.store import Memory
from ccc_hooks import headless, lineage
from ccc_hooks.call import Call


class Asking(Struct, frozen=True, dict=True):
    """One Stop on its way to a fork of its session, on the agent's model where that is known."""

    event: StopEvent
    call: Call
    config: Config
    memory: Memory
    ground: Ground
    model: str | None
    words: tuple[str, ...] = ()  # all that the person has said in this session
    context: int = 0  # how long the conversation is, in tokens

    def question(self, brief: Brief, juror: Juror) -> Question:
        # Once more, because the agent can write these files, and may be in another folder by now.
        sources = settings.sources(self.config.directory, self.event.cwd)
        allowing.vet(self.config, self.event.cwd, sources, beaten=lambda _: False, ground=self.ground)
        settings.refuse_steered(sources, self.call.env.get(variables.STEERING), own=self.call.settings)
        if (before := self.call.env.get(variables.BROUGHT)) is not None:
            unasked.refuse_new((*sources, *settings.servers(self.event.cwd)), before.split(","))
        if (before := self.call.env.get(variables.SHAPED)) is not None:
            shaping.refuse_new(self._shaping(sources), before.split(","))
        chair = judges.seated(self.config, juror, self._provider, self._started)
        judge = self._judge(brief, sources, chair)
        return Question(
            command=self._command(judge, chair),
            engine=self.config.supervisor.engine,
            model=judge.model,
            needs=brief.evidence.had & LOOKING if brief.evidence else frozenset(),
            read=partial(read, default=prompts.DEFAULT_FEEDBACK[self.call.lang]),
            again=lambda fork, said: self._command(
                replace(judge, conversation=fork, fork=False, prompt=prompts.again(self.call.lang, said)), chair
            ),
        )

    def _shaping(self, sources: Sequence[Source]) -> tuple[Source, ...]:
        written = settings.read("given", self.call.settings) if self.call.settings else None
        styles = settings.styles(self.config.directory, self.event.cwd)
        return (*sources, *styles, *((written,) if written else ()))

    def _command(self, judge: Judge, chair: Chair) -> Command:
        return Command(argv=self._argv(judge, chair), env=self._environment(chair), cwd=self.event.cwd)

    def _judge(self, brief: Brief, sources: Sequence[Source], chair: Chair) -> Judge:
        # Another model has no cache of the conversation that words could save.
        event, schema = self.event, not self.config.supervisor.verdict.in_words(self.context if chair.is_own else 0)
        if not schema:
            settings.refuse_display(sources)
        tasks = [task.about or task.id for task in event.tasks]
        return Judge(
            conversation=transcript.as_resumed(event.session_id, event.transcript, event.cwd),
            prompt=criteria.prompt(
                self._criteria(), self.call.lang, schema=schema, brief=brief, tasks=tasks, words=self.words
            ),
            schema=json.dumps(SCHEMA, ensure_ascii=False) if schema else None,
            model=chair.model(self.model),
            permission_mode=event.permission_mode,
            settings=self._settings(sources, chair),
            said=headless.of_system(self.call.env),
        )

    def _settings(self, sources: Sequence[Source], chair: Chair) -> str | None:
        path = self.call.settings
        unasked_for = settings.of_reviewer(sources, attackable=self.call.client is not None)
        beyond = {**unasked_for, **servers.of_reviewer(self._withheld(sources))}
        if chair.provider is None and not self._provider and not beyond:
            return str(path) if path else None
        # The file that ccc wrote for reviewers holds no secret, so it may stand on a command line.
        given = documents.read_object(path) if path else {}
        if chair.provider is None and not self._provider:
            return json.dumps({**given, **beyond})
        return self._offered(given, beyond, sources, chair)

    def _withheld(self, sources: Sequence[Source]) -> list[str]:
        """A reviewer asks nobody: it would start what the person has said no to, as soon as that no is gone."""
        found = (*sources, *settings.servers(self.event.cwd))
        before = self.call.env.get(variables.SERVED)
        names = servers.withheld(found, (self._first_stop_servers(found) if before is None else before).split(","))
        late = servers.approved(found, names)
        if late and before is not None:
            told = msg(
                "{names}: approved since the start, so reviews go without until ccc starts again", names=", ".join(late)
            )
            self.call.report.trouble(self.event, told)
        return names

    def _offered(self, given: Json, beyond: Json, sources: Sequence[Source], chair: Chair) -> str:
        """With what keeps the reviewer with its provider. It may hold a token, so never on a command line."""
        from ccc.claude import loading
        from ccc.providers import launch

        client, state = self._client, self.call.store.directory
        in_memory = loading.reads_memory(client, state / "clients.json", self.call.env)
        if chair.provider:
            launch.refuse_unloadable(chair.provider.settings, chair.provider, client, state, self.call.env, must=True)
            kept = chair.settings(given, sources, self._started, secrets=in_memory)
        else:
            # A reviewer reads files again as every client does, and runs what the project calls its tests.
            own = variables.of_environment(self._provider or "", self._started, given)
            kept = choosing.deep_merge(given, settings.pinned(own, sources, self._started, secrets=in_memory))
        return str(launch.offered(choosing.deep_merge(kept, beyond), state, in_memory))

    def _argv(self, judge: Judge, chair: Chair) -> tuple[str, ...]:
        client = self._client
        clients = self.call.store.directory / "clients.json"
        judges.refuse_unable(client, (chair.juror,), self._provider, clients, self.call.env)
        flags = program.abilities(client, clients, self.call.env).flags
        if self.config.supervisor.engine is Engine.SDK:
            return interpreter.command("ccc.judging.sdk_engine", str(client), *self._order(judge, flags))
        return commandline.reviewer_command(client, judge, flags)

    def _order(self, judge: Judge, flags: Collection[str]) -> tuple[str, str]:
        """Where the review stands, because one word of a command line is too short for it, and what it must be like:
        where it has to be a file others can write to it before the engine has read it and taken it away."""
        data = commandline.as_json(judge, flags).encode("utf-8", "replace")
        fd, known = handed.document("ccc-review", data), checksum.of(data)
        if fd is not None:
            return handed.place(fd), known
        scratch = scratch_folder(self.call.store.directory)
        path = scratch / f"review-{os.getpid()}.json"
        files.replace_own(path, data, scratch=scratch)
        return str(path), known

    @property
    def _client(self) -> Path:
        """None of the project's, wherever the agent stands now."""
        return program.find(self._started, self.event.cwd, self.ground.project)

    @property
    def _provider(self) -> str | None:
        """The agent's."""
        return self.call.env.get("CCC_PROVIDER") or None

    @cached_property
    def _started(self) -> Mapping[str, str]:
        """What the client was started with, which no settings file written since has a say in."""
        name = self._provider
        if self.call.above.started:
            return self.call.above.started
        env = variables.with_key(self.call.env)
        provider = choosing.resolve(self.config, name, env) if name and name in self.config.providers else None
        return variables.child_environment(env, provider)

    def _environment(self, chair: Chair) -> dict[str, str]:
        env = chair.environment(self._started)
        if variables.lacks_key(env):
            raise CccError(
                msg("ccc has not started this client, so there is no key for a reviewer"),
                msg("start it with ccc, or without its --settings"),
            )
        env = variables.reviewer_environment(env)
        return self._untold(env, chair) if self.call.above.kept else env

    def _untold(self, env: Mapping[str, str], chair: Chair) -> dict[str, str]:
        """Without what its client was not told, but for what a judge's own provider has of it."""
        from ccc.claude import kept  # few clients are started without anything

        return kept.started_with(env, chair.untold(self.call.above.kept))

    def _criteria(self) -> str | None:
        """SUPERVISOR.md as it was when ccc started; under the plugin, as it is at the first Stop of the session."""
        path = criteria.named_snapshot(self.call.env) or self._first_stop_snapshot()
        if path is None:
            return None
        text = criteria.frozen(path)
        if text is None:
            raise CccError(msg("{path} was changed or is gone", path=path), msg("start ccc again"))
        return text

    def _first_stop_servers(self, found: Sequence[Source]) -> str:
        """Under the plugin nobody looked at the start: what had a yes then, in a file that is as it was. Remembered,
        because the client writes such files for other reasons too."""
        session, client = self.memory.session, lineage.client(self.call.env)
        kept, whose = session.about.served, processes.ticks(client) if client else ""
        if kept is None or session.foreign or not kept.startswith(f"{whose} "):
            since = processes.begun(client) if client else None
            known = found if since is None else servers.as_of(found, self.event.cwd, since)
            kept = f"{whose} {','.join(sorted(servers.allowed(known, asked=True)))}"
            self.memory.session = session.known_as(About(served=kept))
        return kept.partition(" ")[2]

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
