"""The review of pty mode, as a process of its own: `ccc pty-review` gets a Case on stdin and tells its story on stdout.

Rule: the same supervise() as hooks mode. A process, because a review blocks and the person must still be able to
type and to interrupt; it ends with whoever started it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import languages, sink
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.process import Command
from ccc.claude import commandline, program, settings, transcript, unasked, variables
from ccc.claude.commandline import Judge
from ccc.claude.settings import Source
from ccc.claude.stream import Finished
from ccc.evidence import facts, past
from ccc.evidence.past import Past
from ccc.judging import announce, criteria, prompts
from ccc.judging.bench import Bench
from ccc.judging.report import Report
from ccc.judging.reviewer import Question
from ccc.judging.supervisor import Brief
from ccc.judging.verdict import Reading, read_marker
from ccc.providers import allowing, choosing, config, launch
from ccc.providers.config import Config
from ccc.record import story
from ccc.record.events import SentBack
from ccc.record.store import Memory, SessionStore, utc_now
from ccc_legacy.outlasting import Outlasting
from ccc_legacy.patience import Patience
from ccc_legacy.review import Case, case_of, decision_told


def main(env: Mapping[str, str]) -> int:
    begun = time.monotonic()
    case = case_of(sys.stdin.read())
    store = SessionStore(config.state_directory(env), now=utc_now)
    report = _telling_on_stdout(Report.of(env, store.log_path, utc_now))
    conf: Config | None = None
    about = case.about
    try:
        conf = config.load(env)
        outlasting = _outlasting(case, conf, store.open(case.stop.session_id), report, env)
        decision = _bench(outlasting, conf, store, env, begun).decision()
        about = outlasting.case.about
    except CccError as error:
        decision = report.unreviewed(error.message)
    sink.put(sink.json_line(decision_told(decision)))
    if conf:
        announce.ended(conf.supervisor, case.stop, decision, about, env)
    return 0


def _telling_on_stdout(report: Report) -> Report:
    quiet = os.open(os.devnull, os.O_WRONLY)
    return replace(report, stderr=quiet, log=replace(report.log, echo=1))


def _bench(outlasting: Outlasting, conf: Config, store: SessionStore, env: Mapping[str, str], begun: float) -> Bench:
    case, memory = outlasting.case, outlasting.memory
    memory.session = memory.session.knowing(case.tasks)

    def ask(brief: Brief) -> Question:
        asked = outlasting.case
        given = env if asked.provider == case.provider else _without_provider(case.provider, conf, env)
        return Asking(asked, conf, store, given, outlasting.read).question(brief)

    return Bench(
        stop=case.stop,
        config=conf,
        memory=memory,
        report=outlasting.report,
        env=env,
        project=case.project,
        about=case.about,
        begun=begun,
        examine=lambda: facts.of(case.conversation) if case.conversation else None,
        earlier=lambda: _earlier(case, conf, store),
        ask=ask,
        outlasted=outlasting.waited,
    )


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
    tell = partial(announce.held_up, conf.supervisor, case.stop, case.about, env=env)
    return Outlasting(memory, report, case, patience, read, tell)


def _without_provider(name: str | None, conf: Config, env: Mapping[str, str]) -> Mapping[str, str]:
    """For another provider: this process was started with the variables of this one, which may be what that one's own
    configuration refers to, and then its token would go to a foreign address."""
    brought = choosing.resolve(conf, name, env).env if name else {}
    return {key: value for key, value in env.items() if key not in brought}


class Asking(Struct, frozen=True):
    """One case on its way to a fork of its session."""

    case: Case
    config: Config
    store: SessionStore
    env: Mapping[str, str]
    read: Callable[[Finished], Reading | None]

    def question(self, brief: Brief) -> Question:
        judge = self._judge(brief)
        return Question(
            command=self._command(judge),
            model=self.case.model,
            read=self.read,
            again=lambda fork: self._command(
                replace(judge, session_id=fork, fork=False, prompt=prompts.again(languages.of_specification(self.env)))
            ),
        )

    def _sources(self) -> Sequence[Source]:
        cwd = self.case.stop.cwd
        # Once more, because the agent can write these files while it works.
        sources = settings.sources(self.config.directory, cwd)
        allowing.vet(self.config, cwd, sources, beaten=lambda name: name in self.case.seat.beaten)
        settings.refuse_steered(sources, self.case.steering)
        if self.case.brought is not None:
            unasked.refuse_new((*sources, *settings.servers(cwd)), self.case.brought)
        return sources

    def _command(self, judge: Judge) -> Command:
        cwd = self.case.stop.cwd
        client = program.find(self.env, cwd)
        known = program.abilities(client, self.store.directory / "clients.json", self.env)
        name = self.case.provider
        provider = choosing.resolve(self.config, name, self.env) if name else None
        return Command(
            argv=commandline.pty_reviewer_command(client, judge, known.flags),
            env=variables.reviewer_environment(variables.child_environment(self.env, provider)),
            cwd=cwd,
        )

    def _judge(self, brief: Brief) -> Judge:
        case, lang, sources = self.case, languages.of_specification(self.env), self._sources()
        text = criteria.frozen(case.criteria)
        if text is None:
            raise CccError(msg("{path} was changed or is gone", path=case.criteria), msg("start ccc again"))
        tasks = [task.about or task.id for task in case.stop.tasks]
        long = self.config.supervisor.verdict.in_words(self._context())
        asked = criteria.pty_prompt(text, case.inputs, brief, lang, tasks=tasks, words=case.words) if long else None
        return Judge(
            session_id=case.stop.session_id,
            system=None if long else criteria.system_prompt(text, lang),
            prompt=asked or criteria.context(case.inputs, brief, lang, tasks=tasks, words=case.words),
            model=case.model,
            permission_mode=case.stop.permission_mode,
            settings=self._settings(sources),
        )

    def _context(self) -> int:
        """How long the conversation is, in tokens; nobody tells pty mode where the client keeps it."""
        return transcript.context(transcript.of_session(self.config.directory / "projects", self.case.stop.session_id))

    def _settings(self, sources: Sequence[Source]) -> str | None:
        path = self.case.seat.settings
        given = json.loads(path.read_bytes()) if path else {}  # ccc's own, and ccc lives
        if not settings.hooks_may_go((*sources, Source("given", self.case.stop.cwd, given))):
            return str(path) if path else None
        without = {**given, **settings.WITHOUT_HOOKS}
        # It may hold a token, so never on a command line.
        return str(launch.offered(without, self.store.directory)) if path else json.dumps(without)
