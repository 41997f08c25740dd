"""The agent's process as the loop sees it: one at a time, resumed when it has died, told in order whatever it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TypeVar

import pytest

from ccc.claude.stream import Event, Finished, Text
from ccc_legacy.agent import Agent, _complaint
from ccc_legacy.opening import session_left
from ccc_legacy.terminal import Program
from tests.pty_desk import SESSION, Desk
from tests.world import World

T = TypeVar("T")


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def with_agent(
    desk: Desk, act: Callable[[Agent], Coroutine[None, None, T]], on_bytes: Callable[[bytes], None] | None = None
) -> T:
    def prepare(resume: str | None) -> Program:
        return Program((str(desk.client), "--print", f"--resume={resume}"), desk.env(), desk.world.project)

    async def acted() -> T:
        agent = Agent(prepare, (24, 80), on_bytes)
        try:
            async with asyncio.timeout(30):
                return await act(agent)
        finally:
            agent.end()

    return asyncio.run(acted())


async def turn(agent: Agent, times: int = 1) -> list[Event]:
    heard: list[Event] = []
    while sum(isinstance(event, Finished) for event in heard) < times:
        await agent.ready()
        events = agent.hear()
        assert events is not None
        heard += events
    return heard


def test_messages_arrive_in_order_though_the_agent_reads_none_of_them_for_a_while(desk: Desk) -> None:
    desk.turns([["until", "go"], ["result"]])

    async def act(agent: Agent) -> None:
        for number in range(20):
            agent.tell(f"{number} " + "x" * 100_000)
        desk.tell("go")
        await turn(agent, 20)

    with_agent(desk, act)
    assert [text.split()[0] for text in desk.told] == [str(number) for number in range(20)]


def test_an_agent_that_writes_much_and_reads_nothing_is_no_deadlock(desk: Desk) -> None:
    desk.turns([["flood", 3_000_000], ["result"]])

    async def act(agent: Agent) -> None:
        agent.tell("first")
        agent.tell("y" * 3_000_000)
        heard = await turn(agent, 2)
        assert any(isinstance(event, Text) and len(event.text) > 2_900_000 for event in heard)

    with_agent(desk, act)
    assert [len(text) for text in desk.told] == [5, 3_000_000]


def test_a_new_process_resumes_the_session_and_gets_nothing_of_the_old_ones_messages(desk: Desk) -> None:
    desk.turns([["result"], ["hang"]])

    async def act(agent: Agent) -> None:
        agent.tell("one")
        await turn(agent)
        agent.tell("z" * 500_000)  # more than the pipe holds: the rest is still on its way when the process is ended
        agent.end()
        agent.tell("two")
        await turn(agent)

    with_agent(desk, act)
    assert desk.told[-1] == "two"
    assert [one["argv"][1] for one in desk.started("agent")] == ["--resume=None", f"--resume={SESSION}"]


def test_the_raw_stream_is_passed_on_byte_for_byte(desk: Desk) -> None:
    raw = bytearray()
    noise = "\x1b[?25h (node) warning\r\n\n"
    desk.turns([["raw", noise], ["say", "é\udcff"], ["result"]])

    async def act(agent: Agent) -> None:
        agent.tell("x")
        await turn(agent)

    with_agent(desk, act, raw.extend)
    assert noise.encode() in raw
    assert raw.endswith(b"}\n")


def test_what_is_put_back_is_heard_again_before_anything_else(desk: Desk) -> None:
    async def act(agent: Agent) -> None:
        agent.tell("x")
        events = await turn(agent)
        agent.put_back(events)
        assert await agent.ready()
        assert agent.hear() == events
        assert agent.hear() == []

    with_agent(desk, act)


def test_nothing_to_hear_for_a_while_is_told(desk: Desk) -> None:
    desk.turns([["hang"]])

    async def act(agent: Agent) -> bool:
        agent.tell("x")
        while await agent.ready(0.3):
            agent.hear()
        return True

    assert with_agent(desk, act)


def test_a_last_line_without_a_newline_is_heard_before_the_end(desk: Desk) -> None:
    desk.turns([["raw", '{"type":"result","result":"last"}'], ["exit", 3]])

    async def act(agent: Agent) -> list[Event]:
        agent.tell("x")
        heard: list[Event] = []
        while (events := agent.hear()) is not None:
            heard += events
            await agent.ready()
        assert not agent.alive
        assert agent.ended == "exit code 3"
        return heard

    last = with_agent(desk, act)[-1]
    assert isinstance(last, Finished)
    assert last.result == "last"


def test_the_session_that_was_named_first_is_the_one_that_holds(desk: Desk) -> None:
    desk.turns([["put", {"type": "system", "subtype": "x", "session_id": "another"}], ["result"]])

    async def act(agent: Agent) -> str | None:
        agent.tell("x")
        await turn(agent)
        return agent.session_id

    assert with_agent(desk, act) == SESSION


@pytest.mark.parametrize(
    ("tail", "left"),
    [
        (b"", None),
        (b"claude --resume 11111111-2222-4333-8444-555555555555", None),  # somebody spoke of it
        (
            b"Resume this session with: --resume 11111111-2222-4333-8444-555555555555 \r\nResume this session with:\r\n"
            b"\x1b[2mclaude --resume\x1b[22m 22222222-2222-4333-8444-555555555555\x1b[0m\r\n",
            "22222222-2222-4333-8444-555555555555",
        ),
        (b"Resume this session with:\r\nclaude --resume ../../x", None),
    ],
)
def test_the_clients_own_ui_says_in_which_session_it_was_left(tail: bytes, left: str | None) -> None:
    assert session_left(tail) == left


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        (b"", ""),
        (b"error: unknown option '--x'\n\x1b[?25h", "error: unknown option '--x'"),
        (b'{"type":"assistant"}\nNo conversation found\n{"type":"result"}\n', "No conversation found"),
        (b'{"type":"assistant","text":"' + b"x" * 300 + b'"}\n', ""),
        (b'{"type":"half', ""),
        ((b"y" * 5000 + b'"}}\n{"type":"half')[-4096:], ""),
        (b"bad\x1b]0;t\x07 \xff\r\n", "bad \ufffd"),
    ],
)
def test_last_words_are_what_was_said_to_a_person(tail: bytes, words: str) -> None:
    assert _complaint(tail) == words


def test_a_client_that_cannot_be_started_is_an_error_and_not_a_death(desk: Desk) -> None:
    Path(desk.client).chmod(0o600)

    async def act(agent: Agent) -> None:
        with pytest.raises(Exception, match="cannot start"):
            agent.tell("x")
        assert not agent.alive

    with_agent(desk, act)
