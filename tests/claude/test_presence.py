"""What a running client tells of itself in its `sessions` folder, damaged or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude import presence
from ccc.claude.presence import Waiting


@pytest.mark.parametrize(
    ("told", "waiting"),
    [
        ({"sessionId": "s", "status": "waiting", "waitingFor": "dialog open"}, Waiting("s", "dialog open")),
        ({"sessionId": "s", "status": "waiting"}, Waiting("s", "")),
        ({"sessionId": "s", "status": "waiting", "waitingFor": "a\x1b[2J\nb"}, Waiting("s", "a ⏎ b")),
        ({"sessionId": "s", "status": "busy"}, None),
        ({"sessionId": "s", "status": "idle", "waitingFor": "x"}, None),
        ({"sessionId": 5, "status": "waiting"}, None),
        ({"status": "waiting"}, None),
        ([], None),
    ],
)
def test_only_a_client_that_says_so_waits(tmp_path: Path, told: object, waiting: Waiting | None) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "7.json").write_text(json.dumps(told))
    assert presence.waiting(tmp_path, 7) == waiting
    assert presence.waiting(tmp_path, 8) is None


@given(data=st.binary(max_size=200))
def test_no_file_makes_it_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("client")
    (folder / "sessions").mkdir()
    (folder / "sessions" / "7.json").write_bytes(data)
    assert presence.waiting(folder, 7) is None
