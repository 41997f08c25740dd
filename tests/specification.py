"""The numbered scenarios in docs/specification.md, each with links to the tests that name it.

`python -m tests.specification` writes the links anew; a test holds that they are in line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "specification.md"
ROW = re.compile(r"^\| (?P<id>[HPTC]\d+) \| (?P<what>.+?) \| (?P<tests>.*?) \|$", re.MULTILINE)


def named_by() -> dict[str, list[Path]]:
    """The test files that name each scenario, in the order of their paths."""
    found: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for scenario in sorted(set(_marked(path))):
            found.setdefault(scenario, []).append(path)
    return found


def _marked(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.spec":
            yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))


def in_line(text: str) -> str:
    """The page with the links as they should be."""
    known = named_by()

    def row(match: re.Match[str]) -> str:
        links = ", ".join(_link(path) for path in known.get(match["id"], []))
        return f"| {match['id']} | {match['what']} | {links} |"

    return ROW.sub(row, text)


def _link(path: Path) -> str:
    inside = path.relative_to(ROOT / "tests").with_suffix("")
    return f"[{inside.as_posix().replace('/test_', '/')}](../{path.relative_to(ROOT).as_posix()})"


if __name__ == "__main__":
    PAGE.write_text(in_line(PAGE.read_text()))
