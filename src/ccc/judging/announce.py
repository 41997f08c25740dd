"""Tell the world how a request ended, or that it waits: `supervisor.on_outcome` and `supervisor.notify`.

Rule: comes after the answer, and whatever becomes of it changes nothing. The command of `on_outcome` has ten seconds;
a notice is carried by a process of its own, which nobody waits for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from ccc.base.text import one_line
from ccc.base.values import plain
from ccc.claude.variables import is_identity
from ccc.model import AllowStop, Decision, StopEvent
from ccc.providers.config import Bare, Notify, SupervisorOptions
from ccc.record import words
from ccc.record.events import HeldUp
from ccc.record.session import About, moment

SECONDS = 10.0
VERSION = 1
WHY_LENGTH = 500
# The JSON travels in a variable, because the child's stdin is closed; the shell puts it where the command expects it.
PIPED = 'printf "%s" "$CCC_OUTCOME" | {{ unset CCC_OUTCOME; {command}\n}}'


def is_wanted(options: SupervisorOptions) -> bool:
    """Whether anybody is to be told."""
    return options.notify.reaches_out or bool(options.on_outcome)


def ended(options: SupervisorOptions, stop: StopEvent, decision: Decision, about: About, bare: Bare) -> None:
    """If the request has ended: the notice first, which takes no time, then the command of `on_outcome`."""
    if not isinstance(decision, AllowStop) or decision.outcome is None:
        return
    told = {"event": "outcome", "outcome": decision.outcome.value, "why": one_line(decision.why, WHY_LENGTH)}
    _notify(options.notify, stop, told, about, bare)
    outcome(options.on_outcome, stop, decision, about, bare)


def held_up(options: SupervisorOptions, stop: StopEvent, about: About, event: HeldUp, *, bare: Bare) -> None:
    """At the start of a long wait."""
    why = words.waiting(event.by, event.provider, moment(event.until) or datetime.now(UTC), datetime.now(UTC))
    told = {"event": "waiting", "why": one_line(why, WHY_LENGTH), "until": event.until}
    _notify(options.notify, stop, told, replace(about, provider=event.provider), bare)


def ended_unseen(options: SupervisorOptions, stop: StopEvent, decision: AllowStop, about: About, bare: Bare) -> None:
    """The same as `ended`, for whoever cannot wait for the command of `on_outcome` either: it is carried as well."""
    ended(replace(options, on_outcome=None), stop, decision, about, bare)
    if options.on_outcome and decision.outcome:
        _carried(Notify(command=options.on_outcome), _outcome(stop, decision, about), stop.cwd, bare)


def outcome(command: str | None, stop: StopEvent, decision: Decision, about: About, bare: Bare) -> None:
    """Run the command, if there is one and the request has ended."""
    if not command or not isinstance(decision, AllowStop) or decision.outcome is None:
        return
    from ccc.base import process
    from ccc.base.process import CannotStart, Command, Limits

    told = _outcome(stop, decision, about)
    variable = {"CCC_OUTCOME": json.dumps(told, ensure_ascii=False, default=str)}
    argv = ("/bin/sh", "-c", PIPED.format(command=command))
    try:
        process.run(
            Command(argv, {**bare(command), **variable}, Path(stop.cwd)),
            on_output=lambda _: False,
            limits=Limits(deadline_seconds=SECONDS, idle_seconds=SECONDS),
        )
    except CannotStart:  # a notice that cannot be given is not worth an error
        return


def _outcome(stop: StopEvent, decision: AllowStop, about: About) -> dict[str, object]:
    ended = decision.outcome.value if decision.outcome else None
    return {**plain(replace(about, answer=None)), "session_id": stop.session_id, "outcome": ended, "why": decision.why}


def _notify(notify: Notify, stop: StopEvent, told: dict[str, str], about: About, bare: Bare) -> None:
    if not notify.reaches_out:
        return
    whose = {"mode": about.mode, "provider": about.provider, "project": about.project}
    known = {key: str(value) for key, value in whose.items() if value}
    _carried(notify, {"v": VERSION, **told, "session_id": stop.session_id, **known}, stop.cwd, bare)


def _carried(notify: Notify, notice: Mapping[str, object], cwd: Path, bare: Bare) -> None:
    """By a process that outlives this one: a client waits for its hook, and ends it when it does not like to."""
    import subprocess

    from ccc.base import handed, interpreter

    # The address may hold a secret, so it goes by a socket, which nobody else opens; a key is nobody's business here.
    order = json.dumps({"notify": plain(notify), "notice": notice, "cwd": str(cwd)}).encode()
    kept = {key: value for key, value in bare(notify.command).items() if not is_identity(key)}
    ours, theirs = handed.talk()
    with open("/dev/null", "wb") as nowhere, open(theirs, "rb") as read:  # noqa: PTH123  (pathlib would say no more)
        child = subprocess.Popen(
            interpreter.command("ccc.judging.courier"),
            env=kept,
            stdin=read,
            stdout=nowhere,
            stderr=nowhere,
            # Not a session: pty mode takes a stranger's process for one that a dead agent has left.
            process_group=0,
        )
    with open(ours, "wb") as told:  # noqa: PTH123
        told.write(order)
    child.returncode = 0  # nobody waits for it; else Python would warn that it lives
