"""`make bench`: every ratio in one run, as one table; `--write` keeps it in docs/benchmarks.md.

Names choose groups, `python -m tests.bench guard stop`: then only their rows are measured, and nothing is written.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tests.bench import bench_cache, bench_commands, bench_fleet, bench_growth, bench_hooks, bench_pty
from tests.bench.rows import Row

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"
GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    **bench_growth.GROUPS,
    **bench_hooks.GROUPS,
    **bench_commands.GROUPS,
    **bench_pty.GROUPS,
    **bench_cache.GROUPS,
    **bench_fleet.GROUPS,
}


def table(rows: Iterable[Row]) -> str:
    lines = ["| what | ratio | limit | |", "|---|---|---|---|"]
    for row in rows:
        sign = "≤" if row.better == "lower" else "≥"
        lines.append(
            f"| {row.name} | {row.ratio:.2f} | {sign} {row.limit:g} | {'holds' if row.holds else '**missed**'} |"
        )
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    chosen = [word for word in words if word != "--write"]
    if unknown := set(chosen) - set(GROUPS):
        print(f"no such group: {' '.join(sorted(unknown))}; there are: {' '.join(GROUPS)}", file=sys.stderr)
        return 2
    if chosen and "--write" in words:
        print("only the whole table is written; leave the names out", file=sys.stderr)
        return 2
    rows = [row for name in chosen or GROUPS for row in GROUPS[name]()]
    print(table(rows))
    if "--write" in words:
        DOCUMENT.write_text(_written(table(rows), DOCUMENT.read_text()))
    return 0 if all(row.holds for row in rows) else 1


def _written(text: str, before: str) -> str:
    """The document with this table; what other targets measure, and what is told of it, stands in sections below."""
    about = f"Python {platform.python_version()}, {platform.system()}, {platform.machine()}; best of several runs each."
    _, mark, sections = before.partition("\n## ")
    head = f"Ratios within one run of `make bench`; ccc from a wheel in a fresh environment; {about}"
    return f"# Benchmarks\n\n{head}\n\n{text}\n{mark}{sections}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
