"""A review while the person has the prompt: what overtakes it, who ends it, and what is told once somebody listens.

Rule: only who was called with `--background` loads it, or for a prompt. The client hears of such a hook that it has
ended with 2, and what it then says on stderr; everything else is kept for the person's next prompt.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from msgspec.structs import replace

from ccc.base import processes
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import presence
from ccc.claude.transcript import Transcript
from ccc.model import AllowStop, Decision, KeepWorking, StopEvent
from ccc.providers.config import Config
from ccc.record import store
from ccc.record.session import Session
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
    if holder is None or not lineage.is_in_background(holder) or not lineage.is_called_by(holder, call.client):
        return False
    with suppress(ProcessLookupError):  # it has just ended
        os.kill(holder.pid, signal.SIGTERM)
    return True


def keep(decision: Decision, call: Call, event: StopEvent) -> None:
    """What the client shows to nobody, and that the turn which the feedback begins belongs to this request."""
    woken = isinstance(decision, KeepWorking)
    words = decision.told if isinstance(decision, AllowStop) else decision.notice or ""
    told = "" if headless.is_headless(call.env) else words

    def kept(found: Session) -> Session:
        return replace(found, request=replace(found.request, woken=woken, untold=told))

    with suppress(CccError):  # in the log all the same
        call.store.update(event.session_id, kept)


def untold(call: Call, session_id: str) -> str:
    """What the person has not been told of this session's last review, told by this call."""
    found = store.seen(call.store.directory, session_id)
    if found is None or not found.request.untold:
        return ""
    call.store.update(session_id, lambda old: replace(old, request=replace(old.request, untold="")))
    return found.request.untold
