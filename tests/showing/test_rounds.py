"""A story of any length: the newest is told, the rest is counted, and nothing is held that is not told."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.conversation import Edit
from ccc.model import Outcome
from ccc.record import story
from ccc.record.events import Event
from ccc.record.session import Phase
from ccc.record.store import story_path
from ccc.showing.report import page, rounds, words
from ccc.showing.report.page import Told
from ccc.showing.report.rounds import history
from ccc.showing.report.window import Window
from ccc.showing.report.work import Answered, Asked, Said, Step, Used
from tests.sessions import happened

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAY = words.words("en", UTC)


def stop(number: int, *, prompt_id: str = "p", remarks: int = 1, troubles: int = 0, text: str = "x") -> Iterator[Event]:
    at = NOON + timedelta(seconds=10 * number)
    yield happened("supervisor-hook invoked", at, {"prompt_id": prompt_id, "count": number, "limit": 10**6})
    yield happened("review started", at, {"model": "m"})
    for _ in range(remarks):
        yield happened("reviewer says", at, {"text": text})
    yield happened("verdict", at, {"allow_stop": False, "feedback": text, "cost_usd": 0.5, "tokens": 3})
    for _ in range(troubles):
        yield happened("trouble", at, {"why": text})
    yield happened("sent back", at, {"by": "reviewer", "feedback": f"{text} {number}"})


def stops(count: int, *, remarks: int = 1, text: str = "x", each_its_own: bool = False) -> Iterator[Event]:
    for number in range(count):
        yield from stop(number, prompt_id=f"p{number}" if each_its_own else "p", remarks=remarks, text=text)


def shown(events: Iterator[Event]) -> str:
    found = history(events, ())
    return page.render(Told("id", found.requests, omitted=found.omitted), SAY, made=0.0)


@given(st.lists(st.integers(0, 20)), st.integers(1, 5), st.integers(0, 40))
def test_a_window_holds_the_newest_within_its_bounds(lengths: list[int], most: int, length: int) -> None:
    window: Window[int] = Window(most, length)
    gone = [each for number, size in enumerate(lengths) for each in window.add(number, size)]
    kept = window.values()
    assert [*gone, *kept] == list(range(len(lengths)))
    assert window.gone == len(gone)
    assert len(kept) <= most
    assert len(kept) <= 1 or sum(lengths[number] for number in kept) <= length


def test_of_many_remarks_the_newest_are_told_and_the_others_counted() -> None:
    [request] = history(stop(0, remarks=rounds.ENTRIES + 7), ()).requests
    [review] = request.reviews
    assert (len(review.remarks), review.remarks_before) == (rounds.ENTRIES, 7)
    text = shown(stop(0, remarks=rounds.ENTRIES + 7))
    assert f"What the reviewer looked at ({rounds.ENTRIES + 7})" in text
    assert "7 earlier ones are left out here." in text


def test_of_many_rounds_the_newest_are_told_and_the_numbers_are_of_all() -> None:
    many = rounds.ROUNDS + 50
    [request] = history(stops(many), ()).requests
    assert (len(request.rounds), request.omitted.rounds) == (rounds.ROUNDS, 50)
    assert (request.sent_back, request.cost_usd, request.tokens) == (many, 0.5 * many, 3 * many)
    assert request.begun == NOON.timestamp()
    assert request.ended == NOON.timestamp() + 10 * (many - 1)
    text = shown(stops(many))
    assert "50 earlier rounds are left out here; the numbers above count them." in text
    assert "Review 51 " in text
    assert f"Review {many} " in text
    assert "Review 50 " not in text


def test_of_many_requests_the_newest_are_told_and_the_numbers_are_of_all() -> None:
    many = rounds.REQUESTS + 9
    found = history(stops(many, each_its_own=True), ())
    assert [each.prompt_id for each in found.requests] == [f"p{number}" for number in range(9, many)]
    assert (found.omitted.requests, found.omitted.cost_usd) == (9, 4.5)
    assert "9 earlier ones are left out here." in shown(stops(many, each_its_own=True))


def test_of_many_reviews_in_one_round_none_is_lost_from_the_sum() -> None:
    many = rounds.ENTRIES + 5
    opened, *_ = stop(0)
    verdict = happened("verdict", NOON, {"allow_stop": False, "feedback": "no", "cost_usd": 1.0, "tokens": 1})
    [request] = history([opened, *[verdict] * many], ()).requests
    assert (len(request.reviews), request.rounds[0].omitted.reviews) == (rounds.ENTRIES, 5)
    assert (request.cost_usd, request.tokens) == (many, many)


def test_troubles_that_are_left_out_are_counted() -> None:
    assert "4 earlier ones are left out here." in shown(stop(0, troubles=rounds.ENTRIES + 4))


def test_a_long_text_says_how_much_is_missing() -> None:
    text = shown(stop(0, text="x" * (rounds.TEXT + 500)))
    assert "characters cut]" in text
    assert len(text) < 6 * rounds.TEXT


def test_two_reviews_that_are_alike_have_numbers_of_their_own() -> None:
    alike = [event for _ in range(2) for event in stop(0)]
    text = shown(iter(alike))
    assert "Review 1 " in text
    assert "Review 2 " in text


def steps(count: int) -> Iterator[Step]:
    for number in range(count):
        at = NOON.timestamp() + 10 * number - 5
        yield Answered(at, 7)
        yield Used(at, "Edit", "/f", True, edit=Edit(f"/f{number}", "a\n", "b\n"))


def test_what_the_omitted_rounds_changed_and_used_still_counts() -> None:
    many = rounds.ROUNDS + 3
    [request] = history(stops(many), tuple(steps(many))).requests
    assert [edit.path for edit in request.edits] == [f"/f{number}" for number in range(many)]
    assert request.agent_tokens == 7 * many


moments = st.none() | st.integers(0, 100).map(lambda second: NOON + timedelta(seconds=second))


@given(
    st.lists(st.builds(happened, st.sampled_from(["supervisor-hook invoked", "sent back", "check"]), moments)),
    st.lists(st.integers(0, 100)).map(sorted),
)
def test_a_step_is_told_once_whatever_the_clock_did(events: list[Event], seconds: list[int]) -> None:
    said = [Said(NOON.timestamp() + second, str(number)) for number, second in enumerate(seconds)]
    asked = Asked(0.0, "do it")
    found = [step for each in history(events, (asked, *said)).requests for turn in each.rounds for step in turn.steps]
    assert len(found) == len(set(found))


@pytest.mark.parametrize("each_its_own", [False, True])
def test_ten_times_the_story_needs_no_more_memory(each_its_own: bool) -> None:
    def most(count: int) -> int:
        tracemalloc.start()
        history(stops(count, remarks=1, text="x" * 4000, each_its_own=each_its_own), ())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    few = 2 * rounds.ROUNDS
    assert most(10 * few) < 2 * most(few)


def test_the_story_is_read_as_it_is_told(tmp_path: Path) -> None:
    lines = [json.dumps({"event": "check", "command": "x" * 50_000}) for _ in range(200)]
    story_path(tmp_path, "a").write_text("\n".join([*lines, ""]))
    tracemalloc.start()
    assert sum(1 for _ in story.events(tmp_path, "a")) == 200
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert held < 50 * 50_000


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64, 1000])
def test_the_size_of_the_blocks_never_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    told = [{"event": "check", "command": "x" * size} for size in (0, 1, 30, 200, 0)]
    story_path(tmp_path, "a").write_text("\n\n".join(map(json.dumps, told)) + "\n")
    monkeypatch.setattr(story, "BLOCK", block)
    assert [event.command for event in story.events(tmp_path, "a")] == [each["command"] for each in told]


def weather(at: datetime, until: datetime) -> Iterator[Event]:
    """A wait of a minute, and a change."""
    yield happened("held up", at, {"by": "limit", "until": until.isoformat(), "said": "Zut", "provider": "glm"})
    yield happened("went on", at + timedelta(minutes=1), {"seconds": 60})
    later = {"provider": "glm", "to": "kimi", "by": "limit", "until": until.isoformat()}
    yield happened("provider changed", at + timedelta(minutes=2), later)


def test_what_an_agent_waited_for_is_told_with_the_round_that_it_ended_in() -> None:
    until = NOON + timedelta(hours=5)
    told = [*weather(NOON, until), *stop(30), *weather(NOON + timedelta(minutes=10), until), *stop(99, prompt_id="q")]
    first, second = history(iter(told), ()).requests
    assert [len(each.holds) for request in (first, second) for each in request.rounds] == [2, 2]
    assert [hold.seconds for hold in first.rounds[0].holds] == [60, None]
    text = shown(iter(told))
    assert text.count("waiting for the limit of glm until ") == 2
    assert text.count("; kimi goes on") == 2
    assert "Waiting for the provider 1 min 00 s" in text


def test_a_wait_that_goes_on_is_told_although_nothing_has_stopped_yet() -> None:
    held = happened("held up", NOON, {"by": "limit", "until": NOON.isoformat(), "provider": "glm"})
    ended = happened("stop allowed", NOON, {"outcome": "completed"})
    [only] = history(iter([held]), ()).requests
    first, second = history(iter([*stop(0), ended, held]), ()).requests
    assert (len(only.rounds[0].holds), len(second.rounds[0].holds)) == (1, 1)
    assert [request.outcome for request in (only, first, second)] == [None, Outcome.COMPLETED, None]
    page.render(Told("id", (second,), phase=Phase.HELD_UP), SAY, made=0.0)
