"""`ccc supervisor-hook` with odd streams, odd input, in odd places."""

from __future__ import annotations

import json
import os
import pty
import re
import socket
import subprocess
from pathlib import Path

import pytest

from tests.stops import (
    Desk,
    answered,
    desk_in,
    eventually,
    in_parallel,
    left,
    shell,
    told,
)
from tests.world import CCC

# A family in which nobody listens: one in the reviewer's group, one in a session of its own.
DEAF = "ignore_term grandchild stray text hang"


# ---- nobody reads the answer ----


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_a_client_that_goes_away_ends_the_review(desk: Desk, kind: str) -> None:
    ours, theirs = os.pipe() if kind == "pipe" else [end.detach() for end in socket.socketpair()]
    event = desk.world.root / "event"
    event.write_text(json.dumps(desk.event()))
    with event.open("rb") as stdin:
        command = desk.world.command("supervisor-hook")
        hook = subprocess.Popen(command, env=desk.env(DEAF), stdin=stdin, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    assert eventually(lambda: desk.starts, 10)
    os.close(ours)
    left(hook, desk)
    assert hook.stderr is not None
    with hook.stderr:
        assert b"Traceback" not in hook.stderr.read()
    assert (hook.returncode, desk.state()["outcome"]) == (0, "interrupted")


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "1>&- 2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize("guard", ["", "1"], ids=["reviewing", "guarded"])
def test_closed_standard_streams_harm_nothing(desk: Desk, closed: str, guard: str) -> None:
    done = shell(desk, f'"$0" supervisor-hook {closed}', CCC_SUPERVISOR_HOOK=guard)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    if guard:
        assert done.stdout == (b"" if "1>" in closed else b'{"decision":"","":""}')
    else:
        # Without an event or a reader nothing is spent, and where there is a reader it is told.
        expected = {"2>&-": ("block", 1), "0<&-": ("told", 0), "0<&- 2>&-": ("told", 0)}.get(closed, ("", 0))
        assert (answered(done.stdout), len(desk.starts)) == expected
        for path in desk.world.state.rglob("*"):  # and no file of ours got what was meant for a stream
            assert path.suffix not in (".lock", ".stop") or path.read_bytes() == b""


def test_a_stderr_that_nobody_reads_does_not_hold_the_answer(desk: Desk) -> None:
    hook = desk.start("many_words block", env={"FAKE_CLAUDE_TEXT": json.dumps("x" * 200)})
    assert hook.stdout is not None
    assert answered(hook.stdout.read()) == "block"
    assert hook.wait() == 0
    assert len(hook.communicate()[1]) >= 60_000  # as much as the pipe holds


def test_a_full_stdout_is_no_traceback(desk: Desk) -> None:
    done = shell(desk, '"$0" supervisor-hook >/dev/full')
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)


# ---- what comes in ----

BAD_INPUT = {
    "nothing": (b"", None),
    "half": (b'{"session_id": "abc", "cwd', "abc"),
    "bad UTF-8": (b'{"session_id":"\xff\xfe"}', None),
    "deep": (b"[" * 1_000_000, None),
    "50 MB": (b'{"session_id":"abc","x":"' + b"x" * 50_000_000 + b'"}', "abc"),
    "an escape": (b'{"session_id":"../../\\u001b[2Jx"}', None),
    "a flag": (b'{"session_id":"--dangerously-skip-permissions"}', None),
    "no folder": (b'{"session_id":"abc","cwd":"/no/such/folder"}', "abc"),
}


def test_bad_input_is_let_through_told_and_remembered(tmp_path: Path) -> None:
    def let_through(name: str) -> None:
        data, session_id = BAD_INPUT[name]
        desk = desk_in(tmp_path / name.replace(" ", "-"))
        run = desk.hook(data, env=desk.env(CCC_LANG="en"))
        assert told(run).startswith("ccc: this stop was not reviewed: "), name
        assert "Traceback" not in run.err, name
        [record] = desk.records
        assert not re.search(r"[\x00-\x1f\x7f]", record), name
        assert (f"session_id={session_id}" in record) == (session_id is not None), name
        assert json.loads((desk.world.state / "unreviewed.json").read_text())["session_id"] == session_id, name
        kept = {path.name for path in desk.world.state.rglob("supervisor-*") if path.suffix != ".lock"}
        assert kept == ({"supervisor-abc.json", "supervisor-abc-story.jsonl"} if session_id else set()), name
        if session_id:
            assert (desk.state("abc")["count"], desk.state("abc")["outcome"]) == (0, "unreviewed"), name
        assert desk.starts == [], name

    in_parallel(let_through, BAD_INPUT, 2)


def test_the_stop_of_a_subagent_is_let_through_with_one_line_in_the_log(desk: Desk) -> None:
    run = desk.hook(b'{"session_id":"abc","hook_event_name":"SubagentStop"}')
    assert (run.out, run.err, run.code) == ("", "", 0)
    assert re.fullmatch(r'\S+ let through why="the event is SubagentStop"', "\n".join(desk.records))
    assert (sorted(path.name for path in desk.world.state.rglob("*")), desk.starts) == (["hook-invocation.log"], [])


@pytest.mark.parametrize("known", ["abc", "../abc"])
def test_whose_stop_it_was_is_also_known_from_the_environment(desk: Desk, known: str) -> None:
    run = desk.hook(b"garbage", env=desk.env(CLAUDE_CODE_SESSION_ID=known))
    assert "not reviewed: stdin is not valid JSON" in told(run)
    assert (desk.world.state / "supervisor-abc-story.jsonl").exists() == (known == "abc")


@pytest.mark.parametrize("message", [b'"done \\ud83d"', b'"done \xff"', b'"done", "effort": NaN'])
def test_no_character_of_the_agent_ends_its_supervision(desk: Desk, message: bytes) -> None:
    event = json.dumps(desk.event(last_assistant_message="?")).encode().replace(b'"?"', message)
    assert answered(desk.hook(event).out) == "block"
    assert desk.state()["count"] == 1


def test_a_stop_that_could_not_be_read_does_not_silence_the_one_that_could(desk: Desk) -> None:
    desk.begin(3)
    assert answered(desk.hook(b'{"session_id": "abc123", ').out) == "told"
    assert answered(desk.stop("block").out) == "block"
    assert desk.state()["count"] == 4


def test_a_configuration_that_cannot_be_read_is_part_of_the_sessions_story(desk: Desk) -> None:
    (desk.world.config / "ccc.json").write_text("{")
    assert "ccc.json" in told(desk.stop("block"))
    assert desk.state()["outcome"] == "unreviewed"
    assert "ccc.json" in desk.state()["reason"]


def test_an_endless_input_is_given_up_after_8_megabytes(desk: Desk) -> None:
    command = ["sh", "-c", 'yes "{}" | "$0" supervisor-hook', str(CCC)]
    done = subprocess.run(command, env=desk.env(), capture_output=True)  # comes back, though the input never ends
    assert (answered(done.stdout), done.returncode) == ("told", 0)
    assert "more than 8388608 bytes" in desk.records[-1]


def test_a_writer_that_keeps_stdin_open_is_not_waited_for(desk: Desk) -> None:
    reader, writer = os.pipe()
    os.write(writer, json.dumps(desk.event()).encode())
    command = desk.world.command("supervisor-hook")
    done = subprocess.run(command, env=desk.env(), stdin=reader, capture_output=True)
    os.close(reader)
    os.close(writer)
    assert answered(done.stdout) == "block"


def test_a_terminal_as_stdin_is_not_read(desk: Desk) -> None:
    ours, theirs = pty.openpty()
    command = desk.world.command("supervisor-hook")
    done = subprocess.run(command, env=desk.env(), stdin=theirs, capture_output=True)
    os.close(ours)
    os.close(theirs)
    assert (answered(done.stdout), done.returncode) == ("told", 0)
    assert "stdin is a terminal" in desk.records[-1]


ARGV = [
    *(["--help"], ["--version", "--unknown=1", "extra"], ["--settings"], ["--state-dir"], ["--settings=", ""], ["--"]),
    *(["supervisor-hook"], ["--state-dir", "/dev/null/x"], ["--state-dir", "x" * 5000], ["\udcff", "中文"]),
]


def test_no_argument_makes_the_hook_fail(desk: Desk) -> None:
    def called(words: list[str]) -> None:
        run = desk.hook(json.dumps(desk.event(hook_event_name="SubagentStop")).encode(), *words)
        assert (run.out, run.err, run.code) == ("", "", 0), words
        assert answered(desk.hook(b"", *words).out) == "told", words

    in_parallel(called, ARGV, 2)


@pytest.mark.parametrize("path", ["/proc/self/mem", "/proc/kcore", "/dev/zero", "fifo", "x" * 5000])
def test_a_hostile_transcript_path_is_not_waited_for(desk: Desk, path: str) -> None:
    os.mkfifo(desk.world.root / "fifo")
    run = desk.stop("block", transcript_path=str(desk.world.root / path))
    assert answered(run.out) == "block"


# ---- where it is called ----


PLACES = {
    "C locale": {"LC_ALL": "C", "LANG": "C"},
    "no UTF-8 at all": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Chinese home with blanks": {"HOME": "{}/我 的 家"},
    "home with escapes": {"HOME": "{}/\x1b[2J\x1b]0;x\x07"},
    "relative home": {"HOME": "home2"},
    "relative work folder": {"CCC_WORK_DIR": "work"},
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_review_works_with(desk: Desk, place: dict[str, str]) -> None:
    folder = desk.world.project / "项目"
    folder.mkdir()
    env = {key: value.format(desk.world.root) for key, value in place.items()}
    event = json.dumps(desk.event(cwd=str(folder), last_assistant_message="完成")).encode()
    done = subprocess.run(
        desk.world.command("supervisor-hook"),
        env=desk.env("block", FAKE_CLAUDE_FEEDBACK='"运行测试"', **env),
        cwd=desk.world.project,
        input=event,
        capture_output=True,
    )
    assert json.loads(done.stdout) == {"decision": "block", "reason": "运行测试"}
    assert "任务未完成" in done.stderr.decode()
    assert desk.started[0].cwd == folder


def test_where_the_folder_is_no_utf_8_the_person_is_told_because_the_client_looks_elsewhere(desk: Desk) -> None:
    folder = desk.world.project / "h\udcff"
    folder.mkdir()
    event = desk.event()
    del event["cwd"]
    env = desk.env("block", CCC_PROVIDER="\udcff")
    run = desk.world.ccc("supervisor-hook", env=env, stdin=json.dumps(event).encode(), cwd=folder)
    assert answered(run.out) == "told"
    assert (desk.started, desk.state()["outcome"]) == ([], "unreviewed")


@pytest.mark.parametrize("name", ["\udcff\x1b[2J", "h\udcff", "jose\u0301"])
def test_a_home_that_the_client_spells_otherwise_is_named_harmlessly(desk: Desk, name: str) -> None:
    run = desk.stop("block", env={"HOME": f"{desk.world.root}/{name}"})
    assert answered(run.out) == "told"
    assert "\x1b" not in run.out + run.err


@pytest.mark.parametrize("unset", ["", "unset HOME;"])
def test_without_home_the_account_tells_where_it_is(desk: Desk, unset: str) -> None:
    """With another config folder, because the account's own is not for tests."""
    done = shell(desk, f'{unset} exec "$0" supervisor-hook', HOME="", CCC_CONFIG_DIR=str(desk.world.config))
    assert (answered(done.stdout), done.returncode, desk.state()["count"]) == ("block", 0, 1)


@pytest.mark.parametrize("home", ["/dev/null", "/proc/no/home"])
def test_without_a_usable_home_the_agent_may_stop(desk: Desk, home: str) -> None:
    run = desk.stop("block", env={"HOME": home})
    assert home in told(run)
    assert ("Traceback" in run.err, desk.starts) == (False, [])


def test_where_the_working_directory_is_gone_the_project_is_reviewed_or_the_person_told(desk: Desk) -> None:
    script = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" supervisor-hook'
    event = desk.event()
    assert answered(shell(desk, script).stdout) == "block"  # the event names a folder that is there
    del event["cwd"]
    done = shell(desk, script, stdin=json.dumps(event).encode())
    assert (answered(done.stdout), done.returncode) == ("told", 0)
    assert "the working directory is gone" in desk.records[-1]
    done = shell(desk, script, stdin=json.dumps(event).encode(), CLAUDE_PROJECT_DIR=str(desk.world.project))
    assert (answered(done.stdout), desk.started[-1].cwd) == ("block", desk.world.project)
    done = shell(desk, script + " --state-dir relative")
    assert (answered(done.stdout), done.returncode) == ("told", 0)


def test_variables_that_are_no_utf_8_reach_the_reviewer_as_they_are(desk: Desk) -> None:
    desk.stop("block", env={"ODD": "a\udcff\udc80b", "LINES": "1\n2"})
    assert (desk.started[0].env["ODD"], desk.started[0].env["LINES"]) == ("a\udcff\udc80b", "1\n2")
