from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from http.client import HTTPConnection, IncompleteRead, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import pytest

from ccc.base.errors import CccError
from ccc.trial import scripted
from ccc.trial.scripted import Reply, Rule, ScriptedModel, ToolCall, parse_script

EVERYTHING = {
    "thinking": "let me see, what is it",
    "text": "Grüße, 世界 🌍",
    "tools": [{"name": "Write", "input": {"file_path": "/a", "content": "é"}}, {"name": "Stop"}],
}


def connect(model: ScriptedModel) -> HTTPConnection:
    return HTTPConnection(urlsplit(model.url).netloc, timeout=10)


def request(
    model: ScriptedModel, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, str, bytes]:
    with closing(connect(model)) as connection:
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        return response.status, response.getheader("content-type", ""), response.read()


def message(text: str = "hi", **more: Any) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": text}], **more}).encode()


def ask(model: ScriptedModel, body: bytes | None = None, **headers: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(request(model, "POST", "/v1/messages", body or message(), headers)[2])
    return answer


def says(model: ScriptedModel, text: str = "hi") -> str:
    return "".join(block["text"] for block in ask(model, message(text))["content"])


def stream(model: ScriptedModel, **more: Any) -> list[dict[str, Any]]:
    _, kind, body = request(model, "POST", "/v1/messages?beta=true", message(stream=True, **more))
    assert kind == "text/event-stream"
    frames = [frame.split("\n") for frame in body.decode().removesuffix("\n\n").split("\n\n")]
    events = [json.loads(data.removeprefix("data: ")) for _, data in frames]
    assert [name for name, _ in frames] == [f"event: {event['type']}" for event in events]
    return events


def collected(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The content a client puts together from the stream."""
    blocks = [dict(event["content_block"]) for event in events if event["type"] == "content_block_start"]
    inputs = [""] * len(blocks)
    for index, delta in ((e["index"], e["delta"]) for e in events if e["type"] == "content_block_delta"):
        inputs[index] += delta.get("partial_json", "")
        for key in ("text", "thinking", "signature"):
            if key in delta:
                blocks[index][key] += delta[key]
    return [{**b, "input": json.loads(i)} if i else b for b, i in zip(blocks, inputs, strict=True)]


def without_ids(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {key: without_ids(value) for key, value in answer.items() if key not in ("id", "request_id")}
    return [without_ids(item) for item in answer] if isinstance(answer, list) else answer


TOOL_RESULT = [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "made it"}]}]
CONVERSATION = {
    "model": "opus",
    "system": [{"type": "text", "text": "You are a judge"}],
    "tools": [{"name": "Read"}, {"name": "StructuredOutput"}],
    "messages": [
        {"role": "user", "content": "build it"},
        {"role": "assistant", "content": [{"type": "text", "text": "on it"}]},
        {"role": "user", "content": TOOL_RESULT},
        {"role": "system", "content": "a reminder"},
    ],
}


@pytest.mark.parametrize(
    ("conditions", "answers"),
    [
        ({}, True),
        ({"anywhere": "build"}, True),
        ({"anywhere": "on it"}, True),
        ({"anywhere": "reminder"}, True),
        ({"anywhere": "judge"}, False),
        ({"last": "made it"}, True),
        ({"last": "build"}, False),
        ({"last": "reminder"}, False),
        ({"system": "a judge"}, True),
        ({"system": "build"}, False),
        ({"tool": "Read"}, True),
        ({"tool": "Rea"}, False),
        ({"without_tool": "Write"}, True),
        ({"without_tool": "Read"}, False),
        ({"token": "key"}, True),
        ({"token": "ke"}, False),
        ({"model": "opus"}, True),
        ({"model": "haiku"}, False),
        ({"last": "made", "system": "judge", "tool": "Read", "token": "key"}, True),
        ({"last": "made", "system": "judge", "tool": "Read", "token": "other"}, False),
    ],
)
def test_a_rule_answers_when_all_its_conditions_hold(conditions: dict[str, str], answers: bool) -> None:
    with ScriptedModel([{**conditions, "replies": [{"text": "mine"}]}]) as model:
        answer = ask(model, json.dumps(CONVERSATION).encode(), authorization="Bearer key")
    assert (answer["content"][0]["text"] == "mine") is answers
    assert model.messages[0].rule == (0 if answers else None)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([], ["ok", "ok"]),
        ([{"replies": [{"text": "a"}, {"text": "b"}]}], ["a", "b", "ok"]),
        ([{"replies": [{"text": "a"}], "times": 2}], ["a", "a", "ok"]),
        ([{"replies": [{"text": "a"}, {"text": "b"}], "times": 1}], ["a", "ok"]),
        ([{"replies": [{"text": "a"}, {"text": "b"}], "times": None}], ["a", "b", "b", "b"]),
        ([{"replies": [{"text": "a"}]}, {"replies": [{"text": "b"}]}], ["a", "b", "ok"]),
        ([{"last": "no", "replies": [{"text": "a"}]}, {"replies": [{"text": "b"}]}], ["b", "ok"]),
    ],
)
def test_rules_answer_in_order_until_they_are_used_up(rules: list[dict[str, Any]], said: list[str]) -> None:
    with ScriptedModel(rules) as model:
        assert [says(model) for _ in said] == said


def test_parallel_requests_never_share_a_reply() -> None:
    replies = [{"text": str(i)} for i in range(32)]
    with ScriptedModel([{"replies": replies}]) as model, ThreadPoolExecutor(16) as pool:
        said = list(pool.map(lambda _: says(model), replies))
    assert sorted(said, key=int) == [str(i) for i in range(32)]
    assert len(model.messages) == 32


def test_a_stream_has_the_order_of_the_real_api() -> None:
    with ScriptedModel([{"replies": [{"text": "abc", "tools": [{"name": "T"}]}]}]) as model:
        kinds = [event["type"] for event in stream(model)]
    block = ["content_block_start", *["content_block_delta"] * 3, "content_block_stop"]
    assert kinds == ["message_start", "ping", *block, *block, "message_delta", "message_stop"]


def test_a_stream_and_a_plain_answer_carry_the_same_message() -> None:
    with ScriptedModel([{"replies": [EVERYTHING], "times": None}]) as model:
        events, plain = stream(model), ask(model)
    start, end = events[0]["message"], events[-2]
    streamed = {**start, **end["delta"], "content": collected(events), "usage": end["usage"]}
    assert without_ids(streamed) == without_ids(plain)
    assert [block["type"] for block in plain["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert plain["content"][2]["input"] == {"file_path": "/a", "content": "é"}


@pytest.mark.parametrize("given", [{}, {"a": 1}, {"command": "x" * 100_000}, {"ключ": "🌍" * 7}])
def test_a_tool_input_comes_in_several_pieces(given: dict[str, Any]) -> None:
    with ScriptedModel([{"replies": [{"tools": [{"name": "T", "input": given}]}]}]) as model:
        events = stream(model)
    pieces = [e["delta"]["partial_json"] for e in events if e["type"] == "content_block_delta"]
    assert 2 <= len(pieces) <= 300
    assert json.loads("".join(pieces)) == given


@pytest.mark.parametrize(
    ("reply", "reason", "kinds"),
    [
        ({}, "end_turn", []),
        ({"text": "a"}, "end_turn", ["text"]),
        ({"thinking": "a"}, "end_turn", ["thinking"]),
        ({"text": "a", "tools": [{"name": "T"}]}, "tool_use", ["text", "tool_use"]),
    ],
)
def test_a_turn_goes_on_only_for_tools(reply: dict[str, Any], reason: str, kinds: list[str]) -> None:
    with ScriptedModel([{"replies": [reply]}]) as model:
        answer = ask(model)
    assert answer["stop_reason"] == reason
    assert [block["type"] for block in answer["content"]] == kinds


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize(
    ("reply", "status", "kind", "text"),
    [
        ({"error": 400}, 400, "invalid_request_error", "Invalid request"),
        ({"error": 401}, 401, "authentication_error", "Authentication"),
        ({"error": 429}, 429, "rate_limit_error", "Rate limit"),
        ({"error": 500}, 500, "api_error", "Api"),
        ({"error": 529}, 529, "overloaded_error", "Overloaded"),
        ({"error": 529, "message": "too busy"}, 529, "overloaded_error", "too busy"),
        ({"prompt_too_long": True}, 400, "invalid_request_error", scripted.PROMPT_TOO_LONG),
    ],
)
def test_an_error_has_the_body_of_the_real_api(
    reply: dict[str, Any], status: int, kind: str, text: str, streamed: bool
) -> None:
    with ScriptedModel([{"replies": [reply]}]) as model:
        got, mime, body = request(model, "POST", "/v1/messages", message(stream=streamed))
    assert (got, mime) == (status, "application/json")
    assert without_ids(json.loads(body)) == {"type": "error", "error": {"type": kind, "message": text}}


def test_usage_is_the_script_s_and_grows_in_the_stream() -> None:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 90, "output_tokens": 3}
    with ScriptedModel([{"replies": [{"text": "a", "usage": usage}]}]) as model:
        events = stream(model)
    full = {**usage, "cache_creation_input_tokens": 0}
    assert events[0]["message"]["usage"] == {**full, "output_tokens": 1}
    assert events[-2]["usage"] == full


def test_equal_requests_get_equal_answers_apart_from_ids() -> None:
    with ScriptedModel([{"replies": [EVERYTHING], "times": None}]) as model:
        first, second = ask(model), ask(model)
    assert without_ids(first) == without_ids(second)
    ids = [answer["id"] for answer in (first, second)]
    ids += [block["id"] for answer in (first, second) for block in answer["content"] if "id" in block]
    assert len(set(ids)) == 6


@pytest.mark.parametrize(
    ("method", "path", "status", "key"),
    [
        ("POST", "/v1/messages", 200, "content"),
        ("POST", "/v1/messages?beta=true", 200, "content"),
        ("POST", "/api/anthropic/v1/messages?beta=true", 200, "content"),
        ("POST", "/v1/messages/count_tokens?beta=true", 200, "input_tokens"),
        ("POST", "/api/anthropic/v1/messages/count_tokens", 200, "input_tokens"),
        ("GET", "/v1/models", 200, "data"),
        ("GET", "/api/anthropic/v1/models?limit=1000", 200, "data"),
        ("GET", "/", 200, "name"),
        ("GET", "/v1/messages", 404, "error"),
        ("POST", "/v1/other", 404, "error"),
        ("PUT", "/v1/messages", 404, "error"),
        ("DELETE", "/", 404, "error"),
    ],
)
def test_endpoints(method: str, path: str, status: int, key: str) -> None:
    with ScriptedModel() as model:
        got, kind, body = request(model, method, path, message())
    assert (got, kind) == (status, "application/json")
    assert key in json.loads(body)


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/nothing", 404)])
def test_a_connection_stays_open_also_after_head(path: str, status: int) -> None:
    with ScriptedModel() as model, closing(connect(model)) as connection:
        connection.request("HEAD", path)
        response = connection.getresponse()
        assert (response.status, response.read()) == (status, b"")
        sock = connection.sock
        connection.request("POST", "/v1/messages", message())
        assert json.loads(connection.getresponse().read())["content"][0]["text"] == "ok"
        assert connection.sock is sock


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[1]", b"[" * 100_000, b'{"messages": 3, "tools": [7], "system": 1}']
)
def test_any_body_gets_an_answer(body: bytes) -> None:
    rules = [{"last": "a", "replies": [{}]}, {"anywhere": "a", "replies": [{}]}, {"tool": "a", "replies": [{}]}]
    with ScriptedModel(rules) as model:
        assert json.loads(request(model, "POST", "/v1/messages", body)[2])["content"][0]["text"] == "ok"
    assert model.messages[0].body == body


@pytest.mark.parametrize(
    ("headers", "token"),
    [({}, ""), ({"Authorization": "Bearer abc"}, "abc"), ({"X-Api-Key": "xyz"}, "xyz")],
)
def test_a_request_is_recorded_as_it_came(headers: dict[str, str], token: str) -> None:
    body = message("secret plan", tools=[{"name": "Read"}], system="be kind")
    before = time.time()
    with ScriptedModel([{"last": "other", "replies": [{}]}, {"replies": [{}]}]) as model:
        request(model, "HEAD", "/")
        request(model, "POST", "/v1/messages?beta=true", body, headers)
    probe, asked = model.requests
    assert (probe.method, probe.path, probe.json, probe.rule) == ("HEAD", "/", {}, None)
    assert model.messages == (asked,)
    assert (asked.method, asked.path, asked.rule) == ("POST", "/v1/messages?beta=true", 1)
    assert (asked.body, asked.json, asked.token) == (body, json.loads(body), token)
    assert (asked.last, asked.text, asked.system) == ("secret plan", "secret plan", "be kind")
    assert asked.tools == {"Read"}
    assert asked.headers["content-length"] == str(len(body))
    assert before <= asked.time <= time.time()


def test_a_record_shows_no_secret_and_cannot_change() -> None:
    with ScriptedModel() as model:
        ask(model, message("secret plan"), authorization="Bearer secret-token")
    assert "secret" not in repr(model.messages)
    with pytest.raises(AttributeError, match="immutable"):
        model.messages[0].rule = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("reply", "at_least"),
    [({"text": "a", "delay": 0.05}, 0.05), ({"text": "abc", "chunk_delay": 0.02}, 0.06)],
)
def test_an_answer_takes_its_time(reply: dict[str, Any], at_least: float) -> None:
    with ScriptedModel([{"replies": [reply]}]) as model:
        start = time.monotonic()
        stream(model)
    assert time.monotonic() - start >= at_least


@pytest.mark.parametrize("reply", [{"hang": True}, {"delay": 600}, {"hang": True, "error": 529}])
def test_close_ends_a_hanging_answer_at_once(reply: dict[str, Any]) -> None:
    with ThreadPoolExecutor(1) as pool, ScriptedModel([{"replies": [reply]}]) as model:
        pending = pool.submit(ask, model)
        model.wait_for_messages(1)
        model.close()
        with pytest.raises(RemoteDisconnected):
            pending.result()


def test_close_does_not_wait_for_idle_or_slow_clients() -> None:
    slow = {"text": "x" * 20_000_000}
    with (
        ScriptedModel([{"replies": [slow]}]) as model,
        closing(connect(model)) as idle,
        closing(connect(model)) as busy,
    ):
        idle.connect()
        busy.request("POST", "/v1/messages", message())
        busy.getresponse()
        model.close()


def test_close_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    with ScriptedModel([{"replies": [{"hang": True}], "times": None}]) as model, ExitStack() as stack:
        for connection in [stack.enter_context(closing(connect(model))) for _ in range(24)]:
            connection.request("POST", "/v1/messages", message())
        model.wait_for_messages(24)
        model.close()
        assert threading.active_count() == before


def test_close_twice_is_close_once() -> None:
    with ScriptedModel() as model:
        model.close()
    with pytest.raises(ConnectionRefusedError):
        ask(model)


@pytest.mark.parametrize(("streamed", "seen"), [(True, b"message_start"), (False, b"")])
def test_a_cut_answer_breaks_off_half_way(streamed: bool, seen: bytes) -> None:
    with (
        ScriptedModel([{"replies": [{"text": "abcdef", "cut": True}]}]) as model,
        pytest.raises(IncompleteRead) as broken,
    ):
        request(model, "POST", "/v1/messages", message(stream=streamed))
    assert seen in broken.value.partial
    assert b"message_stop" not in broken.value.partial


@pytest.mark.parametrize("streamed", [True, False])
def test_a_client_that_leaves_is_no_news(streamed: bool, capfd: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel([{"replies": [{"text": "x" * 20_000_000}]}]) as model:
        with closing(connect(model)) as connection:
            connection.request("POST", "/v1/messages", message(stream=streamed))
            # A reset instead of a farewell: closing with linger 0.
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.getresponse()
        assert says(model) == "ok"
    assert capfd.readouterr() == ("", "")


def test_waiting_for_messages_that_never_come_says_how_many_did() -> None:
    with ScriptedModel() as model:
        ask(model)
        assert len(model.wait_for_messages(1)) == 1
        with pytest.raises(TimeoutError, match="1 of 2"):
            model.wait_for_messages(2, timeout=0.01)


def test_a_taken_port_is_an_error_for_a_person() -> None:
    with ScriptedModel() as model:
        port = urlsplit(model.url).port or 0
        with pytest.raises(CccError, match=f"127.0.0.1:{port} .*choose another port"):
            ScriptedModel(port=port)


def test_a_script_becomes_values() -> None:
    tool = {"name": "Bash", "input": {"command": "ls"}}
    raw = {"last": "hi", "replies": [{"tools": [tool], "delay": 1}, {"prompt_too_long": True}]}
    rule = Rule(
        (
            Reply(tools=(ToolCall("Bash", {"command": "ls"}),), delay=1),
            Reply(error=400, message=scripted.PROMPT_TOO_LONG),
        ),
        times=2,
        last="hi",
    )
    assert parse_script([raw]) == parse_script([rule]) == (rule,)


def test_the_example_of_the_module_is_a_script() -> None:
    example = (scripted.__doc__ or "").partition(":\n\n")[2]
    assert [rule.times for rule in parse_script(json.loads(example))] == [2, None]


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ({}, "a script must be a list of rules, not dict"),
        (["x"], "rule 0 must be an object, not str"),
        ([{}], "rule 0: 'replies' is missing or empty"),
        ([{"replies": []}], "rule 0: 'replies' is missing or empty"),
        ([{"replies": {"text": "a"}}], "rule 0: 'replies' must be list, not dict"),
        ([{"replies": [{}], "lsat": "a"}], "rule 0: 'lsat' is unknown; known are anywhere, last,"),
        ([{"replies": [{}]}, {"replies": [{}], "last": 3}], "rule 1: 'last' must be str, not int"),
        ([{"replies": [{}], "times": "2"}], "rule 0: 'times' must be int or null, not str"),
        ([{"replies": [{}], "times": True}], "rule 0: 'times' must be int or null, not bool"),
        ([{"replies": [{}, "a"]}], "rule 0, reply 1 must be an object, not str"),
        ([{"replies": [{"txt": "a"}]}], "rule 0, reply 0: 'txt' is unknown"),
        ([{"replies": [{"delay": "1"}]}], "rule 0, reply 0: 'delay' must be int or float, not str"),
        ([{"replies": [{"error": 418}]}], "rule 0, reply 0: 'error' must be one of 400, 401,"),
        ([{"replies": [{"tools": ["Bash"]}]}], "rule 0, reply 0, tool 0 must be an object, not str"),
        ([{"replies": [{"tools": [{"input": {}}]}]}], "rule 0, reply 0, tool 0: 'name' is missing or empty"),
        ([{"replies": [{"tools": [{"name": "T", "input": 1}]}]}], "tool 0: 'input' must be dict, not int"),
    ],
)
def test_a_wrong_script_is_refused_with_the_place_and_the_key(script: Any, complaint: str) -> None:
    with pytest.raises(CccError) as refused:
        ScriptedModel(script)
    assert complaint in str(refused.value)


def test_a_limit_begins_when_it_is_met_and_holds_for_everybody() -> None:
    script = [{"last": "review", "replies": [{"text": "fine"}]}, {"replies": [{"limit": 1}, {"text": "on"}]}]
    with ScriptedModel(script) as model:
        refused = ask(model)["error"]["message"]
        until = datetime.fromisoformat(refused.split("resets at ")[1].split()[0])
        assert ask(model, message("review"))["error"]["message"] == refused
        while datetime.now(UTC) < until:
            assert ask(model)["type"] == "error" or datetime.now(UTC) >= until
        assert ask(model, message("review"))["content"][0]["text"] == "fine"
