"""One request and what followed it: who asked, said and did what, in order, main thread only.

Rule: transcript lines and stream events both become the same moments here, and nothing else knows their shapes;
no I/O, total over any input, and lines of unknown kinds are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ccc import stream

Message = dict[str, Any]

OUTPUT_KEPT = 100_000
TEXT_KEPT = 200_000
IMAGE = "[image]"


class Fate(StrEnum):
    """What became of a tool call."""

    DONE = "done"
    FAILED = "failed"  # it ran and said no
    STARTED = "started"  # it runs in the background, and nothing more is known
    REFUSED = "refused"  # a person or a permission rule kept it from running
    NOT_RUN = "not run"  # cancelled, malformed, or overtaken
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Asked:
    """The person's words; `meanwhile` when they came while the agent worked."""

    text: str
    meanwhile: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """The agent's words, up to the next thing that was done or told."""

    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something that is no request: a hook's feedback, a notification, a note of the client."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `cut` when the client kept only a part of the output."""

    name: str
    input: Mapping[str, Any]
    fate: Fate = Fate.UNKNOWN
    output: str = ""
    exit_code: int | None = None
    cut: bool = False


Moment = Asked | Said | Told | Call


@dataclass(frozen=True, slots=True)
class Conversation:
    """`api_failed` when an API error ended it; not `complete` when its last message had not arrived yet."""

    moments: tuple[Moment, ...]
    tokens: int = 0
    api_failed: bool = False
    complete: bool = True


# --- transcript lines --------------------------------------------------------------------------------------------


def of_transcript(lines: Iterable[Message]) -> Conversation:
    """The conversation of one window: its request first, in the order of the file."""
    recorder = _Recorder()
    seen: set[str] = set()
    for line in lines:
        uuid = line.get("uuid")
        if isinstance(uuid, str):
            if uuid in seen:  # a resumed session may copy its history
                continue
            seen.add(uuid)
        _record(recorder, line)
    return recorder.conversation()


def begins_request(line: Message) -> bool:
    """Whether a person's request starts here; most user lines are none."""
    return _request(line) is not None


def essence(line: Message) -> Message | None:
    """The line without what no judgement needs, so that a long window stays small; None when nothing is left."""
    if line.get("type") not in ("user", "assistant", "queue-operation", "attachment"):
        return None
    if line.get("isSidechain") is True:
        return None
    if line["type"] == "attachment" and _dict(line, "attachment").get("type") != "queued_command":
        return None
    result = line.get("toolUseResult")
    if result is not None:
        line["toolUseResult"] = _short_result(result)
    for block in _blocks(line):
        if block.get("type") == "tool_result":
            block["content"], block["cut"] = _capped_output(_plain(block.get("content")))
        elif block.get("type") == "image":
            block.pop("source", None)
    return line


def ends_with_words(lines_from_end: Iterable[Message]) -> str | None:
    """The agent's last words if nothing of the main thread follows them, from lines in reverse order."""
    words: list[str] = []
    message_id: object = None
    for line in lines_from_end:
        if line.get("isSidechain") is True or line.get("type") not in ("user", "assistant"):
            continue
        body = _dict(line, "message")
        if line["type"] == "user" or (words and body.get("id") != message_id):
            break
        message_id = body.get("id")
        texts = [text for block in _blocks(line) if (text := _text(block))]
        if any(block.get("type") == "tool_use" for block in _blocks(line)) and not words:
            return None
        words[:0] = texts
    return "\n".join(words) if words else None


def _record(recorder: _Recorder, line: Message) -> None:
    if line.get("isSidechain") is True:
        return
    match line.get("type"):
        case "assistant":
            _record_assistant(recorder, line)
        case "user":
            _record_user(recorder, line)
        case "queue-operation":
            _record_queue(recorder, line)
        case "attachment":
            _record_attachment(recorder, line)


def _record_assistant(recorder: _Recorder, line: Message) -> None:
    body = _dict(line, "message")
    recorder.api_failed = line.get("isApiErrorMessage") is True
    if body.get("model") == "<synthetic>":
        return
    for block in _blocks(line):
        match block.get("type"):
            case "text":
                recorder.said(_text(block))
            case "tool_use":
                recorder.called(str(block.get("id")), str(block.get("name")), _dict(block, "input"))
    recorder.spent(str(body.get("id")), _tokens(_dict(body, "usage")))


def _record_user(recorder: _Recorder, line: Message) -> None:
    blocks = _blocks(line)
    if any(block.get("type") == "tool_result" for block in blocks):
        for block in blocks:
            if block.get("type") == "tool_result":
                recorder.returned(str(block.get("tool_use_id")), _result(line, block))
        for words in (_human_words(_text(block)) for block in blocks if block.get("type") == "text"):
            if words:
                recorder.asked(words, meanwhile=True)
        return
    if (request := _request(line)) is not None:
        recorder.asked(request)
        return
    text = _joined(blocks)
    if line.get("isMeta") is True:
        recorder.expanded(text)
    recorder.told()
    _record_notification(recorder, text)


def _record_queue(recorder: _Recorder, line: Message) -> None:
    content = _plain(line.get("content"))
    _record_notification(recorder, content)
    match line.get("operation"):
        case "enqueue":
            recorder.queued.append(content)
        case "dequeue" if recorder.queued:  # its user line follows
            recorder.queued.pop(0)
        case "remove" if recorder.queued:  # taken up while the agent worked
            index = recorder.queued.index(content) if content in recorder.queued else 0
            if words := _human_words(recorder.queued.pop(index)):
                recorder.asked(words, meanwhile=True)
        case "popAll":
            recorder.queued.clear()


def _record_attachment(recorder: _Recorder, line: Message) -> None:
    attached = _dict(line, "attachment")
    if attached.get("type") != "queued_command":
        return
    text = _plain(attached.get("prompt"))
    _record_notification(recorder, text)
    human = _dict(attached, "origin").get("kind", "human") == "human"
    if human and attached.get("commandMode", "prompt") == "prompt" and (words := _human_words(text)):
        recorder.asked(words, meanwhile=True)


def _record_notification(recorder: _Recorder, text: str) -> None:
    for notice in _NOTIFICATION.finditer(text[:TEXT_KEPT]):
        task, status = _TASK_ID.search(notice[1]), _STATUS.search(notice[1])
        codes = _EXIT_IN_SUMMARY.findall(notice[1])
        if task:
            recorder.ended(task[1], int(codes[-1]) if codes else _CODES.get(status[1] if status else ""), "")


_NOTIFICATION = re.compile(r"<task-notification>(.*?)</task-notification>", re.DOTALL)
_TASK_ID = re.compile(r"<task-id>(\w+)</task-id>")
_STATUS = re.compile(r"<status>(\w+)</status>")
# The agent's own description of the command stands before the client's words: the last one counts.
_EXIT_IN_SUMMARY = re.compile(r"\bexit code:? (\d{1,9})\)?\s*</summary>")
_CODES = {"completed": 0, "failed": 1}


# --- which user lines are requests -------------------------------------------------------------------------------


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_INTERFACE_BLOCK = re.compile(r"<(ide_\w+|system-reminder)>.*?</\1>\s*", re.DOTALL)
_NOT_HUMAN = (
    "[Request interrupted",
    "[Tool call ",
    "[Agent call ",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<user-memory-input>",
    "Caveat: The messages below",
    "Stop hook feedback",
    "This session is being continued from a previous conversation",
)
_COMMAND = re.compile(r"<command-name>\s*/?([^<\s]*)\s*</command-name>")
_COMMAND_ARGS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_COMMAND_LINE = re.compile(r"\A<command-(?:message|name)>")
# The client's own commands, which no model answers. /goal and /plan with words are requests.
LOCAL_COMMANDS = _names(
    """
    add-dir advisor agents allowed-tools app approved-tools artifacts auto-mode-setup autocompact background
    bashes bg branch brief btw bug cd checkpoint chrome clear cloud-plugins color compact config context continue
    copy cost daemon desktop diff doctor effort env exit export extra-usage fast feedback files focus fork goal
    heapdump help hooks ide import install install-github-app install-slack-app keybindings list-agents login
    logout loops mcp memory migrate-installer mobile model new output-style output-style:new passes pause-memory
    permissions plan plugin plugins powerup privacy-settings project quit radio rate-limit-options recap
    release-notes reload-plugins reload-skills remote-control remote-env rename reset restart resume rewind
    sandbox scroll-speed session settings setup-bedrock setup-vertex skill-doctor skills stats status statusline
    stickers stop subtask tag tasks teleport terminal-setup theme todos tui undo upgrade usage usage-credits
    version vim voice web-setup wellbeing workflows
    """
)
_WORKING_COMMANDS = frozenset({"goal", "plan"})
_NOT_FROM_A_PERSON = frozenset({"task-notification", "auto-continuation", "observer"})


def _request(line: Message) -> str | None:
    """The words of the request that this line is, or None. The order of the tests matters."""
    if line.get("type") != "user" or line.get("isSidechain") is True:
        return None
    blocks = _blocks(line)
    if any(block.get("type") == "tool_result" for block in blocks):
        return None
    if any(line.get(flag) is True for flag in ("isCompactSummary", "isVisibleInTranscriptOnly", "isMeta")):
        return None
    if line.get("promptSource") == "system" or _dict(line, "origin").get("kind") in _NOT_FROM_A_PERSON:
        return None
    words = _human_words(_joined(blocks))
    if words:
        return words
    return IMAGE if any(block.get("type") == "image" for block in blocks) else None


def _human_words(text: str) -> str:
    """What a person typed in this text; empty when the interface wrote it."""
    text = _INTERFACE_BLOCK.sub("", text).strip()
    if text.startswith(_NOT_HUMAN):
        return ""
    if _COMMAND_LINE.match(text) and (command := _COMMAND.search(text)):
        return _command_words(command[1], text)
    return text


def _command_words(name: str, text: str) -> str:
    found = _COMMAND_ARGS.search(text)
    args = found[1].strip() if found else ""
    if name in LOCAL_COMMANDS and not (name in _WORKING_COMMANDS and args):
        return ""
    return f"/{name} {args}".strip()


# --- what became of a call ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Result:
    fate: Fate
    output: str = ""
    exit_code: int | None = None
    cut: bool = False
    task: str = ""


_EXIT_CODE = re.compile(r"\A(?:Error: )?Exit code (\d{1,9})\b\s*")
_REFUSED = re.compile(
    r"doesn't want to (?:proceed|take this action)|User rejected tool use|haven't granted it yet"
    r"|(?:requires?|needs) approval|Permission (?:to use|for this) .{0,200}?denied|has been denied|was denied"
    r"|User denied permission|was refused and did not run",
    re.DOTALL,
)
_NOT_RUN = re.compile(
    r"Sibling tool call errored|<tool_use_error>|\[Request interrupted|\[Tool call |\[Agent call |Cancelled: "
)
_BACKGROUND = re.compile(
    r"\ACommand (?:running in background with ID: |was manually backgrounded by user with ID: "
    r"|was moved to the background \(ID: )(\w+)"
)
_TASK_OUTPUT = re.compile(r"<(retrieval_status|task_id|status|exit_code|output|stdout|stderr)>(.*?)</\1>", re.DOTALL)
_PERSISTED = re.compile(r"\A\s*<persisted-output>|\n\n\.\.\. \[\d+ (?:characters|lines) truncated\] \.\.\.")
_OUTPUT_TOOLS = {"TaskOutput": "task_id", "BashOutput": "bash_id", "AgentOutputTool": "agentId"}


def _result(line: Message, block: Message) -> _Result:
    text = _plain(block.get("content"))
    extra = line.get("toolUseResult")
    told = extra if isinstance(extra, str) else ""
    details = extra if isinstance(extra, dict) else {}
    found = _judged(
        text,
        is_error=block.get("is_error") is True,
        refused=line.get("toolDenialKind") not in (None, "interrupted") or told == "User rejected tool use",
        # 1.x wrote no exit code: there an error without one is the command's own.
        codes_written=not str(line.get("version", "")).startswith("1."),
    )
    task = details.get("backgroundTaskId")
    if isinstance(task, str) and task and found.fate is Fate.DONE:
        return _Result(Fate.STARTED, task=task)
    if details.get("interrupted") is True and found.fate in (Fate.DONE, Fate.FAILED):
        return _Result(Fate.UNKNOWN, found.output)
    return _Result(found.fate, found.output, found.exit_code, found.cut or block.get("cut") is True, found.task)


def _judged(text: str, *, is_error: bool, refused: bool = False, codes_written: bool = True) -> _Result:
    output, capped = _capped_output(text)
    cut = capped or bool(_PERSISTED.search(output))
    if not is_error and not refused:
        background = _BACKGROUND.match(output)
        return _Result(Fate.STARTED, task=background[1]) if background else _Result(Fate.DONE, output, 0, cut)
    code = _EXIT_CODE.match(output)
    if code and not refused:
        return _Result(Fate.FAILED, output[code.end() :], int(code[1]), cut)
    if refused or _REFUSED.search(output[:2000]):
        return _Result(Fate.REFUSED, output)
    if _NOT_RUN.search(output[:2000]) or codes_written:
        return _Result(Fate.NOT_RUN, output)
    return _Result(Fate.FAILED, output, None, cut)


# --- stream events -----------------------------------------------------------------------------------------------


class StreamReader:
    """The same moments from a live stream: tell it what the person typed and feed it every event."""

    def __init__(self) -> None:
        self._recorder = _Recorder()
        self._turns = 0

    def asked(self, text: str) -> None:
        """The person's words: the request first, then what they type meanwhile."""
        first = not self._recorder.moments
        self._recorder.asked(text, meanwhile=not first)

    def feed(self, event: stream.Event) -> None:
        recorder = self._recorder
        match event:
            case stream.Text(subagent=True) | stream.ToolUse(subagent=True) | stream.ToolResult(subagent=True):
                return
            case stream.UserText(subagent=True):
                return
            case stream.Text(text):
                recorder.said(text)
            case stream.ToolUse(id_, name, given):
                recorder.called(id_, name, given)
            case stream.ToolResult(id_, is_error, text):
                recorder.returned(id_, _judged(text, is_error=is_error))
            case stream.UserText(text):
                recorder.told()
                _record_notification(recorder, text)
            case stream.Finished(is_error=is_error, usage=usage):
                recorder.api_failed = is_error
                self._turns += 1
                total = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_creation_tokens
                recorder.spent(f"turn {self._turns}", total)

    def conversation(self) -> Conversation:
        return self._recorder.conversation()


def of_stream(request: str, events: Iterable[stream.Event]) -> Conversation:
    reader = StreamReader()
    reader.asked(request)
    for event in events:
        reader.feed(event)
    return reader.conversation()


# --- recording ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A call whose result may still come."""

    name: str
    input: Mapping[str, Any]
    result: _Result = field(default_factory=lambda: _Result(Fate.UNKNOWN))


class _Recorder:
    def __init__(self) -> None:
        self.moments: list[Asked | Said | Told | _Open] = []
        self.queued: list[str] = []
        self.api_failed = False
        self._calls: dict[str, _Open] = {}
        self._tasks: dict[str, _Open] = {}
        self._tokens: dict[str, int] = {}

    def asked(self, text: str, *, meanwhile: bool = False) -> None:
        # The same words can stand in the queue, beside a result and in an attachment.
        if not (meanwhile and any(isinstance(m, Asked) and m.text == text for m in self.moments)):
            self.moments.append(Asked(text[:TEXT_KEPT], meanwhile))

    def expanded(self, text: str) -> None:
        """The text of a custom command stands in the line after it."""
        match self.moments:
            case [*_, Asked(command, False)] if command.startswith("/") and text.strip():
                self.moments[-1] = Asked(f"{command}\n\n{text.strip()}"[:TEXT_KEPT])

    def said(self, text: str) -> None:
        if not text.strip():
            return
        match self.moments:
            case [*_, Said(before)]:
                self.moments[-1] = Said(f"{before}\n\n{text}"[-TEXT_KEPT:])
            case _:
                self.moments.append(Said(text[-TEXT_KEPT:]))

    def told(self) -> None:
        self.moments.append(Told())

    def called(self, id_: str, name: str, given: Mapping[str, Any]) -> None:
        call = _Open(name, given)
        self.moments.append(call)
        self._calls[id_] = call

    def returned(self, id_: str, result: _Result) -> None:
        call = self._calls.get(id_)
        if call is None:
            return
        call.result = result
        if result.task:
            self._tasks[result.task] = call
        if call.name in _OUTPUT_TOOLS and result.fate is Fate.DONE:
            tags = dict(_TASK_OUTPUT.findall(result.output))
            task = str(call.input.get(_OUTPUT_TOOLS[call.name]) or tags.get("task_id", ""))
            code = tags.get("exit_code", "").strip()
            output = "\n".join(tags[name] for name in ("output", "stdout", "stderr") if name in tags)
            self.ended(task, int(code) if code.isdecimal() else None, output)

    def ended(self, task: str, exit_code: int | None, output: str) -> None:
        """A background command came to its end."""
        call = self._tasks.get(task)
        if call is None or exit_code is None:
            return
        fate = Fate.DONE if exit_code == 0 else Fate.FAILED
        known = output or call.result.output
        # A notification tells the code and not the output.
        call.result = _Result(fate, known, exit_code, cut=not known)

    def spent(self, message_id: str, tokens: int) -> None:
        # Every line of a message repeats its usage; the early ones were written before it was complete.
        self._tokens[message_id] = max(tokens, self._tokens.get(message_id, 0))

    def conversation(self) -> Conversation:
        for words in filter(None, map(_human_words, self.queued)):
            self.asked(words, meanwhile=True)
        return Conversation(tuple(self._closed()), sum(self._tokens.values()), self.api_failed)

    def _closed(self) -> Iterator[Moment]:
        for moment in self.moments:
            if isinstance(moment, _Open):
                result = moment.result
                yield Call(moment.name, moment.input, result.fate, result.output, result.exit_code, result.cut)
            else:
                yield moment


# --- pieces of a line --------------------------------------------------------------------------------------------


def _dict(message: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = message.get(key)
    return value if isinstance(value, dict) else {}


def _blocks(line: Message) -> list[dict[str, Any]]:
    content = _dict(line, "message").get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(block: Message) -> str:
    text = block.get("text")
    return text if isinstance(text, str) and block.get("type") == "text" else ""


def _joined(blocks: Iterable[Message]) -> str:
    return "\n".join(filter(None, map(_text, blocks)))


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(_text(part) for part in parts if isinstance(part, dict))


def _capped_output(text: str) -> tuple[str, bool]:
    """Its beginning and its end, where verdicts stand."""
    if len(text) <= OUTPUT_KEPT:
        return text, False
    half = OUTPUT_KEPT // 2
    return f"{text[:half]}\n{text[-half:]}", True


def _short_result(result: object) -> object:
    if isinstance(result, str):
        return result[:200]
    kept = ("backgroundTaskId", "interrupted")
    return {key: result[key] for key in kept if key in result} if isinstance(result, dict) else None


def _tokens(usage: Mapping[str, Any]) -> int:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    counts = (usage.get(name) for name in names)
    return sum(count for count in counts if isinstance(count, int) and not isinstance(count, bool))
