"""The house stays clean: imports point one way, and a mode never knows the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOTS = {
    "ccc": ROOT / "src" / "ccc",
    "ccc_hooks": ROOT / "hooks" / "ccc_hooks",
    "ccc_legacy": ROOT / "legacy" / "ccc_legacy",
}
# Who may know everybody: the entry, and what plays a whole story for a person.
ENTRIES = {"ccc.commands.cli", "ccc.__main__"}


def module_name(package: str, path: Path) -> str:
    parts = path.relative_to(ROOTS[package]).with_suffix("").parts
    return ".".join((package, *(part for part in parts if part != "__init__")))


def modules() -> dict[str, Path]:
    return {module_name(package, path): path for package, folder in ROOTS.items() for path in folder.rglob("*.py")}


def imports(path: Path) -> Iterator[str]:
    known = modules()
    for node in ast.walk(ast.parse(path.read_text())):
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


@pytest.mark.parametrize(
    ("package", "may_know"),
    [("ccc", {"ccc"}), ("ccc_hooks", {"ccc", "ccc_hooks"}), ("ccc_legacy", {"ccc", "ccc_legacy"})],
)
def test_a_mode_never_imports_the_other(package: str, may_know: set[str]) -> None:
    for name, path in modules().items():
        if name.split(".")[0] == package and name not in ENTRIES:
            known = {other.split(".")[0] for other in own_imports(path)}
            assert known <= may_know, name


def test_only_the_entry_imports_the_command_line() -> None:
    for name, path in modules().items():
        assert name in ENTRIES or not {"ccc.commands.cli", "click"} & set(imports(path)), name


def test_every_module_states_its_rule() -> None:
    for name, path in modules().items():
        docstring = ast.get_docstring(ast.parse(path.read_text()))
        assert docstring, name
        assert "Rule:" in docstring or path.name == "__init__.py", name
