"""What a worker does for one task: its folder, its agent to the end, the commit, the push, the note of it all.

Rule: every step may be repeated. Whoever no longer has the task, or is told to leave, stops and writes nothing: a
thread that waits for the end of the process has changed nothing. The worker hears of it, and has the slot again.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TypeVar

from ccc.base import languages, messages
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import transcript
from ccc.claude.own_words import BROKEN_OFF
from ccc.fleet import address, agent, worktree
from ccc.fleet.agent import Busy, Ended
from ccc.fleet.feed import Held, Seen
from ccc.fleet.reviewed import Reviewed
from ccc.fleet.sealing import Meddled
from ccc.fleet.sharing import Sharing
from ccc.fleet.store import Limits, Store, Unreachable, Worker
from ccc.fleet.task import COMPLETED, FAILED, NEEDS_HUMAN, Record, State
from ccc.fleet.worktree import NeedsPerson, Place, Start
from ccc.judging import began
from ccc.model import Outcome
from ccc.providers import config
from ccc.providers.config import Config

LOOK_SECONDS = 1.0
AGAIN_SECONDS = 1.0
BUSY_TRIES = 20
Found = TypeVar("Found")


Step = TypeVar("Step", bound=Callable[..., object])


class Parked(Exception):
    """There is nothing more to do here; inside a step, so that it lets go of what it holds."""


def parking(step: Step) -> Step:
    """Its thread waits for the end of the process: a step that ended would be remembered."""

    @wraps(step)
    def stepped(self: Steps, id_: str, *values: str) -> object:
        try:
            return step(self, id_, *values)
        except Parked:
            self.parked(id_)
            return threading.Event().wait()

    return stepped  # type: ignore[return-value]


class Steps:
    def __init__(self, store: Store, worker: Worker, conf: Config, limits: Limits, env: Mapping[str, str]) -> None:
        self.store, self.worker, self.conf, self.limits, self.env = store, worker, conf, limits, env
        self.leaving = threading.Event()
        self.trouble: Callable[[CccError], None] = lambda _: None  # hears what keeps the store away
        self.parked: Callable[[str], None] = lambda _: None  # hears of a task that nothing more is done for
        self._lang = languages.of_person(env)

    # The steps.

    @parking
    def work(self, id_: str) -> tuple[str, str, str] | None:
        for _ in range(BUSY_TRIES):
            record = self._record(id_)
            try:
                with agent.locked(self._lock(id_)) as lock:
                    return self._worked(record, lock)
            except Busy:  # what a killed worker left is about to end
                if self.leaving.wait(AGAIN_SECONDS):
                    raise Parked from None
            except CccError as error:
                if self.leaving.is_set():  # a git that was ended for that says nothing of the task
                    raise Parked from None
                return NEEDS_HUMAN if isinstance(error, NeedsPerson) else FAILED, str(error.message), ""
        # A person has it open: others can have the slot meanwhile.
        until = time.time() + BUSY_TRIES * AGAIN_SECONDS
        self._patiently(lambda: self.store.put_back(id_, self.worker.id, until=until))
        return None

    @parking
    def share(self, id_: str, commit: str) -> str:
        """What was sealed, wherever the branch has gone since."""
        record = self._record(id_)
        if not commit or not (record.task.push or self.conf.fleet.remote):
            return ""
        place, remote = self._place(record), self.conf.fleet.remote
        try:
            if remote:
                # It was worked on elsewhere, and its machine died since.
                worktree.bring(place, remote, place.branch, commit)
            worktree.push(place, remote or "origin", commit)
        except CccError as error:
            return str(error.message)
        return ""

    @parking
    def record(self, id_: str, outcome: str, why: str, commit: str) -> None:
        self._patiently(lambda: self.store.end(id_, self.worker.id, outcome, why, commit, time.time()))

    # One run.

    def _worked(self, record: Record, lock: int) -> tuple[str, str, str] | None:
        place, starts = self._place(record), self._starts(record)
        if starts is None:
            self._patiently(lambda: self.store.put_back(record.id, self.worker.id))
            return None
        self._prepare(record, place, starts)
        roots = worktree.roots(place, [*(each.commit for each in starts), record.task.base])
        first = self._began(record, place)
        session, resumes, message = self._conversation(record, place)
        self._patiently(lambda: self.store.in_session(record.id, self.worker.id, session))
        sharing = Sharing(place, self.conf.fleet.remote, record.task.title)
        reviewed = Reviewed(place, _title(record))
        watch = _Watch(self, record, sharing, reviewed, self._patiently(lambda: self.store.lease(record.id)))
        words = agent.command(record.task, session, resumes=resumes)
        ended = agent.run(words, message, place.folder, self._environment(record, place, first), lock, watch)
        self._patiently(lambda: watch.tell(ended.seen))
        reviewed(ended.seen)
        sharing.end(last=False)
        if watch.lost:
            raise Parked
        until = self._put_back_until(ended.seen, watch)
        left = self.leaving.is_set() and ended.outcome in ("", Outcome.INTERRUPTED.value)
        if until is None and not left:
            return self._concluded(record, place, roots, ended, watch)
        sharing.end(last=True)
        if left:
            raise Parked
        self._patiently(lambda: self.store.put_back(record.id, self.worker.id, until=until or 0.0))
        return None

    def _began(self, record: Record, place: Place) -> bytes:
        """What its agent found when nobody had worked there: it is judged by that, however often it starts."""
        known = self._patiently(lambda: self.store.began(record.id)) if record.session else None
        if known is not None:
            return known
        if record.session:
            raise NeedsPerson(
                msg("nobody can say any more what {id} began with, by which it is judged", id=record.id),
                msg("look at {branch}, and add what is left to do as a new task", branch=place.branch),
            )
        found = began.told(began.look(config.config_directory(self.env), place.folder))
        self._patiently(lambda: self.store.begin(record.id, self.worker.id, found))
        return found

    def _environment(self, record: Record, place: Place, first: bytes) -> dict[str, str]:
        env = address.for_agents(self.env, self.store.address)
        return agent.environment(record.task, place.folder, env, began.keep(first, config.state_directory(self.env)))

    def _put_back_until(self, seen: Seen, watch: _Watch) -> float | None:
        """Not before then, where it has not ended: for a limit also, that is longer than its agent may wait."""
        held = seen.held
        if watch.cancelled:
            return None
        if watch.put_back is None and held and held.until > time.time():
            self._patiently(lambda: self.store.pause(held.provider, held.until))
            return held.until
        return watch.put_back

    def _concluded(
        self, record: Record, place: Place, roots: Sequence[str], ended: Ended, watch: _Watch
    ) -> tuple[str, str, str]:
        end = worktree.commit(place, _title(record), roots)
        if ended.outcome == COMPLETED and not watch.cancelled:
            end = worktree.seal(place, end, watch.reviewed.commit(), roots)
        commit = end.commit
        if self.conf.fleet.remote:
            # Here already: this step is remembered as done, and should the machine be gone then, the work is not.
            with suppress(CccError):
                worktree.push(place, self.conf.fleet.remote, commit)
        if watch.cancelled:
            return State.CANCELLED.value, "", commit
        if not ended.outcome:
            return FAILED, ended.said or f"exit code {ended.code}", commit
        problem = (end.problem or worktree.apart(place, roots)) if ended.outcome == COMPLETED else None
        if problem:  # of what nobody finds on its branch
            return NEEDS_HUMAN, str(problem), commit
        return ended.outcome, str(end.remark or "") or ended.seen.why or ended.said, commit

    def _prepare(self, record: Record, place: Place, starts: Sequence[Start]) -> None:
        task, remote = record.task, self.conf.fleet.remote
        if remote:
            elsewhere = bool(record.session) and not self._has_begun(record.session)
            worktree.fetch(place, remote, task.base, elsewhere=elsewhere)
            for each in starts:
                worktree.bring(place, remote, each.name, each.commit)
        first, *others = starts or [Start(task.base)]
        # Several that do not go together are merged by hand, on its branch, before anybody works there.
        merged = bool(others) and record.run > 1
        worktree.prepare(place, first, others, fresh=not record.session and not merged)

    def _starts(self, record: Record) -> list[Start] | None:
        """What was sealed of the tasks that this one comes after; None where one of them has no such end any more."""
        firsts = self._patiently(lambda: self.store.firsts(record.id))
        if any(each.state is not State.ENDED or each.outcome != COMPLETED for each in firsts):
            return None
        return [Start(each.commit or each.task.branch, each.task.branch) for each in firsts]

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
        return Place(record.task.repo, folder, record.task.branch, address.for_git(self.env, self.store.address))

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
            except Meddled:  # the worker meets it too, and ends with it
                raise Parked from None


def _title(record: Record) -> str:
    """Of its commit."""
    return f"{record.task.title}\n\nccc fleet {record.id}"


class _Watch:
    """Looks at the store while an agent works: whether it is still ours, wanted, and paid for.

    What it may cost is looked at with every line that tells of a cost; where no more is to be had, it ends.
    """

    def __init__(self, steps: Steps, record: Record, sharing: Sharing, reviewed: Reviewed, lease: float | None) -> None:
        self._steps, self._record, self._sharing, self._lease = steps, record, sharing, lease
        self.reviewed = reviewed
        self._told: tuple[int, float, float] | None = None
        self._looked = 0.0
        self.lost = self.cancelled = False
        self.put_back: float | None = None  # not before then

    def __call__(self, seen: Seen) -> bool:
        self.reviewed(seen)
        if self._steps.leaving.is_set():
            return True
        now, over = time.monotonic(), self._is_over(seen)
        if over or now - self._looked >= LOOK_SECONDS:
            self._looked = now
            try:
                self.tell(seen)
                self._look(seen)
                if over:
                    self._borrow()
                if not self.lost:
                    self._sharing(seen.rounds)
            except Unreachable:  # nobody can take it over meanwhile, and nobody can lend it more
                self.put_back = 0.0 if over else None
            except Meddled:
                self.lost = True
        return self.lost or self.cancelled or self.put_back is not None

    def tell(self, seen: Seen) -> None:
        told = (
            self._record.round + seen.rounds,
            self._record.agent_usd + seen.agent_usd,
            self._record.review_usd + seen.review_usd,
        )
        if told == self._told:
            return
        rounds, agents, reviews = told
        ours = self._steps.store.progress(
            self._record.id, self._steps.worker.id, round_=rounds, agent_usd=agents, review_usd=reviews
        )
        self._told, self.lost = told, not ours

    def _is_over(self, seen: Seen) -> bool:
        cost = self._record.cost_usd + seen.agent_usd + seen.review_usd
        return self._lease is not None and cost > self._lease and not seen.outcome

    def _borrow(self) -> None:
        self._lease = self._steps.store.borrow(self._record.id, self._steps.worker.id, self._steps.limits)
        if self._lease is None:
            self.put_back = 0.0

    def _look(self, seen: Seen) -> None:
        record = self._steps.store.get(self._record.id)
        self.lost = record is None or record.owner != self._steps.worker.id
        self.cancelled = record is not None and record.cancel
        if seen.held and not seen.outcome:  # else it is about to end by itself
            self._hold(seen.held)

    def _hold(self, held: Held) -> None:
        """A limit: nobody else is to meet it, and one that lasts gives the slot to another provider's task."""
        self._steps.store.pause(held.provider, held.until)
        if held.until - time.time() > self._steps.conf.fleet.wait_seconds:
            self.put_back = held.until
