"""Stops that never reached ccc, by what transcripts tell: synthetic ones here, the real client's in tests/real."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ccc.base import files, jsonlines, processes, seal
from ccc.base.errors import CccError
from ccc.base.files import Own
from ccc.claude import stream, transcript_lines
from ccc.judging import supervisor
from ccc.judging.report import Report
from ccc.model import Mode, Outcome, StopEvent
from ccc.record import clean, conversations, placed, recent, roll, starts, store, unheard
from ccc.record import missed as unreviewed
from ccc.record.conversations import Reading
from ccc.record.outside import Kind
from ccc.record.session import About, Phase, Request, Session
from ccc.record.store import SessionStore
from ccc.record.unheard import How
from ccc.showing import status

NOW = datetime(2025, 5, 6, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@contextmanager
def begun(
    state: Path, folder: Path, config: Path, at: datetime, *, attended: bool = True
) -> Iterator[subprocess.Popen[bytes]]:
    """A start whose process lives as long as the block."""
    script = (
        "import sys; from datetime import datetime; from pathlib import Path; from ccc.record import starts;"
        "attended = {'attended': sys.argv[5] == 'True'};"
        "starts.begun(*map(Path, sys.argv[1:4]), datetime.fromisoformat(sys.argv[4]), **attended); print(flush=True);"
        "sys.stdin.read()"
    )
    words = [sys.executable, "-c", script, str(state), str(folder), str(config), at.isoformat(), str(attended)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.stdin.close()


class Place:
    def __init__(self, root: Path) -> None:
        self.state, self.folder, self.config = root / "ccc", root / "a project", root / "config"
        self.folder.mkdir()

    def start(self, at: datetime = NOW, *, attended: bool = True) -> None:
        with begun(self.state, self.folder, self.config, at, attended=attended):
            pass

    def line(self, kind: str, at: datetime, text: str, **more: object) -> dict[str, object]:
        content: object = [{"type": "text", "text": text}] if kind == "assistant" else text
        message = {"role": kind, "content": content, "id": f"m{at}", "model": "claude", **more}
        return {"type": kind, "uuid": f"{kind}{at}", "timestamp": at.isoformat(), "message": message}

    def talk(self, session: str, *lines: dict[str, object], folder: str | None = None) -> None:
        name = folder or "".join(letter if letter.isalnum() else "-" for letter in os.path.realpath(self.folder))
        path = self.config / "projects" / name / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def turn(self, session: str, at: datetime) -> None:
        self.talk(session, self.line("user", at, "do it"), self.line("assistant", at, "done"))

    def hear(self, session: str, at: datetime, request: Request | None = None, **about: Any) -> None:
        def heard(old: Session) -> Session:
            known = old.known_as(About(**about))
            return structs.replace(known, request=request) if request else known

        SessionStore(self.state, now=lambda: at).update(session, heard)

    def missed(self, now: datetime = NOW + 60 * MINUTE) -> list[str]:
        return [each.session_id for each in unheard.stops(self.state, now) if not each.is_remark]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_an_answer_that_no_hook_reported_is_told_once(place: Place) -> None:
    place.start()
    place.turn("abc", NOW + MINUTE)
    (told,) = unheard.untold(place.state, NOW + 2 * MINUTE)
    assert (told.session_id, told.at) == ("abc", NOW + MINUTE)
    assert f"in {place.folder}, and its hook never reported the stop of" in told.line()
    assert unheard.untold(place.state, NOW + 2 * MINUTE) == []
    assert place.missed() == ["abc"]  # for `ccc status`


def test_a_stop_that_reached_ccc_is_none_of_it_and_the_start_is_forgotten(place: Place) -> None:
    place.start()
    place.turn("abc", NOW + MINUTE)
    place.hear("abc", NOW + MINUTE + timedelta(seconds=1))
    assert unheard.untold(place.state, NOW + 2 * MINUTE) == []
    assert starts.known(place.state) == ()


def test_a_later_stop_of_a_session_that_was_heard_once_is_told(place: Place) -> None:
    place.start()
    place.hear("abc", NOW + MINUTE)
    place.turn("abc", NOW + 5 * MINUTE)
    assert place.missed() == ["abc"]


def test_a_client_without_a_conversation_is_no_alarm(place: Place) -> None:
    place.start()
    assert place.missed() == []


def test_a_conversation_from_before_the_start_is_another_clients(place: Place) -> None:
    place.turn("abc", NOW - MINUTE)
    place.start()
    assert place.missed() == []


def test_the_stop_of_a_client_that_ended_just_before_the_start_is_not_this_ones(place: Place) -> None:
    """Two runs of a script, a second apart: by the clocks the answer may be either one's."""
    second = timedelta(seconds=1)
    place.turn("abc", NOW - second)
    place.hear("abc", NOW - second / 2, client=1, answer=f"assistant{NOW - second}")
    with begun(place.state, place.folder, place.config, NOW):
        pass
    assert place.missed() == []
    place.turn("abc", NOW + second)
    assert place.missed() == ["abc"]


def test_what_was_answered_a_moment_before_the_start_is_another_clients(place: Place) -> None:
    """As by a client that ccc started unsupervised, in a script: nobody has reviewed that, and nobody had to."""
    place.turn("plain", NOW - timedelta(seconds=1))
    place.start()
    assert place.missed() == []


def reviewed(place: Place, session: str, at: datetime) -> None:
    """A supervised client that comes, is reviewed, and goes."""
    with begun(place.state, place.folder, place.config, at) as client:
        starts.heard(place.state, client.pid, session)
        place.turn(session, at + MINUTE)
        place.hear(session, at + MINUTE, client=client.pid, answer=f"assistant{at + MINUTE}")


def test_a_start_that_was_told_is_not_blamed_for_what_later_clients_did(place: Place) -> None:
    place.start()
    place.turn("escaped", NOW + MINUTE)
    assert [each.session_id for each in unheard.untold(place.state, NOW + 2 * MINUTE)] == ["escaped"]
    for number in (3, 6, 9):
        reviewed(place, f"session-{number}", NOW + number * MINUTE)
        assert unheard.untold(place.state, NOW + (number + 2) * MINUTE) == []
        assert place.missed() == ["escaped"]
    assert len(starts.known(place.state)) == 1  # those that ended well are forgotten all the same


def test_a_client_that_lives_is_not_blamed_for_one_beside_it_that_was_reviewed(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW):
        reviewed(place, "beside", NOW + MINUTE)
        for number in (3, 4):
            assert unheard.untold(place.state, NOW + number * MINUTE) == []
            assert place.missed() == []
    assert unheard.untold(place.state, NOW + 5 * MINUTE) == []
    assert starts.known(place.state) == ()


def test_a_client_that_was_heard_answers_for_all_sessions_that_nobody_else_does(place: Place) -> None:
    """As after /clear, /resume and /fork, where one client goes on with another session."""
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
        starts.heard(place.state, client.pid, "abc")
    place.turn("abc", NOW + MINUTE)
    place.hear("abc", NOW + MINUTE)
    assert [each.heard for each in starts.known(place.state)] == [("abc",)]
    assert place.missed() == []
    place.turn("of-pty", NOW + 2 * MINUTE)
    place.hear("of-pty", NOW + MINUTE, mode=Mode.PTY)
    assert place.missed() == []
    place.turn("cleared", NOW + 2 * MINUTE)
    assert place.missed() == ["cleared"]
    with begun(place.state, place.folder, place.config, NOW + 3 * MINUTE) as other:
        starts.heard(place.state, other.pid, "cleared")
    assert place.missed() == []


def test_a_hook_that_no_client_of_ours_called_answers_for_nothing(place: Place) -> None:
    """What an agent calls itself, without the client's variables or below a client of its own invention."""
    with begun(place.state, place.folder, place.config, NOW) as client:
        place.turn("abc", NOW + MINUTE)
        answer = f"assistant{NOW + MINUTE}"
        for caller, missed in ((0, ["abc"]), (2**30, ["abc"]), (client.pid, [])):
            place.hear("abc", NOW + 2 * MINUTE, client=caller, answer=answer)
            assert place.missed() == missed


def test_the_answer_that_was_decided_counts_and_not_the_moment(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        pass
    place.turn("abc", NOW + MINUTE)
    for answer, missed in (("another", ["abc"]), (f"assistant{NOW + MINUTE}", []), ("", [])):
        place.hear("abc", NOW + MINUTE + timedelta(seconds=1), client=client.pid, answer=answer)
        assert place.missed() == missed
    place.hear("abc", NOW, client=client.pid, answer="")  # it was not there yet when the hook looked
    assert place.missed() == ["abc"]


def test_an_agent_that_was_sent_back_and_did_not_go_on_is_told_when_its_client_is_gone(place: Place) -> None:
    asked, said = (
        place.line("user", NOW, "do it"),
        place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn"),
    )
    feedback = {**place.line("user", NOW + MINUTE, "Stop hook feedback:\ngo on"), "isMeta": True}
    interrupted = place.line("user", NOW + MINUTE, "[Request interrupted by user]")
    tool = {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}
    working = place.line("assistant", NOW + 2 * MINUTE, "", content=[tool], stop_reason="tool_use")
    with begun(place.state, place.folder, place.config, NOW) as client:
        place.talk("abc", asked, said, feedback)
        back = Request(phase=Phase.WORKING, findings=("go on",))
        place.hear("abc", NOW + 2 * MINUTE, back, client=client.pid, answer=said["uuid"], mode=Mode.HOOKS)
        assert place.missed() == []
    for lines in ([], [feedback], [feedback, interrupted]):
        place.talk("abc", asked, said, *lines)
        (told,) = unheard.stops(place.state, NOW + 60 * MINUTE)
        assert "sent the agent back, and it did not go on" in told.line()
    (row,) = status.rows(place.state)
    assert (row.outcome, list(row.outside), row.reason) == ("unreviewed", [Kind.IGNORED], told.line())
    place.talk("abc", asked, said, feedback, working)
    assert place.missed() == []


def test_what_the_person_had_typed_is_told_as_that_until_it_is_taken_up(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        pass
    place.turn("abc", NOW + MINUTE)
    let_go = Request(phase=Phase.DONE, outcome=Outcome.INTERRUPTED, reason="you had typed something that goes first")
    place.hear("abc", NOW + 2 * MINUTE, let_go, client=client.pid, answer=f"assistant{NOW + MINUTE}")
    (told,) = unheard.stops(place.state, NOW + 60 * MINUTE)
    assert "did not come to its end: you had typed something that goes first" in told.line()
    assert "never reported" not in told.line()
    (row,) = status.rows(place.state)
    assert (row.outcome, row.outside) == ("unreviewed", {})
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines, place.line("user", NOW + 3 * MINUTE, "one more thing"))
    assert place.missed() == []


def test_a_session_that_was_heard_and_cleaned_away_is_no_alarm(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
    place.turn("abc", NOW + MINUTE)
    place.hear("abc", NOW + MINUTE)
    old = timedelta(days=2)
    clean.run(place.state, older_than="1d", yes=True, now=NOW + old, env={}, say=lambda _: None)
    assert not store.state_path(place.state, "abc").exists()
    assert place.missed(NOW + old) == []
    # Nor is one whose reviewer and whose conversation went with it.
    (heard,) = starts.known(place.state)
    assert heard.cleaned["abc"].forks == ()
    place.turn("abc", NOW + old)
    assert place.missed(NOW + 2 * old) == ["abc"]  # what came later nobody has cleaned away


def cleaned_away(place: Place, spoil: Callable[[Path], None] = lambda _: None, **about: Any) -> timedelta:
    """A session that was heard and is cleaned away when it is old enough; how much later that is."""
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
    place.turn("abc", NOW + MINUTE)
    place.hear("abc", NOW + MINUTE, **about)
    spoil(store.state_path(place.state, "abc"))
    later = datetime.now(UTC) + timedelta(days=2)
    clean.run(place.state, older_than="1d", yes=True, now=later, env={}, say=lambda _: None)
    assert not store.state_path(place.state, "abc").exists()
    return later - NOW


def test_what_was_cleaned_away_excuses_the_answer_that_it_knew_and_no_other(place: Place) -> None:
    later = NOW + cleaned_away(place, answer=f"assistant{NOW + MINUTE}")
    assert place.missed(later) == []
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines, place.line("assistant", NOW + MINUTE - timedelta(seconds=1), "done, unreviewed"))
    assert place.missed(later) == ["abc"]


def test_a_state_that_somebody_else_wrote_excuses_nothing_when_it_is_cleaned_away(place: Place) -> None:
    def dated_back(path: Path) -> None:
        path.write_text(path.read_text().replace('"updated_at": "2025', '"updated_at": "2020'))

    assert place.missed(NOW + cleaned_away(place, dated_back)) == ["abc"]


def test_a_session_that_an_earlier_version_has_cleaned_away_is_no_alarm(place: Place) -> None:
    later = NOW + cleaned_away(place, answer="another")
    assert place.missed(later) == ["abc"]
    roll.change(place.state, lambda found: [{**each, "cleaned": ["abc"]} for each in found], later)
    assert place.missed(later) == []


def test_a_fork_of_what_was_cleaned_away_is_no_alarm_where_ccc_had_made_it(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
    place.turn("abc", NOW + MINUTE)
    place.hear("abc", NOW + MINUTE, answer=f"assistant{NOW + MINUTE}")
    SessionStore(place.state, now=lambda: NOW + MINUTE).update("abc", lambda old: old.reviewed_in("fork"))
    later = NOW + timedelta(days=2)
    clean.run(place.state, older_than="1d", yes=True, now=later, env={}, say=lambda _: None)
    place.turn("fork", NOW + MINUTE)
    assert place.missed(later) == []
    place.turn("made-by-the-agent", NOW + MINUTE)
    assert place.missed(later) == ["made-by-the-agent"]


def test_a_conversation_that_is_gone_with_all_that_ccc_kept_of_it_is_told(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
        assert not starts.had(place.state, "abc")
        starts.kept(place.state, client.pid, "abc")
        assert starts.had(place.state, "abc")
    assert [each.how for each in unheard.stops(place.state, NOW + 60 * MINUTE)] == [How.GONE]


def test_a_session_that_was_heard_and_whose_state_somebody_took_away_is_told(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
    place.turn("abc", NOW + MINUTE)
    place.hear("abc", NOW + MINUTE)
    store.state_path(place.state, "abc").unlink()
    assert place.missed() == ["abc"]


BROKEN_OFF = {
    "by a signal": Request(phase=Phase.DONE, outcome=Outcome.INTERRUPTED),
    "by a kill": Request(phase=Phase.REVIEWING),
}


@pytest.mark.parametrize("request_", BROKEN_OFF.values(), ids=BROKEN_OFF)
def test_a_review_that_broke_off_is_told_unless_the_person_interrupted_it(place: Place, request_: Request) -> None:
    place.start()
    place.turn("abc", NOW + MINUTE)
    with files.locked(store.stop_lock(place.state, "abc"), wait=0):
        sessions = SessionStore(place.state, now=lambda: NOW + 2 * MINUTE)
        sessions.update("abc", lambda old: structs.replace(old, request=request_))
        if request_.phase is Phase.REVIEWING:
            assert place.missed() == []  # it is being reviewed
    assert place.missed() == ["abc"]
    place.talk(
        "abc",
        place.line("user", NOW + MINUTE, "do it"),
        place.line("assistant", NOW + MINUTE, "done"),
        place.line("user", NOW + 2 * MINUTE, "[Request interrupted by user]"),
    )
    assert place.missed() == []


ENDED = {
    "in a client that listens": (Request(phase=Phase.DONE, outcome=Outcome.INTERRUPTED), None),
    "in one that was gone, or in which nobody types": (
        Request(phase=Phase.DONE, outcome=Outcome.INTERRUPTED, unattended=True),
        How.BROKE_OFF,
    ),
    "by a kill": (Request(phase=Phase.REVIEWING), How.MISSED),
}


@pytest.mark.parametrize("behind", ["[Request interrupted by user]", "something else"])
@pytest.mark.parametrize(("request_", "how"), ENDED.values(), ids=ENDED)
def test_no_line_behind_the_answer_excuses_what_nobody_can_have_interrupted(
    place: Place, request_: Request, how: How | None, behind: str
) -> None:
    place.start()
    said = place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn")
    place.talk("abc", place.line("user", NOW, "do it"), said, place.line("user", NOW + 2 * MINUTE, behind))
    with files.locked(store.stop_lock(place.state, "abc"), wait=0):
        place.hear("abc", NOW + 2 * MINUTE, request_, answer=said["uuid"])
    found = [each.how for each in unheard.stops(place.state, NOW + 60 * MINUTE)]
    assert found == ([how] if how else [])


TIMED_OUT = {"type": "hook_cancelled", "hookEvent": "Stop", "timedOut": True}


@pytest.mark.parametrize(
    ("cancelled", "told"),
    [(TIMED_OUT, True), ({**TIMED_OUT, "timedOut": False}, False), ({**TIMED_OUT, "hookEvent": "Notification"}, False)],
    ids=["as if its time were over", "by the person", "another hook"],
)
@pytest.mark.parametrize("behind", ["[Request interrupted by user]", "something else"])
def test_a_review_that_the_client_ended_by_itself_was_interrupted_by_nobody(
    place: Place, cancelled: dict[str, object], told: bool, behind: str
) -> None:
    place.start()
    said = place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn")
    ended = {"type": "attachment", "uuid": "e", "timestamp": (NOW + MINUTE).isoformat(), "attachment": cancelled}
    place.talk("abc", place.line("user", NOW, "do it"), said, ended, place.line("user", NOW + 2 * MINUTE, behind))
    place.hear("abc", NOW + 2 * MINUTE, Request(phase=Phase.DONE, outcome=Outcome.INTERRUPTED), answer=said["uuid"])
    found = [(each.how, each.said) for each in unheard.stops(place.state, NOW + 60 * MINUTE)]
    why = "the client has ended a Stop hook by itself, as if its time were over; look at its timeout"
    assert found == ([(How.BROKE_OFF, why)] if told else [])


def test_pty_mode_answers_for_what_its_own_agent_said_and_for_nothing_behind_it(place: Place) -> None:
    """An agent has pty mode look at its own conversation, and goes on in it."""
    place.start()
    own = place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn")
    later = place.line("assistant", NOW + 2 * MINUTE, "and stopped", stop_reason="end_turn")
    asked = place.line("user", NOW, "do it")
    for answer, lines, missed in (
        (own["uuid"], (own,), []),
        (own["uuid"], (own, later), ["abc"]),
        (later["uuid"], (own, later), []),
        ("", (own,), ["abc"]),  # it has heard nothing of its agent's
    ):
        place.hear("abc", NOW + MINUTE, answer=answer, mode=Mode.PTY)
        place.talk("abc", asked, *lines)
        assert place.missed() == missed
    place.hear("elsewhere", NOW + MINUTE, mode=Mode.PTY)  # as an earlier version wrote it
    place.talk("abc")
    place.talk("elsewhere", asked, own, later)
    assert place.missed() == []


def test_pty_mode_answers_for_what_it_has_gone_on_with_though_no_start_knows_its_process(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
        place.hear("abc", NOW, client=client.pid, client_begun=processes.ticks(client.pid), mode=Mode.HOOKS)
    own = place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn")
    place.talk("abc", place.line("user", NOW, "do it"), own)
    assert place.missed() == ["abc"]
    ccc = {"client": os.getpid(), "client_begun": processes.ticks(os.getpid())}
    place.hear("abc", NOW + MINUTE, answer=own["uuid"], mode=Mode.PTY, **ccc)
    assert place.missed() == []


def test_pty_mode_answers_for_a_turn_that_was_interrupted_behind_any_result(place: Place) -> None:
    for content in ("found", [{"type": "text", "text": "found"}], [{"type": "image", "source": {}}]):
        ended = {"type": "tool_result", "tool_use_id": "t", "content": content}
        said = [
            place.line("user", NOW, "do it"),
            place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn"),
            place.line("user", NOW + 2 * MINUTE, "and this"),
            place.line("assistant", NOW + 3 * MINUTE, "I look", stop_reason="tool_use"),
            place.line("user", NOW + 4 * MINUTE, "", content=[ended]),
            place.line("user", NOW + 5 * MINUTE, "[Request interrupted by user]"),
        ]
        parser = stream.StreamParser()
        parser.feed(b"".join(json.dumps({**line, "session_id": "abc"}).encode() + b"\n" for line in said))
        place.start()
        place.talk("abc", *said)
        place.hear("abc", NOW + 3 * MINUTE, answer=parser.answer, mode=Mode.PTY)
        assert place.missed() == []


def closed(place: Place, at: datetime) -> list[dict[str, object]]:
    call = {"type": "tool_use", "id": "t", "name": "mcp__done__finish", "input": {}}
    ended = {"type": "tool_result", "tool_use_id": "t", "content": "recorded"}
    return [
        place.line("user", at, "do it"),
        place.line("assistant", at, "", content=[call], stop_reason="tool_use"),
        {**place.line("user", at, "", content=[ended]), "uuid": "r", "mcpMeta": {"_meta": {"claude/endTurn": True}}},
    ]


def test_a_turn_that_a_tool_has_ended_is_a_stop(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        pass
    place.talk("abc", *closed(place, NOW + MINUTE))
    assert place.missed() == ["abc"]
    for answer, missed in (("r", []), ("another", ["abc"])):
        place.hear("abc", NOW + 2 * MINUTE, client=client.pid, answer=answer)
        assert place.missed() == missed


def test_an_agent_that_did_not_go_on_is_told_though_the_hook_had_not_seen_its_answer(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        pass
    place.talk("abc", *closed(place, NOW + MINUTE))
    back = Request(phase=Phase.WORKING, findings=("go on",))
    place.hear("abc", NOW + 2 * MINUTE, back, client=client.pid, answer="", mode=Mode.HOOKS)
    assert [each.how for each in unheard.stops(place.state, NOW + 60 * MINUTE)] == [How.IGNORED]


@pytest.mark.parametrize("summed_up", [False, True], ids=["as it was", "after a compaction"])
def test_the_reviewers_fork_of_a_session_is_not_taken_for_the_agent(place: Place, summed_up: bool) -> None:
    """Of a conversation that was summed up a fork has what follows the summary, and no more."""
    place.start()
    first = place.line("user", NOW, "do it")
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "timestamp": NOW.isoformat()}
    rest = [*([boundary] if summed_up else []), place.line("assistant", NOW + MINUTE, "done")]
    place.talk("abc", first, *rest)
    place.hear("abc", NOW + MINUTE)
    said = place.line("assistant", NOW + 2 * MINUTE, "all is well")
    place.talk("fork", *([] if summed_up else [first]), *rest, place.line("user", NOW + MINUTE, "# Review"), said)
    assert place.missed() == ["fork"]  # for all that is known it is the person's own
    output = store.output_path(place.state, "abc")
    output.write_text('{"type":"system","subtype":"init","session_id":"fork"}\n')
    assert place.missed() == ["fork"]  # anybody can add a line to the stream
    keep = SessionStore(place.state, now=lambda: NOW + MINUTE).update
    keep("abc", lambda old: old.reviewed_in("fork"))
    assert place.missed() == []
    keep("abc", lambda old: structs.replace(old, forks=None))  # by an earlier version, which had nothing but the stream
    assert place.missed() == []


def test_while_the_client_lives_its_hook_gets_a_moment(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW):
        place.turn("abc", NOW + MINUTE)
        assert place.missed(NOW + MINUTE + timedelta(seconds=1)) == []
        assert place.missed(NOW + 3 * MINUTE) == ["abc"]
    assert place.missed(NOW + MINUTE + timedelta(seconds=1)) == ["abc"]


UNFINISHED = {
    "asked": [("user", "do it")],
    "interrupted": [("user", "do it"), ("assistant", "well"), ("user", "[Request interrupted by user]")],
}


@pytest.mark.parametrize("said", UNFINISHED.values(), ids=UNFINISHED)
def test_a_turn_that_has_not_ended_is_no_stop(place: Place, said: list[tuple[str, str]]) -> None:
    place.start()
    place.talk("abc", *(place.line(kind, NOW + n * MINUTE, text) for n, (kind, text) in enumerate(said)))
    assert place.missed() == []


def work(place: Place, at: datetime, **more: object) -> list[dict[str, object]]:
    """A request, and a call of a tool as the last that the model has said to it."""
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}
    called = place.line("assistant", at, "", content=[call], stop_reason="tool_use") | more
    interrupted = place.line("user", at + MINUTE, "[Request interrupted by user for tool use]")
    return [place.line("user", at, "do it"), called, interrupted]


def fates(place: Place) -> list[tuple[str, How, bool]]:
    return [(each.session_id, each.how, each.is_remark) for each in unheard.stops(place.state, NOW + 60 * MINUTE)]


def test_work_that_nobody_ended_is_told_where_nobody_types(place: Place) -> None:
    place.start(attended=False)
    place.talk("abc", *work(place, NOW + MINUTE))
    assert fates(place) == [("abc", How.MIDST, False)]
    (row,) = status.rows(place.state)
    assert (row.session_id, row.outcome, row.outside) == ("abc", "unreviewed", {})
    (told,) = unheard.untold(place.state, NOW + 2 * MINUTE)
    assert f"claude ended in the midst of its work in {place.folder} (session abc" in told.line()
    assert unheard.untold(place.state, NOW + 2 * MINUTE) == []


def test_a_person_who_leaves_in_the_midst_of_a_turn_is_not_alarmed(place: Place) -> None:
    place.start()
    place.talk("abc", *work(place, NOW + MINUTE))
    assert unheard.untold(place.state, NOW + 2 * MINUTE) == []
    assert fates(place) == [("abc", How.MIDST, True)]
    (row,) = status.rows(place.state)
    assert (row.session_id, row.outcome, row.outside) == ("abc", "interrupted", {})
    assert "was left in the midst of a turn" in row.reason


def test_a_remark_hides_neither_what_was_missed_nor_whom_a_session_wants(place: Place) -> None:
    place.start()
    place.turn("missed", NOW + MINUTE)
    place.talk("abc", *work(place, NOW + 2 * MINUTE))
    assert place.missed() == ["missed"]
    place.hear("missed", NOW + 3 * MINUTE)
    place.hear("abc", NOW + MINUTE, Request(phase=Phase.DONE, outcome=Outcome.NEEDS_HUMAN))
    assert {row.session_id: row.outcome for row in status.rows(place.state)}["abc"] == "needs_human"


def says(place: Place, client: subprocess.Popen[bytes], session: str) -> None:
    """What a client writes down of itself, and anybody can."""
    path = place.config / "sessions" / f"{client.pid}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"sessionId": session}))


def test_the_work_of_a_client_that_lives_is_no_alarm_nor_is_it_blamed_on_another(place: Place) -> None:
    place.start(NOW - MINUTE, attended=False)
    with begun(place.state, place.folder, place.config, NOW, attended=False) as client:
        place.talk("abc", *work(place, NOW + MINUTE))
        says(place, client, "abc")
        assert fates(place) == []
        assert unheard.untold(place.state, NOW + 2 * MINUTE) == []
    assert fates(place) == [("abc", How.MIDST, False)]


def test_no_client_takes_over_what_was_there_before_it(place: Place) -> None:
    """One that the agent has left running says what it likes of the conversation that it is in."""
    with begun(place.state, place.folder, place.config, NOW, attended=False) as client:
        place.talk("abc", *work(place, NOW + MINUTE)[:1])
    with begun(place.state, place.folder, place.config, NOW + MINUTE) as client:
        place.talk("abc", *work(place, NOW + MINUTE))
        says(place, client, "abc")
        assert fates(place) == [("abc", How.MIDST, False)]


SAID = {
    "nothing": (None, None),
    "their own": ("of-a", "of-b"),
    "each the other's": ("of-b", "of-a"),
    "both the same": ("of-b", "of-b"),
}


@pytest.mark.parametrize("living", [True, False], ids=["both live", "the first one is gone"])
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_whatever_clients_say_they_are_in_each_stop_that_nobody_heard_is_told_once(
    place: Place, said: tuple[str | None, str | None], living: bool
) -> None:
    with (
        begun(place.state, place.folder, place.config, NOW) as first,
        begun(place.state, place.folder, place.config, NOW) as second,
    ):
        for client, session in zip((first, second), said, strict=True):
            if session:
                says(place, client, session)
        if not living:
            first.communicate()
        for minute, session in enumerate(("of-a", "of-b"), start=1):
            place.turn(session, NOW + minute * MINUTE)
            told = [each.session_id for each in unheard.untold(place.state, NOW + (minute + 2) * MINUTE)]
            assert told == [session]
        assert unheard.untold(place.state, NOW + 9 * MINUTE) == []
        assert sorted(place.missed()) == ["of-a", "of-b"]


def test_nor_does_what_a_client_says_hide_that_nobody_can_read_it(place: Place, odd: Callable[[Path], object]) -> None:
    place.start(now := datetime.now(UTC))
    with begun(place.state, place.folder, place.config, now) as client:
        place.turn("abc", now)
        place.hear("abc", now + MINUTE, client=client.pid, answer=f"assistant{now}")
        odd(kept_in(place) / "other.jsonl")
        says(place, client, "other")
        assert [each.how for each in unheard.stops(place.state, now + 9 * MINUTE)] == [How.UNREADABLE]


def test_two_stops_that_nobody_heard_of_two_clients_that_are_gone_are_both_told(place: Place) -> None:
    place.start()
    place.start()
    for session in ("of-a", "of-b"):
        place.turn(session, NOW + MINUTE)
    assert sorted(each.session_id for each in unheard.untold(place.state, NOW + 2 * MINUTE)) == ["of-a", "of-b"]
    assert unheard.untold(place.state, NOW + 3 * MINUTE) == []


@pytest.mark.parametrize("attended", [True, False])
def test_clients_side_by_side_of_which_no_hook_was_heard_yet_are_no_alarm(place: Place, attended: bool) -> None:
    """Nobody has talked to one of them, one works, and one has stopped this moment."""
    place.start(NOW - MINUTE, attended=attended)  # is looked at on, for it was there with them
    with (
        begun(place.state, place.folder, place.config, NOW - MINUTE, attended=attended) as idle,
        begun(place.state, place.folder, place.config, NOW - MINUTE, attended=attended) as busy,
        begun(place.state, place.folder, place.config, NOW - MINUTE, attended=attended) as done,
    ):
        for client, session in ((idle, "nothing-yet"), (busy, "in-the-midst"), (done, "stopped")):
            says(place, client, session)
        place.talk("in-the-midst", *work(place, NOW)[:2])
        place.turn("stopped", NOW + MINUTE)
        now = NOW + MINUTE + timedelta(seconds=10)
        assert unheard.untold(place.state, now) == []
        assert place.missed(now) == []


def test_work_of_others_and_what_a_hook_has_heard_the_end_of_is_no_alarm(place: Place) -> None:
    place.talk("earlier", *work(place, NOW - 2 * MINUTE))
    with begun(place.state, place.folder, place.config, NOW, attended=False) as client:
        pass
    place.talk("ui", *work(place, NOW + MINUTE, entrypoint="cli"))
    assert fates(place) == []
    ended = Request(phase=Phase.DONE, outcome=Outcome.UNREVIEWED, reason="API Error: 429")
    failed = place.line("assistant", NOW + 2 * MINUTE, "API Error: 429", **SYNTHETIC) | {"isApiErrorMessage": True}
    place.talk("abc", *work(place, NOW + MINUTE)[:2], failed)
    place.hear("abc", NOW + 2 * MINUTE, ended, client=client.pid, answer="")
    assert fates(place) == []
    back = Request(phase=Phase.WORKING, findings=("go on",))
    place.hear("abc", NOW + 3 * MINUTE, back, client=client.pid, answer="")
    assert fates(place) == [("abc", How.MIDST, False)]  # anybody can write that the API failed


SYNTHETIC = {"model": "<synthetic>", "stop_reason": "stop_sequence"}
WRITTEN_BEHIND: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "an interruption": ("user", "[Request interrupted by user]", {}, {}),
    "a note": ("user", "note", {}, {"isMeta": True}),
    "words of the client's": ("assistant", "No response requested.", SYNTHETIC, {}),
    "an API error": ("assistant", "API Error: 429", SYNTHETIC, {"isApiErrorMessage": True}),
    "a request": ("user", "and now this", {}, {}),
    "output of a command": ("user", "<bash-stdout>x</bash-stdout>", {}, {}),
    "cut words": ("assistant", "well", {}, {"isAbortedMidStream": True}),
}


@pytest.mark.parametrize("behind", WRITTEN_BEHIND.values(), ids=WRITTEN_BEHIND)
def test_what_anybody_can_write_behind_an_answer_does_not_hide_that_nobody_heard_of_it(
    place: Place, behind: tuple[str, str, dict[str, Any], dict[str, Any]]
) -> None:
    place.start()
    kind, text, message, line = behind
    place.talk(
        "abc",
        place.line("user", NOW, "do it"),
        place.line("assistant", NOW + MINUTE, "done", stop_reason="end_turn"),
        {**place.line(kind, NOW + 2 * MINUTE, text, **message), **line},
    )
    (told,) = unheard.stops(place.state, NOW + 60 * MINUTE)
    assert (told.how, told.at) == (How.MISSED, NOW + MINUTE)


def test_what_is_done_to_the_file_does_not_hide_it_either(place: Place) -> None:
    now = datetime.now(UTC)
    place.start(now)
    assert place.missed(now + MINUTE) == []  # nobody has talked to it
    place.turn("abc", now + timedelta(seconds=1))
    (path,) = place.config.rglob("abc.jsonl")
    os.utime(path, (1, 1))
    assert place.missed(now + MINUTE) == ["abc"]
    path.unlink()
    (told,) = unheard.untold(place.state, now + MINUTE)
    assert "what was written of its conversation is gone" in told.line()
    assert [row.outcome for row in status.rows(place.state)] == ["unreviewed"]


def test_no_number_of_lines_or_conversations_hides_it(place: Place) -> None:
    now = datetime.now(UTC)
    place.start(now)
    note = {"type": "user", "isMeta": True, "timestamp": now.isoformat(), "message": {"content": "a note"}}
    answer = place.line("user", now, "do it"), place.line("assistant", now, "done", stop_reason="end_turn")
    place.talk("abc", *answer, *[note] * 1500, {"type": "system", "long": "x" * 9_000_000})
    assert place.missed(now + MINUTE) == ["abc"]
    for number in range(60):
        place.talk(f"other-{number}", note)
    assert place.missed(now + MINUTE) == ["abc"]


def crowded(place: Place, monkeypatch: pytest.MonkeyPatch, how: str) -> Path:
    """More than one look takes in, newer than a conversation; one that it leaves out."""
    place.turn("abc", NOW + MINUTE)
    note = json.dumps({"type": "user", "isMeta": True, "message": {"content": "a note"}}) + "\n"
    match how:
        case "too many":
            monkeypatch.setattr(conversations, "LOOKED_AT", 3)
            names = [f"other-{number}" for number in range(3)]
        case _:
            monkeypatch.setattr(conversations, "READ", 3 * 2**14)
            names = [f"other-{number}" for number in range(6)]
            note *= 2**14 // len(note)
    for name in names:
        (kept_in(place) / f"{name}.jsonl").write_text(note)
    return kept_in(place) / "abc.jsonl"


@pytest.mark.parametrize("how", ["too many", "too long"])
def test_what_a_look_leaves_out_is_told_in_one_line_and_no_start_is_forgotten(
    place: Place, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    place.start()
    place.start()
    left_out = crowded(place, monkeypatch, how)
    (told,) = unheard.untold(place.state, NOW + 2 * MINUTE)
    assert told.how is How.UNSEEN
    assert "there is more among the conversations than ccc looks at" in told.line()
    assert how == "too long" or str(left_out) in told.line()
    assert unheard.untold(place.state, NOW + 3 * MINUTE) == []
    assert [row.outcome for row in status.rows(place.state)] == ["unreviewed"]
    assert len(starts.known(place.state)) == 2
    for path in kept_in(place).glob("other-*"):
        path.unlink()
    assert place.missed() == ["abc"]


@pytest.mark.parametrize("behind", ["\n", "\0", "{}\n"], ids=["nothing", "no line", "short lines"])
def test_an_answer_behind_more_than_a_look_takes_in_is_left_out(
    place: Place, monkeypatch: pytest.MonkeyPatch, behind: str
) -> None:
    place.start()
    place.turn("abc", NOW + MINUTE)
    monkeypatch.setattr(conversations, "READ", 2**16)
    with (kept_in(place) / "abc.jsonl").open("a") as file:
        file.write(behind * (2**17 // len(behind)))
    assert [each.how for each in unheard.stops(place.state, NOW + 9 * MINUTE)] == [How.UNSEEN]


def test_so_it_is_while_the_client_lives(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(place.state, place.folder, place.config, NOW):
        crowded(place, monkeypatch, "too many")
        assert [each.how for each in unheard.untold(place.state, NOW + 9 * MINUTE)] == [How.UNSEEN]


def test_one_file_is_read_once_whatever_names_it_has(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.start()
    note = {"type": "user", "isMeta": True, "message": {"content": "a note"}}
    place.turn("abc", NOW + MINUTE)
    place.talk("other-0", *[note] * 100)
    for number in range(1, 50):
        os.link(kept_in(place) / "other-0.jsonl", kept_in(place) / f"other-{number}.jsonl")
    lines = Counter[int]()
    really = transcript_lines.understood

    def understood(message: Any, **more: Any) -> Any:
        lines[os.getpid()] += 1
        return really(message, **more)

    monkeypatch.setattr(transcript_lines, "understood", understood)
    assert place.missed() == ["abc"]
    assert lines[os.getpid()] < 150


def test_a_turn_that_ends_without_a_word_is_a_stop(place: Place) -> None:
    place.start()
    thought = {"content": [{"type": "thinking", "thinking": "That will do."}], "stop_reason": "end_turn"}
    place.talk("abc", place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "", **thought))
    assert place.missed() == ["abc"]
    # The hook may look before that line is written, so the moment counts here.
    place.hear("abc", NOW + MINUTE, answer="an earlier one")
    assert place.missed() == []


def test_what_is_put_in_its_place_does_not_stand_for_a_conversation_that_is_gone(place: Place) -> None:
    now = datetime.now(UTC)
    place.start(now)
    place.turn("abc", now)
    (path,) = place.config.rglob("abc.jsonl")
    path.unlink()
    os.mkfifo(path)
    path.with_name("other.jsonl").write_text("{}\n")
    assert [each.how for each in unheard.stops(place.state, now + MINUTE)] == [How.GONE]


ODD: dict[str, Callable[[Path], object]] = {
    "a link to nowhere": lambda path: path.symlink_to("/nonexistent/x"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to a device": lambda path: path.symlink_to("/dev/null"),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
}


@pytest.fixture(params=ODD.values(), ids=ODD)
def odd(request: pytest.FixtureRequest) -> Callable[[Path], object]:
    """What no client puts where it keeps its conversations."""
    put: Callable[[Path], object] = request.param
    return put


def kept_in(place: Place) -> Path:
    """The folder of the conversations."""
    folder = place.config / "projects" / re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(place.folder))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_nothing_odd_beside_a_conversation_hides_it(place: Place, odd: Callable[[Path], object]) -> None:
    odd(kept_in(place) / "earlier.jsonl")
    place.start(now := datetime.now(UTC))
    odd(kept_in(place) / "later.jsonl")
    place.turn("abc", now)
    assert place.missed(now + MINUTE) == ["abc"]


def test_what_nobody_can_read_is_told_with_its_path_by_the_starts_that_saw_it_come(
    place: Place, odd: Callable[[Path], object]
) -> None:
    begins = datetime.now(UTC)
    reviewed(place, "abc", begins)
    odd(path := kept_in(place) / "other.jsonl")
    now = datetime.now(UTC) + MINUTE
    (told,) = unheard.untold(place.state, now)
    assert (told.how, f"{path} cannot be read" in told.line()) == (How.UNREADABLE, True)
    assert unheard.untold(place.state, now) == []
    assert [(row.session_id, row.outcome) for row in status.rows(place.state)][:1] == [("other", "unreviewed")]
    path.rename(path.with_suffix(".away"))
    assert place.missed(now) == []


def test_nor_does_it_stand_for_a_conversation_of_which_a_hook_has_read_an_answer(
    place: Place, odd: Callable[[Path], object]
) -> None:
    reviewed(place, "abc", NOW)
    assert place.missed() == []
    (path,) = place.config.rglob("abc.jsonl")
    path.unlink()
    odd(path)
    is_told_as_gone(place)


def is_told_as_gone(place: Place) -> None:
    (told,) = unheard.untold(place.state, NOW + 60 * MINUTE)
    assert (told.how, told.session_id) == (How.GONE, "abc")
    assert [row.outcome for row in status.rows(place.state)] == ["unreviewed"]


@pytest.mark.parametrize("lines", [[], [{"type": "summary"}]], ids=["empty", "without an answer"])
def test_a_conversation_without_the_answer_that_a_hook_has_read_is_gone(place: Place, lines: list[Any]) -> None:
    reviewed(place, "abc", NOW)
    place.talk("abc", *lines)
    is_told_as_gone(place)


@pytest.mark.parametrize("how", ["a file", "a link to nowhere", "a link to itself"])
def test_what_stands_in_the_place_of_the_folder_is_no_folder_that_nobody_talked_in(place: Place, how: str) -> None:
    put = {**ODD, "a file": Path.touch}[how]
    place.start(NOW)
    assert place.missed() == []
    folder = kept_in(place)
    folder.rmdir()
    put(folder)
    assert [each.how for each in unheard.stops(place.state, NOW + 60 * MINUTE)] == [How.GONE]


def test_folders_that_nobody_may_list_are_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewed(place, "abc", NOW)
    really, closed = os.scandir, place.config / "projects"

    def scandir(path: Any) -> Any:
        if path == closed:
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(path)

    monkeypatch.setattr(os, "scandir", scandir)
    (told,) = unheard.stops(place.state, NOW + 60 * MINUTE)
    assert (told.how, f"{closed} cannot be read" in told.line()) == (How.UNREADABLE, True)


def test_nor_does_it_where_pty_mode_had_looked_at_it(place: Place, odd: Callable[[Path], object]) -> None:
    place.start()
    place.turn("other", NOW + MINUTE)
    place.turn("abc", NOW + MINUTE)
    for session in ("other", "abc"):
        place.hear(session, NOW + MINUTE, mode=Mode.PTY, answer=f"assistant{NOW + MINUTE}")
    assert place.missed() == []
    path = kept_in(place) / "abc.jsonl"
    path.unlink()
    odd(path)
    assert place.missed() == ["abc"]


def test_nothing_odd_among_the_projects_hides_what_went_to_a_worktree(place: Place) -> None:
    reviewed(place, "first", NOW)
    asked = place.line("user", NOW, "do it") | {"cwd": os.path.realpath(place.folder)}
    place.talk("second", asked, place.line("assistant", NOW + 2 * MINUTE, "done"), folder="a-worktree")
    for number, put in enumerate(ODD.values()):
        put(place.config / "projects" / f"-{number}")
    assert place.missed() == ["second"]


def test_nor_does_the_length_of_what_went_there(place: Place) -> None:
    reviewed(place, "first", NOW)
    asked = place.line("user", NOW, "do it") | {"cwd": os.path.realpath(place.folder)}
    work = place.line("user", NOW, "x" * 2**18) | {"cwd": "/there", "isMeta": True}
    answer = place.line("assistant", NOW + 2 * MINUTE, "done") | {"cwd": "/there"}
    place.talk("second", asked, work, answer, folder="a-worktree")
    assert place.missed() == ["second"]


def test_a_conversation_behind_a_link_has_changed_when_what_it_leads_to_has(place: Place) -> None:
    place.turn("abc", NOW)
    (path,) = place.config.rglob("abc.jsonl")
    elsewhere, projects = path.rename(place.state.parent / "elsewhere"), place.config / "projects"
    path.symlink_to(elsewhere)
    linked = path.lstat().st_ctime
    while (changed := elsewhere.stat().st_ctime) <= linked:
        elsewhere.touch()
    assert Reading().since(conversations.of(projects, place.folder), changed) == [path]


def test_what_nobody_can_read_blames_no_start_for_its_neighbours(place: Place) -> None:
    place.start()
    asked = place.line("user", NOW, "do it") | {"cwd": "/elsewhere"}
    place.talk("theirs", asked, place.line("assistant", NOW + MINUTE, "done"), folder="-elsewhere")
    os.mkfifo(place.config / "projects" / "-elsewhere" / "pipe.jsonl")
    assert place.missed() == ["pipe"]


def test_no_copy_elsewhere_stands_for_a_conversation_that_was_heard(place: Place) -> None:
    reviewed(place, "abc", NOW)
    (path,) = place.config.rglob("abc.jsonl")
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines, folder="-a-copy")
    place.talk("abc", *lines, place.line("assistant", NOW + 3 * MINUTE, "more"), folder="-moved")
    path.unlink()
    assert place.missed() == ["abc"]


def test_a_conversation_that_was_heard_is_looked_for_everywhere_and_missed_when_it_is_gone(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines, folder="a-worktree")
    place.hear("abc", NOW + MINUTE, client=client.pid, answer=f"assistant{NOW + MINUTE}")
    assert place.missed() == []
    place.talk("fork", lines[0], place.line("assistant", NOW + 2 * MINUTE, "all is well"))
    SessionStore(place.state, now=lambda: NOW + MINUTE).update("abc", lambda old: old.reviewed_in("fork"))
    assert place.missed() == []  # its reviewer's, though the conversation has gone elsewhere
    place.talk("abc", *lines, place.line("assistant", NOW + 3 * MINUTE, "more"), folder="a-worktree")
    assert place.missed() == ["abc"]
    (path,) = place.config.rglob("abc.jsonl")
    path.unlink()
    assert [each.how for each in unheard.stops(place.state, NOW + 60 * MINUTE)] == [How.GONE]


def test_a_conversation_that_goes_to_a_worktree_with_its_client_is_looked_for_there(place: Place) -> None:
    """The same start was heard before, of another conversation: as before /clear."""
    own = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(place.folder))
    for folder in (f"{own}--claude-worktrees-a", "a-worktree-of-git"):
        with begun(place.state, place.folder, place.config, NOW) as client:
            starts.heard(place.state, client.pid, "first")
        place.turn("first", NOW + MINUTE)
        place.hear("first", NOW + MINUTE, client=client.pid, answer=f"assistant{NOW + MINUTE}")
        inside = {"cwd": os.path.realpath(place.folder)}
        lines = [place.line("user", NOW, "do it") | inside, place.line("assistant", NOW + 2 * MINUTE, "done")]
        place.talk("second", *lines, folder=folder)
        assert place.missed() == ["second"]
        place.hear("second", NOW + 2 * MINUTE, client=client.pid, answer=f"assistant{NOW + 2 * MINUTE}")
        assert place.missed() == []
        there = {"cwd": "/there"}  # after /clear
        cleared = [place.line("user", NOW + MINUTE, "and that") | there, place.line("assistant", NOW + 3 * MINUTE, "x")]
        place.talk("third", *cleared, folder=folder)
        assert place.missed() == ["third"]
        for path in (*place.state.glob("*"), *place.config.rglob("*.jsonl")):
            if path.is_file():
                path.unlink()


def test_what_others_do_in_a_worktree_is_no_alarm(place: Place) -> None:
    own = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(place.folder))
    wt, inside, there = f"{own}--claude-worktrees-a", {"cwd": os.path.realpath(place.folder)}, {"cwd": "/there"}
    asked, said = place.line("user", NOW - 2 * MINUTE, "do it"), place.line("assistant", NOW - MINUTE, "done")
    place.talk("earlier", asked | inside, said, folder=wt)
    place.start()
    asked, later = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("theirs", asked | there, later, folder=wt)  # by a claude that was started there
    place.talk("earlier", asked | inside, said, folder=wt)  # touched, and no more
    place.talk("elsewhere", asked | there, later, folder="-there")
    assert place.missed() == []


def test_no_session_that_ccc_does_not_know_makes_another_its_reviewer(place: Place) -> None:
    place.start()
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines)
    place.talk("planted", lines[0])
    store.output_path(place.state, "planted").write_text('{"session_id":"abc"}\n')
    assert place.missed() == ["abc"]


@pytest.mark.parametrize("told", ["of pty mode", "heard", "of another, whose reviewer it is"])
def test_a_state_that_ccc_did_not_seal_speaks_for_no_stop(place: Place, told: str) -> None:
    place.start()
    place.hear("elsewhere", NOW)  # there is a key
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines)
    written: dict[str, object] = {"session_id": "abc", "count": 1, "updated_at": (NOW + 9 * MINUTE).isoformat()}
    match told:
        case "of pty mode":
            written |= {"mode": "pty"}
        case "heard":
            written |= {"mode": "hooks", "answer": lines[1]["uuid"], "client": starts.known(place.state)[0].pid}
        case _:
            place.talk("planted", lines[0])
            written |= {"session_id": "planted", "forks": ["abc"]}
    store.state_path(place.state, str(written["session_id"])).write_text(json.dumps(written))
    os.utime(place.state / "state.key")
    assert place.missed() == ["abc"]


def test_what_was_sealed_once_and_is_put_back_later_makes_the_list_of_starts_a_lost_one(place: Place) -> None:
    place.start()
    path, scratch = roll.path(place.state), files.scratch_folder(place.state)
    content = {"starts": [], seal.DATE: files.clock(scratch) - 3600 * 10**9}  # as it was an hour ago
    path.write_text(json.dumps(seal.sealed(content, place.state, scratch)))
    place.turn("abc", NOW + MINUTE)
    assert [each.how for each in unheard.stops(place.state, NOW + 60 * MINUTE)] == [How.LOST]


def test_a_client_that_was_gone_by_then_does_not_account_for_what_another_one_ended(place: Place) -> None:
    """An agent starts ccc on its own conversation, and once more so that the first of them is known to be gone."""
    with begun(place.state, place.folder, place.config, NOW):
        place.turn("abc", NOW + MINUTE)
        with begun(place.state, place.folder, place.config, NOW + 2 * MINUTE) as nested:
            starts.heard(place.state, nested.pid, "abc")
            place.hear("abc", NOW + 2 * MINUTE, client=nested.pid, answer=f"assistant{NOW + MINUTE}")
        unheard.untold(place.state, NOW + 3 * MINUTE)
        asked = place.line("user", NOW + MINUTE, "do it"), place.line("assistant", NOW + MINUTE, "done")
        place.talk("abc", *asked, place.line("assistant", NOW + 5 * MINUTE, "and stopped unheard"))
    assert place.missed() == ["abc"]


@pytest.mark.parametrize("name", ["\N{PARTY POPPER}", "中文", "e\u0301"])
def test_a_folder_is_found_by_the_name_that_the_client_gives_it(tmp_path: Path, name: str) -> None:
    place = Place(tmp_path)
    place.folder = tmp_path / name
    place.folder.mkdir()
    place.start()
    dashes = "--" if name == "\N{PARTY POPPER}" else "e-" if name.startswith("e") else "--"
    above = "".join(letter if letter.isalnum() else "-" for letter in os.path.realpath(tmp_path))
    lines = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("abc", *lines, folder=f"{above}-{dashes}")
    assert place.missed() == ["abc"]


def test_an_answer_that_no_model_gave_is_no_stop(place: Place) -> None:
    more = {"message": {"model": "<synthetic>", "content": [{"type": "text", "text": "x"}]}}
    place.start()
    place.talk("abc", place.line("user", NOW, "do it"), {**place.line("assistant", NOW + MINUTE, "error"), **more})
    assert place.missed() == []


def test_a_turn_that_the_api_ended_is_told_as_that_where_no_hook_could(place: Place) -> None:
    """A headless client often ends its StopFailure hook before that has begun, and older ones have none."""
    place.start()
    said = place.line("assistant", NOW + MINUTE, "API Error: 402 Insufficient Balance", model="<synthetic>")
    place.talk("abc", place.line("user", NOW, "do it"), {**said, "isApiErrorMessage": True})
    (told,) = unheard.untold(place.state, NOW + 2 * MINUTE)
    assert f"in {place.folder}: the API: no money left on the account; top it up (API Error: 402" in told.line()
    assert "reviewed" not in told.line()
    (row,) = status.rows(place.state)
    assert (row.outcome, row.outside, row.reason) == ("unreviewed", {}, told.line())
    place.hear("abc", NOW + 2 * MINUTE)
    assert place.missed() == []


def test_a_folder_with_a_long_name_is_found_by_its_beginning(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.folder = tmp_path / ("x" * 120) / ("y" * 120)
    place.folder.mkdir(parents=True)
    place.start()
    name = "".join(letter if letter.isalnum() else "-" for letter in os.path.realpath(place.folder))
    lines = (place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done"))
    place.talk("abc", *lines, folder=f"{name[:200]}-1k2j3h")
    assert place.missed() == ["abc"]


def test_old_starts_are_forgotten(place: Place) -> None:
    for day in (0, 3, 6, 8):
        place.start(NOW + timedelta(days=day))
    assert [each.at for each in starts.known(place.state)] == [NOW + timedelta(days=day) for day in (3, 6, 8)]


def test_time_does_not_make_a_start_forgotten_whose_client_lives(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW):
        for day in (8, 16):
            place.start(NOW + timedelta(days=day))
        assert [each.at for each in starts.known(place.state)] == [NOW + timedelta(days=day) for day in (0, 16)]


def test_no_number_of_others_makes_a_start_forgotten_that_nobody_has_looked_at_or_that_is_told_of(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "KEPT", 2)
    place.start()
    place.turn("abc", NOW + MINUTE)
    for minute in range(2, 8):
        place.start(NOW + minute * MINUTE)
    with begun(place.state, place.folder, place.config, NOW + 9 * MINUTE) as lives:
        starts.heard(place.state, lives.pid, "def")
        assert len(starts.known(place.state)) == 8
        assert [each.session_id for each in unheard.untold(place.state, NOW + 60 * MINUTE)] == ["abc"]
        # What the others vouch for is kept with the last of them alone.
        assert [each.at for each in starts.known(place.state)] == [NOW + n * MINUTE for n in (0, 6, 7, 9)]
    assert place.missed() == ["abc"]


def test_a_list_that_has_become_too_long_to_be_read_says_that_it_lost_something(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.start()
    place.start(NOW + MINUTE)
    monkeypatch.setattr(roll, "LIMIT", roll.path(place.state).stat().st_size + 200)
    starts.begun(place.state, place.folder, place.config, NOW + 2 * MINUTE)
    assert [each.at for each in starts.known(place.state)] == [NOW + MINUTE, NOW + 2 * MINUTE]
    assert [each.how for each in unheard.untold(place.state, datetime.now(UTC))] == [How.LOST]


def test_what_a_client_says_of_itself_is_read_once_however_many_starts_and_conversations_there_are(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    monkeypatch.setattr(unheard.presence, "conversation", lambda _, pid: read.append(pid))
    for minute in range(5):
        place.start(NOW + minute * MINUTE)
        place.turn(f"abc{minute}", NOW + minute * MINUTE)
    with begun(place.state, place.folder, place.config, NOW) as lives:
        unheard.stops(place.state, NOW + 60 * MINUTE)
    assert read == [lives.pid]


def test_who_has_only_just_got_the_lock_is_not_to_be_ended_for_it(place: Place) -> None:
    holder = processes.Holder(7, (b"ccc",), 3.0)
    assert starts.unkept(place.state, files.Busy(Path("lock"), holder)).fix == "try again when that one has finished"
    older = structs.replace(holder, seconds=60.0)
    assert starts.unkept(place.state, files.Busy(Path("lock"), older)).fix == "run: kill 7"
    unknown = files.Busy(Path("a lock"), None)
    assert starts.unkept(place.state, unknown).fix == "run: fuser -v 'a lock'"


def in_the_way(kind: str, lock: Path) -> AbstractContextManager[object]:
    match kind:
        case "held":
            return files.locked(lock, wait=1)
        case "a folder":
            lock.mkdir()
        case "a pipe":
            os.mkfifo(lock)
        case "a link":
            lock.symlink_to("/dev/zero")
    return nullcontext()


@pytest.mark.parametrize("kind", ["held", "a folder", "a pipe", "a link"])
def test_a_start_that_cannot_be_kept_in_the_list_is_not_begun(
    place: Place, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "WAIT", 0.0)
    place.start()
    lock = place.state / "memory.lock"
    lock.unlink()
    with in_the_way(kind, lock), pytest.raises(CccError, match="none is begun") as refused:
        starts.begun(place.state, place.folder, place.config, NOW + MINUTE)
    assert str(lock) in refused.value.what
    assert refused.value.fix == (f"run: kill {os.getpid()}" if kind == "held" else f"run: mv {lock} {lock}.away")
    assert [each.at for each in starts.known(place.state)] == [NOW]


def test_what_is_added_to_a_start_later_and_cannot_be_kept_is_no_error(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW) as lives:
        (place.state / "memory.lock").unlink()
        (place.state / "memory.lock").mkdir()
        starts.heard(place.state, lives.pid, "abc")
        starts.kept(place.state, lives.pid, "abc")
        roll.told(place.state, NOW)
    assert [each.heard for each in starts.known(place.state)] == [()]


@given(
    st.recursive(
        st.none() | st.text() | st.integers() | st.booleans(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["pid", "ticks", "at", "folder", "transcripts", "heard", "told"]), inner)
        ),
    )
)
def test_whatever_the_record_holds_it_is_read(stored: object) -> None:
    for content in (stored, [stored], {"starts": [stored]}):
        for start in starts._decoded(roll._understood(Path("/nowhere"), Own(json.dumps(content).encode(), 0)).entries):
            assert start.pid > 0


def test_a_session_is_what_the_store_says(place: Place) -> None:
    """The moment at which ccc last heard of a session is the one that its own file carries."""
    place.hear("abc", NOW)
    assert SessionStore(place.state, now=lambda: NOW).load("abc") == Session("abc", created_at=NOW, updated_at=NOW)


def test_however_many_starts_there_are_each_conversation_elsewhere_is_opened_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minute in range(5):
        place.start(NOW + minute * MINUTE)
    for number in range(5):
        place.talk(f"other-{number}", {**place.line("user", NOW, "do it"), "cwd": "/elsewhere"}, folder="-elsewhere")
    place.turn("abc", NOW + 9 * MINUTE)
    begins = Counter[str]()

    def opened(path: Path) -> AbstractContextManager[int | None]:
        begins[path.stem] += 1
        return really(path)

    really = jsonlines.opened
    monkeypatch.setattr(jsonlines, "opened", opened)
    assert [each.session_id for each in unheard.untold(place.state, NOW + 60 * MINUTE)] == ["abc"]
    assert {name: count for name, count in begins.items() if name != "abc"} == {f"other-{n}": 1 for n in range(5)}


# ---- the list of starts ----


def spoilt(state: Path) -> dict[str, Callable[[], object]]:
    path = state / "starts.json"

    def edited(**fields: object) -> Callable[[], object]:
        def edit() -> None:
            content = json.loads(path.read_text())
            content["starts"] = [{**each, **fields} for each in content["starts"]]
            path.write_text(json.dumps(content))

        return edit

    return {
        "gone": path.unlink,
        "empty": lambda: path.write_text(""),
        "junk": lambda: path.write_text("x"),
        "no starts": lambda: path.write_text("{}"),
        "a list, as an earlier version wrote it": lambda: path.write_text("[]"),
        "without its seal": lambda: path.write_text(json.dumps({"starts": []})),
        "a folder": lambda: (path.unlink(), path.mkdir()),
        "a link": lambda: (path.unlink(), path.symlink_to("/dev/zero")),
        "ended": edited(until=NOW.isoformat()),
        "told": edited(told=True),
        "elsewhere": edited(folder="/nowhere"),
        "without the key": (state / "state.key").unlink,
    }


@pytest.mark.parametrize("how", spoilt(Path()))
def test_a_list_of_starts_that_is_not_as_ccc_left_it_is_told_once_and_mended(place: Place, how: str) -> None:
    place.start()
    place.turn("abc", NOW + MINUTE)
    spoilt(place.state)[how]()
    now = datetime.now(UTC)
    assert "its starts was changed outside ccc" in unheard.stops(place.state, now)[0].line()
    assert status.rows(place.state)[0].session_id == "starts.json"
    assert "its starts was changed outside ccc" in unheard.untold(place.state, now)[0].line()
    assert [each for each in unheard.untold(place.state, now) if each.how is How.LOST] == []
    assert unheard.stops(place.state, now)[0].how is How.LOST  # `ccc status` goes on for as long as a start is kept
    assert [each for each in unheard.stops(place.state, now + roll.KEPT_FOR) if each.how is How.LOST] == []
    place.start(now)
    assert [each.at for each in starts.known(place.state)][-1] == now


def test_a_hook_that_writes_it_anew_does_not_make_a_changed_list_ccc_s_own(place: Place) -> None:
    for spoil in ("ended", "a list, as an earlier version wrote it"):
        with begun(place.state, place.folder, place.config, NOW) as client:
            content = json.loads((place.state / "starts.json").read_text())["starts"]
            spoilt(place.state)[spoil]()
            if spoil != "ended":
                (place.state / "starts.json").write_text(json.dumps(content))
            starts.heard(place.state, client.pid, f"session-{client.pid}")
        assert roll.read(place.state).origin is roll.Origin.OURS
        assert [each.how for each in unheard.untold(place.state, datetime.now(UTC))][:1] == [How.LOST]


def test_what_an_earlier_version_wrote_and_no_list_at_all_is_no_alarm(place: Place) -> None:
    """Neither the log nor a hook tells of a start that was sealed."""
    now = datetime.now(UTC)
    assert unheard.stops(place.state, now) == []
    place.start()
    entry = json.loads((place.state / "starts.json").read_text())["starts"][0]
    entry = {name: value for name, value in entry.items() if name not in ("before", "after")}
    (place.state / "hook-invocation.log").write_text("2025-05-06T12:00:00+00:00 let through why=x\n")
    (place.state / "starts.json").write_text(json.dumps([entry]))
    place.turn("abc", NOW + MINUTE)
    assert [each.how for each in unheard.untold(place.state, now)] == [How.MISSED]
    assert roll.read(place.state).origin is roll.Origin.OURS
    (place.state / "starts.json").unlink()
    assert unheard.stops(place.state, now) == []


def test_the_record_of_the_hooks_tells_of_starts_as_well_as_the_log(place: Place) -> None:
    placed.wrote(place.state, place.config / "settings.json", {"command": "x"}, NOW)
    assert not placed.is_counted(place.state)
    place.start()
    (place.state / "hook-invocation.log").unlink()
    (place.state / "starts.json").unlink()
    assert [each.how for each in unheard.stops(place.state, NOW)] == [How.LOST]


# ---- what the next start tells ----


def test_a_stop_without_a_verdict_is_told_though_somebody_took_the_word_of_it_away(place: Place) -> None:
    ended = Request(phase=Phase.DONE, outcome=Outcome.UNREVIEWED, reason="no key")
    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
        place.hear("abc", NOW + MINUTE, ended, client=client.pid)
        unreviewed.remember(place.state, "abc", "no key", NOW + MINUTE)
        assert unheard.silenced(place.state, NOW + 2 * MINUTE) == []  # it waits to be told
        (place.state / "unreviewed.json").write_text("no JSON")
        assert unheard.silenced(place.state, NOW + MINUTE) == []  # it may just be written
        assert [each.session_id for each in unheard.silenced(place.state, NOW + 2 * MINUTE)] == ["abc"]
        assert unheard.silenced(place.state, NOW + 3 * MINUTE) == []
        place.hear("abc", NOW + 4 * MINUTE, ended, client=client.pid)
        starts.spoken(place.state, NOW + 5 * MINUTE)  # by the word itself
        assert unheard.silenced(place.state, NOW + 6 * MINUTE) == []
        place.hear("abc", NOW + 7 * MINUTE, structs.replace(ended, outcome=Outcome.COMPLETED), client=client.pid)
        assert unheard.silenced(place.state, NOW + 8 * MINUTE) == []


def test_what_is_written_of_a_session_later_is_no_other_stop_of_it(place: Place) -> None:
    """Words that wait for the next prompt are told there, and it is written down that they are."""

    def given_up(at: datetime) -> None:
        kept = SessionStore(place.state, now=lambda: at)
        with Path(os.devnull).open("wb") as quiet:
            report = structs.replace(Report.of({}, kept.log_path, kept.now), stderr=quiet.fileno())
            supervisor.given_up(StopEvent("abc", place.folder), "no key", store=kept, report=report)
        (place.state / "unreviewed.json").write_text("no JSON")

    def told(now: datetime) -> list[datetime]:
        return [each.ended for each in unheard.silenced(place.state, now)]

    with begun(place.state, place.folder, place.config, NOW) as client:
        starts.heard(place.state, client.pid, "abc")
        place.hear("abc", NOW + MINUTE, client=client.pid)
        given_up(NOW + MINUTE)
        assert told(NOW + 2 * MINUTE) == [NOW + MINUTE]
        place.hear("abc", NOW + 3 * MINUTE)
        assert told(NOW + 4 * MINUTE) == []
        given_up(NOW + 5 * MINUTE)
        place.hear("abc", NOW + 6 * MINUTE)
        assert told(NOW + 7 * MINUTE) == [NOW + 5 * MINUTE]


# ---- times in a transcript ----


@pytest.mark.parametrize("year", ["1970", "2020", "2093", "no year"])
def test_no_time_that_a_transcript_tells_hides_a_stop(place: Place, year: str) -> None:
    place.turn("earlier", NOW - MINUTE)
    place.start()
    place.turn("abc", NOW + MINUTE)

    def rewritten() -> None:
        (path,) = place.config.rglob("abc.jsonl")
        path.write_text(re.sub(r'"timestamp": "\d{4}', f'"timestamp": "{year}', path.read_text()))

    rewritten()
    assert place.missed() == ["abc"]
    (told,) = unheard.untold(place.state, NOW + 2 * MINUTE)
    assert NOW <= told.at <= NOW + 2 * MINUTE
    place.turn("abc", NOW + MINUTE)
    rewritten()
    assert place.missed() == ["abc"]


def test_nor_does_a_time_to_come_while_the_client_lives(place: Place) -> None:
    with begun(place.state, place.folder, place.config, NOW):
        place.turn("abc", NOW + timedelta(days=9999))
        assert place.missed(NOW + 3 * MINUTE) == ["abc"]


def test_a_conversation_that_goes_on_counts_from_where_it_was_at_the_start(place: Place) -> None:
    asked, said = place.line("user", NOW, "do it"), place.line("assistant", NOW, "done", stop_reason="end_turn")
    mode = {"type": "mode", "mode": "normal"}
    place.talk("abc", asked, said)
    place.start(NOW + MINUTE)
    place.talk("abc", asked, said, mode)  # resumed, and left again
    assert place.missed() == []
    more = place.line("assistant", NOW + 2 * MINUTE, "done again", stop_reason="end_turn")
    place.talk("abc", asked, said, mode, {**more, "timestamp": NOW.isoformat()})
    assert place.missed() == ["abc"]
    place.talk("abc", {**more, "timestamp": NOW.isoformat()})  # and what was there before is cut off
    assert place.missed() == ["abc"]


# ---- sent back, and left ----


def test_no_id_that_somebody_writes_into_what_was_there_before_hides_what_came_since(place: Place) -> None:
    asked, said = place.line("user", NOW, "do it"), place.line("assistant", NOW - MINUTE, "done")
    later = place.line("assistant", NOW + MINUTE, "done, unheard")
    place.talk("abc", asked | {"uuid": "x" * len(str(later["uuid"]))}, said)
    place.start()
    place.talk("abc", asked | {"uuid": later["uuid"]}, said, later)
    assert place.missed() == ["abc"]
    place.talk("abc", asked | {"uuid": later["uuid"]}, said)
    assert place.missed() == []


def test_no_date_in_its_first_lines_hides_what_began_in_a_worktree(place: Place) -> None:
    reviewed(place, "first", NOW)
    inside, there = {"cwd": os.path.realpath(place.folder)}, {"cwd": "/there"}
    asked, said = place.line("user", NOW, "do it"), place.line("assistant", NOW + MINUTE, "done")
    place.talk("second", asked | inside, said, folder="a-worktree")
    place.hear("second", NOW + MINUTE, client=starts.known(place.state)[0].pid, answer=said["uuid"])
    assert place.missed() == []
    long_ago = place.line("user", NOW - 99 * MINUTE, "do that") | there
    place.talk("third", long_ago, place.line("assistant", NOW + 3 * MINUTE, "done"), folder="a-worktree")
    assert place.missed() == ["third"]


def test_a_session_that_was_sent_back_by_a_client_that_is_gone_needs_no_list_of_starts(place: Place) -> None:
    back = Request(phase=Phase.WORKING, findings=("go on",))
    with begun(place.state, place.folder, place.config, NOW) as client:
        about = {"client": client.pid, "client_begun": processes.ticks(client.pid), "mode": Mode.HOOKS}
        place.hear("abc", NOW, back, answer="a", **about)
        assert unheard.left(place.state, ["abc", "unknown"]) == []
    files.append_line(recent.path(place.state), recent.line("abc", NOW))
    (told,) = unheard.left(place.state, ["abc"])
    assert "sent the agent back, and its client is gone" in told.line()
    (row,) = status.rows(place.state)
    assert (row.outcome, row.reason) == ("unreviewed", told.line())
    (place.state / "starts.json").write_text("x")
    assert [each.how for each in unheard.untold(place.state, NOW)] == [How.LOST, How.LEFT]
    place.hear("abc", NOW, Request(phase=Phase.DONE, outcome=Outcome.COMPLETED))
    assert unheard.left(place.state, ["abc"]) == []


def test_one_that_somebody_may_have_gone_on_with_is_not_left(place: Place) -> None:
    place.turn("abc", NOW)
    (path,) = place.config.rglob("abc.jsonl")
    back, gone = Request(phase=Phase.WORKING, findings=("go on",)), {"client": 2**22 + 1, "client_begun": "1"}
    place.hear("abc", NOW, back, mode=Mode.HOOKS, answer="a", transcript=str(path), **gone)
    assert len(unheard.left(place.state, ["abc"])) == 1
    with begun(place.state, place.folder, place.config, NOW):
        assert unheard.left(place.state, ["abc"]) == []


def test_a_client_that_ccc_has_not_started_is_met_once_and_none_that_it_has_started_itself(tmp_path: Path) -> None:
    def met(pid: int, *, asked: bool = False) -> None:
        starts.met(tmp_path, pid, tmp_path, tmp_path, NOW, attended=False, asked=asked)

    with subprocess.Popen(["sleep", "60"]) as below:
        met(os.getpid())
        met(os.getpid(), asked=True)
        met(below.pid)
        below.kill()
    [known] = starts.known(tmp_path)
    assert (known.pid, known.at, known.before, known.attended) == (os.getpid(), NOW, {}, False)


def test_a_client_that_is_met_when_it_has_answered_is_known_since_it_began(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    starts.met(tmp_path, os.getpid(), tmp_path, tmp_path, now, attended=True, asked=True)
    [known] = starts.known(tmp_path)
    assert known.before is None
    assert known.at < now
