from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ccc.base import files, seal
from ccc.base.errors import CccError
from ccc.record import session as spelling
from ccc.record import starts
from ccc.record import store as state
from ccc.record.outside import Kind
from ccc.record.session import Session, valid_session_id
from ccc.record.starts import Cleaned
from ccc.record.store import InvalidSessionId, SessionStore, StateCorrupt

NOON = datetime(2026, 3, 1, 12, 0, 0, 250, tzinfo=UTC)
ID = "6f1b2c3d-0000-4000-8000-0123456789ab"


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "ccc", now=lambda: NOON)


def count_up(session: Session) -> Session:
    return replace(session, count=session.count + 1)


def plant(store: SessionStore, text: str | bytes) -> Path:
    path = store.path(ID)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.spec("H14")
def test_the_paths_of_a_session() -> None:
    store = SessionStore(Path(".claude/ccc"), now=lambda: NOON)
    assert store.path("abc123") == Path(".claude/ccc/supervisor-abc123.json")
    assert store.output_path("abc123") == Path(".claude/ccc/supervisor-abc123-output.jsonl")
    assert store.log_path == Path(".claude/ccc/hook-invocation.log")


@pytest.mark.spec("H15", "C13")
def test_the_first_update_makes_the_state_file(store: SessionStore) -> None:
    assert store.load(ID) is None
    assert store.update(ID, count_up) == Session(ID, 1, NOON, NOON)
    stored = json.loads(store.path(ID).read_bytes())
    assert len(stored.pop("seal")) == 64
    assert abs(stored.pop("sealed_at") - store.path(ID).stat().st_ctime_ns) < seal.WRITING_NS
    assert {name: value for name, value in stored.items() if value} == {
        "version": 2,
        "session_id": ID,
        "count": 1,
        "created_at": "2026-03-01T12:00:00.000250+00:00",
        "updated_at": "2026-03-01T12:00:00.000250+00:00",
        "phase": "working",
    }


@pytest.mark.spec("C14")
def test_an_update_counts_on_and_keeps_the_first_date(store: SessionStore) -> None:
    for _ in range(3):
        store.update(ID, count_up)
    later = replace(store, now=lambda: NOON + timedelta(minutes=1))
    assert later.update(ID, count_up) == Session(ID, 4, NOON, NOON + timedelta(minutes=1))
    assert later.load(ID) == Session(ID, 4, NOON, NOON + timedelta(minutes=1))


def test_dates_are_stored_in_utc_wherever_the_clock_hangs(store: SessionStore) -> None:
    shanghai = NOON.astimezone(timezone(timedelta(hours=8)))
    replace(store, now=lambda: shanghai).update(ID, count_up)
    assert json.loads(store.path(ID).read_bytes())["created_at"] == "2026-03-01T12:00:00.000250+00:00"


@pytest.mark.parametrize("year", [1, 1970, 9999])
def test_a_clock_that_jumps_changes_no_count(store: SessionStore, year: int) -> None:
    store.update(ID, count_up)
    assert replace(store, now=lambda: datetime(year, 6, 1, tzinfo=UTC)).update(ID, count_up).count == 2
    assert store.update(ID, count_up).count == 3


def test_files_and_folders_are_private_even_under_umask_0(store: SessionStore) -> None:
    old = os.umask(0)
    try:
        store.update(ID, count_up)
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in store.directory.rglob("*")}
    own = {f"supervisor-{ID}.json", f"supervisor-{ID}.lock", "state.key", "state.key.lock"}
    assert modes == {"tmp": 0o700, **dict.fromkeys(own, 0o600)}
    assert stat.S_IMODE(store.directory.stat().st_mode) == 0o700


def test_prompt_id_and_fields_of_other_versions_survive(store: SessionStore) -> None:
    plant(store, json.dumps({"session_id": ID, "count": 2, "prompt_id": "p1", "future": {"deep": [1, "é"]}}))
    session = store.update(ID, count_up)
    assert (session.count, session.prompt_id, session.unknown) == (3, "p1", {"future": {"deep": [1, "é"]}})
    assert json.loads(store.path(ID).read_bytes())["future"] == {"deep": [1, "é"]}
    assert store.load(ID) == session


def test_a_change_may_set_every_field_but_the_id_and_the_date(store: SessionStore) -> None:
    changed = store.update(
        ID, lambda old: Session("other", 7, old.created_at, datetime.max, "p2", unknown={"note": 1, "count": 99})
    )
    assert (changed.session_id, changed.updated_at) == (ID, NOON)
    assert store.load(ID) == Session(ID, 7, NOON, NOON, "p2", unknown={"note": 1})


def test_what_json_cannot_hold_is_an_expected_error(store: SessionStore) -> None:
    with pytest.raises(CccError, match="cannot be written as JSON"):
        store.update(ID, lambda session: replace(session, prompt_id="\ud800"))
    assert store.load(ID) is None


def test_a_failing_change_stores_nothing_and_frees_the_lock(store: SessionStore) -> None:
    store.update(ID, count_up)
    before = store.path(ID).read_bytes()
    with pytest.raises(ZeroDivisionError):
        store.update(ID, lambda session: replace(session, count=1 // 0))
    assert store.path(ID).read_bytes() == before
    assert store.update(ID, count_up).count == 2


@pytest.mark.parametrize("odd", [None, 5, "", "yesterday", "2026-13-01T00:00:00Z", [], "9999-12-31T23:59:59-05:00"])
def test_an_odd_date_does_not_cost_the_count(store: SessionStore, odd: object) -> None:
    plant(store, json.dumps({"session_id": ID, "count": 9, "created_at": odd, "updated_at": odd}))
    assert store.update(ID, count_up).count == 10
    assert store.update(ID, count_up).count == 11


def test_a_date_without_offset_is_utc_and_a_nanosecond_is_cut(store: SessionStore) -> None:
    plant(store, f'{{"session_id": "{ID}", "count": 1, "created_at": "2026-03-01T12:00:00.000250999"}}')
    session = store.load(ID)
    assert session is not None
    assert session.created_at == NOON


CORRUPT = {
    "empty": b"",
    "truncated": b'{"session_id": "' + ID.encode() + b'", "cou',
    "binary": bytes(range(256)),
    "list": b"[]",
    "null": b"null",
    "no count": {"session_id": ID},
    "no id": {"count": 3},
    "id of another session": {"session_id": "other", "count": 3},
    "count as text": {"session_id": ID, "count": "3"},
    "negative": {"session_id": ID, "count": -5},
    "float": {"session_id": ID, "count": 3.0},
    "fraction": {"session_id": ID, "count": 3.7},
    "true": {"session_id": ID, "count": True},
    "false": {"session_id": ID, "count": False},
    "null count": {"session_id": ID, "count": None},
    "over a million": {"session_id": ID, "count": 1_000_001},
    "googol": {"session_id": ID, "count": 10**100},
    "beyond any float": {"session_id": ID, "count": 10**400},
    "deep": b"[" * 100_000,
    "NaN": b'{"session_id": "' + ID.encode() + b'", "count": NaN}',
    "too large": b" " * (state.STATE_LIMIT + 1),
}


@pytest.mark.parametrize("content", CORRUPT.values(), ids=CORRUPT)
@pytest.mark.parametrize("act", ["load", "update"])
def test_a_corrupt_state_is_moved_aside_and_told_once(store: SessionStore, content: object, act: str) -> None:
    path = plant(store, content if isinstance(content, bytes) else json.dumps(content))
    planted = path.read_bytes()
    with pytest.raises(StateCorrupt, match=r"supervisor-.*\.json\.corrupt"):
        store.load(ID) if act == "load" else store.update(ID, count_up)
    assert path.with_name(f"{path.name}.corrupt").read_bytes() == planted
    assert store.load(ID) is None
    assert store.update(ID, count_up).count == 1


@pytest.mark.timeout(10)
@pytest.mark.parametrize("kind", ["link", "pipe", "directory"])
def test_what_is_no_plain_file_is_moved_aside_unread(store: SessionStore, tmp_path: Path, kind: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text(json.dumps({"session_id": ID, "count": 3}))
    path = plant(store, "")
    path.unlink()
    match kind:
        case "link":
            path.symlink_to(victim)
        case "pipe":
            os.mkfifo(path)
        case "directory":
            path.mkdir()
    with pytest.raises(StateCorrupt):
        store.update(ID, count_up)
    assert store.update(ID, count_up).count == 1
    assert json.loads(victim.read_bytes()) == {"session_id": ID, "count": 3}


def test_a_healthy_file_that_took_the_place_of_a_corrupt_one_is_not_moved(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = plant(store, "")
    real = files.locked

    def late(lock: Path, *, wait: float) -> object:
        path.write_text(json.dumps({"session_id": ID, "count": 5}))
        return real(lock, wait=wait)

    monkeypatch.setattr(files, "locked", late)
    session = store.load(ID)
    assert session is not None
    assert session.count == 5
    assert not path.with_name(f"{path.name}.corrupt").exists()


def test_the_largest_plausible_count_is_read(store: SessionStore) -> None:
    plant(store, json.dumps({"session_id": ID, "count": spelling.MAX_COUNT}))
    session = store.load(ID)
    assert session is not None
    assert session.count == 1_000_000


def test_a_state_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "ccc").touch()
    store = SessionStore(tmp_path / "ccc", now=lambda: NOON)
    with pytest.raises(CccError, match=str(tmp_path / "ccc")):
        store.load(ID)
    with pytest.raises(CccError, match=str(tmp_path / "ccc")):
        store.update(ID, count_up)


def test_a_state_folder_that_others_may_write_to_is_refused(store: SessionStore) -> None:
    store.directory.mkdir()
    store.directory.chmod(0o777)
    with pytest.raises(CccError, match="chmod go-w"):
        store.update(ID, count_up)
    assert list(store.directory.iterdir()) == []


def test_old_leftovers_go_when_a_session_begins(store: SessionStore) -> None:
    store.update(ID, count_up)
    scratch = store.directory / "tmp"
    for pid in range(500):
        leftover = scratch / f".ccc-{pid}-0123abcd.tmp"
        leftover.touch()
        os.utime(leftover, (0, 0))
    store.update(ID, count_up)
    assert len(list(scratch.iterdir())) == 500
    store.update("another", count_up)
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("good", ["a", "0", ID, "A.b_c-9", "x" * 128, "a.b.c", "1-"])
def test_ids_of_claude_are_valid(good: str) -> None:
    assert valid_session_id(good)


HOSTILE = ["", "-", "--help", ".", "..", "a..b", "a/b", "../x", "a\0", "a\n", "a b", "é", "٣", "a\u200b", "x" * 129]
HOSTILE += ["/etc/passwd", "~", "_a", "a%2f", "a\\b", "$(x)", "x" * 300, "a;b", "\ufeffa", "\ud800"]


@pytest.mark.parametrize("bad", [*HOSTILE, None, 5, b"abc", ["a"], True, 1.5], ids=ascii)
def test_other_ids_are_not(bad: object) -> None:
    assert not valid_session_id(bad)


@pytest.mark.parametrize("bad", HOSTILE, ids=ascii)
def test_a_hostile_id_touches_no_file_and_is_not_repeated(store: SessionStore, bad: str) -> None:
    update = partial(store.update, change=count_up)
    acts: list[Callable[[str], object]] = [store.path, store.output_path, store.load, update]
    for act in acts:
        with pytest.raises(InvalidSessionId) as caught:
            act(bad)
        assert str(caught.value) == str(InvalidSessionId())
    assert not store.directory.exists()


@given(st.text())
def test_whatever_is_valid_is_a_plain_name(text: str) -> None:
    if valid_session_id(text):
        name = SessionStore(Path("d"), now=lambda: NOON).path(text).name
        assert name == f"supervisor-{text}.json"
        assert name.isascii()
        assert "/" not in name
        assert ".." not in text
        assert not text.startswith("-")


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", fullmatch=True))
def test_whatever_matches_without_two_dots_is_valid(text: str) -> None:
    assert valid_session_id(text) == (".." not in text)


KNOWN = frozenset(name for part in spelling.PARTS for name in part.__struct_encode_fields__)
NAMES = st.text(max_size=8).filter(lambda name: name not in KNOWN)
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=8)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3))


@settings(deadline=None)
@given(
    count=st.integers(0, spelling.MAX_COUNT),
    prompt_id=st.none() | st.text(max_size=20),
    extra=st.dictionaries(NAMES, VALUES, max_size=4),
)
def test_what_is_stored_is_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, count: int, prompt_id: str | None, extra: dict[str, object]
) -> None:
    store = SessionStore(tmp_path_factory.getbasetemp() / "round-trip", now=lambda: NOON)
    stored = store.update("s", lambda _: Session("s", count, NOON, NOON, prompt_id, unknown=extra))
    assert store.load("s") == stored == Session("s", count, NOON, NOON, prompt_id, unknown=extra)


def test_a_state_that_is_gone_is_missed_where_ccc_had_one_and_nobody_cleaned_it_away(
    store: SessionStore, tmp_path: Path
) -> None:
    store = replace(store, had=lambda session_id: starts.had(store.directory, session_id))
    starts.begun(store.directory, tmp_path, tmp_path, NOON)
    starts.heard(store.directory, os.getpid(), ID)
    assert not store.open(ID).session.outside.seen  # a hook that was ended before it had written anything
    memory = store.open(ID)
    memory.kept = lambda: starts.kept(store.directory, os.getpid(), ID)
    memory.keep(memory.session)
    assert starts.heard(store.directory, os.getpid(), ID).kept
    assert not store.open(ID).session.outside.seen
    store.path(ID).unlink()
    for found in (store.open(ID).session, store.update(ID, count_up)):
        assert (list(found.outside.seen), found.outside.count_lost) == ([Kind.STATE], True)
    store.path(ID).unlink()
    starts.cleaned(store.directory, {ID: Cleaned(NOON)})
    assert not store.open(ID).session.outside.seen
