"""A stop situation as a short story: what was asked, said and done, in words that every client version can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Label = Literal["may_stop", "must_go_on", "needs_human"]


@dataclass(frozen=True)
class Ask:
    """A request of the person."""

    text: str


@dataclass(frozen=True)
class Meanwhile:
    """Typed while the agent worked, and taken up."""

    text: str


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Tool:
    """A tool call and its result; `code` None is success without one, `refused` never ran."""

    name: str
    input: Mapping[str, Any]
    result: str = ""
    code: int = 0
    refused: bool = False
    error: bool = False
    background: str = ""
    cut: bool = False
    parallel: bool = False


@dataclass(frozen=True)
class Ended:
    """A background command came to its end, by notification."""

    task: str
    code: int


@dataclass(frozen=True)
class Feedback:
    """What a Stop hook sent the agent back with."""

    text: str


@dataclass(frozen=True)
class Subagent:
    """What a subagent did; none of it is the main thread's."""

    steps: tuple[Tool, ...]


@dataclass(frozen=True)
class Compaction:
    pass


@dataclass(frozen=True)
class LocalCommand:
    name: str


@dataclass(frozen=True)
class Command:
    """A command of the person's own, and the text it stands for."""

    name: str
    text: str


@dataclass(frozen=True)
class Interrupted:
    """The person broke the turn off, in the middle of a tool call or of the answer."""

    tool: bool = False


@dataclass(frozen=True)
class ApiError:
    text: str


Step = (
    Ask
    | Meanwhile
    | Say
    | Tool
    | Ended
    | Feedback
    | Subagent
    | Compaction
    | LocalCommand
    | Command
    | Interrupted
    | ApiError
)


@dataclass(frozen=True)
class Case:
    """`rule` is the rule of the gate that must speak; None: the gate is silent and the reviewer decides."""

    id: str
    label: Label
    steps: tuple[Step, ...]
    rule: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    mode: str | None = None


def case(id_: str, label: Label, *steps: Step, rule: str | None = None, mode: str | None = None, **facts: Any) -> Case:
    return Case(id_, label, steps, rule, facts, mode)


def bash(command: str, result: str = "", code: int = 0, **more: Any) -> Tool:
    return Tool("Bash", {"command": command, "description": "run it"}, result, code, **more)


def edit(path: str, old: str = "return 1", new: str = "return 2", **more: Any) -> Tool:
    done = f"The file /home/user/project/{path} has been updated successfully."
    given = {"file_path": f"/home/user/project/{path}", "old_string": old, "new_string": new}
    return Tool("Edit", given, done, **more)


def write(path: str, content: str = "print('hi')\n", **more: Any) -> Tool:
    done = f"File created successfully at: /home/user/project/{path}"
    return Tool("Write", {"file_path": f"/home/user/project/{path}", "content": content}, done, **more)


def read(path: str) -> Tool:
    return Tool("Read", {"file_path": f"/home/user/project/{path}"}, "1\tdef f():\n2\t    return 1\n")
