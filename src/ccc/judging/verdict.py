"""What the reviewer said → Verdict, total over any input.

Rule: nothing is guessed. Permission to stop is a complete, strictly valid JSON object or the marker, alone or with
plainly good words before it (`plain`); an answer that refuses, refuses; whatever is neither is not sure, and its author
is asked (docs/specification.md). What is no answer gives no verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.base.text import clean, feedback
from ccc.model import Verdict

if TYPE_CHECKING:
    from ccc.claude.stream import Finished

DEFAULT_FEEDBACK: Final = "请继续完成任务"
MARKER: Final = "[TASK_COMPLETED]"
HUMAN_MARKER: Final = "[NEEDS_HUMAN]"
MARKERS: Final = (MARKER, HUMAN_MARKER)

SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "allow_stop": {
            "type": "boolean",
            "description": "是否允许 Agent 停止工作（true = 工作达到无可挑剔状态，false = 需要继续改进）",
        },
        "feedback": {
            "type": "string",
            "description": "当 allow_stop 为 false 时，提供具体的、可执行的、包含足够细节的改进指令",
        },
        "needs_human": {
            "type": "boolean",
            "description": "true 表示 Agent 再做也没有用，必须由用户决定或提供什么；"
            "这时 allow_stop 为 false，feedback 写给用户看",
        },
        "unchanged": {
            "type": "boolean",
            "description": "true 表示未解决的意见与上一次审查相同，而且原样未动",
        },
    },
    "required": ["allow_stop", "feedback"],
}

# Each bracket that opens nothing costs a count of the lines before it.
_PROSE_LIMIT = 100_000
# json_repair is quadratic in brackets and quotes: 20,000 characters of them take it 13 s.
_REPAIR_LIMIT = 8_000
_REPAIR_BRACKETS = 50

# A verdict of the schema has four; whoever nests thousands has something to hide.
_NODES = 10_000

_NO_SPELLED = frozenset({"", "false", "no", "none", "null", "n/a", "0", "否", "无"})

_Object = dict[str, object]


def is_answer(finished: Finished) -> bool:
    """Whether the reviewer spoke at all: an API error, a broken turn or the client's own words are no answer."""
    said_something = finished.result is not None or finished.structured_output is not None
    return said_something and finished.succeeded and not finished.unheard


class Reading(Struct, frozen=True):
    """What an answer comes to. Where it is not `sure` the reviewer is asked for its verdict alone, and the one here,
    which permits nothing, holds if that brings none."""

    verdict: Verdict
    sure: bool = True


def read(finished: Finished, default: str = DEFAULT_FEEDBACK) -> Reading | None:
    """The answer of a reviewer that was asked for JSON; None when there is no answer to read."""
    if not is_answer(finished):
        return None
    # First, because before 2.1.200 `result` beside it holds the agent's next words.
    structured = finished.structured_output
    if isinstance(structured, dict) and _has_opinion(structured):
        text = json.dumps(structured, ensure_ascii=False)
        return _unless_cut_off(finished, _of_object(structured, text, default), _feedback(structured) or text, default)
    text = finished.result or ""
    return _unless_cut_off(finished, _read(text, default), text, default)


def read_marker(finished: Finished, default: str = DEFAULT_FEEDBACK) -> Reading | None:
    """The answer of a reviewer that was asked for a marker line; None when there is no answer to read."""
    if not is_answer(finished):
        return None
    text = finished.result or ""
    return _unless_cut_off(finished, _read_marker(text, default), text, default)


def _unless_cut_off(finished: Finished, reading: Reading, text: str, default: str) -> Reading:
    """What else it would have said might have taken it back, or have been the marker; a verdict by the schema too, for
    another one may have been on its way behind it."""
    if not finished.is_cut_off:
        return reading
    meant = reading.verdict
    return Reading(Verdict(False, feedback(text) or default) if meant.allow_stop else meant, sure=False)


def settled(first: Verdict, second: Finished | None) -> Verdict:
    """What a reviewer meant that was asked once more: permission only by an object that is all of its second answer."""
    if second is None or not is_answer(second):
        return first
    structured = second.structured_output
    found = structured if isinstance(structured, dict) and _has_opinion(structured) else alone(second.result or "")
    if found is not None:
        meant = _verdict(found, first.feedback)
        return first if meant.allow_stop and (_says_more(found) or second.is_cut_off) else meant
    reading = _read(second.result or "", first.feedback)
    return reading.verdict if reading.sure and not reading.verdict.allow_stop else first


def words_of(text: str) -> str:
    """What a person is shown of such an answer: all of it but a marker that counts as it stands."""
    told = clean(text)
    at = told.find(MARKER)
    if _calls(told):
        return _without_markers(told)
    return told[:at].rstrip(" \t\n*_`✅✔") if _permits(text, told, at, at + len(MARKER)) else told


def _read_marker(text: str, default: str) -> Reading:
    told = clean(text)
    said = feedback(_without_markers(told)) or default
    if _calls(told):
        return Reading(Verdict(False, said, needs_human=True))
    at = told.find(MARKER)
    if _permits(text, told, at, at + len(MARKER)):
        return Reading(Verdict(True, ""))
    return Reading(Verdict(False, said), sure=not any(marker in told for marker in MARKERS) and bool(told.strip()))


def _permits(text: str, told: str, start: int, end: int) -> bool:
    """Whether it stands in the text as it was written, with nothing that is not plainly good beside it."""
    if start < 0 or text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff") != told:
        return False
    from ccc.judging import plain

    return plain.permits(told, start, end)


def _calls(told: str) -> bool:
    """Whether a line is nothing but the call for a person; words may follow."""
    return HUMAN_MARKER in told and any(line.strip(" \t*_`") == HUMAN_MARKER for line in told.split("\n"))


def _without_markers(told: str) -> str:
    return "\n".join(line for line in told.split("\n") if line.strip("> \t*_`") not in MARKERS)


def _has_opinion(found: Mapping[str, object]) -> bool:
    return "allow_stop" in found or "completed" in found


def _verdict(found: Mapping[str, object], default: str) -> Verdict:
    needs_human = found.get("needs_human") is True
    agreed = not _refuses(found)
    inner = _refusal_within(found) if agreed else None
    allowed = agreed and inner is None
    said = _feedback(found) or _feedback(inner or {})
    return Verdict(
        allow_stop=allowed,
        feedback="" if allowed else said or default,
        needs_human=needs_human,
        unchanged=found.get("unchanged") is True,
    )


def _refuses(found: Mapping[str, object]) -> bool:
    """Whether something in it takes permission back, however its name is spelled (`allowStop`, `needs-human`)."""
    meant = [(_UNSAID.sub("", key.lower()), value) for key, value in found.items()]
    return any(
        (name in _OPINIONS and value is not True) or (name in _CALLS and _is_yes(value)) for name, value in meant
    )


_UNSAID = pattern(r"[^a-z]")
_OPINIONS, _CALLS = frozenset({"allowstop", "completed", "complete"}), frozenset({"needshuman"})


def _is_yes(asked: object) -> bool:
    """Only `true` calls a person, but a yes in any spelling takes permission back."""
    return asked.strip().lower() not in _NO_SPELLED if isinstance(asked, str) else bool(asked)


def _of_object(found: Mapping[str, object], text: str, default: str) -> Reading:
    """What an object comes to that is all of an answer."""
    meant = _verdict(found, default)
    if meant.allow_stop and _says_more(found):
        return Reading(Verdict(False, _feedback(found) or feedback(text) or default), sure=False)
    return Reading(meant, sure=meant.allow_stop or not _only_misspelt(found))


def _only_misspelt(found: Mapping[str, object]) -> bool:
    """Whether nothing but a spelling keeps it from permitting: a boolean in quotation marks, a name given twice, a
    call for a person in words."""
    meant = [(_UNSAID.sub("", key.lower()), value) for key, value in found.items()]
    opinions = [value for name, value in meant if name in _OPINIONS]
    called = any(name in _CALLS and value and not isinstance(value, str) for name, value in meant)
    finds = _feedback(found) or _refusal_within(found) is not None
    return not (called or finds) and all(value in (True, [None]) or _is_true(value) for value in opinions)


def _is_true(spelt: object) -> bool:
    return isinstance(spelt, str) and spelt.strip().lower() == "true"


# All that a permission has to say; what stands under any other name might take it back, in whatever words.
_WORDS = frozenset({"feedback", "basis"})
_NAMES = frozenset({"allow_stop", "completed", "needs_human"}) | _WORDS


def _says_more(found: Mapping[str, object]) -> bool:
    """Whether an object that permits says something besides: under a name of its own, by `unchanged` (the findings of
    a review that sent back), or by an object in its words."""
    return any(not (name in _NAMES or _is_nothing(name, value)) or _hides(name, value) for name, value in found.items())


def _is_nothing(name: str, value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None or value in ([], {}) or (name == "unchanged" and value is False)


def _hides(name: str, value: object) -> bool:
    if name not in _WORDS:
        return False
    return bool(_HIDDEN.search(value)) if isinstance(value, str) else not _is_nothing(name, value)


# An object like a verdict, with its names in any spelling.
_HIDDEN = pattern(r"(?is)\{.*?\b(?:allow[\W_]*stop|completed?|needs[\W_]*human|feedback)\b")


def _feedback(found: Mapping[str, object]) -> str:
    words = found.get("feedback")
    return feedback(words) if isinstance(words, str) else ""


def _refusal_within(found: Mapping[str, object]) -> Mapping[str, object] | None:
    """What lies within an object and refuses; one too large to look through counts as if it did."""
    waiting: list[object] = list(found.values())
    for _ in range(_NODES):
        if not waiting:
            return None
        one = waiting.pop()
        if isinstance(one, dict):
            if _refuses(one):
                return one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return {}


def _read(text: str, default: str) -> Reading:
    found = alone(text)
    if found is not None:
        return _of_object(found, text, default)
    told = clean(text)
    pieces = list(_pieces(told)) if len(told) <= _PROSE_LIMIT else []
    verdicts = [piece for piece in pieces if piece.found is not None and _is_verdict(piece.found)]
    opinions = [_verdict(piece.found or {}, default) for piece in verdicts]
    if not opinions:
        return Reading(Verdict(False, _repaired_feedback(told) or feedback(told) or default), sure=False)
    refusals = [one for one in opinions if not one.allow_stop]
    if refusals:
        # Two minds, or a call for a person that may be quoted, are worth a question.
        of_one_mind = len(refusals) == len(opinions) and not refusals[-1].needs_human
        return Reading(replace(refusals[-1], needs_human=False), sure=of_one_mind)
    [only, *others] = pieces
    if not others and not _says_more(only.found or {}) and _permits(text, told, only.start, only.end):
        return Reading(opinions[0])
    return Reading(Verdict(False, feedback(told) or default), sure=False)


def _unrepeated(pairs: list[tuple[str, object]]) -> _Object:
    """An object in which a key that was given twice has a value that means nothing, and so cannot allow anything."""
    found: _Object = {}
    for key, value in pairs:
        found[key] = [None] if key in found else value
    return found


def _refuse(constant: str) -> None:
    raise ValueError(msg("{word} is not JSON", word=constant))


_DECODER = json.JSONDecoder(object_pairs_hook=_unrepeated, parse_constant=_refuse)


def alone(text: str) -> _Object | None:
    """The verdict that is all of the text, but for a fence around it."""
    fenced = _FENCED.fullmatch(text.strip())
    try:
        found = _DECODER.decode(fenced[2] if fenced else text.strip().lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and _has_opinion(found) else None


def _is_verdict(found: Mapping[str, object]) -> bool:
    # `completed` alone is what any quoted to-do list says.
    return "allow_stop" in found or ("completed" in found and "feedback" in found)


class _Piece(Struct, frozen=True):
    """Where an object stands in the text; without `found`, what began like one and broke off."""

    start: int
    end: int
    found: _Object | None


def _pieces(text: str) -> Iterator[_Piece]:
    at = 0
    while opening := _OPENING.search(text, at):
        found: _Object | None = None
        try:
            found, at = _DECODER.raw_decode(text, opening.start())
        except json.JSONDecodeError as error:
            # Not from the next bracket: what lies inside a broken object was not said on its own.
            at = max(error.pos, opening.end())
        except (ValueError, RecursionError):  # NaN, or a number or a nesting that Python refuses
            at = len(text)
        yield _Piece(opening.start(), at, found)


_FENCED = pattern(r"(`{3,8}|~{3,8})(?:json)?[ \t]*\n(.*)\n[ \t]*\1", re.DOTALL)
_OPENING = pattern(r"""\{\s*(?:"|['“]?(?:allow_stop|completed|feedback)\b)""")
_FRAGMENT = pattern(r"""\{\s*["'“]?(?:allow_stop|completed|feedback)\b""")


def _repaired_feedback(text: str) -> str:
    """The feedback of a verdict that is nearly JSON; its opinion is not taken from there."""
    fragment = _fragment(text)
    if not fragment:
        return ""
    import json_repair

    try:
        found = json_repair.loads(fragment, skip_json_loads=True)
    except Exception:  # a guess at hostile text: whatever goes wrong, the raw words remain
        return ""
    words = found.get("feedback") if isinstance(found, dict) else None
    return feedback(words) if isinstance(words, str) else ""


def _fragment(text: str) -> str:
    starts = [match.start() for match in _FRAGMENT.finditer(text)]
    fragment = text[starts[-1] :] if starts else ""
    brackets = fragment.count("{") + fragment.count("[")
    return fragment if len(fragment) <= _REPAIR_LIMIT and brackets <= _REPAIR_BRACKETS else ""
