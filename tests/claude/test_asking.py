from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.asking import GRACE, Asking, asking
from ccc.claude.weather import Kind

NOW = datetime(2026, 11, 17, 22, 31, 15, tzinfo=UTC)
ASKED = {"type": "user", "message": {"role": "user", "content": "do it"}}
RESULT = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "1"}]}}
SAID = {"type": "assistant", "message": {"content": [{"type": "text", "text": "hm"}]}}
NOTED = {"type": "attachment", "attachment": {"type": "date"}}


def failed(status: int | None = 401, text: str = "Authentication", **more: object) -> dict[str, object]:
    error = {"message": f"{status} {text}", "status": status, "formatted": f"{status} {text}"}
    told = {"retryInMs": 1005.5, "retryAttempt": 2, "maxRetries": 10, "timestamp": NOW.isoformat(), "error": error}
    return {"type": "system", "subtype": "api_error", **told, **more}


def told(folder: Path, *lines: object, now: datetime = NOW) -> Asking | None:
    path = folder / "session.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return asking(path, now)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (failed(), Kind.KEY),
        (failed(529, "Overloaded"), Kind.OVERLOADED),
        (failed(None, "Connection error (ECONNREFUSED)"), Kind.NETWORK),
        (failed(403, "You've reached your usage limit for this billing cycle"), Kind.LIMIT),
    ],
)
def test_a_request_that_is_made_again_is_told_with_what_keeps_the_model_away(
    tmp_path: Path, line: dict[str, object], kind: Kind
) -> None:
    found = told(tmp_path, ASKED, NOTED, line, {"type": "last-prompt"})
    assert found
    assert (found.weather.kind, found.attempt, found.of, found.is_first) == (kind, 2, 10, True)


@pytest.mark.parametrize("before", [RESULT, SAID])
def test_it_is_not_the_first_of_a_request_when_a_model_has_said_something(tmp_path: Path, before: object) -> None:
    found = told(tmp_path, ASKED, SAID, before, failed(), NOTED, failed())
    assert found
    assert not found.is_first


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (ASKED,),
        (ASKED, failed(), SAID),
        (ASKED, failed(), SAID, RESULT),
        (ASKED, failed(isSidechain=True)),
        (ASKED, failed(timestamp="yesterday")),
        (ASKED, failed(timestamp=NOW.replace(tzinfo=None).isoformat())),
    ],
)
def test_whoever_has_an_answer_asks_nobody(tmp_path: Path, lines: tuple[object, ...]) -> None:
    assert told(tmp_path, *lines) is None


def test_nothing_is_told_of_a_pause_that_is_over(tmp_path: Path) -> None:
    over = NOW + timedelta(milliseconds=1005) + GRACE
    assert told(tmp_path, ASKED, failed(), now=over)
    assert told(tmp_path, ASKED, failed(), now=over + timedelta(milliseconds=1)) is None


FOREIGN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dictionaries(st.text(), st.text())


@given(st.dictionaries(st.sampled_from(sorted(failed())), FOREIGN), FOREIGN)
def test_any_line_will_do(tmp_path_factory: pytest.TempPathFactory, changed: dict[str, object], error: object) -> None:
    folder = tmp_path_factory.getbasetemp()
    told(folder, ASKED, {**failed(), **changed}, {"subtype": "api_error", "error": {"status": error}})
