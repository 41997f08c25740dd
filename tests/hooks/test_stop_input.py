"""The hook's input: whatever is on stdin is a Stop or the reason why it is none."""

from __future__ import annotations

import json
import os
import pty
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.model import Task
from ccc.record.session import valid_session_id
from ccc_hooks import stop
from ccc_hooks.stop import NotAStop, Unreadable, parse, read

ID = "6f1b2c3d-0000-4000-8000-0123456789ab"


def event(**fields: object) -> bytes:
    return json.dumps({"session_id": ID, "cwd": "/", **fields}).encode()


@pytest.mark.spec("C5")
def test_every_field_that_ccc_uses_is_read(tmp_path: Path) -> None:
    found = parse(
        event(
            cwd=str(tmp_path),
            transcript_path="/t.jsonl",
            prompt_id="p-1",
            last_assistant_message="done",
            permission_mode="plan",
            stop_hook_active=True,
            hook_event_name="Stop",
            background_tasks=[{"id": "b1", "command": "sleep 9"}, {"shell_id": "b2", "type": "shell"}, "odd", {}],
            effort={"level": "high"},
        )
    )
    assert (found.session_id, found.cwd, found.transcript) == (ID, tmp_path, Path("/t.jsonl"))
    assert (found.prompt_id, found.last_message, found.permission_mode) == ("p-1", "done", "plan")
    assert found.stop_hook_active is True
    assert found.tasks == (Task("b1", "sleep 9"), Task("b2", "shell"), Task("odd", ""), Task("3", ""))


def test_what_an_old_client_leaves_out_is_left_out() -> None:
    found = parse(event())
    assert (found.transcript, found.prompt_id, found.last_message, found.tasks) == (None, None, None, ())
    assert found.stop_hook_active is False


# What cannot be read, and whose Stop it is where that can still be told.
UNREADABLE = {
    "nothing": (b"", None),
    "blanks": (b" \r\n\t", None),
    "null": (b"null", None),
    "a list": (b"[]", None),
    "a string": (b'"x"', None),
    "an empty object": (b"{}", None),
    "half an object": (b'{"session_id": "abc", "cw', "abc"),
    "half an id": (b'{"session_id": "../abc', None),
    "two objects": (event() + event(), ID),
    "an object and more": (event() + b" x", ID),
    "UTF-16": (event().decode().encode("utf-16"), None),
    "a raw NUL": (b'{"session_id": "a\0c"}', None),
    "deep lists": (b"[" * 1_000_000, None),
    "deep objects": (b'{"a":' * 100_000, None),
    "a number for an id": (b'{"session_id": 5}', None),
    "null for an id": (b'{"session_id": null}', None),
    "a list for an id": (b'{"session_id": ["abc"]}', None),
    "an event of another kind": (event(hook_event_name=["Stop"]), None),
    "an event too deep to be shown": (b'{"hook_event_name":' + b"[" * 1000 + b"]" * 1000 + b"}", None),
    "a folder that is gone": (event(cwd="/no/such/folder"), ID),
    "a folder that is a file": (event(cwd="/dev/null"), ID),
    "a folder with too long a name": (event(cwd="/" + "x" * 300), ID),
    "a folder with too long a path": (event(cwd="/x" * 5000), ID),
    "a folder below a file": (event(cwd="/dev/null/x"), ID),
}


@pytest.mark.parametrize(("data", "session_id"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_not_taken_for_no_stop(data: bytes, session_id: str | None) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(data)
    assert refused.value.session_id == session_id
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 100


OTHERS = {
    "a subagent's stop": event(hook_event_name="SubagentStop"),
    "half a subagent's stop": event(hook_event_name="SubagentStop", last_assistant_message="done")[:-9],
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_it_is_no_stop_when_it_is(data: bytes) -> None:
    with pytest.raises(NotAStop, match="the event is SubagentStop"):
        parse(data)


DAMAGED = {
    "a byte order mark": (b"\xef\xbb\xbf" + event(), None),
    "bad UTF-8": (event(last_assistant_message="@").replace(b"@", b"\xff"), "\ufffd"),
    "half a surrogate pair": (event(last_assistant_message="done \ud83d"), "done \ufffd"),
    "NaN": (event(x=float("nan")), None),
    "a number without end": (event(x="@").replace(b'"@"', b"9" * 9000), None),
    "deep and whole": (event(x="@").replace(b'"@"', b"[" * 100_000 + b"]" * 100_000), None),
}


@pytest.mark.parametrize(("data", "message"), DAMAGED.values(), ids=DAMAGED)
def test_no_character_hides_a_stop(data: bytes, message: str | None) -> None:
    found = parse(data)
    assert (found.session_id, found.last_message) == (ID, message)


def test_a_stop_whose_folder_is_gone_is_one_of_the_project(tmp_path: Path) -> None:
    assert parse(event(cwd="/no/such/folder"), str(tmp_path)).cwd == tmp_path
    assert parse(event(cwd=str(tmp_path)), "/").cwd == tmp_path
    with pytest.raises(Unreadable, match="the working directory is gone"):
        parse(event(cwd="/no/such/folder"), "/no/project\0either")


def test_line_ends_and_unknown_fields_do_not_matter() -> None:
    data = b'{\r\n "session_id": "abc",\r\n "cwd": "/",\r\n "new": [{}], "stop_hook_active": "yes"\r\n}\r\n'
    assert parse(data).session_id == "abc"
    assert parse(data).stop_hook_active is False


HOSTILE_IDS = [
    *("../x", "a/../../x", "/etc/x", "-p", "--dangerously-skip-permissions", "a" * 129, "x" * 300, "a\nb", "abc\n"),
    *("\u200fabc", "a\0b", "", ".", "..", "a..b", ".hidden", "_x", "١٢٣", "ab c", "a;b", "$(id)", "é", "a\x1b[2J"),
]


@pytest.mark.parametrize("session_id", HOSTILE_IDS)
def test_a_hostile_id_is_nobodys_and_is_not_repeated(session_id: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(event(session_id=session_id))
    assert (str(refused.value), refused.value.session_id) == ("no valid session_id on stdin", None)


@given(st.text(max_size=200))
def test_no_id_gets_through_that_is_more_than_a_plain_name(session_id: str) -> None:
    with suppress(Unreadable):
        found = parse(event(session_id=session_id)).session_id
        assert valid_session_id(found)
        assert not {"/", "\0", "\n"} & set(found)
        assert not found.startswith(("-", "."))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = """
session_id hook_event_name cwd transcript_path prompt_id last_assistant_message permission_mode stop_hook_active
background_tasks
"""


def settles(data: bytes) -> bool:
    """Parsing ends with an event or with the reason why not; anything else fails the test."""
    try:
        return parse(data).cwd.is_dir()
    except NotAStop:
        return True
    except Unreadable as lost:
        return lost.session_id is None or valid_session_id(lost.session_id)


@given(st.dictionaries(st.sampled_from(FIELDS.split()), json_values))
def test_no_value_in_any_field_makes_it_raise(fields: dict[str, Any]) -> None:
    assert settles(event(**fields))


@given(st.binary())
def test_no_bytes_make_it_raise(data: bytes) -> None:
    assert settles(data)


@given(st.integers(0, 300), st.binary(max_size=8), st.integers(0, 8))
def test_no_damage_to_a_real_event_makes_it_raise(at: int, new: bytes, cut: int) -> None:
    whole = event(hook_event_name="Stop", background_tasks=[{"id": "b"}], last_assistant_message="中文")
    assert settles(whole[:at] + new + whole[at + cut :])


# ---- reading ----


@contextmanager
def fed(write: Callable[[int], object], *, close: bool = True) -> Iterator[int]:
    """A pipe that somebody writes to, and closes or keeps."""
    reader, writer = os.pipe()

    def work() -> None:
        with suppress(BrokenPipeError):
            write(writer)
        if close:
            os.close(writer)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield reader
    finally:
        os.close(reader)
        thread.join()
        if not close:
            os.close(writer)


def written(*pieces: bytes) -> Callable[[int], object]:
    return lambda fd: [os.write(fd, piece) for piece in pieces]


def test_a_whole_object_ends_the_reading_though_the_writer_keeps_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop, "WAIT_SECONDS", 3600)
    whole = event(last_assistant_message='a } in "text" }')
    with fed(written(whole[:20], whole[20:-3], whole[-3:] + b"\n"), close=False) as fd:
        assert parse(read(fd)).session_id == ID


def test_a_damaged_object_ends_the_reading_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop, "WAIT_SECONDS", 3600)
    whole = event(last_assistant_message="half an emoji: \ud83d")
    with fed(written(whole), close=False) as fd:
        assert parse(read(fd)).last_message == "half an emoji: \ufffd"


def test_an_object_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stop.WAIT_SECONDS <= 5
    monkeypatch.setattr(stop, "WAIT_SECONDS", 0.2)
    with fed(written(b'{"session_id"'), close=False) as fd:
        assert read(fd) == b'{"session_id"'


def test_a_writer_that_never_pauses_is_given_up_in_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop, "WAIT_SECONDS", 0.3)
    monkeypatch.setattr(stop, "SIZE_LIMIT", 10**12)

    def endless(fd: int) -> None:
        while True:
            os.write(fd, b'"}')

    with fed(endless) as fd:
        assert read(fd)


def test_8_megabytes_are_kept_and_not_more() -> None:
    room = stop.SIZE_LIMIT - len(event(last_assistant_message=""))
    whole = event(last_assistant_message="x" * room)
    assert len(whole) == stop.SIZE_LIMIT
    with fed(written(whole)) as fd:
        assert parse(read(fd)).last_message == "x" * room
    with fed(written(b"x" * 9_000_000)) as fd, pytest.raises(Unreadable, match="more than 8388608 bytes"):
        parse(read(fd))


def test_of_a_longer_message_the_beginning_is_kept_and_the_writer_is_heard_out() -> None:
    heard: list[int] = []
    long = event(hook_event_name="Stop", last_assistant_message="x" * 20_000_000)
    with fed(lambda fd: [heard.append(os.write(fd, long[at : at + 65536])) for at in range(0, len(long), 65536)]) as fd:
        found = parse(read(fd))
    assert sum(heard) == len(long)
    assert found.session_id == ID
    assert found.last_message is not None
    assert 8_000_000 < len(found.last_message) < stop.SIZE_LIMIT


def test_of_what_is_too_long_to_tell_its_event_only_the_owner_is_known() -> None:
    with pytest.raises(Unreadable, match="more than 8388608 bytes") as refused:
        parse(event(x="x" * stop.SIZE_LIMIT))
    assert refused.value.session_id == ID


def test_a_terminal_is_not_waited_for() -> None:
    ours, theirs = pty.openpty()
    try:
        with pytest.raises(Unreadable, match="a terminal"):
            read(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_stdin_that_fails_is_unreadable(tmp_path: Path) -> None:
    folder, closed = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)
    os.close(closed)
    for fd in (folder, closed):
        with pytest.raises(Unreadable, match="cannot be read"):
            read(fd)
    os.close(folder)
