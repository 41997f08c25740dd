"""`ccc report`: one session, or all of them, as a page of HTML that is whole in itself.

Rule: `render` is pure; what the session's files say is gathered before it, and what is written is 0600.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from msgspec import Struct, field

from ccc import __version__
from ccc.base import files, languages, repository
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import msg
from ccc.base.text import clean, one_line
from ccc.claude import transcript
from ccc.claude.program import project_directory
from ccc.model import Bill
from ccc.providers import config
from ccc.providers.config import Config
from ccc.record import recent, store, story
from ccc.record.session import About, Phase, Session
from ccc.record.words import money as both
from ccc.showing.report import frame, summary, work
from ccc.showing.report.changes import changes
from ccc.showing.report.frame import brand, chip, dotted, section
from ccc.showing.report.markup import Child, Html, prose, tag
from ccc.showing.report.rounds import Omitted, Request, history
from ccc.showing.report.timeline import left_out, timeline
from ccc.showing.report.words import Words, money, words

INDEXED = 200
TITLE = 180
EARLIER_SHOWN = 30
SHORTEST_SECRET = 8


class Told(Struct, frozen=True):
    """Everything that a page tells of one session."""

    session_id: str
    requests: tuple[Request, ...]  # the newest, oldest first
    phase: Phase = Phase.WORKING
    project: str | None = None
    provider: str | None = None
    mode: str | None = None
    transcript: bool = True
    uncommitted: tuple[str, ...] = ()
    omitted: Omitted = field(default_factory=Omitted)  # earlier requests, in numbers
    total: Bill | None = None  # of all requests, where there were several


def render(told: Told, say: Words, *, made: float, index: str | None = None) -> str:
    """The page of one session; `index` is the name of the page that lists them all."""
    if not told.requests:
        return _empty(told, say, made=made)
    newest = told.requests[-1]
    changed = changes(newest.edits)
    colour, state = summary.state(newest, told.phase)
    about = _heading(newest, say)
    back = tag("a", say["all_sessions"], href=index, class_="back") if index else None
    header = [
        brand(say["report"], back),
        tag("p", chip(colour, say[state]), class_="state"),
        tag("h1", about),
        tag("p", summary.lead(newest, say), class_="lead"),
        tag("h2", say["facts"], class_="unseen"),
        summary.facts(
            [*_place(told), *summary.numbers(newest, changed, say), ("session_cost", _total(told, say))], say
        ),
    ]
    whole = prose(newest.text) if newest.text.strip() not in ("", about) else None
    main = [
        None if told.transcript else tag("p", say["no_transcript"], class_="note"),
        section("request", say["request"], tag("div", whole, class_="words")) if whole else None,
        section("time", say["where_time_went"], summary.time_chart(newest, say)),
        section("cost", say["what_reviews_cost"], summary.cost_table(newest, say)) if newest.reviews else None,
        section("story", say["timeline"], timeline(newest, say, told.project)),
        section(
            "changes",
            say["changes"],
            summary.changed_files(changed, told.uncommitted, say, told.project, edited=bool(newest.edits)),
        )
        if told.transcript
        else None,
        _earlier(told, say),
    ]
    title = f"{say[state]}: {one_line(about, 80)}"
    return frame.document(title, say, header=header, main=main, footer=_footer(told.session_id, say, made))


def render_index(sessions: Iterable[Told], say: Words, *, made: float, folder: str = "") -> str:
    """The list of sessions, each a link to its page in that folder beside it; one is looked at after the other."""
    listed = [tag("li", _row(told, say, folder), class_="row") if told.requests else None for told in sessions]
    rows = [row for row in listed if row]
    header = [brand(say["reports"]), tag("h1", say.sessions(len(rows)))]
    main = tag("ul", rows, class_="rows") if rows else tag("p", say["nothing"], class_="note")
    return frame.document(say["reports"], say, header=header, main=main, footer=_footer("", say, made))


def without(page: str, secrets: Iterable[str]) -> str:
    """The page with no secret in its text; tags and the style stay as they are."""
    found = sorted({html.escape(clean(secret)) for secret in secrets}, key=len, reverse=True)
    hidden = [secret for secret in found if len(secret) >= SHORTEST_SECRET]
    if not hidden:
        return page
    pattern = re.compile("|".join(map(re.escape, hidden)))
    head, end, body = page.partition("</style>")
    # Every angle bracket of a text is escaped, so what stands between two of them is a tag.
    pieces = re.split(r"(<[^>]*>)", body)
    return head + end + "".join(piece if piece[:1] == "<" else pattern.sub("[key]", piece) for piece in pieces)


def secrets_of(conf: Config, env: Mapping[str, str]) -> set[str]:
    """Keys and headers of every provider, and of this environment."""
    return config.keys_of(conf, env)


def gather(state: Path, session_id: str, *, transcripts: Path, ask_git: bool = True) -> Told:
    """What the files say of a session; `transcripts` is where the client keeps its own."""
    stored = store.seen(state, session_id) or Session(session_id)
    about = stored.about
    path = _transcript(about, transcripts, session_id)
    steps = work.read(path) if path else ()
    told = history(story.events(state, session_id), steps)
    project = about.project
    edited = [edit.path for edit in told.requests[-1].edits] if told.requests else []
    return Told(
        session_id,
        told.requests,
        phase=stored.request.phase,
        project=project,
        provider=about.provider,
        mode=about.mode,
        transcript=bool(steps),
        uncommitted=_uncommitted(Path(project), edited) if project and ask_git else (),
        omitted=told.omitted,
        total=stored.total if stored.before.requests else None,
    )


def report(session: str | None, *, output: Path | None, conf: Config, env: Mapping[str, str], cwd: Path) -> Path:
    """Write the page of one session, the newest of this project when none is named; returns where it is."""
    state = config.state_directory(env)
    session_id = recent.find(state, session) if session else _newest(state, project_directory(cwd))
    say = words(languages.of_person(env))
    told = gather(state, session_id, transcripts=conf.directory / "projects")
    page = without(render(told, say, made=_now()), secrets_of(conf, env))
    return _write(page, output, state, f"{session_id}.html")


def report_all(*, output: Path | None, conf: Config, env: Mapping[str, str]) -> Path:
    """Write a page for each of the newest sessions and one that lists them; returns the latter.

    `output` is a folder for all of them, or, when it ends like a page, the list itself; the others stand beside it.
    """
    state = config.state_directory(env)
    say, made, secrets = words(languages.of_person(env)), _now(), secrets_of(conf, env)
    _refuse_none(state)
    index = _index(output, state)
    folder = index.parent if index.name == INDEX else index.with_suffix("")
    files.private_directory(folder)
    beside = os.path.relpath(index, folder)
    transcripts = conf.directory / "projects"

    def written(session_id: str) -> Told:
        told = gather(state, session_id, transcripts=transcripts, ask_git=False)
        page = without(render(told, say, made=made, index=beside), secrets)
        files.replace(folder / f"{session_id}.html", page.encode())
        return told

    linked = "" if folder == index.parent else f"{folder.name}/"
    page = render_index(map(written, islice(recent.existing(state), INDEXED)), say, made=made, folder=linked)
    files.replace(index, without(page, secrets).encode())
    return index


def _index(output: Path | None, state: Path) -> Path:
    if output and output.suffix.lower() in (".html", ".htm") and not output.is_dir():
        return output
    return (output or _own_folder(state)) / INDEX


def show(page: Path) -> None:
    """Open the page in the person's browser."""
    import webbrowser

    if not webbrowser.open(page.absolute().as_uri()):
        raise CccError(msg("no browser was found"), msg("open it yourself: {page}", page=page))


def _refuse_none(state: Path) -> None:
    if next(recent.sessions(state), None) is None:
        raise CccError(
            msg("no supervised session yet, so there is nothing to report"),
            msg("start one: CCC_SUPERVISOR=1 ccc PROVIDER (or see one first: ccc demo)"),
        )


def _newest(state: Path, project: Path) -> str:
    # Sessions of earlier versions do not say which project they are of.
    found = recent.newest(state, lambda each: each.about.project in (None, str(project)))
    if found is None:
        _refuse_none(state)
        raise CccError(
            msg("no supervised session of {project} yet", project=project),
            msg("name one (see: ccc status), or: ccc report --all"),
        )
    return found.session_id


def _write(page: str, output: Path | None, state: Path, name: str) -> Path:
    if output is not None:
        files.replace(output, page.encode())
        return output
    folder = _own_folder(state)
    for each in (folder, scratch_folder(state)):
        files.private_directory(each)
    files.replace_own(folder / name, page.encode(), scratch=scratch_folder(state))
    return folder / name


INDEX = "index.html"


def _own_folder(state: Path) -> Path:
    return state / "reports"


def _transcript(about: About, transcripts: Path, session_id: str) -> Path | None:
    return Path(about.transcript) if about.transcript else transcript.of_session(transcripts, session_id)


def _uncommitted(project: Path, edited: Iterable[str]) -> tuple[str, ...]:
    """What git calls changed and the transcript does not: a command may have done it."""
    if not (project / ".git").exists():
        return ()
    names = repository.changed(project, os.environ)
    known = {str(project / path) for path in edited}
    return tuple(name for name in names if str(project / name) not in known)


def _heading(about: Request, say: Words) -> str:
    return one_line(" ".join(about.text.split()), TITLE) or say["no_request"]


def _place(told: Told) -> list[tuple[str, Child]]:
    project = tag("span", Path(told.project).name or told.project, title=told.project) if told.project else None
    return [("project", project), ("provider", told.provider), ("mode", told.mode)]


def _earlier(told: Told, say: Words) -> Html | None:
    earlier = told.requests[:-1][-EARLIER_SHOWN:]
    if not earlier:
        return None
    missing = told.omitted.requests + len(told.requests) - 1 - len(earlier)
    shown = [_folded(each, told, say) for each in reversed(earlier)]
    return section("earlier", say["earlier"], shown, left_out(missing, say))


def _folded(each: Request, told: Told, say: Words) -> Html:
    colour, state = summary.state(each, Phase.DONE)
    head = tag("summary", chip(colour, say[state]), " ", _heading(each, say))
    return tag("details", head, tag("p", summary.lead(each, say)), timeline(each, say, told.project), class_="request")


def _row(told: Told, say: Words, folder: str) -> Html:
    newest = told.requests[-1]
    colour, state = summary.state(newest, told.phase)
    facts: list[Child] = [
        Path(told.project).name if told.project else None,
        frame.moment(newest.begun, say) if newest.begun else None,
        say.duration(newest.ended - newest.begun),
        summary.stops(newest, say),
        _cost(newest, say),
        say["in_session"].format(cost=_total(told, say)) if _total(told, say) else None,
    ]
    link = tag("a", _heading(newest, say), href=f"{folder}{told.session_id}.html")
    return tag("div", tag("h2", link), tag("p", chip(colour, say[state]), " ", dotted(facts), class_="quiet"))


def _total(told: Told, say: Words) -> str:
    return both(told.total, say.lang) if told.total and told.total.total_usd else ""


def _cost(newest: Request, say: Words) -> str | None:
    """What `ccc status` shows of it."""
    if newest.bill:
        return both(newest.bill, say.lang)
    return money(newest.cost_usd) if newest.cost_usd else None


def _empty(told: Told, say: Words, *, made: float) -> str:
    header = [brand(say["report"]), tag("h1", say["no_request"])]
    note = tag("p", say["nothing"], class_="note")
    return frame.document(say["report"], say, header=header, main=note, footer=_footer(told.session_id, say, made))


def _footer(session_id: str, say: Words, made: float) -> list[Html]:
    note = say["footer"].format(version=__version__, when=say.when(made))
    lines = [tag("p", note)]
    return [*lines, tag("p", say["session"], " ", tag("code", session_id))] if session_id else lines


def _now() -> float:
    return datetime.now(UTC).timestamp()
