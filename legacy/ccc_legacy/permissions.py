"""May the agent use this tool? The person is asked on the spot, as the client's own UI would.

Rule: whoever answers has seen all of what is asked; "always" holds for this run and for exactly this tool and thing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ccc.base.text import capped, clean, one_line
from ccc.claude.stream import ControlRequest
from ccc_legacy import questions
from ccc_legacy.questions import Asking

YES = frozenset({"y", "yes", "是", "好"})
ALWAYS = frozenset({"a", "always", "总是"})
NO = frozenset({"n", "no", "否", "不"})
CHOICES = "[y]es [n]o [a]lways, or no + advice"
REFUSAL = "The user doesn't want this. Find another way, or stop and say what you need."
SHOWN = 4_000


@dataclass(frozen=True, slots=True)
class Allow:
    input: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Deny:
    message: str


@dataclass(slots=True)
class Permissions:
    always: set[tuple[str, str]] = field(default_factory=set)

    async def decide(self, request: ControlRequest, person: Asking) -> Allow | Deny:
        if request.tool_name == questions.TOOL:
            return Allow(await questions.answered(request.input, person))
        thing = (request.tool_name, _thing(request.input))
        if thing in self.always:
            return Allow(request.input)
        await person.show(list(described(request)))
        said = await _understood(f"Allow {one_line(request.tool_name, 60)}? {CHOICES}", person)
        if said in ALWAYS:
            self.always.add(thing)
        return Allow(request.input) if said in ALWAYS | YES else Deny(_refusal(said))


async def _understood(question: str, person: Asking) -> str:
    """The answer; a yes with more words is neither a yes nor a no, and is asked again."""
    said = (await person.ask(question)).strip()
    while said.lower() not in YES | ALWAYS and _first_word(said) in YES | ALWAYS:
        said = (await person.ask(f"Only a yes, or a no and what to do instead. {question}")).strip()
    return said.lower() if said.lower() in YES | ALWAYS else said


def _refusal(said: str) -> str:
    """Anything but a yes is a no; words beside it, or instead of it, are advice for the agent."""
    advice = said.partition(" ")[2] if _first_word(said) in NO else said
    return f"{REFUSAL} The user says: {advice}" if advice else REFUSAL


def described(request: ControlRequest) -> Iterator[str]:
    """The whole of what the agent wants to do."""
    what = one_line(request.description, 200)
    yield f"? {one_line(request.tool_name, 60)}{f': {what}' if what else ''}"
    for key, value in request.input.items():
        if key != "description":
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            first, *rest = capped(clean(text), SHOWN).split("\n")
            yield f"    {one_line(key, 60)}: {first}"
            yield from (f"    {line}" for line in rest)


def _first_word(text: str) -> str:
    return text.partition(" ")[0].rstrip(",.!").lower()


def _thing(given: Mapping[str, object]) -> str:
    """What an "always" is about: a command, a file, an address, else the whole input; never a part of one."""
    keys = ("command", "file_path", "notebook_path", "url")
    named = {key: given[key] for key in keys if given.get(key)}
    return json.dumps(named or dict(given), sort_keys=True, default=str)
