"""Have a Stop reviewed by `ccc pty-review`, and show its story while it happens.

Rule: the review is a process of its own; whoever stops waiting for it ends it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ccc.model import Outcome
from ccc_legacy.case import Case, Ruling, ruling
from ccc_legacy.screen import Paint, review_lines

Show = Callable[[Sequence[str]], Awaitable[None]]
LINE_LIMIT = 64 * 1024 * 1024


async def review(case: Case, show: Show, *, env: Mapping[str, str], paint: Paint) -> Ruling:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "ccc",
        "pty-review",
        env=dict(env),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=LINE_LIMIT,
    )
    try:
        return await _followed(process, case, show, paint)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
        await process.wait()


async def _followed(process: asyncio.subprocess.Process, case: Case, show: Show, paint: Paint) -> Ruling:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(json.dumps(case.as_json()).encode())
    process.stdin.close()
    decided: Ruling | None = None
    async for line in process.stdout:
        told = _told(line)
        if told.get("event") == "decision":
            decided = ruling(told)
        else:
            await show(list(review_lines(told, paint)))
    return decided or Ruling(
        Outcome.UNREVIEWED, why=f"the review ended without a decision: {await _last_words(process)}"
    )


async def _last_words(process: asyncio.subprocess.Process) -> str:
    assert process.stderr
    lines = (await process.stderr.read()).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no word"


def _told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
