"""Who is measured by `ccc eval`, and what becomes of a comparison that is interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.commands import measuring
from ccc.providers import config
from ccc.trial import comparison
from ccc.trial.evaluation import Answer, Candidate, Case, Heard, Score
from tests.world import World, provider

PROVIDERS = {"glm": provider("http://g", "g-key", "glm-9"), "kimi": provider("http://k", "k-key")}
CASES = [Case(name, "may_stop", name, b"{}") for name in ("one", "two")]


def chosen(world: World, names: Sequence[str], prompts: Sequence[str] = (), **env: str) -> list[Candidate]:
    conf = config.load(world.env())
    return comparison.candidates(conf, world.project, names, prompts, world.env(**env))


@pytest.mark.parametrize(
    ("names", "judge", "judges"),
    [
        ((), None, ["kimi"]),
        ((), "glm", ["glm"]),
        ((), ["glm", {"model": "k2"}], ["glm", "kimi/k2"]),
        (("glm",), "kimi", ["glm"]),
        (("glm", "glm/air", "glm", "kimi/k/2"), None, ["glm", "glm/air", "kimi/k/2"]),
    ],
)
def test_who_is_named_is_measured_else_who_judges_here(
    world: World, names: tuple[str, ...], judge: object, judges: list[str]
) -> None:
    world.write_config(PROVIDERS, current_provider="kimi", supervisor={"judge": judge})
    assert [each.judge for each in chosen(world, names)] == judges


def test_every_judge_is_asked_by_every_prompt(world: World) -> None:
    world.write_config(PROVIDERS)
    strict = world.root / "strict.md"
    strict.write_text("STRICT")
    found = chosen(world, ("glm", "kimi"), ("built-in", str(strict)))
    assert [(each.judge, each.prompt) for each in found] == [
        (judge, prompt) for judge in ("glm", "kimi") for prompt in ("built-in", str(strict))
    ]
    assert found[1].criteria == "STRICT"


def test_in_an_agents_session_its_key_is_no_other_judges(world: World) -> None:
    other = {"env": {"ANTHROPIC_BASE_URL": "http://o", "ANTHROPIC_AUTH_TOKEN": "${ANTHROPIC_AUTH_TOKEN}"}}
    world.write_config(PROVIDERS | {"other": other})
    assert chosen(world, ("other",), ANTHROPIC_AUTH_TOKEN="mine")[0].provider.env["ANTHROPIC_AUTH_TOKEN"] == "mine"
    with pytest.raises(CccError):
        chosen(world, ("other",), ANTHROPIC_AUTH_TOKEN="g-key", CCC_PROVIDER="glm")
    assert chosen(world, (), ANTHROPIC_AUTH_TOKEN="g-key", CCC_PROVIDER="kimi")[0].judge == "kimi"


def test_without_a_provider_the_way_out_is_told(world: World) -> None:
    world.write_config({})
    with pytest.raises(CccError) as refused:
        chosen(world, ())
    assert "no provider is configured" in refused.value.message


def test_after_an_interruption_nobody_else_is_asked_and_kept_answers_are_shown(world: World, tmp_path: Path) -> None:
    world.write_config(PROVIDERS)
    both, kept = chosen(world, ("glm", "kimi")), tmp_path / "results.jsonl"
    asked: list[tuple[str, str]] = []

    def judged(cases: Sequence[Case], candidate: Candidate, heard: Heard, *, until: int = 2) -> Score:
        answers = [Answer(case, "may_stop", 0.5, 1.0) for case in cases[:until]]
        for answer in answers:
            asked.append((candidate.judge, answer.case.id))
            heard(answer)
        return Score(tuple(answers), interrupted=until < len(cases))

    def run(who: Sequence[Candidate], until: int) -> comparison.Comparison:
        asked.clear()
        return comparison.compare(
            CASES,
            who,
            lambda cases, candidate, heard: judged(cases, candidate, heard, until=until),
            kept=kept,
            tell=lambda *_: None,
        )

    assert not run(both[1:], 2).interrupted
    broken = run(both, 1)
    assert broken.interrupted
    assert asked == [("glm", "one")]
    assert [len(each.score.answers) for each in broken.runs] == [1, 2]
    assert not run(both, 2).interrupted
    assert asked == [("glm", "two")]
    # Another model of the provider's is another judge.
    world.write_config(PROVIDERS | {"glm": provider("http://g", "g-key", "glm-10")})
    run(chosen(world, ("glm",)), 2)
    assert len(asked) == 2


def test_a_prompt_that_is_not_there_is_not_called_empty(world: World) -> None:
    world.write_config({"mine": provider("http://127.0.0.1:1")})
    asked = world.ccc("eval", "--judge", "mine", "--prompt", "nofile", env=world.env(CCC_LANG="en"))
    assert asked.code == 2
    assert "there is no file nofile to judge by" in asked.err


def test_a_table_that_has_no_room_is_told_judge_by_judge() -> None:
    rows = [("judge", "right"), ("mine/a-model", "1/2"), ("other", "2/2")]
    assert measuring._table(rows, 19) == ["judge         right", "mine/a-model  1/2", "other         2/2"]
    assert measuring._table(rows, 18) == ["judge  mine/a-model", "right  1/2", "", "judge  other", "right  2/2"]
