"""One line for Claude Code's statusLine setting: supervised or not, the count, the last verdict.

Rule: the client calls this at every redraw, so nothing is imported that takes long to load, any stdin will do, and the
exit code is 0. What is known better elsewhere (the folder, a valid id) is spelled again here, and a test compares.
"""

import json
import os
import re
import select
import time
from collections.abc import Mapping

from ccc.base import languages, sink
from ccc.base.text import one_line

STDIN_LIMIT = 2**20
STDIN_SECONDS = 1.0
STATE_LIMIT = 2**20
STORY_TAIL = 256 * 1024
LINE_LENGTH = 120
VERDICT_LENGTH = 60

_SESSION_ID = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_STOPPED = b'"event": "supervisor-hook invoked"'
_SAFELY = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC

SENT_BACK = "sent_back"
OUTCOMES = {
    "en": {
        "completed": "completed",
        "limit": "limit reached",
        "unreviewed": "not reviewed",
        "needs_human": "needs you",
        "off": "reviews off",
        "interrupted": "interrupted",
    },
    "zh": {
        "completed": "已完成",
        "limit": "已达上限",
        "unreviewed": "未经审查",
        "needs_human": "需要您",
        "off": "审查已关闭",
        "interrupted": "被打断",
    },
}
PHASES = {
    "en": {"working": "working", "reviewing": "reviewing", "waiting": "waiting", "done": "done"},
    "zh": {"working": "工作中", "reviewing": "审查中", "waiting": "等待后台任务", "done": "结束"},
}
WORDS = {
    "en": {"on": "supervised", "off": "reviews are off (ccc on)", "not": "not supervised", "none": "no stop yet"},
    "zh": {"on": "监督中", "off": "审查已关闭（ccc on 开启）", "not": "未受监督", "none": "尚未停止过"},
}
_SENT_BACK = {"en": "sent back", "zh": "退回"}
_VERDICTS = ("completed", "unreviewed", "needs_human")  # outcomes that the last review itself brought about

Stored = Mapping[str, object]


def main(env: Mapping[str, str]) -> int:
    try:
        sink.put(sink.lines(line(_given(0), env)))
    except Exception:  # a line that cannot be had is no reason to disturb the client
        return 0
    return 0


def line(given: bytes, env: Mapping[str, str]) -> str:
    """What is told for the client's JSON."""
    told = _object(given)
    state, lang = state_folder(env), languages.of_person(env)
    known = str(told["session_id"]) if valid(told.get("session_id")) else ""
    stored = _object(_read(f"{state}/supervisor-{known}.json", STATE_LIMIT)) if known else {}
    if not stored and env.get("CCC_SUPERVISOR") != "1":
        return f"ccc: {WORDS[lang]['not']}"
    if _is_off(state, known, _folder(told)):
        return f"ccc: {WORDS[lang]['off']}"
    parts = _parts(stored, _limit(f"{state}/supervisor-{known}-story.jsonl"), lang)
    return one_line(f"ccc: {' · '.join(parts)}", LINE_LENGTH)


def last_verdict(stored: Stored) -> tuple[str | None, str]:
    """What came of the last review, `sent_back` or an outcome, and the words that came with it."""
    outcome, findings = stored.get("outcome"), stored.get("findings")
    if isinstance(outcome, str) and outcome in _VERDICTS:
        return outcome, "" if outcome == "completed" else str(stored.get("reason") or "")
    if isinstance(findings, list) and findings and isinstance(findings[-1], str):
        return SENT_BACK, findings[-1]
    return None, ""


def in_few_words(verdict: str | None, words: str, lang: str, length: int = VERDICT_LENGTH) -> str:
    if verdict is None:
        return ""
    said = _SENT_BACK[lang] if verdict == SENT_BACK else OUTCOMES[lang].get(verdict, verdict)
    return one_line(f"{said}: {words}" if words else said, length)


def progress(count: object, limit: object) -> str:
    return f"{count}/{limit}" if _is_number(limit) else str(count)


def state_folder(env: Mapping[str, str]) -> str:
    """As config.state_directory has it."""
    named = env.get("CCC_WORK_DIR") or env.get("CCC_CONFIG_DIR") or env.get("CLAUDE_CONFIG_DIR")
    if not named:
        return f"{_home(env)}/.claude/ccc"
    return (_home(env) + named[1:] if named == "~" or named.startswith("~/") else named) + "/ccc"


def valid(session_id: object) -> bool:
    """As state.valid_session_id has it."""
    return isinstance(session_id, str) and _SESSION_ID.fullmatch(session_id) is not None


def _parts(stored: Stored, limit: object, lang: str) -> list[str]:
    count, outcome = stored.get("count"), stored.get("outcome")
    if not _is_number(count):
        return [WORDS[lang]["on"], WORDS[lang]["none"]]
    phase = PHASES[lang][str(stored["phase"])] if stored.get("phase") in ("reviewing", "waiting") else ""
    ending = OUTCOMES[lang].get(str(outcome), "") if outcome not in _VERDICTS else ""
    verdict = in_few_words(*last_verdict(stored), lang)
    return [part for part in (WORDS[lang]["on"], phase, progress(count, limit), ending, verdict) if part]


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _home(env: Mapping[str, str]) -> str:
    if env.get("HOME"):
        return env["HOME"]
    import pwd

    return pwd.getpwuid(os.getuid()).pw_dir


def _folder(told: Stored) -> str:
    workspace = told.get("workspace")
    named = workspace.get("current_dir") if isinstance(workspace, dict) else None
    return next((each for each in (told.get("cwd"), named) if isinstance(each, str) and each.startswith("/")), "")


def _is_off(state: str, session_id: str, folder: str) -> bool:
    stored = _object(_read(f"{state}/off.json", STATE_LIMIT))
    return _holds(stored.get("sessions"), session_id) or _holds(stored.get("projects"), _project(folder))


def _holds(names: object, name: str) -> bool:
    return bool(name) and isinstance(names, list) and name in names


def _project(folder: str) -> str:
    """As claude.project_directory has it."""
    place = folder.rstrip("/")
    while place and not _exists(f"{place}/.git"):
        place = place.rpartition("/")[0]
    return place or folder


def _exists(path: str) -> bool:
    return "\0" not in path and os.access(path, os.F_OK)


def _limit(story: str) -> object:
    """The limit that held at the session's last stop."""
    tail = _read(story, STORY_TAIL, from_end=True)
    at = tail.rfind(_STOPPED)
    if at < 0:
        return None
    end = tail.find(b"\n", at)
    return _object(tail[tail.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(tail)]).get("limit")


def _object(data: bytes) -> Stored:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = _mended(data) if data else None
    return found if isinstance(found, dict) else {}


def _mended(data: bytes) -> object:
    from ccc.base import anyjson  # in here, because what the client writes is nearly always sound

    try:
        return json.loads(anyjson.mended(data))
    except ValueError:
        return None


def _read(path: str, limit: int, *, from_end: bool = False) -> bytes:
    try:
        fd = os.open(path, _SAFELY)
    except (OSError, ValueError):
        return b""
    try:
        start = max(0, os.fstat(fd).st_size - limit) if from_end else 0
        return os.pread(fd, limit, start)
    except OSError:  # a pipe or a folder
        return b""
    finally:
        os.close(fd)


def _given(fd: int) -> bytes:
    """What the client writes; a writer that keeps its end open is not waited for long."""
    data = b""
    deadline = time.monotonic() + STDIN_SECONDS
    try:
        while not os.isatty(fd) and len(data) < STDIN_LIMIT:
            ready, _, _ = select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(fd, 65536) if ready else b""
            data += piece
            if not piece or (piece.rstrip().endswith(b"}") and _object(data)):
                break
    except OSError:  # closed
        return data
    return data
