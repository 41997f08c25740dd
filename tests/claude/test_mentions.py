"""No word that ccc hands on makes the client read a file; the facts themselves are held in faults/test_mentions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude import commandline, mentions
from ccc.claude.commandline import Judge


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@/etc/passwd", r"\@/etc/passwd"),
        ("see @~/.claude/ccc.json", r"see \@~/.claude/ccc.json"),
        ("see\n@a\t@b\u3000@c\ufeff@d", "see\n\\@a\t\\@b\u3000\\@c\ufeff\\@d"),
        ("看。@a、@b？@c", r"看。\@a、\@b？\@c"),
        ('@"a b"', r'\@"a b"'),
        ("me@example.org", "me@example.org"),
        ('{"@types/node": 1}, `@x`, (@y)', '{"@types/node": 1}, `@x`, (@y)'),
        ("a @ b, @", "a @ b, @"),
        (r"\@a", r"\@a"),
    ],
)
def test_what_the_client_would_take_for_a_file_is_words(text: str, words: str) -> None:
    assert mentions.as_words(text) == words


@given(st.text(st.sampled_from("@\\ \n/a。，")))
def test_words_stay_words(text: str) -> None:
    once = mentions.as_words(text)
    assert mentions.as_words(once) == once
    assert once.replace("\\", "") == text.replace("\\", "")


def test_no_reviewer_is_asked_with_a_mention() -> None:
    judge = Judge("s", "judge by @~/x", schema="{}", system="by @~/x")
    for command in (commandline.reviewer_command, commandline.pty_reviewer_command):
        assert command(Path("claude"), judge, set())[-2:] == ("--", r"judge by \@~/x")
    assert r"judge by \\@~/x" in commandline.as_json(judge, set())
