"""The wire format, against recordings of the real client and against everything else that can come through a pipe."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import get_args

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ccc.claude.stream import (
    MAX_LINE,
    BackgroundTasks,
    BadLine,
    ControlRequest,
    ControlResponse,
    Event,
    Finished,
    Init,
    Notice,
    Other,
    PartialText,
    PermissionDenied,
    Permits,
    RateLimit,
    Retry,
    Spending,
    StreamParser,
    TaskStarted,
    Text,
    Thinking,
    ToolProgress,
    ToolResult,
    ToolUse,
    Usage,
    Used,
    UserText,
    allow_tool,
    deny_tool,
    get_usage,
    interrupt,
    user_message,
)
from ccc.judging.verdict import read
from ccc.model import Task
from tests.tables import each

TRACES = Path(__file__).parents[1] / "data" / "traces"
NAMES = sorted(path.stem for path in TRACES.glob("*.jsonl"))


def trace(name: str) -> bytes:
    return (TRACES / f"{name}.jsonl").read_bytes()


def parsed(pieces: Iterable[bytes], max_line: int = MAX_LINE) -> list[Event]:
    parser = StreamParser(max_line)
    events = [event for piece in pieces for event in parser.feed(piece)]
    return events + parser.close()


def message(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def one(**fields: object) -> Event:
    (event,) = parsed([message(**fields)])
    return event


def said(text: str, **fields: object) -> bytes:
    return message(type="assistant", message={"content": [{"type": "text", "text": text}]}, **fields)


def result(content: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "t", "content": content}


# Everything a pty adds, and a seam in every kind of thing: UTF-8, escapes, CRLF, noise, an unfinished line.
WIRE = (
    trace("partial").replace(b"\n", b"\r\n")
    + b"\r\n[SandboxDebug] ready\r\n\x1b[33mnode warning\x1b[0m\r\n"
    + said("half an emoji \ud83d, 中文🎉 and \u2028 \\ \" '", sessionId="later")
    + b'{"type":"assistant"}{"type":"result"}\n{"type":\n"result"}\n[1]\n{"no":"type"}\n'
    + said("x" * 3000)
    + said("no newline")[:-1]
    + b"\x1b[?25h"
)
WIRE_LIMIT = 2900


# --- recordings ---


def test_a_turn_with_tools_is_told_in_order() -> None:
    init, *events, finished = parsed([trace("agent-tools")])
    assert isinstance(init, Init)
    assert (init.model, init.version, init.permission_mode) == ("claude-opus-5-5", "2.1.325", "bypassPermissions")
    assert (len(init.tools), init.tools[1]) == (22, "Bash")
    created_path = "/home/user/project/hello.py"
    created = f"File created successfully at: {created_path}"
    first, second = "msg_c9bbd38808fb4e708d90", "msg_7bd9a00731cf4b5fb5ae"
    assert events == [
        Text("I will create the file and run it.", message=first),
        ToolUse("toolu_1a", "Write", {"file_path": created_path, "content": "print('hi')\n"}, message=first),
        ToolResult("toolu_1a", False, f"{created} (file state is current in your context — no need to Read it back)"),
        ToolUse("toolu_2b", "Bash", {"command": "python3 hello.py; exit 3", "description": "run it"}, message=second),
        ToolResult("toolu_2b", True, "Exit code 3\nhi"),
        Text("Created hello.py; the run failed with exit code 3.", message="msg_0e0b1d5bd56a4675bcaf"),
    ]
    assert finished == Finished(
        result="Created hello.py; the run failed with exit code 3.",
        session_id="72558f68-a5d2-4ef1-b733-51168a3572f5",
        cost_usd=0.0024000000000000002,
        num_turns=3,
        duration_ms=286,
        usage=Usage(input_tokens=300, output_tokens=60),
        spending=Spending(0.0024000000000000002, price_usd=0.0024000000000000002 / 600, tokens=360),
        session=Spending(0.0024000000000000002, price_usd=0.0024000000000000002 / 600, tokens=360),
        prices={"claude-opus-5-5": 0.0024000000000000002 / 600},
        terminal_reason="completed",
        stop_reason="end_turn",
    )


@pytest.mark.spec("H6")
def test_a_review_carries_its_verdict_in_structured_output() -> None:
    finished = parsed([trace("review-schema")])[-1]
    assert isinstance(finished, Finished)
    assert finished.structured_output == {"allow_stop": False, "feedback": "运行 pytest 并修复失败的测试"}
    assert finished.result is not None
    assert json.loads(finished.result) == finished.structured_output


def test_partial_messages_come_as_pieces_and_then_whole() -> None:
    kinds = [event for event in parsed([trace("partial")]) if isinstance(event, PartialText | Text)]
    assert kinds == [PartialText("Done: reply 22."), Text("Done: reply 22.", message="msg_41db3eec51a749ba8a95")]


def test_events_of_a_partial_message_that_are_not_words_are_other() -> None:
    others = [event for event in parsed([trace("partial")]) if isinstance(event, Other)]
    assert others == [
        Other("system", "status"),
        *(Other("stream_event", name) for name in ("message_start", "content_block_start")),
        *(Other("stream_event", name) for name in ("content_block_stop", "message_stop")),
    ]


@pytest.mark.parametrize(
    ("name", "status", "reason", "retries"),
    [
        ("api-400", 400, "prompt_too_long", []),
        ("api-429", 429, "api_error", [Retry(1, 2, 624, 429, "rate_limit"), Retry(2, 2, 1069, 429, "rate_limit")]),
        ("api-529", 529, "api_error", [Retry(1, 2, 511, 529, "overloaded"), Retry(2, 2, 1184, 529, "overloaded")]),
    ],
)
def test_an_api_failure_says_success_and_is_an_error(name: str, status: int, reason: str, retries: list[Retry]) -> None:
    events = parsed([trace(name)])
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert (finished.subtype, finished.is_error) == ("success", True)
    assert (finished.api_error_status, finished.terminal_reason) == (status, reason)
    assert [event for event in events if isinstance(event, Retry)] == retries


def test_a_turn_cut_at_its_limit_names_the_denied_tool() -> None:
    events = parsed([trace("max-turns")])
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert (finished.subtype, finished.result) == ("error_max_turns", None)
    assert finished.permission_denials == ("Write",)
    denied = "Claude requested permissions to write to /home/user/project/hello.py, but you haven't granted it yet."
    assert PermissionDenied("Write", denied) in events
    assert ToolResult("toolu_23a", True, denied) in events


def test_an_unknown_session_is_an_error_with_its_reason() -> None:
    (finished,) = parsed([trace("no-conversation")])
    assert isinstance(finished, Finished)
    assert (finished.subtype, finished.is_error, finished.result) == ("error_during_execution", True, None)
    assert finished.errors == ("No conversation found with session ID: 00000000-0000-4000-8000-000000000000",)


def test_hook_feedback_and_the_clients_cap_are_not_the_agents_words() -> None:
    events = parsed([trace("stop-hook-block-cap")])
    assert sum(isinstance(event, UserText) and event.text.startswith("Stop hook feedback") for event in events) == 9
    assert [event.subtype for event in events if isinstance(event, Notice)] == [
        "notification",
        "informational",
        "notification",
    ]
    assert all("hook" not in event.text for event in events if isinstance(event, Text))


@pytest.mark.parametrize("name", NAMES)
def test_recordings_hold_no_bad_line(name: str) -> None:
    events = parsed([trace(name)])
    assert not any(isinstance(event, BadLine) for event in events)
    assert sum(isinstance(event, Finished) for event in events) == 1


# --- framing (D1 to D7) ---


def test_the_test_wire_has_every_kind_of_line() -> None:
    kinds = [(type(event), getattr(event, "reason", "")) for event in parsed([WIRE], WIRE_LIMIT)[-10:]]
    assert kinds == [
        *[(BadLine, "not JSON")] * 2,
        (Text, ""),
        *[(BadLine, "not JSON")] * 3,
        (BadLine, "not an object"),
        (BadLine, "no type"),
        (BadLine, "too long"),
        (Text, ""),
    ]


def test_chunk_size_never_matters() -> None:
    expected = parsed([WIRE], WIRE_LIMIT)
    # In more than a few pieces; what two or three of them do, each boundary below tells.
    for size in range(1, len(WIRE) // 4):
        assert parsed((WIRE[i : i + size] for i in range(0, len(WIRE), size)), WIRE_LIMIT) == expected, size


@pytest.mark.parametrize("name", NAMES)
def test_no_boundary_of_a_recording_matters(name: str) -> None:
    """Each one in a line of it, after all that came before, and with the line that follows."""
    lines, parser = trace(name).splitlines(keepends=True), StreamParser()
    for line, after in pairwise([*lines, b""]):
        expected = deepcopy(parser).feed(line + after)
        for cut in range(len(line) + 1):
            fed = deepcopy(parser)
            assert fed.feed(line[:cut]) + fed.feed(line[cut:] + after) == expected, cut
        parser.feed(line)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, len(WIRE)), max_size=60))
def test_no_chunking_matters(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(WIRE)]
    pieces = [WIRE[start:end] for start, end in pairwise(edges)]
    assert parsed(pieces, WIRE_LIMIT) == parsed([WIRE], WIRE_LIMIT)


def test_no_seam_damages_a_character() -> None:
    text = "中文🎉é" * 500
    wire = json.dumps({"type": "text", "text": text}, ensure_ascii=False).encode() + b"\n"
    for size in (1, 2, 3, 4, 7, 4096):
        assert parsed(wire[i : i + size] for i in range(0, len(wire), size)) == [Text(text)]


def test_a_last_line_without_newline_is_delivered_by_close() -> None:
    parser = StreamParser()
    assert parser.feed(said("bye")[:-1]) == []
    assert parser.close() == [Text("bye")]
    assert parser.close() == []


@pytest.mark.spec("T17")
def test_a_truncated_last_line_is_a_bad_line() -> None:
    line = said("bye")[:-9]
    assert parsed([said("hi"), line]) == [Text("hi"), BadLine("not JSON", len(line))]


@pytest.mark.spec("T17")
@pytest.mark.parametrize(
    "noise",
    [
        b"[SandboxDebug] seccomp is off",
        b"(node:42) ExperimentalWarning: SQLite is experimental",
        b"\x1b[33mwarn\x1b[0m something",
        "欢迎回来".encode(),
        b"\xff\xfe\x00",
        b"{",
        b"}",
        b"nul",
    ],
)
def test_a_noise_line_is_reported_and_the_next_line_read(noise: bytes) -> None:
    bad = BadLine("not JSON", len(noise))
    lines = noise + b"\n" + said("on we go") + noise + b"\n" + said("and on")
    assert parsed([lines]) == [bad, Text("on we go"), bad, Text("and on")]


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \t \r\n", b"\x1b[?25h\r\n", b"\x1b[?25h", b"\x1b]0;t\x07\n", b""])
def test_blank_lines_and_bare_terminal_sequences_are_silent(blank: bytes) -> None:
    assert parsed([said("a"), blank]) == [Text("a")]


def test_terminal_sequences_around_a_message_do_not_hide_it() -> None:
    assert parsed([b"\x1b[?25l\x1b]0;claude\x07" + said("a")[:-1] + b"\x1b[0m\r\n"]) == [Text("a")]


def test_two_objects_on_one_line_and_one_object_on_two_lines_are_bad_lines() -> None:
    glued = said("a")[:-1] + said("b")
    assert parsed([glued]) == [BadLine("not JSON", len(glued) - 1)]
    split = b'{"type":\n"text","text":"a"}\n'
    assert parsed([split, said("c")]) == [BadLine("not JSON", 8), BadLine("not JSON", 18), Text("c")]


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_a_line_over_the_limit_is_dropped_with_one_bad_line(size: int) -> None:
    long, fits = said("x" * 500), said("y" * 10)
    wire = fits + long + fits
    events = parsed((wire[i : i + size] for i in range(0, len(wire), size)), max_line=len(fits) - 1)
    assert events == [Text("y" * 10), BadLine("too long", len(long) - 1), Text("y" * 10)]


def test_a_dropped_line_may_be_the_last() -> None:
    assert parsed([b"x" * 100], max_line=99) == [BadLine("too long", 100)]
    assert parsed([b"x" * 99], max_line=99) == [BadLine("not JSON", 99)]


MEMORY = """
import re
from pathlib import Path
from ccc.claude.stream import BadLine, StreamParser, Text
parser, piece = StreamParser(), b"x" * 65536
for _ in range(1024):
    assert parser.feed(piece) == []
assert parser.feed(b"\\n") == [BadLine("too long", 64 * 1024 * 1024)]
parser.feed(b'{"type":"text","text":"')
for _ in range(255):
    parser.feed(piece)
(event,) = parser.feed(b'"}\\n')
assert isinstance(event, Text) and len(event.text) == 255 * 65536
print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def test_a_64_mb_line_costs_less_than_120_mb() -> None:
    # Not ru_maxrss: a child made by vfork begins with its parent's.
    child = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(child.stdout) < 120 * 1024


def test_a_long_line_costs_in_proportion_to_its_length() -> None:
    line = b'{"type":"text","text":"' + b"x" * 16_000_000 + b'"}\n'
    parser = StreamParser()
    # Copied at each of 250,000 pieces, these would be two terabytes, and this would not end.
    assert sum(len(parser.feed(line[at : at + 64])) for at in range(0, len(line), 64)) == 1


def test_many_short_lines_are_all_heard() -> None:
    wire = b'{"type":"x"}\n' * 200_000
    assert parsed([wire]) == [Other("x", "")] * 200_000


# --- messages (D8 to D11) ---


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"type":"text","text":"cut \\ud83d"}', Text("cut \ufffd")),
        (b'{"type":"text","text":"\\uDC00 and \\ud83c\\udf89"}', Text("\ufffd and 🎉")),
        (b'{"type":"text","text":"\\ud83d","n":NaN}', Text("\ufffd")),
        (b'{"type":"text","text":"\\ud83d"', BadLine("not JSON", 30)),
        (b'{"type":"text","text":NaN}', Text("")),
        (b'{"type":"text","text":1e400}', Text("")),
        (b'{"type":"text","text":"\xed\xa0\xbd"}', Text("\ufffd" * 3)),
        (b'{"type":"text","text":"\x00"}', Text(" ")),
        (b'{"type":"text","text":"\\u0000"}', Text("\x00")),
        (b'{"type":"x","text":"a","type":"text"}', Text("a")),
        (b'{"type":"result","num_turns":' + b"9" * 30 + b"}", Finished(subtype="", num_turns=10**30 - 1)),
        (b'{"type":"result","num_turns":' + b"9" * 5000 + b"}", Finished(subtype="")),
        (b'{"a":' * 1100 + b"1" + b"}" * 1100, BadLine("no type", 6601)),
        (b"[" * 200_000, BadLine("not JSON", 200_000)),
        (b'{"s":"\\ud83d","a":' + b"[" * 100_000, BadLine("not JSON", 100_018)),
        (b'{"s":"\\ud83d","a":' + b"[" * 900 + b"]" * 900 + b',"type":"x"}', Other("x", "")),
        (
            b'{"type":"result","result":"no \xff","x":' + b"[" * 9000 + b"]" * 9000 + b"}",
            Finished("", result="no \ufffd"),
        ),
    ],
    ids=range(17),
)
def test_json_at_its_edges_is_a_message_or_a_bad_line(line: bytes, expected: Event) -> None:
    assert parsed([line + b"\n", said("on")]) == [expected, Text("on")]


@pytest.mark.spec("T16")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"type": "text", "text": "hello"}, Text("hello")),
        ({"type": "error", "error": {"message": "overloaded"}}, Notice("error", "overloaded")),
        ({"type": "error", "error": "overloaded"}, Notice("error", "overloaded")),
        ({"type": "error", "message": "overloaded"}, Notice("error", "overloaded")),
        ({"type": "result", "subtype": "success", "is_error": False, "result": "ok"}, Finished(result="ok")),
        ({"type": "system", "subtype": "compact_boundary"}, Other("system", "compact_boundary")),
        ({"type": "rate_limit_event"}, Other("rate_limit_event", "")),
        ({"type": "brand new", "subtype": "thing"}, Other("brand new", "thing")),
        (
            {"type": "tool_progress", "tool_use_id": "t1", "tool_name": "Bash", "elapsed_time_seconds": 30.5},
            ToolProgress("t1", "Bash", 30.5),
        ),
        ({"type": "tool_progress", "tool_use_id": "t1", "tool_name": "Bash"}, ToolProgress("t1", "Bash", 0)),
        (
            {
                "type": "control_request",
                "request_id": "r1",
                "request": {
                    "subtype": "can_use_tool",
                    "tool_name": "Bash",
                    "input": {"command": "ls"},
                    "description": "list",
                    "permission_suggestions": [],
                },
            },
            ControlRequest("r1", "can_use_tool", "Bash", {"command": "ls"}, "list"),
        ),
        (
            {"type": "control_response", "response": {"subtype": "success", "request_id": "1"}},
            ControlResponse("1", "success", ""),
        ),
        (
            {"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": 1794855037}},
            RateLimit(1794855037),
        ),
        (
            {
                "type": "assistant",
                "error": "rate_limit",
                "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "API Error"}]},
            },
            Text("API Error", by_client=True, error="rate_limit"),
        ),
        (
            {"type": "control_response", "response": {"subtype": "error", "request_id": "1", "error": "no turn"}},
            ControlResponse("1", "error", "no turn"),
        ),
    ],
)
def test_each_message_type_has_its_event(fields: dict[str, object], expected: Event) -> None:
    assert one(**fields) == expected


def test_one_message_with_several_blocks_gives_several_events() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "a"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "t", "name": "Bash", "input": {}},
        "not a block",
    ]
    assert parsed([message(type="assistant", message={"content": blocks})]) == [
        Thinking("hm"),
        Text("a"),
        Other("block", "redacted_thinking"),
        ToolUse("t", "Bash", {}),
        Other("block", ""),
    ]


def test_a_tool_result_of_several_parts_is_one_text() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}]
    block = {"type": "tool_result", "tool_use_id": "t", "content": parts}
    assert one(type="user", message={"content": [block]}) == ToolResult("t", False, "one\n[image]\ntwo")


def test_a_message_may_be_one_plain_string() -> None:
    assert one(type="user", message={"content": "go on"}) == UserText("go on")
    assert one(type="assistant", message={"content": "done"}) == Text("done")


def test_the_words_of_a_subagent_are_marked() -> None:
    wire = said("mine", parent_tool_use_id=None) + said("its", parent_tool_use_id="toolu_1")
    assert parsed([wire]) == [Text("mine", subagent=False), Text("its", subagent=True)]


def test_key_order_does_not_matter() -> None:
    fields = {"result": "ok", "is_error": False, "subtype": "success", "session_id": "s", "type": "result"}
    assert one(**fields) == one(**dict(reversed(fields.items()))) == Finished(result="ok", session_id="s")


def test_every_result_is_told_in_order() -> None:
    wire = message(type="result", is_error=True, result="first") + message(type="result", result="second")
    assert parsed([wire]) == [Finished("", True, "first"), Finished("", False, "second")]


@pytest.mark.parametrize(
    ("is_error", "believed"), [(False, False), (None, False), (True, True), ("false", True), (1, True), ([], True)]
)
def test_a_doubtful_is_error_counts_as_an_error(is_error: object, believed: bool) -> None:
    assert one(type="result", is_error=is_error, result="x") == Finished("", believed, "x")


@pytest.mark.parametrize("result", [None, 1, True, [], {"allow_stop": True}])
def test_a_result_that_is_no_string_is_no_result(result: object) -> None:
    assert one(type="result", result=result) == Finished(subtype="")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
HEADS = ["type", "subtype", "message", "content", "session_id", "sessionId", "parent_tool_use_id", "event", "delta"]
ENDS = ["result", "is_error", "structured_output", "usage", "total_cost_usd", "permission_denials", "errors", "text"]
REST = ["request", "response", "request_id", "tool_name", "input", "error", "attempt", "tools", "elapsed_time_seconds"]
KEYS = HEADS + ENDS + REST
SPOKEN = ["assistant", "user", "stream_event", "text", "text_delta", "thinking", "tool_use", "tool_result", "result"]
SYSTEM = ["system", "init", "api_retry", "permission_denied", "notification", "error", "tool_progress"]
TYPES = [*SPOKEN, *SYSTEM, "control_request", "control_response"]
MESSAGES = st.recursive(
    JSON | st.sampled_from(TYPES),
    lambda inner: st.dictionaries(st.sampled_from(KEYS), inner, max_size=5) | st.lists(inner, max_size=2),
    max_leaves=12,
)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(TYPES) | JSON, st.dictionaries(st.sampled_from(KEYS), MESSAGES, max_size=6))
def test_no_message_makes_the_parser_or_the_verdict_raise(kind: object, fields: dict[str, object]) -> None:
    events = parsed([json.dumps({**fields, "type": kind}).encode()])
    assert all(type(event) in get_args(Event) for event in events)
    for event in events:
        repr(event)
        if isinstance(event, Finished):
            read(event)


@settings(max_examples=500, deadline=None)
@given(
    st.binary() | st.text(st.characters()).map(lambda text: text.encode("utf-8", "surrogatepass")), st.integers(1, 9)
)
def test_no_bytes_make_the_parser_raise(data: bytes, limit: int) -> None:
    parsed([data, data])
    parsed([data, data], limit)


@pytest.mark.parametrize("odd", ["3", "many", [3], {"n": 3}, True, None])
def test_a_number_that_is_none_is_not_there(odd: object) -> None:
    fields = dict.fromkeys(("num_turns", "duration_ms", "total_cost_usd", "api_error_status"), odd)
    assert one(type="result", subtype="success", result="ok", **fields) == Finished(result="ok")


@pytest.mark.parametrize(
    ("role", "block"),
    [
        ("user", {"type": "tool_result", "tool_use_id": "t", "content": "x"}),
        ("user", {"type": "tool_result", "tool_use_id": 1, "content": "x"}),
        ("user", {"type": "tool_result", "tool_use_id": "t", "content": 1}),
        ("user", {"type": "tool_result", "tool_use_id": 1, "content": 1}),
        ("user", {"type": "brand new", "tool_use_id": "t", "content": "x"}),
        ("assistant", {"type": "text", "text": "x"}),
        ("assistant", {"type": "text", "text": 1}),
        ("assistant", {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}),
        ("assistant", {"type": "tool_use", "id": 1, "name": "Bash", "input": {}}),
        ("assistant", {"type": "tool_use", "id": "t", "name": 1, "input": {}}),
        ("assistant", {"type": "tool_use", "id": 1, "name": 1, "input": {}}),
        ("assistant", {"type": "tool_use", "id": "t", "name": "Bash", "input": 1}),
        ("assistant", {"type": "brand new", "id": "t", "name": "Bash", "input": {}}),
    ],
)
def test_the_quick_way_through_a_message_and_the_long_one_agree(role: str, block: dict[str, object]) -> None:
    """The quick way is for a message with everything in its place; one without a parent or with two blocks is not."""
    content = {"role": role, "content": [block]}
    [quick] = parsed([message(type=role, message=content, parent_tool_use_id=None)])
    assert parsed([message(type=role, message=content)]) == [quick]
    doubled = {"role": role, "content": [block, block]}
    assert parsed([message(type=role, message=doubled, parent_tool_use_id=None)]) == [quick, quick]


@pytest.mark.spec("T15")
@pytest.mark.parametrize("key", ["session_id", "sessionId"])
def test_the_session_id_is_read_from_either_spelling(key: str) -> None:
    parser = StreamParser()
    parser.feed(said("hi", **{key: "72558f68-a5d2-4ef1-b733-51168a3572f5"}))
    assert parser.session_id == "72558f68-a5d2-4ef1-b733-51168a3572f5"


@pytest.mark.spec("T15")
@pytest.mark.parametrize("name", NAMES)
def test_every_recording_names_its_session(name: str) -> None:
    parser = StreamParser()
    (*_, finished) = parser.feed(trace(name))
    assert isinstance(finished, Finished)
    assert parser.session_id == finished.session_id is not None


def test_the_first_valid_session_id_is_kept() -> None:
    parser = StreamParser()
    parser.feed(message(type="brand new", session_id="../../etc"))
    assert parser.session_id is None
    parser.feed(message(type="brand new", session_id="-x", sessionId="first") + said("a", session_id="second"))
    assert parser.session_id == "first"


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        "-rf",
        "--resume",
        ".",
        "..",
        "a..b",
        "../x",
        "a/b",
        "a b",
        "a\n",
        "a\x00",
        "é",
        "x" * 129,
        7,
        None,
        ["a"],
        {},
    ],
)
def test_a_hostile_session_id_is_ignored(hostile: object) -> None:
    parser = StreamParser()
    events = parser.feed(message(type="result", session_id=hostile))
    assert parser.session_id is None
    assert events == [Finished(subtype="")]


def test_events_are_frozen() -> None:
    event = Text("a")
    with pytest.raises(AttributeError, match="immutable"):
        event.text = "b"  # type: ignore[misc]
    assert all(kind.__struct_config__.frozen for kind in get_args(Event))


# --- what ccc writes ---


def test_what_is_written_is_what_the_client_reads() -> None:
    user = {"type": "user", "message": {"role": "user", "content": "继续\n\x03 \U0001f389"}}
    assert orjson.loads(user_message("继续\n\x03 🎉")) == user
    request = {"type": "control_request", "request_id": "1", "request": {"subtype": "interrupt"}}
    assert orjson.loads(interrupt("1")) == request
    assert orjson.loads(get_usage("1")) == request | {"request": {"subtype": "get_usage"}}
    assert orjson.loads(allow_tool("r", {"command": "ls"})) == answer(
        {"behavior": "allow", "updatedInput": {"command": "ls"}}
    )
    assert orjson.loads(deny_tool("r", "no")) == answer({"behavior": "deny", "message": "no"})


NODE_LINE_ENDING = re.compile("\r?\n|\r(?!\n)|\u2028|\u2029")


def answer(response: dict[str, object]) -> dict[str, object]:
    return {"type": "control_response", "response": {"subtype": "success", "request_id": "r", "response": response}}


def test_what_a_process_has_spent_is_all_models_and_the_price_that_of_the_dearest() -> None:
    big = {"inputTokens": 80_000, "outputTokens": 2_000, "costUSD": 0.36}
    small = {"inputTokens": 1_000, "outputTokens": 0, "costUSD": 0.001}
    told = one(**answer({"session": {"total_cost_usd": 0.361, "model_usage": {"small": small, "big": big}}}))
    assert isinstance(told, ControlResponse)
    assert told.session.price_usd == pytest.approx(4e-6)
    assert (told.session.cost_usd, told.session.tokens) == (pytest.approx(0.361), 83_000)
    assert told.session.since(Spending(0.3, 1e-6, 80_000)).tokens == 3_000
    assert one(**answer({"session": {"model_usage": 5}})) == replace(told, session=Spending())


@settings(max_examples=500, deadline=None)
@given(st.text(st.characters()))
def test_any_text_is_written_as_one_line(text: str) -> None:
    for line in (user_message(text), interrupt(text), deny_tool(text, text), allow_tool(text, {"a": text})):
        assert line.endswith(b"\n")
        assert len(NODE_LINE_ENDING.split(line.decode())) == 2
        orjson.loads(line)


def test_a_request_that_cannot_be_passed_on_is_denied() -> None:
    deep: dict[str, object] = {}
    for _ in range(50_000):
        deep = {"a": deep}
    assert orjson.loads(allow_tool("r", deep))["response"]["response"]["behavior"] == "deny"


def test_a_permission_request_is_answered_with_its_own_input() -> None:
    given_input = {"command": "echo 中文", "timeout": 5, "nested": {"a": [1, None, True]}}
    request = one(
        type="control_request",
        request_id="r",
        request={"subtype": "can_use_tool", "tool_name": "Bash", "input": given_input},
    )
    assert isinstance(request, ControlRequest)
    assert (
        orjson.loads(allow_tool(request.request_id, request.input))["response"]["response"]["updatedInput"]
        == given_input
    )


def test_a_background_task_is_told_with_the_call_that_began_it() -> None:
    line = b'{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"t1","description":"x"}\n'
    assert StreamParser().feed(line) == [TaskStarted("b1", "t1")]


def test_what_the_agent_may_do_unasked_is_told_in_the_midst_of_a_turn() -> None:
    """As 2.1.326 writes it when the person has accepted a plan; the same kind of line has other reasons as well."""
    line = b'{"type":"system","subtype":"status","status":%b}\n'
    assert StreamParser().feed(line % b'null,"permissionMode":"default"') == [Permits("default")]
    assert StreamParser().feed(line % b'"requesting"') == [Other("system", "status")]


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ([{"task_id": "b1", "description": "dev server", "task_type": "local_bash"}], (Task("b1", "dev server"),)),
        ([], ()),
        (None, ()),
        ([5, {"task_id": 5}], (Task("", ""),)),
    ],
)
def test_background_tasks_are_told_whenever_they_change(tasks: object, expected: tuple[Task, ...]) -> None:
    line = orjson.dumps({"type": "system", "subtype": "background_tasks_changed", "tasks": tasks})
    assert StreamParser().feed(line + b"\n") == [BackgroundTasks(expected)]


@pytest.mark.parametrize(
    ("origin", "answers"),
    [
        ({}, True),
        ({"origin": None}, True),
        ({"origin": {"kind": "human"}}, True),
        ({"origin": {"kind": "task-notification"}}, False),
        ({"origin": {"kind": "cron"}}, False),
        # What cannot be read might be anybody's.
        ({"origin": {"kind": 7}}, False),
        ({"origin": {"kind": ""}}, False),
        ({"origin": {}}, False),
        ({"origin": "task-notification"}, False),
        ({"origin": False}, False),
    ],
)
def test_a_result_of_somebody_elses_turn_does_not_answer_the_prompt(origin: dict[str, object], answers: bool) -> None:
    line = json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "", **origin})
    (finished,) = StreamParser().feed(line.encode() + b"\n")
    assert isinstance(finished, Finished)
    assert finished.answers_the_prompt is answers


# --- money ---


def of_subagent(id_: str, usage: object, parent: str | None = "toolu_1") -> dict[str, object]:
    message = {"id": id_, "model": "claude-haiku-5-5", "content": [{"type": "text", "text": "on it"}], "usage": usage}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent, "session_id": "s"}


@pytest.mark.parametrize("odd", [False, True])  # in the order of keys
def test_what_a_subagents_message_took_is_told_once_however_many_lines_it_comes_in(odd: bool) -> None:
    lines = [
        of_subagent("m1", {"input_tokens": 10, "output_tokens": 1}),
        of_subagent("m1", {"input_tokens": 10, "output_tokens": 5}),
        of_subagent("m2", {"input_tokens": 7}),
        of_subagent("m1", {"input_tokens": 10, "output_tokens": 5}),
        *[of_subagent(f"odd{at}", usage) for at, usage in enumerate((None, 5, {}, {"input_tokens": "9"}))],
        of_subagent("m3", {"input_tokens": 7}, parent=None),
    ]
    told = [{"message": line["message"], **line} if odd else line for line in lines]
    begun = {"type": "system", "subtype": "init", "session_id": "s"}
    events = parsed(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in (begun, *told))
    used = [event for event in events if isinstance(event, Used)]
    assert [(each.tokens, each.weight) for each in used] == [(11, 15.0), (4, 20.0), (7, 7.0)]
    assert {(each.subagent, each.model) for each in used} == {(True, "claude-haiku-5-5")}


SESSION = {"m": {"inputTokens": 9000, "outputTokens": 0, "cacheReadInputTokens": 10_000, "costUSD": 0.03}}
TURN = {"input_tokens": 1000, "cache_creation_input_tokens": 0}
OWN = {"m": {"inputTokens": 1000, "costUSD": 0.003}, "helper": {"outputTokens": 10, "costUSD": 0.0001}}


@pytest.mark.parametrize(
    ("told", "spending"),
    [
        ({"model_usage_since_last_result": OWN, "modelUsage": SESSION, "usage": TURN}, Spending(0.0031, 3e-6)),
        ({"model_usage_since_last_result": {}, "modelUsage": SESSION, "usage": TURN}, Spending(0.0, 0.0)),
        # Older clients: the turn's share of the session, and all of it where the session is no more than the turn.
        ({"modelUsage": SESSION, "usage": TURN}, Spending(0.003, 3e-6)),
        ({"modelUsage": SESSION, "usage": {"input_tokens": 20_000}}, Spending(0.03, 3e-6)),
        # … or all of the one model that has no other tokens.
        (
            {"modelUsage": {**SESSION, "judge": {"inputTokens": 1000, "costUSD": 0.001}}, "usage": TURN},
            Spending(0.001, 1e-6),
        ),
        ({"usage": TURN}, None),
        ({"modelUsage": {"m": "?"}, "usage": TURN}, None),
        ({"model_usage_since_last_result": "?", "modelUsage": {"m": {"inputTokens": -5, "costUSD": -1}}}, None),
    ],
)
def test_a_result_costs_what_was_counted_for_it_and_not_what_a_resume_has_added(
    told: dict[str, object], spending: Spending | None
) -> None:
    [finished] = parsed([json.dumps({"type": "result", "total_cost_usd": 0.03, **told}).encode() + b"\n"])
    assert isinstance(finished, Finished)
    assert finished.cost_usd == 0.03
    if spending is None:
        assert finished.spending is None
    else:
        assert finished.spending is not None
        assert finished.spending.cost_usd == pytest.approx(spending.cost_usd)
        assert finished.spending.price_usd == pytest.approx(spending.price_usd)


def test_each_model_of_the_session_has_its_own_price() -> None:
    by_model = {**SESSION, "helper": {"outputTokens": 10, "costUSD": 5e-5}, "free": {"inputTokens": 5}, "odd": "?"}
    [finished] = parsed([json.dumps({"type": "result", "modelUsage": by_model}).encode() + b"\n"])
    assert isinstance(finished, Finished)
    assert finished.prices == pytest.approx({"m": 3e-6, "helper": 1e-6})


# --- what the client knows the last line of the agent's by ---

PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
WORDS = {"type": "text", "text": "x"}
# The blocks of a line, what else stands in it, and whether the agent or a tool of its has written it.
LINES: Mapping[str, tuple[str, list[object], dict[str, object], bool]] = {
    "words": ("assistant", [WORDS], {}, True),
    "a block that ccc does not know": ("assistant", [{"type": "new"}], {}, True),
    "words of a subagent": ("assistant", [WORDS], {"parent_tool_use_id": "t"}, False),
    "a result": ("user", [result("x")], {}, True),
    "a result in pieces": ("user", [result([WORDS])], {}, True),
    "a picture": ("user", [result([PICTURE])], {}, True),
    "a result and words": ("user", [result("x"), WORDS], {}, True),
    "a result with an odd record": ("user", [result("x")], {"tool_use_result": 5}, True),
    "a result of nothing": ("user", [{"type": "tool_result"}], {}, True),
    "a result for a subagent": ("user", [result([PICTURE])], {"parent_tool_use_id": "t"}, False),
    "what the agent is told": ("user", [WORDS], {}, False),
}


@each("case", LINES)
def test_the_last_line_of_the_agents_is_known_whatever_a_tool_has_returned(case: str) -> None:
    role, blocks, more, counts = LINES[case]
    parser = StreamParser()
    parser.feed(said("before", uuid="before", session_id="abc"))
    parser.feed(message(type=role, message={"role": role, "content": blocks}, uuid="last", **more))
    assert parser.answer == ("last" if counts else "before")
