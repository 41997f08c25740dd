"""Notices of an ending: real receivers, on loopback, as a command and in the place of the desktop's program."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

import pytest

from ccc.judging import announce, courier
from ccc.model import Mode, StopEvent
from ccc.providers.config import Notify, SupervisorOptions
from ccc.record.events import HeldUp
from ccc.record.session import About
from tests.stops import Desk, eventually
from tests.world import World, provider

SECRET = "hook-secret-4711"


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


class Receiver:
    """What was posted; with `held` nobody gets an answer until it is let go."""

    def __init__(self, *, held: bool = False) -> None:
        self.got: Queue[dict[str, Any]] = Queue()
        self.free = threading.Event()
        if not held:
            self.free.set()


@contextmanager
def receiver(*, held: bool = False) -> Iterator[tuple[str, Receiver]]:
    found = Receiver(held=held)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.got.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            found.free.wait(60)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/{SECRET}", found
        finally:
            found.free.set()
            server.shutdown()
            thread.join()


def test_every_way_carries_the_same_small_notice_and_no_secret_stays(desk: Desk) -> None:
    told, shown, seen = (desk.world.root / name for name in ("told.json", "shown", "seen"))
    program = desk.world.root / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > {shown}.part && mv {shown}.part {shown}\n')
    program.chmod(0o755)
    command = f"env > {seen}; cat > {told}.part && mv {told}.part {told}"
    env = {"PATH": f"{program.parent}:{os.defpath}", "CCC_PROVIDER": "glm", "ANTHROPIC_AUTH_TOKEN": "key-4711"}
    with receiver() as (url, posted):
        notify = {"url": url, "command": command, "desktop": True}
        desk.world.write_config({"glm": provider("http://127.0.0.1:9")}, supervisor={"notify": notify})
        assert desk.stop("allow", env=env).code == 0
        notice = posted.got.get(timeout=60)
    assert eventually(told.exists, 30)
    assert json.loads(told.read_text()) == notice
    assert notice == {
        "v": 1,
        "event": "outcome",
        "outcome": "completed",
        "why": "the reviewer is satisfied",
        "session_id": "abc123",
        "mode": "hooks",
        "provider": "glm",
        "project": str(desk.world.project),
    }
    assert shown.read_text() == "--|ccc: completed · glm|the reviewer is satisfied|"
    assert "key-4711" not in seen.read_text()
    kept = [path for path in desk.world.state.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert kept == []


@pytest.mark.parametrize(
    ("steps", "event", "outcome"),
    [
        ("human", {}, "needs_human"),
        ("quota", {}, "unreviewed"),
        ("block", {"hook_event_name": "StopFailure", "last_assistant_message": "API Error: 529"}, "unreviewed"),
    ],
    ids=["needs you", "no verdict", "the API ended it"],
)
def test_a_receiver_that_does_not_answer_holds_no_hook(
    desk: Desk, steps: str, event: dict[str, object], outcome: str
) -> None:
    feedback = {"FAKE_CLAUDE_FEEDBACK": '"Which account?","needs_human":true'}
    with receiver(held=True) as (url, posted):
        desk.world.write_config({}, supervisor={"notify": url})
        run = desk.stop("block" if steps == "human" else steps, env=feedback if steps == "human" else {}, **event)
        notice = posted.got.get(timeout=60)  # and nobody has been answered yet
    assert (run.code, notice["outcome"]) == (0, outcome)


def test_sending_the_agent_back_is_no_ending(desk: Desk) -> None:
    told = desk.world.root / "told"
    desk.world.write_config({}, supervisor={"notify": f"cat > {told}"})
    desk.stop("block", prompt_id="p")
    desk.stop("allow", prompt_id="p")
    assert eventually(lambda: told.exists() and told.read_text().endswith("}"), 30)
    assert json.loads(told.read_text())["outcome"] == "completed"


def test_a_wait_is_told_with_its_end(world: World) -> None:
    with receiver() as (url, posted):
        options = SupervisorOptions(notify=Notify(url=url))
        about, event = About(mode=Mode.PTY, provider="glm"), HeldUp("limit", "2026-11-16T14:32:00+00:00", "…", "kimi")
        announce.held_up(options, StopEvent("abc", world.project), about, event, bare=lambda _: world.env())
        notice = posted.got.get(timeout=60)
    assert (notice["event"], notice["until"], notice["provider"]) == ("waiting", event.until, "kimi")
    assert notice["why"].startswith("waiting for the limit of kimi until ")
    assert "outcome" not in notice


def test_what_is_shown_on_a_desktop_is_never_a_flag_or_a_part_of_a_script() -> None:
    for argv in courier.desktop({"outcome": "needs_human", "why": '--x" & quit', "mode": "pty"}):
        assert argv[-1] == '--x" & quit'
        assert not any("quit" in word for word in argv[:-1])
