"""The gate: what a tool call or its absence already decides, before any model is paid.

Rule: pure and cautious. It speaks only where the evidence leaves no doubt, never about a question, a plan or prose, and
at most once a request by each rule: afterwards the reviewer decides. Its feedback names what the tools returned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ccc import evidence, wording
from ccc.evidence import Command, Edit, Evidence
from ccc.outcomes import Checked, Outcome
from ccc.text import one_line
from ccc.wording import Wish


class Rule(StrEnum):
    ONLY_ASKED = "P3"
    NOT_VERIFIED = "P4"
    CHECK_FAILED = "P5"


@dataclass(frozen=True, slots=True)
class Objection:
    rule: Rule
    feedback: str


def objection(found: Evidence, *, spoken: Collection[str] = (), permission_mode: str | None = None) -> Objection | None:
    """Why the agent may not stop, if that is beyond doubt. `spoken` are the rules that this request has heard."""
    if permission_mode == "plan" or not found.complete or found.api_failed or not found.request:
        return None
    wishes = [wording.wish(words) for words in (found.request, *found.meanwhile)]
    # The last word counts: who asks or forbids meanwhile is not to be overruled.
    if any(wish.answer for wish in wishes) or any(wording.calls_off(words) for words in found.meanwhile):
        return None
    for rule, look in _RULES.items():
        feedback = look(found, wishes) if rule not in spoken else None
        if feedback:
            return Objection(rule, feedback)
    return None


# --- P5 ----------------------------------------------------------------------------------------------------------


def _check_failed(found: Evidence, wishes: list[Wish]) -> str | None:
    """A check failed and none passed since, though the agent was at work on the code."""
    if not found.checks or any(wish.red for wish in wishes):
        return None
    last = found.checks[-1]
    check = last.check
    if check is None or check.outcome is not Outcome.FAILED or check.baseline or check.environment:
        return None
    if not (found.code_edited or any(wish.work and wish.repair for wish in wishes)):
        return None
    if any(denial.at > last.at for denial in found.denials):
        return None
    if not any(wish.repair for wish in wishes) and _failed_before(check, last, found):
        return None
    edited_since = any(edit.code and edit.at > last.at for edit in found.edits)
    key = "failed_then_edited" if edited_since else "failed"
    return _say(found, key, command=last.command, line=check.line)


def _failed_before(check: Checked, last: Command, found: Evidence) -> bool:
    """Whether all that fails now failed already before the agent touched the code."""
    first_edit = min((edit.at for edit in found.edits if edit.code), default=last.at)
    before = [
        earlier.check.failing
        for earlier in found.checks
        if earlier.check and earlier is not last and (earlier.at < first_edit or earlier.check.baseline)
    ]
    return bool(check.failing) and any(check.failing <= names for names in before)


# --- P4 ----------------------------------------------------------------------------------------------------------

# After an edit these show that nothing was tried; any other tool may have run something.
_INERT = frozenset(
    {"Read", "Grep", "Glob", "LS", "NotebookRead", "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList"}
    | {"TaskGet", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "ExitPlanMode", "EnterPlanMode"}
    | {"Edit", "Write", "MultiEdit", "NotebookEdit"}
)


def _not_verified(found: Evidence, wishes: list[Wish]) -> str | None:
    """Code was edited and nothing ran afterwards."""
    edits = [edit for edit in found.edits if edit.code and not edit.prose and evidence.is_runnable(edit.path)]
    if not edits or any(wish.unverified for wish in wishes):
        return None
    last = edits[-1]
    if any(tool not in _INERT for tool in found.tools[last.at + 1 :]):
        return None
    if any(denial.at > last.at for denial in found.denials):
        return None
    earlier = next((check for check in reversed(found.checks)), None)
    files = list(dict.fromkeys(edit.path for edit in edits if edit.at >= _first_unseen(found, edits)))
    key = "not_verified_again" if earlier else "not_verified"
    return _say(found, key, files=files, command=earlier.command if earlier else _example(last))


def _first_unseen(found: Evidence, edits: list[Edit]) -> int:
    """The first edit that no command came after."""
    last_run = max((command.at for command in found.commands), default=-1)
    return min(edit.at for edit in edits if edit.at > last_run)


_EXAMPLES: Mapping[str, str] = {
    **dict.fromkeys(("py", "pyi", "pyx"), "python -m pytest"),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "vue", "svelte", "coffee"), "npm test"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts", "astro"), "npx tsc --noEmit && npm test"),
    "go": "go build ./... && go test ./...",
    "rs": "cargo test",
    **dict.fromkeys(("java", "kt", "kts", "groovy"), "./gradlew test (mvn test)"),
    "scala": "sbt test",
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hpp", "hh"), "make && make test"),
    "rb": "bundle exec rspec",
    "php": "vendor/bin/phpunit",
    "swift": "swift test",
    **dict.fromkeys(("cs", "fs", "vb"), "dotnet test"),
    "dart": "dart test",
    **dict.fromkeys(("ex", "exs"), "mix test"),
    **dict.fromkeys(("sh", "bash", "zsh"), "bash -n <file> && shellcheck <file>"),
}


def _example(edit: Edit) -> str:
    ending = edit.path.rpartition(".")[2].lower()
    return _EXAMPLES.get(ending, "make test")


# --- P3 ----------------------------------------------------------------------------------------------------------

SHORT_MESSAGE = 2_000


def _only_asked(found: Evidence, wishes: list[Wish]) -> str | None:
    """Nothing was done and the agent only asks, though the user asked for work."""
    if not found.only_asked or found.meanwhile or not wishes[0].work or wishes[0].delicate:
        return None
    message = found.last_message
    if wording.asks_for_secrets(message):
        return None
    delivers = "```" in message or len(message) > SHORT_MESSAGE
    if delivers and not wording.offers_to_start(message):
        return None
    return _say(found, "only_asked", request=found.request)


# --- words -------------------------------------------------------------------------------------------------------

_RULES = {Rule.CHECK_FAILED: _check_failed, Rule.NOT_VERIFIED: _not_verified, Rule.ONLY_ASKED: _only_asked}

_WORDS: Mapping[str, Mapping[str, str]] = {
    "zh": {
        "failed": """\
检查没有通过：`{command}`
失败之处：{line}
之后没有任何检查通过，还不能停。请找出原因并修复，然后重新运行这条命令，直到通过。
如果这个失败与本次改动无关，请用证据说明（例如暂存改动后再运行同一条命令）。""",
        "failed_then_edited": """\
检查没有通过：`{command}`
失败之处：{line}
之后又改过代码，但没有再检查。请重新运行这条命令；还有失败就继续修复，直到通过。""",
        "not_verified": """\
改了代码却没有验证：{files}
最后一次改动之后没有运行过任何命令。请运行与这些改动相应的测试或构建（以项目自己的为准，例如 `{command}`），
看到通过再结束；有失败就修复。""",
        "not_verified_again": """\
最后的改动没有验证：{files}
改动之后没有运行过任何命令。请重新运行 `{command}`，看到通过再结束；有失败就修复。""",
        "only_asked": """\
你只提了问题，还没有动手。用户要的是：{request}
请直接开始：先看相关的文件，小的选择自己取合理的默认并说明，做完改动后验证。
只有缺了它就无法继续、而且只有用户才知道的事，才值得再问。""",
    },
    "en": {
        "failed": """\
A check failed: `{command}`
It says: {line}
No check has passed since, so this is not the end. Find the cause, fix it, run it again until it passes.
If the failure has nothing to do with this work, show that, for instance by running it with your changes stashed.""",
        "failed_then_edited": """\
A check failed: `{command}`
It says: {line}
Code was edited since, but nothing was checked again. Run the same command; if it fails, go on until it passes.""",
        "not_verified": """\
Code was edited and not verified: {files}
No command ran after the last edit. Run the tests or the build that cover it (the project's own, for instance
`{command}`), and finish when they pass; fix what fails.""",
        "not_verified_again": """\
The last edits were not verified: {files}
No command ran after them. Run `{command}` again, and finish when it passes; fix what fails.""",
        "only_asked": """\
You have only asked so far; nothing was done. The user wants: {request}
Start now: look at the files concerned, settle small choices with a sensible default and say so, make the change and
verify it. Ask again only about what cannot be done without an answer that nobody but the user has.""",
    },
}
FILES_NAMED = 5
QUOTED = 300


def _say(found: Evidence, key: str, *, files: Collection[str] = (), **quoted: str) -> str:
    """The feedback, in the language of the request; what a model or a tool wrote becomes one clean line."""
    lang = "zh" if wording.is_chinese(found.request) else "en"
    named = [one_line(path, 160) for path in list(files)[:FILES_NAMED]]
    more = [f"… +{len(files) - FILES_NAMED}"] if len(files) > FILES_NAMED else []
    lines = {name: one_line(text, QUOTED).replace("`", "'") or "—" for name, text in quoted.items()}
    return _WORDS[lang][key].format(files=", ".join([*named, *more]), **lines)
