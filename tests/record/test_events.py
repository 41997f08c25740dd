from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ccc.base.messages import msg, said
from ccc.model import ByCheck, ByGate, ByReviewer, Outcome, Rule, Sender
from ccc.record import events
from ccc.record.events import KINDS, Event, Interfered, Judged, SentBack, StopAllowed, Stopped, Unknown
from ccc.record.outside import Kind

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOLD: list[Event] = [
    Stopped(3, 10, "p", True, "done"),
    Judged(True, "", 0.25, 7),
    SentBack("gate", Rule.NOT_VERIFIED, "run it"),
    StopAllowed(Outcome.NEEDS_HUMAN, "which colour?"),
    StopAllowed(None, "background work"),
    Interfered(Kind.STATE),
    Unknown(name="of tomorrow", fields={"deep": [1, {"two": None}]}),
]


@pytest.mark.parametrize("event", [*TOLD, *(kind() for kind in KINDS)], ids=events.name_of)
def test_what_is_told_is_what_is_read(event: Event) -> None:
    line = events.encoded(event, NOON)
    assert line["at"] == "2026-03-01T12:00:00+00:00"
    assert line["v"] == events.VERSION
    found = events.decoded(line)
    assert found
    assert (type(found), events.fields_of(found), found.at) == (type(event), events.fields_of(event), NOON)


def test_a_sentence_of_cccs_own_can_be_told_in_another_language() -> None:
    why = msg("{count} of {limit} reviews used", count=3, limit=3)
    event = StopAllowed(Outcome.LIMIT, why)
    line = json.loads(json.dumps(events.with_sentences(events.encoded(event, NOON), event)))
    found = events.decoded(line)
    assert isinstance(found, StopAllowed)
    assert (found.why, said(found.why, "zh")) == ("3 of 3 reviews used", said(why, "zh"))
    assert events.encoded(found, NOON) == events.encoded(event, NOON)
    for told in ("x", {"__doc__": {}, "at": {}, "why": 5, "outcome": {"english": "limit"}}):
        assert events.decoded({**line, "as": told}) == replace(event, at=NOON)


@pytest.mark.parametrize(
    ("line", "sender"),
    [
        ({"by": "reviewer"}, ByReviewer()),
        ({"by": "check"}, ByCheck()),
        ({"by": "gate P4"}, ByGate(Rule.NOT_VERIFIED)),  # as version 0.1 told it
        ({"by": "gate", "rule": "P5"}, ByGate(Rule.CHECK_FAILED)),
        ({"by": "gate P99"}, None),
        ({"by": "a panel"}, None),
        ({}, ByReviewer()),
    ],
)
def test_who_sent_the_agent_back(line: dict[str, object], sender: Sender | None) -> None:
    found = events.decoded({"event": "sent back", "feedback": "go on", **line})
    assert isinstance(found, SentBack)
    assert (found.sender, found.feedback) == (sender, "go on")


@pytest.mark.parametrize("sender", [ByReviewer(), ByCheck(), *map(ByGate, Rule)])
def test_every_sender_comes_back_as_itself(sender: Sender) -> None:
    found = events.decoded(events.encoded(events.sent_back(sender, "x"), NOON))
    assert isinstance(found, SentBack)
    assert found.sender == sender


def test_one_field_that_cannot_be_understood_costs_only_itself() -> None:
    line = {"event": "verdict", "allow_stop": True, "feedback": 5, "cost_usd": -1, "tokens": 7, "at": "yesterday"}
    assert events.decoded(line) == Judged(True, "", 0.0, 7)


def test_an_unreadable_permission_is_none() -> None:
    assert events.decoded({"event": "verdict", "allow_stop": "yes"}) == Judged(False)


ANY: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = [str(kind.__struct_config__.tag) for kind in KINDS]
FIELDS = sorted({name for kind in KINDS for name in kind.__struct_encode_fields__})


@given(ANY)
def test_anything_is_an_event_or_none(told: object) -> None:
    events.decoded(told)


@given(st.sampled_from(NAMES) | st.text(), st.dictionaries(st.sampled_from(FIELDS) | st.text(), ANY, max_size=5))
def test_any_line_with_a_name_is_an_event(name: str, fields: dict[str, object]) -> None:
    assert events.decoded({**fields, "event": name}) is not None


def test_no_two_kinds_have_one_name() -> None:
    assert len(set(NAMES)) == len(KINDS)
