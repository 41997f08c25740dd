"""The house stays clean: imports point one way, and a mode never knows the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.tables import each

ROOT = Path(__file__).parent.parent
ROOTS = {
    "ccc": ROOT / "src" / "ccc",
    "ccc_hooks": ROOT / "hooks" / "ccc_hooks",
    "ccc_legacy": ROOT / "legacy" / "ccc_legacy",
}
# Who may know everybody: the entry and the command line.
ENTRIES = {"ccc.__main__"}
# Which rooms each room may know. Hooks and legacy are the two modes; a mode never knows the other.
FOUNDATION = {"base", "model", "claude"}
MIDDLE = {*FOUNDATION, "providers", "evidence", "record"}
MAY_KNOW = {
    "base": set(),
    "model": {"base"},
    "claude": {"base", "model"},
    "providers": FOUNDATION,
    "evidence": FOUNDATION,
    "record": {*FOUNDATION, "providers", "evidence"},
    "judging": MIDDLE,
    "showing": MIDDLE,
    "hooks": {*MIDDLE, "judging"},
    "legacy": {*MIDDLE, "judging"},
    "trial": {*MIDDLE, "judging"},
    "fleet": {*MIDDLE, "judging", "showing", "hooks", "legacy"},
    "commands": {*MIDDLE, "judging", "showing", "trial", "hooks", "legacy", "fleet"},
    "__main__": {"base", "commands", "showing", "hooks"},
}


def module_name(package: str, path: Path) -> str:
    parts = path.relative_to(ROOTS[package]).with_suffix("").parts
    return ".".join((package, *(part for part in parts if part != "__init__")))


@cache
def modules() -> dict[str, Path]:
    return {module_name(package, path): path for package, folder in ROOTS.items() for path in folder.rglob("*.py")}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> frozenset[str]:
    return frozenset(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    known = modules()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else node.module


def own_imports(path: Path) -> set[str]:
    return {name for name in imports(path) if name.split(".")[0] in ROOTS}


def test_no_import_cycles() -> None:
    graph = {name: own_imports(path) - {name} for name, path in modules().items() if name not in ENTRIES}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " → ".join((*trail, name))
        if name not in done:
            for other in graph.get(name, ()):
                visit(other, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def room(name: str) -> str:
    """The room of a module by its dotted name: a mode's folder, or the first step inside ccc."""
    package, _, rest = name.partition(".")
    return {"ccc_hooks": "hooks", "ccc_legacy": "legacy"}.get(package) or rest.partition(".")[0]


def against_the_grain(name: str, known: set[str]) -> set[str]:
    """What a module imports from a room that its own may not know. `ccc` itself has only the version."""
    here = room(name)
    return {other for other in known if room(other) not in {here, "", *MAY_KNOW.get(here, set())}}


@each("name", modules)
def test_imports_point_one_way_between_the_rooms(name: str) -> None:
    assert against_the_grain(name, own_imports(modules()[name])) == set()


def test_an_edge_that_is_turned_round_is_found() -> None:
    edges = [(name, other) for name, path in modules().items() for other in own_imports(path)]
    between = {(name, other) for name, other in edges if room(other) not in (room(name), "")}
    assert len(between) > 300
    # Turned round, each of them runs against the grain.
    assert [edge for edge in between if not against_the_grain(edge[1], {edge[0]})] == []


def test_the_house_has_these_rooms_and_nothing_beside_them() -> None:
    inside = {path.name for path in ROOTS["ccc"].iterdir() if path.name != "__pycache__"}
    rooms = {name for name in MAY_KNOW if (ROOTS["ccc"] / name).is_dir()}
    assert inside - rooms == {"__init__.py", "__main__.py", "model.py", "py.typed"}
    assert rooms == set(MAY_KNOW) - {"model", "hooks", "legacy", "__main__"}


def test_only_the_command_line_knows_click() -> None:
    for name, path in modules().items():
        assert room(name) == "commands" or "click" not in imports(path), name


def test_only_the_engine_knows_dbos_and_only_the_store_and_the_locks_know_postgres() -> None:
    found: dict[str, set[str]] = {"dbos": set(), "psycopg": set()}
    for name, path in modules().items():
        for library in {name.partition(".")[0] for name in imports(path)} & set(found):
            found[library].add(name)
    assert found == {"dbos": {"ccc.fleet.engine"}, "psycopg": {"ccc.fleet.store", "ccc.fleet.liveness"}}


def test_every_module_states_its_rule() -> None:
    for name, path in modules().items():
        docstring = ast.get_docstring(tree(path))
        assert docstring, name
        assert "Rule:" in docstring or path.name == "__init__.py", name
