"""The agent's own questions to the person (the tool AskUserQuestion): shown with their options, answered on the line.

Rule: total over any input the tool may be called with; the person's own words are an answer as good as an option, and
what is chosen has been shown whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ccc_legacy.sheet import INDENT, titled
from ccc_legacy.terminal import Size

TOOL = "AskUserQuestion"


class Asking(Protocol):
    """Whoever can be asked."""

    async def show(self, lines: Sequence[str]) -> None: ...
    async def ask(self, question: str) -> str: ...
    def room(self) -> Size: ...


async def answered(given: Mapping[str, object], person: Asking) -> dict[str, object]:
    """The tool's input, with the answers that the client wants in it."""
    answers = {}
    for question in _objects(given.get("questions")):
        options = [str(option.get("label") or "") for option in _objects(question.get("options"))]
        await person.show(list(_shown(question, person.room()[1])))
        said = await person.ask(f"{_hint(question)} >")
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


def _hint(question: Mapping[str, object]) -> str:
    return "Numbers, or your own words" if question.get("multiSelect") is True else "A number, or your own words"


def _objects(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
