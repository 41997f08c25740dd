"""The lines of a transcript, one after another, as moments.

Rule: pure; what a line means is transcript_lines.py's business. Nothing but calls and their results reaches from one
request into the next, so that the last request read alone is the last one of the whole file.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from ccc.claude.conversation import Asked, Conversation, Ending, Kept, Moment, Recorder, Spent
from ccc.claude.transcript_lines import (
    Called,
    Compacted,
    Entry,
    Line,
    Message,
    Noted,
    Queued,
    Remarked,
    Replied,
    Requested,
    Returned,
    Spoke,
    understood,
)


class Reader:
    """Fed with lines in the order of the file."""

    def __init__(self, kept: Kept | None = None) -> None:
        self._recorder = Recorder(kept)
        self._queue: OrderedDict[str, Queued] = OrderedDict()
        self._seen: set[str] = set()

    def feed(self, line: Line) -> None:
        if line.uuid:
            if line.uuid in self._seen:  # a resumed session may copy its history
                return
            self._seen.add(line.uuid)
        for entry in line.entries:
            self._take(entry)

    @property
    def waiting(self) -> str:
        """The first words of a person that stand in the queue: the client hands them over when this turn ends."""
        return next((typed.words for typed in self._queue.values() if typed.words), "")

    def conversation(self) -> Conversation:
        self._take_up_the_rest()
        return self._recorder.conversation()

    def history(self) -> tuple[Moment | Spent, ...]:
        self._take_up_the_rest()
        return self._recorder.history()

    def _take(self, entry: Entry) -> None:
        recorder = self._recorder
        match entry:
            case Replied(at, message, tokens, model, failed, weight):
                recorder.api_failed = failed
                recorder.spent(message, tokens, at, weight=weight, model=model)
            case Spoke(at, text, by_client):
                recorder.said("" if by_client else text, at)
            case Called(at, id_, name, given):
                recorder.called(id_, name, given, at)
            case Returned(at, id_, result, edit):
                recorder.returned(id_, result, at, edit)
            case Requested(at, text, prompt_id):
                self._queue.clear()
                recorder.asked(text, at=at, prompt_id=prompt_id)
            case Remarked(at, text):
                self._queue.pop(text, None)
                recorder.asked(text, meanwhile=True, at=at, beside=True)
            case Queued():
                self._queued(entry)
            case Noted(at, text, meta):
                recorder.expanded(text if meta else "")
                recorder.told(at, entry.interruption)
            case Ending(_, task, code):
                recorder.ended(task, code)
            case Compacted():  # the request is before it, and what follows belongs to the same
                pass

    def _queued(self, entry: Queued) -> None:
        queue = self._queue
        match entry.operation:
            case "enqueue":
                queue[entry.text] = entry
            case "dequeue" if queue:  # its user line follows
                queue.popitem(last=False)
            case "remove" if entry.text:  # taken up while the agent worked
                self._heard(queue.pop(entry.text, entry), entry.at)
            case "remove" if queue:  # up to 2.1.42 nothing says which
                self._heard(queue.popitem(last=False)[1], entry.at)
            case "popAll":
                queue.clear()

    def _heard(self, typed: Queued, at: float) -> None:
        if typed.words:
            self._recorder.asked(typed.words, meanwhile=True, at=at)

    def _take_up_the_rest(self) -> None:
        """Typed, and not yet taken up by the agent."""
        while self._queue:
            typed = self._queue.popitem(last=False)[1]
            self._heard(typed, typed.at)


def of_transcript(messages: Iterable[Message]) -> Conversation:
    """The conversation of one window: its request first, in the order of the file."""
    return _fed(messages, Reader()).conversation()


def history(messages: Iterable[Message], kept: Kept) -> tuple[Moment | Spent, ...]:
    """Every request and what followed it, with the edits."""
    return _fed(messages, Reader(kept), edits=True).history()


def words(messages: Iterable[Message]) -> tuple[str, ...]:
    """What the person said, in order; of a custom command what they typed, for its text is not theirs."""
    said = _fed(messages, Reader()).conversation().moments
    return tuple(each.typed or each.text for each in said if isinstance(each, Asked))


def _fed(messages: Iterable[Message], reader: Reader, *, edits: bool = False) -> Reader:
    for message in messages:
        if (line := understood(message, edits=edits)) is not None:
            reader.feed(line)
    return reader
