"""`ccc fleet watch`: every task on one screen, live, with the keys of `ccc watch`.

Rule: the screen, its keys and the story below are those of showing/watch; here only the rows are tasks.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ccc.base import languages, process
from ccc.base.errors import CccError
from ccc.base.messages import Phrases
from ccc.fleet import view
from ccc.fleet.store import Store
from ccc.showing import status, watch
from ccc.showing.status import Row, Signals

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

WORDS = Phrases(
    "fleet watch",
    {
        "title": "ccc fleet",
        "task": "1 task",
        "tasks": "{} tasks",
        "begun": "it has not begun yet",
        "terminal": "ccc fleet watch needs a terminal; for scripts there is: ccc fleet status --json",
    },
)

Look = Callable[[], view.Glance]


def run(
    store: Store, state: Path, *, env: Mapping[str, str], budget: float | None, open_report: watch.OpenReport
) -> int:
    """Until q, Ctrl-C or a signal."""
    process.hide()  # it is open for hours, and the store's password with it
    console, lang = status.console_for(env), languages.of_person(env)
    if not os.isatty(0) or not console.is_terminal or console.is_dumb_terminal:
        raise CccError(WORDS[lang]["terminal"])

    def look() -> view.Glance:
        return view.glance(store, watch.ROWS, env, budget, time.time())

    screen = Screen(state, console, lang, open_report, lambda: datetime.now(UTC), look_round=look)
    with Signals() as signals:
        while screen.sit(signals) == "suspend":
            os.kill(0, signal.SIGTSTP)
    return signals.obeyed()


class Screen(watch.Screen):
    look_round: Look = lambda: view.Glance((), {}, 0.0, None, {}, (), frozenset())
    seen: view.Glance | None = None

    def look(self) -> None:
        self.seen = self.look_round()
        self.rows = [Row(record.id) for record in self.seen.records]

    def session_of(self, chosen: str) -> str:
        found = self.seen.records if self.seen else ()
        session = next((record.session for record in found if record.id == chosen), "")
        if not session:
            raise CccError(WORDS[self.lang]["begun"])
        return session

    @property
    def title(self) -> str:
        return WORDS[self.lang]["title"]

    @property
    def heading(self) -> str:
        total = self.seen.total if self.seen else 0
        below = f" · {view.summary(self.seen, self.lang)}" if self.seen else ""
        words = WORDS[self.lang]
        many = words["task"] if total == 1 else words["tasks"].format(total)
        return f"{self.title} · {many}{below}"

    @property
    def empty(self) -> str:
        return view.WORDS[self.lang]["empty"]

    def drawn(self, visible: Sequence[Row], chosen: str) -> RenderableType:
        assert self.seen is not None
        shown = {row.session_id for row in visible}
        part = replace(self.seen, records=tuple(record for record in self.seen.records if record.id in shown))
        now = self.clock().timestamp()
        return view.table(part, now=now, lang=self.lang, width=self.console.width, selected=chosen)

    def _told(self, session_id: str, width: int) -> list[Text]:
        try:
            return super()._told(self.session_of(session_id), width)
        except CccError:
            return []
