"""What one reviewer says, while it says it: kept as it came, told to the person, and heard to its end.

Rule: loaded when the first byte arrives, while the reviewer is busy; nothing here starts or ends a process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base import files
from ccc.base.messages import msg
from ccc.claude.stream import (
    HOOK_FEEDBACK,
    MAX_LINE,
    NAGGING,
    STRUCTURED,
    UNREACHABLE,
    BadLine,
    Event,
    Finished,
    HookAsks,
    Init,
    Other,
    PermissionDenied,
    RateLimit,
    StreamParser,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    UserText,
    answered_by,
)
from ccc.judging.report import Report
from ccc.judging.verdict import alone
from ccc.model import StopEvent
from ccc.record import events
from ccc.record.events import NotTheAnswer, OutputLost, ReviewerDenied, ReviewerUsed

BAD_LINES_LOGGED = 20
# Each makes a permission that it stands beside a doubtful one.
HASTY = msg("(It was said before all that it had begun to look at had come.)")
UNSHOWN = msg("(The client tells it, but has not shown that the model said it.)")


class Hearing(Struct):
    """Listens to one stream: whole lines go to the file as they came, words to the person."""

    report: Report
    stop: StopEvent
    output: Path
    needs: frozenset[str] = frozenset()  # tools that it must have
    aloud: bool = True  # what it says is told to the person
    parser: StreamParser = field(default_factory=StreamParser)
    finished: Finished | None = None
    resets_at: float | None = None
    denials: list[str] = field(default_factory=list)
    said: str = ""  # last, and since it last used a tool
    answer: list[Text] = field(default_factory=list)  # all that it has said and not gone on from to use a tool
    before: list[str] = field(default_factory=list)  # what it had ended with when it was sent on for its verdict
    calling: set[str] = field(default_factory=set)  # its messages that have called a tool
    heard: bool = False  # a model has said, thought or done something in this turn
    given: list[Mapping[str, object]] = field(default_factory=list)  # the verdicts as the model itself gave them
    running: set[str] = field(default_factory=set)  # its tool calls that have not returned
    hasty: bool = False  # the last of them was given while it looked, or before it looked on or was cut off
    model: str = ""  # that has answered last
    structured: bool = False  # the verdict comes by a tool, and no hook can follow it
    hooks: int = 0  # of the client's that have begun and not answered
    bad_lines: int = 0
    keeping: bool = True
    line: bytearray = field(default_factory=bytearray)

    def hear(self, data: bytes) -> bool:
        self._keep(data)
        for event in self.parser.feed(data):
            self._take(event)
        return self.finished is not None

    def close(self) -> Finished | None:
        if self.line:
            self._keep(b"\n")
        for event in self.parser.close():
            self._take(event)
        return self.finished

    def _take(self, event: Event) -> None:
        match event:
            case RateLimit(at):
                self.resets_at = at
            case Finished(answers_the_prompt=True) if self.finished is None:
                self.finished = self._whole(event)
            case Finished(origin=origin) if self.finished is None:
                self.answer.clear()
                self.heard = False
                self.report.tell(self.stop, NotTheAnswer(origin or None))
            case Init(tools=tools):
                self.structured = STRUCTURED in tools
                self._look_for(tools)
            case HookAsks():
                self._was_asked_otherwise()
            case Text(text, subagent, by_client):
                self.said = self.said if subagent else text
                self.heard |= not (subagent or by_client)
                self.answer += [event] if text.strip() and not (subagent or by_client) else []
                # An API that broke off behind a verdict: another one may have been on its way.
                self.hasty |= by_client and not subagent and bool(self.given)
                if self.aloud:
                    self.report.reviewer_said(self.stop, text)
            case UserText(text, subagent=False) if text.startswith(HOOK_FEEDBACK) and self._has_answered:
                # Another Stop hook sends the reviewer on: what it says from here answers that hook.
                self.finished = self._whole(Finished(result=self.said, session_id=self.parser.session_id))
            case UserText(text) if NAGGING in text and self.said.startswith(UNREACHABLE):
                self.finished = self.finished or Finished(is_error=True, result=self.said)
            case UserText(text, subagent=False) if text.startswith(HOOK_FEEDBACK) or NAGGING in text:
                self.before += [each.text for each in self.answer]
                self.answer.clear()
            case Thinking(subagent=False):
                self.heard = True
            case ToolUse(name=name, input=given, subagent=subagent):
                if not subagent:
                    self._used(event)
                self.report.tell(self.stop, ReviewerUsed(name, _object_of(given)))
            case ToolResult(call):
                self.running.discard(call)
            case PermissionDenied(tool=tool, message=message):
                self.denials.append(tool)
                self.report.tell(self.stop, ReviewerDenied(tool, message))
            case BadLine(reason, size):
                self._warn(reason, size)
                if size > MAX_LINE and self.hooks > 0:  # what one of them has said may be in it
                    self._was_asked_otherwise()
            case Other("system", "hook_started"):
                self.hooks += 1
            case Other("system", "hook_response"):
                self.hooks -= 1

    def _was_asked_otherwise(self) -> None:
        why = msg("a hook asks it something of its own (initialUserMessage): nobody could tell what it answers")
        self.finished = self.finished or Finished(subtype="error_asked", is_error=True, result=why)

    def _look_for(self, tools: Sequence[str]) -> None:
        """What a reviewer says that cannot look is not waited for."""
        lacking = sorted(self.needs.difference(tools)) if tools else []
        if lacking and self.finished is None:
            why = msg("it had no {tools}, with which the agent has worked", tools=", ".join(lacking))
            self.finished = Finished(subtype="error_blind", is_error=True, result=why)

    def _used(self, call: ToolUse) -> None:
        # A message that called none was a finished answer, and whoever had it go on (a hook that adds to the context
        # leaves no line here) did not have it take that back.
        self.calling.add(call.message)
        self.answer = [each for each in self.answer if each.message not in self.calling]
        self.said = ""
        self.heard = True
        if call.name == STRUCTURED:
            self.given.append(call.input)
            self.hasty = bool(self.running)
        else:
            self.running.add(call.id)
            self.hasty = bool(self.given)

    def _whole(self, finished: Finished) -> Finished:
        """With what was told before it; a hook can rewrite what a tool is called with, and so a verdict."""
        told = finished.structured_output
        if told is not None and self.given and told != self.given[-1]:
            why = msg("a hook has changed its verdict on the way")
            return replace(finished, subtype="error_altered", is_error=True, result=why, structured_output=None)
        if not finished.succeeded:
            return replace(finished, resets_at=self.resets_at)
        if not self._was_asked(finished):
            return replace(finished, unheard=True)
        if told is None:
            return replace(finished, result=self._all_of(finished.result))
        if not self.given:
            return replace(finished, result=f"{json.dumps(told)}\n{UNSHOWN}", structured_output=None)
        if self.hasty or self.before or any(each != told for each in self.given):
            # Of two calls in one message the client takes the last one, and it waits for no other tool.
            said = "\n".join([*self.before, self._verdicts, HASTY if self.hasty else ""])
            return replace(finished, result=said, structured_output=None)
        return finished

    def _was_asked(self, finished: Finished) -> bool:
        """Whether the prompt came to a model: a hook of the person's can stop it on the way, and the client answers
        with words of its own. A model that says nothing at all leaves no line, but it is counted."""
        words = finished.structured_output is not None or bool((finished.result or "").strip())
        return self.heard or (not words and finished.usage.all_tokens > 0)

    def _all_of(self, result: str | None) -> str | None:
        """The client tells the last part of an answer; a model may think, or be cut off, between two parts of it."""
        parts, last = [each.text for each in self.answer], (result or "").strip()
        if last and last != (parts[-1].strip() if parts else ""):
            parts += [last] if parts else [last, UNSHOWN]
        elif parts and not last:
            parts.append(HASTY)
        if any(each != alone(last) for each in self.given):
            parts.insert(0, self._verdicts)
        return "\n\n".join(parts) if len(parts) > 1 else result

    @property
    def _verdicts(self) -> str:
        return "\n".join(json.dumps(each) for each in self.given)

    @property
    def _has_answered(self) -> bool:
        return self.finished is None and not self.structured and bool(self.said or self.answer)

    def _warn(self, reason: str, size: int) -> None:
        self.bad_lines += 1
        if self.bad_lines <= BAD_LINES_LOGGED:
            self.report.tell(self.stop, events.BadLine(reason, size))

    def _keep(self, data: bytes) -> None:
        """Append whole lines, each with one write: several reviewers may share the file."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self.line += piece
            self.model = answered_by(self.line) or self.model
            self._append(bytes(self.line) + b"\n")
            self.line.clear()
        self.line += rest
        if len(self.line) > MAX_LINE:  # nobody will read it as a message; its last byte waits for the newline
            self._append(bytes(self.line[:-1]))
            del self.line[:-1]

    def _append(self, line: bytes) -> None:
        if self.keeping and not files.append_line(self.output, line):
            self.keeping = False
            self.report.tell(self.stop, OutputLost(str(self.output)))


def _object_of(given: object) -> str | None:
    """The one thing a tool call is about."""
    if not isinstance(given, dict):
        return None
    found = (given.get(key) for key in ("command", "file_path", "path", "pattern", "url"))
    return next((value for value in found if isinstance(value, str) and value), None)
