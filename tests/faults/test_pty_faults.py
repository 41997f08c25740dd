"""Pty mode under faults: the lines F1 to F13 of the catalogue, and every way to kill ccc."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ccc.judging import criteria
from ccc.judging.verdict import DEFAULT_FEEDBACK
from ccc.model import StopEvent
from ccc_legacy.review import Case, case_told
from tests.pty_desk import DONE, SESSION, Desk, Steps, children, is_alive
from tests.stops import eventually
from tests.terminals import Terminal
from tests.world import World, provider

TALK: Steps = [["say", "I think it is done"], ["result"]]
WORKS: Steps = [["say", "working"], ["note", "works"], ["hang"]]
GONE_SECONDS = 40.0  # a busy machine is no failure


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


# --- the agent ---


@pytest.mark.spec("T8")
def test_f2_a_killed_agent_is_told_by_its_status_and_resumed(desk: Desk) -> None:
    desk.turns(*[[["say", "half"], ["kill", number]] for number in (9, 11, 15)], TALK)
    desk.reviews("go on", "go on again", "and again", DONE)
    run = desk.run("--", "do it")
    assert [f"exit code {128 + number})" in run.out for number in (9, 11, 15)] == [True] * 3
    assert desk.told == ["do it", "go on", "go on again", "and again"]
    assert [SESSION in one["argv"] for one in desk.started("agent")] == [False, True, True, True]
    assert run.code == 0


def test_f3_an_agent_that_dies_at_once_is_given_up_in_one_line(desk: Desk) -> None:
    desk.starts(*[[["raw", "error: the moon is in the wrong house\n"], ["exit", 1]]] * 9)
    run = desk.run("--", "do it")
    assert run.code == 1
    told = run.err.removeprefix(desk.world.criteria_line)
    assert told.startswith("ccc: the agent has ended 4 times within 60 s (exit code 1: error: the moon is")
    assert told.count("\n") == 1
    assert (len(desk.started("agent")), desk.started("reviewer")) == (4, [])


@pytest.mark.spec("T5", "C2", "C3")
def test_f4_the_agent_has_a_raw_pty_and_a_pipe(desk: Desk) -> None:
    desk.run("--model", "opus", "--", "do it")
    [agent] = desk.started("agent")
    iflag, oflag, _, lflag = agent["mode"]
    assert (agent["stdin"], agent["stdout"]) == (False, True)
    assert not lflag & (termios.ICANON | termios.ECHO)
    assert not oflag & termios.OPOST
    assert not iflag & termios.ICRNL
    assert lflag & termios.ISIG
    assert agent["argv"][:6] == [
        *("--print", "--verbose", "--output-format", "stream-json", "--input-format", "stream-json")
    ]
    assert agent["argv"][-2:] == ["--model", "opus"]
    assert agent["env"]["CCC_SUPERVISOR"] == "0"


@pytest.mark.spec("T11")
def test_f5_feedback_arrives_whole_in_one_message_and_signals_nobody(desk: Desk) -> None:
    words = "Tests are missing 测试 🎉.\n" * 800
    hostile = "".join(f"{chr(1 + number)}{words[900 * number : 900 * number + 900]}" for number in range(23))
    desk.turns(TALK, TALK).reviews(hostile, DONE)
    run = desk.run("--", "do it")
    _, feedback = desk.told
    assert not [char for char in feedback if ord(char) < 32 and char not in "\n\t"]
    assert feedback.startswith(words[:900])
    assert 19_000 < len(feedback) <= 20_000
    assert (run.code, len(desk.started("agent"))) == (0, 1)


def test_f6_what_is_typed_while_the_agent_streams_is_a_message_and_no_json(desk: Desk) -> None:
    words = [["partial", f"{number} words\n"] for number in range(200)]
    desk.turns([["note", "works"], *words, ["until", "go"], *words, ["say", "."], ["result"]], TALK)
    typed = '{"type":"result","result":"x"}'
    with desk.terminal("--", "do it") as terminal:
        terminal.wait_for("199 words")
        terminal.type(typed)
        terminal.wait_for("(queued: ")
        desk.tell("go")
        terminal.wait_for("[completed]")
        terminal.press("ctrl-d")
        assert terminal.wait_for_end() == 0
    assert desk.told == ["do it", typed]


def test_f7_the_window_is_followed_and_none_is_needed(desk: Desk) -> None:
    desk.turns([["note", "works"], ["until", "go"], *TALK])
    with desk.terminal("--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("works"), "the agent")
        terminal.resize(132, 50)
        terminal.wait_until(lambda: desk.notes("sizes"), "the new size")
        terminal.resize(0, 0)
        terminal.wait_until(lambda: len(desk.notes("sizes")) == 2, "a size for a window without one")
        desk.tell("go")
        terminal.wait_for("[completed]")
        terminal.press("ctrl-d")
        terminal.wait_for_end()
    assert desk.started("agent")[0]["size"] == [40, 110]
    assert desk.notes("sizes")[0] == [50, 132]
    assert min(desk.notes("sizes")[1]) > 0


@pytest.mark.parametrize("streams", ["null", "closed"])
def test_f7_no_terminal_at_all_is_no_error(desk: Desk, streams: str) -> None:
    closed = "<&-" if streams == "closed" else "</dev/null"
    line = " ".join(desk.world.command("--supervisor", "glm", "--", "do-it"))
    done = subprocess.run(["sh", "-c", f"{line} {closed}"], env=desk.env(), cwd=desk.world.project, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert b"[completed]" in done.stdout
    assert desk.started("agent")[0]["size"] == [24, 80]


@pytest.mark.spec("T10")
def test_f12_only_the_reviewers_own_line_completes(desk: Desk) -> None:
    marker = "[TASK_COMPLETED]"
    result: Steps = [["returns", "1"], ["say", marker], ["result", {"result": marker}]]
    desk.turns(*[[["tool", "1", "Bash", {"command": f"echo '{marker}'"}], *result]] * 9)
    talks: Steps = [["say", marker], ["result", {"result": "I said it, but not in the end."}]]
    answers = (
        f"not{marker}",
        f"Say {marker} when done.",
        f"“{marker}”",
        f"> {marker}",
        f"```\n{marker}\nno\n```",
        talks,
    )
    desk.reviews(*answers, DONE)
    run = desk.run("--", f"write {marker}\n{marker}")
    assert len(desk.started("reviewer")) == len(answers) + 1
    assert run.code == 0
    assert desk.told[4] == DEFAULT_FEEDBACK or "Please go on" in desk.told[4]


def test_f13_a_review_that_is_never_satisfied_ends_at_the_limit(desk: Desk) -> None:
    desk.world.write_config(
        {"glm": {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "t"}}},
        supervisor={"max_iterations": 3},
    )
    desk.reviews(*[f"more, the {number}th" for number in range(9)])
    run = desk.run("--", "do it")
    assert (run.code, len(desk.started("reviewer")), len(desk.told)) == (3, 3, 4)
    last = run.out.splitlines()[-1]
    assert last.startswith("[limit]: the limit is reached, so this last stop was not reviewed (3 of 3 reviews used)")


def test_f13_an_agent_that_begins_a_turn_during_each_of_its_reviews_ends_at_the_limit_too(desk: Desk) -> None:
    desk.world.write_config({"glm": provider("http://127.0.0.1:9")}, supervisor={"max_iterations": 2})
    begins: Steps = [["put", {"type": "system", "subtype": "init", "session_id": SESSION}]]
    desk.turns([["say", "done"], ["result"], *[*begins, ["say", "done again"], ["result"]] * 9]).reviews(*[DONE] * 9)
    run = desk.run("--", "do it")
    assert (run.code, len(desk.started("reviewer"))) == (3, 2), run.out
    assert run.out.count("the agent has gone on since this review began") == 2
    assert run.out.splitlines()[-1].startswith("[limit]: the limit is reached, so this last stop was not reviewed")


def test_a_review_that_nobody_answers_completes_nothing(desk: Desk) -> None:
    """Whoever holds it is gone, and so has nobody seen what the agent does."""
    snapshot = criteria.snapshot(desk.world.project, desk.world.config, desk.world.state)
    assert snapshot
    case = Case(StopEvent(SESSION, desk.world.project, prompt_id="r"), snapshot, "glm")
    run = desk.world.ccc("pty-review", stdin=case_told(case).encode(), env=desk.env())
    told = [json.loads(line) for line in run.out.splitlines()]
    assert [line["decision"]["outcome"] for line in told if line["event"] == "decision"] == [None]
    (row,) = json.loads(desk.world.ccc("status", "--json").out)
    assert (row["phase"], row["outcome"]) == ("waiting", None)


# --- the review ---


@contextmanager
def in_a_review(desk: Desk) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """ccc, left alone with its task, and the process of a review whose reviewer does not come to an end."""
    desk.turns(TALK).reviews([["note", "judging"], ["hang"]])
    argv = desk.world.command("--supervisor", "glm", "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.PIPE, text=True) as ccc:
        assert eventually(lambda: desk.notes("judging"), 30)
        yield ccc, _review_of(ccc.pid)
    assert desk.is_alone(seconds=GONE_SECONDS)


def _review_of(ccc: int) -> int:
    [pid] = [pid for pid in children(ccc) if b"pty-review" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return pid


def _row(desk: Desk) -> dict[str, Any]:
    [row] = json.loads(desk.world.ccc("status", "--json", env=desk.env()).out)
    found: dict[str, Any] = row
    return found


def _next_start(desk: Desk) -> str:
    return desk.world.ccc("glm", "--version", env=desk.env()).err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL], ids=lambda n: n.name)
def test_a_review_that_somebody_else_ends_is_unreviewed_and_told(desk: Desk, number: signal.Signals) -> None:
    killed = number == signal.SIGKILL
    why = "without a decision: exit code 137" if killed else "it was told to stop, and not by whoever waits"
    with in_a_review(desk) as (ccc, review):
        os.kill(review, number)
        out, _ = ccc.communicate(timeout=GONE_SECONDS)
    assert (ccc.returncode, "[unreviewed]" in out, why in out) == (4, True, True), out
    row = _row(desk)
    assert (row["phase"], row["outcome"], why in row["reason"]) == ("done", "unreviewed", True)
    assert why in (desk.world.state / "hook-invocation.log").read_text()
    assert why in _next_start(desk)
    assert why not in _next_start(desk)


def test_a_review_whose_ccc_is_killed_is_unreviewed_and_told(desk: Desk) -> None:
    with in_a_review(desk) as (ccc, review):
        ccc.kill()
        assert eventually(lambda: not is_alive(review), GONE_SECONDS)
    row = _row(desk)
    assert (row["outcome"], row["reason"]) == ("unreviewed", "ccc has ended while this stop was reviewed")
    assert "ccc has ended while this stop was reviewed" in _next_start(desk)


def test_a_review_that_is_killed_together_with_its_ccc_is_not_shown_as_running(desk: Desk) -> None:
    with in_a_review(desk) as (ccc, review):
        ccc.send_signal(signal.SIGSTOP)
        os.kill(review, signal.SIGKILL)
        ccc.kill()
    assert (_row(desk)["phase"], _row(desk)["broke_off"]) == ("reviewing", True)
    assert "review broke off" in desk.world.ccc("status", env=desk.env()).out


def test_ctrl_c_at_the_terminal_is_an_interruption_and_no_review_that_failed(desk: Desk) -> None:
    """The terminal signals whoever is in the foreground, and the kernel names nobody for its sender."""
    desk.turns(TALK).reviews([["note", "judging"], ["hang"]])
    with desk.terminal("--quiet", "--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("judging"), "the review")
        terminal.send("\x03")
        assert terminal.wait_for_end() == 130
    assert desk.is_alone(seconds=GONE_SECONDS)
    assert _row(desk)["outcome"] == "interrupted"
    assert "not reviewed" not in _next_start(desk)


# --- the reader of our output ---


def test_f10_nobody_reads_on_and_ccc_ends_with_its_agent(desk: Desk) -> None:
    desk.turns([*[["say", f"{number} {'x' * 1000}"] for number in range(500)], ["hang"]])
    line = " ".join(desk.world.command("--supervisor", "glm", "--", "do-it"))
    script = f"({line}; echo $? >code) | head -1"
    done = subprocess.run(["sh", "-c", script], env=desk.env(), cwd=desk.world.project, capture_output=True, timeout=60)
    assert done.stdout == b"Supervisor mode enabled\n"
    assert done.stderr.decode() == desk.world.criteria_line
    assert (desk.world.project / "code").read_text() == "141\n"
    assert desk.is_alone()


def test_f11_a_reader_that_stops_stops_the_agent_and_costs_no_memory(desk: Desk) -> None:
    desk.turns([["note", "works"], *[["say", "y" * 60_000]] * 2000, ["result"]])
    argv = desk.world.command("--supervisor", "glm", "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.PIPE) as ccc:
        assert eventually(lambda: desk.notes("works"), 30)
        agent = desk.started("agent")[0]["pid"]
        assert eventually(lambda: _is_blocked(agent) and _is_blocked(ccc.pid), 30)
        assert _resident(ccc.pid) < 80_000_000
        ccc.terminate()  # and even so it can be told to go
        assert ccc.wait(GONE_SECONDS) == 130
    assert desk.is_alone()


def _is_blocked(pid: int) -> bool:
    """Whether it has been writing in vain for a while."""
    seen = {(_ticks(pid), _state(pid)) for _ in range(20) if not time.sleep(0.01)}
    return len(seen) == 1 and seen.pop()[1] == "S"


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def _ticks(pid: int) -> str:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return f"{fields[11]} {fields[12]}"


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# --- the end of ccc ---


@contextmanager
def at_work(desk: Desk, *args: str, **more: str) -> Iterator[tuple[Terminal, int, list[object]]]:
    """A terminal under a shell, ccc at its prompt, and the modes of the terminal before it came."""
    with desk.under_a_shell(*args, **more) as terminal:
        before = terminal.mode[:4]
        terminal.wait_for("/help")
        assert terminal.mode[:4] != before
        [ccc] = children(terminal.pid)
        yield terminal, ccc, before


def assert_sane(terminal: Terminal, before: list[object]) -> None:
    assert eventually(lambda: terminal.mode[:4] == before, GONE_SECONDS), "the terminal is not as it was"
    # Whatever was switched on is off: bracketed paste, a hidden cursor; and the shell's terminal still blocks.
    raw = terminal.raw
    terminal.wait_until(lambda: raw.rfind(b"\x1b[?2004l") > raw.rfind(b"\x1b[?2004h"), "the end of bracketed paste")
    terminal.wait_until(lambda: raw.rfind(b"\x1b[?25h") >= raw.rfind(b"\x1b[?25l"), "the cursor")
    terminal.send("still here\n")
    terminal.wait_for("still here", times=2)


ENDS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL]


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
def test_f8_f9_a_killed_ccc_leaves_no_agent_and_a_sane_terminal(desk: Desk, number: signal.Signals) -> None:
    desk.turns(WORKS)
    with at_work(desk) as (terminal, ccc, before):
        terminal.type("do it")
        terminal.wait_until(lambda: desk.notes("works"), "the agent at work")
        os.kill(ccc, number)
        terminal.wait_for("ended with", GONE_SECONDS)
        assert f"ended with {137 if number == signal.SIGKILL else 130}" in terminal.text
        assert desk.is_alone(terminal.pid, seconds=GONE_SECONDS)
        assert_sane(terminal, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_f9_an_agent_that_ignores_the_hangup_dies_too(desk: Desk, number: signal.Signals) -> None:
    desk.starts([["ignore", "SIGHUP"]]).turns([["grandchild", 600], *WORKS])
    with at_work(desk) as (terminal, ccc, before):
        terminal.type("do it")
        terminal.wait_until(lambda: desk.notes("works"), "the agent at work")
        agent = desk.started("agent")[0]["pid"]
        os.kill(ccc, number)
        assert eventually(lambda: not is_alive(agent), GONE_SECONDS)
        terminal.wait_for("ended with")
        assert_sane(terminal, before)
    for pid in desk.notes("grandchild"):  # of a killed ccc it may live on
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_f8_f9_a_ccc_killed_in_a_review_leaves_no_reviewer(desk: Desk, number: signal.Signals) -> None:
    desk.turns(TALK).reviews([["note", "judging"], ["hang"]])
    with at_work(desk, "--", "do-it") as (terminal, ccc, before):
        terminal.wait_until(lambda: desk.notes("judging"), "the review")
        os.kill(ccc, number)
        terminal.wait_for("ended with", GONE_SECONDS)
        assert desk.is_alone(terminal.pid, seconds=GONE_SECONDS + 1)
        assert_sane(terminal, before)


def test_f8_a_ccc_killed_at_a_question_leaves_nobody(desk: Desk) -> None:
    desk.turns([["ask", "1", "Bash", {"command": "rm"}], *TALK])
    with at_work(desk, "--", "do-it") as (terminal, ccc, before):
        terminal.wait_for("[y]es")
        os.kill(ccc, signal.SIGTERM)
        terminal.wait_for("ended with 130", GONE_SECONDS)
        assert desk.is_alone(terminal.pid)
        assert_sane(terminal, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_f8_f9_a_ccc_killed_under_the_clients_ui_leaves_nobody(desk: Desk, number: signal.Signals) -> None:
    desk.turns(TALK).opened([["show", "the client's own UI"]])
    with at_work(desk, "--", "do-it") as (terminal, ccc, before):
        terminal.wait_for("[completed]")
        terminal.type("/open")
        terminal.wait_for("the client's own UI")
        os.kill(ccc, number)
        terminal.wait_for("ended with", GONE_SECONDS)
        assert desk.is_alone(terminal.pid)
        assert_sane(terminal, before)


def test_f8_an_error_in_the_midst_of_it_all_leaves_a_sane_terminal(desk: Desk) -> None:
    desk.turns([["say", "half"], ["note", "works"], ["kill", 9]])
    with at_work(desk) as (terminal, _, before):
        desk.client.rename(desk.client.with_name("gone"))
        terminal.type("do it")
        terminal.wait_for("ended with 1")
        assert "ccc: cannot start" in terminal.text
        assert "Traceback" not in terminal.text
        assert desk.is_alone(terminal.pid)
        assert_sane(terminal, before)


def test_f8_a_closed_window_leaves_nobody(desk: Desk) -> None:
    desk.turns(WORKS)
    with desk.terminal() as terminal:
        terminal.wait_for("your turn")
        terminal.type("do it")
        terminal.wait_until(lambda: desk.notes("works"), "the agent at work")
        terminal.hang_up()
        assert desk.is_alone(seconds=GONE_SECONDS)


def test_a_terminal_that_somebody_else_has_taken_is_left_alone(desk: Desk) -> None:
    """After kill -9 a shell with job control puts its own modes in place; a late guard would break its line editing."""
    argv = ["/bin/bash", "--norc", "--noprofile", "-i"]
    with Terminal(argv, env=desk.env(PS1="$ "), cwd=desk.world.project) as terminal:
        terminal.wait_for("$")
        mine = terminal.mode[:4]
        terminal.send(" ".join(desk.world.command("--supervisor", "glm")) + "\r")
        terminal.wait_for("your turn")
        [ccc] = children(terminal.pid)
        os.kill(ccc, signal.SIGKILL)
        terminal.wait_for("Killed")
        assert desk.is_alone(terminal.pid)
        terminal.send("echo still $((40 + 2))\r")
        terminal.wait_for("still 42")
        terminal.wait_until(lambda: terminal.mode[:4] == mine, "bash's own modes")
