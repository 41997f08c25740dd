"""A turn that the API has ended: what the client tells its StopFailure hook is kept where a Stop's end is kept.

Rule: nothing goes to stdout, nothing is counted or spent, and a session that ccc does not supervise leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from ccc.base import files, processes
from ccc.base.errors import CccError
from ccc.base.messages import Message
from ccc.claude import outage, variables
from ccc.claude.weather import Weather, status_in, weather
from ccc.judging import supervisor
from ccc.model import AllowStop, Outcome, StopEvent
from ccc.record import owners, starts, switch
from ccc.record.events import AgentFailed
from ccc_hooks.call import Call
from ccc_hooks.stop import Failed


def noted(failed: Failed, call: Call) -> AllowStop:
    return kept(failed.stop, _weather(failed, call.store.now().astimezone()), call)


def kept(
    stop: StopEvent, found: Weather, call: Call, told: Callable[[Message], Message] = lambda line: line
) -> AllowStop:
    """The end of the request as the session, the log and the next start of ccc remember it."""
    about = call.about(stop)
    files.private_directory(call.store.directory)
    off = switch.off(call.store.directory, *call.ground(stop, about).switched, session_id=stop.session_id)
    if off:
        return AllowStop(Outcome.OFF, supervisor.OFF[off])
    if variables.SUPERVISED in call.env and call.client:
        starts.heard(call.store.directory, call.client, stop.session_id)
    until = found.until.isoformat(timespec="seconds") if found.until else None
    call.report.tell(stop, AgentFailed(found.kind.value, until, found.said))
    why = told(outage.line(found, about.provider, call.store.now().astimezone()))
    with suppress(CccError):  # told below
        call.store.update(stop.session_id, lambda old: old.owned_by(_owner(call), owners.lives))
    return supervisor.cut_off(stop, why, about=about, store=call.store, report=call.report)


def _owner(call: Call) -> str:
    return owners.of(call.client, processes.ticks(call.client) if call.client else "")


def _weather(failed: Failed, now: datetime) -> Weather:
    """The client names the status in its words alone."""
    text = failed.said or failed.details
    status = status_in(failed.said) or status_in(failed.details)
    return weather(text, now, status=status, error=failed.error)
