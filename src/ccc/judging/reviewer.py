"""One review: start the fork, feed its stream, keep what it says, and turn the end into an opinion.

Rule: acts on the first `result` that answers its prompt and waits for the process only where it has to be asked once
more, for an answer that is no plain verdict; whatever is no verdict is Unreviewed, with the reason.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import process
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.process import Command, Ended, Limits, Reason
from ccc.base.text import heard, one_line, tail
from ccc.judging.report import Report
from ccc.judging.verdict import Reading, read, settled
from ccc.model import Review, StopEvent, Unreviewed, Verdict
from ccc.record.events import AskedAgain

if TYPE_CHECKING:
    from ccc.claude.stream import Finished
    from ccc.judging.hearing import Hearing


LEAST_SECONDS = 2.0  # in less nobody comes to an answer


class Question(Struct, frozen=True):
    """A reviewer ready to start, and how its answer is read."""

    command: Command
    engine: str = "cli"
    model: str | None = None
    needs: frozenset[str] = frozenset()  # the tools without which its verdict would be about nothing that it has seen
    read: Callable[[Finished], Reading | None] = read  # None: no answer that could be one
    again: Callable[[str, str], Command] | None = None  # asks the fork of this id, which has said this, for its verdict


class Launch(Struct, frozen=True):
    """One review, and what bounds it."""

    stop: StopEvent
    question: Question
    limits: Limits
    output: Path  # the reviewer's raw stream is appended here
    hangup_fd: int | None = None  # whoever waits for our answer holds the other end
    caller: int | None = None  # … and is this process, where that can be told


def review(launch: Launch, report: Report) -> Review:
    """Run the reviewer to its verdict."""
    return attempt(launch, report)[0]


def attempt(launch: Launch, report: Report) -> tuple[Review, Finished | None]:
    """The same, and the `result` that it came from."""
    heard, begun = _Heard(launch, report), time.monotonic()
    try:
        ended = heard.run(launch.question.command, launch.limits)
    except process.CannotStart as error:
        return Review(Unreviewed(error.message)), None
    found = opinion(heard.finished, ended, heard.denials, lambda _: heard.reading)
    if isinstance(found, Unreviewed):
        return Review(found, *heard.spent, forks=heard.forks), heard.finished
    first = Review(found.verdict, *heard.spent, forks=heard.forks)
    left = launch.limits.deadline_seconds - (time.monotonic() - begun)
    fork = heard.finished.session_id if heard.finished else None
    if found.sure or fork is None or fork == launch.stop.session_id or left < LEAST_SECONDS:
        return first, heard.finished
    limits = replace(launch.limits, deadline_seconds=left)
    again = launch.question.again
    command = partial(again, fork, _said(heard.finished)) if again and heard.finished else None
    return _asked_again(launch, report, first, found.verdict, command, limits), heard.finished


def _said(finished: Finished) -> str:
    structured = finished.structured_output
    spelt = json.dumps(structured, ensure_ascii=False) if isinstance(structured, dict) else ""
    return "\n".join(filter(None, dict.fromkeys((finished.result, spelt))))


def _asked_again(
    launch: Launch, report: Report, first: Review, read: Verdict, again: Callable[[], Command] | None, limits: Limits
) -> Review:
    """The same review, when its author was asked in the same fork for the verdict alone; no answer changes nothing."""
    if again is None:
        return first
    report.tell(launch.stop, AskedAgain())
    heard = _Heard(launch, report, aloud=False)
    try:
        ended = heard.run(again(), limits)
    except CccError as error:  # it cannot even be asked, and has answered once
        report.trouble(launch.stop, error.message)
        return first
    if ended.reason in (Reason.HUNG_UP, Reason.INTERRUPTED):
        return Review(Unreviewed(ended.reason.told, interrupted=True), *heard.spent).after(first)
    verdict = settled(read, heard.finished)
    if verdict.feedback and verdict.feedback != read.feedback:  # the rest of it was told when it was said
        report.reviewer_said(launch.stop, verdict.feedback)
    return Review(verdict, *heard.spent).after(first)


class _Heard(Struct):
    """Listens once there is something to hear: what it takes to understand is loaded while the reviewer works."""

    launch: Launch
    report: Report
    aloud: bool = True
    hearing: Hearing | None = None
    finished: Finished | None = None
    reading: Reading | None = None

    @property
    def forks(self) -> tuple[str, ...]:
        """The session that the client has told it is held in."""
        told = self.hearing.parser.session_id if self.hearing else None
        return (told,) if told else ()

    def run(self, command: Command, limits: Limits) -> Ended:
        ended = process.run(
            command,
            on_output=self._hear,
            limits=limits,
            hangup_fd=self.launch.hangup_fd,
            caller=self.launch.caller,
            unopened=True,
            # Who may be asked again has to be gone by then, with the session on disk.
            leave_early=lambda: self.reading is None or self.reading.sure or not self.aloud,
        )
        if self.finished is None:
            self._take(self.hearing.close() if self.hearing else None)
        return ended

    def _hear(self, data: bytes) -> bool:
        if self.hearing is None:
            from ccc.judging.hearing import Hearing

            self.hearing = Hearing(
                self.report, self.launch.stop, self.launch.output, self.launch.question.needs, aloud=self.aloud
            )
        if not self.hearing.hear(data):
            return False
        self._take(self.hearing.finished)
        return True

    def _take(self, finished: Finished | None) -> None:
        self.finished = finished
        self.reading = self.launch.question.read(finished) if finished and self.aloud else None

    @property
    def denials(self) -> list[str]:
        return self.hearing.denials if self.hearing else []

    @property
    def spent(self) -> tuple[float, int, float, int, str]:
        """What the review took, as a Review tells it."""
        model = self.hearing.model if self.hearing else ""
        if self.finished is None:
            return 0.0, 0, 0.0, 0, model
        usage, own = self.finished.usage, self.finished.spending
        cost, price = (own.cost_usd, own.price_usd) if own else (self.finished.cost_usd or 0.0, 0.0)
        return cost, usage.all_tokens, price, usage.cache_read_tokens, model


def opinion(
    finished: Finished | None, ended: Ended, denials: list[str], reading_of: Callable[[Finished], Reading | None]
) -> Reading | Unreviewed:
    """What a review amounts to, total over everything that can happen to it."""
    if ended.reason in (Reason.HUNG_UP, Reason.INTERRUPTED):
        return Unreviewed(ended.reason.told, interrupted=True)
    if finished is None:
        return _no_result(ended)
    return reading_of(finished) or Unreviewed(_hindered(_failure(finished), denials))


def _no_result(ended: Ended) -> Unreviewed:
    if ended.reason is Reason.EXITED:
        said = one_line(tail(heard(ended.stderr_tail, process.STDERR_TAIL).strip(), 300), 200)
        why = msg("the reviewer ended with exit code {code} and no result", code=ended.exit_code)
        return Unreviewed(msg("{why}: {said}", why=why, said=said) if said else why, crashed=True)
    return Unreviewed(msg("the reviewer gave no result: {why}", why=ended.reason.told))


def _failure(finished: Finished) -> str:
    told = one_line(finished.trouble, 300)
    if finished.unheard and told:
        return msg("the client answered itself, no model was asked: {told}", told=told)
    if finished.is_error or finished.result or finished.errors:
        return msg("the reviewer failed: {told}", told=told or msg("the client does not say why"))
    if told:
        return msg("the reviewer ended without an answer ({told})", told=told)
    return msg("the reviewer ended without an answer")


def _hindered(failure: str, denials: list[str]) -> str:
    if not denials:
        return failure
    return msg(
        "{failure} (it was denied {tools}; allow it under permissions.allow in settings.json)",
        failure=failure,
        tools=", ".join(dict.fromkeys(denials)),
    )
