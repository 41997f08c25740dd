"""One measured ratio, beside the limit or the peer it is measured against."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    name: str
    ratio: float
    limit: float
    better: str  # lower or higher

    @property
    def holds(self) -> bool:
        return self.ratio <= self.limit if self.better == "lower" else self.ratio >= self.limit
