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
from ccc.judging import announce
from ccc.judging.report import Report
from ccc.judging.supervisor import conclude, same_request
from ccc.model import AllowStop, Mode, Outcome
from ccc.providers import config
from ccc.providers.config import Bare, SupervisorOptions
from ccc.record import store
from ccc.record.events import Changed, HeldUp, WentOn
from ccc.record.session import About, Phase, Request, Session
from ccc.record.store import SessionStore, utc_now
from ccc_legacy.review import Case

Held = HeldUp | WentOn | Changed


class Ledger(Struct, frozen=True):
    bare: Bare
    options: SupervisorOptions = SupervisorOptions()

    def close(self, case: Case, outcome: Outcome, why: str) -> None:
        """Write the end into the state, the log and the story of the session, and tell whoever wants to know."""
        ended = AllowStop(outcome, why)

        def change(old: Session) -> Session:
            return conclude(self._billed(old, case), ended, None, old.request.decided_at, utc_now())

        with suppress(CccError):
            self._store.update(case.stop.session_id, change)
            self._quietly(lambda report: report.decided(case.stop, ended))
        announce.ended_unseen(self.options, case.stop, ended, case.about, self.bare)

    def answered(self, session_id: str, answer: str) -> None:
        """Write down that this answer is one of pty mode's own, if it has ended the session's last turn before."""
        found = store.seen(self._store.directory, session_id)
        if found and found.about.mode is Mode.PTY and found.about.answer != answer:
            with suppress(CccError):
                self._store.update(session_id, lambda old: old.known_as(About(answer=answer)))

    def happened(self, case: Case, event: Held) -> None:
        """Write down that the provider keeps the agent waiting, that this is over, or that another one goes on."""

        def change(old: Session) -> Session:
            known = self._billed(old, case)
            return replace(known, request=_held(known.request, event))

        with suppress(CccError):
            self._store.update(case.stop.session_id, change)
            self._quietly(lambda report: report.tell(case.stop, event))

    def long_wait(self, case: Case, event: HeldUp) -> None:
        announce.held_up(self.options, case.stop, case.about, event, bare=self.bare)

    @property
    def env(self) -> Mapping[str, str]:
        return self.bare(None)

    @property
    def _store(self) -> SessionStore:
        return SessionStore(config.state_directory(self.env), now=utc_now)

    def _billed(self, old: Session, case: Case) -> Session:
        known = same_request(old.known_as(case.about), case.stop)
        spent = replace(known.request, agent_cost_usd=case.stop.cost_usd, agent_cost_by=case.stop.cost_by)
        return replace(known, request=spent)

    def _quietly(self, tell: Callable[[Report], object]) -> None:
        quiet = os.open(os.devnull, os.O_WRONLY)
        tell(replace(Report.of(self.env, self._store.log_path, utc_now), stderr=quiet))
        os.close(quiet)


def _held(request: Request, event: Held) -> Request:
    match event:
        case HeldUp(by, until):
            return replace(request, phase=Phase.HELD_UP, outcome=None, held_by=by, held_until=until)
        case WentOn() | Changed():
            return replace(request, phase=Phase.WORKING, held_by="", held_until="")
