"""`ccc evidence`: what a transcript proves, and why the gate is silent."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ccc.base import messages
from ccc.base.text import columns_of
from ccc.claude import transcript
from ccc.claude.own_words import BROKEN_OFF, CUT_OFF
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


def test_in_chinese_every_word_is_and_the_columns_stand_below_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCC_LANG", "zh")
    shown = told("m-en-py-commit-go", tmp_path, "--why").splitlines()
    assert any(line.startswith("之后运行") and line.endswith("显示不出什么") for line in shown)
    assert any(line.startswith("改动 ") and line.endswith("：代码") for line in shown)
    rules = [line for line in shown if line.startswith("P")]
    assert {columns_of(re.split("(?<= )(?:沉默|反对|静默|发声)", line)[0]) for line in rules} == {25}, rules


def test_why_is_part_of_the_json(tmp_path: Path) -> None:
    gate = json.loads(told("m-en-tsx-label-stop", tmp_path, "--why", "--json"))["gate"]
    assert {each["rule"]: each["objects"] for each in gate} == dict.fromkeys(("P5", "P4", "P4-claim", "P3"), False)
    assert "comments or literals only" in gate[1]["why"]
    assert "gate" not in json.loads(told("m-en-tsx-label-stop", tmp_path, "--json"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_ccc_said_to_an_agent_that_was_cut_off_is_no_request(tmp_path: Path, lang: str) -> None:
    own, broken = messages.said(CUT_OFF, lang), messages.said(BROKEN_OFF, lang)
    said = ["an older one", "hi", own, f"{own}\n\nand that", f"{broken}\n\nIt had ended with: limit"]
    lines = [{"type": "user", "uuid": str(at), "message": {"content": text}} for at, text in enumerate(said)]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = CliRunner().invoke(evidence, ["--transcript", str(path), "--json"], catch_exceptions=False)
    assert json.loads(ran.output)["request"] == "hi"
    assert transcript.words(path) == ("an older one", "hi", "and that")
