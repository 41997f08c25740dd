"""What the agent asks the person: may it use this tool, and its own questions (the tool AskUserQuestion).

Rule: a yes counts only from somebody to whom all of it was shown; only a no, or nothing, is a no, and any other answer
is asked again; "always" says what it allows, and holds for this run and for exactly this input, of which only what is
listed here for one of the client's own tools may be another. To a question the person's own words are an answer as good
as an option. Total over any input that a tool may be called with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from ccc.base.messages import Message, msg
from ccc.base.text import one_line
from ccc.claude.stream import ControlRequest
from ccc_legacy.paint import Paint
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
EXACTLY = msg("with exactly this input")


class Kind(Struct, frozen=True):
    """Calls of one of the client's own tools that are one thing to a person."""

    about: str  # the field that says what it is about
    called: Message  # … and how a person calls that
    varies: frozenset[str]  # the fields that may have any value; all others must be as they were shown


_FILE = msg("of this file")
KINDS: Mapping[str, Kind] = {
    "Bash": Kind("command", msg("with this command"), frozenset({"description", "timeout"})),
    "Read": Kind("file_path", _FILE, frozenset({"offset", "limit", "pages"})),
    "Edit": Kind("file_path", _FILE, frozenset({"old_string", "new_string", "replace_all"})),
    "MultiEdit": Kind("file_path", _FILE, frozenset({"edits"})),
    "Write": Kind("file_path", _FILE, frozenset({"content"})),
    "NotebookEdit": Kind(
        "notebook_path",
        msg("of this notebook"),
        frozenset({"new_source", "cell_id", "cell_number", "cell_type", "edit_mode"}),
    ),
    "WebFetch": Kind("url", msg("of this address"), frozenset({"prompt"})),
}


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
    paint: Paint = Paint(False)

    async def decide(self, request: ControlRequest, person: Asking) -> Allow | Deny:
        if request.tool_name == QUESTION:
            return Allow(await answered(request.input, person, self.told))
        try:
            thing = (request.tool_name, _thing(request))
            rows = [] if thing in self.always else list(described(request, person.room()[1], self.paint))
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
    kind = _kind(request)
    what = kind.called if kind else EXACTLY
    if kind and set(request.input) - kind.varies - {kind.about}:
        what = msg("{what}, all else as shown", what=what)
    return msg("every {tool} {what}, until ccc ends", tool=_tool(request), what=what)


def _refusal(said: str) -> str:
    """Words behind a no are advice for the agent."""
    advice = said.partition(" ")[2].strip()
    return f"{REFUSAL} The user says: {advice}" if advice else REFUSAL


def _first_word(text: str) -> str:
    return text.partition(" ")[0].rstrip(",.!").lower()


def _thing(request: ControlRequest) -> str:
    """What an "always" is about: the input, but for what may vary."""
    kind = _kind(request)
    varies = kind.varies if kind else frozenset()
    kept = {key: value for key, value in request.input.items() if key not in varies}
    return json.dumps(kept, sort_keys=True, default=str)


def _kind(request: ControlRequest) -> Kind | None:
    kind = KINDS.get(request.tool_name)
    return kind if kind and request.input.get(kind.about) else None


async def answered(given: Mapping[str, object], person: Asking, told: Callable[[str], str] = str) -> dict[str, object]:
    """The tool's input, with the answers that the client wants in it."""
    answers = {}
    for question in _objects(given.get("questions")):
        options = [str(option.get("label") or "") for option in _objects(question.get("options"))]
        await person.show(list(_shown(question, person.room()[1])))
        said = await person.ask(told(_hint(question)))
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
