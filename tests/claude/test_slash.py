"""What a message that begins with a slash is for the client; the facts themselves are held in real/test_pty_mode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude import mentions, slash

LISTED = ("owl", "usage", "birds:heron", "__hidden")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/cost", "cost"),
        ("/cost\nand do this", "cost"),
        ("/birds:heron now", "birds:heron"),
        ("/exit-nonsense", "exit-nonsense"),
        (" /cost", None),
        ("//cost", None),
        ("/", None),
        ("/ cost", None),
        ("/path/to/project", None),
        ("/tmp", None),
        ("/修复", None),
        ("say /cost", None),
        ("", None),
    ],
)
def test_a_command_is_a_name_right_behind_the_slash(text: str, name: str | None) -> None:
    assert slash.command(text) == name


@given(st.text())
def test_words_are_no_command_and_keep_every_letter(text: str) -> None:
    assert slash.command(slash.as_words(text)) is None
    assert slash.as_words(text).endswith(mentions.as_words(text))


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("owl", True),
        ("cost", True),
        ("exit", True),
        ("heron", True),
        ("birds:heron", True),
        ("eron", False),
        ("version", False),
        ("", False),
    ],
)
def test_a_command_is_known_by_the_list_or_as_one_of_the_clients_own(name: str, known: bool) -> None:
    assert slash.is_known(name, LISTED) is known


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cots", "there is no command /cots; nearest: /cost"),
        ("statsu", "there is no command /statsu; nearest: /stats, /status, /statusline"),
        ("reveiw", "there is no command /reveiw; nearest: /review"),
        ("xyzzyxyzzy", "there is no command /xyzzyxyzzy; to say it to the agent, begin with a blank"),
        ("version", "there is no command /version; nearest: /session, /permissions"),
        ("_hiddem", "there is no command /_hiddem; nearest: /ide"),
    ],
)
def test_a_mistyped_command_is_told_with_the_nearest_names(name: str, told: str) -> None:
    assert str(slash.unknown(name, ("status", "review", "exit"), LISTED)).startswith(told)
