"""Which words of a fork are its answer: its own `result`, or what it had said when another Stop hook sent it on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.claude.stream import MAX_LINE, NAGGING, Finished
from ccc.judging.hearing import Hearing
from ccc.judging.report import Report
from ccc.judging.verdict import Reading, read, read_marker, settled
from ccc.model import StopEvent, Verdict
from ccc.record.store import utc_now

FEEDBACK = {
    "type": "user",
    "message": {"role": "user", "content": [{"type": "text", "text": "Stop hook feedback:\nx"}]},
}
NAGGED = {"type": "user", "message": {"role": "user", "content": f"[structured-output-enforce] {NAGGING} now."}}
NOTICE = {"type": "result", "subtype": "success", "num_turns": 0, "result": "", "origin": {"kind": "task-notification"}}


def init(*tools: str) -> dict[str, object]:
    return {"type": "system", "subtype": "init", "session_id": "s", "tools": list(tools)}


def said(text: str, parent: str | None = None) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "parent_tool_use_id": parent, "message": {"content": content}}


def result(text: str, **more: object) -> dict[str, object]:
    return {"type": "result", "subtype": "success", "is_error": False, "result": text, **more}


def called(name: str, **given: object) -> dict[str, object]:
    content = [{"type": "tool_use", "id": "t1", "name": name, "input": given}]
    return {"type": "assistant", "parent_tool_use_id": None, "message": {"content": content}}


def foreign(kind: str) -> dict[str, object]:
    return result("somebody else's", num_turns=1, origin={"kind": kind})


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([init("Bash"), said("a"), result("a")], "a"),
        ([NOTICE, init("Bash"), said("a"), result("a")], "a"),
        ([NOTICE], None),
        ([NOTICE, init("Bash"), said("a")], None),
        *(([foreign(kind), result("a")], "a") for kind in ("cron", "peer", "channel", "auto-continuation", "plugin")),
        ([foreign("coordinator")], None),
        # Another Stop hook has a word: the answer was there before it.
        ([init("Bash"), said("a"), FEEDBACK, said("b"), result("b")], "a"),
        ([init("Bash"), said("a"), said("of a subagent", "t1"), FEEDBACK, result("b")], "a"),
        ([NOTICE, init("Bash"), said("a"), FEEDBACK], "a"),
        ([init("Bash"), FEEDBACK, said("b"), result("b")], "b"),
        # The client's result is the last part of it alone.
        ([init("Bash"), said("a"), said("b"), result("b")], "a\n\nb"),
        ([init("Bash"), said("a"), called("Bash"), said("b"), said("c", "t1"), result("b")], "b"),
        ([NOTICE, init("Bash"), said("a"), said("b"), FEEDBACK, result("c")], "a\n\nb"),
        ([said("a"), foreign("cron"), said("b"), result("b")], "b"),
        # What it said before it looked is not what it says after that, though it says nothing.
        ([init("Bash"), said("a"), called("Bash"), FEEDBACK], None),
        ([init("Bash"), said("a"), called("Bash"), FEEDBACK, said("b"), result("b")], "b"),
        ([init("Bash"), said("a"), called("Bash"), result("")], ""),
        # With a schema the words are not the verdict, and the client asks for it by the same means.
        ([init("Bash", "StructuredOutput"), said("a"), FEEDBACK, said("b"), result("b")], "b"),
    ],
)
def test_the_answer_is_what_was_said_to_the_reviews_own_prompt(
    tmp_path: Path, lines: list[dict[str, object]], answer: str | None
) -> None:
    with hearing(tmp_path) as heard:
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        found = heard.close()
    assert (found.result if found else None) == answer


@contextmanager
def hearing(folder: Path) -> Iterator[Hearing]:
    quiet = os.open(os.devnull, os.O_WRONLY)
    report = replace(Report.of({}, folder / "log", utc_now), stderr=quiet)
    yield Hearing(report, StopEvent("s", folder), folder / "output.jsonl")
    os.close(quiet)


def test_of_many_bad_lines_only_the_first_are_logged(tmp_path: Path) -> None:
    with hearing(tmp_path) as heard:
        heard.hear(b"noise\n" * 50)
    assert (tmp_path / "log").read_text().count("bad line") == 20
    assert (tmp_path / "output.jsonl").read_bytes() == b"noise\n" * 50


def test_lines_are_kept_whole_and_one_longer_than_any_message_in_parts(tmp_path: Path) -> None:
    output = tmp_path / "output.jsonl"
    with hearing(tmp_path) as heard:
        heard.hear(b"half a line")
        assert not output.exists()
        for piece in (b" and its end\n", b"x" * MAX_LINE, b"yz", b"w\nnext\nlast"):
            heard.hear(piece)
        heard.close()
    assert output.read_bytes() == b"half a line and its end\n" + b"x" * MAX_LINE + b"yzw\nnext\nlast\n"


@pytest.mark.parametrize(
    ("given", "about"),
    [
        ({"command": "pytest -q", "description": "d"}, ' on="pytest -q"'),
        ({"file_path": "/a.py"}, " on=/a.py"),
        ({"url": ""}, ""),
    ],
)
def test_what_the_reviewer_used_a_tool_for_is_logged(tmp_path: Path, given: dict[str, str], about: str) -> None:
    with hearing(tmp_path) as heard:
        heard.hear(json.dumps(called("Bash", **given)).encode() + b"\n")
    [told] = (tmp_path / "log").read_text().splitlines()
    assert told.partition(" tool=Bash")[2] == about


@pytest.mark.parametrize(
    ("calls", "told", "believed"),
    [
        ([{"allow_stop": False}], {"allow_stop": False}, True),
        ([{"allow_stop": False}], {"allow_stop": True}, False),
        ([{"allow_stop": 1}, {"allow_stop": True}], {"allow_stop": True}, True),  # the first one did not fit the schema
        ([], {"allow_stop": True}, True),  # no model was asked, which is another matter
    ],
)
def test_a_verdict_is_what_the_model_gave_and_not_what_a_hook_made_of_it(
    tmp_path: Path, calls: list[dict[str, object]], told: dict[str, object], believed: bool
) -> None:
    with hearing(tmp_path) as heard:
        lines = [*(called("StructuredOutput", **given) for given in calls), result("x", structured_output=told)]
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert heard.finished
    assert (heard.finished.structured_output == told, heard.finished.is_error) == (believed, not believed)
    assert not heard.finished.by_api


YES = {"allow_stop": True, "feedback": ""}
NO = {"allow_stop": False, "feedback": "docs"}
VERDICT = "StructuredOutput"


def use(id_: str, name: str = "Bash", parent: str | None = None, **given: object) -> dict[str, object]:
    content = [{"type": "tool_use", "id": id_, "name": name, "input": given}]
    return {"type": "assistant", "parent_tool_use_id": parent, "message": {"content": content}}


def came(id_: str) -> dict[str, object]:
    content = [{"type": "tool_result", "tool_use_id": id_, "content": "x"}]
    return {"type": "user", "parent_tool_use_id": None, "message": {"role": "user", "content": content}}


@pytest.mark.parametrize(
    ("lines", "sure", "allowed"),
    [
        ([use("v", VERDICT, **YES)], True, True),
        ([use("a"), came("a"), use("v", VERDICT, **YES)], True, True),
        ([use("a", parent="t"), use("v", VERDICT, **YES)], True, True),
        ([use("v", VERDICT, **YES), use("w", VERDICT, **YES)], True, True),
        ([use("v", VERDICT, **NO), use("w", VERDICT, **{**NO, "feedback": "tests"})], True, False),
        # What it looked at had not come, or it went on to look.
        ([use("a"), use("v", VERDICT, **YES)], False, False),
        ([use("a"), use("b"), came("b"), use("v", VERDICT, **YES), came("a")], False, False),
        ([use("v", VERDICT, **YES), use("a")], False, False),
        ([use("v", VERDICT, **YES), use("a"), came("a")], False, False),
        ([use("v", VERDICT, **YES), use("a"), came("a"), use("w", VERDICT, **YES)], True, True),
        ([use("a"), use("v", VERDICT, **NO)], True, False),
        # Two that differ, in whatever.
        ([use("v", VERDICT, **YES, needs_human=True), use("w", VERDICT, **YES)], False, False),
        ([use("v", VERDICT, **YES, unchanged=True), use("w", VERDICT, **YES)], False, False),
        ([use("v", VERDICT, verdict="not done"), use("w", VERDICT, **YES)], False, False),
        ([use("v", VERDICT, allowStop=False, completed=False, feedback="x"), use("w", VERDICT, **YES)], False, False),
        ([use("v", VERDICT, **NO), use("w", VERDICT, **YES)], False, False),
    ],
)
def test_a_verdict_counts_that_is_the_only_one_and_the_last_word(
    tmp_path: Path, lines: list[dict[str, object]], sure: bool, allowed: bool
) -> None:
    last = lines[-1]["message"]["content"][0] if "StructuredOutput" in json.dumps(lines[-1]) else None  # type: ignore[index]
    told = last["input"] if last else YES
    with hearing(tmp_path) as heard:
        wire = [init("Bash", VERDICT), *lines, result("", structured_output=told)]
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in wire))
        found = heard.close()
    assert found
    reading = read(found)
    assert reading
    assert (reading.sure, reading.verdict.allow_stop) == (sure, allowed)


# Each line: what was asked for, what the author thinks of the work, and what was said, in parts.
LABELLED = Path(__file__).parents[1] / "data" / "answers" / "labelled.jsonl"
THOUGHT = {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "hm"}]}}
BETWEEN = {"<TOOL>": [use("t"), came("t")], "<THINK>": [THOUGHT], "<NEWMSG>": []}


def heard_out(tmp_path: Path, asked: str, parts: list[str]) -> str:
    """What comes of such an answer before anybody is asked once more."""
    lines = [line for part in parts for line in BETWEEN.get(part, [said(part)])]
    last = next((part for part in reversed(parts) if part not in ("<THINK>", "<NEWMSG>")), "")
    with hearing(tmp_path) as heard:
        heard.keeping = heard.aloud = False
        wire = [init("Bash"), *lines, result("" if last == "<TOOL>" else last)]
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in wire))
        found = heard.close()
    assert found
    reading = (read if asked == "json" else read_marker)(found)
    assert reading
    return "asked" if not reading.sure else "allowed" if reading.verdict.allow_stop else "sent back"


def test_nobody_is_believed_who_finds_the_work_wanting_nor_sent_back_who_finds_it_done(tmp_path: Path) -> None:
    """But for words in the two fields that are for words: nobody reads what a permission says there."""
    wanted = {"wanting": {"asked", "sent back"}, "done": {"allowed", "asked"}, "unread": {"allowed"}}
    told = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    assert len(told) > 1000
    for each in told:
        assert heard_out(tmp_path, each["asked"], each["parts"]) in wanted[each["label"]], each


# --- whether a model was asked at all ---

ASKED = {"usage": {"input_tokens": 9, "output_tokens": 5}}
BY_CLIENT = {"type": "assistant", "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "a"}]}}


def heard_of(tmp_path: Path, *lines: dict[str, object]) -> Finished:
    with hearing(tmp_path) as heard:
        heard.hear(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        found = heard.close()
    assert found
    return found


@pytest.mark.parametrize(
    ("lines", "unheard"),
    [
        ([init("Bash"), result("blocked by a hook")], True),
        ([init("Bash"), BY_CLIENT, result("a")], True),
        ([init("Bash"), said("a", "t1"), result("a")], True),  # a subagent's words
        ([init("Bash"), said("a"), foreign("cron"), result("blocked by a hook")], True),
        ([init("Bash"), result("", structured_output={"allow_stop": True})], True),
        ([init("Bash"), BY_CLIENT, FEEDBACK, said("b"), result("b")], True),
        ([init("Bash"), said("a"), result("a")], False),
        ([init("Bash"), THOUGHT, result("")], False),
        ([init("Bash"), called("Bash"), result("")], False),
        ([init("Bash"), result("", **ASKED)], False),  # it said nothing
        # These have a reason of their own.
        ([init("Bash"), BY_CLIENT, result("API Error: 529", is_error=True)], False),
        ([init("Bash"), result("x", subtype="error_max_turns")], False),
    ],
)
def test_words_of_the_client_are_no_answer_of_a_model(
    tmp_path: Path, lines: list[dict[str, object]], unheard: bool
) -> None:
    found = heard_of(tmp_path, *lines)
    assert found.unheard is unheard
    assert not unheard or read(found) is read_marker(found) is None


# --- finished answers, and who went on from them ---

PERMITS, REFUSES = '{"allow_stop": true}', "It is not done: two tests fail."


def of(message: str, line: dict[str, object]) -> dict[str, object]:
    """The same line, as a part of this message."""
    return {**line, "message": {**line["message"], "id": message}}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("lines", "sure", "allowed"),
    [
        # A hook that adds to the context sends it on, and leaves no line.
        ([of("1", said(REFUSES)), of("2", use("a")), came("a"), of("3", said(PERMITS)), result(PERMITS)], False, False),
        ([of("1", said(PERMITS)), of("2", use("a")), came("a"), result("")], False, False),
        ([of("1", said(REFUSES)), of("2", use("a")), came("a"), FEEDBACK, of("3", said(PERMITS))], False, False),
        # Before a look, and in the message that looks.
        ([of("1", said("I look.")), of("1", use("a")), came("a"), of("2", said(PERMITS)), result(PERMITS)], True, True),
        (
            [
                *(of("1", use("a")), of("1", said("And now?")), came("a")),
                *(of("2", use("b")), came("b"), of("3", said(PERMITS)), result(PERMITS)),
            ],
            True,
            True,
        ),
    ],
)
def test_a_look_takes_back_only_what_was_said_on_the_way_to_it(
    tmp_path: Path, lines: list[dict[str, object]], sure: bool, allowed: bool
) -> None:
    reading = read(heard_of(tmp_path, init("Bash"), *lines))
    assert reading
    assert (reading.sure, reading.verdict.allow_stop) == (sure, allowed)


@pytest.mark.parametrize(
    "lines",
    [
        [THOUGHT, result(PERMITS)],
        [said("I look."), called("Bash"), result("", structured_output=YES)],
        # By the tool, in a form that does not fit the schema, and then in words.
        [use("v", VERDICT, allow_stop=False, feedback=["x"]), said(PERMITS), result(PERMITS)],
    ],
)
def test_a_permission_that_the_model_was_not_heard_to_give_is_asked_about(
    tmp_path: Path, lines: list[dict[str, object]]
) -> None:
    reading = read(heard_of(tmp_path, init("Bash", VERDICT), *lines))
    assert reading
    assert (reading.sure, reading.verdict.allow_stop) == (False, False)


@pytest.mark.parametrize("asker", [FEEDBACK, NAGGED])
@pytest.mark.parametrize("words", ["Not done: the tests are missing.", json.dumps(NO)])
def test_a_permission_by_the_schema_from_whoever_had_ended_with_a_refusal_is_asked_about(
    tmp_path: Path, words: str, asker: dict[str, object]
) -> None:
    """The client asks for the tool when its author has ended without it, and a hook may send it on."""
    given = use("v", VERDICT, **YES)
    end = result(json.dumps(YES), structured_output=YES)
    found = heard_of(tmp_path, init(VERDICT), said(words), asker, given, end)
    reading = read(found)
    assert reading
    assert (reading.sure, reading.verdict.allow_stop) == (False, False)
    refused = heard_of(
        tmp_path, init(VERDICT), said(words), asker, use("v", VERDICT, **NO), result("", structured_output=NO)
    )
    assert read(refused) == Reading(Verdict(False, str(NO["feedback"])))


@pytest.mark.parametrize("reason", ["end_turn", "stop_sequence", "tool_use", None])
def test_an_answer_counts_that_its_author_has_ended(tmp_path: Path, reason: str | None) -> None:
    found = heard_of(tmp_path, said(PERMITS), result(PERMITS, stop_reason=reason))
    assert read(found) == Reading(Verdict(True, ""))


@pytest.mark.parametrize("reason", ["content_filter", "pause_turn", "max_tokens", "refusal", "something new"])
def test_an_answer_that_was_cut_off_is_asked_about(tmp_path: Path, reason: str) -> None:
    for text, reader in ((PERMITS, read), ("[TASK_COMPLETED]", read_marker), ("Two fail.", read_marker)):
        found = heard_of(tmp_path, said(text), result(text, stop_reason=reason))
        assert reader(found) == Reading(Verdict(False, text), sure=False)
        assert not settled(Verdict(False, "x"), found).allow_stop


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded", "refusal", "something new"])
def test_a_verdict_by_the_schema_is_asked_about_where_its_author_was_cut_off(tmp_path: Path, reason: str) -> None:
    """Another one, or words that take it back, may have been on their way."""
    for given, meant in ((YES, json.dumps(YES)), ({**YES, "feedback": "So far."}, "So far."), (NO, NO["feedback"])):
        end = result(json.dumps(given), structured_output=given, stop_reason=reason)
        found = heard_of(tmp_path, init(VERDICT), use("v", VERDICT, **given), end)
        assert read(found) == Reading(Verdict(False, str(meant)), sure=False)
        assert not settled(Verdict(False, "x"), found).allow_stop


def test_a_verdict_by_the_schema_is_asked_about_where_the_client_says_that_the_api_broke_off_behind_it(
    tmp_path: Path,
) -> None:
    given, end = use("v", VERDICT, **YES), result(json.dumps(YES), structured_output=YES, stop_reason="tool_use")
    for lines, sure in (([given, BY_CLIENT, end], False), ([BY_CLIENT, given, end], True)):
        reading = read(heard_of(tmp_path, init(VERDICT), *lines))
        assert reading
        assert (reading.sure, reading.verdict.allow_stop) == (sure, sure)


@pytest.mark.parametrize("reason", ["end_turn", "tool_use", None])
def test_a_verdict_by_the_schema_counts_that_its_author_has_ended(tmp_path: Path, reason: str | None) -> None:
    end = result(json.dumps(YES), structured_output=YES, stop_reason=reason)
    assert read(heard_of(tmp_path, init(VERDICT), use("v", VERDICT, **YES), end)) == Reading(Verdict(True, ""))


@pytest.mark.parametrize(
    ("tools", "needs", "lacks"),
    [
        (("Bash", "Read"), {"Bash", "Read"}, ""),
        (("Bash",), {"Bash", "Read"}, "it had no Read,"),
        (("Skill",), {"Bash", "Read"}, "it had no Bash, Read,"),
        (("Skill",), set(), ""),
        ((), {"Bash"}, ""),  # a client that does not tell
    ],
)
def test_a_reviewer_that_cannot_look_is_not_heard(
    tmp_path: Path, tools: tuple[str, ...], needs: set[str], lacks: str
) -> None:
    with hearing(tmp_path) as heard:
        heard.needs = frozenset(needs)
        for line in (init(*tools), said("[TASK_COMPLETED]"), result("[TASK_COMPLETED]")):
            if heard.hear(json.dumps(line).encode() + b"\n"):
                break
        found = heard.finished
    assert found is not None
    assert (read_marker(found) is None, lacks in (found.result or "")) == (bool(lacks), True)
