"""Stops of supervised clients that nobody reviewed: what their transcripts tell, against what ccc has heard.

Rule: says no more than is known, and is silent only where a hook that the client called answers for the last answer of
the model's. What others than the model can write into a transcript, or do to its file, is no reason to be silent. Looks
at files and changes none but ccc's own list of starts.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ccc.base import files, jsonlines, processes, seal
from ccc.base.jsonlines import Spend
from ccc.base.messages import Message, msg
from ccc.base.seal import Foreign
from ccc.claude import presence, transcript, transcript_lines
from ccc.claude.transcript_lines import Answer, Compacted, Requested
from ccc.model import Mode, Outcome
from ccc.record import conversations, missed, recent, roll, starts, store
from ccc.record.conversations import Folder, Reading
from ccc.record.session import Phase, Session
from ccc.record.starts import Cleaned, Key, Start

if TYPE_CHECKING:
    from ccc.claude.weather import Weather

# A hook that has been called is on disk within moments; on a busy machine later.
PATIENCE = timedelta(seconds=60)
CLOCKS = timedelta(seconds=2)  # by which the client's time and ours may differ
# By which an answer may seem older than the start of its client: one clock tells both, in steps. What is older was said
# before there was such a client, by one that ccc had started unsupervised a moment ago, say.
STEPS = timedelta(milliseconds=50)
HEAD = 2**20
UI = "cli"  # what the client calls its terminal UI in each line
ASKED = 20  # sessions that were active last, where the list of starts cannot be believed


class How(StrEnum):
    """What became of the last stop."""

    MISSED = "missed"  # no hook has reported it, or not to the end
    BROKE_OFF = "broke off"  # ccc let it go without a review, and nothing followed
    IGNORED = "ignored"  # the review said go on, and the agent did not
    MIDST = "midst"  # its client is gone, and the model had not ended its turn
    CUT_OFF = "cut off"  # the API ended the turn, and there was nothing to review
    GONE = "gone"  # a conversation was there, and is not
    UNREADABLE = "unreadable"  # what may be one is there, and nobody can read it
    UNSEEN = "unseen"  # there is more than one look takes in
    LEFT = "left"  # sent back, and its client is gone: what it did since nobody has reviewed
    LOST = "lost"  # of the starts themselves nobody knows any more


class Unheard(Struct, frozen=True):
    """The last answer of a session, which nobody has reviewed to the end."""

    start: Start
    session_id: str
    at: datetime
    how: How = How.MISSED
    said: str = ""  # by the client where the API has ended the turn, by ccc where the review broke off; or a path

    @property
    def weather(self) -> Weather:
        """What kept the model away, by what the client said."""
        from ccc.claude.weather import status_in, weather  # in here: every start looks for such stops, few find any

        return weather(self.said, self.at.astimezone(), status=status_in(self.said))

    @property
    def is_remark(self) -> bool:
        """Whether the person can have done it and knows: whoever leaves in the midst of a turn is not to be alarmed."""
        return self.how is How.MIDST and self.start.attended

    def line(self) -> Message:
        """For a person, in the time of the place."""
        told = {"at": _shown(self.at), "folder": self.start.folder, "id": self.session_id}
        match self.how:
            case How.CUT_OFF:
                return self._cut_off()
            case How.BROKE_OFF:
                return msg(
                    "the review of the stop of {at} in {folder} (session {id}) did not come to its end: {why}",
                    **told,
                    why=self.said,
                )
            case How.IGNORED:
                return msg(
                    "the review of the stop of {at} in {folder} (session {id}) sent the agent back, and it did not go "
                    "on: you have ended it, or another hook or a setting has; see: ccc doctor",
                    **told,
                )
            case How.MIDST if self.start.attended:
                return msg(
                    "claude was left in the midst of a turn in {folder} (session {id}, {at}): nobody has reviewed what "
                    "the agent did in it",
                    **told,
                )
            case How.MIDST:
                return msg(
                    "claude ended in the midst of its work in {folder} (session {id}, {at}): by Ctrl-C or another "
                    "signal, at a limit of its own such as --max-turns, or by a hook; nobody has reviewed what it did, "
                    "unless it was a claude without ccc",
                    **told,
                )
            case How.GONE | How.UNREADABLE | How.UNSEEN:
                return self._out_of_sight()
            case How.LEFT:
                return msg(
                    "the review of {at} in {folder} (session {id}) sent the agent back, and its client is gone: what "
                    "it did since nobody has reviewed",
                    **told,
                )
            case How.LOST:
                return msg(
                    "ccc's list of its starts was changed outside ccc, or has become too long: stops before {at} may "
                    "be unreviewed and untold, unless it was an older ccc that has written {path}",
                    path=self.start.folder,
                    at=told["at"],
                )
            case How.MISSED:
                return msg(
                    "supervised since {since} in {folder}, and its hook never reported the stop of {at} (session "
                    "{id}), or not to the end: nobody reviewed it, unless it was a claude without ccc; see: ccc doctor",
                    since=_shown(self.start.at),
                    **told,
                )

    def _out_of_sight(self) -> Message:
        told = {"since": _shown(self.start.at), "folder": self.start.folder}
        if self.how is How.GONE:
            return msg(
                "supervised since {since} in {folder}, and what was written of its conversation is gone: if it had "
                "a stop, nobody reviewed it",
                **told,
            )
        if self.how is How.UNSEEN:
            return msg(
                "there is more among the conversations than ccc looks at, and {path} was the first that it has left "
                "out: of stops in those nobody knows; look at them, and move away what is no conversation",
                path=self.said,
            )
        return msg(
            "supervised since {since} in {folder}, and {path} cannot be read: if it is a conversation of that "
            "client, nobody knows of its stops, unless it was a claude without ccc",
            **told,
            path=self.said,
        )

    def _cut_off(self) -> Message:
        from ccc.claude import outage  # as above

        return msg(
            "the API ended the turn of {at} in {folder}: {what}",
            at=_shown(self.at),
            folder=self.start.folder,
            what=outage.line(self.weather, None, self.at.astimezone()),
        )


def stops(state: Path, now: datetime) -> list[Unheard]:
    """One for each start at most, the latest start last; and before them, that the list of starts was lost."""
    return [*_lost(state, now), *_Look(state, starts.known(state), now).found]


def untold(state: Path, now: datetime) -> list[Unheard]:
    """What has not been told yet, and is by this call; a start that has ended well is forgotten."""
    lost = [each for each in _lost(state, now) if not each.start.told]
    if lost:
        roll.told(state, now)
        lost += left(state, recent.latest(state, ASKED))
    look = _Look(state, starts.known(state), now)
    found, known = look.found, look.known
    unheard_of = {each.start.key for each in found}
    gone = [start for start in known if not start.lives]
    dead = {start.key for start in gone}
    kept = _by_folder(start for start in known if start.key not in dead or start.key in unheard_of)
    ended = {start.key for start in gone if start.key not in unheard_of and not _vouches(start, kept)}
    fresh = [each for each in found if not each.start.told and not each.is_remark]
    if ended or fresh or any(start.until is None for start in gone):
        newly_gone = [start for start in gone if start.until is None and start.key not in ended]
        marks = {start.key: look.marks(start) for start in newly_gone}
        starts.settled(state, ended=ended, told=unheard_of, gone=marks, now=now)
    sessions = {each.session_id for each in found}
    return _once([*(each for each in lost if each.session_id not in sessions), *fresh])


def _once(found: Iterable[Unheard]) -> list[Unheard]:
    """What several starts would say in the same words."""
    return list({each.line(): each for each in found}.values())


def silenced(state: Path, now: datetime) -> list[Session]:
    """Sessions whose last stop ccc let go without a verdict, where somebody has taken away what the next start would
    tell of it; told by this call."""
    if missed.waits(state):
        return []
    foreign = seal.foreign_to(state)
    heard = ((start, store.seen(state, each, foreign=foreign)) for start in starts.known(state) for each in start.heard)
    found = [each for start, each in heard if each and not each.foreign and _is_unspoken(start, each, now)]
    if found:
        starts.spoken(state, now)
    return sorted(found, key=lambda each: each.ended)


def _is_unspoken(start: Start, found: Session, now: datetime) -> bool:
    if found.request.outcome is not Outcome.UNREVIEWED or found.about.client != start.pid:
        return False
    # The hook of one that lives may just be writing it down.
    return (start.spoken or start.at) < found.ended <= (now - CLOCKS if start.lives else now)


def at_end(state: Path, key: Key, now: datetime) -> Unheard | None:
    """The same of one client, as soon as it is gone; nothing is told by this."""
    look = _Look(state, starts.known(state), now)
    found = next((look.at(start) for start in look.known if start.key == key), None)
    return None if found and found.is_remark else found


def is_settling(state: Path, key: Key) -> bool:
    """Whether a hook of this client's is still to write down how its review ended."""
    heard = next((start.heard for start in starts.known(state) if start.key == key), ())
    found = (store.seen(state, each) for each in heard)
    return any(
        each.request.phase is Phase.REVIEWING and not files.was_freed(store.stop_lock(state, each.session_id))
        for each in found
        if each
    )


def left(state: Path, sessions: Iterable[str]) -> list[Unheard]:
    """Of these sessions those that were sent back by a client that is gone, whatever the list of starts says."""
    alive = [start for start in starts.known(state) if start.lives]
    found = (store.seen(state, each) for each in sessions)
    return [_left(each) for each in found if each and _is_left(each, alive)]


def _is_left(found: Session, alive: Sequence[Start]) -> bool:
    about, path = found.about, Path(found.about.transcript or "/")
    if about.mode is not Mode.HOOKS or not about.client or not _is_sent_back(found):
        return False
    # Somebody may have gone on with it, and not come to a stop yet.
    taken_up = any(path.parent.name == transcript.named_after(start.folder) for start in alive)
    return not taken_up and not processes.lives(about.client, about.client_begun or "")


def _left(found: Session) -> Unheard:
    about = found.about
    start = Start(about.client or 0, "", found.updated_at, Path(about.project or "/"), Path("/"))
    return Unheard(start, found.session_id, found.updated_at, How.LEFT)


def _said(found: Session | None, answer: Answer) -> str:
    """Why the review broke off."""
    if answer.out_of_time:
        return msg("the client has ended a Stop hook by itself, as if its time were over; look at its timeout")
    return found.request.reason if found else ""


def _is_sent_back(found: Session) -> bool:
    request = found.request
    return request.phase is Phase.WORKING and bool(request.findings or request.gates or request.failure)


def _lost(state: Path, now: datetime) -> list[Unheard]:
    found, path = roll.lost(state, now), roll.path(state)
    if found is None or found.lost is None:
        return []
    return [Unheard(Start(0, "", found.lost, path, path, told=found.told), path.name, found.lost, How.LOST)]


def _by_folder(found: Iterable[Start]) -> Mapping[Path, Sequence[Start]]:
    folders: dict[Path, list[Start]] = {}
    for start in found:
        folders.setdefault(start.folder, []).append(start)
    return folders


def _vouches(start: Start, left: Mapping[Path, Sequence[Start]]) -> bool:
    """Whether another start, still looked at, was there at the same time: it would be blamed for this one's sessions,
    if nobody knew any more whose they were."""
    return any(
        other.at <= (start.until or other.at) and start.at <= (other.until or start.at)
        for other in left.get(start.folder, ())
    )


class _First(Struct, frozen=True):
    """What a conversation is known by, which its forks and copies share: its first request. The fork of one that was
    summed up has nothing of what came before the summary."""

    uuid: str
    summed_up: bool = False


class _Look:
    """One look at all starts; each folder and file is looked at once."""

    def __init__(self, state: Path, known: tuple[Start, ...], now: datetime) -> None:
        self.known = known
        self._state = state
        self._now = now
        self._folders: dict[Path, Folder] = {}
        self._reading = Reading()
        self._moves: dict[tuple[Path, Path, float], list[Path]] = {}
        self._sessions: dict[str, Session | None] = {}
        self._firsts: dict[Path, _First] = {}
        self._forks: dict[str, Container[str]] = {}
        self._answers: dict[Path, Answer | None] = {}

    @cached_property
    def found(self) -> list[Unheard]:
        """Of each start one, and of one conversation once: for several starts as many of them as there are."""
        told: dict[object, Unheard] = {}
        for start in sorted(self.known, key=lambda each: not each.told):
            free = [each for each in self._all(start) if _subject(each) not in told]
            if free:
                found = free[min(self._fresh_beside(start), len(free) - 1)]
                told[_subject(found)] = found
        return sorted(told.values(), key=lambda each: self.known.index(each.start))

    def _fresh_beside(self, start: Start) -> int:
        """To how many the newest is left: what the person has heard of this start was there before."""
        return sum(not each.told and each.folder == start.folder for each in self.known) if start.told else 0

    def marks(self, start: Start) -> conversations.Marks:
        """How far its conversations have come, that of which something is told first: no number of others hides it."""
        return conversations.marks(sorted(self._recent(start), key=lambda path: path.stem not in self._told))

    @cached_property
    def _told(self) -> set[str]:
        return {each.session_id for each in self.found}

    def at(self, start: Start) -> Unheard | None:
        return next(iter(self._all(start)), None)

    def _all(self, start: Start) -> list[Unheard]:
        """Whatever was unheard, the newest first, or what nobody can see, or else a remark."""
        lives, recent = start.lives, self._recent(start)
        answers = ((path, self._answer_of(start, path)) for path in self._candidates(start, recent))
        judged = [
            self._judged(start, path, answer, lives=lives or self._is_open(start, path))
            for path, answer in answers
            if answer
        ]
        found = list(filter(None, judged))
        alarms = [each for each in found if not each.is_remark]
        hidden = None if alarms else self._hidden(start, recent, lives=lives)
        return alarms or ([hidden] if hidden else found[:1])

    def _hidden(self, start: Start, recent: list[Path], *, lives: bool) -> Unheard | None:
        gone = None if lives else self._out_of_sight(start, recent)
        if self._reading.unread.keys().isdisjoint(recent):
            return gone
        first = next(iter(self._reading.unread))
        return Unheard(start, first.stem, start.at, How.UNSEEN, str(first))

    def _out_of_sight(self, start: Start, recent: list[Path]) -> Unheard | None:
        gone = self._lacking(start, recent) or ("?" if self._is_emptied(start, recent) else None)
        if gone:
            return Unheard(start, gone, start.at, How.GONE)
        found = next(filter(conversations.is_closed, self._candidates(start, recent)), None)
        return Unheard(start, found.stem, start.at, How.UNREADABLE, str(found)) if found else None

    def _recent(self, start: Start) -> list[Path]:
        """The conversations of the folder, and those of this client that have moved with it to a worktree, or have
        begun there since."""
        since = (start.at - CLOCKS).timestamp()
        found = self._reading.since(self._folder(start), since)
        missing = set(start.heard) - {path.stem for path in found}
        heard = (path for each in sorted(missing) for path in transcript.all_of_session(start.transcripts, each))
        moved = [*heard, *self._moved(start, since)]
        own = (path for path in moved if path.stem in start.heard or path.stem not in (start.before or {}))
        beside = (each for path in own for each in conversations.beside(path, since, self._reading))
        return list(dict.fromkeys((*found, *moved, *beside)))

    def _moved(self, start: Start, since: float) -> list[Path]:
        key = start.transcripts, start.folder, since
        if key not in self._moves:
            self._moves[key] = conversations.moved(*key, self._reading)
        return self._moves[key]

    def _is_emptied(self, start: Start, recent: list[Path]) -> bool:
        """Whether something was in the folder since: a client that nobody has talked to does not touch it. What is no
        conversation does not stand for one."""
        touched = self._folder(start).changed >= start.at.timestamp()
        return touched and not start.heard and not any(map(self._is_conversation, recent))

    def _lacking(self, start: Start, recent: list[Path]) -> str | None:
        """A session of which a hook has read an answer that is nowhere any more."""
        known = (each for each in start.heard if each not in start.cleaned)
        lacking = (each for each in known if self._lacks(start, each, [path for path in recent if path.stem == each]))
        return next(lacking, None)

    def _lacks(self, start: Start, session_id: str, there: list[Path]) -> bool:
        found = store.seen(self._state, session_id, foreign=self._foreign)
        if found and not found.foreign:
            answer = found.about.answer or ""
            return bool(answer) and not any(self._has(path, answer) for path in there)
        return (found is not None or session_id in start.kept) and not any(map(self._is_conversation, there))

    def _is_conversation(self, path: Path) -> bool:
        return bool(self._reading.once(path, _is_conversation))

    def _has(self, path: Path, uuid: str) -> bool:
        last = self._answer(path)
        return (last is not None and uuid in (last.uuid, last.last)) or self._has_line(path, uuid)

    def _has_line(self, path: Path, uuid: str) -> bool:
        return bool(self._reading.once(path, conversations.has_line, uuid))

    def _candidates(self, start: Start, recent: list[Path]) -> Iterator[Path]:
        """The conversations that can be this client's: all that no other client accounts for. That one says it is in
        one accounts for nothing."""
        makers = [path for path in recent if self._made_by(start, path.stem)]
        return (
            path for path in recent if not self._is_others(start, path) and not self._is_reviewer(start, path, makers)
        )

    def _is_others(self, start: Start, path: Path) -> bool:
        """Whether another client, whose hook was heard for it, has ended it: not one that was gone by then, whoever
        has started that one on this conversation."""
        if path.stem in start.heard:
            return False
        others = [each for each in self._hearers.get(path.stem, ()) if each.key != start.key]
        answer = self._answer(path) if others else None
        return any(not (answer and answer.uuid and self._came_later(other, path, answer.uuid)) for other in others)

    def _is_open(self, start: Start, path: Path) -> bool:
        """Whether another client has begun it, by its own word, and is still at it: then the work in it goes on, and
        its hook gets a moment. Anybody can write that word, so it answers for no stop."""
        others = (each for each in self._open.get(path.stem, ()) if each.folder == start.folder)
        return path.stem not in start.heard and any(others)

    @cached_property
    def _open(self) -> dict[str, list[Start]]:
        """Of the clients that live those that say they are in a conversation which was not there before them."""
        found: dict[str, list[Start]] = {}
        for each in (start for start in self.known if start.before is not None and start.lives):
            told = presence.conversation(each.transcripts.parent, each.pid)
            if told and told not in (each.before or {}):
                found.setdefault(told, []).append(each)
        return found

    def _came_later(self, start: Start, path: Path, uuid: str) -> bool:
        return start.after is not None and self._reading.lacked(start.after, path, uuid)

    def _is_reviewer(self, start: Start, path: Path, makers: list[Path]) -> bool:
        """A fork begins with the conversation it was made of, and ccc has what each of its reviewers said."""
        if path.stem in start.heard:
            return False
        found = self._seen(path.stem)
        if found:
            return found.about.mode is Mode.PTY and self._is_answer_of(found, path)
        forks = (*map(self._forks_of, start.heard), *(gone.forks or () for gone in start.cleaned.values()))
        return any(path.stem in each for each in forks) or any(
            each != path and path.stem in self._made_by(start, each.stem) and self._goes_on_from(path, each)
            for each in makers
        )

    def _made_by(self, start: Start, session_id: str) -> Container[str]:
        """The reviewers of this session; which those were that an earlier version has cleaned away nobody knows."""
        gone = start.cleaned.get(session_id)
        return _Everybody() if gone and gone.forks is None else self._forks_of(session_id)

    def _is_answer_of(self, found: Session, path: Path) -> bool:
        """Whether the last answer is one of pty mode's, whose agents have no hook of ours. Whoever goes on with a
        conversation that pty mode had, or has let it have a look at his own, answers for what he adds."""
        answer, known = self._answer(path), found.about.answer
        # None: an earlier version kept none.
        return answer is not None and (known is None or not answer.uuid or known in (answer.uuid, answer.last))

    def _forks_of(self, session_id: str) -> Container[str]:
        if session_id not in self._forks:
            self._forks[session_id] = self._known_forks(session_id)
        return self._forks[session_id]

    def _known_forks(self, session_id: str) -> Container[str]:
        """As its state has them; the streams, which anybody can add to, only where an earlier version kept no list."""
        found = self._seen(session_id)
        if found is None:
            return frozenset()
        return _forks(self._state, session_id) if found.forks is None else frozenset(found.forks)

    def _goes_on_from(self, path: Path, other: Path) -> bool:
        """Whether one conversation begins as the other did, or where the other was last summed up."""
        first = self._first(path)
        return self._first(other) == first or (first.summed_up and self._has_line(other, first.uuid))

    def _judged(self, start: Start, path: Path, answer: Answer, *, lives: bool) -> Unheard | None:
        patience, session_id = PATIENCE if lives else timedelta(0), path.stem
        found = self._seen(session_id)
        if answer.uuid and self._is_own(start, path, answer, lives=lives):
            # What a line says of its time is shown where it can be true.
            at = self._possible(start, answer.at)
            how = self._fate(start, session_id, found, answer, lives=lives)
            if how:
                return Unheard(start, session_id, at, how, _said(found, answer) if how is How.BROKE_OFF else "")
        if answer.failure and self._is_of(start, answer.failed_at, patience):
            at = datetime.fromtimestamp(answer.failed_at, UTC)
            cleaned = start.cleaned.get(session_id)
            known = found.updated_at if found else cleaned and (cleaned.at or self._now)
            if not (known and known >= at - CLOCKS):
                return Unheard(start, session_id, at, How.CUT_OFF, answer.failure)
        return None if lives else self._left_off(start, path, answer, found)

    def _possible(self, start: Start, at: float) -> datetime:
        return min(max(datetime.fromtimestamp(at, UTC), start.at), max(self._now, start.at))

    def _left_off(self, start: Start, path: Path, answer: Answer, found: Session | None) -> Unheard | None:
        """What the model was at when its client ended, unless a hook has heard how the turn ended."""
        work = answer.unfinished
        if work is None or start.before is None or not (start.attended or work.entrypoint != UI):
            return None
        if self._came_later(start, path, work.uuid) or self._reading.had(start.before, path, work.uuid):
            return None
        ended = found is not None and found.request.outcome is not None
        timed = found and not found.about.answer and found.updated_at >= datetime.fromtimestamp(work.at, UTC) - CLOCKS
        if ended and (answer.failure or timed):
            return None
        return Unheard(start, path.stem, self._possible(start, work.at), How.MIDST)

    def _is_own(self, start: Start, path: Path, answer: Answer, *, lives: bool) -> bool:
        """Whether the answer came while this client ran. Not by its own account, but for one that runs on, which gets
        a moment for its hook."""
        if start.before is None:  # an earlier version has kept nothing else to go by
            return self._is_of(start, answer.at, PATIENCE if lives else timedelta(0))
        if lives and (self._now - PATIENCE).timestamp() < answer.at <= (self._now + CLOCKS).timestamp():
            return False
        return not self._came_later(start, path, answer.uuid) and not self._reading.had(start.before, path, answer.uuid)

    def _is_of(self, start: Start, moment: float, patience: timedelta) -> bool:
        at = datetime.fromtimestamp(moment, UTC)
        return start.at - STEPS <= at <= min(self._now - patience, start.until or self._now)

    def _fate(self, start: Start, session_id: str, found: Session | None, answer: Answer, *, lives: bool) -> How | None:
        """What became of this answer; None when it was reviewed, is being reviewed, or is the person's own affair."""
        if found is None:
            return None if _knew(start.cleaned.get(session_id), answer) else How.MISSED
        if found.updated_at < start.at and found.about.answer == answer.uuid:
            return None  # of a client before this one, whose start is forgotten because it ended well
        if not self._was_called_for(start, found, answer):
            return How.MISSED
        followed = (answer.interrupted or answer.asked_again) and not answer.out_of_time
        request = found.request
        if request.outcome is Outcome.INTERRUPTED:
            return None if followed and not request.unattended else How.BROKE_OFF
        if request.phase is Phase.REVIEWING and files.was_freed(store.stop_lock(self._state, session_id)):
            return How.MISSED  # whoever is interrupted writes that down
        sent_back = _is_sent_back(found)
        return How.IGNORED if sent_back and not (lives or answer.gone_on or answer.asked_again) else None

    def _was_called_for(self, start: Start, found: Session, answer: Answer) -> bool:
        """Whether a hook was, and by a client that ccc started. Where the answer is not known, time has to tell."""
        of_pty = found.about.mode is Mode.PTY  # whose client is ccc itself, and which is told of all its agent says
        if start.ticks and not of_pty and found.about.client is not None and found.about.client not in self._pids:
            return False
        if of_pty and found.about.answer is not None:
            return found.about.answer in (answer.uuid, answer.last)
        return _is_for(answer, found.about.answer or "", found.updated_at)

    @cached_property
    def _hearers(self) -> Mapping[str, Sequence[Start]]:
        heard: dict[str, list[Start]] = {}
        for start in self.known:
            for session_id in start.heard:
                heard.setdefault(session_id, []).append(start)
        return heard

    @cached_property
    def _foreign(self) -> Foreign:
        return seal.foreign_to(self._state)

    @cached_property
    def _pids(self) -> set[int]:
        # Of a client that is the first process of a container its hook does not know the number.
        return {0 if start.pid == 1 else start.pid for start in self.known}

    def _folder(self, start: Start) -> Folder:
        place = start.transcripts / transcript.named_after(start.folder)
        if place not in self._folders:
            self._folders[place] = conversations.of(start.transcripts, start.folder)
        return self._folders[place]

    def _seen(self, session_id: str) -> Session | None:
        """What ccc has kept of it; what somebody else wrote in its place speaks for no stop."""
        if session_id not in self._sessions:
            found = store.seen(self._state, session_id, foreign=self._foreign)
            self._sessions[session_id] = None if found and found.foreign else found
        return self._sessions[session_id]

    def _first(self, path: Path) -> _First:
        if path not in self._firsts:
            self._firsts[path] = self._reading.once(path, _first, path.stem) or _First(path.stem)
        return self._firsts[path]

    def _answer_of(self, start: Start, path: Path) -> Answer | None:
        """The last one; where somebody has gone on with the conversation since this client was gone, and no hook was
        heard of that, the last one by then."""
        last, found = self._answer(path), self._seen(path.stem)
        said, heard = (last.uuid or last.last) if last else "", (found.about.answer if found else None) or ""
        went_on = self._came_later(start, path, said) and not (heard and self._came_later(start, path, heard))
        size = conversations.length(start.after or {}, path) if said and went_on else None
        return last if size is None else self._reading.once(path, _last_answer, size)

    def _answer(self, path: Path) -> Answer | None:
        if path not in self._answers:
            self._answers[path] = self._reading.once(path, _last_answer)
        return self._answers[path]


def _subject(found: Unheard) -> object:
    """What is told once; what nobody can see, of each start."""
    return found.start.key if found.how in (How.GONE, How.UNSEEN) else found.session_id


def _last_answer(fd: int, spend: Spend, end: int | None = None) -> Answer | None:
    # Nobody hides an answer behind lines of his own: that many are too much for a look.
    lines = jsonlines.from_end(fd, transcript.SESSION_LIMIT, spend, end)
    return transcript_lines.last_answer(filter(None, map(transcript_lines.understood, lines)))


def _is_for(answer: Answer, known: str, at: datetime) -> bool:
    """Whether a hook that was there at that time, and knew of that answer, was called for this one."""
    # The hook is not told of an answer without words, and may have looked before it was written down.
    timed = not known or not (answer.words or answer.closed)
    return at >= datetime.fromtimestamp(answer.at, UTC) - CLOCKS if timed else known == answer.uuid


def _knew(cleaned: Cleaned | None, answer: Answer) -> bool:
    return cleaned is not None and (cleaned.at is None or _is_for(answer, cleaned.answer, cleaned.at))


def _is_conversation(fd: int, spend: Spend) -> bool:
    """Whether the client can have written it: a pipe, or a file with anything in it, is none."""
    return any(isinstance(line.get("type"), str) for line in jsonlines.from_start(fd, HEAD, spend))


def _first(fd: int, spend: Spend, name: str) -> _First:
    found = map(transcript_lines.understood, jsonlines.head(fd, HEAD, spend))
    begins = (line for line in found if line and line.uuid and isinstance(line.entries[0], Requested | Compacted))
    first = next(begins, None)
    return _First(first.uuid, isinstance(first.entries[0], Compacted)) if first else _First(name)


def _forks(state: Path, session_id: str) -> Container[str]:
    """The reviewers of this session, by their own streams."""
    with jsonlines.opened(store.output_path(state, session_id)) as fd:
        size = os.fstat(fd).st_size if fd is not None else 0
        if fd is None or not size:
            return frozenset()
        if size >= files.LOG_LIMIT:  # a full one has not all of them
            return _Everybody()
        with mmap.mmap(fd, size, prot=mmap.PROT_READ) as data:
            return frozenset(found[1].decode() for found in _TOLD_ID.finditer(data))


_TOLD_ID = re.compile(rb'"session_id": ?"([A-Za-z0-9._-]{1,128})"')


class _Everybody:
    def __contains__(self, _: object) -> bool:
        return True


def _shown(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
