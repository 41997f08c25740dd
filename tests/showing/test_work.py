"""One reader for gate and report: both see the same requests and tool calls in the same transcript."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.base import jsonlines
from ccc.claude import transcript
from ccc.claude.conversation import Asked, Call, Fate
from ccc.showing.report import work
from tests.browser import sample
from tests.eval import clients, may_stop, must_go_on

Line = dict[str, Any]
Seen = list[tuple[object, ...]]
OK = {Fate.DONE: True, Fate.STARTED: True, Fate.UNKNOWN: None}


def by_the_gate(path: Path) -> Seen:
    """The current request, what was typed meanwhile, and the calls."""
    found = transcript.current_request(path, timeout=0)
    seen: Seen = []
    for moment in found.moments if found else ():
        match moment:
            case Asked():
                seen.append((moment.typed or moment.text, moment.meanwhile))
            case Call():
                seen.append((moment.name, work.about(moment.input), OK.get(moment.fate, False)))
    return seen


def by_the_report(path: Path) -> Seen:
    """The same of the last request on the page."""
    seen: Seen = []
    for step in work.read(path):
        match step:
            case work.Asked(begins=True):
                seen = [(step.text, False)]
            case work.Asked() if seen and not step.text.startswith("[Request interrupted"):
                seen.append((step.text, True))
            case work.Used() if seen:
                seen.append((step.tool, step.about, step.ok))
    return seen


def written(path: Path, lines: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("version", clients.VERSIONS)
def test_gate_and_report_see_the_same_in_every_known_case(version: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    for case in (*must_go_on.CASES, *may_stop.CASES):
        path.write_bytes(clients.transcript(case, version))
        assert by_the_gate(path) == by_the_report(path) != [], case.id


def test_gate_and_report_see_the_same_in_the_sample(tmp_path: Path) -> None:
    path = written(tmp_path / "session.jsonl", sample.sample().transcript)
    assert by_the_gate(path) == by_the_report(path)
    assert len(by_the_gate(path)) == 12


def user(content: object, **more: object) -> Line:
    return {"type": "user", "message": {"content": content}, **more}


def text(words: str) -> Line:
    return {"type": "text", "text": words}


def use(id_: str, name: str, given: object) -> Line:
    block = {"type": "tool_use", "id": id_, "name": name, "input": given}
    return {"type": "assistant", "message": {"id": f"m{id_}", "model": "claude-x", "content": [block]}}


def result(id_: str, content: str, failed: bool) -> Line:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, "is_error": failed}


def queue(operation: str, content: str | None) -> Line:
    return {"type": "queue-operation", "operation": operation, "content": content}


IDS = st.sampled_from("abc")
WORDS = st.sampled_from(["fix it", "go on", "also docs", "<ide_selection>x</ide_selection>and this", " "])
OUTPUTS = st.sampled_from(
    [
        *("ok", "Exit code 1\nno", "This command requires approval", "Command running in background with ID: b1"),
        *("<task_id>b1</task_id><exit_code>1</exit_code><output>no</output>", "Sibling tool call errored", "x" * 5000),
    ]
)
NOTICE = "<task-notification><task-id>b1</task-id><status>failed</status></task-notification>"
COMMANDS = st.sampled_from(["rename", "init", "goal", "deploy", "model", "compact", "voice"])
REQUESTS = st.one_of(
    WORDS.map(user),
    st.builds(lambda name: user(f"<command-name>/{name}</command-name><command-args>x</command-args>"), COMMANDS),
    st.just(user([{"type": "image", "source": {}}])),
    st.just(user("Implement the following plan:\n1. x", planContent="1. x")),
)
LINES = st.one_of(
    REQUESTS,
    st.builds(lambda words, mark: user(words, **{mark: True}), WORDS, st.sampled_from(["isMeta", "isSidechain"])),
    st.builds(lambda words: user(words, promptSource="system"), WORDS),
    st.sampled_from([user("[Request interrupted by user]"), user(NOTICE), user("Stop hook feedback:\nno"), user([])]),
    st.builds(lambda a, out, bad: user([result(a, out, bad)]), IDS, OUTPUTS, st.booleans()),
    st.builds(lambda a, b, words: user([result(a, "ok", False), result(b, "ok", False), text(words)]), IDS, IDS, WORDS),
    st.builds(use, IDS, st.sampled_from(["Bash", "Edit"]), st.sampled_from([{"command": "make"}, {}, None])),
    st.builds(use, IDS, st.just("TaskOutput"), st.sampled_from([{"task_id": "b1"}, {}])),
    st.builds(queue, st.sampled_from(["enqueue", "dequeue", "remove", "popAll"]), st.none() | WORDS | st.just(NOTICE)),
    st.builds(lambda words: {"type": "attachment", "attachment": {"type": "queued_command", "prompt": words}}, WORDS),
    st.just({"type": "system", "subtype": "compact_boundary"}),
    st.just({"type": "assistant", "message": {"id": "m", "content": [text("done")]}}),
)
STAMPS = st.none() | st.integers(0, 59).map(lambda second: f"2026-01-01T00:00:{second:02}Z")


@settings(max_examples=400)
@given(st.lists(st.tuples(LINES, STAMPS), max_size=25), st.booleans(), st.integers(0, 25))
def test_gate_and_report_see_the_same_in_any_transcript(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[Line, str | None]], resumed: bool, copied: int
) -> None:
    lines = [{**line, "timestamp": stamp, "uuid": f"u{number}"} for number, (line, stamp) in enumerate(told)]
    # A resumed session may begin with a copy of what it goes on from.
    if resumed:
        lines = [*lines[:copied], *lines]
    path = written(tmp_path_factory.getbasetemp() / "session.jsonl", lines)
    assert by_the_gate(path) == by_the_report(path)


@pytest.mark.parametrize(("name", "begins"), [("rename", False), ("voice", False), ("init", True), ("deploy", True)])
def test_a_local_command_is_a_request_to_neither(name: str, begins: bool, tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [user(f"<command-name>/{name}</command-name>")])
    assert by_the_gate(path) == by_the_report(path) == ([(f"/{name}", False)] if begins else [])


def test_a_long_session_is_read_in_little_memory(tmp_path: Path) -> None:
    lines = [
        line
        for number in range(60)
        for line in (
            use(f"t{number}", "Write", {"file_path": "/a", "content": "x" * 250_000}),
            user([result(f"t{number}", "y" * 250_000, False)]),
        )
    ]
    path = written(tmp_path / "session.jsonl", [user("fix it"), *lines])
    tracemalloc.start()
    found = work.read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len([step for step in found if isinstance(step, work.Used) and step.ok]) == 60
    assert peak < path.stat().st_size // 4


def test_beyond_its_bound_a_session_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "session.jsonl", [user("first"), user("x" * 5000), user("last")])
    monkeypatch.setattr(transcript, "SESSION_LIMIT", 2 * jsonlines.BLOCK)
    assert len(work.read(path)) == 3
    monkeypatch.setattr(transcript, "SESSION_LIMIT", 200)
    assert [step.text for step in work.read(path) if isinstance(step, work.Asked)] == ["last"]


def test_an_interruption_is_shown_and_is_no_request() -> None:
    [_, words] = work.steps([user("fix it"), user("[Request interrupted by user]")])
    assert words == work.Asked(0.0, "[Request interrupted by user]", begins=False)


def test_a_failed_command_is_shown_with_its_code() -> None:
    lines = [user("x"), use("a", "Bash", {"command": "make"}), user([result("a", "Exit code 2\nno rule", True)])]
    [call] = [step for step in work.steps(lines) if isinstance(step, work.Used)]
    assert (call.ok, call.result) == (False, "Exit code 2\nno rule")


def test_of_a_custom_command_only_what_was_typed_is_shown() -> None:
    command = user("<command-name>/deploy</command-name>\n<command-args>now</command-args>")
    [asked] = work.steps([command, user("All that it stands for", isMeta=True)])
    assert isinstance(asked, work.Asked)
    assert asked.text == "/deploy now"
