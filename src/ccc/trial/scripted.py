"""The scripted model: an Anthropic-compatible Messages API on loopback that answers from a script.

Rule: the script is data; equal requests get equal answers, apart from ids; nothing here knows who asks.
The first rule that matches and is not used up answers, otherwise the model says "ok":

    [{"last": "list", "replies": [{"tools": [{"name": "Bash", "input": {"command": "ls"}}]}, {"text": "done"}]},
     {"token": "expired", "times": null, "replies": [{"error": 401}]}]
"""

from __future__ import annotations

import json
import math
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from types import NoneType
from typing import Any, Self
from urllib.parse import urlsplit

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg

Json = Mapping[str, Any]
Keys = Mapping[str, tuple[type, ...]]

ERRORS = {
    400: "invalid_request",
    401: "authentication",
    402: "billing",
    403: "permission",
    404: "not_found",
    429: "rate_limit",
    500: "api",
    529: "overloaded",
}
PROMPT_TOO_LONG = "prompt is too long: 250000 tokens > 200000 maximum"
LIMITED = "usage limit exceeded, 5-hour usage limit reached, resets at {at} (2056)"
SIGNATURE = "c2NyaXB0ZWQ="
USAGE = {"input_tokens": 9, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}
MODEL = {"type": "model", "id": "scripted", "display_name": "Scripted", "created_at": "2025-01-01T00:00:00Z"}


class ToolCall(Struct, frozen=True):
    name: str
    input: Json = field(default_factory=dict)


class Reply(Struct, frozen=True):
    """One answer. `parts` are blocks of words behind `text`; `error` is an HTTP status, `body` what comes with it where
    a provider has words of its own; `hang` never answers; `cut` drops the connection half way, and `short` ends the
    answer there, as a gateway does whose own provider is gone; `limit` refuses everybody for so many seconds;
    `stop_reason` is another one than the blocks would have ("max_tokens")."""

    text: str = ""
    parts: tuple[str, ...] = ()
    thinking: str = ""
    tools: tuple[ToolCall, ...] = ()
    error: int | None = None
    message: str = ""
    body: Json = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0
    chunk_delay: float = 0
    usage: Json = field(default_factory=dict)
    hang: bool = False
    cut: bool = False
    short: bool = False
    limit: float = 0
    stop_reason: str = ""


class Rule(Struct, frozen=True):
    """What to answer, how often (None: for ever; the last reply repeats), and when ("": no condition)."""

    replies: tuple[Reply, ...]
    times: int | None
    anywhere: str = ""
    last: str = ""
    system: str = ""
    tool: str = ""
    without_tool: str = ""
    token: str = ""
    model: str = ""

    def matches(self, request: Request) -> bool:
        return (
            self.token in ("", request.token)
            and self.model in ("", request.json.get("model"))
            and (not self.tool or self.tool in request.tools)
            and self.without_tool not in request.tools
            and self.last in request.last
            and self.system in request.system
            and self.anywhere in request.text
        )


class Request(Struct, frozen=True):
    """One request as it came; `json` is {} unless the body is an object, `rule` is the index of its rule."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    json: Json
    time: float
    rule: int | None = None

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path}, rule={self.rule})"  # a whole conversation helps nobody

    @property
    def is_message(self) -> bool:
        return self.method == "POST" and self.asks_for("/v1/messages")

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ") or self.headers.get("x-api-key", "")

    @property
    def tools(self) -> frozenset[str]:
        return frozenset(str(tool.get("name")) for tool in _objects(self.json.get("tools")))

    @property
    def system(self) -> str:
        return "\n".join(_texts(self.json.get("system")))

    @property
    def text(self) -> str:
        return "\n".join(_texts(self.json.get("messages")))

    @property
    def last(self) -> str:
        # The client may end its messages with reminders of role system; the turn before is what asks.
        turns = [turn for turn in _objects(self.json.get("messages")) if turn.get("role") != "system"]
        return "\n".join(_texts(turns[-1:]))

    def asks_for(self, endpoint: str) -> bool:
        """Whether the path ends so; what stands before is the base URL's own path."""
        return urlsplit(self.path).path.endswith(endpoint)


def _parsed(body: bytes) -> Json:
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _texts(content: object) -> Iterator[str]:
    match content:
        case str():
            yield content
        case list():
            for part in content:
                yield from _texts(part)
        case {"text": str(text)}:
            yield text
        case {"content": inner}:
            yield from _texts(inner)


_RULE: Keys = {
    **dict.fromkeys(("anywhere", "last", "system", "tool", "without_tool", "token", "model"), (str,)),
    **{"times": (int, NoneType), "replies": (list,)},
}
_REPLY: Keys = {
    **dict.fromkeys(("text", "thinking", "message", "stop_reason"), (str,)),
    **dict.fromkeys(("hang", "cut", "short", "prompt_too_long"), (bool,)),
    **dict.fromkeys(("delay", "chunk_delay", "limit"), (int, float)),
    **{"tools": (list,), "parts": (list,), "error": (int,), "usage": (dict,), "body": (dict,), "headers": (dict,)},
}
_TOOL: Keys = {"name": (str,), "input": (dict,)}


def parse_script(script: object) -> tuple[Rule, ...]:
    """The rules of a script as JSON gives it; a `Rule` passes as it is."""
    if not isinstance(script, list | tuple):
        raise CccError(msg("a script must be a list of rules, not {type}", type=type(script).__name__))
    return tuple(raw if isinstance(raw, Rule) else _rule(raw, f"rule {i}") for i, raw in enumerate(script))


def _rule(raw: object, where: str) -> Rule:
    fields = _checked(raw, _RULE, where, required="replies")
    replies = tuple(_reply(reply, f"{where}, reply {i}") for i, reply in enumerate(fields["replies"]))
    return Rule(**{"times": len(replies), **fields, "replies": replies})


def _reply(raw: object, where: str) -> Reply:
    fields = _checked(raw, _REPLY, where)
    if fields.pop("prompt_too_long", False):
        fields = {"error": 400, "message": PROMPT_TOO_LONG, **fields}
    if fields.get("error", 400) not in ERRORS:
        raise CccError(
            msg("{where}: 'error' must be one of {choices}", where=where, choices=", ".join(map(str, ERRORS)))
        )
    tools = enumerate(fields.get("tools", ()))
    calls = (_checked(tool, _TOOL, f"{where}, tool {i}", required="name") for i, tool in tools)
    return Reply(**{**fields, "tools": tuple(ToolCall(**call) for call in calls)})


def _checked(raw: object, keys: Keys, where: str, *, required: str = "") -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise CccError(msg("{where} must be an object, not {type}", where=where, type=type(raw).__name__))
    if required and not raw.get(required):
        raise CccError(msg("{where}: {key} is missing or empty", where=where, key=f"{required!r}"))
    for key, value in raw.items():
        if key not in keys:
            raise CccError(
                msg("{where}: {key} is unknown", where=where, key=f"{key!r}"),
                msg("known are {names}", names=", ".join(keys)),
            )
        if type(value) not in keys[key]:  # isinstance would take true for 1
            wanted = " or ".join("null" if kind is NoneType else kind.__name__ for kind in keys[key])
            raise CccError(
                msg(
                    "{where}: {key} must be {types}, not {type}",
                    where=where,
                    key=f"{key!r}",
                    types=wanted,
                    type=type(value).__name__,
                )
            )
    return dict(raw)


def message(reply: Reply, model: object) -> Json:
    """The reply as a message of the API."""
    return {
        "id": _new_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(_content(reply)),
        "stop_reason": reply.stop_reason or ("tool_use" if reply.tools else "end_turn"),
        "stop_sequence": None,
        "usage": {**USAGE, **reply.usage},
    }


def _content(reply: Reply) -> Iterator[Json]:
    if reply.thinking:
        yield {"type": "thinking", "thinking": reply.thinking, "signature": SIGNATURE}
    for text in filter(None, (reply.text, *reply.parts)):
        yield {"type": "text", "text": text}
    for tool in reply.tools:
        yield {"type": "tool_use", "id": _new_id("toolu"), "name": tool.name, "input": tool.input}


def _new_id(kind: str) -> str:
    # Random, not counted: a resumed session still carries the ids of an earlier server.
    return f"{kind}_{secrets.token_hex(12)}"


def events(whole: Json) -> Iterator[Json]:
    """The message as the API streams it."""
    start = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    yield {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        empty, deltas = _unfolded(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield from ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": whole["usage"]}
    yield {"type": "message_stop"}


def _unfolded(block: Json) -> tuple[Json, list[Json]]:
    """The block before it is filled, and the deltas that fill it."""
    match block:
        case {"type": "text", "text": text}:
            return {**block, "text": ""}, [{"type": "text_delta", "text": piece} for piece in _pieces(text)]
        case {"type": "thinking", "thinking": text, "signature": signature}:
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(text)]
            end = {"type": "signature_delta", "signature": signature}
            return {**block, "thinking": "", "signature": ""}, [*deltas, end]
        case _:
            pieces = ["", *_pieces(json.dumps(block["input"]))]
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": p} for p in pieces]


def _pieces(text: str) -> list[str]:
    """The text in several pieces however short it is, and in some 256 however long."""
    size = max(1, min(16, len(text) // 3), len(text) // 256)
    return [text[i : i + size] for i in range(0, len(text), size)]


def _sse(event: Json) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def failure(status: int, text: str = "") -> Json:
    kind = ERRORS[status]
    error = {"type": f"{kind}_error", "message": text or kind.replace("_", " ").capitalize()}
    return {"type": "error", "error": error, "request_id": _new_id("req")}


def answer(request: Request, reply: Reply) -> tuple[int, Json]:
    """Status and body; the reply counts only when a message is asked for."""
    match request.method:
        case "POST" if request.is_message and reply.error is not None:
            return reply.error, reply.body or failure(reply.error, reply.message)
        case "POST" if request.is_message:
            return 200, message(reply, request.json.get("model"))
        case "POST" if request.asks_for("/v1/messages/count_tokens"):
            return 200, {"input_tokens": len(request.body) // 4}
        case "GET" if request.asks_for("/v1/models"):
            return 200, {"data": [MODEL], "first_id": MODEL["id"], "last_id": MODEL["id"], "has_more": False}
        case "GET" | "HEAD" if urlsplit(request.path).path == "/":
            return 200, {"name": "ccc scripted model"}
    return 404, failure(404)


class ScriptedModel:
    """A Messages API at `url`, from construction until `close` or the end of its `with` block."""

    def __init__(self, rules: Sequence[Rule | Json] = (), *, port: int = 0) -> None:
        self._rules = parse_script(rules)
        self._used = [0] * len(self._rules)
        self._requests: list[Request] = []
        self._limit: tuple[float, Reply] | None = None  # until when, and what everybody hears
        self._arrival = threading.Condition()
        try:
            self._server = _Server(port, self._take)
        except OSError as error:
            raise CccError(
                msg("cannot listen on 127.0.0.1:{port} ({reason})", port=port, reason=foreign(error.strerror)),
                msg("choose another port"),
            ) from None
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def requests(self) -> tuple[Request, ...]:
        with self._arrival:
            return tuple(self._requests)

    @property
    def messages(self) -> tuple[Request, ...]:
        return tuple(request for request in self.requests if request.is_message)

    def wait_for_messages(self, count: int, timeout: float = 30) -> tuple[Request, ...]:
        """`messages`, as soon as there are that many."""
        with self._arrival:
            if not self._arrival.wait_for(lambda: len(self.messages) >= count, timeout):
                raise TimeoutError(f"{len(self.messages)} of {count} messages came in {timeout} s")
            return self.messages

    def _take(self, request: Request) -> Reply:
        """Record the request and choose its reply, in one step, so that no two requests get the same."""
        with self._arrival:
            refused = self._refusal() if request.is_message else None
            rule = self._choose(request) if request.is_message and not refused else None
            self._requests.append(replace(request, rule=rule))
            self._arrival.notify_all()
            return refused or (Reply("ok") if rule is None else self._limiting(self._spend(rule)))

    def _refusal(self) -> Reply | None:
        until, reply = self._limit or (0.0, None)
        return reply if time.time() < until else None

    def _limiting(self, reply: Reply) -> Reply:
        """A limit begins when it is met, and its end is told to the second."""
        if not reply.limit:
            return reply
        until = math.ceil(time.time() + reply.limit)
        refusal = replace(reply, error=429, message=LIMITED.format(at=f"{datetime.fromtimestamp(until, UTC):%FT%TZ}"))
        self._limit = until, refusal
        return refusal

    def _choose(self, request: Request) -> int | None:
        left = (i for i, rule in enumerate(self._rules) if rule.times is None or self._used[i] < rule.times)
        return next((i for i in left if self._rules[i].matches(request)), None)

    def _spend(self, index: int) -> Reply:
        replies = self._rules[index].replies
        self._used[index] += 1
        return replies[min(self._used[index], len(replies)) - 1]


class _Server(ThreadingTCPServer):
    # Not http.server's own class: that asks DNS for the host's name, which can take seconds.
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, port: int, take: Callable[[Request], Reply]) -> None:
        self.take = take
        self.closing = threading.Event()
        self._connections: dict[socket.socket, threading.Thread] = {}
        super().__init__(("127.0.0.1", port), _Exchange)

    def process_request(self, request: Any, client_address: Any) -> None:
        thread = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        self._connections[request] = thread
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self._connections.pop(request, None)

    def server_close(self) -> None:
        super().server_close()
        self.closing.set()
        for connection, thread in list(self._connections.items()):
            with suppress(OSError):  # it has just ended by itself
                connection.shutdown(socket.SHUT_RDWR)
            thread.join()


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def handle(self) -> None:
        with suppress(ConnectionError):  # broken by the client, by the script, or by the end of the server
            super().handle()

    def _serve(self) -> None:
        request = self._read()
        reply = self.server.take(request)
        self._pause(None if reply.hang else reply.delay)
        status, body = answer(request, reply)
        if body.get("type") == "message" and request.json.get("stream") is True:
            self._send(status, "text/event-stream", [_sse(event) for event in events(body)], reply)
        else:
            self._send(status, "application/json", [json.dumps(body).encode()], reply)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve

    def _read(self) -> Request:
        length = self.headers.get("content-length", "")
        body = self.rfile.read(int(length) if length.isdecimal() else 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Request(self.command, self.path, headers, body, _parsed(body), time.time())

    def _send(self, status: int, kind: str, chunks: Sequence[bytes], reply: Reply) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command == "HEAD":
            return
        for chunk in chunks[: len(chunks) // 2] if reply.cut or reply.short else chunks:
            self._pause(reply.chunk_delay if chunk.startswith(b"event: content_block_delta") else 0)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        if reply.cut:
            raise ConnectionAbortedError
        self.wfile.write(b"0\r\n\r\n")

    def _pause(self, seconds: float | None) -> None:
        if self.server.closing.wait(seconds):
            raise ConnectionAbortedError

    def log_message(self, *_: object) -> None:
        """stderr is the person's; what came in is in `requests`."""
