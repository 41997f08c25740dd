"""`ccc evidence`: what a transcript proves, and why the gate is silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ccc.commands.seeing import evidence
from tests.eval import clients, mirrored


def told(name: str, folder: Path, *options: str) -> str:
    case = next(case for case in mirrored.CASES if case.id == name)
    path = folder / "t.jsonl"
    path.write_bytes(clients.transcript(case, "2.1.325"))
    ran = CliRunner().invoke(evidence, ["--transcript", str(path), *options], catch_exceptions=False)
    assert ran.exit_code == 0
    return ran.output


def test_why_names_what_each_rule_saw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCC_LANG", "en")
    shown = told("m-en-py-commit-go", tmp_path, "--why")
    assert "ran since      git add, git commit: shows nothing" in shown
    assert "P5 failed checks         silent: no check ran" in shown
    assert "P4 not verified          objects: Code was edited and not verified" in shown
    assert "P3 only asked            silent: tools were used" in shown
    assert "silent:" not in told("m-en-py-commit-go", tmp_path)


def test_why_is_part_of_the_json(tmp_path: Path) -> None:
    gate = json.loads(told("m-en-tsx-label-stop", tmp_path, "--why", "--json"))["gate"]
    assert {each["rule"]: each["objects"] for each in gate} == dict.fromkeys(("P5", "P4", "P4-claim", "P3"), False)
    assert "comments or literals only" in gate[1]["why"]
    assert "gate" not in json.loads(told("m-en-tsx-label-stop", tmp_path, "--json"))
