"""What a request is made of: whose turn it is, what is to be done next, how it ends, what the agent may do unasked.

Rule: values alone; what leads from one to another is the loop's.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ccc.base.messages import msg
from ccc.model import Outcome

EXIT_CODES = {
    Outcome.COMPLETED: 0,
    Outcome.OFF: 0,
    Outcome.LIMIT: 3,
    Outcome.UNREVIEWED: 4,
    Outcome.NEEDS_HUMAN: 5,
    Outcome.INTERRUPTED: 130,
}

MODES = ("default", "acceptEdits", "plan")  # of the client's permissions; the key goes round them
ASKS_FIRST = msg("the agent asks before edits and commands")
UNASKED = {
    "acceptEdits": msg("edits unasked"),
    "plan": msg("plans only"),
    "dontAsk": msg("denies unasked"),
    "auto": msg("auto mode"),
    "bypassPermissions": msg("asks nothing"),
}


class Tell(Struct, frozen=True):
    """Give this to the agent."""

    message: str


class Finish(Struct, frozen=True):
    """The request has ended so; None when there was none, only commands that the client answers by itself."""

    outcome: Outcome | None


class Wait(Struct, frozen=True):
    """For what the agent does by itself."""


Todo = Tell | Finish | Wait


class Phase(Enum):
    """Whose turn it is."""

    PERSON = msg("your turn")
    AGENT = msg("agent")
    REVIEW = msg("review")
    WAITING = msg("waiting")  # the agent, for its background tasks
    HELD_UP = msg("held up")  # by the provider
