"""Pictures of pty mode for the guide, from a real client, a scripted model and a real terminal: `make pictures`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
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


def main() -> None:
    for columns, lines in WIDTHS.items():
        with tempfile.TemporaryDirectory() as folder:
            _sitting(World(Path(folder)).make(), columns, lines)


def _sitting(world: World, columns: int, lines: int) -> None:
    (world.project / "cart.py").write_text(CART)
    (world.project / "test.sh").write_text("seq -f 'test_cart.py::test_%g PASSED' 3000\necho '3000 passed in 2.1 s'\n")
    with ScriptedModel(_script(world)) as model:
        world.write_config({"glm": provider(model.url)})
        (world.project / "SUPERVISOR.md").write_text("The work must be tested.\n")
        env = world.env(CCC_LANG="en", PS1="$ ")
        argv = world.command("--supervisor", "glm", "--permission-mode", "acceptEdits", "--", "mend the cart")
        with Terminal(argv, env=env, cwd=world.project, columns=columns, lines=lines) as terminal:
            terminal.wait_for("[y]es")
            _write(f"pty-asks-{columns}", terminal)
            terminal.type("y")
            terminal.wait_for("writes its verdict" if columns >= 120 else "the agent goes on", 60)
            terminal.wait_for("two apples", 60)
            _write(f"pty-works-{columns}", terminal)
            terminal.wait_for("[completed]", 90)
            terminal.wait_for("your turn")
            _write(f"pty-ends-{columns}", terminal)
            terminal.press("ctrl-d")
            terminal.wait_for_end()


def _script(world: World) -> list[dict[str, Any]]:
    cart = str(world.project / "cart.py")
    edit = {"file_path": cart, "old_string": "sum(item.price for", "new_string": "sum(item.price * item.count for"}
    agent = [
        {"thinking": THINKS, "text": "I look at the cart first.", "tools": [_tool("Read", file_path=cart)]},
        {"text": "The quantity is missing.", "tools": [_tool("Edit", **edit)]},
        {"tools": [_tool("Bash", command="sh test.sh", description="run the tests")]},
        {"text": "I think it is done."},
        {"text": ANSWER, "chunk_delay": 0.05},
    ]
    reviewer = [
        {"tools": [_tool("Read", file_path=cart)]},
        {"text": "There is no test for two of a kind. Add one, and say what was wrong."},
        {"text": "All is well.\n\n[TASK_COMPLETED]"},
    ]
    return [
        {"system": "[TASK_COMPLETED]", "times": None, "replies": reviewer},
        {"times": None, "replies": agent},
    ]


def _tool(name: str, **given: object) -> Mapping[str, object]:
    return {"name": name, "input": given}


def _write(name: str, terminal: Terminal) -> None:
    for theme, colours in THEMES.items():
        svg = picture(terminal.screen, colours)
        (PICTURES / f"{name}-{theme}.svg").write_text(re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL))


def picture(screen: pyte.Screen, theme: TerminalTheme) -> str:
    """What a terminal of these colours shows, character by character."""
    console = Console(record=True, width=screen.columns, highlight=False, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    for row in range(screen.lines):
        console.print(Text.assemble(*_cells(screen, row)), soft_wrap=True)
    return console.export_svg(title="ccc --supervisor glm", theme=theme)


def _cells(screen: pyte.Screen, row: int) -> Iterator[tuple[str, Style]]:
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        colour = {"default": None, "brown": "yellow"}.get(cell.fg, cell.fg)
        yield cell.data, Style(color=colour, bold=cell.bold, italic=cell.italics, reverse=cell.reverse, dim=cell.blink)


if __name__ == "__main__":
    main()
