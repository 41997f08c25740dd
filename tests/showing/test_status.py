from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from ccc.base import processes
from ccc.base.errors import CccError
from ccc.model import Mode, Unreviewed, Verdict
from ccc.record import switch, unheard
from ccc.record.session import Phase, Session
from ccc.record.starts import Start
from ccc.record.words import clock
from ccc.showing import status
from ccc.showing.status import Row, Signals, ago, rows, table
from tests.real.screen import Screen
from tests.sessions import HOSTILE, NOON, Sessions
from tests.world import World

LATER = NOON + timedelta(minutes=5)
PROGRAM = "import os, sys\nfrom pathlib import Path\nfrom ccc.showing import status\n"
WATCH = PROGRAM + "sys.exit(status.watch(Path(sys.argv[1]), env=os.environ))"


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "ccc")


def shown(found: list[Row], width: int = 160, lang: str = "en", selected: str | None = None) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(table(found, now=LATER, lang=lang, width=width, selected=selected))
    return capture.get()


def as_json(found: list[Row]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(json.dumps(status.as_json(found, LATER)))
    return told


@pytest.mark.parametrize("selected", [None, "a"])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
def test_the_verdict_has_room_at_every_width(sessions: Sessions, width: int, selected: str | None) -> None:
    project = "/srv/a-project-with-a-long-name/inside"
    sessions.allow("a", project=project, provider="glm", mode="hooks", agent_cost_usd=0.0003, cost=0.0004)
    (row,) = rows(sessions.state)
    head, line = shown([replace(row, agent_cost_at_least=True)], width, selected=selected).splitlines()
    assert "last verdict" in head
    assert line.count("completed") == 2, line


def test_the_folder_above_a_project_goes_before_what_a_session_has_cost(sessions: Sessions) -> None:
    sessions.allow("a", project="/srv/a-longer-name/project", agent_cost_usd=0.0003, cost=0.0004)
    found = rows(sessions.state)
    head, line = shown(found, 80).splitlines()
    assert ("agent $" in head, " project " in line, "$0.0003" in line) == (True, True, True)
    assert "a-longer-name/project" in shown(found, 120)


def test_the_columns_of_a_pipe_stand_below_each_other(sessions: Sessions) -> None:
    sessions.allow("a", project="/srv/api", agent_cost_usd=0.0003, cost=0.0004)
    (row,) = rows(sessions.state)
    head, line = status._plain([replace(row, agent_cost_at_least=True)], LATER, "en")
    assert head.index("reviews $") == line.index("$0.0004")


def test_a_row_is_what_the_files_say(sessions: Sessions) -> None:
    sessions.block("a", "run the tests", cost=0.25, tokens=700)
    fields = {"project": "/srv/api", "provider": "glm", "mode": "hooks", "last_cost_usd": 0.5}
    sessions.allow("a", cost=0.5, tokens=300, **fields)
    (row,) = rows(sessions.state)
    stored = json.loads(sessions.store.path("a").read_bytes())
    (told,) = as_json([row])
    for key in ("session_id", "count", "phase", "outcome", "reason", "cost_usd", "tokens", *fields):
        assert told["next_cost_usd" if key == "last_cost_usd" else key] == stored[key], key
    assert told["updated_at"] == told["since"] == stored["updated_at"]
    assert told["created_at"] == stored["created_at"]
    assert (told["limit"], told["verdict"], told["feedback"]) == (10, "completed", "")
    assert 200 < told["age_seconds"] < 300
    assert (told["off"], told["broke_off"], told["problem"]) == (False, False, None)


def test_what_came_of_a_stop_is_told_in_chinese(sessions: Sessions) -> None:
    sessions.block("a", "run the tests")
    (row,) = rows(sessions.state)
    missed = unheard.Unheard(Start(1, "", NOON, Path("/srv"), Path("/p")), "a", NOON)
    for each, told in ((row, "退回: run the tests"), (status._unheard(row, missed), "未经审查: 自 ")):
        _, line = status._plain([each], LATER, "zh")
        assert told in line


def test_the_table_tells_a_session_at_a_glance(sessions: Sessions) -> None:
    fields = {"project": "/home/me/code/api", "provider": "glm", "mode": "hooks", "last_cost_usd": 0.5}
    sessions.block("6f1b2c3d-0000", "run the tests\nagain", cost=0.75, **fields)
    head, line = shown(rows(sessions.state)).splitlines()
    assert (
        " ".join(head.split())
        == "session project provider mode phase reviews last verdict agent $ reviews $ next ≥ age"
    )
    for word in ("6f1b2c3d ", "code/api", "glm", "hooks", "working 4m", "1/10", "sent back: run the tests ⏎ again"):
        assert word in line
    assert line.split()[-4:] == ["?", "$0.7500", "$0.5000", "4m"]


def test_several_requests_are_summed_up_where_there_is_room(sessions: Sessions) -> None:
    sessions.block("one", cost=0.5, agent_cost_usd=1.0, mode=Mode.PTY)
    (row,) = rows(sessions.state)
    assert (row.requests, row.session_cost_usd) == (1, 1.5)
    assert "total $" not in shown([row]) + "".join(status._plain([row], LATER, "en"))
    sessions.allow("one", cost=0.25, agent_cost_usd=1.25)  # of the same request
    sessions.allow("one", cost=0.125, agent_cost_usd=2.0, prompt="q")
    sessions.allow("one", cost=0.0625, agent_cost_usd=0.5, prompt="r")
    sessions.block("two")
    found = rows(sessions.state)
    told = next(each for each in as_json(found) if each["session_id"] == "one")
    assert (told["requests"], told["session_cost_usd"], told["session_cost_at_least"]) == (3, 4.6875, False)
    assert (told["agent_cost_usd"], told["cost_usd"]) == (0.5, 0.0625)
    for width, of_request, of_session in ((40, False, False), (79, False, True), (80, False, True), (160, True, True)):
        text = shown(found, width)
        assert max(map(len, text.splitlines())) <= width
        assert ("agent $" in text, "total $" in text, "$4.69" in text) == (of_request, of_session, of_session), width
    head, *lines = status._plain(found, LATER, "en")
    assert [line.split()[-2:] for line in lines if line.startswith("one")] == [["$4.69", "4m"]]
    assert head.split()[-3:] == ["total", "$", "age"]
    sessions.put("one", mode=Mode.HOOKS)
    assert "≥ $4.69" in shown(rows(sessions.state))


def test_the_session_that_was_active_last_is_on_top(sessions: Sessions) -> None:
    for session_id in ("a", "b", "a", "c"):
        sessions.allow(session_id)
    assert [row.session_id for row in rows(sessions.state)] == ["c", "a", "b"]
    assert [row.session_id for row in rows(sessions.state, 1)] == ["c"]


def test_sessions_without_a_state_make_room_for_others(sessions: Sessions) -> None:
    for session_id in ("a", "b", "c"):
        sessions.allow(session_id)
    sessions.store.path("c").unlink()
    assert [row.session_id for row in rows(sessions.state, 1)] == ["b"]


@pytest.mark.parametrize(
    ("opinion", "words"),
    [
        (Verdict(True, ""), "completed"),
        (Verdict(False, "which colour?", needs_human=True), "needs you: which colour?"),
        (Unreviewed("HTTP 529"), "not reviewed: HTTP 529"),
        (Unreviewed("gone", interrupted=True), "interrupted"),
    ],
)
def test_endings(sessions: Sessions, opinion: Verdict | Unreviewed, words: str) -> None:
    sessions.stop("a", opinion)
    assert words in shown(rows(sessions.state))


def test_at_the_limit_the_ending_and_the_last_verdict_are_told(sessions: Sessions) -> None:
    sessions.limit = 1
    sessions.block("a", "more")
    sessions.block("a", "more")
    (row,) = rows(sessions.state)
    assert (row.outcome, row.verdict, row.feedback, row.limit) == ("limit", "sent_back", "more", 1)
    assert "limit reached" in shown([row])
    assert "1 of 1 reviews used · sent back: more" in shown([row])


def test_a_wait_for_the_provider_is_told_with_its_end(sessions: Sessions) -> None:
    until = sessions.now + timedelta(hours=1)
    sessions.block("a", provider="glm")

    def held(old: Session) -> Session:
        request = replace(old.request, phase=Phase.HELD_UP, held_by="limit", held_until=until.isoformat())
        return replace(old, request=request)

    sessions.store.update("a", held)
    (row,) = rows(sessions.state)
    assert (row.phase, row.held_by, row.held_until) == ("held_up", "limit", until)
    assert f"waiting for the limit of glm until {clock(until)} (55 min)" in shown([row])


def test_a_review_that_is_running_tells_since_when(sessions: Sessions) -> None:
    sessions.block("a")
    stop = sessions.store.stop_lock("a")
    stop.touch()
    begun = sessions.now
    sessions.report.stopped(sessions.event("a"), 2, 10)
    sessions.now += timedelta(minutes=2)
    sessions.put("a", phase=Phase.REVIEWING)
    with stop.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        (row,) = rows(sessions.state)
    assert row.since == begun + timedelta(seconds=1)
    assert not row.broke_off
    assert "reviewing 4m" in shown([row])


def test_a_review_that_nobody_holds_any_more_is_not_called_running(sessions: Sessions) -> None:
    sessions.block("a", phase="reviewing")
    assert not rows(sessions.state)[0].broke_off  # no lock was ever taken: nothing is known
    sessions.store.stop_lock("a").touch()
    (row,) = rows(sessions.state)
    assert row.broke_off
    assert "review broke off" in shown([row])


def test_a_review_of_pty_mode_is_running_as_long_as_its_ccc_does(sessions: Sessions) -> None:
    here, begun = os.getpid(), processes.ticks(os.getpid())
    sessions.block("a", phase="reviewing")
    sessions.store.stop_lock("a").touch()  # of hooks mode, in the same session

    def broke_off(client: int | None, client_begun: str | None) -> bool:
        sessions.put("a", mode=Mode.PTY, client=client, client_begun=client_begun)
        return rows(sessions.state)[0].broke_off

    assert not broke_off(None, None)  # an earlier version has not told whose it is
    assert not broke_off(here, begun)
    assert broke_off(here, f"{begun}0")  # another process has its number by now
    assert "review broke off" in shown(rows(sessions.state))


def test_switched_off_is_shown_for_session_and_project(sessions: Sessions) -> None:
    sessions.allow("a", project="/one")
    sessions.allow("b", project="/two")
    sessions.allow("c", project="/three")
    switch.turn(sessions.state, switch.SESSIONS, "a", off=True)
    switch.turn(sessions.state, switch.PROJECTS, "/two", off=True)
    assert {row.session_id: row.off for row in rows(sessions.state)} == {"a": True, "b": True, "c": False}
    sessions.block("a")
    shown_now = {row.session_id: status._phase(row, NOON, "en")[0] for row in rows(sessions.state)}
    assert shown_now == {"a": "reviews off", "b": "completed", "c": "completed"}
    (sessions.state / "off.json").write_text("{")
    assert not any(row.off for row in rows(sessions.state))


def test_a_damaged_state_is_a_row_that_says_so(sessions: Sessions) -> None:
    sessions.allow("good")
    sessions.allow("bad")
    sessions.store.path("bad").write_text("{")
    found = rows(sessions.state)
    assert [row.session_id for row in found] == ["bad", "good"]
    assert "its state file cannot be read" in shown(found)
    assert "状态文件无法读取" in shown(found, lang="zh")
    assert as_json(found)[0]["problem"]
    assert sessions.store.path("bad").read_text() == "{"


def test_a_state_of_an_older_version_is_a_row(sessions: Sessions) -> None:
    sessions.store.update("a", lambda old: Session("a", 3, old.created_at, old.updated_at))
    (sessions.state / "hook-invocation.log").write_text("2026 supervisor-hook invoked session_id=a count=3\n")
    (row,) = rows(sessions.state)
    assert (row.count, row.limit, row.phase, row.verdict, row.next_cost_usd) == (3, None, "working", None, None)
    assert " 3 " in shown([row])


@pytest.mark.parametrize("width", [40, 80, 109, 110, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_words_break_neither_line_nor_table(sessions: Sessions, width: int, lang: str) -> None:
    sessions.block("a", HOSTILE * 20, project=f"/{HOSTILE}", provider=HOSTILE, mode=HOSTILE, reason=HOSTILE)
    sessions.allow("b")
    found = rows(sessions.state)
    lines = shown(found, width, lang).splitlines()
    assert len(lines) == 3
    assert all(line.isprintable() for line in lines)
    for row in as_json(found):
        assert not {"\x1b", "\x9b", "\u202e", "\x07", "\x00"} & set("".join(map(str, row.values())))


def test_the_narrowest_screen_keeps_the_phase(sessions: Sessions) -> None:
    sessions.block("6f1b2c3d-0000", "run the tests and mend them " * 5, project="/home/me/code/api", mode="hooks")
    text = shown(rows(sessions.state), 40)
    assert max(map(len, text.splitlines())) <= 40
    for word in ("6f1b2c3d", "working", "sent back"):
        assert word in text


@pytest.mark.parametrize("width", [60, 79, 80, 100])
def test_a_narrow_screen_keeps_what_matters(sessions: Sessions, width: int) -> None:
    sessions.block("6f1b2c3d-0000", "run the tests and mend them " * 5, project="/home/me/code/api", mode="hooks")
    text = shown(rows(sessions.state), width)
    assert max(map(len, text.splitlines())) <= width
    for word in ("6f1b2c3d", "working", "1/10", "sent back: run"):
        assert word in text
    assert ("code/api" in text) is (width >= 70)


def test_the_selected_row_is_marked(sessions: Sessions) -> None:
    sessions.allow("a")
    sessions.allow("b")
    marked = [line for line in shown(rows(sessions.state), selected="a").splitlines() if line.startswith("▸")]
    assert len(marked) == 1
    assert marked[0].split()[1] == "a"


@pytest.mark.parametrize(
    ("seconds", "words"), [(-5, "0s"), (0, "0s"), (59, "59s"), (60, "1m"), (7199, "1h"), (86400 * 40, "40d")]
)
def test_ages(seconds: int, words: str) -> None:
    assert ago(NOON, NOON + timedelta(seconds=seconds)) == words


def test_nothing_yet_is_one_line_that_helps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(tmp_path / "missing") == []
    status.print_table([], now=NOON, env={})
    status.print_table([], now=NOON, env={"CCC_LANG": "zh"})
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert all("CCC_SUPERVISOR=1 ccc PROVIDER" in line for line in said)
    assert status.as_json([], NOON) == []
    assert not (tmp_path / "missing").exists()


def left_alone(sessions: Sessions, session_id: str, **fields: object) -> None:
    """In a phase that nobody is at any more."""
    gone = {"mode": Mode.HOOKS, "client": 2**22 - 1, "client_begun": "0", "outcome": None}
    sessions.block(session_id, **gone, **fields)
    sessions.store.stop_lock(session_id).touch()


NEEDED: dict[str, Callable[[Sessions], object]] = {
    "not reviewed": lambda sessions: sessions.stop("x", Unreviewed("the provider refused")),
    "needs you": lambda sessions: sessions.stop("x", Verdict(False, "which?", needs_human=True)),
    "review broke off": lambda sessions: left_alone(sessions, "x", phase=Phase.REVIEWING),
    "held up and gone": lambda sessions: left_alone(sessions, "x", phase=Phase.HELD_UP),
    "sent back and gone": lambda sessions: left_alone(sessions, "x"),
    "changed outside": lambda sessions: (
        sessions.stop("x", Unreviewed("the provider refused")),
        rewritten(sessions.store.path("x"), b"unreviewed", b"completed"),
    ),
    "unreadable": lambda sessions: (sessions.allow("x"), sessions.store.path("x").write_bytes(b"{")),
}


def rewritten(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(path.read_bytes().replace(old, new))


@pytest.mark.parametrize("happens", NEEDED.values(), ids=NEEDED)
def test_what_needs_the_person_is_shown_whatever_came_after_it(
    sessions: Sessions, happens: Callable[[Sessions], object], capsys: pytest.CaptureFixture[str]
) -> None:
    sessions.allow("done")
    happens(sessions)
    for number in range(25):
        sessions.allow(f"later-{number}")
    found = rows(sessions.state, 20)
    assert (len(found), found[-1].session_id) == (21, "x")
    status.print_now(sessions.state, env={}, limit=20)
    assert "6 more sessions; to see them: ccc status -n 27\n" in capsys.readouterr().out
    assert len(rows(sessions.state, 27)) == 27


def test_where_all_sessions_are_shown_none_is_said_to_be_left_off(
    sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions.allow("a")
    status.print_now(sessions.state, env={})
    assert "more sessions" not in capsys.readouterr().out


def test_a_pipe_gets_plain_and_whole_lines(sessions: Sessions, capsys: pytest.CaptureFixture[str]) -> None:
    sessions.block("a", "x" * 60, project="/home/me/code/api", provider="glm", mode="hooks")
    status.print_table(rows(sessions.state), now=LATER, env={})
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert f"sent back: {'x' * 60}" in out


def test_without_a_terminal_watching_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(CccError, match="ccc status --json"):
        status.watch(tmp_path, env={})


# ---- signals ----


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_the_wait_and_not_the_redraw(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with Signals() as signals:
        os.kill(os.getpid(), number)
        assert signals.wait(60) == []
        assert signals.ended is number
    assert signal.getsignal(number) is before


def test_a_resize_ends_the_wait_and_nothing_else() -> None:
    with Signals() as signals:
        os.kill(os.getpid(), signal.SIGWINCH)
        assert signals.wait(60) == []
        assert signals.ended is None
    assert signals.obeyed() == 0


def test_an_ignored_signal_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Signals() as signals:
            os.kill(os.getpid(), signal.SIGHUP)
            assert signals.wait(0) == []
            assert signals.ended is None
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_terminal_that_is_gone_is_no_error_after_the_end_was_ordered() -> None:
    with Signals() as signals:
        os.kill(os.getpid(), signal.SIGTERM)
        raise OSError("EIO")
    assert signals.ended is signal.SIGTERM
    with pytest.raises(OSError, match="EIO"), Signals():
        raise OSError("EIO")


# ---- --watch ----


def test_watch_redraws_what_changes_and_leaves_the_last_table(world: World) -> None:
    sessions = Sessions(world.state)
    sessions.block("a", "first words")
    argv = [sys.executable, "-c", WATCH, str(world.state)]
    with Screen(argv, env=world.env(), cwd=world.project, columns=100, lines=12) as screen:
        screen.wait_for("first words")
        sessions.block("a", "second words")
        sessions.allow("b")
        screen.wait_for("second words")
        screen.wait_for("completed")
        assert "first words" not in screen.text
        os.kill(screen.pid, signal.SIGINT)
        screen._child.expect_exact("\x1b[?1049l")
        assert b"second words" in screen._child.read()
        assert screen._child.wait() == 0
