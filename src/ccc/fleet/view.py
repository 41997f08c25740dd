"""The fleet at a glance: one row a task, those that need a person on top.

Rule: what is shown is what the store says, in full in `--json` and in a few words in the table; looking changes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import languages, sink
from ccc.base.messages import Message, Phrases, msg, said
from ccc.base.text import columns_of, one_line
from ccc.fleet import address, branches, liveness
from ccc.fleet.store import Store
from ccc.fleet.task import COMPLETED, FAILED, NEEDS_HUMAN, Record, State
from ccc.fleet.task import MOVED as MOVED_WHY
from ccc.record.words import clock, dollars, named
from ccc.showing import status
from ccc.showing.status import ago
from ccc.showing.statusline import OUTCOMES

if TYPE_CHECKING:
    from rich.table import Table

HEADS = Phrases(
    "fleet heads",
    {0: "task", 1: "state", 2: "machine", 3: "round", 4: "cost", 5: "what", 6: "branch", 7: "age"},
)
COLUMNS = {120: range(8), 78: (0, 1, 3, 4, 5, 7), 60: (0, 1, 4, 5), 0: (0, 1, 4)}  # from this width on
NARROW = 24  # of a task's name where there is little room; its beginning is enough for every command
SHORTEST = 4  # … where there is next to none
LEAST = 8  # of what it is about
GAP = 2  # between two columns
STATES = Phrases(
    "fleet states",
    {
        "waiting": "waiting",
        "running": "running",
        "cut off": "cut off",
        "cancelled": "cancelled",
        "failed": "failed",
        "ended": "ended",
    },
)
WORDS = Phrases(
    "fleet",
    {
        "empty": "no task yet; add some: ccc fleet add tasks.md",
        "more": "… and {n} more; ccc fleet status -n {all} shows all",
    },
)
FORGED = msg("changed outside ccc: no review has called it completed")
MOVED = msg("its branch was moved since: it no longer has the commit that was completed")
ADVANCED = msg("its branch has more since, which no review saw")
STYLES = {**status.STYLES, FAILED: "red", "running": "cyan", "cut off": "yellow", "cancelled": "dim"}


class Glance(Struct, frozen=True):
    """What there is to see."""

    records: tuple[Record, ...]
    counts: Mapping[str, int]
    spent_usd: float
    budget_usd: float | None
    pauses: Mapping[str, float]
    machines: tuple[str, ...]  # where somebody works
    alive: frozenset[str]  # workers
    behind: Mapping[str, tuple[str, str]] = {}  # whom a task waits for, and how that one ended, if it has
    stuck: str = ""  # behind this one is all that waits
    advanced: frozenset[str] = frozenset()  # completed, and their branches have more by now

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def state(self, record: Record) -> str:
        """In one word: a task whose worker is gone only seems to run."""
        if record.state is State.RUNNING and record.owner not in self.alive:
            return "cut off"
        return record.outcome or record.state.value if record.is_over else record.state.value


def glance(store: Store, limit: int, env: Mapping[str, str], budget: float | None, now: float) -> Glance:
    here = address.machine(env)
    workers = [each for each in store.workers() if liveness.alive(store.address, each, here)]
    found = branches.look(store.sealed(), store.address, env)
    moved = [each.id for each in found.moved]
    page = _page(store, limit, moved)
    return Glance(
        page,
        _counted(store.counts(), len(moved)),
        store.spent(),
        budget,
        store.pauses(now),
        tuple(dict.fromkeys(each.machine for each in workers)),
        frozenset(each.id for each in workers),
        _behind(store, page),
        stuck(store, page),
        frozenset(each.id for each in found.advanced),
    )


def _page(store: Store, limit: int, moved: Sequence[str]) -> tuple[Record, ...]:
    """With those on top whose branch is not what it was: they need a person, whatever the store says."""
    found = [record for id_ in moved[:limit] if (record := store.get(id_))]
    above = [replace(record, outcome=NEEDS_HUMAN, why=MOVED_WHY) for record in found]
    return tuple([*above, *(record for record in store.page(limit) if record.id not in moved)][:limit])


def _counted(counts: Mapping[str, int], moved: int) -> dict[str, int]:
    more = {COMPLETED: -moved, NEEDS_HUMAN: moved} if moved else {}
    told = {name: counts.get(name, 0) + more.get(name, 0) for name in (*counts, *more)}
    return {name: number for name, number in told.items() if number > 0}


def meddled(record: Record) -> Message | None:
    """What somebody else than a worker has done to a completed task."""
    return FORGED if record.is_forged else MOVED if record.is_moved else None


def stuck(store: Store, among: Sequence[Record]) -> str:
    """The task that all others wait for in vain, where nothing is left that could be worked on."""
    behind = _behind(store, among)
    ended = [first for first, outcome in behind.values() if outcome]
    return ended[0] if ended and not store.left_to_do() else ""


def _behind(store: Store, among: Sequence[Record]) -> dict[str, tuple[str, str]]:
    return store.behind([record.id for record in among if record.state is State.WAITING and record.task.after])


def see_to(id_: str) -> Message:
    return msg("the rest waits for {id}: ccc fleet open {id}, and when it is done: ccc fleet retry {id}", id=id_)


def as_json(seen: Glance) -> dict[str, object]:
    return {
        "tasks": [_told(seen, record) for record in seen.records],
        "counts": dict(seen.counts),
        "spent_usd": round(seen.spent_usd, 6),
        "max_cost_usd": seen.budget_usd,
        "paused": {name: _iso(until) for name, until in seen.pauses.items()},
        "machines": list(seen.machines),
    }


def _told(seen: Glance, record: Record) -> dict[str, object]:
    task = record.task
    return {
        "id": record.id,
        "title": task.title,
        "state": seen.state(record) if not record.is_over else record.state.value,
        "outcome": record.outcome or None,
        "why": str(meddled(record) or record.why),
        "machine": record.machine or None,
        "round": record.round,
        "cost_usd": round(record.cost_usd, 6),
        "agent_usd": round(record.agent_usd, 6),
        "review_usd": round(record.review_usd, 6),
        "branch": task.branch,
        "branch_has_more": record.id in seen.advanced,
        "commit": record.commit or None,
        "session_id": record.session or None,
        "provider": task.provider,
        "repo": str(task.repo),
        "after": list(task.after),
        "not_before": _iso(record.not_before),
        "added_at": _iso(record.added_at),
        "began_at": _iso(record.began_at),
        "ended_at": _iso(record.ended_at),
    }


def _iso(at: float) -> str | None:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds") if at else None


def print_table(seen: Glance, *, now: float, env: Mapping[str, str]) -> None:
    lang, console = languages.of_person(env), status.console_for(env)
    if not seen.total:
        sink.show(WORDS[lang]["empty"])
        return
    console.print(table(seen, now=now, lang=lang, width=console.width))
    missing = seen.total - len(seen.records)
    if missing > 0:
        sink.show(WORDS[lang]["more"].format(n=missing, all=seen.total))
    sink.show(summary(seen, lang))


def summary(seen: Glance, lang: str) -> str:
    """One line below all."""
    parts = [f"{said(word(name), lang)} {n}" for name, n in seen.counts.items()]
    spent = dollars(seen.spent_usd)
    parts.append(f"{spent} / {dollars(seen.budget_usd)}" if seen.budget_usd else spent)
    parts += [said(held(name, until), lang) for name, until in seen.pauses.items()]
    if seen.stuck:
        parts.append(said(see_to(seen.stuck), lang))
    elif not seen.machines and seen.counts.get(State.WAITING.value):
        parts.append(said(msg("nobody works; start it: ccc fleet run"), lang))
    return " · ".join(parts)


def word(state: str) -> Message | str:
    """For a state or an outcome of a task; one that this version does not know is its own."""
    known = next((words for words in (STATES, OUTCOMES) if state in words["en"]), None)
    return known.message(state) if known else state


def table(seen: Glance, *, now: float, lang: str, width: int, selected: str | None = None) -> Table:
    from rich.table import Table
    from rich.text import Text

    shown = next(columns for least, columns in COLUMNS.items() if width >= least)
    made = Table(box=None, padding=(0, GAP, 0, 0), header_style="bold", expand=width != status.PIPE_WIDTH)
    rows = [_cells(seen, record, now, lang) for record in seen.records]
    room = _room(rows, shown, width, lang)
    for number in shown:
        most = (max(SHORTEST, min(room, NARROW)) if width < 120 else None) if number == 0 else None
        ratio = 1 if number == _WHAT else None
        made.add_column(HEADS[lang][number], no_wrap=True, overflow="ellipsis", ratio=ratio, max_width=most)
    for record, (first, *cells) in zip(seen.records, rows, strict=True):
        chosen = record.id == selected
        mark = "" if selected is None else "▸ " if chosen else "  "
        cells = [(mark + first[0], first[1]), *cells]
        made.add_row(*(Text(*cells[number]) for number in shown), style="reverse" if chosen else "")
    return made


_WHAT = 5


def _room(rows: Sequence[Sequence[tuple[str, str]]], shown: Sequence[int], width: int, lang: str) -> int:
    """For a task's name: what the others leave, for its state and its cost are not to be guessed."""
    others = [number for number in shown if number not in (0, _WHAT)]
    taken = [max(columns_of(text) for text in (HEADS[lang][n], *(row[n][0] for row in rows))) for n in others]
    least = LEAST if _WHAT in shown else 0
    return width - sum(taken) - least - GAP * len(shown)


def _cells(seen: Glance, record: Record, now: float, lang: str) -> Sequence[tuple[str, str]]:
    state = seen.state(record)
    since = datetime.fromtimestamp(record.ended_at or record.began_at or record.added_at, UTC)
    return (
        (record.id, ""),
        (said(word(state), lang), STYLES.get(state, "")),
        (one_line(record.machine, 16), "dim"),
        (str(record.round or ""), ""),
        (dollars(record.cost_usd) if record.cost_usd else "", ""),
        (_what(seen, record, lang), ""),
        (record.task.branch, "dim"),
        (ago(since, datetime.fromtimestamp(now, UTC), lang), "dim"),
    )


def _what(seen: Glance, record: Record, lang: str) -> str:
    """Why, where that is worth more than what it is about."""
    if told := meddled(record):
        return said(told, lang)
    if record.id in seen.advanced:
        return said(ADVANCED, lang)
    if record.is_over and record.why and (record.outcome != COMPLETED or record.has_rest):
        return one_line(record.why, 60)
    if record.state is State.WAITING and (reason := _waits(seen, record)):
        return one_line(said(reason, lang), 60)
    return one_line(record.task.title, 60)


def _waits(seen: Glance, record: Record) -> Message | None:
    """What for, where it is not just its turn."""
    first, outcome = seen.behind.get(record.id, ("", ""))
    if outcome:
        return msg("stuck behind {id}: {outcome}", id=first, outcome=word(outcome))
    if first:
        return msg("after {id}", id=first)
    limit = _limit(seen, record)
    at = clock(datetime.fromtimestamp(limit[1], UTC)) if limit else ""
    return msg("limit of {provider} until {time}", provider=named(limit[0]), time=at) if limit else None


def held(provider: str, until: float) -> Message:
    """What a task waits for that is not its turn yet."""
    at = datetime.fromtimestamp(until, UTC)
    return msg("waiting for the limit of {provider} until {time}", provider=named(provider), time=clock(at))


def _limit(seen: Glance, record: Record) -> tuple[str, float] | None:
    """The one it met, be it a fallback's; else its provider's own, which another task has met."""
    own = record.task.provider or ""
    met = [(name, until) for name, until in seen.pauses.items() if until == record.not_before or name == own]
    return max(met, key=lambda each: each[1], default=None)
