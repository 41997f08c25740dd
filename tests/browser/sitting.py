"""Pictures of pty mode for the guide, from a real client, a scripted model and a real terminal: `make pictures`.

`python -m tests.browser.sitting FOLDER` puts all of them there, at 40, 80, 120 and 200 columns, on light and on dark.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text

from ccc.trial.scripted import ScriptedModel
from tests.terminals import Terminal
from tests.world import World, provider

pyte.graphics.TEXT[2] = "+blink"  # it does not know dim text, and nothing of ccc's blinks
PICTURES = Path(__file__).parents[2] / "docs" / "images"
THEMES = {"dark": SVG_EXPORT_THEME, "light": DEFAULT_TERMINAL_THEME}
KEPT = {  # in the guide
    *("pty-works-40-light", "pty-ends-40-dark", "pty-asks-80-light", "pty-works-80-dark"),
    *("pty-works-120-dark", "pty-ends-120-light", "pty-reviews-200-light", "pty-works-200-dark"),
}
WIDTHS = {40: 48, 80: 40, 120: 40, 200: 44}
CART = 'def total(items):\n    """What all of it costs."""\n    return sum(item.price for item in items)\n'
ANSWER = """## What was wrong

`total()` forgot the **quantity** of an item: two apples cost as much as one.

1. `cart.py` multiplies the price by the quantity now.
2. `test_cart.py` has a case for it:

```python
def test_two_apples_cost_twice_as_much():
    assert total([Item("apple", price=3, count=2)]) == 6
```

| case | before | now |
|---|---|---|
| one apple | 3 | 3 |
| two apples | 3 | 6 |

All tests pass."""
THINKS = "The test expects 6 and gets 3.\nSo the quantity is not in the sum.\nI will look at cart.py first."


def main(folder: Path | None) -> None:
    for columns, lines in WIDTHS.items():
        if folder is None and not any(f"-{columns}-" in name for name in KEPT):
            continue
        with tempfile.TemporaryDirectory(prefix="shop-", dir="/tmp") as place:
            _sitting(World(Path(place)).make(), columns, lines, folder)


def _sitting(world: World, columns: int, lines: int, folder: Path | None) -> None:
    (world.project / "cart.py").write_text(CART)
    (world.project / "test.sh").write_text("seq -f 'test_cart.py::test_%g PASSED' 3000\necho '3000 passed in 2.1 s'\n")
    with ScriptedModel(_script(world)) as model:
        world.write_config({"glm": provider(model.url)})
        (world.project / "SUPERVISOR.md").write_text("The work must be tested.\n")
        # Only for some models does the client offer its list of things to do unasked.
        env = world.env(CCC_LANG="en", PS1="$ ", CLAUDE_CODE_ENABLE_TODO_TOOLS="1")
        argv = world.command("--supervisor", "glm", "--permission-mode", "acceptEdits", "--", "mend the cart")
        with Terminal(argv, env=env, cwd=world.project, columns=columns, lines=lines) as terminal:
            terminal.wait_for("[y]es", 90)
            _write(f"pty-asks-{columns}", terminal, folder)
            terminal.type("y")
            terminal.wait_for("There is no test", 90)
            _write(f"pty-reviews-{columns}", terminal, folder)
            terminal.wait_for("the agent goes on", 90)
            terminal.wait_for("test_two", 90)
            _write(f"pty-works-{columns}", terminal, folder)
            terminal.wait_for("[completed]", 90)
            terminal.wait_for("your turn", 90)
            _write(f"pty-ends-{columns}", terminal, folder)
            terminal.press("ctrl-d")
            terminal.wait_for_end()


def _script(world: World) -> list[dict[str, Any]]:
    cart = str(world.project / "cart.py")
    edit = {"file_path": cart, "old_string": "sum(item.price for", "new_string": "sum(item.price * item.count for"}
    listed = [_tool("TaskCreate", subject=subject, description=subject) for subject in ("Mend the sum", "Add a test")]
    agent = [
        {"thinking": THINKS, "text": "I look at the cart first.", "tools": [_tool("Read", file_path=cart), *listed]},
        {"tools": [_tool("TaskUpdate", taskId="1", status="in_progress")]},
        {"text": "The quantity is missing.", "tools": [_tool("Edit", **edit)]},
        {"tools": [_tool("Bash", command="sh test.sh", description="run the tests")]},
        {"text": "I think it is done.", "tools": [_tool("TaskUpdate", taskId="1", status="completed")]},
        {"text": "The sum is right now."},
        {"text": ANSWER, "chunk_delay": 0.1},
    ]
    reviewer = [
        {"tools": [_tool("Read", file_path=cart)]},
        {"text": "There is no test for **two of a kind**:\n\n- add one to `test_cart.py`\n- say what was wrong"},
        {"text": "All is well.\n\n[TASK_COMPLETED]"},
    ]
    return [
        {"system": "[TASK_COMPLETED]", "times": None, "replies": reviewer},
        {"times": None, "replies": agent},
    ]


def _tool(name: str, **given: object) -> Mapping[str, object]:
    return {"name": name, "input": given}


def _write(name: str, terminal: Terminal, folder: Path | None) -> None:
    for theme, colours in THEMES.items():
        if folder or f"{name}-{theme}" in KEPT:
            svg = re.sub(r"@font-face \{.*?\}", "", picture(terminal.screen, colours), flags=re.DOTALL)
            ((folder or PICTURES) / f"{name}-{theme}.svg").write_text(svg)


def picture(screen: pyte.Screen, theme: TerminalTheme) -> str:
    """What a terminal of these colours shows, character by character."""
    console = Console(record=True, width=screen.columns, highlight=False, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    for row in range(screen.lines):
        runs = groupby(_cells(screen, row), key=lambda cell: cell[1])
        text = [("".join(letter for letter, _ in cells), style) for style, cells in runs]
        console.print(Text.assemble(*text), soft_wrap=True)
    return console.export_svg(title="ccc --supervisor glm", theme=theme)


def _cells(screen: pyte.Screen, row: int) -> Iterator[tuple[str, Style]]:
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        yield (
            cell.data,
            Style(
                color=_colour(cell.fg),
                bgcolor=_colour(cell.bg),
                bold=cell.bold,
                italic=cell.italics,
                underline=cell.underscore,
                reverse=cell.reverse,
                dim=cell.blink,
            ),
        )


def _colour(name: str) -> str | None:
    """As rich names it: one of the sixteen, or six hexadecimal digits."""
    named = {"default": None, "brown": "yellow"}.get(name, name)
    return f"#{named}" if named and re.fullmatch("[0-9a-f]{6}", named) else named


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
