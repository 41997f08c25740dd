"""May the agent use this tool? The person is asked on the spot, as the client's own UI would.

Rule: nobody there means no; "always" holds for this run and for exactly this tool and thing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ccc.stream import ControlRequest
from ccc.text import one_line
from ccc_legacy.screen import about

Ask = Callable[[str], Awaitable[str | None]]
YES = frozenset({"y", "yes", "是", "好"})
ALWAYS = frozenset({"a", "always", "总是"})
NO = frozenset({"n", "no", "否", "不"})
REFUSAL = "The user doesn't want this. Find another way, or stop and say what you need."
NOBODY = "Nobody is there to permit this. Find another way, or stop and say what you need."


@dataclass(frozen=True, slots=True)
class Answer:
    allowed: bool
    message: str = ""


@dataclass(slots=True)
class Permissions:
    always: set[tuple[str, str]] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)  # without anybody to ask; told at the end

    async def decide(self, request: ControlRequest, ask: Ask) -> Answer:
        thing = (request.tool_name, about(request.input))
        if thing in self.always:
            return Answer(True)
        said = await ask(question(request))
        if said is None:
            self.refused.append(f"{thing[0]} {thing[1]} was denied: nobody was there to permit it")
            return Answer(False, NOBODY)
        return self._meant(said.strip(), thing)

    def _meant(self, said: str, thing: tuple[str, str]) -> Answer:
        word, _, advice = said.partition(" ")
        if word.lower() in ALWAYS:
            self.always.add(thing)
            return Answer(True)
        if word.lower() in YES:
            return Answer(True)
        # Anything else is a no; words beside it, or instead of it, are advice for the agent.
        advice = advice if word.lower() in NO else said
        return Answer(False, f"{REFUSAL} The user says: {advice}" if advice else REFUSAL)


def question(request: ControlRequest) -> str:
    what = one_line(request.description, 120)
    on = about(request.input)
    return (
        f"? {request.tool_name} {on}{f' ({what})' if what and what != on else ''}  [y]es [n]o [a]lways, or no + advice"
    )
