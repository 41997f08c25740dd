"""An agent that switches its supervisor off: ccc does not prevent it, and tells it."""

from __future__ import annotations

import fcntl
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ccc.base import seal
from ccc.base.files import Busy
from ccc.record import switch
from ccc.record.outside import Kind
from ccc.record.session import Request, Session
from tests.stops import CLAUDE, ID, Desk, answered, told
from tests.world import CCC

EN = {"CCC_LANG": "en"}
INSIDE = "switched off from inside the client (the agent or you with !)"
BY_HAND = "switched off by a file nobody's ccc wrote"


def story(desk: Desk, event: str) -> list[dict[str, Any]]:
    lines = (desk.world.state / f"supervisor-{ID}-story.jsonl").read_text().splitlines()
    return [found for found in map(json.loads, lines) if found["event"] == event]


def status(desk: Desk) -> dict[str, Any]:
    (row,) = json.loads(desk.world.ccc("status", "--json").out)
    return dict(row)


def next_start(desk: Desk) -> str:
    """What a person sees who starts ccc again."""
    return desk.world.ccc("-p", "hello", env=desk.env("allow", **EN)).err


def edit(desk: Desk, **fields: object) -> None:
    path = desk.world.state / f"supervisor-{ID}.json"
    path.write_text(json.dumps({**desk.state(), **fields}))


# ---- the switch ----

SWITCHED = {
    "as the client's child": "{ccc} off",
    "without its variable": "env -u CLAUDECODE {ccc} off",
    "without any variable": "env -i HOME=$HOME {ccc} off",
    "below another shell": "sh -c '{ccc} off; true'",
}


@pytest.mark.parametrize("command", SWITCHED.values(), ids=SWITCHED)
def test_a_switch_from_inside_the_client_is_told(desk: Desk, command: str) -> None:
    hook = {"FAKE_CLAUDE_HOOK": command.format(ccc=shlex.quote(str(CCC))), "FAKE_CLAUDE_STOP": "/dev/null"}
    subprocess.run([CLAUDE], env=desk.env("agent", **hook), cwd=desk.world.project, check=True, capture_output=True)
    assert INSIDE in told(desk.stop("block", env=EN))
    assert (desk.starts[1:], desk.state()["outcome"]) == ([], "off")
    assert INSIDE in desk.state()["reason"]
    assert list(status(desk)["outside"]) == list(desk.state()["outside"]) == [Kind.OFF_INSIDE]
    assert [each["what"] for each in story(desk, "outside")] == [Kind.OFF_INSIDE]
    assert INSIDE in next_start(desk)
    assert INSIDE not in next_start(desk)


@pytest.mark.parametrize(
    "content",
    [
        {"projects": ["{project}"]},
        {"sessions": [ID]},
        {
            "projects": ["{project}"],
            "by": {"projects:{project}": {"from": "outside", "at": "2026-01-01T00:00:00+00:00"}},
        },
        {"projects": ["{project}"], "by": {"projects:{project}": {"from": "outside", "seal": "0" * 64}}},
        {"projects": ["{project}"], "by": []},
    ],
    ids=["project", "session", "with a record", "with a seal", "with nonsense"],
)
def test_a_switch_that_no_ccc_has_written_is_told(desk: Desk, content: object) -> None:
    desk.stop("block")
    text = json.dumps(content).replace("{project}", str(desk.world.project))
    (desk.world.state / "off.json").write_text(text)
    assert BY_HAND in told(desk.stop("block", env=EN))
    assert [each["what"] for each in story(desk, "outside")] == [Kind.OFF_BY_HAND]
    assert BY_HAND in next_start(desk)


def test_a_record_of_another_project_proves_nothing(desk: Desk) -> None:
    other = desk.world.root / "other"
    other.mkdir()
    desk.world.ccc("off", cwd=other)
    path = desk.world.state / "off.json"
    path.write_text(path.read_text().replace(str(other), str(desk.world.project)))
    assert switch.off(desk.world.state, desk.world.project, session_id=ID) is Kind.OFF_BY_HAND


def test_it_is_told_once_a_session_and_in_chinese(desk: Desk) -> None:
    desk.stop("block")
    (desk.world.state / "off.json").write_text(json.dumps({"sessions": [ID, "other"]}))
    assert "不是 ccc 写的 off.json" in told(desk.stop("block", env={"CCC_LANG": "zh"}))
    assert desk.stop("block").out == ""
    assert told(desk.stop("block", env=EN, session_id="other"))


def test_a_switch_of_the_persons_in_a_terminal_is_no_alarm(desk: Desk) -> None:
    desk.world.ccc("off")
    assert "reviews are off (ccc off, outside the client)" in told(desk.stop("block", env=EN))
    assert "last stop" not in next_start(desk)
    desk.world.ccc("on")
    assert answered(desk.stop("block").out) == "block"


# ---- the state ----


@pytest.mark.parametrize("count", [10, 3, 0, 1_000_000])
def test_a_count_that_was_changed_outside_is_told_and_does_not_end_the_reviews(desk: Desk, count: int) -> None:
    desk.stop("block")
    edit(desk, count=count)
    assert list(status(desk)["outside"]) == [Kind.STATE]
    run = desk.stop("block", env=EN)
    assert answered(run.out) == "block"
    assert "was changed outside ccc" in told(run)
    assert desk.state()["count"] == min(count, 9) + 1
    assert [each["what"] for each in story(desk, "outside")] == [Kind.STATE]
    assert Kind.STATE in status(desk)["outside"]
    assert "was changed outside ccc" in next_start(desk)


def test_what_was_changed_while_a_review_ran_ends_nothing_either(desk: Desk) -> None:
    desk.stop("block")
    path = desk.world.state / f"supervisor-{ID}.json"
    script = "import json,sys; p=sys.argv[1]; s=json.load(open(p)); s['count']=10; json.dump(s,open(p,'w'))"
    meddler = desk.world.root / "claude"
    meddle = shlex.join([sys.executable, "-c", script, str(path)])
    meddler.write_text(
        f'#!/bin/sh\ncase "$1" in --*) [ "$1" = --help ] || [ "$1" = --version ] || {meddle} ;; esac\n'
        f'exec {CLAUDE} "$@"\n'
    )
    meddler.chmod(0o755)
    run = desk.stop("block", env={**EN, "CCC_CLAUDE": str(meddler)})
    assert "was changed outside ccc" in told(run)
    assert desk.state()["count"] == 2  # as ccc had counted it
    assert answered(desk.stop("block").out) == "block"


@pytest.mark.parametrize(
    "how", ["seal taken out", "written anew", "key gone", "key touched", "put back", "another session's"]
)
def test_a_seal_cannot_be_left_out(desk: Desk, how: str) -> None:
    desk.stop("block")
    desk.stop("block", session_id="other")
    path, stored = desk.world.state / f"supervisor-{ID}.json", desk.state()
    match how:
        case "seal taken out":
            path.write_text(
                json.dumps({key: value for key, value in stored.items() if key != seal.FIELD} | {"count": 9})
            )
        case "written anew":
            path.write_text(json.dumps({"session_id": ID, "count": 9, "created_at": "2020-01-01T00:00:00+00:00"}))
        case "key gone":
            (desk.world.state / "state.key").unlink()
        case "key touched":  # then it is younger than a state that was never sealed
            path.write_text(json.dumps({"session_id": ID, "count": 9, "created_at": "2020-01-01T00:00:00+00:00"}))
            (desk.world.state / "state.key").touch()
        case "put back":  # as ccc had sealed it, an hour ago
            earlier = {**stored, seal.DATE: stored[seal.DATE] - 3600 * 10**9}
            path.write_text(json.dumps(seal.sealed(earlier, desk.world.state, desk.world.state / "tmp")))
        case "another session's":
            path.write_text(json.dumps({**desk.state("other"), "session_id": ID}))
    assert "was changed outside ccc" in told(desk.stop("block", env=EN))


def test_a_seal_is_over_the_values_and_not_over_how_they_are_laid_out(desk: Desk) -> None:
    desk.stop("block")
    key = seal.key_of(desk.world.state)
    assert key
    assert seal.fits(json.loads(json.dumps(desk.state(), sort_keys=True, indent=7)), key)


def test_a_state_from_before_there_were_seals_is_believed_and_sealed(desk: Desk) -> None:
    desk.begin(3)
    assert "systemMessage" not in desk.stop("block").out
    assert (desk.state()["count"], len(desk.state()["seal"])) == (4, 64)
    assert "systemMessage" not in desk.stop("block").out


def test_no_foreign_hand_says_that_a_stop_is_decided(desk: Desk) -> None:
    """The moment of the last decision tells a second hook of the same Stop that it is too late."""
    desk.stop("block")
    waits = 'until [ -e "$1" ]; do sleep 0.01; done; exec "$0" supervisor-hook'
    go = desk.world.root / "go"
    event = json.dumps(desk.event()).encode()
    hook = subprocess.Popen(
        ["sh", "-c", waits, str(CCC), str(go)], env=desk.env("block"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    edit(desk, decided_at=time.monotonic())
    go.touch()
    assert answered(hook.communicate(event)[0]) == "block"


# ---- the lock ----


@contextmanager
def held(path: Path) -> Iterator[int]:
    script = (
        "import fcntl,sys; f=open(sys.argv[1],'a'); fcntl.flock(f,fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        assert process.stdin is not None
        process.stdin.close()


def test_a_stop_lock_that_a_stranger_holds_is_told_with_the_stranger(desk: Desk) -> None:
    desk.stop("block")
    with held(desk.world.state / f"supervisor-{ID}.stop") as pid:
        said = told(desk.stop("block", env=EN))
    assert f"held by process {pid} ({sys.executable} -c import fcntl" in said
    assert desk.state()["outcome"] == "unreviewed"
    assert f"process {pid}" in next_start(desk)


@pytest.mark.parametrize("seconds", [0, 5, 3600])
def test_a_hook_that_holds_the_lock_and_was_there_before_the_stop_is_told(seconds: int) -> None:
    from ccc.base.errors import CccError
    from ccc.base.processes import Holder
    from ccc_hooks import claim
    from ccc_hooks.call import Call

    call = Call.of([], {"HOME": "/nobody"}, begun=time.monotonic())
    busy = Busy(Path("/x.stop"), Holder(7, (b"/usr/bin/python3", b"/bin/ccc", b"supervisor-hook"), float(seconds)))
    if not seconds:
        claim.refuse_stranger(busy, call)
        return
    with pytest.raises(CccError, match=r"process 7 \(.*supervisor-hook\), which was not called for it"):
        claim.refuse_stranger(busy, call)


def test_a_stop_is_not_left_to_what_only_looks_like_a_second_hook_of_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program of the agent's can have the hook's command line, its parent and its age."""
    from ccc.model import StopEvent
    from ccc.providers import config
    from ccc_hooks import claim
    from ccc_hooks.call import Call

    desk.stop("block")
    lock, seeming = desk.world.state / f"supervisor-{ID}.stop", desk.world.root / "ccc"
    seeming.write_text(
        "import fcntl,sys; f=open(sys.argv[2],'a'); fcntl.flock(f,2); print(flush=True); sys.stdin.read()"
    )
    call = Call.of([], desk.env("block"), begun=time.monotonic())
    refuse = claim.refuse_stranger
    words = [sys.executable, str(seeming), "supervisor-hook", str(lock)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()

        def passed_over(busy: Busy, call: Call) -> None:
            refuse(busy, call)  # it looks like one
            assert other.stdin is not None
            other.stdin.close()  # … and goes without having decided anything

        monkeypatch.setattr(claim, "PATIENCE", 0.0)
        monkeypatch.setattr(claim, "refuse_stranger", passed_over)
        with claim.held(StopEvent(ID, desk.world.project), call, config.load(call.env)) as memory:
            assert memory.session.count == 1
            assert other.stdin.closed


def test_a_decision_of_a_hook_that_was_there_before_the_stop_is_not_this_stops() -> None:
    from ccc_hooks.call import Call

    call = Call.of([], {"HOME": "/nobody"}, begun=100.0)
    bare = Session(ID, count=1)
    for decider, late in ((99.9, True), (100.2, True), (98.0, False), (0.0, False)):
        request = Request(decided_at=101.0, decider_begun=decider)
        assert call.is_late(replace(bare, request=request)) is late


def test_a_state_lock_that_a_stranger_holds_is_told_with_the_stranger(desk: Desk) -> None:
    desk.stop("block")
    with held(desk.world.state / f"supervisor-{ID}.lock") as pid:
        assert f"held by process {pid} (" in told(desk.stop("block", env=EN))


def test_the_holder_of_a_lock_is_found_by_the_file_and_not_its_name(tmp_path: Path) -> None:
    from ccc.base import processes

    lock = tmp_path / "lock"
    with lock.open("w") as file:
        assert processes.holder(lock) is None
        fcntl.flock(file, fcntl.LOCK_EX)
        found = processes.holder(lock)
    assert found is not None
    assert found.argv
    assert processes.holder(lock) is None
    assert processes.holder(tmp_path / "none") is None


# ---- the hook ----


def supervised_start(desk: Desk, *words: str) -> str:
    return desk.world.ccc(*words, "-p", "hello", env=desk.env("allow", CCC_SUPERVISOR="1", **EN)).err


TAKEN = {
    "the hook": lambda text: json.dumps({**json.loads(text), "hooks": {}}),
    "the file": lambda _: None,
    "its command": lambda text: text.replace("supervisor-hook", "supervisor-hook || true"),
    "its manner": lambda text: text.replace('"type": "command",', '"type": "command", "async": true,', 1),
    "all sense": lambda _: "{",
}


@pytest.mark.parametrize("take", TAKEN.values(), ids=TAKEN)
@pytest.mark.parametrize("start", ["plain", "supervised"])
def test_a_hook_that_somebody_took_out_is_told_at_the_next_start(desk: Desk, take: Any, start: str) -> None:
    assert "is gone" not in supervised_start(desk)
    assert "is gone" not in supervised_start(desk)
    desk.stop("block")
    settings = desk.world.config / "settings.json"
    left = take(settings.read_text())
    settings.unlink() if left is None else settings.write_text(left)
    assert Kind.HOOK in status(desk)["outside"]
    assert "hook that ccc wrote is gone" in desk.world.ccc("status", env=desk.world.env(**EN)).out
    findings = json.loads(desk.world.ccc("doctor", "--no-self-test", "--json", env=desk.env("allow")).out)
    assert [each["fix"] for each in findings if "is gone from" in each["text"]] == ["run: ccc hooks remove"]
    begin = supervised_start if start == "supervised" else next_start
    assert f"the hook that ccc wrote is gone from {settings} since 20" in begin(desk)
    assert "is gone" not in begin(desk)


def test_a_hook_that_the_person_took_out_is_no_alarm(desk: Desk) -> None:
    supervised_start(desk)
    desk.stop("block")
    desk.world.ccc("hooks", "remove")
    assert "is gone" not in next_start(desk)
    assert status(desk)["outside"] == {}


def test_a_hook_in_the_files_of_a_provider_is_watched_as_well(desk: Desk) -> None:
    supervised_start(desk, "--supervisor", "--mode", "hooks")
    (desk.world.config / "settings-default.json").write_text("{}")
    assert "settings-default.json since 20" in next_start(desk)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"/x": 5}', '{"/x": {"at": 5}}', '{"/x": {"at": "2026-01-01"}}'])
def test_whatever_the_record_holds_ccc_starts(desk: Desk, text: str) -> None:
    supervised_start(desk)
    (desk.world.state / "hooks-written.json").write_text(text)
    assert "unexpected" not in next_start(desk)
