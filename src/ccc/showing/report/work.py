"""What the agent did, as a page shows it.

Rule: pure but for `read`, which asks the one reader of transcripts; what counts as a request or a call is its business,
and here is only how much of it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccc.base.text import capped, one_line
from ccc.claude import conversation, transcript, transcript_moments
from ccc.claude.conversation import Call, Edit, Fate, Kept, Moment, Spent, Told

SAID, RESULT, ABOUT = 12_000, 4_000, 2_000

_ABOUT = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description", "skill", "prompt"]


class Asked(Struct, frozen=True):
    """The person's words; `begins`: they are a request, not a remark while the agent worked."""

    at: float
    text: str
    prompt_id: str | None = None
    begins: bool = True


class Said(Struct, frozen=True):
    at: float
    text: str


class Used(Struct, frozen=True):
    """A tool call; `ok` is None while there is no result."""

    at: float
    tool: str
    about: str
    ok: bool | None = None
    result: str = ""
    seconds: float | None = None
    edit: Edit | None = None


class Answered(Struct, frozen=True):
    """One answer of the model, for its tokens."""

    at: float
    tokens: int


Step = Asked | Said | Used | Answered


def read(path: Path) -> tuple[Step, ...]:
    """The steps in a transcript; none when it cannot be read."""
    return shown(transcript.session(path, KEPT))


def steps(lines: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    return shown(transcript_moments.history(lines, KEPT))


def shown(moments: Iterable[Moment | Spent]) -> tuple[Step, ...]:
    return tuple(step for moment in moments for step in _steps(moment))


def _steps(moment: Moment | Spent) -> Iterator[Step]:
    match moment:
        case conversation.Asked(text, meanwhile, at, prompt_id, typed):
            yield Asked(at, typed or text, prompt_id, begins=not meanwhile)
        case conversation.Said(text, at):
            yield Said(at, text)
        case Call():
            yield _used(moment)
        case Told(at, interruption) if interruption:
            yield Asked(at, interruption, begins=False)
        case Spent(at, tokens):
            yield Answered(at, tokens)


def _used(call: Call) -> Used:
    ok = {Fate.DONE: True, Fate.STARTED: True, Fate.UNKNOWN: None}.get(call.fate, False)
    code = f"Exit code {call.exit_code}\n" if call.exit_code else ""
    return Used(call.at, one_line(call.name, 80), about(call.input), ok, code + call.output, call.seconds, call.edit)


def about(given: Mapping[str, object]) -> str:
    """The one thing a tool call is about."""
    return next(_pairs(given), ("", ""))[1]


def _pairs(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key in _ABOUT:
        value = given.get(key)
        if isinstance(value, str) and value:
            yield key, capped(value, ABOUT)


# Of a session of any length no more is held than a page may show.
KEPT = Kept(
    asked=lambda text: capped(text, SAID),
    said=lambda text: capped(text.strip(), SAID),
    output=lambda text: capped(text.strip(), RESULT),
    given=lambda given: dict([next(_pairs(given), ("", ""))]),
)
