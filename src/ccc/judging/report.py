"""Every sentence a person reads about a review, and the log.

Rule: stdout is never touched here; a person's stderr or a log that cannot be written changes no decision.
"""

from __future__ import annotations

import json
import os
import re
import select
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ccc.base import files, languages, sink
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.sink import Safe
from ccc.base.text import capped, one_line
from ccc.evidence.facts import Evidence
from ccc.judging.checks import Ran
from ccc.model import AllowStop, Decision, KeepWorking, Outcome, Review, StopEvent, Task, Unreviewed, Verdict
from ccc.record import outside
from ccc.record.outside import Kind
from ccc.record.state import story_path

RULE = "=" * 60
LOG_LIMIT = 16 * 1024 * 1024
READER_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of one language. The Chinese ones marked * are fixed by the specification."""

    lang: str
    log_files: str  # *
    state_folder: str
    invocation_log: str
    output_log: str
    hook_started: str  # *
    iteration: str
    reviewing: str  # *
    see_logs: str  # *
    not_complete: str  # *
    will_continue: str  # *
    complete: str  # *
    stop_allowed: str  # *
    limit_reached: str
    unreviewed: str
    waits: str
    human: str
    last: str
    progress: str

    def last_block(self, reason: str) -> str:
        return self.last.format(reason=reason)

    def block(self, count: int, limit: int) -> str:
        return self.progress.format(count=count, limit=limit)

    def waiting(self, tasks: Sequence[Task]) -> str:
        return self.waits.format(tasks=", ".join(one_line(task.about or task.id, 60) for task in tasks[:5]))

    def needs_human(self, feedback: str) -> str:
        return self.human.format(feedback=feedback)

    def interference(self, kind: Kind) -> str:
        return outside.WORDS[self.lang][kind]

    def not_reviewed(self, why: str, log: Path) -> str:
        return self.unreviewed.format(why=one_line(why, 500), log=one_line(str(log), 500))


WORDS: Mapping[str, Words] = {
    "zh": Words(
        lang="zh",
        log_files="[Supervisor Mode] 日志文件:",
        state_folder="状态目录",
        invocation_log="hook 调用日志",
        output_log="supervisor 输出日志",
        hook_started="[SUPERVISOR HOOK] 开始执行",
        iteration="迭代次数",
        reviewing="[SUPERVISOR] 正在审查工作...",
        see_logs="请在新窗口查看日志文件了解详情",
        not_complete="[SUPERVISOR] 任务未完成",
        will_continue="Agent 将根据反馈继续工作",
        complete="[SUPERVISOR] 任务已完成",
        stop_allowed="允许停止",
        limit_reached="[SUPERVISOR] 已达到迭代次数上限",
        unreviewed="ccc：这次停止未经审查：{why}（详见 {log}；再发一条消息会重新审查）",
        waits="ccc：Agent 在等待后台任务（{tasks}），不计入审查次数",
        human="ccc：需要您来决定：{feedback}",
        last="ccc：这是最后一次退回（{reason}）；下次停止不再审查",
        progress="ccc：第 {count}/{limit} 次退回；不想继续审查：! ccc off",
    ),
    "en": Words(
        lang="en",
        log_files="[Supervisor Mode] log files:",
        state_folder="state folder",
        invocation_log="hook invocation log",
        output_log="supervisor output log",
        hook_started="[SUPERVISOR HOOK] started",
        iteration="iteration",
        reviewing="[SUPERVISOR] reviewing the work...",
        see_logs="see the log files in another window for details",
        not_complete="[SUPERVISOR] the task is not complete",
        will_continue="the agent goes on with this feedback",
        complete="[SUPERVISOR] the task is complete",
        stop_allowed="the agent may stop",
        limit_reached="[SUPERVISOR] the limit of iterations is reached",
        unreviewed="ccc: this stop was not reviewed: {why} (see {log}; your next message is reviewed again)",
        waits="ccc: the agent waits for background work ({tasks}); this stop does not count",
        human="ccc: this needs you: {feedback}",
        last="ccc: the agent is sent back for the last time ({reason}); its next stop is not reviewed",
        progress="ccc: sent back, {count}/{limit}; to switch reviews off: ! ccc off",
    ),
}


@dataclass(slots=True)
class Reader:
    """Whoever reads stderr. It may be nobody, so the wait is a second in all; a terminal has all the time it needs."""

    seconds: float = READER_SECONDS

    def read(self, data: Safe, fd: int) -> None:
        poller, rest = select.poll(), memoryview(data)
        poller.register(fd, select.POLLOUT)
        try:
            while rest and (os.isatty(fd) or self._takes(poller)):
                rest = rest[
                    os.write(fd, rest[: select.PIPE_BUF]) :
                ]  # where there is room for a byte there is for these
        except OSError:  # nobody reads it
            return

    def _takes(self, poller: select.poll) -> bool:
        asked = time.monotonic()
        ready = poller.poll(max(0, int(1000 * self.seconds)))
        self.seconds -= time.monotonic() - asked
        return bool(ready)


@dataclass(frozen=True, slots=True)
class Report:
    """Tells a person (stderr) and tomorrow (the log) what happens at a Stop."""

    words: Words  # what the specification fixes
    log: Path
    now: Callable[[], datetime]
    stderr: int = 2
    echo: int | None = None  # also tells the story, a JSON line each, to whoever reads this descriptor
    lang: str = ""  # the person's, for what the specification does not fix
    reader: Reader = field(default_factory=lambda: Reader(), compare=False)

    @classmethod
    def of(cls, env: Mapping[str, str], log: Path, now: Callable[[], datetime]) -> Report:
        return cls(WORDS[languages.of_specification(env)], log, now, lang=languages.of_person(env))

    @property
    def notices(self) -> Words:
        """The words for what the person is told in the client."""
        return WORDS.get(self.lang, self.words)

    def stopped(self, stop: StopEvent, count: int, limit: int) -> None:
        self._say(RULE, self.words.hook_started, f"session_id: {stop.session_id}")
        self._say(f"{self.words.iteration}: {count}/{limit}", RULE)
        self.note(
            "supervisor-hook invoked",
            stop,
            count=count,
            limit=limit,
            prompt_id=stop.prompt_id,
            stop_hook_active=stop.stop_hook_active,
            last_message=stop.last_message,
        )

    def reviewing(self, stop: StopEvent, **details: object) -> None:
        self._say(self.words.reviewing, self.words.see_logs)
        self.note("review started", stop, **details)

    def reviewer_said(self, stop: StopEvent, text: str) -> None:
        self._say(capped(text))
        self.note("reviewer says", stop, text=text)

    def reviewed(self, stop: StopEvent, review: Review) -> None:
        cost = {"cost_usd": review.cost_usd, "tokens": review.tokens}
        match review.opinion:
            case Unreviewed(why):
                self.note("no verdict", stop, why=why, **cost)
            case Verdict(allow_stop, feedback):
                self.note("verdict", stop, allow_stop=allow_stop, feedback=feedback, **cost)

    def examined(self, stop: StopEvent, evidence: Evidence | None) -> None:
        if evidence is not None:
            self.note(
                "evidence",
                stop,
                tool_calls=len(evidence.tools),
                edited=", ".join(evidence.edited_files[:5]) or None,
                commands=len(evidence.commands),
                last_check=evidence.last_check and evidence.last_check.value,
            )

    def checked(self, stop: StopEvent, ran: Ran) -> None:
        self.note(
            "check",
            stop,
            command=ran.check.command,
            passed=ran.passed,
            code=ran.code,
            seconds=round(ran.seconds, 2),
            why=ran.why or None if ran.again else "nothing changed since it passed",
        )

    def decided(self, stop: StopEvent, decision: Decision) -> Decision:
        match decision:
            case KeepWorking(feedback, by):
                self._say(self.words.not_complete, feedback, self.words.will_continue)
                self.note("sent back", stop, by=by, feedback=feedback)
            case AllowStop(outcome, why):
                self._say(*self._ending(outcome, why, decision.notice))
                if outcome is Outcome.UNREVIEWED:
                    self._remember(stop, why)
                self.note("stop allowed", stop, outcome=outcome and outcome.value, why=why)
        return decision

    def interfered(self, stop: StopEvent, kind: Kind) -> None:
        """Into the story, and for the next start: whoever did it may have seen to it that nobody reads the client."""
        self.note("outside", stop, what=kind.value)
        if kind is not Kind.OFF:
            self._remember(stop, WORDS["en"].interference(kind).removeprefix("ccc: "))

    def unreviewed(self, why: str) -> AllowStop:
        """For a Stop that could not even be looked at."""
        self._remember(None, why)  # first: it makes the folder that the log is in
        self.trouble(None, why)
        return AllowStop(Outcome.UNREVIEWED, why, self.notices.not_reviewed(why, self.log))

    def _remember(self, stop: StopEvent | None, why: str) -> None:
        """For the next start of ccc: an unreviewed stop must not pass unseen."""
        told = {"at": self.now().isoformat(timespec="seconds"), "session_id": stop and stop.session_id, "why": why}
        try:
            scratch = scratch_folder(self.log.parent)
            files.private_directory(scratch)
            files.replace_own(_missed(self.log.parent), json.dumps(told).encode(), scratch=scratch)
        except CccError:  # the log has it
            return

    def trouble(self, stop: StopEvent | None, why: str) -> None:
        self._say(f"ccc: {one_line(why, 500)}")
        self.note("trouble", stop, why=why)

    def note(self, event: str, stop: StopEvent | None = None, **values: object) -> None:
        """One line in the log, which no value can end or forge, and the whole of it in the session's story."""
        at = self.now().isoformat()
        told = {key: value for key, value in values.items() if value is not None}
        session = {"session_id": stop.session_id} if stop else {}
        pairs = " ".join(f"{key}={_value(value)}" for key, value in (session | told).items())
        self._append(sink.log_line(f"{at} {event} {pairs}"))
        if stop:
            data = sink.json_line({"at": at, "event": event, **told})
            files.append_line(story_path(self.log.parent, stop.session_id), data)
            if self.echo is not None:
                _write(self.echo, data)

    def _append(self, line: Safe) -> None:
        """To the log; a full one makes room, because `ccc status` finds the newest sessions there."""
        if not files.append_line(self.log, line, limit=LOG_LIMIT) and _is_full(self.log):
            with suppress(OSError):  # then this line is lost, and nothing else
                self.log.replace(self.log.with_suffix(".log.1"))
            files.append_line(self.log, line, limit=LOG_LIMIT)

    def _ending(self, outcome: Outcome | None, why: str, notice: str | None) -> list[str]:
        match outcome:
            case Outcome.COMPLETED:
                return [self.words.complete, self.words.stop_allowed]
            case Outcome.LIMIT:
                return [self.words.limit_reached, self.words.stop_allowed]
            case _:
                return [notice or why, self.words.stop_allowed]

    def _say(self, *lines: str) -> None:
        self.reader.read(sink.lines(*lines), self.stderr)


def _is_full(log: Path) -> bool:
    try:
        return log.lstat().st_size > LOG_LIMIT // 2
    except OSError:
        return False


def _write(fd: int, data: Safe) -> None:
    try:
        os.write(fd, data)
    except OSError:  # nobody reads it
        return


def missed_review(state: Path) -> str | None:
    """What the last unreviewed stop was, told once."""
    path = state / f"unreviewed-{os.getpid()}.json"
    try:
        _missed(state).rename(path)  # ours alone from here on: a hook may write the next one meanwhile
        told = json.loads(files.read_own(path, limit=65536) or b"null")
    except (CccError, OSError, ValueError, RecursionError):
        return None
    finally:
        with suppress(OSError):
            path.unlink()
    return f"{told.get('at')}: {one_line(str(told.get('why')), 300)}" if isinstance(told, dict) else None


def _missed(state: Path) -> Path:
    return state / "unreviewed.json"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = one_line(str(value), 1000)
    # Quotes and escapes keep a value with spaces or '=' from looking like further pairs.
    return text if re.fullmatch(r"[\w.:/+-]+", text) else json.dumps(text, ensure_ascii=False)
