from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.base import jsonlines
from ccc.base.jsonlines import messages_from_end

OBJECTS = [{"a": "x"}, {"b": "b" * 100}, {"c": None}, {"d": "ü" * 30}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def forwards(path: Path, limit: int = 2**20) -> list[dict[str, object]]:
    with jsonlines.opened(path) as fd:
        assert fd is not None
        return list(jsonlines.from_start(fd, limit))


@pytest.mark.parametrize(("limit", "found"), [(0, 0), (10, 0), (11, 1), (121, 2), (2**20, 4)])
def test_a_head_has_the_whole_lines_of_the_first_bytes(path: Path, limit: int, found: int) -> None:
    path.write_text("\n".join(map(json.dumps, OBJECTS)))
    with jsonlines.opened(path) as fd:
        assert fd is not None
        assert list(jsonlines.head(fd, limit)) == OBJECTS[:found]


@pytest.mark.parametrize("block", [1, 2, 7, 64, 1024])
def test_the_size_of_the_blocks_never_matters(path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in OBJECTS))
    monkeypatch.setattr(jsonlines, "BLOCK", block)
    assert list(messages_from_end(path)) == OBJECTS[::-1]
    assert forwards(path) == OBJECTS


def test_two_objects_on_one_line_are_both_read(path: Path) -> None:
    path.write_text('{"n": 1}\n{"n": 2}{"n": 3}\n')
    assert [each["n"] for each in messages_from_end(path)] == [3, 2, 1]
    assert [each["n"] for each in forwards(path)] == [1, 2, 3]


def test_a_limit_ends_the_reading(path: Path) -> None:
    path.write_text('{"n": 1}\n{"n": "%s"}\n{"n": 3}\n' % ("x" * 1000))
    assert [each["n"] for each in messages_from_end(path, limit=500)] == [3]
    assert [each["n"] for each in forwards(path, limit=500)] == [3]


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from([b'{"a":1}', b'{"b":"\xc3\xbc"}', b"\n", b"\n", b"[1]", b'{"half', b"\xff", b"x"])),
    st.integers(0, 60),
    st.integers(1, 20),
)
def test_both_directions_find_the_same(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], limit: int, block: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(b"".join(pieces))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonlines, "BLOCK", block)
        assert forwards(path, limit) == list(messages_from_end(path, limit))[::-1]


@pytest.mark.parametrize(
    ("start", "limit", "found"), [(0, 2**20, 4), (11, 2**20, 3), (5, 2**20, 3), (11, 200, 1), (121, 2**20, 2)]
)
def test_what_was_read_before_is_not_read_again(path: Path, start: int, limit: int, found: int) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in OBJECTS))
    with jsonlines.opened(path) as fd:
        assert fd is not None
        rest = list(jsonlines.since(fd, start, limit, worth=lambda _: True))
        assert rest == OBJECTS[4 - found :]
        assert list(jsonlines.since(fd, start, limit, worth=lambda line: b'"d"' in line))[-1:] == rest[-1:]
