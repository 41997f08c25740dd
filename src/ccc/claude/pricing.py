"""What tokens weigh against each other, so that the price of one review tells what others on the same model cost.

Rule: pure; the client's own price list, and what the client tells itself goes before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccc.base.patterns import pattern

# The list of Claude's models has these proportions throughout. A model that the client does not know is counted with
# prices of its own making, where a cache write costs as much as plain input.
OUTPUT = 5.0
CACHE_READ = 0.1
CACHE_WRITE = 1.25
CACHE_WRITE_HOUR = 2.0
# What a million tokens of plain input cost, as 2.1.326 has it.
LISTED = {
    "claude-3-5-haiku": 0.8,
    "claude-haiku-4-5": 1.0,
    "claude-haiku-5-5": 0.1,
    "claude-3-5-sonnet": 3.0,
    "claude-3-7-sonnet": 3.0,
    "claude-sonnet-4": 3.0,
    "claude-sonnet-4-0": 3.0,
    "claude-sonnet-4-5": 3.0,
    "claude-sonnet-4-6": 3.0,
    "claude-sonnet-5": 2.0,
    "claude-sonnet-5-5": 2.0,
    "claude-opus-4": 15.0,
    "claude-opus-4-5": 5.0,
    "claude-opus-4-6": 5.0,
    "claude-opus-4-7": 5.0,
    "claude-opus-4-8": 5.0,
    "claude-opus-5": 5.0,
    "claude-opus-5-5": 4.0,
    "claude-fable-5": 10.0,
    "claude-fable-5-1": 10.0,
    "claude-fable-5-2": 8.0,
    "claude-mythos-5": 10.0,
    "claude-mythos-5-1": 10.0,
    "claude-mythos-5-2": 8.0,
}
# A cloud writes its region before the name; a date and a version stand behind it.
_NAME = pattern(r"claude(?:-\d)*-[a-z]+(?:-\d{1,2}(?!\d))*")


def listed(model: str | None) -> float:
    """The price of a token of plain input; 0 for a model that is not on the list."""
    found = _NAME.search(model or "")
    return LISTED.get(found[0], 0.0) / 1_000_000 if found else 0.0


def relative(model: str, to: str) -> float:
    """What a token of one model costs in those of another; 0 where nobody tells."""
    if model == to:
        return 1.0
    base = listed(to)
    return listed(model) / base if base else 0.0


def weight(counts: Iterable[int], for_an_hour: int = 0) -> float:
    """In tokens of plain input. `counts` are of plain input, output, cache reads and cache writes; `for_an_hour` are
    those of the last that are kept so long."""
    fresh, output, cache_read, cache_written = counts
    hour = min(for_an_hour, cache_written)
    written = CACHE_WRITE * (cache_written - hour) + CACHE_WRITE_HOUR * hour
    return fresh + OUTPUT * output + CACHE_READ * cache_read + written
