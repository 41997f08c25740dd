"""Fields, statuses and quoted output contradict a permission by their form."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ccc.judging.forms import is_none, none_left, one_differs, output_passed, refuses, value_denies


@pytest.mark.parametrize(
    "text", ["allow_stop: false", '{"allow_stop": false}', "completed=false", '"feedback": "fix it"']
)
def test_a_field_that_refuses_refuses_wherever_it_stands(text: str) -> None:
    assert refuses(f"All is well.\n{text}\n")


@pytest.mark.parametrize("text", ["allow_stop: true", "completed=true", '"feedback": ""', "it completed no step"])
def test_any_other_field_refuses_nothing(text: str) -> None:
    assert not refuses(text)


@pytest.mark.parametrize(
    ("sentence", "denies"),
    [
        *(("Decision: block", True), ("Verdict: needs work", True), ("Score: 6/10", True), ("Grade: F", True)),
        *(("<verdict>block</verdict>", True), ("结论：待定", True), ("Decision: allow", False), ("结论：通过", False)),
        *(("Score: 10/10", False), ("Note: block", False), ("Status: it was read line by line by me", False)),
    ],
)
def test_the_value_of_a_verdict_must_be_good(sentence: str, denies: bool) -> None:
    assert value_denies(sentence) == denies


@pytest.mark.parametrize(
    ("lines", "differs"),
    [
        *((["Is it done? yes", "Why? it is"], False), (["One: done", "Two: started"], True)),
        *((["API: done", "Docs: absent"], True), (["a — pass", "b — fail"], True), (["a ✓", "b ✓", "c"], True)),
        *(
            (["API: done", "Docs: done"], False),
            (["API: one", "Docs: two"], False),
            (["Open: none", "Done: all"], False),
        ),
    ],
)
def test_of_statuses_side_by_side_none_may_differ(lines: list[str], differs: bool) -> None:
    assert one_differs(lines) == differs


def test_none_is_good_only_of_what_could_be_wrong() -> None:
    assert is_none("None.")
    assert none_left("Outstanding: nothing")
    assert none_left("Findings: none")
    assert not none_left("Tests: none")


@pytest.mark.parametrize(
    ("output", "passed"),
    [
        *(("13 passed", True), ("ok  \texample.com/x\t0.01s", True), ("2 failed, 3 passed", False)),
        *(("--- FAIL: TestX (0.00s)\nFAIL", False), ("cat: a: No such file or directory", False)),
        *(("HTTP/1.1 404 Not Found", False), ("$ make", None), ("", None)),
        *(("no tests ran in 0.01s", False), ("Ran 0 tests in 0.000s\n\nOK", False), ("collected 0 items", False)),
        *(("0 passed", False), ("running 3 tests\n3 passed\nrunning 0 tests\n0 passed", True)),
    ],
)
def test_quoted_output_is_read_as_evidence_is(output: str, passed: bool | None) -> None:
    assert output_passed(output) is passed


def test_plain_words_never_load_the_reader_of_outcomes() -> None:
    script = """
import sys
from ccc.judging.verdict import MARKER, marker_verdict
assert marker_verdict("All requirements are met.\\n\\n" + MARKER).allow_stop
assert "ccc.evidence.outcomes" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
