from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ccc.claude import subagents
from ccc.claude.subagents import Places
from ccc.claude.transcript import Known, Transcript
from ccc.model import Aside, Tally

BEGAN = datetime.now(UTC)
SESSION = "0a1b"
MODEL = "claude-opus-5"


def answer(tokens: int, id_: str, *, at: float = 1.0, **more: object) -> dict[str, object]:
    """A line, so many seconds after the request."""
    message = {"id": id_, "model": MODEL, "content": [], "usage": {"input_tokens": tokens}}
    when = (BEGAN + timedelta(seconds=at)).isoformat()
    return {
        "type": "assistant",
        "isSidechain": True,
        "sessionId": SESSION,
        "timestamp": when,
        "message": message,
        **more,
    }


def write(path: Path, *lines: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "project" / f"{SESSION}.jsonl"


@pytest.fixture
def folder(path: Path) -> Path:
    return path.with_suffix("") / "subagents"


def counted(
    path: Path, known: dict[str, Aside] | None = None, *, owned: frozenset[str] = frozenset(), beside: bool = False
) -> Tally:
    began = Tally(tokens=1, began=BEGAN.timestamp())
    places = Places(SESSION, path.with_suffix("") / "subagents", path.parent if beside else None)
    return subagents.counted(began, places, known or {}, owned)


def tokens(tally: Tally) -> dict[str, int]:
    return {name: each.tokens for name, each in tally.asides.items()}


def test_each_answer_counts_once_of_nested_ones_and_of_workflows_too(path: Path, folder: Path) -> None:
    write(folder / "agent-a1.jsonl", answer(5, "m1"), answer(9, "m1"), answer(9, "m1"), answer(4, "m2"))
    write(folder / "workflows" / "w" / "agent-a2.jsonl", answer(100, "m3"))
    write(folder / "agent-a1.meta.json", answer(7, "m4"))
    found = counted(path)
    assert found.asides["a1"].model == MODEL
    assert (tokens(found), found.all_tokens, found.at_least) == ({"a1": 13, "a2": 100}, 114, False)


def test_what_was_there_before_the_request_is_none_of_it(path: Path, folder: Path) -> None:
    write(folder / "agent-a1.jsonl", answer(50, "m1", at=-1.0), answer(3, "m2"), answer(4, "m3", timestamp="?"))
    assert tokens(counted(path)) == {"a1": 7}


def test_a_copy_of_the_agent_has_answers_that_are_not_its_own(path: Path, folder: Path) -> None:
    write(folder / "agent-a1.jsonl", answer(50, "m1"), answer(3, "m2"))
    assert tokens(counted(path, owned=frozenset({"m1"}))) == {"a1": 3}


def test_older_clients_keep_theirs_beside_that_of_the_session(path: Path) -> None:
    write(path.with_name("agent-a1.jsonl"), answer(5, "m1"))
    write(path.with_name("agent-a2.jsonl"), answer(6, "m2", sessionId="another"))
    assert tokens(counted(path)) == {}
    assert tokens(counted(path, beside=True)) == {"a1": 5}


def test_only_what_has_grown_is_read_again_and_nothing_becomes_less(path: Path, folder: Path) -> None:
    first = write(folder / "agent-a1.jsonl", answer(50, "m1"))
    second = write(folder / "agent-a2.jsonl", answer(60, "m2"))
    known = dict(counted(path).asides)
    first.write_bytes(first.read_bytes().replace(b" 50", b" 10"))
    write(second, answer(1, "m2"), answer(2, "m3"))
    assert tokens(counted(path, known)) == {"a1": 50, "a2": 60}
    first.unlink()
    write(second, answer(60, "m2"), answer(2, "m3"))
    assert tokens(counted(path, known)) == {"a1": 50, "a2": 62}


@pytest.mark.parametrize("limit", ["READ_LIMIT", "KEPT", "LOOKED_AT"])
def test_what_is_beyond_a_bound_is_not_counted_and_that_is_known(
    path: Path, folder: Path, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = write(folder / "agent-a1.jsonl", answer(5, "m1")).stat().st_size
    write(folder / "agent-a2.jsonl", answer(6, "m2"), answer(6, "m3"))
    monkeypatch.setattr(subagents, limit, small if limit == "READ_LIMIT" else 1)
    found = counted(path)
    assert (len(found.asides), found.at_least) == (1, True)
    assert limit == "LOOKED_AT" or tokens(found) == {"a1": 5}


# --- at a stop ---


def of_session(path: Path, *calls: str, prompt: str = "p1") -> None:
    asked = {"type": "user", "message": {"content": "fix it"}, "promptId": prompt, "timestamp": BEGAN.isoformat()}
    called = [{"type": "tool_use", "id": "t", "name": name, "input": {}} for name in calls]
    content = [*called, {"type": "text", "text": "Done."}]
    done = {"type": "assistant", "message": {"id": "m0", "model": MODEL, "content": content, "usage": {}}}
    write(path, asked, done)


def at_stop(path: Path, known: Known = Known()) -> Tally:
    with Transcript(path) as file:
        tally = file.at_stop("Done.", "p1", known=known, timeout=0).tally
    assert tally
    return tally


def test_a_stop_counts_them(path: Path, folder: Path) -> None:
    of_session(path)
    write(folder / "agent-a1.jsonl", answer(5, "m1"), answer(8, "m0"))
    assert tokens(at_stop(path)) == {"a1": 5}


@pytest.mark.parametrize(("calls", "found"), [((), {}), (("Bash",), {}), (("Task",), {"a1": 5})])
def test_nobody_looks_for_those_of_an_older_client_where_none_was_called(
    path: Path, calls: tuple[str, ...], found: dict[str, int]
) -> None:
    of_session(path, *calls)
    write(path.with_name("agent-a1.jsonl"), answer(5, "m1"))
    assert tokens(at_stop(path)) == found


@pytest.mark.parametrize(("prompt", "found"), [("p1", {"a0": 70, "a1": 5}), ("p0", {"a1": 5})])
def test_what_was_known_of_the_same_request_stays_known(
    path: Path, folder: Path, prompt: str, found: dict[str, int]
) -> None:
    of_session(path)
    write(folder / "agent-a1.jsonl", answer(5, "m1"))
    known = Known(prompt, Tally(read=1, turn=prompt, asides={"a0": Aside(9, 70)}))
    assert tokens(at_stop(path, known)) == found
