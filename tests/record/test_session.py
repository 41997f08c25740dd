"""How much of a session its file keeps; that files are read as they were written is in test_store."""

from __future__ import annotations

from datetime import UTC, datetime

from ccc.record.session import FINDING_LENGTH, Request, Session, decoded, encoded

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def kept(request: Request) -> Request:
    found = decoded(encoded(Session("s", request=request)), NOW)
    assert found is not None
    return found.request


def test_of_many_findings_and_tasks_the_latest_are_kept() -> None:
    found = kept(Request(findings=tuple(map(str, range(25))), tasks=tuple(map(str, range(250)))))
    assert found.findings == tuple(map(str, range(15, 25)))
    assert found.tasks == tuple(map(str, range(150, 250)))


def test_a_long_finding_and_a_long_reason_are_cut() -> None:
    found = kept(Request(findings=("x" * 9_000,), reason="y" * 9_000))
    assert [len(found.reason), *map(len, found.findings)] == [FINDING_LENGTH, FINDING_LENGTH]


def test_money_is_kept_to_a_millionth() -> None:
    found = kept(Request(cost_usd=0.1234567, agent_cost_usd=1.2345678, last_cost_usd=0.0000014))
    assert (found.cost_usd, found.agent_cost_usd, found.last_cost_usd) == (0.123457, 1.234568, 0.000001)
    assert kept(Request()).agent_cost_usd is None


def test_a_moment_of_this_boot_is_kept_and_one_that_lies_ahead_is_not() -> None:
    assert kept(Request(decided_at=0.5)).decided_at == 0.5
    assert kept(Request(decided_at=1e12)).decided_at == 0.0
