"""Claude's stream-json as events: bytes in, events out, no I/O.

Rule: every fact ccc believes about the wire format is in this file; what the client's words about a call mean is
conversation.py's, for the transcript has the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeGuard

from msgspec import MsgspecError, Struct, field
from msgspec.json import Decoder
from msgspec.structs import replace

from ccc.base import anyjson, strictjson
from ccc.base.patterns import pattern
from ccc.base.text import encodable
from ccc.claude import pricing
from ccc.model import Task

MAX_LINE = 16 * 1024 * 1024
_decoded = Decoder().decode
SYNTHETIC = "<synthetic>"  # the model of an answer that the client made up itself
# 2.0.76 asks a model that cannot be reached for its structured answer, for ever; the model's part is an API error.
NAGGING, UNREACHABLE = "You MUST call the StructuredOutput tool", "API Error"
STRUCTURED = "StructuredOutput"  # the tool by which a verdict is given where a schema asks for it
PLANNED = "ExitPlanMode"  # the tool by which a plan is put before the person; who allows it has accepted the plan
HOOK_FEEDBACK = "Stop hook feedback:"  # how the client tells the model that a Stop hook has blocked
_ENDS = ("end_turn", "stop_sequence", "tool_use", "")  # how a model ends what it says, by itself


class Init(Struct, frozen=True):
    """A turn begins; a live agent says so again at each turn."""

    session_id: str | None
    model: str
    version: str
    tools: tuple[str, ...]
    permission_mode: str
    commands: tuple[str, ...] = ()  # with a slash, as far as the client lists them


class Text(Struct, frozen=True, gc=False):
    """Words of the agent; `by_client` when no model said them: the answer to a local command, an API error, which has
    its name in `error`. `message` is the id of the model's message, which may come in several of these."""

    text: str
    subagent: bool = False
    by_client: bool = False
    error: str = ""
    message: str = ""


class Thinking(Struct, frozen=True, gc=False):
    text: str
    subagent: bool = False


class Used(Struct, frozen=True):
    """What one answer of the model took, told at its end where messages come in pieces; the `result` has it again.

    Of a subagent's the client tells less than it took, and of some nothing: nested ones', or the last one of each.
    """

    tokens: int
    weight: float  # in tokens of plain input
    subagent: bool = False
    model: str = ""  # of a subagent


class PartialText(Struct, frozen=True, gc=False):
    """A piece of a Text that will also come whole."""

    text: str
    subagent: bool = False


class PartialThinking(Struct, frozen=True, gc=False):
    """A piece of a Thinking that will also come whole."""

    text: str
    subagent: bool = False


class UserText(Struct, frozen=True):
    """What the agent was told: a hook's feedback or a subagent's task; the person's prompt is not echoed."""

    text: str
    subagent: bool = False


class ToolUse(Struct, frozen=True, gc=False):
    id: str
    name: str
    input: Mapping[str, object]
    subagent: bool = False
    message: str = ""  # that it is of, as in Text


class Hunk(Struct, frozen=True, gc=False):
    """A place in a file that an edit has changed: its first line before and after, and the lines, each behind a blank,
    a minus or a plus."""

    old_start: int
    new_start: int
    lines: tuple[str, ...]


class ToolResult(Struct, frozen=True, gc=False):
    id: str
    is_error: bool
    text: str
    subagent: bool = False
    patch: tuple[Hunk, ...] = ()  # what an edit came to, by newer clients


class ToolProgress(Struct, frozen=True):
    """A tool call that is still running, first after 30 s."""

    id: str
    name: str
    seconds: float
    subagent: bool = False


class Retry(Struct, frozen=True):
    attempt: int
    max_retries: int
    delay_ms: int
    status: int | None
    error: str


class RateLimit(Struct, frozen=True):
    """A subscription is used up, until so many seconds since 1970. Only clients with a login tell it."""

    resets_at: float | None


class PermissionDenied(Struct, frozen=True):
    tool: str
    message: str


class Notice(Struct, frozen=True):
    """Something the client tells the person."""

    subtype: str
    text: str


class BackgroundTasks(Struct, frozen=True):
    """All that the agent has left running, told whenever that changes; it goes on by itself when one ends."""

    tasks: tuple[Task, ...]


class TaskStarted(Struct, frozen=True):
    """Which call of a tool has left it running."""

    task: str
    call: str


class Permits(Struct, frozen=True):
    """What the agent may do unasked has changed, in the midst of a turn too: the person has accepted its plan, say."""

    mode: str


class ControlRequest(Struct, frozen=True):
    """The client asks and waits; answer `can_use_tool` with allow_tool or deny_tool."""

    request_id: str
    subtype: str
    tool_name: str
    input: Mapping[str, object]
    description: str
    call: str = ""  # the ToolUse that waits for it


class Spending(Struct, frozen=True):
    """What the client counted, subagents' as well, and what a token of plain input costs on the model that cost most.
    Both are of one result, or of all since the process began."""

    cost_usd: float = 0.0
    price_usd: float = 0.0
    tokens: int = 0

    def since(self, before: Spending) -> Spending:
        cost, tokens = self.cost_usd - before.cost_usd, self.tokens - before.tokens
        return Spending(max(0.0, cost), self.price_usd, max(0, tokens))


class ControlResponse(Struct, frozen=True):
    """`commands` are those with a slash, in the answer to `initialize`; `session`, in the answer to `get_usage`, is
    what was spent by now."""

    request_id: str
    subtype: str
    error: str
    commands: tuple[str, ...] = ()
    session: Spending = Spending()


class Usage(Struct, frozen=True):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_creation_tokens: int = 0

    @property
    def all_tokens(self) -> int:
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_creation_tokens


class HookAsks(Struct, frozen=True):
    """A hook has the client ask the model something of its own: the next answer may be to that."""


class Finished(Struct, frozen=True):
    """The end of a turn. An API failure is `subtype` success with `is_error` true.

    `cost_usd` is the session's: with --resume, -c and --fork-session the client adds what earlier processes have told
    into the transcript when they ended. `spending` is this result's own, `session` all that the process tells of.
    """

    subtype: str = "success"
    is_error: bool = False
    result: str | None = None
    structured_output: object | None = None
    session_id: str | None = None
    cost_usd: float | None = None
    num_turns: int = 0
    duration_ms: int = 0
    usage: Usage = field(default_factory=Usage)
    spending: Spending | None = None  # None where the client tells too little of it
    session: Spending = Spending()
    prices: Mapping[str, float] = field(default_factory=dict)  # of a token of plain input, by the session's models
    permission_denials: tuple[str, ...] = ()
    terminal_reason: str = ""
    api_error_status: int | None = None
    errors: tuple[str, ...] = ()
    resets_at: float | None = None  # of the limit that a `RateLimit` before it has told; the hearer's to put in
    origin: str = ""  # whose turn it ends, where that was not the prompt's: "task-notification" and the like
    stop_reason: str = ""  # of the model's last message, by the API's word
    unheard: bool = False  # the words are the client's, and no model was asked; the hearer's to put in

    @property
    def answers_the_prompt(self) -> bool:
        """A notice of a background task, a cron or a teammate's message ends with a `result` as well."""
        return self.origin in ("", "human")

    @property
    def succeeded(self) -> bool:
        return not self.is_error and self.subtype in ("success", "")

    @property
    def is_cut_off(self) -> bool:
        """Whether something else than the model itself has ended what it said: a filter, a limit, a pause."""
        return self.stop_reason not in _ENDS

    @property
    def by_api(self) -> bool:
        """Whether the turn ended because the API failed; all that the client gives up by itself is named otherwise."""
        return self.is_error and self.subtype in ("success", "")

    @property
    def trouble(self) -> str:
        """What the client says went wrong; empty when it says nothing: `success` is no reason."""
        status = f"HTTP {self.api_error_status}" if self.api_error_status else ""
        named = (word for word in (self.terminal_reason, self.subtype) if word not in ("success", "completed"))
        return self.result or "; ".join(self.errors) or status or next(filter(None, named), "")


class Other(Struct, frozen=True):
    """A well-formed message, or a `block` of one, that ccc has no use for."""

    type: str
    subtype: str


class Complaint(Struct, frozen=True):
    """A line of the client's stderr, which is no part of the stream."""

    text: str


BadReason = Literal["not JSON", "not an object", "no type", "too long"]


class BadLine(Struct, frozen=True):
    reason: BadReason
    size: int


Event = (
    Init
    | Text
    | Thinking
    | Used
    | PartialText
    | PartialThinking
    | UserText
    | ToolUse
    | ToolResult
    | ToolProgress
    | Retry
    | RateLimit
    | PermissionDenied
    | Notice
    | BackgroundTasks
    | TaskStarted
    | Permits
    | ControlRequest
    | ControlResponse
    | Finished
    | HookAsks
    | Other
    | Complaint
    | BadLine
)

Message = dict[str, Any]
Line = bytes | bytearray


class StreamParser:
    """Feed it what the client writes, in any pieces; it never raises."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self.session_id: str | None = None
        self._last: _Assistant | _User | Message | None = None  # line of the agent's own, or of a tool's
        self._aside: dict[str, tuple[int, float]] = {}  # of a subagent's message, which comes in several lines
        self._max_line = max_line
        self._held = bytearray()
        self._size = 0

    def feed(self, data: bytes) -> list[Event]:
        if len(data) > self._max_line:
            return [event for piece in _pieces(data, self._max_line) for event in self.feed(piece)]
        first, *lines = data.split(b"\n")
        self._hold(first)
        if not lines:
            return []
        events, rest = self._flush(), lines.pop()
        for line in lines:
            events += self._line(line)
        self._hold(rest)
        return events

    def close(self) -> list[Event]:
        """The events of a last line that has no newline."""
        return self._flush()

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._max_line:
            self._held = bytearray()
        else:
            self._held += piece

    def _flush(self) -> list[Event]:
        line, size = self._held, self._size
        self._held, self._size = bytearray(), 0
        return self._line(line) if size <= self._max_line else [BadLine("too long", size)]

    @property
    def answer(self) -> str:
        """What the client knows the last line of the agent's, or of a tool's, by."""
        return _uuid(self._last)

    def _line(self, line: Line) -> list[Event]:
        if line.startswith(_WORK) and self.session_id is not None:
            try:
                work: _Assistant | _User = _read_work(line)
            except (MsgspecError, RecursionError):  # a block that ccc does not know, or an odd value
                return self._any_line(line)
            if work.parent_tool_use_id is not None:
                return [*work.events(subagent=True), *self._used_aside(work.message)]
            self._last = work
            return work.events(subagent=False)
        return self._any_line(line)

    def _any_line(self, line: Line) -> list[Event]:
        try:
            message = strictjson.loads(line)
        except ValueError:
            return self._odd_line(line)
        return self._message(message, line)

    def _message(self, message: Any, line: Line) -> list[Event]:
        try:
            decode = _MESSAGES[message["type"]]
        except (KeyError, TypeError):  # not an object, no type, or one that ccc does not know
            return self._odd_message(message, line)
        if self.session_id is None:
            self.session_id = _session_id(message)
        events = decode(message)
        if decode is _blocks and _is_of_main_thread(message, events):
            self._last = message
        if decode is _blocks and _subagent(message):
            events += self._used_aside(_answer_of(_object(message, "message")))
        return events

    def _used_aside(self, answer: _Answer | _Results) -> list[Event]:
        """What this line of a subagent's message tells beyond those before it."""
        if not isinstance(answer, _Answer):
            return []
        tokens, weight = _used(answer.usage)
        known = self._aside.get(answer.id, (0, 0.0))
        self._aside[answer.id] = max(known, (tokens, weight))
        more = tokens - known[0]
        return [Used(more, max(0.0, weight - known[1]), subagent=True, model=answer.model)] if more > 0 else []

    def _odd_line(self, line: Line) -> list[Event]:
        bare = _TERMINAL.sub(b"", line).strip()
        if not bare:
            return []
        try:
            # Clients up to 2.1.132 cut emoji in half, and no answer may be lost for a character.
            message = anyjson.loads(bare)
        except ValueError:
            return [BadLine("not JSON", len(line))]
        return self._message(message, line)

    def _odd_message(self, message: object, line: Line) -> list[Event]:
        if not isinstance(message, dict):
            return [BadLine("not an object", len(line))]
        if not isinstance(kind := message.get("type"), str):
            return [BadLine("no type", len(line))]
        self.session_id = self.session_id or _session_id(message)
        return [Other(kind, _text(message, "subtype"))]


def is_for_people(complaint: str) -> bool:
    """Not a note to programs: `[claude-code:unrecognized_model] {…}` comes at every start with a foreign model."""
    return not complaint.startswith("[claude-code:")


def user_message(text: str) -> bytes:
    return _encoded({"type": "user", "message": {"role": "user", "content": encodable(text)}})


def answered_by(line: Line) -> str:
    """The model that an `assistant` line says it is from, by the provider's own word; empty for any other line."""
    if b'"assistant"' not in line:
        return ""
    try:
        message = _decoded(line)
        model = message["message"]["model"] if message["type"] == "assistant" else ""
    except (MsgspecError, RecursionError, KeyError, TypeError):
        return ""
    return model if isinstance(model, str) and model != SYNTHETIC and not _subagent(message) else ""


def interrupt(request_id: str) -> bytes:
    """End the running turn; the client answers with ControlResponse and Finished, and lives on."""
    return _control(request_id, "interrupt")


def initialize(request_id: str) -> bytes:
    """Ask what the client knows; it answers with ControlResponse, before and between turns, and calls no model."""
    return _control(request_id, "initialize")


def is_answer(line: Mapping[str, Any], beginning: str) -> bool:
    """Whether this line answers a question whose id begins so."""
    told = line.get("type") == "control_response" and line.get("response")
    return isinstance(told, dict) and _text(told, "request_id").startswith(beginning)


def get_usage(request_id: str) -> bytes:
    """Ask what the session has cost; answered in the midst of a turn as well, by 2.1.200 and not yet by 2.0.76."""
    return _control(request_id, "get_usage")


def set_permission_mode(request_id: str, mode: str) -> bytes:
    """What the agent may do unasked from now on, in the midst of a turn too; each `init` tells it."""
    return _control(request_id, "set_permission_mode", mode=mode)


def _control(request_id: str, subtype: str, **more: str) -> bytes:
    request = {"subtype": subtype, **more}
    return _encoded({"type": "control_request", "request_id": encodable(request_id), "request": request})


def allow_tool(request_id: str, tool_input: Mapping[str, object]) -> bytes:
    try:
        return _answer(request_id, {"behavior": "allow", "updatedInput": dict(tool_input)})
    except ValueError:  # nested too deep
        return deny_tool(request_id, "The input of this tool call could not be passed on.")


def deny_tool(request_id: str, message: str) -> bytes:
    return _answer(request_id, {"behavior": "deny", "message": encodable(message)})


def _safe_id(value: object) -> str | None:
    """The id if it is safe in a path and in argv."""
    if isinstance(value, str) and _SESSION_ID.match(value) and ".." not in value:
        return value
    return None


_SESSION_ID = pattern(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")

# What a pty carries beside the lines, above all the cursor that the client shows again at its end.
_TERMINAL = pattern(rb"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|[=>78])")


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def _encoded(message: Mapping[str, object]) -> bytes:
    data = strictjson.dumps(message) + b"\n"
    # Node's readline ends a line at these two as well.
    return data.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")


def _answer(request_id: str, response: Mapping[str, object]) -> bytes:
    answer = {"subtype": "success", "request_id": encodable(request_id), "response": response}
    return _encoded({"type": "control_response", "response": answer})


def _text(message: Message, key: str) -> str:
    value = message.get(key)
    return value if isinstance(value, str) else ""


def _number(message: Message, key: str) -> float | None:
    value = message.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(message: Message, key: str) -> int:
    return int(_number(message, key) or 0)


def _status(message: Message, key: str) -> int | None:
    number = _number(message, key)
    return None if number is None else int(number)


def _object(message: Message, key: str) -> Message:
    value = message.get(key)
    return value if isinstance(value, dict) else {}


def _list(message: Message, key: str) -> list[object]:
    value = message.get(key)
    return value if isinstance(value, list) else []


def _texts(message: Message, key: str) -> tuple[str, ...]:
    return tuple(value for value in _list(message, key) if isinstance(value, str))


def _session_id(message: Message) -> str | None:
    return _safe_id(message.get("session_id")) or _safe_id(message.get("sessionId"))


def _subagent(message: Message) -> bool:
    return message.get("parent_tool_use_id") is not None


def _is_of_main_thread(message: Message, events: list[Event]) -> bool:
    """Whether the agent has said it, or a tool has returned it to the agent: what else the agent is told is the
    client's or a person's."""
    own = message["type"] == "assistant" or any(isinstance(event, ToolResult) for event in events)
    return own and not _subagent(message)


def _said(block: Message, subagent: bool) -> Event:
    text = block.get("text")
    return Text(text if isinstance(text, str) else "", subagent)


def _thought(block: Message, subagent: bool) -> Event:
    return Thinking(_text(block, "thinking"), subagent)


def _called(block: Message, subagent: bool) -> Event:
    return ToolUse(_text(block, "id"), _text(block, "name"), _object(block, "input"), subagent)


def _told(block: Message, subagent: bool) -> Event:
    return UserText(_text(block, "text"), subagent)


def _returned(block: Message, subagent: bool) -> Event:
    content = block.get("content")
    text = content if isinstance(content, str) else _joined(_list(block, "content"))
    # Many tools leave `is_error` out when all went well.
    return ToolResult(_text(block, "tool_use_id"), block.get("is_error") is True, text, subagent)


def _patch(result: object) -> tuple[Hunk, ...]:
    hunks = _list(result, "structuredPatch") if isinstance(result, dict) else []
    return tuple(
        Hunk(_amount(hunk, "oldStart"), _amount(hunk, "newStart"), tuple(filter(_is_text, _list(hunk, "lines"))))
        for hunk in hunks
        if isinstance(hunk, dict)
    )


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


def _joined(parts: list[object]) -> str:
    return "\n".join(_text(part, "text") or f"[{_text(part, 'type')}]" for part in parts if isinstance(part, dict))


_BLOCKS: Mapping[str, Mapping[str, Callable[[Message, bool], Event]]] = {
    "assistant": {"text": _said, "thinking": _thought, "tool_use": _called},
    "user": {"text": _told, "tool_result": _returned},
}


# --- the agent's work, as nearly every line has it: read into what is wanted of it, twice as fast ---------------------
# Nothing in these, nor in the events, can lead back to itself, so no garbage collector needs to know of them.


class _Words(Struct, gc=False, tag_field="type", tag="text"):
    text: str

    def event(self, line: _Assistant, subagent: bool) -> Event:
        by_client = line.message.model == SYNTHETIC
        return Text(self.text, subagent, by_client, line.error if by_client else "", line.message.id)


class _Thoughts(Struct, gc=False, tag_field="type", tag="thinking"):
    thinking: str

    def event(self, line: _Assistant, subagent: bool) -> Event:
        return Thinking(self.thinking, subagent)


class _Use(Struct, gc=False, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: dict[str, Any]

    def event(self, line: _Assistant, subagent: bool) -> Event:
        return ToolUse(self.id, self.name, self.input, subagent, line.message.id)


class _Return(Struct, gc=False, tag_field="type", tag="tool_result"):
    tool_use_id: str
    content: str
    is_error: bool = False


class _Answer(Struct, gc=False):
    content: list[_Words | _Thoughts | _Use]
    model: str = ""
    id: str = ""
    usage: dict[str, Any] = {}


def _answer_of(body: Message) -> _Answer:
    return _Answer([], _text(body, "model"), _text(body, "id"), _object(body, "usage"))


class _Results(Struct, gc=False):
    content: list[_Return]


class _Assistant(Struct, gc=False, tag_field="type", tag="assistant"):
    message: _Answer
    parent_tool_use_id: str | None = None
    error: str = ""
    uuid: str = ""

    def events(self, subagent: bool) -> list[Event]:
        return [block.event(self, subagent) for block in self.message.content]


class _Change(Struct, gc=False):
    oldStart: int
    newStart: int
    lines: tuple[str, ...]


class _Changes(Struct, gc=False):
    structuredPatch: tuple[_Change, ...] = ()


class _User(Struct, gc=False, tag_field="type", tag="user"):
    message: _Results
    parent_tool_use_id: str | None = None
    tool_use_result: _Changes | str | list[Any] | None = None
    uuid: str = ""

    def events(self, subagent: bool) -> list[Event]:
        told = self.tool_use_result
        patch = _hunks(told.structuredPatch) if isinstance(told, _Changes) else ()
        return [ToolResult(it.tool_use_id, it.is_error, it.content, subagent, patch) for it in self.message.content]


def _hunks(changes: tuple[_Change, ...]) -> tuple[Hunk, ...]:
    return tuple(Hunk(each.oldStart, each.newStart, each.lines) for each in changes) if changes else ()


def _uuid(last: _Assistant | _User | Message | None) -> str:
    """Of a line of the agent's own; what the client says in the model's place has none that counts."""
    match last:
        case _Assistant(message=_Answer(model=model), uuid=uuid):
            return "" if model == _SYNTHETIC else uuid
        case _User(uuid=uuid):
            return uuid
        case {"message": {"model": str(model)}} if model == _SYNTHETIC:
            return ""
        case dict():
            return _text(last, "uuid")
    return ""


_SYNTHETIC = "<synthetic>"


_WORK = (b'{"type":"assistant"', b'{"type":"user"')
_read_work = Decoder(_Assistant | _User).decode


def _blocks(message: Message) -> list[Event]:
    decoders = _BLOCKS[message["type"]]
    subagent = message.get("parent_tool_use_id") is not None
    body = message.get("message")
    content = body.get("content") if isinstance(body, dict) else None
    if not isinstance(content, list):
        content = [{"type": "text", "text": content}] if isinstance(content, str) else []
    events = []
    for block in content:
        try:
            decode = decoders[block["type"]]
        except (KeyError, TypeError):  # not an object, or a block that ccc does not know
            decode = _unknown
        events.append(decode(block, subagent))
    patch = _patch(message.get("tool_use_result"))
    if patch:
        events = [replace(event, patch=patch) if isinstance(event, ToolResult) else event for event in events]
    if isinstance(body, dict) and (id_ := _text(body, "id")):
        events = [replace(event, message=id_) if isinstance(event, Text | ToolUse) else event for event in events]
    if isinstance(body, dict) and body.get("model") == SYNTHETIC:
        made_up = {"by_client": True, "error": _text(message, "error")}
        return [replace(event, **made_up) if isinstance(event, Text) else event for event in events]
    return events


def _unknown(block: object, _subagent: bool) -> Event:
    return Other("block", _text(block, "type") if isinstance(block, dict) else "")


def _stream_event(message: Message) -> list[Event]:
    # With partial messages most lines come through here, and are a few letters each.
    event = message.get("event")
    if type(event) is not dict:
        return [_other("stream_event", "")]
    delta = event.get("delta")
    if type(delta) is dict and delta.get("type") == "text_delta":
        return [PartialText(_text(delta, "text"), message.get("parent_tool_use_id") is not None)]
    if type(delta) is dict and delta.get("type") == "thinking_delta":
        return [PartialThinking(_text(delta, "thinking"), message.get("parent_tool_use_id") is not None)]
    if event.get("type") == "message_delta":
        return [Used(*_used(_object(event, "usage")))]
    return [_other("stream_event", _text(event, "type"))]


# Frozen, so one of a kind is enough; making one takes as long as reading a short line.
_other = lru_cache(maxsize=256)(Other)
_HOOK_SAID = Other("system", "hook_response")


def _system(message: Message) -> list[Event]:
    subtype = _text(message, "subtype")
    decode = _SYSTEM.get(subtype)
    return [decode(message) if decode else Other("system", subtype)]


def _init(message: Message) -> Event:
    return Init(
        session_id=_session_id(message),
        model=_text(message, "model"),
        version=_text(message, "claude_code_version"),
        tools=_texts(message, "tools"),
        permission_mode=_text(message, "permissionMode"),
        commands=_texts(message, "slash_commands"),
    )


def _retry(message: Message) -> Event:
    return Retry(
        attempt=_count(message, "attempt"),
        max_retries=_count(message, "max_retries"),
        delay_ms=_count(message, "retry_delay_ms"),
        status=_status(message, "error_status"),
        error=_text(message, "error"),
    )


def _rate_limit(message: Message) -> list[Event]:
    told = _object(message, "rate_limit_info")
    if _text(told, "status") != "rejected":  # it comes as well to tell that all is well, or nearly used up
        return [Other("rate_limit_event", "")]
    return [RateLimit(_number(told, "resetsAt"))]


def _denied(message: Message) -> Event:
    return PermissionDenied(_text(message, "tool_name"), _text(message, "message"))


def _background_tasks(message: Message) -> Event:
    tasks = [task for task in _list(message, "tasks") if isinstance(task, dict)]
    return BackgroundTasks(tuple(Task(_text(task, "task_id"), _text(task, "description")) for task in tasks))


def _task_started(message: Message) -> Event:
    return TaskStarted(_text(message, "task_id"), _text(message, "tool_use_id"))


def _standing(message: Message) -> Event:
    # It comes for other reasons, too, and then without a mode.
    mode = _text(message, "permissionMode")
    return Permits(mode) if mode else Other("system", "status")


def _notice(message: Message) -> Event:
    # `notification` has its words in `text`, `informational` in `content`.
    return Notice(_text(message, "subtype"), _text(message, "text") or _text(message, "content"))


def _hook_response(message: Message) -> Event:
    """A client asks the model such a word before the prompt it was started with, or after it (2.1.326)."""
    said = _text(message, "output") or _text(message, "stdout")
    return HookAsks() if "initialUserMessage" in said or "initialUserMessage" in _decoded_again(said) else _HOOK_SAID


def _decoded_again(said: str) -> str:
    """JSON within a string, without the ways to write a letter otherwise."""
    from ccc.base import anyjson  # in here: hardly a client's hook says anything

    try:
        return repr(anyjson.loads(said.strip().lstrip("\ufeff").encode("utf-8", "replace"))) if "\\u" in said else ""
    except ValueError:
        return said


def _tool_progress(message: Message) -> list[Event]:
    seconds = _number(message, "elapsed_time_seconds") or 0
    id_, name = _text(message, "tool_use_id"), _text(message, "tool_name")
    return [ToolProgress(id_, name, seconds, _subagent(message))]


def _control_request(message: Message) -> list[Event]:
    request = _object(message, "request")
    return [
        ControlRequest(
            request_id=_text(message, "request_id"),
            subtype=_text(request, "subtype"),
            tool_name=_text(request, "tool_name"),
            input=_object(request, "input"),
            description=_text(request, "description"),
            call=_text(request, "tool_use_id"),
        )
    ]


def _control_response(message: Message) -> list[Event]:
    response = _object(message, "response")
    answer = _object(response, "response")
    listed = [each for each in _list(answer, "commands") if isinstance(each, dict)]
    return [
        ControlResponse(
            request_id=_text(response, "request_id"),
            subtype=_text(response, "subtype"),
            error=_text(response, "error"),
            commands=tuple(name for name in (_text(each, "name") for each in listed) if name),
            session=_counted(_object(_object(answer, "session"), "model_usage")),
        )
    ]


def _bare_text(message: Message) -> list[Event]:
    return [Text(_text(message, "text"), _subagent(message))]


def _error(message: Message) -> list[Event]:
    error = _text(message, "error") or _text(_object(message, "error"), "message")
    return [Notice("error", error or _text(message, "message"))]


def _result(message: Message) -> list[Event]:
    result = message.get("result")
    return [
        Finished(
            subtype=_text(message, "subtype"),
            # Absent is no error; any other value than false is one, for a doubtful answer must not block.
            is_error=message.get("is_error") not in (None, False),
            result=result if isinstance(result, str) else None,
            structured_output=message.get("structured_output"),
            session_id=_session_id(message),
            cost_usd=_number(message, "total_cost_usd"),
            num_turns=_count(message, "num_turns"),
            duration_ms=_count(message, "duration_ms"),
            usage=_usage(_object(message, "usage")),
            spending=_spending(message),
            session=_counted(_object(message, "modelUsage")),
            prices=_prices(_object(message, "modelUsage")),
            permission_denials=_denied_tools(message),
            terminal_reason=_text(message, "terminal_reason"),
            origin=_origin(message),
            stop_reason=_text(message, "stop_reason"),
            api_error_status=_status(message, "api_error_status"),
            errors=_texts(message, "errors"),
        )
    ]


def _origin(message: Message) -> str:
    """Only a `result` without one is the prompt's for certain; one that cannot be read might be anybody's."""
    if message.get("origin") is None:
        return ""
    return _text(_object(message, "origin"), "kind") or "unknown"


def _usage(usage: Message) -> Usage:
    return Usage(
        input_tokens=_count(usage, "input_tokens"),
        output_tokens=_count(usage, "output_tokens"),
        cache_read_tokens=_count(usage, "cache_read_input_tokens"),
        cache_creation_tokens=_count(usage, "cache_creation_input_tokens"),
    )


def _spending(message: Message) -> Spending | None:
    """What was counted since the result before, whatever a resume has added to the session's sum.

    `usage` is this turn's, `modelUsage` the session's. Where nobody tells the difference it is what the one model cost
    that has no other tokens, else the share that this turn's have in all: right for one model, and too little where a
    helper's are among them.
    """
    own = message.get("model_usage_since_last_result")
    if isinstance(own, dict):
        return _counted(own)
    session, total = _object(message, "modelUsage"), _number(message, "total_cost_usd")
    turn, all_of_it = _usage_weight(_object(message, "usage")), _weight_of(session)
    if total is None or not all_of_it:
        return None
    alone = {name: part for name, part in _parts(session).items() if turn and _model_weight(part) == turn}
    if len(alone) == 1:
        return _counted(alone)
    return Spending(max(0.0, total) * min(1.0, turn / all_of_it), _counted(session).price_usd)


def _counted(by_model: Message) -> Spending:
    parts = _parts(by_model)
    costs = {name: _cost(part) for name, part in parts.items()}
    dearest = max(parts, key=lambda name: (costs[name], _model_weight(parts[name])), default="")
    tokens = sum(_amount(part, name) for part in parts.values() for name in _MODEL_USAGE)
    return Spending(sum(costs.values()), _prices(by_model).get(dearest, 0.0), tokens)


def _prices(by_model: Message) -> dict[str, float]:
    weighed = ((name, _cost(part), _model_weight(part)) for name, part in _parts(by_model).items())
    return {name: cost / weight for name, cost, weight in weighed if cost and weight}


def _parts(by_model: Message) -> dict[str, Message]:
    return {name: part for name, part in by_model.items() if isinstance(part, dict)}


def _cost(part: Message) -> float:
    return max(0.0, _number(part, "costUSD") or 0.0)


def _weight_of(by_model: Message) -> float:
    return sum(map(_model_weight, _parts(by_model).values()))


def _model_weight(part: Message) -> float:
    hour = _amount(part, "cacheCreationEphemeral1hInputTokens")
    return pricing.weight((_amount(part, name) for name in _MODEL_USAGE), hour)


_MODEL_USAGE = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
_USAGE = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def _used(usage: Message) -> tuple[int, float]:
    return sum(_amount(usage, name) for name in _USAGE), _usage_weight(usage)


def _usage_weight(usage: Message) -> float:
    hour = _amount(_object(usage, "cache_creation"), "ephemeral_1h_input_tokens")
    return pricing.weight((_amount(usage, name) for name in _USAGE), hour)


def _amount(message: Message, key: str) -> int:
    return min(max(0, _count(message, key)), 2**53)


def _denied_tools(message: Message) -> tuple[str, ...]:
    denials = _list(message, "permission_denials")
    return tuple(_text(denial, "tool_name") for denial in denials if isinstance(denial, dict))


_SYSTEM: Mapping[str, Callable[[Message], Event]] = {
    "init": _init,
    "api_retry": _retry,
    "permission_denied": _denied,
    "background_tasks_changed": _background_tasks,
    "task_started": _task_started,
    "status": _standing,
    "notification": _notice,
    "informational": _notice,
    "hook_response": _hook_response,
}
_MESSAGES: Mapping[str, Callable[[Message], list[Event]]] = {
    "assistant": _blocks,
    "user": _blocks,
    "system": _system,
    "stream_event": _stream_event,
    "result": _result,
    "tool_progress": _tool_progress,
    "rate_limit_event": _rate_limit,
    "control_request": _control_request,
    "control_response": _control_response,
    "text": _bare_text,
    "error": _error,
}
