"""The words behind `ccc --supervisor PROVIDER`: each is ccc's, the first message, or the agent's."""

from __future__ import annotations

import pytest

from ccc_legacy.words import Wishes, wishes


@pytest.mark.spec("C3", "C18", "C19")
@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], Wishes(())),
        (["--model", "opus"], Wishes(("--model", "opus"))),
        (["--", "fix", "the tests"], Wishes((), "fix the tests")),
        (["--model", "opus", "--", "--fix it"], Wishes(("--model", "opus"), "--fix it")),
        (["--"], Wishes(())),
        # Where claude itself takes a prompt.
        (["fix the tests"], Wishes((), "fix the tests")),
        (["fix", "it", "--model", "opus"], Wishes(("--model", "opus"), "fix it")),
        (["-p", "fix it"], Wishes((), "fix it", ("-p",))),
        (["--model", "opus", "-p", "fix it"], Wishes(("--model", "opus"), "fix it", ("-p",))),
        (["-p", "one", "--", "two"], Wishes((), "one two", ("-p",))),
        # What ccc says itself.
        (["-p"], Wishes((), None, ("-p",))),
        (["--print", "--verbose"], Wishes((), None, ("--print",), verbose=True)),
        (["--output-format", "json", "--model", "x"], Wishes(("--model", "x"), None, ("--output-format",))),
        (["--input-format=text"], Wishes((), None, ("--input-format",))),
        # What is ccc's own.
        (["--json", "--trust-project", "--model", "x"], Wishes(("--model", "x"), json=True, trusts=True)),
        (["--quiet", "--", "fix it"], Wishes((), "fix it", quiet=True)),
        (["--", "--json"], Wishes((), "--json")),
    ],
)
def test_each_word_finds_its_place(args: list[str], expected: Wishes) -> None:
    assert wishes(args) == expected
