"""The review through claude-agent-sdk, as a program of its own: `python -m ccc.judging.sdk_engine CLIENT FILE SHA256`.

Rule: writes the same stream that the client itself would, so that everything behind it is the same; nothing else of
ccc imports this module, because the SDK takes a second to load.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ResultMessage,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    query,
)

_WIRE = {"model_usage": "modelUsage"}  # what the SDK calls otherwise than the client


def options(client: str, review: Mapping[str, Any]) -> ClaudeAgentOptions:
    schema = review.get("schema")
    return ClaudeAgentOptions(
        cli_path=client,
        resume=review["conversation"],
        fork_session=review.get("fork", True),
        system_prompt={"type": "preset", "preset": "claude_code"},
        setting_sources=["user", "project", "local"],
        disallowed_tools=["Edit(//**)"],
        model=review.get("model"),
        permission_mode=review.get("permission_mode"),
        settings=review.get("settings"),
        extra_args=dict(review.get("extra", {})),
        output_format={"type": "json_schema", "schema": json.loads(schema)} if schema else None,
    )


def line(message: object) -> dict[str, Any] | None:
    """A message as the client writes it; None for what a review has no use for."""
    match message:
        case ResultMessage():
            fields = {_WIRE.get(key, key): value for key, value in asdict(message).items() if value is not None}
            return {"type": "result", **fields}
        case AssistantMessage(content=content, model=model, parent_tool_use_id=parent):
            blocks = [block for block in map(_block, content) if block]
            # Older SDKs keep the id to themselves.
            body = {"id": getattr(message, "message_id", None) or "", "role": "assistant", "model": model}
            return {"type": "assistant", "message": {**body, "content": blocks}, "parent_tool_use_id": parent}
        case UserMessage(content=str(text)):
            return {"type": "user", "message": {"role": "user", "content": text}}
        case UserMessage(content=content):
            blocks = [block for block in map(_block, content) if block]
            return {"type": "user", "message": {"role": "user", "content": blocks}} if blocks else None
        case SystemMessage(data=data):
            return {**data, "type": "system"}
        case _:
            return None


def _block(block: object) -> dict[str, Any] | None:
    match block:
        case TextBlock(text=text):
            return {"type": "text", "text": text}
        case ThinkingBlock(thinking=thinking):
            return {"type": "thinking", "thinking": thinking}
        case ToolUseBlock():
            return {"type": "tool_use", **asdict(block)}
        case ToolResultBlock():
            return {"type": "tool_result", **asdict(block)}
        case _:
            return None


class Unopened(subprocess.Popen[bytes]):
    """With sockets where pipes are asked for: those anybody could open, and give a verdict in the client's place."""

    def __init__(self, *words: Any, stdin: Any = None, stdout: Any = None, **options: Any) -> None:
        with ExitStack() as theirs:
            ends = [_end(asked, theirs) for asked in (stdin, stdout)]
            super().__init__(*words, **{**options, "stdin": ends[0][1], "stdout": ends[1][1]})
        if ends[0][0]:
            self.stdin = os.fdopen(ends[0][0].detach(), "wb", 0)
        if ends[1][0]:
            self.stdout = os.fdopen(ends[1][0].detach(), "rb", 0)


def _end(asked: Any, theirs: ExitStack) -> tuple[socket.socket | None, Any]:
    if asked != subprocess.PIPE:
        return None, asked
    ours, end = socket.socketpair()
    return ours, theirs.enter_context(end)


async def run(client: str, review: Mapping[str, Any]) -> None:
    async for message in query(prompt=review["prompt"], options=options(client, review)):
        written = line(message)
        if written:
            # In ASCII: the SDK hands on half an emoji as it came, and that has no bytes.
            sys.stdout.write(json.dumps(written, default=_plain) + "\n")
            sys.stdout.flush()


def _plain(value: object) -> object:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def ordered(path: Path, known: str) -> dict[str, Any]:
    """The review as it was handed over; a file is taken away."""
    data = path.read_bytes()
    with suppress(OSError):  # memory, which has no name to take away
        path.unlink()
    if hashlib.sha256(data).hexdigest() != known:
        raise SystemExit(f"{path} was changed before it was read")
    told: dict[str, Any] = json.loads(data)
    return told


if __name__ == "__main__":
    vars(subprocess)["Popen"] = Unopened  # asyncio, and so the SDK, looks there
    asyncio.run(run(sys.argv[1], ordered(Path(sys.argv[2]), sys.argv[3])))
