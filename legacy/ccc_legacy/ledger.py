"""How a request ended, written down where no review has done so: interrupted, failed, switched off.

Rule: only ends; whatever cannot be written changes nothing for the person.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.judging.report import Report
from ccc.judging.supervisor import conclude
from ccc.model import AllowStop, Outcome
from ccc.providers import config
from ccc.record.session import Session
from ccc.record.store import SessionStore, utc_now
from ccc_legacy.review import Case


class Ledger(Struct, frozen=True):
    env: Mapping[str, str]

    def close(self, case: Case, outcome: Outcome, why: str) -> None:
        """Write the end into the state, the log and the story of the session."""
        store = SessionStore(config.state_directory(self.env), now=utc_now)

        def change(old: Session) -> Session:
            known = replace(old.known_as(case.about), prompt_id=case.stop.prompt_id)
            paid = replace(known, request=replace(known.request, agent_cost_usd=case.stop.cost_usd))
            return conclude(paid, AllowStop(outcome, why), None, old.request.decided_at)

        with suppress(CccError):
            store.update(case.stop.session_id, change)
            quiet = os.open(os.devnull, os.O_WRONLY)
            report = replace(Report.of(self.env, store.log_path, utc_now), stderr=quiet)
            report.decided(case.stop, AllowStop(outcome, why))
            os.close(quiet)
