"""One Stop: what the client says on stdin becomes ccc's answer on stdout.

Rule: stdout is nothing or one JSON object, and the exit code is 0, whatever happens; no Stop passes in silence. Only a
review in the background ends with another code, by which the line in the settings has the agent woken. The
specification has nothing on stdout where a Stop is allowed by a review or a limit; a client is told in one line.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ccc.base import files, processes, sink, strictjson
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import clean
from ccc.claude import variables
from ccc.claude.transcript import Transcript
from ccc.evidence import facts, past
from ccc.evidence.facts import Evidence
from ccc.judging import announce, supervisor
from ccc.judging.bench import Bench
from ccc.judging.supervisor import Brief
from ccc.model import AllowStop, Decision, Juror, KeepWorking, Outcome, StopEvent
from ccc.providers import choosing, config
from ccc.providers.config import Config
from ccc.record import store
from ccc.record.events import LetThrough
from ccc.record.outside import Kind
from ccc.record.session import About, Session
from ccc.record.store import Memory
from ccc_hooks import call as calls
from ccc_hooks import deadline, headless, lineage, stop
from ccc_hooks.call import Call
from ccc_hooks.deadline import Overdue
from ccc_hooks.stop import Asked, Failed, NotAStop, Unreadable

if TYPE_CHECKING:
    from ccc.judging.reviewer import Question

# A hook that the person interrupted may take 3 s to leave; whoever holds the Stop longer is reviewing this very one.
PATIENCE = 4.0
# The client gives a hook 60 s more than a review may take, and ends it without a word.
READING_SECONDS = 45.0
BEYOND_SECONDS = 40.0
LAST_SECONDS = 10.0
ASKED_SECONDS = 5.0


class NotARequest(Exception):
    """The agent has only had its say about a command of the person's own."""


def main(words: Sequence[str], env: Mapping[str, str]) -> int:
    """Answer one Stop. 0: the client would show any other code as an error, and take 2 for a block. Where it does not
    wait for the answer, it would hear nothing else."""
    closed = sink.fill_closed_streams()
    call = Call.of(words, env, begun=lineage.begun())
    event: StopEvent | None = None
    try:
        if 1 in closed:
            raise NotAStop("stdout is closed, so nobody would hear the answer")
        with deadline.within(READING_SECONDS) as ends_in:
            lineage.refuse_recursion()
            said = stop.read(0)
            lineage.refuse_uninvited(call.env)
            event = stop.parse(said, call.env.get("CLAUDE_PROJECT_DIR"))
            conf = config.load(call.env)
            ends_in(call.begun + conf.supervisor.timeout_seconds + BEYOND_SECONDS - time.monotonic())
            decision = supervised(event, call, conf)
        _give(decision, call)
        with suppress(Exception):  # the answer is out, and there is only one
            env = choosing.without_keys(conf, call.env)
            announce.ended(conf.supervisor, event, decision, call.about(event), env)
        return lineage.WAKES if call.background and isinstance(decision, KeepWorking) else 0
    except Failed as failed:
        _note(failed, call)
    except Asked as asked:
        _hear(asked, call)
    except NotAStop as nothing:
        with suppress(CccError):  # a folder that cannot be had has no log either
            files.private_directory(call.store.directory)
        call.report.tell(None, LetThrough(str(nothing)))
    except Unreadable as error:
        _give(unreviewed(call, call.unread(error.session_id), error.message), call)
    except CccError as error:
        _give(unreviewed(call, event, error.message), call)
    except Overdue:
        _give(_overdue(call, event), call)
    except Exception as error:
        _give(unreviewed(call, event, f"unexpected {type(error).__name__} in ccc"), call)
    return 0


def _note(failed: Failed, call: Call) -> None:
    """Whatever becomes of it, the client hears nothing: it would not listen."""
    from ccc_hooks import failure

    with suppress(Exception, Overdue), deadline.within(READING_SECONDS):
        decision = failure.noted(failed, call)
        headless.tell(decision, call.env)
        conf = config.load(call.env)
        env = choosing.without_keys(conf, call.env)
        announce.ended(conf.supervisor, failed.stop, decision, call.about(failed.stop), env)


def _hear(asked: Asked, call: Call) -> None:
    """A prompt is never held up, whatever becomes of it."""
    from ccc_hooks import background

    with suppress(Exception, Overdue), deadline.within(ASKED_SECONDS):
        background.end_earlier(call, asked.session_id)
        told = background.untold(call, asked.session_id)
        calls.put(1, strictjson.dumps({"systemMessage": clean(told)}) if told else b"")


def _kept(decision: Decision, call: Call, event: StopEvent) -> Decision:
    """What a client that does not wait will show nobody is kept for the next prompt."""
    if call.background:
        from ccc_hooks import background

        background.keep(decision, call, event)
    return decision


def _give(decision: Decision, call: Call) -> None:
    calls.put(1, answer(decision, by_client=call.env.get("CLAUDECODE") == "1"))
    if call.background and isinstance(decision, KeepWorking):
        calls.put(2, clean(decision.feedback).encode())  # all that a client hears of a hook it has not waited for
    headless.tell(decision, call.env)


def supervised(event: StopEvent, call: Call, conf: Config) -> Decision:
    """The decision on this Stop; a second hook that is called for the same one leaves it to the first."""
    files.private_directory(call.store.directory)
    before = _report(event, call) if variables.SUPERVISED in call.env else ()
    with ExitStack() as held:
        _end_earlier(event, call)
        try:
            held.enter_context(files.locked(call.store.stop_lock(event.session_id), wait=PATIENCE))
        except files.Busy as busy:
            _refuse_stranger(busy, call)
            raise NotAStop("another hook decides this stop") from None
        memory = call.store.open(event.session_id)
        if call.is_late(memory.session):
            raise NotAStop("another hook has decided this stop")
        _inherit_tasks(memory, event, before)
        memory.session = _called(memory.session, call)
        if variables.SUPERVISED in call.env:
            _refuse_copies(event, call, conf)
        file = held.enter_context(Transcript(event.transcript))
        try:
            decision = _bench(event, call, conf, memory, file).decision()
        except NotARequest:
            outside = memory.session.outside.noticed_again(Kind.OWN_COMMAND, memory.store.now())
            memory.keep(replace(memory.session, outside=outside))  # heard of, and no more
            notices = call.report.notices
            decision = call.report.decided(event, AllowStop(None, notices.own_command, notices.own_command))
        return _kept(decision, call, event)


def _end_earlier(event: StopEvent, call: Call) -> None:
    """A review in the background is over when the agent stops again, unless that was none of its work."""
    holder = processes.holder(call.store.stop_lock(event.session_id))
    if holder is None or not lineage.is_in_background(holder):
        return
    if not call.is_older(time.monotonic() - holder.seconds):  # it was called for this very stop
        return
    from ccc_hooks import background

    with Transcript(event.transcript) as file:
        if file.at_stop(event.last_message, event.prompt_id).own_command:
            raise NotAStop("the agent has only answered to a command of the person's own")
    background.end_earlier(call, event.session_id)


def _bench(event: StopEvent, call: Call, conf: Config, memory: Memory, file: Transcript) -> Bench:
    # Read when somebody first asks, which is never while supervision is off, and once for all who ask.
    reading = cache(lambda: file.at_stop(event.last_message, event.prompt_id))

    def examine() -> Evidence | None:
        known = reading()
        memory.session = memory.session.known_as(About(answer=known.answer))
        # Told, for a line in that file is no proof; and where nobody types there is nothing to believe.
        if known.own_command and not headless.is_headless(call.env):
            raise NotARequest
        return replace(facts.of(known.conversation), goes_on=known.goes_on) if known.conversation else None

    def ask(brief: Brief, juror: Juror) -> Question:
        from ccc_hooks.review import Asking

        known = reading()
        return Asking(event, call, conf, memory, known.model, file.words(), known.context).question(brief, juror)

    def overtaken() -> str:
        from ccc_hooks import background

        return background.overtaken(event, reading().answer, call, conf, file)

    return Bench(
        stop=event,
        config=conf,
        memory=memory,
        report=call.report,
        env=call.env,
        project=call.project(event),
        about=call.about(event),
        begun=call.begun,
        examine=examine,
        earlier=cache(lambda: past.of(file.earlier())),
        typed=(lambda: "") if headless.is_headless(call.env) else file.typed,
        overtaken=overtaken if call.background and not headless.is_headless(call.env) else lambda: "",
        ask=ask,
        outlived=lambda: _outlived(event, call, conf, file),
        waits=True,
    )


def _outlived(event: StopEvent, call: Call, conf: Config, file: Transcript) -> bool:
    if not headless.ends_with_request(call.env):
        return False
    from ccc_hooks import lasting

    return lasting.outlives(event, file, conf.supervisor.timeout_seconds / 2)


def _report(event: StopEvent, call: Call) -> Sequence[str]:
    """This client's hook is called: without it the next start of ccc would say that it was not."""
    from ccc.record import starts

    return starts.heard(call.store.directory, call.client, event.session_id) if call.client else ()


def _called(session: Session, call: Call) -> Session:
    """The session with whoever has called this hook for it."""
    if call.client and session.about.client == 0:  # counted for somebody who is no client
        session = replace(session, outside=session.outside.doubted(Kind.STATE, call.store.now()))
    return session.known_as(About(client=call.client or 0, answer=""))


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


def _refuse_stranger(busy: files.Busy, call: Call) -> None:
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


def unreviewed(call: Call, event: StopEvent | None, why: str) -> Decision:
    """Told in the client and at the next start, and kept in the log and with the session, if it is known whose."""
    if event is None:
        return call.report.unreviewed(why)
    with suppress(CccError):  # then nothing else of the session can be kept either
        call.store.update(event.session_id, lambda old: _called(old, call))
    return _kept(supervisor.given_up(event, why, store=call.store, report=call.report), call, event)


def _overdue(call: Call, event: StopEvent | None) -> Decision:
    """What held the hook may hold its memory as well; the person is told in any case."""
    why = msg("ccc took longer than a stop may take, held by a file, a disk or a lock")
    try:
        with deadline.within(LAST_SECONDS):
            return unreviewed(call, event, why)
    except Overdue:
        return AllowStop(Outcome.UNREVIEWED, why, call.report.notices.not_reviewed(why, call.store.log_path))


def answer(decision: Decision, *, by_client: bool) -> bytes:
    """What the client is told; cleaned, because it shows these words in the person's terminal."""
    match decision:
        case KeepWorking(feedback, notice=notice):
            told = {"systemMessage": clean(notice)} if notice else {}
            return strictjson.dumps({"decision": "block", "reason": clean(feedback), **told})
        case AllowStop(notice=notice):
            # The specification (H10, C6, C8, C15) has stdout empty where a review or a limit lets the agent stop. By
            # that letter whoever calls ccc hears nothing; a client, and nobody else, makes a line of a message.
            shown = decision.told if by_client else notice
            return strictjson.dumps({"systemMessage": clean(shown)}) if shown else b""
