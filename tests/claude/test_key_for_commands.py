"""The shell of a command has the provider's key, whatever else its environment holds; where it has none, no login goes
to that provider's address. The real client is in tests/faults/test_console_key.py."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ccc.claude import variables

NAME, KEY, ADDRESS = "CCC_KEY_0123456789abcdef", "sk-of-the-provider-0123456789", {"ANTHROPIC_BASE_URL": "http://x"}
NAMED = {variables.NAME_OF_KEY: NAME, **ADDRESS}
NONE = "ccc-has-no-key-for-this-address"
FORGED = "a\nCCC_KEY_0000000000000000=x\nccc_key=y"


@pytest.fixture(params=["sh", "bash", "bash --posix", "zsh"])
def shell(request: pytest.FixtureRequest) -> list[str]:
    return str(request.param).split()


def told(shell: list[str], *options: str, **env: str) -> list[str]:
    """Token and key as a command has them; the client puts the text in front of each."""
    script = variables.KEY_FOR_COMMANDS.read_text().strip()
    ends = """printf '%s\\0' "${ANTHROPIC_AUTH_TOKEN-unset}" "${ANTHROPIC_API_KEY-unset}" "${ccc_key-}${ccc_name-}\""""
    argv = [*shell, *options, "-c", f"{script} && {ends}"]
    done = subprocess.run(argv, env={"PATH": os.defpath, **env}, capture_output=True, check=True)
    assert done.stderr == b""
    *tokens, left = done.stdout.decode().split("\0")[:-1]
    assert left == ""
    return tokens


@pytest.mark.parametrize("key", [KEY, "two words", 'a "quoted" $(key)', "of two\nlines"])
def test_a_command_has_the_key_in_both_variables_whatever_other_variables_hold(shell: list[str], key: str) -> None:
    others = {f"{name}_NOTE": FORGED for name in ("A", "M", "ZZ")} | {"ccc_key": "x", "ccc_name": "y"}
    for options in ((), ("-u",), ("-e",)):
        assert told(shell, *options, **NAMED, **{NAME: key}, **others) == [key, key]


@pytest.mark.parametrize(
    "env",
    [
        NAMED,
        {**NAMED, NAME: ""},
        {**ADDRESS, NAME: KEY},  # a document of an earlier ccc
        {**NAMED, "CCC_KEY_fedcba9876543210": KEY},  # another provider's
        {**NAMED, variables.NAME_OF_KEY: "CCC_KEY_"},
        {**NAMED, variables.NAME_OF_KEY: "SECRET", "SECRET": KEY},
        {**NAMED, "A_NOTE": FORGED},
    ],
)
def test_without_the_key_of_its_own_provider_a_command_has_one_that_nobody_takes(
    shell: list[str], env: dict[str, str]
) -> None:
    assert told(shell, **env) == [NONE, NONE]


def test_what_is_no_name_of_a_key_is_not_evaluated(shell: list[str], tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for name in (
        f"CCC_KEY_$(touch {trace})",
        f"CCC_KEY_0-$(touch {trace})",
        f"CCC_KEY_0}}; touch {trace}; : ${{HOME",
        "*",
    ):
        assert told(shell, **{**NAMED, variables.NAME_OF_KEY: name}) == [NONE, NONE]
    assert not trace.exists()


def test_what_the_person_exports_stays_in_a_file_of_their_own_too(shell: list[str], tmp_path: Path) -> None:
    assert told(shell, **NAMED, **{NAME: KEY}, ANTHROPIC_AUTH_TOKEN="own") == ["own", KEY]
    own = tmp_path / "of the person"
    own.write_text("export ANTHROPIC_API_KEY=mine")
    assert told(shell, **NAMED, **{NAME: KEY}, CCC_ENV_FILE=str(own)) == [KEY, "mine"]
    assert told(shell, **NAMED, CCC_ENV_FILE=str(own)) == [NONE, "mine"]


def test_where_a_client_needs_no_key_of_cccs_a_command_gets_none(shell: list[str]) -> None:
    assert told(shell, **ADDRESS, **{variables.NAME_OF_KEY: variables.NO_KEY}) == ["unset", "unset"]


def test_where_no_provider_has_an_address_there_is_nothing_to_keep_a_login_from(shell: list[str]) -> None:
    assert told(shell) == told(shell, CCC_ENV_FILE="/nothing/here") == ["unset", "unset"]
