"""The ends of a Stop: what the client is told of a decision, and what becomes of a Stop without one.

Rule: no Stop passes in silence; whatever cannot be kept or told does not keep the client from its answer.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from ccc.base import files, strictjson
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import clean
from ccc.judging import announce, supervisor
from ccc.model import AllowStop, Decision, KeepWorking, Outcome, StopEvent
from ccc.providers import config
from ccc_hooks import call as calls
from ccc_hooks import claim, deadline, headless
from ccc_hooks.call import Call
from ccc_hooks.deadline import Overdue
from ccc_hooks.stop import Asked, Begun, Failed

LAST_SECONDS = 10.0
ASKED_SECONDS = 5.0
NOTED_SECONDS = 45.0


def give(decision: Decision, call: Call) -> None:
    calls.put(1, answer(decision, by_client=call.env.get("CLAUDECODE") == "1"))
    if call.background and isinstance(decision, KeepWorking):
        calls.put(2, clean(decision.feedback).encode())  # all that a client hears of a hook it has not waited for
    headless.tell(decision, call.env)
    calls.release()


def answer(decision: Decision, *, by_client: bool) -> bytes:
    """What the client is told; cleaned, because it shows these words in the person's terminal."""
    match decision:
        case KeepWorking(feedback, notice=notice):
            told = {"systemMessage": clean(notice)} if notice else {}
            return strictjson.dumps({"decision": "block", "reason": clean(feedback), **told})
        case AllowStop(besides=KeepWorking() as said):
            return answer(replace(said, notice=decision.told), by_client=by_client)
        case AllowStop(notice=notice):
            # The specification (H10, C6, C8, C15) has stdout empty where a review or a limit lets the agent stop. By
            # that letter whoever calls ccc hears nothing; a client, and nobody else, makes a line of a message.
            shown = decision.told if by_client else notice
            return strictjson.dumps({"systemMessage": clean(shown)}) if shown else b""


def kept(decision: Decision, call: Call, event: StopEvent) -> Decision:
    """What a client that does not wait will show nobody is kept for the next prompt."""
    if call.background:
        from ccc_hooks import background

        background.keep(decision, call, event)
    return decision


def unreviewed(call: Call, event: StopEvent | None, why: str) -> Decision:
    """Told in the client and at the next start, and kept in the log and with the session, if it is known whose."""
    if event is None:
        return call.report.unreviewed(why)
    with suppress(CccError):  # then nothing else of the session can be kept either
        call.store.update(event.session_id, lambda old: claim.called(old, call))
    return kept(supervisor.given_up(event, why, store=call.store, report=call.report), call, event)


def overdue(call: Call, event: StopEvent | None) -> Decision:
    """What held the hook may hold its memory as well; the person is told in any case."""
    why = msg("ccc took longer than a stop may take, held by a file, a disk or a lock")
    try:
        with deadline.within(LAST_SECONDS):
            return unreviewed(call, event, why)
    except Overdue:
        return AllowStop(Outcome.UNREVIEWED, why, call.report.notices.not_reviewed(why, call.store.log_path))


def note(failed: Failed, call: Call) -> None:
    """Whatever becomes of it, the client hears nothing: it would not listen."""
    from ccc_hooks import failure

    with suppress(Exception, Overdue), deadline.within(NOTED_SECONDS):
        decision = failure.noted(failed, call)
        headless.tell(decision, call.env)
        conf = config.load(call.env)
        bare = call.outward(conf, failed.stop.cwd)
        announce.ended(conf.supervisor, failed.stop, decision, call.about(failed.stop), bare)


def hear(asked: Asked, call: Call) -> None:
    """A prompt is never held up, whatever becomes of it."""
    from ccc_hooks import background

    with suppress(Exception, Overdue), deadline.within(ASKED_SECONDS):
        background.end_earlier(call, asked.session_id)
        told = background.untold(call, asked.session_id)
        calls.put(1, strictjson.dumps({"systemMessage": clean(told)}) if told else b"")


def greet(begun: Begun, call: Call) -> None:
    """A session is never held up, whatever becomes of it, and its agent is told nothing."""
    with suppress(Exception, Overdue), deadline.within(ASKED_SECONDS):
        if begun.cwd:
            files.private_directory(call.store.directory)
            claim.met(begun.cwd, call, config.load(call.env), asked=False)
