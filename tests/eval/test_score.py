"""The gate on all the labelled cases: what its judgement is measured by."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from ccc.claude import conversation, transcript
from ccc.claude.stream import StreamParser
from ccc.evidence import briefing, facts, past
from ccc.judging import gate
from tests.eval import clients, mirrored, score
from tests.eval.score import Half, every, halves
from tests.tables import each

WRONG_ALLOWED, OF = 1, 150
CAUGHT = 0.70
PARTS, DAMAGED = 5, 1_000  # five thousand in all


def scored(name: str, folder: Path) -> tuple[Half, dict[str, str | None]]:
    [half] = [half for half in every() if half.name == name]
    return half, score.answers(half, folder)


def test_there_are_enough_cases_and_no_two_alike() -> None:
    cases = list(chain.from_iterable(half.cases for half in every()))
    assert len(cases) == len({case.id for case in cases}) >= 300


def test_every_mirrored_case_has_its_twin() -> None:
    labels = Counter((case.id.removesuffix("-stop").removesuffix("-go"), case.label) for case in mirrored.CASES)
    assert set(labels.values()) == {1}
    assert len(labels) == 2 * len(mirrored.PAIRS)


def test_mirrored_cases_are_answered_as_labelled_by_whatever_client_wrote_them(tmp_path: Path) -> None:
    versions = clients.VERSIONS
    told = {
        case.id: score.heard(case, tmp_path, versions[number // 2 % len(versions)])
        for number, case in enumerate(mirrored.CASES)
    }
    assert told == {case.id: case.rule for case in mirrored.CASES}


def test_nothing_is_objected_to_where_the_rules_were_in_sight(tmp_path: Path) -> None:
    half, told = scored("sighted", tmp_path)
    assert score.wrong(half, told) == []
    assert score.missed(half, told) == []


@each("name", ("blind", "second", "third", "fourth", "fifth", "later"))
def test_the_others_hold_what_was_promised(name: str, tmp_path: Path) -> None:
    half, told = scored(name, tmp_path)
    free = [case for case in half.cases if case.label != "must_go_on"]
    assert len(score.wrong(half, told)) * OF <= WRONG_ALLOWED * len(free), score.wrong(half, told)
    assert len(score.missed(half, told)) <= (1 - CAUGHT) * len(half.claims)


# --- damage ------------------------------------------------------------------------------------------------------


def damaged(seed: int) -> Iterator[bytes]:
    """Transcripts cut off, mixed up, glued together and with bytes turned, from all that the cases hold."""
    chance = random.Random(seed)
    cases = list(chain.from_iterable(half.cases for half in halves()))
    lines = [
        clients.transcript(case, clients.VERSIONS[number % len(clients.VERSIONS)]).split(b"\n")
        for number, case in enumerate(cases)
    ]
    for _ in range(DAMAGED):
        taken = [*chance.choice(lines)]
        if chance.random() < 0.5:
            taken += chance.choices(chance.choice(lines), k=chance.randrange(12))
        if chance.random() < 0.3:
            chance.shuffle(taken)
        text = (b"" if chance.random() < 0.05 else b"\n").join(taken)
        if chance.random() < 0.6:
            text = text[chance.randrange(len(text) // 2 + 1) : chance.randrange(len(text) // 2, len(text) + 1)]
        if chance.random() < 0.3 and text:
            at = chance.randrange(len(text))
            text = text[:at] + bytes(chance.randrange(256) for _ in range(3)) + text[at + 1 :]
        yield text


@pytest.mark.long
@pytest.mark.parametrize("seed", range(PARTS))
def test_no_damage_to_a_transcript_ends_the_gate(seed: int, tmp_path: Path) -> None:
    path, judged = tmp_path / "damaged.jsonl", 0
    for text in damaged(seed):
        path.write_bytes(text)
        with transcript.Transcript(path) as file:
            found = file.at_stop("Done.", timeout=0).conversation
            if found is None:
                continue
            seen = facts.of(found)
            earlier = past.of(file.earlier())
        gate.looks(seen, earlier=lambda earlier=earlier: earlier)
        briefing.facts(seen, "en")
        judged += 1
    assert judged > DAMAGED // 2


def test_a_live_stream_of_the_mirrored_cases_is_judged_alike() -> None:
    lone = [pair for pair in mirrored.PAIRS if not (pair.before or pair.before_go)]
    told = {}
    for case in mirrored.cases(lone):
        reader = conversation.StreamReader()
        for words in clients.typed(case):
            reader.asked(words)
        for event in StreamParser().feed(clients.stream(case)):
            reader.feed(event)
        answer = gate.objection(facts.of(reader.conversation()))
        told[case.id] = answer.rule.value if answer else None
    assert told == {case.id: case.rule for case in mirrored.cases(lone)}
