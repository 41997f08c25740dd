"""A tool call as a person reads it: what it is about, and what came of it.

Rule: pure, total over any input that a tool may be called with; what is left out is counted.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ccc.base.messages import Message, msg
from ccc.base.text import clean, one_line
from ccc.claude.conversation import previewed, runs_on
from ccc.claude.stream import Hunk, ToolUse

NAMED_BY = ("command", "file_path", "notebook_path", "path", "url", "query", "subject", "description", "skill")
QUIET = frozenset({"Read", "NotebookRead"})  # of which a person wants to know how much, and not again what
ANSWERED = "AskUserQuestion"  # what came of it the person has typed
EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
CONTEXT = 2  # lines around a change
SIGN = 2  # characters: what a changed line begins with
_NOTHING = re.compile(r"\(\w+ completed with no output\)")
_SIZE = re.compile(r"\(([^()]+)\)")
_AFTER_THE_LAST = re.compile(r"\n *\d+\t\Z")  # the client numbers the nothing behind a file's last line break, too
_TAG = re.compile(r"</?tool_use_error>")
COMPARED = 400  # lines of each side; for more a comparison takes too long


class Amount(Struct, frozen=True):
    """How much of an output, an error and a change is shown, in lines and in characters of a line."""

    output: int
    error: int
    change: int
    line: int


SHORT = Amount(4, 30, 14, 160)
LONG = Amount(400, 400, 400, 2000)


class Row(Struct, frozen=True):
    """`style` is a name that paint.py knows, or nothing; `lead` characters stand before what a line of a file says."""

    style: str
    text: str
    lead: int = 0


def about(given: Mapping[str, object], cwd: str = "", limit: int = 100) -> str:
    """The one thing a tool call is about."""
    found = str(next((given[key] for key in NAMED_BY if given.get(key)), ""))
    if given.get("pattern"):
        found = f"{given['pattern']} · {found}" if found else str(given["pattern"])
    if cwd and found.startswith(f"{cwd}/"):
        found = found[len(cwd) + 1 :]
    return one_line(found, limit)


def outcome(
    use: ToolUse, text: str, *, is_error: bool, amount: Amount, patch: Sequence[Hunk] = ()
) -> tuple[list[Row], Message | None]:
    """What came of it, and what is not shown of that, in words."""
    if runs_on(text):
        return [], msg("works in the background")
    if patch and not is_error:
        return _first(list(patched(patch)), amount.change, amount)
    text, kept_elsewhere = previewed(text)
    rows, rest = _outcome(use, text, is_error=is_error, amount=amount)
    if kept_elsewhere:
        size = _SIZE.search(kept_elsewhere)
        words = one_line(size[1] if size else kept_elsewhere)
        # How many lines it has nobody says: those that are not shown are only those of the preview.
        return rows, msg("… and more, all of it in a file of the client's ({size})", size=words)
    return rows, rest


def _outcome(use: ToolUse, text: str, *, is_error: bool, amount: Amount) -> tuple[list[Row], Message | None]:
    if is_error:
        return _first([Row("bad", line) for line in _lines(_TAG.sub("", text))], amount.error, LONG)
    if use.name in EDITS:
        return _first(list(changes(use.input)), amount.change, amount)
    if use.name == ANSWERED or _NOTHING.fullmatch(text.strip()):
        return [], None
    if use.name in QUIET:
        text = _AFTER_THE_LAST.sub("", text)
    if use.name in QUIET and amount.output < LONG.output:
        count = len(_lines(text))
        return [], msg("{count} lines", count=f"{count:,}") if count != 1 else None
    return _first([Row("dim", line) for line in _lines(text)], amount.output, amount)


def _first(rows: Sequence[Row], count: int, amount: Amount) -> tuple[list[Row], Message | None]:
    if len(rows) == count + 1:  # a row that says that one is missing takes as much room
        count += 1
    kept = [Row(row.style, _cut(row.text, amount.line), row.lead) for row in rows[:count]]
    rest = len(rows) - len(kept)
    return kept, msg("… {count} more lines", count=f"{rest:,}") if rest else None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in clean(text).expandtabs(4).strip("\n").split("\n")] if text.strip() else []


def _cut(line: str, length: int) -> str:
    return line if len(line) <= length else f"{line[: length - 1]}…"


def changes(given: Mapping[str, object]) -> Iterator[Row]:
    """What an edit does, line by line."""
    edits = given.get("edits")
    for edit in edits if isinstance(edits, list) else [given]:
        if isinstance(edit, Mapping):
            yield from _change(edit)


def _change(edit: Mapping[str, object]) -> Iterator[Row]:
    old = _lines(_text(edit, "old_string"))
    new = _lines(_text(edit, "new_string") or _text(edit, "content") or _text(edit, "new_source"))
    if len(old) > COMPARED or len(new) > COMPARED or not old:
        yield from (Row("old", f"- {line}", SIGN) for line in old)
        yield from (Row("new", f"+ {line}", SIGN) for line in new)
        return
    for line in list(difflib.unified_diff(old, new, lineterm="", n=CONTEXT))[2:]:
        if not line.startswith("@@"):
            yield Row({"+": "new", "-": "old"}.get(line[:1], "dim"), f"{line[:1]} {line[1:]}", SIGN)


def patched(patch: Sequence[Hunk]) -> Iterator[Row]:
    """What an edit did, with the numbers of the lines."""
    width = max(len(str(hunk.new_start + len(hunk.lines))) for hunk in patch)
    for number, hunk in enumerate(patch):
        if number:
            yield Row("dim", f"{'⋮':>{width}}")
        yield from _numbered(hunk, width)


def _numbered(hunk: Hunk, width: int) -> Iterator[Row]:
    old, new = hunk.old_start, hunk.new_start
    for line in hunk.lines:
        sign, text = line[:1], clean(line[1:]).expandtabs(4).rstrip()
        number = old if sign == "-" else new
        old, new = old + (sign != "+"), new + (sign != "-")
        if sign in ("+", "-", " "):  # and not the note that a file ends without a line break
            row = f"{number:>{width}} {sign} {text}".rstrip()
            yield Row({"+": "new", "-": "old"}.get(sign, "dim"), row, width + 1 + SIGN)


def _text(edit: Mapping[str, object], key: str) -> str:
    value = edit.get(key)
    return value if isinstance(value, str) else ""
