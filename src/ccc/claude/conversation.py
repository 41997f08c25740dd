"""One request and what followed it: who asked, said and did what, in order, main thread only.

Rule: a transcript and a live stream become the same moments, so that judging them is written once; no I/O, and what
became of a call is read from the client's own words about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ccc.claude import stream


OUTPUT_KEPT = 100_000
TEXT_KEPT = 200_000


class Fate(StrEnum):
    """What became of a tool call."""

    DONE = "done"
    FAILED = "failed"  # it ran and said no
    STARTED = "started"  # it runs in the background, and nothing more is known
    REFUSED = "refused"  # a person or a permission rule kept it from running
    NOT_RUN = "not run"  # cancelled, malformed, or overtaken
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Asked:
    """The person's words; `meanwhile` when they came while the agent worked."""

    text: str
    meanwhile: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """The agent's words, up to the next thing that was done or told."""

    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something that is no request: a hook's feedback, a notification, a note of the client."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `cut` when the client kept only a part of the output."""

    name: str
    input: Mapping[str, Any]
    fate: Fate = Fate.UNKNOWN
    output: str = ""
    exit_code: int | None = None
    cut: bool = False


Moment = Asked | Said | Told | Call


@dataclass(frozen=True, slots=True)
class Conversation:
    """`api_failed` when an API error ended it; not `complete` when its last message had not arrived yet."""

    moments: tuple[Moment, ...]
    tokens: int = 0
    api_failed: bool = False
    complete: bool = True


# --- what became of a call ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    fate: Fate
    output: str = ""
    exit_code: int | None = None
    cut: bool = False
    task: str = ""


_EXIT_CODE = re.compile(r"\A(?:Error: )?Exit code (\d{1,9})\b\s*")
_REFUSED = re.compile(
    r"doesn't want to (?:proceed|take this action)|User rejected tool use|haven't granted it yet"
    r"|(?:requires?|needs) approval|Permission (?:to use|for this) .{0,200}?denied|has been denied|was denied"
    r"|User denied permission|was refused and did not run",
    re.DOTALL,
)
_NOT_RUN = re.compile(
    r"Sibling tool call errored|<tool_use_error>|\[Request interrupted|\[Tool call |\[Agent call |Cancelled: "
)
_BACKGROUND = re.compile(
    r"\ACommand (?:running in background with ID: |was manually backgrounded by user with ID: "
    r"|was moved to the background \(ID: )(\w+)"
)
_TASK_OUTPUT = re.compile(r"<(retrieval_status|task_id|status|exit_code|output|stdout|stderr)>(.*?)</\1>", re.DOTALL)
_PERSISTED = re.compile(r"\A\s*<persisted-output>|\n\n\.\.\. \[\d+ (?:characters|lines) truncated\] \.\.\.")
_OUTPUT_TOOLS = {"TaskOutput": "task_id", "BashOutput": "bash_id", "AgentOutputTool": "agentId"}


def judged(text: str, *, is_error: bool, refused: bool = False, codes_written: bool = True) -> Result:
    output, capped = capped_output(text)
    cut = capped or bool(_PERSISTED.search(output))
    if not is_error and not refused:
        background = _BACKGROUND.match(output)
        return Result(Fate.STARTED, task=background[1]) if background else Result(Fate.DONE, output, 0, cut)
    code = _EXIT_CODE.match(output)
    if code and not refused:
        return Result(Fate.FAILED, output[code.end() :], int(code[1]), cut)
    if refused or _REFUSED.search(output[:2000]):
        return Result(Fate.REFUSED, output)
    if _NOT_RUN.search(output[:2000]) or codes_written:
        return Result(Fate.NOT_RUN, output)
    return Result(Fate.FAILED, output, None, cut)


def capped_output(text: str) -> tuple[str, bool]:
    """Its beginning and its end, where verdicts stand."""
    if len(text) <= OUTPUT_KEPT:
        return text, False
    half = OUTPUT_KEPT // 2
    return f"{text[:half]}\n{text[-half:]}", True


def record_notification(recorder: Recorder, text: str) -> None:
    for notice in _NOTIFICATION.finditer(text[:TEXT_KEPT]):
        task, status = _TASK_ID.search(notice[1]), _STATUS.search(notice[1])
        codes = _EXIT_IN_SUMMARY.findall(notice[1])
        if task:
            recorder.ended(task[1], int(codes[-1]) if codes else _CODES.get(status[1] if status else ""), "")


_NOTIFICATION = re.compile(r"<task-notification>(.*?)</task-notification>", re.DOTALL)
_TASK_ID = re.compile(r"<task-id>(\w+)</task-id>")
_STATUS = re.compile(r"<status>(\w+)</status>")
# The agent's own description of the command stands before the client's words: the last one counts.
_EXIT_IN_SUMMARY = re.compile(r"\bexit code:? (\d{1,9})\)?\s*</summary>")
_CODES = {"completed": 0, "failed": 1}


# --- stream events -----------------------------------------------------------------------------------------------


class StreamReader:
    """The same moments from a live stream: tell it what the person typed and feed it every event."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._turns = 0

    def asked(self, text: str) -> None:
        """The person's words: the request first, then what they type meanwhile."""
        first = not self._recorder.moments
        self._recorder.asked(text, meanwhile=not first)

    def feed(self, event: stream.Event) -> None:
        from ccc.claude import stream  # not above: the hook reads transcripts, and has no stream at the gate

        recorder = self._recorder
        match event:
            case stream.Text(subagent=True) | stream.ToolUse(subagent=True) | stream.ToolResult(subagent=True):
                return
            case stream.UserText(subagent=True):
                return
            case stream.Text(text):
                recorder.said(text)
            case stream.ToolUse(id_, name, given):
                recorder.called(id_, name, given)
            case stream.ToolResult(id_, is_error, text):
                recorder.returned(id_, judged(text, is_error=is_error))
            case stream.UserText(text):
                recorder.told()
                record_notification(recorder, text)
            case stream.Finished(is_error=is_error, usage=usage):
                recorder.api_failed = is_error
                self._turns += 1
                total = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_creation_tokens
                recorder.spent(f"turn {self._turns}", total)

    def conversation(self) -> Conversation:
        return self._recorder.conversation()


def of_stream(request: str, events: Iterable[stream.Event]) -> Conversation:
    reader = StreamReader()
    reader.asked(request)
    for event in events:
        reader.feed(event)
    return reader.conversation()


# --- recording ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A call whose result may still come."""

    name: str
    input: Mapping[str, Any]
    result: Result = field(default_factory=lambda: Result(Fate.UNKNOWN))


class Recorder:
    def __init__(self) -> None:
        self.moments: list[Asked | Said | Told | _Open] = []
        self.api_failed = False
        self._calls: dict[str, _Open] = {}
        self._tasks: dict[str, _Open] = {}
        self._tokens: dict[str, int] = {}

    def asked(self, text: str, *, meanwhile: bool = False) -> None:
        # The same words can stand in the queue, beside a result and in an attachment.
        if not (meanwhile and any(isinstance(m, Asked) and m.text == text for m in self.moments)):
            self.moments.append(Asked(text[:TEXT_KEPT], meanwhile))

    def expanded(self, text: str) -> None:
        """The text of a custom command stands in the line after it."""
        match self.moments:
            case [*_, Asked(command, False)] if command.startswith("/") and text.strip():
                self.moments[-1] = Asked(f"{command}\n\n{text.strip()}"[:TEXT_KEPT])

    def said(self, text: str) -> None:
        if not text.strip():
            return
        match self.moments:
            case [*_, Said(before)]:
                self.moments[-1] = Said(f"{before}\n\n{text}"[-TEXT_KEPT:])
            case _:
                self.moments.append(Said(text[-TEXT_KEPT:]))

    def told(self) -> None:
        self.moments.append(Told())

    def called(self, id_: str, name: str, given: Mapping[str, Any]) -> None:
        call = _Open(name, given)
        self.moments.append(call)
        self._calls[id_] = call

    def returned(self, id_: str, result: Result) -> None:
        call = self._calls.get(id_)
        if call is None:
            return
        call.result = result
        if result.task:
            self._tasks[result.task] = call
        if call.name in _OUTPUT_TOOLS and result.fate is Fate.DONE:
            tags = dict(_TASK_OUTPUT.findall(result.output))
            task = str(call.input.get(_OUTPUT_TOOLS[call.name]) or tags.get("task_id", ""))
            code = tags.get("exit_code", "").strip()
            output = "\n".join(tags[name] for name in ("output", "stdout", "stderr") if name in tags)
            self.ended(task, int(code) if code.isdecimal() else None, output)

    def ended(self, task: str, exit_code: int | None, output: str) -> None:
        """A background command came to its end."""
        call = self._tasks.get(task)
        if call is None or exit_code is None:
            return
        fate = Fate.DONE if exit_code == 0 else Fate.FAILED
        known = output or call.result.output
        # A notification tells the code and not the output.
        call.result = Result(fate, known, exit_code, cut=not known)

    def spent(self, message_id: str, tokens: int) -> None:
        # Every line of a message repeats its usage; the early ones were written before it was complete.
        self._tokens[message_id] = max(tokens, self._tokens.get(message_id, 0))

    def conversation(self) -> Conversation:
        return Conversation(tuple(self._closed()), sum(self._tokens.values()), self.api_failed)

    def _closed(self) -> Iterator[Moment]:
        for moment in self.moments:
            if isinstance(moment, _Open):
                result = moment.result
                yield Call(moment.name, moment.input, result.fate, result.output, result.exit_code, result.cut)
            else:
                yield moment
