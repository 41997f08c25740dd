"""What the lines of a transcript mean: over forty versions of the client wrote them.

Rule: pure, total over any object; lines of unknown kinds are skipped, and most user lines are no requests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ccc.claude.conversation import Conversation, Fate, Recorder, Result, capped_output, judged, record_notification

Message = dict[str, Any]

IMAGE = "[image]"


def of_transcript(lines: Iterable[Message]) -> Conversation:
    """The conversation of one window: its request first, in the order of the file."""
    recorder = Recorder()
    queue: list[str] = []
    seen: set[str] = set()
    for line in lines:
        uuid = line.get("uuid")
        if isinstance(uuid, str):
            if uuid in seen:  # a resumed session may copy its history
                continue
            seen.add(uuid)
        _record(recorder, queue, line)
    for words in filter(None, map(_human_words, queue)):  # typed, and not yet taken up
        recorder.asked(words, meanwhile=True)
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
            block["content"], block["cut"] = capped_output(_plain(block.get("content")))
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


def _record(recorder: Recorder, queue: list[str], line: Message) -> None:
    if line.get("isSidechain") is True:
        return
    match line.get("type"):
        case "assistant":
            _record_assistant(recorder, line)
        case "user":
            _record_user(recorder, line)
        case "queue-operation":
            _record_queue(recorder, queue, line)
        case "attachment":
            _record_attachment(recorder, line)


def _record_assistant(recorder: Recorder, line: Message) -> None:
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


def _record_user(recorder: Recorder, line: Message) -> None:
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
    record_notification(recorder, text)


def _record_queue(recorder: Recorder, queue: list[str], line: Message) -> None:
    content = _plain(line.get("content"))
    record_notification(recorder, content)
    match line.get("operation"):
        case "enqueue":
            queue.append(content)
        case "dequeue" if queue:  # its user line follows
            queue.pop(0)
        case "remove" if queue:  # taken up while the agent worked
            index = queue.index(content) if content in queue else 0
            if words := _human_words(queue.pop(index)):
                recorder.asked(words, meanwhile=True)
        case "popAll":
            queue.clear()


def _record_attachment(recorder: Recorder, line: Message) -> None:
    attached = _dict(line, "attachment")
    if attached.get("type") != "queued_command":
        return
    text = _plain(attached.get("prompt"))
    record_notification(recorder, text)
    human = _dict(attached, "origin").get("kind", "human") == "human"
    if human and attached.get("commandMode", "prompt") == "prompt" and (words := _human_words(text)):
        recorder.asked(words, meanwhile=True)


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
    if line.get("promptSource") == "system" or str(_dict(line, "origin").get("kind")) in _NOT_FROM_A_PERSON:
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


def _result(line: Message, block: Message) -> Result:
    text = _plain(block.get("content"))
    extra = line.get("toolUseResult")
    told = extra if isinstance(extra, str) else ""
    details = extra if isinstance(extra, dict) else {}
    found = judged(
        text,
        is_error=block.get("is_error") is True,
        refused=line.get("toolDenialKind") not in (None, "interrupted") or told == "User rejected tool use",
        # 1.x wrote no exit code: there an error without one is the command's own.
        codes_written=not str(line.get("version", "")).startswith("1."),
    )
    task = details.get("backgroundTaskId")
    if isinstance(task, str) and task and found.fate is Fate.DONE:
        return Result(Fate.STARTED, task=task)
    if details.get("interrupted") is True and found.fate in (Fate.DONE, Fate.FAILED):
        return Result(Fate.UNKNOWN, found.output)
    return Result(found.fate, found.output, found.exit_code, found.cut or block.get("cut") is True, found.task)


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


def _short_result(result: object) -> object:
    if isinstance(result, str):
        return result[:200]
    kept = ("backgroundTaskId", "interrupted")
    return {key: result[key] for key in kept if key in result} if isinstance(result, dict) else None


def _tokens(usage: Mapping[str, Any]) -> int:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    counts = (usage.get(name) for name in names)
    return sum(count for count in counts if isinstance(count, int) and not isinstance(count, bool))
