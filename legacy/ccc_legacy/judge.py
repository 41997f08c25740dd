"""The review of pty mode, as a process of its own: `ccc pty-review` gets a Case on stdin and tells its story on stdout;
before it permits anything it asks whether the agent has gone on.

Rule: the same supervise() as hooks mode. A process, because a review blocks and the person must still be able to
type and to interrupt; it ends with whoever started it, who alone interrupts: any other end is *unreviewed*, and told.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import languages, sink
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.process import Command
from ccc.claude import commandline, folders, kept, program, servers, settings, shaping, transcript, unasked, variables
from ccc.claude.commandline import Judge
from ccc.claude.settings import Source
from ccc.claude.shaping import LOOKING
from ccc.claude.stream import Finished
from ccc.evidence import facts, past
from ccc.evidence.facts import Evidence
from ccc.evidence.past import Past
from ccc.judging import announce, criteria, followed, prompts, supervisor
from ccc.judging.bench import Bench
from ccc.judging.report import Report
from ccc.judging.reviewer import Question
from ccc.judging.supervisor import Brief
from ccc.judging.verdict import Reading, read_marker
from ccc.model import AllowStop, Decision, Juror, Outcome
from ccc.providers import allowing, choosing, config, judges, launch
from ccc.providers.config import Config
from ccc.providers.judges import Chair
from ccc.record import owners, story
from ccc.record.events import SentBack
from ccc.record.store import Memory, SessionStore, utc_now
from ccc_legacy.outlasting import Outlasting
from ccc_legacy.patience import Patience
from ccc_legacy.review import ASKED, Case, answer, case_of, decision_told


def main(env: Mapping[str, str]) -> int:
    begun, ccc = time.monotonic(), os.getppid()
    case = case_of(sys.stdin.readline())
    store = SessionStore(config.state_directory(env), utc_now, lambda session_id: session_id == case.sent_back)
    report = _telling_on_stdout(Report.of(env, store.log_path, utc_now))
    conf: Config | None = None
    about = case.about
    try:
        conf = config.load(env, of_task=True)
        memory = store.open(case.stop.session_id)
        memory.session = memory.session.owned_by(owners.PTY, owners.lives)
        outlasting = _outlasting(case, conf, memory, report, env)
        decision = _bench(outlasting, conf, store, env, begun, ccc).decision()
        if os.getppid() != ccc and _is_interrupted(decision):  # whoever interrupts lives to see it
            why = msg("ccc has ended while this stop was reviewed")
            decision = supervisor.given_up(case.stop, why, store=store, report=report)
        about = outlasting.case.about
    except CccError as error:
        decision = report.unreviewed(error.message)
    sink.put(sink.json_line(decision_told(decision)))
    if conf:
        announce.ended(conf.supervisor, case.stop, decision, about, partial(choosing.without_keys, conf, env))
    return 0


def _has_gone_on() -> bool:
    """Whether the agent has, by whoever holds this review; where nobody answers nothing is complete."""
    sink.put(sink.json_line({"event": ASKED}))
    return sys.stdin.readline() != answer(gone_on=False)


def _is_interrupted(decision: Decision) -> bool:
    return isinstance(decision, AllowStop) and decision.outcome is Outcome.INTERRUPTED


def _telling_on_stdout(report: Report) -> Report:
    quiet = os.open(os.devnull, os.O_WRONLY)
    return replace(report, stderr=quiet, log=replace(report.log, echo=1))


def _bench(
    outlasting: Outlasting, conf: Config, store: SessionStore, env: Mapping[str, str], begun: float, ccc: int
) -> Bench:
    case, memory = outlasting.case, outlasting.memory
    memory.session = memory.session.knowing(case.tasks)
    forks = frozenset(memory.session.forks or ())

    def ask(brief: Brief, juror: Juror) -> Question:
        asked = outlasting.case
        given = env if asked.provider == case.provider else choosing.without_provider(conf, case.provider, env)
        return Asking(asked, conf, store, given, outlasting.read).question(brief, juror)

    return Bench(
        stop=case.stop,
        config=conf,
        memory=memory,
        report=outlasting.report,
        env=env,
        ground=case.ground,
        about=case.about,
        begun=begun,
        examine=lambda: _evidence(case),
        earlier=lambda: _earlier(case, conf, store),
        ask=ask,
        outlasted=outlasting.waited,
        gone_on=_has_gone_on,
        unseen=lambda: followed.unseen(memory, conf.directory / "projects", case.stop.last_message, forks),
        stands=lambda: _stands(case, conf),
        caller=ccc,
    )


def _stands(case: Case, conf: Config) -> list[Path]:
    """The client moves the conversation to the folder that it keeps for a worktree; several can have the same."""
    kept = transcript.all_of_session(conf.directory / "projects", case.stop.session_id)
    names = {path.parent.name for path in kept}
    try:
        return [
            each for each in folders.of_worktrees(case.ground.project, None) if transcript.named_after(each) in names
        ]
    except folders.Odd:  # whoever asks for the places of the checks is told
        return []


def _evidence(case: Case) -> Evidence | None:
    goes_on = case.stop.prompt_id if case.woken else None
    return replace(facts.of(case.conversation), goes_on=goes_on) if case.conversation else None


def _earlier(case: Case, conf: Config, store: SessionStore) -> Past:
    """What the session's file tells of earlier requests; the feedback in it is no request."""
    path = transcript.of_session(conf.directory / "projects", case.stop.session_id)
    told = story.events(store.directory, case.stop.session_id)
    feedback = [event.feedback for event in told if isinstance(event, SentBack)]
    return past.of(transcript.before_last_request(path, feedback)) if path else Past()


def _outlasting(case: Case, conf: Config, memory: Memory, report: Report, env: Mapping[str, str]) -> Outlasting:
    default = prompts.DEFAULT_FEEDBACK[languages.of_specification(env)]
    patience = Patience(conf.supervisor.max_wait_minutes)
    read = partial(read_marker, default=default)
    bare = partial(choosing.without_keys, conf, env)
    tell = partial(announce.held_up, conf.supervisor, case.stop, case.about, bare=bare)
    return Outlasting(memory, report, case, patience, read, tell)


class Asking(Struct, frozen=True):
    """One case on its way to a fork of its session."""

    case: Case
    config: Config
    store: SessionStore
    env: Mapping[str, str]
    read: Callable[[Finished], Reading | None]

    def question(self, brief: Brief, juror: Juror) -> Question:
        transcript.refuse_several(self.config.directory / "projects", self.case.stop.session_id)
        chair = judges.seated(self.config, juror, self.case.provider, self.env)
        judge, again = self._judge(brief, chair), partial(prompts.again, languages.of_specification(self.env))
        return Question(
            command=self._command(judge, chair),
            model=judge.model,
            needs=brief.evidence.had & LOOKING if brief.evidence else frozenset(),
            read=self.read,
            again=lambda fork, said: self._command(
                replace(judge, conversation=fork, fork=False, prompt=again(said)), chair
            ),
        )

    def _sources(self) -> Sequence[Source]:
        cwd = self.case.stop.cwd
        # Once more, because the agent can write these files while it works.
        sources = settings.sources(self.config.directory, cwd)
        beaten = self.case.seat.beaten
        allowing.vet(self.config, cwd, sources, beaten=lambda name: name in beaten, ground=self.case.ground)
        settings.refuse_steered(sources, self.case.steering)
        settings.refuse_display(sources)
        if self.case.brought is not None:
            unasked.refuse_new((*sources, *settings.servers(cwd)), self.case.brought)
        if self.case.shaped is not None:
            shaped = (*sources, *settings.styles(self.config.directory, cwd))
            shaping.refuse_new(shaped, self.case.shaped)
        return sources

    def _command(self, judge: Judge, chair: Chair) -> Command:
        cwd, clients = self.case.stop.cwd, self.store.directory / "clients.json"
        client = program.find(self.env, cwd)
        known = program.abilities(client, clients, self.env)
        name = self.case.provider
        judges.refuse_unable(client, (chair.juror,), name, clients, self.env)
        provider = choosing.resolve(self.config, name, self.env) if name else None
        env = variables.reviewer_environment(chair.environment(variables.child_environment(self.env, provider)))
        return Command(
            argv=commandline.pty_reviewer_command(client, judge, known.flags),
            env=kept.started_with(env, chair.untold(self.case.seat.kept)),
            cwd=cwd,
        )

    def _judge(self, brief: Brief, chair: Chair) -> Judge:
        case, lang, sources = self.case, languages.of_specification(self.env), self._sources()
        text = criteria.frozen(case.criteria)
        if text is None:
            raise CccError(msg("{path} was changed or is gone", path=case.criteria), msg("start ccc again"))
        tasks = [task.about or task.id for task in case.stop.tasks]
        # Another model has no cache of the conversation that the agent's system prompt could save.
        long = self.config.supervisor.verdict.in_words(self._context() if chair.is_own else 0)
        asked = criteria.pty_prompt(text, case.inputs, brief, lang, tasks=tasks, words=case.words) if long else None
        return Judge(
            conversation=case.stop.session_id,
            system=None if long else criteria.system_prompt(text, lang),
            prompt=asked or criteria.context(case.inputs, brief, lang, tasks=tasks, words=case.words),
            model=chair.model(case.model),
            permission_mode=case.stop.permission_mode,
            settings=self._settings(sources, chair),
        )

    def _context(self) -> int:
        """How long the conversation is, in tokens; nobody tells pty mode where the client keeps it."""
        return transcript.context(transcript.of_session(self.config.directory / "projects", self.case.stop.session_id))

    def _settings(self, sources: Sequence[Source], chair: Chair) -> str | None:
        path = self.case.seat.settings
        given = self.case.seat.read()
        beyond = settings.of_reviewer((*sources, Source("given", self.case.stop.cwd, given)))
        if self.case.served is not None:
            found = (*sources, *settings.servers(self.case.stop.cwd))
            beyond = {**beyond, **servers.of_reviewer(servers.withheld(found, self.case.served))}
        if chair.provider is None and not beyond:
            return str(path) if path else None
        in_memory = path is None or path.is_relative_to("/proc")  # as this client can read it
        own = choosing.deep_merge(chair.settings(given, sources, self.env, secrets=in_memory), beyond)
        if chair.provider:
            client, state = program.find(self.env, self.case.stop.cwd), self.store.directory
            launch.refuse_unloadable(chair.provider.settings, chair.provider, client, state, self.env, must=True)
        # It may hold a token, so never on a command line.
        if path or chair.provider:
            return str(launch.offered(own, self.store.directory, in_memory)) if own else None
        return json.dumps(own)
