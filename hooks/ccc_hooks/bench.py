"""What a Stop of hooks mode is decided with: the transcript, the project's checks, the switch, the reviewer.

Rule: puts parts together and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ccc.claude import transcript
from ccc.claude.transcript import Reading
from ccc.evidence import facts
from ccc.evidence.facts import Evidence
from ccc.judging import checks
from ccc.judging.brief import Brief
from ccc.judging.checks import Runner
from ccc.judging.supervisor import Reviewing, Supervisor
from ccc.model import Ran, Review, StopEvent
from ccc.providers import choosing
from ccc.providers.config import Config
from ccc.record import switch
from ccc.record.outside import Kind
from ccc.record.store import Memory
from ccc_hooks.call import Call


def supervisor(call: Call, found: Config, event: StopEvent, memory: Memory) -> Supervisor:
    # Read when somebody first asks, which is never while supervision is off, and once for all who ask.
    reading = cache(lambda: transcript.at_stop(event.transcript, event.last_message))
    return Supervisor(
        memory=memory,
        review=_reviews(call, found, memory, reading),
        report=call.report,
        options=found.supervisor,
        examine=_examines(reading),
        check=_checks(call, found),
        off=_switched_off(call),
        about=call.about(event),
    )


def _examines(reading: Callable[[], Reading]) -> Callable[[StopEvent], Evidence | None]:
    """What the transcript proves; None when it cannot be read."""

    def examine(_: StopEvent) -> Evidence | None:
        conversation = reading().conversation
        return facts.of(conversation) if conversation else None

    return examine


def _reviews(call: Call, found: Config, memory: Memory, reading: Callable[[], Reading]) -> Reviewing:
    def review(event: StopEvent, brief: Brief) -> Review:
        # Only a Stop that the gate and the checks let through pays for the reviewer's side of the house.
        from ccc_hooks.review import reviewed

        return reviewed(call, found, event, brief, memory, model=reading().model)

    return review


def _checks(call: Call, found: Config) -> Callable[[StopEvent], tuple[Ran, ...]]:
    def check(event: StopEvent) -> tuple[Ran, ...]:
        project = call.project(event)
        known = checks.of_project(found, project)
        if not known:
            return ()
        deadline = call.begun + found.supervisor.timeout_seconds
        env = choosing.without_keys(found, call.env)
        return Runner(project, call.store.directory, env, deadline, hangup_fd=1).run(known)

    return check


def _switched_off(call: Call) -> Callable[[StopEvent], Kind | None]:
    def off(event: StopEvent) -> Kind | None:
        return switch.off(call.store.directory, project=call.project(event), session_id=event.session_id)

    return off
