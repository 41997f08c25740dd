"""`ccc fleet report`: the whole list as one page, with its time line, its costs, and a link to each task's own page.

Rule: `render` is pure; the frame, the markup and each task's page are the report's own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ccc import __version__
from ccc.base import files, languages
from ccc.base.errors import CccError
from ccc.base.messages import Phrases, msg, said
from ccc.base.text import one_line
from ccc.fleet import view
from ccc.fleet.store import Store
from ccc.fleet.task import COMPLETED, FAILED, NEEDS_HUMAN, Record, State
from ccc.providers.config import Config
from ccc.record.words import dollars
from ccc.showing.report import frame, page
from ccc.showing.report.charts import WIDTH
from ccc.showing.report.frame import brand, chip, dotted, section
from ccc.showing.report.markup import Html, tag
from ccc.showing.report.words import Words, words
from ccc.showing.statusline import OUTCOMES

SHOWN = 1000
TEXTS = Phrases(
    "fleet page",
    {
        "kind": "fleet",
        "title": "ccc fleet: {tasks}",
        "tasks": "{n} tasks",
        "time": "When each task was worked on",
        "list": "The tasks",
        "nothing": "No task yet.",
        "of": "{spent} of {most}",
        "begin": "from {when}",
        "end": "to {when}",
        "round": "{n} rounds",
        "after": "after {ids}",
        "left_out": "{n} tasks are left out here.",
        "footer": "Made by ccc {version}, on {when}. This page asks the network for nothing.",
    },
)
COLOURS = {COMPLETED: "good", NEEDS_HUMAN: "back", FAILED: "bad", "unreviewed": "bad", "limit": "back"}
FILLS = {COMPLETED: "agent", NEEDS_HUMAN: "reviewer", FAILED: "held_up", "running": "checks"}


def render(seen: view.Glance, say: Words, *, made: float, links: Mapping[str, str]) -> str:
    """`links`: the page of a task's session, by its id."""
    texts = TEXTS[say.lang]
    title = texts["tasks"].format(n=seen.total)
    header = [brand(texts["kind"]), tag("h1", title), tag("p", _lead(seen, say), class_="lead")]
    drawn = [record for record in seen.records if record.began_at]
    missing = seen.total - len(seen.records)
    main = [
        section("time", texts["time"], _time_line(seen, drawn, say, made)) if drawn else None,
        section(
            "list", texts["list"], tag("ul", [_row(seen, each, say, links) for each in seen.records], class_="rows")
        )
        if seen.records
        else tag("p", texts["nothing"], class_="note"),
        tag("p", texts["left_out"].format(n=missing), class_="quiet") if missing > 0 else None,
    ]
    footer = tag("p", texts["footer"].format(version=__version__, when=say.when(made)))
    return frame.document(texts["title"].format(tasks=title), say, header=header, main=main, footer=footer)


def _lead(seen: view.Glance, say: Words) -> Html:
    counts = [f"{_named(name, say)} {number}" for name, number in seen.counts.items()]
    spent = dollars(seen.spent_usd)
    most = seen.budget_usd
    return dotted([*counts, TEXTS[say.lang]["of"].format(spent=spent, most=dollars(most)) if most else spent])


def _named(state: str, say: Words) -> str:
    return view.STATES[say.lang].get(state) or OUTCOMES[say.lang].get(state, state)


def _time_line(seen: view.Glance, records: Sequence[Record], say: Words, made: float) -> Html:
    """A bar for each task, from its first moment to its last, on one clock."""
    begun = min(record.began_at for record in records)
    ended = max(record.ended_at or made for record in records)
    scale = WIDTH / max(ended - begun, 1.0)
    rows = []
    for record in sorted(records, key=lambda each: each.began_at):
        last = record.ended_at or made
        width = max(3.0, (last - record.began_at) * scale)
        fill = FILLS.get(seen.state(record), "rest")
        bars = [
            tag("rect", class_="fill-ground", x="0", y="0", width="1000", height="10"),
            tag(
                *("rect",),
                class_=f"fill-{fill}",
                x=f"{min((record.began_at - begun) * scale, WIDTH - 3):.1f}",
                y="0",
                width=f"{width:.1f}",
                height="10",
            ),
        ]
        drawing = tag(
            "svg",
            bars,
            class_="bar",
            viewBox="0 0 1000 10",
            preserveAspectRatio="none",
            aria_hidden="true",
            focusable="false",
        )
        rows.append(
            tag(
                "tr",
                tag("th", one_line(record.task.title, 60), scope="row"),
                tag("td", say.duration(last - record.began_at), class_="n"),
                tag("td", drawing, class_="wide"),
            )
        )
    texts = TEXTS[say.lang]
    caption = tag("caption", texts["time"], class_="unseen")
    clock = dotted([texts["begin"].format(when=say.when(begun)), texts["end"].format(when=say.when(ended))])
    return tag("div", tag("p", clock, class_="quiet"), tag("table", caption, tag("tbody", rows)), class_="chart")


def _row(seen: view.Glance, record: Record, say: Words, links: Mapping[str, str]) -> Html:
    texts, state, task = TEXTS[say.lang], seen.state(record), record.task
    link = links.get(record.id)
    head = tag("a", task.title, href=link) if link else task.title
    facts = [
        tag("code", record.id),
        record.machine,
        texts["round"].format(n=record.round) if record.round else None,
        dollars(record.cost_usd) if record.cost_usd else None,
        say.duration(record.ended_at - record.began_at) if record.ended_at and record.began_at else None,
        tag("code", task.branch) if record.commit else None,
        texts["after"].format(ids=", ".join(task.after)) if task.after else None,
    ]
    why = record.why if record.is_over and (record.outcome != COMPLETED or record.has_rest) else ""
    why = view.ADVANCED if record.id in seen.advanced else why
    why = said(view.meddled(record) or why, say.lang)
    return tag(
        "li",
        tag("h3", head),
        tag("p", chip(COLOURS.get(state, "quiet"), _named(state, say)), " ", dotted(facts), class_="quiet"),
        tag("p", one_line(why, 400)) if why else None,
        class_="row",
    )


def report(store: Store, *, output: Path | None, conf: Config, env: Mapping[str, str], state: Path) -> Path:
    """Write the page, and beside it one for each task that has a story here; returns where it is."""
    made = time.time()
    seen = view.glance(store, SHOWN, env, conf.fleet.max_cost_usd, made)
    if not seen.total:
        raise CccError(msg("no task yet, so there is nothing to report"), msg("add some: ccc fleet add tasks.md"))
    say = words(languages.of_person(env))
    target = output or state / "reports" / "fleet.html"
    folder = target.with_suffix("")
    for each in (target.parent, folder):
        files.private_directory(each)
    links = {record.id: link for record in seen.records if (link := _page_of(record, folder, conf, env))}
    text = page.without(render(seen, say, made=made, links=links), page.secrets_of(conf, env))
    files.replace(target, text.encode())
    return target


def _page_of(record: Record, folder: Path, conf: Config, env: Mapping[str, str]) -> str | None:
    """Where the page of its session is, seen from the page of the list; None where nothing is known of it here."""
    if not record.session or record.state is State.WAITING:
        return None
    name = f"{record.id}.html"
    try:
        page.report(record.session, output=folder / name, conf=conf, env=env, cwd=record.task.repo)
    except CccError:  # another machine has its story
        return None
    return f"{folder.name}/{name}"
