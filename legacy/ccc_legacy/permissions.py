"""What the agent asks the person: may it use this tool, and its own questions (the tool AskUserQuestion).

Rule: a yes counts only from somebody to whom all of it was shown; only a no, or nothing, is a no, and any other answer
is asked again; "always" says what it allows, and holds for this run and for exactly this tool and thing. To a question
the person's own words are an answer as good as an option. Total over any input that a tool may be called with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Protocol

from msgspec import Struct, field

from ccc.base.messages import Message, msg
from ccc.base.text import one_line
from ccc.claude.stream import ControlRequest
from ccc_legacy.sheet import INDENT, described, titled
from ccc_legacy.terminal import Size

QUESTION = "AskUserQuestion"
YES = frozenset({"y", "yes", "是", "好"})
ALWAYS = frozenset({"a", "always", "总是"})
NO = frozenset({"n", "no", "否", "不"})
MORE = frozenset({"m", "more", "更多"})
ALL = frozenset({"all", "全部"})
REFUSAL = "The user doesn't want this. Find another way, or stop and say what you need."
UNSHOWABLE = "The input is nested too deeply to be shown to the user. Use a simpler one."
KEPT_FREE = 7  # rows of a screen for the question, the line, the status, and what the agent is writing
SHORTEST = 3
ONE_OF = {
    "command": msg("with this command"),
    "file_path": msg("of this file"),
    "notebook_path": msg("of this notebook"),
    "url": msg("of this address"),
}
EXACTLY = msg("with exactly this input")


class Asking(Protocol):
    """Whoever can be asked."""

    async def show(self, lines: Sequence[str]) -> None: ...
    async def ask(self, question: str) -> str: ...
    def room(self) -> Size: ...


class Allow(Struct, frozen=True):
    input: Mapping[str, object]


class Deny(Struct, frozen=True):
    message: str


class Permissions(Struct):
    always: set[tuple[str, str]] = field(default_factory=set)
    told: Callable[[str], str] = str  # a sentence in the person's language

    async def decide(self, request: ControlRequest, person: Asking) -> Allow | Deny:
        if request.tool_name == QUESTION:
            return Allow(await answered(request.input, person, self.told))
        try:
            thing = (request.tool_name, _thing(request.input))
            rows = [] if thing in self.always else list(described(request, person.room()[1]))
        except RecursionError:
            return Deny(UNSHOWABLE)
        if thing in self.always:
            return Allow(request.input)
        said = await _Question(_tool(request), _always(request), rows, self.told).answer(person)
        if said in ALWAYS:
            self.always.add(thing)
        return Allow(request.input) if said in ALWAYS | YES else Deny(_refusal(said))


class _Question(Struct):
    tool: str
    always: Message
    hidden: Sequence[str]  # what has not been shown yet
    told: Callable[[str], str]

    async def answer(self, person: Asking) -> str:
        """A yes, an always, or a no with what the person has added to it."""
        await self._show(person, _piece(person))
        hint = ""
        while True:
            said = (await person.ask(f"{hint}{self.told(self._question())}")).strip()
            word = said.lower()
            if word in MORE | ALL and self.hidden:
                await self._show(person, len(self.hidden) if word in ALL else _piece(person))
                hint = ""
            elif word in YES | ALWAYS and not self.hidden:
                return word
            elif not said or _first_word(said) in NO:
                return said
            else:
                hint = f"{self.told(self._hint(word))} "

    def _question(self) -> Message:
        count = len(self.hidden)
        if count == 1:
            return msg("Allow {tool}? 1 more line: [m]ore, all, or [n]o", tool=self.tool)
        if count:
            return msg("Allow {tool}? {count} more lines: [m]ore, all, or [n]o", tool=self.tool, count=count)
        return msg("Allow {tool}? [y]es [n]o [a]lways ({always}), or no + advice", tool=self.tool, always=self.always)

    def _hint(self, word: str) -> Message:
        if self.hidden and word in YES | ALWAYS:
            return msg("There is more to see before a yes: type m or all.")
        return msg("Neither a yes nor a no; advice goes behind a no: n use mv.")

    async def _show(self, person: Asking, count: int) -> None:
        rows, self.hidden = self.hidden[:count], self.hidden[count:]
        await person.show(rows)


def _piece(person: Asking) -> int:
    """How many rows can be seen at once."""
    return max(person.room()[0] - KEPT_FREE, SHORTEST)


def _tool(request: ControlRequest) -> str:
    return one_line(request.tool_name, 60)


def _always(request: ControlRequest) -> Message:
    named = [ONE_OF[key] for key in _named(request.input)] or [EXACTLY]
    what = reduce(lambda one, other: msg("{one} and {other}", one=one, other=other), named)
    return msg("every {tool} {what}, until ccc ends", tool=_tool(request), what=what)


def _refusal(said: str) -> str:
    """Words behind a no are advice for the agent."""
    advice = said.partition(" ")[2].strip()
    return f"{REFUSAL} The user says: {advice}" if advice else REFUSAL


def _first_word(text: str) -> str:
    return text.partition(" ")[0].rstrip(",.!").lower()


def _thing(given: Mapping[str, object]) -> str:
    """What an "always" is about: a command, a file, an address, else the whole input; never a part of one."""
    return json.dumps(_named(given) or dict(given), sort_keys=True, default=str)


def _named(given: Mapping[str, object]) -> dict[str, object]:
    return {key: given[key] for key in ONE_OF if given.get(key)}


async def answered(given: Mapping[str, object], person: Asking, told: Callable[[str], str] = str) -> dict[str, object]:
    """The tool's input, with the answers that the client wants in it."""
    answers = {}
    for question in _objects(given.get("questions")):
        options = [str(option.get("label") or "") for option in _objects(question.get("options"))]
        await person.show(list(_shown(question, person.room()[1])))
        said = await person.ask(f"{told(_hint(question))} >")
        answers[str(question.get("question") or "")] = chosen(said, options)
    return {**given, "answers": answers}


def chosen(said: str, options: Sequence[str]) -> str:
    """Numbers stand for options; anything else is the answer itself."""
    words = said.replace(",", " ").split()
    numbers = [int(word) for word in words if word.isdecimal()]
    if words and len(numbers) == len(words) and all(1 <= number <= len(options) for number in numbers):
        return ", ".join(options[number - 1] for number in numbers)
    return said.strip()


def _shown(question: Mapping[str, object], columns: int) -> Iterator[str]:
    for line in str(question.get("question") or "").split("\n"):
        yield from titled(f"? {line}", columns, goes_on="? ")
    for number, option in enumerate(_objects(question.get("options")), 1):
        about = str(option.get("description") or "")
        label = f"{INDENT}{number}. {option.get('label') or ''}{f' — {about}' if about else ''}"
        yield from titled(label, columns)


def _hint(question: Mapping[str, object]) -> Message:
    several, one = msg("Numbers, or your own words"), msg("A number, or your own words")
    return several if question.get("multiSelect") is True else one


def _objects(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
