"""One review: start the fork, feed its stream, keep what it says, and turn the end into an opinion.

Rule: acts on the first `result` that answers its prompt and never waits for the process; whatever is no verdict is
Unreviewed, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ccc.base import process
from ccc.base.messages import msg
from ccc.base.process import Command, Ended, Limits, Reason
from ccc.base.text import one_line
from ccc.judging.report import Report
from ccc.judging.verdict import verdict_of
from ccc.model import Review, StopEvent, Unreviewed, Verdict

if TYPE_CHECKING:
    from ccc.claude.stream import Finished
    from ccc.judging.hearing import Hearing


class Question(Struct, frozen=True):
    """A reviewer ready to start, and how its answer is read."""

    command: Command
    engine: str = "cli"
    model: str | None = None
    verdict: Callable[[Finished], Verdict | None] = verdict_of  # None: no answer that could be one


class Launch(Struct, frozen=True):
    """One review, and what bounds it."""

    stop: StopEvent
    question: Question
    limits: Limits
    output: Path  # the reviewer's raw stream is appended here
    hangup_fd: int | None = None  # whoever waits for our answer holds the other end


def review(launch: Launch, report: Report) -> Review:
    """Run the reviewer to its verdict."""
    return attempt(launch, report)[0]


def attempt(launch: Launch, report: Report) -> tuple[Review, Finished | None]:
    """The same, and the `result` that it came from."""
    heard = _Heard(launch, report)
    try:
        ended = process.run(
            launch.question.command,
            on_output=heard.hear,
            limits=launch.limits,
            hangup_fd=launch.hangup_fd,
            leave_early=True,
        )
    except process.CannotStart as error:
        return Review(Unreviewed(error.message)), None
    finished, denials = heard.close()
    said = opinion(finished, ended, denials, launch.question.verdict)
    return (Review(said, *_spent(finished)) if finished else Review(said)), finished


class _Heard(Struct):
    """Listens once there is something to hear: what it takes to understand is loaded while the reviewer works."""

    launch: Launch
    report: Report
    hearing: Hearing | None = None

    def hear(self, data: bytes) -> bool:
        if self.hearing is None:
            from ccc.judging.hearing import Hearing

            self.hearing = Hearing(self.report, self.launch.stop, self.launch.output)
        return self.hearing.hear(data)

    def close(self) -> tuple[Finished | None, list[str]]:
        return (self.hearing.close(), self.hearing.denials) if self.hearing else (None, [])


def _spent(finished: Finished) -> tuple[float, int, float]:
    usage, own = finished.usage, finished.spending
    tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_creation_tokens
    return (own.cost_usd, tokens, own.price_usd) if own else (finished.cost_usd or 0.0, tokens, 0.0)


def opinion(
    finished: Finished | None, ended: Ended, denials: list[str], verdict_in: Callable[[Finished], Verdict | None]
) -> Verdict | Unreviewed:
    """What a review amounts to, total over everything that can happen to it."""
    if ended.reason in (Reason.HUNG_UP, Reason.INTERRUPTED):
        return Unreviewed(ended.reason.value, interrupted=True)
    if finished is None:
        return _no_result(ended)
    verdict = verdict_in(finished)
    if verdict is not None:
        return verdict
    return Unreviewed(_hindered(_failure(finished), denials))


def _no_result(ended: Ended) -> Unreviewed:
    if ended.reason is Reason.EXITED:
        said = one_line(ended.stderr_tail.decode("utf-8", "replace").strip()[-300:], 200)
        why = f"the reviewer ended with exit code {ended.exit_code} and no result"
        return Unreviewed(f"{why}: {said}" if said else why, crashed=True)
    return Unreviewed(f"the reviewer gave no result: {ended.reason.value}")


def _failure(finished: Finished) -> str:
    told = one_line(finished.trouble, 300)
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
