"""The real client takes the scripted model for the real API.

Rule: the client runs in a clean environment, an empty home and a temporary project, and only against loopback.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.world import QUIET_CLIENT, SHORT_LIVED_CLIENT


@dataclass(frozen=True, slots=True)
class Run:
    code: int
    events: tuple[dict[str, Any], ...]

    @property
    def result(self) -> dict[str, Any]:
        return self.events[-1]

    def content(self, speaker: str) -> list[dict[str, Any]]:
        return [block for e in self.events if e["type"] == speaker for block in e["message"]["content"]]


Client = Callable[..., Run]


@pytest.fixture(scope="module")
def claude() -> Path:
    spec = find_spec("claude_agent_sdk")
    path = Path(spec.origin if spec and spec.origin else "").parent / "_bundled" / "claude"
    assert path.is_file(), "the real client is not installed; run the tests with: make test"
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def client(claude: Path, project: Path, tmp_path: Path) -> Client:
    def run(url: str, *flags: str, **more: str) -> Run:
        env = {
            "PATH": os.defpath,
            "HOME": str(tmp_path),
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_AUTH_TOKEN": "test",
            **QUIET_CLIENT,
            **SHORT_LIVED_CLIENT,
            **more,
        }
        argv = [str(claude), "--print", "--output-format", "stream-json", "--verbose", *flags, "--", "begin"]
        done = subprocess.run(argv, cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True)
        return Run(done.returncode, tuple(json.loads(line) for line in done.stdout.splitlines()))

    return run


@pytest.mark.parametrize("prefix", ["", "/api/anthropic"])
def test_a_text_is_the_result(client: Client, prefix: str) -> None:
    with ScriptedModel([{"last": "begin", "token": "test", "replies": [{"text": "Grüße 🌍"}]}]) as model:
        run = client(model.url + prefix)
    assert (run.code, run.result["result"], run.result["is_error"]) == (0, "Grüße 🌍", False)
    assert [request.rule for request in model.messages] == [0]


def test_a_tool_is_used_and_its_result_comes_back(client: Client, project: Path) -> None:
    write = {"name": "Write", "input": {"file_path": str(project / "a.txt"), "content": "é\n"}}
    rules = [
        {"last": "begin", "tool": "Write", "replies": [{"text": "writing", "tools": [write]}]},
        {"last": "a.txt", "replies": [{"text": "written"}]},
    ]
    with ScriptedModel(rules) as model:
        run = client(model.url, "--dangerously-skip-permissions")
    assert (project / "a.txt").read_text() == "é\n"
    assert (run.result["result"], run.result["num_turns"]) == ("written", 2)
    used = [block["id"] for block in run.content("assistant") if block["type"] == "tool_use"]
    assert [block["tool_use_id"] for block in run.content("user")] == used
    assert [request.rule for request in model.messages] == [0, 1]


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        ({"error": 529}, 529, "api_error"),
        ({"error": 401}, 401, "api_error"),
        ({"prompt_too_long": True}, 400, "prompt_too_long"),
    ],
)
def test_an_error_is_the_api_s(client: Client, reply: dict[str, Any], status: int, reason: str) -> None:
    with ScriptedModel([{"replies": [reply], "times": None}]) as model:
        run = client(model.url, CLAUDE_CODE_MAX_RETRIES="0")
    result = run.result
    assert (run.code, result["subtype"], result["is_error"]) == (1, "success", True)
    assert (result["api_error_status"], result["terminal_reason"]) == (status, reason)
    assert len(model.messages) == 1


def test_an_overloaded_model_is_asked_again(client: Client) -> None:
    with ScriptedModel([{"replies": [{"error": 529}, {"text": "now"}]}]) as model:
        run = client(model.url, CLAUDE_CODE_MAX_RETRIES="2")
    assert run.result["result"] == "now"
    assert [e["error_status"] for e in run.events if e.get("subtype") == "api_retry"] == [529]
    assert len(model.messages) == 2


def test_a_cut_stream_is_asked_again_without_streaming(client: Client) -> None:
    with ScriptedModel([{"replies": [{"text": "half an answer", "cut": True}, {"text": "whole"}]}]) as model:
        run = client(model.url, CLAUDE_CODE_MAX_RETRIES="0")
    assert run.result["result"] == "whole"
    assert [request.json.get("stream") is True for request in model.messages] == [True, False]


def test_a_schema_is_answered_through_its_tool(client: Client) -> None:
    verdict = {"allow_stop": False, "feedback": "no tests"}
    kinds = {"allow_stop": {"type": "boolean"}, "feedback": {"type": "string"}}
    schema = {"type": "object", "properties": kinds, "required": list(kinds)}
    answer = {"tools": [{"name": "StructuredOutput", "input": verdict}]}
    with ScriptedModel([{"tool": "StructuredOutput", "replies": [answer]}]) as model:
        run = client(model.url, "--json-schema", json.dumps(schema))
    assert run.result["structured_output"] == verdict
    assert json.loads(run.result["result"]) == verdict


def test_thinking_comes_before_the_text_and_is_not_the_result(client: Client) -> None:
    with ScriptedModel([{"replies": [{"thinking": "is it done?", "text": "done"}]}]) as model:
        run = client(model.url)
    thought, said = run.content("assistant")
    assert (thought["type"], thought["thinking"], said["text"]) == ("thinking", "is it done?", "done")
    assert run.result["result"] == "done"


def test_usage_reaches_the_bill(client: Client) -> None:
    usage = {"input_tokens": 11, "cache_read_input_tokens": 2000, "output_tokens": 33}
    with ScriptedModel([{"replies": [{"text": "done", "usage": usage}]}]) as model:
        run = client(model.url)
    assert {key: run.result["usage"][key] for key in usage} == usage
