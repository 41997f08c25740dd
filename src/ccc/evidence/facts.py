"""What the conversation proves about the current request: edits, commands, checks and their outcomes.

Rule: pure; facts come from tool calls and their results, never from what the agent says of them; main thread only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.messages import Phrases
from ccc.base.patterns import pattern
from ccc.base.text import one_line
from ccc.claude.conversation import Asked, Call, Conversation, Fate, Said
from ccc.evidence import outcomes, wording
from ccc.evidence.outcomes import Checked, Outcome, Returned

FACTS_LINES = 15
SHOWN = 5


class Edit(Struct, frozen=True):
    """An edit that went through. `at` counts tool calls; `prose` when only comments or blank lines changed."""

    at: int
    path: str
    code: bool
    prose: bool = False


class Command(Struct, frozen=True):
    """A shell command that ran; `check` when it ran one."""

    at: int
    command: str
    fate: Fate
    check: Checked | None = None


class Denial(Struct, frozen=True):
    at: int
    tool: str
    what: str


class Evidence(Struct, frozen=True):
    """`tools` are the names of all calls in order, whatever became of them; `answers` were given to AskUserQuestion."""

    request: str
    meanwhile: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    commands: tuple[Command, ...] = ()
    denials: tuple[Denial, ...] = ()
    answers: tuple[str, ...] = ()
    plan_approved: bool = False
    last_message: str = ""
    tokens: int = 0
    api_failed: bool = False
    complete: bool = True
    began: datetime | None = None  # when the person made the request, where that is told
    started: Mapping[str, float] = field(default_factory=dict)  # background work by its id, and when, where told
    weight: float = 0.0  # of the agent's tokens, as the conversation tells it

    @property
    def code_edited(self) -> bool:
        return any(edit.code for edit in self.edits)

    @property
    def edited_files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(edit.path for edit in self.edits))

    @property
    def last_code_edit(self) -> Edit | None:
        return next((edit for edit in reversed(self.edits) if edit.code), None)

    @property
    def command_after_last_edit(self) -> bool:
        edit = self.last_code_edit
        return edit is not None and any(command.at > edit.at for command in self.commands)

    @property
    def checks(self) -> tuple[Command, ...]:
        return tuple(command for command in self.commands if command.check)

    @property
    def last_check(self) -> Outcome | None:
        """Of the last command that ran a check; None when there was none or nothing shows how it went."""
        last = self.checks[-1].check if self.checks else None
        return last.outcome if last and last.outcome is not Outcome.UNKNOWN else None

    @property
    def checks_since_edit(self) -> tuple[Command, ...]:
        edit = self.last_code_edit
        return tuple(check for check in self.checks if edit is None or check.at > edit.at)

    @property
    def only_asked(self) -> bool:
        return not self.tools and wording.asks(self.last_message)


def of(conversation: Conversation) -> Evidence:
    asked = [moment for moment in conversation.moments if isinstance(moment, Asked)]
    calls = [moment for moment in conversation.moments if isinstance(moment, Call)]
    return Evidence(
        request=asked[0].text if asked else "",
        meanwhile=tuple(words.text for words in asked[1:]),
        tools=tuple(call.name for call in calls),
        edits=tuple(_edits(calls)),
        commands=tuple(_commands(calls)),
        denials=tuple(_denials(calls)),
        answers=tuple(call.output for call in calls if call.name == "AskUserQuestion" and call.fate is Fate.DONE),
        plan_approved=any(call.name == "ExitPlanMode" and call.fate is Fate.DONE for call in calls),
        last_message=_last_message(conversation),
        tokens=conversation.tokens,
        api_failed=conversation.api_failed,
        complete=conversation.complete,
        began=datetime.fromtimestamp(asked[0].at, UTC) if asked and asked[0].at else None,
        started={call.task: call.at for call in calls if call.task and call.at},
        weight=conversation.weight,
    )


def _last_message(conversation: Conversation) -> str:
    for moment in reversed(conversation.moments):
        match moment:
            case Said(text):
                return text
            case Call() | Asked(meanwhile=False):
                return ""
    return ""


def as_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "request": evidence.request,
        "meanwhile": list(evidence.meanwhile),
        "tool_calls": len(evidence.tools),
        "code_edited": evidence.code_edited,
        "edited_files": list(evidence.edited_files),
        "command_after_last_edit": evidence.command_after_last_edit,
        "commands": [{"command": each.command, "fate": each.fate.value} for each in evidence.commands],
        "checks": [_check_as_json(each, evidence) for each in evidence.checks],
        "last_check": evidence.last_check.value if evidence.last_check else None,
        "only_asked": evidence.only_asked,
        "denials": [{"tool": each.tool, "what": each.what} for each in evidence.denials],
        "tokens": evidence.tokens,
        "complete": evidence.complete,
    }


def _check_as_json(command: Command, evidence: Evidence) -> dict[str, Any]:
    check = command.check
    assert check is not None
    return {
        "command": command.command,
        "kind": check.kind.value,
        "outcome": check.outcome.value,
        "line": check.line,
        "after_last_edit": command in evidence.checks_since_edit,
    }


# --- facts for the reviewer --------------------------------------------------------------------------------------

_WORDS = Phrases(
    "facts",
    {
        "edited": "Edited files: ",
        "no_edit": "No file was changed with an editing tool.",
        "ran": "{count} commands ran, {checks} of them checks.",
        "nothing": "No command ran.",
        "passed": "Passed: ",
        "failed": "Failed: ",
        "unknown": "Outcome not shown: ",
        "after": " (after the last edit of code)",
        "before": " (code was edited since)",
        "not_run": "No check ran after the last edit of code ({path}).",
        "denied": "Calls that were refused: ",
        "more": "and {count} more",
        "joint": ", ",
    },
)


def facts(evidence: Evidence, lang: str) -> str:
    """At most fifteen lines for the reviewer: what the tools did, and what they did not."""
    say = _WORDS["zh" if lang == "zh" else "en"]
    files = [one_line(path, 120) for path in evidence.edited_files]
    lines = [say["edited"] + _some(files, say) if files else say["no_edit"]]
    count = {"count": len(evidence.commands), "checks": len(evidence.checks)}
    lines.append(say["ran"].format(**count) if evidence.commands else say["nothing"])
    lines += [_check_line(check, evidence, say) for check in _latest(evidence.checks)]
    edit = evidence.last_code_edit
    if edit and not evidence.checks_since_edit:
        lines.append(say["not_run"].format(path=one_line(edit.path, 120)))
    if evidence.denials:
        lines.append(say["denied"] + _some([f"{each.tool} {each.what}".strip() for each in evidence.denials], say))
    return "\n".join(f"- {line}" for line in lines[:FACTS_LINES])


def _check_line(command: Command, evidence: Evidence, say: Mapping[str, str]) -> str:
    check = command.check
    assert check is not None
    when = say["after"] if command in evidence.checks_since_edit else say["before"]
    shown = f" — {one_line(check.line, 160)}" if check.line else ""
    return f"{say[check.outcome.value]}`{one_line(command.command, 120)}`{when if evidence.code_edited else ''}{shown}"


def _latest(checks: Iterable[Command]) -> list[Command]:
    """The last run of each check, in the order they were run; only the last few."""
    last = {check.command: check for check in checks}
    return sorted(last.values(), key=lambda check: check.at)[-SHOWN:]


def _some(items: list[str], say: Mapping[str, str]) -> str:
    shown = items[:SHOWN]
    rest = [say["more"].format(count=len(items) - SHOWN)] if len(items) > SHOWN else []
    return say["joint"].join([*shown, *rest])


# --- calls -------------------------------------------------------------------------------------------------------

SHELL_TOOLS = frozenset({"Bash", "PowerShell"})
EDIT_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_RAN = frozenset({Fate.DONE, Fate.FAILED, Fate.STARTED})


def _commands(calls: Iterable[Call]) -> Iterator[Command]:
    stashed = 0
    for at, call in enumerate(calls):
        if call.name in SHELL_TOOLS and call.fate in _RAN:
            line = _text(call.input, "command")
            check = _checked(line, call)
            if check and stashed > 0:
                check = replace(check, baseline=True)
            stashed = max(0, stashed + outcomes.stashes(line))
            yield Command(at, line, call.fate, check)


def _checked(line: str, call: Call) -> Checked | None:
    ended = call.fate is not Fate.STARTED
    returned = Returned(call.fate is Fate.DONE, call.output, call.exit_code, call.cut, ended)
    return outcomes.checked(line, returned)


def _edits(calls: Iterable[Call]) -> Iterator[Edit]:
    for at, call in enumerate(calls):
        if call.name in EDIT_TOOLS and call.fate is Fate.DONE:
            path = _text(call.input, "file_path") or _text(call.input, "notebook_path")
            yield Edit(at, path, is_code(path, _text(call.input, "content")), _is_prose(call.input))


def _denials(calls: Iterable[Call]) -> Iterator[Denial]:
    for at, call in enumerate(calls):
        if call.fate is Fate.REFUSED:
            keys = ("command", "file_path", "notebook_path", "url", "description")
            what = next((text for key in keys if (text := _text(call.input, key))), "")
            yield Denial(at, call.name, one_line(what, 120))


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""


# --- files -------------------------------------------------------------------------------------------------------


def _endings(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Languages for which a test, a build or at least a run is at hand wherever they are written.
RUNNABLE = _endings(
    """
    py pyx pyi js jsx mjs cjs ts tsx mts cts vue svelte astro go rs c h cc cpp cxx c++ hpp hh hxx m mm java kt kts
    scala sc groovy rb php swift cs fs fsx vb dart lua pl pm r jl ex exs erl hrl hs lhs ml mli elm clj cljs cljc nim zig
    d v cr pas f f90 f95 asm s sh bash zsh fish awk tcl rkt scm lisp el sol cu coffee hx raku ada adb vala gleam
    """
)
_OTHER_CODE = _endings(
    """
    ipynb sql html htm xhtml css scss sass less styl pug jade ejs erb hbs mustache twig liquid jinja j2 haml slim razor
    cshtml jsp ps1 psm1 bat cmd vbs vim proto thrift graphql gql glsl vert frag hlsl wgsl metal cl nix cmake mk gradle
    bzl rego applescript ino pde gd qml sv svh vhd vhdl
    """
)
_CODE_NAMES = pattern(
    r"(?i)^(?:GNU)?makefile$|^dockerfile|^containerfile|\.dockerfile$|^(?:rake|vagrant|jenkins|just|pod|fast)file$"
    r"|^cmakelists\.txt$|^build(?:\.bazel)?$|^sconstruct$"
)


def is_code(path: str, content: str = "") -> bool:
    """Whether this is a source file: configuration and documents are not, a script without an ending is."""
    name = PurePosixPath(path.replace("\\", "/")).name
    ending = _ending(path)
    if ending in RUNNABLE or ending in _OTHER_CODE or _CODE_NAMES.search(name):
        return True
    return "." not in name and content.startswith("#!")


def is_runnable(path: str) -> bool:
    return _ending(path) in RUNNABLE


def _ending(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).suffix.lstrip(".").lower()


_COMMENT = pattern(
    r"^\s*(?:#(?!!|include|define|if|el|endif|pragma|region)|//|/\*|\*(?:[\s/]|$)|--\s|;;|<!--|\"\"\"|''')"
)

# Only where it opens a line: what stands behind a name is a value.
_BLOCK_COMMENT = pattern(r"(?ms)^[ \t]*(?:\"\"\".*?\"\"\"|'''.*?'''|/\*.*?\*/|<!--.*?-->)[ \t]*$")


def _is_prose(given: Mapping[str, Any]) -> bool:
    """Whether an edit changed comments and blank lines only."""
    edits = given.get("edits")
    pairs = edits if isinstance(edits, list) else [given]
    return bool(pairs) and all(isinstance(pair, dict) and _same_code(pair) for pair in pairs)


def _same_code(pair: Mapping[str, Any]) -> bool:
    if "old_string" not in pair or "new_string" not in pair:
        return False
    return _code_lines(_text(pair, "old_string")) == _code_lines(_text(pair, "new_string"))


def _code_lines(text: str) -> list[str]:
    text = _BLOCK_COMMENT.sub("", text)
    return [line.rstrip() for line in text.split("\n") if line.strip() and not _COMMENT.match(line)]
