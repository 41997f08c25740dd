from __future__ import annotations

from typing import Any

import pytest

from ccc.claude.conversation import Asked, Call, Kept, Moment, Said, Spent, Told
from ccc.claude.transcript_lines import Compacted, Queued, Requested, understood
from ccc.claude.transcript_moments import history, of_transcript

Line = dict[str, Any]


def at(second: int) -> str:
    return f"2026-01-01T00:00:{second:02}.000Z"


NOON = 1767225600.0  # the first of these seconds


def user(content: object, second: int = 0, **more: object) -> Line:
    return {"type": "user", "timestamp": at(second), "message": {"content": content}, **more}


def assistant(block: Line, second: int = 0, **usage: int) -> Line:
    return {
        "type": "assistant",
        "timestamp": at(second),
        "message": {"id": f"m{second}", "model": "claude-x", "content": [block], "usage": usage},
    }


def use(second: int, id_: str = "t1") -> Line:
    return assistant({"type": "tool_use", "id": id_, "name": "Bash", "input": {"command": "make"}}, second)


def result(second: int, id_: str = "t1", content: str = "ok", **more: object) -> Line:
    return user([{"type": "tool_result", "tool_use_id": id_, "content": content}], second, **more)


def say(second: int, text: str, **usage: int) -> Line:
    return assistant({"type": "text", "text": text}, second, **usage)


def told(*lines: Line) -> tuple[Moment | Spent, ...]:
    return tuple(each for each in history(lines, Kept()) if not isinstance(each, Spent))


def test_every_moment_has_its_time() -> None:
    lines = [user("fix it", 1, promptId="p"), say(2, "I do"), use(3), result(7), user("Stop hook feedback: no", 8)]
    asked, said, call, note = told(*lines)
    assert asked == Asked("fix it", at=NOON + 1, prompt_id="p")
    assert said == Said("I do", NOON + 2)
    assert isinstance(call, Call)
    assert (call.at, call.seconds) == (NOON + 3, 4.0)
    assert note == Told(NOON + 8)


def test_the_order_of_the_file_counts_and_not_the_clock() -> None:
    lines = [user("fix it", 9), say(2, "a"), {**say(0, "b"), "timestamp": "nonsense"}, use(3), result(1)]
    found = told(*lines)
    assert [type(each) for each in found] == [Asked, Said, Said, Call]
    assert {each.at for each in found} == {NOON + 9}
    assert [each.seconds for each in found if isinstance(each, Call)] == [0.0]


@pytest.mark.parametrize("stamp", [None, 3, "", "soon", "2026-13-01T00:00:00Z", [], "2026-01-01T00:00:00+99:00"])
def test_a_time_that_is_none_is_unknown(stamp: object) -> None:
    [asked] = told({**user("fix it"), "timestamp": stamp})
    assert asked.at == 0.0


def test_a_time_without_a_zone_is_utc() -> None:
    [asked] = told({**user("fix it"), "timestamp": "2026-01-01T00:00:05"})
    assert asked.at == NOON + 5


def test_a_session_has_all_its_requests_and_what_the_answers_cost() -> None:
    lines = [user("one", 1), say(2, "a", input_tokens=5), user("two", 3), say(4, "b", output_tokens=7)]
    assert [each.text for each in told(*lines) if isinstance(each, Asked)] == ["one", "two"]
    assert [each.tokens for each in history(lines, Kept()) if isinstance(each, Spent)] == [5, 7]


def test_an_answer_on_several_lines_costs_once_and_at_its_fullest() -> None:
    lines = [user("x"), say(2, "a", output_tokens=1), say(2, "b", output_tokens=9)]
    assert [each.tokens for each in history(lines, Kept()) if isinstance(each, Spent)] == [9]


def test_the_same_words_in_two_requests_are_two_remarks() -> None:
    remark = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "go on"}}
    found = told(user("one"), remark, remark, user("two"), remark)
    assert [each.text for each in found if isinstance(each, Asked)] == ["one", "go on", "two", "go on"]


def test_an_interruption_is_told_in_the_clients_words() -> None:
    words = "[Request interrupted by user for tool use]"
    assert told(user("x"), user([{"type": "text", "text": words}]))[1] == Told(NOON, words)


def test_what_is_removed_from_the_queue_was_typed_even_where_it_was_put_in_before() -> None:
    removed = {"type": "queue-operation", "operation": "remove", "content": "also docs"}
    assert of_transcript([user("x"), removed]).moments[1] == Asked("also docs", meanwhile=True, at=NOON)


def test_an_exit_code_that_is_no_number_of_anybodys_is_unknown() -> None:
    started = result(1, content="Command running in background with ID: b1")
    ask = assistant({"type": "tool_use", "id": "t2", "name": "TaskOutput", "input": {"task_id": "b1"}}, 2)
    output = f"<exit_code>{'9' * 5000}</exit_code><output>x</output>"
    calls = [each for each in told(user("x"), use(0), started, ask, result(3, "t2", output)) if isinstance(each, Call)]
    assert [each.exit_code for each in calls] == [None, 0]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ({"type": "system", "subtype": "compact_boundary", "timestamp": at(1)}, Compacted(NOON + 1)),
        ({"type": "queue-operation", "operation": "popAll"}, Queued(0.0, "popAll", "", "")),
        (user("fix it", 2, promptId="p"), Requested(NOON + 2, "fix it", "p")),
    ],
)
def test_a_line_is_a_value(line: Line, entry: tuple[object, ...]) -> None:
    found = understood(line)
    assert found
    assert found.entries == (entry,)
    assert isinstance(found.entries[0], type(entry))


def test_a_compaction_is_no_request_and_ends_none() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary"}
    summary = user("This session is being continued from a previous conversation", isCompactSummary=True)
    found = of_transcript([user("fix it"), use(1), boundary, summary, result(2), say(3, "done")])
    assert [type(each) for each in found.moments] == [Asked, Call, Told, Said]


def test_the_weight_is_that_of_the_last_models_tokens_each_message_once() -> None:
    def replied(message: str, model: str, **usage: object) -> dict[str, object]:
        return {"type": "assistant", "message": {"id": message, "model": model, "usage": usage}}

    asked = {"type": "user", "message": {"content": "do it"}}
    hour = {"cache_creation_input_tokens": 10, "cache_creation": {"ephemeral_1h_input_tokens": 10}}
    lines = [
        asked,
        replied("1", "claude-other", input_tokens=1_000),
        replied("2", "claude-x", input_tokens=100, output_tokens=1),
        replied("2", "claude-x", input_tokens=100, output_tokens=20),
        replied("3", "claude-x", cache_read_input_tokens=50, **hour),
        replied("4", "<synthetic>", input_tokens=7),
    ]
    found = of_transcript(lines)
    assert found.weight == 100 + 20 * 5 + 50 / 10 + 10 * 2
    assert found.tokens == 1_000 + 120 + 60
