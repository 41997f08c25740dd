"""What tokens weigh against each other, so that the price of one review tells what others on the same model cost.

Rule: pure; proportions of the client's own price list and no price, which only the client knows.
"""

from __future__ import annotations

from collections.abc import Iterable

# The list of Claude's models has these proportions throughout. A model that the client does not know is counted with
# prices of its own making, where a cache write costs as much as plain input.
OUTPUT = 5.0
CACHE_READ = 0.1
CACHE_WRITE = 1.25
CACHE_WRITE_HOUR = 2.0


def weight(counts: Iterable[int], for_an_hour: int = 0) -> float:
    """In tokens of plain input. `counts` are of plain input, output, cache reads and cache writes; `for_an_hour` are
    those of the last that are kept so long."""
    fresh, output, cache_read, cache_written = counts
    hour = min(for_an_hour, cache_written)
    written = CACHE_WRITE * (cache_written - hour) + CACHE_WRITE_HOUR * hour
    return fresh + OUTPUT * output + CACHE_READ * cache_read + written
