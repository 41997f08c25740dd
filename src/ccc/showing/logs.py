"""`ccc logs`: a session's story in lines that a person can read, also while it happens.

Rule: an event that this version does not know is shown with its fields, never left out; colours are for terminals.
"""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ccc.base import languages
from ccc.base.errors import CccError
from ccc.base.text import clean, one_line
from ccc.claude.program import project_directory
from ccc.record import outside, story
from ccc.record.outside import Kind
from ccc.record.state import story_path
from ccc.record.story import Event, Tail
from ccc.showing import status, statusline
from ccc.showing.statusline import OUTCOMES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

POLL_SECONDS = 0.25
LABEL_WIDTH = 11
MESSAGE_LENGTH = 300
OUTSIDE = frozenset(kind.value for kind in Kind)
LINES_SHOWN = 40

Say = Callable[[str], None]
Wait = Callable[[], bool]  # until something may have happened; False when nobody reads any more

LABELS = {
    "en": {
        "supervisor-hook invoked": "stop",
        "evidence": "evidence",
        "check": "check",
        "review started": "review",
        "reviewer says": "reviewer",
        "reviewer uses": "reviewer",
        "verdict": "verdict",
        "no verdict": "no verdict",
        "sent back": "sent back",
        "stop allowed": "may stop",
        "trouble": "trouble",
        "outside": "outside",
        "bad line": "bad line",
    },
    "zh": {
        "supervisor-hook invoked": "停止",
        "evidence": "证据",
        "check": "检查",
        "review started": "审查",
        "reviewer says": "审查者",
        "reviewer uses": "审查者",
        "verdict": "结论",
        "no verdict": "没有结论",
        "sent back": "退回",
        "stop allowed": "允许停止",
        "trouble": "问题",
        "outside": "外部改动",
        "bad line": "坏行",
    },
}
STYLES = {
    "supervisor-hook invoked": "bold",
    "reviewer says": "dim",
    "reviewer uses": "dim",
    "evidence": "dim",
    "no verdict": "red",
    "sent back": "yellow",
    "trouble": "red",
    "outside": "red",
    "bad line": "red",
}
WORDS = {
    "en": {
        "started": "a fork of the session looks at the work",
        "passed": "passed",
        "failed": "failed",
        "satisfied": "the work is complete",
        "unsatisfied": "the work is not complete",
        "tokens": "tokens",
        "exit": "exit code",
        "by": "by",
        "waits": "for now: background work is running",
        "more": "… {} more lines",
        "session": "session",
        "none": "no supervised session yet; start one: CCC_SUPERVISOR=1 ccc PROVIDER",
        "none yet": "no supervised session yet; waiting for the first stop (Ctrl-C ends)",
        "elsewhere": "no session of {} is known; this is the newest one of all",
    },
    "zh": {
        "started": "会话的分叉正在检查工作",
        "passed": "通过",
        "failed": "没有通过",
        "satisfied": "工作已完成",
        "unsatisfied": "工作尚未完成",
        "tokens": "tokens",
        "exit": "退出码",
        "by": "来自",
        "waits": "暂时：后台任务还在运行",
        "more": "…… 还有 {} 行",
        "session": "会话",
        "none": "还没有受监督的会话；这样开始：CCC_SUPERVISOR=1 ccc PROVIDER",
        "none yet": "还没有受监督的会话；等待第一次停止（Ctrl-C 结束）",
        "elsewhere": "没有 {} 的会话；这是所有会话中最新的",
    },
}


@dataclass(frozen=True, slots=True)
class Told:
    """One event for a person: a word, a headline, and what stands below it."""

    label: str
    headline: str
    style: str = ""
    below: tuple[str, ...] = ()


def run(
    state: Path,
    session: str | None,
    *,
    follow: bool,
    cwd: Path,
    env: Mapping[str, str],
    say: Say,
    wait: Wait | None = None,
) -> int:
    """Tell the story of one session on stdout; `follow` goes on until Ctrl-C or until nobody reads any more."""
    lang = languages.of_person(env)
    project = project_directory(cwd)
    printer = Printer(status.console_for(env), lang)
    if session is not None:
        chosen: str | None = story.find(state, session)
    else:
        chosen = _chosen(state, project, lang, say)
    if not follow:
        if chosen is None:
            raise CccError(WORDS[lang]["none"])
        printer.show(chosen, story.load(state, chosen))
        return 0
    if chosen is None:
        say(WORDS[lang]["none yet"])
    try:
        _follow(state, chosen, None if session else project, printer, wait or _patience)
    except KeyboardInterrupt:  # how following ends
        return 0
    return 0


def told(event: Event, lang: str) -> Told:
    """Total over any event."""
    words = WORDS[lang]
    label, style = LABELS[lang].get(event.name) or one_line(event.name, 60), STYLES.get(event.name, "")
    match event.name:
        case "supervisor-hook invoked":
            count = statusline.progress(event.line("count", 20), event.fields.get("limit"))
            return Told(label, _joined(count, event.line("last_message", MESSAGE_LENGTH)), style)
        case "review started":
            return Told(label, _joined(words["started"], event.line("engine"), event.line("model")), style)
        case "reviewer says":
            headline, *below = _lines(event.text("text"), lang)
            return Told(label, headline, style, tuple(below))
        case "reviewer uses":
            return Told(label, f"⚙ {event.line('tool', 60)} {event.line('on', MESSAGE_LENGTH)}".rstrip(), style)
        case "check":
            return _check(event, label, lang)
        case "verdict":
            done = event.fields.get("allow_stop") is True
            headline = _joined(words["satisfied" if done else "unsatisfied"], *_cost(event, lang))
            return Told(label, headline, "green" if done else "yellow", _feedback(event, lang))
        case "no verdict":
            return Told(label, _joined(event.line("why", MESSAGE_LENGTH), *_cost(event, lang)), style)
        case "sent back":
            # The reviewer's words stand above, with its verdict.
            below = [] if event.fields.get("by") == "reviewer" else list(_feedback(event, lang))
            return Told(label, f"{words['by']} {event.line('by', 60)}" if event.line("by") else "", style, tuple(below))
        case "stop allowed":
            return _allowed(event, label, lang)
        case "trouble":
            return Told(label, event.line("why", MESSAGE_LENGTH), style)
        case "outside" if event.fields.get("what") in OUTSIDE:
            said = outside.WORDS[lang][Kind(event.text("what"))]
            return Told(label, said.removeprefix("ccc: ").removeprefix("ccc：").partition("\n")[0], style)
        case _:
            return Told(label, _fields(event), style)


@dataclass(slots=True)
class Printer:
    """Prints events of sessions, and a headline where the session or the day changes."""

    console: Console
    lang: str
    session_id: str | None = None
    day: date | None = None

    def show(self, session_id: str, events: Iterable[Event]) -> None:
        for event in events:
            if session_id != self.session_id:
                self.session_id = session_id
                self._headline(f"{WORDS[self.lang]['session']} {session_id}")
            for line in lines(event, self.lang, self._days(event)):
                self.console.print(line, soft_wrap=True)

    def _days(self, event: Event) -> bool:
        """Whether the event begins a day, which is then said."""
        day = event.at.astimezone().date() if event.at else self.day
        changed, self.day = day != self.day, day
        return changed

    def _headline(self, words: str) -> None:
        from rich.text import Text

        self.console.print(Text(words, style="bold"), soft_wrap=True)


def lines(event: Event, lang: str, with_day: bool = False) -> Iterator[Text]:
    """The event as styled lines, one for each line of its text."""
    from rich.cells import cell_len
    from rich.text import Text

    at = event.at.astimezone() if event.at else None
    if with_day and at:
        yield Text(f"{at:%Y-%m-%d}", style="dim")
    what = told(event, lang)
    label = what.label + " " * max(1, LABEL_WIDTH - cell_len(what.label))
    yield Text.assemble(
        (f"{at:%H:%M:%S}  " if at else " " * 10, "dim"), (label, what.style), (what.headline, what.style)
    )
    for line in what.below:
        yield Text(" " * (10 + LABEL_WIDTH) + line)


def _follow(state: Path, chosen: str | None, project: Path | None, printer: Printer, wait: Wait) -> None:
    """One session, or with `project` also those of it that begin meanwhile."""
    tails = {chosen: Tail(story_path(state, chosen))} if chosen else {}
    log = -1
    while True:
        for session_id, tail in tails.items():
            printer.show(session_id, tail.events())
        if not wait():
            return
        before, log = log, story.log_size(state)
        newest = _newest(state, project, anywhere=not tails) if project and log != before else None
        if newest and newest not in tails:
            tails[newest] = Tail(story_path(state, newest))


def _newest(state: Path, project: Path, *, anywhere: bool) -> str | None:
    found = story.newest(state, story.of_project(project)) or (story.newest(state) if anywhere else None)
    return found.session_id if found else None


def _patience() -> bool:
    """Wait a little; a reader who has left is noticed even when there is nothing to write."""
    poller = select.poll()
    poller.register(sys.stdout.fileno(), 0)
    found = poller.poll(POLL_SECONDS * 1000)
    if any(what & (select.POLLHUP | select.POLLERR) for _, what in found):
        return False
    if found:  # a descriptor that this system cannot poll
        time.sleep(POLL_SECONDS)
    return True


def _chosen(state: Path, project: Path, lang: str, say: Say) -> str | None:
    own = _newest(state, project, anywhere=False)
    other = None if own else _newest(state, project, anywhere=True)
    if other:
        say(WORDS[lang]["elsewhere"].format(one_line(str(project), 300)))
    return own or other


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _cost(event: Event, lang: str) -> Iterator[str]:
    cost, tokens = event.fields.get("cost_usd"), event.fields.get("tokens")
    if isinstance(cost, int | float) and cost:
        yield status.dollars(cost)
    if isinstance(tokens, int) and tokens:
        yield f"{tokens:,} {WORDS[lang]['tokens']}"


def _check(event: Event, label: str, lang: str) -> Told:
    passed = event.fields.get("passed") is True
    words = WORDS[lang]
    code = "" if passed or event.line("code") == "" else f"{words['exit']} {event.line('code', 20)}"
    seconds = event.fields.get("seconds")
    took = f"{seconds:.1f} s" if isinstance(seconds, int | float) else ""
    headline = _joined(words["passed" if passed else "failed"], event.line("command", MESSAGE_LENGTH), code, took)
    return Told(label, headline, "green" if passed else "yellow", _feedback(event, lang))


def _allowed(event: Event, label: str, lang: str) -> Told:
    outcome = event.line("outcome", 60)
    if not outcome:
        return Told(label, WORDS[lang]["waits"])
    style = status.STYLES.get(outcome, "")
    why = "" if outcome == "completed" else event.line("why", MESSAGE_LENGTH)
    return Told(label, _joined(OUTCOMES[lang].get(outcome, outcome), why), style)


def _feedback(event: Event, lang: str) -> tuple[str, ...]:
    return tuple(_lines(event.text("feedback"), lang)) if event.text("feedback").strip() else ()


def _lines(text: str, lang: str) -> list[str]:
    found = [line.rstrip() for line in clean(text).strip().splitlines()] or [""]
    hidden = len(found) - LINES_SHOWN
    return found if hidden <= 0 else [*found[:LINES_SHOWN], WORDS[lang]["more"].format(hidden)]


def _fields(event: Event) -> str:
    return _joined(*(f"{one_line(key, 60)}: {_value(value)}" for key, value in event.fields.items()))


def _value(value: object) -> str:
    items = value if isinstance(value, list) else [value]
    return one_line("; ".join(clean(str(item)) for item in items), MESSAGE_LENGTH)
