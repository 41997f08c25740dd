"""Have a Stop reviewed by `ccc pty-review`, and show its story while it happens.

Rule: the review is a process of its own; whoever stops waiting for it ends it.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from ccc.base import interpreter
from ccc.base.text import one_line
from ccc.model import Outcome
from ccc.record import events
from ccc_legacy.case import DECISION, Case, Ruling
from ccc_legacy.screen import Paint, review_lines

Show = Callable[[Sequence[str]], Awaitable[None]]
LINE_LIMIT = 64 * 1024 * 1024


class Reviews(Struct):
    env: Mapping[str, str]
    paint: Paint
    _announcing: list[Process] = field(default_factory=list)

    async def hold(self, case: Case, show: Show) -> Ruling:
        process = await asyncio.create_subprocess_exec(
            *interpreter.command("ccc", "pty-review"),
            env=dict(self.env),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=LINE_LIMIT,
        )
        ruling: Ruling | None = None
        try:
            ruling = await _followed(process, case, show, self.paint)
        finally:
            if ruling is None or ruling.outcome is None:
                await _ended(process)
            else:  # it tells the world how the request ended, which is not worth waiting for
                self._announcing.append(process)
        return ruling

    async def finish(self) -> None:
        """Wait for announcements; each has its own deadline."""
        for process in self._announcing:
            await process.wait()


async def _ended(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
    await process.wait()


async def _followed(process: Process, case: Case, show: Show, paint: Paint) -> Ruling:
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(case.as_json()).encode())
    process.stdin.close()
    async for line in process.stdout:
        told = _told(line)
        if told.get("event") == DECISION:
            return Ruling.from_json(told)
        event = events.decoded(told)
        await show(list(review_lines(event, paint)) if event else [])
    return Ruling(Outcome.UNREVIEWED, why=f"the review ended without a decision: {await _last_words(process)}")


async def _last_words(process: Process) -> str:
    assert process.stderr
    lines = (await process.stderr.read()).decode("utf-8", "replace").strip().splitlines()
    return one_line(lines[-1]) if lines else "no word"


def _told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
