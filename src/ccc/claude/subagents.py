"""What the subagents of a request have used, nested ones and a workflow's too, by the transcript that each of them has.

Rule: a file is read whole, and again only when it has grown, all of them together no further than a bound; what was
found once stays found. Nothing in these files is evidence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import jsonlines
from ccc.base.text import encodable
from ccc.claude import transcript_lines
from ccc.claude.conversation import Recorder
from ccc.model import Aside, Tally, most

READ_LIMIT = 128 * 1024 * 1024  # at one stop
LOOKED_AT = 10_000  # files of the session's
KEPT = 1000  # … of a request


class Places(Struct, frozen=True):
    """Where a session keeps them: in a folder of its own, and with older clients beside those of other sessions."""

    session_id: str
    own: Path
    shared: Path | None = None


def counted(tally: Tally, places: Places, known: Mapping[str, Aside], owned: Set[str]) -> Tally:
    """With what they have used since the request began. One that is a copy of the agent has the answers that are
    `owned` by that."""
    files = list(islice(_files(places), LOOKED_AT + 1))
    found, left, whole = dict(known), READ_LIMIT, len(files) <= LOOKED_AT
    # A large file, whoever wrote it, takes nobody else's place.
    for size, each in sorted(_grown(files[:LOOKED_AT], known, tally.began)):
        left -= size
        room = left >= 0 and (len(found) < KEPT or _id(each) in found)
        aside = _read(each, places.session_id, tally.began, owned) if room else None
        whole = whole and aside is not None
        if aside and aside.tokens:
            found = most(found, {_id(each): aside})
    return replace(tally, asides=found, at_least=tally.at_least or not whole)


def _files(places: Places) -> Iterator[Path]:
    for folder, _, names in os.walk(places.own):
        yield from (Path(folder, name) for name in names if _is_agents(name))
    if places.shared:
        yield from (each for each in places.shared.iterdir() if _is_agents(each.name))


def _is_agents(name: str) -> bool:
    return name.startswith("agent-") and name.endswith(".jsonl")


def _id(path: Path) -> str:
    return encodable(path.stem.removeprefix("agent-"))


def _grown(files: Iterable[Path], known: Mapping[str, Aside], began: float) -> Iterator[tuple[int, Path]]:
    """Those that may tell anything new, and how long they are."""
    for path in files:
        try:
            now = path.stat()
        except OSError:  # it went meanwhile
            continue
        read = known[_id(path)].read if _id(path) in known else 0
        # No program sets this time of a file back.
        if now.st_size > read and now.st_ctime >= began:
            yield now.st_size, path


def _read(path: Path, session_id: str, began: float, owned: Set[str]) -> Aside | None:
    recorder = Recorder()
    with jsonlines.opened(path) as fd:
        if fd is None:
            return None
        size = os.fstat(fd).st_size
        for message in jsonlines.since(fd, 0, READ_LIMIT, worth=_is_answer):
            answer = transcript_lines.of_subagent(message, session_id)
            if answer and not 0 < answer.at < began and answer.message not in owned:
                recorder.spent(answer.message, answer.tokens, answer.at, weight=answer.weight, model=answer.model)
    used = recorder.conversation()
    return Aside(size, used.tokens, used.weight, encodable(used.model or ""))


def _is_answer(line: bytes) -> bool:
    return b'"usage"' in line
