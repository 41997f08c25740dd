"""What `--json` leaves out."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from ccc.model import Outcome
from ccc_legacy.feed import Ending, Feed


def test_a_field_that_has_nothing_to_tell_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    Feed(lambda: datetime.now(UTC)).concluded(Ending(Outcome.INTERRUPTED, "left", 130, None, 0.0))
    told = json.loads(capfd.readouterr().out)
    assert (told["event"], told["exit_code"]) == ("outcome", 130)
    assert [name for name, value in told.items() if value is None] == []
    assert "session_id" not in told
