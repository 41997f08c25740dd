"""Which words of a fork are its answer: its own `result`, or what it had said when another Stop hook sent it on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.claude.stream import MAX_LINE
from ccc.judging.hearing import Hearing
from ccc.judging.report import Report
from ccc.model import StopEvent
from ccc.record.store import utc_now

FEEDBACK = {
    "type": "user",
    "message": {"role": "user", "content": [{"type": "text", "text": "Stop hook feedback:\nx"}]},
}
NOTICE = {"type": "result", "subtype": "success", "num_turns": 0, "result": "", "origin": {"kind": "task-notification"}}


def init(*tools: str) -> dict[str, object]:
    return {"type": "system", "subtype": "init", "session_id": "s", "tools": list(tools)}


def said(text: str, parent: str | None = None) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "parent_tool_use_id": parent, "message": {"content": content}}


def result(text: str, **more: object) -> dict[str, object]:
    return {"type": "result", "subtype": "success", "is_error": False, "result": text, **more}


def called(name: str, **given: object) -> dict[str, object]:
    content = [{"type": "tool_use", "id": "t1", "name": name, "input": given}]
    return {"type": "assistant", "parent_tool_use_id": None, "message": {"content": content}}


def foreign(kind: str) -> dict[str, object]:
    return result("somebody else's", num_turns=1, origin={"kind": kind})


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([init("Bash"), said("a"), result("a")], "a"),
        ([NOTICE, init("Bash"), said("a"), result("a")], "a"),
        ([NOTICE], None),
        ([NOTICE, init("Bash"), said("a")], None),
        *(([foreign(kind), result("a")], "a") for kind in ("cron", "peer", "channel", "auto-continuation", "plugin")),
        ([foreign("coordinator")], None),
        # Another Stop hook has a word: the answer was there before it.
        ([init("Bash"), said("a"), FEEDBACK, said("b"), result("b")], "a"),
        ([init("Bash"), said("a"), said("of a subagent", "t1"), FEEDBACK, result("b")], "a"),
        ([NOTICE, init("Bash"), said("a"), FEEDBACK], "a"),
        ([init("Bash"), FEEDBACK, said("b"), result("b")], "b"),
        # The client's result is the last part of it alone.
        ([init("Bash"), said("a"), said("b"), result("b")], "a\n\nb"),
        ([init("Bash"), said("a"), called("Bash"), said("b"), said("c", "t1"), result("b")], "b"),
        ([NOTICE, init("Bash"), said("a"), said("b"), FEEDBACK, result("c")], "a\n\nb"),
        ([said("a"), foreign("cron"), said("b"), result("b")], "b"),
        # With a schema the words are not the verdict, and the client asks for it by the same means.
        ([init("Bash", "StructuredOutput"), said("a"), FEEDBACK, result("b")], "b"),
    ],
)
def test_the_answer_is_what_was_said_to_the_reviews_own_prompt(
    tmp_path: Path, lines: list[dict[str, object]], answer: str | None
) -> None:
    with hearing(tmp_path) as heard:
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        found = heard.close()
    assert (found.result if found else None) == answer


@contextmanager
def hearing(folder: Path) -> Iterator[Hearing]:
    quiet = os.open(os.devnull, os.O_WRONLY)
    report = replace(Report.of({}, folder / "log", utc_now), stderr=quiet)
    yield Hearing(report, StopEvent("s", folder), folder / "output.jsonl")
    os.close(quiet)


def test_of_many_bad_lines_only_the_first_are_logged(tmp_path: Path) -> None:
    with hearing(tmp_path) as heard:
        heard.hear(b"noise\n" * 50)
    assert (tmp_path / "log").read_text().count("bad line") == 20
    assert (tmp_path / "output.jsonl").read_bytes() == b"noise\n" * 50


def test_lines_are_kept_whole_and_one_longer_than_any_message_in_parts(tmp_path: Path) -> None:
    output = tmp_path / "output.jsonl"
    with hearing(tmp_path) as heard:
        heard.hear(b"half a line")
        assert not output.exists()
        for piece in (b" and its end\n", b"x" * MAX_LINE, b"yz", b"w\nnext\nlast"):
            heard.hear(piece)
        heard.close()
    assert output.read_bytes() == b"half a line and its end\n" + b"x" * MAX_LINE + b"yzw\nnext\nlast\n"


@pytest.mark.parametrize(
    ("given", "about"),
    [
        ({"command": "pytest -q", "description": "d"}, ' on="pytest -q"'),
        ({"file_path": "/a.py"}, " on=/a.py"),
        ({"url": ""}, ""),
    ],
)
def test_what_the_reviewer_used_a_tool_for_is_logged(tmp_path: Path, given: dict[str, str], about: str) -> None:
    with hearing(tmp_path) as heard:
        heard.hear(json.dumps(called("Bash", **given)).encode() + b"\n")
    [told] = (tmp_path / "log").read_text().splitlines()
    assert told.partition(" tool=Bash")[2] == about


@pytest.mark.parametrize(
    ("calls", "told", "believed"),
    [
        ([{"allow_stop": False}], {"allow_stop": False}, True),
        ([{"allow_stop": False}], {"allow_stop": True}, False),
        ([{"allow_stop": 1}, {"allow_stop": True}], {"allow_stop": True}, True),  # the first one did not fit the schema
        ([], {"allow_stop": True}, True),  # a client that does not show the call
    ],
)
def test_a_verdict_is_what_the_model_gave_and_not_what_a_hook_made_of_it(
    tmp_path: Path, calls: list[dict[str, object]], told: dict[str, object], believed: bool
) -> None:
    with hearing(tmp_path) as heard:
        lines = [*(called("StructuredOutput", **given) for given in calls), result("x", structured_output=told)]
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert heard.finished
    assert (heard.finished.structured_output == told, heard.finished.is_error) == (believed, not believed)
    assert not heard.finished.by_api
