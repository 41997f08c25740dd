"""What the lines of a transcript mean: over forty versions of the client wrote them.

Rule: the one place where a line is understood; pure, total over any object, each line for itself. Lines of unknown
kinds are skipped, and most user lines are no requests. An entry holds of a large line no more than somebody needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ccc.base.patterns import pattern
from ccc.base.text import elements, encodable
from ccc.claude import own_words, pricing
from ccc.claude.conversation import Edit, Ending, Fate, Result, endings, judged

Message = Mapping[str, Any]

IMAGE = "[image]"
FILE_KEPT = 2**20

# Named tuples, here as in conversation.py: the hook pays for each definition.


class Requested(Struct, frozen=True):
    """A person's request begins here."""

    at: float
    text: str
    prompt_id: str | None


class Remarked(Struct, frozen=True):
    """A person's words that came while the agent worked."""

    at: float
    text: str


class Replied(Struct, frozen=True):
    """A line of one of the model's messages; `failed` when it tells of an API error."""

    at: float
    message: str
    tokens: int
    model: str | None
    failed: bool
    weight: float = 0.0  # of the tokens, see pricing.py
    ends: bool | None = None  # the turn, by what the model said; older clients do not tell
    entrypoint: str = ""  # of the client: `cli` is its terminal UI


class Spoke(Struct, frozen=True):
    """Words in such a line; `by_client` when no model said them."""

    at: float
    text: str
    by_client: bool


class Called(Struct, frozen=True):
    at: float
    id: str
    name: str
    input: Mapping[str, Any]


# A message that is this call alone ends the turn with some models (2.1.326), and a Stop hook's block is thrown away.
TICK = "ScheduleWakeup"


class Closing(IntEnum):
    """Whether a tool's result ends the turn: from 2.1.326 on the client takes any MCP server's word for it."""

    NOT = 0
    HEEDING = 1  # it does, unless a Stop hook sends the agent on
    FINAL = 2  # whatever a Stop hook says


class Returned(Struct, frozen=True):
    """The result of a tool call; `edit` where it is asked for."""

    at: float
    id: str
    result: Result
    edit: Edit | None
    closing: Closing = Closing.NOT


class Queued(Struct, frozen=True):
    """Something is done to the queue of what was typed meanwhile; `words` are a person's, or empty."""

    at: float
    operation: str
    text: str
    words: str


class Noted(Struct, frozen=True):
    """Text of the client or of a hook; `meta` when the client marks it so, `wakes` when it may begin a turn."""

    at: float
    text: str
    meta: bool
    prompt_id: str | None = None
    wakes: bool = False
    accompanies: bool = False  # what begins a turn: it may stand before that, and begins none

    @property
    def interruption(self) -> str:
        return self.text if self.text.startswith(_INTERRUPTION) else ""

    @property
    def of_own_command(self) -> bool:
        """What the person ran by `!` or had the client do, which the client shows to the agent."""
        return not self.meta and bool(_OWN_COMMAND.match(self.text))


class Compacted(Struct, frozen=True):
    """Here the client summed up what came before."""

    at: float


class OutOfTime(Struct, frozen=True):
    """The client has ended a hook for a Stop by itself."""

    at: float


Entry = Requested | Remarked | Replied | Spoke | Called | Returned | Queued | Noted | Ending | Compacted | OutOfTime


class Line(Struct, frozen=True):
    """What one line tells; `uuid` is empty when it has none."""

    uuid: str
    entries: tuple[Entry, ...]

    @property
    def begins_request(self) -> bool:
        return isinstance(self.entries[0], Requested)

    @property
    def wakes(self) -> bool:
        first = self.entries[0]
        return isinstance(first, Noted) and first.wakes

    @property
    def model(self) -> str | None:
        first = self.entries[0]
        return first.model if isinstance(first, Replied) else None


def understood(message: Message, *, edits: bool = False) -> Line | None:
    """The line's meaning; None when it is not of the main thread or nothing is known of its kind.

    Only with `edits` are the files kept that the client records with an edit: they can be large.
    """
    entries = tuple(_entries(message, edits=edits))
    return Line(_word(message.get("uuid")), entries) if entries else None


def may_be_said(line: bytes) -> bool:
    """Whether a person's words can stand in this line, by its bytes: a session is mostly answers and results.

    Of results only the oldest clients wrote words into the same line, and these stand in the queue as well. The marks
    are JSON's own: inside of a text their quotes would be escaped.
    """
    return (
        (b'"user"' in line and b'"tool_use_id"' not in line)
        or b'"queue-operation"' in line
        or b'"queued_command"' in line
    )


def may_be_counted(line: bytes) -> bool:
    """Whether what a request has used, or how a turn began, can stand in this line; likewise."""
    return b'"usage"' in line or may_be_said(line)


def ends_with_words(lines_from_end: Iterable[Line]) -> str | None:
    """The agent's last words if nothing of the main thread follows them, from lines in reverse order."""
    words: list[str] = []
    last = ""
    for line in lines_from_end:
        match line.entries[0]:
            case Replied(message=message) if not words or message == last:
                last = message
            case Replied() | Requested() | Returned() | Noted():
                break
            case _:
                continue
        if not words and any(isinstance(entry, Called) for entry in line.entries):
            return None
        words[:0] = [entry.text for entry in line.entries if isinstance(entry, Spoke)]
    return "\n".join(words) if words else None


def compared(text: str) -> str:
    """The text as that of two who tell it is compared: JavaScript's trim() takes away more than Python's strip()."""
    return " ".join(encodable(text).replace("\ufeff", " ").split())


def said(lines_from_end: Iterable[Line], words: str, before: str) -> bool:
    """Whether the model has ended a message of its own with these words, and no tool, behind the line `before`; from
    lines in reverse order, and of words only."""
    last, told, calls = None, "", False
    for line in lines_from_end:
        if before and line.uuid == before:
            return False
        match line.entries[0]:
            case Replied(message=message):
                if message != last:
                    last, told, calls = message, "", False
                calls = calls or any(isinstance(entry, Called) for entry in line.entries)
                spoken = (entry.text for entry in line.entries if isinstance(entry, Spoke))
                told = compared("\n".join((*spoken, told)))
                if not calls and told.endswith(words):
                    return True
            case Requested() | Returned() | Noted():
                last = None
    return False


def closing(lines_from_end: Iterable[Line]) -> Closing:
    """How the tools of the model's last message have ended the turn, from lines in reverse order: with several results
    the strongest one counts, and the client may write one before the next call of the same message."""
    results: dict[str, Closing] = {}
    done: set[str] = set()
    calls: dict[str, str] = {}
    last = ""
    for line in lines_from_end:
        match line.entries[0]:
            case Returned():
                returned = [entry for entry in line.entries if isinstance(entry, Returned)]
                results |= {entry.id: entry.closing for entry in returned}
                done |= {entry.id for entry in returned if entry.result.fate is Fate.DONE}
            case Replied(message=message) if not calls or message == last:
                called = {entry.id: entry.name for entry in line.entries if isinstance(entry, Called)}
                if not called and not calls:  # words, with which it has ended the turn itself
                    return Closing.NOT
                calls, last = calls | called, message
            case Replied() | Requested() | Noted():
                break
    if [*calls.values()] == [TICK] and calls.keys() <= done:
        return Closing.FINAL
    return max((results[each] for each in calls.keys() & results.keys()), default=Closing.NOT)


def gone_on(lines_from_end: Iterable[Line], prompt_id: str, answer: str) -> Line | None:
    """What the conversation went on with behind this answer of this prompt, from lines in reverse order; None when it
    did not. The agent's word on a command that the person ran themselves is nothing to go on with."""
    worked: Line | None = None
    for line in lines_from_end:
        if answer and line.uuid == answer:
            return worked
        match line.entries[0]:
            case Requested(prompt_id=found) if found != prompt_id:
                return line
            case Noted() as note if note.of_own_command:
                worked = None
            case Noted(meta=False, prompt_id=str(found)) as note if found != prompt_id and not note.interruption:
                return line
            case Requested() | Noted() if not answer:
                return None
            case Replied() if answer and not _by_client(line):
                worked = line
    return None


class Unfinished(Struct, frozen=True):
    """The model's last line, with which it ended no turn."""

    uuid: str
    at: float
    entrypoint: str = ""


class Answer(Struct, frozen=True):
    """Words of the model's with which it ended a turn, or a tool's result that has, and what stands behind it."""

    uuid: str
    at: float
    words: str
    closed: bool = False  # by a tool
    interrupted: bool = False  # an interruption of the person's, before any other request
    out_of_time: bool = False  # a hook for this stop, likewise
    gone_on: bool = False  # the model's own work, likewise
    asked_again: bool = False  # another request
    failure: str = ""  # what the client said where the API ended another turn
    failed_at: float = 0.0
    unfinished: Unfinished | None = None  # what the model has done since, unless it ended that as well
    last: str = ""  # what the model, or a tool of its, wrote last


def last_answer(lines_from_end: Iterable[Line]) -> Answer | None:
    """The last such, from lines in reverse order. What others than the model can write does not hide it."""
    behind = Answer("", 0.0, "")
    for line in lines_from_end:
        first = line.entries[0]
        words = "\n".join(entry.text for entry in line.entries if isinstance(entry, Spoke))
        if not behind.last and isinstance(first, Replied | Returned) and not _by_client(line):
            behind = replace(behind, last=line.uuid)
        if isinstance(first, Replied) and not _by_client(line) and _is_end(first, words, line, behind):
            return replace(behind, uuid=line.uuid, at=first.at, words=words)
        if isinstance(first, Returned) and any(isinstance(each, Returned) and each.closing for each in line.entries):
            return replace(behind, uuid=line.uuid, at=first.at, closed=True)
        behind = _behind(behind, line, first, words)
    return behind if behind.failure or behind.unfinished else None


def _is_end(reply: Replied, words: str, line: Line, behind: Answer) -> bool:
    if any(isinstance(entry, Called) for entry in line.entries):
        return False
    if not words:  # a model that has only thought, and said nothing
        return reply.ends is True
    # A client that does not tell writes words in the middle of a turn, and cut ones, just so.
    return reply.ends if reply.ends is not None else not (behind.interrupted or behind.gone_on)


def _behind(behind: Answer, line: Line, first: Entry, words: str) -> Answer:
    """With this line, which stands before what is known."""
    match first:
        case Requested():
            return replace(behind, asked_again=True, interrupted=False, out_of_time=False, gone_on=False)
        case Noted() if first.interruption:
            return replace(behind, interrupted=True)
        case OutOfTime():
            return replace(behind, out_of_time=True)
        case Replied() if _by_client(line):
            told = first.failed and not (behind.failure or behind.asked_again or behind.gone_on)
            return replace(behind, failure=words or " ", failed_at=first.at) if told else behind
        case Replied():
            last = behind.unfinished or Unfinished(line.uuid, first.at, first.entrypoint)
            return replace(behind, gone_on=True, interrupted=False, out_of_time=False, unfinished=last)
    return behind


def _by_client(line: Line) -> bool:
    return any(isinstance(entry, Spoke) and entry.by_client for entry in line.entries)


def answers_own_command(lines_from_end: Iterable[Line], prompt_id: str | None) -> bool:
    """Whether the agent has only had its say about a command of the person's own; lines in reverse order.

    2.1.325 has the agent answer to the output of a `!` command, in a turn with an id of its own that ends with a Stop.
    The id is what the client says at that Stop: a line that something wrote into the file cannot end a request by it.
    """
    ran = False
    for entry in (entry for line in lines_from_end for entry in line.entries):
        match entry:
            case Noted(prompt_id=of) if not ran:
                if not entry.of_own_command or of is None or of != prompt_id:
                    return False
                ran = True
            case Requested(prompt_id=of):
                return ran and of != prompt_id
            case Remarked() | Called() | Returned() | Compacted() if not ran:
                return False
    return ran


def began_by_itself(lines: Iterable[Line], prompt_id: str) -> bool:
    """Whether a notice began the turn with this id (a task has ended, a cron is due); lines in the order of the file.

    Only the first line of the turn counts, and what the client has put before it does not: what stands behind it may
    be written by whoever works in it.
    """
    for entry in (entry for line in lines for entry in line.entries):
        match entry:
            case Noted(prompt_id=of, wakes=wakes, accompanies=accompanies) if of == prompt_id:
                if wakes or not accompanies:
                    return wakes
            case Requested(prompt_id=of) if of == prompt_id:
                return False
    return False


def may_begin(message: Message, prompt_id: str) -> bool:
    """Whether the turn with this id can have begun with this line: a tool's result is in its midst, and so is the text
    of a skill that a tool has loaded."""
    if not _is_users(message) or message.get("promptId") != prompt_id or "sourceToolUseID" in message:
        return False
    return not any(block.get("type") == "tool_result" for block in _blocks(message))


def has_prompt_ids(from_end: Iterable[Message]) -> bool:
    """Whether the client that wrote last writes down of which turn a line is, or has left nothing to tell that by."""
    newest = next((line for line in from_end if _is_users(line) and line.get("isMeta") is not True), None)
    return newest is None or _prompt_id(newest) is not None


def _is_users(message: Message) -> bool:
    return message.get("type") == "user" and message.get("isSidechain") is not True


def of_subagent(message: Message, session_id: str) -> Replied | None:
    """The answer that a line of a subagent's own transcript tells of, if it works for this session."""
    if message.get("type") != "assistant" or message.get("sessionId") != session_id:
        return None
    return next((entry for entry in _assistant(moment(message), message) if isinstance(entry, Replied)), None)


def _entries(message: Message, *, edits: bool) -> Iterator[Entry]:
    if message.get("isSidechain") is True:
        return iter(())
    match message.get("type"):
        case "assistant":
            return _assistant(moment(message), message)
        case "user":
            return _user(moment(message), message, edits=edits)
        case "queue-operation":
            return _queue(moment(message), message)
        case "attachment":
            return _attachment(moment(message), _dict(message, "attachment"))
        case "system" if message.get("subtype") == "compact_boundary":
            return iter((Compacted(moment(message)),))
    return iter(())


def _assistant(at: float, line: Message) -> Iterator[Entry]:
    body = _dict(line, "message")
    by_client = body.get("model") == "<synthetic>"
    used = {} if by_client else _dict(body, "usage")
    failed = line.get("isApiErrorMessage") is True
    ends, by = _ends(line, body.get("stop_reason")), _word(line.get("entrypoint"))
    yield Replied(at, _word(body.get("id")), _tokens(used), _model(line, body), failed, _weight(used), ends, by)
    for block in _blocks(line):
        match block.get("type"):
            case "text" if text := _text(block):
                yield Spoke(at, text, by_client)
            case "tool_use" if not by_client:
                yield Called(at, _word(block.get("id")), _word(block.get("name")), _dict(block, "input"))


def _ends(line: Message, reason: object) -> bool | None:
    if line.get("isAbortedMidStream") is True:
        return False
    return reason not in _GOES_ON if isinstance(reason, str) else None


def _user(at: float, line: Message, *, edits: bool) -> Iterator[Entry]:
    blocks = _blocks(line)
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if results:
        # The client's record is of one call, and does not say of which.
        record = line.get("toolUseResult") if edits and len(results) == 1 else None
        for block in results:
            yield _returned(at, line, block, record)
        for words in filter(None, map(_human_words, map(_text, blocks))):
            yield Remarked(at, words)
    elif (request := _request(line, blocks)) is not None:
        yield _asked(at, line, request)
    else:
        text = _joined(blocks)
        meta = line.get("isMeta") is True
        yield Noted(at, text, meta, _prompt_id(line), _wakes(line), meta and _accompanies(line, text))
        yield from endings(at, text)


def _asked(at: float, line: Message, text: str) -> Requested | Remarked | Noted:
    """A request, unless ccc itself has said it so that the agent goes on with the one before."""
    words = own_words.without(text)
    if words == text:
        return Requested(at, text, _prompt_id(line))
    return Remarked(at, words) if words else Noted(at, text, False, _prompt_id(line))


def _prompt_id(line: Message) -> str | None:
    found = line.get("promptId")
    return found if isinstance(found, str) else None


def _queue(at: float, line: Message) -> Iterator[Entry]:
    text = _plain(line.get("content"))
    yield Queued(at, _word(line.get("operation")), text, _typed_words(text))
    yield from endings(at, text)


def _attachment(at: float, attached: Message) -> Iterator[Entry]:
    match attached:
        case {"type": "queued_command"}:
            yield from _queued_command(at, attached)
        case {"type": "hook_cancelled", "hookEvent": "Stop", "timedOut": True}:
            yield OutOfTime(at)


def _queued_command(at: float, attached: Message) -> Iterator[Entry]:
    text = _plain(attached.get("prompt"))
    yield from endings(at, text)
    if _is_human(attached) and attached.get("commandMode", "prompt") == "prompt" and (words := _typed_words(text)):
        yield Remarked(at, words)


# --- which user lines are requests -------------------------------------------------------------------------------


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GOES_ON = ("tool_use", "pause_turn")
_INTERFACE_TAGS = r"ide_\w+|system-reminder"
_SPACE = pattern(r"\s+")
_INTERRUPTION = "[Request interrupted"
_NOT_HUMAN = (
    _INTERRUPTION,
    "[Tool call ",
    "[Agent call ",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<bash-notification>",
    "<agent-notification>",
    "<teammate-message",
    '{"task_id"',
    "<user-memory-input>",
    "Caveat: The messages below",
    "Stop hook feedback",
    "This session is being continued from a previous conversation",
)
# What the client or another agent puts there has a tag or a record of its own, and new ones come.
_BY_CLIENT = pattern(
    r"<(?!command-)[a-z]+(?:-[a-z]+)*-(?:notification|message|result|output|event|update)[\s>]"
    r"|\{\s*\"(?:task_?id|agent_?id|taskId|bash_id|shell_id)\"\s*:|\[?(?:Message|Update) from (?:teammate|agent)\b"
)
_OF_CLIENT = ("task-notification", "auto-continuation")
_TURNS_OF_PERSON = ("human", "sdk", "unknown")
_TURNS_OF_CLIENT = ("scheduled", "task_notification", "auto_continuation", "host_synthetic", "system")
_COMMAND = pattern(r"<command-name>\s*+/?([^<\s]*+)\s*+</command-name>")
_COMMAND_LINE = pattern(r"\A<command-(?:message|name)>")
_OWN_COMMAND = pattern(r"<bash-(?:input|stdout|stderr)>|<local-command-std(?:out|err)>|<command-(?:message|name)>")
# The client's own commands, which no model answers. /goal and /plan with words are requests.
LOCAL_COMMANDS = _names(
    """
    add-dir advisor agents allowed-tools app approved-tools artifacts auto-mode-setup autocompact background
    bashes bg branch brief btw bug cd checkpoint chrome clear cloud-plugins color compact config context continue
    copy cost daemon desktop diff doctor effort env exit export extra-usage fast feedback files focus fork goal
    heapdump help hooks ide import install install-github-app install-slack-app keybindings list-agents login
    logout loops mcp memory migrate-installer mobile model new output-style output-style:new passes pause-memory
    permissions plan plugin plugins powerup privacy-settings project quit radio rate-limit-options recap
    release-notes reload-plugins reload-skills remote-control remote-env rename reset restart resume rewind
    sandbox scroll-speed session settings setup-bedrock setup-vertex skill-doctor skills stats status statusline
    stickers stop subtask tag tasks teleport terminal-setup theme todos tui undo upgrade usage usage-credits
    version vim voice web-setup wellbeing workflows
    """
)
_WORKING_COMMANDS = frozenset({"goal", "plan"})


def _request(line: Message, blocks: list[dict[str, Any]]) -> str | None:
    """The words of the request that this user line is, or None."""
    if any(line.get(flag) is True for flag in ("isCompactSummary", "isVisibleInTranscriptOnly", "isMeta")):
        return None
    # Tasks, crons, plugins, other agents and relayed channels have kinds of their own, and new ones come.
    if line.get("promptSource") == "system" or not _is_human(line):
        return None
    # Only what begins a turn of the model's has an origin (from 2.1.326): a command that the client answers has none,
    # whatever a project calls one of its own.
    words = _human_words(_joined(blocks), begins_turn="turnOrigin" in line)
    if words:
        return words
    return IMAGE if any(block.get("type") == "image" for block in blocks) else None


def _wakes(line: Message) -> bool:
    """Whether the client alone can have begun a turn with this; behind a relayed channel there may be a person."""
    of_client = line.get("promptSource") == "system" or _dict(line, "origin").get("kind") in _OF_CLIENT
    by_itself = _is_scheduled(line) or line.get("turnOrigin") in _TURNS_OF_CLIENT
    return (of_client or by_itself) and not _is_accepted_plan(line)


def _accompanies(line: Message, text: str) -> bool:
    """Whether the client has put this beside what begins a turn: 2.1.326 names there the tools of a subagent."""
    return line.get("turnCompanion") is True or bool(text and not _without_notes(text).strip())


def _is_human(line: Message) -> bool:
    origin = (
        _dict(line, "origin").get("kind", "human") == "human" and line.get("turnOrigin", "human") in _TURNS_OF_PERSON
    )
    return (origin and not _is_scheduled(line)) or _is_accepted_plan(line)


def _is_scheduled(line: Message) -> bool:
    """Whether a cron or a timer has put this there, of the agent's or of a file of the project's: a command that it
    calls has no other mark."""
    return any(isinstance(line.get(key), str) for key in ("wakeupSource", "scheduledTaskId", "scheduledFireId"))


def _is_accepted_plan(line: Message) -> bool:
    """Whether the person has had a plan begun with a clean context: a session of its own, whose request it is."""
    return isinstance(line.get("planContent"), str) and bool(line["planContent"])


def _human_words(text: str, *, begins_turn: bool = False) -> str:
    """What a person typed in this text; empty when the interface wrote it."""
    text = _without_notes(text).strip()
    if text.startswith(_NOT_HUMAN) or _BY_CLIENT.match(text):
        return ""
    if _COMMAND_LINE.match(text) and (command := _COMMAND.search(text)):
        return _command_words(command[1], text, begins_turn=begins_turn)
    return text


def _typed_words(text: str) -> str:
    """The same of what was typed meanwhile: a command that the client answers itself says nothing to the agent."""
    words = _human_words(text)
    name = words[1:].split(None, 1)[0] if words.startswith("/") and words[1:].strip() else ""
    return "" if name in LOCAL_COMMANDS and name not in _WORKING_COMMANDS else words


def _without_notes(text: str) -> str:
    """The text without what the interface put into it."""
    kept, at = [], 0
    for start, end, _, _ in elements(text, _INTERFACE_TAGS):
        kept.append(text[at:start])
        space = _SPACE.match(text, end)
        at = space.end() if space else end
    return "".join((*kept, text[at:]))


def _command_words(name: str, text: str, *, begins_turn: bool) -> str:
    args = next((content.strip() for _, _, _, content in elements(text, "command-args")), "")
    if name in LOCAL_COMMANDS and not begins_turn and not (name in _WORKING_COMMANDS and args):
        return ""
    return f"/{name} {args}".strip()


# --- results -----------------------------------------------------------------------------------------------------


def _returned(at: float, line: Message, block: Message, record: object) -> Returned:
    result = _result(line, block)
    edit = _edit(record) if block.get("is_error") is not True else None
    return Returned(at, _word(block.get("tool_use_id")), result, edit, _closing(line))


def _closing(line: Message) -> Closing:
    if any(block.get("is_error") is True for block in _blocks(line)):
        return Closing.NOT
    if line.get("toolEndsTurn"):
        return Closing.FINAL
    told = _dict(_dict(line, "mcpMeta"), "_meta")
    if told.get("claude/endTurn") is not True:
        return Closing.NOT
    return Closing.HEEDING if told.get("claude/endTurnHonorsStopHooks") is True else Closing.FINAL


def _result(line: Message, block: Message) -> Result:
    text = _plain(block.get("content"))
    extra = line.get("toolUseResult")
    details = extra if isinstance(extra, dict) else {}
    found = judged(
        text,
        is_error=block.get("is_error") is True,
        refused=line.get("toolDenialKind") not in (None, "interrupted") or extra == "User rejected tool use",
        # 1.x wrote no exit code: there an error without one is the command's own.
        codes_written=not _word(line.get("version")).startswith("1."),
    )
    task = details.get("backgroundTaskId")
    if isinstance(task, str) and task and found.fate is Fate.DONE:
        return Result(Fate.STARTED, task=task)
    if details.get("interrupted") is True and found.fate in (Fate.DONE, Fate.FAILED):
        return Result(Fate.UNKNOWN, found.output)
    return found


def _edit(record: object) -> Edit | None:
    match record:
        case {"filePath": str(path), "structuredPatch": list(patch)}:
            before = _before(record)
            return Edit(path, before, _after(before, record), tuple(_hunks(patch)))
    return None


def _before(record: object) -> str | None:
    match record:
        case {"originalFile": str(text)}:
            return text if len(text) <= FILE_KEPT else None
        case {"type": "create"}:
            return ""
    return None


def _after(before: str | None, record: object) -> str | None:
    match record:
        case {"content": str(text)}:
            return text if len(text) <= FILE_KEPT else None
        case {"oldString": str(old), "newString": str(new), **rest} if before is not None and old in before:
            return before.replace(old, new, -1 if rest.get("replaceAll") is True else 1)
    return None


def _hunks(patch: list[object]) -> Iterator[str]:
    for hunk in patch:
        match hunk:
            case {"oldStart": int(old), "newStart": int(new), "lines": list(lines)}:
                yield f"@@ -{old} +{new} @@"
                yield from (line for line in lines if isinstance(line, str))


# --- pieces of a line --------------------------------------------------------------------------------------------


def _dict(message: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = message.get(key)
    return value if isinstance(value, dict) else {}


def _blocks(line: Message) -> list[dict[str, Any]]:
    content = _dict(line, "message").get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(block: Message) -> str:
    text = block.get("text")
    return text if isinstance(text, str) and block.get("type") == "text" else ""


def _joined(blocks: Iterable[Message]) -> str:
    return "\n".join(filter(None, map(_text, blocks)))


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(_text(part) for part in parts if isinstance(part, dict))


def _word(value: object) -> str:
    # Not str(): Python cannot write out every nesting that JSON can hold.
    return value if isinstance(value, str) else ""


def moment(line: Message) -> float:
    """When it was written, by its own account; 0 where it does not say."""
    try:
        told = datetime.fromisoformat(_word(line.get("timestamp")))
        return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        return 0.0


def _model(line: Message, body: Message) -> str | None:
    asked = line.get("requestedModel")
    if isinstance(asked, str) and asked:
        return asked
    named = body.get("model")
    # What a foreign server calls itself need not be a name it can be asked for.
    return named if isinstance(named, str) and named.startswith("claude-") else None


_COUNTS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def _tokens(usage: Mapping[str, Any]) -> int:
    return sum(_count(usage, name) for name in _COUNTS) if usage else 0


def _weight(usage: Mapping[str, Any]) -> float:
    if not usage:
        return 0.0
    hour = _count(_dict(usage, "cache_creation"), "ephemeral_1h_input_tokens")
    return pricing.weight((_count(usage, name) for name in _COUNTS), hour)


def _count(usage: Mapping[str, Any], name: str) -> int:
    count = usage.get(name)
    return count if type(count) is int and 0 < count < 2**53 else 0
