"""What a client is started without: who finds it again, and what a shell makes of it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import handed
from ccc.claude import above, kept, variables

KEY, ODD = "sk-of-kimi-0123456789", "it's $(exit 9)\n`exit 9` \\ \"'\\''; exit 9\n#"
ENV = {"PATH": os.defpath, "KIMI_API_KEY": KEY, "ODD": ODD, "PLAIN": "x"}
NAMES = ("KIMI_API_KEY", "ODD", "NOWHERE")
texts = st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)))


def test_a_client_is_told_where_and_not_what() -> None:
    told = kept.started_with(ENV, NAMES)
    assert told == {"PATH": os.defpath, "PLAIN": "x", variables.KEPT: told[variables.KEPT]}
    assert kept.of(told, [os.getpid()]) == {"KIMI_API_KEY": KEY, "ODD": ODD}


def test_where_nothing_is_kept_nothing_is_named_not_even_what_another_client_was_started_without() -> None:
    assert kept.started_with({**ENV, variables.KEPT: "/proc/1/fd/3"}, ["NOWHERE"]) == ENV


def test_without_such_memory_all_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handed, "document", lambda *_: None)
    assert kept.started_with(ENV, NAMES) == ENV


@given(st.dictionaries(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True), texts, min_size=1))
def test_every_value_comes_back_as_it_was(env: dict[str, str]) -> None:
    held = {name: value for name, value in env.items() if name != variables.KEPT}
    told = kept.started_with(held, held)
    assert kept.of(told, [os.getpid()]) == held
    if held:
        os.close(int(told[variables.KEPT].rpartition("/")[2]))


@pytest.mark.parametrize("shell", ["sh", "bash", "bash --posix", "zsh"])
@pytest.mark.parametrize("options", [(), ("-u",), ("-e",)])
def test_a_command_has_all_of_it_and_nothing_of_it_runs(shell: str, options: tuple[str, ...]) -> None:
    script = variables.KEY_FOR_COMMANDS.read_text()
    told = kept.started_with(ENV, NAMES)
    argv = [
        *shlex.split(shell),
        *options,
        "-c",
        f'{script}\nprintf "%s\\0" "$KIMI_API_KEY" "$ODD" "${{ccc_kept-}}"; env',
    ]
    done = subprocess.run(argv, env=told, capture_output=True, check=True)
    assert done.stderr == b""
    key, odd, left, others = done.stdout.decode().split("\0", 3)
    assert (key, odd, left) == (KEY, ODD, "")
    assert f"KIMI_API_KEY={KEY}\n" in others


@pytest.mark.parametrize(
    "place", ["{file}", "{link}", "/proc/self/cwd/x", "/proc/self/fd/../cwd/x", "/proc/0/fd/9", "-x", "*"]
)
def test_a_shell_reads_no_other_file_there(tmp_path: Path, place: str) -> None:
    trace, forged, link = (tmp_path / name for name in ("trace", "x", "link"))
    forged.write_text(f"touch {trace}")
    link.symlink_to(forged)
    told = {"PATH": os.defpath, variables.KEPT: place.format(file=forged, link=link)}
    subprocess.run(["sh", "-e", variables.KEY_FOR_COMMANDS], env=told, cwd=tmp_path, check=True)
    assert not trace.exists()


def test_only_what_the_family_has_is_believed() -> None:
    told = kept.started_with(ENV, NAMES)
    assert kept.of(told, [1]) == {}
    for place in ("", "/etc/passwd", f"{told[variables.KEPT]}/..", "/proc/self/fd/3", f"/proc/{os.getpid()}/fd/0"):
        assert kept.of({variables.KEPT: place}, [os.getpid()]) == {}


FIND = "import os; from ccc.claude import above; print(dict(above.of(os.environ).kept))"
BELOW = f"import os, subprocess, sys; subprocess.run([sys.executable, '-c', {FIND!r}])"
BECOME = f"""
import os, sys; from ccc.claude import kept
os.execve(sys.executable, [sys.executable, "-c", {BELOW!r}], kept.started_with(os.environ, ["KIMI_API_KEY"]))
"""


def test_a_hook_of_a_client_that_says_nothing_of_itself_finds_it_by_whoever_was_started_so() -> None:
    """The other process has the document, too, and nobody has started it so."""
    assert run_python(BECOME, ENV) == f"{ {'KIMI_API_KEY': KEY} }\n"
    assert run_python(FIND, kept.started_with(ENV, NAMES)) == "{}\n"
    assert above.of({}) == above.Above()


def run_python(code: str, env: Mapping[str, str]) -> str:
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout.decode()
