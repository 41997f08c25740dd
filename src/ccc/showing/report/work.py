"""What the agent did, as the client's transcript tells it.

Rule: lines in, steps out, total over any line; file order counts, because timestamps go backwards in half of all files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ccc.base.text import capped, one_line
from ccc.claude.transcript import messages_from_end
from ccc.record.session import moment

Line = Mapping[str, object]

TRANSCRIPT_LIMIT = 128 * 2**20
SAID, RESULT, FILE = 12_000, 4_000, 2**20

BUILT_IN = frozenset(
    {"add-dir", "agents", "clear", "compact", "config", "context", "cost", "doctor", "exit", "export", "fast", "goal"}
    | {"help", "hooks", "ide", "init", "login", "logout", "mcp", "memory", "model", "permissions", "plugin", "quit"}
    | {"release-notes", "resume", "rewind", "status", "statusline", "theme", "usage", "vim"}
)
_LOCAL = ("<local-command-", "<bash-", "Caveat:", "<task-notification>", "Stop hook feedback:")
_EDITOR = re.compile(r"\s*<(ide_\w+)>.*?</\1>", re.DOTALL)
_TOKENS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_COMMAND = re.compile(r"<command-name>/?([\w:.-]+)</command-name>")


@dataclass(frozen=True, slots=True)
class Asked:
    """The person's words; `begins`: they are a request, not a remark while the agent worked."""

    at: float
    text: str
    prompt_id: str | None = None
    begins: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit that went through. `before` or `after` is None when the transcript does not tell."""

    path: str
    before: str | None
    after: str | None
    hunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Used:
    """A tool call; `ok` is None while there is no result."""

    at: float
    id: str
    tool: str
    about: str
    ok: bool | None = None
    result: str = ""
    seconds: float | None = None
    edit: Edit | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer of the model, for its tokens."""

    at: float
    id: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Result:
    at: float
    id: str
    ok: bool
    text: str
    edit: Edit | None


Step = Asked | Said | Used | Answered


def read(path: Path) -> tuple[Step, ...]:
    """The steps in a transcript; none when it cannot be read."""
    atoms = [atom for line in messages_from_end(path, TRANSCRIPT_LIMIT) for atom in reversed(list(_atoms(line)))]
    return _joined(reversed(atoms))


def steps(lines: Iterable[Line]) -> tuple[Step, ...]:
    return _joined(atom for line in lines for atom in _atoms(line))


def _joined(atoms: Iterable[Step | _Result]) -> tuple[Step, ...]:
    """Results find their calls, answers are counted once, and time only goes on."""
    done: list[Step] = []
    calls: dict[str, int] = {}
    answers: set[str] = set()
    now = 0.0
    for atom in atoms:
        now = max(now, atom.at)
        match atom:
            case _Result():
                at = calls.pop(atom.id, None)
                if at is not None:
                    done[at] = _with_result(done[at], atom)
                continue
            case Answered() if atom.id in answers:
                continue
            case Answered():
                answers.add(atom.id)
            case Used():
                calls[atom.id] = len(done)
        done.append(replace(atom, at=now))
    return tuple(done)


def _with_result(call: Step, result: _Result) -> Step:
    if not isinstance(call, Used):
        return call
    seconds = max(0.0, result.at - call.at) if result.at and call.at else None
    return replace(call, ok=result.ok, result=result.text, seconds=seconds, edit=result.edit)


def _atoms(line: Line) -> Iterator[Step | _Result]:
    if line.get("isSidechain") is True:
        return
    told = moment(line.get("timestamp"))
    at = told.timestamp() if told else 0.0
    match line:
        case {"type": "assistant", "message": {"content": list(blocks)} as message}:
            yield from _answer(at, message)
            for block in blocks:
                yield from _block(at, block)
        case {"type": "user", "message": {"content": content}}:
            yield from _user(at, line, content)
        case {"type": "attachment", "attachment": {"type": "queued_command", "prompt": str(text)}}:
            yield from _remark(at, text)


def _answer(at: float, message: object) -> Iterator[Answered]:
    match message:
        case {"id": str(id_), "usage": dict(usage)}:
            yield Answered(at, id_, sum(usage[key] for key in _TOKENS if _is_count(usage.get(key))))


def _is_count(value: object) -> bool:
    return type(value) is int and 0 < value < 2**53


def _block(at: float, block: object) -> Iterator[Step]:
    match block:
        case {"type": "text", "text": str(text)} if text.strip():
            yield Said(at, capped(text.strip(), SAID))
        case {"type": "tool_use", "id": str(id_), "name": str(name), "input": given}:
            yield Used(at, id_, one_line(name, 80), about(given))


def about(given: object) -> str:
    """The one thing a tool call is about."""
    if not isinstance(given, dict):
        return ""
    keys = (
        "command",
        "file_path",
        "notebook_path",
        "path",
        "pattern",
        "url",
        "query",
        "description",
        "skill",
        "prompt",
    )
    return next((capped(given[key], 2_000) for key in keys if isinstance(given.get(key), str) and given[key]), "")


def _user(at: float, line: Line, content: object) -> Iterator[Step | _Result]:
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    results = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_result"]
    for block in results:
        yield _result(at, block, line.get("toolUseResult") if len(results) == 1 else None)
    if line.get("isMeta") is True or line.get("isCompactSummary") is True:
        return
    text = _text(blocks)
    if results or text.startswith("[Request interrupted"):
        yield from _remark(at, text)
        return
    request = _request(text)
    if request:
        prompt_id = line.get("promptId")
        yield Asked(at, capped(request, SAID), prompt_id if isinstance(prompt_id, str) else None)


def _remark(at: float, text: str) -> Iterator[Step]:
    told = _without_editor(text)
    if told and not told.startswith(_LOCAL):
        yield Asked(at, capped(told, SAID), begins=False)


def _request(text: str) -> str:
    """The person's words in a user line, "" when it is none of theirs."""
    told = _without_editor(text)
    if told.startswith(_LOCAL):
        return ""
    command = _COMMAND.search(told) if told.startswith("<command-") else None
    if command is None:
        return told
    words = told.partition("<command-args>")[2].partition("</command-args>")[0]
    return "" if command[1] in BUILT_IN else f"/{command[1]} {words}".strip()


def _without_editor(text: str) -> str:
    """The text without what an editor put before it."""
    while note := _EDITOR.match(text):
        text = text[note.end() :]
    return text.strip()


def _result(at: float, block: Mapping[str, object], told: object) -> _Result:
    id_ = block.get("tool_use_id")
    ok = block.get("is_error") is not True
    text = _text(block.get("content"))
    return _Result(at, id_ if isinstance(id_, str) else "", ok, capped(text, RESULT), _edit(told) if ok else None)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    blocks: list[object] = content if isinstance(content, list) else []
    texts = [str(block["text"]) for block in blocks if isinstance(block, dict) and isinstance(block.get("text"), str)]
    return "\n".join(texts).strip()


def _edit(told: object) -> Edit | None:
    match told:
        case {"filePath": str(path), "structuredPatch": list(patch)}:
            before = _before(told)
            return Edit(path, before, _after(before, told), tuple(_hunks(patch)))
    return None


def _before(told: object) -> str | None:
    match told:
        case {"originalFile": str(text)}:
            return text if len(text) <= FILE else None
        case {"type": "create"}:
            return ""
    return None


def _after(before: str | None, told: object) -> str | None:
    match told:
        case {"content": str(text)}:
            return text if len(text) <= FILE else None
        case {"oldString": str(old), "newString": str(new), **rest} if before is not None and old in before:
            return before.replace(old, new, -1 if rest.get("replaceAll") is True else 1)
    return None


def _hunks(patch: list[object]) -> Iterator[str]:
    for hunk in patch:
        match hunk:
            case {"oldStart": int(old), "newStart": int(new), "lines": list(lines)}:
                yield f"@@ -{old} +{new} @@"
                yield from (line for line in lines if isinstance(line, str))
