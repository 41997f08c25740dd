"""Evidence for a person: `ccc evidence`.

Rule: finds the transcript and shows what facts.py makes of it; judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ccc.base.errors import CccError
from ccc.base.messages import Phrases, msg, said
from ccc.base.text import one_line
from ccc.claude import transcript
from ccc.claude.program import project_directory
from ccc.evidence import facts, past
from ccc.evidence.acts import Edit
from ccc.evidence.facts import Evidence
from ccc.evidence.past import Past
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
            msg("no supervised session with a transcript here"), msg("name a file: ccc evidence --transcript FILE")
        )
    told = story.events(state, session.session_id) if session.about.mode is Mode.PTY else ()
    return Shown(path, tuple(event.feedback for event in told if isinstance(event, SentBack)))


def _transcript(session: Session, transcripts: Path) -> Path | None:
    known = session.about.transcript
    return Path(known) if known else transcript.of_session(transcripts, session.session_id)


def lines(found: Evidence) -> Iterator[str]:
    """The table, a fact on each line."""
    yield f"request        {one_line(found.request, 200)}"
    yield f"tool calls     {len(found.tools)}"
    yield f"edited files   {', '.join(one_line(path, 120) for path in found.edited_files) or 'none'}"
    yield f"code edited    {_yes(found.code_edited)}"
    if found.code_edited:
        yield f"run since      {_yes(found.command_after_last_edit)}"
        yield from (f"edit           {_edit(each)}" for each in found.edits if each.code)
    if found.last_code_edit:
        for each in found.ran_since(found.last_code_edit):
            yield f"ran since      {one_line(each.what, 120)}: shows {each.shows.value}"
    for command in found.checks:
        outcome = command.check.outcome.value if command.check else ""
        line = f": {one_line(command.check.line, 120)}" if command.check and command.check.line else ""
        yield f"check          {outcome:8} {one_line(command.command, 120)}{line}"
    yield f"last check     {found.last_check.value if found.last_check else 'none'}"
    for denial in found.denials:
        yield f"denied         {one_line(denial.tool, 60)} {one_line(denial.what, 120)}"
    yield f"only asked     {_yes(found.only_asked)}"
    yield f"last message   {one_line(found.last_message, 200)}"


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
        name = f"{look.rule.value} {words[look.rule]}"
        yield f"{name:24} {words['objects' if look.objects else 'silent']}: {one_line(said(look.words, lang), 300)}"


def _edit(each: Edit) -> str:
    return f"{one_line(each.path, 120)}: {each.change.value}{', undone' if each.undone else ''}"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
