"""The bench of one Stop in hooks mode: what the decision rests on, read when somebody first asks for it.

Rule: nothing is read twice, and nothing at all while supervision is off.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ccc.claude.transcript import LATE_SECONDS, Known, Reading, Transcript
from ccc.evidence import facts, past
from ccc.evidence.facts import Evidence
from ccc.judging.bench import Bench
from ccc.judging.supervisor import Brief
from ccc.model import Decision, Juror, KeepWorking, StopEvent
from ccc.providers.config import Config
from ccc.record.session import About
from ccc.record.store import Memory
from ccc_hooks import call as calls
from ccc_hooks import headless
from ccc_hooks.call import Call

if TYPE_CHECKING:
    from ccc.judging.reviewer import Question


class NotARequest(Exception):
    """The agent has only had its say about a command of the person's own."""


def of(event: StopEvent, call: Call, conf: Config, memory: Memory, file: Transcript) -> Bench:
    ground = call.ground(event, memory.session.about)
    memory.session = memory.session.known_as(call.kept(ground))
    # Read when somebody first asks, which is never while supervision is off, and once for all who ask.
    reading = cache(lambda: _read(event, memory, file))

    def examine() -> Evidence | None:
        known = reading()
        memory.session = memory.session.known_as(About(answer=known.answer))
        # Told, for a line in that file is no proof; and where nobody types there is nothing to believe.
        if known.own_command and not headless.is_headless(call.env):
            raise NotARequest
        return _evidence(known)

    def ask(brief: Brief, juror: Juror) -> Question:
        from ccc_hooks.review import Asking

        known = reading()
        # Of whatever else stands there as theirs, somebody else has written it.
        words = file.words()[: 1 if headless.asks_once(call.env) else None]
        return Asking(event, call, conf, memory, ground, known.model, words, known.context).question(brief, juror)

    def overtaken() -> str:
        from ccc_hooks import background

        return background.overtaken(event, reading().answer, call, conf, file)

    forks = frozenset(memory.session.forks or ())

    def unseen() -> str:
        from ccc.judging import followed

        if not file.holds(event.last_message, event.prompt_id, before=memory.answered):
            return followed.UNSEEN
        return followed.unseen(memory, conf.directory / "projects", event.last_message, forks)

    return Bench(
        stop=event,
        config=conf,
        memory=memory,
        report=call.report,
        env=call.env,
        settled=lambda: call.settled(conf, ground.folder, ground),
        ground=ground,
        about=call.about(event),
        begun=call.begun,
        examine=examine,
        earlier=cache(lambda: past.of(file.earlier())),
        typed=(lambda: "") if headless.is_headless(call.env) else file.typed,
        overtaken=overtaken if call.background and not headless.is_headless(call.env) else lambda: "",
        unseen=unseen,
        # Whoever is woken has a turn of its own.
        closed=lambda: not call.background and file.is_closed(memory.answered),
        attended=lambda: not headless.is_headless(call.env) and calls.is_heard(1),
        ask=ask,
        outlived=lambda: _outlived(event, call, conf, file),
        # A review in the background is ended by the next hook as well: the person has typed, or the agent stops again.
        caller=None if call.background else call.client,
        waits=True,
    )


def _read(event: StopEvent, memory: Memory, file: Transcript) -> Reading:
    known = Known(memory.session.prompt_id, memory.session.request.tally)
    return file.at_stop(event.last_message, event.prompt_id, before=memory.answered, known=known)


def _evidence(known: Reading) -> Evidence | None:
    if known.conversation is None:
        return None
    return replace(facts.counted(facts.of(known.conversation), known.tally), goes_on=known.goes_on)


def catch_up(event: StopEvent, decision: Decision, memory: Memory, file: Transcript) -> None:
    """An answer that a busy client had not written down in time is there when its stop is decided: the next stop would
    take it for its own, if that ends with the same words."""
    if memory.session.about.answer == "" and (isinstance(decision, KeepWorking) or decision.outcome):
        timeout = LATE_SECONDS if isinstance(decision, KeepWorking) else 0.0  # nothing follows but a next stop
        answer = file.answer(event.last_message, before=memory.answered, timeout=timeout)
        if answer:
            memory.keep(memory.session.known_as(About(answer=answer)))


def _outlived(event: StopEvent, call: Call, conf: Config, file: Transcript) -> bool:
    if not headless.ends_with_request(call.env):
        return False
    from ccc_hooks import lasting

    return lasting.outlives(event, file, conf.supervisor.timeout_seconds / 2, caller=call.client)
