"""The gate: what a tool call or its absence already decides, before any model is paid.

Rule: pure and cautious. It speaks only where the evidence leaves no doubt, never about a question, a plan or prose, and
at most once a request by each rule: afterwards the reviewer decides. Its feedback names what the tools returned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from ccc.base.messages import Phrases
from ccc.base.text import one_line
from ccc.evidence import facts, wording
from ccc.evidence.facts import Edit, Evidence
from ccc.evidence.outcomes import Outcome
from ccc.evidence.wording import Wish
from ccc.model import Rule


class Objection(Struct, frozen=True):
    rule: Rule
    feedback: str


def objection(
    found: Evidence, *, spoken: Collection[Rule] = (), permission_mode: str | None = None
) -> Objection | None:
    """Why the agent may not stop, if that is beyond doubt. `spoken` are the rules that this request has heard."""
    if permission_mode == "plan" or not found.complete or found.api_failed or not found.request:
        return None
    candidates = [rule for rule in _RULES if rule not in spoken and _RULES[rule].holds(found)]
    # Most stops end here: words are read only where the tools leave something to object to.
    wishes = [wording.wish(words) for words in (found.request, *found.meanwhile)] if candidates else []
    # The last word counts: who asks or forbids meanwhile is not to be overruled.
    if any(wording.calls_off(words) for words in found.meanwhile) or any(wish.answer for wish in wishes[1:]):
        return None
    if wishes and wishes[0].answer and not found.plan_approved:
        return None
    wanted = next((rule for rule in candidates if _RULES[rule].is_wanted(found, wishes)), None)
    return Objection(wanted, _RULES[wanted].feedback(found)) if wanted else None


class _Look(Struct, frozen=True):
    """`holds` by the tools alone; `is_wanted` by what the person asked for."""

    holds: Callable[[Evidence], bool]
    is_wanted: Callable[[Evidence, Sequence[Wish]], bool]
    feedback: Callable[[Evidence], str]


# --- P5 ----------------------------------------------------------------------------------------------------------


def _ends_failed(found: Evidence) -> bool:
    """A check failed and none passed since; not on older code, nor for want of what no edit can give."""
    last = found.checks[-1].check if found.checks else None
    if last is None or last.outcome is not Outcome.FAILED or last.baseline or last.environment:
        return False
    return not any(denial.at > found.checks[-1].at for denial in found.denials)


def _failure_matters(found: Evidence, wishes: Sequence[Wish]) -> bool:
    """The agent was at work on the code, and the failure is neither wanted nor older than the work."""
    if any(wish.red for wish in wishes):
        return False
    repair = any(wish.repair for wish in wishes)
    if not found.edits:
        return repair and any(wish.work for wish in wishes)
    return found.code_edited and (repair or not _failed_before(found))


def _failed_before(found: Evidence) -> bool:
    """Whether all that fails now failed already before the agent touched the code."""
    *earlier, last = found.checks
    first_edit = min(edit.at for edit in found.edits if edit.code)
    before = [each.check for each in earlier if each.check and (each.at < first_edit or each.check.baseline)]
    names = last.check.failing if last.check else frozenset()
    return bool(names) and any(names <= check.failing for check in before)


def _say_failed(found: Evidence) -> str:
    last = found.checks[-1]
    edited_since = any(edit.code and edit.at > last.at for edit in found.edits)
    line = last.check.line if last.check else ""
    return _say(found, "failed_then_edited" if edited_since else "failed", command=last.command, line=line)


# --- P4 ----------------------------------------------------------------------------------------------------------

# After an edit these show that nothing was tried; any other tool may have run something.
_INERT = frozenset(
    {"Read", "Grep", "Glob", "LS", "NotebookRead", "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList"}
    | {"TaskGet", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "ExitPlanMode", "EnterPlanMode"}
    | {"Edit", "Write", "MultiEdit", "NotebookEdit"}
)


def _unverified(found: Evidence) -> list[Edit]:
    """The edits of code after which nothing can have been tried."""
    edits = [edit for edit in found.edits if edit.code and not edit.prose and facts.is_runnable(edit.path)]
    tried = max((at for at, tool in enumerate(found.tools) if tool not in _INERT), default=-1)
    return [edit for edit in edits if edit.at > tried]


def _ends_unverified(found: Evidence) -> bool:
    edits = _unverified(found)
    return bool(edits) and not any(denial.at > edits[0].at for denial in found.denials)


def _verification_matters(found: Evidence, wishes: Sequence[Wish]) -> bool:
    return not any(wish.unverified for wish in wishes) and not any(map(wording.mentions_checks, found.answers))


def _say_unverified(found: Evidence) -> str:
    edits = _unverified(found)
    files = list(dict.fromkeys(edit.path for edit in edits))
    if found.checks:
        return _say(found, "not_verified_again", files=files, command=found.checks[-1].command)
    ending = edits[-1].path.rpartition(".")[2].lower()
    return _say(found, "not_verified", files=files, command=_EXAMPLES.get(ending, "make test"))


_EXAMPLES: Mapping[str, str] = {
    **dict.fromkeys(("py", "pyi", "pyx"), "python -m pytest"),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "vue", "svelte", "coffee"), "npm test"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts", "astro"), "npx tsc --noEmit && npm test"),
    "go": "go build ./... && go test ./...",
    "rs": "cargo test",
    **dict.fromkeys(("java", "kt", "kts", "groovy"), "./gradlew test"),
    "scala": "sbt test",
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hpp", "hh"), "make && make test"),
    "rb": "bundle exec rspec",
    "php": "vendor/bin/phpunit",
    "swift": "swift test",
    **dict.fromkeys(("cs", "fs", "vb"), "dotnet test"),
    "dart": "dart test",
    **dict.fromkeys(("ex", "exs"), "mix test"),
    **dict.fromkeys(("sh", "bash", "zsh"), "bash -n"),
}


# --- P3 ----------------------------------------------------------------------------------------------------------

SHORT_MESSAGE = 2_000


def _only_asks(found: Evidence) -> bool:
    return found.only_asked and not found.meanwhile


def _work_was_wanted(found: Evidence, wishes: Sequence[Wish]) -> bool:
    """Work was asked for beyond doubt, and the answer neither delivers something nor needs what only a person has."""
    message = found.last_message
    if not wishes[0].work or wishes[0].delicate or wording.asks_for_secrets(message):
        return False
    delivers = "```" in message or len(message) > SHORT_MESSAGE
    return not delivers or wording.offers_to_start(message)


def _say_only_asked(found: Evidence) -> str:
    return _say(found, "only_asked", request=found.request)


_RULES: Mapping[Rule, _Look] = {
    Rule.CHECK_FAILED: _Look(_ends_failed, _failure_matters, _say_failed),
    Rule.NOT_VERIFIED: _Look(_ends_unverified, _verification_matters, _say_unverified),
    Rule.ONLY_ASKED: _Look(_only_asks, _work_was_wanted, _say_only_asked),
}


# --- words -------------------------------------------------------------------------------------------------------

_WORDS = Phrases(
    "gate",
    {
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
)
FILES_NAMED = 5
QUOTED = 300


def _say(found: Evidence, key: str, *, files: Collection[str] = (), **quoted: str) -> str:
    """The feedback, in the language of the request; what a model or a tool wrote becomes one clean line."""
    lang = "zh" if wording.is_chinese(found.request) else "en"
    named = [one_line(path, 160) for path in list(files)[:FILES_NAMED]]
    more = [f"… +{len(files) - FILES_NAMED}"] if len(files) > FILES_NAMED else []
    lines = {name: one_line(text, QUOTED).replace("`", "'") or "—" for name, text in quoted.items()}
    return _WORDS[lang][key].format(files=", ".join([*named, *more]), **lines)
