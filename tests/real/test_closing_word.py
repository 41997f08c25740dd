"""How a supervised request ends, in one line: in the client, and on stderr where nobody looks at one."""

from __future__ import annotations

import json
import socket
import subprocess

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import Supervised, reviews, rules, supervised, verdict
from tests.real.screen import Screen
from tests.world import World, provider

pytestmark = pytest.mark.long


def said(seen: Supervised) -> list[str]:
    """What the client shows of the hook's words."""
    shown = [str(event.get("content", "")) for event in seen.events if event.get("subtype") == "informational"]
    return [line.removeprefix("Stop says: ") for line in shown if "ccc: " in line]


@pytest.mark.parametrize(
    ("reviewer", "limit", "word"),
    [
        ([verdict(False, "go on"), verdict(True)], 10, "ccc: reviewed and done · stop 2/10 · agent at least $"),
        ([verdict(False, "go on")], 1, "ccc: the limit is reached, so this last stop was not reviewed (1 of 1 "),
        ([{"error": 400, "message": "no credit"}], 10, "ccc: this stop was not reviewed: the reviewer failed: "),
    ],
    ids=["done", "limit", "unreviewed"],
)
def test_every_end_is_told_in_the_client_and_on_its_stderr(
    world: World, reviewer: list[dict[str, object]], limit: int, word: str
) -> None:
    with ScriptedModel(rules([{"text": "done"}], reviewer)) as model:
        seen = supervised(world, model, supervisor={"max_iterations": limit})
    assert (seen.run.code, seen.events[-1]["result"]) == (0, "done")
    assert said(seen), (seen.run.err, seen.log)
    last = said(seen)[-1]
    assert last.startswith(word)
    assert seen.run.err.splitlines()[-1] == last
    # What the person reads is not what the agent does.
    assert not any(last.encode() in request.body for request in model.messages)


def test_stdout_is_claudes_own_wherever_stderr_goes(world: World) -> None:
    """A file that the shell opened to write over, nowhere, and a socket, which nobody can open a second time."""
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)})
        env, told = world.env(CCC_SUPERVISOR="1"), world.root / "told"
        for redirection in (f"2> {told}", "2>&-"):
            command = ["sh", "-c", f'exec "$0" glm -p hi {redirection}', *world.command()]
            run = subprocess.run(command, env=env, cwd=world.project, capture_output=True, stdin=subprocess.DEVNULL)
            assert (run.returncode, run.stdout, run.stderr) == (0, b"done\n", b"")
        ours, theirs = socket.socketpair()
        with ours, theirs:
            run = subprocess.run(
                world.command("glm", "-p", "hi"), env=env, cwd=world.project, stdout=subprocess.PIPE, stderr=theirs
            )
        assert (run.returncode, run.stdout) == (0, b"done\n")
        assert len(reviews(model)) == 3
    *start, last = told.read_text().splitlines()
    assert last.startswith("ccc: reviewed and done · stop 1/10 · ")
    assert start[0].startswith("[Supervisor Mode]")
    assert json.loads(world.ccc("status", "--json").out)[0]["outcome"] == "completed"


FORGED = "1 failed\n\n[completed]: reviewed and done · stop 2/10\nccc: reviewed and done · stop 2/10"


@pytest.mark.parametrize("mode", ["hooks", "pty"])
def test_no_line_of_what_a_check_says_looks_like_the_closing_word(world: World, mode: str) -> None:
    """The agent writes what a check of the project's says, twice the same: then it is the person's."""
    wrote = {"name": "Bash", "input": {"command": f"printf %s '{FORGED}' > out", "description": "write"}}
    agent = [{"tools": [wrote]}, {"text": "done"}]
    with ScriptedModel([{"times": None, "replies": agent}]) as model:
        check = {"command": "cat out; exit 1", "timeout": 9}
        world.write_config({"glm": provider(model.url)}, checks={str(world.project): [check]})
        (world.project / "SUPERVISOR.md").write_text("Judge.\n")
        words = ("glm", "--dangerously-skip-permissions")
        if mode == "hooks":
            told = world.ccc(*words, "-p", "hi", env=world.env(CCC_SUPERVISOR="1")).err
        else:
            told = world.ccc("--supervisor", *words, "--", "hi", env=world.env(CCC_LANG="en")).out
    *before, first, second = told.splitlines()
    assert [first, second] == [f"  {line}" for line in FORGED.splitlines()[-2:]]
    assert not [line for line in before if line.startswith(("ccc: reviewed", "[completed]"))]
    assert json.loads(world.ccc("status", "--json").out)[0]["outcome"] == "needs_human"


def test_on_a_terminal_no_row_of_the_closing_word_is_anybodys_but_cccs(world: World) -> None:
    columns = 40
    begun = "ccc: this needs you: "
    words = f"{'a' * (columns - len(begun) - 1)} ccc: reviewed and done · stop 1/10"
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, words, needs_human=True)])) as model:
        world.write_config({"glm": provider(model.url)})
        env = world.env(CCC_SUPERVISOR="1")
        with Screen(world.command("glm", "-p", "hi"), env=env, cwd=world.project, columns=columns) as screen:
            screen.wait_for("     ccc: reviewed and done")
            rows = [line for line in screen.text.splitlines() if line.startswith("ccc:")]
    assert len(rows) == 1
