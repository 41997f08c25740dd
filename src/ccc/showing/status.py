"""Supervised sessions at a glance: one row each, the one that was active last on top.

Rule: a row is what the session's files say, in full in `--json` and in a few words in the table; reading a row changes
nothing.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Self

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from ccc.base import files, languages, processes, seal, sink
from ccc.base.errors import CccError
from ccc.base.messages import Phrases, said
from ccc.base.text import clean, columns_of, one_line, padded
from ccc.base.values import plain
from ccc.claude import asking, outage, presence, transcript
from ccc.model import Mode, Outcome
from ccc.record import outside, placed, recent, starts, store, story, switch, unheard
from ccc.record.events import Stopped
from ccc.record.outside import Kind
from ccc.record.session import Phase, Session, moment, valid_session_id
from ccc.record.starts import Start
from ccc.record.unheard import How, Unheard
from ccc.record.words import dollars, waiting
from ccc.showing import statusline
from ccc.showing.statusline import OUTCOMES, PHASES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

DEFAULT_ROWS = 20
MOST_ROWS = 1000
REDRAW_SECONDS = 1.0
VERDICT_LENGTH = 80
PIPE_WIDTH = 200  # a pipe has no width; folding at 80 columns would break what a script reads
SHORT_ID = 8

HEADS = Phrases(
    "status heads",
    {
        0: "session",
        1: "project",
        2: "provider",
        3: "mode",
        4: "phase",
        5: "reviews",
        6: "last verdict",
        7: "agent $",
        8: "reviews $",
        9: "next ≥",
        10: "age",
        11: "total $",
    },
)
# From this width on, where what they hold leaves room for the verdict.
COLUMNS = {
    120: tuple(range(11)),
    78: (0, 1, 4, 5, 6, 7, 8, 10),
    76: (0, 1, 4, 5, 6, 10),
    50: (0, 4, 5, 6, 10),
    0: (0, 4, 6),
}
LEAST_VERDICT = 24
_WANTED = (Outcome.UNREVIEWED, Outcome.NEEDS_HUMAN)  # the person is, whatever else there is to remark
_OPEN = (Phase.WORKING, Phase.REVIEWING, Phase.HELD_UP)  # and maybe nobody is at it any more
_OF_REQUEST, _AGE, _TOTAL = (7, 8, 9), 10, 11  # amounts, and where the sum of them stands
WORDS = Phrases(
    "status",
    {
        "empty": "no supervised session yet; start one: CCC_SUPERVISOR=1 ccc PROVIDER (or see one first: ccc demo)",
        "unreadable": "its state file cannot be read",
        "off": "reviews off",
        "broke off": "review broke off",
        "yours": "waiting for you",
        "asks": "claude asks again {count}",
        "left off": "{count} more sessions; to see them: ccc status -n {all}",
        "terminal": "--watch needs a terminal; for scripts there is: ccc status --json",
    },
)
STYLES = {
    statusline.SENT_BACK: "yellow",
    "completed": "green",
    "limit": "yellow",
    "unreviewed": "red",
    "needs_human": "bold magenta",
}


class Row(Struct, frozen=True):
    """One session. `verdict` is `sent_back` or an outcome, `feedback` the words that came with it."""

    session_id: str
    project: str | None = None
    provider: str | None = None
    mode: str | None = None
    phase: str | None = None
    since: datetime | None = None
    held_by: str = ""  # what keeps the model away, as long as it does
    held_until: datetime | None = None
    count: int = 0
    limit: int | None = None
    verdict: str | None = None
    feedback: str = ""
    outcome: str | None = None
    reason: str = ""
    cost_usd: float = 0.0  # of the reviews
    tokens: int = 0
    reviews: tuple[Mapping[str, int], ...] = ()  # of each one: tokens that the provider's cache has served, and others
    agent_cost_usd: float | None = None  # None when nobody can tell
    agent_cost_at_least: bool = False  # only a part of it could be counted
    shares: tuple[Mapping[str, object], ...] = ()  # of both, by provider, where there were several
    requests: int = 1  # of the person's in this session; all above is of the last one
    session_cost_usd: float = 0.0  # of agent and reviews in all of them
    session_cost_at_least: bool = False
    next_cost_usd: float | None = None  # what the next review will cost at the least; None until one was paid for
    off: bool = False
    outside: Mapping[str, str] = field(default_factory=dict)  # what was done to supervision, and when it was noticed
    broke_off: bool = False  # the file says `reviewing`, and nobody is
    waiting_for: str | None = None  # the person at the client's terminal: what for, in the client's words
    asking: str = ""  # what keeps the model away while the client itself asks again …
    asked: str = ""  # … as often as this: `3/10`
    created_at: datetime | None = None
    updated_at: datetime | None = None
    problem: str | None = None


def rows(state: Path, limit: int = DEFAULT_ROWS) -> list[Row]:
    """The sessions that were active last and still have a state file, and before them those nobody heard of. What
    needs the person is never cut off by the number."""
    ids = recent.looked_at(state, limit)
    foreign = seal.foreign_to(state)
    before = (each for each in ids[limit:] if _may_need_person(store.seen(state, each, foreign=foreign)))
    known = [each for session_id in (*ids[:limit], *before) if (each := row(state, session_id))]
    left = unheard.left(state, (each.session_id for each in known if each.mode == Mode.HOOKS and not each.outcome))
    stops = unheard.stops(state, datetime.now(UTC))
    remarks, alarms = ([each for each in stops if each.is_remark is kind] for kind in (True, False))
    missed = {each.session_id: each for each in (*remarks, *left, *alarms)}
    marked = [_unheard(each, missed.pop(each.session_id, None)) for each in known]
    found = _held([*(_unheard(Row(each), missed[each]) for each in missed), *marked], state)
    return [*found[:limit], *filter(_needs_person, found[limit:])]


def left_off(state: Path, found: Sequence[Row], limit: int = DEFAULT_ROWS) -> int:
    """How many sessions there are beside these rows."""
    return len({*recent.looked_at(state, limit)} - {each.session_id for each in found})


def _may_need_person(found: Session | None) -> bool:
    """By its state alone; one that nobody can read may be of any kind."""
    if found is None or found.foreign or found.request.outcome in _WANTED:
        return True
    return found.about.mode is not None and found.request.phase in _OPEN


def _needs_person(found: Row) -> bool:
    return bool(found.problem or found.outside or found.broke_off or found.outcome in _WANTED)


def _held(found: list[Row], state: Path) -> list[Row]:
    """With what waits for the person or its provider marked; a client may do so before ccc has heard of any stop."""
    held = {each.session_id: each for start in starts.known(state) if start.lives for each in _waits(start)}
    marked = [_marked(each, held.pop(each.session_id)) if each.session_id in held else each for each in found]
    return [*held.values(), *marked]


def _marked(found: Row, held: Row) -> Row:
    return replace(found, waiting_for=held.waiting_for, asking=held.asking, asked=held.asked)


def _waits(start: Start) -> Iterator[Row]:
    config = start.transcripts.parent
    told, asks = presence.waiting(config, start.pid), _asks(start, presence.conversation(config, start.pid))
    session_id = told.session_id if told else asks[0] if asks else None
    if valid_session_id(session_id):
        yield Row(
            session_id,
            project=str(start.folder),
            provider=start.provider or None,
            mode=Mode.HOOKS,
            waiting_for=told.what if told else None,
            asking=asks[1] if asks else "",
            asked=asks[2] if asks else "",
            since=start.at,
            updated_at=start.at,
        )


def _asks(start: Start, session_id: str | None) -> tuple[str, str, str] | None:
    """The session, what keeps its model away, and how often that was asked."""
    path = transcript.of_session(start.transcripts, session_id) if valid_session_id(session_id) else None
    now = datetime.now(UTC).astimezone()
    found = asking.asking(path, now) if path else None
    if not found or not session_id:
        return None
    return session_id, outage.line(found.weather, start.provider or None, now), f"{found.attempt}/{found.of}"


_OUTSIDE = {
    How.MISSED: Kind.UNHEARD,
    How.GONE: Kind.UNHEARD,
    How.UNREADABLE: Kind.UNHEARD,
    How.UNSEEN: Kind.UNHEARD,
    How.IGNORED: Kind.IGNORED,
}


def _unheard(found: Row, missed: Unheard | None) -> Row:
    """A row whose last stop passed without ccc."""
    if missed is None or (missed.is_remark and found.outcome in _WANTED):
        return found
    # Where the API ended the turn there was no stop, and nobody kept the hook from it.
    kind = _OUTSIDE.get(missed.how)
    kept_away = {kind.value: missed.at.isoformat(timespec="seconds")} if kind else {}
    outcome = Outcome.INTERRUPTED if missed.is_remark else Outcome.UNREVIEWED
    return replace(
        found,
        project=found.project or str(missed.start.folder),
        mode=found.mode or Mode.HOOKS,
        verdict=outcome.value,
        outcome=outcome.value,
        feedback=missed.line(),
        reason=missed.line(),
        updated_at=missed.at,
        outside={**found.outside, **kept_away},
    )


def row(state: Path, session_id: str) -> Row | None:
    """None when the session has no state any more."""
    found = store.seen(state, session_id, foreign=seal.foreign_to(state))
    if found:
        return _row(state, found)
    unreadable = store.state_path(state, session_id).exists()
    return Row(session_id, problem=WORDS["en"]["unreadable"]) if unreadable else None


def as_json(found: Sequence[Row], now: datetime) -> list[dict[str, object]]:
    return [_told(each, now) for each in found]


def print_table(found: Sequence[Row], *, now: datetime, env: Mapping[str, str], more: int = 0) -> None:
    """To stdout, and how many `more` there are; without a session one line that helps."""
    lang = languages.of_person(env)
    if not found:
        sink.show(WORDS[lang]["empty"])
        return
    if sys.stdout.isatty():
        console = console_for(env)
        console.print(table(found, now=now, lang=lang, width=console.width))
    else:
        sink.show(*_plain(found, now, lang))
    if more:
        sink.show(WORDS[lang]["left off"].format(count=more, all=min(len(found) + more, MOST_ROWS)))
    sink.show(*interference(found, lang))


def print_now(state: Path, *, env: Mapping[str, str], limit: int = DEFAULT_ROWS) -> None:
    found = rows(state, limit)
    print_table(found, now=datetime.now(UTC), env=env, more=left_off(state, found, limit))


def _plain(found: Sequence[Row], now: datetime, lang: str) -> Iterator[str]:
    """The same for a pipe, which has no width and takes no colours."""
    rows = [_cells(each, now, lang) for each in found]
    numbers = next(_columns(found, max(COLUMNS)))
    lines = [[HEADS[lang][at] for at in numbers], *([row[at][0] for at in numbers] for row in rows)]
    widths = [max(columns_of(cell, most=False) for cell in column) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(padded(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip()


def interference(found: Sequence[Row], lang: str) -> Iterator[str]:
    """A line for each thing that was done to a session's supervision; the person's own switch is in the table."""
    for each in found:
        for kind, at in each.outside.items():
            if kind != Kind.OFF:
                said = outside.WORDS[lang][Kind(kind)].removeprefix("ccc: ").removeprefix("ccc：")
                yield f"⚠ {each.session_id[:SHORT_ID]} ({at}): {said}"


def watch(state: Path, *, env: Mapping[str, str], limit: int = DEFAULT_ROWS) -> int:
    """The table, redrawn until Ctrl-C; the last one stays on the screen."""
    from rich.live import Live
    from rich.text import Text

    lang = languages.of_person(env)
    console = console_for(env)
    if not console.is_terminal or console.is_dumb_terminal:
        raise CccError(WORDS[lang]["terminal"])
    with Signals() as signals, Live(console=console, screen=True, auto_refresh=False) as live:
        while signals.ended is None:
            follow_size(console)
            found, now = rows(state, limit), datetime.now(UTC)
            shown = table(found, now=now, lang=lang, width=console.width) if found else Text(WORDS[lang]["empty"])
            live.update(shown, refresh=True)
            signals.wait(REDRAW_SECONDS)
    if signals.ended is signal.SIGINT:
        print_now(state, env=env, limit=limit)
    return signals.obeyed()


def table(found: Sequence[Row], *, now: datetime, lang: str, width: int, selected: str | None = None) -> Table:
    """One line for each session; a narrow screen leaves columns out."""
    from rich.table import Table
    from rich.text import Text

    between = 2 if width >= max(COLUMNS) else 1
    rows, columns = _laid_out(found, [_cells(each, now, lang) for each in found], lang, width, between)
    made = Table(box=None, padding=(0, between, 0, 0), header_style="bold", expand=width != PIPE_WIDTH)
    for number in columns:
        head = HEADS[lang][number]
        made.add_column(head, no_wrap=True, overflow="ellipsis", ratio=1 if number == _VERDICT else None)
    for each, (first, *cells) in zip(found, rows, strict=True):
        chosen = each.session_id == selected
        mark = "" if selected is None else "▸ " if chosen else "  "
        cells = [(mark + first[0], first[1]), *cells]
        made.add_row(*(Text(*cells[number]) for number in columns), style="reverse" if chosen else "")
    return made


def _laid_out(
    found: Sequence[Row], rows: Sequence[Cells], lang: str, width: int, between: int
) -> tuple[Sequence[Cells], Sequence[int]]:
    """The rows and their columns; the folder above a project goes before what a session has cost does."""
    brief = [(first, (project.rpartition("/")[2], style), *rest) for first, (project, style), *rest in rows]
    whole, more = _with_room(found, rows, lang, width, between), _with_room(found, brief, lang, width, between)
    return (brief, more) if len(more) > len(whole) else (rows, whole)


def _with_room(found: Sequence[Row], rows: Sequence[Cells], lang: str, width: int, between: int) -> Sequence[int]:
    """Which columns a table of this width has: the verdict is what it is there for."""
    heads = HEADS[lang]
    lines = [tuple(heads.values()), *(tuple(text for text, _ in row) for row in rows)]
    wide = [max(columns_of(cell, most=False) for cell in column) for column in zip(*lines, strict=True)]
    wanted = min(wide[_VERDICT], LEAST_VERDICT) + 2  # and what marks the chosen one

    def fits(numbers: Sequence[int]) -> bool:
        return sum(wide[at] + between for at in numbers if at != _VERDICT) + wanted + between <= width

    return next(filter(fits, _columns(found, width)), COLUMNS[0])


def _columns(found: Sequence[Row], width: int) -> Iterator[Sequence[int]]:
    """What a table of this width may have, the most first. Where a session had several requests what it has cost is the
    sum, beside what the last one did or, where that has no room, instead of it."""
    summed = any(each.requests > 1 for each in found)
    for numbers in (each for least, each in COLUMNS.items() if width >= least):
        if summed and _AGE in numbers:
            kept = tuple(each for each in numbers if each != _AGE)
            yield (*kept, _TOTAL, _AGE)
            yield (*(each for each in kept if each not in _OF_REQUEST), _TOTAL, _AGE)
        yield numbers


def console_for(env: Mapping[str, str]) -> Console:
    """stdout as it is: no escape sequence without a terminal or with NO_COLOR."""
    from ccc.base.canvas import Canvas

    terminal = sys.stdout.isatty()
    colours = terminal and not env.get("NO_COLOR")
    width = None if terminal else PIPE_WIDTH
    return Canvas(width=width, colours=colours)


def follow_size(console: Console) -> None:
    """Take the terminal's size as it is now; the COLUMNS of a shell does not know of a resize."""
    with suppress(OSError):
        size = os.get_terminal_size(sys.stdout.fileno())
        if size.columns and size.lines:
            console.size = size


AGES = Phrases("age", {86400: "{}d", 3600: "{}h", 60: "{}m", 1: "{}s"})


def ago(moment: datetime | None, now: datetime, lang: str = "en") -> str:
    """How long ago, in one unit."""
    if moment is None:
        return ""
    seconds = max(0, int((now - moment) / timedelta(seconds=1)))
    size = next((size for size in AGES[lang] if seconds >= size), 1)
    return AGES[lang][size].format(seconds // size)


class Signals:
    """Signals as something to wait for: a handler that raised could break a redraw in the middle."""

    ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self) -> None:
        self.ended: signal.Signals | None = None

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        wanted = [each for each in (*self.ENDING, signal.SIGWINCH) if signal.getsignal(each) is not signal.SIG_IGN]
        self._before = {each: signal.signal(each, self._note) for each in wanted}
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        for each, before in self._before.items():
            signal.signal(each, before)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self._read)
        os.close(self._write)
        # A terminal that hung up can neither be drawn on nor put back.
        return self.ended is not None and kind is not None and issubclass(kind, OSError)

    def wait(self, seconds: float, *fds: int) -> list[int]:
        """Until one of the descriptors can be read, a signal comes, or the time is up."""
        ready, _, _ = select.select([self._read, *fds], [], [], seconds)
        if self._read in ready:
            with suppress(BlockingIOError):
                os.read(self._read, 1024)
        return [fd for fd in ready if fd != self._read]

    def obeyed(self) -> int:
        """To be called when everything is put back: the process ends as whoever sent the signal expects."""
        if self.ended not in (None, signal.SIGINT):
            signal.raise_signal(self.ended)
        return 0

    def _note(self, number: int, _: FrameType | None) -> None:
        if number in self.ENDING:
            self.ended = self.ended or signal.Signals(number)


_VERDICT = 6
Cells = tuple[tuple[str, str], ...]  # text and style


def _row(state: Path, found: Session) -> Row:
    current, about = found.request, found.about
    stop = story.last(state, found.session_id, Stopped)
    verdict, feedback = statusline.last_verdict(current.outcome, current.reason, current.findings)
    reviewing = current.phase is Phase.REVIEWING
    return Row(
        session_id=found.session_id,
        project=_text(about.project),
        provider=_text(about.provider),
        mode=about.mode,
        phase=current.phase.value,
        held_by=current.held_by if current.phase is Phase.HELD_UP else "",
        held_until=moment(current.held_until) if current.phase is Phase.HELD_UP else None,
        since=stop.at if stop and stop.at and reviewing else found.updated_at,
        count=found.count,
        limit=stop.limit if stop else current.limit,
        verdict=verdict,
        feedback=clean(feedback),
        outcome=current.outcome.value if current.outcome else None,
        reason=clean(current.reason),
        cost_usd=current.cost_usd,
        tokens=current.tokens,
        reviews=tuple({"cached_tokens": each.cached, "uncached_tokens": each.uncached} for each in current.reviews),
        agent_cost_usd=current.agent_cost_usd,
        agent_cost_at_least=current.agent_cost_usd is not None and found.bill.at_least,
        shares=tuple(plain(each) for each in current.shares),
        requests=found.before.requests + 1,
        session_cost_usd=round(found.total.total_usd, 6),
        session_cost_at_least=found.total.at_least,
        next_cost_usd=current.last_cost_usd or None,
        off=is_off(state, about.project, found.session_id),
        outside=dict(_outside(state, found)),
        broke_off=current.phase in (Phase.REVIEWING, Phase.HELD_UP) and _is_left(state, found),
        created_at=found.created_at,
        updated_at=found.updated_at,
    )


def _is_left(state: Path, found: Session) -> bool:
    """Whether nobody is at this stop any more: in pty mode that is ccc itself, which holds no lock for it."""
    about = found.about
    if about.mode is Mode.PTY:
        return about.client is not None and not processes.lives(about.client, about.client_begun or "")
    return files.was_freed(store.stop_lock(state, found.session_id))


def _text(text: str | None) -> str | None:
    return one_line(text, 1000) if text else None


def _outside(state: Path, found: Session) -> Iterator[tuple[str, str]]:
    for kind, at in found.outside.seen.items():
        yield kind.value, one_line(at, 40)
    if found.foreign:  # what the next Stop would notice
        yield Kind.STATE.value, found.updated_at.isoformat(timespec="seconds")
    for each in placed.gone(state) if found.about.mode is Mode.HOOKS else ():
        if found.updated_at >= each.written:
            yield Kind.HOOK.value, (each.since or each.written).isoformat(timespec="seconds")


def is_off(state: Path, project: str | None, session_id: str = "") -> bool:
    try:
        return switch.is_off(state, Path(project or "/"), session_id=session_id)
    except CccError:  # whoever switches will hear of it
        return False


def _told(each: Row, now: datetime) -> dict[str, object]:
    told = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in asdict(each).items()}
    age = None if each.updated_at is None else max(0, int((now - each.updated_at) / timedelta(seconds=1)))
    return {**told, "age_seconds": age}


def _cells(each: Row, now: datetime, lang: str) -> Cells:
    """Text and style of every column."""
    if each.problem:
        said = {0: (each.session_id[:SHORT_ID], "dim"), _VERDICT: (WORDS[lang]["unreadable"], "red")}
        return tuple(said.get(number, ("", "")) for number in range(len(HEADS[lang])))
    return (
        (each.session_id[:SHORT_ID], "dim"),
        (one_line("/".join(Path(each.project or "").parts[-2:]).lstrip("/"), 24), ""),
        (one_line(each.provider or "", 16), ""),
        (one_line(each.mode or "", 8), ""),
        _phase(each, now, lang),
        (statusline.progress(each.count, each.limit), ""),
        _verdict(each, lang),
        (_agents(each), ""),
        (dollars(each.cost_usd), ""),
        (dollars(each.next_cost_usd) if each.next_cost_usd else "", "dim"),
        (ago(each.updated_at, now, lang), "dim"),
        (_at_least(each.session_cost_usd, each.session_cost_at_least), ""),
    )


def _verdict(each: Row, lang: str) -> tuple[str, str]:
    """A limit is no verdict, but why it was reached comes first."""
    if each.asking:
        return one_line(said(each.asking, lang), VERDICT_LENGTH), "red"
    words = statusline.in_few_words(each.verdict, each.feedback, lang, VERDICT_LENGTH)
    if each.outcome == Outcome.LIMIT and each.reason:
        reason = said(each.reason, lang)
        words = one_line(f"{reason} · {words}" if words else reason, VERDICT_LENGTH)
    return words, STYLES.get(each.verdict or "", "")


def _phase(each: Row, now: datetime, lang: str) -> tuple[str, str]:
    if each.waiting_for is not None:
        return WORDS[lang]["yours"], "bold magenta"
    if each.asking:
        return WORDS[lang]["asks"].format(count=each.asked), "yellow"
    if each.off and not each.outcome:  # how it has ended is not undone by a switch
        return WORDS[lang]["off"], "dim"
    if each.broke_off:
        return WORDS[lang]["broke off"], "red"
    if each.outcome:
        return OUTCOMES[lang][each.outcome], STYLES.get(each.outcome, "dim")
    if each.held_until:
        return said(waiting(each.held_by, _text(each.provider), each.held_until, now), lang), "yellow"
    phase = PHASES[lang].get(each.phase or "", "")
    return f"{phase} {ago(each.since, now, lang)}", "cyan" if each.phase == "reviewing" else ""


def _agents(each: Row) -> str:
    if each.agent_cost_usd is None:
        return "?"
    return _at_least(each.agent_cost_usd, each.agent_cost_at_least)


def _at_least(amount: float, is_least: bool) -> str:
    return f"{'≥ ' if is_least else ''}{dollars(amount)}"
