from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.model import Unreviewed
from ccc.record import recent, store
from ccc.record.store import story_path
from ccc.showing import status
from tests.sessions import HOSTILE, NOON, Sessions


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "ccc")


def recent_of(state: Path, limit: int) -> list[str]:
    return list(islice(recent.sessions(state), limit))


def log(state: Path, lines: Iterable[str], name: str = "hook-invocation.log") -> None:
    state.mkdir(exist_ok=True)
    (state / name).write_text("".join(f"{line}\n" for line in lines))


def line(session_id: str, event: str = "supervisor-hook invoked", rest: str = "count=1 limit=10") -> str:
    return f"2026-03-01T12:00:00+00:00 {event} session_id={session_id} {rest}".rstrip()


def test_the_session_that_was_active_last_comes_first_and_only_once(sessions: Sessions) -> None:
    for session_id in ("a", "b", "a", "c"):
        sessions.allow(session_id)
    assert recent_of(sessions.state, 10) == ["c", "a", "b"]
    assert recent_of(sessions.state, 2) == ["c", "a"]


def test_without_a_log_there_is_nobody(tmp_path: Path) -> None:
    assert recent_of(tmp_path / "missing", 10) == []
    (tmp_path / "hook-invocation.log").mkdir()
    assert recent_of(tmp_path, 10) == []


def test_a_rotated_log_goes_on_in_the_one_before(tmp_path: Path) -> None:
    log(tmp_path, [line("c"), line("a")])
    log(tmp_path, [line("a"), line("b")], "hook-invocation.log.1")
    assert recent_of(tmp_path, 10) == ["a", "c", "b"]


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
    assert recent_of(tmp_path, 10) == ["b", "a"]


def test_hostile_words_in_a_story_name_no_session(sessions: Sessions) -> None:
    sessions.block("a", HOSTILE, says=HOSTILE, last_message=HOSTILE)
    assert recent_of(sessions.state, 10) == ["a"]


@pytest.mark.parametrize("size", [1, 7, 50, 99, 100, 101, 1000])
def test_the_size_of_a_block_never_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    ids = [f"session-{number}" for number in range(20)]
    log(tmp_path, map(line, ids))
    monkeypatch.setattr(recent, "BLOCK", size)
    assert recent_of(tmp_path, 100) == ids[::-1]


def test_only_the_end_of_an_endless_log_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log(tmp_path, [line("old"), *[line("new")] * 100])
    monkeypatch.setattr(recent, "BLOCK", 100)
    monkeypatch.setattr(recent, "TAIL", 1000)
    assert recent_of(tmp_path, 10) == ["new"]


WATCHED = """
import sys
from pathlib import Path
seen = []
def note(name, given):
    if name in ("open", "os.listdir", "os.scandir"):
        seen.append((name, str(given[0])))
sys.addaudithook(note)
from ccc.record import recent, story
from ccc.showing import logs, status
state = Path(sys.argv[1])
found = status.rows(state, 20)
assert [row.session_id for row in found][:2] == ["session-99999", "session-99998"], found
assert len(found) == 20
assert recent.newest(state).session_id == "session-99999"
assert recent.find(state, "session-99999") == "session-99999"
assert story.load(state, "session-99999") == ()
touched = [each for each in seen if each[1].startswith(str(state))]
assert not [each for each in touched if each[0] != "open"], touched
assert len(touched) < 20 * 5 + 100, len(touched)  # the states that are there
"""


def test_a_hundred_thousand_old_sessions_are_neither_listed_nor_read(tmp_path: Path) -> None:
    state = tmp_path / "ccc"
    log(state, (line(f"session-{number}") for number in range(100_000)))
    for number in range(99_900, 100_000):
        content = {"session_id": f"session-{number}", "count": 1, "updated_at": NOON.isoformat()}
        (state / f"supervisor-session-{number}.json").write_text(json.dumps(content))
    run = subprocess.run([sys.executable, "-c", WATCHED, str(state)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def made_up(number: int, name: str = "made-up") -> str:
    return "".join(f"{recent.line(f'{name}-{each}', NOON)}\n" for each in range(number))


HIDING = {
    "names that nobody has": lambda path: path.write_text(path.read_text() + made_up(3000)),
    "more of them than are read": lambda path: path.write_text(path.read_text() + made_up(100, "x" * 100)),
    "no line at all": lambda path: path.write_text(""),
    "no file": lambda path: path.unlink(),
    "others behind it": lambda path: path.write_text(path.read_text() + made_up(25, "old")),
}


@pytest.mark.parametrize("hide", HIDING.values(), ids=HIDING)
def test_no_line_that_somebody_writes_or_takes_away_hides_a_session(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch, hide: Callable[[Path], object]
) -> None:
    for number in range(25):
        sessions.allow(f"old-{number}")
    before = os.lstat(sessions.store.path("old-24")).st_ctime_ns
    while os.lstat(sessions.store.path("old-24")).st_ctime_ns == before:  # the kernel's clock has ticks
        sessions.allow("old-24")
    sessions.stop("a", Unreviewed("the settings were changed"))
    monkeypatch.setattr(recent, "TAIL", 5000 if hide is HIDING["more of them than are read"] else recent.TAIL)
    hide(recent.path(sessions.state))
    first = status.rows(sessions.state, 20)[0]
    assert (first.session_id, first.outcome) == ("a", "unreviewed")
    assert recent.latest(sessions.state, 100)[0] == "a"
    assert len(recent.latest(sessions.state, 100)) == 26


def test_what_has_no_file_is_not_among_those_that_a_prefix_is_looked_for_in(sessions: Sessions) -> None:
    sessions.allow("abc")
    path = recent.path(sessions.state)
    path.write_text(path.read_text() + made_up(2000))
    assert recent.find(sessions.state, "ab") == "abc"
    assert recent.newest(sessions.state)
    assert list(recent.existing(sessions.state)) == ["abc"]


# ---- one session ----


def test_a_state_is_read_and_left_alone_even_when_it_is_damaged(sessions: Sessions) -> None:
    sessions.allow("a", project="/p")
    found = store.seen(sessions.state, "a")
    assert found
    assert (found.count, found.about.project, found.request.outcome) == (1, "/p", "completed")
    path = sessions.store.path("a")
    for damage in (b"", b"{", b"[]", b'{"session_id": "b", "count": 1}', b'{"session_id": "a", "count": "x"}', b"\xff"):
        path.write_bytes(damage)
        assert store.seen(sessions.state, "a") is None
        assert path.read_bytes() == damage
    path.write_text('{"session_id": "a", "count": 1, "updated_at": "yesterday"}')
    found = store.seen(sessions.state, "a")
    assert found
    assert found.updated_at.year == 1970


def test_a_session_is_found_by_the_beginning_of_its_id(sessions: Sessions) -> None:
    for session_id in ("abc-1", "abc-2", "abd-1", "ab"):
        sessions.allow(session_id)
    assert recent.find(sessions.state, "abd") == "abd-1"
    assert recent.find(sessions.state, "abc-2") == "abc-2"
    assert recent.find(sessions.state, "ab") == "ab"  # the whole of one id, though others begin with it
    with pytest.raises(CccError, match="several sessions: abc-2, abc-1"):
        recent.find(sessions.state, "abc")
    with pytest.raises(CccError, match="no session begins with x"):
        recent.find(sessions.state, "x")
    for hostile in ("", "../ab", "/etc", "a b", "\x1b[2J"):
        with pytest.raises(CccError, match="no session id"):
            recent.find(sessions.state, hostile)


def test_a_session_whose_files_are_gone_is_not_found(sessions: Sessions) -> None:
    sessions.allow("abc-1")
    sessions.allow("abc-2")
    sessions.store.path("abc-1").unlink()
    story_path(sessions.state, "abc-1").unlink()
    assert recent.find(sessions.state, "abc") == "abc-2"


def test_the_newest_of_a_project(sessions: Sessions) -> None:
    sessions.allow("a", project="/one")
    sessions.allow("b", project="/two")
    one, newest = recent.newest(sessions.state, recent.of_project(Path("/one"))), recent.newest(sessions.state)
    assert one
    assert newest
    assert (one.session_id, newest.session_id) == ("a", "b")
    assert recent.newest(sessions.state, recent.of_project(Path("/three"))) is None
