"""What an agent's lines tell, however they are cut."""

from __future__ import annotations

import json

from ccc.fleet.agent import Ended
from ccc.fleet.feed import Feed, Held, Seen

WIRE = b"".join(
    json.dumps(line, separators=(",", ":")).encode() + b"\n"
    for line in (
        {"type": "system", "subtype": "init", "session_id": "s"},
        {"type": "ccc", "event": "supervisor-hook invoked", "count": 1},
        {"type": "ccc", "event": "verdict", "cost_usd": 0.25},
        {"type": "ccc", "event": "no verdict", "cost_usd": 0.5},
        {"subtype": "success", "session_id": "s", "total_cost_usd": 9.5, "type": "result"},
        {"type": "ccc", "event": "cost", "agent_usd": 1.5},
        {"type": "ccc", "event": "supervisor-hook invoked", "count": 2},
        {"type": "ccc", "event": "review started"},
        {"type": "assistant", "message": {"content": '"result" "type":"ccc"'}},
        {"type": "ccc", "event": "held up", "by": "limit", "provider": "glm", "until": "2026-01-01T00:00:00+00:00"},
    )
)


def test_chunks_never_matter() -> None:
    wanted = Seen(2, 1.5, 0.75, Held("glm", 1767225600.0), asked=2, judged=1)
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


def test_a_limit_that_is_too_long_for_the_agent_is_told_with_its_end() -> None:
    feed = Feed()
    feed(WIRE + b'{"type":"ccc","event":"outcome","outcome":"unreviewed","why":"w","agent_cost_usd":2,')
    feed(b'"until":"2026-01-08T00:00:00+00:00","provider":"kimi"}\n')
    assert (feed.seen.outcome, feed.seen.agent_usd, feed.seen.held) == ("unreviewed", 2.0, Held("kimi", 1767830400.0))


def test_no_line_gives_money_back() -> None:
    feed = Feed()
    for amount in (b"-1000", b"1e400", b"true", b'"7"'):
        feed(b'{"type":"ccc","event":"verdict","cost_usd":' + amount + b"}\n")
    feed(WIRE)
    assert feed.seen.review_usd == 0.75


def test_work_is_completed_only_where_the_exit_code_says_so_too() -> None:
    told = Seen(outcome="completed", why="w")
    assert [Ended(code, told).outcome for code in (0, 3, -9)] == ["completed", "", ""]
    assert Ended(3, Seen(outcome="limit")).outcome == "limit"
