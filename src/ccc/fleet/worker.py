"""This machine works: takes tasks while it has room, goes on with those of workers that are gone, and leaves in order.

Rule: one thread decides; each task has a thread of the engine's. However the process ends, every task can be had again.
"""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING

from msgspec import Struct

from ccc.base import process, sink
from ccc.base.errors import CccError
from ccc.base.messages import Message, msg
from ccc.fleet import address, branches, git, view
from ccc.fleet.address import Address
from ccc.fleet.liveness import Liveness
from ccc.fleet.sealing import Meddled
from ccc.fleet.steps import Steps
from ccc.fleet.store import Limits, Store, Unreachable, Worker
from ccc.fleet.task import FAILED, Record, Task
from ccc.fleet.view import held, word
from ccc.providers.config import Config
from ccc.record.words import dollars

if TYPE_CHECKING:
    from ccc.fleet.engine import Engine

LOOK_SECONDS = 1.0
IDLE_SECONDS = 3.0  # … and when there is nothing to do
REST_SECONDS = 10.0  # without a task, until the engine is laid to rest
GONE_SECONDS = 2.0  # between two looks at the others
LEAVE_SECONDS = 8.0  # for the agents to write down where they stopped
LAST_SECONDS = 12.0  # from the word to leave until we are gone, whatever a library's call waits for
LIMIT_CODE = 3
MEDDLED_CODE = 1  # somebody else than a worker called a task completed, or moved the branch of one that is
STUCK_CODE = 5  # tasks are left that nobody can begin: a person is needed, as where a request of pty mode ends so

Say = Callable[[Message], None]


class Wishes(Struct, frozen=True):
    slots: int
    drain: bool = False


class Run:
    def __init__(
        self,
        at: Address,
        conf: Config,
        env: Mapping[str, str],
        wishes: Wishes,
        say: Say,
        *,
        steps: type[Steps] = Steps,
    ) -> None:
        machine = address.machine(env)
        self.worker = Worker(f"{machine}:{os.getpid()}:{secrets.token_hex(4)}", machine, wishes.slots, time.time())
        self._conf, self._env, self._wishes, self._say = conf, env, wishes, _to_whoever_listens(say)
        self._limits = Limits(conf.fleet.tasks_per_provider, conf.fleet.max_cost_usd, conf.fleet.grace_seconds)
        self._store = Store(at)
        self._live = Liveness(at, self.worker)
        self._steps = steps(self._store, self.worker, conf, self._limits, env)
        self._steps.trouble = self._tell_away
        self._steps.parked = self._parked
        self._active: set[str] = set()
        # What a signal touches takes no lock: it comes while this very thread may hold one.
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._go: SimpleQueue[None] = SimpleQueue()
        self._code: int | None = None
        self._interrupts = 0
        self._told_interrupt = False
        self._looked = float("-inf")
        self._worked = time.monotonic()
        self._told: set[str] = set()
        self._told_budget = False
        self._took = False  # a task, ever
        self._away: list[Task] = []  # could be begun, if only their repositories were here

    def run(self) -> int:
        """Until there is nothing left to do (`drain`), or somebody wants an end."""
        from ccc.fleet.engine import Engine  # whoever only looks does not pay for it

        process.hide()  # the store's password is in our environment, and the agents are of our user
        self._begin()
        engine = Engine(self._store.address, self.worker.id, self._steps, self._done)
        self._signals()
        self._say(
            msg(
                "{machine} works on up to {slots} tasks at once; store: {store}",
                machine=self.worker.machine,
                slots=self._wishes.slots,
                store=self._store.address.shown,
            )
        )
        try:
            while self._code is None:
                self._code = self._turn(engine)
        except Meddled as error:  # said here: raised, it would wait for the threads of the tasks for ever
            self._say(msg("{id}: {what}", id=error.what, what=error.fix))
            self._code = error.exit_code
        finally:
            self._leave()
        with suppress(Exception):  # what is left of a queue nobody listens to does no harm
            engine.end()
        return self._code

    def _begin(self) -> None:
        """A store that cannot be had now is an error; later it is waited for."""
        self._live.begin()
        try:
            self._store.workers()
            self._live_on()
            self._store.renew(self.worker)
        except CccError:
            self._live.end()
            raise

    def _turn(self, engine: Engine) -> int | None:
        """One look round; an exit code when it was the last."""
        try:
            self._tell_interrupt()
            self._live_on()
            self._look_after_others()
            if not self._interrupts:
                self._take(engine)
            self._spare(engine)
            code = self._is_over()
            if code is not None:
                return code
        except Unreachable as error:
            self._tell_away(error)
        self._sleep(LOOK_SECONDS if self._active or self._wishes.drain else IDLE_SECONDS)
        return None

    def _sleep(self, seconds: float) -> None:
        with suppress(Empty):
            self._wake.get(timeout=seconds)
        while not self._wake.empty():
            self._wake.get()

    def _spare(self, engine: Engine) -> None:
        if self._active:
            self._worked = time.monotonic()
        elif time.monotonic() - self._worked > REST_SECONDS:
            engine.rest()

    def _live_on(self) -> None:
        try:
            self._live.hold()
        except Exception as error:  # psycopg's, of many kinds
            raise Unreachable(
                msg("the fleet's store {store} cannot be reached", store=self._store.address.shown)
            ) from error

    def _tell_away(self, error: CccError) -> None:
        """Once for each kind of trouble."""
        if str(error) not in self._told:
            self._told.add(str(error))
            self._say(msg("{problem}; trying again", problem=error.message))

    def _look_after_others(self) -> None:
        if time.monotonic() - self._looked < GONE_SECONDS:
            return
        self._looked = time.monotonic()
        self._store.renew(self.worker)  # whoever took us for dead has struck us off
        for id_ in set(self._store.owned(self.worker.id)) - self._active:
            self._store.put_back(id_, self.worker.id)  # its thread broke while nothing could be written
        for other in self._store.workers():
            if other.id != self.worker.id and self._live.gone(other, self._limits.grace_seconds):
                cut = self._store.release(other.id, time.time())
                for id_ in cut:
                    self._say(msg("{id}: its worker is gone; it can be gone on with", id=id_))

    def _take(self, engine: Engine) -> None:
        room = self._wishes.slots - len(self._active)
        if room <= 0:
            return
        self._away = []
        for record in self._store.claim(self.worker, room, self._limits, time.time(), self._is_here):
            self._active.add(record.id)
            self._took = True
            self._say(msg("{id}: {what}", id=record.id, what=_begins(record)))
            try:
                engine.go_on(record.id, record.run)
            except Unreachable:  # the next look puts it back
                self._active.discard(record.id)
                raise

    def _is_over(self) -> int | None:
        if self._steps.leaving.is_set():
            return 0
        if self._active:
            return None
        if self._interrupts:
            return 0
        spent = self._budget_is_spent()
        left = self._wishes.drain and self._store.left_to_do()
        if not self._wishes.drain or (left and not spent and not self._is_stranded()):
            return None
        stuck = self._told_stuck(bool(left) and not spent)
        return self._told_meddled() or (LIMIT_CODE if spent and left else STUCK_CODE if stuck else 0)

    def _is_here(self, task: Task) -> bool:
        here = (task.repo / ".git").exists()
        self._away += [] if here else [task]
        return here

    def _is_stranded(self) -> bool:
        """Whether all that could be begun is in repositories that are not here, and no other machine looks for them."""
        return bool(self._away) and not self._store.address.postgres and self._store.next() == len(self._away)

    def _told_stuck(self, stranded: bool) -> bool:
        """Whether tasks are left that nobody can begin; then the one that is to be seen to is named."""
        if stranded:
            self._say(_not_here(self._away[0]))
            return True
        stuck = view.stuck(self._store, self._store.all())
        if stuck:
            self._say(view.see_to(stuck))
        elif not self._took and not self._store.left_to_do():
            self._say(msg("nothing to do: no task waits; add some: ccc fleet add tasks.md"))
        return bool(stuck)

    def _told_meddled(self) -> int:
        forged = self._store.forged()
        found = branches.look(self._store.sealed(), self._store.address, self._env)
        for id_ in forged:
            self._say(msg("{id} was called completed outside ccc: look at it, then: ccc fleet retry {id}", id=id_))
        for each in found.moved:
            self._say(
                msg(
                    "{id} was completed as {commit}, which its branch no longer has: look at it (git log {branch}); "
                    "what came after began with that commit, and this has it on the branch again: {command}",
                    id=each.id,
                    commit=each.commit[:12],
                    branch=each.branch,
                    command=f"git update-ref refs/heads/{each.branch} {each.commit}",
                )
            )
        for each in found.advanced:
            told = {"id": each.id, "commit": each.commit[:12], "branch": each.branch}
            self._say(msg("{id} was completed as {commit}, and {branch} has more since, which no review saw", **told))
        return MEDDLED_CODE if forged or found.moved else 0

    def _budget_is_spent(self) -> bool:
        most = self._limits.max_cost_usd
        spent = self._store.spent() if most is not None else 0.0
        if most is None or most - spent >= self._limits.least_usd:
            return False
        if not self._told_budget:
            self._say(
                msg(
                    "{spent} of {most} are spent (fleet.max_cost_usd): nothing more is begun",
                    spent=dollars(spent),
                    most=dollars(most),
                )
            )
        self._told_budget = True
        return True

    def _done(self, id_: str) -> None:
        """A task's thread has come to its end; one that left no word of it has failed."""
        with suppress(Unreachable, Meddled):
            self._store.end(id_, self.worker.id, FAILED, "unexpected; see CCC_DEBUG", "", time.time())
            self._tell_end(self._store.get(id_))
        self._active.discard(id_)
        self._wake.put(None)

    def _parked(self, id_: str) -> None:
        """Its thread does nothing more: the task is another's, or nobody's, and no reason to stay for."""
        with suppress(Unreachable, Meddled):
            record = self._store.get(id_)
            if record and record.owner == self.worker.id:  # we are leaving, or have it anew
                return
            self._tell_end(record)
            self._active.discard(id_)
            self._wake.put(None)

    def _tell_end(self, record: Record | None) -> None:
        if record:
            self._say(msg("{id}: {what}", id=record.id, what=_ended(record)))

    def _signals(self) -> None:
        threading.Thread(target=self._see_out, name="see out", daemon=True).start()
        signal.signal(signal.SIGTERM, self._told_to_leave)
        signal.signal(signal.SIGHUP, self._told_to_leave)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._interrupted)

    def _told_to_leave(self, number: int, frame: FrameType | None) -> None:
        self._go.put(None)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        self._interrupts += 1
        (self._go if self._interrupts > 1 else self._wake).put(None)

    def _tell_interrupt(self) -> None:
        if self._interrupts and not self._told_interrupt:
            self._told_interrupt = True
            if sink.columns(err=True):
                sink.show("", err=True)  # below the ^C that the terminal has drawn
            if self._active:
                self._say(_brought_to_end(len(self._active)))

    def _see_out(self) -> None:
        """On a thread of its own: the one that decides may be held by a library's call."""
        self._go.get()
        self._steps.leaving.set()
        self._wake.put(None)
        time.sleep(LAST_SECONDS)
        git.end_all()
        os._exit(1 if self._code is None else self._code)  # the agents are tied to us; their tasks can be had again

    def _leave(self) -> None:
        """The agents end in order; their tasks can be had again."""
        self._go.put(None)
        self._steps.leaving.set()
        until = time.monotonic() + LEAVE_SECONDS
        while self._working() and time.monotonic() < until:
            time.sleep(0.05)
        git.end_all()
        with suppress(Unreachable, Meddled):
            self._store.release(self.worker.id, time.time())
        self._live.end()

    def _working(self) -> bool:
        """Whether one of the agents still lives: its task's lock is held until then."""
        from ccc.base import files

        folder = self._store.address.folder / "locks"
        return any(
            not files.was_freed(folder / f"{id_}.lock") for id_ in self._active if (folder / f"{id_}.lock").exists()
        )


def _to_whoever_listens(say: Say) -> Say:
    """A terminal that is gone is no reason to end: neither a signal's handler nor a task's thread may break on it."""

    def tell(line: Message) -> None:
        with suppress(OSError, ValueError):
            say(line)

    return tell


def _not_here(task: Task) -> Message:
    return msg(
        "{id} cannot be begun: {repo} is no repository here; put it back, or: ccc fleet cancel {id}",
        id=task.id,
        repo=task.repo,
    )


def _begins(record: Record) -> Message:
    return msg("goes on") if record.session else msg("begins: {title}", title=record.task.title)


def _brought_to_end(tasks: int) -> Message:
    if tasks == 1:
        return msg("1 task is brought to its end; Ctrl-C again leaves at once, and it can be gone on with")
    return msg("{n} tasks are brought to their end; Ctrl-C again leaves at once, and all can be gone on with", n=tasks)


def _ended(record: Record) -> Message:
    if not record.is_over and record.not_before > time.time():
        return held(record.task.provider or "", record.not_before)
    if not record.is_over:
        return msg("waits")
    if record.is_forged:
        return msg(
            "{outcome} ({cost}): changed outside ccc", outcome=word(record.outcome), cost=dollars(record.cost_usd)
        )
    return msg("{outcome} ({cost})", outcome=word(record.outcome), cost=dollars(record.cost_usd))
