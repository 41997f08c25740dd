from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.record import story
from ccc.record.events import Judged, Stopped, Trouble, Unknown, name_of
from ccc.record.story import Tail
from tests.sessions import NOON, Sessions


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "ccc")


def test_a_story_is_read_as_it_was_told(sessions: Sessions) -> None:
    sessions.block("a", "run\nthe tests", cost=0.25, tokens=7)
    told = story.load(sessions.state, "a")
    assert [name_of(event) for event in told] == [
        "supervisor-hook invoked",
        "review started",
        "reviewer says",
        "reviewer uses",
        "verdict",
        "sent back",
    ]
    assert all(event.at and event.at > NOON for event in told)
    assert isinstance(told[0], Stopped)
    assert told[0].limit == 10
    assert told[4] == Judged(False, "run\nthe tests", 0.25, 7, at=told[4].at)
    assert story.last(sessions.state, "a", Judged) == told[4]
    assert story.last(sessions.state, "a", Trouble) is None


@given(
    st.binary() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(lambda x: json.dumps(x).encode())
)
def test_any_bytes_are_a_story(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "supervisor-a-story.jsonl"
        path.write_bytes(b'{"event": "first"}\n' + data + b'\n{"event": "last", "at": "2026-03-01T12:00:00"}\n')
        told = story.load(Path(folder), "a")
        assert (told[0], told[-1]) == (
            Unknown(name="first"),
            Unknown(name="last", at=datetime(2026, 3, 1, 12, tzinfo=UTC)),
        )


# ---- a story that grows ----


def tell(path: Path, *names: str) -> None:
    with path.open("ab") as file:
        file.writelines(json.dumps({"event": name}).encode() + b"\n" for name in names)


def heard(tail: Tail) -> list[str]:
    return [name_of(event) for event in tail.events()]


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
