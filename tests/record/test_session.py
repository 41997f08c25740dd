"""How much of a session its file keeps; that files are read as they were written is in test_store."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import replace

from ccc.model import Aside, Tally
from ccc.record.session import FINDING_LENGTH, Request, Session, decoded, encoded

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def kept(request: Request) -> Request:
    found = decoded(encoded(Session("s", request=request)), NOW)
    assert found is not None
    return found.request


def test_what_each_subagent_has_used_is_kept() -> None:
    tally = Tally(read=9, tokens=5, asides={"a1": Aside(7, 60, 80.0, "claude-opus-5"), "a2": Aside(3, 4)})
    assert kept(Request(tally=tally)).tally == tally


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


def test_each_client_of_a_session_counts_its_own_request_to_its_end() -> None:
    living = {"1:a", "2:b", "3:c"}
    outer = Session("abc", prompt_id="p1", request=Request(findings=("tests",), cost_usd=1.0), count=2)
    outer = outer.owned_by("1:a", living.__contains__)
    assert (outer.count, outer.apart) == (2, ())
    nested = outer.owned_by("2:b", living.__contains__)
    assert (nested.count, nested.prompt_id, nested.request.findings) == (0, None, ())
    nested = replace(nested, prompt_id="p2", count=1, request=replace(nested.request, cost_usd=0.5))
    third = decoded(encoded(nested.owned_by("3:c", living.__contains__)), NOW)
    assert third
    assert {each.owner for each in third.apart} == {"1:a", "2:b"}
    living -= {"3:c"}
    back = third.owned_by("1:a", living.__contains__)
    assert (back.count, back.prompt_id, back.request.findings) == (2, "p1", ("tests",))
    assert [(each.owner, each.count) for each in back.apart] == [("2:b", 1)]


def test_whoever_goes_on_with_the_session_of_a_client_that_is_gone_has_its_request() -> None:
    left = Session("abc", prompt_id="p1", count=2, owner="1:a")
    assert left.owned_by("2:b", lambda _: False) == replace(left, owner="2:b")
