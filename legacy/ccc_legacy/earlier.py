"""What the person said in a session before this run of ccc: in one that is continued, or was open in the client's UI.

Rule: read before the agent gets to work, and never after; what it may write into the record then is nobody's word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ccc.claude import commandline, transcript
from ccc.claude.conversation import Asked, Conversation, Said
from ccc.providers import config
from ccc.record import story
from ccc.record.events import SentBack
from ccc.record.session import valid_session_id


def words(session_id: str, *, args: Sequence[str], env: Mapping[str, str], state: Path) -> tuple[str, ...]:
    """A fork that the person wanted (`args`) has no record yet when it begins; that of the session it comes from has
    the words."""
    named = commandline.resumed(args) or ""
    sessions = (session_id, *([named] if valid_session_id(named) else []))
    return next(filter(None, (_recorded(each, env, state) for each in sessions)), ())


class Exchange(Struct, frozen=True):
    """What was asked last, and the last answer."""

    asked: str
    answered: str


def session(args: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> str | None:
    """The session that the person goes on with, before the agent has said so; a fork has an id of its own."""
    path = None if commandline.forks(args) else _record(args, cwd, env)
    return path.stem if path and valid_session_id(path.stem) else None


def _record(args: Sequence[str], cwd: Path, env: Mapping[str, str]) -> Path | None:
    projects, named = config.config_directory(env) / "projects", commandline.resumed(args) or ""
    if valid_session_id(named):
        return transcript.of_session(projects, named)
    return transcript.newest(projects, cwd) if commandline.continued(args) else None


def exchange(args: Sequence[str], *, cwd: Path, env: Mapping[str, str], state: Path) -> Exchange | None:
    """The end of the session that the person goes on with, if they do."""
    path = _record(args, cwd, env)
    found = transcript.last_request(path, _feedback(state, path.stem)) if path else None
    return _last(found) if found else None


def _last(conversation: Conversation) -> Exchange:
    asked = [moment.text for moment in conversation.moments if isinstance(moment, Asked)]
    said = [moment.text for moment in conversation.moments if isinstance(moment, Said) and moment.text.strip()]
    return Exchange("\n".join(asked), said[-1] if said else "")


def _feedback(state: Path, session_id: str) -> list[str]:
    return [event.feedback for event in story.events(state, session_id) if isinstance(event, SentBack)]


def _recorded(session_id: str, env: Mapping[str, str], state: Path) -> tuple[str, ...]:
    """What ccc said to the agent stands in the client's record as if the person had typed it, so it is left out."""
    path = transcript.of_session(config.config_directory(env) / "projects", session_id)
    if path is None:
        return ()
    return transcript.words(path, _feedback(state, session_id))
