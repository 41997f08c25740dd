"""The gate, measured: silent wherever the agent may stop, and heard wherever it claims to be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ccc.claude import conversation, transcript
from ccc.claude.stream import StreamParser
from ccc.evidence import facts
from ccc.evidence.facts import Evidence
from ccc.judging import gate
from tests.eval import clients, may_stop, must_go_on
from tests.eval.steps import Ask, Case, Say
from tests.tables import each

CASES = [*must_go_on.CASES, *may_stop.CASES]
BY_ID = {case.id: case for case in CASES}
EACH_CASE = each("case_id", BY_ID)


def from_transcript(case: Case, version: str, folder: Path) -> Evidence:
    path = folder / f"{case.id}-{version}.jsonl"
    path.write_bytes(clients.transcript(case, version))
    last = next((step.text for step in reversed(case.steps) if isinstance(step, Say)), None)
    found = transcript.current_request(path, last, timeout=0)
    assert found is not None
    return facts.of(found)


def from_stream(case: Case) -> Evidence:
    request, *meanwhile = clients.typed(case)
    reader = conversation.StreamReader()
    reader.asked(request)
    for words in meanwhile:
        reader.asked(words)
    for event in StreamParser().feed(clients.stream(case)):
        reader.feed(event)
    return facts.of(reader.conversation())


def rule(case: Case, found: Evidence) -> str | None:
    answer = gate.objection(found, permission_mode=case.mode)
    return answer.rule.value if answer else None


def test_there_are_enough_cases_of_every_label() -> None:
    labels = Counter(case.label for case in CASES)
    assert len(CASES) == len(BY_ID) >= 60
    assert min(labels["may_stop"], labels["must_go_on"]) >= 30
    assert labels["needs_human"] >= 5


@EACH_CASE
@each("version", clients.VERSIONS)
def test_the_gate_answers_as_labelled_on_every_client(case_id: str, version: str, tmp_path: Path) -> None:
    case = BY_ID[case_id]
    assert rule(case, from_transcript(case, version, tmp_path)) == case.rule


@EACH_CASE
def test_the_gate_answers_alike_from_the_live_stream(case_id: str) -> None:
    case = BY_ID[case_id]
    assert rule(case, from_stream(case)) == case.rule


@EACH_CASE
@each("version", clients.VERSIONS)
def test_evidence_tells_what_the_story_says(case_id: str, version: str, tmp_path: Path) -> None:
    case = BY_ID[case_id]
    told = facts.as_json(from_transcript(case, version, tmp_path))
    assert {key: told[key] for key in case.facts} == dict(case.facts)


@EACH_CASE
def test_the_request_is_the_last_one_asked(case_id: str, tmp_path: Path) -> None:
    case = BY_ID[case_id]
    asked = next(step.text for step in case.steps if isinstance(step, Ask))
    assert {from_transcript(case, version, tmp_path).request for version in clients.VERSIONS} == {asked}


@EACH_CASE
def test_each_rule_speaks_once(case_id: str, tmp_path: Path) -> None:
    case = BY_ID[case_id]
    found = from_transcript(case, "2.1.325", tmp_path)
    again = gate.objection(found, spoken={case.rule or ""}, permission_mode=case.mode)
    assert again is None or again.rule.value != case.rule


def figures(folder: Path) -> list[str]:
    """How the gate does, a line for each label."""
    heard = {case.id: rule(case, from_transcript(case, "2.1.325", folder)) for case in CASES}
    lines = []
    for label in ("may_stop", "needs_human"):
        cases = [case for case in CASES if case.label == label]
        wrong = [case.id for case in cases if heard[case.id]]
        lines.append(f"{label}: {len(cases)} cases, gate wrong on {len(wrong)}")
    for name in ("P3", "P4", "P5"):
        claimed = [case for case in CASES if case.rule == name]
        caught = [case for case in claimed if heard[case.id] == name]
        lines.append(f"must_go_on {name}: {len(caught)} of {len(claimed)} caught before any model is paid")
    left = [case for case in CASES if case.label == "must_go_on" and not case.rule]
    lines.append(f"must_go_on left to the reviewer: {len(left)}")
    return lines


def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = figures(tmp_path)
    with capsys.disabled():
        print(f"\ngate on {len(CASES)} cases:", *lines, sep="\n  ")
    assert lines[0].startswith("may_stop")
    assert lines[0].endswith("gate wrong on 0")
