"""Stories as the client writes them: transcripts of four versions, and the live stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.eval.steps import (
    ApiError,
    Ask,
    Case,
    Command,
    Compaction,
    Ended,
    Feedback,
    Interrupted,
    LocalCommand,
    Meanwhile,
    Say,
    Step,
    Subagent,
    Tool,
    bash,
    edit,
)

VERSIONS = ("2.0.76", "2.1.20", "2.1.42", "2.1.325")
Line = dict[str, Any]

# What stood in the file before the request; none of it may count.
PRELUDE: tuple[Step, ...] = (
    Ask("Fix the parser"),
    edit("parser.py"),
    bash("pytest -q", "FAILED tests/test_parser.py::test_x - assert 1 == 2\n1 failed in 0.10s", 1),
    Say("Shall I go on?"),
)
REFUSAL = {
    "2.0.76": "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP.",
    "2.1.20": "This command requires approval",
    "2.1.42": "Permission to use Bash with command pytest has been denied.",
    "2.1.325": "pytest needs approval. Allowing runs the command as written.",
}
USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 100, "output_tokens": 5}


@dataclass
class Writer:
    """One transcript being written; `late` is the client since 2.1.220."""

    version: str
    lines: list[Line] = field(default_factory=list)
    count: int = 0
    pending: list[Line] = field(default_factory=list)

    @property
    def late(self) -> bool:
        return self.version == "2.1.325"

    def new_id(self, kind: str) -> str:
        self.count += 1
        return f"{kind}_{self.version}_{self.count}"

    def add(self, line: Line) -> None:
        common = {"isSidechain": False, "userType": "external", "cwd": "/home/user/project", "sessionId": "s-1"}
        common |= {"version": self.version, "gitBranch": "main", "uuid": self.new_id("uuid"), "parentUuid": None}
        self.lines.append({**common, **line})

    def bare(self, line: Line) -> None:
        self.lines.append({**line, "sessionId": "s-1"})

    def user(self, content: object, **more: object) -> None:
        self.add({"type": "user", "message": {"role": "user", "content": content}, **more})

    def assistant(self, *blocks: Line, ends: bool = False) -> None:
        """One line per block, one message id for all."""
        message_id = self.new_id("msg")
        reason = ("end_turn" if ends else "tool_use") if self.late else None
        for block in blocks:
            body = {"id": message_id, "type": "message", "role": "assistant", "model": "claude-opus-5"}
            body |= {"content": [block], "stop_reason": reason, "usage": USAGE}
            self.add({"type": "assistant", "message": body, "requestId": "req_1"})

    def noise(self) -> None:
        self.bare({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False})
        if self.version in ("2.1.20", "2.1.42"):
            self.add({"type": "progress", "data": {"type": "bash_progress", "output": "FAILED"}, "toolUseID": "t"})
        if self.late:
            self.add({"type": "attachment", "attachment": {"type": "date", "date": "2026-11-16"}})
            self.bare({"type": "last-prompt", "lastPrompt": "Fix everything?", "leafUuid": "x"})
            self.bare({"type": "atis-latch", "atis": ""})
            blob = {"role": "user", "content": [{"type": "text", "text": "why?"}]}
            self.bare({"type": "api-request-blob", "hash": "0", "message": blob})


def transcript(case: Case, version: str) -> bytes:
    """The file as a Stop hook of that version would find it."""
    writer = Writer(version)
    if version == "2.0.76":
        writer.lines.append({"type": "summary", "summary": "Parser work", "leafUuid": "l"})
    _write(writer, PRELUDE)
    if version != "2.0.76":
        writer.add({"type": "system", "subtype": "turn_duration", "durationMs": 1000})
    _write(writer, case.steps)
    return _joined(writer)


def _joined(writer: Writer) -> bytes:
    lines = [json.dumps(line, ensure_ascii=False) for line in writer.lines]
    if writer.version == "2.0.76":  # these versions glued some lines together
        lines = [lines[0] + lines[1], *lines[2:-2], lines[-2] + lines[-1]]
    return ("\n".join(lines) + "\n").encode()


def _write(writer: Writer, steps: Iterable[Step]) -> None:
    steps = list(steps)
    number = 0
    while number < len(steps):
        together = 1
        while number + together < len(steps) and getattr(steps[number + together], "parallel", False):
            together += 1
        if together > 1:
            _tools(writer, [step for step in steps[number : number + together] if isinstance(step, Tool)])
        else:
            _step(writer, steps[number], last=number == len(steps) - 1)
        number += together


def _step(writer: Writer, step: Step, *, last: bool) -> None:
    match step:
        case Ask(text):
            _ask(writer, text)
        case Say(text):
            blocks: list[Line] = [{"type": "text", "text": text}]
            if writer.version != "2.0.76":
                blocks.insert(0, {"type": "thinking", "thinking": "Shall I? FAILED", "signature": "x"})
            writer.assistant(*blocks, ends=last)
        case Tool():
            _tools(writer, [step])
        case Meanwhile(text):
            _meanwhile(writer, text)
        case Ended(task, code):
            _ended(writer, task, code)
        case Feedback(text):
            writer.user(f"Stop hook feedback:\n{text}", isMeta=True)
            if writer.late:
                error = {"blockingError": text, "command": "ccc supervisor-hook"}
                attached = {"type": "hook_blocking_error", "hookEvent": "Stop", "blockingError": error}
                writer.add({"type": "attachment", "attachment": attached})
        case Subagent(tools):
            _subagent(writer, tools)
        case Compaction():
            boundary = {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}
            writer.add({**boundary, "logicalParentUuid": "not-in-this-file"})
            words = "This session is being continued from a previous conversation. The user asked: what is this?"
            writer.user(words, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        case LocalCommand(name):
            writer.user(f"<command-name>/{name}</command-name>\n<command-message>{name}</command-message>")
            writer.user(f"<local-command-stdout>Set {name} to x?</local-command-stdout>")
        case Command(name, text):
            writer.user(f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>")
            writer.user([{"type": "text", "text": text}], isMeta=True)
        case Interrupted(tool):
            words = "[Request interrupted by user for tool use]" if tool else "[Request interrupted by user]"
            writer.user([{"type": "text", "text": words}])
        case ApiError(text):
            body = {"model": "<synthetic>", "stop_reason": "stop_sequence", "content": [{"type": "text", "text": text}]}
            writer.add({"type": "assistant", "isApiErrorMessage": True, "message": body})


def _ask(writer: Writer, text: str) -> None:
    writer.noise()
    if writer.late:
        writer.bare({"type": "queue-operation", "operation": "enqueue", "content": text})
        writer.bare({"type": "queue-operation", "operation": "dequeue"})
        writer.user(text, promptSource="typed", origin={"kind": "human"}, promptId=writer.new_id("prompt"))
    elif writer.version == "2.1.42":
        opened = "<ide_opened_file>The user opened the file a.py in the IDE. Why?</ide_opened_file>"
        writer.user([{"type": "text", "text": opened}, {"type": "text", "text": text}])
    else:
        writer.user(text)
    writer.noise()


def _tools(writer: Writer, tools: list[Tool]) -> None:
    ids = [writer.new_id("toolu") for _ in tools]
    uses = zip(ids, tools, strict=True)
    writer.assistant(*({"type": "tool_use", "id": id_, "name": t.name, "input": dict(t.input)} for id_, t in uses))
    for id_, tool in reversed(list(zip(ids, tools, strict=True))):  # parallel results come in any order
        _result(writer, id_, tool)


def _result(writer: Writer, id_: str, tool: Tool) -> None:
    text, is_error, extra, more = _outcome(writer, tool)
    block: Line = {"tool_use_id": id_, "type": "tool_result", "content": text}
    if is_error or tool.name == "Bash":
        block["is_error"] = is_error
    blocks = [block, *writer.pending]
    writer.pending = []
    writer.user(blocks, toolUseResult=extra, **more)


def _outcome(writer: Writer, tool: Tool) -> tuple[str, bool, object, Line]:
    if tool.refused:
        told = "User rejected tool use" if writer.version == "2.0.76" else f"Error: {REFUSAL[writer.version]}"
        return REFUSAL[writer.version], True, told, {"toolDenialKind": "user-rejected"} if writer.late else {}
    if tool.error:
        return f"<tool_use_error>{tool.result}</tool_use_error>", True, f"Error: {tool.result}", {}
    if tool.background:
        words = f"Command running in background with ID: {tool.background}. Output is being written to: /tmp/x.output"
        return words, False, {"stdout": "", "stderr": "", "backgroundTaskId": tool.background}, {}
    if tool.code:
        text = f"Exit code {tool.code}\n{tool.result}"
        return text, True, f"Error: {text}", {}
    if tool.name == "Bash":
        shown = tool.result or ("(Bash completed with no output)" if writer.late else "")
        if tool.cut and writer.version == "2.0.76":
            shown = f"{tool.result}\n\n... [90000 characters truncated] ...\n\n"
        elif tool.cut:
            shown = f"<persisted-output>\nOutput too large (90KB).\n\nPreview (first 2KB):\n{tool.result}\n...\n"
        return shown, False, {"stdout": tool.result, "stderr": "", "interrupted": False, "isImage": False}, {}
    done = {"filePath": tool.input.get("file_path"), "structuredPatch": [], "originalFile": "x" * 1000}
    return tool.result, False, done, {}


def _meanwhile(writer: Writer, text: str) -> None:
    writer.bare({"type": "queue-operation", "operation": "enqueue", "content": text})
    if writer.version == "2.1.20":  # beside the next result, and nowhere else
        writer.lines.pop()
        writer.pending.append({"type": "text", "text": text})
    elif writer.late:
        writer.bare({"type": "queue-operation", "operation": "remove", "content": text, "reason": "absorbed_mid_turn"})
        attached = {"type": "queued_command", "prompt": text, "commandMode": "prompt", "origin": {"kind": "human"}}
        writer.add({"type": "attachment", "attachment": attached})
    else:
        writer.bare({"type": "queue-operation", "operation": "remove"})


def _ended(writer: Writer, task: str, code: int) -> None:
    how = f"failed with exit code {code}" if code else "completed (exit code 0)"
    text = f"<task-notification>\n<task-id>{task}</task-id>\n<status>{'failed' if code else 'completed'}</status>\n"
    text += f'<summary>Background command "tests" {how}</summary>\n</task-notification>'
    if writer.late:
        writer.user(text, promptSource="system", origin={"kind": "task-notification"})
    else:
        writer.user(text)


def _subagent(writer: Writer, tools: tuple[Tool, ...]) -> None:
    id_ = writer.new_id("toolu")
    given = {"description": "d", "prompt": "fix it", "subagent_type": "general-purpose"}
    name = "Agent" if writer.late else "Task"
    writer.assistant({"type": "tool_use", "id": id_, "name": name, "input": given})
    for tool in tools:
        block = {"type": "tool_use", "id": writer.new_id("toolu"), "name": tool.name, "input": dict(tool.input)}
        inner = {"type": "assistant", "message": {"role": "assistant", "content": [block]}}
        if writer.version in ("2.1.20", "2.1.42"):
            writer.add({"type": "progress", "data": {"type": "agent_progress", "message": inner}})
        elif writer.version == "2.0.76":
            writer.add({**inner, "isSidechain": True})
    writer.user([{"tool_use_id": id_, "type": "tool_result", "content": [{"type": "text", "text": "all done?"}]}])


# --- the live stream ---------------------------------------------------------------------------------------------


def stream(case: Case) -> bytes:
    """What the client writes to a pty while it works on the story; what the person types is not echoed."""
    writer = Writer("2.1.325")
    _write(writer, [step for step in case.steps if not isinstance(step, Compaction | LocalCommand)])
    return b"".join(json.dumps(message).encode() + b"\n" for message in _streamed(writer.lines))


def _streamed(lines: Iterable[Line]) -> Iterator[Line]:
    yield {"type": "system", "subtype": "init", "session_id": "s-1"}
    for line in lines:
        if line["type"] not in ("user", "assistant") or line.get("promptSource") == "typed":
            continue
        message: Line = {"type": line["type"], "message": line["message"], "session_id": "s-1"}
        yield {**message, "parent_tool_use_id": "t" if line["isSidechain"] else None}
    failed = any(line.get("isApiErrorMessage") for line in lines)
    yield {
        "type": "result",
        "subtype": "success",
        "is_error": failed,
        "result": "",
        "usage": USAGE,
        "session_id": "s-1",
    }


def typed(case: Case) -> list[str]:
    """What the person typed: the request, then what came meanwhile."""
    return [step.text for step in case.steps if isinstance(step, Ask | Meanwhile)]
