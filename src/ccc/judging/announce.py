"""Tell the world how a request ended: the command of `supervisor.on_outcome` gets it as JSON on stdin.

Rule: comes after the answer, has ten seconds, and whatever it does changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ccc.base.values import plain
from ccc.model import AllowStop, Decision, StopEvent
from ccc.record.session import About

SECONDS = 10.0
# The JSON travels in a variable, because the child's stdin is closed; the shell puts it where the command expects it.
PIPED = 'printf "%s" "$CCC_OUTCOME" | {{ unset CCC_OUTCOME; {command}\n}}'


def outcome(command: str | None, stop: StopEvent, decision: Decision, about: About, env: Mapping[str, str]) -> None:
    """Run the command, if there is one and the request has ended."""
    if not command or not isinstance(decision, AllowStop) or decision.outcome is None:
        return
    from ccc.base import process
    from ccc.base.process import CannotStart, Command, Limits

    told = {**plain(about), "session_id": stop.session_id, "outcome": decision.outcome.value, "why": decision.why}
    variable = {"CCC_OUTCOME": json.dumps(told, ensure_ascii=False, default=str)}
    argv = ("/bin/sh", "-c", PIPED.format(command=command))
    try:
        process.run(
            Command(argv, {**env, **variable}, Path(stop.cwd)),
            on_output=lambda _: False,
            limits=Limits(deadline_seconds=SECONDS, idle_seconds=SECONDS),
        )
    except CannotStart:  # a notice that cannot be given is not worth an error
        return
