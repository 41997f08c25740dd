"""What a person can order at the prompt: /status, /review, /off, /on, /open, /help.

Rule: a line that is no order is a message for the agent, whatever it begins with.
"""

from __future__ import annotations

from enum import Enum


class Order(Enum):
    STATUS = "/status"
    REVIEW = "/review"
    OFF = "/off"
    ON = "/on"
    OPEN = "/open"
    HELP = "/help"


AT_ONCE = frozenset({Order.STATUS, Order.OFF, Order.ON, Order.HELP})  # the others wait until the agent rests

HELP = (
    "/status  where things stand",
    "/review  have the work reviewed now",
    "/off     no more reviews in this session (/on: again)",
    "/open    this session in the client's own UI; leave it to come back",
    "Esc or Ctrl-C interrupts the turn, Ctrl-C twice or Ctrl-D leaves; what you type meanwhile is queued",
)


def parse(text: str) -> Order | None:
    return next((order for order in Order if order.value == text.strip().lower()), None)
