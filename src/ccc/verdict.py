"""What the reviewer said → Verdict, total over any input.

Rule: permission to stop comes only from a complete, strictly valid JSON object, or from the marker on a line
of its own; every other real answer sends the agent on, and what is no answer gives no verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ccc.model import Verdict
from ccc.text import clean, feedback

if TYPE_CHECKING:
    from ccc.stream import Finished

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
    """The verdict by the marker line in the reviewer's final answer; None when there is no answer to read."""
    return marker_verdict(finished.result or "", default) if is_answer(finished) else None


def marker_verdict(text: str, default: str = DEFAULT_FEEDBACK) -> Verdict:
    """The verdict in the words of a reviewer that was asked for a marker line; asked for a person, it is not done."""
    lines = clean(text).split("\n")
    marked = {line.strip() for line in _own_words(lines)}.intersection(MARKERS)
    if marked == {MARKER}:
        return Verdict(True, "")
    said = "\n".join(line for line in lines if line.strip("> \t") not in MARKERS)
    return Verdict(False, feedback(said) or default, needs_human=HUMAN_MARKER in marked)


def _has_opinion(found: Mapping[str, object]) -> bool:
    return "allow_stop" in found or "completed" in found


def _verdict(found: Mapping[str, object], default: str) -> Verdict:
    opinions = [found[key] for key in ("allow_stop", "completed") if key in found]
    allowed = all(opinion is True for opinion in opinions)
    words = found.get("feedback")
    said = feedback(words) if isinstance(words, str) else ""
    return Verdict(
        allow_stop=allowed,
        feedback="" if allowed else said or default,
        needs_human=found.get("needs_human") is True,
        unchanged=found.get("unchanged") is True,
    )


def _verdict_in(text: str, default: str) -> Verdict:
    found = _bare_object(text) or _last_object(text)
    if found is not None:
        return _verdict(found, default)
    return Verdict(False, _repaired_feedback(text) or feedback(text) or default)


def _unrepeated(pairs: list[tuple[str, object]]) -> _Object:
    """An object in which a key that was given twice has no value, so that it cannot allow anything."""
    found: _Object = {}
    for key, value in pairs:
        found[key] = None if key in found else value
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unrepeated, parse_constant=_refuse)


def _bare_object(text: str) -> _Object | None:
    try:
        found = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and _has_opinion(found) else None


def _last_object(text: str) -> _Object | None:
    """The last verdict in the prose; None for permission beside a broken verdict, which may say the opposite."""
    pieces = list(_pieces(text)) if len(text) <= _PROSE_LIMIT else []
    verdicts = [piece for piece in pieces if isinstance(piece, dict) and _is_verdict(piece)]
    broken = any(isinstance(piece, str) and _VERDICT_KEY.search(piece) for piece in pieces)
    if not verdicts or (broken and _verdict(verdicts[-1], "").allow_stop):
        return None
    return verdicts[-1]


def _is_verdict(found: Mapping[str, object]) -> bool:
    # `completed` alone is what any quoted to-do list says.
    return "allow_stop" in found or ("completed" in found and "feedback" in found)


def _pieces(text: str) -> Iterator[_Object | str]:
    """Each object in the text, and as text what began like one and broke off."""
    at = 0
    while opening := _OPENING.search(text, at):
        try:
            found, at = _DECODER.raw_decode(text, opening.start())
        except json.JSONDecodeError as error:
            # Not from the next bracket: what lies inside a broken object was not said on its own.
            at = max(error.pos, opening.end())
            found = text[opening.start() : at]
        except (ValueError, RecursionError):  # NaN, or a number or a nesting that Python refuses
            at = len(text)
            found = text[opening.start() :]
        yield found


_VERDICT_KEY = re.compile(r"\b(?:allow_stop|completed|feedback)\b")
_OPENING = re.compile(r"""\{\s*(?:"|['“]?(?:allow_stop|completed|feedback)\b)""")
_FRAGMENT = re.compile(r"""\{\s*["'“]?(?:allow_stop|completed|feedback)\b""")


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


# Indented as deep as a list likes; ```code``` within one line opens nothing.
_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*\Z)|~{3,})(.*)")


def _own_words(lines: list[str]) -> Iterator[str]:
    """The lines outside fenced code blocks; a fence that is never closed runs to the end."""
    fence = ""
    for line in lines:
        match = _FENCE.fullmatch(line)
        if fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
        elif match:
            fence = match[1]
        else:
            yield line
