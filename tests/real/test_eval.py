"""`ccc eval` with the real client: the labelled cases are sessions that it can fork."""

from __future__ import annotations

import json
from pathlib import Path

from ccc.claude import transcript
from ccc.evidence import facts
from ccc.trial.scripted import ScriptedModel
from tests.eval.__main__ import write
from tests.real.hooks_world import reviews, rules, verdict
from tests.world import World, provider


def last_request(path: Path) -> str:
    found = transcript.current_request(path, timeout=0)
    assert found
    return facts.of(found).request


def test_the_real_reviewer_is_measured_on_the_cases(world: World) -> None:
    folder = world.root / "cases"
    write(folder)
    listed = json.loads((folder / "cases.json").read_text())
    assert len(listed) >= 60
    chosen = [
        next(case for case in listed if case["label"] == label) for label in ("may_stop", "must_go_on", "needs_human")
    ]
    (folder / "cases.json").write_text(json.dumps(chosen))
    with ScriptedModel(
        rules([{"text": "x"}], [verdict(True), verdict(True), verdict(False, "ask", needs_human=True)])
    ) as model:
        path = world.write_config({"glm": provider(model.url)})
        before = path.read_bytes()
        run = world.ccc("eval", str(folder), "--provider", "glm", "--json")
        assert run.code == 0, run.err
        seen = [request.text for request in reviews(model)]
    score = json.loads(run.out)
    assert (score["cases"], score["right"]) == (3, 2)
    assert score["false_stops"] == [chosen[1]["id"]]
    assert (score["false_blocks"], score["no_verdict"]) == ([], [])
    assert len(seen) == 3
    for case, text in zip(chosen, seen, strict=True):
        assert last_request(folder / f"{case['id']}.jsonl")[:40] in text
    assert path.read_bytes() == before
    assert not (world.config / "projects").exists()


def test_a_folder_without_cases_says_how_to_write_them(world: World, tmp_path: Path) -> None:
    world.write_config({"glm": {}})
    run = world.ccc("eval", str(tmp_path), "--provider", "glm")
    assert run.code == 1
    assert "python -m tests.eval" in run.err
