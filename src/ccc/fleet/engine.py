"""The durable engine: a task is a workflow whose steps are remembered, so that another process goes on with it.

Rule: the only module that knows DBOS. A step may run twice (it is remembered after it has run), so each one may be
repeated; whatever else the fleet needs of an engine is asked for in words of its own.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.fleet.address import Address
from ccc.fleet.store import Unreachable

try:
    from dbos import DBOS, SetWorkflowID
except ImportError:
    from ccc.base import installation

    raise CccError(
        msg("a fleet is run by the package dbos, which is not installed"),
        msg("run: {command}", command=installation.adding("'ccc-supervisor[fleet]'")),
    ) from None

NAME = "ccc-fleet"
LAUNCH_SECONDS = 60.0
VERSION = "1"  # of the steps below, not of ccc: a newer ccc goes on with an older one's tasks
REST_SECONDS = 5  # for the last task to be written down as ended
QUEUE_SECONDS = 1.0  # how soon a task that was taken over goes on
Done = Callable[[str], None]


class Steps(Protocol):
    """What is done for a task, one after another."""

    def work(self, id_: str) -> tuple[str, str, str] | None: ...  # outcome, why, commit; None: it was put back
    def share(self, id_: str, commit: str) -> str: ...  # what did not work
    def record(self, id_: str, outcome: str, why: str, commit: str) -> None: ...


class _Now:
    """The workflow below is known to the engine by its name, so what it works with stands here."""

    steps: Steps
    done: Done


@DBOS.workflow(name="task")
def _task(id_: str) -> str:
    steps = _Now.steps
    try:
        ended = _step("work", steps.work, id_)
        if ended is None:
            return "put back"
        outcome, why, commit = ended
        trouble = _step("share", steps.share, id_, commit)
        _step("record", steps.record, id_, outcome, " ".join(filter(None, (why, trouble))), commit)
        return str(outcome)
    finally:
        _Now.done(id_)


def _step(name: str, act: Callable[..., Any], *values: str) -> Any:
    return DBOS.run_step({"name": name}, act, *values)


class Engine:
    """Awake from the start, so that what keeps it from working is told at once; asleep while there is nothing to do,
    for its threads ask the database every second."""

    def __init__(self, address: Address, worker: str, steps: Steps, done: Done) -> None:
        self._address, self._worker, self._times = address, worker, 0
        self._queue, self._listens, self._awake = f"worker {worker}", False, False
        _Now.steps, _Now.done = steps, done
        self._wake()

    def _wake(self) -> None:
        if self._awake:
            return
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        old = os.umask(0o077)
        try:
            DBOS(
                config={
                    "name": NAME,
                    "system_database_url": self._address.engine,
                    "application_version": VERSION,
                    # Another one each time, or what this one has left half done would go on though nobody claimed it.
                    "executor_id": f"{self._worker}.{self._times}",
                    "log_level": "CRITICAL",
                    "enable_otlp": False,
                    "use_listen_notify": False,
                }
            )
            DBOS.listen_queues([self._queue])
            # Whoever comes first makes the engine's tables; two at once would meet in the midst.
            with files.locked(self._address.folder / "engine.lock", wait=LAUNCH_SECONDS):
                DBOS.launch()
        finally:
            os.umask(old)
        self._awake, self._times = True, self._times + 1

    def rest(self) -> None:
        """Until the next task; called when none is under way."""
        if not self._awake:
            return
        with suppress(Exception):  # a queue that nobody listens to does no harm
            self.end()
        self._awake = self._listens = False
        DBOS.destroy(workflow_completion_timeout_sec=REST_SECONDS)

    def go_on(self, id_: str, run: int) -> None:
        """From its beginning, or from where another process left it."""
        try:
            self._wake()
            self._go_on(id_, f"{id_}.{run}")
        except Exception as error:  # of the driver's, the library's or DBOS's own: it could not be written down
            raise Unreachable(
                msg("the fleet's engine could not write: {reason}", reason=foreign(type(error).__name__))
            ) from None

    def _go_on(self, id_: str, name: str) -> None:
        if DBOS.get_workflow_status(name) is not None:
            self._listen()
            DBOS.resume_workflow(name, queue_name=self._queue)
            return
        with SetWorkflowID(name):
            DBOS.start_workflow(_task, id_)

    def _listen(self) -> None:
        """Only who has something to take over looks into a queue, for looking costs."""
        if not self._listens:
            DBOS.register_queue(self._queue, polling_interval_sec=QUEUE_SECONDS)
        self._listens = True

    def end(self) -> None:
        if self._listens:
            DBOS.delete_queue(self._queue)
