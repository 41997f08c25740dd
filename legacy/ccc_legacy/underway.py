"""What the agent has left running, by the commands that began it.

Rule: no I/O. What the agent calls its own work is its word, and no fact where the command is known.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.text import one_line
from ccc.claude.stream import BackgroundTasks, Event, TaskStarted, ToolResult, ToolUse
from ccc.model import Task

LENGTH = 200  # of a command


class Underway(Struct):
    tasks: tuple[Task, ...] = ()
    _calls: dict[str, str] = field(default_factory=dict)  # commands that have not returned, by the ids of their calls
    _begun: dict[str, str] = field(default_factory=dict)  # … and those that went on in the background, by their tasks

    def note(self, event: Event) -> None:
        match event:
            case ToolUse(id_, input={"command": str(command)}):
                self._calls[id_] = one_line(command, LENGTH)
            case ToolResult(id_):
                self._calls.pop(id_, None)
            case TaskStarted(task, call) if call in self._calls:
                self._begun[task] = self._calls[call]
                self._tell(self.tasks)
            case BackgroundTasks(tasks):
                self._begun = {task.id: self._begun[task.id] for task in tasks if task.id in self._begun}
                self._tell(tasks)

    def end(self) -> None:
        """All of it has, with the agent's process."""
        self.tasks = ()
        self._calls.clear()
        self._begun.clear()

    def _tell(self, tasks: tuple[Task, ...]) -> None:
        self.tasks = tuple(replace(task, about=self._begun.get(task.id) or task.about) for task in tasks)
