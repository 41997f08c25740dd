"""What a worker does for one task: its folder, its agent to the end, the commit, the push, the note of it all.

Rule: every step may be repeated. Whoever no longer has the task, or is told to leave, stops without a word: a thread
that waits for the end of the process has changed nothing.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TypeVar

from ccc.base import languages, messages
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import transcript
from ccc.fleet import address, agent, worktree
from ccc.fleet.agent import Busy, Ended
from ccc.fleet.feed import Seen
from ccc.fleet.store import Limits, Store, Unreachable, Worker
from ccc.fleet.task import FAILED, Record, State
from ccc.fleet.worktree import Place
from ccc.model import Outcome
from ccc.providers import config
from ccc.providers.config import Config
from ccc.record.words import BROKEN_OFF

LOOK_SECONDS = 1.0
AGAIN_SECONDS = 1.0
LONG_WAIT_SECONDS = 20.0  # a limit that lasts longer gives the slot to another provider's task
Found = TypeVar("Found")


Step = TypeVar("Step", bound=Callable[..., object])


class Parked(Exception):
    """There is nothing more to do here; inside a step, so that it lets go of what it holds."""


def parking(step: Step) -> Step:
    """Its thread waits for the end of the process: a step that ended would be remembered."""

    @wraps(step)
    def stepped(*values: object) -> object:
        try:
            return step(*values)
        except Parked:
            return threading.Event().wait()

    return stepped  # type: ignore[return-value]


class Steps:
    def __init__(self, store: Store, worker: Worker, conf: Config, limits: Limits, env: Mapping[str, str]) -> None:
        self.store, self.worker, self.conf, self.limits, self.env = store, worker, conf, limits, env
        self.leaving = threading.Event()
        self.trouble: Callable[[CccError], None] = lambda _: None  # hears what keeps the store away
        self._lang = languages.of_person(env)

    # The steps.

    @parking
    def work(self, id_: str) -> tuple[str, str, str] | None:
        record = self._record(id_)
        try:
            with agent.locked(self._lock(id_)) as lock:
                return self._worked(record, lock)
        except Busy:  # what a killed worker left is about to end
            if self.leaving.wait(AGAIN_SECONDS):
                raise Parked from None
            return self.work(id_)
        except CccError as error:
            return FAILED, str(error.message), ""

    @parking
    def share(self, id_: str) -> str:
        record = self._record(id_)
        if not record.task.push and not self.conf.fleet.remote:
            return ""
        try:
            worktree.push(self._place(record), self.conf.fleet.remote or "origin")
        except CccError as error:
            return str(error.message)
        return ""

    @parking
    def record(self, id_: str, outcome: str, why: str, commit: str) -> None:
        self._patiently(lambda: self.store.end(id_, self.worker.id, outcome, why, commit, time.time()))

    # One run.

    def _worked(self, record: Record, lock: int) -> tuple[str, str, str] | None:
        place = self._place(record)
        self._prepare(record, place)
        session, resumes, message = self._conversation(record, place)
        self._patiently(lambda: self.store.in_session(record.id, self.worker.id, session))
        watch = _Watch(self, record, place, new=not resumes)
        words = agent.command(record.task, session, resumes=resumes)
        env = agent.environment(record.task, place.folder, self.env)
        ended = agent.run(words, message, place.folder, env, lock, watch)
        watch.tell(ended.seen)
        return self._concluded(record, place, ended, watch)

    def _concluded(self, record: Record, place: Place, ended: Ended, watch: _Watch) -> tuple[str, str, str] | None:
        if watch.lost or (self.leaving.is_set() and ended.seen.outcome in ("", Outcome.INTERRUPTED.value)):
            raise Parked
        if watch.put_back is not None:
            until, why = watch.put_back
            self._patiently(lambda: self.store.put_back(record.id, self.worker.id, until=until, why=why))
            return None
        commit = worktree.commit(place, f"{record.task.title}\n\nccc fleet {record.id}")
        if watch.cancelled:
            return State.CANCELLED.value, "", commit
        outcome = ended.seen.outcome or FAILED
        return outcome, ended.seen.why or ended.said or f"exit code {ended.code}", commit

    def _prepare(self, record: Record, place: Place) -> None:
        task = record.task
        if self.conf.fleet.remote:
            worktree.fetch(place, self.conf.fleet.remote, task.base)
        firsts = [each.task.branch for each in self._patiently(lambda: self.store.firsts(record.id))]
        first, *others = firsts or [task.base]
        worktree.prepare(place, first, others)

    def _conversation(self, record: Record, place: Place) -> tuple[str, bool, str]:
        """The session, whether it has begun already, and what its agent is told."""
        session = record.session
        if session and self._has_begun(session):
            why = messages.said(msg("It had ended with: {why}", why=record.why), self._lang) if record.why else ""
            return session, True, "\n\n".join(filter(None, (messages.said(BROKEN_OFF, self._lang), why)))
        done = session and (worktree.changed(place) or worktree.grown(place, record.task.base))
        return str(uuid.uuid4()), False, self._handed_over(record) if done else record.task.prompt

    def _handed_over(self, record: Record) -> str:
        told = msg(
            "This task was begun in another conversation, which is not to be had here. What was done is in this folder "
            "and on this branch: look at `git log --stat {base}..HEAD` and `git status` first, and go on from there.",
            base=record.task.base[:12],
        )
        return f"{record.task.prompt}\n\n{messages.said(told, self._lang)}"

    def _has_begun(self, session: str) -> bool:
        path = transcript.of_session(config.config_directory(self.env) / "projects", session)
        return path is not None and bool(transcript.words(path))

    def _place(self, record: Record) -> Place:
        folder = address.names_here(address.worktrees(self.env)) / record.id
        return Place(record.task.repo, folder, record.task.branch, address.for_agents(self.env))

    def _lock(self, id_: str) -> Path:
        return self.store.address.folder / "locks" / f"{id_}.lock"

    # What can be had only later, or no more.

    def _record(self, id_: str) -> Record:
        record = self._patiently(lambda: self.store.get(id_))
        if record is None or record.owner != self.worker.id:
            raise Parked
        return record

    def _patiently(self, ask: Callable[[], Found]) -> Found:
        """The store may be away for a while, and full for longer; what was worked is not lost for that."""
        while True:
            try:
                return ask()
            except Unreachable as error:
                self.trouble(error)
                if self.leaving.wait(AGAIN_SECONDS):
                    raise Parked from None


class _Watch:
    """Looks at the store while an agent works: whether it is still ours, wanted, and paid for."""

    def __init__(self, steps: Steps, record: Record, place: Place, *, new: bool) -> None:
        self._steps, self._record, self._place = steps, record, place
        self._shared = 0  # the round whose work others could go on with
        self._base_usd = record.agent_usd if new else 0.0
        self._told: tuple[int, float, float] | None = None
        self._looked = 0.0
        self.lost = self.cancelled = False
        self.put_back: tuple[float, str] | None = None  # not before then, and why

    def __call__(self, seen: Seen) -> bool:
        if self._steps.leaving.is_set():
            return True
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            try:
                self.tell(seen)
                self._look(seen)
                self._share(seen)
            except Unreachable:  # nobody can take it over meanwhile
                return False
        return self.lost or self.cancelled or self.put_back is not None

    def tell(self, seen: Seen) -> None:
        agent_usd = max(self._record.agent_usd, self._base_usd + seen.agent_usd)
        told = (self._record.round + seen.rounds, agent_usd, self._record.review_usd + seen.review_usd)
        if told == self._told:
            return
        rounds, agents, reviews = told
        ours = self._steps._patiently(
            lambda: self._steps.store.progress(
                self._record.id, self._steps.worker.id, round_=rounds, agent_usd=agents, review_usd=reviews
            )
        )
        self._told, self.lost = told, not ours

    def _share(self, seen: Seen) -> None:
        """At each stop, for whoever has to go on should this machine be gone: the agent waits for its review then."""
        remote = self._steps.conf.fleet.remote
        if not remote or seen.rounds == self._shared:
            return
        self._shared = seen.rounds
        with suppress(CccError):  # the branch itself is pushed at the end, and what keeps from it is told then
            worktree.push(self._place, remote, worktree.snapshot(self._place, self._record.task.title))

    def _look(self, seen: Seen) -> None:
        store, limits = self._steps.store, self._steps.limits
        record = store.get(self._record.id)
        self.lost = record is None or record.owner != self._steps.worker.id
        self.cancelled = record is not None and record.cancel
        if seen.outcome:  # it is about to end by itself
            return
        if limits.max_cost_usd is not None and store.spent() >= limits.max_cost_usd:
            self.put_back = (0.0, "")
        elif seen.held:
            store.pause(seen.held.provider, seen.held.until)
            if seen.held.until - time.time() > LONG_WAIT_SECONDS:
                self.put_back = (seen.held.until, "")
