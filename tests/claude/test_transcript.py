from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ccc.base import jsonlines
from ccc.claude import transcript
from ccc.claude.conversation import Asked, Call, Kept, Said
from ccc.claude.transcript import Known, Reading, Transcript, current_request, request_window, session
from ccc.model import Tally

Line = dict[str, Any]


def user(text: str, **more: object) -> Line:
    return {"type": "user", "message": {"role": "user", "content": text}, **more}


def said(text: str, message_id: str = "m1", **more: object) -> Line:
    body = {
        "id": message_id,
        "role": "assistant",
        "model": "claude-opus-5",
        "content": [{"type": "text", "text": text}],
    }
    return {"type": "assistant", "message": body, **more}


def called(command: str, message_id: str = "m1") -> Line:
    block = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": command}}
    return {"type": "assistant", "message": {"id": message_id, "role": "assistant", "content": [block]}}


def result(text: str) -> Line:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text, "is_error": False}
    return {"type": "user", "message": {"role": "user", "content": [block]}, "toolUseResult": {"stdout": text}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def write(path: Path, *lines: Line | bytes) -> Path:
    path.write_bytes(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))
    return path


def queue(operation: str, text: str | None = None) -> Line:
    return {"type": "queue-operation", "operation": operation, **({"content": text} if text is not None else {})}


def at_stop(path: Path, *words: str | None, **more: Any) -> Reading:
    with Transcript(path) as file:
        return file.at_stop(*words, **more)


class Clock:
    """Time that passes only in sleep; `then` happens at a moment of it."""

    def __init__(self, at: float = 0.0, then: Callable[[], object] = lambda: None) -> None:
        self.now, self.at, self.then, self.done = 0.0, at, then, False

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.now >= self.at and not self.done:
            self.done = True
            self.then()


def waits(path: Path, message: str | None, clock: Clock, timeout: float = 0.3) -> bool:
    found = at_stop(path, message, timeout=timeout, clock=clock, sleep=clock.sleep).conversation
    return found is not None and found.complete


def window(path: Path, limit: int) -> bool:
    """Whether a request begins within the limit."""
    with jsonlines.opened(path) as fd:
        assert fd is not None
        return request_window(fd, limit) is not None


# --- reading from the end ----------------------------------------------------------------------------------------


def test_half_an_emoji_does_not_lose_a_line(path: Path) -> None:
    write(path, b'{"type":"user","message":{"content":"fix \\ud83d it"}}\n')
    found = current_request(path, timeout=0)
    assert found
    assert found.moments[0] == Asked("fix \ufffd it")


@pytest.mark.parametrize(
    "odd", [b'"\xff"', b"NaN", b"1e400", b"9" * 5000, b"[" * 5000 + b"]" * 5000, b'"\\udc00"'], ids=range(6)
)
def test_no_character_hides_a_tool_call(path: Path, odd: bytes) -> None:
    call = json.dumps({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make", "odd": "?"}})
    line = b'{"type":"assistant","message":{"content":[' + call.encode().replace(b'"?"', odd) + b"]}}\n"
    write(path, user("do it"), line)
    found = current_request(path, timeout=0)
    assert found
    assert [moment.name for moment in found.moments if isinstance(moment, Call)] == ["Bash"]


@pytest.mark.parametrize(
    "junk", [b"", b"\n\n", b"not json\n", b"[1]\n", b'{"half', b"\xff\xfe\n", b"\x00" * 100, b'"x"\n']
)
def test_what_is_no_message_is_skipped(path: Path, junk: bytes) -> None:
    write(path, user("do it"), said("ok"), junk)
    found = current_request(path, "ok", timeout=0)
    assert found
    assert found.moments == (Asked("do it"), Said("ok"))


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "device"])
def test_only_a_plain_file_is_opened(tmp_path: Path, kind: str) -> None:
    where = tmp_path / "x"
    if kind == "folder":
        where.mkdir()
    elif kind == "pipe":
        os.mkfifo(where)
    elif kind == "device":
        where = Path("/dev/zero")
    assert current_request(where, timeout=0) is None
    assert at_stop(where, timeout=0).model is None
    assert session(where, Kept()) == ()


def test_only_a_plain_file_is_what_a_client_can_go_on_with(tmp_path: Path) -> None:
    own = tmp_path / transcript.named_after(tmp_path)
    for folder in (tmp_path / "-a", own):
        folder.mkdir()
    (tmp_path / "-a" / "abc.jsonl").mkdir()
    for name in ("a", "abc", "z"):
        (own / f"{name}.jsonl").symlink_to("/nonexistent")
    assert transcript.newest(tmp_path, tmp_path) is None
    assert transcript.of_session(tmp_path, "abc") is None
    (own / "abc.jsonl").unlink()
    (own / "abc.jsonl").touch()
    assert transcript.newest(tmp_path, tmp_path) == own / "abc.jsonl"
    assert transcript.of_session(tmp_path, "abc") == own / "abc.jsonl"


def test_without_a_path_there_is_nothing() -> None:
    assert current_request(None) is None
    assert current_request(Path("a\0b"), timeout=0) is None


def test_the_model_is_the_one_that_was_asked_last(path: Path) -> None:
    write(path, said("a"), said("b", requestedModel="claude-sonnet-9"), said("c", isSidechain=True))
    assert at_stop(path, timeout=0).model == "claude-sonnet-9"


def test_the_model_is_known_without_any_request_and_from_before_it(path: Path) -> None:
    assert at_stop(write(path, said("a")), timeout=0).model == "claude-opus-5"
    made_up = {"type": "assistant", "message": {"model": "<synthetic>", "content": []}}
    assert at_stop(write(path, said("a"), user("do it"), made_up), timeout=0).model == "claude-opus-5"


# --- the window --------------------------------------------------------------------------------------------------


def test_the_window_begins_with_the_last_request(path: Path) -> None:
    write(path, user("first"), said("one"), user("second"), called("ls"), result("a b"), said("two", "m2"))
    found = current_request(path, "two", timeout=0)
    assert found
    assert found.moments[0] == Asked("second")
    assert [type(moment) for moment in found.moments] == [Asked, Call, Said]


def test_a_file_without_any_request_tells_nothing(path: Path) -> None:
    write(path, said("hello"))
    assert current_request(path, "hello", timeout=0) is None


def test_the_cost_depends_on_the_request_and_not_on_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = [
        user("fix it"),
        *(line for _ in range(200) for line in (called("make"), result("x" * 2000))),
        said("done"),
    ]
    tail = b"\n" + b"".join(json.dumps(line).encode() + b"\n" for line in window)
    read = 0
    pread = os.pread

    def counted(fd: int, size: int, start: int) -> bytes:
        nonlocal read
        read += size
        return pread(fd, size, start)

    monkeypatch.setattr(os, "pread", counted)

    def bytes_read(size: int) -> int:
        nonlocal read
        path = tmp_path / f"{size}.jsonl"
        with path.open("wb") as file:
            file.truncate(size - len(tail))  # a hole reads like any other line that is none
            file.seek(0, os.SEEK_END)
            file.write(tail)
        read = 0
        found = current_request(path, "done", timeout=0)
        assert found
        assert found.moments[0] == Asked("fix it")
        return read

    assert bytes_read(200 * 2**20) <= bytes_read(2 * 2**20) < 2 * len(tail) + 2 * jsonlines.BLOCK


def test_a_request_megabytes_back_is_found_in_bounded_memory(path: Path) -> None:
    big = [line for n in range(60) for line in (called(f"make {n}"), result("x" * 500_000))]
    write(path, user("fix it"), *big, said("done"))
    tracemalloc.start()
    found = current_request(path, "done", timeout=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found
    assert found.moments[0] == Asked("fix it")
    assert peak < path.stat().st_size // 2


def test_a_request_too_far_back_gives_no_evidence(path: Path) -> None:
    write(path, user("fix it"), *(result("x" * 1000) for _ in range(100)), said("done"))
    assert not window(path, 50_000)
    assert window(path, 500_000)


# --- waiting for the last message --------------------------------------------------------------------------------


def test_a_message_that_is_there_is_not_waited_for(path: Path) -> None:
    clock = Clock()
    write(path, user("do it"), said("all  done\n"))
    assert waits(path, "all done", clock)
    assert clock.now == 0


def test_a_message_of_several_blocks_is_known(path: Path) -> None:
    write(path, user("do it"), said("first"), said("second"))
    assert waits(path, "first\nsecond", Clock())
    assert waits(path, "second", Clock())


def test_a_message_that_comes_late_is_waited_for(path: Path) -> None:
    write(path, user("do it"), called("ls"), result("a"))
    late = path.read_bytes() + json.dumps(said("done", "m2")).encode() + b"\n"
    clock = Clock(0.07, lambda: path.write_bytes(late))
    assert waits(path, "done", clock)
    assert 0.07 <= clock.now < 0.1


def test_an_older_message_is_not_taken_for_it(path: Path) -> None:
    write(path, user("do it"), said("working"))
    clock = Clock()
    assert not waits(path, "done", clock)
    assert clock.now >= 0.3


def test_without_its_words_the_file_must_end_with_words_and_rest(path: Path) -> None:
    write(path, user("do it"), called("ls"), result("a"))
    assert not waits(path, None, Clock())
    write(path, user("do it"), called("ls"), result("a"), said("done", "m2"))
    clock = Clock()
    assert waits(path, None, clock)
    assert clock.now > 0


def test_the_same_words_of_the_stop_before_are_waited_past(path: Path) -> None:
    old, new = [user("do it"), said("done", uuid="u1")], [user("and this"), said("done", "m2", uuid="u2")]
    clock = Clock(0.07, lambda: write(path, *old, *new))
    write(path, *old)
    assert at_stop(path, "done", timeout=0).answer == "u1"
    found = at_stop(path, "done", before="u1", clock=clock, sleep=clock.sleep)
    assert found.answer == "u2"
    assert found.conversation
    assert found.conversation.moments == (Asked("and this"), Said("done"))
    never = at_stop(path, "done", before="u2", timeout=0)
    assert never.answer == ""
    assert never.conversation
    assert not never.conversation.complete


def test_a_session_at_rest_is_read_at_once(path: Path) -> None:
    write(path, user("do it"), said("done"))
    found = current_request(path, timeout=0)
    assert found
    assert found.complete


def test_what_never_comes_is_added_and_marked(path: Path) -> None:
    write(path, user("do it"), called("ls"), result("a"))
    found = current_request(path, "done", timeout=0)
    assert found
    assert not found.complete
    assert found.moments[-1] == Said("done")


def test_a_tool_call_behind_the_words_is_no_end(path: Path) -> None:
    write(path, user("do it"), said("let me look"), called("ls"))
    assert not waits(path, "let me look", Clock())


ASKED, ANSWERED = user("do it", promptId="p1"), said("Done.", uuid="u1")
RESULT = {**result("ok"), "promptId": "p2"}
LOADED = user("Base directory", promptId="p2", isMeta=True, sourceToolUseID="t1")
FEEDBACK = user("Stop hook feedback:\nmore", isMeta=True)
BLOCKS = [{"type": "text", "text": "Well,"}, {"type": "text", "text": "done. "}]
IN_BLOCKS = {"type": "assistant", "message": {"id": "m2", "content": BLOCKS}}
HELD = {
    "asked and answered": ([user("more", promptId="p2"), said("Done.", "m2")], True),
    "with work between": ([user("more", promptId="p2"), called("make", "m2"), RESULT, said("Done.", "m3")], True),
    "in blocks of one line": ([user("more", promptId="p2"), IN_BLOCKS], True),
    "in lines of one message": ([user("more", promptId="p2"), said("Well,", "m2"), said(" Done.\n", "m2")], True),
    "trimmed by the client": ([user("more", promptId="p2"), said("Done. \ufeff", "m2")], True),
    "after feedback": ([user("more", promptId="p2"), said("Wait", "m2"), FEEDBACK, said("Done.", "m3")], True),
    "before a notice": ([user("more", promptId="p2"), said("Done.", "m2"), queue("enqueue", "later")], True),
    "in a turn that began by itself": (
        [user("<task-notification>x</task-notification>", promptId="p2", promptSource="system"), said("Done.", "m2")],
        True,
    ),
    "by a client that writes no ids": ([user("more"), said("Done.", "m2")], True),
    "neither asked nor answered": ([], False),
    "asked and no more": ([user("more", promptId="p2")], False),
    "answered and not asked": ([said("Done.", "m2")], False),
    "answered, its request gone": ([RESULT, said("Done.", "m2")], False),
    "answered, a skill for a request": ([RESULT, LOADED, said("Done.", "m2")], False),
    "words before a tool": ([user("more", promptId="p2"), said("Done.", "m2"), called("make", "m2")], False),
    "other words": ([user("more", promptId="p2"), said("Not done. Yet", "m2")], False),
}


@pytest.mark.parametrize(("lines", "held"), HELD.values(), ids=HELD)
def test_a_stop_is_held_by_a_conversation_in_which_it_was_asked_and_answered(
    path: Path, lines: list[Line], held: bool
) -> None:
    with Transcript(write(path, ASKED, ANSWERED, *lines)) as file:
        assert file.holds("done." if IN_BLOCKS in lines else "Done.", "p2", before="u1", timeout=0) is held


def test_a_stop_is_held_by_what_is_found_at_the_path_and_by_what_was_opened(path: Path) -> None:
    whole, cut = (ASKED, ANSWERED), (ASKED,)
    for opened, found, held in ((whole, whole, True), (whole, cut, False), (cut, whole, False)):
        with Transcript(write(path, *opened)) as file:
            file.context()
            path.rename(path.with_suffix(".away"))
            assert not file.holds("Done.", "p1", before="", timeout=0)
            write(path, *found)
            assert file.holds("Done.", "p1", before="", timeout=0) is held


def test_what_the_client_does_not_tell_of_a_stop_is_not_asked_of_its_conversation(path: Path, tmp_path: Path) -> None:
    with Transcript(write(path, ASKED)) as file:
        assert file.holds(None, "p1", before="", timeout=0)
        assert file.holds(None, None, before="", timeout=0)
    with Transcript(None) as nowhere:
        assert nowhere.holds("Done.", "p1", before="", timeout=0)


def test_an_answer_that_a_busy_client_writes_down_late_is_held(path: Path) -> None:
    with Transcript(write(path, ASKED)) as file:
        assert file.holds("Done.", "p1", before="", clock=lambda: 0.0, sleep=lambda _: write(path, ASKED, ANSWERED))


def test_a_file_that_a_new_session_has_not_written_yet_is_waited_for(path: Path) -> None:
    clock = Clock(at=0.15, then=lambda: write(path, user("do it"), said("done")))
    assert waits(path, "done", clock)
    assert clock.now < 0.3


def test_the_wait_for_a_file_that_never_comes_has_an_end(path: Path) -> None:
    clock = Clock()
    assert not waits(path, "done", clock)
    assert 0.3 <= clock.now < 0.35
    assert not waits(path, "done", Clock(at=0.25, then=lambda: write(path, user("do it"))))


def test_a_file_that_comes_after_the_first_look_is_seen_at_the_second(path: Path) -> None:
    with Transcript(path) as file:
        assert file.at_stop("done", timeout=0).answer == ""
        assert file.answer("done", before="") == ""
        write(path, user("do it"), said("done", uuid="u1"))
        assert file.answer("done", before="") == "u1"


def test_an_answer_that_comes_late_is_waited_for_by_whoever_has_the_time(path: Path) -> None:
    clock = Clock(at=0.7, then=lambda: write(path, user("do it"), said("done", uuid="u1")))
    with Transcript(path) as file:
        assert file.answer("done", before="", timeout=1.0, clock=clock, sleep=clock.sleep) == "u1"


# --- what the person has typed meanwhile -------------------------------------------------------------------------

TYPED = {
    "nothing": ([], ""),
    "a message": ([queue("enqueue", "also the docs")], "also the docs"),
    "a shell command, which the client writes down without its mark": ([queue("enqueue", "ccc off")], "ccc off"),
    "two messages": ([queue("enqueue", "first"), queue("enqueue", "second")], "first"),
    "one that was taken back into the prompt": ([queue("enqueue", "first"), queue("popAll")], ""),
    "one that the agent was given while it worked": ([queue("enqueue", "first"), queue("remove", "first")], ""),
    "one that old clients gave it without saying which": ([queue("enqueue", "first"), queue("remove")], ""),
    "one of two": ([queue("enqueue", "a"), queue("enqueue", "b"), queue("remove", "a")], "b"),
    "one that began its own turn": ([queue("enqueue", "a"), queue("dequeue"), user("a"), said("ok")], ""),
    "what a task tells": ([queue("enqueue", "<task-notification>x</task-notification>")], ""),
    "what an older client's task tells": ([queue("enqueue", "<bash-notification>x</bash-notification>")], ""),
    "what a task tells as JSON": ([queue("enqueue", '{"task_id": "b1", "status": "completed"}')], ""),
    "what a teammate tells": ([queue("enqueue", '<teammate-message teammate_id="x">hi</teammate-message>')], ""),
    "a message after what a task tells": (
        [queue("enqueue", "<task-notification>x</task-notification>"), queue("enqueue", "stop")],
        "stop",
    ),
}


@pytest.mark.parametrize(("lines", "expected"), TYPED.values(), ids=TYPED)
def test_what_the_person_has_typed_and_the_agent_has_not_been_given_waits(
    path: Path, lines: list[Line], expected: str
) -> None:
    with Transcript(write(path, user("do it"), said("done"), *lines)) as file:
        assert file.typed() == expected
        file.at_stop(timeout=0)
        assert file.typed() == expected


def test_what_is_typed_after_the_first_look_is_seen_at_the_second(path: Path) -> None:
    with Transcript(write(path, user("do it"), said("done"))) as file:
        file.at_stop(timeout=0)
        assert file.typed() == ""
        with path.open("ab") as more:
            more.write(json.dumps(queue("enqueue", "stop")).encode() + b"\n")
        assert file.typed() == "stop"


def test_nothing_was_typed_where_there_is_no_file(tmp_path: Path) -> None:
    for where in (None, tmp_path / "none"):
        with Transcript(where) as file:
            assert file.typed() == ""


# --- all that the person said ------------------------------------------------------------------------------------


def words(path: Path) -> tuple[str, ...]:
    with Transcript(path) as found:
        return found.words()


def test_the_persons_words_are_found_on_both_sides_of_a_compaction_and_nobody_elses_are(path: Path) -> None:
    compacted = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    note = "<command-name>/compact</command-name>\n<command-args></command-args>"
    write(
        path,
        {"type": "queue-operation", "operation": "enqueue", "content": "build it"},
        {"type": "queue-operation", "operation": "dequeue"},
        user("build it", promptSource="sdk"),
        called("make"),
        result('{"type": "user", "message": {"content": "no words"}}'),
        {"type": "queue-operation", "operation": "enqueue", "content": "and test it"},
        {"type": "queue-operation", "operation": "remove", "content": "and test it"},
        user("Stop hook feedback:\nmore", isMeta=True),
        said("done"),
        compacted,
        user("This session is being continued …", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        user(note),
        user("<local-command-stdout>Compacted </local-command-stdout>"),
        user("<task-notification><task-id>b1</task-id></task-notification>", origin={"kind": "task-notification"}),
        user("from another agent", origin={"kind": "peer"}),
        user("now the docs", origin={"kind": "human"}),
        user("<command-name>/ship</command-name>\n<command-args>now</command-args>"),
        user([{"type": "text", "text": "text of the command"}], isMeta=True),  # type: ignore[arg-type]
        said("done", "m2"),
    )
    assert words(path) == ("build it", "and test it", "now the docs", "/ship now")


def test_of_a_file_beyond_all_bounds_the_first_words_and_the_last_are_known(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript, "FIRST_WORDS", 2_000)
    monkeypatch.setattr(transcript, "WINDOW_LIMIT", 2_000)
    between = [line for n in range(100) for line in (user(f"word {n}"), said("x" * 100))]
    found = words(write(path, user("the first"), *between))
    assert (found[0], found[-1]) == ("the first", "word 99")
    assert len(found) == len(set(found)) < 40


def test_without_a_file_there_are_no_words(path: Path) -> None:
    assert words(path) == ()
    with Transcript(None) as found:
        assert found.words() == ()


# --- a turn that is no part of a request ---

REQUEST = user("fix it", promptId="p1")
BANG = (
    user("<bash-input>ls</bash-input>", promptId="p2"),
    user("<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>", promptId="p2"),
)
SEEN = said("I see.", "m2")


@pytest.mark.parametrize(
    ("lines", "own"),
    [
        ([*BANG, SEEN], True),
        ([REQUEST, said("done"), *BANG, SEEN], True),
        # What the client tells of a command of its own; no Stop of 2.1.325 has followed one yet.
        ([user("<local-command-stdout>$0</local-command-stdout>", promptId="p2"), SEEN], True),
        # The agent went to work.
        ([REQUEST, said("done"), *BANG, called("ls"), result("x"), SEEN], False),
        ([REQUEST, said("done"), *BANG, said("I go on."), user("Stop hook feedback:\nx", isMeta=True), SEEN], False),
        # Not this turn: another id, or the request has the same one, as if somebody had written the lines.
        ([REQUEST, said("done"), *(line | {"promptId": "p1"} for line in BANG), SEEN], False),
        ([user("fix it", promptId="p2"), called("ls"), result("x"), *BANG, SEEN], False),
        ([*BANG, user("fix it", promptId="p2"), SEEN], False),
        ([*(line | {"promptId": None} for line in BANG), SEEN], False),
        # A notice, or an answer that has not arrived.
        ([*BANG, user("<task-notification>x</task-notification>", promptId="p2"), SEEN], False),
        ([REQUEST, said("done"), *BANG], False),
        ([REQUEST, SEEN], False),
    ],
)
def test_the_word_on_a_command_of_the_persons_own_is_known_by_the_id_of_its_turn(
    path: Path, lines: list[Line], own: bool
) -> None:
    assert at_stop(write(path, *lines), "I see.", "p2", timeout=0).own_command is own
    assert not at_stop(path, "I see.", None, timeout=0).own_command


# --- a turn that began by itself ---

NOTICE = user("<task-notification>x</task-notification>", promptId="p2", origin={"kind": "task-notification"})
HOOK = user("Stop hook feedback:\nmore", promptId="p2", isMeta=True)
# What 2.1.326 puts before the notice of a subagent that has used a tool for the first time.
USED = user(
    "<system-reminder>\n<tools-used-before-summary>Bash</tools-used-before-summary>\n</system-reminder>",
    promptId="p2",
    isMeta=True,
    turnCompanion=True,
)


# A command that the client's scheduler calls: no other line says that nobody typed it.
LOOP = "<command-message>loop</command-message>\n<command-name>/loop</command-name>"
SCHEDULED = (
    {"turnOrigin": "scheduled"},
    {"wakeupSource": "loop_wakeup"},
    {"scheduledTaskId": "ab12"},
    {"scheduledFireId": "cd34"},
    {"turnOrigin": "task_notification"},
)


@pytest.mark.parametrize(
    ("lines", "goes_on"),
    [
        ([REQUEST, said("it runs"), NOTICE, SEEN], "p1"),
        ([REQUEST, said("it runs"), NOTICE, said("done"), HOOK, called("ls"), result("x"), SEEN], "p1"),
        ([REQUEST, said("it runs"), NOTICE | {"promptId": "p3"}, said("done"), NOTICE, SEEN], "p1"),
        (
            [REQUEST, said("it runs"), user("look", promptId="p2", isMeta=True, promptSource="system"), SEEN],
            "p1",
        ),  # cron
        *(([REQUEST, said("it runs"), user(LOOP, promptId="p2", **mark), SEEN], "p1") for mark in SCHEDULED),
        ([REQUEST, said("it runs"), user(LOOP, promptId="p2", turnOrigin="human"), SEEN], None),
        ([REQUEST, said("it runs"), USED, NOTICE, SEEN], "p1"),
        ([REQUEST, said("it runs"), USED | {"turnCompanion": None}, USED, NOTICE, SEEN], "p1"),
        ([REQUEST, said("it runs"), USED | {"promptId": "p3"}, NOTICE | {"promptId": "p3"}, NOTICE, SEEN], "p1"),
        ([REQUEST, said("it runs"), user("look", promptId="p2", isMeta=True, turnCompanion=True), NOTICE, SEEN], "p1"),
        ([REQUEST, said("done"), USED, user("next", promptId="p2"), NOTICE, SEEN], None),
        ([REQUEST, said("done"), USED, SEEN], None),
        ([REQUEST, said("done"), USED, *BANG, NOTICE, SEEN], None),
        ([REQUEST, said("it runs"), user("and?", promptId="p2", origin={"kind": "channel"}), SEEN], None),  # from afar
        # The person spoke, before it or in it.
        ([REQUEST, said("done"), user("next", promptId="p2"), NOTICE, SEEN], None),
        ([REQUEST, said("it runs"), NOTICE, said("done"), user("next", promptId="p4"), SEEN], None),
        # Somebody wrote a request behind it, to have the turn pass for another one's.
        ([user("next", promptId="p2"), called("ls"), result("x"), REQUEST, NOTICE, SEEN], None),
        # Nothing is told of this turn, or not whose the request was.
        ([REQUEST, said("done"), HOOK, SEEN], None),
        ([REQUEST, said("done"), *BANG, SEEN], None),
        ([user("fix it"), said("it runs"), NOTICE, SEEN], None),
    ],
)
def test_a_turn_that_began_by_itself_goes_on_with_the_request_before_it(
    path: Path, lines: list[Line], goes_on: str | None
) -> None:
    assert at_stop(write(path, *lines), "I see.", "p2", timeout=0).goes_on == goes_on
    assert at_stop(path, "not there yet", "p2", timeout=0).goes_on == goes_on
    assert at_stop(path, "I see.", None, timeout=0).goes_on is None


CRON = user(LOOP, promptId="p2", turnOrigin="scheduled", timestamp="2026-11-19T12:00:00Z")
BILLED = said("I see.", timestamp="2026-11-19T12:00:05Z")
BILLED["message"] |= {"usage": {"input_tokens": 100, "output_tokens": 20}}
CLEARED = user("<command-name>/clear</command-name>", promptId="p0", timestamp="2026-11-19T11:00:00Z")


@pytest.mark.parametrize("lines", [[], [said("hello", "m0")], [CLEARED]])
@pytest.mark.parametrize("known", [None, "p1", "p2"])
def test_turns_that_began_by_themselves_are_one_request_where_nobody_has_asked_for_anything(
    path: Path, lines: list[Line], known: str | None
) -> None:
    write(path, *lines, CRON | {"promptId": "p1"}, BILLED, CRON, called("ls", "m2"), result("x"), BILLED)
    found = at_stop(path, "I see.", "p2", known=Known(known), timeout=0)
    assert found.goes_on == (known if known != "p2" else None)
    assert found.conversation
    assert found.conversation.whole
    assert [each.name for each in found.conversation.moments if isinstance(each, Call)] == ["Bash"]
    assert found.tally
    assert (found.tally.tokens, found.tally.turn) == (120, "p2")
    assert found.tally.began == datetime(2026, 11, 19, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "turn",
    [
        user("and?", promptId="p3", origin={"kind": "channel"}),  # from afar
        HOOK | {"promptId": "p3"},
    ],
)
def test_a_turn_of_which_nobody_tells_who_began_it_is_no_part_of_them(path: Path, turn: Line) -> None:
    found = at_stop(write(path, CRON, said("done"), turn, SEEN), "I see.", "p3", known=Known("p2"), timeout=0)
    assert (found.goes_on, found.conversation) == (None, None)


def test_a_request_of_the_persons_ends_them(path: Path) -> None:
    asked = user("fix it", promptId="p3")
    found = at_stop(write(path, CRON, said("done"), asked, SEEN), "I see.", "p3", known=Known("p2"), timeout=0)
    assert found.goes_on is None
    assert found.conversation
    assert found.conversation.moments[0] == Asked("fix it", prompt_id="p3")


def test_a_conversation_is_named_by_its_file_where_a_client_would_look_elsewhere_for_its_id(tmp_path: Path) -> None:
    folder, beside = tmp_path / "p", tmp_path / "p" / "sub"
    beside.mkdir(parents=True)
    path = tmp_path / "projects" / transcript.named_after(folder) / "abc.jsonl"
    assert transcript.as_resumed("abc", path, folder) == "abc"
    assert transcript.as_resumed("abc", path, beside) == str(path)
    assert transcript.as_resumed("abc", path.with_suffix(".odd"), beside) == "abc"
    assert transcript.as_resumed("abc", None, beside) == "abc"


# --- a request that is longer than what is read of it ---

MADE = "2026-01-02T03:04:05+00:00"
LONG_REQUEST = user("fix it", promptId="p1", timestamp=MADE)
JUNK = {"type": "progress", "data": "x" * 3_000}


def used(tokens: int, message_id: str, text: str = "on it", **more: object) -> Line:
    line = said(text, message_id, **more)
    return {**line, "message": {**line["message"], "usage": {"input_tokens": tokens}}}


@pytest.fixture
def short_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "WINDOW_LIMIT", 2_000)
    monkeypatch.setattr(transcript, "FIRST_WORDS", 500)


def test_a_request_beyond_the_window_is_counted_whole_and_seen_from_its_end(path: Path, short_window: None) -> None:
    old = [user("before", promptId="p0"), used(7, "m0"), LONG_REQUEST, used(100, "m1"), called("make", "m1")]
    write(path, *old, JUNK, called("pytest", "m2"), result("ok"), used(20, "m3", "Done."))
    found = at_stop(path, "Done.", "p1", timeout=0)
    assert found.conversation
    assert found.tally
    assert (found.tally.tokens, found.tally.read, found.tally.at_least) == (120, path.stat().st_size, False)
    assert found.tally.began == datetime.fromisoformat(MADE).timestamp()
    assert not found.conversation.whole
    first, call, last = found.conversation.moments
    assert (first, last) == (Asked("fix it", at=found.tally.began, prompt_id="p1"), Said("Done."))
    assert isinstance(call, Call)
    assert call.input == {"command": "pytest"}
    assert found.goes_on is None


def test_such_a_request_is_read_on_from_its_last_stop_and_no_further_back(path: Path, short_window: None) -> None:
    before = write(path, LONG_REQUEST, used(100, "m1", "Done."), JUNK).stat().st_size
    known = Known("p1", Tally(read=before, turn="p1", tokens=100, began=5.0))
    write(path, b"?" * (before - 1) + b"\n", HOOK | {"promptId": "p1"}, JUNK, used(20, "m2", "Done again."))
    found = at_stop(path, "Done again.", "p1", known=known, timeout=0).tally
    assert found == Tally(path.stat().st_size, "p1", 120, 20.0, "claude-opus-5", 5.0)


@pytest.mark.parametrize(
    ("turn", "lines", "goes_on", "tokens"),
    [
        ("p2", [NOTICE], "p1", 120),  # a task has ended
        ("p2", [USED, NOTICE], "p1", 120),
        ("p9", [HOOK], "p1", 120),  # the turn of the last stop, which began before that
        ("p2", [HOOK], None, 120),  # woken by the feedback: the session knows of that
        ("p2", [user("next", promptId="p2")], None, 20),
        ("p2", [user("next", promptId="p2"), NOTICE], None, 20),
        ("p2", [user("next", promptId="p3"), used(3, "m5"), NOTICE], "p3", 23),
        ("p1", [user("made up", promptId="p3")], None, 120),  # no turn of the client's has begun with it
    ],
)
def test_what_a_turn_beyond_the_window_belongs_to_is_known(
    path: Path, short_window: None, turn: str, lines: list[Line], goes_on: str | None, tokens: int
) -> None:
    before = write(path, LONG_REQUEST, used(100, "m1", "Done."), JUNK).stat().st_size
    known = Known("p1", Tally(read=before, turn="p9", tokens=100))
    write(path, LONG_REQUEST, used(100, "m1", "Done."), JUNK, *lines, JUNK, used(20, "m2", "Done."))
    found = at_stop(path, "Done.", turn, known=known, timeout=0)
    assert found.tally
    assert (found.goes_on, found.tally.tokens) == (goes_on, tokens)


def test_where_nobody_sees_how_a_turn_began_it_goes_on_and_its_sums_are_a_part(
    path: Path, short_window: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript, "LONG_LIMIT", 2_500)
    known = Known("p1", Tally(read=10, tokens=100))
    write(path, LONG_REQUEST, NOTICE, JUNK, used(20, "m2", "Done."))
    found = at_stop(path, "Done.", "p2", known=known, timeout=0)
    assert found.tally
    assert (found.goes_on, found.tally.tokens, found.tally.at_least) == ("p1", 120, True)


def test_what_a_request_has_used_is_not_less_for_what_its_file_says_later(path: Path) -> None:
    first = write(path, LONG_REQUEST, used(900, "m1", "Done.")).stat().st_size
    seen = at_stop(path, "Done.", "p1", timeout=0).tally
    assert seen
    assert seen.tokens == 900
    write(path, LONG_REQUEST, used(1, "m1", "Done...")).stat()
    assert path.stat().st_size == first
    with path.open("a") as file:
        file.write(json.dumps(used(50, "m2", "Done now.")) + "\n")
    now = at_stop(path, "Done now.", "p1", known=Known("p1", seen), timeout=0).tally
    assert now
    assert now.tokens == 950


def test_a_file_that_was_cut_is_counted_anew(path: Path) -> None:
    write(path, LONG_REQUEST, used(50, "m1", "Done."))
    found = at_stop(path, "Done.", "p1", known=Known("p1", Tally(read=10**6, tokens=900)), timeout=0).tally
    assert found
    assert found.tokens == 50


def test_what_the_person_has_typed_is_known_in_a_request_beyond_the_window(path: Path, short_window: None) -> None:
    write(path, LONG_REQUEST, JUNK, used(1, "m1", "Done."), queue("enqueue", "and the docs"))
    with Transcript(path) as file:
        file.at_stop("Done.", "p1", timeout=0)
        assert file.typed() == "and the docs"


def test_tool_results_are_not_read_for_what_counts() -> None:
    image = json.dumps(result('a picture with "usage" and "user"')).encode()
    assert not transcript.transcript_lines.may_be_counted(image)
    assert transcript.transcript_lines.may_be_counted(json.dumps(used(1, "m1")).encode())
    assert transcript.transcript_lines.may_be_counted(json.dumps(NOTICE).encode())


def test_a_fork_has_gone_on_with_the_answer_that_it_has_written_down(tmp_path: Path) -> None:
    def followed(forks: list[str], answer: str = "u2", words: str = "Done.") -> bool:
        return transcript.is_followed(tmp_path, forks, answer, words, timeout=0)

    (tmp_path / "-p").mkdir()
    write(tmp_path / "-p" / "all.jsonl", ASKED, said("Done.", uuid="u2"), user("judge"), said("Yes."))
    write(tmp_path / "-p" / "less.jsonl", ASKED, said("57 tests pass", uuid="u1"), user("judge"), said("Yes."))
    assert followed([])
    assert followed(["all"])
    assert followed(["all", "came-to-nothing"])
    assert followed(["all"], answer="")
    assert followed(["less"], answer="", words="")
    for forks in (["less"], ["all", "less"], ["came-to-nothing"]):
        assert not followed(forks)
    assert not followed(["less"], answer="")
    for version, known in (("2.0.76", True), ("2.1.200", False)):
        write(tmp_path / "-p" / "anew.jsonl", ASKED, said("Done.", uuid="u9", version=version), user("judge"))
        assert followed(["anew"]) is known


def test_a_fork_that_is_written_down_late_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "-p").mkdir()
    clock = Clock(at=0.4, then=lambda: write(tmp_path / "-p" / "f.jsonl", said("Done.", uuid="u2")))
    assert transcript.is_followed(tmp_path, ["f"], "u2", None, clock=clock, sleep=clock.sleep)
