"""Whose a Stop is: one hook decides it, called by this client for this very Stop, and nobody else.

Rule: whoever else holds it, or would decide in its place, is refused and told by name.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ccc.base import files, processes
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.processes import Holder
from ccc.claude import variables
from ccc.claude.transcript import Transcript
from ccc.model import StopEvent
from ccc.providers.config import Config
from ccc.record import owners, store
from ccc.record.outside import Kind
from ccc.record.session import About, Session
from ccc.record.store import Memory
from ccc_hooks import headless, lineage
from ccc_hooks.call import Call
from ccc_hooks.stop import NotAStop

if TYPE_CHECKING:
    from ccc.record.starts import Heard

# A hook that the person interrupted may take 3 s to leave; whoever holds the Stop longer is reviewing this very one.
PATIENCE = 4.0


@contextmanager
def held(event: StopEvent, call: Call, conf: Config) -> Iterator[Memory]:
    """The session's memory, for as long as this hook decides the Stop; a second one leaves it to the first."""
    files.private_directory(call.store.directory)
    heard = _report(event, call, conf) if call.client else None
    with _locked(event, call, conf):
        if call.client or variables.SUPERVISED in call.env:
            _refuse_copies(event, call, conf)  # though another has decided: whatever it said may not be heard
        memory = call.store.open(event.session_id)
        if call.is_late(memory.session):
            raise NotAStop("another hook has decided this stop")
        if heard:
            memory.kept = None if heard.kept else lambda: _kept(event, call)
            _inherit_tasks(memory, event, heard.others)
        memory.answered = memory.session.about.answer or ""
        memory.session = called(memory.session, call)
        yield memory


@contextmanager
def _locked(event: StopEvent, call: Call, conf: Config) -> Iterator[None]:
    lock = call.store.stop_lock(event.session_id)
    with ExitStack() as stack:
        try:
            stack.enter_context(files.locked(lock, wait=0))
        except files.Busy as busy:
            _end_earlier(busy.holder, event, call)
            stack.enter_context(_awaited(lock, call, conf))
        yield


@contextmanager
def _awaited(lock: Path, call: Call, conf: Config) -> Iterator[None]:
    """The lock of a Stop, from whoever has it now."""
    with ExitStack() as stack:
        try:
            stack.enter_context(files.locked(lock, wait=PATIENCE))
        except files.Busy as busy:
            refuse_stranger(busy, call)
            stack.enter_context(_in_turn(lock, call.begun + conf.supervisor.timeout_seconds - time.monotonic()))
        yield


@contextmanager
def _in_turn(lock: Path, seconds: float) -> Iterator[None]:
    """Behind a hook of this very Stop, for all that can be seen from outside: what it has decided is in the session
    then, under ccc's seal, and whoever has decided nothing leaves it to this one."""
    with ExitStack() as stack:
        try:
            stack.enter_context(files.locked(lock, wait=max(0.0, seconds)))
        except files.Busy as busy:
            who = busy.holder.name if busy.holder else msg("another ccc")
            raise CccError(msg("the lock of this stop is held by {who}, which has not decided it", who=who)) from None
        yield


def _end_earlier(holder: Holder | None, event: StopEvent, call: Call) -> None:
    """A review in the background is over when the agent stops again, unless that was none of its work."""
    if holder is None or not lineage.is_in_background(holder):
        return
    if not call.is_older(time.monotonic() - holder.seconds):  # it was called for this very stop
        return
    from ccc_hooks import background

    with Transcript(event.transcript) as file:
        if file.at_stop(event.last_message, event.prompt_id).own_command:
            raise NotAStop("the agent has only answered to a command of the person's own")
    background.end_earlier(call, event.session_id)


def called(session: Session, call: Call) -> Session:
    """The session with whoever has called this hook for it."""
    if call.client and session.about.client == 0:  # counted for somebody who is no client
        session = replace(session, outside=session.outside.doubted(Kind.STATE, call.store.now()))
    begun = processes.ticks(call.client) if call.client else ""
    session = session.owned_by(owners.of(call.client, begun), owners.lives)
    return session.known_as(About(client=call.client or 0, client_begun=begun, answer=""))


def _report(event: StopEvent, call: Call, conf: Config) -> Heard:
    """This client's hook is called: without it the next start of ccc would say that it was not."""
    from ccc.record import starts

    met(event.cwd, call, conf, asked=True)
    return starts.heard(call.store.directory, call.client or 0, event.session_id)


def met(cwd: Path, call: Call, conf: Config, *, asked: bool) -> None:
    """A client that ccc has not started, as under the plugin, is known from the first call of a hook on."""
    from ccc.record import starts

    if call.client and variables.SUPERVISED not in call.env:
        folder = Path(call.env.get("CLAUDE_PROJECT_DIR") or cwd)
        now, attended = call.store.now(), not headless.is_headless(call.env)
        starts.met(call.store.directory, call.client, folder, conf.directory, now, attended=attended, asked=asked)


def _kept(event: StopEvent, call: Call) -> None:
    """There is a state now, and no stop of this session finds none any more."""
    from ccc.record import starts

    if call.client:
        starts.kept(call.store.directory, call.client, event.session_id)


def _inherit_tasks(memory: Memory, event: StopEvent, before: Sequence[str]) -> None:
    """Background work outlives /clear: what was there at a stop of the session before is nothing to wait for either."""
    if all(task.id in memory.session.request.tasks for task in event.tasks):
        return
    others = (store.seen(memory.store.directory, each) for each in before)
    memory.session = memory.session.knowing(task for other in others if other for task in other.request.tasks)


def _refuse_copies(event: StopEvent, call: Call, conf: Config) -> None:
    from ccc_hooks import rivals

    started = call.env.get("CLAUDE_PROJECT_DIR")
    rivals.refuse_copies_in([event.cwd, *([Path(started)] if started else [])], conf.directory)


def refuse_stranger(busy: files.Busy, call: Call) -> None:
    """Only a hook may hold a Stop, and only one that the client called together with this one; who it is, is told."""
    holder = busy.holder
    if holder is None:  # the kernel does not say
        return
    if not lineage.is_hook(holder):
        raise CccError(
            msg("the lock of this stop is held by {who}, which is no hook of ccc's", who=holder.name),
            msg("end it: kill {pid}", pid=holder.pid) if holder.argv else msg("end what it has left running"),
        )
    if call.is_older(time.monotonic() - holder.seconds) or not lineage.is_called_by(holder, call.client):
        raise CccError(
            msg("the lock of this stop is held by {who}, which was not called for it", who=holder.name),
            msg("end it: kill {pid}", pid=holder.pid),
        )
