"""The client's transcript file: the current request from its end, or the whole session.

Rule: opened once for whoever asks, and read no further than a bound; the current request is read no further back than
it reaches, of one that is longer than the bound only what counts, and only who asks for all of the person's words pays
for the rest. What a line means is the business of
transcript_lines.py, what they tell together of transcript_moments.py.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, dropwhile
from pathlib import Path
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import jsonlines
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import encodable
from ccc.claude import transcript_lines, transcript_moments
from ccc.claude.conversation import Call, Conversation, Ending, Kept, Moment, Said, Spent
from ccc.claude.transcript_lines import Closing, Line, Replied, Requested
from ccc.model import Aside, Tally

WINDOW_LIMIT = 64 * 1024 * 1024
EARLIER_LIMIT = 4 * 1024 * 1024  # before the current request: what still holds is seldom older
LONG_LIMIT = 256 * 1024 * 1024  # since the last stop, and of that only what counts: for a request beyond the window
SESSION_LIMIT = 128 * 1024 * 1024
FIRST_WORDS = 1024 * 1024  # of a file that is longer than the window
WAIT_SECONDS = 0.3
POLL_SECONDS = 0.01
STEADY_POLLS = 4
LATE_SECONDS = 1.0  # for a client that is too busy to write
OLDER_AGENT = "Task"  # the tool of clients that may keep a subagent's transcript beside the session's


Sized = Iterator[tuple[int, dict[str, object]]]


class Known(Struct, frozen=True):
    """What the last stop has left: the id of its request, and what that had used by then."""

    prompt_id: str | None = None
    tally: Tally = Tally()

    def has(self, prompt_id: str | None) -> bool:
        """Whether the turn with this id is of that request, for all that is known."""
        return bool(prompt_id) and prompt_id in (self.prompt_id, self.tally.turn)

    def before(self, prompt_id: str | None) -> str | None:
        """The id of that request, where the turn with this one goes on with it."""
        return self.prompt_id if self.prompt_id != prompt_id else None


class _Window(Struct):
    """The lines of the last request, in the order of the file, and what can be read on before it; not `whole` where it
    begins before all that was read. `unasked`: nobody has asked for anything in this file, and what the client began
    by itself is one request, from its first turn on."""

    lines: list[Line]
    whole: bool
    before: Sized
    unasked: bool = False

    def is_of(self, prompt_id: str | None) -> bool:
        """Whether the turn with this id may belong here: who has begun one that no line of the person's began, and
        that is none of the client's own, nobody can tell."""
        return not self.unasked or bool(prompt_id and transcript_lines.began_by_itself(self.lines, prompt_id))


class Reading(Struct, frozen=True):
    """What one look at the file tells: the request that the agent is about to end with all that followed, and the
    model that its last answer was asked of. None is what the file cannot tell. `own_command` when the turn is no part
    of any request: the person ran a command of their own, and the agent used no tool since."""

    conversation: Conversation | None = None
    model: str | None = None
    own_command: bool = False
    context: int = 0  # the tokens of the last answer with all that was read for it: how long the conversation is
    answer: str = ""  # what the client knows the last answer by, where it has arrived
    goes_on: str | None = None  # the id of the person's request, where this turn is one that nobody asked for
    tally: Tally | None = None  # of the request


class Transcript:
    """One session's file, which stays open from the first look to the end of the `with` block."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._held = ExitStack()
        self._open: int | None = None
        self._typed = 0, ""  # and how long the file was then
        self._ended = 0, frozenset[str]()  # likewise
        self._before: Sized = iter(())  # what stands before the request, read by whoever asks for it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def at_stop(
        self,
        last_message: str | None = None,
        prompt_id: str | None = None,
        *,
        before: str = "",
        known: Known = Known(),
        timeout: float = WAIT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Reading:
        """Everything that a Stop needs of the file.

        At a Stop the file often lacks the last answer for some 70 ms, and the request before it too; a new session's
        may not be there at all. When it does not come in time, the conversation ends with `last_message` and is not
        `complete`: tool calls may be missing as well. The answer of the stop `before` is not this one's, though it may
        be the same in words.
        """
        deadline = clock() + timeout
        fd = self._appears(deadline, clock, sleep)
        if fd is None:
            return Reading()
        arrived = _arrives(fd, last_message, before, timeout=deadline - clock(), clock=clock, sleep=sleep)
        size = os.fstat(fd).st_size
        window = _window(fd, WINDOW_LIMIT, frozenset())
        lines, self._before = window.lines, window.before
        # An answer without a model, which the client made up, may be all that the request has.
        model = _model(reversed(lines)) or _model(_from_end(fd))
        # Where the last answer has not arrived, neither may have the tools before it.
        own = arrived and transcript_lines.answers_own_command(_from_end(fd), prompt_id)
        context = _context(reversed(lines))
        answer = _answer(fd) if arrived else ""
        if not window.is_of(prompt_id) or (not window.whole and size <= WINDOW_LIMIT):
            return Reading(None, model, own, context, answer)
        reader = _fed(lines)
        self._typed = size, reader.waiting
        found = reader.conversation()
        if window.whole:
            goes_on = known.before(prompt_id) if window.unasked else self._goes_on(lines, prompt_id)
            tally = _tally(lines, found)
            if known.has(prompt_id) and 0 < known.tally.read <= size:
                tally = tally.never_below(_Since(fd, size, known, prompt_id).tally)
        else:
            rest = _Since(fd, size, known, prompt_id)
            tally, goes_on, found = rest.tally, rest.goes_on, rest.begun(found)
        same = known.has(prompt_id) or (goes_on is not None and goes_on == known.prompt_id)
        tally = self._with_subagents(tally, known.tally.asides if same else {}, lines, found)
        tally = replace(tally, read=size, turn=prompt_id or "")
        if arrived:
            return Reading(found, model, own, context, answer, goes_on, tally)
        said = (Said(last_message),) if last_message else ()
        found = replace(found, moments=(*found.moments, *said), complete=False)
        return Reading(found, model, context=context, goes_on=goes_on, tally=tally)

    def _with_subagents(
        self, tally: Tally, known: Mapping[str, Aside], lines: Sequence[Line], found: Conversation
    ) -> Tally:
        """With what its subagents have used, whose transcripts nobody looks for where there are none."""
        if self._path is None:
            return tally
        own = self._path.with_suffix("") / "subagents"
        older = any(isinstance(moment, Call) and moment.name == OLDER_AGENT for moment in found.moments)
        if not (older or own.is_dir()):
            return replace(tally, asides=known)
        from ccc.claude.subagents import Places, counted

        owned = {entry.message for line in lines for entry in line.entries if isinstance(entry, Replied)}
        places = Places(self._path.stem, own, self._path.parent if older else None)
        return counted(tally, places, known, owned)

    def _appears(self, deadline: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> int | None:
        while (fd := self._fd) is None and self._path and clock() < deadline:
            sleep(POLL_SECONDS)
        return fd

    def _goes_on(self, lines: Sequence[Line], prompt_id: str | None) -> str | None:
        """The id of the request that these lines begin with, if the turn with the other id began by itself."""
        if self._fd is None or not prompt_id or not transcript_lines.began_by_itself(lines, prompt_id):
            return None
        # What looks like a request may be written in the midst of a turn, to hide how it began.
        own = prompt_id.encode(errors="replace")
        told = jsonlines.from_both_ends(self._fd, FIRST_WORDS, WINDOW_LIMIT, worth=lambda line: own in line)
        whole = filter(None, map(transcript_lines.understood, told))
        return _request_id(lines[0]) if transcript_lines.began_by_itself(whole, prompt_id) else None

    def context(self) -> int:
        return _context(_from_end(self._fd)) if self._fd is not None else 0

    def typed(self) -> str:
        """What the person has typed by now and the agent has not been given: the client writes it down at once."""
        if self._fd is None:
            return ""
        size = os.fstat(self._fd).st_size
        if size != self._typed[0]:
            self._typed = size, _fed(_window(self._fd, WINDOW_LIMIT, frozenset()).lines).waiting
        return self._typed[1]

    def ended(self) -> frozenset[str]:
        """Background work that has ended by now: the client writes it down at once, and tells the agent later."""
        if self._fd is None:
            return frozenset()
        size = os.fstat(self._fd).st_size
        if size != self._ended[0]:
            entries = (entry for line in _from_end(self._fd) for entry in line.entries)
            self._ended = size, frozenset(entry.task for entry in entries if isinstance(entry, Ending))
        return self._ended[1]

    def after(self, prompt_id: str | None, answer: str) -> Line | None:
        """What the conversation went on with behind the agent's answer to this prompt, by now; None when it did not."""
        if self._fd is None or prompt_id is None:
            return None
        return transcript_lines.gone_on(_from_end(self._fd), prompt_id, answer)

    def answer(
        self,
        last_message: str | None,
        *,
        before: str,
        timeout: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> str:
        """The answer of a Stop, if the file ends with it by then; as in `at_stop`."""
        deadline = clock() + timeout
        while not (found := self._ends_with(last_message, before)) and clock() < deadline:
            sleep(POLL_SECONDS)
        return found

    def _ends_with(self, last_message: str | None, before: str) -> str:
        fd = self._fd
        return _answer(fd) if fd is not None and _has_arrived(fd, last_message, before, rested=True) else ""

    def holds(
        self,
        last_message: str | None,
        prompt_id: str | None,
        *,
        before: str,
        timeout: float = LATE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> bool:
        """Whether what was asked and answered last stands in this file, and in the one that is found at its path by
        now, so that whoever went on with the conversation has seen it; what the client does not tell is not asked for.
        """
        deadline = clock() + timeout
        while not self._has(last_message, prompt_id, before):
            if clock() >= deadline:
                return False
            sleep(POLL_SECONDS)
        return True

    def _has(self, last_message: str | None, prompt_id: str | None, before: str) -> bool:
        if self._path is None:
            return True
        with jsonlines.opened(self._path) as now:
            same = now is not None and self._fd is not None and os.path.sameopenfile(now, self._fd)
            looked = (now,) if same or self._fd is None else (now, self._fd)
            return all(
                fd is not None and _is_said(fd, last_message, before) and _is_asked(fd, prompt_id) for fd in looked
            )

    def is_closed(self, before: str) -> bool:
        """Whether a tool has ended the turn by now, so that the client heeds no Stop hook; not the turn of the stop
        `before`."""
        if self._fd is None or transcript_lines.closing(_from_end(self._fd)) is not Closing.FINAL:
            return False
        return not before or _answer(self._fd) != before

    def words(self) -> tuple[str, ...]:
        """All that the person has said in this session, before and after any compaction."""
        if self._fd is None:
            return ()
        found = jsonlines.from_both_ends(self._fd, FIRST_WORDS, WINDOW_LIMIT, worth=transcript_lines.may_be_said)
        return transcript_moments.words(found)

    def earlier(self) -> tuple[Moment, ...]:
        """What came before the request that at_stop() told of, as far back as it is worth the time; once."""
        return _moments(self._before)

    @property
    def _fd(self) -> int | None:
        """The file, from the first time that it is there."""
        if self._open is None and self._path:
            self._open = self._held.enter_context(jsonlines.opened(self._path))
        return self._open


def current_request(
    path: Path | None, last_message: str | None = None, *, timeout: float = WAIT_SECONDS
) -> Conversation | None:
    """The request that the agent is about to end, with all that followed; None when the file cannot tell."""
    with Transcript(path) as file:
        return file.at_stop(last_message, timeout=timeout).conversation


def last_request(path: Path, feedback: Collection[str] = ()) -> Conversation | None:
    """As the file has it now. In pty mode `feedback` stands there as a user's line, which begins no request."""
    echoes = {_plain(text) for text in feedback}
    with jsonlines.opened(path) as fd:
        lines = request_window(fd, echoes=echoes) if fd is not None else None
    return _fed(line for line in lines if not _is_echo(line, echoes)).conversation() if lines else None


def words(path: Path, feedback: Collection[str] = ()) -> tuple[str, ...]:
    """All that the person has said in the session, without `feedback` that stands there as a user's line."""
    echoes = {_plain(text) for text in feedback}
    with Transcript(path) as file:
        return tuple(text for text in file.words() if _plain(text) not in echoes)


def context(path: Path | None) -> int:
    """How long the conversation is, in tokens, by its last answer; 0 when the file does not tell."""
    with Transcript(path) as file:
        return file.context()


def before_last_request(path: Path, feedback: Collection[str] = ()) -> tuple[Moment, ...]:
    """What came before the request that last_request() tells of."""
    echoes = {_plain(text) for text in feedback}
    with jsonlines.opened(path) as fd:
        return _moments(_window(fd, WINDOW_LIMIT, echoes).before, echoes) if fd is not None else ()


def of_session(projects: Path, session_id: str) -> Path | None:
    """Where the client keeps the transcript of a session, for a mode that is not told."""
    return next((path for path in all_of_session(projects, session_id) if _written(path) is not None), None)


def all_of_session(projects: Path, session_id: str) -> list[Path]:
    """Whatever has the name of its transcript: only one is the client's own."""
    return sorted(projects.glob(f"*/{session_id}.jsonl"))


def is_followed(
    projects: Path,
    forks: Collection[str],
    answer: str,
    last_message: str | None,
    *,
    timeout: float = LATE_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Whether the forks have gone on with this answer of the model's, by its id or, where that is not known, its words.
    One that came to nothing may have left no file."""
    if not forks or not (answer or last_message):
        return True
    deadline = clock() + timeout
    while not (found := _gone_on_from(projects, forks, answer, last_message)) and clock() < deadline:
        sleep(POLL_SECONDS)
    return found


def _gone_on_from(projects: Path, forks: Collection[str], answer: str, last_message: str | None) -> bool:
    paths = [path for fork in forks for path in all_of_session(projects, fork)]
    return bool(paths) and all(_goes_on_from(path, answer, last_message) for path in paths)


def _goes_on_from(path: Path, answer: str, last_message: str | None) -> bool:
    with jsonlines.opened(path) as fd:
        if fd is None or not answer or _gives_new_ids(fd):
            return fd is not None and _is_said(fd, last_message, "")
        own = answer.encode(errors="replace")
        told = jsonlines.from_both_ends(fd, FIRST_WORDS, WINDOW_LIMIT, worth=lambda line: own in line)
        return any(message.get("uuid") == answer for message in told)


def _gives_new_ids(fd: int) -> bool:
    """2.0.76 does, to a conversation that it is given by its file, and follows no pointers in it."""
    versions = (message.get("version") for message in jsonlines.from_end(fd))
    return str(next(filter(None, versions), "")).startswith("2.0.")


def newest(projects: Path, cwd: Path) -> Path | None:
    """The conversation that -c goes on with: the last one that was written in this folder."""
    found = ((_written(path), path) for path in (projects / named_after(cwd)).glob("*.jsonl"))
    return max(((at, path) for at, path in found if at is not None), default=(0, None))[1]


def _written(path: Path) -> float | None:
    """None where there is no plain file: a link that leads nowhere, or a folder."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime if stat.S_ISREG(found.st_mode) else None


def as_resumed(session_id: str, path: Path | None, cwd: Path) -> str:
    """What a client in this folder is to go on with. By its id it finds a conversation that is kept for the folder it
    works in; one of elsewhere no client before 2.1.325 finds, and later ones may take whatever lies nearer under that
    id. So does none that is given the file (2.0.76 to 2.1.326)."""
    elsewhere = path is not None and path.suffix == ".jsonl" and path.parent.name != named_after(cwd)
    return str(path) if elsewhere else session_id


def refuse_several(projects: Path, session_id: str) -> None:
    """An error where nobody can tell which file is the session's: the client moves it with a worktree, and leaves none
    behind."""
    found = all_of_session(projects, session_id)
    if len(found) > 1:
        raise CccError(
            msg(
                "{path} and {other} have the id of this session, and only one is its conversation",
                path=found[0],
                other=found[1],
            ),
            msg("look at them, and move the other one away"),
        )


def named_after(cwd: Path) -> str:
    """The folder of conversations that the client keeps for this one: every odd character is a dash, and one beyond
    U+FFFF two of them, for it counts in UTF-16. A long name is cut, and a hash of all of it put behind."""
    units = str(cwd.resolve()).encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    name = re.sub(r"[^A-Za-z0-9]", "-", "".join(map(chr, codes)))
    return name if len(name) <= NAME_LENGTH else f"{name[:NAME_LENGTH]}-{_hashed(codes)}"


NAME_LENGTH = 200


def _hashed(codes: Iterable[int]) -> str:
    """As JavaScript reckons with 32 bits and a sign, in base 36."""
    found = 0
    for code in codes:
        found = (found * 31 + code) & 0xFFFFFFFF
    number, digits = min(found, 2**32 - found), ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def session(path: Path, kept: Kept) -> tuple[Moment | Spent, ...]:
    """Every request and what followed it; nothing when the file cannot be read."""
    with jsonlines.opened(path) as fd:
        return transcript_moments.history(jsonlines.from_start(fd, SESSION_LIMIT), kept) if fd is not None else ()


def request_window(fd: int, limit: int = WINDOW_LIMIT, *, echoes: Collection[str] = frozenset()) -> list[Line] | None:
    """The lines from the last request on, in the order of the file; None when no request begins within `limit`."""
    window = _window(fd, limit, echoes)
    return window.lines if window.whole else None


def _window(fd: int, limit: int, echoes: Collection[str]) -> _Window:
    lines: list[Line] = []
    messages = jsonlines.sized_from_end(fd, limit)
    for _, message in messages:
        line = transcript_lines.understood(message)
        if line is None:
            continue
        lines.append(line)
        if line.begins_request and not _is_echo(line, echoes):
            return _Window(lines[::-1], whole=True, before=messages)
    return _unasked(lines[::-1], whole=os.fstat(fd).st_size <= limit)


def _unasked(lines: list[Line], *, whole: bool) -> _Window:
    """Of lines without a request: a whole file may be one of turns that the client began."""
    woken = list(dropwhile(lambda line: not line.wakes, lines)) if whole else []
    return _Window(woken or lines, whole=bool(woken), before=iter(()), unasked=bool(woken))


class _Since:
    """What stands in the file since the last stop, as far as it counts: of a request that is longer than the window, or
    that goes on. A request that begins in there is counted from there, and any other one on from what was known."""

    def __init__(self, fd: int, size: int, known: Known, prompt_id: str | None) -> None:
        start = known.tally.read if known.tally.read <= size else 0
        found = jsonlines.since(fd, start, LONG_LIMIT, worth=transcript_lines.may_be_counted)
        lines = list(filter(None, map(transcript_lines.understood, found)))
        self._is_same = known.has(prompt_id)
        begins = [at for at, line in enumerate(lines) if line.begins_request] if not (self._is_same and start) else []
        self._lines, self._request = lines[begins[-1] if begins else 0 :], lines[begins[-1]] if begins else None
        self._reaches = bool(begins) or size - start <= LONG_LIMIT
        self._all, self._known, self._prompt_id = lines, known, prompt_id
        self._base = known.tally if start and not begins else Tally()

    @property
    def tally(self) -> Tally:
        found, base = _tally(self._lines, _fed(self._lines).conversation()), self._base
        whole = base.plus(found.tokens, found.weight, found.model)
        return replace(whole, began=base.began or found.began, at_least=base.at_least or not self._reaches)

    @property
    def goes_on(self) -> str | None:
        """As in `Transcript._goes_on`; where nobody sees how the turn began, it is no new request."""
        if self._is_same:
            return self._known.before(self._prompt_id)
        if not self._prompt_id:
            return None
        if self._reaches and not transcript_lines.began_by_itself(self._all, self._prompt_id):
            return None
        return _request_id(self._request) if self._request else self._known.prompt_id

    def begun(self, found: Conversation) -> Conversation:
        """The end of the request, with its words where they are known."""
        asked = _fed([self._request] if self._request else []).conversation().moments
        return replace(found, moments=(*asked, *found.moments), whole=False)


def _tally(lines: Sequence[Line], found: Conversation) -> Tally:
    began = next((entry.at for line in lines for entry in line.entries if entry.at), 0.0)
    return Tally(tokens=found.tokens, weight=found.weight, model=_model(reversed(lines)) or "", began=began)


def _moments(before: Sized, echoes: Collection[str] = frozenset(), limit: int = EARLIER_LIMIT) -> tuple[Moment, ...]:
    lines: list[Line] = []
    for size, message in before:
        limit -= size
        if limit < 0:
            break
        line = transcript_lines.understood(message)
        if line and not _is_echo(line, echoes):
            lines.append(line)
    return _fed(reversed(lines)).conversation().moments


def _is_echo(line: Line, echoes: Collection[str]) -> bool:
    asked = [entry.text for entry in line.entries if isinstance(entry, Requested)] if echoes else []
    return any(_plain(text) in echoes for text in asked)


def _plain(text: str) -> str:
    return " ".join(encodable(text).split())


def _from_end(fd: int, limit: int = jsonlines.TAIL_LIMIT) -> Iterator[Line]:
    return filter(None, map(transcript_lines.understood, jsonlines.from_end(fd, limit)))


def _request_id(line: Line) -> str | None:
    return next((entry.prompt_id for entry in line.entries if isinstance(entry, Requested)), None)


def _fed(lines: Iterable[Line]) -> transcript_moments.Reader:
    reader = transcript_moments.Reader()
    for line in lines:
        reader.feed(line)
    return reader


def _answer(fd: int) -> str:
    """What the client knows the last answer in the file by."""
    last = transcript_lines.last_answer(_from_end(fd))
    return last.uuid if last else ""


def _model(lines_from_end: Iterable[Line]) -> str | None:
    return next(filter(None, (line.model for line in lines_from_end)), None)


def _context(lines_from_end: Iterable[Line]) -> int:
    answers = (entry.tokens for line in lines_from_end for entry in line.entries if isinstance(entry, Replied))
    return next(filter(None, answers), 0)


def _arrives(
    fd: int,
    last_message: str | None,
    before: str,
    *,
    timeout: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> bool:
    """Whether the file ends with the agent's last message, or comes to do so in time.

    Clients before 2.1.100 do not tell what that message is: then the end must be words and stay so for a moment.
    """
    deadline = clock() + timeout
    seen, steady = None, 0
    while True:
        size = os.fstat(fd).st_size
        steady = steady + 1 if size == seen else 0
        # Only a file that has changed is worth another look, but without a message to compare time itself tells.
        rested = steady >= STEADY_POLLS or timeout <= 0
        if (size != seen or last_message is None) and _has_arrived(fd, last_message, before, rested=rested):
            return True
        if clock() >= deadline:
            return False
        seen = size
        sleep(POLL_SECONDS)


def _has_arrived(fd: int, last_message: str | None, before: str, *, rested: bool) -> bool:
    words = transcript_lines.ends_with_words(_from_end(fd))
    if before and _answer(fd) == before:
        return False
    if words is None:  # of a turn that a tool has ended the client tells no words
        return rested and last_message is None and bool(transcript_lines.closing(_from_end(fd)))
    if last_message is None:
        return rested
    there, wanted = transcript_lines.compared(words), transcript_lines.compared(last_message)
    return there == wanted or (bool(wanted) and there.endswith(wanted))


def _is_said(fd: int, last_message: str | None, before: str) -> bool:
    words = transcript_lines.compared(last_message or "")
    return not words or transcript_lines.said(_from_end(fd), words, before)


def _is_asked(fd: int, prompt_id: str | None) -> bool:
    if not prompt_id or os.fstat(fd).st_size > FIRST_WORDS + WINDOW_LIMIT:
        return True
    own = prompt_id.encode(errors="replace")
    told = jsonlines.from_both_ends(fd, FIRST_WORDS, WINDOW_LIMIT, worth=lambda line: own in line)
    begun = any(transcript_lines.may_begin(message, prompt_id) for message in chain(jsonlines.from_end(fd), told))
    return begun or not transcript_lines.has_prompt_ids(jsonlines.from_end(fd))
