"""The agent's list of things to do, as it stands now.

Rule: pure; what is not a list, or has no words, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from ccc.base.messages import Message, msg
from ccc.base.text import one_line
from ccc.claude.stream import ToolUse

WHOLE, CREATED, CHANGED = "TodoWrite", "TaskCreate", "TaskUpdate"
TOOLS = frozenset({WHOLE, CREATED, CHANGED})
MARKS = {"completed": "☑", "in_progress": "▶", "pending": "☐"}
_NUMBER = re.compile(r"#(\d+)")


class Item(Struct, frozen=True):
    text: str
    status: str = "pending"


class Todos(Struct):
    items: dict[str, Item] = field(default_factory=dict)

    def returned(self, use: ToolUse, text: str) -> None:
        """A call that has changed the list; the number of a new item is in what the tool says."""
        match use.name:
            case _ if use.name == WHOLE:
                self.items = dict(_listed(use.input.get("todos")))
            case _ if use.name == CREATED:
                number = _NUMBER.search(text)
                self.items[number[1] if number else str(len(self.items) + 1)] = Item(_words(use.input, "subject"))
            case _ if use.name == CHANGED:
                self._change(str(use.input.get("taskId") or ""), use.input)

    def _change(self, number: str, given: Mapping[str, object]) -> None:
        old = self.items.get(number)
        status = str(given.get("status") or (old.status if old else "pending"))
        if status == "deleted":
            self.items.pop(number, None)
        elif old or given.get("subject"):
            self.items[number] = Item(_words(given, "subject") or (old.text if old else ""), status)

    def about(self, use: ToolUse) -> str:
        """The item that a call changes, as it will stand."""
        old = self.items.get(str(use.input.get("taskId") or "")) if use.name == CHANGED else None
        if old is None:
            return ""
        mark = MARKS.get(str(use.input.get("status") or old.status), "☐")
        return f"{mark} {_words(use.input, 'subject') or old.text}"

    @property
    def is_open(self) -> bool:
        return any(item.status != "completed" for item in self.items.values())

    @property
    def summary(self) -> Message:
        done = sum(item.status == "completed" for item in self.items.values())
        now = next((item.text for item in self.items.values() if item.status == "in_progress"), "")
        if now:
            return msg("{done} of {all} done · now: {now}", done=done, all=len(self.items), now=now)
        return msg("{done} of {all} done", done=done, all=len(self.items))

    def rows(self, most: int) -> Iterator[str]:
        """The open ones first, where there is not room for all."""
        items = list(self.items.values())
        if len(items) > most:
            items = [item for item in items if item.status != "completed"][:most]
        for item in items:
            yield f"{MARKS.get(item.status, '☐')} {item.text}"


def _listed(todos: object) -> Iterator[tuple[str, Item]]:
    for number, todo in enumerate(todos if isinstance(todos, list) else []):
        if isinstance(todo, Mapping) and (text := _words(todo, "content")):
            yield str(number), Item(text, str(todo.get("status") or "pending"))


def _words(given: Mapping[str, object], key: str) -> str:
    value = given.get(key)
    return one_line(value, 200) if isinstance(value, str) else ""
