"""What one Stop is decided with, in either mode: its session, the project's checks, the switch, the reviewer.

Rule: puts parts together and decides nothing; what the modes do differently comes in as `examine` and `ask`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude import pricing
from ccc.claude.ground import Ground
from ccc.evidence.facts import Evidence
from ccc.evidence.past import Past
from ccc.judging import checks
from ccc.judging.checks import Runner
from ccc.judging.report import Report
from ccc.judging.supervisor import Brief, Supervisor
from ccc.model import OWN, Decision, Juror, Ran, Review, StopEvent, Unreviewed
from ccc.providers import choosing
from ccc.providers.config import Bare, Config
from ccc.record import switch
from ccc.record.outside import Kind
from ccc.record.session import About
from ccc.record.store import Memory

if TYPE_CHECKING:
    from ccc.claude.stream import Finished
    from ccc.judging.reviewer import Question


class Bench(Struct, frozen=True):
    stop: StopEvent
    config: Config
    memory: Memory
    report: Report
    env: Mapping[str, str]
    ground: Ground
    about: About
    begun: float  # monotonic
    examine: Callable[[], Evidence | None]
    ask: Callable[[Brief, Juror], Question]
    typed: Callable[[], str] = lambda: ""
    overtaken: Callable[[], str] = lambda: ""
    gone_on: Callable[[], bool] = lambda: False
    unseen: Callable[[], str] = lambda: ""
    earlier: Callable[[], Past] = Past
    closed: Callable[[], bool] = lambda: False
    attended: Callable[[], bool] = lambda: True
    outlived: Callable[[], bool] = lambda: False
    settled: Callable[[], Mapping[str, str]] | None = None  # what counts of `env` for checks and notices; None: all
    # Called when a review came to no verdict, with the provider of a judge of its own: the seconds after which another
    # one is worth a try, None if it is not.
    outlasted: Callable[[StopEvent, str | None], float | None] = lambda *_: None
    stands: Callable[[], Sequence[Path]] = lambda: ()  # where else than the stop says the agent may be
    caller: int | None = None  # the process that waits for the answer: nobody else interrupts
    waits: bool = False  # for an API that does not answer the reviewer, as long as the review may take

    def decision(self) -> Decision:
        first, *others = (partial(self._review, juror) for juror in self.config.jurors(*self.ground.named))
        return Supervisor(
            memory=self.memory,
            review=first,
            others=others,
            report=self.report,
            options=self.config.supervisor,
            examine=lambda _: self.examine(),
            check=self._check,
            off=self._off,
            typed=self.typed,
            overtaken=self.overtaken,
            gone_on=self.gone_on,
            unseen=self.unseen,
            earlier=self.earlier,
            closed=self.closed,
            attended=self.attended,
            outlived=self.outlived,
            about=self.about,
            begun=self.begun,
        ).supervise(self.stop)

    @property
    def deadline(self) -> float:
        return self.begun + self.config.supervisor.timeout_seconds

    def _check(self, stop: StopEvent) -> tuple[Ran, ...]:
        known = checks.of_project(self.config, *self.ground.named)
        if not known:
            return ()
        done: tuple[Ran, ...] = ()
        for place in self.ground.places(stop.cwd, *self.stands()):
            if not any(each.failed for each in done):
                done = (*done, *self._runner(place).run(known))
        return done

    def _runner(self, place: Path) -> Runner:
        state = self.memory.store.directory
        return Runner(place, state, self._bare, self.deadline, hangup_fd=1, caller=self.caller)

    @property
    def _bare(self) -> Bare:
        return partial(choosing.without_keys, self.config, self.settled() if self.settled else self.env)

    def _off(self, stop: StopEvent) -> Kind | None:
        return switch.off(self.memory.store.directory, *self.ground.switched, session_id=stop.session_id)

    def _review(self, juror: Juror, stop: StopEvent, brief: Brief) -> Review:
        if juror == OWN or not self.config.supervisor.judge_fallback:
            return self._insisted(juror, stop, brief)
        try:
            review, _ = self._attempt(juror, stop, brief)
        except CccError as error:  # it cannot even be asked: a key that is not set
            review = Review(Unreviewed(error.message))
        if not isinstance(review.opinion, Unreviewed) or review.opinion.interrupted:
            return review
        why = one_line(review.opinion.why, 200)
        self.report.trouble(
            stop, msg("{judge} did not judge ({why}); the agent's own model does", judge=juror.name, why=why)
        )
        return self._insisted(OWN, stop, brief).after(review)

    def _insisted(self, juror: Juror, stop: StopEvent, brief: Brief) -> Review:
        """The review, with whatever passes waited for."""
        if self.waits:
            return self._patiently(juror, stop, brief)
        waited = 0.0
        while True:
            review, _ = self._attempt(juror, stop, brief, waited)
            if not isinstance(review.opinion, Unreviewed) or review.opinion.interrupted:
                return review
            seconds = self.outlasted(stop, juror.provider)
            if seconds is None:
                return review
            waited += seconds

    def _patiently(self, juror: Juror, stop: StopEvent, brief: Brief) -> Review:
        first = self._attempt(juror, stop, brief)
        review, finished = first
        if finished is None or not finished.is_error:
            return review
        from ccc.base import process
        from ccc.judging import announce, patience
        from ccc.judging.holding import Holding
        from ccc.judging.patience import Patience

        holding = Holding(stop, self.memory, self.report)
        patient = Patience(
            ask=lambda: self._attempt(juror, stop, brief),
            left=lambda: self.deadline - time.monotonic(),
            wait=lambda seconds: patience.sleep(seconds, stop.cwd, hangup_fd=1, caller=self.caller),
            tell=lambda line: self.report.trouble(stop, line),
            held=holding.begins,
            went_on=holding.ends,
            long=lambda event: announce.held_up(self.config.supervisor, stop, self.about, event, bare=self._bare),
            now=lambda: self.memory.store.now().astimezone(),
            provider=juror.provider or self.about.provider,
        )
        with process.between_runs():
            return patient.review(first)

    def _attempt(
        self, juror: Juror, stop: StopEvent, brief: Brief, waited: float = 0.0
    ) -> tuple[Review, Finished | None]:
        # Only a Stop that the gate and the checks let through pays for the reviewer's side of the house.
        from ccc.base.process import Limits
        from ccc.judging import reviewer
        from ccc.judging.reviewer import Launch

        question = self.ask(brief, juror)
        launch = Launch(
            stop=stop,
            question=question,
            limits=Limits(
                deadline_seconds=max(1.0, self.deadline + waited - time.monotonic()),
                idle_seconds=self.config.supervisor.review_idle_seconds,
            ),
            output=self.memory.store.output_path(stop.session_id),
            hangup_fd=1,
            caller=self.caller,
        )
        self.report.reviewing(stop, engine=question.engine, model=question.model, judge=juror.name)
        review, finished = reviewer.attempt(launch, self.report)
        review = replace(review, cost_by={juror.provider or "": review.cost_usd})
        model = brief.evidence.model if brief.evidence else None
        price = (review.price_usd if juror == OWN else 0.0) or _price(model, finished)
        return replace(review, price_usd=price), finished


def _price(model: str | None, finished: Finished | None) -> float:
    """Of a token of the agent's, which another model's says nothing about."""
    return (finished.prices.get(model or "", 0.0) if finished else 0.0) or pricing.listed(model)
