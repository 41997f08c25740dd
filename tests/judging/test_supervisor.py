"""The steps of supervise(): counting, ending at a cap, stagnating, concluding; and whose language feedback speaks."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.claude.conversation import Asked, Call, Conversation, Fate, Said
from ccc.evidence import facts
from ccc.evidence.facts import Evidence
from ccc.judging import caps
from ccc.judging.report import Report
from ccc.judging.supervisor import Supervisor, admit, book, conclude, stagnates, trusted
from ccc.model import (
    AllowStop,
    ByCheck,
    ByGate,
    Check,
    Decision,
    KeepWorking,
    Outcome,
    Ran,
    Review,
    Rule,
    StopEvent,
    Switch,
    Tally,
    Task,
    Unreviewed,
    Verdict,
)
from ccc.providers.config import SupervisorOptions
from ccc.record.outside import Interference
from ccc.record.session import About, Phase, Request, Session, decoded, encoded
from ccc.record.store import SessionStore

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
STOP = StopEvent("s", Path("/p"), prompt_id="a")
SERVER = Task("server", "npm run dev")


def session(count: int = 0, prompt_id: str | None = "a", **current: object) -> Session:
    return Session("s", count, NOW, NOW, prompt_id, request=Request(**current))  # type: ignore[arg-type]


def evidence(tools: int) -> Evidence:
    calls = tuple(Call("Bash", {"command": f"echo {n}"}) for n in range(tools))
    return facts.of(Conversation(moments=(Asked("do it"), *calls)))


def admitted(old: Session, stop: StopEvent = STOP, **options: object) -> tuple[int, Phase, str]:
    new = admit(old, stop, SupervisorOptions(**options), None, NOW)  # type: ignore[arg-type]
    return new.count, new.request.phase, new.request.reason


def test_a_stop_is_counted_before_it_is_reviewed() -> None:
    assert admitted(session(0)) == (1, Phase.REVIEWING, "")
    assert admitted(session(8)) == (9, Phase.REVIEWING, "")


@pytest.mark.parametrize(("count", "most"), [(10, 10), (11, 10), (1, 1)])
def test_at_the_limit_nothing_is_counted(count: int, most: int) -> None:
    assert admitted(session(count), max_iterations=most) == (count, Phase.DONE, f"{count} of {most} reviews used")


def test_a_new_prompt_begins_at_one_and_forgets_what_was_found() -> None:
    new = admit(session(7, "b", findings=("x",), cost_usd=3.0), STOP, SupervisorOptions(), None, NOW)
    assert (new.count, new.prompt_id, new.request.findings, new.request.cost_usd) == (1, "a", (), 0.0)


@pytest.mark.parametrize(("stored", "told"), [(None, "a"), ("a", None), (None, None), ("a", "a")])
def test_without_two_prompt_ids_the_count_goes_on(stored: str | None, told: str | None) -> None:
    assert admitted(session(4, stored), replace(STOP, prompt_id=told))[0] == 5


@pytest.mark.parametrize(
    ("outcome", "asked", "count", "findings", "cost"),
    [
        (None, "b", 8, ("x",), 3.0),
        (Outcome.LIMIT, "b", 8, ("x",), 3.0),
        (Outcome.NEEDS_HUMAN, "b", 8, ("x",), 3.0),
        (Outcome.COMPLETED, "b", 1, (), 3.0),  # done once, and begun anew: but for what the person allowed to spend
        (None, "another of the person's, which had no stop", 1, (), 0.0),
    ],
)
def test_a_turn_that_began_by_itself_is_counted_to_the_request_of_the_person(
    tmp_path: Path, outcome: Outcome | None, asked: str, count: int, findings: tuple[str, ...], cost: float
) -> None:
    store = SessionStore(tmp_path / "state", now=lambda: NOW)
    store.update("s", lambda _: session(7, "b", findings=("x",), cost_usd=3.0, outcome=outcome))
    supervised(tmp_path, Evidence("do it", goes_on=asked))
    now = store.load("s")
    assert (now.prompt_id, now.count, now.request.findings, now.request.cost_usd) == (asked, count, findings, cost)


def test_new_background_work_is_waited_for_once() -> None:
    busy = replace(STOP, tasks=(Task("t1", "build"),))
    waiting = admit(session(2), busy, SupervisorOptions(), None, NOW)
    assert (waiting.count, waiting.request.phase, waiting.request.tasks) == (2, Phase.WAITING, ("t1",))
    assert admitted(waiting, busy) == (3, Phase.REVIEWING, "")


@pytest.mark.parametrize(("most", "waits"), [(1, 5), (3, 5), (7, 7)])
def test_new_work_at_every_stop_is_waited_for_so_often_and_then_reviewed_to_the_limit(most: int, waits: int) -> None:
    now, seen = session(), []
    for number in range(20):
        busy = replace(STOP, tasks=(Task(f"t{number}", "sleep 2"),))
        now = admit(now, busy, SupervisorOptions(max_iterations=most), None, NOW)
        seen.append(now.request.phase)
    limit = [Phase.DONE] * (20 - waits - most)
    assert seen == [Phase.WAITING] * waits + [Phase.REVIEWING] * most + limit
    assert decoded(encoded(now), NOW) == now  # a restart changes nothing


def test_a_cap_that_is_passed_ends_the_request_also_while_work_is_waited_for() -> None:
    busy = replace(STOP, tasks=(Task("t1", "build"),), cost_usd=1.0, began=NOW - timedelta(minutes=6))
    assert admitted(session(), busy, max_minutes=5.0) == (0, Phase.DONE, "6 of 5 minutes used")
    assert admitted(session(), busy, max_cost_usd=1.0)[1] is Phase.DONE
    assert admitted(session(tokens=9), busy, max_tokens=9)[1] is Phase.DONE
    # All reviews used is no reason: a wait costs none.
    assert admitted(session(10), busy)[1] is Phase.WAITING


@pytest.mark.parametrize(
    ("options", "current", "stop", "reason"),
    [
        ({}, {}, STOP, ""),
        ({"max_minutes": 5.0}, {}, replace(STOP, began=NOW - timedelta(minutes=4, seconds=59)), ""),
        ({"max_minutes": 5.0}, {}, replace(STOP, began=NOW - timedelta(minutes=5)), "5 of 5 minutes used"),
        ({"max_minutes": 5.0}, {}, STOP, ""),  # nobody knows when it began
        ({"max_cost_usd": 1.0}, {"cost_usd": 0.5, "last_cost_usd": 0.4}, STOP, ""),
        ({"max_cost_usd": 1.0}, {"cost_usd": 0.5, "last_cost_usd": 0.5}, STOP, "$0.5000 of $1 spent"),
        ({"max_cost_usd": 1.0}, {"cost_usd": 0.5}, replace(STOP, cost_usd=0.6), "$1.10 of $1 spent"),
        ({"max_tokens": 100}, {"tokens": 50, "last_tokens": 49}, STOP, ""),
        ({"max_tokens": 100}, {"tokens": 50, "last_tokens": 50}, STOP, "50 of 100 tokens used"),
    ],
)
def test_a_cap_ends_the_request_before_it_would_be_passed(
    options: dict[str, float], current: dict[str, float], stop: StopEvent, reason: str
) -> None:
    chosen = SupervisorOptions(**options)  # type: ignore[arg-type]
    told = caps.reached(session(**current), chosen, stop, None, NOW)
    assert told.startswith(reason)
    assert bool(told) is bool(reason)


def test_the_minutes_count_from_the_request_that_the_evidence_tells_of() -> None:
    options, found = SupervisorOptions(max_minutes=5.0), Evidence("fix it", began=NOW - timedelta(minutes=6))
    assert caps.reached(session(), options, STOP, found, NOW) == "6 of 5 minutes used"
    own = replace(STOP, began=NOW)
    assert caps.reached(session(), options, own, found, NOW) == ""


def test_the_agents_tokens_count_beside_those_of_its_reviews() -> None:
    options, found = SupervisorOptions(max_tokens=100), Evidence("fix it", tokens=50)
    told = caps.reached(session(tokens=50), options, STOP, found, NOW)
    assert told.startswith("100 of 100 tokens used")
    assert caps.reached(session(tokens=49), options, STOP, found, NOW) == ""


@pytest.mark.parametrize(
    ("said", "before", "used", "stuck"),
    [
        (Verdict(False, "fix it"), "fix it", 2, True),
        (Verdict(False, "Fix  IT"), "fix it", 2, True),
        (Verdict(False, "fix it"), "fix it", 3, False),  # a tool was used in between
        (Verdict(False, "other"), "fix it", 2, False),
        (Verdict(False, "other", unchanged=True), "fix it", 2, True),
        (Verdict(False, "x" * 3000), "x" * 2500, 2, False),
    ],
)
def test_the_same_finding_twice_without_a_tool_in_between_stagnates(
    said: Verdict, before: str, used: int, stuck: bool
) -> None:
    assert stagnates(said, Request(findings=(before,), tool_calls=2), evidence(used)) is stuck


def test_a_first_finding_and_unknown_evidence_do_not_stagnate() -> None:
    assert not stagnates(Verdict(False, "x", unchanged=True), Request(), evidence(0))
    assert not stagnates(Verdict(False, "x"), Request(findings=("x",)), None)


@pytest.mark.parametrize(
    ("decision", "phase", "outcome"),
    [
        (KeepWorking("go on"), Phase.WORKING, None),
        (AllowStop(None, "background work"), Phase.WAITING, None),
        (AllowStop(Outcome.COMPLETED, "fine"), Phase.DONE, Outcome.COMPLETED),
        (AllowStop(Outcome.UNREVIEWED, "crash"), Phase.DONE, Outcome.UNREVIEWED),
    ],
)
def test_a_decision_is_written_into_the_request(decision: Decision, phase: Phase, outcome: Outcome | None) -> None:
    kept = conclude(session(1), decision, None, 12.5, NOW).request
    assert (kept.phase, kept.outcome, kept.decided_at) == (phase, outcome, 12.5)
    assert kept.ended_at == (NOW.isoformat() if outcome else "")


def test_only_the_reviewers_findings_are_kept_for_the_next_reviewer() -> None:
    by_reviewer = conclude(session(1), KeepWorking("a"), evidence(3), 1.0, NOW).request
    assert (by_reviewer.findings, by_reviewer.tool_calls) == (("a",), 3)
    by_check = conclude(session(1), KeepWorking("a", by=ByCheck()), evidence(3), 1.0, NOW).request
    assert (by_check.findings, by_check.tool_calls) == ((), 0)


def test_nobody_heard_an_interrupted_answer_so_the_next_hook_is_not_late() -> None:
    kept = conclude(session(1, decided_at=3.0), AllowStop(Outcome.INTERRUPTED, "Esc"), None, 9.0, NOW).request
    assert kept.decided_at == 3.0


def test_what_a_review_cost_is_booked_whatever_came_of_it() -> None:
    kept = book(session(1, cost_usd=1.0, tokens=10), Review(Unreviewed("crash"), 0.25, 5)).request
    assert (kept.cost_usd, kept.tokens, kept.last_cost_usd, kept.last_tokens) == (1.25, 15, 0.25, 5)


def test_each_judges_cost_is_its_own_providers() -> None:
    failed = Review(Unreviewed("away"), 0.25, 5, cost_by={"kimi": 0.25})
    paid = replace(failed, cost_usd=0.5, cost_by={"": 0.5}).after(failed)
    known = replace(session(1), about=About(provider="glm"))
    assert book(known, paid).request.cost_by == {"kimi": 0.25, "glm": 0.5}
    assert book(book(known, failed), failed).request.cost_by == {"kimi": 0.5}


def test_work_of_an_earlier_request_is_no_reason_to_wait_and_new_work_is() -> None:
    served = admit(session(0, "b"), replace(STOP, prompt_id="b", tasks=(SERVER,)), SupervisorOptions(), None, NOW)
    assert served.request.phase is Phase.WAITING
    assert admitted(served, replace(STOP, tasks=(SERVER,))) == (1, Phase.REVIEWING, "")
    assert admitted(served, replace(STOP, tasks=(SERVER, Task("t1", "build")))) == (0, Phase.WAITING, "")


@pytest.mark.parametrize(
    ("started", "phase"),
    [
        ({}, Phase.WAITING),
        ({"other": 0.0}, Phase.WAITING),
        ({"server": NOW.timestamp() - 299}, Phase.WAITING),
        ({"server": NOW.timestamp() - 300}, Phase.REVIEWING),
        ({"server": NOW.timestamp() - 4_000}, Phase.REVIEWING),
        ({"server": NOW.timestamp() + 60}, Phase.WAITING),  # clocks differ
    ],
)
def test_work_that_has_run_for_five_minutes_is_not_waited_for(started: dict[str, float], phase: Phase) -> None:
    found = Evidence("serve it", started=started)
    new = admit(session(), replace(STOP, tasks=(SERVER,)), SupervisorOptions(), found, NOW)
    assert (new.request.phase, new.request.tasks) == (phase, ("server",))


def test_the_evidence_tells_when_work_was_started_that_has_not_ended() -> None:
    calls = (
        Call("Bash", {}, Fate.STARTED, at=5.0, task="b1"),
        Call("Bash", {}, Fate.STARTED, task="b2"),
        Call("Bash", {}),
    )
    assert facts.of(Conversation(moments=(Asked("do it"), *calls))).started == {"b1": 5.0}


@pytest.mark.parametrize(
    ("told", "weight", "price", "before", "cost"),
    [
        (0.6, 1000.0, 3e-6, 0.2, 0.6),  # the agent's own figure
        (0.0, 1000.0, 3e-6, None, 0.0),
        (None, 1000.0, 3e-6, None, 0.003),
        (None, 1000.0, 3e-6, 0.2, 0.2),  # a part of the transcript is out of reach by now
        (None, 1000.0, 0.0, None, None),  # no review has told a price yet
        (None, 0.0, 3e-6, None, None),
    ],
)
def test_what_the_agent_cost_is_told_or_counted_or_unknown(
    told: float | None, weight: float, price: float, before: float | None, cost: float | None
) -> None:
    current = Request(price_usd=price, agent_cost_usd=before)
    found = caps.agent_cost(current, replace(STOP, cost_usd=told), Evidence("fix it", weight=weight))
    assert found == (None if cost is None else pytest.approx(cost))


def test_the_money_cap_counts_what_the_transcript_shows_of_the_agent() -> None:
    options, spent = SupervisorOptions(max_cost_usd=1.0), session(cost_usd=0.25, price_usd=3e-6)
    assert caps.reached(spent, options, STOP, Evidence("fix it", weight=200_000.0), NOW) == ""
    told = caps.reached(spent, options, STOP, Evidence("fix it", weight=250_000.0), NOW)
    assert told.startswith("$1.00 of $1 spent by the agent and its reviews")


def test_a_new_request_knows_the_price_and_owes_nothing() -> None:
    old = session(7, "b", cost_usd=3.0, agent_cost_usd=2.0, price_usd=3e-6)
    new = admit(old, STOP, SupervisorOptions(), None, NOW).request
    assert (new.cost_usd, new.agent_cost_usd, new.price_usd) == (0.0, None, 3e-6)


def test_a_price_that_a_review_does_not_tell_is_the_last_one_told() -> None:
    known = session(price_usd=3e-6)
    assert book(known, Review(Unreviewed("crash"), 0.25, 5)).request.price_usd == 3e-6
    assert book(known, Review(Unreviewed("crash"), 0.25, 5, 4e-6)).request.price_usd == 4e-6


@pytest.mark.parametrize(("count", "doubted", "left"), [(10, True, 9), (1_000, True, 9), (3, True, 3), (10, False, 10)])
def test_a_count_that_somebody_else_wrote_leaves_one_review(count: int, doubted: bool, left: int) -> None:
    found = trusted(replace(session(count), outside=Interference(count_doubted=doubted)), SupervisorOptions())
    assert (found.count, found.outside.count_doubted) == (left, False)


def test_a_count_that_somebody_took_away_leaves_one_review_and_no_more() -> None:
    found = trusted(replace(session(0), outside=Interference(count_doubted=True, count_lost=True)), SupervisorOptions())
    assert (found.count, found.outside) == (9, Interference())
    assert decoded(encoded(found), NOW) == found


def supervised(
    folder: Path,
    found: Evidence | None,
    ran: tuple[Ran, ...] = (),
    options: SupervisorOptions | None = None,
    *,
    opinion: Verdict | Unreviewed = Verdict(True, ""),
    overtaken: str = "",
    unseen: str = "",
    typed: Callable[[], str] = lambda: "",
) -> Decision:
    """What supervise() makes of a Stop, which its reviewer would allow if nothing else is said."""
    store, quiet = SessionStore(folder / "state", now=lambda: NOW), os.open(os.devnull, os.O_WRONLY)
    decision = Supervisor(
        memory=store.open("s"),
        review=lambda *_: Review(opinion),
        report=replace(Report.of({"CCC_LANG": "en"}, store.log_path, lambda: NOW), stderr=quiet),
        options=options or SupervisorOptions(),
        examine=lambda _: found,
        check=lambda _: ran,
        overtaken=lambda: overtaken,
        unseen=lambda: unseen,
        typed=typed,
    ).supervise(STOP)
    os.close(quiet)
    return decision


PLAYED = "The key is missing.\nccc: reviewed and done · stop 1/10"
IMPOSSIBLE = Ran(Check("no-such-check"), 127, "not found")


@pytest.mark.parametrize(
    ("opinion", "ran", "outcome", "told"),
    [
        (Verdict(False, "go on"), (), Outcome.INTERRUPTED, "what was found wanting: go on"),
        (Verdict(True, ""), (), Outcome.INTERRUPTED, ""),
        (Verdict(False, "which one?", needs_human=True), (), Outcome.NEEDS_HUMAN, "this needs you: which one?"),
        (Unreviewed("new rules"), (), Outcome.UNREVIEWED, "this stop was not reviewed: new rules"),
        (Unreviewed("ended", interrupted=True), (), Outcome.INTERRUPTED, ""),
        (Verdict(False, "go on"), (IMPOSSIBLE,), Outcome.INTERRUPTED, "`no-such-check` cannot be run here"),
        (Verdict(True, ""), (IMPOSSIBLE,), Outcome.UNREVIEWED, "`no-such-check` cannot be run here"),
    ],
)
def test_nothing_that_the_person_is_to_hear_is_lost_with_a_verdict_that_comes_too_late(
    tmp_path: Path, opinion: Verdict | Unreviewed, ran: tuple[Ran, ...], outcome: Outcome, told: str
) -> None:
    late = supervised(tmp_path, None, ran, opinion=opinion, overtaken="you had gone on in another conversation")
    assert isinstance(late, AllowStop)
    assert (late.outcome, told in late.told, bool(told)) == (outcome, True, bool(late.told))
    if ran:
        assert ("what was found wanting" in late.told) == (outcome is Outcome.INTERRUPTED)


@pytest.mark.parametrize(
    ("opinion", "overtaken", "outcome"),
    [
        (Verdict(True, ""), "", Outcome.UNREVIEWED),
        (Verdict(True, ""), "gone", Outcome.INTERRUPTED),
        (Verdict(False, "which one?", needs_human=True), "", Outcome.NEEDS_HUMAN),
        (Unreviewed("ended", interrupted=True), "", Outcome.INTERRUPTED),
    ],
)
def test_nothing_is_complete_by_the_word_of_a_reviewer_that_has_not_seen_the_stop(
    tmp_path: Path, opinion: Verdict | Unreviewed, overtaken: str, outcome: Outcome
) -> None:
    blind = supervised(tmp_path, None, opinion=opinion, overtaken=overtaken, unseen="it is not there")
    assert isinstance(blind, AllowStop)
    assert (blind.outcome, "not reviewed: it is not there" in blind.told) == (outcome, outcome is Outcome.UNREVIEWED)


def test_an_objection_stands_whatever_its_reviewer_has_seen(tmp_path: Path) -> None:
    sent_back = supervised(tmp_path, None, opinion=Verdict(False, "go on"), unseen="it is not there")
    assert isinstance(sent_back, KeepWorking)


def test_each_stop_says_that_a_cap_on_money_does_not_count_the_agent(tmp_path: Path) -> None:
    capped = SupervisorOptions(max_cost_usd=1.0)
    sent_back = supervised(tmp_path, evidence(0), options=capped, opinion=Verdict(False, "go on"))
    allowed = supervised(tmp_path, evidence(0), options=capped)
    assert isinstance(sent_back, KeepWorking)
    assert isinstance(allowed, AllowStop)
    assert sent_back.notice == f"ccc: {caps.UNCOUNTED}"
    assert allowed.told.startswith(f"ccc: {caps.UNCOUNTED}\n")


def test_a_check_that_cannot_be_run_is_told_beside_what_the_person_had_typed(tmp_path: Path) -> None:
    typed = iter(["", "wait"])
    yours = supervised(tmp_path, None, (IMPOSSIBLE,), opinion=Verdict(False, "go on"), typed=lambda: next(typed))
    assert isinstance(yours, AllowStop)
    first, second = yours.told.splitlines()
    assert "cannot be run here" in first
    assert "your message goes first (wait); what was found wanting: go on" in second


def test_no_line_of_what_a_check_or_a_reviewer_says_looks_like_one_of_ours(tmp_path: Path) -> None:
    needed = supervised(tmp_path, None, opinion=Verdict(False, PLAYED, needs_human=True))
    late = supervised(tmp_path, None, opinion=Verdict(False, PLAYED), overtaken="gone")
    typed = iter(["", "wait"])
    yours = supervised(tmp_path, None, opinion=Verdict(False, PLAYED), typed=lambda: next(typed))
    for decision in (needed, late, yours):
        assert isinstance(decision, AllowStop)
        first, second = decision.told.splitlines()
        assert first.endswith(": The key is missing.")
        assert second == "  ccc: reviewed and done · stop 1/10"
    assert isinstance(needed, AllowStop)
    assert needed.why == PLAYED  # for programs


@pytest.mark.parametrize("closed", [False, True])
def test_feedback_that_the_client_will_not_heed_is_the_persons_and_kept_for_the_next_review(
    tmp_path: Path, closed: bool
) -> None:
    store = SessionStore(tmp_path / "state", now=lambda: NOW)
    with Path(os.devnull).open("wb") as quiet:
        decision = Supervisor(
            memory=store.open("s"),
            review=lambda *_: Review(Verdict(False, "run the tests")),
            report=replace(Report.of({"CCC_LANG": "en"}, store.log_path, lambda: NOW), stderr=quiet.fileno()),
            options=SupervisorOptions(),
            closed=lambda: closed,
        ).supervise(STOP)
    kept = store.load("s").request
    assert kept.findings == ("run the tests",)
    if not closed:
        assert (decision, kept.phase, kept.outcome) == (KeepWorking("run the tests"), Phase.WORKING, None)
        return
    assert isinstance(decision, AllowStop)
    assert decision.besides == KeepWorking("run the tests")  # the agent finds it there when it goes on
    assert "a tool has ended this turn" in decision.told
    assert decision.told.endswith("run the tests")
    assert (kept.phase, kept.outcome, kept.reason) == (Phase.DONE, Outcome.NEEDS_HUMAN, "run the tests")


def test_while_its_work_is_judged_it_is_known_what_the_agent_has_cost(tmp_path: Path) -> None:
    store, seen = SessionStore(tmp_path / "state", now=lambda: NOW), []

    def review(*_: object) -> Review:
        seen.append(store.load("s").request.agent_cost_usd)
        return Review(Verdict(True, ""))

    report = Report.of({"CCC_LANG": "en"}, store.log_path, lambda: NOW)
    with Path(os.devnull).open("wb") as quiet:
        supervisor = Supervisor(
            memory=store.open("s"),
            review=review,
            report=replace(report, stderr=quiet.fileno()),
            options=SupervisorOptions(),
        )
        supervisor.supervise(replace(STOP, cost_usd=0.25))
    assert seen == [0.25]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("Fix the cart", "ccc ran the check"),
        ("修复购物车", "ccc 运行了"),
        ("", "ccc ran the check"),
        (None, "ccc ran the"),
    ],
)
def test_a_failed_check_is_told_in_the_language_of_the_request(tmp_path: Path, asked: str | None, words: str) -> None:
    found = None if asked is None else Evidence(asked)
    decision = supervised(tmp_path, found, (Ran(Check("make"), 1, "broken"),))
    assert isinstance(decision, KeepWorking)
    assert decision.feedback.startswith(words)
    assert decision.feedback.endswith("broken")


@pytest.mark.parametrize(
    ("switch", "ran", "decider"),
    [
        (Switch.ON, (), ByGate(Rule.NOT_VERIFIED)),
        (Switch.OFF, (), None),
        (Switch.ON, (Ran(Check("make"), 0),), None),  # a check that ccc saw pass proves more
    ],
)
def test_the_gate_speaks_unless_it_is_off_or_a_check_has_passed(
    tmp_path: Path, switch: Switch, ran: tuple[Ran, ...], decider: ByGate | None
) -> None:
    edited = Call("Write", {"file_path": "cart.py", "content": "x"}, Fate.DONE)
    found = facts.of(Conversation(moments=(Asked("Fix the cart in cart.py"), edited, Said("Done."))))
    decision = supervised(tmp_path, found, ran, SupervisorOptions(gate=switch))
    assert (decision.by if isinstance(decision, KeepWorking) else None) == decider


def test_what_the_agent_has_used_is_kept_from_stop_to_stop_of_one_request(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "state", now=lambda: NOW)
    supervised(tmp_path, Evidence("do it", tally=Tally(read=10, tokens=900, began=20.0)))
    supervised(tmp_path, Evidence("do it", tally=Tally(read=20, tokens=1, began=30.0)))
    assert store.load("s").request.tally == Tally(read=20, tokens=900, began=20.0)
    supervised(tmp_path, Evidence("do it", complete=False, tally=Tally(read=30, tokens=2_000)))
    supervised(tmp_path, None)
    assert store.load("s").request.tally == Tally(read=20, tokens=900, began=20.0)
    new = admit(store.load("s"), replace(STOP, prompt_id="b"), SupervisorOptions(), None, NOW)
    assert new.request.tally == Tally(read=20)  # another request begins behind what was read


@pytest.mark.parametrize("found", [None, Evidence("do it", tally=Tally(read=10, at_least=True))])
def test_a_limit_that_nobody_can_measure_is_told_at_each_stop(tmp_path: Path, found: Evidence | None) -> None:
    told = [supervised(tmp_path, found, options=SupervisorOptions(max_tokens=10**9)).notice for _ in range(2)]
    assert all("more may be used than max_tokens allows" in (notice or "") for notice in told)
    assert "allows" not in (supervised(tmp_path, found).notice or "")


def test_of_the_end_of_a_request_nobody_counts_the_tools() -> None:
    again = Request(findings=("x",), tool_calls=1)
    assert stagnates(Verdict(False, "x"), again, evidence(1))
    assert not stagnates(Verdict(False, "x"), again, replace(evidence(1), whole=False))
