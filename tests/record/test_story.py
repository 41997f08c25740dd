from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base.errors import CccError
from ccc.record import story
from ccc.record.state import story_path
from ccc.record.story import Event, Tail
from tests.sessions import HOSTILE, NOON, Sessions


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "ccc")


def log(state: Path, lines: Iterable[str], name: str = "hook-invocation.log") -> None:
    state.mkdir(exist_ok=True)
    (state / name).write_text("".join(f"{line}\n" for line in lines))


def line(session_id: str, event: str = "supervisor-hook invoked", rest: str = "count=1 limit=10") -> str:
    return f"2026-03-01T12:00:00+00:00 {event} session_id={session_id} {rest}".rstrip()


# ---- who was active last ----


def test_the_session_that_was_active_last_comes_first_and_only_once(sessions: Sessions) -> None:
    for session_id in ("a", "b", "a", "c"):
        sessions.allow(session_id)
    assert story.recent(sessions.state, 10) == ["c", "a", "b"]
    assert story.recent(sessions.state, 2) == ["c", "a"]


def test_without_a_log_there_is_nobody(tmp_path: Path) -> None:
    assert story.recent(tmp_path / "missing", 10) == []
    (tmp_path / "hook-invocation.log").mkdir()
    assert story.recent(tmp_path, 10) == []


def test_a_rotated_log_goes_on_in_the_one_before(tmp_path: Path) -> None:
    log(tmp_path, [line("c"), line("a")])
    log(tmp_path, [line("a"), line("b")], "hook-invocation.log.1")
    assert story.recent(tmp_path, 10) == ["a", "c", "b"]


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "no log line at all",
        '2026 let through why="x session_id=evil y"',
        "2026 trouble why=x session_id=evil",
        '2026 verdict feedback="\\n2026 x session_id=evil "',
        line("../../etc/passwd"),
        line("a..b"),
        line("-flag"),
        line(".hidden"),
        line("x" * 129),
        "\ufffd\ufffd session_id=evil",
    ],
)
def test_nothing_in_a_line_can_pass_for_a_session(tmp_path: Path, odd: str) -> None:
    log(tmp_path, [line("a"), odd, line("b", "output file is full or cannot be written", "path=/x")])
    assert story.recent(tmp_path, 10) == ["b", "a"]


def test_hostile_words_in_a_story_name_no_session(sessions: Sessions) -> None:
    sessions.block("a", HOSTILE, says=HOSTILE, last_message=HOSTILE)
    assert story.recent(sessions.state, 10) == ["a"]


@pytest.mark.parametrize("size", [1, 7, 50, 99, 100, 101, 1000])
def test_the_size_of_a_block_never_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    ids = [f"session-{number}" for number in range(20)]
    log(tmp_path, map(line, ids))
    monkeypatch.setattr(story, "BLOCK", size)
    assert story.recent(tmp_path, 100) == ids[::-1]


def test_only_the_end_of_an_endless_log_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log(tmp_path, [line("old"), *[line("new")] * 100])
    monkeypatch.setattr(story, "BLOCK", 100)
    monkeypatch.setattr(story, "LOG_TAIL", 1000)
    assert story.recent(tmp_path, 10) == ["new"]


WATCHED = """
import sys
from pathlib import Path
seen = []
def note(name, given):
    if name in ("open", "os.listdir", "os.scandir"):
        seen.append((name, str(given[0])))
sys.addaudithook(note)
from ccc.record import story
from ccc.showing import logs, status
state = Path(sys.argv[1])
found = status.rows(state, 20)
assert [row.session_id for row in found][:2] == ["session-99999", "session-99998"], found
assert len(found) == 20
assert story.newest(state).session_id == "session-99999"
assert story.find(state, "session-99999") == "session-99999"
assert story.load(state, "session-99999") == ()
touched = [each for each in seen if each[1].startswith(str(state))]
assert not [each for each in touched if each[0] != "open"], touched
assert len(touched) < 20 * 5, len(touched)
"""


def test_a_hundred_thousand_old_sessions_are_neither_listed_nor_read(tmp_path: Path) -> None:
    state = tmp_path / "ccc"
    log(state, (line(f"session-{number}") for number in range(100_000)))
    for number in range(99_900, 100_000):
        content = {"session_id": f"session-{number}", "count": 1, "updated_at": NOON.isoformat()}
        (state / f"supervisor-session-{number}.json").write_text(json.dumps(content))
    run = subprocess.run([sys.executable, "-c", WATCHED, str(state)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


# ---- the story ----


def test_a_story_is_read_as_it_was_told(sessions: Sessions) -> None:
    sessions.block("a", "run\nthe tests", cost=0.25, tokens=7)
    told = story.load(sessions.state, "a")
    assert [event.name for event in told] == [
        "supervisor-hook invoked",
        "review started",
        "reviewer says",
        "reviewer uses",
        "verdict",
        "sent back",
    ]
    assert all(event.at and event.at > NOON for event in told)
    assert told[0].fields["limit"] == 10
    assert told[4].fields == {"allow_stop": False, "feedback": "run\nthe tests", "cost_usd": 0.25, "tokens": 7}
    last = story.last(sessions.state, "a", "verdict")
    assert last == told[4]
    assert story.last(sessions.state, "a", "trouble") is None


def test_what_a_terminal_must_not_see_is_out_of_every_text() -> None:
    event = Event("verdict", None, {"feedback": HOSTILE, "count": 3})
    assert event.text("feedback") == "<script>[bold red]gnp.exe\nsecond line session_id=evil"
    assert event.line("feedback") == "<script>[bold red]gnp.exe ⏎ second line session_id=evil"
    assert (event.text("count"), event.text("none")) == ("3", "")


@given(
    st.binary() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(lambda x: json.dumps(x).encode())
)
def test_any_bytes_are_a_story(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "supervisor-a-story.jsonl"
        path.write_bytes(b'{"event": "first"}\n' + data + b'\n{"event": "last", "at": "2026-03-01T12:00:00"}\n')
        told = story.load(Path(folder), "a")
        assert (told[0], told[-1]) == (Event("first"), Event("last", datetime(2026, 3, 1, 12, tzinfo=UTC)))


# ---- a story that grows ----


def tell(path: Path, *names: str) -> None:
    with path.open("ab") as file:
        file.writelines(json.dumps({"event": name}).encode() + b"\n" for name in names)


def heard(tail: Tail) -> list[str]:
    return [event.name for event in tail.events()]


def test_a_tail_tells_what_is_new_and_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "story"
    tail = Tail(path)
    assert heard(tail) == []
    tell(path, "one", "two")
    assert heard(tail) == ["one", "two"]
    assert heard(tail) == []
    with path.open("ab") as file:
        file.write(b'{"event": "th')
    assert heard(tail) == []
    with path.open("ab") as file:
        file.write(b'ree"}\n{')
    assert heard(tail) == ["three"]


def test_a_story_that_was_cut_short_begins_again(tmp_path: Path) -> None:
    path = tmp_path / "story"
    tell(path, "one", "two")
    tail = Tail(path)
    assert heard(tail) == ["one", "two"]
    path.write_bytes(b"")
    tell(path, "new")
    assert heard(tail) == ["new"]


def test_of_a_story_that_was_replaced_the_rest_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "story"
    tell(path, "one")
    tail = Tail(path)
    assert heard(tail) == ["one"]
    tell(path, "rest")
    path.rename(tmp_path / "story.1")
    assert heard(tail) == ["rest"]
    tell(path, "new")
    assert heard(tail) == ["new"]


def test_a_tail_opens_nothing_that_could_hold_it(tmp_path: Path) -> None:
    (tmp_path / "target").write_text('{"event": "secret"}\n')
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "pipe")
    assert heard(Tail(tmp_path / "link")) == heard(Tail(tmp_path / "pipe")) == heard(Tail(tmp_path)) == []


# ---- one session ----


def test_a_state_is_read_and_left_alone_even_when_it_is_damaged(sessions: Sessions) -> None:
    sessions.allow("a", project="/p")
    found = story.session(sessions.state, "a")
    assert found
    assert (found.count, found.extra["project"], found.extra["outcome"]) == (1, "/p", "completed")
    path = sessions.store.path("a")
    for damage in (b"", b"{", b"[]", b'{"session_id": "b", "count": 1}', b'{"session_id": "a", "count": "x"}', b"\xff"):
        path.write_bytes(damage)
        assert story.session(sessions.state, "a") is None
        assert path.read_bytes() == damage
    path.write_text('{"session_id": "a", "count": 1, "updated_at": "yesterday"}')
    found = story.session(sessions.state, "a")
    assert found
    assert found.updated_at.year == 1970


def test_a_session_is_found_by_the_beginning_of_its_id(sessions: Sessions) -> None:
    for session_id in ("abc-1", "abc-2", "abd-1", "ab"):
        sessions.allow(session_id)
    assert story.find(sessions.state, "abd") == "abd-1"
    assert story.find(sessions.state, "abc-2") == "abc-2"
    assert story.find(sessions.state, "ab") == "ab"  # the whole of one id, though others begin with it
    with pytest.raises(CccError, match="several sessions: abc-2, abc-1"):
        story.find(sessions.state, "abc")
    with pytest.raises(CccError, match="no session begins with x"):
        story.find(sessions.state, "x")
    for hostile in ("", "../ab", "/etc", "a b", "\x1b[2J"):
        with pytest.raises(CccError, match="no session id"):
            story.find(sessions.state, hostile)


def test_a_session_whose_files_are_gone_is_not_found(sessions: Sessions) -> None:
    sessions.allow("abc-1")
    sessions.allow("abc-2")
    sessions.store.path("abc-1").unlink()
    story_path(sessions.state, "abc-1").unlink()
    assert story.find(sessions.state, "abc") == "abc-2"


def test_the_newest_of_a_project(sessions: Sessions) -> None:
    sessions.allow("a", project="/one")
    sessions.allow("b", project="/two")
    one, newest = story.newest(sessions.state, story.of_project(Path("/one"))), story.newest(sessions.state)
    assert one
    assert newest
    assert (one.session_id, newest.session_id) == ("a", "b")
    assert story.newest(sessions.state, story.of_project(Path("/three"))) is None
