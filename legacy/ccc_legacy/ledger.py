"""What befell a request, written down where no review has done so: interrupted, failed, switched off, held up.

Rule: whatever cannot be written changes nothing for the person.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.judging.report import Report
from ccc.judging.supervisor import conclude
from ccc.model import AllowStop, Outcome
from ccc.providers import config
from ccc.record.events import HeldUp, WentOn
from ccc.record.session import Phase, Request, Session
from ccc.record.store import SessionStore, utc_now
from ccc_legacy.review import Case


class Ledger(Struct, frozen=True):
    env: Mapping[str, str]

    def close(self, case: Case, outcome: Outcome, why: str) -> None:
        """Write the end into the state, the log and the story of the session."""

        def change(old: Session) -> Session:
            return conclude(self._billed(old, case), AllowStop(outcome, why), None, old.request.decided_at)

        with suppress(CccError):
            self._store.update(case.stop.session_id, change)
            self._quietly(lambda report: report.decided(case.stop, AllowStop(outcome, why)))

    def happened(self, case: Case, event: HeldUp | WentOn) -> None:
        """Write down that the provider keeps the agent waiting, or that this is over."""

        def change(old: Session) -> Session:
            known = self._billed(old, case)
            return replace(known, request=_held(known.request, event))

        with suppress(CccError):
            self._store.update(case.stop.session_id, change)
            self._quietly(lambda report: report.tell(case.stop, event))

    @property
    def _store(self) -> SessionStore:
        return SessionStore(config.state_directory(self.env), now=utc_now)

    def _billed(self, old: Session, case: Case) -> Session:
        known = replace(old.known_as(case.about), prompt_id=case.stop.prompt_id)
        return replace(known, request=replace(known.request, agent_cost_usd=case.stop.cost_usd))

    def _quietly(self, tell: Callable[[Report], object]) -> None:
        quiet = os.open(os.devnull, os.O_WRONLY)
        tell(replace(Report.of(self.env, self._store.log_path, utc_now), stderr=quiet))
        os.close(quiet)


def _held(request: Request, event: HeldUp | WentOn) -> Request:
    match event:
        case HeldUp(by, until):
            return replace(request, phase=Phase.HELD_UP, outcome=None, held_by=by, held_until=until)
        case WentOn():
            return replace(request, phase=Phase.WORKING, held_by="", held_until="")
