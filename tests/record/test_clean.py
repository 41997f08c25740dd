from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ccc.base import processes
from ccc.base.errors import CccError
from ccc.record import clean, starts
from ccc.record.store import story_path
from tests.sessions import HOSTILE, NOON, Sessions
from tests.terminals import Terminal
from tests.world import World

MONTH = timedelta(days=30)


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "ccc")


def cleaned(state: Path, age: str = "30d", *, yes: bool, now: datetime = NOON + 2 * MONTH, lang: str = "en") -> str:
    said: list[str] = []
    assert clean.run(state, older_than=age, yes=yes, now=now, env={"CCC_LANG": lang}, say=said.append) == 0
    return "\n".join(said)


def names(state: Path) -> set[str]:
    return {path.name for path in state.iterdir()}


def leave_all(sessions: Sessions, session_id: str) -> set[str]:
    """Every file that a session can leave."""
    sessions.allow(session_id, project="/srv/api")
    for ending in ("-output.jsonl", ".json.corrupt", ".stop"):
        (sessions.state / f"supervisor-{session_id}{ending}").write_bytes(b"x" * 1000)
    found = {name for name in names(sessions.state) if name.startswith(f"supervisor-{session_id}")}
    assert len(found) == 6
    return found


def test_a_dry_run_lists_what_would_go_and_removes_nothing(sessions: Sessions) -> None:
    leave_all(sessions, "a")
    before = names(sessions.state)
    said = cleaned(sessions.state, yes=False)
    assert said.startswith("2026-03-01  a  6 files, 4.")
    assert "/srv/api" in said
    assert "nothing was removed yet: ccc clean --older-than 30d --yes" in said
    assert names(sessions.state) == before


def test_the_files_of_old_sessions_go_and_nothing_else(sessions: Sessions) -> None:
    old = leave_all(sessions, "a")
    sessions.now = NOON + 2 * MONTH
    leave_all(sessions, "young")
    leave_all(sessions, "a-2")  # a name that begins alike
    others = {
        "off.json",
        "clients.json",
        "supervisor-.json",
        "supervisor-x.txt",
        "settings.json",
        "supervisor-b.json.bak",
    }
    for name in others:
        (sessions.state / name).write_text("{}")
        os.utime(sessions.state / name, (0, 0))
    before = names(sessions.state)
    said = cleaned(sessions.state, yes=True, now=sessions.now + timedelta(days=1))
    assert "1 sessions, 6 files" in said
    assert before - names(sessions.state) == old


def test_what_was_removed_is_no_longer_there_for_a_second_run(sessions: Sessions) -> None:
    leave_all(sessions, "a")
    cleaned(sessions.state, yes=True)
    assert cleaned(sessions.state, yes=True) == f"nothing is older than 30d in {sessions.state}"
    assert "没有比 30d 更早的会话" in cleaned(sessions.state, yes=False, lang="zh")


def test_the_age_is_the_states_and_not_the_files(sessions: Sessions) -> None:
    sessions.allow("a")
    for path in sessions.state.glob("supervisor-a*"):
        os.utime(path, (0, 0))
    assert "nothing is older" in cleaned(sessions.state, yes=False, now=NOON + timedelta(days=29))


@pytest.mark.parametrize("damage", [None, b"{", b'{"session_id": "a", "count": 1}'], ids=["gone", "damaged", "no date"])
def test_without_a_date_in_the_state_the_youngest_file_tells(sessions: Sessions, damage: bytes | None) -> None:
    sessions.allow("a")
    path = sessions.store.path("a")
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    now = datetime.now(UTC)
    assert "nothing is older" in cleaned(sessions.state, yes=True, now=now + timedelta(days=29))
    assert "1 sessions" in cleaned(sessions.state, yes=True, now=now + timedelta(days=31))
    assert not list(sessions.state.glob("supervisor-a*"))


def written(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize("lie", ["the state", "its file", "no state"])
def test_no_date_that_somebody_has_set_back_makes_a_session_old(sessions: Sessions, lie: str) -> None:
    sessions.now = datetime.now(UTC)
    mine = leave_all(sessions, "a")
    if lie == "no state":
        sessions.store.path("a").unlink()
    elif lie == "the state":
        written(sessions.store.path("a"), f'"updated_at": "{sessions.now.year}', '"updated_at": "2020')
    for path in sessions.state.glob("supervisor-a*"):
        os.utime(path, (0, 0))
    assert "nothing is older" in cleaned(sessions.state, "1h", yes=True, now=sessions.now)
    assert len(names(sessions.state) & mine) == len(mine) - (lie == "no state")
    assert "1 sessions" in cleaned(sessions.state, "1h", yes=True, now=sessions.now + MONTH)


def test_the_session_of_a_client_that_runs_stays_however_old_it_is(sessions: Sessions) -> None:
    mine = leave_all(sessions, "a")
    sessions.put("a", client=os.getpid(), client_begun=processes.ticks(os.getpid()))
    leave_all(sessions, "b")
    starts.begun(sessions.state, sessions.state, sessions.state, NOON)
    starts.heard(sessions.state, os.getpid(), "b")
    for yes in (False, True):
        said = cleaned(sessions.state, yes=yes)
        assert "a is in use and stays" in said
        assert "b is in use and stays" in said
    assert mine <= names(sessions.state)
    sessions.put("a", client_begun="1")  # another process has its number by now
    assert "1 sessions, 6 files" in cleaned(sessions.state, yes=True)


@pytest.mark.parametrize("ending", [".lock", ".stop"])
def test_a_session_in_use_stays(sessions: Sessions, ending: str) -> None:
    mine = leave_all(sessions, "a")
    with (sessions.state / f"supervisor-a{ending}").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        said = cleaned(sessions.state, yes=True)
    assert "a is in use and stays" in said
    assert mine <= names(sessions.state)


def test_a_session_that_is_used_after_all_stays(sessions: Sessions) -> None:
    mine = leave_all(sessions, "a")
    before = NOON + MONTH
    (old,) = clean.old_sessions(sessions.state, before)
    sessions.now = NOON + 2 * MONTH
    sessions.allow("a")
    assert not clean.remove(sessions.state, old, before)
    assert mine <= names(sessions.state)


def test_links_and_folders_are_no_files_of_a_session(sessions: Sessions, tmp_path: Path) -> None:
    sessions.state.mkdir()
    precious = tmp_path / "precious"
    precious.write_text('{"session_id": "a", "count": 1, "updated_at": "2020-01-01T00:00:00+00:00"}')
    (sessions.state / "supervisor-a.json").symlink_to(precious)
    (sessions.state / "supervisor-b.json").mkdir()
    assert "nothing is older" in cleaned(sessions.state, yes=True)
    assert precious.exists()
    assert names(sessions.state) == {"supervisor-a.json", "supervisor-b.json"}


def test_a_missing_folder_has_nothing_and_is_not_made(tmp_path: Path) -> None:
    assert "nothing is older" in cleaned(tmp_path / "missing", yes=True)
    assert not (tmp_path / "missing").exists()


def test_many_sessions_are_summed_up(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean, "LISTED", 3)
    for number in range(5):
        sessions.allow(f"s{number}")
    said = cleaned(sessions.state, yes=True).splitlines()
    assert len(said) == 5
    assert said[3] == "… and 2 more"
    assert said[4].startswith("5 sessions, 15 files, ")


def test_many_sessions_in_use_are_summed_up(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean, "LISTED", 2)
    with ExitStack() as held:
        for number in range(4):
            sessions.allow(f"s{number}")
            lock = held.enter_context((sessions.state / f"supervisor-s{number}.lock").open())
            fcntl.flock(lock, fcntl.LOCK_EX)
        said = cleaned(sessions.state, yes=True).splitlines()
    assert len(said) == 4
    assert said[2] == "4 sessions in use or used since then stay"
    assert said[3].startswith("nothing is older")


@pytest.mark.parametrize("yes", [False, True])
def test_a_session_costs_the_same_however_many_there_are(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch, yes: bool
) -> None:
    asked: list[str] = []
    for name in ("scandir", "stat", "lstat", "open", "unlink"):
        monkeypatch.setattr(os, name, _counted(name, getattr(os, name), asked))

    def cost(count: int) -> Counter[str]:
        for number in range(count):
            sessions.allow(f"s{number}")
        asked.clear()
        cleaned(sessions.state, yes=yes)
        return Counter(asked)

    few, many = cost(2), cost(20)
    assert few["scandir"] == many["scandir"] == 1
    assert {name: 10 * calls for name, calls in few.items()} == {**many, "scandir": 10}
    assert few["open"] == 2 * (2 if yes else 1)  # the state, and its lock
    assert few["lstat"] + few["stat"] <= 2 * 3 * (2 if yes else 1)  # each of three files


def _counted(name: str, call: Callable[..., Any], asked: list[str]) -> Callable[..., Any]:
    def counted(*args: Any, **more: Any) -> Any:
        if not str(args[0]).endswith(("starts.json", "state.key")):  # read once for all of them
            asked.append(name)
        return call(*args, **more)

    return counted


def test_a_state_that_comes_meanwhile_keeps_what_was_only_a_story(sessions: Sessions) -> None:
    sessions.state.mkdir(mode=0o700)
    story_path(sessions.state, "a").write_text("{}\n")
    before = datetime.now(UTC) + MONTH
    (old,) = clean.old_sessions(sessions.state, before)
    sessions.now = before
    sessions.allow("a")
    assert not clean.remove(sessions.state, old, before)
    assert story_path(sessions.state, "a").exists()


def test_a_terminal_sees_how_far_it_is_and_a_pipe_does_not(world: World) -> None:
    sessions = Sessions(world.state, now=datetime(2020, 1, 1, tzinfo=UTC))
    for number in range(3):
        sessions.allow(f"s{number}")
    piped = world.ccc("clean", env=world.env(CCC_LANG="en"))
    assert (piped.code, piped.err, "looked at" in piped.out) == (0, "", False)
    argv, env = world.command("clean", "--yes"), world.env(CCC_LANG="en")
    with Terminal(argv, env=env, cwd=world.project, columns=60) as terminal:
        assert terminal.wait_for_end() == 0
        assert b"looked at 1 of 3 sessions; 0 removed" in terminal.raw
        assert "looked at" not in terminal.text
        assert "3 sessions, 9 files, " in terminal.text
        assert terminal.text.count("3 files, ") == 3


def test_hostile_words_are_shown_harmless(sessions: Sessions) -> None:
    sessions.allow("a", project=HOSTILE)
    assert all(line.isprintable() for line in cleaned(sessions.state, yes=False).splitlines())


def test_a_story_without_anything_else_is_an_old_session_too(sessions: Sessions) -> None:
    sessions.state.mkdir()
    story_path(sessions.state, "a").write_text("{}\n")
    assert "1 sessions, 1 files, 3 B removed" in cleaned(sessions.state, yes=True, now=datetime.now(UTC) + 2 * MONTH)
    assert names(sessions.state) == set()


@pytest.mark.parametrize(
    ("text", "meant"),
    [("12h", timedelta(hours=12)), ("30d", MONTH), ("8w", timedelta(weeks=8)), (" 1D ", timedelta(days=1))],
)
def test_durations(text: str, meant: timedelta) -> None:
    assert clean.duration(text) == meant


@pytest.mark.parametrize(
    "nonsense", ["", "30", "0d", "-1d", "d", "1.5d", "30 d", "30m", "1y", "999999d", "9" * 30 + "d", "٣d", "30d;rm"]
)
def test_nonsense_is_refused_before_anything_is_looked_at(tmp_path: Path, nonsense: str) -> None:
    with pytest.raises(CccError, match="12h, 30d, 8w"):
        cleaned(tmp_path, nonsense, yes=True)
