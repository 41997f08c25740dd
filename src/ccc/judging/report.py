"""Every sentence a person reads about a review, and what is told to the log.

Rule: stdout is never touched here; a person's stderr that cannot be written changes no decision.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from ccc.base import languages, sink
from ccc.base.messages import Phrases, msg, said
from ccc.base.sink import Safe
from ccc.base.text import capped, encodable, hanging, one_line
from ccc.evidence.facts import Evidence
from ccc.model import (
    AllowStop,
    Bill,
    Decision,
    KeepWorking,
    Outcome,
    Ran,
    Review,
    StopEvent,
    Task,
    Unreviewed,
    Verdict,
)
from ccc.record import events, missed, outside
from ccc.record.events import (
    Checked,
    Event,
    Examined,
    Interfered,
    Judged,
    NotJudged,
    ReviewerSaid,
    ReviewStarted,
    Stopped,
    Trouble,
)
from ccc.record.log import Log
from ccc.record.outside import Kind
from ccc.record.words import money

RULE = "=" * 60
READER_SECONDS = 1.0


class Words(Struct, frozen=True):
    """The sentences of one language. The Chinese ones marked * are fixed by the specification. What somebody else has
    said stands in one of ours as one line, or hanging."""

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
    failed: str
    waits: str
    human: str
    typed: str
    typed_after: str
    late: str
    by_tool: str
    own_command: str
    done: str
    at_limit: str
    last: str
    progress: str

    def last_block(self, reason: str) -> str:
        return self.last.format(reason=said(reason, self.lang))

    def block(self, count: int, limit: int) -> str:
        return self.progress.format(count=count, limit=limit)

    def waiting(self, tasks: Sequence[Task]) -> str:
        return self.waits.format(tasks=", ".join(one_line(task.about or task.id, 60) for task in tasks[:5]))

    def completed(self, bill: Bill, limit: int) -> str:
        return self.done.format(count=bill.stops, limit=limit, money=money(bill, self.lang))

    def ended_at_limit(self, reason: str, bill: Bill) -> str:
        return self.at_limit.format(reason=said(reason, self.lang), money=money(bill, self.lang))

    def needs_human(self, feedback: str) -> str:
        return self.human.format(feedback=hanging(feedback))

    def ended_by_tool(self, found: str) -> str:
        return self.by_tool.format(found=hanging(capped(found, 2000)))

    def yours(self, typed: str, found: str) -> str:
        text = self.typed_after if found else self.typed
        return text.format(words=one_line(typed, 80), found=hanging(capped(found, 2000)))

    def too_late(self, why: str, found: str) -> str:
        return self.late.format(why=said(why, self.lang), found=hanging(capped(found, 2000)))

    def from_ccc(self, message: str) -> str:
        return f"ccc: {hanging(said(message, self.lang))}"

    def interference(self, kind: Kind) -> str:
        return outside.WORDS[self.lang][kind]

    def cut_off(self, why: str) -> str:
        return self.failed.format(why=one_line(said(why, self.lang), 500))

    def not_reviewed(self, why: str, log: Path) -> str:
        return self.unreviewed.format(why=one_line(said(why, self.lang), 500), log=one_line(str(log), 500))


_TEXTS = Phrases(
    "stop",
    {
        "log_files": "[Supervisor Mode] log files:",
        "state_folder": "state folder",
        "invocation_log": "hook invocation log",
        "output_log": "supervisor output log",
        "hook_started": "[SUPERVISOR HOOK] started",
        "iteration": "iteration",
        "reviewing": "[SUPERVISOR] reviewing the work...",
        "see_logs": "see the log files in another window for details",
        "not_complete": "[SUPERVISOR] the task is not complete",
        "will_continue": "the agent goes on with this feedback",
        "complete": "[SUPERVISOR] the task is complete",
        "stop_allowed": "the agent may stop",
        "limit_reached": "[SUPERVISOR] the limit of iterations is reached",
        "unreviewed": "ccc: this stop was not reviewed: {why} (see {log}; your next message is reviewed again)",
        "failed": "ccc: the API ended this turn, so there is nothing to review: {why}",
        "waits": "ccc: the agent waits for background work ({tasks}); this stop does not count",
        "human": "ccc: this needs you: {feedback}",
        "typed": "ccc: your message goes first ({words}); this stop was not reviewed",
        "typed_after": "ccc: your message goes first ({words}); what was found wanting: {found}",
        "late": "ccc: the last review came too late to be heeded ({why}); what was found wanting: {found}",
        "by_tool": "ccc: not done, and a tool has ended this turn, so that the client does not send the agent on; "
        "tell it to go on. What was found wanting: {found}",
        "done": "ccc: reviewed and done · stop {count}/{limit} · {money}",
        "at_limit": "ccc: the limit is reached, so this last stop was not reviewed ({reason}) · {money}",
        "own_command": "ccc: not reviewed, for the agent has only answered to a command of your own",
        "last": "ccc: the agent is sent back for the last time ({reason}); its next stop is not reviewed",
        "progress": "ccc: sent back, {count}/{limit}; to switch reviews off: ! ccc off",
    },
)


@cache
def words(lang: str) -> Words:
    return Words(lang=lang, **_TEXTS[lang])


class Reader(Struct):
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


class Report(Struct, frozen=True):
    """Tells a person (stderr) and tomorrow (the log) what happens at a Stop."""

    words: Words  # what the specification fixes
    log: Log
    stderr: int = 2
    lang: str = ""  # the person's, for what the specification does not fix
    reader: Reader = field(default_factory=lambda: Reader())
    quiet: bool = False  # stderr is somebody else's

    @classmethod
    def of(cls, env: Mapping[str, str], log: Path, now: Callable[[], datetime], *, quiet: bool = False) -> Report:
        fixed, lang = words(languages.of_specification(env)), languages.of_person(env)
        return cls(fixed, Log(log, now), lang=lang, quiet=quiet)

    @property
    def notices(self) -> Words:
        """The words for what the person is told in the client."""
        return words(self.lang) if self.lang else self.words

    def stopped(self, stop: StopEvent, count: int, limit: int, provider: str | None = None) -> None:
        self._say(RULE, self.words.hook_started, f"session_id: {stop.session_id}")
        self._say(f"{self.words.iteration}: {count}/{limit}", RULE)
        told = Stopped(count, limit, stop.prompt_id, stop.stop_hook_active, stop.last_message, provider)
        self.tell(stop, told)

    def reviewing(self, stop: StopEvent, *, engine: str, model: str | None, judge: str = "") -> None:
        self._say(self.words.reviewing, self.words.see_logs)
        self.tell(stop, ReviewStarted(engine, model, judge or None))

    def reviewer_said(self, stop: StopEvent, text: str) -> None:
        self._say(capped(text))
        self.tell(stop, ReviewerSaid(text))

    def reviewed(self, stop: StopEvent, review: Review) -> None:
        match review.opinion:
            case Unreviewed(why):
                self.tell(stop, NotJudged(why, review.cost_usd, review.tokens, review.cached, review.model or None))
            case Verdict(allow_stop, feedback):
                paid = review.cost_usd, review.tokens, review.cached, review.model or None
                self.tell(stop, Judged(allow_stop, feedback, *paid))

    def examined(self, stop: StopEvent, evidence: Evidence | None) -> None:
        if evidence is not None:
            told = Examined(
                tool_calls=len(evidence.tools),
                edited=", ".join(evidence.edited_files[:5]) or None,
                commands=len(evidence.commands),
                last_check=evidence.last_check and evidence.last_check.value,
            )
            self.tell(stop, told)

    def checked(self, stop: StopEvent, ran: Ran, *, placed: bool = False) -> None:
        why = ran.why or None if ran.again else msg("nothing changed since it passed")
        folder = encodable(ran.folder) if placed else None
        self.tell(stop, Checked(ran.check.command, ran.passed, ran.code, round(ran.seconds, 2), why, folder))

    def decided(self, stop: StopEvent, decision: Decision, bill: Bill | None = None) -> Decision:
        match decision:
            case KeepWorking(feedback, by):
                self._say(self.words.not_complete, feedback, self.words.will_continue)
                self.tell(stop, events.sent_back(by, feedback))
            case AllowStop(outcome, why):
                self._say(*self._ending(outcome, why, decision.notice))
                if outcome is Outcome.UNREVIEWED:
                    self._remember(stop, why)
                self.tell(stop, events.stop_allowed(outcome, why, bill))
        return decision

    def interfered(self, stop: StopEvent, kind: Kind) -> None:
        """Into the story, and for the next start: whoever did it may have seen to it that nobody reads the client."""
        self.tell(stop, Interfered(kind))
        if kind is not Kind.OFF:
            self._remember(stop, words("en").interference(kind).removeprefix("ccc: "))

    def unreviewed(self, why: str) -> AllowStop:
        """For a Stop that could not even be looked at."""
        self._remember(None, why)  # first: it makes the folder that the log is in
        self.trouble(None, why)
        return AllowStop(Outcome.UNREVIEWED, why, self.notices.not_reviewed(why, self.log.path))

    def _remember(self, stop: StopEvent | None, why: str) -> None:
        """For the next start of ccc: an unreviewed stop must not pass unseen."""
        missed.remember(self.log.state, stop.session_id if stop else None, why, self.log.now())

    def trouble(self, stop: StopEvent | None, why: str) -> None:
        self._say(f"ccc: {one_line(why, 500)}")
        self.tell(stop, Trouble(why))

    def tell(self, stop: StopEvent | None, event: Event) -> None:
        self.log.tell(event, stop.session_id if stop else None)

    def _ending(self, outcome: Outcome | None, why: str, notice: str | None) -> list[str]:
        match outcome:
            case Outcome.COMPLETED:
                return [self.words.complete, self.words.stop_allowed]
            case Outcome.LIMIT:
                return [self.words.limit_reached, self.words.stop_allowed]
            case _:
                return [notice or why, self.words.stop_allowed]

    def _say(self, *lines: str) -> None:
        if not self.quiet:
            self.reader.read(sink.lines(*lines), self.stderr)
