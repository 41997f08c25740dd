"""What a review amounts to when it gave no verdict, in words for a person."""

from __future__ import annotations

import pytest

from ccc.base.messages import said
from ccc.base.process import Ended, Reason
from ccc.claude.stream import Finished
from ccc.judging.reviewer import opinion
from ccc.judging.verdict import verdict_of
from ccc.model import Unreviewed

UNSAID = Finished(subtype="success", result=None)


@pytest.mark.parametrize(
    ("finished", "denials", "told"),
    [
        (UNSAID, [], "the reviewer ended without an answer"),
        (Finished(subtype="success", terminal_reason="completed"), [], "the reviewer ended without an answer"),
        (Finished(subtype="error_max_turns"), [], "the reviewer ended without an answer (error_max_turns)"),
        (Finished(is_error=True), [], "the reviewer failed: the client does not say why"),
        (Finished(is_error=True, result="API Error: 529"), [], "the reviewer failed: API Error: 529"),
        (Finished(is_error=True, api_error_status=529), [], "the reviewer failed: HTTP 529"),
        (Finished(is_error=True, errors=("No conversation",)), [], "the reviewer failed: No conversation"),
        (Finished(is_error=True, terminal_reason="prompt_too_long"), [], "the reviewer failed: prompt_too_long"),
        (
            UNSAID,
            ["Bash", "Bash", "Read"],
            "the reviewer ended without an answer (it was denied Bash, Read; allow it under permissions.allow in "
            "settings.json)",
        ),
    ],
)
def test_a_result_without_an_answer_tells_what_happened(finished: Finished, denials: list[str], told: str) -> None:
    found = opinion(finished, Ended(Reason.EXITED, 0, b""), denials, verdict_of)
    assert found == Unreviewed(told)
    assert "success" not in told
    assert isinstance(found, Unreviewed)
    assert said(found.why, "zh") != told
