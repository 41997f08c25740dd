"""Providers as people look at them: one table of what is configured, one of what answered.

Rule: no key, whole or in part, ever gets into a row.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict

from ccc.base import sink
from ccc.base.errors import CccError
from ccc.base.text import one_line, visible
from ccc.providers import choosing, fallback, probe
from ccc.providers.config import Config
from ccc.providers.probe import Probe


class Row(Struct, frozen=True):
    name: str
    base_url: str | None
    model: str | None
    key: bool
    current: bool
    problem: str | None = None
    fallback: tuple[str, ...] = ()  # who goes on in pty mode where this one keeps the agent waiting


def rows(conf: Config, env: Mapping[str, str]) -> list[Row]:
    """One row per provider; one that cannot be used says why instead of hiding the others."""
    current = conf.current if conf.current in conf.providers else next(iter(conf.providers), None)
    return [_row(conf, name, env, current=name == current) for name in conf.providers]


def check(conf: Config, name: str, env: Mapping[str, str]) -> Probe:
    """The fields first; a request only when they are right."""
    try:
        provider = choosing.resolve(conf, name, env)
    except CccError as error:
        return Probe(name, False, error.message)
    return probe.probe(provider)


def print_json(values: Sequence[Row] | Sequence[Probe]) -> None:
    sink.show_json([asdict(value) for value in values])


def print_table(found: Sequence[Row]) -> None:
    _print(
        ("", "name", "base URL", "model", "key", "falls back to"),
        [
            (
                "●" if row.current else "",
                row.name,
                row.problem or row.base_url or "(login)",
                row.model or "",
                _tick(row.key),
                ", ".join(row.fallback),
            )
            for row in found
        ],
    )


def print_probes(found: Sequence[Probe]) -> None:
    _print(
        ("", "name", "result", "seconds"),
        [
            (
                _tick(each.ok) or "✗",
                each.name,
                each.detail,
                "" if each.seconds is None else f"{each.seconds:.2f}",
            )
            for each in found
        ],
    )


def _row(conf: Config, name: str, env: Mapping[str, str], *, current: bool) -> Row:
    try:
        provider, others = choosing.resolve(conf, name, env), fallback.of(conf, name)
    except CccError as error:
        return Row(name, None, None, False, current, error.message)
    return Row(name, provider.base_url, provider.model, provider.has_token, current, fallback=others)


def _tick(yes: bool) -> str:
    return "✓" if yes else ""


def _print(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from ccc.base.canvas import Canvas

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    for line in lines:
        table.add_row(*(Text(one_line(visible(cell), 300)) for cell in line))
    # A pipe has no width; folding at 80 columns would break what a script reads.
    Canvas(width=None if sys.stdout.isatty() else 200).print(table)
