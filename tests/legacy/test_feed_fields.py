"""What `--json` leaves out."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from ccc.base import withheld
from ccc.model import Outcome
from ccc_legacy.feed import Ending, Feed


def test_a_field_that_has_nothing_to_tell_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    Feed(lambda: datetime.now(UTC)).concluded(Ending(Outcome.INTERRUPTED, "left", 130, None, 0.0))
    told = json.loads(capfd.readouterr().out)
    assert (told["event"], told["exit_code"]) == ("outcome", 130)
    assert [name for name, value in told.items() if value is None] == []
    assert "session_id" not in told


def test_what_a_writer_leaves_in_the_midst_of_a_word_reaches_the_reader(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(withheld, "_words", {})
    withheld.withhold(["sk-which-nobody-else-may-see"])
    feed = Feed(lambda: datetime.now(UTC))
    said = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "it is sk-wh"}}
    feed.heard(json.dumps({"type": "stream_event", "event": said, "uuid": "u"}).encode() + b"\n")
    feed.heard(b"")
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert "".join(line["event"]["delta"]["text"] for line in lines) == "it is sk-wh"
    assert len({line["uuid"] for line in lines}) == 2
