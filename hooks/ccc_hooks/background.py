"""A review while the person has the prompt: what overtakes it, who ends it, and what is told once somebody listens.

Rule: only who was called with `--background` loads it, or for a prompt. The client hears of such a hook that it has
ended with 2, and what it then says on stderr; everything else is kept for the person's next prompt.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from ccc.base import processes
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.processes import Holder
from ccc.claude import presence
from ccc.claude.transcript import Transcript
from ccc.model import AllowStop, Decision, KeepWorking, StopEvent
from ccc.providers.config import Config
from ccc.record import owners, store
from ccc.record.session import Request, Session
from ccc_hooks import headless, lineage
from ccc_hooks.call import Call


def overtaken(event: StopEvent, answer: str, call: Call, conf: Config, file: Transcript) -> str:
    """Why a verdict on this Stop comes too late; empty when it does not."""
    now_in = presence.conversation(conf.directory, call.client) if call.client else None
    if now_in not in (None, event.session_id):
        return msg("you had gone on in another conversation")
    behind = file.after(event.prompt_id, answer)
    if behind is None:
        return ""
    if behind.begins_request:
        return msg("you had typed something that goes first")
    return msg("the agent had gone on by itself, and its next stop is reviewed")


def end_earlier(call: Call, session_id: str) -> bool:
    """Have the review end that this client's hook still holds for an earlier stop; False when there is none."""
    holder = processes.holder(call.store.stop_lock(session_id))
    if holder is None or not lineage.is_in_background(holder) or not _has_called(call.client, holder):
        return False
    with suppress(ProcessLookupError):  # it has just ended
        os.kill(holder.pid, signal.SIGTERM)
    return True


def _has_called(client: int | None, holder: Holder) -> bool:
    """Whether the caller's client is this hook's; who has none ends no review of a client's."""
    return lineage.is_called_by(holder, client) if client else lineage.has_no_client(holder)


def keep(decision: Decision, call: Call, event: StopEvent) -> None:
    """What the client shows to nobody, and that the turn which the feedback begins belongs to this request."""
    woken = isinstance(decision, KeepWorking)
    words = decision.told if isinstance(decision, AllowStop) else decision.notice or ""
    told = "" if headless.is_headless(call.env) else words

    def kept(found: Session) -> Session:
        mine = found.owned_by(_owner(call), owners.lives)
        return replace(mine, request=replace(mine.request, woken=woken, untold=told))

    with suppress(CccError):  # in the log all the same
        call.store.update(event.session_id, kept)


def untold(call: Call, session_id: str) -> str:
    """What this client has not shown of its last review, or one that is gone of its own; told by this call.

    To nobody else: what is told once could be taken away.
    """
    mine = _owner(call)

    def is_due(owner: str) -> bool:
        return owner == mine or (call.client is not None and not owners.lives(owner))

    found = store.seen(call.store.directory, session_id)
    words = _untold(found, is_due) if found and not headless.is_headless(call.env) else ""
    if words:
        call.store.update(session_id, lambda old: _told(old, is_due))
    return words


def _owner(call: Call) -> str:
    return owners.of(call.client, processes.ticks(call.client) if call.client else "")


def _untold(session: Session, is_due: Callable[[str], bool]) -> str:
    requests = ((session.owner, session.request), *((each.owner, each.request) for each in session.apart))
    return "\n".join(request.untold for owner, request in requests if request.untold and is_due(owner))


def _told(session: Session, is_due: Callable[[str], bool]) -> Session:
    def told(owner: str, request: Request) -> Request:
        return replace(request, untold="") if is_due(owner) else request

    apart = tuple(replace(each, request=told(each.owner, each.request)) for each in session.apart)
    return replace(session, request=told(session.owner, session.request), apart=apart)
