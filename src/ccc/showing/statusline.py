"""One line for Claude Code's statusLine setting: supervised or not, the count, the last verdict.

Rule: the client calls this at every redraw, so nothing is imported that takes long to load, any stdin will do, and the
exit code is 0.
"""

import os
import select
import time
from collections.abc import Mapping, Sequence

from ccc.base import languages, sink
from ccc.base.messages import Phrases, said
from ccc.base.text import one_line
from ccc.record import glance
from ccc.record.glance import Glance, read_object

STDIN_LIMIT = 2**20
STDIN_SECONDS = 1.0
LINE_LENGTH = 120
VERDICT_LENGTH = 60

SENT_BACK = "sent_back"
OUTCOMES = Phrases(
    "outcome",
    {
        "completed": "completed",
        "limit": "limit reached",
        "unreviewed": "not reviewed",
        "needs_human": "needs you",
        "off": "reviews off",
        "interrupted": "interrupted",
    },
)
PHASES = Phrases(
    "phase",
    {
        "working": "working",
        "reviewing": "reviewing",
        "waiting": "waiting",
        "held_up": "waiting for the provider",
        "done": "done",
    },
)
_HELD_UP = Phrases("phase", {"held_until": "waiting for the provider until {time}"})
WORDS = Phrases(
    "statusline",
    {"on": "supervised", "off": "reviews are off (ccc on)", "not": "not supervised", "none": "no stop yet"},
)
_SENT_BACK = Phrases("outcome", {"sent_back": "sent back"})
_VERDICTS = ("completed", "unreviewed", "needs_human")  # outcomes that the last review itself brought about


def main(env: Mapping[str, str]) -> int:
    try:
        sink.put(sink.lines(line(_given(0), env)))
    except Exception:  # a line that cannot be had is no reason to disturb the client
        return 0
    return 0


def line(given: bytes, env: Mapping[str, str]) -> str:
    """What is told for the client's JSON."""
    told, lang = read_object(given), languages.of_person(env)
    named = told.get("session_id")
    found = glance.session(env, named)
    if found.count is None and env.get("CCC_SUPERVISOR") != "1":
        return f"ccc: {WORDS[lang]['not']}"
    if glance.is_off(env, named, _folder(told)):
        return f"ccc: {WORDS[lang]['off']}"
    return one_line(f"ccc: {' · '.join(_parts(found, lang))}", LINE_LENGTH)


def last_verdict(outcome: str | None, reason: str, findings: Sequence[str]) -> tuple[str | None, str]:
    """What came of the last review, `sent_back` or an outcome, and the words that came with it."""
    if outcome in _VERDICTS:
        return outcome, "" if outcome == "completed" else reason
    return (SENT_BACK, findings[-1]) if findings else (None, "")


def in_few_words(verdict: str | None, words: str, lang: str, length: int = VERDICT_LENGTH) -> str:
    if verdict is None:
        return ""
    name = _SENT_BACK[lang][SENT_BACK] if verdict == SENT_BACK else OUTCOMES[lang].get(verdict, verdict)
    return one_line(f"{name}: {said(words, lang)}" if words else name, length)


def progress(count: int, limit: int | None) -> str:
    return str(count) if limit is None else f"{count}/{limit}"


def _parts(found: Glance, lang: str) -> list[str]:
    if found.count is None:
        return [WORDS[lang]["on"], WORDS[lang]["none"]]
    phase = _phase(found, lang) if found.phase in ("reviewing", "waiting", "held_up") else ""
    ending = OUTCOMES[lang].get(found.outcome, "") if found.outcome not in _VERDICTS else ""
    verdict = in_few_words(*last_verdict(found.outcome, found.reason, found.findings), lang)
    return [part for part in (WORDS[lang]["on"], phase, progress(found.count, found.limit), ending, verdict) if part]


def _phase(found: Glance, lang: str) -> str:
    time = _clock(found.held_until) if found.phase == "held_up" else ""
    return _HELD_UP[lang]["held_until"].format(time=time) if time else PHASES[lang][found.phase]


def _clock(moment: str) -> str:
    """The time of the day where the person is; empty when it is none."""
    from datetime import datetime  # a wait is rare

    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


def _folder(told: Mapping[str, object]) -> str:
    workspace = told.get("workspace")
    named = workspace.get("current_dir") if isinstance(workspace, dict) else None
    return next((each for each in (told.get("cwd"), named) if isinstance(each, str) and each.startswith("/")), "")


def _given(fd: int) -> bytes:
    """What the client writes; a writer that keeps its end open is not waited for long."""
    data = b""
    deadline = time.monotonic() + STDIN_SECONDS
    try:
        while not os.isatty(fd) and len(data) < STDIN_LIMIT:
            ready, _, _ = select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(fd, 65536) if ready else b""
            data += piece
            if not piece or (piece.rstrip().endswith(b"}") and read_object(data)):
                break
    except OSError:  # closed
        return data
    return data
