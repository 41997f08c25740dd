"""`ccc supervisor-hook` with a broken state folder and reviewers that misbehave."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from ccc.base import files
from tests.stops import (
    CLAUDE,
    ID,
    Desk,
    answered,
    eventually,
    shell,
    told,
)

# ---- the state folder ----


def planted(desk: Desk, name: str) -> Path:
    desk.world.state.mkdir(mode=0o700)
    return desk.world.state / name


CORRUPT = {
    "empty": b"",
    "count as text": b'{"session_id": "abc123", "count": "3"}',
    "negative": b'{"session_id": "abc123", "count": -5}',
    "another session's": b'{"session_id": "other", "count": 1}',
}


@pytest.mark.parametrize("content", CORRUPT.values(), ids=CORRUPT)
def test_a_corrupt_state_lets_the_agent_stop_once_and_is_kept_aside(desk: Desk, content: bytes) -> None:
    path = planted(desk, f"supervisor-{ID}.json")
    path.write_bytes(content)
    assert "counts from 0" in told(desk.stop("block"))
    assert desk.starts == []
    assert path.with_name(f"{path.name}.corrupt").read_bytes() == content
    assert sum("counts from 0" in line for line in desk.records) == 1
    assert answered(desk.stop("block").out) == "block"


@pytest.mark.parametrize(
    "name",
    [
        *(f"supervisor-{ID}{ending}" for ending in (".json", ".lock", ".stop", "-output.jsonl", "-story.jsonl")),
        *("hook-invocation.log", "unreviewed.json", "tmp"),
    ],
)
def test_a_planted_link_is_not_followed(desk: Desk, name: str) -> None:
    victim = desk.world.root / "victim"
    victim.write_text("precious")
    planted(desk, name).symlink_to(victim)
    run = desk.stop("quota" if name == "unreviewed.json" else "block")
    assert run.code == 0
    assert answered(run.out) in ("block", "told")
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("name", [f"supervisor-{ID}.json", f"supervisor-{ID}.lock", f"supervisor-{ID}.stop"])
def test_a_pipe_in_the_state_folder_is_not_waited_for(desk: Desk, name: str) -> None:
    os.mkfifo(planted(desk, name))
    assert told(desk.stop("block"))
    assert desk.starts == []


@pytest.mark.parametrize("kind", ["held", "folder", "pipe"])
def test_a_stop_is_reviewed_whatever_is_in_the_way_of_the_list_of_starts(desk: Desk, kind: str) -> None:
    lock = planted(desk, "memory.lock")
    if kind != "held":
        lock.mkdir() if kind == "folder" else os.mkfifo(lock)
    with files.locked(lock, wait=0) if kind == "held" else nullcontext():
        assert answered(desk.stop("block").out) == "block"


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_the_memory_of_clients_is_a_file_of_our_own(desk: Desk, kind: str) -> None:
    victim, memory = desk.world.root / "victim", planted(desk, "clients.json")
    victim.write_text("precious")
    memory.symlink_to(victim) if kind == "link" else os.mkfifo(memory)
    hook = desk.start("block")
    assert answered(hook.communicate()[0]) == "block"
    assert victim.read_text() == "precious"


def test_a_stop_that_found_no_claude_is_told_in_the_state_too(desk: Desk) -> None:
    assert told(desk.stop("block", env={"CCC_CLAUDE": "/no/claude"}))
    assert (desk.state()["count"], desk.state()["outcome"]) == (1, "unreviewed")


def work_folder(desk: Desk, kind: str) -> Path:
    folder = desk.world.root / "work"
    match kind:
        case "a file":
            folder.write_text("")
        case "shared":
            (folder / "ccc").mkdir(parents=True)
            (folder / "ccc").chmod(0o777)
        case "unwritable":
            return Path("/proc/1")
    return folder


@pytest.mark.parametrize("kind", ["a file", "shared", "unwritable"])  # somebody else's: test_machine_faults
def test_a_state_folder_that_cannot_be_trusted_lets_the_agent_stop(desk: Desk, kind: str) -> None:
    run = desk.stop("block", env={"CCC_WORK_DIR": str(work_folder(desk, kind))})
    assert told(run)
    assert desk.starts == []


def test_a_full_raw_log_stops_being_written_and_nothing_else(desk: Desk) -> None:
    raw = planted(desk, f"supervisor-{ID}-output.jsonl")
    with raw.open("wb") as file:
        file.truncate(64 * 2**20 - 100)
    run = desk.stop("text text block")
    assert answered(run.out) == "block"
    assert raw.stat().st_size <= 64 * 2**20
    assert sum("output file is full" in line for line in desk.records) == 1


def test_a_limit_on_file_sizes_stops_the_raw_log_and_not_the_review(desk: Desk) -> None:
    done = shell(desk, 'ulimit -f 1000; exec "$0" supervisor-hook', "huge block")
    assert (answered(done.stdout), done.returncode) == ("block", 0)
    assert sum("output file is full" in line for line in desk.records) == 1


# ---- reviewers that misbehave ----


@pytest.mark.spec("H6", "H11")
@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ("exit1", "exit code 1 and no result"),
        ("moan exit1", "the moon is in the wrong house"),
        ("exit137", "exit code 137"),
        ("text killed", "exit code -9"),
        ("init text", "exit code 0 and no result"),
        ("noise", "exit code 0 and no result"),
    ],
)
def test_a_crashed_reviewer_gets_one_more_try_and_then_the_agent_may_stop(desk: Desk, steps: str, says: str) -> None:
    run = desk.stop(steps)
    assert says in told(run)
    assert (len(desk.starts), desk.state()["count"], desk.state()["outcome"]) == (2, 2, "unreviewed")
    assert desk.is_alone()


def test_a_crash_at_the_last_count_gets_no_second_try(desk: Desk) -> None:
    desk.begin(9)
    assert told(desk.stop("exit1"))
    assert (len(desk.starts), desk.state()["count"]) == (1, 10)


@pytest.mark.spec("H6", "H17")
@pytest.mark.parametrize("steps", ["quota", "no_key", "quota block", "play"])
def test_a_result_that_is_no_answer_gets_no_second_try(desk: Desk, steps: str) -> None:
    trace = Path(__file__).parents[1] / "data" / "traces" / "api-400.jsonl"
    assert told(desk.stop(steps, env={"FAKE_CLAUDE_STREAM": str(trace)}))
    assert (len(desk.starts), desk.state()["count"]) == (1, 1)


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ("hang", "fell silent"),
        ("init text hang", "fell silent"),
        ("ignore_term grandchild stray hang", "fell silent"),
        ("stopped", "fell silent"),
        ("trickle", "took too long"),
    ],
)
def test_a_reviewer_that_never_ends_is_ended(desk: Desk, steps: str, says: str) -> None:
    silent, most = (5, 1) if steps == "trickle" else (1, 5)
    desk.world.write_config({}, supervisor={"review_idle_seconds": silent, "timeout_seconds": most})
    hook = desk.start(steps)
    assert eventually(lambda: desk.starts, 10)
    assert says in json.loads(hook.communicate()[0])["systemMessage"]
    assert desk.is_alone()
    assert len(desk.starts) == 1


@pytest.mark.parametrize(
    "steps",
    [
        "block hang",
        "ignore_term block hang",
        "block stopped",
        "grandchild block",
        "stray block",
        "ignore_term grandchild stray block hang",
        "flood_stderr block",
        "noise block",
    ],
)
def test_after_the_result_the_hook_leaves_at_once_and_nobody_stays(desk: Desk, steps: str) -> None:
    hook = desk.start(steps)
    assert eventually(lambda: desk.starts, 10)
    assert answered(hook.communicate()[0]) == "block"
    assert eventually(desk.is_alone, 3)


def odd_claude(desk: Desk, kind: str) -> Path:
    path = desk.world.root / "claude"
    match kind:
        case "folder":
            path.mkdir()
        case "text":
            path.write_text("#!/bin/sh\n")
        case "no program":
            path.write_text("echo hello")
            path.chmod(0o755)
        case "no interpreter":
            path.write_text("#!/no/such/sh\n")
            path.chmod(0o755)
    return path


@pytest.mark.parametrize("kind", ["missing", "folder", "text", "no program", "no interpreter"])
def test_a_claude_that_cannot_be_started_lets_the_agent_stop(desk: Desk, kind: str) -> None:
    run = desk.stop("block", env={"CCC_CLAUDE": str(odd_claude(desk, kind))})
    assert str(desk.world.root / "claude") in told(run)


def test_a_claude_that_answers_no_help_is_not_run_without_what_keeps_it_from_editing(desk: Desk) -> None:
    client = desk.world.root / "claude"
    client.write_text(f'#!/bin/sh\n[ "$1" != --help ] || exit 3\nexec {CLAUDE} "$@"\n')
    client.chmod(0o755)
    run = desk.stop("block", permission_mode="plan", env={"CCC_CLAUDE": str(client)})
    assert "--help names no options" in told(run)
    assert desk.starts == []


def test_a_hook_that_waits_for_the_api_leaves_at_once_when_it_is_told_to(desk: Desk) -> None:
    hook = desk.start("overloaded")
    assert eventually(lambda: any("asked again" in line for line in desk.records), 20)
    hook.terminate()
    assert hook.communicate()[0] == b""
    assert (hook.returncode, desk.state()["outcome"]) == (0, "interrupted")
    assert eventually(desk.is_alone, 3)
