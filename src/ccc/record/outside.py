"""What was done to supervision from outside: kept with the session, and told once.

Rule: pure and frozen; what was noticed first counts.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.messages import Phrases


class Kind(StrEnum):
    STATE = "state changed outside ccc"
    OFF = "switched off outside the client"
    OFF_INSIDE = "switched off from inside the client"
    OFF_BY_HAND = "switched off by a file that ccc did not write"
    HOOK = "hook gone"
    UNHEARD = "hook not called"
    IGNORED = "sent back and not gone on"
    OWN_COMMAND = "taken for an answer to a command of yours"


class Interference(Struct, frozen=True, omit_defaults=True):
    """`seen` has the moment at which each kind was first noticed."""

    seen: dict[Kind, str] = field(default_factory=dict, name="outside")
    told: tuple[Kind, ...] = field(default=(), name="outside_told")
    count_doubted: bool = False  # the count is no longer what ccc counted
    count_lost: bool = False  # … or there is none any more

    @property
    def untold(self) -> tuple[Kind, ...]:
        return tuple(kind for kind in self.seen if kind not in self.told)

    def noticed(self, kind: Kind, now: datetime) -> Interference:
        return replace(self, seen={kind: now.isoformat(timespec="seconds"), **self.seen})

    def noticed_again(self, kind: Kind, now: datetime) -> Interference:
        """What the client is told at once, each time; the last one counts."""
        seen = {**self.seen, kind: now.isoformat(timespec="seconds")}
        return replace(self, seen=seen, told=tuple(dict.fromkeys((*self.told, kind))))

    def doubted(self, kind: Kind, now: datetime) -> Interference:
        return replace(self.noticed(kind, now), count_doubted=True)

    def all_told(self) -> Interference:
        return replace(self, told=tuple(self.seen))


WORDS = Phrases(
    "outside",
    {
        Kind.STATE: "ccc: the state of this session was changed outside ccc; its count cannot be trusted, so one "
        "more review is left",
        Kind.OFF: "ccc: reviews are off (ccc off, outside the client); "
        "to switch them on: ccc on (in the client: ! ccc on)",
        Kind.OFF_INSIDE: "ccc: reviews were switched off from inside the client (the agent or you with !); "
        "to switch them on: ccc on (in the client: ! ccc on)",
        Kind.OFF_BY_HAND: "ccc: reviews were switched off by a file nobody's ccc wrote (off.json); "
        "to switch them on: ccc on (in the client: ! ccc on)",
        Kind.HOOK: "ccc: the hook that ccc wrote is gone from settings.json, or was changed there",
        Kind.UNHEARD: "ccc: supervised, and its hook never reported the last stop; nobody reviewed it, unless it was a "
        "claude without ccc",
        Kind.IGNORED: "ccc: the review sent the agent back, and it did not go on",
        Kind.OWN_COMMAND: "ccc: a turn was not reviewed, because the transcript has it as an answer to a command of "
        "yours (!)",
    },
)
