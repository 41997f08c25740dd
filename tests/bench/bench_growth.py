"""What grows with the years: ten times as much takes ten times as long, and no more."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from ccc.base import files, seal
from ccc.record import session
from ccc.record.session import Session
from ccc.record.store import story_path
from ccc.showing.report import page
from ccc.showing.report.words import words
from tests.bench.installed import ccc
from tests.bench.rows import Row
from tests.world import World

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
TIMES = 3
LIMIT = 13.0


def _reports() -> Iterator[Row]:
    for kind, told in (("remarks", _one_review), ("stops", _stops)):
        times = [_report(told(), size) for size in (20_000_000, 2_000_000)]
        yield Row(f"ccc report, 20 MB story of {kind} / 2 MB", times[0] / times[1], LIMIT, "lower")


def _cleaning() -> Iterator[Row]:
    for name, yes in (("ccc clean", False), ("ccc clean --yes", True)):
        many, few = (_clean(number, yes=yes) for number in (100_000, 1_000))
        yield Row(f"{name}, 100,000 sessions / 1,000", many[0] / few[0], 110.0, "lower")
        yield Row(f"{name}: memory with 100,000 sessions, in MB", many[1], 200.0, "lower")


def _best(call: Callable[[], object], times: int) -> float:
    """Of the processor's time: what else happens on the machine and on its disk is not ccc's."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        call()
        found.append(time.process_time() - begun)
    return min(found)


def _event(name: str, at: datetime = BEGUN, **fields: object) -> bytes:
    return json.dumps({"at": at.isoformat(), "event": name, **fields}).encode() + b"\n"


def _one_review() -> Iterator[bytes]:
    yield _event("supervisor-hook invoked", prompt_id="p", count=1, limit=10)
    yield _event("review started", model="m")
    while True:
        yield _event("reviewer says", text="I look at it. " * 10)
        yield _event("reviewer uses", tool="Read", on="/srv/api/a.py")


def _stops() -> Iterator[bytes]:
    for number in count():
        at = BEGUN + timedelta(seconds=number)
        yield _event("supervisor-hook invoked", at, prompt_id="p", count=number, limit=10**6)
        yield _event("review started", at, model="m")
        yield _event("verdict", at, allow_stop=False, feedback="not yet", cost_usd=0.01, tokens=10)
        yield _event("sent back", at, by="reviewer", feedback="not yet")


def _report(told: Iterator[bytes], size: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        with story_path(state, "a").open("wb") as file:
            while file.tell() < size:
                file.write(next(told))
        return _best(lambda: _rendered(state), TIMES)


def _rendered(state: Path) -> str:
    told = page.gather(state, "a", transcripts=state, ask_git=False)
    return page.render(told, words("en"), made=0.0)


def _clean(number: int, *, yes: bool) -> tuple[float, float]:
    """Seconds of the processor and megabytes, of the command itself."""
    found = [_cleaned(number, yes=yes) for _ in range(TIMES if number < 10_000 else 1)]
    return min(seconds for seconds, _ in found), min(size for _, size in found)


def _cleaned(number: int, *, yes: bool) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        world.state.mkdir(mode=0o700, parents=True)
        scratch = files.scratch_folder(world.state)
        scratch.mkdir(mode=0o700)
        for at in range(number):
            # Under ccc's seal: any other state is as old as the kernel says.
            begun = Session(f"s{at}", created_at=BEGUN, updated_at=BEGUN)
            told = seal.dated(session.encoded(begun), world.state, scratch)
            for ending, text in ((".json", json.dumps(told)), (".lock", ""), ("-story.jsonl", "{}\n")):
                (world.state / f"supervisor-s{at}{ending}").write_text(text)
        argv = [ccc(), "clean", *(["--yes"] if yes else [])]
        pid = os.posix_spawn(argv[0], argv, world.env(), file_actions=[_quiet(1), _quiet(2)])
        _, status, used = os.wait4(pid, 0)
        assert status == 0, argv
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _quiet(fd: int) -> tuple[int, int, str, int, int]:
    return os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0


# A child has at least the size of whoever starts it, so what is measured in MB comes before what needs many.
GROUPS = {"clean": _cleaning, "report": _reports}
