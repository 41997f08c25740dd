"""What the conversation proves about the current request: edits, commands, checks and their outcomes.

Rule: pure; facts come from tool calls and their results, never from what the agent says of them; main thread only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude import pricing
from ccc.claude.conversation import Asked, Call, Conversation, Fate, Said
from ccc.evidence import acts, answers, files
from ccc.evidence.acts import Command, Denial, Edit, Try
from ccc.evidence.outcomes import Outcome
from ccc.evidence.standing import Failure, standing
from ccc.evidence.trying import Shows
from ccc.model import Tally


class Evidence(Struct, frozen=True):
    """`tools` are the names of all calls in order, whatever became of them; `answers` were given to AskUserQuestion.

    `tries` is what each command or other tool can show of the code, `missed` are files that no edit reached.
    """

    request: str
    meanwhile: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    commands: tuple[Command, ...] = ()
    tries: tuple[Try, ...] = ()
    denials: tuple[Denial, ...] = ()
    missed: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    spoken_to: str = ""  # what the person typed after the last call, if they did
    plan_approved: bool = False
    last_message: str = ""
    tokens: int = 0
    api_failed: bool = False
    complete: bool = True
    began: datetime | None = None  # when the person made the request, where that is told
    started: Mapping[str, float] = field(default_factory=dict)  # background work by its id, and when, where told
    weight: float = 0.0  # of the agent's tokens, as the conversation tells it
    model: str | None = None  # … that used them
    had: frozenset[str] = frozenset()  # the tools that have really run, and so were there
    goes_on: str | None = None  # the id of the request, where the agent has begun this turn by itself
    whole: bool = True  # whether this is all of the request, and not only its end
    tally: Tally | None = None  # what the request has used, where the conversation tells

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
    def failures(self) -> tuple[Failure, ...]:
        """The failed checks that still stand, each kind on each target."""
        return standing(self.commands)

    @property
    def work(self) -> tuple[Edit, ...]:
        """The edits that something could depend on: code and configuration, no documents."""
        return tuple(each for each in self.edits if not (each.prose or each.undone or files.is_document(each.path)))

    @property
    def untried(self) -> tuple[Edit, ...]:
        """The edits that can break something, after which nothing ran that could have shown it."""
        return self._untried([edit for edit in self.edits if edit.can_break])

    @property
    def unseen(self) -> tuple[Edit, ...]:
        """The same of other code, which not everybody can run: a claim about it is needed before anybody objects."""
        return self._untried([edit for edit in self.edits if edit.can_fail])

    def _untried(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        # Whoever writes tests and only has them parsed has not verified them.
        tests = any(files.is_test(each.path) for each in self.edits)
        enough = (Shows.SOMETHING, Shows.CHECK) if tests else (Shows.SYNTAX, Shows.SOMETHING, Shows.CHECK)
        tried = [each for each in self.tries if each.shows in enough and not each.wrong]
        last = max((each.at for each in tried if not each.targets), default=-1)
        confined = [each for each in tried if each.targets and each.at > last]
        return tuple(edit for edit in edits if edit.at > last and not _is_tried(edit, confined))

    @property
    def wrongs(self) -> tuple[Try, ...]:
        """What was run after an edit that nothing else has tried, and did not work."""
        first = min((edit.at for edit in self.untried), default=None)
        return tuple(each for each in self.tries if first is not None and each.at > first and each.wrong)

    def ran_since(self, edit: Edit) -> tuple[Try, ...]:
        return tuple(each for each in self.tries if each.at > edit.at and each.ran)

    @property
    def only_asked(self) -> bool:
        return not self.tools and answers.asks(self.last_message)


def _is_tried(edit: Edit, tried: Iterable[Try]) -> bool:
    return any(each.at > edit.at and each.may_show(edit.path) for each in tried)


def of(conversation: Conversation) -> Evidence:
    asked = [moment for moment in conversation.moments if isinstance(moment, Asked)]
    calls = [moment for moment in conversation.moments if isinstance(moment, Call)]
    done = acts.of(calls)
    return Evidence(
        request=asked[0].text if asked else "",
        meanwhile=tuple(words.text for words in asked[1:]),
        tools=tuple(call.name for call in calls),
        had=frozenset(call.name for call in calls if call.fate in (Fate.DONE, Fate.STARTED)),
        edits=done.edits,
        commands=done.commands,
        tries=done.tries,
        denials=done.denials,
        missed=done.missed,
        answers=tuple(call.output for call in calls if call.name == "AskUserQuestion" and call.fate is Fate.DONE),
        spoken_to=_since_last_call(conversation),
        plan_approved=any(call.name == "ExitPlanMode" and call.fate is Fate.DONE for call in calls),
        last_message=_last_message(conversation),
        tokens=conversation.tokens,
        api_failed=conversation.api_failed,
        complete=conversation.complete,
        whole=conversation.whole,
        began=datetime.fromtimestamp(asked[0].at, UTC) if asked and asked[0].at else None,
        started={call.task: call.at for call in calls if call.task and call.at},
        weight=conversation.weight,
        model=conversation.model,
    )


def counted(evidence: Evidence, tally: Tally | None) -> Evidence:
    """With what the request has used in all, which the evidence of its end alone does not tell."""
    if tally is None:
        return evidence
    began = datetime.fromtimestamp(tally.began, UTC) if tally.began else evidence.began
    aside = sum(each.weight * pricing.relative(each.model, tally.model) for each in tally.asides.values())
    weight = tally.weight + aside
    return replace(evidence, tokens=tally.all_tokens, weight=weight, began=began, tally=tally)


def _since_last_call(conversation: Conversation) -> str:
    for moment in reversed(conversation.moments):
        match moment:
            case Asked(text=text, meanwhile=True, beside=False):
                return text
            case Call() | Asked():
                return ""
    return ""


def _last_message(conversation: Conversation) -> str:
    for moment in reversed(conversation.moments):
        match moment:
            case Said(text):
                return text
            case Call() | Asked(meanwhile=False):
                return ""
    return ""


def as_json(evidence: Evidence) -> dict[str, Any]:
    since = {each.at for each in evidence.checks_since_edit}
    return {
        "request": evidence.request,
        "meanwhile": list(evidence.meanwhile),
        "tool_calls": len(evidence.tools),
        "code_edited": evidence.code_edited,
        "edited_files": list(evidence.edited_files),
        "command_after_last_edit": evidence.command_after_last_edit,
        "commands": [{"command": each.command, "fate": each.fate.value} for each in evidence.commands],
        "checks": [_check_as_json(each, each.at in since) for each in evidence.checks],
        "last_check": evidence.last_check.value if evidence.last_check else None,
        "only_asked": evidence.only_asked,
        "denials": [{"tool": each.tool, "what": each.what} for each in evidence.denials],
        "tokens": evidence.tokens,
        "complete": evidence.complete and evidence.whole,
    }


def _check_as_json(command: Command, after_last_edit: bool) -> dict[str, Any]:
    check = command.check
    assert check is not None
    return {
        "command": command.command,
        "kind": check.kind.value,
        "outcome": check.outcome.value,
        "line": check.line,
        "after_last_edit": after_last_edit,
    }
