"""Background work under `claude -p`: whether it is a build, which the agent waits for, or a server.

Rule: the client waits some minutes for either one, then ends it and itself, and calls no hook again. So the hook waits
in its place, for a part of the time that a review may take, and what goes on after that is no reason to wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ccc.claude.transcript import Transcript
from ccc.judging import patience
from ccc.judging.supervisor import PATIENCE_SECONDS
from ccc.model import StopEvent

STEP_SECONDS = 5.0


def outlives(
    stop: StopEvent,
    file: Transcript,
    seconds: float,
    *,
    caller: int | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], bool] | None = None,
) -> bool:
    """Wait until some of the work has ended, which wakes the agent; whether all of it goes on after that time. An error
    when somebody else than the caller has told us to stop."""
    rest = sleep or (lambda pause: patience.sleep(pause, stop.cwd, hangup_fd=1, caller=caller))
    tasks, begun, patient = frozenset(task.id for task in stop.tasks), clock(), min(seconds, PATIENCE_SECONDS)
    while not tasks & file.ended():
        waited = clock() - begun
        if waited >= patient:
            return True
        if not rest(min(STEP_SECONDS, 0.5 + waited / 4, patient - waited)):
            return False  # the client is gone, or somebody has interrupted it
    return False
