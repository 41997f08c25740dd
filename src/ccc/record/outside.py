"""What was done to supervision from outside: kept with the session, and told once.

Rule: pure; the fields of a session's file in, the same with one more out; what cannot be understood there is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

FIELD, TOLD, DOUBTED = "outside", "outside_told", "count_doubted"


class Kind(StrEnum):
    STATE = "state changed outside ccc"
    OFF = "switched off outside the client"
    OFF_INSIDE = "switched off from inside the client"
    OFF_BY_HAND = "switched off by a file that ccc did not write"
    HOOK = "hook gone"


WORDS: Mapping[str, Mapping[Kind, str]] = {
    "zh": {
        Kind.STATE: "ccc：这个会话的状态文件在 ccc 之外被改过；次数不再可信，所以至少还会审查一次",
        Kind.OFF: "ccc：审查已关闭（在客户端之外用 ccc off）；重新打开：! ccc on",
        Kind.OFF_INSIDE: "ccc：审查是从客户端里面关闭的（Agent，或者您用 !）；重新打开：! ccc on",
        Kind.OFF_BY_HAND: "ccc：审查被一个不是 ccc 写的 off.json 关闭；重新打开：! ccc on",
        Kind.HOOK: "ccc：settings.json 里已经没有 ccc 写入的 hook",
    },
    "en": {
        Kind.STATE: "ccc: the state of this session was changed outside ccc; its count cannot be trusted, so one "
        "more review is left",
        Kind.OFF: "ccc: reviews are off (ccc off, outside the client); to switch them on: ! ccc on",
        Kind.OFF_INSIDE: "ccc: reviews were switched off from inside the client (the agent or you with !); "
        "to switch them on: ! ccc on",
        Kind.OFF_BY_HAND: "ccc: reviews were switched off by a file nobody's ccc wrote (off.json); "
        "to switch them on: ! ccc on",
        Kind.HOOK: "ccc: the hook that ccc wrote is gone from settings.json",
    },
}


def seen(extra: Mapping[str, object]) -> dict[Kind, str]:
    """What was noticed in this session, and when first."""
    stored = extra.get(FIELD)
    found = stored if isinstance(stored, dict) else {}
    return {kind: found[kind.value] for kind in Kind if isinstance(found.get(kind.value), str)}


def noticed(extra: Mapping[str, object], kind: Kind, now: datetime) -> dict[str, object]:
    """The fields with this noticed; the first time counts."""
    known = {each.value: at for each, at in seen(extra).items()}
    return {**extra, FIELD: {kind.value: now.isoformat(timespec="seconds"), **known}}


def doubted(extra: Mapping[str, object], kind: Kind, now: datetime) -> dict[str, object]:
    """As `noticed`, and the count is no longer what ccc counted."""
    return {**noticed(extra, kind, now), DOUBTED: True}


def untold(extra: Mapping[str, object]) -> tuple[Kind, ...]:
    told = extra.get(TOLD)
    known = told if isinstance(told, list) else []
    return tuple(kind for kind in seen(extra) if kind.value not in known)


def told(extra: Mapping[str, object]) -> dict[str, object]:
    """The fields when everything noticed has been told."""
    return {**extra, TOLD: [kind.value for kind in seen(extra)]}
