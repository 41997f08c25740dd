"""What a review amounts to: its verdict and its price, or why there is none, in words for a person."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.base import withheld
from ccc.base.messages import said
from ccc.base.process import STDERR_TAIL, Command, Ended, Limits, Reason
from ccc.claude.stream import Finished
from ccc.judging.report import Report
from ccc.judging.reviewer import Launch, Question, opinion, review
from ccc.judging.verdict import read
from ccc.model import Review, StopEvent, Unreviewed, Verdict
from ccc.record.store import utc_now

UNSAID = Finished(subtype="success", result=None)


@pytest.mark.parametrize(
    ("finished", "denials", "told"),
    [
        (UNSAID, [], "the reviewer ended without an answer"),
        (Finished(subtype="success", terminal_reason="completed"), [], "the reviewer ended without an answer"),
        (Finished(subtype="error_max_turns"), [], "the reviewer ended without an answer (error_max_turns)"),
        (Finished(subtype="error_max_turns", result="half"), [], "the reviewer failed: half"),
        (Finished(subtype="error_during_execution", errors=("boom",)), [], "the reviewer failed: boom"),
        (Finished(is_error=True), [], "the reviewer failed: the client does not say why"),
        (Finished(is_error=True, result="API Error: 529"), [], "the reviewer failed: API Error: 529"),
        (Finished(is_error=True, api_error_status=529), [], "the reviewer failed: HTTP 529"),
        (Finished(is_error=True, errors=("No conversation",)), [], "the reviewer failed: No conversation"),
        (Finished(subtype="aborted", result="half"), [], "the reviewer failed: half"),
        (
            Finished(result="blocked by a hook", unheard=True),
            [],
            "the client answered itself, no model was asked: blocked by a hook",
        ),
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
    found = opinion(finished, Ended(Reason.EXITED, 0, b""), denials, read)
    assert found == Unreviewed(told)
    assert "success" not in told
    assert isinstance(found, Unreviewed)
    assert said(found.why, "zh") != told


KEY = "sk-which-nobody-else-may-see-0123456789"


@pytest.mark.parametrize("behind", range(255, 301))
def test_no_piece_of_a_key_is_left_at_either_end_of_what_a_reviewer_complained(behind: int) -> None:
    withheld.withhold([KEY])
    moaned = f"no such key: {KEY}{'.' * behind}".encode()
    for tail in (moaned, b"x" * STDERR_TAIL + moaned, (KEY.encode() * 300 + moaned)[-STDERR_TAIL:]):
        found = opinion(None, Ended(Reason.EXITED, 1, tail[-STDERR_TAIL:]), [], read)
        assert isinstance(found, Unreviewed)
        assert not any(piece in found.why for piece in (KEY[:8], KEY[-8:]))


def reviewed(folder: Path, script: str, again: Command | None = None) -> Review:
    """By a shell that plays the reviewer."""
    command = Command(argv=("/bin/sh", "-c", script), env={"PATH": os.defpath}, cwd=folder)
    limits = Limits(deadline_seconds=60, idle_seconds=60)
    launch = Launch(
        StopEvent("s", folder),
        Question(command, again=(lambda _, __: again) if again else None),
        limits,
        folder / "output.jsonl",
    )
    quiet = os.open(os.devnull, os.O_WRONLY)
    found = review(launch, replace(Report.of({}, folder / "log", utc_now), stderr=quiet))
    os.close(quiet)
    return found


@pytest.mark.parametrize(("told", "cost"), [({"total_cost_usd": 0.25}, 0.25), ({}, 0.0)])
def test_a_review_costs_what_its_result_tells(tmp_path: Path, told: dict[str, float], cost: float) -> None:
    usage = {"input_tokens": 1, "output_tokens": 20, "cache_read_input_tokens": 300}
    usage |= {"cache_creation_input_tokens": 4000}
    result = {"type": "result", "subtype": "success", "is_error": False, "result": "go on", "usage": usage, **told}
    (tmp_path / "stream").write_text("".join(json.dumps(line) + "\n" for line in (saying("go on"), result)))
    assert reviewed(tmp_path, "cat stream") == Review(Verdict(False, "go on"), cost, 4321, cached=300)


def test_a_reviewer_that_only_complains_is_quoted_with_its_last_words(tmp_path: Path) -> None:
    opinion = reviewed(tmp_path, f"echo FIRST {'x' * 150} >&2; echo {'y' * 150} >&2; exit 3").opinion
    assert isinstance(opinion, Unreviewed)
    assert opinion.crashed
    assert opinion.why.startswith("the reviewer ended with exit code 3 and no result: x")
    assert "FIRST" not in opinion.why
    assert "\n" not in opinion.why
    assert len(opinion.why) < 300


BLOCKED = {"type": "result", "subtype": "success", "is_error": False, "result": "blocked by a hook", "session_id": "f"}
YES = {"type": "result", "subtype": "success", "is_error": False, "result": '{"allow_stop": true}', "session_id": "f"}


def asked_twice(folder: Path, first: list[object], second: list[object]) -> tuple[Review, bool]:
    """What comes of these streams of a reviewer, and whether the second question was asked."""
    for name, lines in (("first", first), ("second", second)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = Command(argv=("/bin/sh", "-c", "touch asked; cat second"), env={"PATH": os.defpath}, cwd=folder)
    return reviewed(folder, "cat first", again), (folder / "asked").exists()


def test_nobody_is_asked_for_a_verdict_who_was_never_asked_for_one(tmp_path: Path) -> None:
    """The second question goes without the criteria: a bare yes to it would be all that the review came to."""
    found, asked = asked_twice(tmp_path, [BLOCKED], [saying('{"allow_stop": true}'), YES])
    assert found.opinion == Unreviewed("the client answered itself, no model was asked: blocked by a hook")
    assert not asked


def test_what_the_client_says_to_the_second_question_permits_nothing(tmp_path: Path) -> None:
    doubtful = {**YES, "result": "Perhaps."}
    assert asked_twice(tmp_path, [saying("Perhaps."), doubtful], [YES]) == (
        Review(Verdict(False, "Perhaps."), forks=("f",)),
        True,
    )


def saying(text: str) -> dict[str, object]:
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}
