"""Evidence for a person: `ccc evidence`.

Rule: finds the transcript and shows what facts.py makes of it; judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ccc.base.errors import CccError
from ccc.base.messages import Phrases, msg, said
from ccc.base.text import one_line, padded
from ccc.claude import transcript
from ccc.claude.program import project_directory
from ccc.evidence import facts, past
from ccc.evidence.acts import Edit
from ccc.evidence.changes import Change
from ccc.evidence.facts import Evidence
from ccc.evidence.past import Past
from ccc.evidence.trying import Shows
from ccc.model import Look, Mode, Rule
from ccc.record import recent, store, story
from ccc.record.events import SentBack
from ccc.record.session import Session


class Shown(Struct, frozen=True):
    """Where the evidence is, and which of its user's lines are feedback."""

    path: Path
    feedback: tuple[str, ...] = ()

    def evidence(self) -> Evidence:
        conversation = transcript.last_request(self.path, self.feedback)
        if conversation is None:
            raise CccError(msg("{path} shows no request", path=self.path), msg("is it a transcript of Claude Code?"))
        return facts.of(conversation)

    def earlier(self) -> Past:
        return past.of(transcript.before_last_request(self.path, self.feedback))


def of_session(state: Path, named: str | None, cwd: Path, transcripts: Path) -> Shown:
    """The named session's, or the newest one's of this project; `transcripts` is where the client keeps its own."""
    if named:
        session = store.seen(state, recent.find(state, named))
    else:
        session = recent.newest(state, recent.of_project(project_directory(cwd)))
    path = _transcript(session, transcripts) if session else None
    if session is None or path is None:
        raise CccError(
            msg("no supervised session with a transcript here"),
            msg("name one (see: ccc status), or a file: ccc evidence --transcript FILE"),
        )
    told = story.events(state, session.session_id) if session.about.mode is Mode.PTY else ()
    return Shown(path, tuple(event.feedback for event in told if isinstance(event, SentBack)))


def _transcript(session: Session, transcripts: Path) -> Path | None:
    known = session.about.transcript
    return Path(known) if known else transcript.of_session(transcripts, session.session_id)


HEADS = Phrases(
    "evidence",
    {
        "request": "request",
        "tools": "tool calls",
        "edited": "edited files",
        "code": "code edited",
        "since": "run since",
        "edit": "edit",
        "ran": "ran since",
        "check": "check",
        "last": "last check",
        "denied": "denied",
        "asked": "only asked",
        "message": "last message",
        "yes": "yes",
        "no": "no",
        "none": "none",
        "shows": "{what}: shows {shows}",
        "changed": "{path}: {what}",
        "undone": ", undone",
    },
)
SHOWN = Phrases(
    "evidence shown",
    {
        Shows.NOTHING: "nothing",
        Shows.SYNTAX: "that it can be read",
        Shows.SOMETHING: "something",
        Shows.CHECK: "a check",
    },
)
CHANGES = Phrases(
    "evidence changes",
    {Change.NONE: "nothing", Change.PROSE: "comments", Change.LITERALS: "literals", Change.CODE: "code"},
)
OUTCOMES = Phrases("evidence outcomes", {"passed": "passed", "failed": "failed", "unknown": "unknown"})
HEAD_WIDTH, OUTCOME_WIDTH, NAME_WIDTH = 15, 9, 24


def lines(found: Evidence, lang: str) -> Iterator[str]:
    """The table, a fact on each line."""
    for head, fact in _facts(found, lang):
        yield f"{padded(HEADS[lang][head], HEAD_WIDTH)}{fact}"


def _facts(found: Evidence, lang: str) -> Iterator[tuple[str, str]]:
    words = HEADS[lang]
    yes = {True: words["yes"], False: words["no"]}
    yield "request", one_line(found.request, 200)
    yield "tools", str(len(found.tools))
    yield "edited", ", ".join(one_line(path, 120) for path in found.edited_files) or words["none"]
    yield "code", yes[found.code_edited]
    if found.code_edited:
        yield "since", yes[found.command_after_last_edit]
        yield from (("edit", _edit(each, lang)) for each in found.edits if each.code)
    for each in found.ran_since(found.last_code_edit) if found.last_code_edit else ():
        yield "ran", words["shows"].format(what=one_line(each.what, 120), shows=SHOWN[lang][each.shows])
    for command in found.checks:
        outcome = _outcome(command.check.outcome.value, lang) if command.check else ""
        line = f": {one_line(command.check.line, 120)}" if command.check and command.check.line else ""
        yield "check", f"{padded(outcome, OUTCOME_WIDTH)}{one_line(command.command, 120)}{line}"
    yield "last", _outcome(found.last_check.value, lang) if found.last_check else words["none"]
    for denial in found.denials:
        yield "denied", f"{one_line(denial.tool, 60)} {one_line(denial.what, 120)}"
    yield "asked", yes[found.only_asked]
    yield "message", one_line(found.last_message, 200)


def _outcome(value: str, lang: str) -> str:
    return OUTCOMES[lang].get(value, value)


_NAMES = Phrases(
    "looks",
    {
        Rule.CHECK_FAILED: "failed checks",
        Rule.NOT_VERIFIED: "not verified",
        Rule.FALSE_CLAIM: "claims",
        Rule.ONLY_ASKED: "only asked",
        "objects": "objects",
        "silent": "silent",
    },
)


def reasons(looks: Iterable[Look], lang: str) -> Iterator[str]:
    """What each rule of the gate concluded, and why."""
    words = _NAMES[lang]
    for look in looks:
        name = padded(f"{look.rule.value} {words[look.rule]}", NAME_WIDTH)
        yield f"{name} {words['objects' if look.objects else 'silent']}: {one_line(said(look.words, lang), 300)}"


def _edit(each: Edit, lang: str) -> str:
    words = HEADS[lang]
    told = words["changed"].format(path=one_line(each.path, 120), what=CHANGES[lang][each.change])
    return told + (words["undone"] if each.undone else "")
