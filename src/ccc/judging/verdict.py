"""What the reviewer said → Verdict, total over any input.

Rule: permission to stop comes only from a complete, strictly valid JSON object or from the marker, and only as the last
thing said, unquoted and uncontradicted (`lastword`, docs/specification.md); every other real answer sends the agent on,
and what is no answer gives no verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.messages import msg
from ccc.base.patterns import Lazy, pattern
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
    """Whether the reviewer spoke at all: an API error, a crash or a cut-off turn is no answer."""
    said_something = finished.result is not None or finished.structured_output is not None
    return said_something and not finished.is_error and not finished.subtype.startswith("error")


def verdict_of(finished: Finished, default: str = DEFAULT_FEEDBACK) -> Verdict | None:
    """The verdict in the reviewer's result; None when there is no answer to read."""
    if not is_answer(finished):
        return None
    # First, because before 2.1.200 `result` beside it holds the agent's next words.
    structured = finished.structured_output
    if isinstance(structured, dict) and _has_opinion(structured):
        return _verdict(structured, default)
    return _verdict_in(finished.result or "", default)


def answer_verdict(finished: Finished, default: str = DEFAULT_FEEDBACK) -> Verdict | None:
    """The verdict by the marker that ends the reviewer's answer; None when there is no answer to read."""
    return marker_verdict(finished.result or "", default) if is_answer(finished) else None


def marker_verdict(text: str, default: str = DEFAULT_FEEDBACK) -> Verdict:
    """The verdict in the words of a reviewer that was asked for a marker line; asked for a person, it is not done."""
    told = clean(text)
    human = _calls(told)
    if not human and _permission(text, told):
        return Verdict(True, "")
    lines = _without(told, human).split("\n")
    said = "\n".join(line for line in lines if line.strip("> \t") not in MARKERS)
    return Verdict(False, feedback(said) or default, needs_human=bool(human))


def words_of(text: str) -> str:
    """What a person is shown of such an answer: all of it but the marker that counts."""
    told = clean(text)
    return _without(told, _calls(told) or _permission(text, told))


_Span = tuple[int, int]


def _permission(text: str, told: str) -> list[_Span]:
    """Where the marker is the last thing said; it can be so once."""
    start = told.rfind(MARKER)
    end = start + len(MARKER)
    return [(start, end)] if start >= 0 and _is_last_word(text, told, start, end) else []


def _is_last_word(text: str, told: str, start: int, end: int) -> bool:
    if not _as_written(text, told, start):
        return False
    from ccc.judging.lastword import Answer
    from ccc.judging.letters import as_seen

    before = as_seen(told[:start])
    answer, start, end = Answer.of(before + told[start:]), len(before), len(before) + end - start
    return answer.is_last(end) and answer.is_said(start, end) and not answer.is_contradicted(start)


def _as_written(text: str, told: str, start: int) -> bool:
    """Whether, from its line to the end, cleaning took away colours at most: not words, and nothing from within it."""
    line = told.rfind("\n", 0, start) + 1
    shown = _COLOUR.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).lstrip("\ufeff")
    return shown.endswith(told[line:]) and shown[: len(shown) - len(told) + line][-1:] in ("", "\n")


def _calls(told: str) -> list[_Span]:
    """Where a person is called for; words may follow."""
    if HUMAN_MARKER not in told:
        return []
    from ccc.judging.lastword import Answer

    # Beside the other marker it still calls.
    answer = Answer.of(told.replace(MARKER, " " * len(MARKER)))
    found = [match.span() for match in _HUMAN.finditer(answer.text)]
    return [span for span in found if answer.is_said(*span)]


def _without(told: str, spans: list[_Span]) -> str:
    if not spans:
        return told
    from ccc.judging.lastword import Answer

    return Answer.of(told).without(spans)


_HUMAN = Lazy(re.escape(HUMAN_MARKER))
_COLOUR = Lazy(r"\x1b\[[0-9;]{0,40}m")


def _has_opinion(found: Mapping[str, object]) -> bool:
    return "allow_stop" in found or "completed" in found


def _verdict(found: Mapping[str, object], default: str) -> Verdict:
    opinions = [found[key] for key in ("allow_stop", "completed") if key in found]
    needs_human = found.get("needs_human") is True
    agreed = all(opinion is True for opinion in opinions) and not _calls_somebody(found)
    inner = _refusal_within(found) if agreed else None
    allowed = agreed and inner is None
    said = _feedback(found) or _feedback(inner or {})
    return Verdict(
        allow_stop=allowed,
        feedback="" if allowed else said or default,
        needs_human=needs_human,
        unchanged=found.get("unchanged") is True,
    )


def _calls_somebody(found: Mapping[str, object]) -> bool:
    """Whether a person is needed, in any spelling: only `true` calls one, but each takes permission back."""
    asked = found.get("needs_human")
    return asked.strip().lower() not in _NO_SPELLED if isinstance(asked, str) else bool(asked)


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
            if any(one.get(key, True) is not True for key in ("allow_stop", "completed")) or _calls_somebody(one):
                return one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return {}


def _verdict_in(text: str, default: str) -> Verdict:
    bare = _bare_object(text)
    if bare is not None:
        return _verdict(bare, default)
    told = clean(text)
    pieces = list(_pieces(told)) if len(told) <= _PROSE_LIMIT else []
    verdicts = [piece for piece in pieces if piece.found is not None and _is_verdict(piece.found)]
    if not verdicts:
        return Verdict(False, _repaired_feedback(told) or feedback(told) or default)
    return _told_verdict(text, told, pieces, verdicts, default)


def _told_verdict(text: str, told: str, pieces: list[_Piece], verdicts: list[_Piece], default: str) -> Verdict:
    """What verdicts in prose amount to: a refusal wherever it stands, permission only as the last word of all."""
    from ccc.judging.lastword import Answer

    answer, opinions = Answer.of(told), [_verdict(piece.found or {}, default) for piece in verdicts]
    refusals = [(piece, one) for piece, one in zip(verdicts, opinions, strict=True) if not one.allow_stop]
    if refusals:
        piece, said = refusals[-1]
        return replace(said, needs_human=said.needs_human and answer.is_said(piece.start, piece.end))
    last = verdicts[-1]
    broken = any(piece.found is None and _VERDICT_KEY.search(told[piece.start : piece.end]) for piece in pieces)
    if not broken and _is_last_word(text, told, last.start, last.end):
        return opinions[-1]
    return Verdict(False, feedback(told) or default)


def _unrepeated(pairs: list[tuple[str, object]]) -> _Object:
    """An object in which a key that was given twice has no value, so that it cannot allow anything."""
    found: _Object = {}
    for key, value in pairs:
        found[key] = None if key in found else value
    return found


def _refuse(constant: str) -> None:
    raise ValueError(msg("{word} is not JSON", word=constant))


_DECODER = json.JSONDecoder(object_pairs_hook=_unrepeated, parse_constant=_refuse)


def _bare_object(text: str) -> _Object | None:
    try:
        found = _DECODER.decode(text)
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


_VERDICT_KEY = pattern(r"\b(?:allow_stop|completed|feedback)\b")
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
