"""A fleet to look at: three tasks, real worktrees and branches, the real client, and a model that follows a script.

Rule: as in demo.py. What is run is `ccc fleet` itself, typed as a person would.
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude import program
from ccc.judging import prompts
from ccc.judging.verdict import MARKER
from ccc.trial import demo
from ccc.trial.demo import Ending, Show, Stage
from ccc.trial.demo_script import Story, permission
from ccc.trial.scripted import ScriptedModel

TASKS = ("slug", "clock", "page")
MARGIN = 12  # what stands before each line of the demo


class _Lines(Struct, frozen=True):
    """The words of one language; {name} is a task's."""

    list: str
    plan: str
    claim: str
    runs: str
    proof: str
    satisfied: str


def play(lang: str, stage: Stage, *, env: Mapping[str, str], show: Show) -> Ending:
    """Hand three tasks over, work on them until nothing is left, and show each step as it happens."""
    begun = time.monotonic()
    client = program.find(env, Path.cwd())
    lines = _LINES[lang]
    told = Story("fleet", lines.list, rules=rules(lang), permissions=("Bash(python3 *)",))
    with ScriptedModel(told.rules) as model:
        demo.configure(stage, model.url, told)
        (stage.config / "SUPERVISOR.md").write_text(prompts.supervisor_md(lang))
        given = demo.environment(env, stage, client, told)
        _repository(stage, given, lines.list)
        for words in (("add", "tasks.md", "--permission-mode", "acceptEdits"), ("run", "--drain"), ("status",)):
            show("ccc", f"ccc fleet {' '.join(words)}")
            _run([*demo.own_program(), "fleet", *words], given, stage, show)
        done = _outcomes(given, stage)
    return Ending(
        stage=stage,
        client=client,
        completed=done == dict.fromkeys(done, "completed") and len(done) == len(TASKS),
        reviews=len(done),
        requests=len(model.messages),
        seconds=time.monotonic() - begun,
    )


def _run(command: Sequence[str], env: Mapping[str, str], stage: Stage, show: Show) -> None:
    heard, said = _ears()
    plain = {**env, "NO_COLOR": "1"}
    with os.fdopen(said, "wb") as out:
        agent = subprocess.Popen(
            command,
            env=plain,
            cwd=stage.project,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a Ctrl-C is the demo's, which then ends it at once: nobody waits for its tasks
        )
    try:
        with os.fdopen(heard, "rb") as lines, suppress(OSError):  # how a terminal says that its other end is closed
            for line in lines:
                show("screen", line.decode("utf-8", "replace").rstrip())
    finally:
        demo.end(agent)
    if agent.returncode:
        raise CccError(msg("the demo ended with exit code {code}", code=agent.returncode))  # its words stand above


def _ears() -> tuple[int, int]:
    """A terminal that is as wide as there is room for, where the person has one; else a pipe."""
    try:
        columns = os.get_terminal_size(1).columns
    except OSError:
        return os.pipe()
    ours, theirs = os.openpty()
    size = struct.pack("HHHH", 50, max(20, columns - MARGIN), 0, 0)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
    return ours, theirs


def _outcomes(env: Mapping[str, str], stage: Stage) -> dict[str, str]:
    asked = [*demo.own_program(), "fleet", "status", "--json"]
    told = subprocess.run(asked, env=dict(env), cwd=stage.project, stdin=subprocess.DEVNULL, capture_output=True)
    tasks = json.loads(told.stdout or b"{}").get("tasks", [])
    return {task["id"]: task["outcome"] for task in tasks}


def _repository(stage: Stage, env: Mapping[str, str], tasks: str) -> None:
    (stage.project / "tasks.md").write_text(tasks)
    own = ("git", "-c", "user.name=ccc", "-c", "user.email=ccc@localhost", "-c", "core.hooksPath=/dev/null")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "start")):
        done = subprocess.run((*own, *words), cwd=stage.project, env=dict(env), capture_output=True)
        if done.returncode:
            raise CccError(
                msg("the demo needs git: {words}", words=one_line(done.stderr.decode("utf-8", "replace"), 200))
            )


def rules(lang: str) -> tuple[Mapping[str, Any], ...]:
    lines = _LINES[lang]
    said = {"text": permission(lines.satisfied), "delay": 0.5}
    return ({"system": MARKER, "times": None, "replies": [said]}, *(_agent(name, lines) for name in TASKS))


def _agent(name: str, lines: _Lines) -> Mapping[str, Any]:
    write = {"name": "Write", "input": {"file_path": f"{name}.py", "content": _FILES[name]}}
    run = {"name": "Bash", "input": {"command": f"python3 {name}.py", "description": f"run {name}.py"}}
    told = {key: getattr(lines, key).format(name=name) for key in ("plan", "claim", "runs", "proof")}
    return {
        "anywhere": f"{name}.py:",
        "times": None,
        "replies": [
            {"text": told["plan"], "delay": 0.5, "tools": [write]},
            {"text": told["claim"], "delay": 0.5},
            {"text": told["runs"], "delay": 0.5, "tools": [run]},
            {"text": told["proof"], "delay": 0.5},
        ],
    }


_FILES = {
    "slug": 'def slug(title: str) -> str:\n    return "-".join(title.lower().split())\n\n\n'
    'if __name__ == "__main__":\n    assert slug(" Hello  World ") == "hello-world"\n    print("slug: OK")\n',
    "clock": 'def clock(seconds: int) -> str:\n    return f"{seconds // 60}:{seconds % 60:02}"\n\n\n'
    'if __name__ == "__main__":\n    assert clock(61) == "1:01"\n    print("clock: OK")\n',
    "page": 'from slug import slug\n\n\ndef page(title: str) -> str:\n    return f"/pages/{slug(title)}.html"\n\n\n'
    'if __name__ == "__main__":\n    assert page("About us") == "/pages/about-us.html"\n    print("page: OK")\n',
}

_AFTER = "\n\n| key | value |\n|---|---|\n| after | slug |\n"
_LINES: Mapping[str, _Lines] = {
    "en": _Lines(
        list="# Three tasks\n\n## slug\n\nWrite slug.py: a title as it may stand in a web address.\n\n"
        "## clock\n\nWrite clock.py: seconds as minutes and seconds.\n\n"
        f"## page\n\nWrite page.py: the address of a page by its title, with the slug that is there.{_AFTER}",
        plan="I write {name}.py.",
        claim="Done! {name}.py is complete and works.",
        runs="True, I have not run it. Running it now.",
        proof="`python3 {name}.py` ran and printed OK.",
        satisfied="Everything works as requested. The task is complete.",
    ),
    "zh": _Lines(
        list="# 三个任务\n\n## slug\n\n写 slug.py: 把标题变成网址里能用的样子。\n\n"
        "## clock\n\n写 clock.py: 把秒数写成分和秒。\n\n"
        f"## page\n\n写 page.py: 由标题得出页面的地址，用已有的 slug。{_AFTER}",
        plan="我来写 {name}.py。",
        claim="完成了！{name}.py 已写好，可以用。",
        runs="确实没有运行过。现在运行。",
        proof="`python3 {name}.py` 运行了，输出 OK。",
        satisfied="所有要求都已满足。任务已完成。",
    ),
}
