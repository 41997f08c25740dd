"""The sentences of the sources and their translations: `python -m tests.messages` brings locale/ in line with the code.

A sentence is the first word of `msg(…)`, a text of `Phrases(context, {key: text, …})`, or the help of a command.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "ccc" / "base" / "locale" / "zh" / "LC_MESSAGES"
PO, MO = FOLDER / "ccc.po", FOLDER / "ccc.mo"
# What the system, the standard library and click say themselves; ccc passes it on inside sentences of its own.
FOREIGN = ROOT / "tests" / "data" / "foreign_sentences.txt"

WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)  # a date that changes would change the file
Found = tuple[str, str | None, str]  # where, context, English


def sentences() -> list[Found]:
    own = [found for part in ("src", "hooks", "legacy") for found in _in_folder(ROOT / part)]
    foreign = [(FOREIGN.relative_to(ROOT).as_posix(), None, line) for line in FOREIGN.read_text().splitlines()]
    return own + foreign


def _in_folder(folder: Path) -> Iterator[Found]:
    for path in sorted(folder.rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args:
                yield from ((where, *found) for found in _of_call(node))
            if isinstance(node, ast.FunctionDef) and any(map(_is_command, node.decorator_list)):
                yield from ((where, None, text) for text in _of_command(node))


def _is_command(decorator: ast.expr) -> bool:
    """`@click.command(…)`, `@click.group()`, `@hooks.command(…)`; what nobody sees needs no translation."""
    name = ast.unparse(decorator)
    return name.partition("(")[0].endswith((".command", ".group")) and "pty-review" not in name


def _of_command(function: ast.FunctionDef) -> Iterator[str]:
    """The help of a command and of its options, which click shows."""
    text = ast.get_docstring(function)
    if text:
        yield text
    keywords = [each for call in function.decorator_list if isinstance(call, ast.Call) for each in call.keywords]
    yield from (text for each in keywords if each.arg == "help" for text in _literals(each.value))


def _of_call(call: ast.Call) -> Iterator[tuple[str | None, str]]:
    match ast.unparse(call.func), call.args:
        case "msg", [ast.expr() as text, *_]:
            yield from ((None, each) for each in _literals(text))
        case "Phrases", [ast.Constant(str(context)), ast.Dict(keys, values)]:
            for key, value in zip(keys, values, strict=True):
                yield from ((f"{context}.{_name(key)}", each) for each in _literals(value) if each)


def _literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def _name(key: ast.expr | None) -> str:
    match key:
        case ast.Constant(value):
            return str(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    raise AssertionError(ast.dump(key) if key else "a key is needed")


def translated() -> Catalog:
    with PO.open("rb") as file:
        return read_po(file, locale="zh")


def in_line(known: Catalog) -> Catalog:
    """The catalogue with every sentence of the sources and no other."""
    made = Catalog(
        locale="zh",
        project="ccc",
        charset="utf-8",
        header_comment="# What ccc says, in Chinese.",
        creation_date=WRITTEN,
        revision_date=WRITTEN,
    )
    for where, context, english in sentences():
        old = known.get(english, context)
        made.add(english, old.string if old else "", locations=[(where, 0)], context=context)
    return made


def po_bytes(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_po(file, catalogue, width=110, omit_header=False, include_lineno=False, sort_output=False)
    return file.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, catalogue)
    return _sorted(file.getvalue())


def _sorted(data: bytes) -> bytes:
    """The same, sorted by its bytes for whoever looks a sentence up: Babel sorts by the words without their context."""
    count, *tables = struct.unpack_from("<3I", data, 8)
    described = [[struct.unpack_from("<2I", data, table + 8 * at) for at in range(count)] for table in tables]
    pairs = sorted(zip(*described, strict=True), key=lambda pair: data[pair[0][1] : pair[0][1] + pair[0][0]])
    made = bytearray(data)
    for at, pair in enumerate(pairs):
        for table, words in zip(tables, pair, strict=True):
            struct.pack_into("<2I", made, table + 8 * at, *words)
    return bytes(made)


if __name__ == "__main__":
    catalogue = in_line(translated())
    PO.write_bytes(po_bytes(catalogue))
    MO.write_bytes(mo_bytes(catalogue))
    for message in catalogue:
        if message.id and not message.string:
            print(f"{message.locations[0][0]}: no Chinese yet: {message.id!r}")
