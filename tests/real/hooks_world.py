"""Supervised sessions with the real client: the scripted model plays the agent and the reviewer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ccc.trial.scripted import Request, ScriptedModel
from tests.world import Run, World, provider

AGENT = {"without_tool": "StructuredOutput"}
REVIEWER = {"tool": "StructuredOutput"}


def verdict(allow_stop: bool, feedback: str = "", **more: object) -> dict[str, Any]:
    """The reviewer's structured answer."""
    answer = {"allow_stop": allow_stop, "feedback": feedback, **more}
    return {"tools": [{"name": "StructuredOutput", "input": answer}]}


def rules(agent: Sequence[Mapping[str, Any]], reviewer: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**REVIEWER, "times": None, "replies": list(reviewer)}, {**AGENT, "times": None, "replies": list(agent)}]


def reviews(model: ScriptedModel) -> list[Request]:
    return [request for request in model.messages if "StructuredOutput" in request.tools]


def agent_requests(model: ScriptedModel) -> list[Request]:
    return [request for request in model.messages if "StructuredOutput" not in request.tools]


@dataclass(frozen=True)
class Supervised:
    """One finished `CCC_SUPERVISOR=1 ccc glm -p …`."""

    run: Run
    events: list[dict[str, Any]]
    world: World

    @property
    def session_id(self) -> str:
        return str(self.events[-1]["session_id"])

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.state_path.read_text())
        return found

    @property
    def state_path(self) -> Path:
        return self.world.state / f"supervisor-{self.session_id}.json"

    @property
    def log(self) -> str:
        return (self.world.state / "hook-invocation.log").read_text()

    @property
    def feedback(self) -> list[str]:
        """What the agent was told by the hook."""
        return [
            event["message"]["content"]
            if isinstance(event["message"]["content"], str)
            else event["message"]["content"][0]["text"]
            for event in self.events
            if event["type"] == "user" and event.get("isSynthetic")
        ]


def supervised(
    world: World,
    model: ScriptedModel,
    *args: str,
    env: Mapping[str, str] | None = None,
    prompt: str = "do it",
    name: Sequence[str] = ("glm",),
    **config: object,
) -> Supervised:
    path = world.config / "ccc.json"
    if not path.exists():
        world.write_config({"glm": provider(model.url)}, **config)
    stream = ("--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions")
    run = world.ccc(*name, "-p", prompt, *stream, *args, env=world.env(CCC_SUPERVISOR="1", **(env or {})))
    return Supervised(run, [json.loads(line) for line in run.out.splitlines()], world)


def login(url: str) -> dict[str, str]:
    """A person who is logged in, at a claude.ai on loopback."""
    return {"ANTHROPIC_BASE_URL": url, "CLAUDE_CODE_OAUTH_TOKEN": "sk-ant-oat01-scripted"}


def of_login(at: int) -> dict[str, Any]:
    """claude.ai's answer at the five-hour limit, which ends then."""
    unified = {"status": "rejected", "reset": str(at), "representative-claim": "five_hour"}
    headers = {f"anthropic-ratelimit-unified-{name}": value for name, value in unified.items()}
    return {"error": 429, "headers": headers, "message": "This request would exceed your account's rate limit."}


LOOK_BACK = 20  # blocks: how far behind a mark of its own a provider looks for a prefix that it knows


def assert_served(before: Request, after: Request) -> None:
    """Nothing that the provider has read for the one is read anew for the other, and there is a mark to find it by."""
    for part in ("system", "tools", "model"):
        assert json.dumps(before.json[part]) == json.dumps(after.json[part]), part
    told = after.json["messages"][: len(before.json["messages"])]
    assert without_cache_marks(told) == without_cache_marks(before.json["messages"])
    written, looked = _marks(before)[-1], _marks(after)[-1]
    assert 0 < looked - written <= LOOK_BACK, (written, looked)


def _marks(request: Request) -> list[int]:
    """The places of the breakpoints among all blocks of the messages."""
    contents = [message["content"] for message in request.json["messages"]]
    blocks = [block for each in contents for block in (each if isinstance(each, list) else [{}])]
    return [place for place, block in enumerate(blocks) if "cache_control" in block]


def without_cache_marks(messages: object) -> object:
    """The cache breakpoint moves to the newest message; it is a mark, not content."""
    if isinstance(messages, list):
        return [without_cache_marks(item) for item in messages]
    if isinstance(messages, dict):
        marked = {key: without_cache_marks(value) for key, value in messages.items() if key != "cache_control"}
        # Where a mark stood, words are a block: the same words to the model.
        content = marked.get("content")
        return marked | ({"content": [{"type": "text", "text": content}]} if isinstance(content, str) else {})
    return messages
