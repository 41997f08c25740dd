"""The loop with a played person and a scripted client: what goes in, when it is reviewed, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.base.messages import msg, said
from ccc.claude.conversation import Asked, Call, Conversation, Fate, Said, Told
from ccc.claude.own_words import CUT_OFF
from ccc.claude.stream import Finished, Spending, Used
from ccc.model import AllowStop, ByCheck, ByGate, Decision, KeepWorking, Outcome, Rule, StopEvent, Task
from ccc.record.events import Changed, HeldUp, WentOn
from ccc.record.words import GONE_ON
from ccc_legacy.agent import Agent, AgentKeepsDying
from ccc_legacy.commands import Order, obey, status
from ccc_legacy.ledger import Held
from ccc_legacy.lineup import Lineup
from ccc_legacy.loop import Loop
from ccc_legacy.paint import Paint
from ccc_legacy.patience import Patience
from ccc_legacy.person import Listener
from ccc_legacy.review import Case, GoneOn, Seat, case_of, case_told, decision_of, decision_told
from ccc_legacy.screen import Screen
from ccc_legacy.steps import Phase
from ccc_legacy.terminal import Program, Size
from ccc_legacy.turn import Seen, Turns
from tests.pty_desk import SESSION, Desk, Steps
from tests.world import World

SECONDS = 30.0
COMPLETED = AllowStop(Outcome.COMPLETED, "fine")
WENT_ON = AllowStop(None, GONE_ON)
WAITS = AllowStop(None, "background work", "the agent waits")
ENDINGS = tuple(f"[{outcome.value}]" for outcome in Outcome)
TALK: Steps = [["say", "I think it is done"], ["result"]]
HELD: Steps = [["say", "working"], ["until", "go"], ["result"]]
TALKS_BACK: Steps = [["say", "working"], ["interruption"]]

Act = Callable[["Stage"], Coroutine[None, None, None]]


@dataclass
class Played:
    """A person: keeps what was shown, answers with prepared lines."""

    answers: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    seen: asyncio.Event = field(default_factory=asyncio.Event)
    lent: int = 0

    async def attend(self, listener: Listener) -> None:
        return

    async def show(self, lines: Sequence[str]) -> None:
        self.lines += lines
        self.seen.set()

    async def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)

    def room(self) -> Size:
        return 50, 1000

    async def lend(self, borrow: Callable[[], None]) -> None:
        self.lent += 1

    async def sees(self, text: str, times: int = 1) -> None:
        async with asyncio.timeout(SECONDS):
            while "\n".join(self.lines).count(text) < times:
                self.seen.clear()
                await self.seen.wait()


@dataclass
class Reviews:
    """Rules as prepared; what has been ruled upon is kept."""

    rulings: list[Decision | Act]
    stage: Stage | None = None
    cases: list[Case] = field(default_factory=list)

    async def __call__(self, case: Case, show: Callable[[Sequence[str]], Awaitable[None]], gone_on: GoneOn) -> Decision:
        self.cases.append(case)
        await show([f"[review {len(self.cases)}]"])
        ruled = self.rulings.pop(0) if self.rulings else COMPLETED
        if not isinstance(ruled, Decision):
            assert self.stage
            await ruled(self.stage)
            ruled = self.rulings.pop(0)
        permits = isinstance(ruled, AllowStop) and ruled.outcome is Outcome.COMPLETED
        return WENT_ON if permits and await gone_on() else ruled


@dataclass
class Stage:
    desk: Desk
    loop: Loop
    person: Played
    reviews: Reviews

    @property
    def agent(self) -> Agent:
        return self.loop.turns.agent

    @property
    def pids(self) -> list[int]:
        return [one["pid"] for one in self.desk.started("agent")]

    @property
    def resumed(self) -> list[str | None]:
        """The session that each agent was started with."""
        argvs = [one["argv"] for one in self.desk.started("agent")]
        return [argv[argv.index("--resume") + 1] if "--resume" in argv else None for argv in argvs]

    async def ended(self, times: int = 1) -> None:
        """So many requests have come to an outcome."""
        async with asyncio.timeout(SECONDS):
            while sum(line.startswith(ENDINGS) for line in self.person.lines) < times:
                self.person.seen.clear()
                await self.person.seen.wait()


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def staged(desk: Desk, reviews: Sequence[Decision | Act], answers: Sequence[str], *, interactive: bool) -> Stage:
    def prepare(resume: str | None) -> Program:
        argv = (str(desk.client), "--print", *(("--resume", resume) if resume else ()))
        return Program(argv, desk.env(), desk.world.project)

    person, judge, paint = Played(list(answers)), Reviews(list(reviews)), Paint(False)
    client = Program(["client"], {}, desk.world.project)

    async def obeyed(loop: Loop, order: Order) -> None:
        await obey(loop, order, client=lambda _: client, size=lambda: (24, 80))

    agent = Agent(prepare, (24, 80))
    loop = Loop(
        turns=Turns(agent, person, Screen(paint), 600),
        person=person,
        review=judge,
        case=Case(StopEvent("", desk.world.project), Path("criteria"), "glm", lineup=Lineup(("glm",))),
        obey=obeyed,
        paint=paint,
        interactive=interactive,
    )
    stage = judge.stage = Stage(desk, loop, person, judge)
    return stage


def play(
    desk: Desk,
    act: Act | None = None,
    *,
    first: str | None = "do it",
    reviews: Sequence[Decision | Act] = (),
    answers: Sequence[str] = (),
    alone: bool = False,
) -> tuple[Stage, int]:
    """Run the loop; with an act there is a person, who leaves at its end, or somebody who only looks on."""

    async def played() -> tuple[Stage, int]:
        stage = staged(desk, reviews, answers, interactive=act is not None and not alone)
        acting = asyncio.create_task(_act(stage, act)) if act else None
        try:
            async with asyncio.timeout(2 * SECONDS):
                code = await stage.loop.run(first)
            if acting:
                await acting
            return stage, code
        finally:
            stage.agent.end()

    return asyncio.run(played())


async def _act(stage: Stage, act: Act) -> None:
    try:
        await act(stage)
    finally:
        stage.loop.left()


# --- from a message to an outcome ---


@pytest.mark.spec("T2", "T3", "T4", "T7", "T8", "T11")
def test_feedback_goes_to_the_same_live_agent_until_it_is_completed(desk: Desk) -> None:
    desk.turns(TALK, [["say", "tests pass"], ["result"]])
    stage, code = play(desk, reviews=[KeepWorking("run the tests"), COMPLETED])
    assert desk.told == ["do it", "run the tests"]
    assert len(stage.pids) == 1
    assert (code, stage.loop.outcome) == (0, Outcome.COMPLETED)
    assert [re.sub(r"· \d+ s ·", "· … ·", line) for line in stage.person.lines] == [
        *("[agent]", "I think it is done", "— 0.0 s", "[review 1]", "↩ the agent goes on with this feedback"),
        *("[agent]", "tests pass", "— 0.0 s", "[review 2]"),
        *("— 2 rounds · … · no file was edited", "[completed]"),
    ]


@pytest.mark.spec("T2", "T7", "T9")
def test_a_review_knows_session_inputs_and_what_the_agent_said_last(desk: Desk) -> None:
    desk.turns(TALK, TALK)
    stage, _ = play(desk, reviews=[KeepWorking("more"), COMPLETED])
    first, second = stage.reviews.cases
    assert (first.stop.session_id, first.inputs, first.provider) == (SESSION, ("do it",), "glm")
    assert (first.stop.last_message, first.model, first.stop.permission_mode) == ("I think it is done", "m", "default")
    assert first.stop.prompt_id == second.stop.prompt_id
    assert second.inputs == ("do it",)  # the feedback is not the person's


@pytest.mark.spec("T4")
def test_the_next_message_is_a_new_request_in_the_same_session_and_process(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        await stage.ended()
        stage.loop.typed("and now that")
        await stage.ended(2)

    stage, code = play(desk, act)
    first, second = stage.reviews.cases
    assert first.stop.prompt_id != second.stop.prompt_id
    assert (first.inputs, second.inputs) == (("do it",), ("and now that",))
    assert (len(stage.pids), code) == (1, 0)


@pytest.mark.parametrize(
    ("ruled", "code", "line"),
    [
        (COMPLETED, 0, "[completed]"),
        (AllowStop(Outcome.OFF, "switched off"), 0, "[off]: switched off"),
        (AllowStop(Outcome.LIMIT, "10 of 10 reviews used"), 3, "[limit]: 10 of 10 reviews used"),
        (AllowStop(Outcome.UNREVIEWED, "x", "not reviewed: x"), 4, "[unreviewed]: not reviewed: x"),
        (AllowStop(Outcome.NEEDS_HUMAN, "x", "this needs you"), 5, "[needs_human]: this needs you"),
        (AllowStop(Outcome.INTERRUPTED, "told to stop"), 130, "[interrupted]: told to stop"),
    ],
)
def test_without_a_person_the_outcome_is_the_exit_code(desk: Desk, ruled: Decision, code: int, line: str) -> None:
    stage, ended = play(desk, reviews=[ruled])
    assert ended == code
    assert stage.person.lines[-1] == line


def test_with_a_person_a_bad_outcome_is_told_and_leaving_is_still_0(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        await stage.ended()

    stage, code = play(desk, act, reviews=[AllowStop(Outcome.LIMIT, "enough")])
    assert "[limit]: enough" in stage.person.lines
    assert code == 0


def test_an_agent_that_names_no_usable_session_is_not_reviewed(desk: Desk) -> None:
    desk.starts([["put", {"type": "result", "session_id": "../../etc", "is_error": False}], ["hang"]])
    stage, code = play(desk)
    assert (code, stage.reviews.cases) == (4, [])
    assert "named no session" in stage.person.lines[-1]


@pytest.mark.spec("T7")
def test_a_message_of_any_length_is_one_message(desk: Desk) -> None:
    text = "".join(chr(32 + n % 5000) for n in range(1_000_000)) + "\u2028\x03\x04"
    play(desk, first=text)
    assert desk.told == [text]


# --- meanwhile ---


@pytest.mark.spec("T7")
def test_what_is_typed_while_the_agent_works_goes_in_before_the_review(desk: Desk) -> None:
    desk.turns(HELD, TALK)

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        stage.loop.typed("also this")
        stage.loop.typed("and that")
        desk.tell("go")
        await stage.ended()

    stage, _ = play(desk, act)
    assert desk.told == ["do it", "also this\nand that"]
    assert "(queued: also this)" in stage.person.lines
    [case] = stage.reviews.cases
    assert case.inputs == ("do it", "also this\nand that")


def test_what_is_typed_during_a_review_comes_before_its_feedback(desk: Desk) -> None:
    async def type_meanwhile(stage: Stage) -> None:
        stage.loop.typed("no, do that")

    stage, _ = play(desk, reviews=[type_meanwhile, KeepWorking("run the tests"), COMPLETED])
    assert desk.told == ["do it", "no, do that"]
    assert "↩ the agent goes on with what you typed" in stage.person.lines


def test_what_is_typed_during_a_review_that_completes_is_the_next_request(desk: Desk) -> None:
    async def type_meanwhile(stage: Stage) -> None:
        stage.loop.typed("and that")

    stage, _ = play(desk, reviews=[type_meanwhile, COMPLETED, COMPLETED])
    assert desk.told == ["do it", "and that"]
    assert stage.person.lines.count("[completed]") == 2


def test_orders_that_can_be_obeyed_at_once_are(desk: Desk) -> None:
    desk.turns(HELD)

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        stage.loop.typed("/status")
        await stage.person.sees(f"agent 0:00 · round 1/10 · supervised · {SESSION}")
        stage.loop.typed("/help")
        await stage.person.sees("/open ")
        stage.loop.typed("/off")
        await stage.person.sees("reviews are off")
        desk.tell("go")
        await stage.ended()

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, stage.reviews.cases, desk.told) == (Outcome.OFF, [], ["do it"])


@pytest.mark.parametrize("by", ["/now use the owl", "keys"])
def test_what_is_said_at_once_ends_the_review_and_reaches_the_agent(desk: Desk, by: str) -> None:
    async def act(stage: Stage) -> None:
        if by == "keys":
            stage.loop.steered("use the owl")
        else:
            stage.loop.typed(by)
        await asyncio.Event().wait()

    desk.turns(TALK, TALK)
    stage, _ = play(desk, reviews=[act, COMPLETED])
    assert desk.told == ["do it", "use the owl"]
    assert [case.inputs for case in stage.reviews.cases] == [("do it",), ("do it", "use the owl")]
    assert (stage.loop.outcome, len(stage.pids)) == (Outcome.COMPLETED, 1)


def test_a_line_that_only_looks_like_an_order_is_a_message(desk: Desk) -> None:
    play(desk, first="/offer a discount")
    assert desk.told == ["/offer a discount"]


# --- other sessions ---


ANOTHER = ["put", {"type": "system", "subtype": "init", "session_id": "another"}]
CLEAR: Steps = [ANOTHER, ["result", {"result": "", "num_turns": 0}]]
ASKED = {"num_turns": 1}


def test_after_clear_what_was_said_and_done_before_is_not_the_new_sessions(desk: Desk) -> None:
    desk.turns(HELD, CLEAR, [ANOTHER, ["say", "B is done"], ["result", ASKED]], [ANOTHER, ["result", ASKED]])

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        stage.loop.typed("/clear")
        stage.loop.typed("task B")
        stage.loop.typed("all of it")
        desk.tell("go")
        await stage.ended()
        stage.loop.typed("and C")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert desk.told == ["do it", "/clear", "task B\nall of it", "and C"]
    first, second = stage.reviews.cases
    assert (first.stop.session_id, first.inputs, first.words) == ("another", ("task B\nall of it",), ())
    assert first.conversation
    assert first.conversation.moments == (Asked("task B\nall of it"), Said("B is done"))
    assert (second.inputs, second.words) == (("and C",), ("task B\nall of it", "and C"))


# --- the client's own commands ---

ANSWER = {"model": "<synthetic>", "content": [{"type": "text", "text": "Total cost: $0"}]}
LOCAL: Steps = [["put", {"type": "assistant", "message": ANSWER}], ["result", {"num_turns": 0, "result": ""}]]


def test_a_command_typed_while_the_agent_works_goes_in_alone_and_puts_the_review_off(desk: Desk) -> None:
    desk.turns(HELD, TALK, LOCAL, TALK)

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        for text in ("also this", "/cost", "and that", "no /cost"):
            stage.loop.typed(text)
        desk.tell("go")
        await stage.ended()

    stage, _ = play(desk, act)
    assert desk.told == ["do it", "also this", "/cost", "and that\nno /cost"]
    [case] = stage.reviews.cases
    assert case.inputs == ("do it", "also this", "and that\nno /cost")
    assert case.stop.last_message == "I think it is done"
    assert case.conversation
    asked = [each.text for each in case.conversation.moments if isinstance(each, Asked)]
    assert asked == ["do it", "also this", "and that\nno /cost"]


def test_a_command_typed_during_a_review_does_not_take_the_place_of_its_feedback(desk: Desk) -> None:
    async def type_meanwhile(stage: Stage) -> None:
        stage.loop.typed("/cost")

    desk.turns(TALK, TALK, LOCAL)
    stage, _ = play(desk, reviews=[type_meanwhile, KeepWorking("/run the tests"), COMPLETED])
    # With a blank before it: the client would take it for a command of that name.
    assert desk.told == ["do it", " /run the tests", "/cost"]
    assert "↩ the agent goes on with this feedback" in stage.person.lines
    assert len(stage.reviews.cases) == 2


def test_a_command_after_a_request_leaves_it_the_current_one(desk: Desk) -> None:
    desk.turns(TALK, LOCAL)

    async def act(stage: Stage) -> None:
        await stage.ended()
        stage.loop.typed("/cost")
        await stage.person.sees("Total cost")
        stage.loop.typed("/review")
        await stage.ended(2)

    stage, _ = play(desk, act)
    first, second = stage.reviews.cases
    assert (second.inputs, second.conversation) == (first.inputs, first.conversation)
    assert second.stop.last_message == first.stop.last_message


def test_a_command_while_the_agent_waits_for_its_tasks_buys_no_review(desk: Desk) -> None:
    desk.turns(LEFT, [*LOCAL, ["until", "go"], *GOES_ON])

    async def act(stage: Stage) -> None:
        await stage.person.sees("the agent waits")
        while stage.loop.phase is not Phase.WAITING:
            await asyncio.sleep(0)
        stage.loop.typed("/cost")
        await stage.person.sees("Total cost")
        desk.tell("go")
        await stage.ended()

    stage, _ = play(desk, act, reviews=[WAITS, COMPLETED])
    assert [case.stop.last_message for case in stage.reviews.cases] == ["I think it is done", "the task has ended"]


@pytest.mark.parametrize(("leaving", "code"), [("/exit", 0), ("/quit", 0), (" /EXIT ", 0)])
def test_exit_leaves(desk: Desk, leaving: str, code: int) -> None:
    async def act(stage: Stage) -> None:
        await stage.ended()
        stage.loop.typed(leaving)
        await asyncio.Event().wait()

    async def played() -> int:
        stage = staged(desk, [], [], interactive=True)
        acting = asyncio.create_task(act(stage))
        async with asyncio.timeout(SECONDS):
            left = await stage.loop.run("do it")
        acting.cancel()
        stage.agent.end()
        return left

    assert asyncio.run(played()) == code
    assert desk.told == ["do it"]


# --- interruptions ---


@pytest.mark.parametrize("by", ["escape", "ctrl-c"])
def test_an_interrupted_turn_is_not_reviewed_and_the_agent_lives_on(desk: Desk, by: str) -> None:
    desk.turns(TALKS_BACK, TALK)

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        stage.loop.interrupted(leaves_if_repeated=by == "ctrl-c")
        await stage.ended()
        assert (stage.loop.outcome, stage.reviews.cases) == (Outcome.INTERRUPTED, [])
        stage.loop.typed("go on")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert stage.loop.outcome is Outcome.COMPLETED
    assert len(stage.pids) == 1


def test_ctrl_c_again_while_the_agent_does_not_react_leaves(desk: Desk) -> None:
    desk.turns([["say", "working"], ["hang"]])

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        stage.loop.interrupted(leaves_if_repeated=True)
        stage.loop.interrupted(leaves_if_repeated=True)
        await asyncio.Event().wait()

    async def left(stage: Stage) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(act(stage), 0.5)

    _, code = play(desk, left)
    assert code == 130
    assert not desk.living() - {os.getpid()}


def test_escape_again_only_interrupts(desk: Desk) -> None:
    desk.turns(TALKS_BACK)

    async def act(stage: Stage) -> None:
        await stage.person.sees("working")
        stage.loop.interrupted(leaves_if_repeated=False)
        stage.loop.interrupted(leaves_if_repeated=False)
        await stage.ended()

    stage, code = play(desk, act)
    assert (stage.loop.outcome, code) == (Outcome.INTERRUPTED, 0)


def test_an_interrupted_review_leaves_the_work_as_it_is(desk: Desk) -> None:
    async def never(stage: Stage) -> None:
        stage.loop.interrupted(leaves_if_repeated=True)
        await asyncio.Event().wait()

    async def act(stage: Stage) -> None:
        await stage.ended()

    stage, code = play(desk, act, reviews=[never])
    assert (stage.loop.outcome, code, desk.told) == (Outcome.INTERRUPTED, 0, ["do it"])


def test_leaving_in_the_midst_of_a_review_ends_it(desk: Desk) -> None:
    async def never(stage: Stage) -> None:
        stage.loop.left()
        await asyncio.Event().wait()

    _, code = play(desk, reviews=[never])
    assert code == 130


def test_ctrl_c_at_the_prompt_says_how_to_leave_and_twice_it_leaves(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        stage.loop.interrupted(leaves_if_repeated=True)
        await stage.person.sees("(Ctrl-C once more leaves, as Ctrl-D does)")
        stage.loop.interrupted(leaves_if_repeated=True)
        assert stage.loop._leaving

    _, code = play(desk, act, first=None)
    assert code == 0


def test_whatever_comes_between_two_ctrl_c_at_the_prompt_makes_the_second_a_first(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        for between in (
            stage.loop.switched,
            stage.loop.unfolded,
            lambda: stage.loop.interrupted(leaves_if_repeated=False),
            lambda: stage.loop.typed("/verbose"),
        ):
            stage.loop.interrupted(leaves_if_repeated=True)
            between()
        await stage.person.sees("(Ctrl-C once more leaves, as Ctrl-D does)", times=4)
        await stage.person.sees("(Ctrl-D leaves)")

    _, code = play(desk, act, first=None)
    assert code == 0


@pytest.mark.spec("T7")
def test_a_reviewer_is_told_all_that_was_said_in_the_session_in_its_order(desk: Desk) -> None:
    desk.turns(TALK, TALK, TALK)

    async def act(stage: Stage) -> None:
        for number, words in enumerate(("one", "two", "three"), 1):
            stage.loop.typed(words)
            await stage.ended(number)

    stage, _ = play(desk, act, first=None)
    assert [case.inputs for case in stage.reviews.cases] == [("one",), ("two",), ("three",)]
    assert [case.words for case in stage.reviews.cases] == [(), ("one", "two"), ("one", "two", "three")]


# --- failures ---


@pytest.mark.spec("T2", "T8")
@pytest.mark.parametrize("status", [401, 529])
def test_a_turn_that_the_api_failed_is_shown_and_not_reviewed(desk: Desk, status: int) -> None:
    desk.turns([["result", {"is_error": True, "result": f"API Error: {status}"}]])
    stage, code = play(desk)
    assert (code, stage.reviews.cases) == (4, [])
    assert stage.person.lines[-1] == f"[unreviewed]: the agent's turn failed and was not reviewed: API Error: {status}"


def test_after_a_failed_turn_the_person_is_asked(desk: Desk) -> None:
    desk.turns([["result", {"is_error": True, "result": "API Error: 529"}]], TALK)

    async def act(stage: Stage) -> None:
        await stage.ended()
        stage.loop.typed("try again")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, len(stage.pids)) == (Outcome.COMPLETED, 1)


@pytest.mark.spec("T8")
def test_an_agent_that_dies_in_mid_turn_has_stopped_and_is_resumed(desk: Desk) -> None:
    desk.turns([["say", "half"], ["tool", "1", "Bash", {"command": "make"}], ["kill", 9]], TALK)
    stage, code = play(desk, reviews=[KeepWorking("go on"), COMPLETED])
    assert desk.told == ["do it", "go on"]
    assert stage.resumed == [None, SESSION]
    assert "(the agent's process has ended: exit code 137)" in stage.person.lines
    assert any(line.startswith("⚙ Bash make  cut off") for line in stage.person.lines)
    assert code == 0


def test_an_agent_that_dies_between_the_turns_is_resumed_and_no_message_is_lost(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        await stage.ended()
        os.kill(stage.pids[0], signal.SIGKILL)
        await stage.person.sees("exit code 137")
        stage.loop.typed("and now that")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert desk.told == ["do it", "and now that"]
    assert stage.resumed == [None, SESSION]
    assert len(stage.reviews.cases) == 2


def test_an_agent_that_dies_during_a_review_is_resumed_with_the_feedback(desk: Desk) -> None:
    async def killed(stage: Stage) -> None:
        os.kill(stage.pids[0], signal.SIGKILL)

    stage, code = play(desk, reviews=[killed, KeepWorking("go on"), COMPLETED])
    assert desk.told == ["do it", "go on"]
    assert (stage.resumed, code) == ([None, SESSION], 0)


def test_an_agent_that_keeps_dying_is_given_up_with_its_last_words(desk: Desk) -> None:
    desk.starts(*[[["raw", "error: unknown option '--frob'\n"], ["exit", 1]]] * 9)
    with pytest.raises(AgentKeepsDying, match=r"ended 4 times within 60 s.*unknown option '--frob'"):
        play(desk)
    assert len(desk.started("agent")) == 4


def test_a_session_that_is_gone_is_followed_by_a_new_one_and_no_message_is_lost(desk: Desk) -> None:
    lost = {"type": "result", "is_error": True, "session_id": SESSION, "errors": ["No conversation found"]}
    desk.starts([], [["put", lost], ["exit", 1]])

    async def act(stage: Stage) -> None:
        await stage.ended()
        os.kill(stage.pids[0], signal.SIGKILL)
        await stage.person.sees("exit code 137")
        stage.loop.typed("and now that")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert desk.told == ["do it", "and now that"]
    assert stage.resumed == [None, SESSION, None]
    assert "(this session cannot be resumed; a new one begins)" in stage.person.lines
    assert stage.loop.outcome is Outcome.COMPLETED


def test_processes_that_ccc_ended_itself_are_no_deaths(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        for number in range(1, 7):
            await stage.ended(number)
            stage.loop.typed("/open")
            await stage.person.sees("back in ccc", times=number)
            stage.loop.typed(f"message {number}")
        await stage.ended(7)

    stage, code = play(desk, act)
    assert (stage.person.lent, len(stage.pids), code) == (6, 7, 0)


@pytest.mark.spec("T8")
def test_a_silent_agent_has_stopped_and_is_resumed(desk: Desk) -> None:
    desk.turns([["say", "thinking"], ["until", "go"], ["say", "more"], ["hang"]], TALK)

    async def act(stage: Stage) -> None:
        await stage.person.sees("thinking")
        stage.loop.turns.idle_seconds = 0.2
        desk.tell("go")
        await stage.person.sees("taken for a stop")
        stage.loop.turns.idle_seconds = 600
        await stage.ended()

    stage, _ = play(desk, act, reviews=[KeepWorking("go on"), COMPLETED])
    assert desk.told == ["do it", "go on"]
    assert stage.resumed == [None, SESSION]


def quiet_between(first: str, second: str) -> Callable[[Stage], Coroutine[None, None, None]]:
    """Nothing is heard of the agent for longer than an idle one has, after it has said the second."""

    async def act(stage: Stage) -> None:
        await stage.person.sees(first)
        stage.loop.turns.idle_seconds = 0.05
        stage.desk.tell("go")
        await stage.person.sees(second)
        await asyncio.sleep(0.3)
        stage.loop.turns.idle_seconds = 600
        stage.desk.tell("on")
        await stage.ended()

    return act


def test_a_running_tool_is_not_silence(desk: Desk) -> None:
    tool: Steps = [["tool", "1", "Bash", {"command": "make"}], ["say", "making"]]
    desk.turns([*tool, ["until", "go"], ["say", "still making"], ["until", "on"], ["returns", "1"], *TALK])

    stage, _ = play(desk, quiet_between("making", "still making"))
    assert "I think it is done" in stage.person.lines
    assert len(stage.pids) == 1


# --- waiting for the API ---


def retry(delay_ms: int = 0) -> list[object]:
    told = {"attempt": 1, "max_retries": 10, "retry_delay_ms": delay_ms, "error_status": 529, "error": "overloaded"}
    return ["put", {"type": "system", "subtype": "api_retry", **told}]


def test_an_agent_that_asks_the_api_again_is_not_silent(desk: Desk) -> None:
    desk.turns([["say", "working"], ["until", "go"], retry(60_000), ["until", "on"], *TALK])

    stage, _ = play(desk, quiet_between("working", "try 1 of 10"))
    assert "I think it is done" in stage.person.lines
    assert (len(stage.pids), len(stage.reviews.cases)) == (1, 1)


HALF: list[object] = ["partial", "half a wor"]
UNANSWERED: dict[str, Steps] = {
    "asking again": [["say", "working"], ["until", "go"], retry(), ["hang"]],
    "not a word": [["until", "go"], ["put", {"type": "system", "subtype": "status"}], ["hang"]],
    "dead while asking again": [["say", "working"], ["until", "go"], retry(), ["kill", 9]],
    "after a tool": [["until", "go"], ["tool", "1", "Bash", {"command": "make"}], ["returns", "1"], ["hang"]],
    "in the midst of an answer": [["say", "working"], ["until", "go"], HALF, ["hang"]],
}


@pytest.mark.parametrize("steps", UNANSWERED.values(), ids=UNANSWERED)
def test_a_turn_that_the_api_left_without_an_answer_is_not_reviewed(desk: Desk, steps: Steps) -> None:
    desk.turns(steps)

    async def act(stage: Stage) -> None:
        while not stage.agent.session_id:
            await asyncio.sleep(0)
        stage.loop.turns.idle_seconds = 0.2
        desk.tell("go")
        await stage.person.sees("… glm cannot be reached; asking again at ")
        stage.loop.interrupted(leaves_if_repeated=True)
        await stage.ended()

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, stage.reviews.cases) == (Outcome.INTERRUPTED, [])


def test_a_client_that_is_silent_from_its_start_is_given_the_request_again(desk: Desk) -> None:
    desk.starts([["until", "go"], ["put", {"type": "system", "subtype": "status"}], ["hang"]], []).turns(TALK)

    async def act(stage: Stage) -> None:
        while not stage.pids:
            await asyncio.sleep(0)
        stage.loop.turns.idle_seconds = 0.2
        desk.tell("go")
        await stage.person.sees("the API does not answer")
        stage.loop.turns.idle_seconds = 600
        await stage.ended()

    stage, _ = play(desk, act)
    assert (desk.told, stage.reviews.cases[0].inputs) == (["do it"], ("do it",))


def test_a_resumed_client_that_is_slow_to_start_has_not_lost_its_session(desk: Desk) -> None:
    slow: Steps = [["until", "go"], ["put", {"type": "system", "subtype": "status"}], ["hang"]]
    desk.starts([], slow, []).turns([["say", "half"], ["kill", 9]], TALK)

    async def act(stage: Stage) -> None:
        await stage.ended()
        stage.loop.typed("and now that")
        while len(stage.pids) < 2:
            await asyncio.sleep(0)
        stage.loop.turns.idle_seconds = 0.2
        desk.tell("go")
        await stage.person.sees("the API does not answer")
        stage.loop.turns.idle_seconds = 600
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert stage.resumed == [None, SESSION, SESSION]
    assert "(this session cannot be resumed; a new one begins)" not in stage.person.lines


def test_a_new_session_in_the_midst_of_a_request_is_told_the_request(desk: Desk) -> None:
    lost = {"type": "result", "is_error": True, "session_id": SESSION, "errors": ["No conversation found"]}
    desk.starts([], [["put", lost], ["exit", 1]]).turns([["say", "half"], ["kill", 9]], TALK)

    async def act(stage: Stage) -> None:
        await stage.ended()

    stage, _ = play(desk, act, reviews=[KeepWorking("go on"), COMPLETED])
    assert stage.resumed == [None, SESSION, None]
    assert desk.told == ["do it", "do it\n\ngo on"]


def failed(text: str, status: int | None) -> Steps:
    return [["result", {"is_error": True, "result": f"API Error: {text}", "api_error_status": status}]]


SOON = failed("try again in 1 second", 429)
LATE = failed("try again in 1 hour", 429)


def test_a_limit_is_waited_for_and_the_same_agent_goes_on(desk: Desk) -> None:
    desk.turns(SOON, TALK)
    began, happened = datetime.now(UTC), []

    async def act(stage: Stage) -> None:
        stage.loop.held = lambda case, event: happened.append((case.stop.session_id, event))
        await stage.person.sees("… waiting for the limit of glm until ")
        stage.loop.typed("and mind the owl")
        await stage.ended()

    stage, _ = play(desk, act)
    [case] = stage.reviews.cases
    assert desk.told == ["do it", f"{CUT_OFF}\n\nand mind the owl"]
    assert (len(stage.pids), case.inputs, stage.loop.outcome) == (1, ("do it", "and mind the owl"), Outcome.COMPLETED)
    (held_in, held), (went_on_in, went_on) = happened
    assert isinstance(held, HeldUp)
    assert isinstance(went_on, WentOn)
    assert (held.by, held_in, went_on_in) == ("limit", SESSION, SESSION)
    assert went_on.seconds >= 1
    assert case.stop.began
    assert case.stop.began - began >= timedelta(seconds=1)  # the wait is not the request's


def test_how_long_may_be_waited_counts_from_the_last_answer(desk: Desk) -> None:
    desk.turns(SOON, TALK, SOON, TALK)

    async def act(stage: Stage) -> None:
        stage.loop.patience = Patience(0.02)  # one wait of a second, and not two
        await stage.ended()

    stage, _ = play(desk, act, reviews=[KeepWorking("more"), COMPLETED])
    assert (stage.loop.outcome, desk.told) == (Outcome.COMPLETED, ["do it", CUT_OFF, "more", CUT_OFF])


def test_an_answer_that_breaks_off_is_none_however_often_it_begins(desk: Desk) -> None:
    desk.turns(*[[HALF, *failed("Connection to the API was lost (ECONNRESET)", None)]] * 20)

    async def act(stage: Stage) -> None:
        stage.loop.patience = Patience(0.02)
        await stage.ended()

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, stage.reviews.cases) == (Outcome.UNREVIEWED, [])
    assert "glm has not answered for 0.02 min" in stage.person.lines[-1]


def test_a_limit_whose_end_nobody_tells_is_not_said_to_end(desk: Desk) -> None:
    desk.turns(failed("Zut alors", 429))
    held: list[Held] = []

    async def act(stage: Stage) -> None:
        stage.loop.held = lambda _, event: held.append(event)
        await stage.person.sees("… glm has a limit, nobody says until when; asking again at ")
        stage.loop.interrupted(leaves_if_repeated=True)
        await stage.ended()

    play(desk, act)
    assert [event.by for event in held if isinstance(event, HeldUp)] == ["open_limit"]


def test_a_wait_is_shown_and_can_be_left(desk: Desk) -> None:
    desk.turns(LATE)

    async def act(stage: Stage) -> None:
        await stage.person.sees("waiting for the limit")
        assert "waiting for the limit of glm until " in status(stage.loop)
        assert "(1 h 0 min)" in status(stage.loop)
        stage.loop.interrupted(leaves_if_repeated=True)
        await stage.ended()

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, desk.told, stage.reviews.cases) == (Outcome.INTERRUPTED, ["do it"], [])


def test_what_a_reviewer_waits_for_is_in_the_bar_too(desk: Desk) -> None:
    desk.turns(TALK)
    bars: list[str] = []

    async def look(stage: Stage) -> None:
        until = datetime.now(UTC) + timedelta(hours=1)
        stage.loop.reviewer_held = lambda: HeldUp("limit", until.isoformat(), "", "glm")
        bars.append(status(stage.loop))

    play(desk, reviews=[look, COMPLETED])
    assert bars[0].startswith("waiting for the limit of glm until ")


def test_leaving_in_the_midst_of_a_wait_is_an_interruption(desk: Desk) -> None:
    desk.turns(LATE)

    async def leave(stage: Stage) -> None:
        await stage.person.sees("waiting for the limit")

    _, code = play(desk, leave)
    assert code == 130


def test_work_that_the_agent_begins_by_itself_ends_the_wait(desk: Desk) -> None:
    desk.turns([*LATE, ["until", "go"], *GOES_ON])

    async def act(stage: Stage) -> None:
        await stage.person.sees("waiting for the limit")
        desk.tell("go")
        await stage.ended()

    stage, _ = play(desk, act)
    assert (len(stage.reviews.cases), desk.told) == (1, ["do it"])


def test_the_limit_of_a_login_is_known_by_its_event(desk: Desk) -> None:
    """The client's lines as it wrote them for a login; its words have no day, and change every few months."""
    at = int(time.time()) + 7200
    limit = {"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": at}}
    desk.turns([["put", limit], *failed("You've hit your 5-hour limit · resets whenever", 429)])

    async def act(stage: Stage) -> None:
        await stage.person.sees("waiting for the limit of glm until ")
        stage.loop.interrupted(leaves_if_repeated=False)
        await stage.ended()

    stage, _ = play(desk, act)
    [line] = [line for line in stage.person.lines if "waiting for the limit" in line]
    assert re.search(r"\((2 h 0|1 h 59) min\)$", line)


def test_a_machine_that_slept_does_not_wait_for_what_it_has_slept_through(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccc_legacy.loop.STEP_SECONDS", 0.05)
    desk.turns(LATE, failed("Connection error", None), TALK)  # the network takes its time to wake up

    async def act(stage: Stage) -> None:
        stage.loop.patience = Patience(61)
        await stage.person.sees("waiting for the limit of glm until ")
        stage.loop.now = lambda: datetime.now(UTC) + timedelta(hours=2)
        await stage.ended()

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, desk.told) == (Outcome.COMPLETED, ["do it", CUT_OFF, CUT_OFF])


# --- another provider ---


def with_kimi(stage: Stage) -> None:
    stage.loop.case = replace(stage.loop.case, lineup=Lineup(("glm", "kimi")))
    stage.loop.turns.seen = Seen(provider="glm")


def costing(dollars: float, steps: Steps) -> Steps:
    usage = {"m": {"inputTokens": 1, "outputTokens": 1, "costUSD": dollars}}
    *before, (_, *told) = steps
    fields = {key: value for each in told if isinstance(each, dict) for key, value in each.items()}
    return [*before, ["result", {**fields, "model_usage_since_last_result": usage}]]


def test_a_long_wait_is_another_providers_turn_and_its_end_the_first_ones(desk: Desk) -> None:
    desk.turns(costing(1, LATE), costing(2, TALK), costing(4, TALK), costing(8, TALK))
    happened: list[Held] = []

    async def act(stage: Stage) -> None:
        with_kimi(stage)
        stage.loop.held = lambda _, event: happened.append(event)
        await stage.ended(1)
        stage.loop.typed("and that")
        await stage.ended(2)
        stage.loop.now = lambda: datetime.now(UTC) + timedelta(hours=2)
        stage.loop.typed("and the rest")
        await stage.ended(3)

    stage, _ = play(desk, act)
    assert desk.told == ["do it", CUT_OFF, "and that", "and the rest"]
    assert stage.resumed == [None, SESSION, SESSION]
    assert [case.provider for case in stage.reviews.cases] == ["kimi", "kimi", "glm"]
    assert [case.stop.cost_by for case in stage.reviews.cases] == [{"glm": 1, "kimi": 2}, {"kimi": 4}, {"glm": 8}]
    assert [(event.provider, event.to, event.by) for event in happened if isinstance(event, Changed)] == [
        ("glm", "kimi", "limit"),
        ("kimi", "glm", ""),
    ]


def test_a_fallback_that_cannot_be_used_is_left_again(desk: Desk) -> None:
    desk.turns(LATE, failed("401 Authentication", 401))

    async def act(stage: Stage) -> None:
        with_kimi(stage)
        await stage.person.sees("… waiting for the limit of glm until ")
        stage.loop.interrupted(leaves_if_repeated=True)
        await stage.ended()

    stage, _ = play(desk, act)
    assert (stage.loop.outcome, stage.reviews.cases, len(stage.pids)) == (Outcome.INTERRUPTED, [], 2)


def test_the_agent_goes_where_its_reviewer_had_to_go(desk: Desk) -> None:
    until = (datetime.now(UTC) + timedelta(hours=1)).isoformat()

    async def act(stage: Stage) -> None:
        with_kimi(stage)
        moves = [[Changed("glm", "kimi", "limit", until)]]
        stage.loop.changes = lambda: moves.pop() if moves else []
        await stage.ended()

    stage, _ = play(desk, act, reviews=[KeepWorking("more"), COMPLETED])
    assert [case.provider for case in stage.reviews.cases] == ["glm", "kimi"]
    assert stage.resumed == [None, SESSION]
    assert stage.loop.case.lineup.away["glm"].until == datetime.fromisoformat(until)


def test_a_cap_ends_a_turn_in_its_midst_and_what_was_typed_is_a_new_request(desk: Desk) -> None:
    used = {"type": "message_delta", "usage": {"input_tokens": 300, "output_tokens": 100}}
    answer: list[object] = ["put", {"type": "stream_event", "event": used}]
    desk.turns([answer, ["say", "working"], answer, ["interruption"]], TALK)

    async def act(stage: Stage) -> None:
        stage.loop.over = lambda _, seen: "800 tokens" if seen.tokens_by_now == 800 else ""
        await stage.person.sees("working")
        stage.loop.typed("and now that")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert "[limit]: 800 tokens" in stage.person.lines
    assert [case.inputs for case in stage.reviews.cases] == [("and now that",)]


def aside(number: int, tokens: int) -> list[object]:
    """A message of a subagent's."""
    told = {"id": f"m{number}", "model": "m", "content": [], "usage": {"input_tokens": tokens}}
    return ["put", {"type": "assistant", "message": told, "parent_tool_use_id": "t", "session_id": SESSION}]


def test_what_a_subagent_uses_counts_in_the_midst_of_a_turn(desk: Desk) -> None:
    desk.turns([aside(1, 300), aside(1, 400), ["say", "working"], aside(2, 400), ["interruption"]])

    stage, _ = play(desk, of_800_tokens)
    assert "[limit]: 800 tokens" in stage.person.lines
    assert stage.reviews.cases == []


def test_a_review_hears_of_all_that_the_client_has_counted(desk: Desk) -> None:
    counted = [
        {"modelUsage": {"m": {"inputTokens": tokens, "costUSD": 0.1}}, "usage": {"input_tokens": 5}}
        for tokens in (700, 900)
    ]
    desk.turns(*([["say", "ok"], ["result", each]] for each in counted))
    stage, _ = play(desk, reviews=[KeepWorking("more"), COMPLETED])
    assert [case.stop.tokens for case in stage.reviews.cases] == [700, 900]


def test_what_a_process_has_counted_before_is_none_of_this_turns() -> None:
    new = Seen(model="m").using(Used(10, 10.0)).counting(Spending(1.0, 0.1, 500), new=True)
    assert (new.tokens_by_now, new.cost_by_now_usd) == (500, 1.0)
    resumed = Seen(model="m").using(Used(10, 10.0)).counting(Spending(1.0, 0.1, 500), new=False)
    assert resumed.tokens_by_now == 10
    later = resumed.counting(Spending(1.5, 0.1, 700), new=False)
    assert (later.tokens_by_now, later.using(Used(300, 0.0)).tokens_by_now) == (210, 310)
    ended = later.after(Finished(session=Spending(1.5, 0.1, 700)))
    assert (ended.tokens, ended.counting(Spending(1.6, 0.1, 720), new=False).tokens_by_now) == (210, 230)
    assert ended.counting(Spending(1.6, 0.1, 720), new=False).broken_off().tokens_by_now == 230


ENDS = {
    "a wrong key": (failed("401 Authentication", 401), "ccc validate glm"),
    "no money": (failed("402 Insufficient Balance", 402), f"ccc --supervisor glm --resume {SESSION}"),
    "a full context": (failed("400 prompt is too long", 400), "/compact"),
    "a model that is not there": (failed("404 model not found", 404), "--model NAME"),
    "a limit that ends too late": (failed("try again in 9 hours", 429), f"--resume {SESSION}"),
}


@pytest.mark.parametrize(("steps", "typed"), ENDS.values(), ids=ENDS)
def test_what_does_not_pass_ends_with_what_to_type(desk: Desk, steps: Steps, typed: str) -> None:
    desk.turns(steps)
    stage, code = play(desk)
    assert (code, stage.reviews.cases, desk.told) == (4, [], ["do it"])
    assert "glm" in stage.person.lines[-1]
    assert typed in stage.person.lines[-1]


# --- background tasks ---

TASK = {"task_id": "b1", "description": "dev server"}
LEFT: Steps = [["put", {"type": "system", "subtype": "background_tasks_changed", "tasks": [TASK]}], *TALK]
GOES_ON: Steps = [
    ["put", {"type": "system", "subtype": "background_tasks_changed", "tasks": []}],
    ["put", {"type": "system", "subtype": "init", "session_id": SESSION}],
    *[["say", "the task has ended"], ["result"]],
]


def test_an_agent_that_waits_for_its_tasks_goes_on_by_itself_and_is_reviewed_then(desk: Desk) -> None:
    desk.turns([*LEFT, ["until", "go"], *GOES_ON])

    async def release(stage: Stage) -> None:
        desk.tell("go")

    stage, code = play(desk, reviews=[release, WAITS, COMPLETED])
    first, second = stage.reviews.cases
    assert (first.stop.tasks, second.stop.tasks) == ((Task("b1", "dev server"),), ())
    assert second.stop.last_message == "the task has ended"
    assert "the agent waits" in stage.person.lines
    assert (code, desk.told) == (0, ["do it"])


def test_a_person_need_not_wait_for_the_agents_tasks(desk: Desk) -> None:
    desk.turns(LEFT)

    async def act(stage: Stage) -> None:
        await stage.person.sees("the agent waits")
        while stage.loop.phase is not Phase.WAITING:
            await asyncio.sleep(0)
        stage.loop.typed("meanwhile do that")
        await stage.ended()

    play(desk, act, reviews=[WAITS, COMPLETED])
    assert desk.told == ["do it", "meanwhile do that"]


def test_waiting_can_be_interrupted(desk: Desk) -> None:
    desk.turns(LEFT)

    async def act(stage: Stage) -> None:
        while stage.loop.phase is not Phase.WAITING:
            await asyncio.sleep(0)
        stage.loop.interrupted(leaves_if_repeated=True)
        await stage.ended()

    stage, _ = play(desk, act, reviews=[WAITS])
    assert stage.loop.outcome is Outcome.INTERRUPTED


def test_work_in_the_background_that_passes_a_cap_is_not_waited_for(desk: Desk) -> None:
    desk.turns([*LEFT, aside(1, 800), ["until", "go"]])
    stage, _ = play(desk, of_800_tokens, reviews=[WAITS])
    assert "[limit]: 800 tokens" in stage.person.lines
    assert (stage.loop.outcome, len(stage.reviews.cases)) == (Outcome.LIMIT, 1)


async def of_800_tokens(stage: Stage) -> None:
    stage.loop.over = lambda _, seen: "800 tokens" if seen.tokens_by_now == 800 else ""
    await stage.ended()


def test_a_task_that_never_ends_is_not_waited_for_for_ever(desk: Desk) -> None:
    desk.turns(LEFT)

    async def impatient(stage: Stage) -> None:
        stage.loop.turns.idle_seconds = 0.1

    stage, code = play(desk, reviews=[impatient, WAITS, COMPLETED])
    assert (len(stage.reviews.cases), len(stage.pids), code) == (2, 1, 0)


def test_a_turn_that_the_agent_begins_at_the_prompt_is_shown_and_reviewed(desk: Desk) -> None:
    desk.turns([*TALK, ["until", "go"], *GOES_ON])

    async def act(stage: Stage) -> None:
        await stage.ended()
        desk.tell("go")
        await stage.person.sees("the task has ended")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert len(stage.reviews.cases) == 2
    assert stage.reviews.cases[1].inputs == ("do it",)


def test_two_turns_that_come_in_one_piece_are_two_turns(desk: Desk) -> None:
    desk.turns([*TALK, *GOES_ON])

    async def act(stage: Stage) -> None:
        await stage.ended()

    stage, _ = play(desk, act)
    assert [case.stop.last_message for case in stage.reviews.cases] == ["I think it is done", "the task has ended"]


BEGINS: Steps = [["put", {"type": "system", "subtype": "init", "session_id": SESSION}]]
MORE: Steps = [["say", "more"], ["result", {"num_turns": 1}]]
SAYS_NO_MORE: Steps = [["say", "half"], ["kill", 9]]


async def is_seen(stage: Stage, file: str) -> None:
    """The client has come as far as its note of this name."""
    async with asyncio.timeout(SECONDS):
        while not stage.desk.notes(file):
            await asyncio.sleep(0.005)


async def left_alone(stage: Stage) -> None:
    """Nobody has anything to say."""
    await stage.ended()


@pytest.mark.parametrize("act", [None, left_alone], ids=["nobody", "a person"])
@pytest.mark.parametrize(
    ("during", "after", "last"),
    [
        ([*BEGINS, *MORE, ["note", "far"]], [], "more"),
        ([*BEGINS, ["say", "well"], ["note", "far"]], MORE, "more"),
        ([*BEGINS, ["note", "far"]], SAYS_NO_MORE, "half"),
        ([["returns", "1"], ["note", "far"]], [["say", "well"], *MORE], "more"),
        ([["tool", "2", "Bash", {"command": "rm"}], ["note", "far"]], [["returns", "2"], *MORE], "more"),
        ([["result", {"num_turns": 3}], ["note", "far"]], [], "I think it is done"),
    ],
    ids=["a whole turn", "half a turn", "a turn that dies", "behind a forged end", "a call behind one", "its real end"],
)
def test_a_permission_counts_only_for_what_the_agent_had_done_when_its_review_began(
    desk: Desk, during: Steps, after: Steps, last: str, act: Act | None
) -> None:
    desk.turns([["tool", "1", "Bash", {"command": "forge"}], *TALK, ["until", "go"], *during, ["until", "on"], *after])

    async def meanwhile(stage: Stage) -> None:
        desk.tell("go")
        await is_seen(stage, "far")

    async def at_last(stage: Stage) -> None:
        assert stage.loop.standing.round == (2, 10)

    async def told(stage: Stage) -> None:
        await stage.person.sees(GONE_ON)
        desk.tell("on")
        await (act or left_alone)(stage)

    stage, code = play(desk, told, reviews=[meanwhile, COMPLETED, at_last, COMPLETED], alone=act is None)
    assert [case.stop.last_message for case in stage.reviews.cases] == ["I think it is done", last]
    assert (code, sum(line.startswith("[completed]") for line in stage.person.lines)) == (0, 1)


def test_where_nobody_stays_an_agent_that_may_stop_has_no_time_to_begin_anything_more(desk: Desk) -> None:
    lives: list[bool] = []

    async def listening(stage: Stage) -> None:
        stage.loop.concluded = lambda _: lives.append(stage.agent.alive)

    stage, code = play(desk, reviews=[listening, COMPLETED])
    assert (lives, stage.loop.outcome, code) == ([False], Outcome.COMPLETED, 0)


def test_the_rest_of_a_turn_that_comes_after_its_forged_end_was_reviewed_is_reviewed_too(desk: Desk) -> None:
    desk.turns([*TALK, ["until", "go"], ["returns", "1"], *MORE])

    async def act(stage: Stage) -> None:
        await stage.ended()
        desk.tell("go")
        await stage.ended(2)

    stage, _ = play(desk, act)
    assert [case.stop.last_message for case in stage.reviews.cases] == ["I think it is done", "more"]


def test_what_the_client_says_between_the_turns_is_no_turn(desk: Desk) -> None:
    beside = {"type": "assistant", "parent_tool_use_id": "t", "message": {"content": [{"type": "text", "text": "x"}]}}
    news = {"type": "system", "subtype": "notification", "text": "news"}
    said: Steps = [["put", beside], ["put", news], ["raw", "odd\n"]]
    desk.turns([*TALK, ["until", "go"], *said, ["result"], ["note", "far"]])

    async def meanwhile(stage: Stage) -> None:
        desk.tell("go")
        await is_seen(stage, "far")

    stage, code = play(desk, reviews=[meanwhile, COMPLETED])
    assert (len(stage.reviews.cases), code) == (1, 0)
    assert "news" in stage.person.lines


NOTICE = {"origin": {"kind": "task-notification"}, "num_turns": 1}
INIT = {"type": "system", "subtype": "init", "session_id": SESSION}


def noticed(result: dict[str, object]) -> Steps:
    """A turn that the agent has by itself, as the client tells it."""
    return [["put", INIT], ["result", result]]


@pytest.mark.parametrize(
    "before",
    [noticed({**NOTICE, "num_turns": 0}), noticed(NOTICE), [*noticed({**NOTICE, "num_turns": 0}), *noticed(NOTICE)]],
    ids=["nothing was done", "the agent had its say", "both"],
)
def test_a_turn_of_the_agents_own_before_it_takes_up_a_message_does_not_answer_it(desk: Desk, before: Steps) -> None:
    """It had ended a background task during the review, so its notice comes before the feedback is worked on."""
    desk.turns([*TALK, *before], [["say", "mended"], ["result"]])
    stage, _ = play(desk, reviews=[KeepWorking("mend it"), COMPLETED])
    assert [case.stop.last_message for case in stage.reviews.cases] == ["I think it is done", "mended"]


def test_a_message_that_a_turn_of_the_agents_own_has_taken_up_is_answered_by_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccc_legacy.turn.NEXT_TURN_SECONDS", 0.05)
    desk.turns([["say", "both done"], ["result", NOTICE]])
    stage, code = play(desk)
    assert ([case.stop.last_message for case in stage.reviews.cases], code) == (["both done"], 0)


@pytest.mark.parametrize("turns", [0, 1])
def test_a_command_on_which_a_tool_has_worked_is_a_request_whatever_its_end_says(desk: Desk, turns: int) -> None:
    """Another turn of the agent's own, and an answer of the client's: what runs below the agent can have said both."""
    worked: Steps = [["tool", "1", "Bash", {"command": "forge"}], ["returns", "1"]]
    desk.turns([*worked, *noticed({**NOTICE, "num_turns": turns}), ["put", INIT], *LOCAL])
    stage, code = play(desk, first="/fix", reviews=[COMPLETED])
    assert (len(stage.reviews.cases), code) == (1, 0)


# --- permissions ---


@pytest.mark.parametrize(
    ("answer", "response"),
    [
        ("y", {"behavior": "allow", "updatedInput": {"command": "rm x"}}),
        (
            "n use mv",
            {
                "behavior": "deny",
                "message": "The user doesn't want this. Find another way, or stop and say what you need."
                " The user says: use mv",
            },
        ),
    ],
)
def test_the_persons_answer_reaches_the_agent(desk: Desk, answer: str, response: object) -> None:
    desk.turns([["ask", "r1", "Bash", {"command": "rm x"}, "clean up"], *TALK])
    stage, _ = play(desk, answers=[answer])
    assert stage.person.lines[1:3] == ["? Bash: clean up", "    command: rm x"]
    answers = [one["response"] for one in desk.notes("heard") if one["type"] == "control_response"]
    assert answers == [{"subtype": "success", "request_id": "r1", "response": response}]


def test_what_nobody_could_permit_is_told_at_the_end(desk: Desk) -> None:
    denied = {"type": "system", "subtype": "permission_denied", "tool_name": "Bash", "message": "rm needs approval"}
    desk.turns([["put", denied], ["put", denied], *TALK])
    stage, _ = play(desk)
    assert stage.person.lines[-2:] == ["[completed]", "✗ Bash was not permitted: rm needs approval"]


# --- orders ---


def test_a_review_can_be_ordered_and_its_feedback_goes_to_the_agent(desk: Desk) -> None:
    async def act(stage: Stage) -> None:
        stage.loop.typed("/off")
        stage.loop.typed("do it")
        await stage.ended()
        assert stage.reviews.cases == []
        stage.loop.typed("/on")
        stage.loop.typed("/review")
        await stage.ended(2)

    stage, _ = play(desk, act, first=None, reviews=[KeepWorking("run the tests"), COMPLETED])
    assert desk.told == ["do it", "run the tests"]
    assert [case.inputs for case in stage.reviews.cases] == [("do it",), ("do it",)]


def test_an_ordered_review_can_be_interrupted(desk: Desk) -> None:
    async def never(stage: Stage) -> None:
        stage.loop.interrupted(leaves_if_repeated=True)
        await asyncio.Event().wait()

    async def act(stage: Stage) -> None:
        await stage.ended()
        stage.loop.typed("/review")
        await stage.ended(2)

    stage, _ = play(desk, act, reviews=[COMPLETED, never])
    assert stage.loop.outcome is Outcome.INTERRUPTED


@pytest.mark.parametrize(("order", "said"), [("/review", "nothing to review yet"), ("/open", "no session yet")])
def test_what_has_nothing_to_work_on_says_so(desk: Desk, order: str, said: str) -> None:
    async def act(stage: Stage) -> None:
        stage.loop.typed(order)
        await stage.person.sees(said)

    play(desk, act, first=None)


# --- the case and the decision ---


def test_a_case_comes_back_equal_from_json() -> None:
    moments = (Asked("do it"), Said("I do"), Call("Bash", {"command": "ls"}, Fate.DONE, "a\nb", 0), Told(1.0))
    case = Case(
        stop=StopEvent(
            "id",
            Path("/a/\udce9"),
            prompt_id="r",
            last_message="half \ud83d",
            permission_mode="default",
            tasks=(Task("1", "x"),),
            cost_usd=0.5,
            began=datetime(2026, 3, 1, 12, tzinfo=UTC),
        ),
        criteria=Path("c"),
        provider="glm",
        inputs=("a", "b"),
        model="m",
        seat=Seat(Path("/proc/1/fd/3"), ("ANTHROPIC_MODEL",), "digest"),
        conversation=Conversation(moments, tokens=7, weight=1.5),
    )
    assert case_of(case_told(case)) == case


@pytest.mark.parametrize(
    "decision",
    [
        COMPLETED,
        WAITS,
        KeepWorking("x", notice="n"),
        KeepWorking("x", ByCheck()),
        KeepWorking("x", ByGate(Rule.ONLY_ASKED)),
        AllowStop(Outcome.LIMIT, "w", "n", "c"),
    ],
)
def test_a_decision_comes_back_equal_from_json(decision: Decision) -> None:
    assert decision_of(json.loads(json.dumps(decision_told(decision)))) == decision


def test_why_the_agent_may_stop_comes_back_from_json_in_every_language() -> None:
    decision = AllowStop(Outcome.OFF, msg("switched off by the person"))
    found = decision_of(json.loads(json.dumps(decision_told(decision))))
    assert isinstance(found, AllowStop)
    assert said(found.why, "zh") == "用户已关闭审查"
