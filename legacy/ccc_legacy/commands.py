"""What a person can order at the prompt, and what it does: /status, /review, /now, /off, /open, /verbose and others.

Rule: a line that is no order is a message for the agent, whatever it begins with; an order works on the loop from
outside, and the loop knows only that there are orders.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Protocol

from ccc.base.messages import Message, msg
from ccc_legacy import opening
from ccc_legacy.bar import Standing, bar
from ccc_legacy.person import Person
from ccc_legacy.terminal import Program, Size
from ccc_legacy.turn import Turns


class Order(Enum):
    STATUS = "/status"
    REVIEW = "/review"
    OFF = "/off"
    ON = "/on"
    OPEN = "/open"
    VERBOSE = "/verbose"
    HELP = "/help"
    EXIT = "/exit"


SPELLINGS = {"/quit": Order.EXIT}
NOW = "/now"
# The others wait until the agent rests.
AT_ONCE = frozenset({Order.STATUS, Order.OFF, Order.ON, Order.VERBOSE, Order.HELP, Order.EXIT})

ABOUT = {
    Order.STATUS.value: msg("where things stand"),
    Order.REVIEW.value: msg("have the work reviewed now"),
    NOW: msg("interrupt the agent and tell it this at once: /now TEXT"),
    Order.OFF.value: msg("no more reviews in this session"),
    Order.ON.value: msg("reviews again"),
    Order.OPEN.value: msg("this session in the client's own UI; leave it to come back"),
    Order.VERBOSE.value: msg("show more of what the agent does, or less again"),
    Order.HELP.value: msg("all of this, and the keys"),
    Order.EXIT.value: msg("leave, as Ctrl-D or Ctrl-C twice does"),
}
KEYS = (
    msg("Esc or Ctrl-C interrupts the turn; Esc twice sends what is typed at once"),
    msg("Enter sends; Alt-Enter, Ctrl-J or \\ and Enter begin a new line"),
    msg("Tab completes /commands and @files; Ctrl-R searches what was typed before"),
    msg("Shift-Tab changes what the agent may do unasked: nothing, edits, or only a plan"),
    msg("Ctrl-O shows more or less; Ctrl-L clears the screen; Ctrl-Z suspends ccc, the shell's fg brings it back"),
    msg("Any other /command is the client's or your project's; what you type while the agent works is queued"),
)


def parse(text: str) -> Order | None:
    word = text.strip().lower()
    return SPELLINGS.get(word) or next((order for order in Order if order.value == word), None)


def steering(text: str) -> str:
    """What the agent is to hear at once; empty when this is no such order."""
    word, _, rest = text.strip().partition(" ")
    return rest.strip() if word.lower() == NOW else ""


def is_order(text: str) -> bool:
    return parse(text) is not None or bool(steering(text))


def names() -> tuple[str, ...]:
    """What ccc itself answers to, without the slash."""
    return tuple(word.removeprefix("/") for word in (*(order.value for order in Order), NOW, *SPELLINGS))


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
    def standing(self) -> Standing: ...
    @property
    def told(self) -> Callable[[str], str]: ...
    @property
    def lang(self) -> str: ...
    def unfolded(self) -> None: ...
    def left(self) -> None: ...
    def left_to_client(self) -> None: ...
    async def review_now(self) -> None: ...


Client = Callable[[str], Program]  # a session → the client's own UI on it


async def obey(loop: Running, order: Order, *, client: Client, size: Callable[[], Size]) -> None:
    match order:
        case Order.HELP:
            await loop.person.show(helped(loop.told))
        case Order.STATUS:
            await loop.person.show([status(loop)])
        case Order.VERBOSE:
            loop.unfolded()
        case Order.OFF | Order.ON:
            loop.supervising = order is Order.ON
            await loop.person.show([loop.told(_switched(loop))])
        case Order.EXIT:
            loop.left()
        case Order.REVIEW:
            await loop.review_now()
        case Order.OPEN:
            await _open(loop, client, size)


async def _open(loop: Running, client: Client, size: Callable[[], Size]) -> None:
    agent = loop.turns.agent
    if agent.session_id is None:
        await loop.person.show([loop.told(msg("there is no session yet; type a request first"))])
        return
    agent.end()
    loop.left_to_client()
    await loop.person.lend(partial(opening.hand_over_terminal, client(agent.session_id), size, agent.move))
    await loop.person.show([loop.told(msg("back in ccc, session {session}", session=agent.session_id))])


def helped(told: Callable[[str], str]) -> list[str]:
    width = max(map(len, ABOUT)) + 2
    return [*(f"{name:{width}}{told(about)}" for name, about in ABOUT.items()), *map(told, KEYS)]


def _switched(loop: Running) -> Message:
    if loop.supervising and loop.folder_off():
        return msg("reviews stay off, for the whole project; in another terminal: ccc on")
    return msg("reviews are on for this session") if loop.supervising else msg("reviews are off for this session")


def status(loop: Running, columns: int = 10_000) -> str:
    return bar(loop.standing, columns, loop.told, loop.lang)
