"""Stops of supervised clients that never reached ccc: what their transcripts tell, against what ccc has heard.

Rule: says no more than is known. An answer that ended a turn, and a session that ccc did not hear of since then: that
is told, whatever kept the hook from running; so is a turn that the API ended. Looks at files and changes none but ccc's
own list of starts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from msgspec import Struct

from ccc.base import files, jsonlines
from ccc.base.messages import msg
from ccc.claude import outage, transcript_lines
from ccc.claude.transcript_lines import Line, Replied, Requested, Spoke
from ccc.claude.weather import status_in, weather
from ccc.model import Outcome
from ccc.record import starts, store
from ccc.record.session import Phase, Session, valid_session_id
from ccc.record.starts import Start

# A hook that has been called is on disk within moments; on a busy machine later.
PATIENCE = timedelta(seconds=60)
CLOCKS = timedelta(seconds=2)  # by which the client's time and ours may differ
LOOKED_AT = 50  # conversations of one folder, the newest first
NAME_LENGTH = 200  # the client cuts longer folder names, and adds what tells them apart
HEAD = 2**20


class Unheard(Struct, frozen=True):
    """The last answer of a session, which no hook reported."""

    start: Start
    session_id: str
    at: datetime
    failure: str = ""  # what the client said, where the API has ended the turn and there was nothing to review

    def line(self) -> str:
        """For a person, in the time of the place."""
        return self._cut_off() if self.failure else self._missed()

    def _cut_off(self) -> str:
        told = weather(self.failure, self.at.astimezone(), status=status_in(self.failure))
        return msg(
            "the API ended the turn of {at} in {folder}: {what}",
            at=f"{self.at.astimezone():%Y-%m-%d %H:%M}",
            folder=self.start.folder,
            what=outage.line(told, None, self.at.astimezone()),
        )

    def _missed(self) -> str:
        since, at = (f"{moment.astimezone():%Y-%m-%d %H:%M}" for moment in (self.start.at, self.at))
        return msg(
            "supervised since {since} in {folder}, and its hook never reported the stop of {at} (session {id}), "
            "or not to the end: nobody reviewed it, unless it was a claude without ccc; see: ccc doctor",
            since=since,
            folder=self.start.folder,
            at=at,
            id=self.session_id,
        )


def stops(state: Path, now: datetime) -> list[Unheard]:
    """One for each start at most, the latest start last."""
    return [found for start in starts.known(state) if (found := _of(start, state, now))]


def untold(state: Path, now: datetime) -> list[Unheard]:
    """What has not been told yet, and is by this call; a start that has ended well is forgotten."""
    found = stops(state, now)
    missed = {each.start.key for each in found}
    ended = {start.key for start in starts.known(state) if not start.lives} - missed
    fresh = [each for each in found if not each.start.told]
    if ended or fresh:
        starts.settled(state, ended=ended, told=missed)
    return fresh


def _of(start: Start, state: Path, now: datetime) -> Unheard | None:
    patience = PATIENCE if start.lives else timedelta(0)
    for path in _conversations(start, state):
        at, failure = _ended(path)
        if at and start.at - CLOCKS <= at <= now - patience and not _was_heard(start, state, path.stem, at):
            return Unheard(start, path.stem, at, failure)
    return None


def _conversations(start: Start, state: Path) -> Iterator[Path]:
    """Those that can be this client's: the sessions it was heard of, else all that nobody else accounts for."""
    recent = [path for path in _recent(start) if valid_session_id(path.stem)]
    if start.heard:
        return (path for path in recent if path.stem in start.heard)
    others = {each for other in starts.known(state) for each in other.heard}
    reviewed = {_first(path) for path in recent if store.state_path(state, path.stem).exists()}
    return (
        path
        for path in recent
        # A fork begins with the conversation it was made of: then it is a reviewer of ours.
        if path.stem not in others and (store.state_path(state, path.stem).exists() or _first(path) not in reviewed)
    )


def _recent(start: Start) -> list[Path]:
    """The conversations of the client's folder that were written to since the start."""
    name = re.sub(r"[^A-Za-z0-9]", "-", str(start.folder))
    folder = start.transcripts / name
    if len(name) > NAME_LENGTH:
        folder = next(start.transcripts.glob(f"{name[:NAME_LENGTH]}*"), folder)
    try:
        with os.scandir(folder) as entries:
            found = [(entry.stat().st_mtime, entry.path) for entry in entries if entry.name.endswith(".jsonl")]
    except OSError:  # never talked to
        return []
    since = (start.at - CLOCKS).timestamp()
    return [Path(path) for changed, path in sorted(found, reverse=True)[:LOOKED_AT] if changed >= since]


def _ended(path: Path) -> tuple[datetime | None, str]:
    """When the last turn ended, if it did and nothing followed; and what the client said where the API ended it."""
    lines = list(islice(_lines_from_end(path), 1000))
    words = transcript_lines.ends_with_words(lines)
    if words is None:
        return None, ""
    entries = next(line.entries for line in lines if isinstance(line.entries[0], Replied))
    reply = entries[0]
    if not isinstance(reply, Replied) or not reply.at:
        return None, ""
    by_client = any(isinstance(entry, Spoke) and entry.by_client for entry in entries)
    if by_client and not reply.failed:
        return None, ""
    return datetime.fromtimestamp(reply.at, UTC), words if reply.failed else ""


def _lines_from_end(path: Path) -> Iterator[Line]:
    return filter(None, map(transcript_lines.understood, jsonlines.messages_from_end(path)))


def _first(path: Path) -> str:
    """What the first request of a conversation is known by; forks and copies share it."""
    with jsonlines.opened(path) as fd:
        found = map(transcript_lines.understood, jsonlines.from_start(fd, HEAD)) if fd is not None else iter(())
        requests = (line.uuid for line in found if line and isinstance(line.entries[0], Requested))
        return next(filter(None, requests), path.stem)


def _was_heard(start: Start, state: Path, session_id: str, at: datetime) -> bool:
    found = store.seen(state, session_id)
    if found is None:
        return session_id in start.cleaned
    return found.updated_at >= at - CLOCKS and not _broke_off(state, found)


def _broke_off(state: Path, found: Session) -> bool:
    """Whether the hook was called and ended before its answer. Whom the person interrupts has that in its transcript,
    behind the agent's words; a signal of anybody else's leaves no trace there."""
    if found.request.outcome is Outcome.INTERRUPTED:
        return True
    return found.request.phase is Phase.REVIEWING and files.was_freed(store.stop_lock(state, found.session_id))
