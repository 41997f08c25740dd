"""Commands as they are mostly typed: a word, and flags that are what they are called.

Rule: what stands in CALLS (and in the index) is called as it stands, without click, which would take as long again;
whatever else is typed is click's to read, and comes here from there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ccc.base.messages import msg
from ccc.commands import here, index, voice

ROWS = 20


def status(*, as_json: bool = False, live: bool = False, limit: int = ROWS) -> int:
    from datetime import UTC, datetime

    from ccc.base import sink
    from ccc.showing import status

    if live:
        return status.watch(here.seen_state(), env=os.environ, limit=limit)
    if as_json:
        sink.show_json(status.as_json(status.rows(here.seen_state(), limit), datetime.now(UTC)))
    else:
        status.print_now(here.seen_state(), env=os.environ, limit=limit)
        if status.is_off(here.state(), str(here.project())):
            voice.show(voice.told(msg("reviews are off for {name}; to have them again: ccc on", name=here.project())))
    return 0


def doctor(*, as_json: bool = False, self_test: bool = True) -> int:
    from ccc.trial import questions

    asked = questions.ask(os.environ, Path.cwd())  # first of all: the answers take longer than all the rest
    from ccc.claude.own_hook import is_ours
    from ccc.trial import examination
    from ccc.trial.doctor import Place

    place = Place(os.environ, Path.cwd(), is_ours, commands=index.names())
    return examination.main(place, asked, as_json=as_json, self_test=self_test)


CALLS: dict[tuple[str, ...], Callable[[], int]] = {
    ("status",): status,
    ("status", "--json"): partial(status, as_json=True),
    ("doctor",): doctor,
    ("doctor", "--json"): partial(doctor, as_json=True),
    ("doctor", "--no-self-test"): partial(doctor, self_test=False),
}
