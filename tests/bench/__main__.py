"""`make bench`: every ratio in one run, as one table; `--write` keeps it in docs/benchmarks.md."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.bench import bench_cache, bench_commands, bench_fleet, bench_growth, bench_hooks, bench_pty
from tests.bench.rows import Row

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def table(rows: Iterable[Row]) -> str:
    lines = ["| what | ratio | limit | |", "|---|---|---|---|"]
    for row in rows:
        sign = "≤" if row.better == "lower" else "≥"
        lines.append(
            f"| {row.name} | {row.ratio:.2f} | {sign} {row.limit:g} | {'holds' if row.holds else '**missed**'} |"
        )
    return "\n".join(lines)


def main() -> int:
    rows = [
        *bench_hooks.rows(),
        *bench_hooks.evidence_rows(),
        *bench_commands.rows(),
        *bench_pty.rows(),
        *bench_cache.rows(),
        *bench_growth.rows(),
        *bench_fleet.rows(),
    ]
    text = table(rows)
    print(text)
    if "--write" in sys.argv:
        about = (
            f"Python {platform.python_version()}, {platform.system()}, {platform.machine()}; best of several runs each."
        )
        # What other targets measure stands in sections of its own.
        _, mark, sections = DOCUMENT.read_text().partition("\n## ")
        head = f"Ratios within one run of `make bench`; ccc from a wheel in a fresh environment; {about}"
        DOCUMENT.write_text(f"# Benchmarks\n\n{head}\n\n{text}\n{mark}{sections}")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
