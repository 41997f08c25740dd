"""Tools that real sessions use and the stories of the gate do not need: the cases written without sight of it do.

Rule: words only, no judgement; a case says by its label what it stands for.
"""

from __future__ import annotations

from tests.eval.steps import Tool


def see(path: str, text: str) -> Tool:
    """The file as the Read tool shows it."""
    shown = "\n".join(f"{number:>6}→{line}" for number, line in enumerate(text.splitlines(), 1))
    return Tool("Read", {"file_path": f"/home/user/project/{path}"}, shown)


def grep(pattern: str, result: str) -> Tool:
    return Tool("Grep", {"pattern": pattern, "output_mode": "content", "-n": True}, result)


def glob(pattern: str, result: str) -> Tool:
    return Tool("Glob", {"pattern": pattern}, result)


def todo(*done: str) -> Tool:
    todos = [{"content": words, "status": "completed", "activeForm": words} for words in done]
    return Tool("TodoWrite", {"todos": todos}, "Todos have been modified successfully.")


def agent(prompt: str, report: str) -> Tool:
    """A subagent of which only the report is seen."""
    given = {"description": prompt[:30], "prompt": prompt, "subagent_type": "general-purpose"}
    return Tool("Task", given, report)


def mcp(server: str, name: str, result: str, **given: object) -> Tool:
    return Tool(f"mcp__{server}__{name}", given, result)


def outcome(task: str, output: str, code: int = 0) -> Tool:
    """What a background command gave, fetched after its end."""
    status = "failed" if code else "completed"
    parts = [
        "<retrieval_status>success</retrieval_status>",
        f"<task_id>{task}</task_id>",
        "<task_type>local_bash</task_type>",
        f"<status>{status}</status>",
        f"<exit_code>{code}</exit_code>",
        f"<output>\n{output}\n</output>",
    ]
    return Tool("TaskOutput", {"task_id": task, "block": True, "timeout": 120000}, "\n\n".join(parts))
