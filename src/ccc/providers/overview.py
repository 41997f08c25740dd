"""Providers as people look at them: one table of what is configured, one of what answered.

Rule: no key, whole or in part, ever gets into a row.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict

from ccc.base import sink
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.messages import Phrases, said
from ccc.base.text import one_line, visible
from ccc.providers import choosing, fallback, probe
from ccc.providers.config import Config
from ccc.providers.probe import Probe, shown

BASE_URL, MODEL = "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"
HEADS = Phrases(
    "providers",
    {
        "name": "name",
        "url": "base URL",
        "model": "model",
        "key": "key",
        "fallback": "falls back to",
        "login": "(login)",
        "result": "result",
        "seconds": "seconds",
    },
)


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
    current = conf.current or next(iter(conf.providers), None)  # one that is not there is none of these
    return [_row(conf, name, env, current=name == current) for name in conf.providers]


def check(conf: Config, name: str, env: Mapping[str, str]) -> Probe:
    """The fields first; a request only when they are right."""
    own = choosing.apart(conf, name, env)
    try:
        provider = choosing.resolve(conf, name, own)
    except CccError as error:
        return Probe(name, False, error.message)
    return probe.probe(provider, own)


def print_json(values: Sequence[Row] | Sequence[Probe]) -> None:
    sink.show_json([asdict(value) for value in values])


def print_table(found: Sequence[Row], lang: str) -> None:
    """A row for each, and below them a line for each one that cannot be used."""
    heads = HEADS[lang]
    columns = ("name", "url", "model", "key", *(["fallback"] if any(row.fallback for row in found) else []))
    _print(("", *(heads[each] for each in columns)), [_cells(row, heads)[: len(columns) + 1] for row in found])
    sink.show(*(f"✗ {row.name}: {said(row.problem, lang)}" for row in found if row.problem))


def _cells(row: Row, heads: Mapping[str, str]) -> tuple[str, ...]:
    return (
        "●" if row.current else "",
        row.name,
        row.base_url or ("" if row.problem else heads["login"]),
        row.model or "",
        "✗" if row.problem else _tick(row.key),
        ", ".join(row.fallback),
    )


def print_probes(found: Sequence[Probe], lang: str) -> None:
    heads = HEADS[lang]
    _print(
        ("", heads["name"], heads["result"], heads["seconds"]),
        [
            (
                "?" if each.ok is None else _tick(each.ok) or "✗",
                each.name,
                said(each.detail, lang),
                "" if each.seconds is None else f"{each.seconds:.2f}",
            )
            for each in found
        ],
    )


def _row(conf: Config, name: str, env: Mapping[str, str], *, current: bool) -> Row:
    try:
        provider, others = choosing.resolve(conf, name, env), fallback.of(conf, name)
    except CccError as error:
        told = {**_written(conf.settings), **_written(conf.providers[name])}
        return Row(name, told.get(BASE_URL), told.get(MODEL), False, current, error.message)
    address = provider.base_url and shown(provider.base_url)
    return Row(name, address, provider.model, provider.has_token, current, fallback=others)


def _written(holder: Json) -> dict[str, str]:
    """Address and model as they stand in the file, for a provider whose variables cannot be resolved."""
    env = holder.get("env")
    found = env if isinstance(env, dict) else {}
    told = {key: found[key] for key in (BASE_URL, MODEL) if isinstance(found.get(key), str)}
    return told | ({BASE_URL: shown(told[BASE_URL])} if BASE_URL in told else {})


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
