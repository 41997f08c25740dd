"""Permission to stop is hard to get by accident; everything else the reviewer says reaches the agent."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.claude.stream import Finished, StreamParser
from ccc.judging.verdict import (
    DEFAULT_FEEDBACK,
    HUMAN_MARKER,
    MARKER,
    SCHEMA,
    Reading,
    is_answer,
    read,
    read_marker,
    settled,
    words_of,
)
from ccc.model import Verdict

TRACES = Path(__file__).parents[1] / "data" / "traces"
ALLOW = '{"allow_stop": true, "feedback": ""}'
BLOCK = '{"allow_stop": false, "feedback": "run the tests"}'
ALLOWED = Verdict(True, "")
DEFAULT = Verdict(False, DEFAULT_FEEDBACK)
RUN = Verdict(False, "run the tests")


def blocked(feedback: str) -> Verdict:
    return Verdict(False, feedback)


def reading(text: str) -> Reading:
    found = read(Finished(result=text))
    assert found is not None
    assert found.sure or not found.verdict.allow_stop
    return found


def marked(text: str) -> Reading:
    found = read_marker(Finished(result=text))
    assert found is not None
    assert found.sure or not found.verdict.allow_stop
    return found


def said(text: str) -> Verdict:
    return reading(text).verdict


def structured(value: object) -> Verdict:
    found = read(Finished(structured_output=value))
    assert found is not None
    return found.verdict


def finished_in(name: str) -> Finished:
    finished = StreamParser().feed((TRACES / f"{name}.jsonl").read_bytes())[-1]
    assert isinstance(finished, Finished)
    return finished


# --- the schema ---


@pytest.mark.spec("H18", "P7")
def test_the_schema_is_the_specified_one() -> None:
    properties = SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert (SCHEMA["type"], SCHEMA["required"]) == ("object", ["allow_stop", "feedback"])
    assert "additionalProperties" not in SCHEMA  # the client gives a reviewer up that keeps to a name of its own
    assert properties["allow_stop"] == {
        "type": "boolean",
        "description": "是否允许 Agent 停止工作（true = 工作达到无可挑剔状态，false = 需要继续改进）",
    }
    assert properties["feedback"] == {
        "type": "string",
        "description": "当 allow_stop 为 false 时，提供具体的、可执行的、包含足够细节的改进指令",
    }


def test_the_schema_is_json() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


# --- what is no answer ---


@pytest.mark.spec("H6")
@pytest.mark.parametrize("name", ["api-400", "api-429", "api-529", "max-turns", "no-conversation"])
def test_a_recorded_failure_gives_no_verdict(name: str) -> None:
    assert read(finished_in(name)) is None


@pytest.mark.spec("H6", "H29")
@pytest.mark.parametrize(
    "finished",
    [
        Finished(is_error=True, result=ALLOW),
        Finished(is_error=True, structured_output={"allow_stop": True}),
        Finished(is_error=True, result="API Error: 529"),
        Finished(subtype="error_max_turns", result=ALLOW),
        Finished(subtype="error_during_execution", structured_output={"allow_stop": False}),
        Finished(result=None, structured_output=None),
    ],
)
def test_a_failure_gives_no_verdict(finished: Finished) -> None:
    assert not is_answer(finished)
    assert read(finished) is None


# --- structured output ---


@pytest.mark.spec("H6")
def test_the_recorded_review_blocks_with_its_feedback() -> None:
    assert read(finished_in("review-schema")) == Reading(blocked("运行 pytest 并修复失败的测试"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"allow_stop": True, "feedback": ""}, ALLOWED),
        ({"allow_stop": True, "feedback": "well done"}, ALLOWED),
        ({"allow_stop": True}, ALLOWED),
        ({"completed": True}, ALLOWED),
        ({"completed": True, "allow_stop": True}, ALLOWED),
        ({"allow_stop": True, "needs_human": True}, Verdict(False, DEFAULT_FEEDBACK, needs_human=True)),
        ({"allow_stop": True, "needs_human": True, "feedback": "x"}, Verdict(False, "x", needs_human=True)),
        ({"allow_stop": True, "needs_human": False}, ALLOWED),
        *(({"allow_stop": True, "needs_human": said}, DEFAULT) for said in ("true", "True", "yes", " YES", 1, ["key"])),
        *(({"allow_stop": True, "needs_human": said}, ALLOWED) for said in ("false", "No", "", 0, None)),
        ({"allow_stop": True, "inner": {"needs_human": "yes"}}, DEFAULT),
        ({"allow_stop": False, "feedback": "run the tests"}, RUN),
        ({"completed": False, "feedback": "run the tests"}, RUN),
        ({"completed": True, "allow_stop": False, "feedback": "run the tests"}, RUN),
        ({"completed": False, "allow_stop": True, "feedback": "run the tests"}, RUN),
        ({"completed": "yes", "allow_stop": True, "feedback": "run the tests"}, RUN),
        ({"allow_stop": "true", "feedback": "run the tests"}, RUN),
        ({"allow_stop": 1, "feedback": "run the tests"}, RUN),
        ({"allow_stop": None, "feedback": "run the tests"}, RUN),
        ({"allow_stop": [True], "feedback": "run the tests"}, RUN),
        ({"allow_stop": False, "feedback": " \x1b[1mrun the tests\x07\r\n"}, RUN),
        ({"allow_stop": False, "feedback": ""}, DEFAULT),
        ({"allow_stop": False, "feedback": " \n\t"}, DEFAULT),
        ({"allow_stop": False, "feedback": "\x00\x1b[0m\u202e"}, DEFAULT),
        ({"allow_stop": False, "feedback": None}, DEFAULT),
        ({"allow_stop": False, "feedback": ["a"]}, DEFAULT),
        ({"allow_stop": False}, DEFAULT),
        ({"feedback": "no opinion"}, DEFAULT),
        ({}, DEFAULT),
        ([], DEFAULT),
        ("", DEFAULT),
        (True, DEFAULT),
    ],
)
def test_only_a_true_boolean_allows(value: object, expected: Verdict) -> None:
    assert structured(value) == expected


def test_structured_output_comes_before_the_words_beside_it() -> None:
    assert read(Finished(result=ALLOW, structured_output=json.loads(BLOCK))) == Reading(RUN)
    assert read(Finished(result="next words", structured_output=json.loads(ALLOW))) == Reading(ALLOWED)


def test_structured_output_without_an_opinion_leaves_it_to_the_words() -> None:
    assert read(Finished(result=BLOCK, structured_output={})) == Reading(RUN)


@pytest.mark.parametrize("field", ["needs_human", "unchanged"])
@pytest.mark.parametrize(
    ("value", "believed"), [(True, True), (False, False), ("true", False), (1, False), (None, False)]
)
def test_the_optional_fields_are_strict_booleans_too(field: str, value: object, believed: bool) -> None:
    verdict = structured({"allow_stop": False, "feedback": "x", field: value})
    assert getattr(verdict, field) is believed


def test_feedback_of_five_megabytes_is_capped() -> None:
    feedback = structured({"allow_stop": False, "feedback": "字" * 5_000_000}).feedback
    assert len(feedback) == 20_000
    assert feedback.endswith(" characters cut]")


# --- an answer in words ---


@pytest.mark.parametrize(
    "text",
    [
        ALLOW,
        f"\n  {ALLOW}\r\n",
        '{"feedback":"","allow_stop":true}',
        '{"completed": true, "feedback": ""}',
        '{"completed": true}',
        '{"allow_stop": true, "feedback": "", "extra": {}, "more": [], "note": " ", "none": null, "unchanged": false}',
        f"```json\n{ALLOW}\n```",
        f"```\n{ALLOW}\n```\n",
        f"All tests pass, and everything is done.\n\n{ALLOW}",
        f"所有测试通过，任务已完成。\n{ALLOW}",
        f"**Verdict:** {ALLOW}",
        f"\ufeff{ALLOW}",
        '{"basis": "Not one test is missing.", "allow_stop": true, "feedback": ""}',
        '{\n  "allow_stop": true,\n  "feedback": "\\u5b8c\\u6210"\n}',
    ],
)
def test_a_complete_object_allows(text: str) -> None:
    assert reading(text) == Reading(ALLOWED)


@pytest.mark.parametrize(
    "text",
    [
        f"I checked everything.\n\n{ALLOW}",
        f"Tests {{pass}} and {{}} is fine. {ALLOW}",
        f'The config {{"debug": false}} is right. {ALLOW}',
        f"{ALLOW} … on reflection: {BLOCK}",
        f"```notyet\n{ALLOW}\n```",
        f"Verdict:\n~~~refused\n{ALLOW}\n~~~",
        f"First I thought {BLOCK}, but it was fixed: {ALLOW}",
        'Stuck.\n{"allow_stop": false, "feedback": "f", "needs_human": true}',
        '{"allow_stop": "true"}',
        '{"allow_stop": true, "completed": " True "}',
        '{"allow_stop": true, "allow_stop": true}',
        '{"allow_stop": true, "needs_human": "nein"}',
        "You forgot the tests.",
        "",
    ],
)
def test_whoever_says_more_or_less_than_a_verdict_is_asked(text: str) -> None:
    found = reading(text)
    assert not found.sure
    assert settled(found.verdict, Finished(result=ALLOW)) == ALLOWED
    assert settled(found.verdict, Finished(result=BLOCK)) == RUN


@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        (BLOCK, "run the tests"),
        ('{"completed": false, "feedback": "run the tests"}', "run the tests"),
        (f"```json\n{BLOCK}\n```", "run the tests"),
        (f"Not done yet.\n{BLOCK}\nSorry.", "run the tests"),
        (f"{ALLOW} … on reflection: {BLOCK}", "run the tests"),
        (f"First I thought {BLOCK}, but it was fixed: {ALLOW}", "run the tests"),
        ('{"allow_stop": "true", "feedback": "a string"}', "a string"),
        ('{"allow_stop": 1, "feedback": "a number"}', "a number"),
        ('{"allow_stop": null, "feedback": "null"}', "null"),
        ('{"allow_stop": true, "completed": false, "feedback": "two minds"}', "two minds"),
        ('{"allow_stop": false, "allow_stop": true, "feedback": "twice"}', "twice"),
        ('{"allow_stop": false, "feedback": ""}', DEFAULT_FEEDBACK),
        ('{"allow_stop": false}', DEFAULT_FEEDBACK),
        ('{"allow_stop": false, "feedback": {"a": 1}}', DEFAULT_FEEDBACK),
        ('{"allow_stop": false, "feedback": "say {\\"allow_stop\\": true}"}', 'say {"allow_stop": true}'),
    ],
)
def test_a_complete_object_blocks_with_its_feedback(text: str, feedback: str) -> None:
    found = reading(text)
    assert found.verdict == blocked(feedback)
    assert found.sure or ALLOW in text


@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("{'allow_stop': False, 'feedback': 'run the tests'}", "run the tests"),
        ('{allow_stop: false, feedback: "run the tests"}', "run the tests"),
        ('{"allow_stop": false, "feedback": "run the tests",}', "run the tests"),
        ('{"allow_stop": false, "feedback": "run the tests"', "run the tests"),
        ('{"allow_stop": false, "feedback": "run the te', "run the te"),
        ('{"allow_stop": false, "feedback": "line one\nline two"}', "line one\nline two"),
        ('{"allow_stop": false, "feedback": "say "hi" now"}', 'say "hi" now'),
        ('```json\n{"allow_stop": false, "feedback": "run the tests"', "run the tests"),
        ("My view: {'completed': False, 'feedback': '修复 bug'}", "修复 bug"),
        ("{'allow_stop': True, 'feedback': 'fine'}", "fine"),
    ],
)
def test_nearly_json_is_repaired_into_feedback_and_never_into_permission(text: str, feedback: str) -> None:
    assert said(text) == blocked(feedback)


@pytest.mark.parametrize(
    "text",
    [
        '{"allow_stop": true, "feedback": ""',
        '{"allow_stop": true, "feed',
        '{"allow_stop": true',
        "{'allow_stop': True}",
        "{allow_stop: true}",
        '{"allow_stop": true,}',
        '{"allow_stop": true, "feedback": "", "score": NaN}',
        '{"allow_stop": true, "feedback": ""}, {"allow_stop": false, "score": Infinity}',
        '{"allow_stop": true} trailing {"allow_stop": false, ',
        f'{{"allow_stop": false, "feedback": "unfinished\n{ALLOW}',
        f'{{"verdict": {ALLOW}, "more": ',
        f'{{"verdict": {ALLOW}}}',
        f'{{"allow_stop": false, "feedback": [{ALLOW}',
        '{"allow_stop": true}{"allow_stop": false, "n": ' + "9" * 5000 + "}",
        ALLOW + '{"feedback": "wait", "x": ' + "[" * 5000,
        "The to-do list says " + '{"task": "docs", "completed": true}',
        '["allow_stop", true]',
        '"allow_stop": true, "feedback": ""',
        "allow_stop = true",
        "true",
        "[TASK_COMPLETED]",
        ALLOW.replace(":", "："),
        ALLOW.replace('"', "“"),
        ALLOW + " " * 100_000 + "x",
        f"{ALLOW}\n\nThat is my verdict.",
        f"Tests {{pass}} and {{}} is fine: {ALLOW}",
    ],
    ids=range(26),
)
def test_broken_nested_or_contradicted_permission_is_none(text: str) -> None:
    verdict = said(text)
    assert not verdict.allow_stop
    assert verdict.feedback


def test_no_truncation_of_permission_is_permission() -> None:
    for text in (ALLOW, f"All is well.\n{ALLOW}", '{"feedback": "", "completed": true}', f'{{"a": [], {ALLOW[1:]}'):
        assert said(text) == ALLOWED
        for end in range(len(text)):
            assert not said(text[:end]).allow_stop, text[:end]


NESTED = [
    ({"completed": True, "verdict": {"allow_stop": False, "feedback": "fix"}}, "fix"),
    ({"allow_stop": True, "reviews": [{"allow_stop": True}, {"allow_stop": False}]}, DEFAULT_FEEDBACK),
    ({"allow_stop": True, "feedback": "outer", "a": [[{"b": {"completed": False}}]]}, "outer"),
    ({"allow_stop": True, "a": {"allow_stop": "true"}}, DEFAULT_FEEDBACK),
    ({"allow_stop": True, "a": {"needs_human": True, "feedback": "key"}}, "key"),
    ({"allow_stop": True, "a": [[]] * 20_000}, DEFAULT_FEEDBACK),
    *(
        ({"allow_stop": True, name: value, "feedback": "fix"}, "fix")
        for name, value in {"allowStop": False, "ALLOW-STOP": None, "Completed": "no", "needsHuman": True}.items()
    ),
]


@pytest.mark.parametrize(("value", "feedback"), NESTED, ids=range(len(NESTED)))
def test_a_refusal_inside_the_object_is_a_refusal(value: object, feedback: str) -> None:
    assert structured(value) == said(json.dumps(value)) == blocked(feedback)
    assert not said(f"All is well.\n{json.dumps(value)}").allow_stop
    assert not settled(RUN, Finished(result=json.dumps(value))).allow_stop


MORE = [
    '"unchanged": true',
    '"unchanged": 1',
    '"Unchanged": "yes"',
    '"a": {"allow_stop": true}',
    '"b": [false]',
    '"done": false',
    '"done": false, "done": null',
    '"note": "x", "note": ""',
    '"verdict": "not done"',
    '"remaining": ["fix test_a"]',
    '"failures": 3',
    '"failures": 0',
    '"human_needed": true',
    '"\u0430llow_stop": false',
    '"\\u0430llow_stop": false',
    '"\uff41llow_stop": false',
    '"": false',
    '"basis": {"done": false}',
    '"basis": ["not done"]',
    '"basis": "{\\"allow_stop\\": false}"',
    '"feedback": "{ \\"completed\\": false}"',
    '"feedback": "{\\"allowStop\\": false}"',
    '"basis": "seen: {\\"is\\": 1, \\"needs-human\\": true}"',
    '"完成": false',
]


@pytest.mark.parametrize("more", MORE)
def test_a_permission_that_says_something_under_another_name_is_asked_about_and_then_none(more: str) -> None:
    for text in (f'{{"allow_stop": true, {more}}}', f'{{{more}, "completed": true}}'):
        for found in (reading(text), reading(f"All is well.\n{text}"), reading(f"```json\n{text}\n```")):
            assert (found.sure, found.verdict.allow_stop) == (False, False)
        told = json.loads(text, object_pairs_hook=lambda pairs: {**dict(pairs), "more": [pairs]})
        found = read(Finished(structured_output=told))
        assert found
        assert (found.sure, found.verdict.allow_stop) == (False, False)
        assert settled(RUN, Finished(result=text)) == RUN
        assert settled(RUN, Finished(structured_output=told)) == RUN


@pytest.mark.spec("H28")
@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("请先运行测试。", "请先运行测试。"),
        ("  Tests fail:\n- test_a\x07\n", "Tests fail:\n- test_a"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("{not json}", "{not json}"),
        ("[1, 2]", "[1, 2]"),
        ("null", "null"),
        ('{"unrelated": 1}', '{"unrelated": 1}'),
        ('{"allow_stop": true, "feed', '{"allow_stop": true, "feed'),
    ],
)
def test_an_unreadable_answer_blocks_with_its_own_words(text: str, feedback: str) -> None:
    assert said(text) == blocked(feedback)


@pytest.mark.spec("H29")
@pytest.mark.parametrize("text", ["", " ", "\n\t\n", "\x00\x1b[2J", "\ufeff"])
def test_an_empty_answer_blocks_with_the_default_feedback(text: str) -> None:
    assert said(text) == blocked("请继续完成任务")


def test_a_capped_end_of_the_client_is_an_empty_answer() -> None:
    assert read(finished_in("stop-hook-block-cap")) == Reading(DEFAULT, sure=False)


def test_the_default_feedback_can_be_in_another_language() -> None:
    for reader in (read, read_marker):
        assert reader(Finished(result=""), default="Please go on") == Reading(blocked("Please go on"), sure=False)


WHOLE = [ALLOW, BLOCK, '{"allow_stop": true', '"allow_stop"', '"completed"', '"feedback"', "true", "false", ": true, "]
AROUND = [*"{}[]\":,\\\n '", '{"', '"}', "allow_stop", "```json\n", "words", "中", "\x1b[2J", "[TASK_COMPLETED]"]
FRAGMENTS = st.sampled_from(WHOLE + AROUND)


@settings(max_examples=1000, deadline=None)
@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_permission_comes_only_from_a_complete_object(text: str) -> None:
    verdict = said(text)
    assert not verdict.allow_stop or holds_permission(text)
    assert verdict.allow_stop == (verdict.feedback == "")
    assert len(verdict.feedback) <= 20_000


@settings(max_examples=1000, deadline=None)
@given(st.text(st.characters()))
def test_no_text_makes_the_verdict_raise(text: str) -> None:
    assert not said(text).allow_stop
    marked(text)
    words_of(text)


def holds_permission(text: str) -> bool:
    return any(_permission_at(text, at) for at, character in enumerate(text) if character == "{")


def _permission_at(text: str, at: int) -> bool:
    try:
        found, _ = json.JSONDecoder().raw_decode(text, at)
    except ValueError:
        return False
    return found.get("allow_stop", True) is found.get("completed", True) is True


@pytest.mark.parametrize(
    "text",
    [
        '{"allow_stop": ' * 8_000,
        '{"' * 50_000,
        '{"a":' * 20_000,
        "{" * 2_000_000,
        '{"allow_stop": false, "feedback": "' + '\\"' * 4_000,
        '{"allow_stop": false, "feedback": ' + '[{"' * 3_000,
        BLOCK[:-2] + "x" * 5_000_000,
    ],
    ids=range(7),
)
@pytest.mark.timeout(20)
def test_hostile_text_cannot_hang_the_verdict(text: str) -> None:
    assert not said(text).allow_stop


def test_well_formed_answers_never_load_the_repairer() -> None:
    script = f"""
import sys
from ccc.claude.stream import Finished
from ccc.judging.verdict import read
for text in ({ALLOW!r}, {BLOCK!r}, "```json\\n" + {BLOCK!r}, "plain words", ""):
    read(Finished(result=text))
assert "json_repair" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


# --- the marker of pty mode ---


@pytest.mark.spec("T10")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[TASK_COMPLETED]", ""),
        ("All done.\n[TASK_COMPLETED]", "All done."),
        ("All done.\r\n\r\n  [TASK_COMPLETED]\t\r\n", "All done."),
        ("`[TASK_COMPLETED]`", ""),
        ("```\n[TASK_COMPLETED]\n```", ""),
        ("\ufeff[TASK_COMPLETED]", ""),
        ("All is well. **[TASK_COMPLETED]**", "All is well."),
        ("- All tests pass\n- the build is green\n\n✅ [TASK_COMPLETED]。", "- All tests pass\n- the build is green"),
        ("全部测试通过！[TASK_COMPLETED]", "全部测试通过！"),
        ("任务已完成。\n\n**结论：**\n[TASK_COMPLETED]", "任务已完成。\n\n**结论："),
    ],
)
def test_the_marker_with_nothing_but_good_words_completes_and_is_hidden(text: str, shown: str) -> None:
    assert marked(text) == Reading(ALLOWED)
    assert words_of(text) == shown


@pytest.mark.spec("T10")
@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("Fix the tests.", "Fix the tests."),
        ("TASK_COMPLETED", "TASK_COMPLETED"),
        ("[task_completed]", "[task_completed]"),
        (ALLOW, ALLOW),
    ],
)
def test_an_answer_without_the_marker_is_feedback_and_nobody_asks(text: str, feedback: str) -> None:
    assert marked(text) == Reading(blocked(feedback))
    assert words_of(text) == text


@pytest.mark.spec("T10")
@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("", DEFAULT_FEEDBACK),
        (" \n ", DEFAULT_FEEDBACK),
        ("I may not print [TASK_COMPLETED] yet.", "I may not print [TASK_COMPLETED] yet."),
        ("x[TASK_COMPLETED]", "x[TASK_COMPLETED]"),
        ("[TASK_COMPLETED]\nGood work.", "Good work."),
        ("You wrote:\n> [TASK_COMPLETED]\nNot so.", "You wrote:\nNot so."),
        ("Print\n```\n[TASK_COMPLETED]\n```\nwhen done.", "Print\n```\n```\nwhen done."),
        ("Never closed:\n```\n[TASK_COMPLETED]", "Never closed:\n```"),
        ("> [TASK_COMPLETED]", DEFAULT_FEEDBACK),
        ("```notyet\n[TASK_COMPLETED]\n```", "```notyet\n```"),
        ("```\npytest\n```\n[TASK_COMPLETED]", "```\npytest\n```"),
        ("One test fails.\n[TASK_COMPLETED]", "One test fails."),
        ("Never say [NEEDS_HUMAN] here.", "Never say [NEEDS_HUMAN] here."),
        ("> [NEEDS_HUMAN]\nGo on.", "Go on."),
        ("The key is missing. [NEEDS_HUMAN]", "The key is missing. [NEEDS_HUMAN]"),
        # What cleaning takes away may be what was meant.
        ("\x1b[32m[TASK_COMPLETED]\x1b[0m", DEFAULT_FEEDBACK),
        ("[TASK_COMPLETED]\x1b]0; no, wait: three tests fail", DEFAULT_FEEDBACK),
        ("[TASK_\u200bCOMPLETED]", DEFAULT_FEEDBACK),
    ],
)
def test_a_marker_among_other_words_is_asked_about(text: str, feedback: str) -> None:
    found = marked(text)
    assert found == Reading(blocked(feedback), sure=False)
    assert MARKER not in text or MARKER in words_of(text)
    assert settled(found.verdict, Finished(result=ALLOW)) == ALLOWED
    assert settled(found.verdict, Finished(result='{"allow_stop": false, "feedback": ""}')) == blocked(feedback)


@pytest.mark.spec("T10", "T11")
@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("The key is missing.\n[NEEDS_HUMAN]", "The key is missing."),
        ("The key is missing.\n**[NEEDS_HUMAN]**", "The key is missing."),
        ("[NEEDS_HUMAN]\nThe key is missing.", "The key is missing."),
        ("[NEEDS_HUMAN]", DEFAULT_FEEDBACK),
        # A reviewer that says both has not said that it is done.
        ("Decide.\n[NEEDS_HUMAN]\n[TASK_COMPLETED]", "Decide."),
    ],
)
def test_the_second_marker_on_a_line_of_its_own_calls_the_person(text: str, feedback: str) -> None:
    assert marked(text) == Reading(Verdict(False, feedback, needs_human=True))
    assert HUMAN_MARKER not in words_of(text)


# --- the second answer ---


@pytest.mark.parametrize(
    "second",
    [
        None,
        Finished(is_error=True, result="API Error: 529"),
        Finished(is_error=True, result=ALLOW),
        Finished(result=None),
        *(
            Finished(result=text)
            for text in [
                "",
                "Yes, it may stop.",
                "[TASK_COMPLETED]",
                f"All is well.\n{ALLOW}",
                f"{ALLOW}\nThat is my verdict.",
                f"{ALLOW}\n{ALLOW}",
                f"```json\n{ALLOW}",
                f"> {ALLOW}",
                f"[{ALLOW}]",
                '{"allow_stop": "true"}',
                '{"allow_stop": 1}',
                '{"allow_stop": true, "completed": false}',
                '{"allow_stop": true, "needs_human": "yes"}',
                '{"allow_stop": true',
                "{allow_stop: true}",
                "true",
            ]
        ),
    ],
)
def test_no_second_answer_but_the_object_alone_permits(second: Finished | None) -> None:
    assert settled(RUN, second) == RUN


@pytest.mark.parametrize("second", [ALLOW, f"\n{ALLOW}\n", f"```json\n{ALLOW}\n```", '{"completed": true}'])
def test_the_object_alone_permits(second: str) -> None:
    assert settled(RUN, Finished(result=second)) == ALLOWED
    assert settled(RUN, Finished(structured_output=json.loads(ALLOW))) == ALLOWED


@pytest.mark.parametrize(
    ("second", "verdict"),
    [
        ('{"allow_stop": false, "feedback": "docs"}', blocked("docs")),
        ('Sorry. {"allow_stop": false, "feedback": "docs"}', blocked("docs")),
        ('{"allow_stop": false, "feedback": ""}', RUN),
        ('{"allow_stop": false, "needs_human": true}', Verdict(False, "run the tests", needs_human=True)),
    ],
)
def test_a_second_refusal_counts_and_without_feedback_the_first_words_do(second: str, verdict: Verdict) -> None:
    assert settled(RUN, Finished(result=second)) == verdict


UNSAID = [
    f"{MARKER}...",
    f"{MARKER}..",
    f"**{MARKER}** . .",
    f"{MARKER}。。。",
    f"{MARKER}.!",
    f"Changes are in order.\n{MARKER}",
    f"The required changes are in order.\n{MARKER}",
]


@pytest.mark.parametrize("text", UNSAID)
def test_dots_and_changes_that_are_in_order_leave_something_unsaid(text: str) -> None:
    assert not marked(text).sure
    assert not reading(text.replace(MARKER, ALLOW)).sure


@pytest.mark.parametrize("text", [f"{MARKER}.", f"**{MARKER}**!", f"{MARKER}。", f"Everything is in order.\n{MARKER}."])
def test_one_sign_may_end_a_permission(text: str) -> None:
    assert marked(text) == Reading(ALLOWED)
