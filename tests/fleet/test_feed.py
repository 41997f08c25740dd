"""What an agent's lines tell, however they are cut."""

from __future__ import annotations

import json

from ccc.fleet.feed import Feed, Held, Seen

WIRE = b"".join(
    json.dumps(line, separators=(",", ":")).encode() + b"\n"
    for line in (
        {"type": "system", "subtype": "init", "session_id": "s"},
        {"type": "ccc", "event": "supervisor-hook invoked", "count": 1},
        {"type": "ccc", "event": "verdict", "cost_usd": 0.25},
        {"type": "ccc", "event": "no verdict", "cost_usd": 0.5},
        {"subtype": "success", "session_id": "s", "total_cost_usd": 1.5, "type": "result"},
        {"type": "ccc", "event": "supervisor-hook invoked", "count": 2},
        {"type": "assistant", "message": {"content": '"result" "type":"ccc"'}},
        {"type": "ccc", "event": "held up", "by": "limit", "provider": "glm", "until": "2026-01-01T00:00:00+00:00"},
    )
)


def test_chunks_never_matter() -> None:
    wanted = Seen(2, 1.5, 0.75, "s", Held("glm", 1767225600.0))
    for size in (1, 7, 64, len(WIRE)):
        feed = Feed()
        for at in range(0, len(WIRE), size):
            feed(WIRE[at : at + size])
        assert feed.seen == wanted


def test_an_outage_pauses_nobody_and_an_end_is_no_wait() -> None:
    feed = Feed()
    feed(WIRE + b'{"type":"ccc","event":"held up","by":"network","until":"2026-01-01T00:00:00+00:00"}\n')
    assert feed.seen.held is None
    feed(b'no json "ccc"\n{"type":"ccc","event":"outcome","outcome":"completed","why":"w"}\n')
    assert (feed.seen.outcome, feed.seen.why) == ("completed", "w")
