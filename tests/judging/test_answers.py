"""Answers as reviewers write them, with what their author thinks: whoever says more than a verdict is asked for it.

In `tests/data/answers` each line is one answer: @ stands for the permission, ⏎ for a line break, ⇥ for a tab. They were
written to be read word by word, by a grammar that believed 6 in 100 that were not done; nothing is believed now.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from ccc.claude.stream import Finished
from ccc.judging.verdict import HUMAN_MARKER, MARKER, Reading, read, read_marker, settled
from ccc.model import Verdict

ANSWERS = Path(__file__).parents[1] / "data" / "answers"
ALLOW = '{"allow_stop": true, "feedback": ""}'
BLOCK = '{"allow_stop": false, "feedback": "docs"}'
FORMS = ((MARKER, read_marker), (ALLOW, read), ('{\n  "completed": true,\n  "feedback": "well done"\n}', read))
GENERATED = 10_000

Reader = Callable[[Finished], Reading | None]


@cache
def answers(kind: str) -> list[str]:
    lines = [line for path in sorted(ANSWERS.glob(f"{kind}*.txt")) for line in path.read_text("utf-8").splitlines()]
    return [line.replace("⏎", "\n").replace("⇥", "\t") for line in lines]


def reviewed(answer: str, reader: Reader, second: str) -> Verdict:
    """What comes of it, if its author gives this second answer to whoever asks."""
    found = reader(Finished(result=answer))
    assert found is not None
    return found.verdict if found.sure else settled(found.verdict, Finished(result=second))


def test_there_are_thousands_of_answers_and_none_of_them_twice() -> None:
    for kind in ("done", "not-done"):
        assert len(set(answers(kind))) == len(answers(kind)) >= 1_800
        assert all(answer.count("@") == 1 for answer in answers(kind))


@pytest.mark.spec("T10", "T11", "H6")
def test_every_answer_ends_as_it_would_with_the_schema() -> None:
    for permission, reader in FORMS:
        for kind, second, allowed in (("done", ALLOW, True), ("not-done", BLOCK, False)):
            for answer in answers(kind):
                verdict = reviewed(answer.replace("@", permission), reader, second)
                assert verdict.allow_stop is allowed, answer


def test_a_permission_among_doubtful_words_is_none_while_nobody_answers() -> None:
    for permission, reader in FORMS:
        for answer in answers("not-done"):
            assert not reviewed(answer.replace("@", permission), reader, "").allow_stop, answer


def generated(random: Random) -> Iterator[tuple[str, str]]:
    """Answers of authors who think it is not done, and their second ones."""
    around = [*answers("done"), *answers("not-done")]
    glue = ["", " ", "\n", "\n\n", "\n> ", "\n```\n", "\n- ", ". ", ": ", "\u200b", "\x1b[2m"]
    objects = [ALLOW, '{"allow_stop": true', '{"allow_stop": "true"}', "allow_stop: true", MARKER, HUMAN_MARKER, ""]
    seconds = [BLOCK, f"Not yet.\n{BLOCK}", f"```json\n{BLOCK}\n```", f"{ALLOW}\n{BLOCK}", f"No: {ALLOW}", "No.", ""]
    for _ in range(GENERATED):
        pieces = [random.choice(around).replace("@", random.choice(objects)) for _ in range(random.randint(1, 3))]
        # Nobody who thinks so says so, and only so.
        pieces.insert(random.randint(0, len(pieces)), random.choice(answers("not-done")[:50]).replace("@", MARKER))
        yield random.choice(glue).join(pieces), random.choice(seconds)


@pytest.mark.spec("H6", "T11")
def test_a_not_done_never_ends_as_done() -> None:
    for answer, second in generated(Random(13)):
        for reader in (read, read_marker):
            verdict = reviewed(answer, reader, second)
            assert not verdict.allow_stop, json.dumps([answer, second])
            assert verdict.feedback
