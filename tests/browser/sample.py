"""A session as its files would tell it: the one in the picture of the report, and the one that tests look at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SESSION = "7c1d9e52-4b0a-4f6e-9a57-2f1b8d3c6e40"
BEGUN = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
PROJECT = "/home/ada/shop"
REQUEST = "Limit failed logins to five a minute per address, and prove it with tests."

APP = """\
from flask import Blueprint, abort, request

auth = Blueprint("auth", __name__)


@auth.post("/login")
def login():
    user = check(request.form["name"], request.form["password"])
    if user is None:
        abort(401)
    return start_session(user)
"""
GUARDED = APP.replace(
    "import Blueprint, abort, request\n", "import Blueprint, abort, request\n\nfrom .limit import Limit\n"
)
GUARDED = GUARDED.replace(
    'auth = Blueprint("auth", __name__)\n',
    'auth = Blueprint("auth", __name__)\nfailures = Limit(5, seconds=60)\n',
).replace(
    "    user = check(",
    "    if failures.reached(request.remote_addr):\n        abort(429)\n    user = check(",
)
COUNTED = GUARDED.replace("        abort(401)\n", "        failures.count(request.remote_addr)\n        abort(401)\n")
LIMIT = '''\
import time


class Limit:
    """At most `most` events per key in the last `seconds`."""

    def __init__(self, most, *, seconds, clock=time.monotonic):
        self.most, self.seconds, self.clock = most, seconds, clock
        self.seen = {}

    def count(self, key):
        self.seen.setdefault(key, []).append(self.clock())

    def reached(self, key):
        now = self.clock()
        recent = [at for at in self.seen.get(key, []) if now - at < self.seconds]
        return len(recent) >= self.most
'''
FORGETS = LIMIT.replace(
    "        recent = [at for at in self.seen.get(key, []) if now - at < self.seconds]\n",
    "        recent = [at for at in self.seen.pop(key, []) if now - at < self.seconds]\n"
    "        if recent:\n            self.seen[key] = recent\n",
)
FIRST_TEST = """\
def test_the_sixth_attempt_is_refused(client):
    codes = [client.post("/login", data=WRONG).status_code for _ in range(6)]
    assert codes == [401] * 5 + [429]
"""
TESTS = (
    "from shop.limit import Limit\n\n\n"
    + FIRST_TEST
    + """

def test_addresses_are_forgotten_after_the_window():
    now = 0.0
    limit = Limit(5, seconds=60, clock=lambda: now)
    for number in range(1000):
        limit.count(f"10.0.{number // 256}.{number % 256}")
    now = 61.0
    assert not any(limit.reached(key) for key in list(limit.seen))
    assert limit.seen == {}
"""
)
FEEDBACK = """\
Not done: `Limit.seen` keeps every address for ever. An attacker who rotates addresses fills the memory of the server.

Do this: forget an address once its last failure is older than the window, in `limit.py`.

Verify: a test that counts a failure for each of 1,000 addresses and finds none kept after the window; `pytest -q`."""


@dataclass
class Sample:
    """Writes both files, event by event, on a clock of its own."""

    project: str = PROJECT
    now: datetime = BEGUN
    story: list[Mapping[str, Any]] = field(default_factory=list)
    transcript: list[Mapping[str, Any]] = field(default_factory=list)
    calls: int = 0

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def asks(self, text: str, prompt_id: str = "p1") -> None:
        self._line("user", {"role": "user", "content": text}, promptId=prompt_id)

    def says(self, text: str, tokens: int = 9_400) -> None:
        self._assistant({"type": "text", "text": text}, tokens)

    def uses(
        self, tool: str, result: str = "", *, ok: bool = True, took: float = 0.4, told: object = None, **given: Any
    ) -> None:
        self.calls += 1
        self._assistant({"type": "tool_use", "id": f"toolu_{self.calls}", "name": tool, "input": given}, 9_600)
        self.wait(took)
        block = {"type": "tool_result", "tool_use_id": f"toolu_{self.calls}", "content": result, "is_error": not ok}
        self._line("user", {"role": "user", "content": [block]}, toolUseResult=told)

    def edits(self, name: str, before: str | None, after: str) -> None:
        path = f"{self.project}/{name}"
        told: dict[str, object] = {"filePath": path, "originalFile": before, "content": after, "structuredPatch": []}
        told |= {"type": "create"} if before is None else {}
        self.uses(
            "Write" if before is None else "Edit", f"The file {path} has been updated.", told=told, file_path=path
        )

    def event(self, name: str, **fields: object) -> None:
        self.story.append({"at": self.now.isoformat(), "event": name, **fields})

    def stops(self, count: int, message: str, limit: int = 10, prompt_id: str | None = "p1") -> None:
        self.says(message)
        self.wait(0.4)
        self.event("supervisor-hook invoked", count=count, limit=limit, prompt_id=prompt_id, last_message=message)

    def write(self, state: Path, path: Path, session_id: str = SESSION, **more: object) -> None:
        """The files as ccc and the client would have left them."""
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.mkdir(parents=True, exist_ok=True)
        last = self.story[-1] if self.story else {}
        stored = {
            "session_id": session_id,
            "count": max((event["count"] for event in self.story if "count" in event), default=0),
            "created_at": BEGUN.isoformat(),
            "updated_at": self.now.isoformat(),
            "phase": "done" if last.get("event") == "stop allowed" else "working",
            "outcome": last.get("outcome"),
            "mode": "hooks",
            "provider": "glm",
            "project": self.project,
            "transcript": str(path),
            **more,
        }
        (state / f"supervisor-{session_id}.json").write_text(json.dumps(stored))
        (state / f"supervisor-{session_id}-story.jsonl").write_text(_lines(self.story))
        path.write_text(_lines(self.transcript))
        with (state / "hook-invocation.log").open("a") as log:
            log.write(f"{self.now.isoformat()} stop allowed session_id={session_id}\n")

    def _assistant(self, block: Mapping[str, Any], tokens: int) -> None:
        self.wait(2.5)
        id_ = f"msg_{len(self.transcript)}"
        usage = {"input_tokens": tokens, "output_tokens": 240}
        self._line("assistant", {"id": id_, "role": "assistant", "content": [block], "usage": usage})

    def _line(self, kind: str, message: Mapping[str, Any], **more: object) -> None:
        self.transcript.append({"type": kind, "message": message, "timestamp": self.now.isoformat(), **more})


def sample() -> Sample:
    """Sent back by the gate, then by the reviewer, then done."""
    it = Sample()
    it.asks(REQUEST)
    it.says("I look at the login first, then add a small limiter beside it.")
    it.uses("Read", APP, file_path=f"{PROJECT}/shop/auth.py")
    it.uses("Grep", "shop/auth.py:7", pattern="remote_addr|429")
    it.edits("shop/limit.py", None, LIMIT)
    it.edits("shop/auth.py", APP, GUARDED)
    it.edits("tests/test_login.py", None, FIRST_TEST)
    it.stops(1, "Done! Failed logins are limited to five a minute, and the tests pass.")
    it.event(
        "sent back",
        by="gate",
        rule="P4",
        feedback="You say that the tests pass, but nothing ran since your last edit. Run them, and show the result.",
    )
    it.wait(1)
    it.says("True, I have not run them.")
    it.uses(
        "Bash",
        "Exit code 1\nE   assert 401 == 429\n1 failed, 41 passed in 3.1s",
        ok=False,
        took=3.6,
        command="pytest -q",
    )
    it.says("The failure is real: nothing counts a failed attempt. I add it where the login is refused.")
    it.edits("shop/auth.py", GUARDED, COUNTED)
    it.uses("Bash", "42 passed in 3.2s", took=3.8, command="pytest -q")
    it.stops(2, "The counter was missing. It is there now: `pytest -q` ends with **42 passed**.")
    it.wait(4.1)
    it.event("check", command="pytest -q", passed=True, code=0, seconds=4.0)
    it.event("review started", engine="cli", model="glm-5")
    it.wait(6)
    it.event("reviewer says", text="The tests pass now. I read the limiter itself.")
    it.event("reviewer uses", tool="Read", on=f"{PROJECT}/shop/limit.py")
    it.wait(5)
    it.event("reviewer uses", tool="Grep", on="failures\\.")
    it.wait(7)
    it.event("verdict", allow_stop=False, feedback=FEEDBACK, cost_usd=0.0412, tokens=38_200)
    it.event("sent back", by="reviewer", feedback=FEEDBACK)
    it.wait(1)
    it.says("Right, `seen` only grows. `reached` now drops what is older than the window, and empty addresses with it.")
    it.edits("shop/limit.py", LIMIT, FORGETS)
    it.edits("tests/test_login.py", FIRST_TEST, TESTS)
    it.uses("Bash", "43 passed in 3.3s", took=3.9, command="pytest -q")
    it.stops(
        3, "Addresses are forgotten after the window; a test with 1,000 of them proves it. `pytest -q`: **43 passed**."
    )
    it.wait(4.2)
    it.event("check", command="pytest -q", passed=True, code=0, seconds=4.1)
    it.event("review started", engine="cli", model="glm-5")
    it.wait(8)
    it.event("reviewer uses", tool="Bash", on="pytest -q tests/test_login.py")
    it.wait(6)
    it.event("reviewer says", text="I ran the new test myself, with the fix and without it. It fails without.")
    it.wait(3)
    it.event("verdict", allow_stop=True, feedback="", cost_usd=0.0227, tokens=21_900)
    it.event("stop allowed", outcome="completed", why="the reviewer is satisfied")
    return it


def _lines(values: list[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
