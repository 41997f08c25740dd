"""One request and what followed it: who asked, said and did what, in order, main thread only.

Rule: a transcript and a live stream become the same moments, so that judging them is written once; no I/O, and what
became of a call is read from the client's own words about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.patterns import pattern
from ccc.base.text import elements, head, tail

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


class Asked(Struct, frozen=True, tag=True):
    """The person's words; `meanwhile` when they came while the agent worked.

    `typed` is what stands before the text of a custom command, where `text` holds both. `beside`: they came with what
    a call returned, so that nobody tells whether they were typed before it.
    """

    text: str
    meanwhile: bool = False
    at: float = 0.0  # in seconds since 1970, here and below; 0 when nobody tells
    prompt_id: str | None = None
    typed: str = ""
    beside: bool = False


class Said(Struct, frozen=True, tag=True):
    """The agent's words; in a Conversation all of them up to the next thing that was done or told."""

    text: str
    at: float = 0.0


class Told(Struct, frozen=True, tag=True):
    """Something that is no request: a hook's feedback, a notification, a note of the client.

    `interruption` are the client's words where it notes that the person interrupted.
    """

    at: float = 0.0
    interruption: str = ""


class Edit(Struct, frozen=True):
    """What the client records of an edit that went through; `before` or `after` is None when it does not tell."""

    path: str
    before: str | None
    after: str | None
    hunks: tuple[str, ...] = ()


class Call(Struct, frozen=True, tag=True):
    """A tool call. `cut` when the client kept only a part of the output; `seconds` until its result came."""

    name: str
    input: Mapping[str, Any]
    fate: Fate = Fate.UNKNOWN
    output: str = ""
    exit_code: int | None = None
    cut: bool = False
    at: float = 0.0
    seconds: float | None = None
    edit: Edit | None = None
    task: str = ""  # the background work that it has started and that nobody has heard the end of


class Spent(Struct, frozen=True, tag=True):
    """One answer of the model, for its tokens."""

    at: float
    tokens: int
    weight: float = 0.0
    model: str | None = None


Moment = Asked | Said | Told | Call


class Conversation(Struct, frozen=True):
    """`api_failed` when an API error ended it; not `complete` when its last message had not arrived yet.

    `weight` is that of the tokens that its last `model` used in the main thread: what they cost at the least. Not
    `whole` when its beginning is missing: the request and what followed it may stand before the first moment.
    """

    moments: tuple[Moment, ...]
    tokens: int = 0
    api_failed: bool = False
    complete: bool = True
    weight: float = 0.0
    model: str | None = None
    whole: bool = True


# --- what became of a call ---------------------------------------------------------------------------------------


class Result(Struct, frozen=True):
    fate: Fate
    output: str = ""
    exit_code: int | None = None
    cut: bool = False
    task: str = ""


_EXIT_CODE = pattern(r"\A(?:Error: )?Exit code (\d{1,9})\b\s*")
_REFUSED = pattern(
    r"doesn't want to (?:proceed|take this action)|User rejected tool use|haven't granted it yet"
    r"|(?:requires?|needs) approval|Permission (?:to use|for this) .{0,200}?denied|has been denied|was denied"
    r"|User denied permission|was refused and did not run",
    re.DOTALL,
)
_NOT_RUN = pattern(
    r"Sibling tool call errored|<tool_use_error>|\[Request interrupted|\[Tool call |\[Agent call |Cancelled: "
)
_BACKGROUND = pattern(
    r"\ACommand (?:running in background with ID: |was manually backgrounded by user with ID: "
    r"|was moved to the background \(ID: )(\w+)"
)
_ASYNC_AGENT = "Async agent launched"
_TASK_TAGS = "retrieval_status|task_id|status|exit_code|output|stdout|stderr"
_CODE = pattern(r"\s*(\d{1,9})\s*")
_PERSISTED = "<persisted-output>"
_PREVIEW = pattern(
    r"\A\s*<persisted-output>\n(Output too large \([^)\n]*\))[^\n]*\s*Preview [^\n]*:\n(.*?)(?:\n\.\.\.)?"
    r"\n</persisted-output>\s*\Z",
    re.DOTALL,
)
_SHORTENED = "\n\n... ["
_TRUNCATED = pattern(r"\n\n\.\.\. \[\d+ (?:characters|lines) truncated\] \.\.\.")
_OUTPUT_TOOLS = {"TaskOutput": "task_id", "BashOutput": "bash_id", "AgentOutputTool": "agentId"}


def judged(text: str, *, is_error: bool, refused: bool = False, codes_written: bool = True) -> Result:
    output, capped = capped_output(text)
    cut = capped or _is_shortened(output)
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


def previewed(text: str) -> tuple[str, str]:
    """An output as far as the client has it, and its words for what it has kept elsewhere."""
    found = _PREVIEW.match(text) if text.lstrip().startswith(_PERSISTED) else None
    return (found[2], found[1]) if found else (text, "")


def runs_on(text: str) -> bool:
    """Whether a subagent works in the background; what else the tool says of it is for the model alone."""
    return text.startswith(_ASYNC_AGENT)


def _is_shortened(output: str) -> bool:
    """Whether the client kept a part of it. Most of a transcript is outputs: a plain search is many times as fast."""
    return output.lstrip().startswith(_PERSISTED) or (_SHORTENED in output and bool(_TRUNCATED.search(output)))


def capped_output(text: str) -> tuple[str, bool]:
    """Its beginning and its end, where verdicts stand."""
    if len(text) <= OUTPUT_KEPT:
        return text, False
    half = OUTPUT_KEPT // 2
    return f"{head(text, half)}\n{tail(text, half)}", True


class Ending(Struct, frozen=True):
    """A background command came to its end, by notification."""

    at: float
    task: str
    exit_code: int | None


def endings(at: float, text: str) -> Iterator[Ending]:
    """What the notifications in this text tell."""
    for _, _, _, notice in elements(text[:TEXT_KEPT], "task-notification"):
        task, status = _TASK_ID.search(notice), _STATUS.search(notice)
        codes = _EXIT_IN_SUMMARY.findall(notice)
        if task:
            yield Ending(at, task[1], int(codes[-1]) if codes else _CODES.get(status[1] if status else ""))


_TASK_ID = pattern(r"<task-id>(\w+)</task-id>")
_STATUS = pattern(r"<status>(\w+)</status>")
# The agent's own description of the command stands before the client's words: the last one counts.
_EXIT_IN_SUMMARY = pattern(r"\bexit code:? (\d{1,9})\)?\s*</summary>")
_CODES = {"completed": 0, "failed": 1}


# --- stream events -----------------------------------------------------------------------------------------------


class StreamReader:
    """The same moments from a live stream: tell it what the person typed and feed it every event."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self._recorder = Recorder()
        self._clock = clock  # in seconds since 1970: the stream itself tells no time
        self._turns = 0

    def asked(self, text: str) -> None:
        """The person's words: the request first, then what they type meanwhile."""
        self._recorder.asked(text, meanwhile=not self._recorder.is_empty)

    def feed(self, event: stream.Event) -> None:
        from ccc.claude import stream  # not above: the hook reads transcripts, and has no stream at the gate

        recorder = self._recorder
        match event:
            case stream.Text(subagent=True) | stream.ToolUse(subagent=True) | stream.ToolResult(subagent=True):
                return
            case stream.UserText(subagent=True) | stream.Text(by_client=True):
                return
            case stream.Text(text):
                recorder.said(text)
            case stream.ToolUse(id_, name, given):
                recorder.called(id_, name, given, self._clock())
            case stream.ToolResult(id_, is_error, text):
                recorder.returned(id_, judged(text, is_error=is_error))
            case stream.UserText(text):
                recorder.told()
                for ending in endings(0.0, text):
                    recorder.ended(ending.task, ending.exit_code)
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


class Kept(Struct, frozen=True):
    """How much of a text is kept, and what of a call's input: a long session is told in less than one request."""

    asked: Callable[[str], str] = lambda text: head(text, TEXT_KEPT)
    said: Callable[[str], str] = lambda text: tail(text, TEXT_KEPT)
    output: Callable[[str], str] = lambda text: text
    given: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda given: given


class _Open:
    """A call whose result may still come. `about` is the background task that it asks for."""

    __slots__ = ("about", "at", "edit", "given", "name", "result", "seconds")

    def __init__(self, at: float, name: str, given: Mapping[str, Any], about: str) -> None:
        self.at, self.name, self.given, self.about = at, name, given, about
        self.result = Result(Fate.UNKNOWN)
        self.seconds: float | None = None
        self.edit: Edit | None = None

    def closed(self) -> Call:
        done = self.result
        return Call(
            name=self.name,
            input=self.given,
            fate=done.fate,
            output=done.output,
            exit_code=done.exit_code,
            cut=done.cut,
            at=self.at,
            seconds=self.seconds,
            edit=self.edit,
            task=done.task,
        )


class Recorder:
    """Moments as they are told. Their time only goes on: the clock goes backwards in half of all transcripts."""

    def __init__(self, kept: Kept | None = None) -> None:
        self.api_failed = False
        self._kept = kept or Kept()
        self._now = 0.0
        self._moments: list[Asked | Said | Told | _Open] = []
        self._heard: set[str] = set()  # of the current request
        self._calls: dict[str, _Open] = {}
        self._tasks: dict[str, _Open] = {}
        self._answers: dict[str, Spent] = {}

    @property
    def is_empty(self) -> bool:
        return not self._moments

    def asked(
        self,
        text: str,
        *,
        meanwhile: bool = False,
        at: float = 0.0,
        prompt_id: str | None = None,
        beside: bool = False,
    ) -> None:
        if not meanwhile:
            self._heard.clear()
        elif text in self._heard:  # the same words can stand in the queue, beside a result and in an attachment
            return
        self._heard.add(text)
        self._moments.append(Asked(self._kept.asked(text), meanwhile, self._at(at), prompt_id, beside=beside))

    def expanded(self, text: str) -> None:
        """The text of a custom command stands in the line after it."""
        match self._moments:
            case [*_, Asked(command, False, at, prompt_id)] if command.startswith("/") and text.strip():
                whole = self._kept.asked(f"{command}\n\n{text.strip()}")
                self._moments[-1] = Asked(whole, False, at, prompt_id, typed=command)

    def said(self, text: str, at: float = 0.0) -> None:
        if text.strip():
            self._moments.append(Said(self._kept.said(text), self._at(at)))

    def told(self, at: float = 0.0, interruption: str = "") -> None:
        self._moments.append(Told(self._at(at), interruption))

    def called(self, id_: str, name: str, given: Mapping[str, Any], at: float = 0.0) -> None:
        about = given.get(_OUTPUT_TOOLS[name]) if name in _OUTPUT_TOOLS else None
        call = _Open(self._at(at), name, self._kept.given(given), about if isinstance(about, str) else "")
        self._moments.append(call)
        self._calls[id_] = call

    def returned(self, id_: str, result: Result, at: float = 0.0, edit: Edit | None = None) -> None:
        call = self._calls.get(id_)
        if call is None:
            return
        call.result = replace(result, output=self._kept.output(result.output))
        call.seconds, call.edit = max(0.0, at - call.at) if at and call.at else None, edit
        self._at(at)
        if result.task:
            self._tasks[result.task] = call
        if call.name in _OUTPUT_TOOLS and result.fate is Fate.DONE:
            tags = {name: content for _, _, name, content in elements(result.output, _TASK_TAGS)}
            code = _CODE.fullmatch(tags.get("exit_code", ""))
            output = "\n".join(tags[name] for name in ("output", "stdout", "stderr") if name in tags)
            self.ended(call.about or tags.get("task_id", ""), int(code[1]) if code else None, output)

    def ended(self, task: str, exit_code: int | None, output: str = "") -> None:
        """A background command came to its end."""
        call = self._tasks.get(task)
        if call is None or exit_code is None:
            return
        fate = Fate.DONE if exit_code == 0 else Fate.FAILED
        known = self._kept.output(output) or call.result.output
        # A notification tells the code and not the output.
        call.result = Result(fate, known, exit_code, cut=not known)

    def spent(
        self, message_id: str, tokens: int, at: float = 0.0, *, weight: float = 0.0, model: str | None = None
    ) -> None:
        # Every line of a message repeats its usage; the early ones were written before it was complete.
        known = self._answers.get(message_id) or Spent(self._at(at), 0)
        self._answers[message_id] = Spent(known.at, max(tokens, known.tokens), max(weight, known.weight), model)

    def conversation(self) -> Conversation:
        tokens = sum(each.tokens for each in self._answers.values())
        moments = tuple(_joined(self._closed()))
        answers = [each for each in self._answers.values() if each.weight]
        model = answers[-1].model if answers else None
        weight = sum(each.weight for each in answers if each.model == model)
        return Conversation(moments, tokens, self.api_failed, weight=weight, model=model)

    def history(self) -> tuple[Moment | Spent, ...]:
        """Every moment, and what the answers cost, in the order of time."""
        return tuple(sorted((*self._closed(), *self._answers.values()), key=lambda each: each.at))

    def _at(self, at: float) -> float:
        self._now = max(self._now, at)
        return self._now

    def _closed(self) -> Iterator[Moment]:
        return (each.closed() if isinstance(each, _Open) else each for each in self._moments)


def _joined(moments: Iterable[Moment]) -> Iterator[Moment]:
    """What the agent says in one go is one moment, though the client may write it as several."""
    for kind, group in groupby(moments, type):
        if kind is Said:
            run = [each for each in group if isinstance(each, Said)]
            yield Said(tail("\n\n".join(each.text for each in run), TEXT_KEPT), run[0].at)
        else:
            yield from group
