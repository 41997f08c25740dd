"""What a person can order at the prompt, and what it does: /status, /review, /off, /on, /open, /help, /exit.

Rule: a line that is no order is a message for the agent, whatever it begins with; an order works on the loop from
outside, and the loop knows only that there are orders.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Protocol

from ccc.model import Bill
from ccc.record.words import money
from ccc_legacy import opening
from ccc_legacy.person import Person
from ccc_legacy.terminal import Program, Size
from ccc_legacy.turn import Turns


class Order(Enum):
    STATUS = "/status"
    REVIEW = "/review"
    OFF = "/off"
    ON = "/on"
    OPEN = "/open"
    HELP = "/help"
    EXIT = "/exit"


SPELLINGS = {"/quit": Order.EXIT}
# The others wait until the agent rests.
AT_ONCE = frozenset({Order.STATUS, Order.OFF, Order.ON, Order.HELP, Order.EXIT})

HELP = (
    "/status  where things stand",
    "/review  have the work reviewed now",
    "/off     no more reviews in this session (/on: again)",
    "/open    this session in the client's own UI; leave it to come back",
    "/exit    leave, as Ctrl-D or Ctrl-C twice does; Esc or Ctrl-C interrupts the turn",
    "Ctrl-Z suspends ccc; the shell's fg brings it back",
    "Any other /command is the client's or your project's; what you type while the agent works is queued",
)


def parse(text: str) -> Order | None:
    word = text.strip().lower()
    return SPELLINGS.get(word) or next((order for order in Order if order.value == word), None)


def names() -> tuple[str, ...]:
    """What ccc itself answers to, without the slash."""
    return tuple(word.removeprefix("/") for word in (*(order.value for order in Order), *SPELLINGS))


class Running(Protocol):
    """The loop, as far as an order reaches."""

    supervising: bool

    @property
    def folder_off(self) -> Callable[[], bool]: ...
    @property
    def person(self) -> Person: ...
    @property
    def turns(self) -> Turns: ...
    @property
    def standing(self) -> tuple[str, int]: ...
    @property
    def bill(self) -> Bill: ...
    def left(self) -> None: ...
    def left_to_client(self) -> None: ...
    async def review_now(self) -> None: ...


Client = Callable[[str], Program]  # a session → the client's own UI on it


async def obey(loop: Running, order: Order, *, client: Client, size: Callable[[], Size]) -> None:
    match order:
        case Order.HELP:
            await loop.person.show(HELP)
        case Order.STATUS:
            await loop.person.show([status(loop)])
        case Order.OFF | Order.ON:
            loop.supervising = order is Order.ON
            await loop.person.show([_switched(loop)])
        case Order.EXIT:
            loop.left()
        case Order.REVIEW:
            await loop.review_now()
        case Order.OPEN:
            await _open(loop, client, size)


async def _open(loop: Running, client: Client, size: Callable[[], Size]) -> None:
    agent = loop.turns.agent
    if agent.session_id is None:
        await loop.person.show(["there is no session yet; type a request first"])
        return
    agent.end()
    loop.left_to_client()
    await loop.person.lend(partial(opening.hand_over_terminal, client(agent.session_id), size, agent.move))
    await loop.person.show([f"back in ccc, session {agent.session_id}"])


def _switched(loop: Running) -> str:
    if loop.supervising and loop.folder_off():
        return "reviews stay off, for the whole project; in another terminal: ccc on"
    return f"reviews are {'on' if loop.supervising else 'off'} for this session"


def status(loop: Running) -> str:
    session = loop.turns.agent.session_id or "no session yet"
    phase, waiting = loop.standing
    queued = f"{waiting} queued" if waiting else ""
    supervised = "supervised" if loop.supervising and not loop.folder_off() else "reviews off"
    spent = money(loop.bill, "en") if loop.bill.total_usd else ""
    words = (phase, loop.turns.screen.at_work, queued, supervised, spent, session, "/help")
    return " · ".join(word for word in words if word)
