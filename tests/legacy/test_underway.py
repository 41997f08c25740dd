from __future__ import annotations

from ccc.claude.stream import BackgroundTasks, Event, TaskStarted, ToolResult, ToolUse
from ccc.model import Task
from ccc_legacy.underway import Underway

CALL = ToolUse("t1", "Bash", {"command": "sleep 600\n", "description": "all tests passed"})
LEFT = BackgroundTasks((Task("b1", "all tests passed"),))


def told(*events: Event) -> tuple[Task, ...]:
    underway = Underway()
    for event in events:
        underway.note(event)
    return underway.tasks


def test_it_is_called_by_its_command_and_not_by_the_agents_words() -> None:
    begun = (CALL, LEFT, TaskStarted("b1", "t1"), ToolResult("t1", False, "in the background"))
    assert told(*begun) == (Task("b1", "sleep 600"),)
    another = BackgroundTasks((*LEFT.tasks, Task("b2", "looks around")))
    assert told(*begun, another) == (Task("b1", "sleep 600"), Task("b2", "looks around"))
    assert told(*begun, BackgroundTasks(()), LEFT) == LEFT.tasks  # another one of the same name


def test_where_no_command_is_known_the_clients_words_stay() -> None:
    assert told(LEFT) == told(LEFT, TaskStarted("b1", "t1")) == LEFT.tasks
    assert told(ToolUse("t1", "Agent", {"prompt": "look"}), LEFT, TaskStarted("b1", "t1")) == LEFT.tasks
    # A call that has returned before left nothing running.
    assert told(CALL, ToolResult("t1", False, "done"), LEFT, TaskStarted("b1", "t1")) == LEFT.tasks


def test_nothing_outlives_the_agents_process() -> None:
    underway = Underway()
    for event in (CALL, LEFT, TaskStarted("b1", "t1")):
        underway.note(event)
    underway.end()
    assert underway.tasks == ()
    underway.note(LEFT)
    assert underway.tasks == LEFT.tasks
